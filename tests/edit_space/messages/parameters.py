"""Parameters and headers: which of them a message carries.

A message is described when it carries everything demanded. What a receiver does with a parameter that its contract
doesn't name, nothing says; a header field that it doesn't know it ignores (RFC 9110, 5.1).
The names that mark pagination, ordering, idempotency and versions are ordinary names on the wire.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import DONE, Edit, every_change, head, posting, sent_by, together
from tests.edit_space.oracle import Opinion

STATES: Final = ("absent", "optional", "required")
MARKERS: Final = {
    "pagination": (("query", "limit"), ("query", "cursor"), ("query", "page"), ("query", "offset")),
    "ordering": (("query", "sort"), ("query", "order_by")),
    "idempotency": (("header", "Idempotency-Key"), ("header", "If-Match")),
    "version selectors": (("query", "api-version"), ("header", "X-API-Version")),
    "plain": (("query", "colour"), ("header", "X-Colour"), ("cookie", "colour")),
}
RESPONSE_HEADERS: Final = {
    "pagination": ("Link", "X-Next-Cursor"),
    "idempotency": ("ETag", "Idempotency-Replayed"),
    "plain": ("X-Colour", "Retry-After"),
}
_CARRIED: Final = {"absent": (False,), "optional": (False, True), "required": (True,)}


def _ask(released: str, candidate: str, *, ignored: bool) -> Opinion:
    """Whether what one side carries is what the other one takes; with `ignored`, unknown names are passed over."""

    def told(passed: bool) -> Opinion:
        taken = (False, True) if candidate == "absent" and passed else _CARRIED[candidate]
        return sent_by(_CARRIED[released], taken.__contains__)

    readings = {"unknown names are passed over": told(True)}
    return together(readings if ignored else {**readings, "unknown names are refused": told(False)})


def _parameter(location: str, name: str, state: str, form: Form) -> list[dict[str, Any]]:
    value = {"type": "string"} if form is Form.V20 else {"schema": {"type": "string"}}
    return [{"name": name, "in": location, "required": state == "required", **value}] if state != "absent" else []


def _header(name: str, state: str, form: Form) -> dict[str, Any]:
    header = {"schema": {"type": "string"}, "required": state == "required"}
    said = {"headers": {name: header}} if state != "absent" else {}
    return posting(form, responses={"200": {"description": "done", **said}})


def _hooked(location: str, name: str, state: str) -> dict[str, Any]:
    operation = {"parameters": _parameter(location, name, state, Form.V31), "responses": DONE}
    return {**head(Form.V31), "paths": {}, "webhooks": {"told": {"post": operation}}}


def _moved(state: tuple[str, str]) -> dict[str, Any]:
    item, operation = (_parameter("query", "colour", each, Form.V31) for each in state)
    return {
        **head(Form.V31),
        "paths": {"/a": {"parameters": item, "get": {"parameters": operation, "responses": DONE}}},
    }


def _effective(state: tuple[str, str]) -> str:
    return state[1] if state[1] != "absent" else state[0]


def edits() -> Iterator[Edit]:
    """Every change of which parameters and headers there are, and whether they are demanded."""
    for marker, named in MARKERS.items():
        for location, name in named:
            for form in Form:
                if form is Form.V20 and location == "cookie":
                    continue
                yield from every_change(
                    f"parameters, {marker}",
                    STATES,
                    lambda state, at=(location, name), form=form: posting(
                        form, parameters=_parameter(*at, state, form)
                    ),
                    lambda old, new, at=location: _ask(old, new, ignored=False),
                )
            yield from every_change(
                "parameters of a webhook",
                STATES,
                lambda state, at=(location, name): _hooked(*at, state),
                lambda old, new, at=location: _ask(new, old, ignored=at == "header"),
            )
    for marker, names in RESPONSE_HEADERS.items():
        for name in names:
            for form in (Form.V30, Form.V31):
                yield from every_change(
                    f"response headers, {marker}",
                    STATES,
                    lambda state, name=name, form=form: _header(name, state, form),
                    lambda old, new: _ask(new, old, ignored=True),
                )
    yield from every_change(
        "parameters of the path item",
        tuple((item, operation) for item in STATES for operation in STATES),
        _moved,
        lambda old, new: _ask(_effective(old), _effective(new), ignored=False),
    )
