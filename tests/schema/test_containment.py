"""The behaviours of the experimental canonical form that verdicts rest on, and the witnesses found beside it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.boundary_values import BoundaryValues
from evreview.schema.subsumption.relation import canonical_answer, compare_sets
from evreview.schema.validators import accepts

YES, NO, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN
LIST: Json = {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}, "v": {"type": "string"}}}


def recursive(limit: int) -> Json:
    return {
        "$defs": {"N": LIST},
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/N"}, "b": {"type": "string", "maxLength": limit}},
    }


PINNED: list[tuple[str, Json, Json, Tristate, Tristate]] = [
    ("enum subset", {"enum": ["a"]}, {"enum": ["a", "b"]}, YES, NO),
    ("enum as oneOf of const", {"enum": [1, 2]}, {"oneOf": [{"const": 1}, {"const": 2}]}, YES, YES),
    ("null spelled twice", {"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, YES, YES),
    (
        "allOf inlined",
        {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"b": {"type": "integer"}}}]},
        {"type": "object", "required": ["a"], "properties": {"b": {"type": "integer"}}},
        YES,
        YES,
    ),
    ("lengths", {"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 4}, YES, NO),
    ("exclusive bound", {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0}, YES, NO),
    ("unique items", {"type": "array", "uniqueItems": True}, {"type": "array"}, YES, NO),
    ("format against none", {"type": "string", "format": "date"}, {"type": "string"}, YES, NO),
    ("two formats", {"type": "string", "format": "date"}, {"type": "string", "format": "uuid"}, NO, NO),
    ("required", {"type": "object", "required": ["a"]}, {"type": "object"}, YES, NO),
    (
        "negation turns round",
        {"not": {"type": "string", "maxLength": 4}},
        {"not": {"type": "string", "maxLength": 3}},
        YES,
        NO,
    ),
    ("shared recursion", recursive(5), recursive(6), YES, NO),
    ("bottom and top", False, True, YES, NO),
    ("two patterns", {"type": "string", "pattern": "^a$"}, {"type": "string", "pattern": "^[ab]$"}, YES, NO),
]


@pytest.mark.parametrize(("name", "left", "right", "forth", "back"), PINNED, ids=[row[0] for row in PINNED])
def test_pinned_answers(name: str, left: Json, right: Json, forth: Tristate, back: Tristate) -> None:
    found = compare_sets(left, right)
    assert (found.released_in_candidate, found.candidate_in_released) == (forth, back)
    assert bool(found.reason) is (UNKNOWN in (forth, back))


@pytest.mark.parametrize("broken", [{"type": "string", "pattern": "("}, {"$ref": "https://example.test/x"}])
def test_what_cannot_be_modelled_is_unknown_with_a_reason(broken: Json) -> None:
    found = compare_sets(broken, {"type": "string"})
    assert found.equal is UNKNOWN
    assert found.reason


LEFT_TO_THE_CANONICAL_FORM: list[tuple[str, Json, Json, Tristate]] = [
    ("numbers", {"type": "integer", "minimum": 3}, {"type": "number", "minimum": 2}, YES),
    ("lengths", {"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 2}, NO),
    ("two patterns", {"type": "string", "pattern": "^a$"}, {"type": "string", "pattern": "^[ab]$"}, UNKNOWN),
    ("an invalid pattern", {"type": "string", "pattern": "("}, {"type": "string"}, UNKNOWN),
    ("an unknown format", {"enum": [""]}, {"type": "string", "format": "money", "maxLength": 0}, UNKNOWN),
    ("a foreign reference", {"$ref": "https://example.test/x"}, {"type": "string"}, UNKNOWN),
]


@pytest.mark.parametrize(
    ("name", "narrow", "wide", "answer"), LEFT_TO_THE_CANONICAL_FORM, ids=[row[0] for row in LEFT_TO_THE_CANONICAL_FORM]
)
def test_what_the_canonical_form_says_where_it_is_asked(name: str, narrow: Json, wide: Json, answer: Tristate) -> None:
    assert canonical_answer(narrow, wide) is answer


def find_witness(inside: Json, outside: Json) -> tuple[Json] | None:
    """The first sampled value that `inside` admits and `outside` refuses."""
    values = BoundaryValues(lambda name: None).values(inside, outside)
    return next(((value,) for value in values if accepts(inside, value) and accepts(outside, value) is False), None)


WITNESSED: list[tuple[Json, Json, Json]] = [
    ({"type": "string"}, {"type": "string", "maxLength": 3}, "aaaa"),
    ({"type": "string", "pattern": "^[ab]$"}, {"type": "string", "pattern": "^a$"}, "b"),
    ({"type": "integer", "minimum": 3}, {"type": "integer", "exclusiveMinimum": 3}, 3),
    ({"multipleOf": 2}, {"multipleOf": 3}, 2),
    ({"type": "number"}, {"type": "integer"}, 0.5),
    ({"type": "object"}, {"type": "object", "required": ["a"]}, {}),
    ({"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer"}}, [""]),
    ({"type": "array"}, {"type": "array", "uniqueItems": True}, [0, 0]),
    ({"type": "object"}, {"type": "object", "maxProperties": 1}, {"x0": 0, "x1": 0}),
    ({"enum": ["new", "paid"]}, {"enum": ["new"]}, "paid"),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "string"}, 0),
]


@pytest.mark.parametrize(("inside", "outside", "value"), WITNESSED)
def test_witnesses_are_small_and_stable(inside: Json, outside: Json, value: Json) -> None:
    assert find_witness(inside, outside) == (value,)


SCALARS = st.one_of(
    st.builds(
        lambda low, high: {"type": "integer", "minimum": low, "maximum": high}, st.integers(-5, 5), st.integers(-5, 5)
    ),
    st.builds(
        lambda low, high: {"type": "string", "minLength": low, "maxLength": high}, st.integers(0, 4), st.integers(0, 4)
    ),
    st.lists(st.sampled_from(["a", "b", 1, None, True]), min_size=1, unique_by=repr).map(
        lambda values: {"enum": values}
    ),
    st.sampled_from([True, {"type": ["string", "null"]}, {"type": "boolean"}, {"type": "number", "multipleOf": 2}]),
)
OBJECTS = st.builds(
    lambda members, required: {"type": "object", "properties": members, "required": sorted(required)},
    st.dictionaries(st.sampled_from("ab"), SCALARS),
    st.sets(st.sampled_from("ab")),
)
SCHEMAS = st.one_of(SCALARS, OBJECTS, SCALARS.map(lambda items: {"type": "array", "items": items}))


@given(SCHEMAS, SCHEMAS)
@settings(max_examples=150, deadline=None)
def test_a_witness_and_a_proof_never_contradict(left: Json, right: Json) -> None:
    witness = find_witness(left, right)
    if witness is not None:
        assert accepts(left, witness[0]) is True
        assert accepts(right, witness[0]) is False
        assert compare_sets(left, right).released_in_candidate is not YES


@given(SCHEMAS, SCHEMAS)
@settings(max_examples=150, deadline=None)
def test_turning_the_pair_round_turns_the_answer_round(left: Json, right: Json) -> None:
    forth, back = compare_sets(left, right), compare_sets(right, left)
    assert forth.released_in_candidate is back.candidate_in_released
    assert forth.equal is back.equal
