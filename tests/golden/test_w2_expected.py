"""Golden folders of W2: what a few runs write. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.workflows.session import Review
from tests.golden.kept import expected, written
from tests.golden.w2_runs import finished, with_dispositions

HERE = Path(__file__).resolve().parent / "expected_w2"
CASES = ("demo", "every-discrepancy-disposed-of", "f1-handler-at-another-revision", "missing-command")
KEPT = (
    "api-reference.md",
    "registers/discrepancies.csv",
    "registers/gates.csv",
    "registers/steps.csv",
    "review.json",
)


def run_of(name: str) -> Review:
    """The finished review of a case."""
    return with_dispositions("contract") if name == "every-discrepancy-disposed-of" else finished(name)


@pytest.mark.req("C-001", "C-002", "W2S-025")
@pytest.mark.parametrize("name", CASES)
def test_outputs_are_the_expected_ones(name: str, request: pytest.FixtureRequest) -> None:
    found = written(run_of(name), KEPT)
    assert found == expected(HERE / name, found, rewrite=request.config.getoption("--update-golden"))


def test_every_expected_folder_is_a_case() -> None:
    assert {folder.name for folder in HERE.iterdir()} == set(CASES)
