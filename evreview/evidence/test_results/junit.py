"""JUnit XML, of pytest, schemathesis and the many others, through a parser that knows no entities and no DTD."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from evreview.core.errors import bad_input
from evreview.core.json_text import listed, mapping, word
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import (
    LONGEST_MESSAGE,
    MAX_CASES,
    Case,
    Outcome,
    Results,
    Unreadable,
    latest,
    lines_at,
    merged,
    message_of,
    pairs,
    told,
    where,
    worst,
)

MAX_DEPTH: Final = 64
_ENDS: Final[Mapping[str, Outcome]] = {"failure": "failed", "error": "error", "skipped": "skipped"}
_STATES: Final[Mapping[str, Outcome]] = {"notrun": "skipped", "disabled": "skipped", "skipped": "skipped"}
_JUNIT_ADVICE: Final = "retain the file as the test tool wrote it"


class _Refused(Exception):
    """Carries what can't be accepted out of the parser's handlers."""


@dataclass(slots=True)
class _Draft:
    """A test case while its element is open."""

    id: str
    what: str
    first: int
    outcomes: list[Outcome]
    messages: list[str] = field(default_factory=list)
    properties: list[tuple[str, Json]] = field(default_factory=list)


def read_junit(text: str, file: str) -> Results:
    """Every `testcase`, with the lines it stands on; a file that breaks off keeps the cases before the break.

    Raises:
        BadInput: `results-xml` without one readable case, `results-entities` for a DTD or an entity, `text-too-deep`,
            `results-too-many`, `results-format-unknown` for another root element.
    """
    reader = _JUnitReader(text)
    try:
        reader.parse()
    except _Refused as refused:
        raise bad_input(*refused.args, file=file, advice=_JUNIT_ADVICE) from None
    except expat.ExpatError as error:
        found = f"no well-formed XML: {expat.ErrorString(error.code)}"
        if not reader.cases:
            place = f"line {error.lineno}"
            raise bad_input("results-xml", found, file=file, place=place, advice=_JUNIT_ADVICE) from None
        reader.unread.append(Unreadable(reader.lines(error.lineno, error.lineno), found, _JUNIT_ADVICE, lost=True))
    if reader.root not in ("testsuites", "testsuite"):
        found = "the root element is neither testsuites nor testsuite"
        raise bad_input("results-format-unknown", found, file=file, advice=_JUNIT_ADVICE)
    return Results(format="junit", cases=merged(reader.cases), started=reader.started, unread=tuple(reader.unread))


@dataclass(frozen=True, slots=True)
class _Suite:
    """What an open suite states of itself, and what stood before it."""

    tests: int
    failing: int
    cases_before: int
    failing_before: int
    skipped: int | None
    skipped_before: int
    line: int


class _JUnitReader:
    """Gathers the cases of one document."""

    def __init__(self, text: str) -> None:
        self.cases: list[Case] = []
        self.unread: list[Unreadable] = []
        self.root = ""
        self.started = ""
        self._text = text
        self._starts = _line_starts(text)
        self._open: list[str] = []
        self._draft: _Draft | None = None
        self._captured: list[str] | None = None
        self._suites: list[_Suite] = []
        self._failing = 0
        self._skipped = 0
        self._parser = expat.ParserCreate("UTF-8")

    def parse(self) -> None:
        """Reads the whole text. The encoding is UTF-8 whatever the declaration says: that is what was decoded."""
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data
        self._parser.Parse(self._text.encode("utf-8", "replace"), True)

    def lines(self, first: int, last: int) -> str:
        """The locator of lines of the document, counted as citations count."""
        if self._starts:
            first, last = self._starts[first - 1], self._starts[min(last, len(self._starts) - 1)] - 1
            last = max(first, last)
        return lines_at(first, last)

    def _refuse(self, *_: object) -> None:
        raise _Refused("results-entities", "the XML declares a document type or entities")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        self.root = self.root or name
        self._open.append(name)
        if len(self._open) > MAX_DEPTH:
            raise _Refused("text-too-deep", f"the XML is nested deeper than {MAX_DEPTH} levels")
        if name in ("testsuite", "testsuites"):
            self.started = latest((self.started, attributes.get("timestamp", "")))
        if name == "testsuite":
            self._count(attributes)
        elif name == "testcase":
            self._draft = self._begun(attributes)
        elif self._draft is not None:
            self._inside(self._draft, name, attributes)

    def _begun(self, attributes: Mapping[str, str]) -> _Draft:
        classname, name = attributes.get("classname", ""), attributes.get("name", "")
        state = _STATES.get(attributes.get("status", "").lower(), "passed")
        known = f"{classname}::{name}" if classname else name
        return _Draft(known, name, self._parser.CurrentLineNumber, [state])

    def _inside(self, draft: _Draft, name: str, attributes: Mapping[str, str]) -> None:
        if name in _ENDS:
            self._failing += name != "skipped"
            self._skipped += name == "skipped"
            draft.outcomes.append(_ENDS[name])
            draft.messages.append(attributes.get("message", ""))
            self._captured = []
        elif name == "property":
            draft.properties.append((attributes.get("name", ""), attributes.get("value", "")))
            self._captured = None if "value" in attributes else []

    def _data(self, data: str) -> None:
        if self._captured is not None and sum(map(len, self._captured)) < LONGEST_MESSAGE:
            self._captured.append(data)

    def _end(self, tag: str) -> None:
        name = self._open.pop()
        draft, captured = self._draft, self._captured
        if draft is not None and captured is not None and name in (*_ENDS, "property"):
            text = "".join(captured).strip()
            if name == "property":
                draft.properties[-1] = (draft.properties[-1][0], text)
            else:
                draft.messages.append(text)
            self._captured = None
        if name == "testcase" and draft is not None:
            self._close(draft)
        if name == "testsuite" and self._suites:
            self._compare(self._suites.pop())

    def _close(self, draft: _Draft) -> None:
        self._draft = None
        locator = self.lines(draft.first, self._parser.CurrentLineNumber)
        if not draft.id:
            self.unread.append(Unreadable(locator, "a test case without a name", _JUNIT_ADVICE, lost=True))
            return
        if len(self.cases) == MAX_CASES:
            raise _Refused("results-too-many", f"more than {MAX_CASES} test cases")
        outcome = worst(draft.outcomes)
        assertions, unread = told(draft.what, draft.properties, outcome, locator)
        self.unread.extend(unread)
        self.cases.append(
            Case(
                id=draft.id,
                what=draft.what,
                outcome=outcome,
                locator=locator,
                message=message_of(*draft.messages),
                assertions=assertions,
                properties=tuple(draft.properties),
            )
        )

    def _count(self, attributes: Mapping[str, str]) -> None:
        failing = sum(_number(attributes.get(name, "")) for name in ("failures", "errors"))
        line = self._parser.CurrentLineNumber
        tests = _number(attributes.get("tests", ""))
        skipped = _number(attributes["skipped"]) if attributes.get("skipped", "").isdigit() else None
        self._suites.append(_Suite(tests, failing, len(self.cases), self._failing, skipped, self._skipped, line))

    def _compare(self, suite: _Suite) -> None:
        """A suite that states more tests, or more failures, than stand in it was cut; so was one with other skips."""
        held, failing = len(self.cases) - suite.cases_before, self._failing - suite.failing_before
        for stated, found, what in ((suite.tests, held, "tests"), (suite.failing, failing, "failures and errors")):
            if stated > found:
                said = f"the suite states {stated} {what}, {found} stand in it"
                self.unread.append(Unreadable(self.lines(suite.line, suite.line), said, _JUNIT_ADVICE, lost=True))
        skipped = self._skipped - suite.skipped_before
        ended = sum(case.outcome == "skipped" for case in self.cases[suite.cases_before :])
        if suite.skipped is not None and suite.skipped not in (skipped, ended):
            said = f"the suite states {suite.skipped} skipped, {skipped} stand in it"
            self.unread.append(Unreadable(self.lines(suite.line, suite.line), said, _JUNIT_ADVICE, lost=True))


def _number(written: str) -> int:
    """A count as written, 0 for what is none."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0


