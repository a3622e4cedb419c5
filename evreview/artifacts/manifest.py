"""[door] Writes the outputs of one review in place of an earlier one's, so that a folder never shows two at once.

Beside the outputs stands a manifest with the digest of each. What an earlier manifest names and the new outputs don't
have is removed in the same step; a file that anybody changed since is no longer evreview's and stays, under another
name where an output takes its place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Guard
from evreview.report.writer import as_bytes, is_inside, settled, write_outputs

MANIFEST: Final = "manifest.json"
SCHEMA: Final = "evreview.files/1"


@dataclass(frozen=True, slots=True)
class Replaced:
    """What was written: names, sorted; and the files of others that had such a name, by the name that they have now."""

    names: tuple[str, ...]
    kept: tuple[str, ...]


def replace_outputs(folder: Path, files: Mapping[str, Clean | bytes], *, guard: Guard | None = None) -> Replaced:
    """Writes the files and their manifest, removes what an earlier review left there, keeps what others wrote.

    Args:
        folder, files, guard: as for `write_outputs`; a manifest among the files is written anew.

    Raises:
        BadInput: as for `write_outputs`; nothing was changed then.
    """
    keeper = guard or Guard()
    bodies = {name: settled(name, body, keeper) for name, body in files.items() if name != MANIFEST}
    digests = {name: hashlib.sha256(as_bytes(body)).hexdigest() for name, body in sorted(bodies.items())}
    manifest = json.dumps({"schema": SCHEMA, "files": digests}, ensure_ascii=False, indent=2) + "\n"
    every: dict[str, Clean | bytes] = {**bodies, MANIFEST: manifest.encode()}
    keep = {name: _free(folder, name) for name in every if _is_foreign(folder, name, every[name])}
    write_outputs(folder, every, guard=keeper, remove=_left_over(folder, every), keep=keep)
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
