"""What a ledger row says in a few words: the same cells, forms and summary in every format that people read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from evreview.artifacts.accepted_text import COLUMN, is_asked, told
from evreview.core.vocabulary import Json, Realism
from evreview.report.escape import shorten

Document = Mapping[str, Any]
_DECLARED: Final = "for messages of declared members"
PLANES: Final = "planes"
MOST_PLACES: Final = 20
"""Places that nobody could read, as far as people are shown them."""
COLUMNS: Final = ("id", "verdict", "proof", "rule", "address", "aspect", "change", "released", "candidate")


def shown_form(value: Json, limit: int = 120) -> str:
    """A form as short text: a text as it is, anything else as compact JSON."""
    return shorten(value if isinstance(value, str) else compact(value), limit)


def compact(value: Json) -> str:
    """The value as JSON on one line, keys sorted."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def indented(value: Document) -> str:
    """The value as JSON on many lines, ending with a line end."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def one_a_line(document: Document) -> str:
    """A ledger as JSON with one row a line: for large ones, of which indentation would be a quarter."""
    parts = (f"{_on_one_line(name)}: {_listed(value)}" for name, value in document.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _listed(value: Json) -> str:
    if not isinstance(value, list) or not value:
        return _on_one_line(value)
    return "[\n" + ",\n".join(map(_on_one_line, value)) + "\n]"


def _on_one_line(value: Json) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def columns_of(document: Document) -> tuple[str, ...]:
    """The columns of a table for people; one more where planes differ, and one when an accept file was given."""
    planes = (PLANES,) if any(row.get(PLANES) for row in document["rows"]) else ()
    return (*COLUMNS, *planes, *((COLUMN,) if is_asked(document) else ()))


def cells(row: Document, columns: Sequence[str]) -> tuple[str, ...]:
    """The row's cells in those columns, as short texts."""
    values = {**row, "proof": proof_of(row), "rule": row.get("rule") or "(no rule)", COLUMN: told(row)}
    values[PLANES] = by_plane(row)
    return tuple(shown_form(values[name]) for name in columns)


def proof_of(row: Document) -> str:
    """The status of the row's proof, and of a witness that nobody is known to send what it rests on."""
    proof = row["proof"]
    realism = proof.get("witness_realism") or ""
    return f"{proof['status']}, {realism}" if realism not in ("", Realism.DECLARED) else str(proof["status"])


def by_plane(row: Document) -> str:
    """The verdict in each plane, "" for a kind without planes."""
    return ", ".join(f"{plane}: {verdict}" for plane, verdict in (row.get(PLANES) or {}).items())


def evidence(proof: Document) -> tuple[Json, ...]:
    """What a witness shows: the whole message when there is one, else the value; () without a witness."""
    witness: Any = proof.get("witness") or {}
    for name in ("message", "value"):
        if name in witness:
            return (witness[name],)
    return (witness,) if witness else ()


def not_understood(document: Document) -> list[str]:
    """A line for each place that nobody could read; of many the first."""
    found = document["unread"]
    lines = [f"not understood: {each['place']}: {each['found']}" for each in found[:MOST_PLACES]]
    more = len(found) - len(lines)
    return [*lines, *([f"not understood: {more} more, which --format json names"] if more else [])]


def summary(document: Document) -> str:
    """The counts of rows by verdict, proof, acceptance and what proofs rest on, in one sentence."""
    parts = []
    for name, value in document["summary"].items():
        inner = (
            ", ".join(f"{n} {word}" for word, n in value.items()) if isinstance(value, Mapping) else shown_form(value)
        )
        parts.append(f"{name}: {inner or 'none'}")
    counts = f"{len(document['rows'])} differences, {len(document['noise'])} without effect, "
    resting = sum(_DECLARED in (row["proof"].get("reason") or "") for row in document["rows"])
    parts += [f"{resting} proved {_DECLARED}"] if resting else []
    return f"{counts}{len(document['unread'])} not understood; {'; '.join(parts)}"
