"""Every breaking row about values shows a whole value of its position that both validators judge as it says."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.proof.outcome import ProofReason, RefusedValue
from evreview.comparison.proof.prove import Prover
from evreview.contract.model import ValueSet
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.kinds.compare import compare, diff_contracts
from evreview.redaction.redactor import Redactor
from evreview.schema.formats import WITHIN
from evreview.schema.reader import BOUNDS
from evreview.schema.to_json_schema import standalone
from evreview.schema.validators import accepts
from tests.pipeline import compared, contract

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def document(schema: Json, components: Json, *, sent: bool = True) -> Json:
    content: Json = {"application/json": {"schema": schema}}
    answer: Json = {"description": "x"} if sent else {"description": "x", "content": content}
    body: dict[str, Json] = {"requestBody": {"content": content}} if sent else {}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": {**body, "responses": {"200": answer}}}},
        "components": {"schemas": components},
    }


def obj(required: list[str] | None = None, **properties: Json) -> dict[str, Json]:
    return {"type": "object", "required": required or [], "properties": properties}


def deep(leaf: Json) -> dict[str, Json]:
    parts: dict[str, Json] = {f"L{at}": obj(["below", "id"], below=ref(f"L{at + 1}"), id=TEXT) for at in range(8)}
    return {**parts, "L8": leaf}


KIND = {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}}
PETS: Json = {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": KIND}


def pets(lives: Json) -> Json:
    cat = obj(["kind", "lives"], kind={"const": "cat"}, lives=lives)
    return {"Cat": cat, "Dog": obj(["kind"], kind={"const": "dog"}, name=TEXT)}


def tree(value: Json) -> Json:
    return {"Node": obj(["value"], value=value, children={"type": "array", "items": ref("Node")})}


def relations(size: int, last: Json, other: Json) -> Json:
    """Components that owe a relation to every one of them, each of which may be something else instead."""
    names = [f"N{at}" for at in range(size)]
    owed: dict[str, Json] = {f"c{at}": {"anyOf": [ref(name), other]} for at, name in enumerate(names)}
    return {name: obj([*owed, "v"], **owed, v=last if name == names[-1] else TEXT) for name in names}


def asking(then: Json, other: Json) -> Json:
    when = obj(["k"], k={"const": "x"})
    judged = ({"properties": {"v": then}}, {"properties": {"v": other}})
    return {**obj(k=TEXT, v=True), "if": when, "then": judged[0], "else": judged[1]}


def overlapping(size: int) -> Json:
    return {"oneOf": [obj(["a"], a={**TEXT, "maxLength": size}), obj(["b"], b=WHOLE), obj(a=WHOLE, c=TEXT)]}  # type: ignore[dict-item]


HARD: list[Json] = [
    {**TEXT, "minLength": 8, "pattern": "[0-9]"},
    {**TEXT, "minLength": 2, "maxLength": 4, "pattern": "[A-Z]"},
    {**TEXT, "minLength": 20, "pattern": "^sk_"},
    {**TEXT, "minLength": 5, "pattern": "\\.com$"},
    {"type": "array", "items": {**TEXT, "minLength": 8, "pattern": "[0-9]"}, "minItems": 1},
    {"type": "array", "items": WHOLE, "minItems": 9, "uniqueItems": True},
    {"type": "array", "items": TEXT, "minItems": 9, "uniqueItems": True},
    {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "minProperties": 2, "additionalProperties": WHOLE},
    {**TEXT, "format": "uri", "minLength": 30},
    {**TEXT, "format": "email", "maxLength": 5},
    {**TEXT, "format": "ipv4", "pattern": "^10\\."},
]
"""What lengths, patterns, formats and counts together ask for."""
# name, the position of the side that sends and of the side that expects, the components of both
Case = tuple[str, Json, Json, Json, Json]
CASES: list[Case] = [
    ("a deep required tree", ref("L0"), ref("L0"), deep(TEXT), deep(WHOLE)),
    ("a branch chosen by discriminator", PETS, PETS, pets(WHOLE), pets({"type": "integer", "maximum": 9})),
    ("a recursive component", ref("Node"), ref("Node"), tree(TEXT), tree({"type": "string", "maxLength": 3})),
    *(
        (f"{size} relations or {other}", ref("N0"), ref("N0"), *(relations(size, v, other) for v in (TEXT, WHOLE)))
        for size in (2, 6, 12)
        for other in ({"type": "null"}, {"type": "boolean"})
    ),
    ("overlapping branches", overlapping(9), overlapping(4), {}, {}),
    ("a renamed component", ref("Old"), ref("New"), {"Old": obj(a=TEXT)}, {"New": obj(a=WHOLE)}),
    (
        "patterns and formats in required members",
        obj(
            ["id", "at", "n"],
            id={"type": "string", "pattern": "^[A-Z]{3}-\\d+$"},
            at={**TEXT, "format": "uuid"},
            n=WHOLE,
        ),  # type: ignore[dict-item]
        obj(
            ["id", "at", "n"],
            id={"type": "string", "pattern": "^[A-Z]{3}-\\d+$"},
            at={**TEXT, "format": "uuid"},
            n=TEXT,
        ),  # type: ignore[dict-item]
        {},
        {},
    ),
    (
        "more items than before",
        {"type": "array", "items": TEXT},
        {"type": "array", "items": TEXT, "maxItems": 250},
        {},
        {},
    ),
    ("below not", {"not": obj(["a"], a={"maximum": 5, "type": "integer"})}, {"not": obj(["a"], a=WHOLE)}, {}, {}),
    ("below then", asking({"type": "number"}, TEXT), asking(WHOLE, TEXT), {}, {}),
    ("below else", asking(TEXT, {"type": "number"}), asking(TEXT, WHOLE), {}, {}),
    (
        "a member of a map",
        {"type": "object", "additionalProperties": obj(a={"enum": [1, 2]})},
        {"type": "object", "additionalProperties": obj(a={"enum": [1]})},
        {},
        {},
    ),
    (
        "a branch beside one that other members tell apart",
        {"anyOf": [obj(["k"], k=TEXT), obj(["id"], id=WHOLE)]},
        {"anyOf": [obj(["k"], k=TEXT), obj(["id"], id=TEXT)]},
        {},
        {},
    ),
    (
        "branches that owe as much as the row's own",
        {
            "anyOf": [
                TEXT,
                obj(["id", "k"], id=TEXT, k={"const": 1}),
                obj(["id", "gone"], id=TEXT, gone={"const": True}),
            ]
        },
        {
            "anyOf": [
                TEXT,
                obj(["id", "k"], id=TEXT, k={"const": 1}),
                obj(["id", "gone"], id=WHOLE, gone={"const": True}),
            ]
        },
        {},
        {},
    ),
    *(
        (
            f"beside a member that is hard to fill: {json.dumps(hard)}",
            obj(["s", "k"], s={**TEXT, "maxLength": 3}, k=hard),
            obj(["s", "k"], s={**TEXT, "maxLength": 2}, k=hard),
            {},
            {},
        )
        for hard in HARD
    ),
    ("a member that nothing was good for", obj(a=TEXT), obj(a=False), {}, {}),
    (
        "what the outcome of a condition asks for",
        {**obj(["a"], a=TEXT), "if": {"properties": {"a": {"const": "x"}}}, "else": {"required": ["b"]}},
        {
            **obj(["a"], a={**TEXT, "maxLength": 3}),
            "if": {"properties": {"a": {"const": "x"}}},
            "else": {"required": ["b"]},
        },
        {},
        {},
    ),
    (
        "an item that nothing else looks at",
        {"type": "array", "contains": WHOLE, "unevaluatedItems": TEXT},
        {"type": "array", "contains": WHOLE, "unevaluatedItems": False},
        {},
        {},
    ),
    (
        "a name that a closed object declares",
        {**obj(id=WHOLE, b=obj(), kind=TEXT), "additionalProperties": False, "propertyNames": {"maxLength": 1}},
        {**obj(id=WHOLE, b=obj(), kind=TEXT), "additionalProperties": False, "propertyNames": {"maxLength": 0}},
        {},
        {},
    ),
    *(
        (f"{kind} gets the format {name}", {"type": kind}, {"type": kind, "format": name}, {}, {})
        for kind in ("number", "integer")
        for name in sorted(BOUNDS)
    ),
    (
        "a component used in many places",
        obj(["a"], a=obj(["s"], s=ref("S"), z=WHOLE), b=ref("S"), c={"type": "array", "items": ref("S")}),
        obj(["a"], a=obj(["s"], s=ref("S"), z=WHOLE), b=ref("S"), c={"type": "array", "items": ref("S")}),
        {"S": {"enum": ["x", "y"]}},
        {"S": {"enum": ["x"]}},
    ),
]


def checked(row: JudgedRow, found: RefusedValue, comparison: Comparison) -> None:
    """Both validators say of the value what the witness says."""
    old, new = found.root.position.released.value, found.root.position.candidate.value
    assert isinstance(old, ValueSet) and isinstance(new, ValueSet)
    released = standalone(old, comparison.ledger.released, found.root.position.released.direction)
    candidate = standalone(new, comparison.ledger.candidate, found.root.position.candidate.direction)
    sent = found.root.position.released.direction == "read"
    for schema, expected in ((released, sent), (candidate, not sent)):
        assert accepts(schema, found.value) is expected, row.delta.address
        assert Draft202012Validator(schema).is_valid(found.value) is expected, row.delta.address  # type: ignore[arg-type]


@pytest.mark.parametrize("sent", [True, False], ids=["request", "response"])
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
@pytest.mark.req("W1L-018", "W1L-019")
def test_a_breaking_row_is_witnessed(case: Case, sent: bool) -> None:
    _, old, new, before, after = case
    first, second = document(old, before, sent=sent), document(new, after, sent=sent)
    comparison = compared(first, second) if sent else compared(second, first)
    rows = [row for row in comparison.rows if row.judgement.verdict is Verdict.BREAKING]
    assert rows
    prover = Prover(comparison.ledger)
    for row in rows:
        assert row.proof.status is ProofStatus.WITNESSED, (row.delta.address, row.proof.reason)
        found = next(prover.found(row.delta))
        checked(row, found, comparison)
        assert found.alone


@pytest.mark.parametrize("media_type", ["application/x-www-form-urlencoded", "multipart/form-data"])
@pytest.mark.parametrize("null", [0, 1], ids=["first", "last"])
@pytest.mark.req("W1L-019")
def test_a_field_of_a_form_that_is_owed_is_not_filled_with_null(media_type: str, null: int) -> None:
    """Null has no text, so a message with it could not be sent."""
    branches: list[Json] = [{"type": "array", "minItems": 1, "items": TEXT}]
    branches.insert(null, {"type": "null"})
    pair = [document(obj(["m", "v"], m={"anyOf": branches}, v=kind), {}) for kind in (TEXT, WHOLE)]
    for made in pair:
        body = made["paths"]["/a"]["post"]["requestBody"]
        body["content"] = {media_type: body["content"]["application/json"]}
    (row,) = [row for row in compared(*pair).rows if row.delta.facet == "type"]
    assert row.proof.status is ProofStatus.WITNESSED, row.proof.reason
    assert row.proof.witness["value"]["m"] == ["a"]


def test_several_rows_in_one_message_have_a_value_each_that_breaks_nothing_else() -> None:
    names = ["a", "b", "c"]
    comparison = compared(
        document(obj([], **dict.fromkeys(names, TEXT)), {}), document(obj(names, **dict.fromkeys(names, TEXT)), {})
    )
    prover = Prover(comparison.ledger)
    values = {str(row.delta.address).rpartition(" ")[2]: next(prover.found(row.delta)) for row in comparison.rows}
    assert {name: sorted(found.value) for name, found in values.items()} == {  # type: ignore[arg-type]
        "a": ["b", "c"],
        "b": ["a", "c"],
        "c": ["a", "b"],
    }
    assert all(found.alone for found in values.values())


def test_a_message_that_can_only_break_for_several_rows_says_so() -> None:
    old: Json = {"type": "string", "enum": ["aaaa"]}
    comparison = compared(
        document(obj(["k", "m"], k=old, m=old), {}),
        document(obj(["k", "m"], k={"enum": ["b"]}, m={"enum": ["b"]}), {}),
    )
    found = [row.proof.found for row in comparison.rows if row.proof.status is ProofStatus.WITNESSED]
    assert found and not any(one.alone for one in found if one is not None)


def test_values_do_not_depend_on_the_order_in_which_rows_are_asked() -> None:
    shared = document(CASES[-1][1], CASES[-1][3]), document(CASES[-1][2], CASES[-1][4])
    pets_too = (
        document(obj(p=PETS, n=ref("Node")), {**pets(WHOLE), **tree(TEXT)}),
        document(  # type: ignore[dict-item]
            obj(p=PETS, n=ref("Node")),
            {**pets({"type": "integer", "maximum": 9}), **tree(WHOLE)},  # type: ignore[dict-item]
        ),
    )
    for first, second in (shared, pets_too):
        ledger = diff_contracts(contract(first), contract(second))
        told = set()
        for order in permutations(ledger.deltas):
            prover = Prover(ledger)
            proofs = {delta.id: prover.proof(delta).witness for delta in order}
            told.add(json.dumps(proofs, sort_keys=True))
        assert len(told) == 1


def test_without_witnesses_nothing_is_searched() -> None:
    ledger = diff_contracts(contract(document(TEXT, {})), contract(document(WHOLE, {})))
    proofs = [Prover(ledger, witnesses=False).proof(delta) for delta in ledger.deltas]
    assert [(proof.status, proof.reason) for proof in proofs] == [(ProofStatus.UNPROVEN, ProofReason.NOT_ASKED)]


NAMES = st.sampled_from(["a", "b"])
LEAVES = st.sampled_from(
    [
        TEXT,
        WHOLE,
        {"type": "string", "maxLength": 2},
        {"type": "integer", "minimum": 3},
        {"enum": ["x", 1]},
        {"type": ["string", "null"]},
        {"type": "string", "pattern": "^[ab]+$"},
    ]
)


def _around(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    objects = st.builds(
        lambda members, owed: obj([name for name in owed if name in members], **members),
        st.dictionaries(NAMES, inner, min_size=1, max_size=2),
        st.lists(NAMES, unique=True, max_size=2),
    )
    arrays = st.builds(lambda items: {"type": "array", "items": items}, inner)
    unions = st.builds(
        lambda keyword, branches: {keyword: branches},
        st.sampled_from(["anyOf", "oneOf", "allOf"]),
        st.lists(inner, min_size=2, max_size=2),
    )
    return st.one_of(objects, arrays, unions)


SCHEMAS = st.recursive(LEAVES, _around, max_leaves=5)


@given(SCHEMAS, SCHEMAS, st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_witness_is_refuted_by_either_validator(old: Json, new: Json, sent: bool) -> None:
    first, second = contract(document(old, {}, sent=sent)), contract(document(new, {}, sent=sent))
    comparison = compare(first, second)
    prover = Prover(comparison.ledger)
    for row in comparison.rows:
        for found in prover.found(row.delta):
            checked(row, found, comparison)


@pytest.mark.parametrize("name", sorted(WITHIN))
def test_an_invented_value_of_a_format_is_no_secret(name: str) -> None:
    found = compared(document({"type": "string", "format": name}, {}), document(WHOLE, {}))
    values = [row.proof.witness["value"] for row in found.rows if "value" in row.proof.witness]
    assert values
    assert [Redactor().clean_json(value) for value in values] == values