def _line_starts(text: str) -> list[int]:
    """Where each of the parser's lines begins as citations count lines; empty where both count alike."""
    if not any(sign in text for sign in "\x85\u2028\u2029"):
        return []
    starts = [1]
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        starts.append(starts[-1] + max(1, len(line.splitlines())))
    return starts


# The JSON report of pytest-json-report.


_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "passed": "passed",
    "failed": "failed",
    "error": "error",
    "skipped": "skipped",
    "xfailed": "skipped",
    "xpassed": "passed",
}
"""An expected failure shows nothing that works: it counts as skipped."""
_STAGES: Final = ("setup", "call", "teardown")
_PYTEST_ADVICE: Final = "retain the report as pytest wrote it"


def read_pytest_json(data: Json) -> Results:
    """Every entry of `tests`; a collector that failed is named as unread, its tests are not in the report."""
    report = mapping(data)
    entries = listed(report.get("tests"))
    cases: list[Case] = []
    unread = _collectors(report)
    for number, entry in enumerate(entries[:MAX_CASES]):
        case, faults = _case(mapping(entry), where("tests", number))
        unread.extend(faults)
        cases.extend([case] if case is not None else [])
    total = mapping(report.get("summary")).get("total")
    if type(total) is int and total != len(cases):
        unread.append(
            Unreadable(where("summary"), f"it states {total} tests, {len(cases)} were read", _PYTEST_ADVICE, lost=True)
        )
    return Results(format="pytest-json", cases=merged(cases), unread=tuple(unread))


def _collectors(report: Mapping[str, Json]) -> list[Unreadable]:
    found: list[Unreadable] = []
    for number, one in enumerate(listed(report.get("collectors"))):
        if mapping(one).get("outcome") not in ("passed", None):
            locator = where("collectors", number)
            found.append(
                Unreadable(
                    locator, "tests were not collected here", "correct what stopped pytest and run it again", lost=True
                )
            )
    return found


def _case(entry: Mapping[str, Json], locator: str) -> tuple[Case | None, tuple[Unreadable, ...]]:
    name, outcome = word(entry.get("nodeid")), _OUTCOMES.get(word(entry.get("outcome")))
    if not name or outcome is None:
        return None, (Unreadable(locator, "a test without a node id or a known outcome", _PYTEST_ADVICE, lost=True),)
    assertions, unread = told(name, _properties(entry), outcome, locator)
    case = Case(
        id=name,
        what=name.rpartition("::")[2] if "[" not in name else name.partition("[")[0].rpartition("::")[2],
        outcome=outcome,
        locator=locator,
        message=_message(entry) if outcome != "passed" else "",
        assertions=assertions,
    )
    return case, unread


def _properties(entry: Mapping[str, Json]) -> tuple[tuple[str, Json], ...]:
    """What `record_property` recorded, and what the `json_metadata` fixture holds."""
    metadata = mapping(entry.get("metadata"))
    return (*pairs(listed(entry.get("user_properties"))), *metadata.items())


def _message(entry: Mapping[str, Json]) -> str:
    stages = [mapping(entry.get(stage)) for stage in _STAGES]
    return message_of(*(mapping(stage.get("crash")).get("message") or _skipped(stage) for stage in stages))


def _skipped(stage: Mapping[str, Json]) -> str:
    return word(stage.get("longrepr")) if stage.get("outcome") in ("skipped", "failed") else ""
