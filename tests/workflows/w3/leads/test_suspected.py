"""A reviewer's suspicions: a quote that stands is evidence, one that does not is a problem with its place."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Candidates
from evreview.workflows.w3.abuse_cases.lead_intake import LeadIntake, candidate_leads
from tests.workflows.w3.leads.sources import files

APP = """
from fastapi import FastAPI
app = FastAPI()

@app.get("/orders/{order_id}")
def order(order_id: int):
    return ORDERS[order_id]
"""
STATED = {
    "id": "N-1", "area": "authorization", "title": "orders of others", "route": "get /orders/{id}",
    "shown_by": [{"item": "E1", "lines": "6", "quote": "return ORDERS[order_id]"}],
}  # fmt: skip


def taken(*stated: dict[str, Any]) -> LeadIntake:
    record = Candidates.model_validate({"candidates": list(stated)})
    supplied = files(APP)
    return candidate_leads((Cited(record, Citation(EvidenceId("E9"))),), supplied, read_sources(supplied))


def test_a_quote_that_stands_gives_lines_symbol_and_the_route_as_registered() -> None:
    (lead,) = taken(STATED).leads
    assert (lead.tool, lead.rule, lead.symbol, lead.route) == ("reviewer", "N-1", "order", "GET /orders/{order_id}")
    assert [str(each) for each in lead.citations] == ["E1:L6", "E9:id=N-1"]


def test_the_only_route_that_reaches_the_lines_is_taken() -> None:
    (lead,) = taken(STATED | {"route": None}).leads
    assert lead.route == "GET /orders/{order_id}"


@pytest.mark.parametrize(
    ("excerpt", "code", "place"),
    [
        ({"item": "E7", "lines": "6", "quote": "return"}, "candidate-source", "#/candidates/0/shown_by/0/item"),
        ({"item": "E1", "lines": "99", "quote": "return"}, "candidate-lines", "#/candidates/0/shown_by/0/lines"),
        ({"item": "E1", "lines": "1", "quote": "ORDERS"}, "candidate-quote", "#/candidates/0/shown_by/0/quote"),
        ({"item": "E1", "lines": "6", "quote": "--"}, "candidate-quote", "#/candidates/0/shown_by/0/quote"),
    ],
)
def test_a_quote_that_does_not_stand_shows_nothing(excerpt: dict[str, str], code: str, place: str) -> None:
    found = taken(STATED | {"shown_by": [excerpt]})
    assert [(problem.code, problem.place) for problem in found.problems] == [(code, place)]
    assert [lead.spot for lead in found.leads] == [None]


def test_an_id_counts_once() -> None:
    found = taken(STATED, STATED | {"title": "again"})
    assert len(found.leads) == 1
    assert [problem.code for problem in found.problems] == ["candidate-repeated"]
