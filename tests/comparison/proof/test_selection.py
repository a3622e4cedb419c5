"""A discriminator that changed selects other branches: what is contained branch by branch is no proof then."""

from __future__ import annotations

import pytest

from evreview.comparison.proof.outcome import ProofReason
from evreview.core.vocabulary import Json, ProofStatus, Verdict
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
    assert row.proof.reason == ProofReason.SELECTED


def choice(*kinds: str, tag: bool = True, fixed: bool = True) -> Json:
    """A response with a choice of kinds that a discriminator tells apart, one kind alone written as a reference."""
    branches: list[Json] = [{"$ref": f"#/components/schemas/{kind}"} for kind in kinds]
    mapping: Json = {kind.lower(): f"#/components/schemas/{kind}" for kind in kinds}
    schema: Json = {"oneOf": branches, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    schema = schema if tag else branches[0]
    names: Json = {kind: animal(kind.lower(), 9) for kind in ("Cat", "Dog", "Cow")}
    if not fixed:
        for name in names:
            names[name]["properties"]["kind"] = {"type": "string"}
    answer: Json = {"200": {"description": "x", "content": {"application/json": {"schema": schema}}}}
    paths: Json = {"/a": {"get": {"responses": answer}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": paths,
        "components": {"schemas": names},
    }


FEWER: list[tuple[Json, Json]] = [
    (choice("Cat", "Dog"), choice("Cat")),
    (choice("Cat", "Dog"), choice("Cat", tag=False)),
    (choice("Cat", "Dog", "Cow"), choice("Dog")),
    (choice("Cat", "Dog", "Cow"), choice("Cow", tag=False)),
    (choice("Cat", "Dog", fixed=False), choice("Dog", fixed=False)),
]
"""A choice of which one kind is left: its answers are among those before."""


@pytest.mark.parametrize(("more", "one"), FEWER)
def test_a_choice_that_shrinks_to_one_kind_is_decided(more: Json, one: Json) -> None:
    fewer, back = compared(more, one).rows, compared(one, more).rows
    assert {(row.judgement.verdict, row.proof.status) for row in fewer} == {(Verdict.COMPATIBLE, ProofStatus.PROVED)}
    assert Verdict.BREAKING in {row.judgement.verdict for row in back}


def test_one_kind_that_no_longer_fixes_its_tag_answers_more() -> None:
    found = compared(choice("Cat", "Dog", fixed=False), choice("Cat", tag=False, fixed=False)).rows
    assert [row.judgement.verdict for row in found] == [Verdict.BREAKING]


def test_below_the_same_discriminator_they_are() -> None:
    (row,) = compared(document(PLAIN, 3), document(PLAIN, 5)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)
