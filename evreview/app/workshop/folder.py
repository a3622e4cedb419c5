"""[I/O] The folder of a workshop: the evidence in a copy, changed copies of it, and which exercises are solved."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Final

from evreview.app.workshop.exercise import TextChange
from evreview.core.assets import demo_bundle
from evreview.core.errors import BadInput, bad_input
from evreview.evidence.bundle_folder import REVIEW
from evreview.evidence.files import read_bytes, read_inside, replace_whole

NOTEBOOK: Final = "workshop.ipynb"
PROGRESS: Final = "progress.json"
COPIES: Final = "copies"
SCHEMA: Final = "evreview.workshop/1"


def lay_out(folder: Path, workflow: str, notebook: str) -> None:
    """Put the bundled evidence and the notebook into a new folder.

    Raises:
        BadInput: there is such a folder, or it can't be made.
    """
    if folder.exists() or folder.is_symlink():
        found, advice = "there is such a folder, and no workshop in it", "Move it away, or start elsewhere"
        raise bad_input("folder-exists", found, file=str(folder), advice=advice)
    try:
        shutil.copytree(demo_bundle(workflow), evidence(folder, workflow))
    except OSError as error:
        raise bad_input("not-writable", f"the folder can't be made: {error.strerror}", file=str(folder)) from None
    replace_whole(folder / NOTEBOOK, notebook.encode())


def evidence(folder: Path, workflow: str) -> Path:
    """Where the copy of the bundle stands."""
    return folder / demo_bundle(workflow).name


def changed_copy(folder: Path, workflow: str, name: str, change: TextChange) -> Path:
    """A copy of the bundled evidence with one text of one file changed, and the file's digest stated anew.

    Raises:
        BadInput: there is no such file or text, or the copy can't be written.
    """
    source, target = demo_bundle(workflow), folder / COPIES / name
    before = read_inside(source, change.file)
    after = before.replace(change.old.encode(), change.new.encode()) if change.old else before
    if after == before:
        found, advice = "the text that was to be changed does not stand there", "Copy it from the file, exactly"
        raise bad_input("text-missing", found, file=change.file, advice=advice)
    try:
        if target.exists():
            shutil.rmtree(target)
        shutil.copytree(source, target)
    except OSError as error:
        raise bad_input("not-writable", f"the copy can't be made: {error.strerror}", file=name) from None
    replace_whole(target / change.file, after)
    if change.file != REVIEW:
        stated, digests = read_inside(target, REVIEW), [hashlib.sha256(each).hexdigest() for each in (before, after)]
        replace_whole(target / REVIEW, stated.replace(digests[0].encode(), digests[1].encode()))
    return target


def solved(folder: Path) -> frozenset[int]:
    """The exercises that are noted as solved; none where nothing readable is noted."""
    try:
        noted = json.loads(read_bytes(folder / PROGRESS, PROGRESS))["solved"]
        return frozenset(number for number in noted if type(number) is int)
    except (BadInput, ValueError, KeyError, TypeError, RecursionError):
        return frozenset()


def note_solved(folder: Path, workflow: str, numbers: Collection[int]) -> None:
    """Note which exercises are solved, for when the notebook is opened again.

    Raises:
        BadInput: the folder can't be written.
    """
    noted = {"schema": SCHEMA, "workflow": workflow, "solved": sorted(numbers)}
    replace_whole(folder / PROGRESS, (json.dumps(noted) + "\n").encode())
