"""JSON that people and programs read alike: what acts stands as an escape, so that every value is read as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from evreview.artifacts.ledger_words import indented, one_a_line
from evreview.core.control_characters import escaped, marked
from evreview.core.vocabulary import Json
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Guard

Signs = Callable[[str], str]
"""What a format makes of a text in which something acts."""
_MANY: Final = 2_000
"""Rows, beyond which each stands on a line of its own."""


def exact_json(document: Mapping[str, Json], guard: Guard) -> Clean:
    """The document as JSON on many lines, cleaned; a ledger of many rows with one row a line."""
    acting: list[str] = []

    def kept(text: str) -> str:
        acting.append(text)
        return written(guard, text)

    cleaned = guard.clean_json(document, signs=kept)
    assert isinstance(cleaned, Mapping)
    rows = cleaned.get("rows")
    text = one_a_line(cleaned) if isinstance(rows, list) and len(rows) > _MANY else indented(cleaned)
    return Clean(escaped(text) if acting else text)


def exactly(guard: Guard) -> Signs:
    """What `exact_json` makes of a text in which something acts."""
    return partial(written, guard)


def written(guard: Guard, text: str) -> str:
    """The text as it is; with U+FFFD where its escapes would be redacted, or are half a character, which few read."""
    spelled = escaped(text)
    half = any("\ud800" <= sign <= "\udfff" for sign in text)
    return text if not half and guard.clean(spelled) == spelled else marked(text)
