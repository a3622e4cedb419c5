"""A choice whose branches are all null admits null and nothing else; `const` beside `enum` holds as well."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import compared, edited

TEXT: Json = {"type": "string"}
SHORT: Json = {"type": "string", "maxLength": 3}
NULL: Json = {"type": "null"}
LISTED: Json = {"enum": [None]}
CONST: Json = {"const": None}

NARROWED: list[tuple[Any, Any]] = [
    ({"anyOf": [SHORT, CONST]}, {"anyOf": [CONST]}),
    ({}, {"anyOf": [NULL]}),
    *[(TEXT, {"anyOf": [branch]}) for branch in (NULL, LISTED, CONST)],
    *[(TEXT, {"oneOf": [branch]}) for branch in (NULL, LISTED, CONST)],
    (TEXT, {"anyOf": [NULL, CONST]}),
    (TEXT, {"oneOf": [NULL, CONST]}),
    (TEXT, {"allOf": [{"anyOf": [NULL]}]}),
    (TEXT, {"type": "string", "anyOf": [NULL]}),
    ({"properties": {"a": TEXT}}, {"properties": {"a": {"anyOf": [NULL]}}}),
    ({"enum": ["a", "b"]}, {"enum": ["a", "b"], "const": "a"}),
    ({"enum": ["a", "b"], "const": "a"}, {"enum": ["b"], "const": "a"}),
    (TEXT, {"enum": ["a", "b"], "const": "c"}),
]


@pytest.mark.parametrize(("wide", "narrow"), NARROWED)
@pytest.mark.parametrize("slot", [Slot.REQUEST_BODY, Slot.RESPONSE_BODY])
def test_what_admits_less_breaks_requests(slot: Slot, wide: Json, narrow: Json) -> None:
    pair = (wide, narrow) if slot is Slot.REQUEST_BODY else (narrow, wide)
    rows = edited(slot, *pair).rows
    assert any(row.judgement.verdict is Verdict.BREAKING and row.proof.status is ProofStatus.WITNESSED for row in rows)


def old_document(schema: Json) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    operation = {"requestBody": {"content": content}, "responses": {"204": {"description": "x"}}}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


@pytest.mark.parametrize("branch", [LISTED, {"type": "object", "nullable": True, "enum": [None]}])
def test_older_spellings_of_null_alone(branch: Json) -> None:
    comparison = compared(old_document(TEXT), old_document({"oneOf": [copy.deepcopy(branch)]}))
    assert comparison.breaking


@pytest.mark.parametrize("branch", [NULL, LISTED, CONST])
def test_null_alone_is_null(branch: Json) -> None:
    assert not edited(Slot.REQUEST_BODY, NULL, {"anyOf": [branch]}).rows
