"""`xml` says how a value is written as XML: where no XML message carries the schema, a change of it is noise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.drafts import Draft
from evreview.comparison.elements import Root
from evreview.comparison.noise import WRITTEN_OUT
from evreview.comparison.wire_forms import same
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Form, Json, Missing

NO_XML: Final = "no media type that carries the value is XML: its XML name and form never travel"
_DEFAULTS: Final[dict[str, Json]] = {"attribute": False, "wrapped": False, "prefix": ""}
_PROPERTY: Final = re.compile(r"/properties/[^/]*(?=(?:/xml)?\Z)")
_MAY_BE: Final = ("xml", "*", "multipart")


def without_xml(drafts: Sequence[Draft], roots: Iterable[Root]) -> list[Draft]:
    """The drafts, those about `xml` with a reason where only other media types lead to their schema."""
    if not any(_about_xml(draft) for draft in drafts):
        return list(drafts)
    drafts = [
        replace(draft, reason=WRITTEN_OUT) if _about_xml(draft) and _one_form(draft) else draft for draft in drafts
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
    if isinstance(form, Missing):
        return {}
    if not isinstance(form, dict):
        return None
    named = _PROPERTY.search(place.pointer) if place is not None else None
    own = steps_of(named[0]) if named is not None else None
    idle: dict[str, Json] = {**_DEFAULTS, **({"name": own[1]} if own is not None else {})}
    return {key: value for key, value in form.items() if key not in idle or not same(value, idle[key])}


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
