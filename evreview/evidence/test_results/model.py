"""What a retained test output says: cases, how they ended, their exchanges, and the operations that names tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Literal

import orjson

from evreview.core.json_pointer import Step
from evreview.core.quoted_text import begin_of
from evreview.core.vocabulary import Concern, EvidenceId, Json
from evreview.evidence.citation import at_lines, at_pointer
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import METHODS
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import TestRun

Outcome = Literal["passed", "failed", "error", "skipped", "recorded"]
"""How a case ended. `recorded`: an exchange took place and the output asserts nothing about it (HAR, VCR)."""
Format = Literal["junit", "pytest-json", "schemathesis-ndjson", "vcr", "har", "newman", "plain", "route-table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One recorded request and response: names and shapes, never values of headers.

    Attributes:
        method, path: of the request; the path without scheme, host and query.
        status: of the response, None when there was none.
        media_type: of the response, without parameters, "" when not recorded.
        query, request_headers, response_headers: names only, lower case for headers.
        body: the response body when the format records one and it is JSON; judged, never printed.
        body_recorded: False when no body was kept.
        locator: where it stands in the output, as a citation's locator (`#/log/entries/3`, `:L12`).
    """

    method: str
    path: str
    status: int | None
    locator: str
    media_type: str = ""
    query: tuple[str, ...] = ()
    request_headers: tuple[str, ...] = ()
    response_headers: tuple[str, ...] = ()
    body: Json = field(default=None, repr=False)
    body_recorded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """What one assertion is about, as far as output or wrapper tell. "" and None mean not told.

    Attributes:
        operation: `GET /v1/orders/{id}` or an operation id.
        outcome: of this assertion, or of its case when the format has no finer one.
        expects: what it expects, as stated.
    """

    operation: str
    outcome: Outcome
    what: str = ""
    status: int | None = None
    media_type: str = ""
    field: str = ""
    concern: Concern | None = None
    expects: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test case.

    Attributes:
        id: as the output names it; unique within the output.
        what: its name or description.
        outcome: how it ended.
        message: why it failed, as recorded; untrusted.
        locator: where it stands in the output.
        assertions, exchanges: what it says about operations.
        properties: name and value of each property of a JUnit case.
    """

    id: str
    what: str
    outcome: Outcome
    locator: str
    message: str = ""
    assertions: tuple[Assertion, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    properties: tuple[tuple[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of an output that could not be read: where, what was found, what to do.

    `lost`: how a case ended may stand there and be lost, a failure as well as a success.
    """

    locator: str
    found: str
    advice: str = ""
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One retained output. `command`, `tool`, `seed` and `started` (as written) are "" where the format holds none."""

    format: Format
    cases: tuple[Case, ...]
    command: str = ""
    tool: str = ""
    seed: str = ""
    started: str = ""
    unread: tuple[Unreadable, ...] = ()

    @property
    def day(self) -> str:
        """The UTC day on which it started, "" when it names none; without a zone the day as it stands."""
        try:
            moment = datetime.fromisoformat(self.started.strip())
            return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()
        except (ValueError, OverflowError):
            return ""


def latest(moments: Iterable[str]) -> str:
    """The last of several moments as written, "" for none; unreadable ones only when nothing else is there."""
    known = [each for each in moments if each.strip()]
    return max(known, key=lambda each: (Results(format="plain", cases=(), started=each).day, each), default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainedRun:
    """One run: its wrapper, and its output as read."""

    record: Cited[TestRun]
    results: Results

    def at(self, locator: str) -> Citation:
        """A citation of a place in the retained output."""
        return Citation(self.record.record.output, locator)


# Small steps through untrusted output: what has another form than expected counts as absent.


MAX_CASES: Final = 100_000
"""Cases and entries read from one output; what follows is named as unread."""

LONGEST_MESSAGE: Final = 2000
_ANY: Final = EvidenceId("E1")
_CREDENTIAL: Final = re.compile(
    r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie2?|x-api-key|x-auth-token|x-csrf-token)(['\"]?\s*[:=]\s*)[^\r\n]+"
)
_WORST: Final[tuple[Outcome, ...]] = ("error", "failed", "skipped", "recorded", "passed")


def status_of(value: object) -> int | None:
    """The value as a response status, None when it is none."""
    digits = value if isinstance(value, str) else str(value) if type(value) is int else ""
    return int(digits) if re.fullmatch(r"[1-5][0-9][0-9]", digits, re.ASCII) else None


def where(*steps: Step) -> str:
    """The locator of a place in a JSON or YAML output."""
    return at_pointer(_ANY, *steps).locator


def lines_at(first: int, last: int) -> str:
    """The locator of lines of an output."""
    return at_lines(_ANY, first, last).locator


def numbered(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line with its first and last number, as citations count them.

    Lines end with a line feed here. Citations end them at rarer signs too, which may stand inside a JSON string.
    """
    first = 1
    for line in text.split("\n"):
        count = max(1, len(line.splitlines()))
        yield first, first + count - 1, line
        first += count


def message_of(*texts: object) -> str:
    """What was recorded about a failure, shortened, without values of headers that carry credentials."""
    text = "\n".join(part.strip() for part in texts if isinstance(part, str) and part.strip())
    clean = _CREDENTIAL.sub(r"\1\2(removed)", text[: 2 * LONGEST_MESSAGE])
    return clean if len(clean) <= LONGEST_MESSAGE else begin_of(clean, LONGEST_MESSAGE) + " …"


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that counts when one thing ended in several ways."""
    found = set(outcomes)
    return next((outcome for outcome in _WORST if outcome in found), "passed")


def merged(cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases with every id once: one that is named twice counts with its worst outcome and cites that place.

    A test that passes and then fails in its teardown is reported twice, and has not passed.
    """
    by_id: dict[str, Case] = {}
    for case in cases:
        known = by_id.get(case.id)
        by_id[case.id] = case if known is None else _joined(known, case)
    return tuple(by_id.values())


