"""[I/O] Appends one decision to `decisions.yaml`, whole or not at all, and leaves what stands there untouched."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import place
from evreview.core.vocabulary import Json
from evreview.core.yaml_text import as_yaml, indented
from evreview.evidence.bundle_folder import DECISIONS, REVIEW, folder_of, read_decisions, read_yaml, stated_ids
from evreview.evidence.files import only_writer, read_inside, replace_whole
from evreview.evidence.records.review import Decisions, Entry
from evreview.evidence.typed_reader import named_items, read_model

DASH: Final = re.compile(rb"^( *)- ?", re.MULTILINE)
_LIST: Final = re.compile(rb"^decisions:[ \t]*(?P<empty>\[[ \t]*\]|null|~)?[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)


def append_decision(path: str | Path, entry: Entry | Mapping[str, Json]) -> Entry:
    """The entry as recorded at the end of the bundle's `decisions.yaml`.

    What stood there stays byte for byte, comments included (an empty list is opened). Writers wait for each other.

    Args:
        path: the bundle's folder.
        entry: an approval, disposition or note, or the mapping that says the same.

    Raises:
        BadInput: the entry or the file is wrong, the entry names items that nobody supplied, or the file can't be
            appended to; nothing was written then.
    """
    root = folder_of(path)
    _, raw = read_yaml(root, REVIEW)
    new = _checked(entry, stated_ids(raw))
    stated: dict[str, Json] = {"kind": new.kind, **new.model_dump(mode="json", exclude_defaults=True)}
    with only_writer(root):
        target = root / DECISIONS
        there = target.exists() or target.is_symlink()
        before = read_inside(root, DECISIONS) if there else b""
        old = _entries(before)
        after = _appended(before, as_yaml(stated))
        if not _holds(after, [*old, stated]):
            advice = "Write `decisions:` and a list with one `- ` per entry, at the end of the file"
            raise bad_input("not-appendable", "the file's form allows no appending", file=DECISIONS, advice=advice)
        replace_whole(target.resolve() if there else target, after)
    return new


def _checked(entry: Entry | Mapping[str, Json], known: frozenset[str]) -> Entry:
    """The entry as a record whose items exist."""
    stated = dict(entry) if isinstance(entry, Mapping) else entry.model_dump(mode="json")
    plain: Json = json.loads(json.dumps(stated, default=str))
    record, problems = read_model(Decisions, {"decisions": [plain]}, file="the new entry")
    if record is None:
        raise BadInput(problems)
    unknown = [
        Problem(code="unknown-item", found=f"`{name}` is no evidence item", file="the new entry", place=place(steps))
        for steps, name in named_items(record)
        if name not in known
    ]
    if unknown:
        raise BadInput(unknown)
    return record.decisions[0]


def _entries(data: bytes) -> list[Json]:
    """The entries of a decisions file.

    Raises:
        BadInput: it is not a valid one.
    """
    raw = parse_text(data, DECISIONS) if _without_comments(data).strip() else {}
    record, problems = read_decisions(raw)
    if record is None:
        raise BadInput(problems)
    listed = raw.get("decisions") if isinstance(raw, Mapping) else None
    return list(listed) if isinstance(listed, list) else []


def _holds(data: bytes, wanted: list[Json]) -> bool:
    """True when the file would hold these entries and nothing else."""
    try:
        return _entries(data) == wanted
    except BadInput:
        return False


def _without_comments(data: bytes) -> bytes:
    return re.sub(rb"(?m)^\s*#.*$|^---\s*$", b"", data)


def _appended(before: bytes, entry: str) -> bytes:
    """The file with the entry at its end, in the indentation that its list has."""
    end = b"\r\n" if b"\r\n" in before else b"\n"
    if before and not before.endswith(b"\n"):
        before += end
    head = _LIST.search(before)
    if head is None:
        return before + b"decisions:" + end + indented(entry, 2, end)
    if head["empty"] is not None:
        before = before[: head.start("empty")] + before[head.end("empty") :]
        return before + indented(entry, 2, end)
    dash = DASH.search(before, head.end())
    return before + indented(entry, len(dash[1]) if dash else 2, end)
