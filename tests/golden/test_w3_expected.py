"""Golden folders of W3: what a few runs write. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evreview.widgets.outputs import outputs
from evreview.workflow.review import Review
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


def written(name: str) -> Mapping[str, str]:
    """The kept outputs of a case, by file name without folders."""
    files = outputs(run_of(name), [], 1)
    return {Path(file).name: files[file] for file in KEPT if file in files}


@pytest.mark.req("AR-009", "C-001", "C-002", "W3S-025")
@pytest.mark.parametrize("name", CASES)
def test_outputs_are_the_expected_ones(name: str, request: pytest.FixtureRequest) -> None:
    folder, found = HERE / name, written(name)
    if request.config.getoption("--update-golden"):
        folder.mkdir(parents=True, exist_ok=True)
        for old in set(folder.iterdir()) - {folder / file for file in found}:
            old.unlink()
        for file, text in found.items():
            (folder / file).write_text(text, encoding="utf-8", newline="")
    expected = {file.name: file.read_bytes().decode() for file in folder.iterdir()}
    assert found == expected


def test_every_expected_folder_is_a_case() -> None:
    assert {folder.name for folder in HERE.iterdir()} == set(CASES)
