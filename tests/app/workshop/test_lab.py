"""`evreview lab --workshop`: the notebook runs from top to bottom, is opened again with what was solved."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.app.workshop import Workshop
from evreview.app.workshop.workshop import EXERCISES, notebook_of
from evreview.core.assets import demo_bundle


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs `evreview lab` with some words in an empty folder, and opens no JupyterLab."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("evreview.app.commands.run.open_lab", lambda copy: None)
    return lambda *words: CliRunner().invoke(app, ["lab", *words])


def outputs(path: Path) -> dict[str, Any]:
    """The outputs of each code cell, by the cell's id."""
    return {
        cell["id"]: cell["outputs"] for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"
    }


@pytest.mark.parametrize("name", sorted(EXERCISES))
def test_the_notebook_runs_without_answers_and_keeps_what_is_solved(
    lab: Callable[..., Result], tmp_path: Path, name: str
) -> None:
    done = lab("--workshop", name)
    assert done.exit_code == 0, done.output
    folder = tmp_path / "evreview-lab" / f"workshop-{name}"
    shown = outputs(folder / "workshop.ipynb")
    assert all(each for each in shown.values()), "every cell shows something"
    assert not [each for every in shown.values() for each in every if each["output_type"] != "execute_result"]
    assert "no section" not in json.dumps(shown), "each exercise shows a part of the review that is there"
    assert "Solved: 0 of 6" in json.dumps(shown["setup"]) and "decision" in json.dumps(shown["first-screen"]).lower()
    workshop = Workshop(name, folder, headless=True)
    workshop.check(1, workshop.exercises[0].key(workshop).solution)
    kept = (folder / "workshop.ipynb").read_bytes()
    assert lab("--workshop", name).exit_code == 0
    assert (folder / "workshop.ipynb").read_bytes() == kept, "the participant's notebook stays as it is"
    assert Workshop(name, folder).solved == {1}
    assert not [path for path in demo_bundle(name).rglob("*") if path.suffix in (".json", ".ipynb")]


@pytest.mark.parametrize("name", sorted(EXERCISES))
def test_an_exercise_has_three_cells(name: str) -> None:
    cells = [str(cell["id"]) for cell in notebook_of(name)["cells"]]
    for number in range(1, 7):
        at = cells.index(f"exercise-{number}")
        assert cells[at : at + 3] == [f"exercise-{number}", f"answer-{number}", f"check-{number}"]


def test_a_workshop_that_can_not_be_opened_says_why_in_one_line(
    lab: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evreview-lab" / "workshop-w1"
    unknown = lab("--workshop", "w9")
    beside = lab(str(demo_bundle("w1")), "--workshop", "w1")
    folder.mkdir(parents=True)
    (folder / "mine.txt").write_text("mine")
    taken = lab("--workshop", "w1")
    folder.with_name("workshop-w2").write_text("a file")
    file = lab("--workshop", "w2")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    lacking = lab("--workshop", "w3")
    said = ("no-workshop", "workshop-bundle", "folder-exists", "folder-exists", "[lab]")
    for done, word in zip((unknown, beside, taken, file, lacking), said, strict=True):
        assert done.exit_code == 2 and word in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert not (tmp_path / "evreview-lab" / "workshop-w9").exists()
