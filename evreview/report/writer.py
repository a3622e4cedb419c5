"""[I/O] Writes outputs, all of them or none: into a new folder, at one place, or in place of an earlier review's."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.temporary_folder import TemporaryFolder
from evreview.core.vocabulary import Json
from evreview.redaction.detector import Clean, RedactionFinding
from evreview.redaction.redactor import Redactor

_JSON: Final = (".json", ".ipynb", ".sarif")


def write_outputs(
    folder: Path,
    files: Mapping[str, Clean | bytes],
    *,
    redactor: Redactor | None = None,
    remove: Sequence[str] = (),
    keep: Mapping[str, str] | None = None,
) -> tuple[Path, ...]:
    """Writes every file under `folder` and returns their paths, in the order given.

    All are written and synced beside their place first, then moved there; a failure before the last move puts back what
    was there. Line ends are `\\n`, the encoding is UTF-8.

    Args:
        folder: made when it does not exist.
        files: name relative to the folder, POSIX separators; text passes the final leak check, bytes that are text too.
        redactor: what has been learnt to redact; the detectors alone when it is not given.
        remove: names of files that go in the same step; a folder that this empties goes too.
        keep: files that are replaced and stay under another name of the same folder, by name.

    Raises:
        BadInput: a name leaves the folder, a text still leaks, or the folder can't be written; nothing was changed.
    """
    problems = [problem for name, body in files.items() for problem in _problems(name, body, redactor or Redactor())]
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
    missing = _missing(folder)
    there = missing[-1].parent if missing else folder
    try:
        # What is missing is made where it goes again, with all the rest, even after a signal.
        with TemporaryFolder(".evreview-", there) as attempt:
            (attempt / folder.relative_to(there)).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise _not_writable(folder, fault) from None


def _not_writable(folder: Path, fault: OSError) -> BadInput:
    found = f"the outputs can't be written: {fault.strerror}"
    return BadInput([Problem(code="not-writable", found=found, file=str(folder), advice="Choose another with -o")])


def _problems(name: str, body: Clean | bytes, redactor: Redactor) -> list[Problem]:
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
        for leak in _leaks(name, text, redactor)
    ]


def settled(name: str, body: Clean | bytes, redactor: Redactor) -> Clean | bytes:
    """The body as it may be written: parts that were cleaned one by one can tell more when they stand together."""
    text = _text(body)
    if text is None or not _leaks(name, text, redactor):
        return body
    value = _structure(name, text)
    if value is None:
        clean = redactor.clean(text)
    else:
        whole = redactor.clean_json(value, signs=str)
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


def _leaks(name: str, text: str, redactor: Redactor) -> tuple[RedactionFinding, ...]:
    """What may not be written. JSON is read as what it says: its signs between two values are no words of a text."""
    value = _structure(name, text)
    return redactor.leaks(text) if value is None else redactor.leaks_in(value)


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
    made = [part for name in files for part in _missing((folder / name).parent)] or _missing(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFolder(".evreview-", folder) as work:
            ready = [
                (_written(work / f"new-{index}", body), folder / name, folder / keep[name] if name in keep else None)
                for index, (name, body) in enumerate(files.items())
            ]
            _move(work, ready, [folder / name for name in remove])
    except BaseException:
        _remove_empty(made)
        raise
    _drop_empty(folder, remove)
    _sync(folder)
    return tuple(target for _, target, _ in ready)


def _move(work: Path, ready: Sequence[tuple[Path, Path, Path | None]], remove: Sequence[Path]) -> None:
    """Each file at its place, or all that was there back at its own."""
    moved: list[tuple[Path, Path | None]] = []
    try:
        for index, (source, target, beside) in enumerate(ready):
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{target.name} is a folder")
            target.parent.mkdir(parents=True, exist_ok=True)
            kept = beside or (work / f"old-{index}" if target.exists() else None)
            # Noted first: a signal may come between any two steps, and what was not moved yet is not put back.
            moved.append((target, kept))
            if kept is not None:
                target.replace(kept)
            source.replace(target)
        for index, target in enumerate(remove):
            gone = work / f"gone-{index}"
            moved.append((target, gone))
            target.replace(gone)
    except BaseException:
        _put_back(moved)
        raise


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


# One output at the place that the user named: a file, a pipe, or a device.


def require_apart(output: Path, inputs: Sequence[Path]) -> None:
    """Nothing, when the output is none of the inputs, also not by another name, and no file that one of them holds.

    Raises:
        BadInput: it is one of them.
    """
    for given in inputs if output.exists() and not _is_stream(output) else ():
        held = given.is_dir() and output.resolve().is_relative_to(given.resolve())
        if held or (given.exists() and output.samefile(given)):
            advice = "Nothing was written. Choose another file with -o"
            raise bad_input(
                "output-is-input", f"the output would overwrite the input {given}", file=str(output), advice=advice
            )


def require_new(output: Path, bundle: Path, body: Clean | bytes) -> None:
    """Nothing, when the output is no evidence and replaces no file with other content.

    Raises:
        BadInput: it stands in the bundle's folder, or such a file is there.
    """
    if output.resolve().is_relative_to(bundle.resolve()):
        advice = "Nothing was written. Choose a place outside of the bundle with -o"
        raise bad_input(
            "output-in-bundle", "the output would stand among the evidence", file=str(output), advice=advice
        )
    if _is_stream(output) or output.is_symlink() or not output.is_file() or output.read_bytes() == as_bytes(body):
        return
    advice = "Nothing was written. Remove it, or choose another with -o"
    raise bad_input("output-exists", "a file with other content is there", file=str(output), advice=advice)


def deliver(output: Path, body: Clean | bytes, *, redactor: Redactor | None = None) -> None:
    """Write the body: into a pipe or character device as it is, otherwise whole or not at all.

    A symbolic link is not followed, but to a pipe or device.

    Args:
        output: where.
        body: what.
        redactor: what has been learnt to redact; the detectors alone when it is not given.

    Raises:
        BadInput: it can't be written, is a link, or still leaks; a file that was there is as it was.
    """
    try:
        if _is_stream(output):
            with output.open("wb") as stream:
                stream.write(as_bytes(body))
            return
        require_no_link(output)
        odd = output.exists() and not output.is_file() and not output.is_dir()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise bad_input(
            "not-writable",
            f"the output can't be written: {fault.strerror}",
            file=str(output),
            advice="Choose another with -o",
        ) from None
    if odd:
        advice = "Name a file, a pipe or a character device"
        raise bad_input(
            "not-writable", "the output can't be written: this is a special file", file=str(output), advice=advice
        )
    keeper = redactor or Redactor()
    write_outputs(output.parent, {output.name: settled(output.name, body, keeper)}, redactor=keeper)


def _is_stream(path: Path) -> bool:
    """True for a named pipe or a character device, also behind links."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


