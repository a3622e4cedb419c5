"""A security review is opened sealed: nothing but the request and the authorization is read, whatever the rest is."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId, Integrity
from evreview.evidence import bundle_reader
from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from evreview.evidence.records.security import Authorization


@pytest.fixture
def folder(project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(project / "examples" / "w3-tickets", tmp_path / "b"))


@pytest.mark.req("W3X-013", "W3S-003", "W3E-002")
def test_of_a_sealed_bundle_only_the_authorization_is_there(folder: Path) -> None:
    bundle = open_bundle(folder)
    assert bundle.sealed and not bundle.unbound and not bundle.warnings
    for item in bundle.items.values():
        assert item.sha256 == hashlib.sha256((folder / item.file).read_bytes()).hexdigest()
        assert item.integrity_state is Integrity.VERIFIED
        if item.id == "E1":
            assert isinstance(item.record, Authorization) and item.content
            assert bundle.load(item.file)
        else:
            assert (item.content, item.record, dict(item.parts)) == ("", None, {})
            with pytest.raises(BadInput, match="not read before"):
                bundle.load(item.file)
    assert bundle.decisions.decisions == ()


def test_unsealing_reads_the_bytes_that_were_hashed(folder: Path) -> None:
    bundle = open_bundle(folder)
    kept = (folder / "deploy" / "proxy.conf").read_text()
    (folder / "deploy" / "proxy.conf").write_text("changed since")
    (folder / "review.yaml").write_text("changed: since")
    whole = bundle.unsealed()
    assert not whole.sealed and whole.unsealed() is whole
    assert whole.items[EvidenceId("E10")].content == kept
    assert whole.items[EvidenceId("E2")].record is not None
    assert len(whole.decisions.decisions) == 2


def overwrite(text: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(text) and None


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_link_outside(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def as_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


BOMB = b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (n + 1, n + 1, b",".join([b"*%c" % n] * 9)) for n in range(97, 121)
)
TRAPS: dict[str, Callable[[Path], None]] = {
    "not utf-8": overwrite(b"\xff\xfe\x00trap-word"),
    "binary": overwrite(b"\x00trap-word"),
    "yaml bomb": overwrite(b"kind: trust-model\n" + BOMB),
    "deep": overwrite(b"kind: trust-model\nactors: " + b"[" * 100_000),
    "invalid body": overwrite(b"kind: trust-model\ntrap-word: [trap-word"),
    "wrong kind": overwrite(b"kind: trap-word\n"),
    "another authorization": overwrite(b"kind: authorization\ndecision: approved\n"),
    "secret": overwrite(b"password = 'trap-word-8f3kd02kfh'\n"),
    "empty": overwrite(b""),
    "missing": lambda path: path.unlink(),
    "named pipe": as_pipe,
    "folder": as_folder,
    "link outside": as_link_outside,
    "loop of links": as_loop,
}


def bind(folder: Path) -> None:
    """Write the digests of what is there now into `review.yaml`, as whoever supplied it would have done."""
    bundle = open_bundle(folder)
    text = (folder / "review.yaml").read_text()
    for item in bundle.items.values():
        stated = item.integrity.split(":")[1][:64]
        text = text.replace(stated, item.sha256 or stated)
    (folder / "review.yaml").write_text(text)


@pytest.mark.req("W3X-013", "W3U-004", "W3I-001")
@pytest.mark.parametrize("bound", [True, False], ids=["with its digest", "with another digest"])
@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("name", ["records/trust-model.yaml", "decisions.yaml"])
def test_a_trap_is_not_sprung(folder: Path, trap: str, name: str, bound: bool) -> None:
    TRAPS[trap](folder / name)
    if bound:
        bind(folder)
    found = examine_bundle(folder)
    assert (found.problems, found.warnings) == ((), ())
    assert found.bundle is not None and found.bundle.sealed
    assert "trap-word" not in repr(found) + json.dumps([item.content for item in found.bundle.items.values()])
    unread = trap in ("missing", "named pipe", "folder", "link outside", "loop of links")
    wrong = {} if bound or unread or name == "decisions.yaml" else {"E2": "digest-mismatch"}
    assert found.bundle.unbound == wrong


@pytest.mark.parametrize("trap", sorted(set(TRAPS) - {"secret", "missing"}))
def test_the_trap_is_told_once_the_rest_is_read(folder: Path, trap: str) -> None:
    TRAPS[trap](folder / "records" / "trust-model.yaml")
    bind(folder)
    with pytest.raises(BadInput):
        open_bundle(folder).unsealed()


@pytest.mark.req("W3X-013")
def test_inline_content_is_hashed_and_not_shown(folder: Path) -> None:
    text = (folder / "review.yaml").read_text()
    word = hashlib.sha256(b"trap-word\n").hexdigest()
    for content in ("|\n      trap-word", "[trap-word]", "{trap-word: 1}"):
        more = f"  - id: E19\n    type: source excerpt\n    integrity: sha256:{word}\n    establishes: x\n"
        (folder / "review.yaml").write_text(f"{text}{more}    content: {content}\n")
        found = examine_bundle(folder)
        assert found.problems == () and found.bundle is not None
        assert "trap-word" not in repr(found)
        assert found.bundle.items[EvidenceId("E19")].sha256 == (word if content.startswith("|") else "")


@pytest.mark.parametrize("workflow", ["W3", "w4", "[w1]", "null"])
def test_what_is_no_known_workflow_is_not_read_either(
    folder: Path, workflow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (folder / "review.yaml").read_text().replace("workflow: w3", f"workflow: {workflow}")
    (folder / "review.yaml").write_text(text)
    monkeypatch.setattr(bundle_reader, "take_in", lambda *_: pytest.fail("something was read"))
    assert {problem.place for problem in examine_bundle(folder).problems} == {"#/workflow"}


INTEGRITIES = [
    ("main", "moving-reference"),
    ("v2.3.0", "tag-without-digest"),
    ("8d2f60c", "abbreviated-commit"),
    ("sha256:00", "bad-digest"),
    ("as supplied", "no-immutable-reference"),
]


@pytest.mark.req("W3I-006", "W3E-005")
@pytest.mark.parametrize(("integrity", "code"), INTEGRITIES)
@pytest.mark.parametrize("name", ["E1", "E5"])
def test_an_integrity_that_does_not_hold_is_kept_for_the_first_step(
    folder: Path, name: str, integrity: str, code: str
) -> None:
    stated = open_bundle(folder).items[EvidenceId(name)].integrity
    text = (folder / "review.yaml").read_text().replace(stated, integrity)
    (folder / "review.yaml").write_text(text)
    assert open_bundle(folder).unbound == {name: code}


def test_what_is_wrong_with_the_authorization_is_told(folder: Path) -> None:
    path = folder / "records" / "authorization.yaml"
    path.write_text(path.read_text().replace("techniques: [static inspection", "techniques: [guessing"))
    found = examine_bundle(folder)
    assert [(problem.file, problem.place) for problem in found.problems] == [
        ("records/authorization.yaml", "#/techniques/0")
    ]
