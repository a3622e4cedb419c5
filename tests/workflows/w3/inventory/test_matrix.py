"""The control x route matrix: what each cell says, and what stands out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts
from evreview.codefacts.read import read_sources, sources_of
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.cited_records import first_of
from evreview.evidence.records.security import SecurityInventory
from evreview.workflows.w3.inventory.inventory import take_inventory
from tests.codefacts.snippets import source
from tests.workflows.w3.bundles import bundle_of
from tests.workflows.w3.inventory.listed import DELETE, READ, SERVICE, cells, control, gaps, items, taken

AREA_REQS = {
    Area.AUTHENTICATION: "W3X-001", Area.AUTHORIZATION: "W3X-002", Area.INPUT_HANDLING: "W3X-003",
    Area.SECRETS: "W3X-004", Area.LOGGING: "W3X-005", Area.ERROR_DISCLOSURE: "W3X-006",
}  # fmt: skip


def by_area(area: Area) -> Any:
    return pytest.param(area, marks=pytest.mark.req(AREA_REQS[area]), id=area.value)


@pytest.mark.parametrize("area", [by_area(area) for area in Area])
def test_every_area_has_a_cell_for_every_route_or_a_reason(area: Area) -> None:
    found = taken(stated={"not_in_scope": []})
    assert {one.route for one in found.cells if one.area is area} == {READ, DELETE}
    assert (area.value, "source") in gaps(found)
    reasoned = taken(stated={"not_in_scope": [{"area": area, "why": "no such thing"}]})
    assert [(one.route, str(one.standing), plain(one.why)) for one in reasoned.cells if one.area is area] == [
        ("*", "not in scope", "no such thing")
    ]
    assert (area.value, "source") not in gaps(reasoned)


@pytest.mark.parametrize("area", [by_area(area) for area in Area])
def test_a_listed_control_answers_for_its_area(area: Area) -> None:
    excerpt = {"item": "E3", "lines": "17-20", "quote": "def read("}
    found = taken(control(area=area.value, source=[excerpt]))
    assert (area.value, "source") not in gaps(found)
    assert ("check", READ) in cells(found)
    assert (area.value, DELETE) in cells(found)


def test_a_route_that_is_registered_twice_is_asked_about() -> None:
    twice = SERVICE + '\n@app.get("/orders/{other}")\ndef again(other: int): ...\n'
    found = taken(control(), app=twice)
    assert ("*", "route") in gaps(found, decides=False)
    assert [one.route for one in found.cells if one.area is Area.AUTHENTICATION] == [READ, DELETE]


def test_routes_that_no_negative_test_asks_are_named() -> None:
    app = SERVICE.replace("def delete(id: int)", "def delete(id: int, who=Depends(principal))")
    found = taken(control(routes=["*"]), app=app)
    (asked,) = [gap for gap in found.gaps if gap.lacks == "negative tests"]
    assert (plain(asked.request), asked.decides) == (f"a negative test of each of {DELETE}", False)
    assert taken(control(routes=["*"], sensitive=False), app=app).gaps == ()


LINES = {"item": "E3", "lines": "8-10", "quote": "def principal("}


DENY = {"item": "E5", "lines": "1", "quote": "deny all;"}


@pytest.mark.parametrize(
    ("stated", "read", "deleted"),
    [
        ({"source": [LINES]}, "present", "absent"),
        ({"source": [LINES], "deployment": [DENY]}, "present", "present"),
        ({"source": [], "deployment": [DENY]}, "present", "present"),
        ({"source": []}, "absent", "absent"),
        ({"source": [LINES | {"quote": "def other("}]}, "unknown", "unknown"),
        ({"source": None}, "unknown", "unknown"),
        ({"source": [], "middleware": [{"item": "E3", "lines": "12-15", "quote": "failed"}]}, "present", "present"),
    ],
)
def test_a_control_stands_where_its_lines_belong_to_the_route(stated: dict[str, Any], read: str, deleted: str) -> None:
    found = cells(taken(control(routes=["*"], **stated)))
    assert (found["check", READ], found["check", DELETE]) == (read, deleted)


def test_a_control_that_is_absent_where_it_shall_stand_is_asked_about() -> None:
    found = taken(control(routes=["*"]))
    assert ("check", "control") in gaps(found, decides=False)
    assert ("check", "control") not in gaps(taken(control()), decides=False)
    assert ("check", "control") not in gaps(taken(control(routes=["*"], sensitive=False)), decides=False)


def test_only_the_lines_of_the_quote_count() -> None:
    whole = {"item": "E3", "lines": "1-24", "quote": "raise HTTPException(401)"}
    found = cells(taken(control(routes=["*"], source=[whole])))
    assert (found["check", READ], found["check", DELETE]) == ("present", "absent")


@pytest.mark.parametrize(
    ("area", "lines", "quote", "expected"),
    [
        ("secrets", "4", "API_KEY", ("present", "not applicable")),
        ("logging", "19", "log.info", ("present", "absent")),
        ("error disclosure", "12-15", "failed", ("present", "present")),
        ("input handling", "18", "id: int", ("present", "absent")),
    ],
)
def test_other_areas(area: str, lines: str, quote: str, expected: tuple[str, str]) -> None:
    stated = control(area=area, routes=["*"], source=[{"item": "E3", "lines": lines, "quote": quote}])
    found = cells(taken(stated))
    assert (found["check", READ], found["check", DELETE]) == expected


def test_a_route_that_no_code_registers_is_asked_for() -> None:
    found = taken(control(routes=["GET /gone"]))
    assert cells(found)["check", "GET /gone"] == "unknown"
    assert ("check", "route") in gaps(found)


def test_without_routes_nothing_can_be_concluded() -> None:
    found = taken(control(routes=["*"]), code=CodeFacts(routes=()))
    assert {("*", "route"), ("check", "route")} <= set(gaps(found))


@pytest.mark.req("W3S-009")
def test_without_an_inventory_every_area_is_a_gap() -> None:
    bundle = bundle_of(*items())
    sources = [source(SERVICE, "app.py", "E3")]
    found = take_inventory(None, read_sources(sources), sources, bundle)
    assert {area for area, lacks in gaps(found) if lacks == "source"} == {area.value for area in Area}
    assert not found.concludes


def test_what_could_not_be_read_keeps_a_control_open() -> None:
    app = SERVICE.replace("def delete(id: int)", "def delete(id: int, who=Depends(elsewhere))")
    found = taken(control(routes=["*"]), app=app)
    assert cells(found)["check", DELETE] == "unread"
    assert ("check", "source") in gaps(found)


def test_an_area_with_a_control_and_a_reason_is_asked_about() -> None:
    both = [{"area": "authentication", "why": "x"}]
    assert ("authentication", "scope") in gaps(taken(control(), stated={"not_in_scope": both}), decides=False)


@pytest.mark.req("W3S-008")
def test_the_matrix_of_the_bundled_review(project: Path) -> None:
    opened = open_bundle(project / "examples" / "w3-tickets").unsealed()
    sources = sources_of(opened)
    found = take_inventory(first_of(opened, SecurityInventory), read_sources(sources), sources, opened)
    notes, figures, close = (
        "GET /v1/tickets/{ticket_id}/notes", "GET /internal/figures", "DELETE /v1/tickets/{ticket_id}",
    )  # fmt: skip
    shown = cells(found)
    assert gaps(found) == []
    assert shown["token-check", notes] == "absent"
    odd = [(one.control, one.route) for one in found.cells if one.odd]
    assert odd == [("token-check", notes), ("authentication", figures)]
    assert shown["notes-check", notes] == "present"
    assert shown["staff-check", close] == "present"
    assert shown["inner-location", figures] == "present"
    assert shown["authentication", figures] == "absent"
    assert shown["token-key-storage", close] == "absent"
    assert ("staff-check", "negative tests") in gaps(found, decides=False)
    assert {row.outcome for row in found.tests} == {"passed"}
    assert [(row.name, row.place, row.area) for row in found.middleware] == [
        ("access_log", 1, Area.LOGGING), ("failed", 0, Area.ERROR_DISCLOSURE),
    ]  # fmt: skip
