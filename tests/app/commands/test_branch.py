"""`diff --against`: which contracts a branch changed, what is told of each, and the worst status of all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from tests.app.command_line.test_next_commands import commands
from tests.app.command_line.test_printed_commands import words_of
from tests.repositories import CANDIDATE, CONTRACT, RELEASED, SCHEMAS, git, repository

OTHER = CONTRACT.replace("schemas.yaml#", "../common/schemas.yaml#").replace("Parcels", "Depots")
EVENT = '{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "title": "%s"}\n'
PROTO = 'syntax = "proto3";\npackage depot.v1;\nmessage Fee { int64 cents = 1; }\n'
SCALAR = "type Query { depot: String }\n"
STATES: tuple[dict[str, str | None], ...] = (
    {
        **RELEASED,
        "depots/openapi.yaml": OTHER,
        "common/schemas.yaml": SCHEMAS,
        "proto/depot/v1/fee.proto": PROTO,
        "schema.graphql": SCALAR,
        "events/old.json": EVENT % "moved",
        "events/gone.json": EVENT % "gone",
        "values.yaml": "openapi: [no contract\n",
        "notes.yaml": "a: b\n",
    },
    {
        "common/schemas.yaml": CANDIDATE["api/schemas.yaml"],
        "proto/depot/v1/fee.proto": PROTO.replace("int64", "string"),
        "events/old.json": None,
        "events/new.json": EVENT % "moved",
        "events/gone.json": None,
        "notes.yaml": "a: c\n",
    },
)


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A branch with two more commits than its base, and a base that went on."""
    root = repository(tmp_path / "r", STATES)
    git(root, "checkout", "-q", "-b", "trunk", "v1.0")
    (root / "schema.graphql").write_text("type Query { other: Int }\n")
    git(root, "commit", "-qam", "trunk goes on")
    git(root, "checkout", "-q", "main")
    monkeypatch.chdir(root)
    return root


def branch(*words: object) -> dict[str, Any]:
    return dict(json.loads(run("diff", "--against", "trunk", "--format", "json", *words).stdout))


