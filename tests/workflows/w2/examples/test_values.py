"""Values of schemas: valid by two validators asked directly, readable, invented, and the same every time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.redaction.redactor import Redactor
from evreview.workflows.w2.examples.scalar_values import FORMATS, NUMBERS, TEXTS, Preference, preferred, snake_case
from evreview.workflows.w2.facts import Omitted, Why
from tests.workflows.w2.examples.subjects import both, holds, posting, shown


def thing(required: str = "", **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
REF = {"$ref": "#/components/schemas/Node"}

ADMITTED: dict[str, Any] = {
    "true": True,
    "anything": {},
    "boolean": {"type": "boolean"},
    "null": {"type": "null"},
    "null-too": {"type": ["string", "null"]},
    "const": {"const": "only"},
    "enum": {"enum": [None, "b", "a"]},
    "pattern": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
    "pattern-unanchored": {"type": "string", "pattern": "[0-9]{2}x"},
    "pattern-and-length": {"type": "string", "pattern": "^[a-f]+$", "minLength": 9, "maxLength": 12},
    "pattern-of-choices": {"type": "string", "pattern": "^(red|green)-(light|dark)$"},
    "pattern-with-lookahead": {"type": "string", "pattern": "^(?!a).+$"},
    "long": {"type": "string", "minLength": 300},
    "short": {"type": "string", "maxLength": 2},
    "exactly": {"type": "string", "minLength": 5, "maxLength": 5},
    "bounds": {"type": "integer", "minimum": 41, "maximum": 43},
    "exclusive": {"type": "number", "exclusiveMinimum": 0.25, "exclusiveMaximum": 0.5},
    "negative": {"type": "integer", "maximum": -7},
    "multiple": {"type": "integer", "multipleOf": 7, "minimum": 50},
    "multiple-fraction": {"type": "number", "multipleOf": 0.25, "minimum": 0.6},
    "items": {"type": "array", "items": WHOLE, "minItems": 3},
    "unique-numbers": {"type": "array", "items": WHOLE, "minItems": 4, "uniqueItems": True},
    "unique-texts": {"type": "array", "items": TEXT, "minItems": 3, "uniqueItems": True},
    "unique-enum": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": True},
    "unique-objects": {"type": "array", "items": thing("a", a=TEXT), "minItems": 2, "uniqueItems": True},
    "empty-list": {"type": "array", "items": TEXT, "maxItems": 0},
    "contains": {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 100}, "minContains": 2},
    "tuple": {"type": "array", "prefixItems": [TEXT, WHOLE], "items": False, "minItems": 2},
    "tuple-and-rest": {"type": "array", "prefixItems": [TEXT], "items": WHOLE, "minItems": 3},
    "required": thing("a b", a=TEXT, c=WHOLE),
    "closed": {**thing("a", a=TEXT), "additionalProperties": False},
    "unevaluated": {"allOf": [thing("a", a=TEXT)], "unevaluatedProperties": False},
    "map": {"type": "object", "additionalProperties": WHOLE, "minProperties": 2},
    "map-of-names": {"type": "object", "propertyNames": {"pattern": "^x-[a-z]+$"}, "minProperties": 1},
    "map-of-pattern": {
        "type": "object",
        "patternProperties": {"^k[0-9]$": WHOLE},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "few-members": {**thing("", a=TEXT, b=TEXT, c=TEXT), "maxProperties": 1},
    "dependent": {**thing("a", a=TEXT, b=WHOLE), "dependentRequired": {"a": ["b"]}},
    "dependent-schema": {**thing("a", a=TEXT), "dependentSchemas": {"a": thing("z", z=WHOLE)}},
    "condition": {
        **thing("kind", kind={"enum": ["card", "bank"]}),
        "if": {"properties": {"kind": {"const": "card"}}},
        "then": thing("last4", last4={"type": "string", "pattern": "^[0-9]{4}$"}),
        "else": thing("bank", bank=TEXT),
    },
    "condition-on-value": {
        **thing("size", size=WHOLE),
        "if": {"properties": {"size": {"minimum": 0}}},
        "then": {"properties": {"size": {"multipleOf": 9, "minimum": 9}}},
    },
    "not": {"type": "string", "not": {"enum": ["example", "a"]}},
    "not-a-member": {**thing("a", a=TEXT, b=TEXT), "not": {"required": ["b"]}},
    "one-of-exactly": {"oneOf": [thing("a", a=TEXT), {**thing("a b", a=TEXT, b=TEXT)}]},
    "one-of-overlapping": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 0}]},
    "any-of": {"anyOf": [thing("a", a=TEXT), thing("b", b=WHOLE)]},
    "any-of-required": {**thing("", a=TEXT, b=TEXT), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "all-of": {"allOf": [thing("a", a=TEXT), thing("b", b=WHOLE), {"properties": {"a": {"maxLength": 3}}}]},
    "all-of-bounds": {"allOf": [{"type": "integer", "minimum": 10}, {"maximum": 10}]},
    "nested": thing("a", a=thing("b", b=thing("c", c={"type": "array", "items": TEXT, "minItems": 1}))),
    **{f"format-{name}": {"type": "string", "format": name} for name in FORMATS},
}
"""Schemas that some value meets."""


@pytest.mark.parametrize("schema", ADMITTED.values(), ids=ADMITTED)
def test_schema_that_can_be_met_gets_a_valid_value(schema: Any) -> None:
    for found in both(posting(schema)):
        example = shown(found)
        assert holds(schema, example.values["body"]), example.body
        assert example.accepted_by == ("jsonschema-rs", "jsonschema")
        assert json.loads(example.body) == example.values["body"]


RECURSIVE: dict[str, Any] = {
    "list": thing("id", id=WHOLE, next=REF),
    "tree": thing("id children", id=WHOLE, children={"type": "array", "items": REF}),
    "map": thing("by", by={"type": "object", "additionalProperties": REF}),
    "or-null": thing("next", next={"anyOf": [REF, {"type": "null"}]}),
    "or-leaf": {"oneOf": [thing("left right", left=REF, right=REF), {"type": "integer"}]},
}


@pytest.mark.parametrize("node", RECURSIVE.values(), ids=RECURSIVE)
def test_recursive_schema_gets_a_finite_value(node: Any) -> None:
    for found in both(posting(REF, components={"Node": node})):
        value = shown(found).values["body"]
        assert holds(REF, value, {"Node": node})
        assert len(json.dumps(value)) < 1000


UNMET: dict[str, tuple[Any, Why]] = {
    "false": (False, Why.UNSATISFIABLE),
    "no-number-between": ({"type": "integer", "minimum": 3, "maximum": 2}, Why.UNSATISFIABLE),
    "two-types": ({"allOf": [{"type": "string"}, {"type": "integer"}]}, Why.UNSATISFIABLE),
    "required-and-false": ({"type": "object", "required": ["a"], "properties": {"a": False}}, Why.UNSATISFIABLE),
    "many-items": ({"type": "array", "items": TEXT, "minItems": 10**7}, Why.TOO_LARGE),
    "many-signs": ({"type": "string", "minLength": 10**9}, Why.TOO_LARGE),
    "many-members": ({"type": "object", "minProperties": 10**6}, Why.TOO_LARGE),
    "deep-inside": (thing("a", a=thing("b", b={"type": "string", "minLength": 10**9})), Why.TOO_LARGE),
    "contradicting-patterns": (
        {"type": "string", "allOf": [{"pattern": "^(?=a)[a-z]+$"}, {"pattern": "^(?=b)[a-z]+$"}]},
        Why.UNSATISFIABLE,
    ),
    "classes-that-nobody-here-compares": (
        {"type": "string", "allOf": [{"pattern": "^\\p{Lu}$"}, {"pattern": "^\\p{Ll}$"}]},
        Why.NOT_FOUND,
    ),
}


@pytest.mark.parametrize(("schema", "why"), UNMET.values(), ids=UNMET)
def test_schema_that_is_not_met_says_why(schema: Any, why: Why) -> None:
    found, _ = both(posting(schema))
    assert isinstance(found, Omitted)
    assert (found.why, found.part) == (why, "body")
    assert found.reason


READABLE: dict[str, tuple[Any, Any]] = {
    "orderId": (TEXT, "example-id-1"),
    "id": (WHOLE, 1001),
    "contactEmail": (TEXT, "user@example.com"),
    "name": (TEXT, "Example name"),
    "firstName": (TEXT, "Sample"),
    "created_at": (TEXT, "2024-01-31T12:00:00Z"),
    "birthday": ({"type": "string", "format": "date"}, "2024-01-31"),
    "avatar_url": (TEXT, "https://example.com/resource"),
    "currency": ({"type": "string", "pattern": "^[a-z]{3}$"}, "eur"),
    "country": ({"type": "string", "minLength": 2, "maxLength": 2}, "NL"),
    "unitPrice": ({"type": "number"}, 19.99),
    "description": (TEXT, "A short example text."),
    "requestUuid": (TEXT, "00000000-0000-4000-8000-000000000001"),
    "remote_ip": (TEXT, "192.0.2.1"),
    "phone": (TEXT, "+1 202-555-0143"),
    "access_token": (TEXT, "<access-token>"),
    "client_secret": (TEXT, "<secret>"),
    "password": (TEXT, "<password>"),
    "limit": ({"type": "integer", "minimum": 1, "maximum": 100}, 20),
    "status": ({"enum": ["open", "closed"]}, "open"),
    "favourite": (TEXT, "example favourite"),
    "enabled": ({"type": "boolean"}, True),
    "tags": ({"type": "array", "items": TEXT}, ["example tag"]),
}


def test_names_and_formats_guide_the_values() -> None:
    schema = thing(" ".join(READABLE), **{name: given for name, (given, _) in READABLE.items()})
    assert shown(both(posting(schema))[1]).values["body"] == {name: value for name, (_, value) in READABLE.items()}


@pytest.mark.parametrize("rule", [*TEXTS, *NUMBERS], ids=lambda rule: rule.id)
def test_rule_speaks_of_its_example_only(rule: Preference) -> None:
    assert preferred(rule.example, numeric=rule in NUMBERS) == rule.values
    assert not rule.speaks_of(snake_case(rule.counter_example))
    assert rule.why


def test_ids_of_rules_are_unique() -> None:
    ids = [rule.id for rule in (*TEXTS, *NUMBERS)]
    assert len(ids) == len(set(ids))


def test_redactor_reports_no_preferred_value() -> None:
    redactor = Redactor()
    named = [(rule.example, value) for rule in (*TEXTS, *NUMBERS) for value in rule.values]
    named += [(name, value) for name, values in FORMATS.items() for value in values]
    for name, value in named:
        text = json.dumps({name: value}, indent=2)
        assert redactor.clean(text) == text


@pytest.mark.parametrize("name", ["password", "api_key", "token", "secret", "authorization", "account_number"])
@pytest.mark.parametrize(
    "limit", [{"minLength": 32}, {"pattern": "^[A-Za-z0-9]{24}$"}, {"pattern": "^sk_[a-z0-9]{20,40}$"}]
)
def test_secrets_are_placeholders_whatever_their_form(name: str, limit: Any) -> None:
    schema = thing(name, **{name: {"type": "string", **limit}})
    example = shown(both(posting(schema))[0])
    assert Redactor().clean(example.body) == example.body
    assert holds(schema, example.values["body"])


def test_same_contract_gives_the_same_examples() -> None:
    schema = thing("a", a=REF, tags={"type": "array", "items": REF, "uniqueItems": True, "minItems": 2})
    node = thing("id", id=TEXT, next=REF, kind={"enum": ["x", "y"]})
    assert both(posting(schema, components={"Node": node})) == both(posting(schema, components={"Node": node}))
