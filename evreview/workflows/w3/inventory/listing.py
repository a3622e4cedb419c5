"""What the inventory lists for each control: checked line by line, with its tests and where sensitive values stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Final

import pandas as pd

from evreview.codefacts.model import Route, SourceText
from evreview.codefacts.test_functions import TestFunction, TestRequest, answers, named_test
from evreview.core.errors import BadInput
from evreview.core.quoted_text import Part, Text, UserText, listed, plain, text
from evreview.core.vocabulary import EvidenceId, EvidenceType
from evreview.evidence.citation import at_id, at_lines
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem, Reference, parse_integrity
from evreview.evidence.records.review import Handling, same_revision
from evreview.evidence.records.security import Control, ControlTest, Excerpt, SecurityInventory, Surrounding
from evreview.evidence.records.test_runs import TestRecord, TestRun
from evreview.evidence.test_results.model import Case, Results
from evreview.evidence.test_results.read import read_results
from evreview.redaction.detector import Kind
from evreview.report.statement import Statement, observed
from evreview.workflows.w3.excerpts import Shown, cited, reviewed, revision_of, shown
from evreview.workflows.w3.facts import SensitiveValue, W3Facts
from evreview.workflows.w3.model import InventoryGap, InventoryGapKind, ShownBy, TestRow

_CODE: Final = frozenset({EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT})
_WIRING: Final = frozenset(
    {EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.ROLLOUT_RECORD, EvidenceType.SOURCE_EXCERPT}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One list of a control.

    Attributes:
        field: its name in the record; without it nothing can be concluded.
        lacks: what it is called in a gap.
        request: what is asked for when the list is not there.
        types: kinds of evidence that may show its excerpts.
        when_empty: what is asked for when it says that there is none; "" where that is an answer.
    """

    field: str
    lacks: InventoryGapKind
    request: str
    types: frozenset[EvidenceType] = frozenset()
    when_empty: str = ""


WANTED: Final = (
    Wanted(
        field="source",
        lacks=InventoryGapKind.SOURCE,
        types=_CODE,
        request="the file, lines and quoted text where the control stands; an empty list says that it is not in code",
    ),
    Wanted(
        field="middleware",
        lacks=InventoryGapKind.MIDDLEWARE,
        types=_CODE,
        request="the middleware that it depends on, with lines and quoted text; an empty list says that there is none",
    ),
    Wanted(
        field="deployment",
        lacks=InventoryGapKind.DEPLOYMENT,
        types=_WIRING,
        request="the deployment wiring that it depends on, quoted; an empty list says that there is none",
    ),
    Wanted(
        field="positive_tests",
        lacks=InventoryGapKind.POSITIVE_TESTS,
        request="the tests that show that whoever may, can; an empty list says that there is none",
        when_empty="a test that whoever may, can, with its retained result",
    ),
    Wanted(
        field="negative_tests",
        lacks=InventoryGapKind.NEGATIVE_TESTS,
        request="the tests that show that whoever may not, can't; an empty list says that there is none",
        when_empty="a test that whoever may not, can't, with its retained result",
    ),
    Wanted(
        field="surrounding",
        lacks=InventoryGapKind.SURROUNDING,
        request="the files that were searched for another control; an empty list says that none was",
        when_empty="the names of the files that were searched for another control",
    ),
)
"""Spec, W3 required inputs, security-relevant inventory."""
_EXCERPTS: Final = ("source", "middleware", "deployment")
_AROUND: Final = frozenset({"middleware", "configuration", "deployment", "shared"})
"""Parts of a source in which a control of many routes stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The inventory with what it is checked against."""

    inventory: Cited[SecurityInventory]
    sources: Mapping[EvidenceId, SourceText]
    bundle: Bundle

    @property
    def wanted(self) -> str:
        """The revision that everything has to be of, "" when none is known."""
        return reviewed(self.bundle) or self.inventory.record.revision or ""

    def at(self, place: int, *steps: object) -> Citation:
        """A citation of one place of a control."""
        return self.inventory.at("/".join(("/controls", str(place), *map(str, steps))))


def listing_of(inventory: Cited[SecurityInventory], sources: Sequence[SourceText], bundle: Bundle) -> Listing:
    """The inventory with the inspected files by their items."""
    by_item: dict[EvidenceId, SourceText] = {}
    for source in sources:
        by_item.setdefault(source.item, source)
    return Listing(inventory, by_item, bundle)


