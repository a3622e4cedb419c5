"""Choices among arrays: the empty one and those of one item are looked at by themselves, where they overlap."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.relation import include

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}
EITHER: Json = {"type": ["string", "integer"]}
NULL: Json = {"type": "null"}
WORDS: Json = {"enum": ["a", "b"]}


def listed(items: Json | None = None, **sizes: Json) -> Json:
    return {"type": "array", **({} if items is None else {"items": items}), **sizes}


def one(*branches: Json) -> Json:
    return {"oneOf": list(branches)}


def either(*branches: Json) -> Json:
    return {"anyOf": list(branches)}


HELD: list[tuple[Json, Json]] = [
    (listed(WHOLE, maxItems=1), one(listed(WHOLE, minItems=1), listed(maxItems=0))),
    (listed(WORDS), one(listed(WHOLE, maxItems=0), listed(TEXT, minItems=1))),
    (listed(TEXT), either(listed(WHOLE, maxItems=0), listed(EITHER, minItems=1))),
    (listed(EITHER, maxItems=1), either(listed(WHOLE, maxItems=1), listed(TEXT, minItems=1, maxItems=1))),
    (either(listed(TEXT), listed(maxItems=0)), either(listed(maxItems=0), listed(TEXT, minItems=1))),
    (one(listed(TEXT, maxItems=1), listed(maxItems=0)), one(listed(TEXT, minItems=1), listed(WHOLE, minItems=1))),
    (listed(EITHER, minItems=1, maxItems=1), one(listed(TEXT), listed(WHOLE))),
    (listed(maxItems=0), listed(WHOLE, maxItems=0)),
    ({"properties": {"a": listed(EITHER, maxItems=1)}}, {"properties": {"a": either(listed(TEXT), listed(WHOLE))}}),
    (one(listed(WHOLE, maxItems=1), NULL), one(listed(WHOLE, minItems=1), listed(maxItems=0), NULL)),
]  # fmt: skip
REFUTED: list[tuple[Json, Json, Json]] = [
    (listed(TEXT), one(listed(TEXT), listed(WHOLE)), []),
    (listed(WORDS), either(listed(WHOLE), listed(TEXT, minItems=1, maxItems=1)), ["a", "a"]),
    (listed(EITHER), either(listed(TEXT), listed(WHOLE, minItems=1, maxItems=1)), [0, 0]),
    (listed(EITHER, maxItems=1), either(listed(WHOLE), listed(WORDS)), [""]),
    (one(listed(WHOLE, maxItems=0), listed(EITHER)), listed(WHOLE, minItems=1), [""]),
    (listed(maxItems=1), one(listed(maxItems=0), listed(TEXT, minItems=1)), [None]),
]


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize(("left", "right"), HELD)
def test_short_arrays_are_proved(left: Json, right: Json) -> None:
    assert include(left, right).answer is Tristate.YES


@pytest.mark.parametrize(("left", "right", "value"), REFUTED)
def test_short_arrays_are_refuted(left: Any, right: Any, value: Json) -> None:
    found = include(left, right)
    assert [Draft202012Validator(side).is_valid(value) for side in (left, right)] == [True, False]
    assert found.answer is Tristate.NO
    assert [Draft202012Validator(side).is_valid(found.witness[0]) for side in (left, right)] == [True, False]


def test_no_answer_about_small_arrays_is_refuted_by_trying_all() -> None:
    simple = [
        listed(), listed(TEXT), listed(WORDS), listed(maxItems=0), listed(maxItems=1), listed(WHOLE, maxItems=1),
        listed(EITHER, maxItems=1), listed(TEXT, minItems=1), listed(EITHER, minItems=1), listed(False),
        listed(TEXT, uniqueItems=True, maxItems=1), listed(TEXT, uniqueItems=True, minItems=2),
    ]  # fmt: skip
    schemas: list[Any] = [*simple, *(kind(*pair) for pair in combinations(simple, 2) for kind in (one, either))]
    items: list[Json] = [None, "", "a", "b", "c", 0, 1, True]
    values: list[Json] = [*items, *(list(each) for size in range(3) for each in product(items, repeat=size))]
    values += [list(each) for each in product(["a", "b", "c", 0], repeat=3)]
    admitted = [
        {at for at, value in enumerate(values) if check.is_valid(value)} for check in map(Draft202012Validator, schemas)
    ]
    pairs = list(product(range(len(schemas)), repeat=2))[::23]
    open_ = 0
    for left, right in pairs:
        found = include(schemas[left], schemas[right])
        if found.answer is Tristate.UNKNOWN:
            open_ += 1
        elif found.answer is Tristate.YES:
            assert admitted[left] <= admitted[right], (schemas[left], schemas[right])
        else:
            sides = (schemas[left], schemas[right])
            assert [Draft202012Validator(side).is_valid(found.witness[0]) for side in sides] == [True, False]
    assert open_ <= len(pairs) // 100, open_
