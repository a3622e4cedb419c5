"""A folder shows one review: what an earlier one left there goes, what anybody else put there stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.redaction.detector import Clean
from evreview.report.writer import MANIFEST, replace_outputs

FIRST = {"a.md": Clean("a"), "page.html": Clean("page"), "registers/x.csv": Clean("x"), "old/y.csv": Clean("y")}
SECOND = {"a.md": Clean("b"), "registers/z.csv": Clean("z")}


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_outputs_that_the_new_review_lacks_are_removed(tmp_path: Path) -> None:
    assert replace_outputs(tmp_path, FIRST).names == ("a.md", MANIFEST, "old/y.csv", "page.html", "registers/x.csv")
    replace_outputs(tmp_path, SECOND)
    assert names(tmp_path) == {"a.md", MANIFEST, "registers", "registers/z.csv"}
    assert set(json.loads((tmp_path / MANIFEST).read_text())["files"]) == set(SECOND)
    assert (tmp_path / "a.md").read_text() == "b"


def test_what_evreview_did_not_write_stays(tmp_path: Path) -> None:
    replace_outputs(tmp_path, FIRST)
    (tmp_path / "notes.md").write_text("mine")
    (tmp_path / "registers" / "mine.csv").write_text("mine")
    (tmp_path / "page.html").write_text("annotated by a reader")
    replace_outputs(tmp_path, SECOND)
    assert {"notes.md", "registers/mine.csv", "page.html"} <= names(tmp_path)
    assert "registers/x.csv" not in names(tmp_path)


@pytest.mark.parametrize(
    "manifest",
    [
        b"{",
        b"[]",
        b'{"schema": "evreview.files/1"}',
        b'{"schema": "evreview.files/1", "files": ["keep.md"]}',
        b'{"schema": "evreview.files/1", "files": {"keep.md": "", "../keep.md": ""}}',
    ],
)
def test_a_manifest_that_says_something_else_removes_nothing(tmp_path: Path, manifest: bytes) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for kept in (out / "keep.md", tmp_path / "keep.md"):
        kept.write_text("foo")
    (out / MANIFEST).write_bytes(manifest)
    replace_outputs(out, SECOND)
    assert {"out/keep.md", "keep.md"} <= names(tmp_path)


def test_a_manifest_never_reaches_outside_nor_through_links(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    replace_outputs(outside, {"x.csv": Clean("x")})
    digest = json.loads((outside / MANIFEST).read_text())["files"]["x.csv"]
    out.mkdir()
    (out / "linked").symlink_to(outside)
    (out / "link.csv").symlink_to(outside / "x.csv")
    listed = dict.fromkeys(["../outside/x.csv", str(outside / "x.csv"), "linked/x.csv", "link.csv"], digest)
    (out / MANIFEST).write_text(json.dumps({"schema": "evreview.files/1", "files": listed}))
    replace_outputs(out, SECOND)
    assert (outside / "x.csv").exists() and (out / "link.csv").is_symlink()


def test_a_failure_removes_nothing(tmp_path: Path) -> None:
    replace_outputs(tmp_path, FIRST)
    before = names(tmp_path)
    (tmp_path / "b.md").mkdir()
    with pytest.raises(BadInput):
        replace_outputs(tmp_path, {"b.md": Clean("x")})
    assert names(tmp_path) == before | {"b.md"}
    assert (tmp_path / "page.html").read_text() == "page"


def test_a_file_of_somebody_else_in_an_outputs_place_is_kept_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine")
    (tmp_path / "a.md.kept").write_text("older")
    (tmp_path / MANIFEST).write_text("{}")
    done = replace_outputs(tmp_path, FIRST)
    assert done.kept == ("a.md.kept-2", f"{MANIFEST}.kept")
    assert (tmp_path / "a.md.kept-2").read_text() == "mine" and (tmp_path / "a.md").read_text() == "a"
    (tmp_path / "a.md").write_text("annotated")
    assert replace_outputs(tmp_path, SECOND).kept == ("a.md.kept-3",)
    assert replace_outputs(tmp_path, SECOND).kept == ()
    assert (tmp_path / "a.md.kept-3").read_text() == "annotated"


def test_a_failure_puts_a_kept_file_back(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine")
    (tmp_path / "b.md").mkdir()
    with pytest.raises(BadInput):
        replace_outputs(tmp_path, {"a.md": Clean("x"), "b.md": Clean("x")})
    assert (tmp_path / "a.md").read_text() == "mine" and names(tmp_path) == {"a.md", "b.md"}
