"""How a value becomes text: one edit is one row, and what counts for nothing is noise."""

from __future__ import annotations

import pytest

from evreview.rules.rule import Slot
from evreview.vocab import Form, Json, ProofStatus
from tests.pipeline import edited

LIST: Json = {"type": "array", "items": {"type": "string"}}
TEXT: Json = {"type": "string"}
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


def query(schema: Json = LIST, **more: Json) -> Json:
    return {"name": "q", "in": "query", "schema": schema, **more}


def content(schema: Json) -> Json:
    return {"name": "q", "in": "query", "content": {JSON: {"schema": schema}}}


def body(media_type: str, **encoding: Json) -> Json:
    schema: Json = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": TEXT}}}}
    return {media_type: {"schema": schema, **({"encoding": {"a": encoding}} if encoding else {})}}


ONE_ROW: list[tuple[str, Slot, Form, Form, str]] = [
    ("style", Slot.PARAMETERS, query(), query(style="spaceDelimited"), "style"),
    ("style, its explode written", Slot.PARAMETERS, query(), query(style="spaceDelimited", explode=False), "style"),
    ("style of a field", Slot.REQUEST_CONTENT, body(FORM, style="deepObject"), body(FORM, style="form"), "style"),
    ("explode", Slot.PARAMETERS, query(), query(explode=False), "explode"),
    ("JSON text", Slot.PARAMETERS, content(TEXT), query(TEXT), "content"),
    ("text as JSON", Slot.PARAMETERS, query(TEXT), content(TEXT), "content"),
    ("list as JSON", Slot.WEBHOOK_PARAMETERS, query(), content(LIST), "content"),
]


@pytest.mark.parametrize(("name", "slot", "released", "candidate", "facet"), ONE_ROW, ids=[row[0] for row in ONE_ROW])
def test_one_edit_is_one_witnessed_row(name: str, slot: Slot, released: Form, candidate: Form, facet: str) -> None:
    rows = edited(slot, released, candidate).rows
    assert [row.delta.facet for row in rows] == [facet]
    assert rows[0].judgement.verdict == "breaking"
    assert rows[0].proof.status is ProofStatus.WITNESSED


def test_style_and_another_explode_are_two_edits() -> None:
    rows = edited(Slot.PARAMETERS, query(), query(style="spaceDelimited", explode=True)).rows
    assert [row.delta.facet for row in rows] == ["style"]
    rows = edited(Slot.PARAMETERS, query(), query(style="deepObject", explode=True)).rows
    assert [row.delta.facet for row in rows] == ["style"]
    rows = edited(Slot.PARAMETERS, query(explode=False), query(style="spaceDelimited", explode=True)).rows
    assert sorted(row.delta.facet for row in rows) == ["explode", "style"]


@pytest.mark.parametrize("kind", ["integer", "number", "boolean"])
def test_numbers_are_one_text_as_json_and_in_a_style(kind: str) -> None:
    (row,) = edited(Slot.PARAMETERS, content({"type": kind}), query({"type": kind})).rows
    assert (row.judgement.rule, row.judgement.verdict) == ("request-content-alike", "compatible")


@pytest.mark.parametrize("media_type", [JSON, "text/csv", "application/xml"])
def test_encodings_count_for_forms_alone(media_type: str) -> None:
    comparison = edited(Slot.REQUEST_CONTENT, body(media_type), body(media_type, explode=False))
    assert comparison.rows == ()
    assert [noise.delta.facet for noise in comparison.noise] == ["encoding"]


FIELD: dict[str, Json] = {"schema": {"type": "object", "properties": {"a": TEXT}}}
SINGLE_VALUES: dict[str, tuple[Slot, Form, Form]] = {
    "enum": (Slot.PARAMETERS, query({"enum": ["a", "b"]}, explode=False), query({"enum": ["a", "b"]})),
    "union": (Slot.PARAMETERS, query({"anyOf": [TEXT, {"type": "integer"}]}, explode=False), query(TEXT)),
    "allOf": (Slot.PARAMETERS, query({"allOf": [TEXT]}, explode=False), query(TEXT)),
    "intervals": (
        Slot.PARAMETERS,
        query({"oneOf": [{"type": "integer", "minimum": 0}, {"type": "integer", "maximum": -1}]}, explode=False),
        query({"type": "integer"}),
    ),
    "null": (Slot.PARAMETERS, query({**TEXT, "nullable": True}, explode=False), query({"allOf": [TEXT]})),
    "a text that may be a list now": (
        Slot.PARAMETERS,
        query(TEXT, explode=False),
        query({"anyOf": [TEXT, LIST]}, explode=False),
    ),
    "webhook": (Slot.WEBHOOK_PARAMETERS, query({"enum": ["a"]}, explode=False), query({"enum": ["a"]})),
    "a field": (Slot.REQUEST_CONTENT, {FORM: FIELD}, {FORM: {**FIELD, "encoding": {"a": {"explode": False}}}}),
}


@pytest.mark.parametrize("name", SINGLE_VALUES)
def test_explode_means_nothing_where_one_side_has_single_values_only(name: str) -> None:
    slot, released, candidate = SINGLE_VALUES[name]
    for pair in ((released, candidate), (candidate, released)):
        comparison = edited(slot, *pair)
        assert "explode" not in [row.delta.facet for row in comparison.rows]
        assert "explode" in [noise.delta.facet for noise in comparison.noise]


@pytest.mark.parametrize("schema", [LIST, {"anyOf": [TEXT, LIST]}, {"type": "object"}, {}, {"not": TEXT}])
def test_explode_counts_where_lists_or_objects_may_be_meant(schema: Json) -> None:
    rows = edited(Slot.PARAMETERS, query(schema, explode=False), query(schema)).rows
    assert [row.delta.facet for row in rows] == ["explode"]
