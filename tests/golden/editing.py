"""Edits of a bundle, and the bundle that comes of them.

Digests of edited files are renewed, so that a variant fails for what it varies and for nothing else.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evreview.core.document_text import parse_text
from tests.sealing import answer


@dataclass(frozen=True, slots=True)
class Set:
    """Give the value at a pointer of a file; list entries may be named by their `id`."""

    file: str
    pointer: str
    value: Any


@dataclass(frozen=True, slots=True)
class Delete:
    """Take out what stands at a pointer of a file."""

    file: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Append:
    """Add an entry to the list at a pointer of a file."""

    file: str
    pointer: str
    value: Any


@dataclass(frozen=True, slots=True)
class Replace:
    """Change the text of a file, exactly once."""

    file: str
    old: str
    new: str


Edit = Set | Delete | Append | Replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One golden run.

    Attributes:
        name: the folder of its expected files, and the test's id.
        edits: what is changed in the demo, in order.
        step, state: the last step and how it ended.
        code: the failure code that the run carries, "" for none.
        exit_status: of `evreview run`.
        gates: the state of each gate that the run reached, by id.
    """

    name: str
    edits: tuple[Edit, ...]
    step: int
    state: str
    exit_status: int
    code: str = ""
    gates: Mapping[str, str] | None = None


def stopped(name: str, step: int, code: str, *edits: Edit) -> Variant:
    return Variant(name=name, edits=edits, step=step, state="stop", code=code, exit_status=3)


def remains(name: str, step: int, *edits: Edit, code: str = "", gates: Mapping[str, str] | None = None) -> Variant:
    return Variant(name=name, edits=edits, step=step, state="remain", code=code, exit_status=4, gates=gates)


def build(variant: Variant, demo: Path, folder: Path) -> Path:
    """The variant's bundle in `folder`, with the digests of edited files renewed."""
    shutil.copytree(demo, folder)
    for edit in variant.edits:
        _apply(folder, edit)
    answer(folder, demo)
    return folder


def _apply(folder: Path, edit: Edit) -> None:
    path = folder / edit.file
    before = path.read_bytes()
    if isinstance(edit, Replace):
        text = before.decode()
        assert edit.old in text, f"{edit.file} does not hold {edit.old!r}"
        after = text.replace(edit.old, edit.new).encode()
    else:
        after = _edited(before, edit)
    path.write_bytes(after)
    review = folder / "review.yaml"
    if path != review:
        review.write_text(review.read_text().replace(sha(before), sha(after)))


def _edited(data: bytes, edit: Set | Delete | Append) -> bytes:
    """The document with one edit, as JSON, which every YAML reader reads."""
    document = json.loads(json.dumps(parse_text(data, edit.file)))
    *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in edit.pointer.split("/")[1:]]
    holder = document
    for step in steps:
        holder = holder[_key(holder, step)]
    match edit:
        case Set():
            holder[_key(holder, last)] = edit.value
        case Delete():
            del holder[_key(holder, last)]
        case Append():
            holder[_key(holder, last)].append(edit.value)
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


def _key(holder: Any, step: str) -> Any:
    if not isinstance(holder, list):
        return step
    named = [place for place, entry in enumerate(holder) if isinstance(entry, dict) and entry.get("id") == step]
    return named[0] if named else int(step)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
