"""`--repository`: a stated commit is verified against a checkout, and a mismatch is told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

CONTRACT = "contracts/orders-1.4.yaml"


@pytest.fixture
def by_commit(demo_copy: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The demo whose released contract names only a commit, and the repository that holds it."""
    repository = tmp_path / "repository"
    (repository / "contracts").mkdir(parents=True)
    (repository / CONTRACT).write_bytes((demo_copy / CONTRACT).read_bytes())
    person = ("-c", "user.name=maintainer", "-c", "user.email=maintainer@example.com")
    for words in (("init", "-q"), ("add", "."), (*person, "commit", "-qm", "Release 1.4")):
        subprocess.run(["git", *words], cwd=repository, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True)
    review = demo_copy / "review.yaml"
    text, count = re.subn(r"integrity: sha256:\S+, at commit \S+", f"integrity: commit {commit.stdout.strip()}",
                          review.read_text(), count=1)  # fmt: skip
    assert count == 1
    review.write_text(text)
    return demo_copy, repository


def evreview(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "evreview", *map(str, words)], capture_output=True, text=True)


@pytest.mark.req("EV-020")
def test_a_commit_is_declared_without_a_repository_and_verified_with_one(by_commit: tuple[Path, Path]) -> None:
    bundle, repository = by_commit
    assert "integrity-declared" in evreview("check", bundle).stderr
    # The observations name the commit of the bundled review, which is none of this clone: they are told, nothing else.
    verified = evreview("check", bundle, "--repository", repository).stderr
    assert "integrity-declared" not in verified and "commit-mismatch" not in verified


@pytest.mark.req("EV-020")
def test_a_file_that_differs_from_its_commit_is_refused(by_commit: tuple[Path, Path]) -> None:
    bundle, repository = by_commit
    with (bundle / CONTRACT).open("a") as file:
        file.write("# one byte more\n")
    done = evreview("check", bundle, "--repository", repository)
    assert done.returncode == 2
    assert "commit-mismatch" in done.stderr


def test_a_run_verifies_too_and_keeps_no_path(by_commit: tuple[Path, Path], tmp_path: Path) -> None:
    bundle, repository = by_commit
    out = tmp_path / "out"
    assert evreview("run", bundle, "-o", out, "--repository", repository).returncode == 4
    artifact = (out / "api-contract-review.md").read_text()
    assert "declared, not verified" not in artifact.partition("## Compatibility matrix")[0]
    assert not [file.name for file in out.rglob("*") if file.is_file() and str(tmp_path).encode() in file.read_bytes()]
