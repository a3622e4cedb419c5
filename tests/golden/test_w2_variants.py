"""Every variant of the bundled reference ends where its line in `w2_variants` says: every code, input, gate and end."""

from __future__ import annotations

import pytest

from evreview.core.quoted_text import plain
from evreview.report.validate import validate_artifact
from tests.golden.editing import Append, Set, Variant
from tests.golden.runs import section, tables
from tests.golden.w2_runs import finished, published, varied, with_dispositions
from tests.golden.w2_variants import OWNER, RUN, VARIANTS

REQUIREMENTS = {
    "missing-contract": ("W2I-001",),
    "missing-revision": ("W2I-002", "W2P-002"),
    "missing-operations": ("W2I-003", "W2I-016", "W2U-002"),
    "missing-approval": ("W2I-004", "W2U-003"),
    "missing-handler": ("W2I-005",),
    "missing-validator": ("W2I-006",),
    "missing-resolving-path": ("W2I-007",),
    "missing-command": ("W2I-008",),
    "missing-isolation": ("W2I-009",),
    "missing-environment": ("W2I-009",),
    "missing-isolated-environment": ("W2I-009",),
    "missing-exit-status": ("W2I-010",),
    "missing-assertions": ("W2I-011",),
    "missing-tie-to-the-contract": ("W2I-012",),
    "f1-output-of-another-run": ("W2I-012",),
    "missing-api-version": ("W2I-013", "W2U-002", "W2P-002"),
    "missing-base-url": ("W2I-014", "W2P-002"),
    "missing-audience": ("W2I-015", "W2P-002"),
    "missing-exclusions": ("W2I-017", "W2P-002"),
    "f1-version-differs-from-the-contract": ("W2I-018",),
    "f1-base-url-differs-from-the-contract": ("W2I-018",),
    "f1-test-inventory-at-another-revision": ("W2E-001", "W2P-001"),
    "f1-handler-at-another-revision": ("W2E-001", "W2G-006", "W2U-004", "W2P-001", "VR-007"),
    "f1-validator-at-another-revision": ("W2E-001", "W2P-001"),
    "f1-tests-at-another-revision": ("W2E-001", "W2P-001"),
    "f1-tests-against-another-contract": ("W2E-001",),
    "f1-scope-at-another-revision": ("W2S-003",),
    "f1-operation-does-not-resolve": ("W2S-002", "W2S-003"),
    "contract-rejected": ("W2U-003",),
    "operation-not-approved": ("W2G-007",),
    "contract-is-changing": ("W2U-006",),
    "mutation-without-isolation": ("W2P-004", "W2G-008"),
    "mutation-without-cleanup": ("W2P-005",),
    "no-handler-for-an-operation": ("W2S-005", "W2S-006"),
    "f5-path-parameter-undefined": ("W2S-012", "W2E-018"),
    "synthetic-data-impossible": ("W2S-014", "W2S-015"),
    "f2-execution-claimed-without-evidence": ("W2S-018",),
    "f2-output-contradicts-the-exit-status": ("W2S-018",),
    "internal-error-field": ("W2S-021", "W2G-003"),
    "expansion-pending": ("W2S-024", "W2D-005", "W2A-001"),
    "expansion-denied": ("W2S-024", "W2A-001"),
    "expansion-approved": ("W2S-023", "W2A-001", "W2A-002"),
    "traffic-pending": ("W2A-003", "W2S-024"),
    "traffic-approved-unseen": ("W2A-004",),
    "traffic-approved": ("W2A-003",),
    "mutation-pending": ("W2A-005",),
    "mutation-approved-unseen": ("W2A-006",),
    "mutation-approved": ("W2A-005",),
}
NAMED = {
    "missing-contract": "public contract",
    "missing-revision": "the contract's revision",
    "missing-operations": "included operations",
    "missing-approval": "API owner's approval",
    "missing-handler": "handler paths",
    "missing-validator": "validator paths",
    "missing-command": "exact command",
    "missing-environment": "the environment",
    "missing-isolation": "isolated",
    "missing-exit-status": "exit status",
    "missing-assertions": "relevant assertions",
    "missing-tie-to-the-contract": "tied to",
    "missing-api-version": "API version",
    "missing-base-url": "base URL shape",
    "missing-audience": "audience",
    "missing-exclusions": "exclusions",
}
"""What the reason has to name: naming the missing input is the requirement."""
CASES = [
    pytest.param(each, id=each.name, marks=pytest.mark.req(*REQUIREMENTS[each.name]))
    if each.name in REQUIREMENTS
    else pytest.param(each, id=each.name)
    for each in VARIANTS
]


