"""Step 6 of W2: verify examples. What no retained run shows is unexecuted and says what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import UserText, marked
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import TestRecord
from evreview.evidence.test_results.model import Case
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.gates import MUTATE
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Entry, response_claim
from evreview.workflows.w2.examples.examples import is_request
from evreview.workflows.w2.examples.observed import exchanges_of
from evreview.workflows.w2.facts import F2, F4, ClaimKey, Example, ProposedTest, Reported, W2Facts, contract_citation
from evreview.workflows.w2.matrix.coverage import tests_needed
from evreview.workflows.w2.matrix.test_results import doubts, failed_cases, fails_unshown
from evreview.workflows.w2.reconcile.publication import holds_example
from evreview.workflows.w2.registers import report_frame


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
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


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def _unsupported(bundle: Bundle) -> Iterator[Statement]:
    """Results that are claimed without what makes a check executed: command, revision and fixture."""
    for cited in records_of(bundle, TestRecord):
        for place, check in enumerate(cited.record.checks):
            lacks = check.lacking
            if check.contradicted:
                words = (UserText(check.id), " is said to have passed, and its own output says: ")
                yield observed(*words, UserText(check.contradicted), ".", on=(cited.at(f"/checks/{place}"),))
            elif check.result in ("passed", "failed") and lacks:
                words = (UserText(check.id), f" lacks: {', '.join(lacks)}.")
                yield observed("A claim of execution has no evidence: ", *words, on=(cited.at(f"/checks/{place}"),))


def _contradicted(facts: W2Facts) -> Iterator[Statement]:
    """Runs whose exit status and whose own output say the opposite of each other."""
    for run in facts.runs:
        status, failed = run.record.record.exit_status, failed_cases(run)
        at = run.record.at("/exit_status")
        if status == 0 and failed:
            says = "A run is said to end with status 0, and its retained output holds a failure: "
            yield observed(says, UserText(failed[0].id), ".", on=(at, run.at(failed[0].locator)))
        elif fails_unshown(run) and any(case.outcome == "passed" for case in run.results.cases):
            says = f"A run ended with exit status {status}, and its retained output holds passed checks alone: "
            yield observed(says, "retain the output that shows what failed.", on=(at, run.record.citation))


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
                operation=", ".join(_operations_of(facts, case.id)),
                check=(UserText(case.id),),
                status=status,
                environment=record.environment or "",
                result=result,
                citations=(run.at(case.locator), run.record.citation),
                command=record.command or "",
                revision=record.revision or "",
                exit_status=record.exit_status,
            )


def _operations_of(facts: W2Facts, case: str) -> tuple[str, ...]:
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
        done = _executed_example(facts, example, operation.id)
        if done is None and holds_example(facts, example):
            continue  # it is left out of the reference, so nothing proposes it
        yield done or Reported(
            operation=operation.id,
            check=("request example ", UserText(example.id), " of ", UserText(operation.id)),
            status="unexecuted",
            environment="",
            result=f"prerequisite missing: {_prerequisite(facts, operation.method, entry)}",
            citations=contract_citation(facts),
        )


def _executed_example(facts: W2Facts, example: Example, operation: str) -> Reported | None:
    """The row of an example that `evreview execute` sent and retained, None when no run shows it."""
    for run in facts.runs:
        record = run.record.record
        for answered, exchange in exchanges_of(facts, run) if record.produced_by else ():
            if answered.id == operation:
                return Reported(
                    operation=operation,
                    check=("request example ", UserText(example.id), " of ", UserText(operation)),
                    status="executed",
                    environment=record.environment or "",
                    result=f"recorded: status {exchange.status}",
                    citations=(run.at(exchange.locator), run.record.citation),
                    command=record.command or "",
                    revision=record.revision or "",
                    exit_status=record.exit_status,
                )
    return None


def _prerequisite(facts: W2Facts, method: str, entry: Entry | None) -> str:
    """What an example lacks to be executed safely."""
    if method not in SAFE:
        return f"the sandbox owner's approval ({MUTATE.id}), an isolated target and a cleanup procedure"
    needs_token = entry is not None and any(entry.authentication.alternatives)
    fixture = facts.plan is not None and facts.plan.record.fixture is not None
    if not fixture:
        return "an isolated fixture" + " with a synthetic credential" * needs_token
    return "a run of `evreview execute` whose result is retained"


def _proposed_rows(facts: W2Facts) -> Iterator[Reported]:
    """One row per contract test that the evidence lacks."""
    for test in facts.proposed_tests:
        yield Reported(
            operation=test.operation,
            check=(UserText(test.name), ": ", *marked("; ".join(test.asserts))),
            status="proposed",
            environment="",
            result=f"not executed: {test.why}",
            citations=test.citations,
        )


def _uncovered(facts: W2Facts) -> Iterator[Statement]:
    for key in sorted(facts.unverified):
        yield limited("No retained test covers ", UserText(key), "; it is unverified.", on=contract_citation(facts))
