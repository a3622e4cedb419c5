"""What announces, names or describes: no message is accepted or refused because of it.

Deprecation and sunset announce, links are design-time hints, ids and texts are for people and generators.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import SAFE, Edit, every_change, head, posting

OPERATION: Final[dict[str, tuple[Any, ...]]] = {
    "deprecated": (None, False, True),
    "x-sunset": (None, "2027-01-01", "2027-06-01"),
    "operationId": (None, "readThing", "getThing"),
    "summary": (None, "one", "two"),
    "description": (None, "one", "two"),
    "tags": (None, ["a"], ["a", "b"]),
    "externalDocs": (None, {"url": "https://a.example"}),
    "x-anything": (None, 1, {"a": 1}),
}
LINKS: Final = (
    None,
    {"self": {"operationId": "read"}},
    {"self": {"operationId": "list"}},
    {"self": {"operationId": "read", "parameters": {"id": "$response.body#/id"}}},
    {"self": {"operationId": "read"}, "next": {"operationId": "list"}},
)
PARAMETER: Final[dict[str, tuple[Any, ...]]] = {
    "deprecated": (None, True),
    "description": (None, "one"),
    "example": (None, "a"),
    "x-sunset": (None, "2027-01-01"),
}
DOCUMENT: Final[dict[str, tuple[Any, ...]]] = {
    "tags": (None, [{"name": "a"}], [{"name": "b"}]),
    "externalDocs": (None, {"url": "https://a.example"}),
    "info": ({"title": "cell", "version": "1"}, {"title": "cell", "version": "2"}, {"title": "other", "version": "1"}),
    "jsonSchemaDialect": (None, "https://spec.openapis.org/oas/3.1/dialect/base"),
    "components": (None, {"schemas": {"Unused": {"type": "string"}}}, {"schemas": {"Unused": {"type": "integer"}}}),
}


def _said(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}


def _linked(links: Any) -> dict[str, Any]:
    return posting(Form.V31, responses={"200": {"description": "done", **_said("links", links)}})


def _documented(name: str, value: Any) -> dict[str, Any]:
    return {**posting(Form.V31), **head(Form.V31), **_said(name, value)}


def edits() -> Iterator[Edit]:
    """Every change of what never reaches the wire."""
    for form in Form:
        for name, states in OPERATION.items():
            if name == "externalDocs" or form is not Form.V20 or name != "links":
                yield from every_change(
                    f"operation {name}",
                    states,
                    lambda value, name=name, form=form: posting(form, **_said(name, value)),
                    lambda old, new: SAFE,
                )
    for name, states in PARAMETER.items():
        yield from every_change(
            f"parameter {name}",
            states,
            lambda value, name=name: posting(
                Form.V31, parameters=[{"name": "q", "in": "query", "schema": {"type": "string"}, **_said(name, value)}]
            ),
            lambda old, new: SAFE,
        )
    for name, states in DOCUMENT.items():
        yield from every_change(
            f"document {name}", states, lambda value, name=name: _documented(name, value), lambda old, new: SAFE
        )
    yield from every_change("links", LINKS, _linked, lambda old, new: SAFE)
