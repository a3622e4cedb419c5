"""Names of members: every pair of a small space of objects against the values that an independent validator admits."""

from __future__ import annotations

from itertools import product

from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.relation import include

TEXT: Json = {"type": "string"}
NAMES: list[Json] = [True, {"minLength": 2}, {"pattern": "^x"}, {"pattern": "b$", "maxLength": 2}]
PATTERNS: list[Json] = [{}, {"^x": TEXT}, {"b$": TEXT}, {"^x": False}, {"^x": TEXT, "b$": False}]
OTHERS: list[Json] = [True, False]
VALUES: list[Json] = [
    {},
    *({name: value} for name in ("x", "b", "a", "xa", "ab", "xb", "xab", "aab", "aaa") for value in (0, "")),
    {"x": 0, "xb": ""},
]
SCHEMAS: list[dict[str, Json]] = [
    {"type": "object", "propertyNames": names, "patternProperties": patterns, "additionalProperties": others}
    for names, patterns, others in product(NAMES, PATTERNS, OTHERS)
]
ADMITTED = [
    frozenset(at for at, value in enumerate(VALUES) if Draft202012Validator(schema).is_valid(value))
    for schema in SCHEMAS
]


def test_no_sampled_name_stands_for_all() -> None:
    decided = 0
    for (left, inside), (right, outside) in product(zip(SCHEMAS, ADMITTED, strict=True), repeat=2):
        found = include(left, right)
        decided += found.answer is not Tristate.UNKNOWN
        if found.answer is Tristate.YES:
            assert inside <= outside, (left, right, VALUES[min(inside - outside)])
        for value in found.witness:
            assert Draft202012Validator(left).is_valid(value), (left, right, value)
            assert not Draft202012Validator(right).is_valid(value), (left, right, value)
    assert decided > 0.85 * len(SCHEMAS) ** 2


def test_names_that_only_an_expression_admits_are_all_there_are() -> None:
    """What `propertyNames` leaves to all other members is what a pattern of names and a closing say."""
    named: Json = {"type": "object", "propertyNames": {"pattern": "^x"}, "additionalProperties": TEXT}
    closed: Json = {"type": "object", "patternProperties": {"^x": TEXT}, "additionalProperties": False}
    assert (include(named, closed).answer, include(closed, named).answer) == (Tristate.YES, Tristate.YES)
    wider: Json = {**named, "propertyNames": {"pattern": "^[xy]"}}  # type: ignore[dict-item]
    (witness,) = include(wider, closed).witness
    assert Draft202012Validator(wider).is_valid(witness)
    assert not Draft202012Validator(closed).is_valid(witness)
