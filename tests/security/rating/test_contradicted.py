"""A complete, passed negative test on a candidate's route contradicts that nothing refuses there."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.security.mapped import TestRow
from evreview.security.model import State
from evreview.security.rating.results import local_results
from evreview.security.rating.validate import validate
from evreview.vocab import Area, EvidenceType
from tests.security.made import REVISION, bundle, candidate
from tests.security.rating.test_rate import BASE, INVENTORY, run

ASKED = "GET /tickets/{ticket}"
# kind, area of the control, what the run's record says that the test asserts -> contradicted
SAID: dict[str, tuple[str, str, list[dict[str, Any]], bool]] = {
    "another name of the parameter": ("unguarded-sibling", "authentication", [{"operation": ASKED}], True),
    "refused as unknown": ("unguarded-sibling", "authentication", [{"operation": ASKED, "status": 401}], True),
    "let in": ("unguarded-sibling", "authentication", [{"operation": ASKED, "status": 200}], False),
    "another route": ("unguarded-sibling", "authentication", [{"operation": "GET /tickets", "status": 401}], False),
    "refused there, let in here": (
        "unguarded-sibling", "authentication",
        [{"operation": "GET /tickets", "status": 401}, {"operation": ASKED, "status": 200}], False,
    ),
    "not said": ("unguarded-sibling", "authentication", [], False),
    "a control of something else": ("unguarded-sibling", "logging", [{"operation": ASKED}], False),
    "whoever has no token is no other owner": (
        "object-without-owner-check", "authorization", [{"operation": ASKED, "status": 401}], False,
    ),
    "a sign-in asks for no owner": ("object-without-owner-check", "authentication", [{"operation": ASKED}], False),
    "no other owner": ("object-without-owner-check", "authorization", [{"operation": ASKED, "status": 404}], True),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
@pytest.mark.req("W3S-013", "W3D-003")
def test_a_passed_test_contradicts_what_it_refuses_on_the_route_only(name: str) -> None:
    kind, area, says, expected = SAID[name]
    control = INVENTORY.controls[0].model_copy(update={"area": Area(area)})
    inventory = INVENTORY.model_copy(update={"controls": (control,)})
    asserts = [{"test": "t::test_refused"} | each for each in says]
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, inventory), *run("passed", asserts=asserts)])
    about = candidate(kind=kind)
    (found,) = validate((about,), (frozenset((about.id,)),), local_results(made, REVISION), made)
    assert (found.state is State.HYPOTHESIS) is expected


@pytest.mark.parametrize(("status", "expected"), [(401, True), (200, False)])
def test_what_a_tests_source_asserts_counts_where_its_run_does_not_say(status: int, expected: bool) -> None:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run("passed", asserts=[])])
    results = local_results(made, REVISION)
    row = TestRow(
        control="C-ROLE", test="t::test_refused", negative=True, shown="syntax tree", asserts=((ASKED, status),),
        outcome="passed", citations=results[0].citations,
    )  # fmt: skip
    about = candidate(kind="unguarded-sibling")
    (found,) = validate((about,), (frozenset((about.id,)),), results, made, (row,))
    assert (found.state is State.HYPOTHESIS) is expected


def test_a_test_that_no_control_lists_contradicts_an_open_route() -> None:
    asserts = [{"test": "t::test_refused", "operation": ASKED, "status": 401}]
    made = bundle([*BASE, *run("passed", asserts=asserts, output="E3")])
    about = candidate(kind="unguarded-sibling")
    (found,) = validate((about,), (frozenset((about.id,)),), local_results(made, REVISION), made)
    assert found.state is State.HYPOTHESIS
