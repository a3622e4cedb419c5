"""What inclusion may cost: chains, fans, cycles and huge sizes end, decided or with a reason."""

from __future__ import annotations

import time
from typing import Any

import pytest

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.constraint_set import holds
from evreview.schema.subsumption.interned_schema import SchemaPool
from evreview.schema.subsumption.relation import include
from tests.pace import pace

YES, NO, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN
SECONDS = 4.0
"""Of this process, for both directions; most cases take some milliseconds."""


def ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def chain(length: int, step: Any, last: Json) -> Json:
    links = {f"L{at}": step(ref(f"L{at + 1}"), at) for at in range(length)}
    return {"$ref": "#/$defs/L0", "$defs": {**links, f"L{length}": last}}


def text(limit: int) -> Json:
    return {"type": "string", "maxLength": limit}


def plain_step(below: Json, at: int) -> Json:
    return below


def property_step(below: Json, at: int) -> Json:
    return {"type": "object", "properties": {"n": below}}


def property_fan(below: Json, at: int) -> Json:
    return {"type": "object", "required": ["a", "b"], "properties": {"a": below, "b": below}}


def all_of_step(below: Json, at: int) -> Json:
    return {"allOf": [below], "minLength": at % 2}


def all_of_fan(below: Json, at: int) -> Json:
    return {"allOf": [below, below], "minLength": at % 2}


def one_of_step(below: Json, at: int) -> Json:
    return {"oneOf": [below, {"const": at}]}


def kinds(count: int, limit: int) -> Json:
    branches: list[Json] = [
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": str(at)}, "v": text(limit)}}
        for at in range(count)
    ]
    return {"oneOf": branches}


def wide(count: int, limit: int) -> Json:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {f"p{at}": text(limit) for at in range(count)},
    }


def patterns(limit: int) -> Json:
    return {"type": "object", "patternProperties": {"^" + "a" * at: text(limit) for at in range(1, 200)}}


def conditions(count: int, limit: int) -> Json:
    schema = text(limit)
    for at in range(count):
        schema = {"if": {"minLength": at}, "then": schema, "else": {"type": "integer"}}
    return schema


def itself(keyword: str, **more: Json) -> Json:
    return {"$ref": "#/$defs/A", "$defs": {"A": {keyword: [ref("B")], **more}, "B": {"allOf": [ref("A")]}}}


def negation(limit: int) -> Json:
    return {"$ref": "#/$defs/A", "$defs": {"A": {"not": ref("A"), "properties": {"b": text(limit)}}}}


LONG = [f"v{at}" for at in range(50_000)]

# name, left, right, left in right, right in left (None: any answer, in time)
CASES: list[tuple[str, Json, Json, Tristate | None, Tristate | None]] = [
    (
        "references",
        chain(2000, lambda below, at: below, text(9)),
        chain(2000, lambda below, at: below, text(8)),
        NO,
        YES,
    ),
    ("properties", chain(60, property_step, text(9)), chain(60, property_step, text(8)), NO, YES),
    ("too many properties", chain(2000, property_step, text(9)), chain(2000, property_step, text(8)), UNKNOWN, UNKNOWN),
    ("2^30 ways down", chain(30, property_fan, text(9)), chain(30, property_fan, text(8)), UNKNOWN, YES),
    ("allOf", chain(2000, all_of_step, text(9)), chain(2000, all_of_step, text(8)), NO, YES),
    ("2^30 allOf", chain(30, all_of_fan, text(9)), chain(30, all_of_fan, text(8)), None, YES),
    ("oneOf", chain(60, one_of_step, text(9)), chain(60, one_of_step, text(8)), None, None),
    ("branches", kinds(200, 9), kinds(200, 8), NO, YES),
    ("members", wide(3000, 9), wide(3000, 8), NO, YES),
    ("patterns", patterns(9), patterns(8), NO, YES),
    ("conditions", conditions(40, 9), conditions(40, 8), None, None),
    ("a cycle of allOf", itself("allOf", maxLength=3), itself("allOf", maxLength=2), NO, YES),
    ("a cycle of anyOf", itself("anyOf", maxLength=3), itself("anyOf", maxLength=2), None, None),
    ("what negates itself", negation(9), negation(8), UNKNOWN, UNKNOWN),
    ("listed values", {"enum": LONG}, {"enum": LONG[::-1]}, YES, YES),
    ("listed values, one less", {"enum": LONG}, {"enum": LONG[1:]}, NO, YES),
    ("huge sizes", {"type": "array", "minItems": 10**9}, {"type": "array", "minItems": 10**9 + 1}, UNKNOWN, YES),
    ("multiples of nothing", {"multipleOf": 0}, {"multipleOf": 1e-300}, None, None),
    ("no schema", {"minLength": "x", "required": "yes", "allOf": 3, "enum": "no"}, {"properties": []}, None, None),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_every_question_ends(case: tuple[str, Json, Json, Tristate | None, Tristate | None]) -> None:
    _, left, right, forth, back = case
    begun = time.process_time()
    found = include(left, right), include(right, left)
    assert time.process_time() - begun < SECONDS * pace()
    for each, expected in zip(found, (forth, back), strict=True):
        assert expected in (None, each.answer)
        assert bool(each.reason) is (each.answer is UNKNOWN)


@pytest.mark.parametrize(("limit", "said"), [(3, False), (4, True)])
def test_a_value_is_held_against_a_shared_schema_once(limit: int, said: bool) -> None:
    """Unions of the next one, lists of it and it once more: 3^45 ways to the last, and no answer where each is gone."""

    def step(below: Json, at: int) -> Json:
        return {"anyOf": [below, {"type": "array", "items": below}, {"allOf": [below]}]}

    made: Any = chain(45, step, text(limit))
    pool = SchemaPool(made["$defs"].get, made["$defs"].get)
    assert [holds(pool.form(ref("L0"), 0), value) for value in ("aaaa", ["aaaa"], [["aaaa"], "a"])] == [said] * 3
