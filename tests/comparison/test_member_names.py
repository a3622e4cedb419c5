"""An added parameter may have the name of a member of an exploded object: OpenAPI 3.0.3, section 4.7.12.4."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.kinds.compare import compare
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.messages.contracts import contract, operation

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
        assert replay(released, candidate, row.proof.witness, CrossCheckValidator()).confirmed


GONE, CAME = "response-parameter-removed-over-member", "response-parameter-added-over-member"
SENT: dict[str, tuple[list[Any], list[Any], str, str, bool]] = {
    "gone, and a member of any name": ([holder(OTHERS), added()], [holder(OTHERS)], GONE, "breaking", True),
    "gone, and a member": ([holder(), added()], [holder()], GONE, "breaking", True),
    "gone, as wide as the member": ([holder(), added(TEXT)], [holder()], GONE, "unknown", False),
    "gone, another name": ([holder(), added(name="c")], [holder()], "response-parameter-removed", "compatible", False),
    "gone, owed": (
        [holder(), added(required=True)],
        [holder()],
        "response-parameter-removed-required",
        "breaking",
        True,
    ),
    "came, and a member of any name": ([holder(OTHERS)], [holder(OTHERS), added()], CAME, "unknown", False),
    "came, another name": ([holder()], [holder(), added(name="c")], "response-parameter-added", "compatible", False),
    "came, an object that is one text": (
        [holder(explode=False)],
        [holder(explode=False), added()],
        "response-parameter-added",
        "compatible",
        False,
    ),
}


@pytest.mark.parametrize("case", SENT)
def test_a_text_that_the_producer_sends_may_be_a_member_s(case: str) -> None:
    before, after, rule, verdict, shown = SENT[case]
    released, candidate = (
        contract(webhooks={"w": {"post": {"parameters": each, "responses": {"204": {"description": ""}}}}})
        for each in (before, after)
    )
    (row,) = compare(released, candidate).rows
    assert (row.judgement.rule, row.judgement.verdict, bool(row.proof.witness)) == (rule, verdict, shown)
    if shown:
        assert replay(released, candidate, row.proof.witness, CrossCheckValidator()).confirmed


@pytest.mark.parametrize(("present", "rule"), [((True, False), GONE), ((False, True), CAME)])
def test_a_callback_s_text_may_be_a_member_s_as_well(present: tuple[bool, bool], rule: str) -> None:
    pair = []
    for each in present:
        called = {
            "parameters": [holder(OTHERS), *([added()] if each else [])],
            "responses": {"204": {"description": ""}},
        }
        pair.append(contract(operation("post", callbacks={"c": {"{$request.body#/u}": {"post": called}}})))
    (row,) = compare(*pair).rows
    assert (row.judgement.rule, row.judgement.verdict) == (rule, "unknown")
