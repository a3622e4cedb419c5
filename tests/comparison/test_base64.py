"""What 2.0 and 3.0 say of base64 and of octets by a `format`, 3.1 says by keywords about content."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from evreview.core.vocabulary import Json, Verdict
from evreview.kinds.compare import compare
from tests.pipeline import contract

BYTE: Json = {"type": "string", "format": "byte"}
BINARY_30: Json = {"type": "string", "format": "binary"}
OCTETS: Json = {"type": "string", "contentMediaType": "application/octet-stream"}
ENCODED: Json = {"type": "string", "contentEncoding": "base64"}


def document(version: str, schema: Any, *, sent: bool = True) -> Json:
    content = {"application/json": {"schema": {"type": "object", "required": ["a"], "properties": {"a": schema}}}}
    body: Any = {"requestBody": {"content": content}} if sent else {}
    answer: Any = {"description": "x", **({} if sent else {"content": content})}
    return {
        "openapi": version,
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": {**body, "responses": {"200": answer}}}},
    }


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (("3.0.3", BYTE), ("3.1.0", ENCODED)),
        (("3.1.0", ENCODED), ("3.0.3", BYTE)),
        (("3.1.0", BYTE), ("3.1.0", ENCODED)),
        (("3.0.3", BYTE), ("3.1.0", {**ENCODED, "format": "byte"})),  # type: ignore[dict-item]
        (("3.0.3", BYTE), ("3.1.0", {"type": "string", "contentEncoding": "BASE64"})),
    ],
)
def test_two_spellings_are_noise(released: tuple[str, Json], candidate: tuple[str, Json], sent: bool) -> None:
    found = compare(contract(document(*released, sent=sent)), contract(document(*candidate, sent=sent)))
    assert found.rows == ()
    assert NoiseReason.BASE64 in {noise.reason for noise in found.noise}


@pytest.mark.parametrize(
    ("candidate", "verdicts"),
    [
        ({"type": "string", "contentEncoding": "base16"}, {Verdict.BREAKING, Verdict.COMPATIBLE}),
        ({"type": "string"}, {Verdict.COMPATIBLE}),
        ({**ENCODED, "maxLength": 4}, {Verdict.BREAKING}),  # type: ignore[dict-item]
        ({**ENCODED, "format": "uuid"}, {Verdict.BREAKING}),  # type: ignore[dict-item]
    ],
)
def test_another_meaning_is_none(candidate: Json, verdicts: set[Verdict]) -> None:
    found = compare(contract(document("3.0.3", BYTE)), contract(document("3.1.0", candidate)))
    assert {row.judgement.verdict for row in found.rows} == verdicts


def _form(version: str, schema: Json, **encoding: Json) -> Json:
    media: Json = {"schema": {"type": "object", "properties": {"f": schema}}, "encoding": {"f": {**encoding}}}
    made: Json = {"requestBody": {"content": {"multipart/form-data": media}}, "responses": {"204": {"description": ""}}}
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": made}}}


@pytest.mark.parametrize("made", [document, _form])
@pytest.mark.parametrize("modern", [OCTETS, {**OCTETS, "format": "binary"}])  # type: ignore[dict-item]
def test_octets_in_two_spellings_are_noise(made: Any, modern: Json) -> None:
    """The rewrite of OpenAPI's own guide to 3.1."""
    sides = contract(made("3.0.3", BINARY_30)), contract(made("3.1.0", modern))
    for found in (compare(*sides), compare(*reversed(sides))):
        assert found.rows == ()
        assert NoiseReason.BINARY in {noise.reason for noise in found.noise}


@pytest.mark.parametrize(
    "candidate",
    [
        {"type": "string", "contentMediaType": "image/png"},
        {**OCTETS, "contentEncoding": "base64"},  # type: ignore[dict-item]
        {**OCTETS, "format": "uuid"},  # type: ignore[dict-item]
    ],
)
def test_other_content_stays_a_row(candidate: Json) -> None:
    assert compare(contract(document("3.0.3", BINARY_30)), contract(document("3.1.0", candidate))).rows


@pytest.mark.parametrize(("stated", "rows"), [("application/octet-stream", 0), ("image/png", 1)])
def test_the_content_type_of_a_part_without_a_type(stated: str, rows: int) -> None:
    """OpenAPI 3.1.1, section 4.8.15: octets, where the schema names no type; written out, that is no difference."""
    found = compare(contract(_form("3.1.0", {})), contract(_form("3.1.0", {}, contentType=stated)))
    assert len(found.rows) == rows
