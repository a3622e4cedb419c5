"""Fields of a form that a style writes, and their content type: OpenAPI 3.1, section 4.8.15 Encoding Object."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, ProofStatus
from tests.pipeline import compared

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
TEXT: Json = {"type": "string"}
TEXTS: Json = {"type": "array", "items": TEXT}
OBJECT: Json = {"type": "object", "properties": {"k": TEXT}}
JSON: dict[str, Json] = {"contentType": "application/json"}
PLAIN: dict[str, Json] = {"contentType": "text/plain"}
PICTURE: dict[str, Json] = {"contentType": "image/png"}


def form(media_type: str, schema: Json, encoding: dict[str, Json] | None = None, version: str = "3.1.0") -> Json:
    media: dict[str, Json] = {"schema": {"type": "object", "properties": {"n": schema}}}
    media |= {"encoding": {"n": encoding}} if encoding else {}
    operation: Json = {"requestBody": {"content": {media_type: media}}, "responses": {"204": {"description": ""}}}
    return {"openapi": version, "info": {"title": "a", "version": "1"}, "paths": {"/x": {"post": operation}}}


@pytest.mark.parametrize("media_type", [FORM, MULTIPART])
@pytest.mark.parametrize("style", [{"style": "form"}, {"explode": True}, {"allowReserved": False}])
@pytest.mark.parametrize(
    ("schema", "typed"),
    [
        (TEXT, JSON),
        (TEXTS, JSON),
        (OBJECT, {}),
        (OBJECT, JSON),
        ({"type": "array", "items": OBJECT}, {}),
        ({"type": "array"}, {}),
        ({}, {}),
        ({"anyOf": [TEXT, OBJECT]}, {}),
        (TEXT, PICTURE),
    ],
)
def test_a_default_that_is_written_takes_the_content_type_s_place(
    media_type: str, style: dict[str, Json], schema: Json, typed: dict[str, Json]
) -> None:
    pair = form(media_type, schema, typed), form(media_type, schema, {**typed, **style})
    for released, candidate in (pair, pair[::-1]):
        (row,) = compared(released, candidate).rows
        assert (row.delta.facet, row.judgement.verdict) == ("style", "breaking")


@pytest.mark.parametrize("style", [{"style": "form"}, {"explode": True}, {"allowReserved": False}])
@pytest.mark.parametrize(
    ("media_type", "schema", "typed"),
    [
        *((kind, schema, typed) for kind in (FORM, MULTIPART) for schema in (TEXT, TEXTS) for typed in ({}, PLAIN)),
        (FORM, {"type": ["integer", "null"]}, {}),
        (FORM, {"type": "string", "contentMediaType": "image/png"}, {}),
    ],
)
def test_plain_texts_stay_what_they_are(
    media_type: str, schema: Json, typed: dict[str, Json], style: dict[str, Json]
) -> None:
    pair = form(media_type, schema, typed), form(media_type, schema, {**typed, **style})
    assert [compared(*each).rows for each in (pair, pair[::-1])] == [(), ()]


def test_a_part_of_octets_is_no_longer_one_where_a_style_writes_it() -> None:
    picture: Json = {"type": "string", "contentMediaType": "application/octet-stream"}
    (row,) = compared(form(MULTIPART, picture), form(MULTIPART, picture, {"style": "form"})).rows
    assert row.judgement.verdict == "breaking"


def test_another_usage_path_to_write_lists_is_one_row() -> None:
    pair = form(FORM, TEXTS, JSON), form(FORM, TEXTS, {**JSON, "explode": False})
    assert [row.delta.facet for row in compared(*pair).rows] == ["explode"]
    single = form(FORM, TEXT, JSON), form(FORM, TEXT, {**JSON, "explode": False})
    assert [row.delta.facet for row in compared(*single).rows] == ["style"]


def test_json_that_is_read_as_text_has_a_message() -> None:
    (row,) = compared(form(FORM, TEXT, JSON), form(FORM, TEXT, {**JSON, "style": "form"})).rows
    assert row.proof.status is ProofStatus.WITNESSED


@pytest.mark.parametrize("media_type", [FORM, MULTIPART])
def test_a_content_type_beside_a_style_counts_for_nothing(media_type: str) -> None:
    pair = [form(media_type, TEXT, {**typed, "style": "form"}) for typed in (JSON, PLAIN)]
    comparison = compared(*pair)
    assert (comparison.rows, [noise.delta.facet for noise in comparison.noise]) == ((), ["ignored here"])


@pytest.mark.parametrize(
    ("media_type", "schema", "released", "candidate", "rows"),
    [
        # 3.0 leaves open which one counts, and styles count in urlencoded forms alone.
        (FORM, TEXT, ("3.0.3", JSON), ("3.0.3", {**JSON, "style": "form"}), 0),
        (FORM, OBJECT, ("3.0.3", {}), ("3.0.3", {"style": "form"}), 0),
        (FORM, TEXT, ("3.0.3", {**JSON, "style": "form"}), ("3.1.0", {**JSON, "style": "form"}), 0),
        (FORM, OBJECT, ("3.0.3", {}), ("3.1.0", {"style": "form"}), 0),
        (FORM, TEXT, ("3.0.3", JSON), ("3.1.0", {**JSON, "style": "form"}), 1),
        (MULTIPART, OBJECT, ("3.0.3", {"style": "form"}), ("3.1.0", {"style": "form"}), 1),
    ],
)
def test_3_0_stays_as_it_is(
    media_type: str,
    schema: Json,
    released: tuple[str, dict[str, Json]],
    candidate: tuple[str, dict[str, Json]],
    rows: int,
) -> None:
    pair = [form(media_type, schema, encoding, version) for version, encoding in (released, candidate)]
    assert len(compared(*pair).rows) == rows
