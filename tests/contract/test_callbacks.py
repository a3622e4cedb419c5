"""Callbacks that contain themselves are read once; callbacks without end are told, not followed."""

from __future__ import annotations

from typing import Any

from evreview.contract.model import ElementKind
from evreview.kinds.openapi.reader import MAX_CALLBACK_DEPTH
from tests.contract.texts import contract, every

EXPRESSION = "{$request.body#/url}"


def document(callbacks: dict[str, Any], used: dict[str, Any]) -> dict[str, Any]:
    operation = {"callbacks": used, "responses": {}}
    return {
        "openapi": "3.1.0",
        "info": {},
        "paths": {"/x": {"post": operation}},
        "components": {"callbacks": callbacks},
    }


def named(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/callbacks/{name}"}


def test_a_callback_inside_itself_is_read_once() -> None:
    own = {EXPRESSION: {"post": {"callbacks": {"again": named("A")}, "responses": {}}}}
    read = contract(document({"A": own}, {"first": named("A")}))
    found = [element for element in every(read.root) if element.kind is ElementKind.CALLBACK]
    assert [element.key for element in found] == ["first", "again"]
    assert [len(element.children) for element in found] == [1, 0]
    assert not read.unread


def test_callbacks_of_callbacks_without_end_are_unread() -> None:
    levels = {
        f"C{at}": {EXPRESSION: {"post": {"callbacks": {name: named(f"C{at + 1}") for name in "lr"}, "responses": {}}}}
        for at in range(40)
    }
    read = contract(document({**levels, "C40": {}}, {"c": named("C0")}))
    found = [element for element in every(read.root) if element.kind is ElementKind.CALLBACK]
    assert MAX_CALLBACK_DEPTH < len(found) < 5000
    assert read.unread
