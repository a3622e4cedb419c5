"""Steps of a plan keep to adoption, windows and gates; words show nothing."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from pydantic import ValidationError

from evreview.evidence.records.review import Plan
from evreview.workflows.w1.policy.planned_steps import FaultCode, StepFacts, plan_faults, step_text

FACTS = StepFacts(
    owners={"till": "Till owner", "kiosk": "Kiosk owner"},
    adopted=frozenset(),
    manager="Traffic lead",
    api_owner="API lead",
    window_days=90,
    notice_days=30,
    as_of="2027-03-01",
)
SHIP, REMOVE = {"gate": "ship-breaking-change"}, {"gate": "remove-deprecated"}
OPEN = {"id": "open", "who": "Traffic lead", "what": "open", "path": "/v9", "waits_for": [SHIP]}
MOVES = tuple(
    {"id": name, "who": f"{name.title()} owner", "what": "adopt", "path": "/v9", "client": name,
     "waits_for": [{"step": "open"}]}
    for name in ("till", "kiosk")
)  # fmt: skip
WATCHED = [{"step": "till", "observed": True}, {"step": "kiosk", "observed": True}]
RETIRE = {"id": "end", "who": "Traffic lead", "what": "retire", "path": "/v8",
          "waits_for": [{"step": "open", "days": 90}, *WATCHED, REMOVE]}  # fmt: skip
NOTIFY = {"id": "tell", "who": "API lead", "what": "notify"}
ROUTE = {"id": "send", "who": "Traffic lead", "what": "route", "path": "/v9", "client": "till",
         "waits_for": [SHIP, {"step": "open"}, {"adoption": "till"}]}  # fmt: skip
BACK = {"id": "back", "who": "Traffic lead", "what": "roll back", "path": "/v8"}
WHOLE = (OPEN, *MOVES, RETIRE)


def step_plan(*steps: dict[str, Any] | str) -> Plan:
    return Plan.model_validate({"path": "explicit version", "traffic_steps": steps})


def but(step: dict[str, Any], **given: Any) -> dict[str, Any]:
    return deepcopy(step) | given


def without(step: dict[str, Any], *gone: dict[str, Any]) -> dict[str, Any]:
    return but(step, waits_for=[wait for wait in step["waits_for"] if wait not in gone])


VALID: dict[str, tuple[dict[str, Any], ...]] = {
    "whole": WHOLE,
    "nothing-is-retired": (OPEN, *MOVES),
    "adopters-in-another-order": (OPEN, MOVES[1], MOVES[0], RETIRE),
    "notice-of-its-days": (
        NOTIFY, *WHOLE[:3], but(RETIRE, waits_for=[*RETIRE["waits_for"], {"step": "tell", "days": 30}]),
    ),
    "routed-after-adoption": (OPEN, ROUTE),
    "routed-after-the-owners-step": (OPEN, *MOVES, but(ROUTE, waits_for=[SHIP, {"step": "till"}])),
    "everybody-routed-after-each": (
        OPEN, *MOVES, but(ROUTE, client=None, waits_for=[{"step": "till"}, {"step": "kiosk"}]),
    ),
    "window-by-dates": (
        but(OPEN, when="2027-03-02"), *MOVES,
        but(RETIRE, when="2027-05-31", waits_for=[{"step": "open"}, *WATCHED, REMOVE]),
    ),
    "window-in-two-waits": (
        OPEN, MOVES[0], but(MOVES[1], waits_for=[{"step": "open", "days": 60}]),
        but(RETIRE, waits_for=[{"step": "kiosk", "days": 30, "observed": True}, WATCHED[0], REMOVE]),
    ),
    "dated-after-an-opening-without-a-day": (OPEN, *MOVES, but(RETIRE, when="2027-05-30")),
    "back-to-what-stands": (OPEN, *MOVES, BACK, RETIRE),
    "retired-by-the-api-owner": (*WHOLE[:3], but(RETIRE, who="API lead")),
}  # fmt: skip

FORBIDDEN: dict[str, tuple[tuple[dict[str, Any], ...], set[FaultCode]]] = {
    "opened-before-the-gate": ((but(OPEN, waits_for=[]), *MOVES, RETIRE), {FaultCode.GATE}),
    "opened-in-the-past": ((but(OPEN, when="2027-02-28"), *MOVES, RETIRE), {FaultCode.TOO_EARLY}),
    "opened-by-a-client": ((but(OPEN, who="Till owner"), *MOVES, RETIRE), {FaultCode.WHO}),
    "adopted-by-another": ((OPEN, but(MOVES[0], who="Kiosk owner"), MOVES[1], RETIRE), {FaultCode.WHO}),
    "adopted-before-it-opens": ((OPEN, but(MOVES[0], waits_for=[]), MOVES[1], RETIRE), {FaultCode.ORDER}),
    "adopted-by-nobody-known": ((OPEN, *MOVES, but(MOVES[0], id="more", client="fax")), {FaultCode.INCOMPLETE}),
    "routed-without-adoption": ((OPEN, without(ROUTE, {"adoption": "till"})), {FaultCode.ADOPTION}),
    "routed-after-anothers-adoption": (
        (OPEN, but(ROUTE, waits_for=[SHIP, {"step": "open"}, {"adoption": "kiosk"}])), {FaultCode.ADOPTION},
    ),
    "everybody-routed-after-one": ((OPEN, but(ROUTE, client=None)), {FaultCode.ADOPTION}),
    "retired-at-the-opening": (
        (*WHOLE[:3], but(RETIRE, waits_for=[{"step": "open"}, *WATCHED, REMOVE])), {FaultCode.WINDOW},
    ),
    "retired-a-day-early": (
        (*WHOLE[:3], but(RETIRE, waits_for=[{"step": "open", "days": 89}, *WATCHED, REMOVE])), {FaultCode.WINDOW},
    ),
    "retired-a-day-early-by-dates": (
        (but(OPEN, when="2027-03-02"), *MOVES, but(RETIRE, when="2027-05-30")), {FaultCode.TOO_EARLY},
    ),
    "dated-too-close-to-an-opening-without-a-day": (
        (OPEN, *MOVES, but(RETIRE, when="2027-05-29")), {FaultCode.TOO_EARLY},
    ),
    "retired-before-one-adopts": (
        (*WHOLE[:3], without(RETIRE, WATCHED[1])), {FaultCode.ADOPTION, FaultCode.OBSERVATION},
    ),
    "retired-unwatched": (
        (*WHOLE[:3], but(RETIRE, waits_for=[{"step": "open", "days": 90}, {"step": "till"}, WATCHED[1], REMOVE])),
        {FaultCode.OBSERVATION},
    ),
    "retired-without-its-gate": ((*WHOLE[:3], without(RETIRE, REMOVE)), {FaultCode.GATE}),
    "retired-by-a-client": ((*WHOLE[:3], but(RETIRE, who="Kiosk owner")), {FaultCode.WHO}),
    "retired-is-the-new-path": ((*WHOLE[:3], but(RETIRE, path="/v9")), {FaultCode.ORDER}),
    "notice-too-short": (
        (NOTIFY, *WHOLE[:3], but(RETIRE, waits_for=[*RETIRE["waits_for"], {"step": "tell", "days": 29}])),
        {FaultCode.WINDOW},
    ),
    "back-to-what-has-ended": ((*WHOLE, BACK), {FaultCode.ORDER}),
    "waits-for-a-later-step": ((*MOVES[:1], OPEN), {FaultCode.UNKNOWN_STEP, FaultCode.ORDER}),
    "one-id-twice": ((OPEN, MOVES[0], but(MOVES[1], id="till")), {FaultCode.UNKNOWN_STEP}),
    "no-path": ((but(OPEN, path=None),), {FaultCode.INCOMPLETE}),
}  # fmt: skip
"""Steps that break a rule, and every kind of fault that they have."""


@pytest.mark.req("W1D-006", "W1R-008", "W1G-006")
@pytest.mark.parametrize("name", VALID)
def test_steps_that_keep_to_everything_have_no_fault(name: str) -> None:
    assert plan_faults(step_plan(*VALID[name]), FACTS) == ()


@pytest.mark.req("W1D-006", "W1R-008", "W1G-006")
@pytest.mark.parametrize("name", FORBIDDEN)
def test_steps_that_go_too_early_are_named(name: str) -> None:
    steps, codes = FORBIDDEN[name]
    assert {fault.code for fault in plan_faults(step_plan(*steps), FACTS)} == codes


@pytest.mark.parametrize("steps", [(), ("open /v9 after the gate",), (*WHOLE, "/v8 is kept for 90 days")])
def test_words_alone_are_not_shown(steps: tuple[Any, ...]) -> None:
    assert [fault.code for fault in plan_faults(step_plan(*steps), FACTS)] == [FaultCode.NOT_SHOWN]


def test_a_shown_adoption_needs_no_waiting() -> None:
    moved = StepFacts(
        owners=FACTS.owners, adopted=frozenset(FACTS.owners), manager="Traffic lead", api_owner="API lead"
    )
    bare = but(RETIRE, waits_for=[REMOVE])
    assert plan_faults(step_plan(OPEN, without(ROUTE, {"adoption": "till"}), bare), moved) == plan_faults(
        step_plan(OPEN, ROUTE, bare), moved
    )
    assert plan_faults(step_plan(OPEN, bare), moved) == ()


@pytest.mark.parametrize(
    "wait", [{}, {"days": 3}, {"observed": True, **SHIP}, {"step": "open", **SHIP}, {"step": "open", "days": -1}]
)
def test_an_entry_names_one_thing_to_wait_for(wait: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        step_plan(but(OPEN, waits_for=[wait]))


def test_a_step_is_told_in_one_line() -> None:
    step = step_plan(but(RETIRE, when="2027-06-01")).traffic_steps[0]
    assert not isinstance(step, str)
    assert step_text(step) == (
        "end: retire /v8 (Traffic lead, on 2027-06-01; after open and 90 days, till and its observation window, "
        "kiosk and its observation window, gate remove-deprecated)"
    )
