"""A member that is readOnly binds the response only, wherever in its schema the mark stands (OAS 3.0.3, 4.7.24.1)."""

from __future__ import annotations

import pytest

from evreview.vocab import Json, Polarity, ProofStatus, Verdict
from tests.pipeline import compared

TEXT: Json = {"type": "string"}
MARK: Json = {"readOnly": True}
MARKED: Json = {"type": "string", "readOnly": True}
TO_MARKED: Json = {"$ref": "#/components/schemas/Marked"}
TO_TEXT: Json = {"$ref": "#/components/schemas/Text"}
# where the mark stands, the schema of the member
WHERE: list[tuple[str, Json]] = [
    ("in place", MARKED),
    ("behind a reference", TO_MARKED),
    ("beside a reference in a part", {"allOf": [TO_TEXT, MARK]}),
    ("behind a reference in a part", {"allOf": [TO_MARKED]}),
    ("in a part of a part", {"allOf": [{"allOf": [TEXT, MARK]}]}),
    ("in the only branch", {"oneOf": [MARKED]}),
    ("in every branch but null", {"anyOf": [TO_MARKED, {"type": "null"}]}),
]
# one branch may be sent, so that the member is owed
OWED: list[tuple[str, Json]] = [("in one of two branches", {"anyOf": [MARKED, {"type": "string", "maxLength": 3}]})]


def _document(member: Json, *required: str) -> Json:
    schema: Json = {"type": "object", "properties": {"k": member, "n": TEXT}, "required": list(required)}
    content: Json = {"application/json": {"schema": schema}}
    operation: Json = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": content}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": operation}},
        "components": {"schemas": {"Marked": MARKED, "Text": TEXT}},
    }


def _required(released: Json, candidate: Json) -> dict[Polarity | None, tuple[Verdict, ProofStatus]]:
    rows = compared(released, candidate).rows
    said = [row for row in rows if row.delta.facet == "required"]
    return {row.delta.polarity: (row.judgement.verdict, row.proof.status) for row in said}


@pytest.mark.parametrize("before", [TEXT, None], ids=["marked now", "marked before"])
@pytest.mark.parametrize(("name", "member"), WHERE, ids=[case[0] for case in WHERE])
def test_a_member_that_is_kept_back_is_not_owed(name: str, member: Json, before: Json) -> None:
    told = _required(_document(member if before is None else before), _document(member, "k"))
    assert Polarity.READ not in told or told[Polarity.READ] == (Verdict.COMPATIBLE, ProofStatus.PROVED)
    assert told[Polarity.WRITTEN] == (Verdict.COMPATIBLE, ProofStatus.PROVED)


@pytest.mark.parametrize(("name", "member"), OWED, ids=[case[0] for case in OWED])
def test_a_member_that_may_be_sent_is_owed(name: str, member: Json) -> None:
    told = _required(_document(member), _document(member, "k"))
    assert told[Polarity.READ] == (Verdict.BREAKING, ProofStatus.WITNESSED)
