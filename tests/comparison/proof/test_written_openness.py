"""Openness that one version writes, below a schema that judges what is left: one row per direction."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import compared

X: Json = {"$ref": "#/components/schemas/X"}
PLAIN: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "string"}}}
OTHER: Json = {"type": "object", "required": ["z"]}
# the schema around the component, a value that only the open component lets through or None
AROUND: list[tuple[str, dict[str, Json], Json]] = [
    ("beside a reference", {"$ref": "#/components/schemas/X", "unevaluatedProperties": False}, {"q": 1}),
    ("a part", {"allOf": [X], "unevaluatedProperties": False}, {"q": 1}),
    ("the only branch", {"oneOf": [X], "unevaluatedProperties": False}, {"q": 1}),
    ("one branch", {"anyOf": [X, OTHER], "unevaluatedProperties": False}, {"q": 1}),
    ("where a member is", {"dependentSchemas": {"k": X}, "unevaluatedProperties": False}, {"k": 1, "q": 1}),
    ("the rest is described", {"anyOf": [X], "unevaluatedProperties": {"type": "integer"}}, {"q": ""}),
    ("all of the rest is admitted", {"anyOf": [X], "unevaluatedProperties": True}, None),
    ("another part looks at all", {"allOf": [X, {"additionalProperties": {}}], "unevaluatedProperties": False}, None),
    ("closed in another way", {"anyOf": [X, {"type": "null"}], "additionalProperties": False}, None),
    ("below `not`", {"not": X, "unevaluatedProperties": False}, None),
    ("of a member", {"properties": {"m": X}, "unevaluatedProperties": False}, None),
]


def _documents(around: Json, components: tuple[Json, Json], *, both: bool) -> list[Json]:
    content: Json = {"application/json": {"schema": around}}
    sent: dict[str, Any] = {"requestBody": {"required": True, "content": content}}
    answer: Json = {"description": "ok", "content": content} if both else {"description": "ok"}
    operation: Json = {**sent, "responses": {"200": answer}}
    return [
        {
            "openapi": "3.1.0",
            "info": {"title": "t", "version": "1"},
            "paths": {"/x": {"post": operation}},
            "components": {"schemas": {"X": component}},
        }
        for component in components
    ]


@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
@pytest.mark.parametrize(("name", "around", "value"), AROUND, ids=[case[0] for case in AROUND])
def test_written_openness_is_told_where_it_counts(
    name: str, around: dict[str, Json], value: Json, keyword: str
) -> None:
    written: Json = {**PLAIN, keyword: True}
    rows = compared(*_documents(around, (PLAIN, written), both=True)).rows
    told = {str(row.delta.role): (row.judgement.verdict, row.proof.status) for row in rows}
    assert len(rows) == len(told)
    plain, open_ = (
        Draft202012Validator({**around, "components": {"schemas": {"X": component}}}) for component in (PLAIN, written)
    )
    if value is None:
        assert not rows
        tried: list[Json] = [{}, {"q": 1}, {"a": ""}, {"a": 1}, {"m": {"q": 1}}, {"m": {}, "q": 1}, {"z": 1, "q": 1}]
        assert [plain.is_valid(each) for each in tried] == [open_.is_valid(each) for each in tried]
        return
    assert told == {
        "request": (Verdict.COMPATIBLE, ProofStatus.PROVED),
        "response": (Verdict.BREAKING, ProofStatus.WITNESSED),
    }
    assert (plain.is_valid(value), open_.is_valid(value)) == (False, True)
    (shown,) = [row.proof.witness for row in rows if row.proof.status is ProofStatus.WITNESSED]
    assert isinstance(shown, dict)
    assert (plain.is_valid(shown["value"]), open_.is_valid(shown["value"])) == (False, True)


@pytest.mark.parametrize(("name", "around", "value"), AROUND[:5], ids=[case[0] for case in AROUND[:5]])
def test_openness_that_is_no_longer_written_breaks_requests(name: str, around: Json, value: Json) -> None:
    components: tuple[Json, Json] = ({**PLAIN, "additionalProperties": True}, PLAIN)
    (row,) = compared(*_documents(around, components, both=False)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
