"""Plain text records: the lines in which test runners say how each test ended. All other lines are prose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evreview.evidence.test_results.model import (
    MAX_CASES,
    Case,
    Outcome,
    Results,
    Unreadable,
    lines_at,
    merged,
    message_of,
    numbered,
)
from evreview.evidence.test_results.operation_names import told

LONGEST_LINE: Final = 2000
_ADVICE: Final = "retain the runner's output with one line per test, or a structured report"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRule:
    """One way to say how a test ended. The pattern's groups: `id`, `word`, and `rest` for a reason."""

    id: str
    why: str
    pattern: re.Pattern[str]
    outcomes: Mapping[str, Outcome]
    example: str
    counter: str


_PYTEST: Final[Mapping[str, Outcome]] = {
    "PASSED": "passed",
    "FAILED": "failed",
    "ERROR": "error",
    "SKIPPED": "skipped",
    "XFAIL": "skipped",
    "XPASS": "passed",
}
_WORDS: Final = "|".join(_PYTEST)

LINES: Final = (
    LineRule(
        id="pytest-line",
        why="`pytest -v` names each test by its node id",
        pattern=re.compile(
            rf"(?P<id>[^\s:]+::.*?) (?P<word>{_WORDS})(?: \((?P<rest>[^()]*)\))?(?:\s+\[ *[0-9]{{1,3}}%\])?\s*"
        ),
        outcomes=_PYTEST,
        example="tests/test_orders.py::test_read PASSED   [ 50%]",
        counter="the upload PASSED",
    ),
    LineRule(
        id="pytest-summary",
        why="`pytest -rA` lists the tests again, with a reason",
        pattern=re.compile(rf"(?P<word>{_WORDS}) (?P<id>[^\s:]+::.*?)(?: - (?P<rest>.*))?"),
        outcomes=_PYTEST,
        example="FAILED tests/test_orders.py::test_read - assert 200 == 404",
        counter="FAILED to connect",
    ),
    LineRule(
        id="tap",
        why="the Test Anything Protocol numbers each result",
        pattern=re.compile(r"\s*(?P<word>ok|not ok) +[0-9]+(?: +-)?(?: +(?P<id>[^#]*[^#\s]))?\s*(?:#(?P<rest>.*))?"),
        outcomes={"ok": "passed", "not ok": "failed"},
        example="ok 1 - GET /v1/orders/{id}",
        counter="ok, done",
    ),
    LineRule(
        id="unittest",
        why="`python -m unittest -v` names each test method",
        pattern=re.compile(
            r"(?P<id>\w+ \([\w.]+\)) \.\.\. (?P<word>ok|FAIL|ERROR|skipped|expected failure|unexpected success)"
            r"(?: '(?P<rest>.*)')?"
        ),
        outcomes={
            "ok": "passed",
            "FAIL": "failed",
            "ERROR": "error",
            "skipped": "skipped",
            "expected failure": "skipped",
            "unexpected success": "failed",
        },
        example="test_read (tests.Orders.test_read) ... ok",
        counter="Connecting ... ok",
    ),
    LineRule(
        id="go-test",
        why="`go test -v` reports each test and subtest",
        pattern=re.compile(r"\s*--- (?P<word>PASS|FAIL|SKIP): (?P<id>\S+) \([0-9.]+s\)"),
        outcomes={"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"},
        example="--- PASS: TestRead/found (0.00s)",
        counter="PASS",
    ),
)
_PLAN: Final = re.compile(r"1\.\.([0-9]{1,7})\s*(?:#.*)?")
_DIRECTIVE: Final = re.compile(r"\s*(?:skip|todo)\b", re.IGNORECASE)
_TOTAL: Final = re.compile(r"=+ (?P<counts>[0-9]+ [a-z]+(?:, [0-9]+ [a-z]+)*) in [0-9.]+s.*=*")
_FAILING: Final = frozenset({"failed", "error", "errors"})
_COUNTED: Final = frozenset({"passed", "failed", "skipped", "xfailed", "xpassed"})


def read_plain(text: str) -> Results:
    """Every line that says how a test ended; a text without one is unread as a whole."""
    cases: list[Case] = []
    unread: list[Unreadable] = []
    stated: list[tuple[int, int, str]] = []
    last = 1
    for first, last, line in numbered(text):
        if len(line) > LONGEST_LINE or len(cases) >= MAX_CASES:
            unread.extend(_skipped(line, lines_at(first, last), len(cases)))
            continue
        case, faults = _case(line.rstrip("\r"), lines_at(first, last))
        unread.extend(faults)
        cases.extend([case] if case is not None else [])
        stated.extend((*each, lines_at(first, last)) for each in _stated(line.strip()))
    found = merged(cases)
    if not found:
        unread.append(Unreadable(lines_at(1, last), "no line says how a test ended", _ADVICE, lost=True))
    failing = sum(case.outcome in ("failed", "error") for case in found)
    for number, failed, locator in stated:
        if number > len(found) or failed > failing:
            held = f"{number} tests are stated, {len(found)} have a line"
            if number <= len(found):
                held = f"{failed} failures and errors are stated, {failing} have a line"
            unread.append(Unreadable(locator, held, _ADVICE, lost=True))
    return Results(format="plain", cases=found, unread=tuple(unread))


def _skipped(line: str, locator: str, count: int) -> list[Unreadable]:
    if count >= MAX_CASES and not line.strip():
        return []
    found = f"more than {MAX_CASES} tests" if count >= MAX_CASES else "the line is too long to read"
    return [Unreadable(locator, found, lost=count >= MAX_CASES)]


def _case(line: str, locator: str) -> tuple[Case | None, tuple[Unreadable, ...]]:
    for rule in LINES:
        match = rule.pattern.fullmatch(line)
        if match is None:
            continue
        name, rest = match["id"], match.groupdict().get("rest") or ""
        outcome = rule.outcomes[match["word"]]
        if rule.id == "tap" and _DIRECTIVE.match(rest):
            outcome = "skipped"
        if not name:
            return None, (Unreadable(locator, "a test without a name", _ADVICE, lost=True),)
        assertions, unread = told(name, (), outcome, locator)
        message = message_of(rest) if outcome != "passed" else ""
        return Case(
            id=name, what=name, outcome=outcome, locator=locator, message=message, assertions=assertions
        ), unread
    return None, ()


def _stated(line: str) -> list[tuple[int, int]]:
    """How many tests a plan or a closing line states, and how many of them failed."""
    plan = _PLAN.fullmatch(line)
    if plan is not None:
        return [(int(plan[1]), 0)]
    total = _TOTAL.fullmatch(line)
    if total is None or len(total["counts"]) > 200:
        return []
    counts = [one.split(" ") for one in total["counts"].split(", ")]
    known = [(int(number), word) for number, word in counts if len(number) < 10]
    every = sum(number for number, word in known if word in _COUNTED)
    return [(every, sum(number for number, word in known if word in _FAILING))]
