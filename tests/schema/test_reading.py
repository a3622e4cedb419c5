"""A node is read keyword by keyword: each keyword that it holds reaches the view, whatever stands beside it."""

from __future__ import annotations

import pytest

from evreview.contract.model import Place, SchemaDialect
from evreview.core.vocabulary import Json
from evreview.schema.reader import read_node
from evreview.schema.view import Part, SchemaView

PLACE = Place("a.json", "/s")
TEXT: Json = {"type": "string"}
KEYWORDS: list[tuple[dict[str, Json], str]] = [
    ({"required": ["a"]}, "required"),
    ({"properties": {"a": TEXT}}, "properties"),
    ({"patternProperties": {"a": TEXT}}, "patterns"),
    ({"additionalProperties": TEXT}, "additional"),
    ({"unevaluatedProperties": False}, "unevaluated_properties"),
    ({"unevaluatedItems": TEXT}, "unevaluated_items"),
    ({"propertyNames": TEXT}, "property_names"),
    ({"contains": TEXT}, "contains"),
    ({"not": TEXT}, "negated"),
    ({"allOf": [TEXT]}, "all_of"),
    ({"anyOf": [TEXT]}, "any_of"),
    ({"oneOf": [TEXT]}, "one_of"),
    ({"discriminator": {"propertyName": "a"}}, "discriminator"),
    ({"items": TEXT}, "items"),
    ({"items": [TEXT]}, "prefix"),
    ({"items": [TEXT], "additionalItems": False}, "items"),
    ({"prefixItems": [TEXT]}, "prefix"),
    ({"if": TEXT, "then": TEXT}, "conditional"),
    ({"dependentSchemas": {"a": TEXT}}, "dependent_schemas"),
    ({"dependencies": {"a": TEXT}}, "dependent_schemas"),
    ({"dependencies": {"a": ["b"]}}, "dependent_required"),
    ({"dependentRequired": {"a": ["b"]}}, "dependent_required"),
    ({"minimum": 1}, "minimum"),
    ({"exclusiveMaximum": 1}, "maximum"),
    ({"pattern": "a"}, "keywords"),
    ({"$ref": "#/a"}, "keywords"),
    ({"title": "a", "x-b": 1}, "annotations"),
]


@pytest.mark.parametrize(("node", "slot"), KEYWORDS)
def test_each_keyword_fills_its_slot(node: dict[str, Json], slot: str) -> None:
    read = getattr(read_node(Part(node, PLACE), SchemaDialect.OPENAPI_3_1), slot)
    assert read != getattr(SchemaView(), slot)


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_keywords_and_what_stands_beside_them_change_nothing(turned: bool) -> None:
    alone = {slot: node for node, slot in KEYWORDS if slot not in ("items", "prefix")}
    listed = sorted(alone.values(), key=repr, reverse=turned)
    together = {keyword: value for node in listed for keyword, value in node.items()}
    view = read_node(Part(together, PLACE), SchemaDialect.OPENAPI_3_1)
    for slot, node in alone.items():
        own = getattr(read_node(Part(node, PLACE), SchemaDialect.OPENAPI_3_1), slot)
        read = getattr(view, slot)
        assert all(read[name] == own[name] for name in own) if isinstance(own, dict) else read == own
