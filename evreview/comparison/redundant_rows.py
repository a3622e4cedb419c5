"""Rows and drafts of any kind that another row says, or that no message carries: defaults, declared schemes, XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.drafts import Draft
from evreview.comparison.elements import ElementDifference, Position, Root
from evreview.comparison.noise import NoiseReason
from evreview.comparison.schema_pairs import SchemaPair
from evreview.comparison.wire_forms import same
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Absent, Form, Json

# A default of what became required: nobody may leave it out any more, so the row of the demand says all of it.


_FACET: Final = "default"
_OWED: Final = "required"
_NAMED: Final = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})


def tell_defaults(pairs: Sequence[SchemaPair], roots: Sequence[Root]) -> None:
    """Gives rows of defaults their reason where every way to them leads through a member that became required."""
    usage_paths: dict[int, list[bool]] = {}
    for pair in pairs:
        demanded = _demanded(pair) if pair.links else frozenset()
        for link in pair.links:
            usage_paths.setdefault(id(link.target), []).append(link.required is False and link.step in demanded)
    for root in roots:
        usage_paths.setdefault(id(root.pair), []).append(_became_required(root.position))
    for pair in pairs:
        if all(usage_paths.get(id(pair), [False])):
            pair.differences = [
                replace(row, reason=NoiseReason.TOLD_BY_DEMAND)
                if row.facet == _FACET and not row.steps and not row.reason
                else row
                for row in pair.differences
            ]


def _demanded(pair: SchemaPair) -> frozenset[str]:
    """The steps to members of a pair, or of what its views merged, that a row says to be required now."""
    found, seen, waiting = set[str](), {id(pair)}, [pair]
    while waiting:
        at = waiting.pop()
        for row in at.differences:
            if row.facet == _OWED and row.candidate is True and not row.reason:
                found.update(row.steps[:1])
        for link in at.links:
            if not link.step and id(link.target) not in seen:
                seen.add(id(link.target))
                waiting.append(link.target)
    return frozenset(found)


def _became_required(position: Position) -> bool:
    old, new = position.released, position.candidate
    return old.kind in _NAMED and old.facet(_OWED) is not True and new.facet(_OWED) is True


# Rows that another row says already: declared schemes, and what a kind finds.


def demanded_schemes(rows: Sequence[ElementDifference]) -> list[ElementDifference]:
    """The rows, with scheme declarations as noise where the demand that changed with them has a row of its own."""
    named = {
        scheme
        for row in rows
        for key in (fact.ALTERNATIVES_ADDED, fact.ALTERNATIVES_REMOVED)
        for alternative in _listed(row.difference.facts.get(key))
        if isinstance(alternative, dict)
        for scheme in alternative
    }
    return [
        replace(row, difference=replace(row.difference, reason=NoiseReason.DECLARED))
        if row.about.kind is ElementKind.SECURITY_SCHEME and not row.difference.facet and row.about.key in named
        else row
        for row in rows
    ]


def _listed(value: object) -> list[Json]:
    return list(value) if isinstance(value, (list, tuple)) else []


def told(
    rows: Iterable[ElementDifference], is_told: Callable[[ElementDifference], bool], reason: str
) -> list[ElementDifference]:
    """The rows, those of whole elements that another row says as noise with the reason."""
    return [
        replace(row, difference=replace(row.difference, reason=reason))
        if not row.difference.facet and not row.difference.reason and is_told(row)
        else row
        for row in rows
    ]


# `xml` says how a value is written as XML: where no XML message carries the schema, a change of it is noise.


NO_XML: Final = "no media type that carries the value is XML: its XML name and form never travel"
_DEFAULTS: Final[dict[str, Json]] = {"attribute": False, "wrapped": False, "prefix": ""}
_PROPERTY: Final = re.compile(r"/properties/[^/]*(?=(?:/xml)?\Z)")
_MAY_BE: Final = ("xml", "*", "multipart")


def without_xml(drafts: Sequence[Draft], roots: Iterable[Root]) -> list[Draft]:
    """The drafts, those about `xml` with a reason where only other media types lead to their schema."""
    if not any(_about_xml(draft) for draft in drafts):
        return list(drafts)
    drafts = [
        replace(draft, reason=NoiseReason.WRITTEN_OUT) if _about_xml(draft) and _one_form(draft) else draft
        for draft in drafts
    ]
    carried = _carried(roots)
    return [
        replace(draft, reason=NO_XML)
        if _about_xml(draft) and draft.pairs and not any(id(pair) in carried for pair in draft.pairs)
        else draft
        for draft in drafts
    ]


def _one_form(draft: Draft) -> bool:
    """True when both sides say the same once the format's defaults are left out."""
    delta = draft.delta
    old, new = _said(delta.released, delta.released_place), _said(delta.candidate, delta.candidate_place)
    return old is not None and old == new


def _said(form: Form, place: Place | None) -> dict[str, Json] | None:
    """What an XML Object says beside its defaults, None for one that is none: OpenAPI 3.0.3, section 4.7.26."""
    if isinstance(form, Absent):
        return {}
    if not isinstance(form, dict):
        return None
    named = _PROPERTY.search(place.pointer) if place is not None else None
    own = steps_of(named[0]) if named is not None else None
    non_wire: dict[str, Json] = {**_DEFAULTS, **({"name": own[1]} if own is not None else {})}
    return {key: value for key, value in form.items() if key not in non_wire or not same(value, non_wire[key])}


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
