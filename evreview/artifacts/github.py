"""A comparison as annotations of GitHub Actions: workflow commands on the log of a step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.artifacts.accepted_text import is_accepted, stale, told
from evreview.artifacts.ledger_words import Document, by_plane, evidence, shown_form, summary
from evreview.contract.model import Place

LEVELS: Final = ("error", "warning", "notice")
SHOWN: Final = 10
"""GitHub shows so many annotations of each level of one step and drops the others."""
_LEVEL: Final = {"breaking": "error", "unknown": "warning", "compatible": "notice"}


@dataclass(frozen=True, slots=True)
class _Annotation:
    level: str
    file: str
    line: int | None
    title: str
    message: str


def github_log(document: Document) -> str:
    """One line each, the gravest first; what GitHub would drop stands as plain text, so that the log holds every row.

    The last line is a notice with the summary.
    """
    found = sorted([*_rows(document), *_stale(document), *_unread(document)], key=lambda one: LEVELS.index(one.level))
    lines: list[str] = []
    more: list[str] = []
    room = {"error": SHOWN, "warning": SHOWN, "notice": SHOWN - 1}
    for one in found:
        room[one.level] -= 1
        if room[one.level] >= 0:
            lines.append(_command(one))
        else:
            more.append(_plain(one))
    return "\n".join([*lines, *more, f"::notice title=evreview::{_data(summary(document))}"]) + "\n"


def _rows(document: Document) -> Iterator[_Annotation]:
    for row in document["rows"]:
        side = "candidate" if row["locations"].get("candidate") else "released"
        proof = row["proof"]
        said = [f"{shown_form(row['released'])} -> {shown_form(row['candidate'])}"]
        said += [f"witness {shown_form(shown, 400)}" for shown in evidence(proof)]
        said += [f"check with: {proof['command']}"] if proof.get("command") else []
        said += [planes] if (planes := by_plane(row)) else []
        acceptance = f"; {text}" if (text := told(row)) else ""
        yield _Annotation(
            level="notice" if is_accepted(row) else _LEVEL[row["verdict"]],
            file=Place.read(str(row["locations"].get(side) or "")).file,
            line=row.get("lines", {}).get(side),
            title=f"{row['verdict']}: {row.get('rule') or 'no rule'}",
            message=f"{row['id']} {row['address']}: {row['aspect']} {row['change']}, {'; '.join(said)}{acceptance}",
        )


def _stale(document: Document) -> Iterator[_Annotation]:
    for entry, text in stale(document):
        yield _Annotation("warning", entry["source"], entry["line"] or 1, "accepted, but not found", text)


def _unread(document: Document) -> Iterator[_Annotation]:
    for each in document["unread"]:
        file, pointer = Place.read(str(each["place"]))
        line = int(pointer[1:]) if pointer.startswith("L") else None
        where = f"#{pointer}: " if pointer and line is None else ""
        yield _Annotation("warning", file, line, "not understood", f"{where}{each['found']}; {each['advice']}")


def _command(one: _Annotation) -> str:
    file = f"file={_property(one.file)}"
    where = f"{file},line={one.line}" if one.line else file
    return f"::{one.level} {where},title={_property(one.title)}::{_data(one.message)}"


def _plain(one: _Annotation) -> str:
    where = f"{one.file}:{one.line}" if one.line else one.file
    return _data(f"{one.level}: {where} {one.title}: {one.message}")


def _data(text: str) -> str:
    """One line in which nothing starts another command, in the older syntax with brackets either."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "# #[")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