def gap(
    control: Control,
    lacks: InventoryGapKind,
    request: Sequence[Part],
    on: tuple[Citation, ...],
    *,
    decides: bool = True,
) -> InventoryGap:
    """A gap of one control."""
    return InventoryGap(
        control=control.id, area=control.area, lacks=lacks, request=text(*request), citations=on, decides=decides
    )


def listed_gaps(listing: Listing) -> Iterator[InventoryGap]:
    """Everything that the lists of every control lack, tests left out: `testing` resolves those."""
    counted = Counter(control.id for control in listing.inventory.record.controls)
    for place, control in enumerate(listing.inventory.record.controls):
        if counted[control.id] > 1:
            words = (f"an id of its own; {counted[control.id]} controls have the id ", UserText(control.id))
            yield gap(control, InventoryGapKind.ID, words, (listing.at(place),))
        yield from _inventory_revision(listing, control)
        for wanted in WANTED:
            yield from _list(listing, place, control, wanted)
        for number, surrounding in enumerate(control.surrounding or ()):
            yield from _surrounding(listing, control, surrounding, listing.at(place, "surrounding", number))


def _inventory_revision(listing: Listing, control: Control) -> Iterator[InventoryGap]:
    stated, wanted = listing.inventory.record.revision, listing.wanted
    at = (listing.inventory.at("/revision"),) if stated else (listing.inventory.citation,)
    if not wanted:
        yield gap(control, InventoryGapKind.REVISION, ("the immutable revision of everything listed",), at)
    elif stated and not same_revision(stated, wanted):
        words = ("an inventory of ", UserText(wanted), "; this one is of ", UserText(stated))
        yield gap(control, InventoryGapKind.REVISION, words, at)


def _list(listing: Listing, place: int, control: Control, wanted: Wanted) -> Iterator[InventoryGap]:
    values = getattr(control, wanted.field)
    at = (listing.at(place),)
    if values is None:
        yield gap(control, wanted.lacks, (wanted.request,), at)
    elif not values and wanted.when_empty:
        words = (wanted.when_empty, *(_candidates(listing, control) if wanted.field == "surrounding" else ()))
        yield gap(control, wanted.lacks, words, at, decides=False)
    elif wanted.field in _EXCERPTS:
        for number, excerpt in enumerate(values):
            own = listing.at(place, wanted.field, number)
            yield from _excerpt(listing, control, wanted, excerpt, own)


def _candidates(listing: Listing, control: Control) -> Text:
    """The supplied files in which another control could stand, and which the control's own lines are not from."""
    own = {excerpt.item for name in _EXCERPTS for excerpt in getattr(control, name) or ()}
    paths = [
        source.path
        for source in listing.sources.values()
        if source.item not in own and not _AROUND.isdisjoint(source.parts)
    ]
    return ("; supplied are ", *listed(sorted(set(paths)))) if paths else ()


def _excerpt(
    listing: Listing, control: Control, wanted: Wanted, excerpt: Excerpt, own: Citation
) -> Iterator[InventoryGap]:
    found = shown(listing.bundle, excerpt, wanted.types)
    if not found.stands:
        request = ("the lines and the text as they stand: ", *found.why)
        yield gap(control, wanted.lacks, request, cited((own,), found.citations))
        return
    item = listing.bundle.items[excerpt.item]
    if wanted.field != "deployment" and not path_of(listing, item):
        request = ("the path in the repository of ", UserText(item.id), "; list it in the source map")
        yield gap(control, wanted.lacks, request, cited((own,), found.citations))
    yield from _revision(listing, control, item, own)


def _revision(listing: Listing, control: Control, item: EvidenceItem, own: Citation) -> Iterator[InventoryGap]:
    """An item that is not, or not shown to be, of the one revision."""
    wanted = listing.wanted
    found = revision_of(listing.bundle, item.id)
    if not wanted or same_revision(found, wanted):
        return
    at = (own, Citation(item.id))
    if not found:
        request: tuple[Part, ...] = ("the commit that ", UserText(item.id), " belongs to; its integrity names none")
    else:
        request = (UserText(item.id), " as of ", UserText(wanted), "; it is of ", UserText(found))
    yield gap(control, InventoryGapKind.REVISION, request, at)