def states(found: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {each["path"]: (each["kind"], each["state"]) for each in found["contracts"]}


def test_each_contract_that_the_branch_changed_is_told_and_no_other(clone: Path) -> None:
    found = branch()
    assert states(found) == {
        "depots/openapi.yaml": ("openapi", "changed"),
        "events/gone.json": ("jsonschema", "deleted"),
        "events/new.json": ("jsonschema", "new"),
        "events/old.json": ("jsonschema", "deleted"),
        "proto/": ("protobuf", "changed"),
    }
    assert found["schema"] == "evreview.branch/1"
    assert [found["base"], found["head"]] == [git(clone, "rev-parse", ref) for ref in ("v1.0", "HEAD")]
    rows = {each["path"]: len(each["ledger"]["rows"]) for each in found["contracts"] if each["ledger"]}
    assert rows == {"depots/openapi.yaml": 2, "proto/": 1}
    # Of the base's own change nothing, and what changed nowhere is counted.
    assert found["unchanged"] == 3


def test_a_renamed_contract_is_known_by_its_content(clone: Path) -> None:
    notes = {each["path"]: each["note"] for each in branch()["contracts"]}
    assert "events/old.json" in notes["events/new.json"] and "events/new.json" in notes["events/old.json"]
    assert "events/new.json" not in notes["events/gone.json"]


@pytest.mark.parametrize(
    ("paths", "status"),
    [(("events/old.json", "events/new.json"), 0), (("events",), 5), (("depots",), 5), (("api",), 0)],
)
def test_paths_limit_what_counts_and_the_worst_contract_gives_the_status(
    paths: tuple[str, ...], status: int, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("diff", "--against", "trunk", "--fail-on", "breaking", *paths)
    assert done.exit_code == status, done.output
    monkeypatch.chdir(clone / "events")
    assert (
        run("diff", "--against", "trunk", "--fail-on", "breaking", *(f"../{each}" for each in paths)).exit_code
        == status
    )


def test_the_work_tree_is_not_read_and_each_printed_command_runs(clone: Path) -> None:
    (clone / "depots" / "openapi.yaml").write_text("not: read\n")
    told = run("diff", "--against", "trunk", "depots").stdout
    assert "not the work tree" in told.splitlines()[0]
    printed = commands(told)
    assert printed
    for command in printed:
        done = run(*words_of(command))
        assert done.exit_code == 0, (command, done.output)


def test_accepted_differences_count_once_over_all_contracts(clone: Path) -> None:
    rows = [
        (row["id"], each["path"]) for each in branch()["contracts"] for row in (each["ledger"] or {"rows": []})["rows"]
    ]
    entry = "  - {{id: {}, reason: known, owner: API owner, expires: 2099-01-31}}\n"
    names = [name for name, path in rows if path == "depots/openapi.yaml"]
    Path("known.yaml").write_text("accept:\n" + "".join(entry.format(name) for name in [*names, "D-0123456789ab"]))
    done = run("diff", "--against", "trunk", "--fail-on", "breaking", "--accept", "known.yaml", "depots", "api")
    assert (done.exit_code, done.stderr.count("accepted-nothing")) == (0, 1)
    assert "D-0123456789ab" in done.stderr


def test_what_cannot_be_read_is_told_beside_the_ledgers_and_is_the_worst(clone: Path) -> None:
    (clone / "values.yaml").write_text("openapi: [still none\n")
    git(clone, "commit", "-qam", "broken")
    done = run("diff", "--against", "trunk", "--fail-on", "breaking")
    assert done.exit_code == 2 and "values.yaml" in done.stderr and "depots/openapi.yaml" in done.stdout


@pytest.mark.parametrize("form", ["sarif", "github", "markdown", "table"])
def test_other_formats_hold_every_ledger(form: str, clone: Path) -> None:
    done = run("diff", "--against", "trunk", "--format", form)
    assert done.exit_code == 0
    assert done.stdout.count("common/schemas.yaml") > 0 or form in ("markdown", "table")
    if form == "sarif":
        log = json.loads(done.stdout)
        assert [each["automationDetails"]["id"] for each in log["runs"]] == [
            "evreview/depots/openapi.yaml/",
            "evreview/proto//",
        ]
    assert run("diff", "--against", "trunk", "--format", "csv").exit_code == 2


def test_another_clone_and_an_output_are_named_from_where_the_user_stands(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("diff", "--against", "trunk", "--repo", "r", "--format", "json", "-o", "told.json").exit_code == 0
    assert states(json.loads((tmp_path / "told.json").read_text())) == states(branch("--repo", clone))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--against", "nothing"), "ref-unknown"),
        (("--against", "alone"), "no-merge-base"),
        (("--against", "trunk", "none"), "file-missing"),
        (("--against", "trunk", "--repo", "none"), "folder-missing"),
        (("--against", "trunk", "--repo", ".."), "no-repository"),
    ],
)
def test_bad_questions_are_told(words: tuple[str, ...], code: str, clone: Path) -> None:
    git(clone, "checkout", "-q", "--orphan", "alone")
    git(clone, "commit", "-qm", "alone")
    git(clone, "checkout", "-q", "main")
    done = run("diff", *words)
    assert done.exit_code == 2 and f"[{code}]" in done.stderr, done.output


@pytest.mark.parametrize("words", [("a.yaml",), (), ("a", "b", "--repo", "."), ("--against", "trunk", "--all")])
def test_options_that_do_not_go_together_are_refused(words: tuple[str, ...], clone: Path) -> None:
    assert run("diff", *words).exit_code == 2


def test_a_shallow_clone_says_so(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{clone}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    assert "shallow" in run("diff", "--against", "origin/trunk").stderr
