"""The cases that the JSON Schema rules of Confluent's Schema Registry tell apart, in words and schemas of our own.

The registry compares schemas part by part, this tool sets of values: where the two differ, the value that decides
stands beside it. Its documentation was consulted; neither its names nor its cases are repeated here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from jsonschema import Draft7Validator

from evreview.core.vocabulary import ProofStatus, Tristate
from tests.kinds.jsonschema.test_jsonschema import compared

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
WHOLE: dict[str, Any] = {"type": "integer"}


class Case(NamedTuple):
    """A change, whether the registry lets a new schema with it read old data, and what this tool says.

    Attributes:
        differs: why this tool says something else, "" where both agree.
        value: what shows that the registry is wrong: valid before and not after; None where there is none.
    """

    name: str
    before: dict[str, Any]
    after: dict[str, Any]
    registry: bool
    ours: bool
    differs: str = ""
    value: Any = None


def holding(*names: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": dict.fromkeys(names, TEXT), **more}


def closed(*names: str, **more: Any) -> dict[str, Any]:
    return holding(*names, additionalProperties=False, **more)


def typed(*names: str, **more: Any) -> dict[str, Any]:
    return holding(*names, additionalProperties=TEXT, **more)


def put(model: dict[str, Any], name: str, schema: Any, **more: Any) -> dict[str, Any]:
    return {**model, "properties": {**model["properties"], name: schema}, **more}


def items(*first: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": list(first), **more}


DECLARED = "an open object is taken to carry no member that only the other side declares; the proof says so"
OWED = "a default fills in nothing for a validator: the member is owed all the same"
LANGUAGE = "expressions are compared by the words that they match"
OVERLAP = "a value of both branches is refused by `oneOf`"
APART = "no value is of two branches, so that both choices are one"
ONLY_LOST = "the registry tells the member that is owed no more, and not the one that is owed now"
FILLED = "a reader that fills in the default acts on another value: no validator sees it"
NO_TUPLE = "without a list of items nothing is left over: both schemas admit the same"

CASES = [
    # Members, by the content model.
    Case("a member of an open object", holding("a"), holding("a", "b"), False, True, DECLARED),
    Case("a member of any value of an open object", holding("a"), put(holding("a"), "b", {}), True, True),
    Case("a member that is forbidden in an open object", holding("a"), put(holding("a"), "b", False), False, False),
    Case(
        "a member of an open object that nothing meets", holding("a"), put(holding("a"), "b", {"not": {}}), False, False
    ),
    Case("a member less of an open object", holding("a", "b"), holding("a"), True, True),
    Case("a member of a closed object", closed("a"), closed("a", "b"), True, True),
    Case("a member of a closed object that is owed", closed("a"), closed("a", "b", required=["b"]), False, False),
    Case(
        "a member of a closed object that is owed, with a default",
        closed("a"),
        put(closed("a"), "b", {**TEXT, "default": ""}, required=["b"]),
        True,
        False,
        OWED,
        {},
    ),
    Case("a member less of a closed object", closed("a", "b"), closed("a"), False, False),
    Case("a forbidden member less of a closed object", put(closed("a"), "b", False), closed("a"), True, True),
    Case("a member that the others cover", typed("a"), typed("a", "b"), True, True),
    Case("a member that the others do not cover", typed("a"), put(typed("a"), "b", WHOLE), False, False),
    Case("a member less, that the others cover", typed("a", "b"), typed("a"), True, True),
    Case("a member less, that the others do not cover", put(typed("a"), "b", WHOLE), typed("a"), False, False),
    Case("an object is opened", closed("a"), holding("a"), True, True),
    Case("an object is closed", holding("a"), closed("a"), False, False),
    Case("the others are described", holding("a"), typed("a"), False, False),
    Case("the others are described more widely", typed("a"), holding("a", additionalProperties={}), True, True),
    Case("a member is owed", closed("a"), closed("a", required=["a"]), False, False),
    Case(
        "a member with a default is owed",
        put(closed(), "a", {**TEXT, "default": ""}),
        put(closed(), "a", {**TEXT, "default": ""}, required=["a"]),
        True,
        False,
        OWED,
        {},
    ),
    Case("a member is owed no more", closed("a", required=["a"]), closed("a"), True, True),
    Case(
        "another member is owed",
        holding("a", "b", required=["a"]),
        holding("a", "b", required=["b"]),
        True,
        False,
        ONLY_LOST,
        {"a": ""},
    ),
    Case("fewer members at most", holding(maxProperties=3), holding(maxProperties=2), False, False),
    Case("more members at most", holding(maxProperties=2), holding(maxProperties=3), True, True),
    Case(
        "a member asks for another one", holding("a", "b"), holding("a", "b", dependencies={"a": ["b"]}), False, False
    ),
    Case("a member asks for it no more", holding("a", "b", dependencies={"a": ["b"]}), holding("a", "b"), True, True),
    Case(
        "a member asks for a schema",
        holding("a", "b"),
        holding("a", "b", dependencies={"a": {"required": ["b"]}}),
        False,
        False,
    ),
    # Texts and numbers.
    Case("a shorter text", {**TEXT, "maxLength": 5}, {**TEXT, "maxLength": 4}, False, False),
    Case("a longer text", {**TEXT, "maxLength": 4}, {**TEXT, "maxLength": 5}, True, True),
    Case("a text gets a length", TEXT, {**TEXT, "minLength": 1}, False, False),
    Case("a text loses its length", {**TEXT, "minLength": 1}, TEXT, True, True),
    Case("a text gets an expression", TEXT, {**TEXT, "pattern": "^a"}, False, False),
    Case("a text loses its expression", {**TEXT, "pattern": "^a"}, TEXT, True, True),
    Case("another expression", {**TEXT, "pattern": "^a"}, {**TEXT, "pattern": "^b"}, False, False),
    Case(
        "another expression for the same words",
        {**TEXT, "pattern": "^[0-9]+$"},
        {**TEXT, "pattern": "^[0-9][0-9]*$"},
        False,
        True,
        LANGUAGE,
    ),
    Case("a wider expression", {**TEXT, "pattern": "^ab"}, {**TEXT, "pattern": "^a"}, False, True, LANGUAGE),
    Case("a smaller maximum", {**NUMBER, "maximum": 5}, {**NUMBER, "maximum": 4}, False, False),
    Case("a smaller minimum", {**NUMBER, "minimum": 5}, {**NUMBER, "minimum": 4}, True, True),
    Case("a bound is left out", {**NUMBER, "maximum": 5}, {**NUMBER, "exclusiveMaximum": 5}, False, False),
    Case("a smaller step", {**WHOLE, "multipleOf": 10}, {**WHOLE, "multipleOf": 5}, True, True),
    Case("a larger step", {**WHOLE, "multipleOf": 5}, {**WHOLE, "multipleOf": 10}, False, False),
    Case("another step", {**WHOLE, "multipleOf": 10}, {**WHOLE, "multipleOf": 3}, False, False),
    Case("whole numbers become numbers", WHOLE, NUMBER, True, True),
    Case("numbers become whole", NUMBER, WHOLE, False, False),
    Case("another type", TEXT, WHOLE, False, False),
    Case("one more type", TEXT, {"type": ["string", "null"]}, True, True),
    Case("one type less", {"type": ["string", "null"]}, TEXT, False, False),
    Case("one more listed value", {"enum": ["a"]}, {"enum": ["a", "b"]}, True, True),
    Case("one listed value less", {"enum": ["a", "b"]}, {"enum": ["a"]}, False, False),
    Case("other listed values", {"enum": ["a"]}, {"enum": ["b"]}, False, False),
    Case("another constant", {"const": 1}, {"const": 2}, False, False),
    # Arrays.
    Case("fewer items at most", {"type": "array", "maxItems": 3}, {"type": "array", "maxItems": 2}, False, False),
    Case("items are told apart", {"type": "array"}, {"type": "array", "uniqueItems": True}, False, False),
    Case("items are told apart no more", {"type": "array", "uniqueItems": True}, {"type": "array"}, True, True),
    Case("items of a type", {"type": "array"}, {"type": "array", "items": TEXT}, False, False),
    Case("a place of an open list", items(TEXT), items(TEXT, TEXT), False, False),
    Case(
        "a place of a closed list",
        items(TEXT, additionalItems=False),
        items(TEXT, TEXT, additionalItems=False),
        True,
        True,
    ),
    Case("a place less of an open list", items(TEXT, TEXT), items(TEXT), True, True),
    Case(
        "a place less of a closed list",
        items(TEXT, TEXT, additionalItems=False),
        items(TEXT, additionalItems=False),
        False,
        False,
    ),
    Case("a list is closed", items(TEXT), items(TEXT, additionalItems=False), False, False),
    Case(
        "the rest without a list", {"type": "array"}, {"type": "array", "additionalItems": False}, False, True, NO_TUPLE
    ),
    # Choices.
    Case("one more branch", {"oneOf": [TEXT]}, {"oneOf": [TEXT, WHOLE]}, True, True),
    Case("one more branch that overlaps", {"oneOf": [WHOLE]}, {"oneOf": [WHOLE, NUMBER]}, True, False, OVERLAP, 1),
    Case("one branch less", {"oneOf": [TEXT, WHOLE]}, {"oneOf": [TEXT]}, False, False),
    Case("one more demand", {"allOf": [TEXT]}, {"allOf": [TEXT, {"maxLength": 3}]}, False, False),
    Case("one demand less", {"allOf": [TEXT, {"maxLength": 3}]}, {"allOf": [TEXT]}, True, True),
    Case("exactly one becomes any", {"oneOf": [TEXT, WHOLE]}, {"anyOf": [TEXT, WHOLE]}, True, True),
    Case("any becomes exactly one", {"anyOf": [TEXT, WHOLE]}, {"oneOf": [TEXT, WHOLE]}, False, True, APART),
    Case("any becomes exactly one, with overlap", {"anyOf": [NUMBER, WHOLE]}, {"oneOf": [NUMBER, WHOLE]}, False, False),
    Case("more is excluded", {"not": {"enum": [1]}}, {"not": {"enum": [1, 2]}}, False, False),
    Case("less is excluded", {"not": {"enum": [1, 2]}}, {"not": {"enum": [1]}}, True, True),
    # What only people read.
    Case("another title", {**TEXT, "title": "a"}, {**TEXT, "title": "b"}, True, True),
    Case("another default", {**TEXT, "default": "a"}, {**TEXT, "default": "b"}, True, False, FILLED),
]
SMALL: list[Any] = [None, True, 0, 1, 2, 1.5, 4, 5, 10, 15, "", "a", "ab", "b", "12", "abcde", [], ["a"], [1], ["a", 1]]
SMALL += [
    ["a", "a"],
    ["a", "a", 1],
    {},
    {"a": ""},
    {"b": ""},
    {"a": "", "b": ""},
    {"a": 1},
    {"b": 1},
    {"a": "", "c": 1},
]


def reads(case: Case) -> Tristate:
    """Whether the candidate reads what was written."""
    found = compared({"$schema": DRAFT, **case.before}, {"$schema": DRAFT, **case.after})
    rows = [row for row in found.rows if row.judgement.accepts_old_requests is not Tristate.NOT_APPLICABLE]
    assert all(row.proof.status is not ProofStatus.UNPROVEN for row in rows)
    said = {row.judgement.accepts_old_requests for row in rows}
    return next((each for each in (Tristate.NO, Tristate.UNKNOWN) if each in said), Tristate.YES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_each_case_is_decided_by_values(case: Case) -> None:
    assert reads(case) is (Tristate.YES if case.ours else Tristate.NO)
    assert bool(case.differs) is (case.ours is not case.registry)
    before, after = Draft7Validator(case.before), Draft7Validator(case.after)
    lost = [value for value in SMALL if before.is_valid(value) and not after.is_valid(value)]
    if case.differs not in ("", FILLED) and not case.ours:
        assert before.is_valid(case.value) and not after.is_valid(case.value)
    elif case.ours and case.differs != DECLARED:
        assert lost == []


def test_every_difference_is_told_in_the_docs() -> None:
    from tests.conftest import PROJECT

    page = (PROJECT / "docs" / "kind-jsonschema.md").read_text(encoding="utf-8")
    told = page.partition("## Beside a schema registry")[2]
    differing = {case.differs for case in CASES if case.differs}
    assert len(differing) == told.partition("\n## ")[0].count("\n| ") - 2
