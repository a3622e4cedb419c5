"""Golden folders: what a few runs write, whole. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.kept import expected, written
from tests.golden.runs import finished

HERE = Path(__file__).resolve().parent / "expected"
CASES = (
    "demo",
    "everything-approved",
    "f1-candidate-contract-truncated",
    "f2-observation-contradicts-candidate",
    "f3-owner-unknown",
    "f4-cohort-does-not-exist",
    "no-observable-contract-effect",
    "step-4-no-policy",
    "step-8-no-baseline",
)
KEPT = ("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json")


@pytest.mark.req("C-001", "C-002")
@pytest.mark.parametrize("name", CASES)
def test_outputs_are_the_expected_ones(name: str, request: pytest.FixtureRequest) -> None:
    found = written(finished(name), KEPT)
    assert found == expected(HERE / name, found, rewrite=request.config.getoption("--update-golden"))


def test_every_expected_folder_is_a_case() -> None:
    assert {folder.name for folder in HERE.iterdir()} == set(CASES)
