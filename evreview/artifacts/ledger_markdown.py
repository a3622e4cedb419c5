"""A comparison as a Markdown page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evreview.artifacts.accepted_text import stale
from evreview.artifacts.ledger_words import COLUMNS, Document, cells, columns_of, evidence, shown_form, summary
from evreview.report.escape import NOTHING, cell, cell_code, prose

_WITNESS_COLUMNS = ("id", "accepted by", "refused by", "witness realism", "witness", "command")
_LONG = 1_000


def markdown(document: Document) -> str:
    """One row per difference, then witnesses with the command that repeats each, and everything without a verdict."""
    released, candidate = (prose(_name(document[side])) for side in ("released", "candidate"))
    lines = ["# Wire differences", "", f"{released} → {candidate}", "", str(prose(summary(document))), ""]
    columns = columns_of(document)
    lines += _table(columns, [_row(cells(row, columns)) for row in document["rows"]])
    if witnesses := list(_witnesses(document)):
        lines += ["", "## Witnesses", "", *_table(_WITNESS_COLUMNS, witnesses)]
    if told := stale(document):
        lines += ["", "## Accepted, but not found", "", *(f"* {prose(text)}" for _, text in told)]
    for title, key in (("Without effect on the wire", "noise"), ("Not understood", "unread")):
        parts = [[cell_code(shown_form(value)) for value in part.values()] for part in document[key]]
        if parts:
            lines += ["", f"## {title}", "", *_table([str(cell(name)) for name in document[key][0]], parts)]
    return "\n".join(lines) + "\n"


def _row(values: Sequence[str]) -> list[str]:
    codes, words = values[4 : len(COLUMNS)], values[len(COLUMNS) :]
    return [cell_code(values[0]), *map(cell, values[1:4]), *map(cell_code, codes), *map(cell, words)]


def _witnesses(document: Document) -> Iterator[list[str]]:
    for row in document["rows"]:
        proof = row["proof"]
        for shown in evidence(proof):
            sides = (str(proof["witness"].get(name) or "") for name in ("accepted_by", "refused_by"))
            texts = (shown_form(shown, _LONG), shown_form(proof.get("command") or "", _LONG))
            told = [*sides, str(proof.get("witness_realism") or "")]
            yield [cell_code(row["id"]), *(str(cell(one)) for one in told), *map(cell_code, texts)]


def _name(side: Document) -> str:
    return f"{side.get('path', '')} {side.get('version') or ''}".strip()


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    body = rows or [[NOTHING, *["n/a"] * (len(columns) - 1)]]
    return [f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *body)]
