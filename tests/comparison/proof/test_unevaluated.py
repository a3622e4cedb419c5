"""Objects that judge what their branches leave unevaluated: one edit is one row, and no verdict without its reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import JudgedRow
from evreview.contract.model import Contract
from evreview.core.vocabulary import Direction, Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests import pipeline

TEXT: Json = {"type": "string"}
NAMES = ("a", "b", "k", "x")
VALUES: tuple[Json, ...] = ("", 1)
DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Json]


def _objects() -> Iterator[Json]:
    for count in range(3):
        for names in combinations(NAMES, count):
            for values in product(VALUES, repeat=count):
                yield dict(zip(names, values, strict=True))


OBJECTS = list(_objects())
ARRAYS: list[Json] = [list(items) for size in range(4) for items in product(VALUES, repeat=size)]


def named(*names: str, **more: Json) -> Schema:
    return {"properties": dict.fromkeys(names, TEXT), **more}


def whole(**more: Json) -> Schema:
    return {"type": "object", **more}


def listed(**more: Json) -> Schema:
    return {"type": "array", **more}


def sharing(shared: Schema, **more: Json) -> Schema:
    return {"$defs": {"B": shared}, "allOf": [{"$ref": "#/$defs/B"}], **more}


OPEN: Schema = {"unevaluatedProperties": True}
CLOSED: Schema = {"unevaluatedProperties": False}
ENDED: Schema = {"unevaluatedItems": False}
FIRST: Json = [TEXT]
PARTS: Schema = whole(allOf=[named("a")], **named("b"))
ANY: Schema = whole(anyOf=[named("a", required=["a"]), named("b", required=["b"])])
IF: Schema = {"if": {"properties": {"k": {"const": 1}}, "required": ["k"]}, "then": named("a")}
# name, released, candidate, the facet of the one row ("" for a member)
EDITS: list[tuple[str, Schema, Schema, str]] = [
    ("closed around parts", PARTS, {**PARTS, **CLOSED}, "unevaluatedProperties"),
    (
        "one part closed",
        PARTS,
        whole(allOf=[named("a", additionalProperties=False)], **named("b")),
        "additionalProperties",
    ),
    (
        "judged before or behind the branches",
        {**ANY, "additionalProperties": False},
        {**ANY, **CLOSED},
        "additionalProperties",
    ),
    (
        "a member of a branch",
        {**ANY, **CLOSED},
        whole(anyOf=[named("a", "x", required=["a"]), named("b", required=["b"])], **CLOSED),
        "",
    ),
    ("a condition", whole(**IF, **CLOSED), whole(**CLOSED), "if"),
    (
        "a member of a part",
        whole(allOf=[named("a"), {"required": ["a"]}], **CLOSED),
        whole(allOf=[named("a", "x"), {"required": ["a"]}], **CLOSED),
        "",
    ),
    (
        "a shared part describes all members",
        sharing(named("a"), **whole(**named("b"), **CLOSED)),
        sharing(named("a", additionalProperties=True), **whole(**named("b"), **CLOSED)),
        "unevaluatedProperties",
    ),
    (
        "a shared part describes all items",
        sharing({"minItems": 1}, **listed(prefixItems=FIRST, **ENDED)),
        sharing({"minItems": 1, "items": True}, **listed(prefixItems=FIRST, **ENDED)),
        "unevaluatedItems",
    ),
    (
        "all items described",
        listed(prefixItems=FIRST, **ENDED),
        listed(prefixItems=FIRST, items=True, **ENDED),
        "unevaluatedItems",
    ),
    ("items judged as left or as others", listed(unevaluatedItems=TEXT), listed(items=False), "items"),
]


def _event(schema: Schema) -> Contract:
    text = json.dumps({"$schema": DRAFT, **schema}).encode()
    return read_contract("event.json", lambda _: text)


def _openapi(schema: Schema) -> Contract:
    shared = schema.get("$defs", {})
    own = json.loads(json.dumps(schema).replace("#/$defs/", "#/components/schemas/"))
    own.pop("$defs", None)
    content: Json = {"content": {"application/json": {"schema": own}}}
    operation = {"requestBody": content, "responses": {"200": {"description": "", **content}}}  # type: ignore[dict-item]
    return pipeline.contract(
        {
            "openapi": "3.1.0",
            "info": {"title": "t", "version": "1"},
            "paths": {"/a": {"post": operation}},
            "components": {"schemas": shared},
        }
    )


SIDES = {"JSON Schema": _event, "OpenAPI": _openapi}


def _verdict(row: JudgedRow, released: Schema, candidate: Schema) -> Verdict:
    """What the independent validator says of the whole schemas in the direction of a row."""
    sent, expected = (released, candidate) if row.delta.direction is Direction.READ else (candidate, released)
    inside, outside = Draft202012Validator(sent), Draft202012Validator(expected)
    shown = any(inside.is_valid(value) and not outside.is_valid(value) for value in (*OBJECTS, *ARRAYS))
    return Verdict.BREAKING if shown else Verdict.COMPATIBLE


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("kind", SIDES)
@pytest.mark.parametrize(("name", "released", "candidate", "facet"), EDITS, ids=[edit[0] for edit in EDITS])
def test_one_edit_is_one_row_in_each_direction(
    kind: str, name: str, released: Schema, candidate: Schema, facet: str
) -> None:
    for old, new in ((released, candidate), (candidate, released)):
        rows = compare(SIDES[kind](old), SIDES[kind](new)).rows
        assert [row.delta.facet for row in rows] == [facet, facet]
        assert {row.delta.direction for row in rows} == set(Direction)
        for row in rows:
            verdict = _verdict(row, old, new)
            assert row.judgement.verdict is verdict
            status = ProofStatus.WITNESSED if verdict is Verdict.BREAKING else ProofStatus.PROVED
            assert row.proof.status is status


REWRITTEN: Schema = whole(properties={"k": {}, "a": TEXT}, additionalProperties=False)


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("kind", SIDES)
def test_a_rewrite_that_widens_breaks_nothing_where_it_is_read(kind: str) -> None:
    """Released is contained in the candidate: one row for what judges other members, never closed and opened."""
    released = whole(**IF, **CLOSED)
    rows = compare(SIDES[kind](released), SIDES[kind](REWRITTEN)).rows
    places = Counter((row.delta.direction, row.delta.aspect, row.delta.address) for row in rows)
    assert max(places.values()) == 1
    read = [row for row in rows if row.delta.direction is Direction.READ]
    assert {(row.judgement.verdict, row.proof.status) for row in read} == {(Verdict.COMPATIBLE, ProofStatus.PROVED)}
    written = [row for row in rows if row.delta.direction is Direction.WRITTEN]
    assert all(
        row.proof.status is ProofStatus.WITNESSED for row in written if row.judgement.verdict is Verdict.BREAKING
    )
    assert any(row.judgement.verdict is Verdict.BREAKING for row in written)


@pytest.mark.req("W1L-018", "W1L-019")
def test_what_nothing_decides_is_unknown_and_not_breaking() -> None:
    """Not every pattern in one branch only is decided; then no value shows a loss either."""
    released = whole(anyOf=[{"patternProperties": {"^a": TEXT}, "required": ["b"]}, named("b")], **CLOSED)
    candidate = whole(
        anyOf=[{"required": ["b"]}, {}],
        patternProperties={"^a": TEXT},
        properties={"b": {}},
        additionalProperties=False,
    )
    rows = [row for row in compare(_event(released), _event(candidate)).rows if row.delta.direction is Direction.READ]
    assert rows
    assert all(row.judgement.verdict is not Verdict.BREAKING for row in rows)
    assert any(row.judgement.verdict is Verdict.UNKNOWN for row in rows)


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize(
    "branch",
    [{"additionalProperties": True}, {"unevaluatedProperties": True}, {"additionalProperties": {}}],
)
def test_openness_that_is_only_written_out_counts_where_it_is_judged(branch: Schema) -> None:
    """A branch that looks at all members leaves none to the node around it: a row for each direction."""
    plain = named("a", required=["a"])
    sides = [whole(anyOf=[each, named("b", required=["b"])], **CLOSED) for each in (plain, {**plain, **branch})]
    inside, outside = (Draft202012Validator(side) for side in sides[::-1])
    assert any(inside.is_valid(value) and not outside.is_valid(value) for value in (*OBJECTS, *ARRAYS))
    for old, new in (sides, sides[::-1]):
        opens = new is sides[1]
        told = {row.delta.direction: row for row in compare(_event(old), _event(new)).rows}
        safe, breaks = (told[each] for each in ((Direction.READ, Direction.WRITTEN)[:: 1 if opens else -1]))
        assert safe.judgement.verdict is Verdict.UNKNOWN
        assert (breaks.judgement.verdict, breaks.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    open_ = [{**side, "unevaluatedProperties": True} for side in sides]
    assert compare(_event(open_[0]), _event(open_[1])).rows == ()


ASKED: Schema = {"properties": {"a": TEXT}, "required": ["b"]}
HIDDEN: list[tuple[str, Schema, Schema]] = [
    (
        "a condition without consequence",
        whole(**{"if": ASKED}, properties={"k": TEXT}, **CLOSED),
        whole(**{"if": named("a")}, properties={"k": {"allOf": [TEXT, TEXT]}}, **CLOSED),
    ),
    (
        "a member that a condition names as well",
        whole(
            anyOf=[{"title": "t", "properties": {"a": {}}, "if": ASKED, "then": {}}, named("k", required=["k"])],
            **CLOSED,
        ),
        whole(anyOf=[{"title": "t", "if": ASKED, "then": {}}, named("k", required=["k"])], **CLOSED),
    ),
    (
        "a branch of a part that judges items",
        {"allOf": [{"oneOf": [{"prefixItems": [{}]}], **ENDED}]},
        {"allOf": [{"oneOf": [{"prefixItems": [{}], "items": True}], **ENDED}]},
    ),
    (
        "items judged before or behind the branches",
        listed(anyOf=[{"prefixItems": FIRST}, {"minItems": 2}], items=False),
        listed(anyOf=[{"prefixItems": FIRST}, {"minItems": 2}], **ENDED),
    ),
    (
        "all members described two branches deep",
        whole(**named("a"), oneOf=[{"oneOf": [named("b")]}], unevaluatedProperties=TEXT),
        whole(**named("a"), oneOf=[{"oneOf": [named("b", unevaluatedProperties=True)]}], unevaluatedProperties=TEXT),
    ),
    ("what contains matches", listed(contains={"type": "integer"}, **ENDED), listed(**ENDED)),
]


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize(("name", "released", "candidate"), HIDDEN, ids=[case[0] for case in HIDDEN])
def test_a_part_with_the_same_values_may_evaluate_others(name: str, released: Schema, candidate: Schema) -> None:
    """What the parts admit is the same on both sides; what they leave unevaluated is not, and so it is no noise."""
    rows = compare(_event(released), _event(candidate)).rows
    for direction in Direction:
        own = [row for row in rows if row.delta.direction in (direction, None)]
        sent, expected = (released, candidate) if direction is Direction.READ else (candidate, released)
        inside, outside = Draft202012Validator(sent), Draft202012Validator(expected)
        shown = any(inside.is_valid(value) and not outside.is_valid(value) for value in (*OBJECTS, *ARRAYS))
        assert own
        assert any(row.judgement.verdict is not Verdict.COMPATIBLE for row in own) or not shown
