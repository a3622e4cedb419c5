"""A member of a member that only a schema aside describes, which need not hold: it is declared all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import compared

Schema = dict[str, Json]
TEXT: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
SAID: Json = {"properties": {"a": TEXT}}
Z: Json = {"required": ["z"]}
REFUSED: Json = {"properties": {"a": {"type": "boolean"}}, "required": ["a"]}


def _object(**members: Json) -> Schema:
    return {"type": "object", "properties": members}


def _at(schema: Json) -> Json:
    return {"properties": {"p": schema}}


def _beside(**more: Json) -> Callable[[Json], Schema]:
    """The schema of an object whose member `p` is a row's node, with more written beside."""
    return lambda node: {**_object(p=node), **more}


NARROW, WIDE = _object(b=TEXT), _object(b=TEXT, a=INTEGER)
AROUND: dict[str, Callable[[Json], Schema]] = {
    "anyOf": _beside(anyOf=[_at(SAID), Z]),
    "oneOf": _beside(oneOf=[{"required": ["p"], "properties": {"p": SAID}}, {"not": {"required": ["p"]}}]),
    "then": _beside(**{"if": Z, "then": _at(SAID)}),
    "else": _beside(**{"if": Z, "else": _at(SAID)}),
    "if": _beside(**{"if": _at(SAID), "then": Z}),
    "not": _beside(**{"not": {"required": ["p"], "properties": {"p": REFUSED}}}),
    "dependentSchemas": _beside(dependentSchemas={"z": _at(SAID)}),
    "dependentSchemas of the member": _beside(dependentSchemas={"p": _at(SAID)}),
    "allOf": _beside(allOf=[_at(SAID)]),
    "allOf in a branch": _beside(anyOf=[{"allOf": [_at(SAID)]}, Z]),
    "a branch in allOf": _beside(allOf=[{"anyOf": [_at(SAID), Z]}]),
    "allOf of both": lambda node: {"allOf": [_object(p=node), {"anyOf": [_at(SAID), Z]}]},
    "a branch in a branch": _beside(anyOf=[_at({"anyOf": [SAID, {"required": ["b"]}]}), Z]),
    "a referred branch": _beside(anyOf=[{"$ref": "#/components/schemas/R"}, Z]),
    "a referred member": _beside(anyOf=[_at({"$ref": "#/components/schemas/S"}), Z]),
    "two levels": lambda node: {**_object(q=_object(p=node)), "anyOf": [{"properties": {"q": _at(SAID)}}, Z]},
    "a level above": lambda node: _object(q={**_object(p=node), "anyOf": [_at(SAID), Z]}),
    "items": lambda node: {"type": "array", "items": node, "anyOf": [{"items": SAID}, {"maxItems": 1}]},
    "items of a member": lambda node: {
        **_object(l={"type": "array", "items": node}),
        "anyOf": [{"properties": {"l": {"items": SAID}}}, Z],
    },
    "first items": lambda node: {"type": "array", "items": node, "anyOf": [{"prefixItems": [SAID]}, {"maxItems": 1}]},
    "the first item": lambda node: {"type": "array", "prefixItems": [node], "anyOf": [{"items": SAID}]},
    "contains": lambda node: {"type": "array", "items": node, "anyOf": [{"contains": SAID}, {"maxItems": 1}]},
    "other members": lambda node: {
        "type": "object",
        "additionalProperties": node,
        "anyOf": [{"additionalProperties": SAID}, Z],
    },
    "one of the other members": lambda node: {
        "type": "object",
        "additionalProperties": node,
        "anyOf": [_at(SAID), Z],
    },
    "a member among others": _beside(anyOf=[{"additionalProperties": SAID}, Z]),
    "a member by its name": _beside(anyOf=[{"patternProperties": {"^p": SAID}}, Z]),
    "members by their names": lambda node: {
        "type": "object",
        "patternProperties": {"^p": node},
        "anyOf": [_at(SAID), Z],
    },
    "openness": _beside(anyOf=[_at({"additionalProperties": TEXT}), Z]),
    "openness of some names": _beside(anyOf=[_at({"patternProperties": {"^a": TEXT}}), Z]),
    "a demand": _beside(anyOf=[_at({"required": ["a"]}), Z]),
    "names": _beside(anyOf=[_at({"propertyNames": {"enum": ["a", "b"]}}), Z]),
    "anyOf that opens the object itself": lambda node: {**node, "anyOf": [{"additionalProperties": TEXT}, Z]},
    "not that opens the object itself": lambda node: {
        **node,
        "not": {"patternProperties": {"^a": {"type": "boolean"}}, "minProperties": 1},
    },
}
LETTER: dict[str, Callable[[Json], Schema]] = {
    "another branch": lambda node: {"anyOf": [_object(p=node), {**_object(p=SAID), "required": ["z"]}]},
    "another branch alone": lambda node: {"oneOf": [_object(p=node), {**_object(p=SAID), "required": ["z"]}]},
    "openness that is written": lambda node: {**node, "dependentSchemas": {"z": {"additionalProperties": {}}}},
}
"""The name is another kind of message's, or any name's: a peer that sends the row's kind writes no such member."""
SILENT: dict[str, Callable[[Json], Schema]] = {
    "another name": _beside(anyOf=[_at({"properties": {"c": TEXT}}), Z]),
    "another member": _beside(anyOf=[{"properties": {"q": SAID}}, Z]),
    "another array": _beside(anyOf=[{"items": SAID}, Z]),
    "a closed branch": _beside(anyOf=[_at({"additionalProperties": False, "properties": {"b": TEXT}}), Z]),
    "the same demands": _beside(anyOf=[Z, {"required": ["p"]}]),
}


