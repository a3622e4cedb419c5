"""Subtypes that only a discriminator names: the ledger reaches them as it reaches the branches of a union."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from evreview.comparison.proof.outcome import ProofReason
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.comparison import pairs

VERSIONS = ("2.0", "3.0.3", "3.1.0")
PET: Any = {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}}
CAT: Any = {"type": "object", "properties": {"n": {"type": "integer"}}}
DOG: Any = {"type": "object", "properties": {"loud": {"type": "boolean"}}}


def _extends(name: str, own: Any) -> Any:
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}, own]}


def _made(version: str, mapping: Any = None, *, send: bool = False, shape: Any = None, **schemas: Any) -> pairs.Doc:
    """A contract whose only message is a Pet; schemas given as None are left out."""
    told: Any = "k" if version == "2.0" else {"propertyName": "k", **({"mapping": mapping} if mapping else {})}
    known = {
        "Pet": {**PET, "discriminator": told},
        "Cat": _extends("Pet", CAT),
        "Dog": _extends("Pet", DOG),
        **schemas,
    }
    kept = {name: schema for name, schema in known.items() if schema is not None}
    shape = shape or {"$ref": "#/components/schemas/Pet"}
    if version != "2.0":
        return pairs.document({"/a": pairs.post(shape) if send else pairs.get(shape)}, kept, version)
    body = {"in": "body", "name": "body", "schema": shape}
    responses = {"200": {"description": "ok", **({} if send else {"schema": shape})}}
    operation = {"responses": responses, **({"parameters": [body]} if send else {})}
    made = {
        "swagger": "2.0",
        "info": {"title": "Orders", "version": "1"},
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "paths": {"/a": {"post": operation}},
        "definitions": kept,
    }
    found: pairs.Doc = json.loads(json.dumps(made).replace("#/components/schemas/", "#/definitions/"))
    return found


def _rows(released: pairs.Doc, candidate: pairs.Doc) -> list[tuple[str, str, str]]:
    found = compare(pairs.contract(released), pairs.contract(candidate))
    assert not any(row.proof.status is ProofStatus.WITNESSED for row in found.rows)
    return [
        (row.delta.address.partition("/json > ")[2], row.judgement.rule, row.judgement.verdict.value)
        for row in found.rows
    ]


TEXT = _extends("Pet", {"type": "object", "properties": {"n": {"type": "string"}}})
OWED = _extends("Pet", {**CAT, "required": ["n"]})
SAME = _extends("Pet", CAT)
CATS = {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}

_EDITS = (
    (SAME, TEXT, "{k=Cat} > n", "type-changed", ("breaking", "breaking")),
    (SAME, OWED, "{k=Cat} > n", "field-became-required", ("breaking", "compatible")),
    (OWED, SAME, "{k=Cat} > n", "field-became-optional", ("compatible", "breaking")),
    (SAME, None, "", "discriminator-value-removed", ("breaking", "compatible")),
    (None, SAME, "", "discriminator-value-added", ("compatible", "breaking")),
)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("before", "after", "address", "rule", "verdicts"), _EDITS)
@pytest.mark.parametrize("send", [True, False])
def test_an_edit_of_a_subtype_is_one_row(  # noqa: PLR0913 - a table of edits
    version: str, before: Any, after: Any, address: str, rule: str, verdicts: tuple[str, str], send: bool
) -> None:
    rows = _rows(_made(version, send=send, Cat=before), _made(version, send=send, Cat=after))
    side = "request" if send else "response"
    assert rows == [(address, f"{side}-{rule}", verdicts[0] if send else verdicts[1])]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_values_of_a_mapping_lead_to_subtypes(version: str) -> None:
    released = _made(version, CATS)
    assert _rows(released, _made(version, CATS, Cat=TEXT)) == [
        ("{k=cat} > n", "response-type-changed", "breaking"),
    ]
    named = {"cat": "Cat", "dog": "Dog"}
    assert _rows(released, _made(version, named, Cat=TEXT))[0][0] == "{k=cat} > n"
    apart = {**PET, "properties": {**PET["properties"], "n": {"type": "integer"}}}
    changed = {**PET, "properties": {**PET["properties"], "n": {"type": "string"}}}
    # Not even an `allOf` is needed where a mapping names the subtype.
    assert [row[0] for row in _rows(_made(version, CATS, Cat=apart), _made(version, CATS, Cat=changed))] == [
        "{k=cat} > n"
    ]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_an_entry_of_a_mapping_is_one_row(version: str) -> None:
    more = {**CATS, "lion": "#/components/schemas/Lion"}
    lion = _extends("Pet", {"type": "object"})
    rows = _rows(_made(version, CATS), _made(version, more, Lion=lion))
    assert rows == [("", "response-discriminator-value-added", "breaking")]
    rows = _rows(_made(version, more, Lion=lion), _made(version, CATS))
    assert rows == [("", "response-discriminator-value-removed", "compatible")]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_values_that_change_places_are_one_row(version: str) -> None:
    reversed = {"cat": CATS["dog"], "dog": CATS["cat"]}
    assert [row[1] for row in _rows(_made(version, CATS), _made(version, reversed))] == [
        "response-discriminator-changed"
    ]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_rewrites_are_no_rows(version: str) -> None:
    implicit = _made(version)
    written = _made(version, {name: f"#/components/schemas/{name}" for name in ("Cat", "Dog")})
    named = _made(version, {name: name for name in ("Cat", "Dog")})
    half = _made(version, {"Cat": "Cat"})
    for one in (implicit, written, named, half):
        for two in (implicit, written, named, half):
            assert _rows(one, two) == []
    text = json.dumps(_made(version, CATS))
    renamed = json.loads(text.replace("/Cat", "/Feline").replace('"Cat"', '"Feline"'))
    assert _rows(_made(version, CATS), renamed) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_subtypes_of_subtypes_and_wrappers(version: str) -> None:
    lion = _extends("Cat", {"type": "object", "properties": {"mane": {"type": "integer"}}})
    other = _extends("Cat", {"type": "object", "properties": {"mane": {"type": "string"}}})
    released, candidate = _made(version, Lion=lion), _made(version, Lion=other)
    assert [row[0] for row in _rows(released, candidate)] == ["{k=Lion} > mane"]
    cat, dog = ({"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog"))
    released, candidate = _made(version, shape=cat, Lion=lion), _made(version, shape=cat, Lion=other)
    assert [row[0] for row in _rows(released, candidate)] == ["{k=Lion} > mane"]
    assert _rows(_made(version, shape=dog, Lion=lion), _made(version, shape=dog, Lion=other)) == []
    wrapped = {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Pet"}], "maxProperties": 9}}
    rows = _rows(_made(version, shape=wrapped), _made(version, shape=wrapped, Cat=TEXT))
    assert [row[0] for row in rows] == ["[] > {k=Cat} > n"] or [row[0] for row in rows] == ["[]{k=Cat} > n"]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_union_of_the_subtypes_is_read_as_before(version: str) -> None:
    union = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog")]}
    released, candidate = _made(version, shape=union), _made(version, shape=union, Cat=TEXT)
    found = compare(pairs.contract(released), pairs.contract(candidate))
    assert len(found.rows) == 1
    assert "oneOf(" in found.rows[0].delta.address


@pytest.mark.parametrize("version", VERSIONS)
def test_a_row_of_a_subtype_is_no_noise_of_an_equal_schema_above(version: str) -> None:
    nothing: Any = {"anyOf": [{"minProperties": 0}, {"type": "object"}]}
    released = _made(version)
    candidate = _made(version, Cat=TEXT)
    for document, schema in ((released, {"type": "object"}), (candidate, nothing)):
        shelf = document["definitions"] if version == "2.0" else document["components"]["schemas"]
        shelf["Pet"]["allOf"] = [schema]
    found = compare(pairs.contract(released), pairs.contract(candidate))
    assert "{k=Cat} > n" in [str(row.delta.address).partition("/json > ")[2] for row in found.rows]


def test_a_subtype_has_one_row_for_all_its_uses_with_a_stable_id() -> None:
    released, candidate = _made("3.0.3"), _made("3.0.3", Cat=TEXT)
    for document in (released, candidate):
        document["paths"]["/b"] = copy.deepcopy(document["paths"]["/a"])
    rows = pairs.diff(released, candidate).deltas
    assert [row.operations for row in rows] == [("GET /a", "GET /b")]
    del candidate["paths"]["/a"]
    alone = [row for row in pairs.diff(released, candidate).deltas if row.facet == "type"]
    assert [row.id for row in alone] == [row.id for row in rows]


def test_a_safe_edit_of_a_subtype_is_proved() -> None:
    wide = _extends("Pet", {"type": "object", "properties": {"n": {"type": ["integer", "string"]}}})
    released, candidate = _made("3.1.0", send=True), _made("3.1.0", send=True, Cat=wide)
    found = compare(pairs.contract(released), pairs.contract(candidate))
    assert [(row.judgement.verdict, row.proof.status) for row in found.rows] == [
        (Verdict.COMPATIBLE, ProofStatus.PROVED)
    ]


def test_nothing_is_proved_from_above_a_discriminator() -> None:
    """The whole messages are equal as value sets: that says nothing of what the discriminator selects."""
    shape = {"not": {"$ref": "#/components/schemas/Pet"}}
    wide = {**PET, "minProperties": 1}
    released = _made("3.1.0", send=True, shape=shape)
    candidate = _made("3.1.0", send=True, shape=shape, Cat=TEXT, Pet={**wide, "discriminator": {"propertyName": "k"}})
    found = compare(pairs.contract(released), pairs.contract(candidate))
    rows = [row for row in found.rows if row.delta.facet == "type"]
    assert [row.proof.status for row in rows] == [ProofStatus.UNPROVEN]


def test_a_row_that_only_a_discriminator_leads_to_says_why_it_is_unproven() -> None:
    found = compare(pairs.contract(_made("3.1.0")), pairs.contract(_made("3.1.0", Cat=TEXT)))
    assert [(row.proof.status, row.proof.reason) for row in found.rows] == [
        (ProofStatus.UNPROVEN, ProofReason.BY_DISCRIMINATOR)
    ]


def test_a_value_more_of_a_discriminator_says_why_it_is_unproven() -> None:
    more = _made("3.0.3", Bird=_extends("Pet", {"type": "object", "properties": {"w": {"type": "integer"}}}))
    (row,) = compare(pairs.contract(_made("3.0.3")), pairs.contract(more)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.UNPROVEN)
    assert row.proof.reason == ProofReason.SELECTING


def test_the_discriminator_may_stand_in_a_part_of_the_base() -> None:
    parts = {"allOf": [{"type": "object"}, {**PET, "discriminator": {"propertyName": "k"}}]}
    cat = {"$ref": "#/components/schemas/Cat"}
    for shape, address in ((None, "{k=Cat} > n"), (cat, "n")):
        released, candidate = _made("3.0.3", shape=shape, Pet=parts), _made("3.0.3", shape=shape, Pet=parts, Cat=TEXT)
        found = pairs.diff(released, candidate).deltas
        assert [row.address.partition("/json > ")[2] for row in found] == [address]


def test_a_schema_that_only_wraps_the_base_holds_its_subtypes() -> None:
    wrap = {"allOf": [{"$ref": "#/components/schemas/Pet"}], "nullable": True}
    shape = {"$ref": "#/components/schemas/Wrap"}
    rows = _rows(_made("3.0.3", shape=shape, Wrap=wrap), _made("3.0.3", shape=shape, Wrap=wrap, Cat=TEXT))
    assert [row[0] for row in rows] == ["{k=Cat} > n"]


def test_hierarchies_that_lead_back_end() -> None:
    loop = {
        "Pet": {**PET, "discriminator": {"propertyName": "k"}, "allOf": [{"$ref": "#/components/schemas/Cat"}]},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Dog"}]},
    }
    rows = pairs.diff(_made("3.0.3", **loop), _made("3.0.3", Cat=TEXT, **loop)).deltas
    assert len(rows) == 1


def test_cost_grows_with_the_number_of_subtypes() -> None:
    many = {f"S{at}": _extends(f"S{at - 1}" if at else "Pet", CAT) for at in range(400)}
    edited = {f"S{at}": _extends(f"S{at - 1}" if at else "Pet", TEXT["allOf"][1]) for at in range(400)}
    fans = [{name: _extends("Pet", one["allOf"][1]) for name, one in side.items()} for side in (many, edited)]
    assert len(pairs.diff(_made("3.0.3", **fans[0]), _made("3.0.3", **fans[1])).deltas) == 400
