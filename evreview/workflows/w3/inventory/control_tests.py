"""The tests of a control, resolved: by syntax tree, by retained results, by retained checks, else by the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import Route
from evreview.codefacts.test_functions import TestFunction, TestRequest, answers, named_test
from evreview.core.errors import BadInput
from evreview.core.quoted_text import Part, UserText
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_id
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation, EvidenceItem
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Control, ControlTest
from evreview.evidence.records.test_runs import TestRecord, TestRun
from evreview.evidence.test_results.model import Case, Results
from evreview.evidence.test_results.read import read_results
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.inventory.listing import Listing, gap
from evreview.workflows.w3.model import InventoryGap, InventoryGapKind, ShownBy, TestRow

_REFUSED: Final = 400
_WORST: Final = ("failed", "error", "skipped", "recorded", "passed")
Asserts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _LocatedTest:
    """Where a test was found and what shows of it."""

    shown: ShownBy
    asserts: Asserts
    outcome: str
    citations: tuple[Citation, ...]
    faults: tuple[tuple[Part, ...], ...] = ()


class Testing:
    """Resolves the tests that an inventory lists; see `rows`."""

    __test__ = False

    def __init__(self, listing: Listing, functions: Sequence[TestFunction], routes: Sequence[Route]) -> None:
        self._listing = listing
        self._functions = functions
        self._routes = routes
        self._runs = {run.record.output: run for run in records_of(listing.bundle, TestRun)}
        self._read: dict[EvidenceId, Results | None] = {}

    def rows(self) -> tuple[tuple[TestRow, ...], tuple[InventoryGap, ...]]:
        """Every listed test, and what is wrong with it."""
        rows: list[TestRow] = []
        gaps: list[InventoryGap] = []
        for place, control in enumerate(self._listing.inventory.record.controls):
            for field, negative in (("positive_tests", False), ("negative_tests", True)):
                for number, test in enumerate(getattr(control, field) or ()):
                    own = self._listing.at(place, field, number)
                    found = self._found(test)
                    rows.append(self._row(control, test, negative, found))
                    gaps += self._gaps(control, test, negative, (found, own))
        return tuple(rows), tuple(gaps)

    def _row(self, control: Control, test: ControlTest, negative: bool, found: _LocatedTest) -> TestRow:
        return TestRow(
            control=control.id, test=test.test, negative=negative, shown=found.shown, asserts=found.asserts,
            outcome=found.outcome, citations=found.citations,
        )  # fmt: skip

    def _gaps(
        self, control: Control, test: ControlTest, negative: bool, at: tuple[_LocatedTest, Citation]
    ) -> Iterator[InventoryGap]:
        found, own = at
        lacks = InventoryGapKind.NEGATIVE_TESTS if negative else InventoryGapKind.POSITIVE_TESTS
        on = cited((own,), found.citations)
        name = UserText(test.test)
        if not found.shown:
            yield gap(control, lacks, ("the test ", name, ", which ", UserText(test.item), " does not hold"), on)
            return
        for fault in found.faults:
            yield gap(control, lacks, fault, on)
        if found.outcome in ("failed", "error"):
            words = ("a run in which ", name, f" passes; the retained one ended as {found.outcome}")
            yield gap(control, lacks, words, on, decides=False)
        elif found.outcome in ("", "skipped"):
            words = ("a retained result of ", name, "; until then the control is not verified by it")
            yield gap(control, lacks, words, on, decides=False)
        yield from self._about(control, test, negative, at)

    def _about(
        self, control: Control, test: ControlTest, negative: bool, at: tuple[_LocatedTest, Citation]
    ) -> Iterator[InventoryGap]:
        """A test that asserts the opposite of what it is listed for, or something else."""
        found, own = at
        lacks = InventoryGapKind.NEGATIVE_TESTS if negative else InventoryGapKind.POSITIVE_TESTS
        on = cited((own,), found.citations)
        name = UserText(test.test)
        if not found.asserts:
            words = ("what ", name, " asserts: route and status, in the test run's record")
            yield gap(control, lacks, words, on, decides=False)
            return
        statuses = [status for operation, status in found.asserts if covers(control, operation)]
        if not statuses:
            words = ("a test of one of the control's routes; ", name, " asserts others only")
            yield gap(control, lacks, words, on)
        elif not any((status >= _REFUSED) is negative for status in statuses):
            does = "admits" if negative else "refuses"
            words = (f"a test that {'refuses' if negative else 'admits'}; ", name, f" only {does}")
            yield gap(control, lacks, words, on)

    # Looking a test up

    def _found(self, test: ControlTest) -> _LocatedTest:
        item = self._listing.bundle.items.get(test.item)
        if item is None:
            return _LocatedTest(ShownBy.NOTHING, (), "", ())
        found = self._in_code(item, test) or self._in_check(item, test) or self._in_output(item, test)
        found = found or _in_text(item, test) or _LocatedTest(ShownBy.NOTHING, (), "", (Citation(item.id),))
        return self._with_run(test, found) if found.shown else found

    def _in_code(self, item: EvidenceItem, test: ControlTest) -> _LocatedTest | None:
        function = named_test([one for one in self._functions if one.spot.item == item.id], test.test)
        if function is None:
            return None
        asserts = tuple((self._operation(asked), asked.status) for asked in function.asked if asked.status is not None)
        return _LocatedTest(ShownBy.SYNTAX, tuple(dict.fromkeys(asserts)), "", function.spot.citations)

    def _operation(self, asked: TestRequest) -> str:
        """The operation that a request belongs to, as the code registers it; as written when no route takes it."""
        route = next((route for route in self._routes if answers(route, asked)), None)
        return f"{route.method} {route.path}" if route else f"{asked.method} {asked.path}"

    def _in_check(self, item: EvidenceItem, test: ControlTest) -> _LocatedTest | None:
        if not isinstance(item.record, TestRecord):
            return None
        check = next((check for check in item.record.checks if check.id == test.test), None)
        if check is None:
            return None
        outcome = check.result or "" if not check.lacking else ""
        at = (at_id(item.id, check.id),)
        if check.revision and self._differs(check.revision):
            return _LocatedTest(ShownBy.CHECK, (), "", at, (self._other(check.revision),))
        return _LocatedTest(ShownBy.CHECK, (), outcome, at)

    def _in_output(self, item: EvidenceItem, test: ControlTest) -> _LocatedTest | None:
        run = self._run_of(item.id)
        cases = self._cases(run, test.test) if run else []
        if run is None or not cases:
            return None
        outcome = min((case.outcome for case in cases), key=_WORST.index)
        at = tuple(Citation(run.record.output, case.locator) for case in cases[:3])
        faults: tuple[tuple[Part, ...], ...] = ()
        if run.record.revision and self._differs(run.record.revision):
            faults, outcome = (self._other(run.record.revision),), "skipped"
        tied = outcome if run.record.revision and outcome != "recorded" and not self._doubtful(run) else ""
        return _LocatedTest(ShownBy.RESULT, self._asserted(run, cases), tied, (*at, run.citation), faults)

    def _with_run(self, test: ControlTest, found: _LocatedTest) -> _LocatedTest:
        """The same with the retained result that the inventory names for it."""
        item = self._listing.bundle.items.get(test.run) if test.run else None
        if item is None:
            return found
        ran = self._in_check(item, test) or self._in_output(item, test)
        if ran is None:
            fault: tuple[Part, ...] = ("the result of ", UserText(test.test), ", which ", UserText(item.id), " lacks")
            return _LocatedTest(found.shown, found.asserts, "", found.citations, (*found.faults, fault))
        asserts = tuple(dict.fromkeys([*found.asserts, *ran.asserts]))
        citations = cited(found.citations, ran.citations)
        return _LocatedTest(found.shown, asserts, ran.outcome, citations, (*found.faults, *ran.faults))

    def _doubtful(self, run: Cited[TestRun]) -> bool:
        """True for a run that left its isolation, and for one whose exit status and cases contradict each other."""
        results = self._read.get(run.record.output)
        failed = results is not None and any(case.outcome in ("failed", "error") for case in results.cases)
        contradicts = bool(run.record.exit_status) and not failed
        return bool(run.record.violations) or contradicts

    def _run_of(self, evidence_id: EvidenceId) -> Cited[TestRun] | None:
        """The run whose record or output an item is."""
        own = next((run for run in self._runs.values() if run.citation.id == evidence_id), None)
        return own or self._runs.get(evidence_id)

    def _cases(self, run: Cited[TestRun], name: str) -> list[Case]:
        output = run.record.output
        if output not in self._read:
            item = self._listing.bundle.items.get(output)
            try:
                self._read[output] = read_results(item.content.encode(), run.record.format, item.file) if item else None
            except BadInput:
                self._read[output] = None
        results = self._read[output]
        return [case for case in results.cases if same_test(case.id, name)] if results else []

    def _asserted(self, run: Cited[TestRun], cases: Sequence[Case]) -> Asserts:
        """What the run's record and its output say that the cases assert."""
        stated = [
            (fact.operation, fact.status)
            for fact in run.record.asserts
            if fact.status is not None and any(same_test(case.id, fact.test) for case in cases)
        ]
        told = [(one.operation, one.status) for case in cases for one in case.assertions if one.status is not None]
        return tuple(dict.fromkeys((operation, status) for operation, status in (*stated, *told) if operation))

    def _differs(self, revision: str) -> bool:
        return bool(self._listing.wanted) and not same_revision(revision, self._listing.wanted)

    def _other(self, revision: str) -> tuple[Part, ...]:
        return ("a run at ", UserText(self._listing.wanted), "; the retained one is of ", UserText(revision))


