"""How a parameter's value is written: the same value has to be the same text.

The table of styles is that of OpenAPI 3.1, 4.8.12; Swagger 2.0 names the same ways with `collectionFormat`. A value
that is not written at all has no text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import DONE, Edit, every_change, head, posting, sent_by, together
from tests.edit_space.oracle import Opinion

VALUES: Final = {
    "array": (["a"], ["a", "b"], ["a", "b", "c"]),
    "object": ({"x": "1"}, {"x": "1", "y": "2"}),
    "string": ("a", "a b"),
}
SCHEMAS: Final = {
    "array": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}},
    "string": {"type": "string"},
    "integer": {"type": "integer"},
}
STYLES: Final = {
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "path": ("simple", "label", "matrix"),
    "header": ("simple",),
    "cookie": ("form",),
}
BETWEEN: Final = {"simple": ",", "form": ",", "matrix": ",", "spaceDelimited": "%20", "pipeDelimited": "|"}
UNDEFINED: Final = {
    ("spaceDelimited", "string"), ("pipeDelimited", "string"), ("deepObject", "string"), ("deepObject", "array"),
}  # fmt: skip
"""Pairs for which the table says nothing."""


def written(value: Any, style: str, explode: bool, between: str = ",") -> str | None:
    """The text of one parameter called `v`; None where the table of styles has no entry.

    `between` stands between the parts of a label that is not exploded: a comma (RFC 6570, OpenAPI 3.1.1), or a full
    stop (OpenAPI 3.0.3).
    """
    name = "v"
    if isinstance(value, str):
        return {"label": f".{value}", "matrix": f";{name}={value}", "form": f"{name}={value}"}.get(style, value)
    pairs = [("", item) for item in value] if isinstance(value, list) else list(value.items())
    if style == "deepObject":
        return "&".join(f"{name}[{key}]={item}" for key, item in pairs) if isinstance(value, dict) and explode else None
    if explode and style in ("spaceDelimited", "pipeDelimited"):
        return None
    if explode:
        spread = [f"{key or name}={item}" for key, item in pairs]
        plain = [f"{key}={item}" if key else item for key, item in pairs]
        ways = {"simple": ",".join(plain), "label": "." + ".".join(plain), "matrix": ";" + ";".join(spread)}
        return ways.get(style, "&".join(spread))
    flat = BETWEEN.get(style, between).join(part for key, item in pairs for part in ((key, item) if key else (item,)))
    return {"label": f".{flat}", "matrix": f";{name}={flat}", "simple": flat}.get(style, f"{name}={flat}")


State = Mapping[str, Any]


def _texts(kind: str, location: str, state: State, between: str) -> list[str | None]:
    style = state.get("style", STYLES[location][0])
    explode = state.get("explode", style == "form")
    return [written(value, style, explode, between) for value in VALUES[kind]]


def _ask(kind: str, location: str, released: State, candidate: State) -> Opinion:
    def told(between: str) -> Opinion:
        old, new = (_texts(kind, location, state, between) for state in (released, candidate))
        return sent_by(range(len(old)), lambda at: old[at] == new[at])

    return together({f"labels are put together with `{sign}`": told(sign) for sign in (",", ".")})


def _states(location: str, kind: str) -> Iterator[State]:
    yield {}
    for style in STYLES[location]:
        for explode in (True, False):
            state = {"style": style, "explode": explode}
            if (
                all(written(value, style, explode) is not None for value in VALUES[kind])
                and (style, kind) not in UNDEFINED
            ):
                yield state


def _parameter(kind: str, location: str, state: State, **more: Any) -> dict[str, Any]:
    needed = {"required": True} if location == "path" else {}
    return {"name": "v", "in": location, "schema": SCHEMAS[kind], **needed, **state, **more}


def _collected(state: str | None, location: str) -> dict[str, Any]:
    said = {} if state is None else {"collectionFormat": state}
    needed = {"required": True} if location == "path" else {}
    parameter = {"name": "v", "in": location, "type": "array", "items": {"type": "string"}, **needed, **said}
    path = "/a/{v}" if location == "path" else "/a"
    return posting(Form.V20, path, parameters=[parameter])


def _collection(state: str | None) -> list[str]:
    sign = {"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|", "multi": "&v="}[state or "csv"]
    return [sign.join(value) for value in VALUES["array"]]


def _header(kind: str, state: State) -> dict[str, Any]:
    header = {"schema": SCHEMAS[kind], **state}
    return posting(Form.V31, responses={"200": {"description": "done", "headers": {"X-V": header}}})


def _hooked(kind: str, state: State) -> dict[str, Any]:
    operation = {"parameters": [_parameter(kind, "query", state)], "responses": DONE}
    return {**head(Form.V31), "paths": {}, "webhooks": {"told": {"post": operation}}}


SIGNS: Final = ("a", "a b", "a/b", "a?b", "a:b@c")


def _reserved(granted: bool) -> frozenset[str]:
    free = frozenset(quote(text, safe="") for text in SIGNS)
    return free | frozenset(quote(text, safe=":/?#[]@!$&'()*+,;=") for text in SIGNS) if granted else free


def _empty(granted: bool) -> frozenset[str]:
    """Of a number: where the schema itself admits the empty text, nobody says how the two go together."""
    return frozenset({"v=1", "v"} if granted else {"v=1"})


def _subset(old: frozenset[str], new: frozenset[str]) -> Opinion:
    return sent_by(old, new.__contains__)


def edits() -> Iterator[Edit]:
    """Every change of how values are written."""
    for location in STYLES:
        for kind in VALUES:
            path = "/a/{v}" if location == "path" else "/a"
            for form in (Form.V30, Form.V31):
                yield from every_change(
                    f"style and explode, {location}",
                    tuple(_states(location, kind)),
                    lambda state, at=(kind, location, path, form): posting(
                        at[3], at[2], parameters=[_parameter(at[0], at[1], state)]
                    ),
                    lambda old, new, at=(kind, location): _ask(*at, old, new),
                )
    for kind in VALUES:
        yield from every_change(
            "style and explode, response header",
            tuple(_states("header", kind)),
            lambda state, kind=kind: _header(kind, state),
            lambda old, new, kind=kind: _ask(kind, "header", new, old),
        )
        yield from every_change(
            "style and explode, webhook",
            tuple(_states("query", kind)),
            lambda state, kind=kind: _hooked(kind, state),
            lambda old, new, kind=kind: _ask(kind, "query", new, old),
        )
    for location in ("query", "path", "header", "formData"):
        formats = (None, "csv", "ssv", "tsv", "pipes", *(("multi",) if location in ("query", "formData") else ()))
        yield from every_change(
            "collectionFormat",
            formats,
            lambda state, location=location: _collected(state, location),
            lambda old, new: sent_by(range(3), lambda at: _collection(old)[at] == _collection(new)[at]),
        )
    for facet, kind, texts in (("allowReserved", "string", _reserved), ("allowEmptyValue", "integer", _empty)):
        for form in (Form.V30, Form.V31):
            yield from every_change(
                facet,
                (None, False, True),
                lambda state, at=(form, facet, kind): posting(
                    at[0], parameters=[_parameter(at[2], "query", {} if state is None else {at[1]: state})]
                ),
                lambda old, new, texts=texts: _subset(texts(bool(old)), texts(bool(new))),
            )
