"""The client-impact register, unlisted consumers, owners and migrations."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, ClientId, DeltaId, EvidenceId
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import AdoptionRecord, UsageMetrics
from evreview.evidence.records.review import Plan
from evreview.workflows.w1.clients.impact import assess
from evreview.workflows.w1.clients.migration import (
    adopted_clients,
    adoption_facts,
    migrated,
    migration_states,
    migration_steps,
)
from evreview.workflows.w1.clients.register import client_register, parser_contract, register_frame
from evreview.workflows.w1.usage_evidence import ownership_gaps, unknown_consumers
from tests.rows import OK, bundle, check, cited, inventory, item, retained, rollout, row

ROWS = [row(facts={"required": True}), row(f"{OK} > status", id=DeltaId("D-2"), aspect=Aspect.ENUMS)]
FULL = {
    "accepted_content_types": ["application/json"],
    "accepts_null": ["status"],
    "versions": ["5.1.0"],
    "version_selector": "route prefix /v1",
    "unknown_fields": "ignored",
    "unknown_enum_values": "rejected",
    "migration_status": "identified, waiting",
}


def register(*clients: dict[str, Any], tests: Any = ()) -> Any:
    known = [inventory(*clients)]
    return client_register(known, assess(ROWS, known, list(tests)))


@pytest.mark.req("W1C-001", "W1C-002", "W1C-003", "W1C-004", "W1C-005", "W1C-012")
def test_every_cell_is_filled() -> None:
    frame = register_frame(register({}, FULL | {"id": "b"}), unknown_consumers(ROWS, [], []))
    assert list(frame["client"]) == ["shop", "b", "unlisted consumers"]
    known = frame.iloc[:2]
    assert known.map(lambda cell: bool(str(cell).strip())).all(axis=None)
    assert "identified, waiting" in frame.loc[1, "owner_and_status"]
    assert "Shop owner" in frame.loc[0, "owner_and_status"]


@pytest.mark.req("W1C-006", "W1C-007", "W1C-008", "W1C-009")
def test_parser_contract() -> None:
    at = Citation(EvidenceId("E6"), "#/clients/0")
    full = parser_contract(inventory(FULL).record.clients[0], at)
    assert full.content_types == "application/json"
    assert full.fields == "GET /v1/orders/{id}: id, status, deliveryEstimate"
    assert "status" in full.nullability and "5.1.0" in full.versions and "/v1" in full.versions
    bare = parser_contract(inventory({"uses": None}).record.clients[0], at)
    assert (bare.content_types, bare.fields, bare.nullability) == ("unknown", "unknown", "unknown")
    for part in (full.content_types, full.fields, full.nullability, full.versions):
        assert part in full.text


@pytest.mark.req("W1C-011", "W1I-013")
def test_declared_and_executed_are_labelled_apart() -> None:
    (declared,) = register({"accepts_null": "none"})
    assert "Declared incompatibility: D-000000000001" in declared.impact
    assert "Executed parser result: none retained" in declared.impact
    (executed,) = register({"accepts_null": "none"}, tests=[retained(check())])
    assert "Executed parser result: failed on D-000000000001" in executed.impact
    assert "Declared incompatibility: D-000000000001" in executed.impact
    assert Citation(EvidenceId("E7"), "#/checks/0") in executed.citations
    assert declared.breaking and executed.breaking


def usage(consumers: str = "all", **controls: Any) -> Any:
    base = {"environment": "production", "aggregation": "a", "retention": "r", "privacy_controls": "p"} | controls
    count = {"since": "2026-01-01", "until": "2026-02-01", "uses": 0, "consumers": consumers}
    elements = ["GET /v1/orders/{id} deliveryEstimate", "GET /v1/orders/{id} status"]
    return cited(UsageMetrics.model_validate({**base, "counts": [count | {"element": one} for one in elements]}), "E10")


@pytest.mark.req("W1C-010", "W1Y-006", "W1L-024")
@pytest.mark.parametrize(
    ("metrics", "complete", "open_"),
    [
        pytest.param([], False, True, id="nothing"),
        pytest.param([], True, True, id="a-complete-inventory-is-a-statement"),
        pytest.param([usage()], False, False, id="zero-use-by-all"),
        pytest.param([usage("known")], True, True, id="known-consumers-only"),
        pytest.param([usage(privacy_controls=None)], False, True, id="no-privacy-controls"),
    ],
)
def test_unlisted_consumers(metrics: Any, complete: bool, open_: bool) -> None:
    found = unknown_consumers(ROWS, [inventory({}, complete=complete)], metrics)
    assert (found.open, found.open_for(DeltaId("D-2"))) == (open_, open_)
    assert "unknown" in found.statement
    assert "unknown" in register_frame([], found).loc[0, "impact"]


@pytest.mark.req("W1Y-006")
def test_old_usage_closes_nothing() -> None:
    known = [inventory({})]
    assert not unknown_consumers(ROWS, known, [usage()], "2026-02-02", 30).open
    assert unknown_consumers(ROWS, known, [usage()], "2026-02-03", 30).open
    assert unknown_consumers(ROWS, known, [usage()], "2026-02-02", 33).open


def test_usage_closes_row_by_row() -> None:
    metrics = usage()
    other = row(f"{OK} > id", id=DeltaId("D-3"))
    found = unknown_consumers([*ROWS, other], [], [metrics])
    assert found.open and found.open_deltas == ("D-3",) and found.citations


@pytest.mark.req("W1D-004")
def test_ownership_gaps() -> None:
    assert ownership_gaps([inventory({})]) == ()
    gaps = ownership_gaps([inventory({"owner_role": None}, {"id": "b", "uses": None})])
    assert [(gap.client, gap.missing) for gap in gaps] == [("shop", "owner"), ("b", "usage")]
    assert [gap.missing for gap in ownership_gaps([])] == ["inventory"]


@pytest.mark.req("W1S-015", "W1E-011")
def test_a_client_that_something_else_names_is_known_and_unlisted() -> None:
    named = {ClientId("shop"): ("the check c", None), ClientId("till"): ("the plan of this review", None)}
    gaps = ownership_gaps([inventory({})], named)
    assert [(gap.client, gap.missing) for gap in gaps] == [("till", "entry")]
    assert str(gaps[0].citation).endswith("#/clients")


def test_an_empty_inventory_is_one_only_when_it_calls_itself_complete() -> None:
    assert [gap.missing for gap in ownership_gaps([inventory()])] == ["inventory"]
    assert ownership_gaps([inventory(complete=True)]) == ()


@pytest.mark.req("W1R-008", "W1D-006")
@pytest.mark.parametrize(
    ("client", "count", "path"),
    [
        pytest.param({"version_selector": "/v1"}, 0, "/v1", id="not-adopted"),
        pytest.param({"version_selector": "/v1", "adopted_path": "/v2"}, 0, "/v1", id="stated-only"),
        pytest.param({"adopted_path": "/v2", "adoption_evidence": "E13"}, 1, "/v2", id="shown"),
        pytest.param({"adoption_evidence": "E13"}, 0, "unknown", id="evidence-of-no-path"),
        pytest.param({"migration_status": "migrated"}, 0, "unknown", id="a-status-is-no-adoption"),
    ],
)
def test_migration(client: dict[str, Any], count: int, path: str) -> None:
    states = migration_states([inventory(client)])
    assert (migrated(states), states[0].path) == (count, path)


def adoption(path: str = "/v2") -> Any:
    said = {"client": "shop", "path": path, "state": "adopted", "role": "Shop owner", "at": "2026-11-01T09:00:00Z"}
    record = AdoptionRecord.model_validate({"adoptions": [said]})
    shown = item("E13", "execution and approval record", record=record)
    return bundle(shown, item("E11", "policy", "shop"), item("E9", "rollout record", record=rollout().record))


@pytest.mark.req("W1D-006", "W1R-008")
@pytest.mark.parametrize(
    ("client", "given", "why"),
    [
        pytest.param({}, adoption(), "", id="shown"),
        pytest.param({"adopted_path": "/v2/orders"}, adoption("/v2/orders"), "", id="below-the-route"),
        pytest.param({"adopted_path": "route prefix /v2"}, adoption(), "", id="in-words"),
        pytest.param({"adopted_path": "/v9"}, adoption("/v9"), "/v9", id="no-such-route"),
        pytest.param({"adoption_evidence": "E99"}, adoption(), "E99", id="no-such-item"),
        pytest.param({"adoption_evidence": "E11"}, adoption(), "neither", id="another-kind"),
    ],
)
def test_an_adoption_must_be_shown(client: dict[str, Any], given: Any, why: str) -> None:
    own = {"adopted_path": "/v2", "adoption_evidence": "E13", "owner_role": "Shop owner"}
    known = [inventory(own | client)]
    states = migration_states(known, adoption_facts(given))
    assert states[0].adopted is not bool(why) and why in states[0].why
    (written,) = (row.owner_and_status for row in client_register(known, [], states))
    assert written.endswith(states[0].why)
    shown = adopted_clients(states)
    assert [one.adopted for one in assess(ROWS[:1], known, [], adopted=shown)] == [not why]


@pytest.mark.req("W1C-012")
def test_status_is_copied() -> None:
    assert migration_states([inventory(FULL)])[0].status == "identified, waiting"
    assert migration_states([inventory({})])[0].status == "not recorded"


def test_steps_for_affected_and_planned_clients() -> None:
    known = [inventory({"accepts_null": "none"}, {"id": "b", "accepts_null": "all"}, {"id": "c", "uses": []})]
    plan = Plan.model_validate({"path": "explicit version", "migrations": [{"client": "c", "instruction": "move"}]})
    steps = migration_steps(assess(ROWS[:1], known, []), migration_states(known), plan)
    assert [(step.client, step.instruction) for step in steps] == [("shop", ""), ("c", "move")]
