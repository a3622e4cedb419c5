"""No witness rests on a member that only the side which expects it declares: nobody sends that."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, ProofStatus, Tristate, Verdict
from evreview.schema.subsumption.relation import SubsumptionChecker, include
from tests.pipeline import compared

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}


def _none(name: str) -> Json | None:
    return None


def obj(*required: str, **properties: Json) -> dict[str, Json]:
    return {"type": "object", "required": list(required), "properties": properties}


CARD, BANK = obj("number", number=TEXT, cvc=TEXT), obj("iban", iban=TEXT)
MORE = obj("number", number=TEXT, cvc=TEXT, x=TEXT)
TOLD = obj(x=TEXT)
CASES: dict[str, tuple[Json, Json, Json, set[tuple[str | int, ...]]]] = {
    "an object": (CARD, MORE, {"number": "", "x": 0}, {("x",)}),
    "a name that nobody declares": (CARD, MORE, {"number": "", "y": 0}, set()),
    "a declared member": (MORE, TOLD, {"x": 0}, set()),
    "branches": ({"oneOf": [CARD, BANK]}, {"oneOf": [BANK, MORE]}, {"number": "", "x": 0}, {("x",)}),
    "a branch that mentions it": ({"anyOf": [CARD, obj(x=WHOLE)]}, MORE, {"number": "", "x": 0}, set()),
    "a demanded member": ({**CARD, "required": ["x"]}, MORE, {"x": 0}, set()),
    "a free-form object": ({"type": "object"}, MORE, {"x": 0}, set()),
    "anything": (True, MORE, {"x": 0}, set()),
    "a free-form branch": ({"anyOf": [CARD, {"type": "object"}]}, MORE, {"x": 0}, set()),
    "a branch of no objects": ({"anyOf": [CARD, TEXT]}, MORE, {"x": 0}, {("x",)}),
    "written openness": ({**CARD, "additionalProperties": True}, MORE, {"x": 0}, set()),
    "a pattern of names": ({**CARD, "patternProperties": {"^y": TEXT}}, MORE, {"x": 0}, set()),
    "listed values": ({"enum": [{"x": 0}], **CARD}, MORE, {"x": 0}, set()),
    "a name that is refused": (CARD, obj(x=False), {"x": 0}, set()),
    "a closed object": (CARD, {**CARD, "additionalProperties": False}, {"x": 0}, set()),
    "a member": (obj(p=CARD), obj(p=MORE), {"p": {"x": 0}, "x": 0}, {("p", "x")}),
    "items": (obj(l={"items": CARD}), obj(l={"items": MORE}), {"l": [{}, {"x": 0}]}, {("l", 1, "x")}),
    "members without a name": (
        {"additionalProperties": CARD},
        {"additionalProperties": MORE},
        {"p": {"x": 0}},
        {("p", "x")},
    ),
    "the member as a whole": (CARD, obj(x=obj(y=TEXT)), {"x": {"y": 0}}, {("x",)}),
}


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize(("sent", "expected", "value", "usage_paths"), CASES.values(), ids=CASES)
def test_members_that_only_the_expecting_side_declares(
    sent: Json, expected: Json, value: Json, usage_paths: set[tuple[str | int, ...]]
) -> None:
    assert SubsumptionChecker(_none, _none).strays(sent, expected, value) == usage_paths


def _document(role: str, schema: Json) -> Json:
    content: Json = {"content": {"application/json": {"schema": schema}}}
    body: dict[str, Json] = {"requestBody": content} if role == "request" else {}
    answer: Json = {"description": "x"} if role == "request" else {"description": "x", **content}  # type: ignore[dict-item]
    path: Json = {"post": {**body, "responses": {"200": answer}}}
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": path}}


SHORT: Json = {"type": "string", "maxLength": 3}


def _called(title: str, branch: dict[str, Json]) -> Json:
    return {**branch, "title": title}


@pytest.mark.parametrize("role", ["request", "response"])
@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
def test_no_witness_rests_on_them(word: str, role: str) -> None:
    """The branches change titles, by which they are paired; texts are shortened, so that nothing is proved."""
    sent: Json = {word: [_called("A", CARD), _called("B", BANK)]}
    less = obj("number", number=SHORT, cvc=TEXT, x=TEXT)
    expected: Json = {word: [_called("A", obj("iban", iban=SHORT)), _called("B", less)]}
    sides = (sent, expected) if role == "request" else (expected, sent)
    rows = compared(*(_document(role, side) for side in sides)).rows
    shown = [row.proof.witness for row in rows if row.proof.witness]
    assert all(isinstance(witness, dict) and "x" not in str(witness["value"]) for witness in shown)
    assert Verdict.BREAKING not in {row.judgement.verdict for row in rows if row.delta.address.endswith("> x")}


@pytest.mark.parametrize("role", ["request", "response"])
@pytest.mark.parametrize("expected", [[CARD, BANK], [BANK, CARD]])
def test_branches_that_only_change_places_decide_nothing(role: str, expected: list[Json]) -> None:
    """One more member that nobody sends, wherever its branch is written."""
    more = [MORE if branch is CARD else branch for branch in expected]
    assert include({"oneOf": [CARD, BANK]}, {"oneOf": more}, declared=True).answer is Tristate.YES
    sides = ({"oneOf": [CARD, BANK]}, {"oneOf": more})
    (row,) = compared(*(_document(role, side) for side in (sides if role == "request" else sides[::-1]))).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)


@pytest.mark.parametrize(
    "expected",
    [
        {"oneOf": [CARD, CARD]},
        {"oneOf": [BANK, BANK]},
        {"oneOf": [BANK, obj("number", number=TEXT)]},
        {"oneOf": [BANK, obj("number", number=TEXT, cvc=WHOLE)]},
        {"oneOf": [BANK, CARD, obj("z", z=TEXT)]},
    ],
)
def test_other_branches_are_no_other_order(expected: Json) -> None:
    assert include({"oneOf": [CARD, BANK]}, expected).answer is not Tristate.YES
