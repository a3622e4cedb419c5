"""What the tests of the command line share: a runner in an empty folder, and two small contracts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app, join_parameters
from tests.app.command_line.running import Cli


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `evreview` with some words, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    return lambda *words: runner.invoke(app, join_parameters([str(word) for word in words]))


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two small contracts; the candidate makes a response field nullable."""

    def document(nullable: bool, title: str = "Things") -> str:
        field = {"type": "string"} | ({"nullable": True} if nullable else {})
        body = {"type": "object", "required": ["name"], "properties": {"name": field}}
        answer = {"description": "ok", "content": {"application/json": {"schema": body}}}
        paths = {"/things": {"get": {"responses": {"200": answer}}}}
        return json.dumps({"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "paths": paths})

    released, candidate = tmp_path / "released.json", tmp_path / "candidate.json"
    released.write_text(document(nullable=False))
    candidate.write_text(document(nullable=True))
    return released, candidate
