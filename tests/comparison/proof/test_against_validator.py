"""No verdict that calls itself proved or witnessed is refuted by an independent validator, on whole messages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.core.vocabulary import Direction, Json, ProofStatus, Role, Verdict
from tests.pipeline import compared

NAMES = ("a", "b", "c")
SCALARS: list[Json] = [None, True, False, 0, 1, 2, 3, 5, -1, 0.5, 2.5, "", "a", "b", "ab", "abc", "abcd"]
SMALL: list[Json] = [*SCALARS, [], {}, [1], ["a"], [1, "a"], [1, 1], [0, 1, 2], [None], [[]], [{}]]
OBJECTS: list[Json] = [
    {},
    *({name: value} for name in NAMES for value in SMALL),
    *({"a": one, "b": two} for one in SMALL for two in SCALARS),
    *({"c": one, "a": two} for one in ("a", 1, None, {}) for two in (0, "b", [])),
    {"a": {"a": 1}},
    {"a": {"b": "a"}},
    {"b": {"a": "ab", "b": 2}},
    {"x": 1},
    {"x": "a", "a": 1},
]
INSTANCES: list[Json] = [*SMALL, *OBJECTS, [{"a": 1}], [{"a": "a"}, {}], [[1], 2], [{"b": None}]]


def bounded(keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=keywords)


small = st.integers(0, 3)
leaves = st.one_of(
    st.builds(lambda kind, more: {"type": kind, **more}, st.sampled_from(["integer", "number"]), bounded(
        {"minimum": small, "maximum": small, "exclusiveMinimum": small, "multipleOf": st.sampled_from([1, 2, 0.5])})),
    st.builds(lambda more: {"type": "string", **more}, bounded(
        {"minLength": small, "maxLength": small, "pattern": st.sampled_from(["^a", "b$", "", "^ab?$"])})),
    st.sampled_from([{"type": "null"}, {"type": "boolean"}, {}, {"type": ["string", "null"]}]),
    st.just({"type": ["integer", "string"]}),
    st.builds(lambda values: {"enum": values},
              st.lists(st.sampled_from([0, 1, 2, "a", "b", "ab", None]), min_size=1, max_size=4, unique_by=repr)),
    st.builds(lambda value: {"const": value}, st.sampled_from([0, 1, "a", "b", None])),
)  # fmt: skip


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    branches = st.lists(inner, min_size=1, max_size=3)
    members = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    rest = st.one_of(st.booleans(), inner)
    objects = st.builds(lambda more: {"type": "object", **more}, bounded({
        "properties": members,
        "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
        "additionalProperties": rest,
        "minProperties": st.integers(0, 2),
        "maxProperties": st.integers(0, 2),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=1),
        "propertyNames": st.sampled_from([{"maxLength": 1}, {"enum": ["a", "b"]}]),
        "dependentRequired": st.sampled_from([{"a": ["b"]}, {"b": ["a"]}]),
        "dependentSchemas": st.builds(lambda schema: {"a": schema}, inner),
    }))  # fmt: skip
    arrays = st.builds(lambda more: {"type": "array", **more}, bounded({
        "items": inner, "minItems": st.integers(0, 2), "maxItems": st.integers(0, 2), "uniqueItems": st.booleans(),
        "contains": inner, "maxContains": st.integers(1, 2), "minContains": st.integers(0, 2),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
    }))  # fmt: skip
    listed = st.builds(
        lambda keyword, listed, base: {**base, keyword: listed},
        st.sampled_from(["oneOf", "anyOf", "allOf"]), branches, st.one_of(st.just({}), inner),
    )  # fmt: skip
    watching = st.builds(
        lambda base, closed: {**base, "unevaluatedProperties": closed}, st.one_of(objects, listed), rest
    )
    opposed = st.builds(lambda base, refused: {**base, "not": refused}, st.one_of(st.just({}), inner), inner)
    conditional = st.builds(
        lambda base, when, then, other: {**base, "if": when, "then": then, "else": other},
        st.one_of(st.just({}), inner), inner, inner, inner,
    )  # fmt: skip
    referring = st.sampled_from([{"$ref": "#/components/schemas/S"}, {"$ref": "#/components/schemas/T"}])
    return st.one_of(objects, objects, arrays, listed, listed, opposed, conditional, watching, referring)


schemas = st.recursive(leaves, composed, max_leaves=8)


def paths(node: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = [at] if isinstance(node, (dict, bool)) and at else []
    return [*found, *(path for key, child in below for path in paths(child, (*at, key)))]


def put(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    copied = json.loads(json.dumps(node))
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copied


KEYED = frozenset({"properties", "patternProperties", "dependentSchemas", "dependentRequired"})
NEAR: list[dict[str, Any]] = [
    {"type": "integer"}, {"type": "number"}, {"type": "string"}, {"minimum": 1}, {"maxLength": 2}, {"minLength": 1},
    {"enum": ["a", "b"]}, {"enum": ["a"]}, {"required": ["a"]}, {"additionalProperties": False}, {"maximum": 2},
    {"properties": {"a": {"type": "integer"}}}, {"properties": {"c": {"type": "string"}}}, {"maxItems": 1},
]  # fmt: skip


@st.composite
def edits(draw: st.DrawFn) -> tuple[Json, Json]:
    """Two components each, of which one differs by a few edits."""
    nested = json.dumps(draw(st.one_of(leaves, composed(leaves)))).replace("schemas/T", "schemas/S")
    whole = {"S": draw(leaves), "T": json.loads(nested), "body": draw(schemas)}
    changed = whole
    for _ in range(draw(st.integers(1, 3))):
        sites = [path for path in paths(changed) if path[-1] not in KEYED and not {"enum", "const"} & {*map(str, path)}]
        path = draw(st.sampled_from(sites))
        node: Any = changed
        for key in path:
            node = node[key]
        if isinstance(node, bool):
            changed = put(changed, path, not node)
        elif node and draw(st.booleans()):
            gone = draw(st.sampled_from(sorted(node)))
            changed = put(changed, path, {key: value for key, value in node.items() if key != gone})
        else:
            changed = put(changed, path, {**node, **draw(st.one_of(st.sampled_from(NEAR), leaves))})
    return whole, changed


def document(parts: Any) -> Json:
    content: Json = {"application/json": {"schema": parts["body"]}}
    operation: Json = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "done", "content": content}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": {"S": parts["S"], "T": parts["T"]}},
    }


def oracle(parts: Any) -> Draft202012Validator:
    text = json.dumps({**parts["body"], "$defs": {"S": parts["S"], "T": parts["T"]}})
    return Draft202012Validator(json.loads(text.replace("#/components/schemas/", "#/$defs/")))


def of_request(row: JudgedRow) -> bool:
    return row.delta.role is Role.REQUEST


def refutations(comparison: Comparison, released: Draft202012Validator, candidate: Draft202012Validator) -> list[str]:
    """What the independent validator holds against the comparison."""
    found = []
    for row in comparison.rows:
        proof = row.proof
        if proof.status is ProofStatus.WITNESSED:
            sent, expected = (released, candidate) if of_request(row) else (candidate, released)
            value = proof.witness["value"]  # type: ignore[index, call-overload]
            named = "released" if of_request(row) else "candidate"
            if proof.witness["accepted_by"] != named or row.judgement.verdict is not Verdict.BREAKING:  # type: ignore[index, call-overload]
                found.append(f"{row.delta.address} {row.delta.facet}: sides {proof.witness}")
            if not sent.is_valid(value) or expected.is_valid(value):
                found.append(f"{row.delta.address} {row.delta.facet}: no witness {value!r}")
    for request in (True, False):
        rows = [row for row in comparison.rows if of_request(row) is request]
        safe = all(
            row.proof.status is ProofStatus.PROVED and row.judgement.verdict is Verdict.COMPATIBLE for row in rows
        )
        if not safe:
            continue
        sent, expected = (released, candidate) if request else (candidate, released)
        value = next((value for value in INSTANCES if sent.is_valid(value) and not expected.is_valid(value)), ...)
        if value is not ...:
            side = Direction.READ if request else Direction.WRITTEN
            found.append(f"{side}: {value!r} refutes {[(row.delta.address, row.delta.facet) for row in rows]}")
    return found


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(edits())
@pytest.mark.req("W1L-018", "W1L-019")
def test_no_verdict_that_claims_a_proof_is_refuted(pair: tuple[Any, Any]) -> None:
    released, candidate = pair
    assume(released != candidate)
    comparison = compared(document(released), document(candidate))
    assert refutations(comparison, oracle(released), oracle(candidate)) == []
