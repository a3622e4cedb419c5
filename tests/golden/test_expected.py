"""Golden folders: what a few runs write, whole. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evreview.widgets.outputs import outputs
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


def written(name: str) -> Mapping[str, str]:
    """The kept outputs of a variant, by file name without folders."""
    files = outputs(finished(name), [], 1)
    return {Path(file).name: files[file] for file in KEPT if file in files}


@pytest.mark.req("C-001", "C-002")
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
