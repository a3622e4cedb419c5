"""A control that the inventory lists and the code lacks is a suspicion, unless its route has a supported one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evreview.core.vocabulary import Area, EvidenceId, EvidenceType
from evreview.evidence.item import Citation
from evreview.evidence.records.security import SecurityInventory
from evreview.workflows.w3.model import ControlCell, Inventory, InventoryGap, InventoryGapKind, Standing, State
from evreview.workflows.w3.validation import absent_controls
from tests.workflows.w3.made import bundle, candidate

LISTED = SecurityInventory.model_validate({"controls": [{"id": "C-ROLE", "area": "authorization", "name": "role"}]})
MADE = bundle([(EvidenceType.TEST_INVENTORY, LISTED)])
GAP = InventoryGap(
    control="C-ROLE",
    area=Area.AUTHORIZATION,
    lacks=InventoryGapKind.CONTROL,
    request=("the code",),
    citations=(),
    decides=False,
)


def cell(route: str, standing: Standing = Standing.ABSENT) -> ControlCell:
    on = (Citation(EvidenceId("E2"), ":L4"),)
    return ControlCell(
        control="C-ROLE", area=Area.AUTHORIZATION, route=route, standing=standing, why=("none",), citations=on
    )


TAKEN = Inventory(cells=(cell("GET /a"), cell("GET /b"), cell("GET /c", Standing.PRESENT)), gaps=(GAP,))


@pytest.mark.req("W3D-002")
def test_an_absent_control_is_one_hypothesis_over_its_routes() -> None:
    (found,) = absent_controls(TAKEN, MADE, ())
    assert (found.state, found.control, found.route) == (State.HYPOTHESIS, "C-ROLE", "*")
    assert found.missing and "GET /c" not in str(found.title) and "GET /b" in str(found.title)
    assert [str(each) for each in found.citations] == ["E2:L4"]


def test_a_route_with_a_supported_candidate_needs_no_second_suspicion() -> None:
    known = (candidate(route="GET /a", state=State.SUPPORTED), candidate(route="GET /b", state=State.HYPOTHESIS))
    (found,) = absent_controls(TAKEN, MADE, known)
    assert found.route == "GET /b"
    assert absent_controls(TAKEN, MADE, (*known, candidate(route="GET /b", state=State.SUPPORTED))) == ()


def test_without_the_gap_there_is_nothing_to_suspect() -> None:
    assert absent_controls(replace(TAKEN, gaps=()), MADE, ()) == ()
    other = replace(GAP, lacks=InventoryGapKind.NEGATIVE_TESTS)
    assert absent_controls(replace(TAKEN, gaps=(other,)), MADE, ()) == ()


def test_its_id_follows_the_control_and_its_slice_the_routes() -> None:
    (one,), (other,) = (
        absent_controls(TAKEN, MADE, ()),
        absent_controls(replace(TAKEN, cells=TAKEN.cells[:1]), MADE, ()),
    )
    assert one.id == other.id and one.slice != other.slice
