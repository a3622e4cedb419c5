"""Step 8: what opens the gate of expanded behaviour, and that a recorded no is never passed over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evreview.core.vocabulary import ABSENT, Concern, EvidenceId, Form
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.item import Bundle, Citation
from evreview.redaction.redactor import Redactor
from evreview.workflows.engine.gates import GateSpec, GateState
from evreview.workflows.w2 import step8_obtain_approvals
from evreview.workflows.w2.facts import GATES, Discrepancy, DiscrepancyId, Disposal, W2Facts
from evreview.workflows.w2.reconcile.reconcile import discrepancies_frame, expands
from tests.golden.editing import Edit, Variant
from tests.golden.w2_runs import DEMO
from tests.golden.w2_variants import EXPAND_ITEMS, OWNER, approval, build_w2

EXPAND = "publish-expanded-behaviour"
SANDBOX = "Orders sandbox owner"
"""Who the demo names for its sandbox; for the third gate it names nobody, and a no of that seat stands all the same."""


def bundle(place: Path, *edits: Edit) -> Bundle:
    one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
    return open_bundle(build_w2(one, DEMO, place / "bundle"))


def row(kind: str, place: str, observed: Form = ABSENT, disposal: Disposal = Disposal.OPEN) -> Discrepancy:
    return Discrepancy(
        id=DiscrepancyId("X-000000000001"),
        kind=kind,
        operation="GET /v1/orders",
        concern=Concern.ERRORS,
        place=place,
        contract=ABSENT,
        implementation=ABSENT,
        observed=observed,
        impact="",
        owner_role=OWNER,
        citations=(Citation(EvidenceId("E1")),),
        disposal=disposal,
    )


def facts(*rows: Discrepancy) -> W2Facts:
    return W2Facts(
        load=lambda item: (_ for _ in ()).throw(AssertionError(item)), redactor=Redactor(), discrepancies=rows
    )


SEEN: Form = {"status": 429}
BROKEN: Form = {"status": 500}
WIDE = "error-undocumented"


@pytest.mark.req("W2D-005", "W2S-023")
@pytest.mark.parametrize(
    ("found", "state"),
    [
        (row("observed-status-undocumented", "429", SEEN), "open"),
        (row("observed-status-undocumented", "500", BROKEN), "not needed"),
        (row("observed-media-type-undocumented", "503 text/html", BROKEN), "not needed"),
        (row("observed-body-outside", "200 application/json", SEEN), "not needed"),
        (row(WIDE, "429"), "not needed"),
        (row(WIDE, "429", disposal=Disposal.WITHHOLD), "not needed"),
        (row(WIDE, "429", disposal=Disposal.PUBLISH_CONTRACT), "open"),
        (row(WIDE, "503", disposal=Disposal.PUBLISH_CONTRACT), "open"),
        (row(WIDE, "429", SEEN), "open"),
    ],
    ids=lambda value: f"{value.kind}-{value.place}-{value.disposal}" if isinstance(value, Discrepancy) else value,
)
def test_the_gate_opens_for_what_would_expand_the_contract(tmp_path: Path, found: Discrepancy, state: str) -> None:
    outcome = step8_obtain_approvals.run(bundle(tmp_path), facts(found))
    assert outcome.facts.gates[0].state == state
    assert str(outcome.state) == ("stop" if state == "open" else "advance")
    assert any(str(found.id) in str(reason) for reason in outcome.reasons) is (state == "open")


def test_the_register_says_the_same_of_internal_errors() -> None:
    rows = (row("observed-status-undocumented", "429", SEEN), row("observed-status-undocumented", "500", BROKEN))
    assert [expands(each) for each in rows] == [True, False]
    assert list(discrepancies_frame(rows)["expands"]) == [True, False]


@pytest.mark.req("W2S-024")
@pytest.mark.parametrize("spec", GATES, ids=lambda spec: spec.id)
def test_a_recorded_no_stops_even_where_nothing_asks(tmp_path: Path, spec: GateSpec) -> None:
    seat = spec.stages[0][0]
    role = {"api-owner": OWNER, "sandbox-owner": SANDBOX}.get(seat, "Some owner")
    no = approval(spec.id, role, seat, list(spec.reviewed), decision="rejected")
    outcome = step8_obtain_approvals.run(bundle(tmp_path, no), facts())
    assert str(outcome.state) == "stop"
    assert {gate.spec.id for gate in outcome.facts.gates if gate.state is GateState.REJECTED} == {spec.id}


@pytest.mark.req("W2A-001")
def test_the_api_owners_yes_lets_it_go_on(tmp_path: Path) -> None:
    yes = approval(EXPAND, OWNER, "api-owner", EXPAND_ITEMS)
    published = row(WIDE, "429", disposal=Disposal.PUBLISH_CONTRACT)
    assert str(step8_obtain_approvals.run(bundle(tmp_path, yes), facts(published)).state) == "advance"
    unread = replace(yes, value={**yes.value, "reviewed": EXPAND_ITEMS[1:]})
    assert str(step8_obtain_approvals.run(bundle(tmp_path / "unread", unread), facts(published)).state) == "stop"
