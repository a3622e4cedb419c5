"""Every variant of the bundled review ends where its line in `variants` says: every failure code, gate and end."""

from __future__ import annotations

import pytest

from evreview.artifacts.validate import validate_artifact
from tests.golden.editing import Variant
from tests.golden.runs import finished
from tests.golden.variants import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
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
    names = [variant.name for variant in VARIANTS]
    assert len(names) == len(set(names))


def test_variants_reach_every_code_and_state() -> None:
    assert {variant.code for variant in VARIANTS} == {"", "W1-F1", "W1-F2", "W1-F3", "W1-F4"}
    assert {(variant.step, variant.state) for variant in VARIANTS} >= {
        *((step, "remain") for step in (1, 2, 3, 4, 6, 8, 9)),
        *((step, "stop") for step in (1, 3, 7)),
        (9, "advance"),
    }
