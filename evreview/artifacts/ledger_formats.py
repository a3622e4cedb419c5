"""A comparison in the seven formats of `evreview diff`. Every text in them passed the guard, value by value."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from evreview.artifacts.accepted_text import COLUMN, is_accepted, is_asked, stale, told
from evreview.artifacts.escape import cell, cell_code, csv_cell, prose, shorten
from evreview.artifacts.sarif import sarif_log
from evreview.errors import bad_input
from evreview.guard import Clean, Guard
from evreview.vocab import Json

if TYPE_CHECKING:
    import pandas as pd

Document = Mapping[str, Any]
SIDES: Final = ("released", "candidate")
FORMATS: Final = ("table", "json", "csv", "parquet", "markdown", "sarif", "github")
COLUMNS: Final = ("id", "verdict", "proof", "rule", "address", "aspect", "change", "released", "candidate")
_COLOURS: Final = {"breaking": "red", "unknown": "yellow", "compatible": "green"}
_COMMANDS: Final = {"breaking": "error", "unknown": "warning", "compatible": "notice"}


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
    keeper = guard or Guard()
    if fmt in ("csv", "parquet"):
        frame = _clean_frame(comparison.frame, keeper)
        return _csv(frame) if fmt == "csv" else _parquet(frame)
    if fmt not in _WRITERS and fmt != "table":
        raise bad_input("unknown-format", f"there is no format {fmt!r}", advice=f"Use one of {', '.join(FORMATS)}")
    document = keeper.clean_json(_placed(comparison.to_dict(), lines if fmt in ("sarif", "github") else None))
    assert isinstance(document, Mapping)
    return _table(document, width) if fmt == "table" else _WRITERS[fmt](document)


def _placed(document: Document, lines: Lines | None) -> dict[str, Json]:
    """The document with every location's file below the folder that the user named, and with lines when asked."""
    folders = {side: PurePosixPath(str(document[side].get("path") or "")).parent for side in SIDES}

    def placed(row: Document) -> dict[str, Json]:
        if "locations" not in row:
            return dict(row)
        said = {side: str(row["locations"].get(side) or "") for side in SIDES}
        found: dict[str, Json] = {side: str(folders[side] / place) if place else "" for side, place in said.items()}
        more: dict[str, Json] = {}
        if lines is not None:
            more["lines"] = {side: lines(side, place) if place else None for side, place in said.items()}
        return {**row, "locations": found, **more}

    return {**document, **{key: [placed(row) for row in document[key]] for key in ("rows", "noise")}}


def shown_form(value: Json, limit: int = 120) -> str:
    """A form as short text: a text as it is, anything else as compact JSON."""
    return shorten(value if isinstance(value, str) else _compact(value), limit)


def _compact(value: Json) -> str:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _columns(document: Document) -> tuple[str, ...]:
    return (*COLUMNS, COLUMN) if is_asked(document) else COLUMNS


def _cells(row: Document, columns: Sequence[str]) -> tuple[str, ...]:
    values = {**row, "proof": row["proof"]["status"], "rule": row.get("rule") or "(no rule)", COLUMN: told(row)}
    return tuple(shown_form(values[name]) for name in columns)


def _summary(document: Document) -> str:
    parts = []
    for name, value in document["summary"].items():
        inner = (
            ", ".join(f"{n} {word}" for word, n in value.items()) if isinstance(value, Mapping) else shown_form(value)
        )
        parts.append(f"{name}: {inner or 'none'}")
    counts = f"{len(document['rows'])} differences, {len(document['noise'])} without effect, "
    return f"{counts}{len(document['unread'])} not understood; {'; '.join(parts)}"


def _table(document: Document, width: int | None) -> Clean:
    columns = _columns(document)
    rows = [_cells(row, columns) for row in document["rows"]]
    said = "\n".join([*(text for _, text in stale(document)), _summary(document)])
    if width is None:
        return _plain_table(columns, rows, said)
    from rich.color import ColorSystem
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, expand=False)
    for row in rows:
        table.add_row(*(Text(value, style=_COLOURS.get(value, "")) for value in row))
    console = Console(file=io.StringIO(), width=width)
    parts = [*console.render(table), *console.render(Text(said))]
    shown = (
        part.style.render(part.text, color_system=ColorSystem.STANDARD) if part.style else part.text for part in parts
    )
    return Clean("".join(shown))


