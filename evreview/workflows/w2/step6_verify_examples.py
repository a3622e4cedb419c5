"""Step 6: verify examples. What a retained run shows is executed; all else is unexecuted and says what it lacks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Subject, marked, plain
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.test_runs import TestRecord
from evreview.evidence.test_results.model import Case, RetainedRun
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.gates import MUTATE
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow, Response, response_claim
from evreview.workflows.w2.examples.observed import exchanges_of
from evreview.workflows.w2.facts import (
    F2,
    F4,
    ClaimKey,
    Example,
    Operation,
    ProposedTest,
    Reported,
    W2Facts,
    contract_citation,
    withheld,
)
from evreview.workflows.w2.matrix.test_results import Coverage, ResponseCoverage
from evreview.workflows.w2.reconcile.reconcile import holds_example
from evreview.workflows.w2.step5_construct_examples import is_request

# The contract tests that the evidence lacks: one per documented response that no executed test shows.


_MOST_FIELDS: Final = 20
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")


def tests_needed(
    operations: Sequence[Operation], entries: Entries, covered: Coverage, withholds: frozenset[ClaimKey] = frozenset()
) -> tuple[ProposedTest, ...]:
    """One named test per uncovered response and media type, each assertion one that a machine can decide.

    Words of the contract stand in backticks. Nothing is asserted that a discrepancy withholds: of a response that is
    withheld as a whole only the status, of a body that is withheld no field.
    """
    by_id = {operation.id: operation for operation in operations}
    found: list[ProposedTest] = []
    names: set[str] = set()
    for lacking in covered.uncovered:
        if lacking.operation in by_id:
            entry = entries.entry(by_id[lacking.operation])
            found.append(_renamed(_proposed_test(entry, lacking, withholds), names))
    return tuple(found)


def _proposed_test(entry: Entry, lacking: ResponseCoverage, withholds: frozenset[ClaimKey]) -> ProposedTest:
    response = next(row for row in entry.responses if row.status == lacking.status)
    body = next((each for each in response.bodies if each.media_type == lacking.media_type), None)
    if body is not None and withheld(body.claim, withholds):
        body = None
    key = "\n".join((lacking.operation, lacking.status, lacking.media_type))
    return ProposedTest(
        id="T-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        operation=lacking.operation,
        name=_name(entry.operation, lacking),
        asserts=tuple(_asserts(entry, response, body, withholds)),
        why=f"The contract documents this response; {lacking.reason}.",
        citations=_citations(response, body),
    )


def _asserts(entry: Entry, response: Response, body: Body | None, withholds: frozenset[ClaimKey]) -> Iterator[str]:
    yield _status(entry, response.status)
    if withheld(response.claim, withholds):
        return
    for header in response.headers:
        if header.required and not withheld(header.claim, withholds):
            yield f"the response has the header {_code(header.name)}"
    if body is None:
        return
    if body.media_type:
        yield f"the media type is {_code(body.media_type)}"
    if body.root is None:
        return
    held = any(withheld(body.claim_of(row), withholds) for row in body.fields)
    if not held:
        yield "the body is valid against the documented schema"
    open_fields = [row for row in _demanded(body) if not withheld(body.claim_of(row), withholds)]
    if open_fields:
        more = len(open_fields) - _MOST_FIELDS
        names = ", ".join(_code(row.path) for row in open_fields[:_MOST_FIELDS])
        yield f"the body has {names}{f' and {more} more required fields' if more > 0 else ''}"
    yield from _codes(response, body, withholds)


def _status(entry: Entry, status: str) -> str:
    if status == "default":
        listed = ", ".join(_code(row.status) for row in entry.responses if row.status != "default")
        return f"the status is none of {listed}" if listed else "the response has a status"
    return f"the status is {'in ' if status.endswith('XX') else ''}{_code(status)}"


def _demanded(body: Body) -> Iterator[FieldRow]:
    """The fields that every such body has: required, below required ones only, and in no alternative."""
    missing: list[str] = []
    for row in body.fields:
        below = any(row.path.startswith((f"{outer}.", f"{outer}[")) for outer in missing)
        if row.branch or below or row.required is False or row.path.endswith("*"):
            missing.append(row.path)
        elif row.required and "[" not in row.path:
            yield row


def _codes(response: Response, body: Body, withholds: frozenset[ClaimKey]) -> Iterator[str]:
    codes = [code.value for code in response.codes_of(body) if not code.example]
    rows = [row for row in body.fields if set(codes) & set(row.codes)]
    if codes and rows and not withheld(body.claim_of(rows[0]), withholds):
        several = "one of " if len(codes) > 1 else ""
        yield f"{_code(rows[0].path)} is {several}{', '.join(map(_code, codes))}"


def _citations(response: Response, body: Body | None) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys((*response.citations, *(body.citations if body is not None else ()))))


def _name(operation: Operation, lacking: ResponseCoverage) -> str:
    """A name that any test framework takes: `test_get_order_404_application_json`."""
    said = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation.operation_id) or operation.id
    words = (said, lacking.status, lacking.media_type)
    return "_".join(["test", *(_NO_WORD.sub("_", word.lower()).strip("_") for word in words if word)])


def _renamed(made: ProposedTest, names: set[str]) -> ProposedTest:
    """The test under a name that no other one has."""
    name, number = made.name, 2
    while name in names:
        name, number = f"{made.name}_{number}", number + 1
    names.add(name)
    return replace(made, name=name)


def _code(word: str) -> str:
    """A word of the contract in backticks; a backtick in it could end them."""
    return f"`{word.replace('`', chr(39))}`"


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def verify_examples(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The execution report; W2-F2 stops a claim of execution without evidence, W2-F4 marks what no test covers."""
    claimed = (*_unsupported(bundle), *_contradicted(facts))
    facts = replace(facts, unverified=_unverified(facts), proposed_tests=_needed(facts))
    report = (*_ran(facts), *_examples(facts), *_proposed_rows(facts))
    known = replace(facts, report=report)
    tables = {"Example execution report": report_frame(report)}
    if claimed:
        return Outcome(state=StepState.STOP, code=F2.code, facts=known, reasons=claimed, tables=tables)
    unsafe = any(row.status == "unexecuted" for row in report)
    codes = (*([F4.code] if facts.unverified else []), *([F2.code] if unsafe else []))
    return Outcome(
        state=StepState.ADVANCE,
        code=codes[0] if codes else "",
        facts=replace(known, marks=codes[1:]),
        reasons=(*doubts(known), *_uncovered(known)),
        tables=tables,
    )


