"""Items that `contains` describes too: what it mentions is declared, and an upper count turns it round."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.relation import include

TEXT: Json = {"type": "string"}


def _object(*required: str, **members: Json) -> Json:
    return {"type": "object", "properties": members, "required": list(required)}


def _counted(schema: Json, low: int, high: int) -> Json:
    return {"type": "array", "contains": schema, "minContains": low, "maxContains": high}


A, AC = _object(a=TEXT), _object(a=TEXT, c={"type": "integer"})
HAS_A: Json = {"properties": {"a": TEXT}, "required": ["a"]}


def _listed(items: Json, contains: Json | None = None) -> Json:
    return {"type": "array", "items": items, **({} if contains is None else {"contains": contains})}


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (_counted(AC, 1, 1), _counted(A, 1, 1)),
        (_counted(AC, 0, 0), _counted(A, 0, 0)),
        (_counted(AC, 0, 1), _counted(A, 0, 1)),
        (_counted(_object(c=TEXT), 0, 0), _counted(_object(a=TEXT), 0, 0)),
        (_counted({"type": "string", "maxLength": 3}, 1, 1), _counted(TEXT, 1, 1)),
        (_counted({"enum": ["a"]}, 0, 1), _counted({"enum": ["a", "b"]}, 0, 1)),
        (_counted(_object("a", "b"), 1, 1), _counted(_object("a"), 1, 1)),
        (_listed(_object("b", b=TEXT), HAS_A), _listed(_object("b", a={"type": "integer"}, b=TEXT))),
        (_listed(_object(b=TEXT), HAS_A), _listed(_object(a={"type": "string", "maxLength": 1}, b=TEXT), HAS_A)),
        (_listed(_object(b=TEXT), {"properties": {"a": {}}}), _listed(_object(a={"maxLength": 1}, b=TEXT))),
        (_listed({"type": "object"}, HAS_A), _listed(_object(c=TEXT))),
        (_listed(_object(c=TEXT), A), {"type": "array", "contains": AC}),
    ],
)
def test_a_value_of_declared_members_refutes(left: Any, right: Any) -> None:
    found = include(left, right, declared=True)
    assert found.answer is Tristate.NO
    (value,) = found.witness
    assert [Draft202012Validator(schema).is_valid(value) for schema in (left, right)] == [True, False]


@pytest.mark.parametrize(
    ("left", "right", "assumed"),
    [
        (_counted(A, 0, 0), _counted(AC, 0, 0), False),
        (_counted(A, 0, 1), _counted(AC, 0, 1), False),
        (_counted({"enum": ["a", "b"]}, 0, 1), _counted({"enum": ["a"]}, 0, 1), False),
        (_listed(A, HAS_A), _listed(AC, HAS_A), True),
        (_listed(_object(b=TEXT), HAS_A), _listed(_object(a=TEXT, b=TEXT, c=TEXT)), None),
        ({"type": "array", "contains": A}, {"type": "array", "contains": AC}, True),
    ],
)
def test_what_nobody_mentions_is_not_carried(left: Json, right: Json, assumed: bool | None) -> None:
    found = include(left, right, declared=True)
    if assumed is None:
        # Items beside the one that matches may carry the member with any value.
        assert found.answer is Tristate.NO
    else:
        assert (found.answer, found.assumed) == (Tristate.YES, assumed)


def test_a_choice_of_one_is_what_it_chooses() -> None:
    for keyword in ("anyOf", "oneOf", "allOf"):
        assert include({keyword: [A]}, A).answer is Tristate.YES
        assert include(A, {keyword: [A]}).answer is Tristate.YES
        assert include(A, {keyword: [AC]}).answer is Tristate.NO
