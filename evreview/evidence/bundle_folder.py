"""[I/O] The files of a bundle's folder as bytes and parsed values, and the ids that its evidence list states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import Json
from evreview.evidence.files import read_inside, require_folder, text_of
from evreview.evidence.records.review import Decisions
from evreview.evidence.typed_reader import read_model

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
    return read_model(Decisions, raw, file=DECISIONS)


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
