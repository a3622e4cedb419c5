"""A member that is readOnly binds the response only, wherever in its schema the mark stands (OAS 3.0.3, 4.7.24.1)."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Direction, Json, ProofStatus, Verdict
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
    ("in a part, with a limit beside it", {"allOf": [MARKED, {"maxLength": 9}]}),
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


def _required(released: Json, candidate: Json) -> dict[Direction | None, tuple[Verdict, ProofStatus]]:
    rows = compared(released, candidate).rows
    said = [row for row in rows if row.delta.facet == "required"]
    return {row.delta.direction: (row.judgement.verdict, row.proof.status) for row in said}


@pytest.mark.parametrize("before", [TEXT, None], ids=["marked now", "marked before"])
@pytest.mark.parametrize(("name", "member"), WHERE, ids=[case[0] for case in WHERE])
def test_a_member_that_is_kept_back_is_not_owed(name: str, member: Json, before: Json) -> None:
    told = _required(_document(member if before is None else before), _document(member, "k"))
    assert Direction.READ not in told or told[Direction.READ] == (Verdict.COMPATIBLE, ProofStatus.PROVED)
    assert told[Direction.WRITTEN] == (Verdict.COMPATIBLE, ProofStatus.PROVED)


@pytest.mark.parametrize(("name", "member"), OWED, ids=[case[0] for case in OWED])
def test_a_member_that_may_be_sent_is_owed(name: str, member: Json) -> None:
    told = _required(_document(member), _document(member, "k"))
    assert told[Direction.READ] == (Verdict.BREAKING, ProofStatus.WITNESSED)


def _owning(member: Json) -> Json:
    return {"type": "object", "properties": {"id": member}, "required": ["id"]}


# where the object stands that owes the member: nobody has to send any of it
NESTED: list[tuple[str, Json]] = [
    ("a member", {"properties": {"a": {"$ref": "#/$defs/Owner"}}}),
    ("two objects deep", {"properties": {"a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/Owner"}}}}}),
    ("items", {"properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Owner"}}}}),
    ("additional members", {"additionalProperties": {"$ref": "#/$defs/Owner"}}),
    ("a part", {"properties": {"a": {"allOf": [{"type": "object", "maxProperties": 3}, {"$ref": "#/$defs/Owner"}]}}}),
]


@pytest.mark.parametrize("shared", [True, False], ids=["a component", "in place"])
@pytest.mark.parametrize(("name", "around"), NESTED, ids=[case[0] for case in NESTED])
def test_a_member_that_is_owed_now_shows_wherever_it_stands(name: str, around: dict[str, Json], shared: bool) -> None:
    sides = []
    for member in (MARKED, TEXT):
        to_owner, owner = '{"$ref": "#/$defs/Owner"}', _owning(member)
        written = json.dumps({"type": "object", **around})
        used = '{"$ref": "#/components/schemas/Owner"}' if shared else json.dumps(owner)
        document = _document(TEXT)
        document["components"]["schemas"]["Owner"] = owner
        body = {"application/json": {"schema": json.loads(written.replace(to_owner, used))}}
        document["paths"]["/x"]["post"]["requestBody"]["content"] = body
        sides.append(document)
    (row,) = [
        row for row in compared(*sides).rows if row.delta.facet == "readOnly" and row.delta.direction is Direction.READ
    ]
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED), row.proof.reason
    # What is owed of a marked member binds no request: the released side is the same schema without it.
    for owner, admitted in (({"properties": {"id": TEXT}}, True), (_owning(TEXT), False)):
        schema = {"type": "object", **around, "$defs": {"Owner": owner}}
        assert Draft202012Validator(schema).is_valid(row.proof.witness["value"]) is admitted


# the schema of the body that uses one component in several places, a value that only the released contract takes
PLACES: list[tuple[str, Json, Json]] = [
    ("beside it", {"properties": {"b": TO_MARKED, "c": TO_MARKED}, "required": ["c"]}, {}),
    ("above it", {"properties": {"b": TO_MARKED, "c": {"properties": {"i": TO_MARKED}}}, "required": ["b"]}, {}),
    ("nested", {"properties": {"b": TO_MARKED, "c": {"properties": {"i": TO_MARKED}, "required": ["i"]}}}, {"c": {}}),
    ("beside items", {"properties": {"b": {"items": TO_MARKED}, "c": TO_MARKED}, "required": ["c"]}, {}),
]


@pytest.mark.parametrize(("name", "schema", "value"), PLACES, ids=[case[0] for case in PLACES])
def test_one_row_for_several_places_takes_the_worst_of_them(name: str, schema: dict[str, Json], value: Json) -> None:
    sides = []
    for marked in (MARKED, TEXT):
        document = _document(TEXT)
        document["components"]["schemas"]["Marked"] = marked
        body = {"application/json": {"schema": {"type": "object", **schema}}}
        document["paths"]["/x"]["post"]["requestBody"]["content"] = body
        sides.append(document)
    (row,) = [row for row in compared(*sides).rows if row.delta.facet == "readOnly"]
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED), row.proof.reason
    assert row.proof.witness["value"] == value
    plain = json.loads(json.dumps(schema).replace(json.dumps(TO_MARKED), json.dumps(TEXT)))
    assert not Draft202012Validator(plain).is_valid(value)


LOOKING: dict[str, Json] = {
    "minProperties": 2,
    "dependentRequired": {"n": ["k"]},
    "dependentSchemas": {"n": {"minProperties": 2}},
    "if": {"required": ["n"]},
}


@pytest.mark.parametrize("keyword", LOOKING)
@pytest.mark.parametrize("mark", ["readOnly", "writeOnly"])
def test_sets_that_are_equal_only_where_the_member_is_sent(keyword: str, mark: str) -> None:
    """Owed in one direction, the member makes the keyword idle there; in the other one a message without it breaks."""
    more = {keyword: LOOKING[keyword], **({"then": {"minProperties": 2}} if keyword == "if" else {})}
    plain: Json = {"type": "object", "properties": {"k": {"type": "string", mark: True}, "n": TEXT}}
    owing: Json = {**plain, "required": ["k", "n"]}  # type: ignore[dict-item]
    sides = []
    for schema in (owing, {**owing, **more}):  # type: ignore[dict-item]
        content: Json = {"application/json": {"schema": schema}}
        document = _document(TEXT)
        operation: Json = {
            "requestBody": {"required": True, "content": content},
            "responses": {"200": {"description": "ok", "content": content}},
        }
        sides.append({**document, "paths": {"/x": {"post": operation}}})  # type: ignore[dict-item]
    released, candidate = sides if mark == "readOnly" else sides[::-1]
    told = {row.delta.direction: row.judgement.verdict for row in compared(released, candidate).rows}
    broken = Direction.READ if mark == "readOnly" else Direction.WRITTEN
    assert told.pop(broken) is Verdict.BREAKING
    assert set(told.values()) <= {Verdict.COMPATIBLE}
