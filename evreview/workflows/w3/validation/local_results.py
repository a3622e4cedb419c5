"""Retained local results: what ran, and whether it says all that makes it count.

A result raises confidence only with revision, isolated environment, command and result. Nothing is executed here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evreview.core.errors import BadInput
from evreview.core.quoted_text import Text, UserText
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Authorization, Control, ControlTest, SecurityInventory
from evreview.evidence.records.test_runs import CheckResult, TestRecord, TestRun
from evreview.evidence.test_results.model import Case
from evreview.evidence.test_results.read import read_results
from evreview.workflows.w3.facts import W3Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalResult:
    """One retained check or test case.

    Attributes:
        id, what: of the check or case.
        command, revision, environment, result: as retained, "" where they are not.
        lacks: which of the four are not identified; empty for an executed check.
        operations: the routes that it is about, as far as it says.
        about: ids of findings or candidates that it names.
        asserts: route and status of each assertion; None for a status that is not told.
        item: where it is retained; `run` the record of its run, the same item for a test record.
    """

    id: str
    what: Text
    command: str
    revision: str
    environment: str
    result: str
    lacks: tuple[str, ...]
    operations: tuple[str, ...]
    about: tuple[str, ...]
    item: EvidenceId
    run: EvidenceId
    citations: tuple[Citation, ...]
    asserts: tuple[tuple[str, int | None], ...] = ()


def local_results(bundle: Bundle, revision: str) -> tuple[LocalResult, ...]:
    """Every retained check and test case, in the order supplied.

    Args:
        bundle: the unsealed evidence.
        revision: the one under review; a result at another does not identify it.
    """
    checks = [found for cited in records_of(bundle, TestRecord) for found in _checks(cited, revision)]
    runs = [found for cited in records_of(bundle, TestRun) for found in _cases(cited, bundle, revision)]
    return (*checks, *runs)


def _checks(cited: Cited[TestRecord], revision: str) -> Iterator[LocalResult]:
    for place, check in enumerate(cited.record.checks):
        names = {"fixture": "isolated environment"}
        lacks = [names.get(name, name) for name in check.lacking]
        yield LocalResult(
            id=check.id,
            what=(UserText(check.what),),
            command=check.command or "",
            revision=check.revision or "",
            environment=check.fixture or "",
            result=_result(check),
            lacks=tuple(dict.fromkeys((*lacks, *_elsewhere(check.revision, revision)))),
            operations=(check.operation,) if check.operation else (),
            about=check.deltas,
            item=cited.citation.id,
            run=cited.citation.id,
            citations=(cited.at(f"/checks/{place}"),),
            asserts=((check.operation, None),) if check.operation else (),
        )


def _result(check: CheckResult) -> str:
    return check.result or "" if check.result != "skipped" else ""


def _elsewhere(found: str | None, revision: str) -> tuple[str, ...]:
    return ("revision",) if revision and not same_revision(found, revision) else ()


def _cases(cited: Cited[TestRun], bundle: Bundle, revision: str) -> Iterator[LocalResult]:
    run, item = cited.record, bundle.items[cited.record.output]
    try:
        found = read_results(item.content.encode(), run.format, item.file)
    except BadInput:
        return
    agrees = (*_agrees(run, found.cases), *_outside(found.day, bundle))
    for case in found.cases:
        says = [fact for fact in run.asserts if fact.test == case.id]
        told = [(fact.operation, fact.status) for fact in says]
        told += [(each.operation, each.status) for each in case.assertions]
        yield LocalResult(
            id=case.id,
            what=(UserText(case.what or case.id),),
            command=run.command or "",
            revision=run.revision or "",
            environment=run.environment or "",
            result=str(case.outcome) if case.outcome in ("passed", "failed", "error") else "",
            lacks=tuple(
                dict.fromkeys((*_unidentified(run, case, item.sha256), *agrees, *_elsewhere(run.revision, revision)))
            ),
            operations=tuple(dict.fromkeys(name for name, _ in told if name)),
            about=(),
            item=item.id,
            run=cited.citation.id,
            citations=(Citation(item.id, case.locator), cited.citation),
            asserts=tuple(dict.fromkeys((name, status) for name, status in told if name)),
        )


def _agrees(run: TestRun, cases: Sequence[Case]) -> tuple[str, ...]:
    """What is lacking when the exit status and the cases of an output contradict each other."""
    failed = any(case.outcome in ("failed", "error") for case in cases)
    contradicted = run.exit_status is not None and failed is (run.exit_status == 0)
    return ("an exit status that agrees with its cases",) if contradicted else ()


def _outside(day: str, bundle: Bundle) -> tuple[str, ...]:
    """What is lacking when a run is of a day that does not count: after the review's date, or after its authorization.

    An output that names no day says nothing about it.
    """
    known = first_of(bundle, Authorization)
    period = known.record.period if known else None
    ends = min(bundle.request.as_of, period.until) if period else bundle.request.as_of
    return (f"a day up to {ends}",) if day > ends else ()


def _unidentified(run: TestRun, case: Case, digest: str) -> Iterator[str]:
    """Which of the four a run does not identify for a case; one that left its sandbox identifies no result."""
    if not run.revision:
        yield "revision"
    if not run.environment or not run.is_isolated:
        yield "isolated environment"
    if not run.command:
        yield "command"
    kept = run.output_sha256 is None or run.output_sha256.removeprefix("sha256:") == digest
    judged = case.outcome in ("passed", "failed", "error") and run.exit_status is not None
    if not (kept and judged) or run.violations:
        yield "result"


def unread_outputs(bundle: Bundle) -> tuple[tuple[Citation, str], ...]:
    """The retained outputs that can't be read, with the reason."""
    unread: list[tuple[Citation, str]] = []
    for cited in records_of(bundle, TestRun):
        item = bundle.items[cited.record.output]
        try:
            read_results(item.content.encode(), cited.record.format, item.file)
        except BadInput as error:
            unread += [(Citation(item.id), str(problem)) for problem in error.problems]
    return tuple(unread)


def verified(control: str, results: Sequence[LocalResult], bundle: Bundle) -> bool:
    """True when a complete, passed result of a negative test verifies the control."""
    tests = negative_tests(control, bundle)
    return any(is_one_of(each, tests) and not each.lacks and each.result == "passed" for each in results)


def is_one_of(each: LocalResult, tests: Iterable[ControlTest]) -> bool:
    """True for a result of one of the tests, in the record that the inventory names for it.

    An output names a test by class or file too, so the last part of the names is compared.
    """
    return any(test.run in (each.item, each.run) and _tail(test.test) == _tail(each.id) for test in tests)


def _tail(name: str) -> str:
    return name.rsplit("::", 1)[-1]


def negative_tests(control: str, bundle: Bundle) -> tuple[ControlTest, ...]:
    """The negative tests that the inventory names for a control."""
    found = control_of(control, bundle)
    return (found.negative_tests or ()) if found else ()


def control_of(name: str, bundle: Bundle) -> Control | None:
    """The control with that id in the supplied inventory, None for none."""
    stated = first_of(bundle, SecurityInventory)
    return next((each for each in stated.record.controls if each.id == name), None) if stated and name else None


def digest(*parts: str) -> str:
    """The sha256 over the parts, one per line."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def executed(facts: W3Facts) -> tuple[LocalResult, ...]:
    """The retained results that identify revision, isolated environment, command and result."""
    return tuple(each for each in facts.results if not each.lacks)
