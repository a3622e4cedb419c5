"""W1's nine steps: what each does, when it advances, and what happens otherwise. Spec, W1 steps."""

from __future__ import annotations

import re

import pytest

from evreview.core.vocabulary import Change
from tests.golden.runs import finished, section, tables
from tests.golden.variants import VARIANTS

NAMES = {variant.name: variant for variant in VARIANTS}


def ending(name: str) -> tuple[int, str, str]:
    """The last step of a variant's run, its state and its code."""
    last = finished(name).steps[-1]
    return last.number, str(last.state), last.code


def starting(prefix: str) -> list[str]:
    return [name for name in NAMES if name.startswith(prefix)]


def advanced(number: int) -> bool:
    """True when the demo advanced past a step."""
    return any(step.number == number and str(step.state) == "advance" for step in finished("demo").steps)


@pytest.mark.req("W1S-001")
def test_step_1_names_the_whole_boundary_and_every_operation() -> None:
    done = finished("demo")
    frame = done.registers["scope"]
    values = dict(zip(frame["what"], frame["value"], strict=True))
    expected = {
        "released identifier": "sha256:",
        "candidate identifier": "sha256:",
        "protocol": "HTTP/1.1",
        "API surface": "Orders API",
        "implementation revision": "d8a4b0cf",
        "policy": "version",
        "exclusions": "warehouse",
        "released inventory": "8 operations",
        "candidate inventory": "8 operations",
    }
    assert [what for what, part in expected.items() if part not in values[what]] == []
    scope = section(done.artifact, "Scope")
    told = ("sha256:", "HTTP/1.1", "Orders API", "d8a4b0cf", "policy version", "warehouse", "| 8 operations |")
    assert [words for words in told if words not in scope] == []


@pytest.mark.req("W1S-002", "W1S-003", "W1E-001", "W1D-001", "W1U-004", "W1I-003", "W1P-001")
@pytest.mark.parametrize("name", starting("f1-"))
def test_step_1_stops_with_f1(name: str) -> None:
    done = finished(name)
    assert advanced(1)
    assert ending(name) == (1, "stop", "W1-F1")
    assert not re.search(r"\bD-[0-9a-f]{12}\b", done.artifact)
    assert not re.search(r"\b(shipment|removal)[^.\n]* permitted", done.artifact)
    assert "W1-F2" not in done.artifact


@pytest.mark.req("W1P-002", "W1P-005")
@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("step-1-no-api-owner-named", "API owner"),
        ("step-1-no-release-manager-named", "release manager"),
        ("step-1-protocol-unknown", "protocol"),
    ],
)
def test_step_1_remains_while_a_precondition_is_unmet(name: str, missing: str) -> None:
    assert ending(name) == (1, "remain", "")
    assert missing in finished(name).artifact


@pytest.mark.req("W1S-004", "W1S-005")
def test_step_2_builds_a_ledger_with_unique_ids_and_explained_noise() -> None:
    ledger = finished("demo").ledger
    assert ledger is not None
    ids = [row.delta.id for row in ledger.rows]
    assert len(ids) == len(set(ids)) == 10
    assert all(re.fullmatch(r"D-[0-9a-f]{12}", one) for one in ids)
    removed = {row.delta.address for row in ledger.rows if row.delta.change is Change.REMOVED}
    assert any("legacyReference" in address for address in removed), "released against candidate, not the other way"
    assert ledger.noise
    assert all(noise.reason for noise in ledger.noise)
    assert advanced(2)


@pytest.mark.req("W1S-005", "W1S-006", "W1I-001")
def test_step_2_remains_while_a_part_is_not_understood() -> None:
    assert ending("step-2-a-part-is-not-understood") == (2, "remain", "")
    artifact = finished("step-2-a-part-is-not-understood").artifact
    assert "Gone" in artifact
    assert not re.search(r"W1-F\d", artifact)


@pytest.mark.req("W1S-008", "W1S-009", "W1E-005", "W1D-002", "W1U-005")
@pytest.mark.parametrize("name", starting("f2-"))
def test_step_3_stops_with_f2(name: str) -> None:
    assert advanced(3)
    assert ending(name) == (3, "stop", "W1-F2")
    artifact = finished(name).artifact
    assert not re.search(r"W1-F[134]", artifact)
    assert not re.search(r"\b(shipment|removal)[^.\n]* permitted", artifact)


@pytest.mark.req("W1I-006", "W1I-007", "W1I-005", "W1P-003")
@pytest.mark.parametrize("name", starting("step-3-"))
def test_step_3_remains_while_implementation_evidence_is_incomplete(name: str) -> None:
    assert ending(name) == (3, "remain", "")


@pytest.mark.req("W1U-006")
def test_a_change_without_wire_effect_ends_after_step_3() -> None:
    done = finished("no-observable-contract-effect")
    assert ending("no-observable-contract-effect") == (3, "stop", "")
    assert "no observable contract effect" in done.artifact.lower()
    assert not re.search(r"W1-F\d", done.artifact)


@pytest.mark.req("W1S-010", "W1L-025", "PU-002")
def test_step_4_classifies_every_row_with_contract_and_implementation_citations() -> None:
    matrix = [row for table in tables(section(finished("demo").artifact, "Compatibility matrix")) for row in table]
    assert len(matrix) == 10
    for row in matrix:
        assert re.search(r"(old requests accepted|old form kept): (yes|no|unknown)", row["Producer direction"])
        assert re.search(r"\bE[12]\b", row["Evidence"])
        assert re.search(r"\bE[38]\b", row["Evidence"])