@pytest.mark.parametrize("variant", CASES)
def test_variant_ends_as_stated(variant: Variant) -> None:
    done = finished(variant.name)
    last = done.steps[-1]
    why = "\n".join(map(str, last.reasons))
    assert (last.number, str(last.state), last.code) == (variant.step, variant.state, variant.code), why
    assert done.exit_status == variant.exit_status
    assert [step.number for step in done.steps] == list(range(1, variant.step + 1))
    assert last.reasons
    if variant.name in NAMED:
        assert [reason for reason in last.reasons if NAMED[variant.name] in str(reason)]
        assert len(last.reasons) <= 2
    if variant.gates is not None:
        frame = done.registers["gates"]
        found = dict(zip(frame["gate"], frame["state"], strict=True))
        assert {gate: found[gate] for gate in variant.gates} == variant.gates
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.parametrize("variant", [each for each in VARIANTS if each.step < 4], ids=lambda each: each.name)
def test_a_stopped_run_publishes_no_operation(variant: Variant) -> None:
    text = published(finished(variant.name))
    assert "```" not in text and "order_not_found" not in text and "idempotency_key_reused" not in text


def test_variants_have_unique_names() -> None:
    names = [variant.name for variant in VARIANTS]
    assert len(names) == len(set(names))


def test_variants_reach_every_stop() -> None:
    assert {(each.step, each.code) for each in VARIANTS if each.state == "stop"} >= {
        (1, ""), (1, "W2-F1"), (2, ""), (4, "W2-F5"), (5, ""), (6, "W2-F2"), (7, ""), (8, ""),
    }  # fmt: skip


@pytest.mark.req("ST-003", "W2E-002", "W2E-003", "W2E-004", "W2E-005")
def test_mixed_revisions_say_how_to_recover_and_where_to_restart() -> None:
    done = finished("f1-handler-at-another-revision")
    (asked,) = [plain(each.what) for each in done.decision.next_actions if "W2-F1" in each.about]
    assert asked.startswith("W2-F1: ") and len(asked.split("; ")) == 4
    assert done.steps[-1].restart == 1
    assert "evidence-matrix" not in done.registers
    assert "W2-F1" in section(done.artifact, "Follow-up")
    (row,) = [one for one in done.steps[-1].reasons if "E5#/sources/0" in str(one)]
    assert "E9" in str(row)


@pytest.mark.parametrize(
    ("name", "place", "named"),
    [
        ("f1-base-url-differs-from-the-contract", "E9", "api.other.example.com"),
        ("f1-test-inventory-at-another-revision", "E6", "0f0f"),
        ("f1-operation-included-and-excluded", "E9#/exclusions", "DELETE /v1/orders"),
    ],
)
def test_a_mixture_names_its_item(name: str, place: str, named: str) -> None:
    (row,) = finished(name).steps[-1].reasons
    assert place in str(row) and named in str(row)


@pytest.mark.req("W2E-019", "W2E-020", "W2E-021", "W2E-022")
def test_a_contract_gap_is_recorded_and_asked_about() -> None:
    done = finished("f5-path-parameter-undefined")
    (asked,) = [plain(each.what) for each in done.decision.next_actions if "W2-F5" in each.about]
    assert asked.startswith("W2-F5: ") and len(asked.split("; ")) == 4
    assert done.steps[-1].restart == 4
    (gaps,) = [rows for rows in tables(section(done.artifact, "Traceability")) if "Gap" in rows[0]]
    assert any("path-parameter-undefined" in row["Gap"] for row in gaps)


def test_an_exit_status_that_the_output_does_not_explain_is_noticed() -> None:
    done = varied((Set(RUN, "/exit_status", 3),))
    assert "exit status 3" in section(done.artifact, "Example execution report")
    assert "exit status 3" in section(done.artifact, "Assumptions and limitations")
    assert "E8#/exit_status" in str(next(step for step in done.steps if step.number == 6).reasons[0])


def test_an_example_that_is_left_out_is_nowhere_proposed() -> None:
    done = finished("demo")
    frame = done.registers["examples"]
    held = frame[frame["omitted"].str.startswith("withheld")]
    assert set(held["operation"]) >= {"POST /v1/orders"} and set(held["label"]) == {""}
    shown = section(done.artifact, "Example execution report") + section(done.artifact, "Follow-up")
    assert [each for each in held["example"] if each in shown or each in published(done)] == []


def test_what_the_owner_withholds_waits_for_nobody() -> None:
    text = published(with_dispositions("withhold"))
    assert "withheld by the owner's disposition" in text
    assert "until" not in "\n".join(line for line in text.splitlines() if "withheld" in line)
    assert "withheld until a discrepancy is disposed of" in published(finished("demo"))


def test_a_published_claim_that_is_disputed_names_its_discrepancy() -> None:
    done = with_dispositions("contract")
    text = published(done)
    assert [name for name in done.registers["discrepancies"]["id"] if name not in text] == []
    assert "X-" in section(done.artifact, "Error response") and "X-" in section(done.artifact, "Request example")


def test_a_disposition_that_does_not_count_is_not_printed_as_one() -> None:
    name = str(finished("demo").registers["discrepancies"]["id"].iloc[0])
    entry = {"kind": "disposition", "role": OWNER, "at": "2026-11-18T10:00:00+00:00", "reviewed": ["the register"]}
    done = varied((Append("decisions.yaml", "/decisions", entry | {"decision": "so be it", "subject": name}),))
    assert "so be it" not in section(done.artifact, "Approval state")
    (said,) = [line for line in section(done.artifact, "Assumptions and limitations").splitlines()
               if "does not count" in line]  # fmt: skip
    assert name in said and "\\`" not in said
