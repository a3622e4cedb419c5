"""One decision that reaches many operations is one row: a media type, response, header or demand that all of them get.

A component that operations share is one edit already. Here are edits written out in each operation, as generators do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.component_identity import MEDIA_TYPE, STATUS, element_step
from evreview.comparison.delta_ids import ComponentAnchor
from evreview.comparison.drafts import Draft
from evreview.comparison.elements import ElementDifference, Position, is_of_document
from evreview.comparison.noise import NoiseReason
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Change, Json, Role

MANY: Final = 3
"""Operations from which on equal edits are one: two may be equal by chance."""
_WHOLE: Final = frozenset({ElementKind.MEDIA_TYPE, ElementKind.RESPONSE, ElementKind.HEADER})
_FIELDS: Final = frozenset({ElementKind.HEADER, ElementKind.PARAMETER})
_IN_OPERATIONS: Final = ("/paths/", "/webhooks/")
_OF_OPERATION: Final = frozenset({fact.SENT_AS, fact.SENT_IN})
"""Where what an operation demands beside a parameter decides about it, it keeps its row."""
_RENAMED: Final = frozenset({(ElementKind.MEDIA_TYPE, MEDIA_TYPE), (ElementKind.RESPONSE, STATUS)})
_DEMAND: Final = (ElementKind.SECURITY, "requirements")
_OWN: Final = frozenset({fact.HOLDS, fact.TYPE, fact.HAS_DEFAULT})
"""What an element says of what it holds, where others say it too."""
_ASKED_OF_TYPES: Final = frozenset({fact.ONLY_ONE})
_YES_OR_NO: Final = frozenset({fact.COVERED_BY, fact.COVERS})
"""Facts of which rules ask whether there is something, not what."""


def one_per_cause(rows: Sequence[ElementDifference]) -> list[ElementDifference]:
    """The rows, equal edits of many operations under one identity, so that they are merged to one row."""
    groups: dict[bytes, list[ElementDifference]] = {}
    for row in rows:
        if _is_asked(row):
            groups.setdefault(_cause(row), []).append(row)
    made: dict[int, ElementDifference] = {}
    for cause, group in groups.items():
        operations = {name for row in group for name in (row.position.operation, *row.about.operations)}
        if len(operations) >= MANY and len({_written(row) for row in group}) > 1:
            made |= _as_one(cause, group)
    return [made.get(id(row), row) for row in rows]


def one_per_field(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts, equal edits of the schema of one header or parameter in many operations under one identity."""
    made = list(drafts)
    groups: dict[bytes, list[int]] = {}
    for at, draft in enumerate(made):
        if draft.own:
            groups.setdefault(draft.own, []).append(at)
    for cause, group in groups.items():
        if len(frozenset[str]().union(*(made[at].operations for at in group))) >= MANY:
            anchor = ComponentAnchor("every " + cause.decode("utf-8", "surrogatepass"))
            for at in group:
                made[at] = replace(made[at], anchor=anchor)
    return made


def _is_asked(row: ElementDifference) -> bool:
    what, kind = row.difference, row.about.kind
    if what.reason or not row.position.operation:
        return False
    if (kind, what.facet) == _DEMAND or (kind, what.facet) in _RENAMED:
        return True
    if what.facet:
        return kind in _FIELDS
    return kind in _WHOLE or (kind is ElementKind.PARAMETER and _is_written_out(row))


def _is_written_out(row: ElementDifference) -> bool:
    """True for a parameter that stands in its operation, and which nothing beside it decides about."""
    inside = row.position.anchor is None and row.about.place.pointer.startswith(_IN_OPERATIONS)
    return inside and not _OF_OPERATION & row.difference.facts.keys()


def _written(row: ElementDifference) -> tuple[object, ...]:
    return row.about.place, row.difference.released_place, row.difference.candidate_place


def _cause(row: ElementDifference) -> bytes:
    """What makes two edits one: the same said by the same kind of message, and nothing else that a rule asks for."""
    what, about = row.difference, row.about
    told: list[Json] = [about.kind, about.key, about.role, str(about.direction), about.in_error]
    told += [what.aspect, what.direction, what.facet, _asked(row)]
    alike = _is_as_others(row)
    forms = b"as others" if alike else canonical(what.released) + canonical(what.candidate)
    return canonical(told) + forms


def _asked(row: ElementDifference) -> Json:
    left = _OWN if _is_as_others(row) else frozenset()
    left |= frozenset() if row.about.kind is ElementKind.MEDIA_TYPE else _ASKED_OF_TYPES
    found = {name: value for name, value in row.difference.facts.items() if name not in left}
    return {name: bool(value) if name in _YES_OR_NO else value for name, value in sorted(found.items())}


def _is_as_others(row: ElementDifference) -> bool:
    """True where what an element holds is said elsewhere: a media type that holds what one beside it holds that stays.

    And a status that gave way to a range, or came out of one: their contents are compared, and have rows of their own.
    """
    about, change = row.about, row.difference.direction
    if about.kind is ElementKind.RESPONSE and row.difference.facet == "":
        return any(row.difference.facts.get(name) for name in _YES_OR_NO)
    if about.kind is not ElementKind.MEDIA_TYPE or change is Change.CHANGED:
        return False
    here, there = row.position.released, row.position.candidate
    here, there = (there, here) if change is Change.ADDED else (here, there)
    stays = {child.key for child in there.children if child.kind is ElementKind.MEDIA_TYPE}
    return any(
        other is not about and other.key in stays and _content(other) == _content(about)
        for other in here.children
        if other.kind is ElementKind.MEDIA_TYPE
    )


def _content(media: Element) -> Json:
    value = None if media.value is None else media.value.node
    return [value, [[child.key, [list(facet[:3:2]) for facet in child.facets]] for child in media.children]]


def _as_one(cause: bytes, group: Iterable[ElementDifference]) -> dict[int, ElementDifference]:
    """The rows, by their identity, each saying no more than all of them say."""
    rows = list(group)
    first = rows[0].difference
    alike = len({canonical(row.difference.released) + canonical(row.difference.candidate) for row in rows}) == 1
    shared: dict[str, Json] = dict(first.facts)
    if fact.ONLY_ONE in shared:
        shared[fact.ONLY_ONE] = all(row.difference.facts.get(fact.ONLY_ONE) is True for row in rows)
    if not alike:
        shared = {name: value for name, value in shared.items() if name not in _OWN}
    anchor = ComponentAnchor("every " + cause.decode("utf-8", "surrogatepass"))
    found = {}
    for row in rows:
        what = replace(row.difference, facts=shared)
        if not alike:
            name: Json = row.about.key
            added = what.direction is Change.ADDED
            what = replace(what, candidate=name) if added else replace(what, released=name)
        found[id(row)] = replace(row, position=row.position._replace(anchor=anchor), difference=what)
    return found


# Servers that no call depends on, and servers that every operation names by itself: rows that say less, or one.

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
    if _has_relative_url(released) or _has_relative_url(candidate):
        return False
    called = [position for position in positions if _is_called(position.released)]
    if not called:
        return _sends_alone(released) and _sends_alone(candidate)
    return not any(_inherits(one.released) and _inherits(one.candidate) for one in called)


def without_servers(rows: Sequence[ElementDifference]) -> list[ElementDifference]:
    """The rows, those about the document's servers as noise."""
    return [
        replace(row, difference=replace(row.difference, reason=row.difference.reason or NoiseReason.UNUSED_SERVERS))
        if is_of_document(row.position, row.about)
        else row
        for row in rows
    ]


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
