"""Limits, rates, pages and keys that both sides state; and what a limit is known by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evreview.codefacts.model import CodeNote, Spot
from evreview.core.vocabulary import ABSENT, Concern, Form, Json
from evreview.workflows.w2.discrepancy_kinds.kind import OK, TEXT, parameter, paths
from evreview.workflows.w2.reconcile.reconcile import Reconciled
from tests.workflows.w2.facts import CODE, LINES, contract_of, evidence_of, reconciled, route, sends

RATE = CodeNote(concern=Concern.RATE_LIMITS, name="limiter.limit(RATE)", spot=LINES, value="10/minute")
SIZE = CodeNote(concern=Concern.LIMITS, name="content_length > MOST", spot=LINES, value=1_048_576)
PAGE = CodeNote(concern=Concern.PAGINATION, name="PageNumberPagination", spot=LINES, value=50)
TOO_OFTEN, TOO_LARGE = {"429": {"description": "too often"}}, {"413": {"description": "too large"}}
ANSWERS = {Concern.RATE_LIMITS: TOO_OFTEN, Concern.LIMITS: TOO_LARGE, Concern.PAGINATION: {}}
SENT = {Concern.RATE_LIMITS: 429, Concern.LIMITS: 413}


def made(note: CodeNote, *more: CodeNote, **parts: Json) -> Reconciled:
    """A contract beside one route with these notes."""
    contract = contract_of(paths(**({"responses": {**OK, **ANSWERS[note.concern]}} | parts)))
    statuses = [SENT[note.concern]] if note.concern in SENT else []
    answers = (sends(200, {}), *(sends(status, media_type="", how="raised") for status in statuses))
    return reconciled(evidence_of(contract, route(responses=answers, notes=(note, *more))))


@pytest.mark.parametrize(
    ("note", "says", "expected"),
    [
        (RATE, "Clients may send 10 requests per minute.", None),
        (RATE, "Clients may send 100 requests per minute.", "rate-limit-lower"),
        (RATE, "Clients may send 5 requests per minute.", "rate-limit-higher"),
        (RATE, "Clients may send 600 requests per hour.", "rate-limit-lower"),
        (RATE, "Requests are throttled.", "undecided"),
        (RATE, "5 requests per minute, or 9 requests per minute for partners.", "undecided"),
        (replace(RATE, value=10), "Clients may send 100 requests per minute.", "undecided"),
        (replace(RATE, value=ABSENT), "Clients may send 100 requests per minute.", "undecided"),
        (SIZE, "A request has at most 1 MB.", None),
        (SIZE, "A request has at most 5 MB.", "limit-lower"),
        (SIZE, "A request has at most 10 kB.", "limit-higher"),
        (SIZE, "A request has at most 100 orders.", "undecided"),
        (replace(SIZE, name="len(orders) > MOST"), "A request has at most 5 MB.", "undecided"),
    ],
)
def test_amounts_in_sentences_are_compared(note: CodeNote, says: str, expected: str | None) -> None:
    found = made(note, description=says)
    shown = [each.kind for each in found.discrepancies]
    shown += ["undecided" for each in found.undecided if each.concern is note.concern]
    assert shown == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"parameters": [parameter("page_size", {"type": "integer", "default": 50})]}, None),
        ({"parameters": [parameter("page_size", {"type": "integer", "default": 20})]}, "page-size-differs"),
        (
            {"parameters": [parameter("page", TEXT)], "description": "Paginated, 20 per page."},
            "page-size-differs",
        ),
        ({"parameters": [parameter("page", TEXT)], "description": "Paginated, 50 orders per page."}, None),
        ({"parameters": [parameter("page", TEXT)]}, "undecided"),
    ],
)
def test_page_sizes_are_compared(parts: Json, expected: str | None) -> None:
    assert isinstance(parts, dict)
    found = made(PAGE, **parts)
    shown = [each.kind for each in found.discrepancies if each.concern is Concern.PAGINATION]
    shown += ["undecided" for each in found.undecided if each.concern is Concern.PAGINATION]
    assert shown == ([] if expected is None else [expected])


WORDED = "Clients may send 10 requests per minute."


@pytest.mark.parametrize(
    ("note", "says", "kinds", "open_ones"),
    [
        (RATE, WORDED, ["error-undocumented"], []),
        (RATE, "Clients may send 100 requests per minute.", ["error-undocumented", "rate-limit-lower"], []),
        (replace(RATE, value=600), "At most 600 requests per minute.", ["error-undocumented"], ["rate of calls"]),
        (RATE, "Calls are throttled.", ["error-undocumented"], ["rate of calls"]),
        (RATE, "Calls are answered at once.", ["rate-limit-undocumented"], []),
        (SIZE, "A request has at most 1 MB.", ["error-undocumented"], []),
        (SIZE, "A request has at most 100 orders.", ["limit-undocumented"], []),
        (replace(SIZE, name="len(orders) > MOST"), "A request has at most 100 orders.", ["error-undocumented"],
         ["size of requests"]),
    ],
)  # fmt: skip
def test_a_limit_in_words_is_stated_and_its_answer_is_not(
    note: CodeNote, says: str, kinds: list[str], open_ones: list[str]
) -> None:
    found = made(note, description=says, responses=OK)
    assert sorted(each.kind for each in found.discrepancies) == kinds
    assert [each.place for each in found.undecided if each.concern is note.concern] == open_ones


@pytest.mark.parametrize(
    "says", ["There is no rate limit.", "Calls are not throttled.", "Calls aren't rate limited.", "No throttling."]
)
def test_a_contract_that_denies_a_rate_limit_disagrees_with_one(says: str) -> None:
    (found,) = made(RATE, description=says, responses=OK).discrepancies
    assert (found.kind, found.contract) == ("rate-limit-undocumented", says)
    assert {"GET /orders rate limits description", "GET /orders errors 429"} <= found.withholds


@pytest.mark.req("W2O-033")
def test_what_differs_holds_both_forms_and_holds_the_sentence_back() -> None:
    (found,) = made(RATE, description="Orders.\n\nClients may send 100 requests per minute.").discrepancies
    assert found.contract == "Clients may send 100 requests per minute."
    assert found.implementation == {"name": RATE.name, "value": "10/minute"}
    assert "GET /orders rate limits description" in found.withholds


@pytest.mark.parametrize("note", [RATE, SIZE], ids=["rate", "size"])
@pytest.mark.parametrize("says", ["", "100 requests per minute, at most 5 MB."], ids=["unstated", "stated"])
def test_the_id_of_a_limit_survives_new_names_and_lines(note: CodeNote, says: str) -> None:
    responses: Json = {**OK, **ANSWERS[note.concern]} if says else OK
    moved = replace(note, name=note.name.replace("MOST", "LARGEST").replace("RATE", "pace"), spot=Spot(CODE, 90, 91))
    first, second = (made(each, description=says, responses=responses).discrepancies for each in (note, moved))
    assert len(first) == 1
    assert [each.id for each in first] == [each.id for each in second]
    assert all("MOST" not in each.place and "RATE" not in each.place for each in first)


@pytest.mark.parametrize("value", ["20/minute", 3, ABSENT])
def test_several_limits_of_one_operation_have_several_ids(value: Form) -> None:
    found = made(RATE, replace(RATE, name="other", value=value), RATE, responses=OK)
    rows = [each for each in found.discrepancies if each.kind == "rate-limit-undocumented"]
    assert len(rows) == 2 == len({each.id for each in rows})


@pytest.mark.parametrize(("method", "open_ones"), [("get", ["ORDERS.pop"]), ("post", [])])
def test_a_lead_on_a_safe_method_is_open_and_no_discrepancy(method: str, open_ones: list[str]) -> None:
    lead = CodeNote(concern=Concern.SIDE_EFFECTS, name="ORDERS.pop", spot=LINES, certain=False)
    contract = contract_of(paths(method))
    code = route(method.upper(), responses=(sends(200, {}),), notes=(lead,))
    found = reconciled(evidence_of(contract, code))
    assert [each.place for each in found.undecided if each.concern is Concern.SIDE_EFFECTS] == open_ones
    assert not [each for each in found.discrepancies if each.concern is Concern.SIDE_EFFECTS]
