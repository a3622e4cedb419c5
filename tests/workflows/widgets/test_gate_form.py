"""Gates answered by hand: validated, appended, shown; a refused answer says why and appends nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from evreview.core.errors import bad_input
from evreview.evidence.records.review import Approval
from evreview.workflows.engine.gates import Gate, GateSpec, GateState, Seat
from evreview.workflows.widgets.gate_form import Answer, GateForm

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
OWNER = Seat(stands_for="api-owner", role="Orders API owner")
CLIENT = Seat(stands_for="client-owner", role="Storefront team", client="storefront")
SPEC = GateSpec(
    id="ship-breaking-change", title="Before shipping", reviewed=("rollout", "rollback"), stages=(("api-owner",),)
)


def form_of(kept: list[Approval], state: GateState = GateState.OPEN, append: Any = None) -> GateForm:
    gate = Gate(spec=SPEC, state=state, seats=(OWNER, CLIENT), missing=("nobody has answered",))
    return GateForm(gates=[gate], append=append or kept.append, clock=lambda: AT, headless=False)


@pytest.mark.parametrize("seat", [OWNER, CLIENT], ids=str)
@pytest.mark.parametrize("decision", ["approved", "rejected"])
def test_a_complete_answer_is_appended_and_shown(seat: Seat, decision: str) -> None:
    kept: list[Approval] = []
    fields = form_of(kept).panel.fields["ship-breaking-change"]
    fields.seat.value = (OWNER, CLIENT).index(seat)
    fields.decision.value = decision
    ticked = SPEC.reviewed if decision == "approved" else ("rollback",)
    for item, box in zip(SPEC.reviewed, fields.reviewed, strict=True):
        box.value = item in ticked
    fields.note.value = " seen <b> "
    fields.record.click()
    (entry,) = kept
    assert (entry.role, entry.stands_for, entry.client) == (seat.role, seat.stands_for, seat.client or None)
    assert (entry.gate, entry.decision, entry.at, entry.note) == (SPEC.id, decision, AT, "seen <b>")
    assert tuple(entry.reviewed) == ticked
    assert fields.record.disabled
    assert "decisions.yaml" in fields.told.value and "seen &lt;b&gt;" in fields.told.value


def test_nothing_is_preset_and_an_empty_form_records_nothing() -> None:
    kept: list[Approval] = []
    fields = form_of(kept).panel.fields["ship-breaking-change"]
    assert fields.seat.value is None and not fields.decision.value and not any(box.value for box in fields.reviewed)
    fields.record.click()
    assert kept == [] and "Nothing was recorded" in fields.told.value


def test_an_answer_that_the_bundle_refuses_is_told_and_may_be_tried_again() -> None:
    def refuse(entry: Approval) -> None:
        raise bad_input("not-appendable", "the file <b> allows no appending")

    fields = form_of([], append=refuse).panel.fields["ship-breaking-change"]
    fields.seat.value, fields.decision.value = 0, "rejected"
    fields.record.click()
    assert "Nothing was recorded" in fields.told.value and "&lt;b&gt;" in fields.told.value
    assert not fields.record.disabled


@pytest.mark.parametrize("ticked", [(), ("rollout",), ("rollback",)])
def test_an_approval_of_what_was_not_reviewed_is_refused_by_name(ticked: tuple[str, ...]) -> None:
    kept: list[Approval] = []
    given = Answer(gate=SPEC.id, seat=OWNER, decision="approved", reviewed=ticked)
    appended, lines = form_of(kept).answer(given)
    assert (appended, kept) == (False, [])
    assert [item for item in SPEC.reviewed if any(item in line for line in lines)] == [
        item for item in SPEC.reviewed if item not in ticked
    ]


def test_who_has_answered_comes_last_and_says_so() -> None:
    gate = Gate(spec=SPEC, state=GateState.OPEN, seats=(OWNER, CLIENT), waiting=(CLIENT,))
    form = GateForm(gates=[gate], append=[].append, clock=lambda: AT, headless=False)
    (first, at), (last, _) = form.panel.fields[SPEC.id].seat.options
    assert (at, "has answered" in first, "has answered" in last) == (1, False, True)


@pytest.mark.parametrize("decision", ["", "maybe"])
def test_an_answer_outside_the_vocabulary_is_refused(decision: str) -> None:
    kept: list[Approval] = []
    appended, lines = form_of(kept).answer(Answer(gate=SPEC.id, seat=OWNER, decision=decision, reviewed=()))
    assert (appended, kept) == (False, []) and lines


@pytest.mark.parametrize("state", [GateState.APPROVED, GateState.REJECTED, GateState.NOT_NEEDED])
def test_only_an_open_gate_has_a_form(state: GateState) -> None:
    form = form_of([], state)
    assert form.panel.fields == {} and str(state) in form.to_markdown() and str(state) in form.to_html()
