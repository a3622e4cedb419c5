"""Golden folders: what a few runs write, whole. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.app.workbench import outputs
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


@pytest.mark.req("C-001")
@pytest.mark.parametrize("name", ["demo", "f1-candidate-contract-truncated"])
def test_a_run_writes_one_markdown_file(name: str) -> None:
    assert [file for file in outputs(finished(name), (), 1) if file.endswith(".md")] == ["api-contract-review.md"]


def test_every_expected_folder_is_a_case() -> None:
    assert {folder.name for folder in HERE.iterdir()} == set(CASES)
