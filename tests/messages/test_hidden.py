"""No message shows a member that its sender keeps back."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Direction, Json, ProofStatus, Role, Verdict
from evreview.messages.bodies import hidden
from tests.pipeline import compared, contract

INTEGER: Json = {"type": "integer"}
STRING: Json = {"type": "string"}
OPPOSITE = {"request": "readOnly", "response": "writeOnly"}


def _document(side: str, schema: Json, **components: Json) -> Json:
    content = {"application/json": {"schema": {"type": "object", "properties": {"p": schema, "q": STRING}}}}
    response: dict[str, Any] = {"description": ""}
    operation: dict[str, Any] = {"responses": {"200": response}}
    (operation.setdefault("requestBody", {"required": True}) if side == "request" else response)["content"] = content
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}
    return {**document, "components": {"schemas": components}}


def _row(released: Json, candidate: Json) -> tuple[Verdict, ProofStatus, str]:
    rows = [row for row in compared(released, candidate).rows if row.delta.facet == "type"]
    assert len(rows) == 1
    return rows[0].judgement.verdict, rows[0].proof.status, rows[0].proof.reason


@pytest.mark.parametrize("side", ["request", "response"])
def test_hidden_on_both_sides(side: str) -> None:
    """Its schema may change; also that of a member below it, and of a component that marks itself."""
    mark = OPPOSITE[side]
    for wrap in (
        lambda schema: _document(side, {**schema, mark: True}),
        lambda schema: _document(side, {"type": "object", mark: True, "properties": {"deep": schema}}),
        lambda schema: _document(side, {"$ref": "#/components/schemas/P"}, P={**schema, mark: True}),
    ):
        verdict, status, _ = _row(wrap(INTEGER), wrap(STRING))
        assert (verdict, status) == (Verdict.COMPATIBLE, ProofStatus.NOT_APPLICABLE)


@pytest.mark.parametrize("side", ["request", "response"])
def test_hidden_by_the_sender_alone(side: str) -> None:
    marked, plain = {OPPOSITE[side]: True}, {}
    marks = (marked, plain) if side == "request" else (plain, marked)
    released, candidate = ({**schema, **mark} for schema, mark in zip((INTEGER, STRING), marks, strict=True))
    found = _row(_document(side, released), _document(side, candidate))
    assert found[:2] == (Verdict.COMPATIBLE, ProofStatus.NOT_APPLICABLE)


@pytest.mark.parametrize("side", ["request", "response"])
def test_hidden_by_its_reader_alone(side: str) -> None:
    marked, plain = {OPPOSITE[side]: True}, {}
    marks = (plain, marked) if side == "request" else (marked, plain)
    released, candidate = ({**schema, **mark} for schema, mark in zip((INTEGER, STRING), marks, strict=True))
    found = _row(_document(side, released), _document(side, candidate))
    assert found[:2] == (Verdict.BREAKING, ProofStatus.WITNESSED)


@pytest.mark.parametrize("side", ["request", "response"])
def test_what_the_other_mark_hides_is_sent(side: str) -> None:
    mark = {"request": "writeOnly", "response": "readOnly"}[side]
    found = _row(_document(side, {"type": "integer", mark: True}), _document(side, {"type": "string", mark: True}))
    assert found[:2] == (Verdict.BREAKING, ProofStatus.WITNESSED)


@pytest.mark.parametrize(
    ("schema", "value", "sent"),
    [
        ({"properties": {"a": {"readOnly": True}, "b": {}}}, {"a": 1, "b": 2, "c": 3}, {"b": 2, "c": 3}),
        ({"items": {"properties": {"a": {"readOnly": True}}}}, [{"a": 1}, {}], [{}, {}]),
        ({"prefixItems": [{}], "items": {"properties": {"a": {"readOnly": True}}}}, [{"a": 1}], [{"a": 1}]),
        ({"allOf": [{"properties": {"a": {"allOf": [{"readOnly": True}]}}}]}, {"a": 1}, {}),
        ({"additionalProperties": {"readOnly": True}}, {"a": 1}, {"a": 1}),
        ({"oneOf": [{"properties": {"a": {"readOnly": True}}}, {"properties": {"a": {}}}]}, {"a": 1}, {"a": 1}),
        ({"oneOf": [{"properties": {"a": {"readOnly": True}}}, {"properties": {"b": {}}}]}, {"a": 1}, {}),
        ({"allOf": [{"properties": {"a": {"readOnly": True}}}, {"properties": {"a": {}}}]}, {"a": 1}, {}),
        ({"properties": {"a": {"anyOf": [{"readOnly": True}]}}}, {"a": 1}, {"a": 1}),
        ({"properties": {"a": {"writeOnly": True}}}, {"a": 1}, {"a": 1}),
    ],
)
def test_value_as_it_is_sent(schema: Json, value: Json, sent: Json) -> None:

    made = contract(_document("request", schema))
    waiting = [made.root]
    media = None
    while waiting:
        element = waiting.pop()
        media = element if element.kind is ElementKind.MEDIA_TYPE else media
        waiting.extend(element.children)
    keeper = hidden(made, Direction.READ)
    assert keeper is not None and media is not None and media.value is not None
    assert keeper.without(media.value, {"p": value}) == {"p": sent}


@pytest.mark.parametrize("side", ["request", "response"])
def test_witness_leaves_out_what_both_keep_back(side: str) -> None:
    """A value that needs no hidden member is sent without it."""
    made = []
    for schema in (INTEGER, STRING):
        marked = {"type": "string", OPPOSITE[side]: True}
        node = {"type": "object", "required": ["id", "v"], "properties": {"id": marked, "v": schema}}
        made.append(_document(side, {"oneOf": [node, {"type": "null"}]}))
    rows = [row for row in compared(*made).rows if row.delta.facet == "type"]
    for row in rows:
        assert row.proof.status is ProofStatus.WITNESSED and "id" not in row.proof.witness["value"]["p"]  # type: ignore
    assert rows


SHORT: Json = {"type": "string", "enum": ["a"]}
LONG: Json = {"type": "string", "enum": ["a", "b"]}


def _sides(released: Json, candidate: Json) -> Comparison:
    def made(member: Json) -> Json:
        content: Json = {"application/json": {"schema": {"type": "object", "properties": {"p": member}}}}
        answer: Json = {"description": "", "content": content}
        operation: Json = {"requestBody": {"content": content}, "responses": {"200": answer}}
        return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"post": operation}}}

    return compared(made(released), made(candidate))


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(
    ("marked", "role", "sent"),
    [
        # requests come from old clients, responses from the candidate: its sender's mark decides
        (("readOnly", None), Role.REQUEST, False),
        ((None, "readOnly"), Role.REQUEST, True),
        (("writeOnly", None), Role.REQUEST, True),
        ((None, "writeOnly"), Role.RESPONSE, False),
        (("writeOnly", None), Role.RESPONSE, True),
        ((None, "readOnly"), Role.RESPONSE, True),
    ],
)
def test_what_its_sender_keeps_back_may_change(marked: Any, role: Role, sent: bool, deep: bool) -> None:
    """OpenAPI 3.0.3, section 4.7.24: what is readOnly is not sent in a request, what is writeOnly not in a response."""
    released, candidate = (LONG, SHORT) if role is Role.REQUEST else (SHORT, LONG)
    sides: list[Json] = []
    for member, mark in zip((released, candidate), marked, strict=True):
        placed: Any = {"type": "object", "properties": {"q": member}} if deep else member
        sides.append({**placed, mark: True} if mark else placed)
    rows = _sides(*sides).rows
    (row,) = (row for row in rows if row.delta.facet == "enum" and row.delta.role is role)
    assert row.judgement.verdict is (Verdict.BREAKING if sent else Verdict.COMPATIBLE)
    assert (row.proof.status is ProofStatus.WITNESSED) is sent
    # whether the member is hidden at all is a row with a rule of its own
    (mark,) = (row for row in rows if row.delta.facet in ("readOnly", "writeOnly") and row.delta.role is role)
    assert mark.judgement.rule is not None
    assert "other-direction" not in mark.judgement.rule