def _plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], summary: str) -> Clean:
    lines = [[value.replace("\n", "⏎") for value in row] for row in (columns, *rows)]
    widths = [max(len(row[index]) for row in lines) for index in range(len(columns))]
    text = "\n".join("  ".join(value.ljust(w) for value, w in zip(row, widths, strict=True)).rstrip() for row in lines)
    return Clean(f"{text}\n\n{summary}\n")


def _json(document: Document) -> Clean:
    try:
        return Clean(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())
    except TypeError:  # a whole number of more than 64 bits
        return Clean(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _sarif(document: Document) -> Clean:
    return _json(sarif_log(document))


def _markdown(document: Document) -> Clean:
    released, candidate = (prose(_name(document[side])) for side in ("released", "candidate"))
    lines = ["# Wire differences", "", f"{released} → {candidate}", "", str(prose(_summary(document))), ""]
    columns = _columns(document)
    rows = [
        [
            cell_code(row[0]),
            *map(cell, row[1:4]),
            *map(cell_code, row[4 : len(COLUMNS)]),
            *map(cell, row[len(COLUMNS) :]),
        ]
        for row in (_cells(row, columns) for row in document["rows"])
    ]
    lines += _md_table(columns, rows)
    if told_stale := stale(document):
        lines += ["", "## Accepted, but not found", "", *(f"* {prose(text)}" for _, text in told_stale)]
    for title, key in (("Without effect on the wire", "noise"), ("Not understood", "unread")):
        parts = [[cell_code(shown_form(value)) for value in part.values()] for part in document[key]]
        if parts:
            lines += ["", f"## {title}", "", *_md_table([str(cell(name)) for name in document[key][0]], parts)]
    return Clean("\n".join(lines) + "\n")


def _name(side: Document) -> str:
    return f"{side.get('path', '')} {side.get('version') or ''}".strip()


def _md_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    from evreview.artifacts.markdown import NOTHING

    body = rows or [[NOTHING, *["n/a"] * (len(columns) - 1)]]
    return [f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *body)]


def _github(document: Document) -> Clean:
    lines = []
    for row in document["rows"]:
        side = "candidate" if row["locations"].get("candidate") else "released"
        file = _property(str(row["locations"].get(side) or "").split("#")[0])
        line = row.get("lines", {}).get(side)
        where = f"file={file},line={line}" if line else f"file={file}"
        title = _property(f"{row['verdict']}: {row.get('rule') or 'no rule'}")
        forms = f"{shown_form(row['released'])} -> {shown_form(row['candidate'])}"
        acceptance = f"; {said}" if (said := told(row)) else ""
        message = _data(f"{row['id']} {row['address']}: {row['aspect']} {row['change']}, {forms}{acceptance}")
        level = "notice" if is_accepted(row) else _COMMANDS[row["verdict"]]
        lines.append(f"::{level} {where},title={title}::{message}")
    for entry, text in stale(document):
        where = f"file={_property(entry['source'])},line={entry['line'] or 1}"
        lines.append(f"::warning {where},title=accepted%2C but not found::{_data(text)}")
    lines.append(f"::notice title=evreview::{_data(_summary(document))}")
    return Clean("\n".join(lines) + "\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_WRITERS: Final[Mapping[str, Callable[[Document], Clean]]] = {
    "json": _json,
    "markdown": _markdown,
    "sarif": _sarif,
    "github": _github,
}


def _clean_frame(frame: pd.DataFrame, guard: Guard) -> pd.DataFrame:
    """The frame with text columns only; nested values are compact JSON, cleaned before they are written."""
    import pandas as pd

    def text(value: Any) -> str:
        if isinstance(value, str):
            return str(guard.clean(value))
        if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
            return ""
        if isinstance(value, Mapping | list | tuple):
            return _compact(guard.clean_json(value))
        return str(guard.clean(str(value)))

    columns = {str(guard.clean(str(name))): [text(value) for value in frame[name]] for name in frame.columns}
    return pd.DataFrame(columns, dtype="object")


def _csv(frame: pd.DataFrame) -> Clean:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_cell(name) for name in frame.columns])
    writer.writerows([csv_cell(value) for value in row] for row in frame.itertuples(index=False, name=None))
    return Clean(out.getvalue())


def _parquet(frame: pd.DataFrame) -> bytes:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        advice = "Install it with: pip install 'evreview[parquet]'"
        raise bad_input("parquet-not-installed", "the parquet format needs pyarrow", advice=advice) from None
    out = io.BytesIO()
    frame.astype("string").to_parquet(out, engine="pyarrow", index=False)
    return out.getvalue()
