"""`xml` says how a value is written as XML: where no XML message carries the schema, a change of it is noise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.contracts.model import Element, ElementKind
from evreview.ledger.drafts import Draft
from evreview.ledger.element_diff import Root

NO_XML: Final = "no media type that carries the value is XML: its XML name and form never travel"
_MAY_BE: Final = ("xml", "*", "multipart")


def without_xml(drafts: Sequence[Draft], roots: Iterable[Root]) -> list[Draft]:
    """The drafts, those about `xml` with a reason where only other media types lead to their schema."""
    if not any(_about_xml(draft) for draft in drafts):
        return list(drafts)
    carried = _carried(roots)
    return [
        replace(draft, reason=NO_XML)
        if _about_xml(draft) and draft.pairs and not any(id(pair) in carried for pair in draft.pairs)
        else draft
        for draft in drafts
    ]


def _about_xml(draft: Draft) -> bool:
    return draft.delta.facet == "xml" and not draft.reason


def _carried(roots: Iterable[Root]) -> set[int]:
    """The pairs, by identity, that a message may carry as XML."""
    waiting = [
        root.pair for root in roots if _may_be_xml(root.position.released) or _may_be_xml(root.position.candidate)
    ]
    seen = {id(pair) for pair in waiting}
    while waiting:
        for link in waiting.pop().links:
            if id(link.target) not in seen:
                seen.add(id(link.target))
                waiting.append(link.target)
    return seen


def _may_be_xml(element: Element) -> bool:
    if element.kind in (ElementKind.PARAMETER, ElementKind.HEADER):
        return False
    return element.kind is not ElementKind.MEDIA_TYPE or any(sign in element.key for sign in _MAY_BE)
