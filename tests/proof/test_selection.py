"""A discriminator that changed selects other branches: what is contained branch by branch is no proof then."""

from __future__ import annotations

import pytest

from evreview.proof.selection import SELECTED
from evreview.vocab import Json, ProofStatus, Verdict
from tests.pipeline import compared


def document(discriminator: Json, most: int) -> Json:
    branches: Json = [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]
    schema: Json = {"oneOf": branches, "discriminator": discriminator}
    content: Json = {"application/json": {"schema": schema}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": {"requestBody": {"content": content}, "responses": {"204": {"description": "x"}}}}},
        "components": {"schemas": {"Cat": animal("cat", most), "Dog": animal("dog", 9)}},
    }


def animal(kind: str, most: int) -> Json:
    kinds: Json = {"type": "string", "enum": [kind]}
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": kinds, "sort": {"type": "string"}, "name": {"type": "string", "maxLength": most}},
    }


PLAIN: Json = {"propertyName": "kind"}
OTHERS: list[Json] = [{"propertyName": "sort"}, {"propertyName": "kind", "mapping": {"c": "#/components/schemas/Cat"}}]


@pytest.mark.parametrize("other", OTHERS)
def test_rows_below_a_changed_discriminator_are_not_proved(other: Json) -> None:
    comparison = compared(document(PLAIN, 3), document(other, 5))
    (row,) = (row for row in comparison.rows if row.delta.facet == "maxLength")
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.UNPROVEN)
    assert row.proof.reason == SELECTED


def test_below_the_same_discriminator_they_are() -> None:
    (row,) = compared(document(PLAIN, 3), document(PLAIN, 5)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)
