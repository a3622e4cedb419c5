"""Routes of other languages: one without a declared guard beside declared ones is a lead, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts, CodeResponse, Guard, Route, SourceText, Spot
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w3.leads.catalogue import find_leads
from evreview.workflows.w3.model import Reach, State
from tests.workflows.w3.triage.world import control, only, path, world

GO = """mux.Handle("GET /orders", auth(orders))
mux.Handle("GET /orders/all", all)
mux.Handle("POST /orders", auth(create))
mux.Handle("GET /health", health)
"""
SOURCE = SourceText(item=EvidenceId("E1"), path="main.go", parts=("handler",), text=GO)


def route(operation: str, line: int, *guards: str, refuses: int | None = None) -> Route:
    method, _, where = operation.partition(" ")
    spot = Spot(EvidenceId("E1"), line, line, "main.go")
    kinds: Any = guards
    return Route(
        method=method, path=where, handler="", framework="declared", spot=spot,
        guards=tuple(Guard(name="auth", kind=kind, spot=spot) for kind in kinds),
        responses=(CodeResponse(status=refuses, how="raised", spot=spot),) if refuses else (),
    )  # fmt: skip


OPEN = route("GET /orders/all", 2)
TABLE: dict[str, tuple[list[Route], list[str]]] = {
    "a declared guard beside": ([route("GET /orders", 1, "authentication"), OPEN], ["GET /orders/all"]),
    "a declared 401 beside": ([route("GET /orders", 1, refuses=401), OPEN], ["GET /orders/all"]),
    "a declared 403 beside": ([route("GET /orders", 1, refuses=403), OPEN], ["GET /orders/all"]),
    "a declared 404 beside": ([route("GET /orders", 1, refuses=404), OPEN], []),
    "its own 401": ([route("GET /orders", 1, "authentication"), route("GET /orders/all", 2, refuses=401)], []),
    "its own guard": ([route("GET /orders", 1, "authentication"), route("GET /orders/all", 2, "authentication")], []),
    "only writing is guarded": ([route("POST /orders", 3, "authentication"), OPEN], []),
    "meant for everybody": ([route("GET /orders", 1, "authentication"), route("GET /health", 4)], []),
    "nothing is declared": ([route("GET /orders", 1), OPEN], []),
}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.req("W3S-007", "W3G-012")
def test_an_undeclared_guard_beside_declared_ones(name: str) -> None:
    routes, expected = TABLE[name]
    found = find_leads([SOURCE], CodeFacts(routes=tuple(routes)))
    assert [lead.route for lead in found if lead.rule == "unguarded-sibling"] == expected
    assert all(lead.lacks and "declared" in plain(lead.says) for lead in found)


@pytest.mark.req("W3S-014")
def test_what_is_not_declared_supports_nothing() -> None:
    code = CodeFacts(routes=(route("GET /orders", 1, "authentication"), OPEN))
    given = world(app=GO, controls=[control(source=[], routes=["*"])], paths=[path(route="GET /orders/all")], own=False)
    found = only(replace(given, code=code, leads=find_leads([SOURCE], code)), "unguarded-sibling")
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert any("declare a fact" in plain(each) for each in found.missing)
