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
        "events/new.json": ("jsonschema", "changed"),
        "proto/": ("protobuf", "changed"),
    }
    assert found["schema"] == "evreview.branch/1"
    assert [found["base"], found["head"]] == [git(clone, "rev-parse", ref) for ref in ("v1.0", "HEAD")]
    rows = {each["path"]: len(each["ledger"]["rows"]) for each in found["contracts"] if each["ledger"]}
    assert rows == {"depots/openapi.yaml": 2, "events/new.json": 0, "proto/": 1}
    # Of the base's own change nothing, and what changed nowhere is counted.
    assert found["unchanged"] == 3


def test_a_renamed_contract_names_its_old_path(clone: Path) -> None:
    notes = {each["path"]: each["note"] for each in branch()["contracts"]}
    assert "events/old.json" in notes["events/new.json"] and "events/new.json" not in notes["events/gone.json"]


@pytest.mark.parametrize("folder", [False, True])
def test_a_renamed_and_edited_contract_shows_what_it_breaks(
    folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "".join(f"message Other{at} {{ int64 x = 1; }}\n" for at in range(9))
    old, new = PROTO + long, PROTO.replace("int64", "string") + long
    paths = ("proto/depot/v1/fee.proto", "moved/depot/v1/fee.proto") if folder else ("a.graphql", "b/c.graphql")
    if not folder:
        fields = "".join(f"  f{at}: String\n" for at in range(9))
        old, new = (f"type Query {{\n{fields}  depot: {kind}\n}}\n" for kind in ("String!", "String"))
    states: tuple[dict[str, str | None], ...] = ({paths[0]: old}, {paths[0]: None, paths[1]: new})
    monkeypatch.chdir(repository(tmp_path / "r", states))
    done = run("diff", "--against", "v1.0", "--fail-on", "breaking")
    assert done.exit_code == 5, done.output
    (found,) = json.loads(run("diff", "--against", "v1.0", "--format", "json").stdout)["contracts"]
    homes = [path.partition("depot/")[0] for path in paths]
    assert (found["path"], found["state"]) == (homes[1], "changed") and homes[0] in found["note"]
    assert [row["verdict"] for row in found["ledger"]["rows"]] == ["breaking"]
    for command in commands(done.stdout):
        assert run(*words_of(command)).exit_code == 0


def test_another_contract_in_the_place_of_one_is_no_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two: tuple[dict[str, str | None], ...] = (
        {"a.graphql": SCALAR},
        {
            "a.graphql": None,
            "b.graphql": "".join(f"type T{at} {{ x: Int }}\n" for at in range(9)) + "type Query { y: T1 }",
        },
    )
    monkeypatch.chdir(repository(tmp_path / "r", two))
    found = json.loads(run("diff", "--against", "v1.0", "--format", "json").stdout)
    assert sorted(state for _, state in states(found).values()) == ["deleted", "new"]


@pytest.mark.parametrize("name", ["api.yaml", "a.json", "a.graphql", "a.proto", "a.avsc"])
def test_the_marks_of_a_merge_are_told_the_same_in_a_file_and_at_a_commit(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = {
        "api.yaml": OTHER,
        "a.json": EVENT % "x",
        "a.graphql": SCALAR,
        "a.proto": PROTO,
        "a.avsc": '{"type": "int"}\n',
    }
    lines = text[name].splitlines(keepends=True)
    at = len(lines) // 2
    marked = "".join([*lines[:at], "<<<<<<< a\n", lines[at], "=======\n", lines[at], ">>>>>>> b\n", *lines[at + 1 :]])
    monkeypatch.chdir(repository(tmp_path / "r", ({name: marked},), tags=("v1.0",)))
    for side in (name, f"v1.0:{name}"):
        done = run("diff", side, side)
        assert done.exit_code == 2 and f"{side}" in done.stderr, done.stderr
        assert "[conflict-markers]" in done.stderr and f"line {at + 1}" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("diff", "HEAD:sub/a/api.yaml", "HEAD:sub/a/api.yaml"),
        ("history", ".", "--contract", "sub/a/api.yaml"),
        ("diff", "--against", "HEAD", "sub/a/api.yaml"),
        ("new", "w1", "x", "--repo", ".", "--from", "HEAD", "--to", "HEAD", "--contract", "sub/api.yaml"),
    ],
)
def test_a_contract_in_a_submodule_is_said_to_lie_there(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path / "inner", ({"a/api.yaml": OTHER},), tags=("v1.0",))
    root = repository(tmp_path / "r", ({"x": "1"},), tags=("v1.0",))
    git(root, "submodule", "add", "-q", str(tmp_path / "inner"), "sub")
    git(root, "commit", "-qam", "submodule")
    git(root, "tag", "v1.1")
    monkeypatch.chdir(root)
    done = run(*words)
    assert done.exit_code == 2 and "submodule `sub`" in done.stderr, done.output


@pytest.mark.parametrize(
    ("words", "moved"),
    [((), ["sub"]), (("sub",), ["sub"]), (("deep",), []), ((".",), ["sub"])],
    ids=["all", "itself", "elsewhere", "root"],
)
@pytest.mark.parametrize("change", ["another", "none"])
def test_a_submodule_at_another_commit_is_named_and_was_not_read(
    words: tuple[str, ...], moved: list[str], change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repository(tmp_path / "inner", ({"api.yaml": OTHER}, {"x": "2"}))
    root = repository(tmp_path / "r", ({"deep/x": "1"},), tags=("v1.0",))
    git(root, "submodule", "add", "-q", str(inner), "sub")
    git(root, "commit", "-qam", "submodule")
    git(root, "tag", "before")
    if change == "another":
        git(root / "sub", "checkout", "-q", "v1.0")
    else:
        git(root, "rm", "-q", "sub")
    git(root, "commit", "-qam", "moved")
    monkeypatch.chdir(root)
    assert (
        json.loads(run("diff", "--against", "before", "--format", "json", *words).stdout)["moved_submodules"] == moved
    )
    for form in ("text", "markdown", "github", "sarif"):
        done = run("diff", "--against", "before", "--format", form, *words)
        assert done.exit_code == 0 and ("submodule sub moved" in done.output) is bool(moved), (form, done.output)


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
            "evreview/events/new.json/",
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
