"""How a value becomes text: one edit is one row, and what counts for nothing is noise."""

from __future__ import annotations

import pytest

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Form, Json, ProofStatus
from tests.pipeline import compared, edited

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


def part(media_type: str, schema: Json, content_type: str) -> tuple[Slot, Form, Form]:
    """One field of a form, without a word about its content type and with one."""
    form: dict[str, Json] = {"schema": {"type": "object", "properties": {"a": schema}}}
    written: Json = {**form, "encoding": {"a": {"contentType": content_type}}}
    return Slot.REQUEST_CONTENT, {media_type: form}, {media_type: written}


OBJECT: Json = {"type": "object", "properties": {"b": TEXT}}
MULTIPART = "multipart/form-data"


@pytest.mark.parametrize(
    ("schema", "content_type"),
    [
        (OBJECT, JSON),
        (TEXT, "text/plain"),
        ({"type": "array", "items": OBJECT}, JSON),
        ({**TEXT, "format": "binary"}, "application/octet-stream"),
    ],
)
def test_the_default_type_of_a_part_may_be_written_out(schema: Json, content_type: str) -> None:
    """OpenAPI 3.0.3, section 4.7.15 Encoding Object, `contentType`."""
    slot, released, candidate = part(MULTIPART, schema, content_type)
    for pair in ((released, candidate), (candidate, released)):
        comparison = edited(slot, *pair)
        assert comparison.rows == ()
        assert [noise.delta.facet for noise in comparison.noise] == ["contentType"]


@pytest.mark.parametrize(("schema", "non_wire"), [(TEXT, True), ({"type": "integer"}, True), (LIST, False)])
def test_a_single_value_of_a_form_is_plain_text_anyway(schema: Json, non_wire: bool) -> None:
    slot, released, candidate = part(FORM, schema, "text/plain")
    for pair in ((released, candidate), (candidate, released)):
        assert bool(edited(slot, *pair).rows) is not non_wire


def test_a_text_that_is_json_shows_its_quotes() -> None:
    slot, plain, written = part(FORM, TEXT, JSON)
    for pair in ((plain, written), (written, plain)):
        (row,) = edited(slot, *pair).rows
        assert (row.judgement.verdict, row.proof.status) == ("breaking", ProofStatus.WITNESSED)


@pytest.mark.parametrize(
    "case",
    [part(MULTIPART, OBJECT, "application/xml"), part(MULTIPART, {}, JSON), part(FORM, OBJECT, JSON)],
    ids=["another type", "no type to tell a default by", "a form has a default style"],
)
def test_any_other_type_of_a_part_is_a_row(case: tuple[Slot, Form, Form]) -> None:
    assert [row.delta.facet for row in edited(*case).rows] == ["contentType"]


@pytest.mark.parametrize(
    ("released", "candidate", "rows"),
    [
        ("image/png, image/jpeg", "image/jpeg,image/png", 0),
        ("Image/PNG", "image/png", 0),
        ("image/png, image/jpeg", "image/png", 1),
        ("image/*", "image/*, image/png", 1),
    ],
)
def test_types_of_a_part_in_another_order_or_case_are_noise(released: str, candidate: str, rows: int) -> None:
    pair = (part(MULTIPART, TEXT, written)[2] for written in (released, candidate))
    comparison = edited(Slot.REQUEST_CONTENT, *pair)
    assert (len(comparison.rows), len(comparison.noise)) == (rows, 1 - rows)


def test_deep_objects_are_written_one_usage_path() -> None:
    released, candidate = (query({"type": "object"}, style="deepObject", **more) for more in ({}, {"explode": True}))
    for pair in ((released, candidate), (candidate, released)):
        comparison = edited(Slot.PARAMETERS, *pair)
        assert comparison.rows == ()
        assert [noise.delta.facet for noise in comparison.noise] == ["explode"]


@pytest.mark.parametrize("slot", [Slot.REQUEST_CONTENT, Slot.RESPONSE_CONTENT])
def test_a_schema_that_refuses_nothing_is_as_good_as_none(slot: Slot) -> None:
    for schema in ({}, {"description": "anything"}):
        for pair in (({JSON: {}}, {JSON: {"schema": schema}}), ({JSON: {"schema": schema}}, {JSON: {}})):
            comparison = edited(slot, *pair)
            assert comparison.rows == ()
            assert [noise.delta.facet for noise in comparison.noise] == ["schema"]


