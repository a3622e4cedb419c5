"""Status codes: which outcomes a producer may write, and which an old client knows how to read.

The exact code speaks before its range, the range before `default` (OpenAPI 3.1, 4.8.16). An unlisted status may be
read as the first of its class (RFC 9110, 15); and whether a released outcome may vanish, nothing says: each is a
reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import Edit, every_change, posting, sent_by, together
from tests.edit_space.oracle import Opinion

CODES: Final = ("200", "201", "202", "204", "302", "400", "404", "409", "500", "503")
TEXT: Final = {"type": "string"}
SHORT: Final = {"type": "string", "maxLength": 3}
NUMBER: Final = {"type": "integer"}
BODIES: Final = {"text": TEXT, "short": SHORT, "number": NUMBER}
FITS: Final = {("short", "text"), ("text", "text"), ("short", "short"), ("number", "number")}
STATES: Final = (
    {"200": "text"},
    {"200": "short"},
    {"200": "text", "201": "text"},
    {"200": "text", "202": "text"},
    {"2XX": "text"},
    {"2XX": "short", "200": "text"},
    {"200": "text", "404": "text"},
    {"200": "text", "4XX": "text"},
    {"200": "text", "4XX": "text", "404": "text"},
    {"200": "text", "4XX": "number", "404": "text"},
    {"200": "text", "default": "text"},
    {"200": "text", "default": "text", "404": "text"},
    {"200": "text", "default": "number", "404": "text"},
    {"200": "text", "default": "number", "4XX": "text"},
    {"200": "text", "500": "text"},
    {"default": "text"},
)


def described(state: Mapping[str, str], code: str, errors: bool) -> str | None:
    """The body that speaks for a status, None where none does; with `errors`, a default beside others is for errors."""
    left = None if errors and code[0] in "123" and len(state) > 1 else state.get("default")
    return state.get(code) or state.get(code[0] + "XX") or left


def _reads(known: str | None, body: str, by_class: bool) -> bool:
    return by_class if known is None else (body, known) in FITS


def _ask(released: Mapping[str, str], candidate: Mapping[str, str]) -> Opinion:
    readings = {}
    for errors in (True, False):
        kind = "errors only" if errors else "all the rest"
        old, new = ({code: described(state, code, errors) for code in CODES} for state in (released, candidate))
        written = [(code, body) for code, body in new.items() if body]
        for by_class in (True, False):
            name = f"default means {kind}, unlisted statuses {'are read by class' if by_class else 'are unknown'}"
            readings[name] = sent_by(written, lambda each, old=old, by=by_class: _reads(old[each[0]], each[1], by))
        gone = [code for code in CODES if old[code] and not new[code]]
        if gone:
            readings[f"default means {kind}, released outcomes are promised"] = sent_by(gone, lambda _: False)
    return together(readings)


def _build(state: Mapping[str, str], form: Form) -> dict[str, Any]:
    def said(body: str) -> dict[str, Any]:
        schema = BODIES[body]
        inner = {"schema": schema} if form is Form.V20 else {"content": {"application/json": {"schema": schema}}}
        return {"description": "said", **inner}

    return posting(
        form,
        responses={code: said(body) for code, body in state.items()},
        **({"produces": ["application/json"]} if form is Form.V20 else {}),
    )


def edits() -> Iterator[Edit]:
    """Every change of the outcomes of an operation."""
    for form in (Form.V30, Form.V31):
        yield from every_change("status codes", STATES, lambda state, form=form: _build(state, form), _ask)
    plain = tuple(state for state in STATES if not any("XX" in code for code in state))
    yield from every_change("status codes", plain, lambda state: _build(state, Form.V20), _ask)
