"""A status that could not come before counts against the change, unless the policy says that clients take it."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, Tristate, Verdict
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import Policy
from evreview.workflows.w1.policy.judgement import taken
from tests.pipeline import compared

BREAKING, COMPATIBLE, UNKNOWN = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.UNKNOWN
SENTENCE = "Clients treat any status as the first of its class."


def policy(*classes: str) -> Cited[Policy]:
    stated = {"text": SENTENCE, "any_of": classes}
    record = Policy.model_validate({"policy_version": "1", "surface": "all", "client_statuses": stated})
    return Cited(record, Citation("E5"))


def document(*statuses: str) -> Json:
    responses: Json = {status: {"description": status} for status in statuses}
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"get": {"responses": responses}}},
    }


@pytest.mark.parametrize(
    ("released", "candidate", "classes", "before", "after"),
    [
        (["200"], ["2XX"], ["2XX"], BREAKING, COMPATIBLE),
        (["200"], ["200", "202"], ["2XX"], BREAKING, COMPATIBLE),
        (["200", "404"], ["200", "4XX"], ["4XX"], BREAKING, COMPATIBLE),
        (["200", "404"], ["200", "default"], ["4XX", "5XX"], BREAKING, COMPATIBLE),
        (["200"], ["200", "404"], ["4XX"], UNKNOWN, COMPATIBLE),
        (["200", "default"], ["2XX", "default"], ["2XX"], UNKNOWN, COMPATIBLE),
        (["200"], ["default"], ["2XX", "3XX", "4XX", "5XX"], BREAKING, COMPATIBLE),
        (["200"], ["2XX"], ["4XX", "5XX"], BREAKING, BREAKING),
        (["200", "404"], ["200", "default"], ["4XX"], BREAKING, BREAKING),
        (["200"], ["default"], ["2XX"], BREAKING, BREAKING),
        (["200", "202"], ["200"], ["2XX"], BREAKING, BREAKING),
    ],
)
def test_the_policy_decides_what_no_contract_says(
    released: list[str], candidate: list[str], classes: list[str], before: Verdict, after: Verdict
) -> None:
    found = compared(document(*released), document(*candidate))
    assert [row.judgement.verdict for row in found.rows] == [before]
    decided, citations = taken(found, policy(*classes))
    (row,) = decided.rows
    assert row.judgement.verdict is after
    assert (SENTENCE in row.judgement.why) is (before is not after)
    assert [str(each) for each in citations.values()] == (["E5#/client_statuses"] if before is not after else [])
    assert row.judgement.emits_old_compatible is {COMPATIBLE: Tristate.YES, BREAKING: Tristate.NO}[after]
    assert decided.summary["breaking"] is (after is BREAKING)


def test_without_a_sentence_of_the_policy_nothing_is_decided() -> None:
    found = compared(document("200"), document("2XX"))
    silent = Cited(Policy.model_validate({"policy_version": "1", "surface": "all"}), Citation("E5"))
    for said in (None, silent):
        assert taken(found, said) == (found, {})
