"""Rows whose members another schema mentions: `contains` beside items, counts that turn round, choices in branches."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Json, ProofStatus, RuleId, Verdict
from evreview.kinds.compare import compare
from tests.pipeline import contract

TEXT: Json = {"type": "string"}
PROVED = (Verdict.COMPATIBLE, ProofStatus.PROVED)
BREAKING, UNKNOWN = (Verdict.BREAKING, ProofStatus.WITNESSED), (Verdict.UNKNOWN, ProofStatus.UNPROVEN)
HAS_A: Json = {"properties": {"a": TEXT}, "required": ["a"]}


def _object(**members: Json) -> Json:
    return {"type": "object", "properties": members}


def _document(role: str, schema: Json) -> Json:
    content: Json = {"application/json": {"schema": schema}}
    answer: Json = {"description": "ok", **({"content": content} if role == "response" else {})}
    asked = {"requestBody": {"required": True, "content": content}} if role == "request" else {}
    paths: Json = {"/a": {"post": {"responses": {"200": answer}, **asked}}}
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}


def _counted(low: int, high: int, **members: Json) -> Json:
    return {"type": "array", "contains": _object(**members), "minContains": low, "maxContains": high}


def _listed(contains: Json | None, **members: Json) -> Json:
    return {"type": "array", "items": _object(**members), **({} if contains is None else {"contains": contains})}


def _choice(first: Json) -> Json:
    return {"anyOf": [first, _object(b={"type": "string", "pattern": "^a"})]}


WHOLE = _object(a=TEXT, b={"type": "integer"})
MORE: dict[str, Json] = {"a": TEXT, "c": {"type": "integer"}}


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize(
    ("role", "released", "candidate", "expected"),
    [
        ("response", _counted(1, 1, a=TEXT), _counted(1, 1, **MORE), UNKNOWN),
        ("response", _counted(0, 0, a=TEXT), _counted(0, 0, **MORE), UNKNOWN),
        ("request", _counted(0, 0, **MORE), _counted(0, 0, a=TEXT), UNKNOWN),
        ("request", _listed(HAS_A, b=TEXT), _listed(HAS_A, a={"type": "string", "maxLength": 1}, b=TEXT), BREAKING),
        ("request", _listed(HAS_A, b=TEXT), _listed(HAS_A, a={"type": "integer"}, b=TEXT), BREAKING),
        ("request", _choice(_object(a=TEXT)), _choice({"oneOf": [WHOLE]}), PROVED),
        ("request", _choice({"anyOf": [_object(a=TEXT)]}), _choice({"oneOf": [WHOLE]}), PROVED),
        ("request", _listed(HAS_A, a=TEXT), _listed(HAS_A, a=TEXT, c=TEXT), PROVED),
    ],
)
def test_a_member_that_another_schema_mentions(
    role: str, released: Json, candidate: Json, expected: tuple[Verdict, ProofStatus]
) -> None:
    (row,) = compare(*(contract(_document(role, schema)) for schema in (released, candidate))).rows
    assert (row.judgement.verdict, row.proof.status) == expected
    if expected is BREAKING:
        _shown(row.proof.witness, released, candidate)


def _shown(witness: Any, released: Any, candidate: Any) -> None:
    assert [Draft202012Validator(each).is_valid(witness["value"]) for each in (released, candidate)] == [True, False]


TWO: Json = {"oneOf": [_object(a=TEXT), _object(a={"type": "integer"})]}


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize(
    ("released", "candidate", "proved"),
    [
        (_object(a=TEXT), {"oneOf": [WHOLE, _object(a=TEXT, b={"type": "boolean"})]}, False),
        (TWO, {"oneOf": [WHOLE, _object(a={"type": "integer"})]}, True),
        (_object(a=TEXT), {"oneOf": [_object(a=TEXT, c=TEXT), {"type": "array"}]}, True),
    ],
)
def test_a_branch_that_is_written_anew_is_read_with_those_beside_it(
    released: Json, candidate: Json, proved: bool
) -> None:
    """The first kind of message meets two branches of the choice that takes its place, so that it has no case left."""
    sides = (contract(_document("request", _choice(schema))) for schema in (released, candidate))
    said = {row.judgement.rule: (row.judgement.verdict, row.proof.status) for row in compare(*sides).rows}
    removed = said[RuleId("request-any-of-branch-removed")]
    assert (removed == (Verdict.COMPATIBLE, ProofStatus.PROVED)) is proved
    assert removed[0] is (Verdict.COMPATIBLE if proved else Verdict.BREAKING)
