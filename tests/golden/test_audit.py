"""Ends that a reviewer tried to reach wrongly: each must stay shut, or say what it leaves open."""

from __future__ import annotations

import pytest

from evreview.report.validate import validate_artifact
from evreview.workflows.session import Review
from tests.golden.editing import Delete, Edit, Replace, Set
from tests.golden.runs import actions, finished, section, varied
from tests.golden.variants import VARIANTS


def with_approvals(*edits: Edit) -> Review:
    """The variant in which every approval is recorded, edited further."""
    approved = next(variant for variant in VARIANTS if variant.name == "everything-approved")
    return varied((*approved.edits, *edits))


CHECKS = "checks/contract-checks.yaml"


@pytest.mark.req("W1D-002", "W1L-018", "W1E-005")
@pytest.mark.parametrize("check", ["producer-emits-candidate-responses", "producer-accepts-released-requests"])
def test_a_failed_producer_check_stops_whatever_was_approved(check: str) -> None:
    done = with_approvals(Set(CHECKS, f"/checks/{check}/result", "failed"))
    assert (done.steps[-1].number, done.steps[-1].code, done.exit_status) == (3, "W1-F2", 3)


@pytest.mark.req("W1G-002", "W1L-020")
def test_a_default_that_only_the_implementation_changes_is_no_internal_refactor() -> None:
    mapping = "implementation/mapping.yaml"
    edits: tuple[Edit, ...] = (
        Replace("review.yaml", "candidate: E2", "candidate: E1"),
        Set("review.yaml", "/asks", ["assess"]),
        Set("review.yaml", "/runtime_conclusion", False),
        Delete("review.yaml", "/removals"),
        Delete("review.yaml", "/evidence/E8"),
        Set("decisions.yaml", "/decisions", []),
        *(Set(mapping, f"/mappings/{place}/element", "none") for place in (0, 1, 3, 4, 5, 6)),
        *(Set(mapping, f"/mappings/{place}/why", "not part of this change") for place in (0, 1, 3, 4, 5, 6)),
    )
    done = varied(edits)
    assert done.steps[-1].number > 3
    assert "internal refactor" not in done.artifact
    assert "`default` at `GET /v1/orders > query limit`" in done.artifact


@pytest.mark.req("W1G-007", "W1D-008")
def test_shipping_in_place_never_removes_something_deprecated_in_silence() -> None:
    done = with_approvals(
        Set("review.yaml", "/asks", ["assess", "ship"]),
        Delete("review.yaml", "/removals"),
        Set("review.yaml", "/plan/path", "in-place compatibility"),
        Set("review.yaml", "/plan/mechanisms", []),
    )
    gates = dict(zip(done.registers["gates"]["gate"], done.registers["gates"]["state"], strict=True))
    assert gates["remove-deprecated"] == "open"
    assert done.exit_status == 4


@pytest.mark.req("W1D-003")
@pytest.mark.parametrize("path", ["in-place compatibility", "additive transition"])
def test_a_path_that_does_not_fit_is_not_recommended(path: str) -> None:
    done = with_approvals(Set("review.yaml", "/plan/path", path), Set("review.yaml", "/plan/mechanisms", []))
    assert f"Do not take the planned path: {path}" in section(done.artifact, "Recommendation")
    assert f"**Recommendation:** Path: {path}" not in done.artifact
    assert done.exit_status == 4


def test_the_happy_end_still_says_what_to_do() -> None:
    told = actions(finished("everything-approved"))
    assert "storefront" in told
    assert "proposed checks" in told
    assert "released contract" in told


@pytest.mark.req("W1A-002")
def test_an_approval_of_a_later_day_is_not_counted() -> None:
    count = len(finished("everything-approved").bundle.decisions.decisions)
    done = with_approvals(
        *(Set("decisions.yaml", f"/decisions/{place}/at", "2027-01-01T10:00:00Z") for place in range(count))
    )
    assert done.exit_status == 4


@pytest.mark.req("C-022")
def test_a_parser_that_passes_does_not_verify_that_the_change_breaks() -> None:
    done = varied((Set(CHECKS, "/checks/ledger-export-parses-null-estimate/result", "passed"),))
    register = done.registers["findings"]
    found = register[register["finding"].str.contains("deliveryEstimate")]
    assert set(found["confidence"]) <= {"Medium", "Low"}


