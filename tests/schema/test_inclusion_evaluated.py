"""`unevaluatedProperties` above branches that decide what was evaluated: compared, and judged by another validator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.relation import include

TEXT: Json = {"type": "string"}
NAMES = ("a", "b", "x")
VALUES: tuple[Json, ...] = ("", 1, None)


def _objects() -> Iterator[Json]:
    for count in range(len(NAMES) + 1):
        for names in combinations(NAMES, count):
            for values in product(VALUES, repeat=count):
                yield dict(zip(names, values, strict=True))


OBJECTS: list[Json] = list(_objects())


def closed(more: dict[str, Json], rest: Json = False) -> Json:
    return {"type": "object", "unevaluatedProperties": rest, **more}


def named(*names: str, **more: Json) -> Json:
    return {"properties": dict.fromkeys(names, TEXT), **more}


def lone(name: str) -> Json:
    return {"properties": {name: TEXT}, "required": [name], "additionalProperties": False}


BOTH: Json = {"type": "object", **named("a", "b"), "additionalProperties": False}  # type: ignore[dict-item]
# name, left, right; whether one holds the other is what `OBJECTS` say
PAIRS: list[tuple[str, Json, Json]] = [
    (
        "branches of anyOf",
        closed({"anyOf": [named("a", required=["a"]), named("b", required=["b"])]}),
        {**BOTH, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},  # type: ignore[dict-item]
    ),
    (
        "branches of oneOf",
        closed({"oneOf": [named("a", required=["a"]), named("b", required=["b"])]}),
        {"type": "object", "oneOf": [lone("a"), lone("b")]},
    ),
    (
        "a dependent schema",
        closed({**named("a"), "dependentSchemas": {"a": named("b")}}),  # type: ignore[dict-item]
        {**BOTH, "dependentRequired": {"b": ["a"]}},  # type: ignore[dict-item]
    ),
    (
        "a condition",
        closed({"if": {"required": ["a"], "properties": {"a": {"const": 1}}}, "then": named("b")}),
        {"type": "object", "properties": {"a": {}, "b": TEXT}, "additionalProperties": False},
    ),
    (
        "a condition that fails",
        closed({"if": {"required": ["a"], "properties": {"a": TEXT}}, "else": named("b")}),
        {"anyOf": [closed({**named("a"), "required": ["a"]}), closed(named("b"))]},  # type: ignore[dict-item, arg-type]
    ),
    (
        "a branch in a branch",
        closed({"anyOf": [named("a", anyOf=[named("b", required=["b"]), {"required": ["a"]}])]}),
        {**BOTH, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},  # type: ignore[dict-item]
    ),
    (
        "a branch that looks at all members",
        closed({"anyOf": [{"required": ["a"], "additionalProperties": True}, named("b")]}),
        {"anyOf": [{"type": "object", "required": ["a"]}, closed(named("b"))]},  # type: ignore[arg-type]
    ),
    (
        "a schema for the unevaluated ones",
        closed({"anyOf": [named("a", required=["b"]), {}]}, {"type": "integer"}),
        {
            "type": "object",
            "properties": {"a": {"type": ["string", "integer"]}},
            "additionalProperties": {"type": "integer"},
        },
    ),
    (
        "a pattern where a condition holds",
        closed({"if": {"required": ["a"]}, "then": {"patternProperties": {"^[ab]$": TEXT}}, "else": named("x")}),
        {"anyOf": [closed({**named("a", "b"), "required": ["a"]}), closed(named("x"))]},  # type: ignore[dict-item, arg-type]
    ),
    (
        "a pattern in one branch",
        closed({"oneOf": [{"patternProperties": {"^[ab]$": TEXT}, "required": ["a"]}, named("x")]}),
        {"type": "object", "additionalProperties": TEXT},
    ),
    (
        "a name in one branch beside a pattern in all",
        closed({"anyOf": [named("a", required=["x"]), {}], "patternProperties": {"^x$": TEXT}}),
        closed(named("a", "x")),  # type: ignore[arg-type]
    ),
    (
        "a name in one branch that a pattern evaluates anyway",
        closed({"anyOf": [named("a", required=["x"]), {}], "patternProperties": {"^[ax]$": TEXT}}),
        closed(named("a", "x")),  # type: ignore[arg-type]
    ),
    ("what `not` says is not evaluated", closed({"not": {"not": named("a")}}), {"type": "object", "maxProperties": 0}),
    ("a reference", {"$defs": {"A": named("a")}, "$ref": "#/$defs/A", **closed({})}, closed(named("a"))),  # type: ignore[dict-item, arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("name", "left", "right"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_what_branches_evaluate_is_compared(name: str, left: Json, right: Json) -> None:
    for inner, outer in ((left, right), (right, left)):
        found = include(inner, outer)
        assert found.answer is (Tristate.NO if _against(inner, outer) else Tristate.YES)
        assert all(_refused(inner, outer, value) for value in found.witness)


def test_too_many_patterns_in_branches_stay_open() -> None:
    left = closed({"anyOf": [{"patternProperties": {f"^{name}": TEXT}, "required": [name]} for name in "abcd"]})
    found = include(left, closed({"patternProperties": {"^[abcd]": TEXT}}))
    assert found.answer is Tristate.UNKNOWN
    assert found.reason


def listed(*first: Json, **more: Json) -> Json:
    return {"type": "array", "prefixItems": list(first), "unevaluatedItems": False, **more}


MINE: Json = {"$defs": {"L": {"prefixItems": [TEXT], "minItems": 1}, "M": {"items": True}}}
# left, right; whether one holds the other is what `ARRAYS` say
ARRAYS: list[Json] = [list(items) for count in range(4) for items in product(VALUES, repeat=count)]
LISTS: list[tuple[str, dict[str, Json], Json]] = [
    ("a part", {"allOf": [{"minItems": 1}]}, {"type": "array", "minItems": 1, "maxItems": 1, "items": TEXT}),
    ("a reference that names an item", {"$ref": "#/$defs/L"}, {"type": "array", "minItems": 1, "maxItems": 1}),
    ("a reference that looks at all items", {"$ref": "#/$defs/M"}, {"type": "array", "prefixItems": [TEXT]}),
    ("branches that name none", {"anyOf": [{"minItems": 2}, {"maxItems": 1}]}, {"type": "array", "maxItems": 1}),
    ("a part that names more", {"allOf": [{"prefixItems": [True, {"type": "integer"}]}]}, {"maxItems": 2}),
]


@pytest.mark.parametrize(("name", "more", "right"), LISTS, ids=[case[0] for case in LISTS])
def test_items_that_parts_evaluate_are_compared(name: str, more: dict[str, Json], right: Json) -> None:
    left: Json = {**MINE, **listed(TEXT, **more)}  # type: ignore[dict-item]
    for inner, outer in ((left, right), (right, left)):
        found = include(inner, outer)
        against = [value for value in ARRAYS if _refused(inner, outer, value)]
        assert found.answer is (Tristate.NO if against else Tristate.YES)
        assert all(_refused(inner, outer, value) for value in found.witness)


@pytest.mark.parametrize(
    "more", [{"contains": TEXT}, {"anyOf": [{"prefixItems": [True, True]}, {"minItems": 1}]}, {"if": {"items": TEXT}}]
)
def test_items_that_values_or_branches_decide_about_stay_open(more: dict[str, Json]) -> None:
    left = listed(TEXT, **more)
    assert include({"type": "array", "minItems": 2, "prefixItems": [TEXT]}, left).answer is not Tristate.YES
    assert include(left, {"maxItems": 1}).answer is not Tristate.YES


def _refused(inner: Json, outer: Json, value: Json) -> bool:
    return Draft202012Validator(inner).is_valid(value) and not Draft202012Validator(outer).is_valid(value)  # type: ignore[arg-type]


def _against(inner: Json, outer: Json) -> list[Json]:
    inside, outside = Draft202012Validator(inner), Draft202012Validator(outer)  # type: ignore[arg-type]
    return [value for value in OBJECTS if inside.is_valid(value) and not outside.is_valid(value)]


leaf = st.sampled_from([TEXT, {}, {"type": "integer"}, False])
members = st.fixed_dictionaries(
    {"properties": st.dictionaries(st.sampled_from("ab"), leaf, max_size=2)},
    optional={
        "required": st.sampled_from([["a"], ["b"]]),
        "additionalProperties": leaf,
        "patternProperties": st.dictionaries(st.sampled_from(["^[ab]$", "^[bx]$"]), leaf, min_size=1, max_size=2),
    },
)
parts = st.one_of(
    st.builds(
        lambda keyword, branches: {keyword: branches},
        st.sampled_from(["allOf", "anyOf", "oneOf"]),
        st.lists(members, min_size=1, max_size=3),
    ),
    st.builds(lambda one, two, three: {"if": one, "then": two, "else": three}, members, members, members),
    st.builds(lambda name, one: {"dependentSchemas": {name: one}}, st.sampled_from("ab"), members),
)
judging = st.builds(
    lambda base, one, two, rest: {"type": "object", **base, **one, **two, "unevaluatedProperties": rest},
    members,
    parts,
    parts,
    st.sampled_from([False, TEXT]),
)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(judging, st.one_of(judging, members), st.booleans())
def test_no_answer_about_them_is_refuted(left: Json, other: Json, alike: bool) -> None:
    right: Json = {**left, **other} if alike else other  # type: ignore[dict-item]
    for inner, outer in ((left, right), (right, left)):
        found = include(inner, outer)
        assert all(_refused(inner, outer, value) for value in found.witness)
        if found.answer is Tristate.YES:
            assert not _against(inner, outer), json.dumps([inner, outer])
