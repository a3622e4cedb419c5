"""What holds for every pair of contracts, shown on generated schemas."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.vocabulary import Change
from tests.comparison import pairs

NAMES = st.sampled_from(["id", "name", "state", "a>b", "x[]", "total", ""])
LEAVES = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")}, optional={"maxLength": st.integers(1, 9), "format": st.just("date")}
    ),
    st.fixed_dictionaries(
        {"type": st.just("integer")}, optional={"minimum": st.integers(0, 5), "default": st.integers(0, 5)}
    ),
    st.fixed_dictionaries(
        {"type": st.just("string"), "enum": st.lists(st.sampled_from("abcd"), min_size=1, unique=True)}
    ),
    st.just({"$ref": "#/components/schemas/Shared"}),
    st.just({"$ref": "#/components/schemas/Loop"}),
    st.just({"type": "boolean", "nullable": True}),
)


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(NAMES, inner, max_size=4).flatmap(
        lambda fields: st.lists(st.sampled_from(sorted(fields) or ["id"]), unique=True, max_size=3).map(
            lambda required: {"type": "object", "properties": fields, "required": required}
        )
    )


SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        _objects(inner),
        inner.map(lambda schema: {"type": "array", "items": schema}),
        st.lists(inner, min_size=2, max_size=2).map(lambda schemas: {"allOf": schemas}),
        inner.map(lambda schema: {"type": "object", "additionalProperties": schema}),
    ),
    max_leaves=8,
)


def _document(schema: Any, shared: Any) -> pairs.Doc:
    loop = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Loop"}, "value": schema}}
    paths = {
        "/a": {**pairs.get(schema), **pairs.post(schema)},
        "/b": pairs.get({"$ref": "#/components/schemas/Shared"}),
    }
    return pairs.document(paths, {"Shared": shared, "Loop": loop})


SHARED = _objects(LEAVES.filter(lambda leaf: "$ref" not in leaf))
DOCUMENTS = st.builds(_document, SCHEMAS, SHARED)


@settings(deadline=None, max_examples=60)
@given(DOCUMENTS)
def test_a_contract_against_itself_gives_nothing(document: pairs.Doc) -> None:
    ledger = pairs.diff(document, copy.deepcopy(document))
    assert (ledger.deltas, ledger.noise, ledger.contexts) == ((), (), ())


def _reversed(value: Any) -> Any:
    """The same document, keys in reverse order and every schema with a description."""
    if isinstance(value, dict):
        turned = {key: _reversed(value[key]) for key in reversed(list(value))}
        return {**turned, "description": "reworded"} if "type" in turned and isinstance(turned["type"], str) else turned
    return [_reversed(member) for member in value] if isinstance(value, list) else value


@pytest.mark.req("W1L-001")
@settings(deadline=None, max_examples=60)
@given(DOCUMENTS, DOCUMENTS)
def test_order_and_wording_change_no_id(released: pairs.Doc, candidate: pairs.Doc) -> None:
    plain = {row.id for row in pairs.diff(released, candidate).deltas}
    assert {row.id for row in pairs.diff(_reversed(released), candidate).deltas} == plain
    assert {row.id for row in pairs.diff(released, _reversed(candidate)).deltas} == plain


def test_rewording_keeps_ids_where_one_released_schema_meets_two() -> None:
    shared, loop = ({"$ref": f"#/components/schemas/{name}"} for name in ("Shared", "Loop"))
    nothing = {"type": "object", "properties": {}}
    released = _document({"type": "object", "properties": {"id": shared, "a>b": shared}}, nothing)
    candidate = _document({"type": "object", "properties": {"id": loop}}, nothing)
    plain = {row.id for row in pairs.diff(released, candidate).deltas}
    assert {row.id for row in pairs.diff(_reversed(released), candidate).deltas} == plain


@settings(deadline=None, max_examples=60)
@given(DOCUMENTS)
def test_rewording_and_reordering_alone_give_no_delta(document: pairs.Doc) -> None:
    assert pairs.diff(document, _reversed(document)).deltas == ()


@pytest.mark.req("W1L-001")
@settings(deadline=None, max_examples=60)
@given(DOCUMENTS, DOCUMENTS)
def test_ids_are_unique_and_the_same_in_every_run(released: pairs.Doc, candidate: pairs.Doc) -> None:
    first, second = pairs.diff(released, candidate), pairs.diff(released, candidate)
    ids = [row.id for row in first.deltas] + [noise.delta.id for noise in first.noise]
    assert len(ids) == len(set(ids))
    assert first.deltas == second.deltas
    assert first.noise == second.noise


@pytest.mark.req("W1L-001")
@settings(deadline=None, max_examples=60)
@given(DOCUMENTS, DOCUMENTS)
def test_unrelated_edits_keep_ids(released: pairs.Doc, candidate: pairs.Doc) -> None:
    before = {row.id for row in pairs.diff(released, candidate).deltas}
    for document in (released, candidate):
        document["paths"]["/zzz"] = pairs.get({"type": "string"})
        document["components"]["schemas"]["Unused"] = {"type": "integer"}
    candidate["paths"]["/0"] = pairs.get({"$ref": "#/components/schemas/Shared"})
    after = {row.id for row in pairs.diff(released, candidate).deltas if row.address != "GET /0"}
    assert after == before


@pytest.mark.req("W1L-001")
@settings(deadline=None, max_examples=60)
@given(DOCUMENTS, DOCUMENTS)
def test_renamed_components_keep_ids(released: pairs.Doc, candidate: pairs.Doc) -> None:
    before = {row.id for row in pairs.diff(released, candidate).deltas}
    renamed = json.loads(json.dumps(candidate).replace("Shared", "Zebra").replace("Loop", "Apple"))
    both = json.loads(json.dumps(released).replace("Shared", "Zebra").replace("Loop", "Apple"))
    assert {row.id for row in pairs.diff(both, renamed).deltas} == before
    assert {row.id for row in pairs.diff(released, renamed).deltas} == before


MIRROR = {Change.ADDED: Change.REMOVED, Change.REMOVED: Change.ADDED, Change.CHANGED: Change.CHANGED}


@settings(deadline=None, max_examples=60)
@given(SCHEMAS, SCHEMAS)
def test_reversing_the_pair_mirrors_the_rows(released: Any, candidate: Any) -> None:
    plain = {"type": "object", "properties": {"x": {"type": "string"}}}
    documents = [
        pairs.document({"/a": pairs.get(schema)}, {"Shared": plain, "Loop": plain}) for schema in (released, candidate)
    ]
    there, back = pairs.diff(*documents).deltas, pairs.diff(*reversed(documents)).deltas
    forward = [(r.address, r.facet, r.aspect, r.change, repr(r.released), repr(r.candidate)) for r in there]
    backward = [(r.address, r.facet, r.aspect, MIRROR[r.change], repr(r.candidate), repr(r.released)) for r in back]
    if not any(str(schema).count("Shared") > 1 for schema in (released, candidate)):
        assert sorted(forward) == sorted(backward)
    # One edit of a released component is one row, whatever the fields that use it: the edits then, without addresses.
    assert {row[1:] for row in forward} == {row[1:] for row in backward}


@pytest.mark.req("W1L-001")
def test_removing_one_use_keeps_the_name_of_a_shared_difference() -> None:
    thing = {"type": "object", "properties": {"f": {"type": "string"}}}
    ref = {"$ref": "#/components/schemas/Thing"}
    paths = {
        "/a": pairs.get(ref),
        "/b": pairs.get({"type": "object", "properties": {"t": ref, "u": {"type": "string"}}}),
    }
    after = {"type": "object", "properties": {"f": {"type": "string", "maxLength": 3}}}
    released, candidate = pairs.document(paths, {"Thing": thing}), pairs.document(paths, {"Thing": after})
    [whole] = pairs.diff(released, candidate).deltas
    fewer = pairs.document({"/b": paths["/b"]}, {"Thing": after})
    assert whole.id in {row.id for row in pairs.diff(released, fewer).deltas}