@pytest.mark.req("W1S-011", "W1S-012", "W1I-008")
@pytest.mark.parametrize("name", starting("step-4-"))
def test_step_4_remains_without_compatibility_rules(name: str) -> None:
    assert advanced(4)
    assert ending(name) == (4, "remain", "")


@pytest.mark.req("W1S-013", "W1S-014")
def test_step_5_maps_every_known_client_and_keeps_the_rest_unknown() -> None:
    register, *_ = tables(section(finished("demo").artifact, "Client-impact register"))
    clients = {row["Client"].strip("`"): row for row in register}
    assert set(clients) == {"ledger-export", "storefront", "unlisted consumers"}
    assert "route prefix /v1" in clients["ledger-export"]["Retained parser contract"]
    assert "Finance integrations owner" in clients["ledger-export"]["Owner and migration status"]
    assert "unknown" in clients["unlisted consumers"]["Impact"].lower()
    assert advanced(5)


@pytest.mark.req("W1S-015", "W1E-011", "W1D-004", "W1U-007")
@pytest.mark.parametrize("name", starting("f3-"))
def test_step_5_marks_f3_and_goes_on(name: str) -> None:
    done = finished(name)
    (marked,) = [step for step in done.steps if step.code]
    assert (marked.number, str(marked.state), marked.code) == (5, "advance", "W1-F3")
    assert ending(name)[:2] == (9, "remain")
    assert done.exit_status == 4


@pytest.mark.req("W1S-016")
def test_step_6_names_command_revision_fixture_and_result() -> None:
    executed, *_ = tables(section(finished("demo").artifact, "Executed"))
    assert len(executed) == 4
    for row in executed:
        assert all(row[column] for column in ("Command", "Revision", "Fixture or environment", "Result"))
        assert re.fullmatch(r"executed: (passed|failed)", row["Result"])


@pytest.mark.req("W1S-017", "C-016", "C-021")
def test_step_6_labels_a_check_without_a_fixture_as_unexecuted() -> None:
    artifact = finished("a-check-without-a-fixture-is-only-proposed").artifact
    name = "producer-emits-candidate-responses"
    assert name in section(finished("demo").artifact, "Executed")
    assert name not in section(artifact, "Executed")
    proposed, *_ = tables(section(artifact, "Proposed"))
    (row,) = [row for row in proposed if name in row["Check"]]
    assert "unexecuted" in row["Missing for execution"]
    assert "fixture" in row["Missing for execution"]


@pytest.mark.req("W1S-018")
def test_step_6_remains_while_one_check_has_two_results() -> None:
    assert advanced(6)
    assert ending("step-6-one-check-two-results") == (6, "remain", "")


@pytest.mark.req("W1S-020", "W1S-021", "W1E-016", "W1D-005", "VR-005", "W1G-004", "W1G-005")
@pytest.mark.parametrize("name", starting("f4-"))
def test_step_7_stops_with_f4(name: str) -> None:
    assert advanced(7)
    assert ending(name) == (7, "stop", "W1-F4")
    assert not re.search(r"W1-F[123]", finished(name).artifact)


@pytest.mark.req("VR-004")
def test_step_7_chooses_one_of_the_five_paths() -> None:
    recommendation = section(finished("demo").artifact, "Recommendation")
    paths = ("in-place compatibility", "additive transition", "explicit version", "deprecation window", "rejection")
    assert [path for path in paths if f"Path: {path}." in recommendation] == ["explicit version"]


@pytest.mark.req("W1S-022")
def test_step_8_designs_a_control_for_every_material_change() -> None:
    done = finished("demo")
    controls, *_ = tables(section(done.artifact, "Monitoring and rollback"))
    watched = {name for row in controls for name in row["Change"].split(", ")}
    assert watched == set(done.registers["monitoring"]["delta_id"])
    found = tables(section(done.artifact, "Findings"))[0]
    assert watched >= {
        one.upper()[:2] + one[2:] for row in found for one in re.findall(r"\(#(d-[0-9a-f]{12})\)", row["Finding"])
    }
    columns = ("Signal", "Baseline", "Abort threshold", "Observation window", "Traffic steps", "Rollback boundary")
    assert [row for row in controls if not all(row[column] for column in columns)] == []


@pytest.mark.req("W1S-023", "W1S-024")
@pytest.mark.parametrize("name", starting("step-8-"))
def test_step_8_keeps_traffic_to_an_uncovered_change_blocked(name: str) -> None:
    assert advanced(8)
    assert ending(name) == (8, "remain", "")
    assert "Traffic stays blocked" in finished(name).artifact


@pytest.mark.req("W1S-025")
def test_step_9_packages_every_part() -> None:
    artifact = finished("demo").artifact
    for heading in (
        "Compatibility matrix", "Findings", "Client-impact register", "Verification plan", "Recommendation",
        "Monitoring and rollback", "Limitations", "Traceability",
    ):  # fmt: skip
        assert len(section(artifact, heading).strip()) > 50
    assert "**Assumption:**" in artifact


@pytest.mark.req("W1S-026", "W1S-027", "W1U-007")
@pytest.mark.parametrize("name", [*starting("ship-"), *starting("remove-"), "everything-approved", "demo"])
def test_step_9_advances_with_recorded_approvals_only(name: str) -> None:
    states = set(finished(name).registers["gates"]["state"])
    done = states <= {"approved", "not needed"}
    assert ending(name) == (9, "advance" if done else "remain", "")
    headline = finished(name).decision.headline
    assert ("blocked" in headline) is not done
    # What is answered is told, although the other gate keeps the review.
    assert ("is approved" in headline) is ("approved" in states and not done)
    assert finished(name).exit_status == (0 if done else 4)
