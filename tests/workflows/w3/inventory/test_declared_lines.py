"""Routes and controls in other languages: quoted lines and declared facts tie them together."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts, CodeResponse, Guard, Route, Spot
from evreview.codefacts.read import read_sources
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area, EvidenceId
from evreview.workflows.w3.inventory.inventory import take_inventory
from evreview.workflows.w3.inventory.routes import InspectedRoutes, read_area
from tests.codefacts.snippets import source
from tests.workflows.w3.bundles import SOURCE, TESTED, bundle_of, item
from tests.workflows.w3.inventory.listed import (
    DELETE,
    READ,
    SERVICE,
    cell,
    cells,
    control,
    gaps,
    inventory,
    items,
    taken,
)


def test_declared_facts_join_the_route_that_was_read() -> None:
    spot = Spot(EvidenceId("E5"), 1, 1, "proxy.conf", declared=None)
    guard = Guard(name="proxy", kind="authentication", spot=spot)
    declared = Route(method="DELETE", path="/orders/{x}", handler="", framework="declared", spot=spot, guards=(guard,))
    sources = [source(SERVICE, "app.py", "E3")]
    code = read_sources(sources)
    seen = InspectedRoutes(CodeFacts(routes=(declared, *code.routes)), sources).all
    assert {one.name: str(read_area(one, Area.AUTHENTICATION).standing) for one in seen} == {
        READ: "present",
        DELETE: "present",
    }


@pytest.mark.parametrize("area", Area)
def test_nothing_is_concluded_about_a_declared_route_without_facts(area: Area) -> None:
    route = Route(method="GET", path="/a", handler="", framework="declared", spot=Spot(EvidenceId("E1"), 1, 1))
    (seen,) = InspectedRoutes(CodeFacts(routes=(route,)), []).all
    assert str(read_area(seen, area).standing) == "unknown"


def test_lines_of_another_language_hold_where_the_route_shows_a_check() -> None:
    go = item(9, SOURCE, "func principal(w, r) {\n", path="guard.go")
    stated = control(routes=["*"], source=[{"item": "E9", "lines": "1", "quote": "func principal"}])
    found = taken(stated, more=[go])
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == ("present", "unknown")
    assert "as the inventory states" in plain(cell(found, "check", READ).why)


GO = """func auth(next Handler) Handler {
	if !verify(r) { http.Error(w, "", 401) }
}
mux.Handle("GET /orders", auth(orders))
mux.Handle("GET /report", report)
mux.Handle("GET /export", export)
"""


def go_route(path: str, line: int, **parts: Any) -> Route:
    spot = Spot(EvidenceId("E3"), line, line, "main.go", declared=None)
    return Route(method="GET", path=path, handler="", framework="declared", spot=spot, **parts)


@pytest.mark.parametrize(
    ("area", "guarded", "standing", "decides"),
    [
        ("authentication", {"guards": "authentication"}, ["present", "unknown", "unknown"], True),
        ("authentication", {"responses": 401}, ["present", "unknown", "unknown"], True),
        ("authentication", {}, ["unknown"] * 3, True),
        ("authorization", {"guards": "authentication"}, ["unknown"] * 3, True),
        ("authorization", {"responses": 403}, ["present", "unknown", "unknown"], True),
        ("logging", {}, ["unknown"] * 3, False),
        ("error disclosure", {}, ["unknown"] * 3, False),
    ],
)
def test_a_declared_fact_ties_a_control_of_another_language_to_a_route(
    area: str, guarded: dict[str, Any], standing: list[str], decides: bool
) -> None:
    spot = Spot(EvidenceId("E3"), 4, 4, "main.go")
    parts: dict[str, Any] = {}
    if "guards" in guarded:
        parts["guards"] = (Guard(name="auth", kind=guarded["guards"], spot=spot),)
    if "responses" in guarded:
        parts["responses"] = (CodeResponse(status=guarded["responses"], how="raised", spot=spot),)
    routes = (go_route("/orders", 4, **parts), go_route("/report", 5), go_route("/export", 6))
    stated = control(area=area, routes=["*"], source=[{"item": "E3", "lines": "2", "quote": "if !verify(r)"}])
    bundle = bundle_of(item(2, TESTED, "inventory"), *items(app=GO))
    found = take_inventory(inventory(stated), CodeFacts(routes=routes), [], bundle)
    assert [cells(found)["check", f"GET {path}"] for path in ("/orders", "/report", "/export")] == standing
    assert (("check", "route") in gaps(found)) is decides
    odd = {one.route for one in found.cells if one.odd}
    assert odd == ({"GET /report", "GET /export"} if standing[0] == "present" else set())


def test_a_quoted_line_of_its_registration_ties_a_control_to_a_route() -> None:
    routes = (go_route("/orders", 4), go_route("/report", 5))
    shown = [{"item": "E3", "lines": "2", "quote": "if !verify(r)"}, {"item": "E3", "lines": "4", "quote": "auth("}]
    bundle = bundle_of(item(2, TESTED, "inventory"), *items(app=GO))
    found = take_inventory(inventory(control(routes=["*"], source=shown)), CodeFacts(routes=routes), [], bundle)
    assert (cells(found)["check", "GET /orders"], cells(found)["check", "GET /report"]) == ("present", "unknown")
    (asked,) = [gap for gap in found.gaps if gap.lacks == "route"]
    assert "GET /report" in plain(asked.request) and "declare a fact about its authentication" in plain(asked.request)
