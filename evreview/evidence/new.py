"""[door] Writes a new bundle to fill in."""

from __future__ import annotations

from pathlib import Path

from evreview.errors import bad_input
from evreview.evidence.files import replace_whole
from evreview.evidence.scaffold import scaffold


def new_bundle(workflow: str, folder: str | Path) -> tuple[Path, ...]:
    """The files of a new bundle of `w1`, `w2` or `w3`, written into a new or empty folder.

    Raises:
        BadInput: there is no such workflow, or the folder is not empty or can't be written.
    """
    texts, target = scaffold(workflow), Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            advice = "Name a new folder; nothing is overwritten"
            raise bad_input("folder-not-empty", "the folder is not empty", file=str(folder), advice=advice)
    except OSError as error:
        raise bad_input("not-writable", f"the folder can't be made: {error.strerror}", file=str(folder)) from None
    for name, text in texts.items():
        replace_whole(target / name, text.encode())
    return tuple(target / name for name in texts)
