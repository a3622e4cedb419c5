"""An added parameter may have the name of a member of an exploded object: OpenAPI 3.0.3, section 4.7.12.4."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.compare import compare
from evreview.proof.messages.replay import replay
from evreview.shapes.second import SecondCheck
from tests.proof.messages.contracts import contract, operation

TEXT: Any = {"type": "string"}
WHOLE: Any = {"type": "integer"}
NAMED: Any = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
OTHERS: Any = {"type": "object", "properties": {"b": TEXT}, "additionalProperties": TEXT}
CLOSED: Any = {"type": "object", "properties": {"b": TEXT}, "additionalProperties": False}
OVER, ADDED, OWED = (
    "request-parameter-added-over-member",
    "request-parameter-added",
    "request-parameter-added-required",
)


def holder(schema: Any = NAMED, place: str = "query", **facets: Any) -> Any:
    return {"name": "o", "in": place, "schema": schema, **facets}


def added(schema: Any = WHOLE, place: str = "query", name: str = "a", **facets: Any) -> Any:
    return {"name": name, "in": place, "schema": schema, **facets}


CASES: dict[str, tuple[Any, Any, str, str, bool]] = {
    "narrower than the member": (holder(), added(), OVER, "breaking", True),
    "a member of any name": (holder(OTHERS), added(), OVER, "breaking", True),
    "in cookies": (holder(place="cookie", explode=True), added(place="cookie"), OVER, "breaking", True),
    "as wide as the member": (holder(), added(TEXT), OVER, "unknown", False),
    "another name": (holder(), added(name="c"), ADDED, "compatible", False),
    "no member of the name": (holder(CLOSED), added(), ADDED, "compatible", False),
    "no member described at all": (holder({"type": "object"}), added(), ADDED, "compatible", False),
    "an object that is one text": (holder(explode=False), added(), ADDED, "compatible", False),
    "names with brackets": (holder(style="deepObject", explode=True), added(), ADDED, "compatible", False),
    "another place": (holder(), added(place="header", name="a"), ADDED, "compatible", False),
    "no object": (holder(TEXT), added(), ADDED, "compatible", False),
    "required": (holder(), added(required=True), OWED, "breaking", True),
}


@pytest.mark.parametrize("case", CASES)
def test_a_text_that_was_a_members_is_put_to_the_parameter(case: str) -> None:
    before, new, rule, verdict, shown = CASES[case]
    released = contract(operation("get", "/x", parameters=[before]))
    candidate = contract(operation("get", "/x", parameters=[before, new]))
    (row,) = compare(released, candidate).rows
    assert (row.judgement.rule, row.judgement.verdict, bool(row.proof.witness)) == (rule, verdict, shown)
    if shown:
        assert replay(released, candidate, row.proof.witness, SecondCheck()).confirmed
