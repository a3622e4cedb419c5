"""Where imports start in a repository: which folders are contracts, and that a change reaches all that import it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.kinds.protobuf.import_roots import ImportRoots
from tests.repositories import git, repository

LAYOUTS: dict[str, tuple[dict[str, tuple[str, ...]], dict[str, str]]] = {
    "packages that say nothing of their folders": (
        {"proto1/etcd/a/apb/a.proto": ("etcd/b/bpb/b.proto",), "proto1/etcd/b/bpb/b.proto": ()},
        {"proto1/etcd/a/apb/a.proto": "proto1/", "proto1/etcd/b/bpb/b.proto": "proto1/"},
    ),
    "one that is imported from another folder": (
        {"svc/x.proto": ("common/money.proto",), "common_files/common/money.proto": (), "other/o.proto": ()},
        {"svc/x.proto": "svc/", "common_files/common/money.proto": "common_files/", "other/o.proto": "other/"},
    ),
    "two folders away": (
        {"svc/x.proto": ("m/m.proto",), "common_files/m/m.proto": ("n/n.proto",), "third/n/n.proto": ()},
        {"svc/x.proto": "svc/", "common_files/m/m.proto": "common_files/", "third/n/n.proto": "third/"},
    ),
    "imports that go to and fro": (
        {"r/a/a.proto": ("b/b.proto", "a/c.proto"), "r/b/b.proto": ("a/c.proto",), "r/a/c.proto": ()},
        dict.fromkeys(("r/a/a.proto", "r/b/b.proto", "r/a/c.proto"), "r/"),
    ),
    "named from the root of the repository": (
        {"one/v1/a.proto": ("two/b.proto",), "two/b.proto": ()},
        {"one/v1/a.proto": "/", "two/b.proto": "/"},
    ),
    "named from above the repository": (
        {"api/a/a.proto": ("repo/api/b/b.proto",), "api/b/b.proto": (), "api/c/c.proto": ("api/a/a.proto",)},
        dict.fromkeys(("api/a/a.proto", "api/c/c.proto"), "/") | {"api/b/b.proto": "/"},
    ),
    "the nearest of two copies": (
        {"x/p/a.proto": ("q/b.proto",), "x/q/b.proto": (), "y/q/b.proto": ()},
        {"x/p/a.proto": "x/", "x/q/b.proto": "x/", "y/q/b.proto": "y/q/"},
    ),
    "a file of the same folder": (
        {"x/deep/a.proto": ("b.proto",), "x/deep/b.proto": ()},
        {"x/deep/a.proto": "x/deep/", "x/deep/b.proto": "x/deep/"},
    ),
}


def texts(layout: str, changed: str = "") -> dict[str, str]:
    """The files of a layout: each message holds those of what it imports, the changed one has another type."""
    files = LAYOUTS[layout][0]
    return {name: text(name, imports, name == changed) for name, imports in files.items()}


def text(name: str, imports: tuple[str, ...], changed: bool = False) -> str:
    own = package(name)
    fields = "".join(f"  {package(each)}.M f{at} = {at};\n" for at, each in enumerate(imports, 2))
    head = "".join(f'import "{each}";\n' for each in imports)
    kind = "string" if changed else "int64"
    return f'syntax = "proto3";\npackage {own};\n{head}message M {{\n  {kind} x = 1;\n{fields}}}\n'


def package(name: str) -> str:
    return "pkg" + re.sub(r"\W", "", name.rpartition("/")[2])


def importing(files: Mapping[str, tuple[str, ...]], changed: str) -> set[str]:
    """The files that import a file, or one that does, by the end of its path."""
    found = {changed}
    while True:
        more = {
            name
            for name, led in files.items()
            if any(f"/{held}".endswith(f"/{each}") for held in found for each in led)
        }
        more |= {
            name for name, led in files.items() if any(each.endswith(f"/{held}") for held in found for each in led)
        }
        if more <= found:
            return found
        found |= more


def run(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_text_belongs_to_the_folder_that_imports_are_named_from(layout: str) -> None:
    held = {name: each.encode() for name, each in texts(layout).items()}
    roots = ImportRoots(held, held.keys())
    assert {name: roots.home(name) for name in held} == LAYOUTS[layout][1]


@pytest.mark.parametrize(("layout", "changed"), [(each, name) for each in LAYOUTS for name in LAYOUTS[each][0]])
def test_a_changed_file_changes_every_contract_that_imports_it(
    layout: str, changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, homes = LAYOUTS[layout]
    monkeypatch.chdir(repository(tmp_path / "r", (texts(layout), texts(layout, changed))))
    told = json.loads(run("diff", "--against", "v1.0", "--format", "json").stdout)
    assert {each["state"] for each in told["contracts"]} == {"changed"}, told
    affected = {homes[name] for name in importing(files, changed)}
    if layout == "the nearest of two copies":
        affected = {homes[changed]}
    assert {each["path"] for each in told["contracts"]} == affected
    for each in told["contracts"]:
        assert [row["verdict"] for row in each["ledger"]["rows"]] == ["breaking"]
    assert told["unchanged"] == len(set(homes.values())) - len(affected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_import_that_comes_ends_no_contract(layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = {name: text(name, ()) for name in LAYOUTS[layout][0]}
    for states in ((without, texts(layout)), (texts(layout), without)):
        root = repository(tmp_path / f"r{len(list(tmp_path.iterdir()))}", states)
        monkeypatch.chdir(root)
        told = json.loads(run("diff", "--against", "v1.0", "--format", "json").stdout)
        assert {each["state"] for each in told["contracts"]} == {"changed"}, told["contracts"]


def test_a_named_folder_of_imports_counts_as_a_file_of_the_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"svc/x.proto": text("svc/x.proto", ("m.proto",)), "a/m.proto": text("a/m.proto", ())}
    root = repository(tmp_path / "r", (files, {"a/m.proto": text("a/m.proto", (), changed=True)}))
    monkeypatch.chdir(root)
    told = json.loads(run("diff", "--against", "v1.0", "--include", "a", "--format", "json", "svc").stdout)
    assert [(each["path"], each["state"]) for each in told["contracts"]] == [("svc/", "changed")]


def test_what_nobody_has_is_told_where_it_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"svc/x.proto": text("svc/x.proto", ("m/m.proto",)), "a/m/m.proto": text("a/m/m.proto", ("none/n.proto",))}
    root = repository(tmp_path / "r", (files, {"svc/y": ""}))
    monkeypatch.chdir(root)
    done = run("diff", "v1.0:svc", "v1.1:svc")
    assert done.exit_code == 2 and "v1.0:a/m/m.proto" in done.stderr and "[proto-import-missing]" in done.stderr


def test_a_review_takes_what_is_imported_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = "one that is imported from another folder"
    states = ({**texts(layout), "code/a.py": "A = 1\n"}, {**texts(layout, "svc/x.proto"), "code/a.py": "A = 2\n"})
    monkeypatch.chdir(repository(tmp_path / "r", states))
    words = ("--repo", ".", "--from", "v1.0", "--to", "v1.1", "--contract", "svc", "--code", "code")
    done = run("new", "w1", "../review", *words)
    assert done.exit_code == 0, done.output
    assert "common/money.proto" in "".join(str(each) for each in Path("../review").rglob("*"))
    checked = run("check", "../review")
    assert "proto-import-missing" not in checked.output
    assert git(Path(), "status", "--porcelain") == ""
