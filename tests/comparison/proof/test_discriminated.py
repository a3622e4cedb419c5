"""A discriminator selects the branch of a union: what names no branch is sent by nobody, and breaks nobody."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.comparison.noise import NoiseReason
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import compared

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}


def kind(*, k: Json = TEXT, required: bool = True, **members: Json) -> Json:
    return {"type": "object", "properties": {"k": k, **members}, **({"required": ["k"]} if required else {})}


OPEN = {"Cat": kind(m=NUMBER), "Dog": kind(w=NUMBER), "Cow": kind()}
CLOSED = {name: {**schema, "additionalProperties": False} for name, schema in OPEN.items()}  # type: ignore[dict-item]


def union(*names: str, by: str = "k", keyword: str = "oneOf", **mapping: str) -> Any:
    said = {"propertyName": by, **({"mapping": mapping} if mapping else {})} if by else None
    listed = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return {keyword: listed, **({"discriminator": said} if said else {})}


def document(schema: Json, components: Any, *, sent: bool) -> Json:
    content: Json = {"application/json": {"schema": schema}}
    body: Any = {"requestBody": {"required": True, "content": content}} if sent else {}
    answer: Any = {"description": "x", **({} if sent else {"content": content})}
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": {**body, "responses": {"200": answer}}}},
        "components": {"schemas": components},
    }


ADDED = "request-discriminator-value-added"
TWO, THREE = union("Cat", "Dog"), union("Cat", "Dog", "Cow")
MAPPED = {"cat": "Cat", "dog": "Dog"}
SWAPPED = {"cat": "Dog", "dog": "Cat"}
LIVES, LOUD = kind(k={"enum": ["cat"]}, m=NUMBER), kind(k={"enum": ["dog"]}, w=NUMBER)
# name, both unions, the components of both, is it a request, the only rule, its verdict, the witness
Case = tuple[str, Any, Any, Any, bool, str, Verdict, Json]
CASES: list[Case] = [
    ("a branch joins what is read", TWO, THREE, OPEN, True, ADDED, Verdict.COMPATIBLE, None),
    (
        "a branch joins what is written",
        TWO,
        THREE,
        OPEN,
        False,
        "response-discriminator-value-added",
        Verdict.BREAKING,
        {"k": "Cow"},
    ),
    (
        "a branch leaves what is read",
        THREE,
        TWO,
        OPEN,
        True,
        "request-discriminator-value-removed",
        Verdict.BREAKING,
        {"k": "Cow"},
    ),
    (
        "a branch leaves what is written",
        THREE,
        TWO,
        OPEN,
        False,
        "response-discriminator-value-removed",
        Verdict.COMPATIBLE,
        None,
    ),
    (
        "a branch of anyOf leaves what is read",
        union("Cat", "Dog", "Cow", keyword="anyOf"),
        union("Cat", "Dog", keyword="anyOf"),
        OPEN,
        True,
        "request-discriminator-value-removed",
        Verdict.BREAKING,
        {"k": "Cow"},
    ),
    (
        "a mapped branch joins what is read",
        union("Cat", "Dog", **MAPPED),
        union("Cat", "Dog", "Cow", **MAPPED, cow="Cow"),
        OPEN,
        True,
        ADDED,
        Verdict.COMPATIBLE,
        None,
    ),
    (
        "two values change places",
        union("Cat", "Dog", **MAPPED),
        union("Cat", "Dog", **SWAPPED),
        CLOSED,
        True,
        "request-discriminator-changed",
        Verdict.BREAKING,
        {"k": "cat", "m": 0},
    ),
]


def shown(released: Json, candidate: Json) -> JudgedRow:
    found = compared(released, candidate)
    assert {noise.reason for noise in found.noise} <= {NoiseReason.SELECTED_BY_VALUE}
    [row] = found.rows
    return row


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_value_of_the_member_selects_the_branch(case: Case) -> None:
    """One edit is one row, and its witness names a branch."""
    _, old, new, components, sent, rule, verdict, value = case
    row = shown(document(old, components, sent=sent), document(new, components, sent=sent))
    assert (row.judgement.rule, row.judgement.verdict) == (rule, verdict)
    witnessed = row.proof.status is ProofStatus.WITNESSED
    assert witnessed is (verdict is Verdict.BREAKING)
    if witnessed:
        assert isinstance(row.proof.witness, dict) and row.proof.witness["value"] == value


LISTING = union("Cat", "Dog")
SPELLED = {"Cat": LIVES, "Dog": LOUD}


@pytest.mark.parametrize(
    ("schema", "components", "edited"),
    [
        (LISTING, SPELLED, kind(k={"enum": ["cat"]}, m=TEXT)),
        (union("Cat", "Dog"), OPEN, kind(m=TEXT)),
        (union("Cat", "Dog", by="other"), OPEN, kind(m=TEXT)),
        ({"oneOf": [kind(m=NUMBER), LOUD], "discriminator": {"propertyName": "k"}}, {}, None),
    ],
    ids=["listed under other names", "named by components", "a member that nobody describes", "branches in place"],
)
def test_a_branch_that_nothing_names_is_left_as_it_is_written(schema: Any, components: Any, edited: Any) -> None:
    """What a branch says is never made void by a name that nobody maps."""
    changed = {**components, "Cat": edited} if edited is not None else components
    other = schema if edited is not None else {**schema, "oneOf": [kind(m=TEXT), LOUD]}
    released, candidate = document(schema, components, sent=True), document(other, changed, sent=True)
    assert {row.judgement.verdict for row in compared(released, candidate).rows} == {Verdict.BREAKING}


PLAIN = union("Cat", "Dog", by="")
MAPPED_UNION = union("Cat", "Dog", **MAPPED)


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize("back", [True, False])
@pytest.mark.parametrize(
    ("schema", "components", "spelled"),
    [
        (MAPPED_UNION, SPELLED, True),
        (MAPPED_UNION, OPEN, False),
        (MAPPED_UNION, {**SPELLED, "Dog": OPEN["Dog"]}, False),
        (union("Cat", "Dog", **SWAPPED), SPELLED, False),
        (LISTING, SPELLED, False),
    ],
    ids=["listed and mapped alike", "not listed", "one is not listed", "mapped otherwise", "named otherwise"],
)
def test_branches_that_list_what_selects_them_need_no_discriminator(
    schema: Any, components: Any, spelled: bool, back: bool, sent: bool
) -> None:
    sides = [document(each, components, sent=sent) for each in ((PLAIN, schema) if back else (schema, PLAIN))]
    rows = [row for row in compared(*sides).rows if row.delta.facet == "discriminator"]
    assert rows
    for row in rows:
        proved = (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)
        assert proved is spelled
