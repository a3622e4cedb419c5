"""`evreview contracts`: what a commit holds, of which kind and why; neither the work tree nor other folders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from tests.app.commands.test_branch import STATES
from tests.repositories import repository


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "r", STATES)


def listed(done: Result) -> list[tuple[str, str]]:
    assert done.exit_code == 0, done.output
    lines = [re.split(r"\s{2,}", line, maxsplit=2) for line in done.stdout.splitlines()[1:]]
    assert all(len(each) == 3 for each in lines)
    return [(path, kind) for path, kind, _ in lines]


def test_each_contract_is_listed_with_its_kind_and_what_it_was_told_by(root: Path) -> None:
    (root / "new.graphql").write_text("type Query { unread: Int }\n")
    done = run("contracts", root)
    assert listed(done) == [
        ("api/openapi.yaml", "openapi"),
        ("depots/openapi.yaml", "openapi"),
        ("events/new.json", "jsonschema"),
        ("proto/", "protobuf"),
        ("schema.graphql", "graphql"),
        ("values.yaml", "openapi"),
    ]
    assert "proto/depot/v1/fee.proto" in done.stdout


def test_another_commit_and_a_folder(root: Path) -> None:
    assert listed(run("contracts", root / "events", "--at", "v1.0")) == [
        ("events/gone.json", "jsonschema"),
        ("events/old.json", "jsonschema"),
    ]
    assert listed(run("contracts", root / "common")) == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("r", "--at", "none"), "ref-unknown"),
        ((".",), "no-repository"),
        (("r/later",), "file-missing"),
        (("none",), ""),
    ],
)
def test_bad_questions_are_told(
    words: tuple[str, ...], code: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "later").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run("contracts", *words)
    assert done.exit_code == 2 and code in done.stderr
