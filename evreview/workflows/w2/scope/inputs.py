"""W2's required inputs: each looked up once, and what is missing named. Spec, W2 required inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from evreview.codefacts.read import mapped_sources
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import EvidenceId, EvidenceType
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.files import name_problem
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.reference import ContractApproval, PublicationScope, RouteTable
from evreview.evidence.records.review import ExecutionPlan, same_revision
from evreview.evidence.records.test_runs import Observations, TestRun
from evreview.evidence.test_results.model import RetainedRun, Unreadable
from evreview.evidence.typed_reader import is_har
from evreview.redaction.detector import Kind
from evreview.report.statement import Statement, cite, limited, next_action
from evreview.workflows.engine.retained_runs import ROUTES, later_runs, readable_runs, runs_within_bounds
from evreview.workflows.w2.facts import W2Facts

SCOPE_FIELDS: Final[Mapping[str, str]] = {
    "revision": "the contract's revision",
    "api_version": "the supported API version",
    "base_url": "the base URL shape",
    "audience": "the audience",
    "operations": "the included operations, by exact identifier",
    "exclusions": "the exclusions; an empty list says that there are none",
}
RUN_FIELDS: Final[Mapping[str, str]] = {
    "command": "the exact command",
    "revision": "the revision of the code that ran",
    "contract": "the contract revision that the output is tied to",
    "environment": "the environment",
    "isolated": "that the environment is isolated",
    "exit_status": "the exit status",
}
PARTS: Final = ("handler", "validator")


def contract_item(bundle: Bundle, scope: Cited[PublicationScope] | None) -> EvidenceItem | None:
    """The item that holds the contract: the one that the scope names, else the only contract artifact."""
    contracts = bundle.of_type(EvidenceType.CONTRACT)
    named = scope.record.contract if scope else None
    if named is not None:
        return next((item for item in contracts if item.id == named), None)
    return contracts[0] if len(contracts) == 1 else None


def scope_of(bundle: Bundle) -> Cited[PublicationScope] | None:
    """The publication scope, None without one."""
    return first_of(bundle, PublicationScope)


def approval_of(bundle: Bundle, item: EvidenceItem | None) -> Cited[ContractApproval] | None:
    """The last recorded word on the contract, None without one."""
    found = [each for each in records_of(bundle, ContractApproval) if item and each.record.contract == item.id]
    return max(found, key=lambda each: each.record.at) if found else None


def plan_of(bundle: Bundle) -> Cited[ExecutionPlan] | None:
    """The execution plan, None without one."""
    return first_of(bundle, ExecutionPlan)


def route_tables(bundle: Bundle) -> tuple[Cited[RouteTable], ...]:
    """The route tables of the reviewed revision that a run in isolation left whole; any other says nothing."""
    scope = scope_of(bundle)
    wanted = (scope.record.revision if scope else None) or bundle.request.implementation_revision or ""
    runs = {cited.record.output: cited.record for cited in runs_within_bounds(bundle) if cited.record.format == ROUTES}
    return tuple(
        cited
        for cited in records_of(bundle, RouteTable)
        if (run := runs.get(cited.citation.id)) is not None
        and run.is_isolated
        and run.exit_status == 0
        and run.output_sha256 == bundle.items[cited.citation.id].sha256
        and same_revision(cited.record.revision, wanted)
        and same_revision(run.revision, wanted)
    )


def uncompared(bundle: Bundle) -> Iterator[Statement]:
    """Recordings that no run retains, so that nothing of them is compared with the contract."""
    outputs = {cited.record.output for cited in records_of(bundle, TestRun)}
    for item in bundle.items.values():
        if item.id not in outputs and (isinstance(item.record, Observations) or is_har(item.content)):
            yield limited(
                "Recorded exchanges that no test-run record names as its output are compared with nothing; ",
                "supply one with format har, command and environment.",
                on=cite(item.id),
            )


def missing_inputs(bundle: Bundle, runs: tuple[RetainedRun, ...]) -> Iterator[Statement]:
    """Every required input that is not there, by name."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    if item is None:
        yield _missing("the public contract")
    yield from _scope_gaps(scope)
    if item is not None and approval_of(bundle, item) is None:
        yield _missing("the API owner's approval of the contract", item)
    if not bundle.request.roles.api_owner:
        yield _missing("the API owner's role; name it in review.yaml")
    yield from _source_gaps(bundle)
    yield from _run_gaps(bundle, runs)


def _missing(what: str, item: EvidenceItem | None = None) -> Statement:
    return limited(f"Required input missing: {what}.", on=cite(item.id if item else None))


