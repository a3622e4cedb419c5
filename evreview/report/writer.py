"""[door] Writes outputs: all of them, or none."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import Json
from evreview.redaction.detector import Clean, Finding
from evreview.redaction.redactor import Guard

_JSON: Final = (".json", ".ipynb", ".sarif")


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
    problems += _links(folder, files)
    if problems:
        raise BadInput(problems)
    try:
        return _write_all(folder, {name: as_bytes(body) for name, body in files.items()}, remove, keep or {})
    except OSError as fault:
        raise _not_writable(folder, fault) from None


def require_writable(folder: Path) -> None:
    """Nothing, when outputs can be written into the folder; nothing stays of the attempt.

    Raises:
        BadInput: they can't, or the folder is a symbolic link.
    """
    require_no_link(folder)
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
    text = _text(body)
    if text is None:
        return []
    return [
        Problem(
            code="output-leaks",
            found=f"{leak.kind} ({leak.detector}) would be written",
            file=name,
            place=f"line {leak.lines[0]}" if leak.lines else "",
            advice="This is a fault of evreview: the text was not cleaned. Nothing was written",
        )
        for leak in _leaks(name, text, guard)
    ]


def settled(name: str, body: Clean | bytes, guard: Guard) -> Clean | bytes:
    """The body as it may be written: parts that were cleaned one by one can tell more when they stand together."""
    text = _text(body)
    if text is None or not _leaks(name, text, guard):
        return body
    value = _structure(name, text)
    if value is None:
        clean = guard.clean(text)
    else:
        whole = guard.clean_json(value, signs=str)
        clean = Clean(json.dumps(whole, ensure_ascii=False, indent=1 if name.endswith(".ipynb") else 2) + "\n")
    return clean.encode() if isinstance(body, bytes) else clean


def _text(body: Clean | bytes) -> str | None:
    """The text of a body, None for bytes that are none."""
    if not isinstance(body, bytes):
        return body
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _leaks(name: str, text: str, guard: Guard) -> tuple[Finding, ...]:
    """What may not be written. JSON is read as what it says: its signs between two values are no words of a text."""
    value = _structure(name, text)
    return guard.leaks(text) if value is None else guard.leaks_in(value)


def _structure(name: str, text: str) -> Json:
    """What a file of JSON holds, whatever its name; None for any other."""
    if not (name.endswith(_JSON) or text[:1] == "{"):
        return None
    try:
        value: Json = json.loads(text)
    except ValueError:
        return None
    return value


def _links(folder: Path, names: Iterable[str]) -> list[Problem]:
    """A problem for the folder, and for every place of an output and folder around it, that is a symbolic link."""
    if folder.is_symlink():
        return [_link(folder)]
    inside = [PurePosixPath(name) for name in names if is_inside(name)]
    places = dict.fromkeys(folder / part for path in inside for part in (*reversed(path.parents[:-1]), path))
    return [_link(place) for place in places if place.is_symlink()]


def _link(place: Path) -> Problem:
    found = "the output would be written where a symbolic link leads"
    return Problem(code="output-link", found=found, file=str(place), advice="Remove the link, or choose another place")


def require_no_link(place: Path) -> None:
    """Nothing, when the place of an output is no symbolic link.

    Raises:
        BadInput: it is one.
    """
    if place.is_symlink():
        raise BadInput([_link(place)])


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
