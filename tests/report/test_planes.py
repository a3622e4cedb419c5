"""Verdicts by plane in every format: shown where a kind has planes, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.comparison.rules.example import pair
from evreview.kinds.rule_catalogue import CATALOGUE

PLANED = next(rule for rule in CATALOGUE if rule.planes and len({verdict for _, verdict in rule.planes}) > 1)
PLAIN = next(rule for rule in CATALOGUE if not rule.planes)


def printed(rule: object, folder: Path, form: str) -> str:
    paths = []
    for side, (name, data) in zip(("old", "new"), pair(rule.example), strict=True):  # type: ignore[attr-defined]
        (folder / side).mkdir(exist_ok=True)
        (folder / side / name).write_bytes(data)
        paths.append(str(folder / side / name))
    done = CliRunner().invoke(app, ["diff", *paths, "--format", form])
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("form", ["table", "markdown", "github", "sarif", "json", "csv"])
def test_planes_are_shown_where_verdicts_have_them(form: str, tmp_path: Path) -> None:
    text = printed(PLANED, tmp_path, form)
    (row,) = [row for row in json.loads(printed(PLANED, tmp_path, "json"))["rows"] if row["rule"] == PLANED.id]
    for plane, verdict in row["planes"].items():
        written = f'"{plane}": "{verdict}"' if form in ("sarif", "json") else f"{plane}: {verdict}"
        assert written in text


@pytest.mark.parametrize("form", ["table", "markdown", "sarif"])
def test_nothing_is_said_elsewhere(form: str, tmp_path: Path) -> None:
    assert "plane" not in printed(PLAIN, tmp_path, form)
