"""Parts of a form: the content type, the headers and the way of writing of each field.

Without an `encoding`, a part's type follows from its schema (OpenAPI 3.1, 4.8.15): text/plain for a single value,
application/json for an object, the type of the items for an array. A field may list several types, and ranges.
`contentType` speaks in any form body, `headers` in multipart only, `style` and `explode` in urlencoded only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import Edit, every_change, posting, sent_by
from tests.edit_space.messages.serialisation import VALUES, written
from tests.edit_space.oracle import Opinion

MULTIPART: Final = "multipart/form-data"
URLENCODED: Final = "application/x-www-form-urlencoded"
FIELDS: Final = {
    "string": ({"type": "string"}, "text/plain"),
    "object": ({"type": "object", "properties": {"x": {"type": "string"}}}, "application/json"),
    "array": ({"type": "array", "items": {"type": "string"}}, "text/plain"),
}
TYPES: Final = ("text/plain", "application/json", "application/xml", "image/png", "image/gif")
STATES: Final = (
    None,
    {},
    {"contentType": "text/plain"},
    {"contentType": "application/json"},
    {"contentType": "image/png"},
    {"contentType": "text/plain, image/png"},
    {"contentType": "image/*"},
)
HEADED: Final = (
    None,
    {"headers": {"X-Part": {"schema": {"type": "string"}}}},
    {"headers": {"X-Part": {"required": True, "schema": {"type": "string"}}}},
    {"headers": {"X-Part": {"schema": {"type": "string", "maxLength": 3}}}},
)
WAYS: Final = (
    None,
    {"style": "form"},
    {"style": "form", "explode": False},
    {"style": "form", "explode": True},
    {"style": "pipeDelimited", "explode": False},
)


def part_types(state: Mapping[str, Any] | None, default: str) -> frozenset[str]:
    """The content types that a part may have."""
    stated = str((state or {}).get("contentType", default))
    listed = [each.strip() for each in stated.split(",")]
    return frozenset(
        kind for kind in TYPES if kind in listed or kind.partition("/")[0] + "/*" in listed or "*/*" in listed
    )


def _types(default: str, sent: Any, expected: Any) -> Opinion:
    return sent_by(part_types(sent, default), part_types(expected, default).__contains__)


def _headers(sent: Any, expected: Any) -> Opinion:
    """Parts with and without the header, with a short or a long value; an unknown header of a part is ignored."""

    def admitted(state: Any, part: str | None) -> bool:
        header = ((state or {}).get("headers") or {}).get("X-Part")
        if header is None:
            return True
        if part is None:
            return not header.get("required", False)
        return len(part) <= header["schema"].get("maxLength", len(part))

    def carried(state: Any, part: str | None) -> bool:
        return admitted(state, part) and (part is None or bool((state or {}).get("headers")))

    return sent_by(
        (part for part in (None, "ab", "abcd") if carried(sent, part)), lambda part: admitted(expected, part)
    )


def _spread(sent: Any, expected: Any) -> Opinion:
    def texts(state: Any) -> list[str | None]:
        style = (state or {}).get("style", "form")
        explode = (state or {}).get("explode", style == "form")
        return [written(value, style, explode) for value in VALUES["array"]]

    return sent_by(range(len(VALUES["array"])), lambda at: texts(sent)[at] == texts(expected)[at])


def _form(media_type: str, schema: Any, state: Any, *, answered: bool) -> dict[str, Any]:
    encoding = {} if state is None else {"encoding": {"f": state}}
    body = {"schema": {"type": "object", "properties": {"f": schema}}, **encoding}
    content = {"content": {media_type: body}}
    if answered:
        return posting(Form.V31, responses={"200": {"description": "done", **content}})
    return posting(Form.V31, requestBody={"required": True, **content})


def edits() -> Iterator[Edit]:
    """Every change of how the fields of a form are encoded."""
    for answered in (False, True):
        side = "response" if answered else "request"
        for schema, default in FIELDS.values():
            yield from every_change(
                f"encoding contentType, {side}",
                STATES,
                lambda state, at=schema, answered=answered: _form(MULTIPART, at, state, answered=answered),
                lambda old, new, at=default, answered=answered: _types(at, *((new, old) if answered else (old, new))),
            )
        yield from every_change(
            f"encoding headers, {side}",
            HEADED,
            lambda state, answered=answered: _form(MULTIPART, {"type": "string"}, state, answered=answered),
            lambda old, new, answered=answered: _headers(*((new, old) if answered else (old, new))),
        )
        yield from every_change(
            f"encoding style, {side}",
            WAYS,
            lambda state, answered=answered: _form(URLENCODED, FIELDS["array"][0], state, answered=answered),
            lambda old, new, answered=answered: _spread(*((new, old) if answered else (old, new))),
        )
