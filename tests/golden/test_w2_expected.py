"""Golden folders of W2: what a few runs write. `--update-golden` rewrites them; a person reads the difference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evreview.widgets.outputs import outputs
from evreview.workflow.review import Review
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


def written(name: str) -> Mapping[str, str]:
    """The kept outputs of a case, by file name without folders."""
    files = outputs(run_of(name), [], 1)
    return {Path(file).name: files[file] for file in KEPT if file in files}


@pytest.mark.req("C-001", "C-002", "W2S-025")
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
