"""A part that nobody could read leaves a doubt unless both sides write it alike, whatever their files are called."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

DONE: Any = {"responses": {"204": {"description": ""}}}
NOPE: Any = {"$ref": "#/components/schemas/Nope"}


def _operation(**more: Any) -> dict[str, Any]:
    return {"paths": {"/a": {"get": {**DONE, **more}}}}


def _named(name: str, document: Any, **beside: Any) -> Contract:
    whole = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, **document}
    files = {name: whole, **{f"{key}.json": value for key, value in beside.items()}}
    return read_contract(name, lambda file: json.dumps(files[file]).encode())


def _compared(released: Any, candidate: Any) -> Comparison:
    return compare(_named("old.json", released), _named("new.json", candidate))


def _field(schema: Any) -> Any:
    answer = {"description": "", "content": {"application/json": {"schema": {"properties": {"a": schema, "b": {}}}}}}
    return {"paths": {"/a": {"get": {"responses": {"200": answer}}}}}


UNREAD: dict[str, Any] = {
    "a reference": _field(NOPE),
    "a reference of a body": _operation(requestBody={"$ref": "#/components/requestBodies/Nope"}),
    "a parameter without a place": _operation(parameters=[{"name": "a"}]),
    "a parameter twice": _operation(parameters=[{"name": "a", "in": "query"}, {"name": "a", "in": "query"}]),
    "a status": {"paths": {"/a": {"get": {"responses": {"20X": {"description": ""}}}}}},
    "an operation": {"paths": {"/a": {"get": []}}},
}


@pytest.mark.parametrize("name", UNREAD)
def test_a_copy_in_another_file_is_sure(name: str) -> None:
    comparison = _compared(UNREAD[name], copy.deepcopy(UNREAD[name]))
    assert comparison.rows == ()
    assert {item.place.file for item in comparison.unread} == {"old.json", "new.json"}
    assert comparison.summary["breaking"] is False
    assert comparison.doubted is False


def test_a_keyword_that_nobody_can_read_is_sure_beside_an_edit() -> None:
    released, candidate = _field({"type": "string", "maxLength": "9"}), _field({"type": "string", "maxLength": "9"})
    schema = candidate["paths"]["/a"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    schema["properties"]["b"] = {"description": "other"}
    assert _compared(released, candidate).doubted is False
    schema["properties"]["a"]["maxLength"] = "8"
    assert _compared(released, candidate).doubted is True


OTHER: dict[str, tuple[Any, Any]] = {
    "another reference": (_field(NOPE), _field({"$ref": "#/components/schemas/Never"})),
    "another operation": ({"paths": {"/a": {"get": []}}}, {"paths": {"/a": {"get": [1]}}}),
    "another parameter": (_operation(parameters=[{"name": "a"}]), _operation(parameters=[{"name": "b"}])),
    "one side": (_field(NOPE), _field({"type": "string"})),
    "the first of two": (
        UNREAD["a parameter twice"],
        _operation(parameters=[{"name": "b", "in": "query"}, {"name": "a", "in": "query"}]),
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_is_written_otherwise_leaves_a_doubt(name: str) -> None:
    released, candidate = OTHER[name]
    for pair in ((released, candidate), (candidate, released)):
        assert _compared(*pair).doubted is True


def test_a_file_of_the_other_ones_name_is_not_taken_for_it() -> None:
    """The candidate starts at another file and refers to one that is called as the released contract is."""
    released = _named("old.json", _field(NOPE))
    beside = {"x": {"$ref": "#/y"}}
    candidate = _named("new.json", _field({"$ref": "old.json#/x"}), old=beside)
    assert compare(released, candidate).doubted is True