@pytest.mark.req("W1I-006")
def test_released_responses_do_not_show_what_the_candidate_does() -> None:
    places = range(5, 1, -1)
    done = varied(tuple(Delete("observations/recorded-responses.yaml", f"/observations/{place}") for place in places))
    assert (done.steps[-1].number, str(done.steps[-1].state)) == (3, "remain")


def test_a_shared_difference_names_every_operation_that_it_reaches() -> None:
    card = finished("demo").artifact.partition("#### d-64716209a0be\n")[2].partition("####")[0]
    first = next(line for line in card.splitlines() if line.startswith("* "))
    assert "`PATCH /v1/orders/{orderId}`" in first


@pytest.mark.req("C-006")
def test_open_gates_cite_no_contract_for_what_people_did_not_answer() -> None:
    record = section(finished("demo").artifact, "Decision record")
    lines = [line for line in record.splitlines() if "has not answered" in line]
    assert lines
    assert not [line for line in lines if "[E" in line]


@pytest.mark.req("W1E-011")
def test_an_owner_that_nobody_knows_is_named_as_such() -> None:
    done = varied((Delete("clients/inventory.yaml", "/clients/ledger-export/owner_role"),))
    assert "unknown owner for client ledger-export" in done.artifact
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.req("W1S-013", "W1S-014", "W1E-011")
def test_a_use_that_names_no_operation_leaves_the_client_unmapped() -> None:
    done = varied((Set("clients/inventory.yaml", "/clients/storefront/uses/0/operation", "POST /v1/order"),))
    assert "W1-F3" in done.decision.codes
    impacts = done.registers["impacts"]
    assert "no" not in set(impacts.loc[impacts["client"] == "storefront", "contract_incompatible"].astype(str))


@pytest.mark.req("W1D-008", "W1Y-007")
def test_old_counts_are_no_zero_use() -> None:
    usage = "usage/legacy-reference.yaml"
    old = tuple(Set(usage, f"/counts/{place}/{day}", "2025-01-01") for place in range(4) for day in ("since", "until"))
    done = with_approvals(*old)
    gates = dict(zip(done.registers["gates"]["gate"], done.registers["gates"]["state"], strict=True))
    assert gates["remove-deprecated"] == "open"


@pytest.mark.req("W1D-006", "W1R-008")
def test_an_unrelated_item_shows_no_adoption() -> None:
    inventory = "clients/inventory.yaml"
    done = varied(
        (
            Set(inventory, "/clients/storefront/adopted_path", "/v9"),
            Set(inventory, "/clients/storefront/adoption_evidence", "E11"),
        )
    )
    assert "0 of 2 known clients have adopted" in done.artifact


@pytest.mark.req("W1M-013")
def test_what_only_the_implementation_changes_is_watched_too() -> None:
    watched = set(finished("demo").registers["monitoring"]["delta_id"])
    assert {found.id for found in finished("demo").findings if found.delta_id is None} <= watched


@pytest.mark.req("W1G-005", "W1D-005", "W1M-011")
@pytest.mark.parametrize(
    "step", ["half of the storefront users get /v2 first", "one in ten requests is sent to /v2", "/v3 is opened"]
)
def test_steps_that_no_mechanism_supports_are_refused(step: str) -> None:
    done = varied((Set("review.yaml", "/plan/traffic_steps", [step]),))
    assert (done.steps[-1].number, done.steps[-1].code) == (7, "W1-F4")


@pytest.mark.req("W1L-020", "W1G-002")
def test_a_silent_default_stays_a_finding_beside_another_difference() -> None:
    done = varied((Replace("contracts/orders-1.5.yaml", "maximum: 200", "maximum: 300"),))
    assert "maximum" in set(done.registers["compatibility-matrix"]["facet"])
    assert [found for found in done.findings if found.delta_id is None]


@pytest.mark.req("W1S-009", "C-047")
def test_a_run_that_stops_early_classifies_nothing() -> None:
    matrix = section(finished("step-3-a-changed-branch-is-unmapped").artifact, "Compatibility matrix")
    rows = [line for line in matrix.splitlines() if line.startswith("| [D-")]
    assert rows
    assert all("step 4 was not reached" in row and "step 5 was not reached" in row for row in rows)
    assert not [row for row in rows if "declared:" in row or "breaking" in row]


def test_a_rejected_change_asks_nobody_to_adopt_it() -> None:
    done = varied(
        (Delete("review.yaml", "/plan"), Delete("review.yaml", "/evidence/E9"), Set("decisions.yaml", "/decisions", []))
    )
    assert "Path: rejection" in done.artifact
    assert "Adoption of client" not in done.artifact
    assert "have adopted" not in done.artifact
