"""Schemas closed from outside the row, members owed but not declared, and verdicts that rest on a value."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.pipeline import contract

TEXT: Json = {"type": "string"}
PATTERNS = ("^[A-Z]{3}$", "^[A-Z]{2,3}$")
ASKED: Json = {"type": "object", "properties": {"k": {"const": "a"}}}


def _object(*names: str) -> Json:
    return {"allOf": [{"type": "object", "properties": dict.fromkeys(names, TEXT)}], "unevaluatedProperties": False}


def _array(count: int) -> Json:
    return {"type": "array", "prefixItems": [TEXT] * count, "unevaluatedItems": False}


def _around(count: int) -> Json:
    return {"allOf": [{"type": "array", "prefixItems": [TEXT] * count}], "unevaluatedItems": False}


BREAKING, COMPATIBLE = (Verdict.BREAKING, ProofStatus.WITNESSED), (Verdict.COMPATIBLE, ProofStatus.PROVED)


def _schema(role: str, schema: Json) -> Json:
    content: Json = {"application/json": {"schema": schema}}
    answer: Json = {"description": "ok", **({"content": content} if role == "response" else {})}
    operation: Json = {
        "responses": {"200": answer},
        **({"requestBody": {"required": True, "content": content}} if role == "request" else {}),
    }
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


def _conditional(*names: str) -> Json:
    return {"if": ASKED, "then": {"required": list(names)}}


def _below(*names: str) -> Json:
    return {"type": "object", "properties": {"child": {"type": "object", "required": list(names)}}}


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("witnesses", [True, False])
@pytest.mark.parametrize(
    ("role", "released", "candidate", "expected"),
    [
        ("request", _object("a"), _object("a", "b"), COMPATIBLE),
        ("request", _array(1), _array(2), COMPATIBLE),
        ("response", _array(1), _array(2), BREAKING),
        ("request", _around(1), _around(2), COMPATIBLE),
        ("response", _around(1), _around(2), BREAKING),
    ],
)
def test_what_is_closed_from_outside(
    role: str, released: Json, candidate: Json, expected: tuple[Verdict, ProofStatus], witnesses: bool
) -> None:
    sides = (contract(_schema(role, schema)) for schema in (released, candidate))
    (row,) = compare(*sides, witnesses=witnesses).rows
    assert (row.judgement.verdict, row.proof.status) == expected


@pytest.mark.parametrize("witnesses", [True, False])
@pytest.mark.parametrize(
    ("role", "released", "candidate"),
    [("response", _object("a"), _object("a", "b")), ("request", _object("a", "b"), _object("a"))],
)
def test_a_part_and_what_closes_it_are_read_together(
    role: str, released: Json, candidate: Json, witnesses: bool
) -> None:
    """The rule of closed objects speaks, so that no value has to be looked for before it does."""
    sides = (contract(_schema(role, schema)) for schema in (released, candidate))
    (row,) = compare(*sides, witnesses=witnesses).rows
    status = ProofStatus.WITNESSED if witnesses else ProofStatus.UNPROVEN
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, status)


@pytest.mark.parametrize(
    ("role", "released", "candidate"),
    [
        ("request", _conditional("x"), _conditional("x", "y")),
        ("response", _conditional("x", "y"), _conditional("x")),
        ("response", {"type": "object", "required": ["a", "zz"]}, {"type": "object", "required": ["a"]}),
        ("request", _below("x"), _below("x", "y")),
    ],
)
def test_a_member_that_is_owed_need_not_be_declared(role: str, released: Json, candidate: Json) -> None:
    sides = (contract(_schema(role, schema)) for schema in (released, candidate))
    (row,) = compare(*sides).rows
    assert (row.judgement.verdict, row.proof.status) == BREAKING


def test_a_pattern_that_the_engine_refutes_breaks_without_a_search() -> None:
    found = []
    for witnesses in (True, False):
        sides = (contract(_schema("response", {"type": "string", "pattern": p})) for p in PATTERNS)
        (row,) = compare(*sides, witnesses=witnesses).rows
        found.append((row.judgement.verdict, row.proof.status))
    assert found == [BREAKING, (Verdict.BREAKING, ProofStatus.UNPROVEN)]


@pytest.mark.parametrize(
    ("released", "candidate", "expected"),
    [({"minProperties": 3}, {"required": ["b", "c"]}, False), ({"minProperties": 3}, {"minProperties": 2}, True)],
)
def test_a_count_below_a_dependent_schema(released: Json, candidate: Json, expected: bool) -> None:
    schemas = [{"type": "object", "dependentSchemas": {"a": schema}} for schema in (released, candidate)]
    compared = compare(*(contract(_schema("response", schema)) for schema in schemas))
    assert any(row.judgement.verdict is Verdict.BREAKING for row in compared.rows) is expected
