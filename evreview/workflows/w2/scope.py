"""W2's required inputs, each looked up once: their revisions, the operations in scope, and their base URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from evreview.codefacts.read import mapped_sources
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import UserText, listed
from evreview.core.vocabulary import EvidenceId, EvidenceType, Remedy, Role
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.files import name_problem
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.reference import ContractApproval, PublicationScope, RouteTable
from evreview.evidence.records.review import ExecutionPlan, same_revision
from evreview.evidence.records.test_runs import Observations, TestRun
from evreview.evidence.test_results.model import RetainedRun, Unreadable
from evreview.evidence.typed_reader import UNANSWERED, is_har, read_body
from evreview.kinds.openapi.reader import server_key
from evreview.redaction.detector import Kind
from evreview.report.statement import Statement, cite, limited, observed
from evreview.workflows.engine.retained_runs import ROUTES, later_runs, readable_runs, runs_within_bounds
from evreview.workflows.w2.facts import Operation, W2Facts

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
CONTRACT_APPROVAL: Final = "contract-approval"
"""The kind of the record that holds the API owner's word, and what `evreview approve` calls it."""
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


def unanswered(bundle: Bundle) -> EvidenceItem | None:
    """The item that waits for the API owner's word on the contract: a record of it in which the answer is marked."""
    for item in bundle.of_type(EvidenceType.EXECUTION_AND_APPROVAL):
        told = read_body(item.type, item.content, item.file)[1] if item.record is None else ()
        if any(problem.code == UNANSWERED for problem in told):
            return item
    return None


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
        remedy = Remedy.ANSWER if unanswered(bundle) else None
        yield _missing("the API owner's approval of the contract", item, remedy)
    if not bundle.request.roles.api_owner:
        yield _missing("the API owner's role; name it in review.yaml")
    yield from _source_gaps(bundle)
    yield from _run_gaps(bundle, runs)


def _missing(what: str, item: EvidenceItem | None = None, remedy: Remedy | None = None) -> Statement:
    return replace(limited(f"Required input missing: {what}.", on=cite(item.id if item else None)), remedy=remedy)


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


def published_secrets(facts: W2Facts) -> tuple[tuple[str, tuple[Citation, ...]], ...]:
    """The kind and the lines of what the contract itself gives away: redacted here, and its readers have it."""
    return tuple(
        (str(found.kind), tuple(Citation(EvidenceId(found.location), f":L{line}") for line in found.lines))
        for found in facts.redactor.findings
        if facts.item is not None and found.location == facts.item.id and found.kind in _SECRETS
    )


_COLON = re.compile(r"(?<=/):[A-Za-z_]\w*")
_ANGLES = re.compile(r"<[^<>/]*(?:/[^<>]*)?>")


@lru_cache(maxsize=8192)
def spelled(path: str) -> str:
    """The template with `{}` for each parameter: `{id}`, `{id:int}`, `{id:[0-9]{3}}`, `<int:id>` and `:id` alike."""
    braced = "".join(_without_names(_ANGLES.sub("{}", path)))
    return _COLON.sub("{}", braced)


def _without_names(path: str) -> Iterator[str]:
    """The parts of a path, whatever stands in balanced braces left out; braces that never close are literal."""
    depth, start = 0, 0
    for at, sign in enumerate(path):
        if sign == "{":
            if depth == 0:
                yield path[start:at]
                start = at
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield "{}"
                start = at + 1
    yield path[start:]


def same_path(one: str, other: str) -> bool:
    """True when two templates match the same paths, as far as their spelling tells."""
    return spelled(one) == spelled(other)


def without_slash(path: str) -> str:
    """The path without a slash at its end."""
    return path.rstrip("/") or "/"


# Which operations of a contract a scope names.


METHODS: Final = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"})


def operations_of(contract: Contract) -> tuple[Operation, ...]:
    """Every operation that callers send requests to, in document order; webhooks and callbacks are none of them."""
    return tuple(_operation(element) for element in contract.operations if element.role is Role.REQUEST)


