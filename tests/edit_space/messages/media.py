"""Content types: what a request may be written in, what a response is written in.

A range holds every type below it and the most specific entry speaks (OpenAPI 3.1, 4.8.14). The producer chooses the
type of a response, and a client may name with `Accept` what it can read (RFC 9110, 12.5.1). One reading takes every
client to do so, the other none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import Edit, every_change, posting, sent_by, together
from tests.edit_space.oracle import Opinion

TYPES: Final = (
    "application/json",
    "application/xml",
    "application/problem+json",
    "application/json;charset=utf-8",
    "text/plain",
    "text/csv",
    "text/html",
    "image/png",
)
CONTENTS: Final = (
    ("application/json",),
    ("Application/JSON",),
    ("application/json;charset=utf-8",),
    ("application/json", "application/xml"),
    ("application/xml", "application/json"),
    ("application/xml",),
    ("application/*",),
    ("application/json", "application/*"),
    ("*/*",),
    ("text/plain",),
    ("text/*",),
    ("text/plain", "text/csv"),
)
STATUSES: Final = ("200", "404", "default", "2XX")


def takes(entries: tuple[str, ...], name: str) -> bool:
    """True when some entry names the media type or holds it."""
    kind = name.partition(";")[0]
    held = {name, kind, kind.partition("/")[0] + "/*", "*/*"}
    return any(_read(entry.lower()) in held for entry in entries)


def _read(entry: str) -> str:
    """What a recipient makes of a type. RFC 8259, section 11: a charset beside JSON "really has no effect"."""
    return "application/json" if entry == "application/json;charset=utf-8" else entry


def _covers(entry: str, entries: tuple[str, ...]) -> bool:
    return all(takes(entries, name) for name in TYPES if takes((entry,), name))


def _requests(released: tuple[str, ...], candidate: tuple[str, ...]) -> Opinion:
    return sent_by((name for name in TYPES if takes(released, name)), lambda name: takes(candidate, name))


def _responses(released: tuple[str, ...], candidate: tuple[str, ...]) -> Opinion:
    """Served as asked: every type that a client could ask for by name still comes. Served anyhow: only known ones."""
    named = [entry for entry in released if "*" not in entry]
    ranges = [entry for entry in released if "*" in entry]
    return together(
        {
            "the client names what it reads": sent_by(
                [*named, *ranges],
                lambda entry: (
                    _covers(entry, candidate)
                    or ("*" in entry and any(takes((entry,), new.lower()) for new in candidate))
                ),
            ),
            "the client names nothing": sent_by(
                (name for name in TYPES if takes(candidate, name)), lambda name: takes(released, name)
            ),
        }
    )


def _content(names: tuple[str, ...]) -> dict[str, Any]:
    return {"content": {name: {"schema": {"type": "string"}} for name in names}}


def _swagger(names: tuple[str, ...], *, sent: bool) -> dict[str, Any]:
    if sent:
        return posting(
            Form.V20, consumes=list(names), parameters=[{"name": "b", "in": "body", "schema": {"type": "string"}}]
        )
    said = {"200": {"description": "done", "schema": {"type": "string"}}}
    return posting(Form.V20, produces=list(names), responses=said)


BODIES: Final = (None, False, True)


def _presence(released: Any, candidate: Any) -> Opinion:
    """A body, or none: None where the operation describes no body, else whether it is demanded.

    What a producer does with a body that it does not describe, nothing says.
    """
    sent = {None: ("none",), True: ("body",), False: ("none", "body")}
    taken = {None: ("none",), True: ("body",), False: ("none", "body")}
    ignored = {**taken, None: ("none", "body")}
    return together(
        {
            "bodies without a description are refused": sent_by(sent[released], lambda each: each in taken[candidate]),
            "they are ignored": sent_by(sent[released], lambda each: each in ignored[candidate]),
        }
    )


def edits() -> Iterator[Edit]:
    """Every change of content types, and of whether there is a body."""
    for form in (Form.V30, Form.V31):
        yield from every_change(
            "media types, request",
            CONTENTS,
            lambda names, form=form: posting(form, requestBody={"required": True, **_content(names)}),
            _requests,
        )
    yield from every_change("media types, request", CONTENTS[:6], lambda names: _swagger(names, sent=True), _requests)
    yield from every_change(
        "media types, response", CONTENTS[:6], lambda names: _swagger(names, sent=False), _responses
    )
    for status in STATUSES:
        yield from every_change(
            "media types, response",
            CONTENTS,
            lambda names, status=status: posting(
                Form.V31, responses={status: {"description": "said", **_content(names)}}
            ),
            _responses,
        )
    yield from every_change(
        "request body",
        BODIES,
        lambda needed: posting(
            Form.V31,
            **({} if needed is None else {"requestBody": {"required": needed, **_content(("application/json",))}}),
        ),
        _presence,
    )
