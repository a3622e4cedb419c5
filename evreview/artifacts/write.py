"""[door] Writes outputs: all of them, or none."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from evreview.errors import BadInput, Problem
from evreview.guard import Clean, Guard


def write_outputs(
    folder: Path,
    files: Mapping[str, Clean | bytes],
    *,
    guard: Guard | None = None,
    remove: Sequence[str] = (),
    keep: Mapping[str, str] | None = None,
) -> tuple[Path, ...]:
    """Writes every file under `folder` and returns their paths, in the order given.

    All are written and synced beside their place first, then moved there; a failure before the last move puts back what
    was there. Line ends are `\\n`, the encoding is UTF-8.

    Args:
        folder: made when it does not exist.
        files: name relative to the folder, POSIX separators; text passes the final leak check, bytes that are text too.
        guard: what has been learnt to redact; the detectors alone when it is not given.
        remove: names of files that go in the same step; a folder that this empties goes too.
        keep: files that are replaced and stay under another name of the same folder, by name.

    Raises:
        BadInput: a name leaves the folder, a text still leaks, or the folder can't be written; nothing was changed.
    """
    problems = [problem for name, body in files.items() for problem in _problems(name, body, guard or Guard())]
    problems += [_leading_out(folder, name) for name in files if _leads_out(folder, name)]
    if problems:
        raise BadInput(problems)
    try:
        return _write_all(folder, {name: as_bytes(body) for name, body in files.items()}, remove, keep or {})
    except OSError as fault:
        raise _not_writable(folder, fault) from None


def require_writable(folder: Path) -> None:
    """Nothing, when outputs can be written into the folder; nothing stays of the attempt.

    Raises:
        BadInput: they can't.
    """
    made = _missing(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        Path(tempfile.mkdtemp(prefix=".evreview-", dir=folder)).rmdir()
    except OSError as fault:
        raise _not_writable(folder, fault) from None
    finally:
        _remove_empty(made)


def _not_writable(folder: Path, fault: OSError) -> BadInput:
    found = f"the outputs can't be written: {fault.strerror}"
    return BadInput([Problem(code="not-writable", found=found, file=str(folder), advice="Choose another with -o")])


def _problems(name: str, body: Clean | bytes, guard: Guard) -> list[Problem]:
    if not is_inside(name):
        return [Problem(code="output-name", found="the output's name leaves its folder", file=name)]
    if isinstance(body, bytes):
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            return []
    else:
        text = body
    return [
        Problem(
            code="output-leaks",
            found=f"{leak.kind} ({leak.detector}) would be written",
            file=name,
            place=f"line {leak.lines[0]}" if leak.lines else "",
            advice="This is a fault of evreview: the text was not cleaned. Nothing was written",
        )
        for leak in guard.leaks(text)
    ]


def _leads_out(folder: Path, name: str) -> bool:
    """True when a link among the folders of an output leads out of the folder."""
    return is_inside(name) and not (folder / name).parent.resolve().is_relative_to(folder.resolve())


def _leading_out(folder: Path, name: str) -> Problem:
    found = "a symbolic link leads out of the output's folder"
    place = str((folder / name).parent)
    return Problem(code="output-name", found=found, file=place, advice="Remove the link, or choose another with -o")


def is_inside(name: str) -> bool:
    """True for the name of a file inside the folder."""
    path = PurePosixPath(name)
    return not (path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name or "\0" in name)


def as_bytes(body: Clean | bytes) -> bytes:
    """The bytes that are written for a body."""
    return body if isinstance(body, bytes) else body.replace("\r\n", "\n").encode("utf-8")


def _write_all(
    folder: Path, files: Mapping[str, bytes], remove: Sequence[str], keep: Mapping[str, str]
) -> tuple[Path, ...]:
    made = _missing(folder)
    folder.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".evreview-", dir=folder))
    moved: list[tuple[Path, Path | None]] = []
    try:
        ready = [
            (_written(work / f"new-{index}", body), folder / name, folder / keep[name] if name in keep else None)
            for index, (name, body) in enumerate(files.items())
        ]
        for index, (source, target, beside) in enumerate(ready):
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{target.name} is a folder")
            made += _missing(target.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            kept = beside or (work / f"old-{index}" if target.exists() else None)
            if kept is not None:
                target.replace(kept)
            moved.append((target, kept))
            source.replace(target)
        for index, name in enumerate(remove):
            gone = work / f"gone-{index}"
            (folder / name).replace(gone)
            moved.append((folder / name, gone))
    except BaseException:
        _put_back(moved)
        shutil.rmtree(work, ignore_errors=True)
        _remove_empty(made)
        raise
    shutil.rmtree(work, ignore_errors=True)
    _drop_empty(folder, remove)
    _sync(folder)
    return tuple(target for _, target, _ in ready)


def _written(path: Path, body: bytes) -> Path:
    with path.open("wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    return path


def _missing(folder: Path) -> list[Path]:
    return [part for part in (folder, *folder.parents) if not part.exists()]


def _remove_empty(folders: Iterable[Path]) -> None:
    for empty in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        with contextlib.suppress(OSError):
            empty.rmdir()


def _put_back(moved: list[tuple[Path, Path | None]]) -> None:
    for target, kept in reversed(moved):
        with contextlib.suppress(OSError):
            if kept is not None:
                kept.replace(target)
            else:
                target.unlink()


def _drop_empty(folder: Path, removed: Sequence[str]) -> None:
    """Remove the folders that held removed files and hold nothing now."""
    for parent in sorted({(folder / name).parent for name in removed} - {folder}):
        with contextlib.suppress(OSError):
            parent.rmdir()


def _sync(folder: Path) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
