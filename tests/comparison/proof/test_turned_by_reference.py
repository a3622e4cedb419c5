"""What stands above a reference turns a row round too: choices, conditions and `not` above a component."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.proof.outcome import CONTAINED_DECLARED
from evreview.core.vocabulary import Json, ProofStatus, Role, Verdict
from tests.pipeline import compared

TEXT: dict[str, Any] = {"type": "string"}
CHOICE: dict[str, Any] = {"type": "object", "properties": {"b": {"type": "string", "maxLength": 0}}}
"""An object that the object beside it may be as well."""
INNER: dict[str, Any] = {"$ref": "#/components/schemas/Inner"}
OUTER: dict[str, Any] = {"$ref": "#/components/schemas/Outer"}
SLOT: dict[str, Any] = {"$ref": "hole"}
AROUND: dict[str, dict[str, Any]] = {
    "member": {"type": "object", "properties": {"a": SLOT}},
    "choice": {"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": SLOT}}, CHOICE]},
    "covered": {"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": SLOT}}, {"type": "object"}]},
    "exclusive": {"oneOf": [SLOT, TEXT]},
    "opposite": {"not": SLOT},
    "alternative": {"anyOf": [SLOT, {"type": "integer"}]},
    "condition": {"if": SLOT, "then": {"type": ["string", "object"]}, "else": {"type": "integer"}},
    "counted": {"type": "array", "contains": SLOT, "maxContains": 1},
    "dependent": {**CHOICE, "dependentSchemas": {"b": {"properties": {"a": SLOT}}}},
}
EDITS: list[tuple[Json, Json]] = [
    ({"type": "string", "minLength": 2}, {"type": "string", "minLength": 3}),
    ({"enum": ["a", "abc"]}, {"enum": ["a", "abc", 2]}),
]
PLAIN: list[Json] = ["", "a", "ab", "abc", "abcd", 0, 2, None]
MEMBERS: list[Json] = [
    *PLAIN,
    *({"a": value} for value in PLAIN),
    {},
    [],
    ["a"],
    ["a", "ab"],
    [2, "abc"],
    [{}, {"a": "ab"}],
]
INSTANCES: list[Json] = [
    *MEMBERS, *({"a": value} for value in MEMBERS), *({"a": value, "b": ""} for value in MEMBERS),
    *([value] for value in MEMBERS), *({"a": {"a": value, "b": ""}} for value in MEMBERS),
]  # fmt: skip
"""Values of up to three levels."""


def filled(schema: Any, slot: Any) -> Any:
    return json.loads(json.dumps(schema).replace(json.dumps(SLOT), json.dumps(slot)))


def parts(outer: str, inner: str, leaf: Json) -> dict[str, Any]:
    """A body that refers to what one schema makes of another one of a leaf."""
    return {"Outer": filled(AROUND[outer], INNER), "Inner": filled(AROUND[inner], leaf)}


def document(components: dict[str, Any]) -> Json:
    content: Json = {"application/json": {"schema": OUTER}}
    operation: Json = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "done", "content": content}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": components},
    }


def oracle(components: dict[str, Any]) -> Draft202012Validator:
    text = json.dumps({**OUTER, "$defs": components})
    return Draft202012Validator(json.loads(text.replace("#/components/schemas/", "#/$defs/")))


def written(components: dict[str, Any]) -> Draft202012Validator:
    """What a peer writes: the object beside another one carries no member that it does not name."""
    text = json.dumps(components).replace(json.dumps(CHOICE), json.dumps({**CHOICE, "additionalProperties": False}))
    return oracle(json.loads(text))


def asked(comparison: Comparison, role: Role) -> list[JudgedRow]:
    return [row for row in comparison.rows if row.delta.role is role]


def wrong(rows: list[JudgedRow], sent: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """What the validators hold against the rows of one direction."""
    sends, writes, takes = oracle(sent), written(sent), oracle(expected)
    refuting = [value for value in INSTANCES if sends.is_valid(value) and not takes.is_valid(value)]
    real = [value for value in refuting if writes.is_valid(value)]
    found = []
    if all(row.judgement.verdict is Verdict.COMPATIBLE for row in rows):
        found += [f"compatible, but {value!r}" for value in real]
        if refuting and not any(row.proof == CONTAINED_DECLARED for row in rows):
            found.append(f"compatible without a word of messages such as {refuting[0]!r}")
    for row in rows:
        if row.proof.status is ProofStatus.WITNESSED:
            value = row.proof.witness["value"]  # type: ignore[index, call-overload]
            if not sends.is_valid(value) or takes.is_valid(value):
                found.append(f"no witness: {value!r}")
    return found


@pytest.mark.parametrize(("outer", "inner"), list(product(AROUND, AROUND)))
def test_no_verdict_contradicts_the_whole_schema(outer: str, inner: str) -> None:
    for leaf in EDITS:
        for old, new in (leaf, leaf[::-1]):
            released, candidate = parts(outer, inner, old), parts(outer, inner, new)
            comparison = compared(document(released), document(candidate))
            assert wrong(asked(comparison, Role.REQUEST), released, candidate) == []
            assert wrong(asked(comparison, Role.RESPONSE), candidate, released) == []


@pytest.mark.parametrize("inner", ["member", "alternative", "dependent"])
def test_a_rule_does_not_call_breaking_what_a_choice_reversed_into_more(inner: str) -> None:
    """What the first branch loses, the second one alone admits."""
    released, candidate = (parts("covered", inner, leaf) for leaf in EDITS[0])
    rows = asked(compared(document(released), document(candidate)), Role.REQUEST)
    assert rows
    assert Verdict.BREAKING not in {row.judgement.verdict for row in rows}