def _scope_gaps(scope: Cited[PublicationScope] | None) -> Iterator[Statement]:
    if scope is None:
        yield _missing("the publication scope")
        return
    for name, what in SCOPE_FIELDS.items():
        value = getattr(scope.record, name)
        if value is None or (name == "operations" and not value):
            yield limited(f"Required input missing: {what}.", on=(scope.citation,))


def _source_gaps(bundle: Bundle) -> Iterator[Statement]:
    entries = mapped_sources(bundle)
    for part in PARTS:
        if not any(entry.part == part for entry, _, _ in entries):
            yield _missing(f"the {part} paths at the contract's revision")
    for entry, cited, place in entries:
        if name_problem(entry.path) is not None:
            at = cited.at(f"/sources/{place}/path")
            yield limited("A path leaves the repository: ", UserText(entry.path), ".", on=(at,))
        kind = bundle.items[entry.item].type
        if kind not in (EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT):
            at = cited.at(f"/sources/{place}/item")
            yield limited(
                "A path does not resolve: ", UserText(entry.path), " names an item that is no source.", on=(at,)
            )


def _run_gaps(bundle: Bundle, runs: tuple[RetainedRun, ...]) -> Iterator[Statement]:
    later = {run.record.citation for run in readable_runs(bundle)[0]} - {run.record.citation for run in runs}
    cited = tuple(each for each in runs_within_bounds(bundle) if each.citation not in later)
    spare = supplementary(runs)
    yield from later_runs(bundle) if not cited else ()
    if not cited:
        yield _missing("the contract-test run: command, environment, exit status, assertions and retained output")
    for run in cited:
        if run.citation in spare:
            continue
        for name, what in RUN_FIELDS.items():
            if getattr(run.record, name) is None:
                yield limited(f"Required input missing: of the contract tests, {what}.", on=(run.citation,))
        if run.record.isolated is False or (run.record.isolated and run.record.reaches):
            yield limited("Required input missing: an isolated environment of the contract tests.", on=(run.citation,))
    for retained in runs:
        if retained.record.citation in spare:
            continue
        if not retained.results.cases or not _asserts(retained):
            what = "Required input missing: of the contract tests, the relevant assertions."
            yield limited(what, on=(retained.record.citation,))
        for part in retained.results.unread:
            if part.lost:
                found = ("Required input missing: the whole output of the contract tests; ", UserText(part.found), ".")
                yield limited(*found, on=(_part(retained, part),))
    tests = tuple(run for run in runs if run.record.citation not in spare and run.results.cases)
    if tests and all(case.outcome == "skipped" for run in tests for case in run.results.cases):
        what = "Required input missing: of the contract tests, one that was executed; every one was skipped."
        yield limited(what, on=tuple(run.record.citation for run in tests))


def unread_parts(runs: tuple[RetainedRun, ...]) -> Iterator[Statement]:
    """Parts of outputs that can't be read, where no required result may be lost in them."""
    spare = supplementary(runs)
    for run in runs:
        for part in run.results.unread:
            if not part.lost or run.record.citation in spare:
                yield limited("A part of a retained output can't be read: ", UserText(part.found), ".",
                              on=(_part(run, part),))  # fmt: skip


def _part(run: RetainedRun, part: Unreadable) -> Citation:
    return Citation(run.record.record.output, part.locator)


def supplementary(runs: tuple[RetainedRun, ...]) -> frozenset[Citation]:
    """The runs that only record exchanges beside a run that is complete: they are no required input."""
    if not any(_complete(run) for run in runs):
        return frozenset()
    return frozenset(run.record.citation for run in runs if _records_only(run))


def _asserts(run: RetainedRun) -> bool:
    return bool(run.record.record.asserts) or any(case.assertions for case in run.results.cases)


def _records_only(run: RetainedRun) -> bool:
    return not _asserts(run) and all(case.outcome == "recorded" for case in run.results.cases)


def _complete(run: RetainedRun) -> bool:
    """True for contract tests with everything that is required of them."""
    record = run.record.record
    told = all(getattr(record, name) is not None for name in RUN_FIELDS)
    return told and record.is_isolated and bool(run.results.cases) and _asserts(run)


_SECRETS = frozenset({Kind.SECRET, Kind.CREDENTIAL, Kind.TOKEN, Kind.PRIVATE_ENDPOINT})


def published_secrets(facts: W2Facts) -> tuple[Statement, ...]:
    """What the API owner takes out of the contract itself, which this reference redacts and its readers have."""
    return tuple(
        next_action("The contract itself holds what may not leave, of the kind ", UserText(str(found.kind)),
                    ": its owner takes it out, and replaces what was valid.",
                    on=tuple(Citation(EvidenceId(found.location), f":L{line}") for line in found.lines))
        for found in facts.redactor.findings
        if facts.item is not None and found.location == facts.item.id and found.kind in _SECRETS
    )  # fmt: skip
