"""Immutable or refused; verified only when recomputed."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.errors import Problem
from evreview.core.vocabulary import EvidenceId, Integrity
from evreview.evidence.bundle_reader import check_bundle, examine_bundle, open_bundle
from evreview.evidence.item import Reference, git_blob, parse_integrity, verify

DATA = b"content\n"
SHA = hashlib.sha256(DATA).hexdigest()
COMMIT = "0123456789abcdef0123456789abcdef01234567"
Write = Callable[[Any], Path]

REFUSED = {
    "main": "moving-reference",
    "master": "moving-reference",
    "HEAD": "moving-reference",
    "HEAD~1": "moving-reference",
    "head of the repository": "moving-reference",
    "latest": "moving-reference",
    "the latest release": "moving-reference",
    "branch feature-x": "moving-reference",
    "refs/heads/feature/x": "moving-reference",
    "refs/remotes/origin/x": "moving-reference",
    "origin/main": "moving-reference",
    "develop, as of today": "moving-reference",
    "main@{yesterday}": "moving-reference",
    "https://example.com/blob/main": "moving-reference",
    "v1.4.0": "tag-without-digest",
    "tag orders-1": "tag-without-digest",
    "refs/tags/v1": "tag-without-digest",
    "release 2026-11": "tag-without-digest",
    "version 1.4": "tag-without-digest",
    "0123456": "abbreviated-commit",
    "commit 0123456789abcdef": "abbreviated-commit",
    "sha256:1234": "bad-digest",
    "sha256:" + "g" * 64: "bad-digest",
    "sha256:" + "0" * 63: "bad-digest",
    "sha256:": "bad-digest",
    "sha256:latest, " + COMMIT: "bad-digest",
    "as agreed": "no-immutable-reference",
    "2026-11-20": "no-immutable-reference",
}


@pytest.mark.req("EV-019", "W1I-002")
@pytest.mark.parametrize("text", REFUSED)
def test_what_can_move_is_refused(text: str) -> None:
    found = parse_integrity(text, sha256=SHA)
    assert isinstance(found, Problem)
    assert found.code == REFUSED[text]
    assert SHA in found.advice


ACCEPTED: dict[str, tuple[str, Integrity]] = {
    COMMIT: (COMMIT, Integrity.DECLARED),
    COMMIT.upper(): (COMMIT, Integrity.DECLARED),
    f"commit {COMMIT}": (COMMIT, Integrity.DECLARED),
    "a" * 64: ("a" * 64, Integrity.DECLARED),
    f"main at {COMMIT}": (COMMIT, Integrity.DECLARED),
    f"v1.2.3 ({COMMIT})": (COMMIT, Integrity.DECLARED),
    f"from {COMMIT} to {'b' * 40}": ("b" * 40, Integrity.DECLARED),
    f"{COMMIT}..{'b' * 40}": ("b" * 40, Integrity.DECLARED),
    f"{COMMIT}, reviewed beside {'b' * 40}": (COMMIT, Integrity.DECLARED),
    f"sha256:{SHA}": (f"sha256:{SHA}", Integrity.VERIFIED),
    f"SHA256: {SHA.upper()}": (f"sha256:{SHA}", Integrity.VERIFIED),
    f"tag v1.4.0, sha256:{SHA}": (f"sha256:{SHA}", Integrity.VERIFIED),
    f"release-1.4@sha256:{SHA}": (f"sha256:{SHA}", Integrity.VERIFIED),
    f"sha512:{hashlib.sha512(DATA).hexdigest()}": (f"sha512:{hashlib.sha512(DATA).hexdigest()}", Integrity.VERIFIED),
    f"blob {git_blob(DATA)}": (f"blob {git_blob(DATA)}", Integrity.VERIFIED),
    f"blob {git_blob(DATA, 64)}": (f"blob {git_blob(DATA, 64)}", Integrity.VERIFIED),
    f"sha256:{SHA}, at commit {COMMIT}": (COMMIT, Integrity.VERIFIED),
}


@pytest.mark.req("EV-019", "EV-020", "W1I-002")
@pytest.mark.parametrize("text", ACCEPTED)
def test_what_cannot_move_is_accepted(text: str) -> None:
    reference = parse_integrity(text, sha256=SHA)
    assert isinstance(reference, Reference)
    assert (reference.revision, verify(reference, DATA)) == ACCEPTED[text]


@pytest.mark.req("EV-020")
@given(st.binary(min_size=1, max_size=40), st.data())
def test_one_reversed_bit_is_found(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data) * 8 - 1))
    other = bytearray(data)
    other[at // 8] ^= 1 << at % 8
    for stated in (f"sha256:{hashlib.sha256(data).hexdigest()}", f"blob {git_blob(data)}"):
        reference = parse_integrity(stated, sha256="")
        assert isinstance(reference, Reference)
        assert verify(reference, data) is Integrity.VERIFIED
        wrong = verify(reference, bytes(other))
        assert isinstance(wrong, Problem) and wrong.code == "digest-mismatch"


@pytest.mark.req("EV-020")
def test_a_reversed_byte_of_a_file_is_an_error(draft: Any, write: Write) -> None:
    draft.files["contracts/candidate.yaml"] = draft.files["contracts/candidate.yaml"].replace("3.1.0", "3.1.1")
    found = check_bundle(write(draft))
    assert [(p.code, p.place) for p in found] == [("digest-mismatch", "#/evidence/1/integrity")]


@pytest.mark.req("EV-019", "W1I-002")
@pytest.mark.parametrize("text", ["main", "HEAD", "latest", "v1.4.0"])
def test_a_bundle_with_a_moving_contract_does_not_open(text: str, draft: Any, write: Write) -> None:
    draft.item(1)["integrity"] = text
    found = check_bundle(write(draft))
    assert [(p.code, p.place) for p in found] == [(REFUSED[text], "#/evidence/0/integrity")]


def test_a_commit_is_declared_with_a_warning(draft: Any, write: Write) -> None:
    draft.item(1)["integrity"] = COMMIT
    found = examine_bundle(write(draft))
    assert found.bundle is not None
    assert found.bundle.items[EvidenceId("E1")].integrity_state is Integrity.DECLARED
    assert [(w.code, w.place) for w in found.warnings] == [("integrity-declared", "#/evidence/0/integrity")]


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    """A clone with `api/orders.yaml`, and the commit."""
    root = tmp_path / "clone"
    (root / "api").mkdir(parents=True)
    (root / "api" / "orders.yaml").write_bytes(DATA)

    def git(*words: str) -> str:
        settings = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(root), *settings, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "a")
    commit = git("rev-parse", "HEAD")
    (root / ".git" / "hooks" / "post-index-change").write_text("#!/bin/sh\ntouch ran\n")
    return root, commit


@pytest.fixture
def written_with(draft: Any, write: Write) -> Callable[..., Path]:
    """Writes the small bundle with one more item."""

    def written(content: str, **changes: Any) -> Path:
        draft.add(content, **changes)
        return write(draft)

    return written


@pytest.mark.parametrize(
    ("content", "stated", "expected"),
    [
        ("content\n", "commit {0} path api/orders.yaml", Integrity.VERIFIED),
        ("content\n", "{0}:api/orders.yaml", Integrity.VERIFIED),
        ("content2\n", "{0}:api/orders.yaml", "commit-mismatch"),
        ("contenT\n", "{0}:api/orders.yaml", "commit-mismatch"),
        ("content\n", "{0}:api/none.yaml", Integrity.DECLARED),
        ("content\n", "{0}:api", Integrity.DECLARED),
        ("content\n", "{0}:../x", Integrity.DECLARED),
        ("content\n", "{0}", Integrity.DECLARED),
        ("content\n", "f" * 40 + ":api/orders.yaml", Integrity.DECLARED),
    ],
)
def test_a_commit_is_looked_up_in_a_given_clone(
    content: str, stated: str, expected: str, written_with: Callable[..., Path], repository: tuple[Path, str]
) -> None:
    root, commit = repository
    found = examine_bundle(written_with(content, integrity=stated.format(commit)), repository=root)
    if isinstance(expected, Integrity):
        assert found.bundle is not None
        assert found.bundle.items[EvidenceId("E4")].integrity_state is expected
    else:
        assert [(p.code, p.place) for p in found.problems] == [(expected, "#/evidence/3/integrity")]
    assert not (root / "ran").exists()


def test_an_items_own_file_name_is_looked_up(draft: Any, write: Write, repository: tuple[Path, str]) -> None:
    root, commit = repository
    draft.files["api/orders.yaml"] = DATA
    draft.add("", file="api/orders.yaml", integrity=commit)
    del draft.item(4)["content"]
    bundle = open_bundle(write(draft), repository=root)
    assert bundle.items[EvidenceId("E4")].integrity_state is Integrity.VERIFIED
    assert (
        open_bundle(write(draft), repository=root / "none").items[EvidenceId("E4")].integrity_state
        is Integrity.DECLARED
    )


@pytest.mark.req("EV-020", "W1S-002")
@pytest.mark.parametrize(
    ("integrity", "standing"),
    [
        ("sha256:{digest}", "verified"),
        ("sha256:{digest}, at commit " + "1" * 40, "digest verified, commit declared"),
        ("commit " + "1" * 40, "declared, not verified"),
    ],
)
def test_a_digest_verifies_no_commit_beside_it(
    integrity: str, standing: str, written_with: Callable[..., Path]
) -> None:
    content = "text"
    digest = hashlib.sha256(content.encode()).hexdigest()
    items = open_bundle(written_with(content, integrity=integrity.format(digest=digest))).items
    assert next(item.standing for item in items.values() if item.content == content) == standing
