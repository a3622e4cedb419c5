"""One retained test output in, its cases and exchanges out. The content decides the format; plain lines come last."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import bad_input
from evreview.core.json_text import mapping
from evreview.core.limits import MAX_BYTES
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.http_archive import har_entries, read_har
from evreview.evidence.test_results.junit import read_junit, read_pytest_json
from evreview.evidence.test_results.model import (
    MAX_CASES,
    Case,
    Format,
    Outcome,
    Results,
    Unreadable,
    lines_at,
    merged,
    message_of,
    numbered,
    told,
)
from evreview.evidence.test_results.newman import read_newman
from evreview.evidence.test_results.schemathesis import FIRST_EVENTS, LISTS, read_ndjson, read_vcr

_EVENT: Final = re.compile(rf'\s*\{{\s*"(?:{"|".join(FIRST_EVENTS)})"\s*:')
_TAPE: Final = re.compile(rf"(?m)^(?:{'|'.join(LISTS)}):")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ADVICE: Final = (
    "supply JUnit XML, pytest JSON, newman JSON, schemathesis NDJSON, VCR, HAR, or the runner's plain lines"
)
_DOCUMENTS: Final[Mapping[Format, Callable[[Json], Results]]] = {
    "har": read_har,
    "newman": read_newman,
    "pytest-json": read_pytest_json,
    "vcr": read_vcr,
}


def read_results(data: bytes, format: Format | None = None, file: str = "") -> Results:
    """What the output says; parts that can't be read are named in `unread`.

    Args:
        data: the retained output.
        format: its format; None lets the content decide.
        file: its name for messages.

    Raises:
        BadInput: nothing of it can be read: `results-format-unknown`, `results-format-mismatch`, `results-xml`,
            `results-entities`, `results-ndjson`, `results-too-many`, or one of `documents.text`.
    """
    text = _decoded(data, file)
    if format == "route-table":
        return Results(format=format, cases=())
    seen = _seen(text)
    if format == "plain" or (format is None and seen == "plain"):
        return read_plain(text)
    if format == "junit" or (format is None and seen == "junit"):
        return read_junit(text, file)
    if format == "schemathesis-ndjson" or (format is None and seen == "schemathesis-ndjson"):
        return read_ndjson(text, file)
    value = parse_text(text.encode(), file)
    found = _document(value)
    if found is None:
        raise bad_input("results-format-unknown", "no known test output", file=file, advice=_ADVICE)
    if format is not None and format != found:
        advice = "correct the format, or leave it out"
        raise bad_input("results-format-mismatch", f"the content is {found}, not {format}", file=file, advice=advice)
    return _DOCUMENTS[found](value)


def _decoded(data: bytes, file: str) -> str:
    if len(data) > MAX_BYTES:
        raise bad_input("text-too-large", f"more than {MAX_BYTES} bytes", file=file, advice="retain one run per file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(
            "text-encoding", "not UTF-8", file=file, place=f"line {line}", advice="save the file as UTF-8"
        ) from None
    if not text.strip():
        raise bad_input("text-empty", "the file is empty", file=file, advice="check that it was written completely")
    control = _CONTROLS.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise bad_input("text-binary", "not a text", file=file, place=f"line {line}", advice="retain it as text")
    return text


def _seen(text: str) -> Format | None:
    """The format that the beginning of the text tells; None for JSON and YAML, whose members decide."""
    start = text.lstrip()[:1]
    if start == "<":
        return "junit"
    if _EVENT.match(text):
        return "schemathesis-ndjson"
    return None if (start in ("{", "[") and not text.lstrip().startswith("[ ")) or _TAPE.search(text) else "plain"


def _document(value: Json) -> Format | None:
    """The format that a document's members tell."""
    members = mapping(value)
    if isinstance(har_entries(value), list):
        return "har"
    if isinstance(mapping(members.get("run")).get("executions"), list):
        return "newman"
    if isinstance(members.get("tests"), list) and ("exitcode" in members or "summary" in members):
        return "pytest-json"
    if any(isinstance(members.get(name), list) for name in LISTS):
        return "vcr"
    return None


LONGEST_LINE: Final = 2000
_PLAIN_ADVICE: Final = "retain the runner's output with one line per test, or a structured report"


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
        unread.append(Unreadable(lines_at(1, last), "no line says how a test ended", _PLAIN_ADVICE, lost=True))
    failing = sum(case.outcome in ("failed", "error") for case in found)
    for number, failed, locator in stated:
        if number > len(found) or failed > failing:
            held = f"{number} tests are stated, {len(found)} have a line"
            if number <= len(found):
                held = f"{failed} failures and errors are stated, {failing} have a line"
            unread.append(Unreadable(locator, held, _PLAIN_ADVICE, lost=True))
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
            return None, (Unreadable(locator, "a test without a name", _PLAIN_ADVICE, lost=True),)
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
