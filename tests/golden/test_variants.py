"""Every variant of the bundled review ends where its line in `variants` says: every failure code, gate and end."""

from __future__ import annotations

import pytest

from evreview.report.validate import validate_artifact
from evreview.workflows.w1.facts import ship_digest
from tests.golden.editing import Set, Variant
from tests.golden.runs import finished, section, varied
from tests.golden.unpermitted import UNPERMITTED
from tests.golden.variants import VARIANTS


@pytest.mark.parametrize("variant", (*VARIANTS, *UNPERMITTED), ids=lambda variant: variant.name)
def test_variant_ends_as_stated(variant: Variant) -> None:
    done = finished(variant.name)
    last = done.steps[-1]
    codes = [step.code for step in done.steps if step.code]
    why = "\n".join(str(reason) for reason in last.reasons)
    assert (last.number, str(last.state), codes) == (
        variant.step,
        variant.state,
        [variant.code][: bool(variant.code)],
    ), why
    assert done.exit_status == variant.exit_status
    if variant.gates is not None:
        frame = done.registers["gates"]
        found = dict(zip(frame["gate"], frame["state"], strict=True))
        assert {gate: found[gate] for gate in variant.gates} == variant.gates, why
    assert [step.number for step in done.steps] == list(range(1, variant.step + 1))
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


def test_variants_have_unique_names() -> None:
    names = [variant.name for variant in (*VARIANTS, *UNPERMITTED)]
    assert len(names) == len(set(names))


def test_variants_reach_every_code_and_state() -> None:
    assert {variant.code for variant in VARIANTS} == {"", "W1-F1", "W1-F2", "W1-F3", "W1-F4"}
    assert {(variant.step, variant.state) for variant in VARIANTS} >= {
        *((step, "remain") for step in (1, 2, 3, 4, 6, 8, 9)),
        *((step, "stop") for step in (1, 3, 7)),
        (9, "advance"),
    }


@pytest.mark.req("C-007", "W1A-003", "W1D-003", "W1I-004", "W1S-015", "W1U-007")
@pytest.mark.parametrize("variant", UNPERMITTED, ids=lambda variant: variant.name)
def test_no_answer_makes_up_for_what_was_never_supplied(variant: Variant) -> None:
    done = finished(variant.name)
    assert str(done.decision.state) == "blocked"
    assert "permitted on the path" not in done.artifact


@pytest.mark.req("W1A-001", "W1D-002")
def test_an_answer_that_names_the_comparison_counts_for_it_alone() -> None:
    approved = finished("everything-approved")
    digest = ship_digest(approved.bundle)
    assert digest in section(approved.artifact, "Decision record")
    assert {str(gate.state) for gate in approved.facts.gates} == {"approved"}
    edits = next(variant for variant in VARIANTS if variant.name == "everything-approved").edits
    other = Set("decisions.yaml", "/decisions/1/of", f"sha256:{'1' * 64}")
    changed = varied((*edits, other))
    assert changed.exit_status == 4
    assert "about another content" in "".join(map(str, changed.decision.reasons))