def _unsupported(bundle: Bundle) -> Iterator[Statement]:
    """Results that are claimed without what makes a check executed: command, revision and fixture."""
    for cited in records_of(bundle, TestRecord):
        for place, check in enumerate(cited.record.checks):
            lacks = check.lacking
            if check.contradicted:
                words = (Subject(check.id), " is said to have passed, and its own output says: ")
                yield observed(*words, Subject(check.contradicted), ".", on=(cited.at(f"/checks/{place}"),))
            elif check.result in ("passed", "failed") and lacks:
                words = (Subject(check.id), f" lacks: {', '.join(lacks)}.")
                yield observed("A claim of execution has no evidence: ", *words, on=(cited.at(f"/checks/{place}"),))


def _contradicted(facts: W2Facts) -> Iterator[Statement]:
    """Runs whose exit status and whose own output say the opposite of each other."""
    for run in facts.runs:
        status, failed = run.record.record.exit_status, _failed(run)
        at = run.record.at("/exit_status")
        if status == 0 and failed:
            says = "A run is said to end with status 0, and its retained output holds a failure: "
            yield observed(says, Subject(failed[0].id), ".", on=(at, run.at(failed[0].locator)))
        elif _fails_unshown(run) and any(case.outcome == "passed" for case in run.results.cases):
            says = f"A run ended with exit status {status}, and its retained output holds passed checks alone: "
            yield observed(says, "retain the output that shows what failed.", on=(at, run.record.citation))


def doubts(facts: W2Facts) -> Iterator[Statement]:
    """Runs that are said to have failed while nothing in their own output did."""
    for run in facts.runs:
        if _fails_unshown(run):
            status = run.record.record.exit_status
            says = f"A run ended with exit status {status}, and its retained output holds no failure: "
            yield limited(says, "what failed is not known.", on=(run.record.at("/exit_status"), run.record.citation))


def _failed(run: RetainedRun) -> list[Case]:
    return [case for case in run.results.cases if case.outcome in ("failed", "error")]


def _fails_unshown(run: RetainedRun) -> bool:
    return bool(run.record.record.exit_status) and not _failed(run)


def _needed(facts: W2Facts) -> tuple[ProposedTest, ...]:
    """The contract tests that the evidence lacks."""
    if facts.contract is None or facts.item is None or facts.coverage is None:
        return ()
    entries = Entries(facts.contract, facts.item.id)
    return tests_needed(facts.operations, entries, facts.coverage, facts.withheld)


def _unverified(facts: W2Facts) -> frozenset[ClaimKey]:
    """The documented responses that no executed, passed test shows."""
    waiting = facts.coverage.uncovered if facts.coverage else ()
    return frozenset(response_claim(each.operation, each.status) for each in waiting)