@pytest.mark.parametrize("schema", [TEXT, {"default": 1}, {"$ref": "#/components/schemas/Nope"}, {"allOf": [TEXT]}])
def test_any_other_schema_that_comes_or_goes_is_a_row(schema: Json) -> None:
    for pair in (({JSON: {}}, {JSON: {"schema": schema}}), ({JSON: {"schema": schema}}, {JSON: {}})):
        assert [row.delta.facet for row in edited(Slot.REQUEST_CONTENT, *pair).rows] == ["schema"]


BARE: Json = {"name": "q", "in": "query"}
ANY_JSON: Json = {**BARE, "content": {JSON: {}}}


@pytest.mark.parametrize(
    "described", [content({"type": "object", "required": ["a"]}), ANY_JSON], ids=["schema", "none"]
)
def test_content_that_comes_or_goes_where_nothing_else_describes_a_value_is_a_row(described: Json) -> None:
    for pair in ((BARE, described), (described, BARE)):
        (row,) = edited(Slot.PARAMETERS, *pair).rows
        assert row.delta.facet == "content"
        assert row.judgement.verdict in ("breaking", "unknown")


def test_content_of_a_response_header_that_goes_is_a_row() -> None:
    described: Json = {"X-A": {"required": True, "content": {JSON: {"schema": {"type": "object"}}}}}
    (row,) = edited(Slot.HEADERS, described, {"X-A": {"required": True}}).rows
    assert (row.delta.facet, row.judgement.verdict) == ("content", "breaking")


def encoded(version: str, media_type: str, **encoding: Json) -> Json:
    media: dict[str, Json] = {"schema": {"type": "object", "properties": {"a": LIST}}}
    body: Json = {"content": {media_type: {**media, "encoding": {"a": encoding}} if encoding else media}}
    operation: Json = {"requestBody": body, "responses": {"204": {"description": ""}}}
    return {"openapi": version, "info": {"title": "a", "version": "1"}, "paths": {"/x": {"post": operation}}}


HEADER: Json = {"X-A": {"required": True, "schema": TEXT}}


@pytest.mark.parametrize(
    ("version", "media_type", "encoding", "counts"),
    [
        ("3.0.3", MULTIPART, {"explode": False}, False),
        ("3.1.0", MULTIPART, {"explode": False}, True),
        ("3.1.0", "multipart/mixed", {"explode": False}, False),
        ("3.0.3", FORM, {"explode": False}, True),
        ("3.1.0", "application/*", {"explode": False}, True),
        ("3.0.3", FORM, {"headers": HEADER}, False),
        ("3.1.0", FORM, {"headers": HEADER}, False),
        ("3.0.3", MULTIPART, {"headers": HEADER}, True),
        ("3.1.0", "multipart/mixed", {"headers": HEADER}, True),
    ],
)
def test_an_encoding_counts_where_the_standard_says_so(
    version: str, media_type: str, encoding: dict[str, Json], counts: bool
) -> None:
    """OpenAPI 3.0.3, section 4.7.15, and 3.1.0, section 4.8.15 Encoding Object."""
    pair = encoded(version, media_type), encoded(version, media_type, **encoding)
    for released, candidate in (pair, pair[::-1]):
        comparison = compared(released, candidate)
        assert bool(comparison.rows) is counts
        assert counts or [noise.delta.facet for noise in comparison.noise] == ["ignored here"]


def test_a_style_that_starts_to_count_is_a_row() -> None:
    (row,) = compared(*(encoded(version, MULTIPART, explode=False) for version in ("3.0.3", "3.1.0"))).rows
    assert (row.delta.facet, row.judgement.verdict) == ("explode", "breaking")


def fields(media_type: str, **more: Json) -> Json:
    listed: Json = {"name": "a", "in": "formData", "type": "array", "items": TEXT, **more}
    operation: Json = {"consumes": [media_type], "parameters": [listed], "responses": {"204": {"description": ""}}}
    return {"swagger": "2.0", "info": {"title": "a", "version": "1"}, "paths": {"/x": {"post": operation}}}


