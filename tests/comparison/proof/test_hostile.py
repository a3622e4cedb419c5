"""Cycles, fans and malformed keywords: every row keeps a verdict and a proof status, and the search ends."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, ProofStatus
from tests.pipeline import compared


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def document(schema: Json, components: Json) -> Json:
    content: Json = {"application/json": {"schema": schema}}
    operation: Json = {
        "requestBody": {"content": content},
        "responses": {"200": {"description": "x", "content": content}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": components},
    }


def pair(member: Json) -> Json:
    return {"type": "object", "required": ["a", "b"], "properties": {"a": member, "b": member}}


def all_of_cycle(limit: int) -> Json:
    return document(ref("A"), {"A": {"allOf": [ref("B")], "maxLength": limit}, "B": {"allOf": [ref("A")]}})


def fan(kind: str) -> Json:
    links: dict[str, Json] = {f"S{at}": pair(ref(f"S{at + 1}")) for at in range(25)}
    return document(ref("S0"), {**links, "S25": {"type": kind}})


def endless(*required: str) -> Json:
    schema: Json = {
        "type": "object",
        "required": list(required),
        "properties": {"n": ref("A"), "m": {"type": "string"}},
    }
    return document(ref("A"), {"A": schema})


CASES: list[tuple[str, Json, Json]] = [
    ("a cycle of allOf", all_of_cycle(3), all_of_cycle(2)),
    ("2^25 paths", fan("string"), fan("integer")),
    ("no finite value", endless("n"), endless("n", "m")),
    ("a costly pattern", document({"type": "string"}, {}), document({"type": "string", "pattern": "((a+)+)+$"}, {})),
    (
        "huge sizes",
        document({"type": "array", "minItems": 10**9}, {}),
        document({"type": "array", "minItems": 10**9 + 1}, {}),
    ),
    ("multiples of nothing", document({"multipleOf": 0}, {}), document({"multipleOf": 1e-300}, {})),
    (
        "keywords of the wrong type",
        document({"type": "string", "minLength": "x", "enum": "no", "required": "yes"}, {}),
        document({"type": "string", "minLength": "y", "enum": [1], "pattern": 5}, {}),
    ),
]


@pytest.mark.parametrize(("name", "released", "candidate"), CASES, ids=[case[0] for case in CASES])
def test_the_comparison_ends_with_a_status_for_every_row(name: str, released: Json, candidate: Json) -> None:
    comparison = compared(released, candidate)
    assert comparison.rows
    assert ProofStatus.NOT_APPLICABLE not in {row.proof.status for row in comparison.rows}
    assert comparison.summary["rows"] == len(comparison.rows)