def covers(control: Control, operation: str) -> bool:
    """True when a control shall protect an operation."""
    return "*" in control.routes or operation_key(operation) in {operation_key(route) for route in control.routes}


def same_test(left: str, right: str) -> bool:
    """True when one id is the end of the other: `tests.a::test_x[1]` and `a.py::test_x` are one test."""
    one, other = _steps(left), _steps(right)
    short, long = sorted((one, other), key=len)
    return bool(short) and long[-len(short) :] == short


def _steps(name: str) -> list[str]:
    bare = re.sub(r"\.pyi?(?=::|$)", "", name.strip().partition("[")[0])
    return [step for step in re.split(r"::|[./\\]", bare) if step]


def _in_text(item: EvidenceItem, test: ControlTest) -> _LocatedTest | None:
    """A test that the text names, where its language is not read; Python is read, and text in it proves nothing."""
    if item.record is not None or item.file.endswith((".py", ".pyi")):
        return None
    lines: Mapping[int, str] = dict(enumerate(item.content.splitlines(), 1))
    pattern = re.compile(rf"(?<![\w.-]){re.escape(test.test)}(?![\w-])")
    number = next((number for number, line in lines.items() if pattern.search(line)), None)
    return None if number is None else _LocatedTest(ShownBy.TEXT, (), "", (Citation(item.id, f":L{number}"),))