def _document(role: str, schema: Json) -> Json:
    content: Json = {"application/json": {"schema": schema}}
    answer: Json = {"description": "ok", **({"content": content} if role == "response" else {})}
    asked = {"requestBody": {"required": True, "content": content}} if role == "request" else {}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": {"responses": {"200": answer}, **asked}}},
        "components": {"schemas": {"R": _at(SAID), "S": SAID, "N": NARROW, "W": WIDE}},
    }


def _values() -> Iterator[Json]:
    """Values whose names are all mentioned by the side that sends them."""
    for inner in ({"a": "x"}, {"a": "x", "b": "y"}, {"b": "y", "a": True}):
        for more in ({}, {"z": 1}):
            for outer in ({"p": inner}, {"q": {"p": inner}}, {"l": [inner]}):
                yield {**outer, **more}
            yield {**inner, **more}
        yield [inner]


def _admits(schema: Schema, value: Json) -> bool:
    components: Json = {"schemas": {"R": _at(SAID), "S": SAID}}
    return Draft202012Validator({**schema, "components": components}).is_valid(value)


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("role", ["request", "response"])
@pytest.mark.parametrize("around", AROUND)
def test_what_is_described_aside_is_sent(around: str, role: str) -> None:
    """The side that is sent admits a text under the name, the other one does not: the validator says so first."""
    sent, expected = (AROUND[around](node) for node in (NARROW, WIDE))
    assert any(_admits(sent, value) and not _admits(expected, value) for value in _values())
    sides = (sent, expected) if role == "request" else (expected, sent)
    (row,) = compared(*(_document(role, side) for side in sides)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert isinstance(row.proof.witness, dict)
    value = row.proof.witness["value"]
    assert (_admits(sent, value), _admits(expected, value)) == (True, False)


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("role", ["request", "response"])
@pytest.mark.parametrize("around", SILENT)
def test_what_nobody_describes_is_not_sent(around: str, role: str) -> None:
    sides = [SILENT[around](node) for node in (NARROW, WIDE)]
    (row,) = compared(*(_document(role, side) for side in (sides if role == "request" else sides[::-1]))).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)


@pytest.mark.parametrize("role", ["request", "response"])
@pytest.mark.parametrize("around", LETTER)
def test_what_only_another_kind_of_message_carries_breaks_nothing(around: str, role: str) -> None:
    sides = [LETTER[around](node) for node in (NARROW, WIDE)]
    rows = compared(*(_document(role, side) for side in (sides if role == "request" else sides[::-1]))).rows
    assert rows
    assert all(row.judgement.verdict is not Verdict.BREAKING for row in rows)


def test_a_component_that_one_of_its_uses_describes_further() -> None:
    """The row of the shared component stands for all its uses."""
    sides = []
    for node in (NARROW, WIDE):
        uses = {f"m{at}": {"$ref": "#/components/schemas/N"} for at in range(3)}
        schema = {**_object(**uses), "anyOf": [{"properties": {"m1": SAID}}, Z]}
        document = _document("request", schema)
        document["components"]["schemas"]["N"] = node  # type: ignore[index, call-overload]
        sides.append(document)
    (row,) = compared(*sides).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert row.proof.witness["value"] == {"m1": {"a": ""}}  # type: ignore[index, call-overload]


@pytest.mark.parametrize("at", [0, 2, 3, 19])
def test_one_of_very_many_uses_that_is_described_further(at: int) -> None:
    """More uses than are walked one by one, in one object."""
    sides = []
    for node in (NARROW, WIDE):
        uses = {f"m{number:02}": {"$ref": "#/components/schemas/N"} for number in range(20)}
        document = _document("request", {**_object(**uses), "anyOf": [{"properties": {f"m{at:02}": SAID}}, Z]})
        document["components"]["schemas"]["N"] = node  # type: ignore[index, call-overload]
        sides.append(document)
    (row,) = compared(*sides).rows
    assert row.judgement.verdict in (Verdict.BREAKING, Verdict.UNKNOWN)


@pytest.mark.parametrize(("said", "safe"), [(SAID, False), ({"properties": {"c": TEXT}}, True)])
def test_one_of_very_many_operations_that_describes_a_component_further(said: Json, safe: bool) -> None:
    sides = []
    for node in (NARROW, WIDE):
        document = _document("request", _object(p={"$ref": "#/components/schemas/N"}, k00=TEXT))
        paths = document["paths"]  # type: ignore[index, call-overload]
        for number in range(1, 30):
            more: Schema = {"anyOf": [_at(said), Z]} if number == 29 else {}
            schema = {**_object(p={"$ref": "#/components/schemas/N"}, **{f"k{number:02}": TEXT}), **more}
            paths[f"/b{number:02}"] = _document("request", schema)["paths"]["/a"]  # type: ignore[index, call-overload]
        document["components"]["schemas"]["N"] = node  # type: ignore[index, call-overload]
        sides.append(document)
    rows = compared(*sides).rows
    assert rows
    assert all(row.judgement.verdict is Verdict.COMPATIBLE for row in rows) is safe