def operations_in(
    contract: Contract, included: Sequence[str], excluded: Sequence[str]
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations in scope, in document order, and the names that stand for none or for several.

    A name is method and path, up to the names of path parameters and with or without the base path of a server, or an
    operation id. What is excluded is out of scope even when it is included too.
    """
    every = operations_of(contract)
    found = {name: _named(name, every, contract) for name in (*included, *excluded)}
    left_out = {id(operation) for name in excluded for operation in found[name]}
    chosen = {id(operation) for name in included for operation in found[name] if len(found[name]) == 1} - left_out
    unresolved = tuple(name for name, meant in found.items() if len(meant) != 1)
    return tuple(operation for operation in every if id(operation) in chosen), unresolved


def operations_named(contract: Contract, name: str) -> tuple[Operation, ...]:
    """Every operation that a name may stand for."""
    return _named(name, operations_of(contract), contract)


def base_paths(contract: Contract, operation: Operation) -> tuple[str, ...]:
    """The base paths that stand before the operation's path, its own servers' or the document's; "" for none."""
    own = [child for child in operation.element.children if child.kind is ElementKind.SERVER]
    servers = own or [child for child in contract.root.children if child.kind is ElementKind.SERVER]
    bases = (str(server.facet("basePath") or "/") for server in servers)
    return tuple(dict.fromkeys("" if base == "/" else base for base in bases)) or ("",)


def whole_paths(contract: Contract, operation: Operation) -> tuple[str, ...]:
    """The operation's path as the contract writes it, and below each of its base paths."""
    return tuple(dict.fromkeys((operation.path, *(base + operation.path for base in base_paths(contract, operation)))))


def _operation(element: Element) -> Operation:
    method, _, path = element.name.partition(" ")
    named = element.facet("operationId")
    return Operation(
        id=element.name,
        method=method,
        path=path,
        operation_id=named if isinstance(named, str) else "",
        element=element,
    )


def _named(name: str, every: Iterable[Operation], contract: Contract) -> tuple[Operation, ...]:
    """Everything that a name may stand for; a spelling that is written out comes before all others."""
    wanted = " ".join(name.split())
    method, _, path = wanted.partition(" ")
    line = f"{method.upper()} {path}"
    exact = tuple(each for each in every if line == each.id or (wanted and wanted == each.operation_id))
    if exact or method.upper() not in METHODS or not path:
        return exact
    shape = spelled(path)
    alike = tuple(each for each in every if each.method == method.upper() and spelled(each.path) == shape)
    return alike or tuple(
        each
        for each in every
        if each.method == method.upper() and any(same_path(path, whole) for whole in whole_paths(contract, each))
    )


MOST_NAMED: Final = 12
"""Operations that one sentence names."""


def scope_and_contract(facts: W2Facts) -> tuple[Citation, ...]:
    """The items that name the scope and the operations."""
    return cite(facts.scope.citation if facts.scope else None, facts.item.id if facts.item else None)


def unlisted(facts: W2Facts) -> Iterator[Statement]:
    """The operations of the contract that the scope neither includes nor excludes."""
    if facts.scope is None or facts.contract is None or not facts.operations:
        return
    excluded = tuple(each.operation for each in facts.scope.record.exclusions or ())
    listed_ids = {each.id for each in facts.operations} | {
        each.id for name in excluded for each in operations_named(facts.contract, name)
    }
    left = [each.id for each in operations_of(facts.contract) if each.id not in listed_ids]
    if left:
        yield limited("The scope neither includes nor excludes: ", *listed(left, MOST_NAMED), ".",
                      on=scope_and_contract(facts))  # fmt: skip


def agreeing(contract: Contract, operation: Operation, base: str) -> tuple[Element, ...] | None:
    """The operation's servers that the base URL agrees with; None when the contract names no server."""
    own = [child for child in operation.element.children if child.kind is ElementKind.SERVER]
    servers = own or [child for child in contract.root.children if child.kind is ElementKind.SERVER]
    # Where no server is written, the reader adds one at `/` whose place is the document.
    written = [each for each in servers if each.place != contract.root.place or each.name != "/"]
    return tuple(each for each in written if same_base(base, each.name)) if written else None


def same_base(one: str, other: str) -> bool:
    """True when two base URLs have one shape: scheme, host and path, as far as both state them."""
    mine, theirs = _parts(one), _parts(other)
    return (
        _fits(mine[0], theirs[0])
        and _fit(mine[1].split("."), theirs[1].split("."))
        and _fit(mine[2].split("/"), theirs[2].split("/"))
    )


def _parts(url: str) -> tuple[str, str, str]:
    """Scheme, host with port, and path; what the text leaves open is one template."""
    key = server_key(url)
    head, separator, rest = key.partition("//")
    if separator and (not head or head.endswith(":")):
        host, _, path = rest.partition("/")
        return head.removesuffix(":") or "{}", host, path.strip("/")
    first, _, path = key.partition("/")
    return "{}", "{}", (path if first in ("", ".", "{}") else key).strip("/")


def _fit(mine: list[str], theirs: list[str]) -> bool:
    """True when every label fits; a template that stands alone is a whole host or nothing narrower."""
    if ["{}"] in (mine, theirs):
        return True
    return len(mine) == len(theirs) and all(map(_fits, mine, theirs))


def _fits(mine: str, theirs: str) -> bool:
    """True when two labels can be the same: a template stands for any text between what is written around it."""
    for pattern, label in ((mine, theirs), (theirs, mine)):
        before, opened, _ = pattern.partition("{}")
        after = pattern.rpartition("{}")[2]
        if opened and (not label.startswith(before) or not label.endswith(after)) and "{}" not in label:
            return False
    return mine == theirs or "{}" in mine or "{}" in theirs


_DIGEST: Final = "sha256:"


@dataclass(frozen=True, slots=True)
class Named:
    """A revision that one item names: of what, which, where. `revision` is "" where none is named."""

    what: str
    revision: str
    citation: Citation
    is_run: bool = False


def named_revisions(bundle: Bundle) -> Iterator[Named]:
    """Every revision that the evidence names for contract, handlers, validators, tests and approval."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    if item is not None:
        yield Named("the contract", _own(item, approval_of(bundle, item)), cite(item.id)[0])
    for entry, cited, place in mapped_sources(bundle):
        source = bundle.items[entry.item]
        yield Named(f"the {entry.part}", entry.revision or source.revision, cited.at(f"/sources/{place}"))
        if entry.revision and not _is_digest(source.revision):
            yield Named(f"the {entry.part}'s own integrity", source.revision, cite(source.id)[0])
    for run in records_of(bundle, TestRun):
        yield Named("the contract-test run", run.record.revision or "", run.at("/revision"), is_run=True)
    plan = plan_of(bundle)
    if plan is not None:
        yield Named("the execution plan", plan.record.revision, plan.at("/revision"))
    if bundle.request.implementation_revision and scope is not None:
        yield Named("the implementation named in review.yaml", bundle.request.implementation_revision, scope.citation)
    known = {item.id if item else "", *(entry.item for entry, _, _ in mapped_sources(bundle))}
    yield from (named for each, named in _others(bundle) if each not in known)


def _others(bundle: Bundle) -> Iterator[tuple[str, Named]]:
    """What the integrity of each item names as its commit; a policy lives where its owners keep it."""
    for each in bundle.items.values():
        if each.type != EvidenceType.POLICY and not _is_digest(each.revision):
            what = f"the {each.type}" if isinstance(each.type, EvidenceType) else "an item of another type"
            yield each.id, Named(what, each.revision, cite(each.id)[0])


def disagreements(bundle: Bundle) -> Iterator[Statement]:
    """What does not agree with the scope's revision or with the contract's digest, item by item."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    if scope is None or item is None or scope.record.revision is None:
        return
    for named in named_revisions(bundle):
        if not named.revision or _is_digest(named.revision):
            if not named.is_run:
                yield observed(f"No immutable revision is named for {named.what}.", on=(named.citation, scope.citation))
        elif not same_revision(named.revision, scope.record.revision):
            words = (UserText(named.revision), ", the scope names ", UserText(scope.record.revision))
            yield observed(f"Revisions differ: {named.what} is at ", *words, ".", on=(named.citation, scope.citation))
    approval = approval_of(bundle, item)
    if approval is not None:
        yield from _approved(approval, item, scope.record.revision)
    for run in records_of(bundle, TestRun):
        yield from _tied(bundle, run, item, scope.record.revision)


def _own(item: EvidenceItem, approval: Cited[ContractApproval] | None) -> str:
    """The contract's revision: its integrity's, or what was approved under the digest of exactly this contract."""
    if not _is_digest(item.revision):
        return item.revision
    approved = approval.record if approval else None
    same = approved is not None and approved.sha256 is not None and _bare(approved.sha256) == item.sha256
    return approved.revision or "" if approved is not None and same else ""


def _approved(approval: Cited[ContractApproval], item: EvidenceItem, revision: str) -> Iterator[Statement]:
    stated = approval.record
    on = (approval.citation, *cite(item.id))
    if stated.sha256 is None and stated.revision is None:
        yield observed("The approval names neither digest nor revision of the contract.", on=on)
    if stated.sha256 is not None and _bare(stated.sha256) != item.sha256:
        yield observed("Another contract was approved: digest ", UserText(stated.sha256), ".", on=on)
    if stated.revision is not None and not same_revision(stated.revision, revision):
        yield observed("Revisions differ: the approval is of ", UserText(stated.revision), ".", on=on)


def _tied(bundle: Bundle, run: Cited[TestRun], item: EvidenceItem, revision: str) -> Iterator[Statement]:
    """The run ran against this contract, and its retained output is the one that it wrote."""
    against = run.record.contract
    if against is not None and _bare(against) != item.sha256 and not same_revision(against, revision):
        on = (run.at("/contract"), *cite(item.id))
        yield observed("Revisions differ: the tests ran against the contract ", UserText(against), ".", on=on)
    digest = run.record.output_sha256
    output = bundle.items[run.record.output]
    if digest is not None and _bare(digest) != output.sha256:
        on = (run.at("/output_sha256"), *cite(output.id))
        yield observed("The retained output is not the one that the run wrote: digest ", UserText(digest), ".", on=on)


def _is_digest(revision: str) -> bool:
    return not revision or ":" in revision or revision.startswith("blob ")


def _bare(digest: str) -> str:
    return digest.strip().lower().removeprefix(_DIGEST)
