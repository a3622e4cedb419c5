"""[I/O] The files of a bundle's folder: read as bytes and values; one decision or another day written, whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import place
from evreview.core.vocabulary import Json
from evreview.core.yaml_text import as_yaml, indented
from evreview.evidence.files import only_writer, read_inside, replace_whole, require_folder, text_of
from evreview.evidence.records.review import Decisions, Entry
from evreview.evidence.typed_reader import named_items, read_model

REVIEW: Final = "review.yaml"
DECISIONS: Final = "decisions.yaml"


def folder_of(path: str | Path) -> Path:
    """The bundle's folder; its `review.yaml` stands for it."""
    given = Path(path)
    return given.parent if given.name == REVIEW else given


def workflow_of(path: str | Path) -> str:
    """The workflow that a bundle states, in lower case; `w1` when it can't be told, whose run then says why."""
    try:
        _, raw = read_yaml(folder_of(path), REVIEW)
    except BadInput:
        return "w1"
    named = raw.get("workflow")
    return named if isinstance(named, str) and named in ("w1", "w2", "w3") else "w1"


def read_yaml(root: Path, name: str) -> tuple[bytes, Mapping[str, Json]]:
    """Bytes and parsed mapping of a YAML file of the folder.

    Raises:
        BadInput: there is no such folder or file, or it holds no mapping.
    """
    require_folder(root, REVIEW)
    data = read_inside(root, name)
    text_of(data, name)
    value = parse_text(data, name) if data.strip() else None
    if value is None:
        value = {}
    if not isinstance(value, Mapping):
        raise BadInput([Problem(code="wrong-type", found="the document is no mapping", file=name, place="#")])
    return data, value


def read_decisions(raw: Json) -> tuple[Decisions | None, tuple[Problem, ...]]:
    """The typed decisions of a parsed file and what is wrong; `decisions:` with nothing after it is an empty list."""
    if isinstance(raw, Mapping) and raw.get("decisions", ()) is None:
        raw = {**raw, "decisions": []}
    decisions, problems = read_model(Decisions, raw, file=DECISIONS)
    return (None if problems else decisions), problems


@dataclass(frozen=True, slots=True)
class StatedId:
    """An id and the index of the entry that states it."""

    index: int
    id: str


def stated(raw: Mapping[str, Json]) -> Iterator[StatedId]:
    """Every id that the list states, also in entries that are wrong in other ways."""
    listed = raw.get("evidence")
    for index, value in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(value, Mapping) and isinstance(value.get("id"), str):
            yield StatedId(index, str(value["id"]))


def stated_ids(raw: Mapping[str, Json]) -> frozenset[str]:
    """Every id that a parsed `review.yaml` states."""
    return frozenset(one.id for one in stated(raw))


def with_lines(problems: Iterable[Problem], file: str, data: bytes) -> tuple[Problem, ...]:
    """The problems, those of one file with the line of their place."""
    return tuple(
        replace(problem, line=line_of(data, problem.place[1:]))
        if problem.file == file and problem.place.startswith("#/") and problem.line is None
        else problem
        for problem in problems
    )


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


_DAY: Final = re.compile(rb"^as_of:[ \t]*(?:'[^'\n]*'|\"[^\"\n]*\"|[^#\s]+)", re.MULTILINE)


def set_review_date(path: str | Path, day: str) -> None:
    """Judge the bundle's review for another day: `as_of` in `review.yaml`; every other byte stays.

    Args:
        path: the bundle's folder.
        day: ISO.

    Raises:
        BadInput: the file can't be read or written, or does not state the day on a line of its own.
    """
    root = folder_of(path)
    with only_writer(root):
        before = read_inside(root, REVIEW)
        after, changed = _DAY.subn(f"as_of: '{day}'".encode(), before)
        old, new = parse_text(before, REVIEW), parse_text(after, REVIEW) if changed == 1 else None
        if not isinstance(old, Mapping) or not isinstance(new, Mapping) or new != {**old, "as_of": day}:
            advice = f"Write as_of: '{day}' in {REVIEW} yourself"
            raise bad_input(
                "not-dated", "the file does not state as_of on one line of its own", file=REVIEW, advice=advice
            )
        replace_whole((root / REVIEW).resolve(), after)


def _checked(entry: Entry | Mapping[str, Json], known: frozenset[str]) -> Entry:
    """The entry as a record whose items exist."""
    stated = dict(entry) if isinstance(entry, Mapping) else entry.model_dump(mode="json")
    plain: Json = json.loads(json.dumps(stated, default=str))
    record, problems = read_model(Decisions, {"decisions": [plain]}, file="the new entry")
    if record is None or problems:
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
