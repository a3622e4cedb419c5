"""What differs and reaches no message: `xml` where no XML carries the schema, servers of none or of all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.component_identity import element_step
from evreview.comparison.drafts import Draft
from evreview.comparison.elements import ElementDifference, Position, Root
from evreview.comparison.noise import UNUSED_SERVERS, WRITTEN_OUT
from evreview.comparison.wire_forms import canonical, same
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import ContractKind, Form, Json, Missing, Role

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


# Servers of a document that serve no operation on both sides: where they differ, no call changes.
#
# OpenAPI 3.1, sections 4.8.9 and 4.8.10: the `servers` of a path item or operation override those above it. What an
# operation calls that has servers of its own on one side only is compared there.


_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def served_by_none(positions: Iterable[Position], released: Contract, candidate: Contract) -> bool:
    """True when no operation that both contracts have takes the document's servers on both sides.

    Not where nothing is called or sent, nor where a scheme names a relative URL, which the servers complete: OpenAPI
    3.1, section 4.7.
    """
    if released.kind is not ContractKind.OPENAPI or _has_relative_url(released) or _has_relative_url(candidate):
        return False
    called = [position for position in positions if _is_called(position.released)]
    if not called:
        return _sends_alone(released) and _sends_alone(candidate)
    return not any(_inherits(one.released) and _inherits(one.candidate) for one in called)


def without_servers(rows: Sequence[ElementDifference]) -> list[ElementDifference]:
    """The rows, those about the document's servers as noise."""
    return [
        replace(row, difference=replace(row.difference, reason=row.difference.reason or UNUSED_SERVERS))
        if is_of_document(row.position, row.about)
        else row
        for row in rows
    ]


def is_of_document(position: Position, element: Element) -> bool:
    """True for a server that no operation holds."""
    return element.kind is ElementKind.SERVER and not position.operation


def _is_called(element: Element) -> bool:
    return element.kind is ElementKind.OPERATION and element.role is Role.REQUEST


def _sends_alone(contract: Contract) -> bool:
    """True for a contract of webhooks alone that say nothing of calls back, which go to their receivers' URLs."""
    found = [element for element in contract.root.children if element.kind is ElementKind.OPERATION]
    back = (child.kind is ElementKind.CALLBACK for operation in found for child in operation.children)
    return bool(found) and not any(map(_is_called, found)) and not any(back)


def _inherits(operation: Element) -> bool:
    return not any(child.kind is ElementKind.SERVER for child in operation.children)


def _has_relative_url(contract: Contract) -> bool:
    return any(
        isinstance(facet.value, str) and not _ABSOLUTE.match(facet.value)
        for element in contract.root.children
        if element.kind is ElementKind.SECURITY_SCHEME
        for facet in element.facets
        if facet.name.endswith("Url")
    )


# Servers that every operation names by itself: what differs in them is one edit, of the whole contract.


def of_all_operations(rows: Sequence[ElementDifference], positions: Iterable[Position]) -> list[ElementDifference]:
    """The rows, with one of the document in place of equal ones about servers of every single operation.

    Args:
        rows: what differs in elements.
        positions: the pairs of elements, the document first.
    """
    listed = [row for row in rows if _is_of_operation(row)]
    if not listed:
        return list(rows)
    top, called = None, set()
    for position in positions:
        top = top or position
        if len(position.steps) == 1 and position.released.kind is ElementKind.OPERATION:
            called.add(position.operation)
    groups: dict[tuple[object, ...], list[ElementDifference]] = {}
    for row in listed:
        groups.setdefault(_edit(row), []).append(row)
    whole = [
        group for group in groups.values() if len(called) > 1 and {row.position.operation for row in group} == called
    ]
    if top is None or not whole:
        return list(rows)
    shared = {id(row) for group in whole for row in group}
    made = [replace(group[0], position=top, steps=(element_step(group[0].about),)) for group in whole]
    return [*made, *(row for row in rows if id(row) not in shared)]


def _is_of_operation(row: ElementDifference) -> bool:
    """True for a row about a server of an operation that clients call."""
    operation = row.position.released
    if row.about.kind is not ElementKind.SERVER or not row.position.operation:
        return False
    return len(row.steps) == 2 and Role.REQUEST in (operation.role, row.position.candidate.role)


def _edit(row: ElementDifference) -> tuple[object, ...]:
    what = row.difference
    forms = canonical(what.released), canonical(what.candidate)
    return row.about.key, what.aspect, what.direction, what.facet, *forms, what.reason
