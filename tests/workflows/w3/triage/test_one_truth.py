"""A route without a guard is found only where the control matrix of the same review says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area
from evreview.workflows.w3.inventory.inventory import take_inventory
from evreview.workflows.w3.model import ControlCell, Inventory, Reach, Standing, State
from evreview.workflows.w3.triage.lead_groups import TriageInput
from tests.workflows.w3.triage.world import ROUTE, control, only, world

APP = """
from fastapi import Depends, FastAPI, Header, HTTPException
app = FastAPI()


def signed_in(token: str = Header("")):
    if not check(token):
        raise HTTPException(401)


@app.get("/internal/figures", dependencies=[Depends(signed_in)])
def figures():
    return []


@app.get("/internal/report")
def report(place: str = ""):
BODY
""".lstrip()
OPEN = "    return []"


def given(body: str = OPEN) -> TriageInput:
    return world(app=APP.replace("BODY", body), controls=[control(area="logging", source=[])])


def cells(*standings: tuple[Area, Standing]) -> Inventory:
    found = (
        ControlCell(control="C", area=area, route=ROUTE, standing=standing, why=("as read",), citations=())
        for area, standing in standings
    )
    return Inventory(cells=tuple(found), gaps=())


WHO, RIGHT = Area.AUTHENTICATION, Area.AUTHORIZATION


@pytest.mark.req("W3S-014")
@pytest.mark.parametrize(
    ("standings", "state"),
    [
        ([(WHO, Standing.ABSENT), (RIGHT, Standing.ABSENT)], State.SUPPORTED),
        ([(WHO, Standing.ABSENT), (RIGHT, Standing.UNKNOWN)], State.SUPPORTED),
        ([(WHO, Standing.PRESENT), (RIGHT, Standing.ABSENT)], State.HYPOTHESIS),
        ([(WHO, Standing.UNKNOWN)], State.HYPOTHESIS),
        ([(WHO, Standing.UNREAD)], State.HYPOTHESIS),
        ([(WHO, Standing.ABSENT), (RIGHT, Standing.PRESENT)], State.HYPOTHESIS),
        ([(Area.LOGGING, Standing.PRESENT), (WHO, Standing.ABSENT)], State.SUPPORTED),
    ],
)
def test_an_unguarded_route_is_supported_only_by_an_absent_cell(
    standings: list[tuple[Area, Standing]], state: State
) -> None:
    found = only(replace(given(), taken=cells(*standings)), "unguarded-sibling")
    assert found.state is state
    assert found.reach is (Reach.SHOWN if state is State.SUPPORTED else Reach.UNKNOWN)
    assert any("matrix" in plain(each) or "as read" in plain(each) for each in found.missing) is (
        state is State.HYPOTHESIS
    )


BODIES = {
    "open": (OPEN, State.SUPPORTED),
    "refused for a right": (
        "    if not may(place):\n        raise HTTPException(403)\n    return []",
        State.HYPOTHESIS,
    ),
}


@pytest.mark.req("W3S-014")
@pytest.mark.parametrize("name", BODIES)
def test_the_cell_is_the_printed_one(name: str) -> None:
    body, state = BODIES[name]
    material = given(body)
    taken = take_inventory(material.inventory, material.code, material.sources, material.bundle)
    standing = {cell.area: cell.standing for cell in taken.cells if cell.route == ROUTE}
    found = only(replace(material, taken=replace(taken, gaps=())), "unguarded-sibling")
    assert found.state is state
    assert (Standing.PRESENT in (standing[WHO], standing[RIGHT])) is (state is State.HYPOTHESIS)
