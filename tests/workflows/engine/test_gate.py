"""Gates: who answered, in which order, having reviewed what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from evreview.evidence.records.review import Approval
from evreview.workflows.engine.gates import GateState, Seat, judge_gate
from evreview.workflows.w1.facts import REMOVE, SHIP

START = datetime(2026, 11, 1, tzinfo=UTC)
API = Seat("api-owner", "API owner")
CLIENT = Seat("client-owner", "Mobile lead", "C1")
MANAGER = Seat("release-manager", "Release manager")


def approval(seat: Seat, hour: int, **changes: object) -> Approval:
    values: dict[str, object] = {
        "gate": "ship-breaking-change",
        "role": seat.role,
        "stands_for": seat.stands_for,
        "client": seat.client or None,
        "decision": "approved",
        "at": START + timedelta(hours=hour),
        "reviewed": SHIP.reviewed,
    }
    return Approval.model_validate(values | changes)


COMPLETE = (approval(API, 1), approval(CLIENT, 2), approval(MANAGER, 3))


@pytest.mark.req("W1A-001", "W1A-002")
def test_everybody_in_order_approves() -> None:
    assert judge_gate(SHIP, (API, CLIENT, MANAGER), COMPLETE).state is GateState.APPROVED


@pytest.mark.req("W1A-001")
@pytest.mark.parametrize("dropped", range(3))
def test_a_missing_seat_keeps_the_gate_open(dropped: int) -> None:
    left = tuple(answer for index, answer in enumerate(COMPLETE) if index != dropped)
    gate = judge_gate(SHIP, (API, CLIENT, MANAGER), left)
    assert gate.state is GateState.OPEN
    assert any(str((API, CLIENT, MANAGER)[dropped]) in missing for missing in gate.missing)


@pytest.mark.req("W1A-002")
@pytest.mark.parametrize("hour", [0, 1, 2])
def test_a_release_manager_who_answers_first_or_at_once_does_not_count(hour: int) -> None:
    early = (*COMPLETE[:2], approval(MANAGER, hour))
    assert judge_gate(SHIP, (API, CLIENT, MANAGER), early).state is GateState.OPEN


@pytest.mark.req("W1A-003")
@pytest.mark.parametrize("item", SHIP.reviewed)
def test_an_approval_that_did_not_review_everything_is_none(item: str) -> None:
    seen = tuple(name for name in SHIP.reviewed if name != item)
    gate = judge_gate(SHIP, (API,), (approval(API, 1, reviewed=seen),))
    assert gate.state is GateState.OPEN
    assert item in gate.missing[0]


@pytest.mark.req("W1A-003")
def test_the_shipping_gate_reviews_the_six_items_of_the_specification() -> None:
    assert len(SHIP.reviewed) == 6
    assert len(REMOVE.reviewed) == 5


@pytest.mark.req("W1A-004", "W1A-005")
@pytest.mark.parametrize("item", REMOVE.reviewed)
def test_the_removal_gate_needs_each_item(item: str) -> None:
    seen = tuple(name for name in REMOVE.reviewed if name != item)
    answers = (approval(API, 1, gate="remove-deprecated", reviewed=seen),)
    assert judge_gate(REMOVE, (API,), answers).state is GateState.OPEN
    assert judge_gate(REMOVE, (API,), ()).state is GateState.OPEN
    whole = (approval(API, 1, gate="remove-deprecated", reviewed=REMOVE.reviewed),)
    assert judge_gate(REMOVE, (API,), whole).state is GateState.APPROVED


def test_a_rejection_closes_the_gate_and_a_later_answer_reopens_it() -> None:
    rejected = (*COMPLETE, approval(CLIENT, 4, decision="rejected"))
    assert judge_gate(SHIP, (API, CLIENT, MANAGER), rejected).state is GateState.REJECTED
    again = (*rejected, approval(CLIENT, 5), approval(MANAGER, 6))
    assert judge_gate(SHIP, (API, CLIENT, MANAGER), again).state is GateState.APPROVED


@pytest.mark.parametrize(
    "changes", [{"gate": "remove-deprecated"}, {"role": "Somebody"}, {"client": "C2"}, {"stands_for": "api-owner"}]
)
def test_an_answer_for_another_seat_does_not_count(changes: dict[str, object]) -> None:
    assert judge_gate(SHIP, (CLIENT,), (approval(CLIENT, 1, **changes),)).state is GateState.OPEN


STRAYS = {
    "a seat's role in another capacity": {"stands_for": "release-manager"},
    "another role in a seat's capacity": {"role": "Head of engineering"},
    "an owner for another client": {"stands_for": "client-owner", "role": "Mobile lead", "client": "C2"},
}


@pytest.mark.parametrize("changes", STRAYS.values(), ids=list(STRAYS))
def test_a_no_that_no_seat_takes_is_settled_by_people(changes: dict[str, object]) -> None:
    seats, no = (API, CLIENT, MANAGER), approval(API, 0, decision="rejected", **changes)
    gate = judge_gate(SHIP, seats, (no, *COMPLETE))
    assert gate.state is GateState.OPEN and any(no.role in told for told in gate.missing)
    again = approval(API, 4, **changes)
    assert judge_gate(SHIP, seats, (no, *COMPLETE, again)).state is GateState.APPROVED
    assert judge_gate(SHIP, seats, (*COMPLETE, no), as_of="2026-10-31").state is GateState.OPEN


def test_a_no_of_somebody_who_has_no_part_in_the_gate_keeps_nothing() -> None:
    no = approval(API, 0, decision="rejected", role="Auditor", stands_for="security-owner")
    assert judge_gate(SHIP, (API, CLIENT, MANAGER), (no, *COMPLETE)).state is GateState.APPROVED


PARTY = frozenset({"Sandbox owner", "Reviewer"})


@pytest.mark.parametrize("role", sorted(PARTY))
@pytest.mark.parametrize("capacity", ["sandbox-owner", "security-owner", "release-manager"])
def test_a_no_of_a_role_that_the_review_names_stands_in_any_capacity(role: str, capacity: str) -> None:
    no = approval(API, 0, decision="rejected", role=role, stands_for=capacity)
    seats = (API, CLIENT, MANAGER)
    assert judge_gate(SHIP, seats, (no, *COMPLETE), party=PARTY).state is GateState.OPEN
    again = approval(API, 4, role=role, stands_for=capacity)
    assert judge_gate(SHIP, seats, (no, *COMPLETE, again), party=PARTY).state is GateState.APPROVED
    yes = approval(API, 0, role=role, stands_for=capacity)
    assert judge_gate(SHIP, seats, (yes, *COMPLETE), party=PARTY).state is GateState.APPROVED
