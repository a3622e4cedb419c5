"""Outputs appear whole or not at all, clean or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.report import writer
from evreview.report.writer import write_outputs


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def code_of(act: Callable[[], object]) -> set[str]:
    with pytest.raises(BadInput) as fault:
        act()
    return {problem.code for problem in fault.value.problems}


def test_every_file_appears_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "a" / "out"
    files = {"one.md": Clean("# One\r\ntwo\n"), "sub/two.json": b"{}\n", "three.parquet": b"\xff\x00"}
    written = write_outputs(out, files)
    assert written == (out / "one.md", out / "sub/two.json", out / "three.parquet")
    assert tree(out) == {"one.md": b"# One\ntwo\n", "sub/two.json": b"{}\n", "three.parquet": b"\xff\x00"}


def test_existing_outputs_are_replaced(tmp_path: Path) -> None:
    write_outputs(tmp_path, {"one.md": Clean("old")})
    write_outputs(tmp_path, {"one.md": Clean("new")})
    assert tree(tmp_path) == {"one.md": b"new"}


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize("fault", [OSError(28, "no space"), KeyboardInterrupt()])
def test_a_failure_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, fault: BaseException
) -> None:
    (tmp_path / "one.md").write_text("old")
    calls = 0
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        nonlocal calls
        calls += "new-" in self.name
        if calls == failing and "new-" in self.name:
            raise fault
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    files = {"one.md": Clean("new"), "sub/two.md": Clean("new"), "three.md": Clean("new")}
    with pytest.raises((BadInput, KeyboardInterrupt)):
        write_outputs(tmp_path, files)
    assert tree(tmp_path) == {"one.md": b"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["one.md"]


def test_a_failure_while_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: int) -> None:
        raise OSError(5, "disk")

    monkeypatch.setattr(os, "fsync", broken)
    out = tmp_path / "new" / "deep"
    assert code_of(lambda: write_outputs(out, {"one.md": Clean("x")})) == {"not-writable"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("C-027", "C-030")
@pytest.mark.parametrize("kind", [Clean, lambda text: text.encode()])
def test_a_text_that_leaks_is_refused(tmp_path: Path, kind: Callable[[str], Clean | bytes]) -> None:
    mail = "ines.moreau" + "@harbourline.fr"
    files = {"good.md": Clean("fine"), "bad.md": kind(f"one\nby {mail}\n")}
    with pytest.raises(BadInput) as fault:
        write_outputs(tmp_path / "out", files)
    (problem,) = fault.value.problems
    assert (problem.code, problem.file, problem.place) == ("output-leaks", "bad.md", "line 2")
    assert mail not in str(fault.value)
    assert list(tmp_path.iterdir()) == []


def test_a_learnt_value_is_refused_too(tmp_path: Path) -> None:
    redactor = Redactor.over([("E1", "db_password: q7Rx2Lv9tB")])
    assert code_of(lambda: write_outputs(tmp_path, {"a.md": Clean("q7Rx2Lv9tB")}, redactor=redactor)) == {
        "output-leaks"
    }
    assert write_outputs(tmp_path, {"a.md": redactor.clean("q7Rx2Lv9tB")}, redactor=redactor)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a\\b", "a\0b", "."])
def test_names_stay_inside(tmp_path: Path, name: str) -> None:
    assert code_of(lambda: write_outputs(tmp_path / "out", {name: Clean("x")})) == {"output-name"}
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "one.md").mkdir()
    (tmp_path / "one.md" / "kept").write_text("kept")
    assert code_of(lambda: write_outputs(tmp_path, {"zero.md": Clean("x"), "one.md": Clean("x")})) == {"not-writable"}
    assert tree(tmp_path) == {"one.md/kept": b"kept"}


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    assert code_of(lambda: write_outputs(tmp_path / "out", {"one.md": Clean("x")})) == {"not-writable"}
    assert writer.__doc__


def test_a_link_among_the_folders_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "registers").symlink_to(tmp_path / "other")
    with pytest.raises(BadInput) as caught:
        write_outputs(tmp_path / "out", {"artifact.md": Clean("x"), "registers/a.csv": Clean("x")})
    assert [problem.code for problem in caught.value.problems] == ["output-link"]
    assert list((tmp_path / "other").iterdir()) == [] and not (tmp_path / "out" / "artifact.md").exists()


@pytest.mark.parametrize("link", ["out", "out/artifact.md", "out/registers", "out/registers/a.csv", "out/loop.md"])
def test_no_link_is_followed(link: str, tmp_path: Path) -> None:
    """Neither the folder nor a place in it; a link that leads inside, or nowhere, is one too."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "kept.md").write_text("kept")
    place = tmp_path / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(place if "loop" in link else tmp_path / "other" / ("kept.md" if "." in link else ""))
    files = {"artifact.md": Clean("x"), "registers/a.csv": Clean("x"), "loop.md": Clean("x")}
    assert code_of(lambda: write_outputs(tmp_path / "out", files)) == {"output-link"}
    assert place.is_symlink() and tree(tmp_path / "other") == {"kept.md": b"kept"}


def test_a_folder_behind_a_link_of_the_path_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to(tmp_path / "real")
    assert write_outputs(tmp_path / "way" / "out", {"a.md": Clean("x")})
