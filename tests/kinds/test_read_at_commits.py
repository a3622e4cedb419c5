"""Contracts at commits: `REF:path` beside paths, what is followed, where things stand, and which problems are told."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from evreview.kinds.load import file_of, git_place
from tests.app.command_line.running import SECRET
from tests.app.command_line.test_next_commands import commands
from tests.app.command_line.test_printed_commands import words_of
from tests.repositories import CANDIDATE, CONTRACT, RELEASED, SCHEMAS, git, parcels, repository

PROJECT = Path(__file__).resolve().parents[2]
SIDES = ("v1.0:api/openapi.yaml", "v1.1:api/openapi.yaml")
SHARED = CONTRACT.replace("schemas.yaml#", "../common/schemas.yaml#")
ASK_GIT = """
import sys
from evreview.__main__ import main
try:
    main()
except SystemExit:
    print("evreview.evidence.repository" in sys.modules)
"""
PROTO = (
    'syntax = "proto3";\npackage depot.v1;\nimport "common/money.proto";\nmessage Fee { common.Money amount = 1; }\n'
)
MONEY = 'syntax = "proto3";\npackage common;\nmessage Money { int64 cents = 1; }\n'


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def ledger(*words: object) -> dict[str, Any]:
    done = run("diff", *words, "--format", "json")
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def ids(found: dict[str, Any]) -> list[str]:
    return [row["id"] for row in found["rows"]]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = parcels(tmp_path / "r")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def plain(clone: Path) -> list[str]:
    """Ids of the rows of the same two contracts in folders."""
    for name, state in (("old", RELEASED), ("new", CANDIDATE)):
        for file in ("api/openapi.yaml", "api/schemas.yaml"):
            (clone / name / file).parent.mkdir(parents=True, exist_ok=True)
            (clone / name / file).write_text(state[file])
    return ids(ledger("old/api/openapi.yaml", "new/api/openapi.yaml"))


def test_two_commits_give_the_rows_of_two_folders(plain: list[str]) -> None:
    found = ledger(*SIDES)
    assert ids(found) == plain != []
    assert [found[side]["path"] for side in ("released", "candidate")] == list(SIDES)
    assert {row["locations"]["candidate"].partition("#")[0] for row in found["rows"]} == {"v1.1:api/schemas.yaml"}


@pytest.mark.parametrize(
    "sides",
    [
        ("v1.0:api/openapi.yaml", "api/openapi.yaml"),
        ("v1.0:./openapi.yaml", "HEAD:api/openapi.yaml"),
        ("v1.0:/api/openapi.yaml", "new/api/openapi.yaml"),
    ],
)
def test_a_commit_beside_a_path(
    sides: tuple[str, str], clone: Path, plain: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if sides[0].startswith("v1.0:./"):
        monkeypatch.chdir(clone / "api")
    found = ledger(*sides)
    assert ids(found) == plain
    assert {row["locations"]["released"].partition("#")[0] for row in found["rows"]} <= {
        "v1.0:api/schemas.yaml",
        "v1.0:/api/schemas.yaml",
    }


def test_each_printed_command_and_the_command_of_each_witness_runs(clone: Path) -> None:
    told = [shlex.split(row["proof"]["command"]) for row in ledger(*SIDES)["rows"] if row["proof"].get("command")]
    assert len(told) == 2 and all(words[2:4] == list(SIDES) for words in told)
    printed = [words_of(line) for line in commands(run("diff", *SIDES).stdout)]
    assert printed
    for words in [*printed, *(words[1:] for words in told)]:
        done = run(*words)
        assert done.exit_code == 0, (words, done.output)
    assert "v1.0:api/schemas.yaml" in run(*told[0][1:]).stdout


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_builds_are_told_the_file_of_the_work_tree(form: str, clone: Path) -> None:
    text = run("diff", *SIDES, "--format", form).stdout
    shown = '"uri": "api/schemas.yaml"' if form == "sarif" else "file=api/schemas.yaml,line="
    assert shown in text and 'uri": "v1' not in text and "file=v1" not in text


def test_a_reference_out_of_the_folder_is_followed_and_places_say_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"api/openapi.yaml": SHARED, "common/schemas.yaml": SCHEMAS}
    monkeypatch.chdir(repository(tmp_path / "r", (old, {"common/schemas.yaml": CANDIDATE["api/schemas.yaml"]})))
    found = ledger(*SIDES)
    assert len(found["rows"]) == 2
    assert {row["locations"]["released"].partition("#")[0] for row in found["rows"]} == {"v1.0:/common/schemas.yaml"}
    words = shlex.split(found["rows"][0]["proof"]["command"])
    assert words[2] == "v1.0:/api/openapi.yaml" and run(*words[1:]).exit_code == 0
    assert "file=common/schemas.yaml,line=" in run("diff", *SIDES, "--format", "github").stdout


def test_a_folder_and_imports_are_read_at_the_same_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = {"proto/depot/v1/fee.proto": PROTO, "deps/common/money.proto": MONEY}
    new: dict[str, str | None] = {"deps/common/money.proto": MONEY.replace("int64 cents", "string cents")}
    root = repository(tmp_path / "r", (old, new))
    monkeypatch.chdir(root)
    (root / "deps/common/money.proto").write_text("not read")
    found = ledger("v1.0:proto", "v1.1:proto", "--include", "deps", "--kind", "protobuf")
    assert len(found["rows"]) == 1 and found["released"]["path"] == "v1.0:proto/"
    assert run("diff", "v1.0:proto", "v1.1:proto", "--include", "dips").exit_code == 2


def test_a_secret_of_a_commit_is_learnt_from_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def state(value: str) -> dict[str, str]:
        return {"api.yaml": CONTRACT.replace("schemas.yaml#/Parcel", "#/components/schemas/Parcel") + (
            "components:\n  schemas:\n    Parcel:\n      type: object\n      properties:\n"
            f"        token: {{type: string, enum: [{value}]}}\n"
        )}  # fmt: skip

    monkeypatch.chdir(repository(tmp_path / "r", (state(SECRET), state("other"))))
    done = run("diff", "v1.0:api.yaml", "v1.1:api.yaml", "--format", "json")
    assert done.exit_code == 0 and SECRET not in done.output and "[redacted" in done.stdout


def test_what_is_there_stays_a_path(clone: Path) -> None:
    names = ("v1.0:api", "C:/contracts/a.yaml", "C:\\a.yaml", "./v1.0:a.yaml", "/tmp/v1:a", "plain.yaml")
    assert [git_place(Path(name)) for name in names] == [("v1.0", "api"), None, None, ("v1.0", "a.yaml"), None, None]
    for name in ("api", "here"):
        Path(f"v1.0:{name}").write_text(RELEASED["api/openapi.yaml"].replace("schemas.yaml", "api/schemas.yaml"))
    assert git_place(Path("v1.0:api")) is None
    found = ledger("v1.0:api", "v1.0:here")
    assert (found["released"]["path"], found["rows"]) == ("./v1.0:api", [])
    assert [file_of(name) for name in ("./v1.0:api", "v1.0:api/x", "v1.0:/x")] == ["./v1.0:api", "api/x", "x"]


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("none:api/openapi.yaml", "ref-unknown"),
        ("--all:api/openapi.yaml", "ref-unknown"),
        ("v1.0:api/none.yaml", "file-missing"),
        ("v1.0:../r/api/openapi.yaml", "file-missing"),
        ("v1.0:link", "file-missing"),
        ("v1.0:api", "contract-kind-unknown"),
        ("v1.0:", "contract-kind-unknown"),
    ],
)
def test_problems_name_what_was_asked_for(place: str, code: str, clone: Path) -> None:
    done = run("diff", "--", place, SIDES[1])
    assert done.exit_code == 2 and f"[{code}]" in done.stderr
    assert done.stderr.startswith(place), done.stderr


def test_problems_of_both_sides_are_told_at_once(clone: Path) -> None:
    told = run("diff", "none:a.yaml", "v1.0:b.yaml").stderr
    assert [line.rpartition(" ")[2] for line in told.splitlines()] == ["[ref-unknown]", "[file-missing]"]


def test_outside_of_a_clone_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "[no-repository]" in run("diff", *SIDES).stderr


def test_conflict_markers_are_a_problem_at_their_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conflict = CONTRACT.replace("paths:\n", "<<<<<<< ours\npaths:\n=======\npath:\n>>>>>>> theirs\n")
    monkeypatch.chdir(repository(tmp_path / "r", ({"api.yaml": CONTRACT}, {"api.yaml": conflict})))
    done = run("diff", "v1.0:api.yaml", "v1.1:api.yaml")
    assert done.exit_code == 2 and "v1.1:api.yaml line 3" in done.stderr and "[conflict-markers]" in done.stderr


def test_a_comparison_of_files_loads_nothing_that_asks_git(clone: Path) -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", ASK_GIT, "diff", place, "api/openapi.yaml"], capture_output=True, text=True
        )
        for place in ("api/openapi.yaml", SIDES[0])
    ]
    assert [done.stdout.splitlines()[-1] for done in told] == ["False", "True"]


def test_the_clone_is_the_one_that_the_user_stands_in(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(clone, "checkout", "-q", "v1.0")
    (clone / "api" / "schemas.yaml").unlink()
    monkeypatch.chdir(clone / "parcels")
    assert len(ledger(*SIDES)["rows"]) == 2
