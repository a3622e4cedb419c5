"""[I/O] The pairs that a batch is asked for: those of a list, or each two successive versions in a clone."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from evreview.app.batch.storage import is_url
from evreview.app.batch.task import MOST_NAME, PairTask
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import ContractKind
from evreview.evidence.files import read_bytes, text_of

NEEDED: Final = ("name", "released", "candidate")
OPTIONAL: Final = ("kind", "contract")
FORMS: Final = (".csv", ".json", ".parquet")


def read_pairs(path: Path) -> tuple[PairTask, ...]:
    """The pairs of a list; a relative path in it is named from the list's folder.

    Raises:
        BadInput: every problem of the list.
    """
    if path.suffix.lower() not in FORMS:
        raise bad_input(
            "pairs-format", "the list has no known ending", file=str(path), advice=f"Use {', '.join(FORMS)}"
        )
    data = read_bytes(path, str(path))
    rows = _rows(path, data)
    problems = [*_problems(rows, str(path))]
    if problems:
        raise BadInput(problems)
    positions: Counter[str] = Counter()
    tasks = []
    for _, row in rows:
        contract = row.get("contract") or row["name"]
        tasks.append(
            PairTask(
                name=row["name"],
                released=_place(path, row["released"]),
                candidate=_place(path, row["candidate"]),
                kind=row.get("kind", ""),
                contract=contract,
                position=positions[contract],
            )
        )
        positions[contract] += 1
    return tuple(tasks)


def _place(path: Path, place: str) -> str:
    return place if is_url(place) else str((path.parent / place).absolute())


Rows = Sequence[tuple[str, Mapping[str, str]]]
"""The place of each row in its file, and its fields as texts without space around them."""


def _rows(path: Path, data: bytes) -> Rows:
    """The rows of a list.

    Raises:
        BadInput: it can't be parsed.
    """
    ending = path.suffix.lower()
    if ending == ".csv":
        lines = csv.DictReader(io.StringIO(text_of(data, str(path))))
        return [(f"line {lines.line_num}", _texts(row)) for row in lines]
    rows = _parquet(path, data) if ending == ".parquet" else _parsed(path, data)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        advice = "Write a list of objects with name, released, candidate"
        raise bad_input("pairs-format", "this is no list of objects", file=str(path), advice=advice)
    return [(f"#/{at}", _texts(row)) for at, row in enumerate(rows)]


def _parsed(path: Path, data: bytes) -> Any:
    try:
        return json.loads(text_of(data, str(path)))
    except (ValueError, RecursionError):
        raise bad_input("pairs-format", "this is no JSON", file=str(path)) from None


def _parquet(path: Path, data: bytes) -> Any:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        advice = "Install it with: pip install 'evreview[parquet]'"
        raise bad_input("parquet-not-installed", "a list in parquet needs pyarrow", advice=advice) from None
    try:
        return parquet.read_table(io.BytesIO(data)).to_pylist()
    except (pyarrow.ArrowException, OSError):
        raise bad_input("pairs-format", "this is no parquet", file=str(path)) from None


def _texts(row: Mapping[Any, Any]) -> dict[str, str]:
    return {str(name): str(value).strip() for name, value in row.items() if value is not None}


def _problems(rows: Rows, file: str) -> Iterator[Problem]:
    if not rows:
        yield Problem(code="pairs-empty", found="the list has no pair", file=file)
    names = Counter(row.get("name", "") for _, row in rows)
    for place, row in rows:
        lacking = [name for name in NEEDED if not row.get(name)]
        if lacking:
            advice = f"Each pair has {', '.join(NEEDED)}; {' and '.join(OPTIONAL)} are optional"
            yield Problem(
                code="pair-incomplete", found=f"no {', '.join(lacking)}", file=file, place=place, advice=advice
            )
        name = row.get("name", "")
        if name and names[name] > 1:
            yield Problem(code="pair-twice", found=f"{names[name]} pairs have this name", file=file, place=place)
        if len(name) > MOST_NAME:
            yield Problem(code="pair-name", found=f"a name of more than {MOST_NAME} characters", file=file, place=place)
        if row.get("kind", "") not in ("", *ContractKind):
            advice = f"Use one of {', '.join(ContractKind)}, or leave it empty"
            yield Problem(code="kind-unknown", found="there is no such kind", file=file, place=place, advice=advice)


# Successive versions of the contracts of a clone.


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedContracts:
    """Which contracts of a clone are asked for, and which tags are their versions."""

    repository: Path
    contract: str
    tags: str
    kind: str = ""


def tagged_pairs(asked: TaggedContracts) -> tuple[PairTask, ...]:
    """Each contract that the glob names, at each tag with the tag before it at which the contract is there.

    Raises:
        BadInput: there is no clone, no two tags, or no contract at two of them.
    """
    from evreview.evidence.repository import Commits

    commits = Commits.of(asked.repository)
    tags = commits.tags(asked.tags)
    homes: dict[str, list[str]] = {}
    for tag in tags:
        for path in _named(commits.files(commits.commit(tag)), asked.contract):
            homes.setdefault(path, []).append(tag)
    tasks = tuple(
        PairTask(
            name=f"{path} {released}..{candidate}",
            released=f"{released}:{path}",
            candidate=f"{candidate}:{path}",
            kind=asked.kind,
            contract=path,
            position=position,
            repository=str(asked.repository.absolute()),
        )
        for path, at in sorted(homes.items())
        for position, (released, candidate) in enumerate(pairwise(at))
    )
    if not tasks:
        found = f"no contract {asked.contract} at two of {len(tags)} tags {asked.tags}"
        advice = "`evreview contracts --at TAG` lists what is there; a folder ends with /"
        raise bad_input("pairs-empty", found, file=str(asked.repository), advice=advice)
    return tasks


def _named(files: Sequence[str], glob: str) -> Iterator[str]:
    """The files that a glob names; for one that ends with `/` the folders."""
    if not glob.endswith("/"):
        yield from (name for name in files if fnmatchcase(name, glob))
        return
    folders = {name[: at + 1] for name in files for at, sign in enumerate(name) if sign == "/"}
    yield from sorted(folder for folder in folders if fnmatchcase(folder, glob))
