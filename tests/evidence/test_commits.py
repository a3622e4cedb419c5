"""What a repository says of its commits: files, links, diffs; hostile names and settings do nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.evidence.repository import Commits
from tests.repositories import CANDIDATE, RELEASED, git, parcels, repository


def codes(ask: object) -> list[str]:
    with pytest.raises(BadInput) as refused:
        ask()  # type: ignore[operator]
    return [problem.code for problem in refused.value.problems]


def test_files_are_those_of_the_commit_and_not_of_the_work_tree(tmp_path: Path) -> None:
    root = parcels(tmp_path / "r")
    (root / "api" / "schemas.yaml").write_text("changed: here")
    commits = Commits.of(root / "api")
    old = commits.commit("v1.0")
    assert old == git(root, "rev-parse", "v1.0")
    assert commits.read(old, "api/schemas.yaml").decode() == RELEASED["api/schemas.yaml"]
    assert commits.read(commits.commit("main"), "./api/schemas.yaml").decode() == CANDIDATE["api/schemas.yaml"]
    assert commits.files(old, "api") == ("api/openapi.yaml", "api/schemas.yaml")


@pytest.mark.parametrize(
    "ref", ["", "-q", "--upload-pack=touch x", "nothing", "v1.0:api", "v1.0 v1.1", "HEAD\n", "@{-1}"]
)
def test_a_name_that_is_no_commit_is_a_problem(tmp_path: Path, ref: str) -> None:
    commits = Commits.of(parcels(tmp_path / "r"))
    assert codes(lambda: commits.commit(ref)) == ["ref-unknown"]
    assert not (tmp_path / "r" / "x").exists()


@pytest.mark.parametrize("path", ["api/none.yaml", "api", "../r/api/openapi.yaml", "/etc/passwd", "link", "module"])
def test_what_is_no_file_of_the_commit_is_a_problem(tmp_path: Path, path: str) -> None:
    other = repository(tmp_path / "o", ({"a": "a"},), tags=("o",))
    root = parcels(tmp_path / "r")
    (root / "link").symlink_to("/etc/passwd")
    git(root, "submodule", "--quiet", "add", str(other), "module")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "links")
    commits = Commits.of(root)
    assert codes(lambda: commits.read(commits.commit("HEAD"), path)) == ["file-missing"]
    assert "link" not in commits.files(commits.commit("HEAD"))


def test_no_repository_and_a_shallow_one_are_told_apart(tmp_path: Path) -> None:
    assert codes(lambda: Commits.of(tmp_path)) == ["no-repository"]
    root = parcels(tmp_path / "r")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")
    with pytest.raises(BadInput) as refused:
        Commits.of(tmp_path / "shallow").commit("v1.0")
    assert "shallow" in refused.value.problems[0].advice


def test_a_diff_takes_no_driver_no_colour_and_no_prefix_of_the_repository(tmp_path: Path) -> None:
    root = parcels(tmp_path / "r")
    plain = Commits.of(root).diff("v1.0", "v1.1", ["parcels"], [])
    ran = tmp_path / "ran"
    driver = f"touch {ran}; cat"
    for name, value in {
        "diff.external": driver, "diff.x.textconv": driver, "diff.x.command": driver, "color.ui": "always",
        "diff.noprefix": "true", "core.pager": driver, "core.fsmonitor": driver, "core.hooksPath": str(tmp_path),
    }.items():  # fmt: skip
        git(root, "config", name, value)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("*.py diff=x\n")
    assert Commits.of(root).diff("v1.0", "v1.1", ["parcels"], []) == plain
    assert plain.startswith("diff --git a/parcels/app.py b/parcels/app.py") and not ran.exists()


def test_a_diff_leaves_out_what_is_evidence_of_its_own(tmp_path: Path) -> None:
    commits = Commits.of(parcels(tmp_path / "r"))
    told = commits.diff("v1.0", "v1.1", ["."], ["api/openapi.yaml", "api/schemas.yaml"])
    assert "parcels/app.py" in told and "api/" not in told
