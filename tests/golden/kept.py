"""Golden folders: what a run writes beside what is kept of it; rewritten when asked, and then a person reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evreview.app.workbench import outputs
from evreview.workflows.session import Review


def written(review: Review, kept: Sequence[str]) -> Mapping[str, str]:
    """The kept outputs of a review, by file name without folders."""
    files = outputs(review, [], 1)
    return {Path(file).name: files[file] for file in kept if file in files}


def expected(folder: Path, found: Mapping[str, str], *, rewrite: bool) -> Mapping[str, str]:
    """What the folder holds, after it was made to hold what was found when that is asked for."""
    if rewrite:
        folder.mkdir(parents=True, exist_ok=True)
        for old in set(folder.iterdir()) - {folder / file for file in found}:
            old.unlink()
        for file, text in found.items():
            (folder / file).write_text(text, encoding="utf-8", newline="")
    return {file.name: file.read_bytes().decode() for file in folder.iterdir()}
