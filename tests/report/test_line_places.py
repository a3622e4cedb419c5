"""Places of texts in the formats: lines of the file as the user named it, in a folder that was named too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app

OLD = "type Query {\n  a: Thing\n}\n"
THING = "type Thing {\n  x: Int\n  y: Int\n}\n"


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two folders with a schema in two files each, and the folder that they stand in as the current one."""
    for side, thing in (("old", THING), ("new", THING.replace("  y: Int\n", ""))):
        (tmp_path / side / "more").mkdir(parents=True)
        (tmp_path / side / "schema.graphql").write_text(OLD)
        (tmp_path / side / "more" / "thing.graphql").write_text(thing)
    monkeypatch.chdir(tmp_path)
    return "old", "new"


def written(sides: tuple[str, str], form: str) -> str:
    done = CliRunner().invoke(app, ["diff", *sides, "--format", form])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_json_names_files_below_the_named_folder(sides: tuple[str, str]) -> None:
    (row,) = json.loads(written(sides, "json"))["rows"]
    assert row["locations"] == {"released": "old/more/thing.graphql#L3", "candidate": "new/more/thing.graphql#L1"}


def test_sarif_has_regions(sides: tuple[str, str]) -> None:
    (result,) = json.loads(written(sides, "sarif"))["runs"][0]["results"]
    places = [result["locations"][0], *result["relatedLocations"]]
    found = [
        (place["physicalLocation"]["artifactLocation"]["uri"], place["physicalLocation"]["region"]["startLine"])
        for place in places
    ]
    assert sorted(found) == [("new/more/thing.graphql", 1), ("old/more/thing.graphql", 3)]
    assert {place["message"]["text"] for place in places} == {"released: line 3", "candidate: line 1"}


def test_github_annotates_the_line(sides: tuple[str, str]) -> None:
    assert written(sides, "github").startswith("::error file=new/more/thing.graphql,line=1,")


def test_the_command_of_a_witness_runs(sides: tuple[str, str]) -> None:
    (row,) = json.loads(written(sides, "json"))["rows"]
    words = row["proof"]["command"].split()[1:]
    assert CliRunner().invoke(app, words).exit_code == 0


def test_a_problem_names_the_file_in_the_folder(sides: tuple[str, str]) -> None:
    Path("new/more/thing.graphql").write_text("type Thing {\n  x: }\n")
    done = CliRunner().invoke(app, ["diff", *sides])
    assert done.exit_code == 2 and "new/more/thing.graphql line 2" in done.stderr
