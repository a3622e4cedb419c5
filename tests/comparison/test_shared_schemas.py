"""Schemas that many places share, or that lead back to themselves: one row for each edit, and an end."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, Direction, Role
from tests.comparison import pairs


def test_a_shared_edit_is_one_row_per_role_with_every_operation() -> None:
    ref = {"$ref": "#/components/schemas/Thing"}
    paths = {f"/p{at}": {**pairs.get(ref), **pairs.post(ref)} for at in range(5)}
    before = {
        "Thing": {"type": "object", "properties": {"deep": {"$ref": "#/components/schemas/Deep"}}},
        "Deep": pairs.OBJECT,
    }
    after = {**before, "Deep": {**pairs.OBJECT, "required": ["a", "b"]}}
    rows = pairs.diff(pairs.document(paths, before), pairs.document(paths, after)).deltas
    assert [(row.direction, row.role, len(row.operations)) for row in rows] == [
        (Direction.WRITTEN, Role.RESPONSE, 5),
        (Direction.READ, Role.REQUEST, 5),
    ]
    assert rows[0].address == "GET /p0 > response 200 > application/json > deep > b"


def test_recursive_schemas_end() -> None:
    def made(extra: Any) -> Any:
        node = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}, "v": extra}}
        return pairs.document({"/a": pairs.get({"$ref": "#/components/schemas/Node"})}, {"Node": node})

    rows = pairs.diff(made({"type": "string"}), made({"type": "string", "maxLength": 1})).deltas
    assert [row.address for row in rows] == ["GET /a > response 200 > application/json > v"]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "not"])
def test_composition_cycles_end(keyword: str) -> None:
    ref = {"$ref": "#/components/schemas/A"}
    schemas = {
        "A": {keyword: ref if keyword == "not" else [ref, {"$ref": "#/components/schemas/B"}]},
        "B": {keyword: ref if keyword == "not" else [ref]},
    }
    other = {**schemas, "B": {**schemas["B"], "type": "object"}}
    made = [pairs.document({"/a": pairs.get(ref)}, listed) for listed in (schemas, other)]
    assert len(pairs.diff(*made).deltas) <= 3


def test_an_edit_in_a_merged_base_schema_is_one_row() -> None:
    def made(base: Any) -> Any:
        def child(at: int) -> Any:
            own = {"type": "object", "properties": {f"own{at}": {"type": "string"}}}
            return {"allOf": [{"$ref": "#/components/schemas/Base"}, own]}

        paths = {f"/p{at}": pairs.get({"$ref": f"#/components/schemas/C{at}"}) for at in range(4)}
        return pairs.document(paths, {"Base": base, **{f"C{at}": child(at) for at in range(4)}})

    rows = pairs.diff(made(pairs.OBJECT), made({**pairs.OBJECT, "properties": {"a": {"type": "string"}}})).deltas
    assert [(row.aspect, len(row.operations)) for row in rows] == [(Aspect.FIELDS, 4)]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_fan_of_references_stays_linear(keyword: str) -> None:
    def made(leaf: str) -> Any:
        def level(at: int) -> Any:
            below = {"$ref": f"#/components/schemas/S{at + 1}"}
            fields = {"type": "object", "properties": {"left": below, "right": below}}
            return {keyword: [below, below]} if at % 2 else fields

        schemas = {f"S{at}": level(at) for at in range(50)}
        schemas["S50"] = {"type": "object", "properties": {"a": {"type": leaf}}}
        return pairs.document({"/a": pairs.get({"$ref": "#/components/schemas/S0"})}, schemas)

    assert {row.facet for row in pairs.diff(made("string"), made("integer")).deltas} == {"type"}


def test_a_chain_beyond_the_merge_limit_hides_nothing() -> None:
    def made(leaf: str) -> Any:
        schemas: Any = {f"S{at}": {"allOf": [{"$ref": f"#/components/schemas/S{at + 1}"}] * 2} for at in range(150)}
        schemas["S150"] = {"type": "object", "properties": {"a": {"type": leaf}}}
        return pairs.document({"/a": pairs.get({"$ref": "#/components/schemas/S0"})}, schemas)

    assert pairs.diff(made("string"), made("integer")).deltas


def test_a_chain_of_references_hides_nothing_whatever_its_length() -> None:
    def made(length: int) -> Any:
        schemas: Any = {f"S{at}": {"$ref": f"#/components/schemas/S{at + 1}"} for at in range(1000)}
        schemas["S1000"] = {"type": "string", "maxLength": length}
        return pairs.document({"/a": pairs.get({"$ref": "#/components/schemas/S0"})}, schemas)

    assert [row.facet for row in pairs.diff(made(20), made(10)).deltas] == ["maxLength"]
