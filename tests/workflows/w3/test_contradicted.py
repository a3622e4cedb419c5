"""A complete, passed negative test on a candidate's route contradicts that nothing refuses there."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Area, EvidenceType
from evreview.evidence.records.test_runs import TestRecord
from evreview.workflows.w3.model import ShownBy, State, TestRow
from evreview.workflows.w3.validation import local_results, validate
from tests.workflows.w3.made import REVISION, bundle, candidate
from tests.workflows.w3.rated import BASE, INVENTORY, run

ASKED = "GET /tickets/{ticket}"
# kind, area of the control, what the run's record says that the test asserts -> contradicted
SAID: dict[str, tuple[str, str, list[dict[str, Any]], bool]] = {
    "another name of the parameter": (
        "unguarded-sibling", "authentication", [{"operation": ASKED, "status": 403}], True,
    ),
    "refused as unknown": ("unguarded-sibling", "authentication", [{"operation": ASKED, "status": 401}], True),
    "let in": ("unguarded-sibling", "authentication", [{"operation": ASKED, "status": 200}], False),
    "another route": ("unguarded-sibling", "authentication", [{"operation": "GET /tickets", "status": 401}], False),
    "refused there, let in here": (
        "unguarded-sibling", "authentication",
        [{"operation": "GET /tickets", "status": 401}, {"operation": ASKED, "status": 200}], False,
    ),
    "not said": ("unguarded-sibling", "authentication", [], False),
    "a control of something else": ("unguarded-sibling", "logging", [{"operation": ASKED, "status": 404}], False),
    "whoever has no token is no other owner": (
        "object-without-owner-check", "authorization", [{"operation": ASKED, "status": 401}], False,
    ),
    "a sign-in asks for no owner": (
        "object-without-owner-check", "authentication", [{"operation": ASKED, "status": 403}], False,
    ),
    "no other owner": ("object-without-owner-check", "authorization", [{"operation": ASKED, "status": 404}], True),
}  # fmt: skip


def row(asserts: tuple[tuple[str, int], ...], shown: ShownBy = ShownBy.SYNTAX) -> TestRow:
    """The test as its source shows it."""
    return TestRow(
        control="C-ROLE", test="t::test_refused", negative=True, shown=shown, asserts=asserts, outcome="passed",
        citations=(),
    )  # fmt: skip


@pytest.mark.parametrize("name", SAID)
@pytest.mark.req("W3S-013", "W3D-003")
def test_a_passed_test_contradicts_what_it_refuses_on_the_route_only(name: str) -> None:
    kind, area, says, expected = SAID[name]
    control = INVENTORY.controls[0].model_copy(update={"area": Area(area)})
    inventory = INVENTORY.model_copy(update={"controls": (control,)})
    asserts = [{"test": "t::test_refused"} | each for each in says]
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, inventory), *run("passed", asserts=asserts)])
    about, results = candidate(kind=kind), local_results(made, REVISION)
    source = row(tuple((each["operation"], each["status"]) for each in says))
    for rows, contradicted in (((source,), expected), ((), False)):
        (found,) = validate((about,), (frozenset((about.id,)),), results, made, rows)
        assert (found.state is State.HYPOTHESIS) is contradicted


@pytest.mark.parametrize(("status", "shown", "expected"), [
    (401, ShownBy.SYNTAX, True), (200, ShownBy.SYNTAX, False), (401, ShownBy.RESULT, False),
])  # fmt: skip
@pytest.mark.parametrize("says", [[], [{"test": "t::test_refused", "operation": ASKED, "status": 401}]])
def test_the_source_of_a_test_decides_what_it_asserts(
    status: int, shown: ShownBy, expected: bool, says: list[dict[str, Any]]
) -> None:
    made = bundle([*BASE, *run("passed", asserts=says, output="E3")])
    about = candidate(kind="unguarded-sibling")
    rows = (row(((ASKED, status),), shown),)
    (found,) = validate((about,), (frozenset((about.id,)),), local_results(made, REVISION), made, rows)
    assert (found.state is State.HYPOTHESIS) is expected


def test_a_check_that_says_of_itself_that_it_is_about_the_finding_contradicts_no_code() -> None:
    about = candidate(kind="unguarded-sibling")
    check = {
        "id": "T1", "what": "refused", "command": "pytest", "revision": REVISION, "fixture": "f", "result": "passed",
        "deltas": [about.id], "operation": ASKED,
    }  # fmt: skip
    made = bundle([*BASE, (EvidenceType.TEST_RECORD, TestRecord.model_validate({"checks": [check]}))])
    (found,) = validate((about,), (frozenset((about.id,)),), local_results(made, REVISION), made)
    assert found.state is State.SUPPORTED
