"""A comparison in the formats of `evreview diff`. Every text in them passed the guard, value by value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Protocol

from evreview.artifacts.exact_json import Signs, exact_json, exactly
from evreview.artifacts.ledger_secrets import learnt
from evreview.artifacts.ledger_words import Document, indented
from evreview.contract.model import Place
from evreview.core.control_characters import marked
from evreview.core.errors import bad_input
from evreview.core.vocabulary import ContractKind, Json, Verdict
from evreview.kinds.load import folder_of
from evreview.redaction.detector import Clean, Kind, placeholder
from evreview.redaction.redactor import Guard

if TYPE_CHECKING:
    import pandas as pd

SIDES: Final = ("released", "candidate")
FORMATS: Final = ("table", "json", "csv", "parquet", "markdown", "sarif", "github")


Lines = Callable[[str, str], int | None]
"""The line, from 1, of a side (`released`, `candidate`) and a location in it (`file#/pointer`); None when unknown."""


class Compared(Protocol):
    """What a format needs of a comparison."""

    def to_dict(self) -> Document:
        """The object that `evreview diff --format json` prints."""

    @property
    def frame(self) -> pd.DataFrame:
        """One row per difference."""


def render(
    comparison: Compared,
    fmt: str,
    *,
    width: int | None = None,
    guard: Guard | None = None,
    lines: Lines | None = None,
) -> Clean | bytes:
    """The comparison in one format, ending with a line end; parquet as bytes.

    Args:
        comparison: the ledger with verdicts and proofs.
        fmt: one of `FORMATS`.
        width: the terminal's width, for a coloured `table`; without it the table is plain text.
        guard: what has been learnt to redact; the detectors alone when it is not given.
        lines: tells the lines that `sarif` and `github` name.

    Raises:
        BadInput: there is no such format, or `parquet` is asked and its library is not installed.
    """
    if fmt not in FORMATS:
        raise bad_input("unknown-format", f"there is no format {fmt!r}", advice=f"Use one of {', '.join(FORMATS)}")
    plain = comparison.to_dict()
    keeper = learnt(plain, guard or Guard())
    if fmt in ("csv", "parquet"):
        from evreview.artifacts.ledger_columns import csv_text, parquet_bytes

        rows: Any = _placed(plain, marked)["rows"]
        return (csv_text if fmt == "csv" else parquet_bytes)(comparison.frame, rows, keeper)
    if fmt == "json":
        return exact_json(_shortened(_placed(plain, exactly(keeper))), keeper)
    placed = _placed(plain, marked, lines if fmt in ("sarif", "github") else None)
    document = keeper.clean_json(placed, signs=marked)
    assert isinstance(document, Mapping)
    return Clean(_written(document, fmt, width))


def _shortened(document: dict[str, Json]) -> dict[str, Json]:
    """The document; what a compatible row of a library reaches beside its own name is counted, and not listed.

    A member of a base class reaches every class that inherits it: these names were the half of large ledgers.
    """
    rows = document["rows"]
    assert isinstance(rows, list)
    return {**document, "rows": [_counted(row) for row in rows]}


def _counted(row: Document) -> dict[str, Json]:
    told = dict(row)
    if row.get("kind") != ContractKind.PYTHON or row.get("verdict") != Verdict.COMPATIBLE:
        return told
    reached = row.get("operations") or []
    kept = [name for name in reached if name == row.get("operation")]
    if len(kept) < len(reached):
        told |= {"operations": kept, "operations_left_out": len(reached) - len(kept)}
    return told


def _written(document: Document, fmt: str, width: int | None) -> str:
    """The document in a format that is made from its rows; a format's libraries are loaded only for it."""
    if fmt == "table":
        from evreview.artifacts.ledger_table import table

        return table(document, width)
    if fmt == "markdown":
        from evreview.artifacts.ledger_markdown import markdown

        return markdown(document)
    if fmt == "github":
        from evreview.artifacts.github import github_log

        return github_log(document)
    from evreview.report.ledger_annotations import sarif_log

    return indented(sarif_log(document))


def _placed(document: Document, signs: Signs, lines: Lines | None = None) -> dict[str, Json]:
    """The document with every place's file below the folder that the user named; rows with lines when asked."""
    folders = {side: folder_of(str(document[side].get("path") or "")) for side in SIDES}
    told = cache(lines) if lines is not None else None

    def placed(row: Document) -> dict[str, Json]:
        named: dict[str, Json] = dict(row)
        if "locations" in row:
            named["locations"] = _each(row["locations"], folders)
        witness = row["proof"].get("witness") if isinstance(row.get("proof"), Mapping) else None
        if isinstance(witness, Mapping):
            named["proof"] = {**row["proof"], "witness": _witness(witness, folders, signs)}
        return named

    def lined(row: Document) -> dict[str, Json]:
        if told is None or "locations" not in row:
            return placed(row)
        said = {side: str(row["locations"].get(side) or "") for side in SIDES}
        return {**placed(row), "lines": {side: told(side, place) if place else None for side, place in said.items()}}

    rows, noise = map(lined, document["rows"]), map(placed, document["noise"])
    unread = [{**each, "place": _unread_place(each, document, folders)} for each in document["unread"]]
    return {**document, "rows": list(rows), "noise": list(noise), "unread": unread}


def _unread_place(part: Document, document: Document, folders: Mapping[str, PurePosixPath]) -> str:
    """The place of what nobody could read, below the folder that it is in, as far as its file tells whose it is."""
    place = str(part.get("place") or "")
    named = {side: PurePosixPath(str(document[side].get("path") or "")).name for side in SIDES}
    own = [side for side in SIDES if named[side] == Place.read(place).file]
    around = {folders[side] for side in own or SIDES}
    return str(around.pop() / place) if place and len(around) == 1 else place


def _each(places: Document, folders: Mapping[str, PurePosixPath]) -> dict[str, Json]:
    """The place of each side below the side's folder."""
    said = {side: str(places.get(side) or "") for side in SIDES}
    return {side: str(folders[side] / place) if place else "" for side, place in said.items()}


def _witness(witness: Document, folders: Mapping[str, PurePosixPath], signs: Signs) -> dict[str, Json]:
    """The witness with its places below their sides' folders; the refusing side demands what is violated."""
    named: dict[str, Json] = {key: _kept(part, signs, key) for key, part in witness.items()}
    if isinstance(witness.get("at"), Mapping):
        named["at"] = {side: place for side, place in _each(witness["at"], folders).items() if place}
    broken, side = witness.get("violation"), str(witness.get("refused_by"))
    if isinstance(broken, Mapping) and side in folders and broken.get("place"):
        named["violation"] = {**broken, "place": str(folders[side] / str(broken["place"]))}
    return named


def _kept(part: Json, signs: Signs, *at: str) -> Json:
    """A part of a witness; a text that the format alters goes, because what is left of it is another value.

    The lines of a body that is written as text may end as they do in a form of several parts.
    """
    if isinstance(part, str):
        lines = part.replace("\r\n", "\n") if at == ("message", "body", "text") else part
        return next((told for told in (part, lines) if signs(told) == told), placeholder(Kind.CONTROL))
    if isinstance(part, Mapping):
        return {str(_kept(key, signs)): _kept(value, signs, *at, key) for key, value in part.items()}
    return [_kept(each, signs, *at, "") for each in part] if isinstance(part, (list, tuple)) else part
