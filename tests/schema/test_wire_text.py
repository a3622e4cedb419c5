"""The texts of scalars: never one too few for what is sent, never one too many for what is expected."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.wire_text import expected, sent

INT32: Json = {"type": "integer", "allOf": [{"minimum": -(2**31), "maximum": 2**31 - 1}]}
"""The format of a number, written out."""
INTEGER, STRING, BOOLEAN = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
DIGITS = {"type": "string", "pattern": "^[1-9][0-9]*$"}
CONTAINED: list[tuple[Json, Json, bool]] = [
    (INTEGER, STRING, True),
    (STRING, INTEGER, False),
    ({"enum": ["1", "2"]}, {"enum": [1, 2], "type": "integer"}, True),
    ({"enum": ["1", "3"]}, {"enum": [1, 2], "type": "integer"}, False),
    ({"enum": ["1", "2"]}, {"enum": [1, 2], "maximum": 1}, False),
    ({"const": True}, {"const": "true"}, True),
    (BOOLEAN, {"enum": ["true", "false", "maybe"]}, True),
    (BOOLEAN, {"enum": ["True", "False"]}, False),
    ({"type": "integer", "exclusiveMinimum": 0, "maximum": 9.5}, {"type": "string", "pattern": "^[1-9]$"}, True),
    ({"type": "integer", "minimum": -0.5, "maximum": 9}, {"type": "string", "pattern": "^[1-9]$"}, False),
    ({"type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 3}, {"enum": ["0", "3", "6", "9"]}, True),
    (DIGITS, {"type": "integer", "minimum": 1}, True),
    (DIGITS, {"type": "integer", "minimum": 0.5}, True),
    (DIGITS, {"type": "integer", "minimum": 2}, False),
    (DIGITS, {"type": "integer", "maximum": 10**9}, False),
    ({"type": "string", "pattern": "^[0-9]+$"}, INTEGER, False),
    ({"enum": ["0"]}, {"type": "integer", "minimum": 0.5}, False),
    (INTEGER, {"type": "string", "maxLength": 3}, False),
    (INTEGER, {"type": "string", "format": "date"}, False),
    (INTEGER, {"type": "string", "format": "nobody-knows"}, False),
    (INTEGER, {"type": ["string", "array"]}, True),
    (INTEGER, {"anyOf": [{"type": "object"}, STRING]}, True),
    (INTEGER, {"oneOf": [STRING, DIGITS]}, False),
    (INTEGER, {"type": "string", "not": {"const": "1"}}, False),
    ({"type": ["integer", "null"]}, STRING, False),
    ({"enum": [1, None]}, STRING, False),
    (INTEGER, {"type": ["string", "null"]}, True),
    ({"enum": ["1"]}, {"enum": [1, None]}, True),
    ({"type": ["integer", "array"]}, STRING, False),
    ({"type": "number"}, STRING, True),
    ({"type": "number"}, INTEGER, False),
    ({"type": "number"}, {"type": "string", "pattern": "^[^,]+$"}, True),
    ({"type": "number"}, {"type": "string", "pattern": "^[0-9.]+$"}, False),
    ({"enum": [1.5]}, {"enum": ["1.5"]}, False),
    ({"enum": [1.5, "a"]}, STRING, True),
    ({"enum": [1.5, [1]]}, STRING, False),
    (DIGITS, {"type": "number"}, True),
    (DIGITS, {"type": "number", "maximum": 9}, False),
    (DIGITS, {"type": "number", "format": "float"}, False),
    (DIGITS, {"type": "integer", "format": "int32"}, False),
    ({"type": "number"}, {"type": ["number", "string"], "pattern": "^[0-9]"}, False),
    ({"$ref": "#/$defs/a", "$defs": {"a": INTEGER}}, STRING, True),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, STRING, False),
    (INT32, STRING, True),
    (INT32, {"type": "string", "pattern": "^-?[0-9]+$"}, True),
    (INT32, {"type": "string", "pattern": "^[0-9]+$"}, False),
    ({**INT32, "minimum": 1}, DIGITS, True),
    ({**INT32, "minimum": 1, "maximum": 3}, {"enum": ["1", "2", "3"]}, True),
    ({"type": "integer", "allOf": [{"minimum": 1}, {"maximum": 3}]}, {"enum": ["1", "2", "3"]}, True),
    ({"type": "integer", "allOf": [{"multipleOf": 2}]}, STRING, True),
    ({"type": "integer", "allOf": [{"type": "string"}]}, STRING, True),
    (DIGITS, INT32, False),
    (DIGITS, {"type": "integer", "allOf": [{"minimum": 1}]}, True),
    (DIGITS, {"type": "integer", "allOf": [{"minimum": 2}]}, False),
    (DIGITS, {"type": "integer", "allOf": [{"multipleOf": 2}]}, False),
    ({"enum": ["1", "2"]}, {"type": "string", "allOf": [{"enum": ["1"]}]}, False),
    ({}, STRING, False),
    (True, STRING, False),
]


@pytest.mark.parametrize(("sender", "receiver", "contained"), CONTAINED)
def test_texts_of_one_side_among_those_of_the_other(sender: Json, receiver: Json, contained: bool) -> None:
    left, right = sent(sender), expected(receiver)
    known = left is not None and right is not None
    assert (known and compare_sets(left, right).released_in_candidate is Tristate.YES) is contained


@pytest.mark.parametrize(
    ("schema", "texts"),
    [
        (BOOLEAN, {"true", "false"}),
        ({"enum": [1, "1", True]}, {"1", "true"}),
        ({"type": "integer", "minimum": -1, "maximum": 1}, {"-1", "0", "1"}),
    ],
)
def test_listed_texts(schema: Json, texts: set[str]) -> None:
    for side in (sent, expected):
        assert compare_sets(side(schema), {"enum": sorted(texts)}).equal is Tristate.YES
