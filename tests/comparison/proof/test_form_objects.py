"""A form carries an object whatever its schema says of types; elsewhere the type counts."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import compared

FIELDS: dict[str, Json] = {"required": ["a"], "properties": {"a": {"type": "string"}}}
OBJECT: Json = {"type": "object", **FIELDS}
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x")


def _document(schema: Json, *media: str, version: str = "3.0.3") -> Json:
    content: Json = {name: {"schema": {"$ref": "#/components/schemas/F"}} for name in media}
    operation: Json = {"requestBody": {"content": content, "required": True}, "responses": {"204": {"description": ""}}}
    document: dict[str, Any] = {"openapi": version, "info": {"title": "t", "version": "1"}}
    return {**document, "paths": {"/a": {"post": operation}}, "components": {"schemas": {"F": schema}}}


@pytest.mark.parametrize("media", FORMS)
@pytest.mark.parametrize("plain", [FIELDS, {**FIELDS, "type": "object", "nullable": True}])
def test_other_values_never_travel(media: str, plain: Json) -> None:
    for sides in ((plain, OBJECT), (OBJECT, plain)):
        found = compared(*(_document(side, media) for side in sides))
        assert not found.rows
        assert {noise.reason for noise in found.noise} == {NoiseReason.FORM}


@pytest.mark.parametrize("media", [("application/json",), (FORMS[0], "application/json")])
def test_elsewhere_they_do(media: tuple[str, ...]) -> None:
    (row,) = compared(_document(FIELDS, *media), _document(OBJECT, *media)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)


def test_a_form_that_can_be_no_object_is_another_matter() -> None:
    (row,) = compared(_document(OBJECT, FORMS[0]), _document({"type": "string"}, FORMS[0])).rows[:1]
    assert row.judgement.verdict is Verdict.BREAKING
