"""The lazy evaluator says what the validator says, and where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.vocabulary import Json
from evreview.schema.evaluator import Evaluator
from evreview.schema.validators import accepts

NAMES = ("a", "b", "c")
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.0, 2.5]),
    st.sampled_from(["", "a", "ab", "b1"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=6,
)
SIMPLE = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["null", "boolean", "integer", "number", "string", "array", "object", ["string", "null"]]
        ),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
        "const": SCALARS,
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.integers(-2, 3),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": st.integers(0, 2),
        "pattern": st.sampled_from(["^a", "b$", "[0-9]"]),
        "maxItems": st.integers(0, 2),
        "uniqueItems": st.booleans(),
        "minProperties": st.integers(0, 2),
        "required": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
        "dependentRequired": st.dictionaries(
            st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), unique=True), max_size=1
        ),
    },
)


def _around(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["array", "object", "string"]),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "oneOf": st.lists(inner, min_size=1, max_size=3),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "properties": st.dictionaries(st.sampled_from(NAMES), inner, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=1),
            "additionalProperties": inner,
            "propertyNames": inner,
            "dependentSchemas": st.dictionaries(st.sampled_from(NAMES), inner, max_size=1),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "contains": inner,
            "minContains": st.integers(0, 2),
            "maxContains": st.integers(0, 2),
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
            "$ref": st.just("#/$defs/shared"),
        },
    )


SCHEMAS = st.recursive(st.one_of(st.booleans(), SIMPLE), _around, max_leaves=6)


@given(SCHEMAS, SIMPLE, st.lists(VALUES, min_size=1, max_size=6))
@settings(max_examples=400, deadline=None)
def test_it_admits_what_the_validator_admits(schema: Json, shared: Json, values: list[Json]) -> None:
    definitions = {"shared": shared}
    whole = {**schema, "$defs": definitions} if isinstance(schema, dict) else schema
    evaluator = Evaluator(definitions.get)
    for value in values:
        assert evaluator.admits(schema, value) is accepts(whole, value), (whole, value)


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"properties": {"a": {"type": "string"}}}, {"a": 1}, [(("a",), "type", "")]),
        ({"required": ["a", "b"]}, {"b": 1}, [((), "required", "a")]),
        (
            {"properties": {"a": {}}, "additionalProperties": False},
            {"a": 1, "z": 1},
            [((), "additionalProperties", "z")],
        ),
        ({"items": {"$ref": "#/$defs/shared"}}, [7, "x"], [((0,), "type", "")]),
        ({"anyOf": [{"type": "null"}, {"minimum": 3}]}, 1, [((), "anyOf", "")]),
        ({"oneOf": [{}, {"minimum": 3}]}, 5, [((), "oneOf", "")]),
        ({"not": {"type": "integer"}}, 5, [((), "not", "")]),
    ],
)
def test_it_names_what_is_broken_and_where(schema: Json, value: Json, expected: list[object]) -> None:
    found = Evaluator({"shared": {"type": "string"}}.get).violations(schema, value)
    assert [(one.at, one.keyword, one.name) for one in found or ()] == expected


def test_a_union_tells_what_each_branch_refuses() -> None:
    (found,) = Evaluator({}.get).violations({"oneOf": [{"type": "null"}, {"minimum": 3, "multipleOf": 2}]}, 1) or ()
    assert [[one.keyword for one in branch] for branch in found.branches] == [["type"], ["minimum", "multipleOf"]]


@pytest.mark.parametrize(
    "schema", [{"$ref": "#/$defs/nowhere"}, {"$ref": "#/$defs/loop"}, {"type": "nonsense"}, {"required": 5}]
)
def test_it_says_nothing_of_what_it_cannot_read(schema: Json) -> None:
    assert Evaluator({"loop": {"$ref": "#/$defs/loop"}}.get).admits(schema, {}) is None


@given(SCHEMAS, SIMPLE, st.lists(VALUES, min_size=1, max_size=5), st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_what_is_remembered_changes_neither_answers_nor_steps(
    schema: Json, shared: Json, values: list[Json], steps: int
) -> None:
    definition = {"shared": shared}.get
    remembering = Evaluator(definition)
    remembering.allow(steps)
    left = steps
    for value in [*values, values, {"a": values[0], "b": values}, *values]:
        fresh = Evaluator(definition)
        fresh.allow(left)
        assert remembering.violations(schema, value) == fresh.violations(schema, value)
        left = fresh.left
        assert remembering.left == left


TAGS = st.sampled_from(["a", "b", "c", "d", 1, True])
BRANCHES = st.lists(
    st.one_of(
        st.builds(lambda tag, more: {"properties": {"kind": {"const": tag}, "a": more}}, TAGS, SIMPLE),
        st.builds(
            lambda tags: {"properties": {"kind": {"enum": tags}}, "required": ["kind"]}, st.lists(TAGS, min_size=1)
        ),
        st.builds(lambda tag: {"$ref": "#/$defs/T", "required": [tag]}, st.sampled_from(NAMES)),
        st.just({"$ref": "#/$defs/T"}),
        SIMPLE,
        st.booleans(),
    ),
    min_size=4,
    max_size=8,
)
TAGGED = st.builds(
    lambda tag, more: more if tag is None else {**more, "kind": tag},
    st.none() | TAGS,
    st.dictionaries(st.sampled_from(NAMES), SCALARS, max_size=2),
)


@settings(max_examples=400)
@given(st.sampled_from(["anyOf", "oneOf"]), BRANCHES, st.one_of(TAGGED, SCALARS))
def test_a_union_that_constants_part_is_judged_as_by_the_validator(keyword: str, branches: Json, value: Json) -> None:
    target = {"properties": {"kind": {"const": "b"}}}
    known = Evaluator({"T": target}.get).admits({keyword: branches}, value)
    assert known is accepts({keyword: branches, "$defs": {"T": target}}, value)
