"""Inclusion of value sets, keyword by keyword: the answer both ways, and the value that stands against it."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.relation import SubsumptionChecker, include, own_definitions

YES, NO, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN


def node(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def members(**named: Json) -> Json:
    return {"type": "object", "properties": named}


def kinds(*names: str) -> Json:
    return {
        "oneOf": [
            {"type": "object", "required": ["kind"], "properties": {"kind": {"const": name}, "v": {"type": "string"}}}
            for name in names
        ]
    }


def tree(limit: int, name: str = "T") -> Json:
    return {
        "$defs": {name: {"type": "object", "properties": {"v": {"maxLength": limit}, "sub": {"items": node(name)}}}},
        **node(name),  # type: ignore[dict-item]
    }


TEXT: Json = {"type": "string"}
SHORT: Json = {"type": "string", "maxLength": 3}
CLOSED: Json = {"type": "object", "additionalProperties": False, "properties": {"a": TEXT}}

# name, left, right, left in right, right in left
CASES: list[tuple[str, Json, Json, Tristate, Tristate]] = [
    ("type", {"type": "integer"}, {"type": ["number", "null"]}, YES, NO),
    ("whole numbers are integers", {"multipleOf": 1, "type": "number"}, {"type": "integer"}, YES, YES),
    ("enum", {"enum": ["a", 1]}, {"enum": ["a", 1.0, None]}, YES, NO),
    ("const", {"const": {"a": [1]}}, members(a={"type": "array"}), YES, NO),
    ("enum against bounds", {"enum": [1, 2, 3]}, {"type": "integer", "minimum": 1, "maximum": 3}, YES, YES),
    ("enum against pattern", {"enum": ["a", "b"]}, {"type": "string", "pattern": "^(a|b)$"}, YES, YES),
    ("booleans", {"type": "boolean"}, {"enum": [True, False]}, YES, YES),
    ("minimum", {"type": "integer", "minimum": 3}, {"type": "integer", "exclusiveMinimum": 2}, YES, YES),
    ("exclusive", {"type": "number", "exclusiveMaximum": 1}, {"type": "number", "maximum": 1}, YES, NO),
    ("multipleOf", {"type": "integer", "multipleOf": 6}, {"type": "integer", "multipleOf": 4}, NO, NO),
    ("multiples of fractions", {"type": "number", "multipleOf": 0.2}, {"type": "number", "multipleOf": 0.1}, YES, NO),
    ("empty interval", {"type": "integer", "minimum": 2, "maximum": 1}, False, YES, YES),
    ("lengths", {"type": "string", "minLength": 2, "maxLength": 3}, {"type": "string", "maxLength": 9}, YES, NO),
    ("pattern", {"type": "string", "pattern": "^[a-c]+$"}, {"type": "string", "pattern": "^[a-z]+$"}, YES, NO),
    ("pattern and length", {"type": "string", "pattern": "^[a-z]{2,4}$"}, {"type": "string", "maxLength": 4}, YES, NO),
    ("format", {"type": "string", "format": "uuid"}, {"type": "string", "minLength": 36}, YES, NO),
    ("formats", {"type": "string", "format": "uri"}, {"type": "string", "format": "uri-reference"}, YES, NO),
    ("an unknown format", {"type": "string", "format": "sku"}, TEXT, YES, UNKNOWN),
    ("password", {"type": "string", "format": "password"}, TEXT, YES, YES),
    ("items", {"type": "array", "items": SHORT}, {"type": "array", "items": TEXT}, YES, NO),
    ("prefixItems", {"type": "array", "prefixItems": [SHORT]}, {"type": "array", "prefixItems": [TEXT]}, YES, NO),
    (
        "no more items",
        {"type": "array", "prefixItems": [TEXT], "items": False},
        {"type": "array", "maxItems": 1},
        YES,
        NO,
    ),
    ("counts of items", {"type": "array", "minItems": 2, "maxItems": 3}, {"type": "array", "minItems": 1}, YES, NO),
    ("uniqueItems", {"type": "array", "maxItems": 1}, {"type": "array", "uniqueItems": True}, YES, NO),
    (
        "unequal items",
        {"type": "array", "maxItems": 2, "prefixItems": [{}], "items": TEXT},
        {"uniqueItems": True},
        NO,
        NO,
    ),
    ("contains", {"type": "array", "contains": SHORT}, {"type": "array", "contains": TEXT}, YES, NO),
    ("items contained", {"type": "array", "minItems": 1, "items": TEXT}, {"type": "array", "contains": TEXT}, YES, NO),
    (
        "maxContains",
        {"type": "array", "contains": TEXT, "maxContains": 1},
        {"type": "array", "contains": TEXT, "maxContains": 2},
        YES,
        NO,
    ),
    ("properties", members(a=SHORT), members(a=TEXT), YES, NO),
    ("required", {**members(a=TEXT), "required": ["a"]}, members(a=TEXT), YES, NO),  # type: ignore[dict-item]
    ("closed", CLOSED, members(a=TEXT), YES, NO),
    ("closed against a map", CLOSED, {"type": "object", "additionalProperties": TEXT}, YES, NO),
    (
        "patternProperties",
        {"type": "object", "patternProperties": {"^x": SHORT}},
        {"type": "object", "patternProperties": {"^xy": TEXT}},
        YES,
        NO,
    ),
    (
        "propertyNames",
        {"type": "object", "propertyNames": {"enum": ["a"]}, "additionalProperties": TEXT},
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": False},
        YES,
        YES,
    ),
    ("counts of members", {"type": "object", "required": ["a", "b"]}, {"type": "object", "minProperties": 2}, YES, NO),
    ("closed counts", CLOSED, {"type": "object", "maxProperties": 1}, YES, NO),
    (
        "dependentRequired",
        {"type": "object", "required": ["b"]},
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        YES,
        NO,
    ),
    (
        "dependentSchemas",
        {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}},
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        YES,
        YES,
    ),
    (
        "unevaluatedProperties",
        {"type": "object", "allOf": [{"properties": {"a": TEXT}}], "unevaluatedProperties": False},
        CLOSED,
        YES,
        YES,
    ),
    ("allOf", {"allOf": [SHORT, {"minLength": 1}]}, {"type": "string", "minLength": 1, "maxLength": 3}, YES, YES),
    ("anyOf", {"anyOf": [SHORT, {"type": "null"}]}, {"anyOf": [{"type": "null"}, TEXT]}, YES, NO),
    ("anyOf of one type", {"type": "string"}, {"anyOf": [SHORT, {"type": "string", "minLength": 4}]}, YES, YES),
    (
        "anyOf of intervals",
        {"type": "integer"},
        {"anyOf": [{"minimum": 1}, {"type": "integer", "maximum": 0}]},
        YES,
        NO,
    ),
    ("oneOf of kinds", kinds("a", "b"), kinds("c", "b", "a"), YES, NO),
    ("a kind in one object", members(kind={"const": "a"}), {"oneOf": [members(kind={"const": "a"}), TEXT]}, YES, NO),
    ("kinds listed", {**members(kind={"enum": ["a", "b"]}), "required": ["kind"]}, kinds("a", "b"), NO, YES),  # type: ignore[dict-item]
    ("oneOf that meets twice", {"enum": [1]}, {"oneOf": [{"type": "integer"}, {"minimum": 0}]}, NO, NO),
    ("oneOf beside anything", {"oneOf": [{"minimum": 1}, {}]}, {"oneOf": [{}, {"minimum": 3}]}, YES, NO),
    ("not", {"not": TEXT}, {"not": SHORT}, YES, NO),
    ("negated twice", {"not": {"not": SHORT}}, SHORT, YES, YES),
    ("negated twice across a branch", {"not": {"anyOf": [{"not": SHORT}, {"type": "number"}]}}, TEXT, YES, NO),
    ("negated twice behind a name", {"$defs": {"A": {"not": SHORT}}, "not": node("A")}, SHORT, YES, YES),
    (
        "not of an enum",
        {"type": "string", "not": {"enum": ["a", "b"]}},
        {"type": "string", "not": {"const": "a"}},
        YES,
        NO,
    ),
    (
        "if",
        {"if": {"type": "string"}, "then": SHORT, "else": {"type": "null"}},
        {"anyOf": [{"type": "null"}, SHORT]},
        YES,
        YES,
    ),
    ("recursion", tree(3), tree(4), YES, NO),
    ("renamed recursion", tree(3), tree(3, "Renamed"), YES, YES),
    ("nothing finite", {"$defs": {"A": {**members(n=node("A")), "required": ["n"]}}, **node("A")}, False, YES, YES),  # type: ignore[dict-item]
]


@pytest.mark.parametrize(("name", "left", "right", "forth", "back"), CASES, ids=[case[0] for case in CASES])
def test_both_directions_and_the_value_against(
    name: str, left: Json, right: Json, forth: Tristate, back: Tristate
) -> None:
    for inner, outer, answer in ((left, right, forth), (right, left, back)):
        found = include(inner, outer)
        assert found.answer is answer
        assert (len(found.witness) == 1) is (answer is NO)
        assert bool(found.reason) is (answer is UNKNOWN)
        for value in found.witness:
            assert Draft202012Validator(inner, format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(value)  # type: ignore[arg-type]
            assert not Draft202012Validator(outer, format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(value)  # type: ignore[arg-type]


OPEN = members(a=TEXT)
MORE = members(a=TEXT, b=TEXT)
# name, left, right, answer, whether it rests on declared members
DECLARED: list[tuple[str, Json, Json, Tristate, bool]] = [
    ("a member that one side declares", OPEN, MORE, YES, True),
    ("nothing is assumed of what is declared", MORE, OPEN, YES, False),
    ("openness that is written", {**OPEN, "additionalProperties": True}, MORE, NO, False),  # type: ignore[dict-item]
    ("a map", {"type": "object", "additionalProperties": {"type": "integer"}}, MORE, NO, False),
    ("a free-form object", {"type": "object"}, MORE, NO, False),
    ("an object that owes a member only", {"type": "object", "required": ["a"]}, members(b=TEXT), YES, True),
    ("anything at all", {}, MORE, NO, False),
    ("mentioned by a condition", {**OPEN, "if": MORE, "then": MORE}, members(b={"maxLength": 0}), NO, False),  # type: ignore[dict-item]
    ("mentioned by another branch", {"anyOf": [MORE, OPEN], "type": "object"}, members(b=TEXT), NO, False),
    (
        "named in the branch",
        {"oneOf": [MORE, {"type": "null"}]},
        {"oneOf": [members(b={}, a=SHORT), {"type": "null"}]},
        NO,
        False,
    ),
    ("of a name that a pattern matches", OPEN, {"type": "object", "patternProperties": {"^b": TEXT}}, NO, False),
    ("closing is no declaration", OPEN, CLOSED, NO, False),
    ("below a member", members(x=OPEN), members(x=MORE), YES, True),
    ("below an array", {"type": "array", "items": OPEN}, {"type": "array", "items": MORE}, YES, True),
    ("a member that has to be there", OPEN, {**MORE, "required": ["b"]}, NO, False),  # type: ignore[dict-item]
]


@pytest.mark.parametrize(("name", "left", "right", "answer", "assumed"), DECLARED, ids=[case[0] for case in DECLARED])
def test_open_objects_carry_declared_members(
    name: str, left: Json, right: Json, answer: Tristate, assumed: bool
) -> None:
    found = include(left, right, declared=True)
    assert (found.answer, found.assumed) == (answer, assumed)
    if assumed:
        assert include(left, right, declared=False).answer is NO


def test_one_member_is_compared_by_what_both_sides_say_of_it() -> None:
    left: Json = {"type": "object", "properties": {"a": SHORT, "c": TEXT}, "additionalProperties": {"type": "integer"}}
    right: Json = {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "additionalProperties": False}
    engine = SubsumptionChecker(own_definitions(left), own_definitions(right))
    said = {name: engine.member(left, right, name).answer for name in "abc"}
    assert said == {"a": YES, "b": NO, "c": NO}


def test_components_of_one_name_may_count_as_the_same() -> None:
    left: Json = {"$defs": {"S": SHORT}, "type": "object", "properties": {"s": node("S")}}
    right: Json = {"$defs": {"S": {"type": "null"}}, "type": "object", "properties": {"s": node("S")}}
    sides = own_definitions(left), own_definitions(right)
    assert SubsumptionChecker(*sides).decide(left, right).answer is NO
    assert SubsumptionChecker(*sides, shared=True).decide(left, right).answer is YES
    assert not SubsumptionChecker(*sides).alike(left, right)
    assert SubsumptionChecker(*sides, shared=True).alike(left, right)


def test_the_same_question_has_the_same_answer_and_value() -> None:
    left, right = kinds("a", "b", "c"), kinds("a", "b")
    assert include(left, right) == include(left, right)
    assert include(left, right).witness == ({"kind": "c"},)