def _surrounding(listing: Listing, control: Control, surrounding: Surrounding, own: Citation) -> Iterator[InventoryGap]:
    path: Part = UserText(surrounding.path)
    if surrounding.item is None:
        words = ("the file ", path, ", which was searched for another control; until then reachability is unknown")
        yield gap(control, InventoryGapKind.SURROUNDING, words, (own,), decides=False)
        return
    item = listing.bundle.items.get(surrounding.item)
    if item is None:
        yield gap(control, InventoryGapKind.SURROUNDING, ("the item ", UserText(surrounding.item)), (own,))
        return
    held = path_of(listing, item)
    if held != surrounding.path:
        holds = (" holds ", UserText(held)) if held else (" names no path",)
        yield gap(control, InventoryGapKind.SURROUNDING, ("the file ", path, "; ", UserText(item.id), *holds), (own,))
    if surrounding.control is not None:
        found: Shown = shown(listing.bundle, surrounding.control)
        if not found.stands:
            request = ("the lines and the text of the other control as they stand: ", *found.why)
            yield gap(control, InventoryGapKind.SURROUNDING, request, cited((own,), found.citations))
    yield from _revision(listing, control, item, own)


def path_of(listing: Listing, item: EvidenceItem) -> str:
    """The path in the repository of an item: by its source map, else by its integrity; "" when neither names one."""
    source = listing.sources.get(item.id)
    if source is not None:
        return source.path
    parsed = parse_integrity(item.integrity, sha256=item.sha256)
    return parsed.path if isinstance(parsed, Reference) else ""


SENSITIVE: Final = frozenset({Kind.SECRET, Kind.CREDENTIAL, Kind.TOKEN, Kind.PERSONAL_DATA, Kind.CUSTOMER_IDENTIFIER})
"""What may not be read on without the security owner's word. Other kinds are redacted, and nothing stops for them."""


def sensitive_values(bundle: Bundle, facts: W3Facts) -> tuple[SensitiveValue, ...]:
    """Every value that the redactor found in an item, with the handling that is recorded for the item."""
    return tuple(
        SensitiveValue(
            hit=hit, handling=_handling(bundle, facts, hit.location), citations=_places(hit.location, hit.lines)
        )
        for hit in facts.redactor.findings
        if hit.kind in SENSITIVE and hit.location in bundle.items
    )


def _places(item: str, lines: tuple[int, ...]) -> tuple[Citation, ...]:
    return tuple(at_lines(EvidenceId(item), line) for line in lines[:5]) or (Citation(EvidenceId(item)),)


def _handling(bundle: Bundle, facts: W3Facts, item: str) -> Text:
    named = (entry for entry in bundle.decisions.handlings if entry.subject == item)
    found = [entry for entry in named if _counts(entry, bundle, facts)]
    return ("laid down by ", UserText(found[-1].role), ": ", UserText(found[-1].instructions)) if found else ()


def _counts(entry: Handling, bundle: Bundle, facts: W3Facts) -> bool:
    """True for the security owner's word on this very content, given by the review's date."""
    approving = facts.authorization.record.approving_role if facts.authorization else None
    owner = bundle.request.roles.security_owner or approving
    seen = entry.of == f"sha256:{bundle.items[entry.subject].sha256}"
    return seen and entry.role == owner and entry.at.astimezone(UTC).date().isoformat() <= bundle.request.as_of


def unhandled(facts: W3Facts) -> Iterator[Statement]:
    """What stops the review: values for which no handling is recorded."""
    for each in facts.sensitive:
        if not each.handling:
            says = f"A value of the kind {each.hit.kind} stands in the review material; no handling is recorded "
            says += "for this content of the item."
            yield observed(says, on=each.citations)


def notifications(facts: W3Facts) -> Iterator[tuple[str, Text, tuple[Citation, ...]]]:
    """Of what the security owner is notified, through which channel, by place and kind."""
    channel = facts.authorization.record.channel if facts.authorization else None
    through: Text = (UserText(channel),) if channel else ("the approved channel",)
    for each in facts.sensitive:
        if not each.handling:
            yield f"a {each.hit.kind} in the review material", through, each.citations


def sensitive_frame(values: tuple[SensitiveValue, ...]) -> pd.DataFrame:
    """Sensitive values by place. Columns: item, kind, lines, count, handling; a value is in none of them."""
    rows = [
        (
            each.hit.location,
            str(each.hit.kind),
            ", ".join(map(str, each.hit.lines)),
            each.hit.count,
            plain(each.handling),
        )
        for each in values
    ]
    return pd.DataFrame(rows, columns=["item", "kind", "lines", "count", "handling"])


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
