"""A proof holds for whole messages: parts whose growth may shrink the whole are never trusted by themselves."""

from __future__ import annotations

import pytest

from evreview.comparison.proof.child_edges import ChildEdges
from evreview.comparison.proof.outcome import CONTAINED, CONTAINED_DECLARED
from evreview.comparison.rules.rule import Slot
from evreview.contract.model import Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json, ProofStatus, Tristate, Verdict
from tests.pipeline import compared, contract, edited

TEXT: Json = {"type": "string"}
WIDE: Json = {"type": "string", "maxLength": 9}
NARROW: Json = {"type": "string", "maxLength": 3}
CLASH: Json = {"type": "string", "minLength": 2}

# what stands around the part, whether the whole grows when the part does
AROUND: list[tuple[Json, str, bool]] = [
    ({"oneOf": [TEXT, CLASH]}, "oneOf", False),
    ({"oneOf": [TEXT, {"type": "integer"}]}, "oneOf", True),
    ({"oneOf": [TEXT, {"type": "string", "nullable": True}]}, "oneOf", False),
    ({"anyOf": [TEXT, CLASH]}, "anyOf", True),
    ({"not": TEXT}, "not", False),
    ({"if": TEXT, "then": CLASH}, "if", False),
    ({"contains": TEXT, "maxContains": 1}, "contains", False),
    ({"contains": TEXT}, "contains", True),
    ({"properties": {"a": TEXT}, "unevaluatedProperties": False}, "properties", False),
    ({"properties": {"a": TEXT}, "additionalProperties": False}, "properties", True),
    ({"dependentSchemas": {"a": TEXT}}, "dependentSchemas", True),
    ({"propertyNames": TEXT}, "propertyNames", True),
    ({"patternProperties": {"a": TEXT}}, "patternProperties", True),
]


@pytest.mark.parametrize(("node", "keyword", "grows"), AROUND)
def test_only_steps_on_which_the_whole_grows_are_monotone(node: Json, keyword: str, grows: bool) -> None:
    edges = ChildEdges(Resolver({"f": node}), SchemaDialect.OPENAPI_3_1)
    assert {step.monotone for step in edges.below(Place("f", ""), node) if step.keyword == keyword} == {grows}


def test_a_wider_branch_of_one_of_is_refuted_by_a_whole_message() -> None:
    """The wider branch meets its neighbour: what one branch matched, two match now."""
    released: Json = {"type": "object", "properties": {"a": {"oneOf": [NARROW, {"type": "string", "minLength": 5}]}}}
    candidate: Json = {"type": "object", "properties": {"a": {"oneOf": [WIDE, {"type": "string", "minLength": 5}]}}}
    (row,) = edited(Slot.REQUEST_BODY, released, candidate).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["value"] == {"a": "aaaaa"}


def test_below_not_the_message_speaks() -> None:
    released: Json = {"type": "string", "not": {"enum": ["x"]}}
    candidate: Json = {"type": "string", "not": {"enum": ["x", "y"]}}
    (row,) = edited(Slot.REQUEST_FIELD, released, candidate).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert isinstance(row.proof.witness, dict)
    assert (row.judgement.accepts_old_requests, row.judgement.emits_old_compatible) == (
        Tristate.NO,
        Tristate.NOT_APPLICABLE,
    )
    assert (row.proof.witness["value"], row.proof.witness["accepted_by"]) == ({"subject": "y"}, "released")


def test_a_member_that_an_open_object_declares_is_contained_for_declared_members() -> None:
    released: Json = {"type": "object", "properties": {"a": TEXT}}
    candidate: Json = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
    (row,) = edited(Slot.REQUEST_BODY, released, candidate).rows
    assert (row.judgement.verdict, row.proof) == (Verdict.COMPATIBLE, CONTAINED_DECLARED)
    shut = edited(Slot.REQUEST_BODY, *({**side, "additionalProperties": False} for side in (released, candidate)))  # type: ignore[dict-item]
    assert [row.proof for row in shut.rows] == [CONTAINED]


def test_what_was_read_as_the_same_and_is_not_becomes_an_open_row() -> None:
    comparison = edited(Slot.RESPONSE_FIELD, {"oneOf": [{"type": "null"}]}, {})
    assert comparison.summary["breaking"] is not False


def unreadable(text: str) -> Json:
    schema: Json = {"$ref": "#/components/schemas/" + text}
    content: Json = {"application/json": {"schema": schema}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": {"requestBody": {"content": content}, "responses": {"204": {"description": "x"}}}}},
    }


def test_what_nobody_can_read_leaves_a_doubt_only_where_it_differs() -> None:
    assert contract(unreadable("one")).unread
    same, other = compared(unreadable("one"), unreadable("one")), compared(unreadable("one"), unreadable("two"))
    assert same.unread and same.summary["breaking"] is False
    assert other.summary["breaking"] == "unknown"