def _ran(facts: W2Facts) -> Iterator[Reported]:
    """One row per retained test case; executed when its run says all that makes it repeatable."""
    lacking = {standing.output: standing.lacks for standing in (facts.coverage.runs if facts.coverage else ())}
    for run in facts.runs:
        record = run.record.record
        for case in run.results.cases:
            if record.produced_by and case.outcome == "recorded":
                continue  # an example that was sent; its own row says so
            status, result = _ended(case, lacking.get(record.output, ()))
            yield Reported(
                operation=", ".join(operations_of(facts, case.id)),
                check=(Subject(case.id),),
                status=status,
                environment=record.environment or "",
                result=result,
                citations=(run.at(case.locator), run.record.citation),
                command=record.command or "",
                revision=record.revision or "",
                exit_status=record.exit_status,
            )


def operations_of(facts: W2Facts, case: str) -> tuple[str, ...]:
    """The operations in scope that a case says something about."""
    seen = facts.coverage.observed if facts.coverage else ()
    return tuple(dict.fromkeys(each.operation for each in seen if each.case == case))


def _ended(case: Case, lacks: Iterable[str]) -> tuple[str, str]:
    """Status and result of a retained case; an exchange that asserts nothing is recorded and checks nothing."""
    if case.outcome == "recorded":
        return "recorded", "recorded; nothing is asserted of it"
    lacking = _lacks(case, lacks)
    return ("unexecuted", lacking) if lacking else ("executed", str(case.outcome))


def _lacks(case: Case, lacks: Iterable[str]) -> str:
    if case.outcome == "skipped":
        return "prerequisite missing: the run skipped it"
    told = ", ".join(lacks)
    return f"prerequisite missing: the run does not record {told}" if told else ""


def _examples(facts: W2Facts) -> Iterator[Reported]:
    """One row per request example: executed by a retained run of it, or what it waits for."""
    keys = {operation.element.key: operation for operation in facts.operations}
    entries = {entry.operation.id: entry for entry in facts.entries}
    for example in facts.examples:
        operation = keys.get(example.about.operation)
        if operation is None or not is_request(example):
            continue
        entry = entries.get(operation.id)
        done = executed_example(facts, example, operation.id)
        if done is None and holds_example(facts, example):
            continue  # it is left out of the reference, so nothing proposes it
        yield done or Reported(
            operation=operation.id,
            check=("request example ", Subject(example.id), " of ", Subject(operation.id)),
            status="unexecuted",
            environment="",
            result=f"prerequisite missing: {prerequisite(facts, operation.method, entry)}",
            citations=contract_citation(facts),
        )


def executed_example(facts: W2Facts, example: Example, operation: str) -> Reported | None:
    """The row of an example that `evreview execute` sent and retained, None when no run shows it."""
    for run in facts.runs:
        record = run.record.record
        for answered, exchange in exchanges_of(facts, run) if record.produced_by else ():
            if answered.id == operation:
                return Reported(
                    operation=operation,
                    check=("request example ", Subject(example.id), " of ", Subject(operation)),
                    status="executed",
                    environment=record.environment or "",
                    result=f"recorded: status {exchange.status}",
                    citations=(run.at(exchange.locator), run.record.citation),
                    command=record.command or "",
                    revision=record.revision or "",
                    exit_status=record.exit_status,
                )
    return None


def prerequisite(facts: W2Facts, method: str, entry: Entry | None) -> str:
    """What an example lacks to be executed safely."""
    if method not in SAFE:
        return f"the sandbox owner's approval ({MUTATE.id}), an isolated target and a cleanup procedure"
    needs_token = entry is not None and any(entry.authentication.alternatives)
    fixture = facts.plan is not None and facts.plan.record.fixture is not None
    if not fixture:
        return "an isolated fixture that answers the request" + (" and takes a synthetic credential" * needs_token)
    return "a run of `evreview execute` whose result is retained"


def _proposed_rows(facts: W2Facts) -> Iterator[Reported]:
    """One row per contract test that the evidence lacks."""
    for test in facts.proposed_tests:
        yield Reported(
            operation=test.operation,
            check=(Subject(test.name), ": ", *marked("; ".join(test.asserts))),
            status="proposed",
            environment="",
            result=f"not executed: {test.why}",
            citations=test.citations,
        )


def _uncovered(facts: W2Facts) -> Iterator[Statement]:
    for key in sorted(facts.unverified):
        yield limited("No retained test covers ", Subject(key), "; it is unverified.", on=contract_citation(facts))


def report_frame(report: Iterable[Reported]) -> pd.DataFrame:
    """The example execution report. Columns: operation, check, status, environment, result, command, revision,
    evidence."""
    columns = ["operation", "check", "status", "environment", "result", "command", "revision", "evidence"]
    rows = [
        (
            row.operation,
            plain(row.check),
            row.status,
            row.environment,
            row.result,
            row.command,
            row.revision,
            ", ".join(map(str, row.citations)),
        )
        for row in report
    ]
    return pd.DataFrame(rows, columns=columns)
