"""Every row of a property says whether the released contract requires the property."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.delta import Delta
from tests.comparison.pairs import Doc, diff, document, get, json_body, post

TEXT: Doc = {"type": "string"}
NULL: Doc = {"type": "string", "nullable": True}
REF: Doc = {"$ref": "#/components/schemas/Money"}


def holder(field: Any, *, required: bool = True, **more: Any) -> Doc:
    return {"type": "object", "properties": {"a": field}, **({"required": ["a"]} if required else {}), **more}


def rows(released: Doc, candidate: Doc) -> tuple[Delta, ...]:
    return diff(released, candidate).deltas


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize(
    ("before", "after", "facet"),
    [
        pytest.param(TEXT, NULL, "nullable", id="nullability"),
        pytest.param({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a", "b"]}, "enum", id="enum"),
        pytest.param(TEXT, {"type": "integer"}, "type", id="type"),
        pytest.param({"type": "integer"}, {"type": "integer", "maximum": 3}, "maximum", id="bound"),
        pytest.param(TEXT, {**TEXT, "default": "x"}, "default", id="default"),
        pytest.param(TEXT, {**TEXT, "pattern": "^x"}, "pattern", id="pattern"),
    ],
)
def test_a_changed_property(before: Doc, after: Doc, facet: str, required: bool) -> None:
    sides = [document({"/orders": get(holder(field, required=required))}) for field in (before, after)]
    (delta,) = rows(*sides)
    assert (delta.facet, delta.facts["required"]) == (facet, required)


def test_the_released_side_counts() -> None:
    found = rows(document({"/orders": get(holder(TEXT))}), document({"/orders": get(holder(NULL, required=False))}))
    assert {delta.facet: delta.facts["required"] for delta in found} == {"nullable": True, "required": True}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param(holder(REF), True, id="required"),
        pytest.param(holder(REF, required=False), False, id="optional"),
        pytest.param({"type": "object", "required": ["a", "b"], "properties": {"a": REF, "b": REF}}, True, id="agree"),
        pytest.param({"type": "object", "required": ["a"], "properties": {"a": REF, "b": REF}}, None, id="disagree"),
        pytest.param(REF, None, id="whole-body"),
        pytest.param(holder({"type": "array", "items": REF}), None, id="item"),
        pytest.param({"anyOf": [holder(REF), REF]}, None, id="branch"),
        pytest.param({"allOf": [holder(REF, required=False), {"required": ["a"]}]}, True, id="required-by-the-whole"),
        pytest.param({"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["a"]}]}, True, id="merged-base"),
    ],
)
def test_a_shared_schema_answers_when_its_uses_agree(schema: Doc, expected: bool | None) -> None:
    base = holder(REF, required=False)
    sides = [document({"/orders": get(schema)}, {"Money": money, "Base": base}) for money in (TEXT, NULL)]
    (delta,) = rows(*sides)
    assert delta.facts.get("required") is expected


def test_each_message_answers_for_itself() -> None:
    sides = [
        document({"/orders": {**get(holder(REF)), **post(holder(REF, required=False))}}, {"Money": money})
        for money in (TEXT, NULL)
    ]
    assert {delta.role: delta.facts["required"] for delta in rows(*sides)} == {"response": True, "request": False}


def test_a_recursive_schema_disagrees_with_itself() -> None:
    node = holder({"$ref": "#/components/schemas/Node"}, required=False)
    sides = [
        document({"/orders": {"get": {"responses": {"200": {"description": "ok", **json_body(holder(part))}}}}}, found)
        for part, found in (
            ({"$ref": "#/components/schemas/Node"}, {"Node": node}),
            ({"$ref": "#/components/schemas/Node"}, {"Node": {**node, "maxProperties": 2}}),
        )
    ]
    (delta,) = rows(*sides)
    assert delta.facet == "maxProperties" and "required" not in delta.facts


A: Doc = {"a": TEXT}
DEMANDS: Doc = {"required": ["a"]}
# a member that one side describes and the other one demands: the facets of the rows
ONE_SIDED = [
    pytest.param({"properties": A}, DEMANDS, {"", "required"}, id="no longer described, demanded now"),
    pytest.param(DEMANDS, {"properties": A}, {"", "required"}, id="described now, no longer demanded"),
    pytest.param({"properties": A}, {"allOf": [{"type": "object"}, DEMANDS]}, {"", "required"}, id="in a part"),
    pytest.param({"properties": A, **DEMANDS}, DEMANDS, {""}, id="demanded on both sides"),
    pytest.param({"properties": A, **DEMANDS}, {}, {""}, id="gone, with the demand"),
    pytest.param({}, {"properties": A, **DEMANDS}, {""}, id="come, with the demand"),
]


@pytest.mark.parametrize(("before", "after", "facets"), ONE_SIDED)
def test_what_the_other_side_demands_of_a_member_has_its_own_row(before: Doc, after: Doc, facets: set[str]) -> None:
    sides = [document({"/orders": get({"type": "object", **schema})}) for schema in (before, after)]
    assert sorted(delta.facet for delta in rows(*sides)) == sorted(facets)
