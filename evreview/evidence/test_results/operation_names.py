"""Which operation a name or a property tells. A test function's name tells none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson

from evreview.core.vocabulary import Concern, Json
from evreview.evidence.element_mentions import METHODS
from evreview.evidence.test_results.model import Assertion, Outcome, Unreadable, status_of

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
