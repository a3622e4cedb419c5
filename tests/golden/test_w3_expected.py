"""Golden folders of W3: what a few runs write. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.workflows.session import Review
from tests.golden.kept import expected, written
from tests.golden.w3_runs import finished, with_acceptance

HERE = Path(__file__).resolve().parent / "expected_w3"
CASES = ("demo", "f1-no-authorization", "f2-negative-tests-unstated", "accepted")
KEPT = (
    "security-review.md",
    "registers/findings.csv",
    "registers/gates.csv",
    "registers/steps.csv",
    "review.json",
)


def run_of(name: str) -> Review:
    """The finished review of a case."""
    return with_acceptance() if name == "accepted" else finished(name)


@pytest.mark.req("AR-009", "C-001", "C-002", "W3S-025")
@pytest.mark.parametrize("name", CASES)
def test_outputs_are_the_expected_ones(name: str, request: pytest.FixtureRequest) -> None:
    found = written(run_of(name), KEPT)
    assert found == expected(HERE / name, found, rewrite=request.config.getoption("--update-golden"))


def test_every_expected_folder_is_a_case() -> None:
    assert {folder.name for folder in HERE.iterdir()} == set(CASES)
