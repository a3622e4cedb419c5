"""Excerpts of items, checked: the quote stands on its lines, the item is of a fitting kind and of the revision."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import CodeFacts, SourceText, UnreadPart, UnsupportedCode
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import EvidenceId, EvidenceType
from evreview.evidence.citation import at_lines, check_quote
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.reference import SourceMap
from evreview.evidence.records.review import is_digest, same_revision
from evreview.evidence.records.security import Authorization, Excerpt


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
        return Shown(False, ("the item ", UserText(excerpt.item), " was not supplied"), ())
    whole = (Citation(item.id),)
    if types and item.type not in types:
        fitting = " or ".join(sorted(types))
        return Shown(False, text("the item is a ", UserText(str(item.type)), f", and no {fitting}"), whole)
    found = check_quote(item.content, excerpt.lines, excerpt.quote)
    if found.fault == "lines":
        return Shown(False, ("the item has no lines ", UserText(excerpt.lines)), whole)
    lines = (at_lines(item.id, found.first, found.last),)
    span = (found.first, found.last)
    if found.fault == "wordless":
        return Shown(False, ("the quote holds no word",), lines, *span)
    if found.fault:
        where = f"it stands on {found.found}" if found.found else "it stands nowhere in the item"
        why = ("the quote does not stand on lines ", UserText(excerpt.lines), f"; {where}")
        return Shown(False, why, lines, *span)
    return Shown(True, (), lines, *span, found.windows)


def cited(*groups: Sequence[Citation]) -> tuple[Citation, ...]:
    """Citations of several groups, each once, in the order given."""
    return tuple(dict.fromkeys(citation for group in groups for citation in group))


# Files of code that no reader could read: what was read is reviewed, and they are named as what was not.


CODE: Final = frozenset({"handler", "validator", "middleware", "shared"})
"""What a file is for when it may hold handlers or checks."""


def is_whole(one: UnsupportedCode) -> bool:
    """True for a file that could not be read at all."""
    return one.part is UnreadPart.FILE


def unread_files(code: CodeFacts, sources: Sequence[SourceText]) -> tuple[UnsupportedCode, ...]:
    """The files of code that could not be read and about which nothing is declared, in the order supplied."""
    parts = {source.item: source.parts for source in sources}
    declared = {route.spot.item for route in code.routes if route.framework == "declared"}
    whole = [one for one in code.unread if is_whole(one) and one.spot.item not in declared]
    return tuple(one for one in whole if set(parts.get(one.spot.item, ())) & CODE)


def readable(code: CodeFacts, sources: Sequence[SourceText]) -> bool:
    """True when some code was read, or declared: the review goes on with it."""
    lost = {one.spot.item for one in code.unread if is_whole(one)}
    return bool(code.routes) or any(one.item not in lost and set(one.parts) & CODE for one in sources)


def is_partial(code: CodeFacts, sources: Sequence[SourceText]) -> bool:
    """True when some files of code could not be read and others could."""
    return readable(code, sources) and bool(unread_files(code, sources))


# The one revision under review, and which revision each item belongs to.


def reviewed(bundle: Bundle) -> str:
    """The commit under review: what the authorization names, or the request where that names a digest; "" for none."""
    authorization = first_of(bundle, Authorization)
    named = (authorization.record.revision if authorization else None) or ""
    return bundle.request.implementation_revision or named if is_digest(named) else named


def revision_of(bundle: Bundle, evidence_id: EvidenceId) -> str:
    """The commit that an item belongs to: by its source map, else by its integrity; "" when neither names one."""
    item = bundle.items.get(evidence_id)
    if item is None:
        return ""
    for cited in records_of(bundle, SourceMap):
        for entry in cited.record.sources:
            if entry.item == evidence_id and entry.revision and is_digest(item.revision):
                return entry.revision
    return own_revision(item)


def own_revision(item: EvidenceItem) -> str:
    """The commit that the item's integrity names, "" for a digest alone."""
    return "" if is_digest(item.revision) else item.revision


def belongs(bundle: Bundle, revision: str) -> bool:
    """True when a revision is the one under review."""
    return same_revision(revision, reviewed(bundle))
