"""Excerpts of items, checked: the quote stands on its lines, the item is of a fitting kind and of the revision."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evreview.core.quoted_text import Subject, Text, text
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.quotes import check_quote
from evreview.evidence.records.security import Excerpt


@dataclass(frozen=True, slots=True)
class Shown:
    """An excerpt after its check.

    Attributes:
        stands: the quote stands on the lines of a supplied item of a fitting kind.
        why: what is wrong, empty for one that stands.
        citations: the lines; the whole item when it has no such lines; nothing when it was not supplied.
        first, last: the lines, 0 when the item has no such lines.
        windows: the lines that the quote itself takes up, each place of it.
    """

    stands: bool
    why: Text
    citations: tuple[Citation, ...]
    first: int = 0
    last: int = 0
    windows: tuple[tuple[int, int], ...] = ()


def shown(bundle: Bundle, excerpt: Excerpt, types: Collection[EvidenceType] = ()) -> Shown:
    """What an excerpt shows.

    Args:
        bundle: where the item is looked up.
        excerpt: what is said to stand there.
        types: the kinds of evidence that may show it; every kind when there are none.
    """
    item = bundle.items.get(excerpt.item)
    if item is None:
        return Shown(False, ("the item ", Subject(excerpt.item), " was not supplied"), ())
    whole = (Citation(item.id),)
    if types and item.type not in types:
        fitting = " or ".join(sorted(types))
        return Shown(False, text("the item is a ", Subject(str(item.type)), f", and no {fitting}"), whole)
    found = check_quote(item.content, excerpt.lines, excerpt.quote)
    if found.fault == "lines":
        return Shown(False, ("the item has no lines ", Subject(excerpt.lines)), whole)
    lines = (at_lines(item.id, found.first, found.last),)
    span = (found.first, found.last)
    if found.fault == "wordless":
        return Shown(False, ("the quote holds no word",), lines, *span)
    if found.fault:
        where = f"it stands on {found.found}" if found.found else "it stands nowhere in the item"
        why = ("the quote does not stand on lines ", Subject(excerpt.lines), f"; {where}")
        return Shown(False, why, lines, *span)
    return Shown(True, (), lines, *span, found.windows)


def cited(*groups: Sequence[Citation]) -> tuple[Citation, ...]:
    """Citations of several groups, each once, in the order given."""
    return tuple(dict.fromkeys(citation for group in groups for citation in group))