@pytest.mark.parametrize("media_type", [FORM, MULTIPART])
@pytest.mark.parametrize(("one", "other"), [("csv", "multi"), ("csv", "pipes"), ("ssv", "multi"), ("tsv", "csv")])
def test_a_list_in_a_form_of_2_0_is_written_in_one_usage_path(media_type: str, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        comparison = compared(*(fields(media_type, collectionFormat=each) for each in pair))
        rows = [row for row in comparison.rows if row.judgement.verdict == "breaking"]
        assert rows and all(row.proof.status is ProofStatus.WITNESSED for row in rows)
    assert compared(fields(media_type), fields(media_type, collectionFormat="csv")).rows == ()


@pytest.mark.parametrize("media_type", [FORM, MULTIPART])
def test_a_field_of_2_0_that_may_be_empty_no_longer(media_type: str) -> None:
    pair = fields(media_type, allowEmptyValue=True), fields(media_type)
    assert [row.judgement.verdict for row in compared(*pair).rows] == ["breaking"]
    assert [row.judgement.verdict for row in compared(*pair[::-1]).rows] == ["compatible"]


@pytest.mark.parametrize(
    ("version", "schema", "sent"),
    [
        ("3.0.3", {"type": "string", "format": "binary"}, "application/octet-stream"),
        ("3.0.3", {"type": "array", "items": {"type": "string", "format": "binary"}}, "application/octet-stream"),
        ("3.0.3", TEXT, "text/plain"),
        ("3.1.0", {"type": "integer"}, "text/plain"),
        ("3.1.0", {"contentMediaType": "image/png"}, "application/octet-stream"),
    ],
)
def test_a_part_of_which_nothing_is_said_has_the_type_of_its_schema(version: str, schema: Json, sent: str) -> None:
    """OpenAPI 3.0.3, section 4.7.15, and 3.1.0, section 4.8.15 Encoding Object, `contentType`."""
    released = form_with(version, schema)
    candidate = form_with(version, schema, contentType="application/pdf")
    (row,) = (row for row in compared(released, candidate).rows if row.delta.facet == "contentType")
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["message"]["body"]["multipart"][0]["content_type"] == sent  # type: ignore[call-overload, index]


def form_with(version: str, schema: Json, **encoding: Json) -> Json:
    value: Json = {"type": "object", "required": ["a"], "properties": {"a": schema}}
    media: Json = {"schema": value, **({"encoding": {"a": encoding}} if encoding else {})}
    operation: Json = {"requestBody": {"content": {MULTIPART: media}}, "responses": {"204": {"description": ""}}}
    return {"openapi": version, "info": {"title": "a", "version": "1"}, "paths": {"/x": {"post": operation}}}


NUMBER: Json = {"type": "integer"}


def in_path(kind: str = "", **more: Json) -> Json:
    described: dict[str, Json] = {"content": {kind: {"schema": NUMBER}}} if kind else {"schema": NUMBER}
    parameter: Json = {"name": "q", "in": "path", "required": True, **described, **more}
    operation: Json = {"parameters": [parameter], "responses": {"204": {"description": ""}}}
    return {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": {"/x/{q}": {"get": operation}}}


@pytest.mark.parametrize("kind", [JSON, "text/plain"])
@pytest.mark.parametrize(
    ("style", "verdict"), [("simple", "compatible"), ("label", "breaking"), ("matrix", "breaking")]
)
def test_a_style_with_signs_writes_a_number_otherwise(style: str, kind: str, verdict: str) -> None:
    pair = in_path(style=style), in_path(kind)
    for released, candidate in (pair, pair[::-1]):
        (row,) = compared(released, candidate).rows
        assert (row.delta.facet, row.judgement.verdict) == ("content", verdict)


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ("application/json; charset=utf-8", "compatible"),
        ("application/problem+json", "compatible"),
        ("text/plain", "compatible"),
        ("application/xml", "breaking"),
        ("text/xml", "breaking"),
        ("image/svg+xml", "breaking"),
        ("image/png", "unknown"),
        (FORM, "unknown"),
        ("*/*", "unknown"),
    ],
)
def test_a_content_type_writes_a_number_as_it_is_or_otherwise(kind: str, verdict: str) -> None:
    content: Json = {kind: {"schema": NUMBER}}
    for slot, plain, described in (
        (Slot.PARAMETERS, query(NUMBER), {"name": "q", "in": "query", "content": content}),
        (Slot.WEBHOOK_PARAMETERS, query(NUMBER), {"name": "q", "in": "query", "content": content}),
        (Slot.HEADERS, {"X-A": {"schema": NUMBER}}, {"X-A": {"content": content}}),
    ):
        for released, candidate in ((plain, described), (described, plain)):
            (row,) = edited(slot, released, candidate).rows
            assert row.judgement.verdict == verdict
