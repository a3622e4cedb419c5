"""A comparison as a table on a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

from evreview.artifacts.accepted_text import stale
from evreview.artifacts.ledger_words import Document, cells, columns_of, not_understood, summary

_COLOURS: Final = {"breaking": "red", "unknown": "yellow", "compatible": "green"}


def table(document: Document, width: int | None) -> str:
    """One line per row and the summary; coloured and wrapped when a terminal's width is given."""
    columns = columns_of(document)
    rows = [cells(row, columns) for row in document["rows"]]
    said = "\n".join([*(text for _, text in stale(document)), *not_understood(document), summary(document)])
    return _plain(columns, rows, said) if width is None else _coloured(columns, rows, said, width)


def _plain(columns: Sequence[str], rows: Sequence[Sequence[str]], said: str) -> str:
    lines = [[value.replace("\n", "⏎") for value in row] for row in (columns, *rows)]
    widths = [max(len(row[index]) for row in lines) for index in range(len(columns))]
    text = "\n".join("  ".join(value.ljust(w) for value, w in zip(row, widths, strict=True)).rstrip() for row in lines)
    return f"{text}\n\n{said}\n"


def _coloured(columns: Sequence[str], rows: Sequence[Sequence[str]], said: str, width: int) -> str:
    from rich.color import ColorSystem
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(*columns, expand=False)
    for row in rows:
        shown.add_row(*(Text(value, style=_COLOURS.get(value, "")) for value in row))
    console = Console(file=io.StringIO(), width=width)
    parts = [*console.render(shown), *console.render(Text(said))]
    return "".join(
        part.style.render(part.text, color_system=ColorSystem.STANDARD) if part.style else part.text for part in parts
    )
