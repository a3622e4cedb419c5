"""Whatever step of a temporary folder's life a signal comes at, nothing stays of it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from evreview.core import temporary_folder
from evreview.core.temporary_folder import TemporaryFolder
from evreview.evidence import files as evidence_files
from evreview.evidence.files import replace_whole
from evreview.redaction.detector import Clean
from evreview.report import writer
from evreview.report.writer import require_writable, write_outputs

MODULES = {module.__file__ for module in (temporary_folder, writer, evidence_files)}


class Interrupted(BaseException):
    """Stands for what the handler of a signal raises."""


def interrupted(act: Callable[[], object], step: int) -> bool:
    """True when the work was broken off at this instruction of it, False when it has fewer."""
    left = step

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename not in MODULES and frame.f_code.co_filename != __file__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except Interrupted:
        return True
    finally:
        sys.settrace(before)
    return False


def used(parent: Path) -> None:
    with TemporaryFolder("evreview-", parent) as place:
        (place / "one").write_text("")


def test_a_folder_is_gone_at_whatever_step_it_is_interrupted(tmp_path: Path) -> None:
    for step in count():
        cut = interrupted(lambda: used(tmp_path), step)
        assert list(tmp_path.iterdir()) == [], step
        if not cut:
            assert step > 50
            return


@pytest.mark.skipif(os.name == "nt", reason="a process of Windows sends itself no signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_right_after_the_folder_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    made, real = [], os.mkdir

    def mkdir(path: Path, mode: int = 0o777) -> None:
        real(path, mode)
        made.append(Path(path).exists())
        os.kill(os.getpid(), number)

    def stop(*_: object) -> None:
        raise Interrupted

    monkeypatch.setattr(os, "mkdir", mkdir)
    before = signal.signal(number, stop)
    try:
        with pytest.raises(Interrupted):
            used(tmp_path)
    finally:
        signal.signal(number, before)
    assert (made, list(tmp_path.iterdir())) == ([True], [])


def test_a_folder_is_private_and_where_the_system_keeps_them() -> None:
    with TemporaryFolder("evreview-") as place:
        assert place.parent == Path(tempfile.gettempdir())
        assert place.stat().st_mode & 0o077 == 0 or os.name == "nt"
    assert not place.exists()


def test_somebody_elses_folder_stays(tmp_path: Path) -> None:
    folder = TemporaryFolder("evreview-", tmp_path)
    folder.path.mkdir()
    with pytest.raises(FileExistsError), folder:
        pass
    del folder
    assert len(list(tmp_path.iterdir())) == 1


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else "" for path in folder.rglob("*")
    }


OLD, NEW = {"one.md": "old", "two.md": "old"}, {"one.md": "new\n", "sub": "", "sub/three.md": "new\n"}


def rewrite(folder: Path) -> None:
    write_outputs(folder, {"one.md": Clean("new\n"), "sub/three.md": Clean("new\n")}, remove=["two.md"])


@pytest.mark.parametrize(
    ("act", "old", "new"),
    [
        (rewrite, OLD, NEW),
        (require_writable, OLD, OLD),
        (lambda folder: require_writable(folder / "a" / "b"), {}, {}),
        (lambda folder: replace_whole(folder / "one.md", b"new\n"), OLD, OLD | {"one.md": "new\n"}),
    ],
    ids=["outputs", "a try", "a try of a new folder", "a file"],
)
def test_outputs_are_whole_at_whatever_step_they_are_interrupted(
    tmp_path: Path,
    act: Callable[[Path], object],
    old: dict[str, str],
    new: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    for step in count():
        folder = tmp_path / str(step)
        folder.mkdir()
        for name, text in old.items():
            (folder / name).write_text(text)
        cut = interrupted(lambda folder=folder: act(folder), step)
        assert content(folder) in (old, new), step
        if not cut:
            assert content(folder) == new
            return