def _joined(first: Case, second: Case) -> Case:
    outcome = worst((first.outcome, second.outcome))
    kept = first if first.outcome == outcome else second
    told: list[Assertion] = []
    for one in (*first.assertions, *second.assertions):
        if (changed := replace(one, outcome=outcome)) not in told:
            told.append(changed)
    return replace(kept, assertions=tuple(told), exchanges=(*first.exchanges, *second.exchanges))


def separate(cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases with every id once: the second of one name gets ` #2`."""
    seen: dict[str, int] = {}
    found: list[Case] = []
    for case in cases:
        seen[case.id] = seen.get(case.id, 0) + 1
        found.append(case if seen[case.id] == 1 else replace(case, id=f"{case.id} #{seen[case.id]}"))
    return tuple(found)


_OPERATION: Final = re.compile(
    rf"(?<![A-Za-z])(?P<method>{'|'.join(sorted(METHODS))}) (?P<path>/[^\s\[\]()\"'`|,;]*)"
    r"(?:(?: | -> | => )(?P<status>[1-5][0-9][0-9])(?![0-9A-Za-z]))?"
)
LONGEST_ID: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyRule:
    """What one property of a test case says. `example` and `counter` are its value, told and not told."""

    id: str
    why: str
    example: str
    counter: str


PROPERTIES: Final = (
    PropertyRule(
        id="operation",
        why="the operation that the assertion is about; each one begins an assertion",
        example="GET /v1/orders/{id}",
        counter="",
    ),
    PropertyRule(id="status", why="the response status that it asserts", example="404", counter="not found"),
    PropertyRule(id="media_type", why="the media type that it asserts", example="application/problem+json", counter=""),
    PropertyRule(
        id="field", why="the field, parameter or header that it asserts, dotted", example="items[].sku", counter=""
    ),
    PropertyRule(id="concern", why="the concern, in the matrix's words", example="rate limits", counter="throttling"),
    PropertyRule(id="expects", why="the value that it expects, as JSON or as text", example='"not_found"', counter=""),
)
NAMES: Final = frozenset(rule.id for rule in PROPERTIES)


def operation_in(name: str) -> tuple[str, int | None] | None:
    """Operation and status that a name tells: `test_read[GET /v1/orders/{id} 404]`; None for none or several."""
    found = {match.group("method", "path", "status") for match in _OPERATION.finditer(name[:LONGEST_ID])}
    if len({one[:2] for one in found}) != 1:
        return None
    method, path, _ = next(iter(found))
    statuses = {status for *_, status in found if status}
    return f"{method} {path}", int(statuses.pop()) if len(statuses) == 1 else None


PropertyAssertions = tuple[tuple[Assertion, ...], tuple[Unreadable, ...]]
_ADVICE: Final = "name the operation first; the page on test results shows each property"


def told(name: str, properties: Sequence[tuple[str, Json]], outcome: Outcome, locator: str) -> PropertyAssertions:
    """The assertions that a test case's properties, or else its name, tell; and the properties that can't be read."""
    bare = Assertion(operation="", outcome=outcome, what=name)
    named = None if any(key == "operation" for key, _ in properties) else operation_in(name)
    found = [replace(bare, operation=named[0], status=named[1])] if named is not None else []
    unread: list[Unreadable] = []
    for key, value in properties:
        if key in NAMES and not _tell(found, key, value, bare):
            unread.append(Unreadable(locator, f"the property {key} does not say what it should", _ADVICE))
    return tuple(found), tuple(unread)


def _tell(found: list[Assertion], key: str, value: Json, bare: Assertion) -> bool:
    """Begins an assertion, or adds what a property says to the last one; False when it says nothing."""
    text = (value if isinstance(value, str) else str(value)).strip()
    if key == "operation":
        found.extend([replace(bare, operation=text)] if text else [])
        return bool(text)
    changed = _with(found[-1], key, text, value) if found else None
    if changed is not None:
        found[-1] = changed
    return changed is not None


def _with(assertion: Assertion, key: str, text: str, value: Json) -> Assertion | None:
    if key == "status":
        status = status_of(value) or status_of(text)
        return None if status is None else replace(assertion, status=status)
    if key == "concern":
        return replace(assertion, concern=Concern(text)) if text in _CONCERNS else None
    if key == "expects":
        return replace(assertion, expects=_value(value))
    if not text:
        return None
    return replace(assertion, media_type=text.lower()) if key == "media_type" else replace(assertion, field=text)


_CONCERNS: Final = frozenset(concern.value for concern in Concern)


def _value(value: Json) -> Json:
    if not isinstance(value, str):
        return value
    try:
        parsed: Json = orjson.loads(value)
    except orjson.JSONDecodeError:
        return value
    return parsed


def pairs(properties: Sequence[Json]) -> tuple[tuple[str, Json], ...]:
    """Properties written as `{"name": value}` or as `["name", value]`."""
    found: list[tuple[str, Json]] = []
    for one in properties:
        if isinstance(one, dict):
            found.extend((str(key), value) for key, value in one.items())
        elif isinstance(one, list) and len(one) == 2 and isinstance(one[0], str):
            found.append((one[0], one[1]))
    return tuple(found)