# The outputs of one review in place of an earlier one's, so that a folder never shows two at once.
#
# Beside the outputs stands a manifest with the digest of each. What an earlier manifest names and the new outputs
# don't have is removed in the same step; a file that anybody changed since is no longer evreview's and stays, under
# another name where an output takes its place.


MANIFEST: Final = "manifest.json"
SCHEMA: Final = "evreview.files/1"


@frozen
class Replaced:
    """What was written: names, sorted; and the files of others that had such a name, by the name that they have now."""

    names: tuple[str, ...]
    kept: tuple[str, ...]


def replace_outputs(folder: Path, files: Mapping[str, Clean | bytes], *, redactor: Redactor | None = None) -> Replaced:
    """Writes the files and their manifest, removes what an earlier review left there, keeps what others wrote.

    Args:
        folder, files, redactor: as for `write_outputs`; a manifest among the files is written anew.

    Raises:
        BadInput: as for `write_outputs`; nothing was changed then.
    """
    keeper = redactor or Redactor()
    bodies = {name: settled(name, body, keeper) for name, body in files.items() if name != MANIFEST}
    digests = {name: hashlib.sha256(as_bytes(body)).hexdigest() for name, body in sorted(bodies.items())}
    manifest = json.dumps({"schema": SCHEMA, "files": digests}, ensure_ascii=False, indent=2) + "\n"
    every: dict[str, Clean | bytes] = {**bodies, MANIFEST: manifest.encode()}
    keep = {name: _free(folder, name) for name in every if _is_foreign(folder, name, every[name])}
    write_outputs(folder, every, redactor=keeper, remove=_left_over(folder, every), keep=keep)
    return Replaced(tuple(sorted(every)), tuple(sorted(keep.values())))


def withdraw_outputs(folder: Path) -> tuple[str, ...]:
    """Removes what an earlier review left in the folder, so that it does not pass for the result of one that failed.

    What anybody changed since stays.

    Returns:
        The names that went, sorted.
    """
    names = _left_over(folder, ())
    if not names:
        return ()
    gone = (*names, MANIFEST)
    write_outputs(folder, {}, remove=gone)
    return gone


def _is_foreign(folder: Path, name: str, body: Clean | bytes) -> bool:
    """True for a file in an output's place that no earlier review left there as it is."""
    path = folder / name
    if not is_inside(name) or not path.exists() or path.is_dir():
        return False
    if name == MANIFEST:
        return not recorded(folder) and _digest(folder, name) != hashlib.sha256(as_bytes(body)).hexdigest()
    return _digest(folder, name) not in (recorded(folder).get(name), hashlib.sha256(as_bytes(body)).hexdigest())


def _free(folder: Path, name: str) -> str:
    """A name beside a file that nothing has."""
    tried = (f"{name}.kept" + (f"-{number}" if number > 1 else "") for number in count(1))
    return next(each for each in tried if not (folder / each).exists() and not (folder / each).is_symlink())


def _left_over(folder: Path, new: Collection[str]) -> tuple[str, ...]:
    """The outputs of an earlier review that are as it wrote them and that the new one doesn't have."""
    return tuple(
        name
        for name, digest in sorted(recorded(folder).items())
        if name not in new and is_inside(name) and _digest(folder, name) == digest
    )


def recorded(folder: Path) -> Mapping[str, str]:
    """The digest of each file that the folder's manifest names; none without a manifest."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
        files = found["files"] if found["schema"] == SCHEMA else {}
        return {str(name): str(digest) for name, digest in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _digest(folder: Path, name: str) -> str:
    """Of a regular file that no symbolic link leads to, "" of anything else."""
    path = folder / name
    try:
        if path.is_symlink() or not path.is_file() or path.resolve() != folder.resolve() / name:
            return ""
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
