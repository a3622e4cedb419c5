"""One decision that reaches many operations is one row: a media type, response, header or demand that all of them get.

A component that operations share is one edit already. Here are edits written out in each operation, as generators do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.component_identity import MEDIA_TYPE, STATUS
from evreview.comparison.delta_ids import Anchor
from evreview.comparison.drafts import Draft
from evreview.comparison.elements import ElementDifference, Position, Root
from evreview.comparison.noise import DECLARED, OF_ROOT, TOLD_BY_DEMAND, TOLD_BY_KIND, TOLD_BY_SERVICE
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Aspect, Change, ContractKind, Json

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


def one_per_cause(rows: Sequence[ElementDifference], released: Contract) -> list[ElementDifference]:
    """The rows, equal edits of many operations under one identity, so that they are merged to one row."""
    if released.kind is not ContractKind.OPENAPI:
        return list(rows)
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


def one_per_field(drafts: Iterable[Draft], released: Contract) -> list[Draft]:
    """The drafts, equal edits of the schema of one header or parameter in many operations under one identity."""
    made = list(drafts)
    if released.kind is not ContractKind.OPENAPI:
        return made
    groups: dict[bytes, list[int]] = {}
    for at, draft in enumerate(made):
        if draft.own:
            groups.setdefault(draft.own, []).append(at)
    for cause, group in groups.items():
        if len(frozenset[str]().union(*(made[at].operations for at in group))) >= MANY:
            anchor = Anchor("every " + cause.decode("utf-8", "surrogatepass"))
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
    told: list[Json] = [about.kind, about.key, about.role, str(about.polarity), about.in_error]
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
    anchor = Anchor("every " + cause.decode("utf-8", "surrogatepass"))
    found = {}
    for row in rows:
        what = replace(row.difference, facts=shared)
        if not alike:
            name: Json = row.about.key
            added = what.direction is Change.ADDED
            what = replace(what, candidate=name) if added else replace(what, released=name)
        found[id(row)] = replace(row, position=row.position._replace(anchor=anchor), difference=what)
    return found


# A default of what became required: nobody may leave it out any more, so the row of the demand says all of it.


_FACET: Final = "default"
_OWED: Final = "required"
_NAMED: Final = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})


def tell_defaults(pairs: Sequence[SchemaPair], roots: Sequence[Root]) -> None:
    """Gives rows of defaults their reason where every way to them leads through a member that became required."""
    ways: dict[int, list[bool]] = {}
    for pair in pairs:
        demanded = _demanded(pair) if pair.links else frozenset()
        for link in pair.links:
            ways.setdefault(id(link.target), []).append(_is_demanded(link, demanded))
    for root in roots:
        ways.setdefault(id(root.pair), []).append(_became_required(root.position))
    for pair in pairs:
        if all(ways.get(id(pair), [False])):
            pair.differences = [
                replace(row, reason=TOLD_BY_DEMAND) if row.facet == _FACET and not row.steps and not row.reason else row
                for row in pair.differences
            ]


def _is_demanded(link: Link, demanded: frozenset[str]) -> bool:
    return link.required is False and link.step in demanded


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


# Rows that another row says already: procedures of a service, parts of a type of another kind, declared schemes.


_KIND: Final = "kind"
_WITH_FIELDS: Final = frozenset({"object", "interface", "input object"})
_HOLDERS: Final[Mapping[tuple[ElementKind, Aspect], frozenset[str]]] = {
    (ElementKind.FIELD, Aspect.FIELDS): _WITH_FIELDS,
    (ElementKind.MEMBER, Aspect.INHERITANCE): frozenset({"object", "interface"}),
    (ElementKind.MEMBER, Aspect.COMPOSITION): frozenset({"union"}),
    (ElementKind.ENUM_VALUE, Aspect.ENUMS): frozenset({"enum"}),
}
"""The kinds of types that hold parts of a kind."""


def told_elsewhere(rows: list[ElementDifference], released: Contract, candidate: Contract) -> list[ElementDifference]:
    """The rows, those as noise that say of a part what the row of what holds it says of all."""
    if released.kind is ContractKind.PROTOBUF:
        return _with_services(rows)
    if released.kind is not ContractKind.GRAPHQL:
        return rows
    types = _Types(released, candidate)
    return _told(_told(rows, types.is_of_kind, TOLD_BY_KIND), types.is_of_root, OF_ROOT)


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
        replace(row, difference=replace(row.difference, reason=DECLARED))
        if row.about.kind is ElementKind.SECURITY_SCHEME and not row.difference.facet and row.about.key in named
        else row
        for row in rows
    ]


def _listed(value: object) -> list[Json]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _told(
    rows: Iterable[ElementDifference], is_told: Callable[[ElementDifference], bool], reason: str
) -> list[ElementDifference]:
    return [
        replace(row, difference=replace(row.difference, reason=reason))
        if not row.difference.facet and not row.difference.reason and is_told(row)
        else row
        for row in rows
    ]


def _with_services(rows: list[ElementDifference]) -> list[ElementDifference]:
    moved = {
        (row.about.key, row.difference.direction)
        for row in rows
        if row.about.kind is ElementKind.SERVICE and not row.difference.facet
    }

    def is_of_service(row: ElementDifference) -> bool:
        service = row.about.key.rpartition("/")[0]
        return row.about.kind is ElementKind.OPERATION and (service, row.difference.direction) in moved

    return _told(rows, is_of_service, TOLD_BY_SERVICE)


@dataclass(frozen=True)
class _Types:
    """The named types of both sides of a GraphQL schema."""

    released: Contract
    candidate: Contract

    @cached_property
    def _both(self) -> tuple[dict[str, Element], dict[str, Element]]:
        old, new = (
            {each.key: each for each in side.root.children if each.kind is ElementKind.TYPE}
            for side in (self.released, self.candidate)
        )
        return old, new

    def _kinds(self, name: str) -> tuple[str, str] | None:
        """The kinds of a type that both sides have, where they differ."""
        old, new = (types.get(name) for types in self._both)
        if old is None or new is None:
            return None
        kinds = str(old.facet(_KIND)), str(new.facet(_KIND))
        return kinds if kinds[0] != kinds[1] else None

    def is_of_kind(self, row: ElementDifference) -> bool:
        """True for a part that only one of two kinds has, and for an implementation of what is no interface there."""
        here, about = row.position.released.key, row.about
        added = row.difference.direction is Change.ADDED
        holders = _HOLDERS.get((about.kind, about.aspect), frozenset())
        kinds = self._kinds(here)
        if kinds is not None and holders and kinds[0 if added else 1] not in holders:
            return set(kinds) != {"interface", "union"} or holders != {"union"} or self._stays_possible(here, about.key)
        kinds = self._kinds(about.key) if about.aspect is Aspect.INHERITANCE else None
        if kinds is None or "interface" not in kinds:
            return False
        return "union" not in kinds or self._stays_possible(about.key, here)

    def _stays_possible(self, abstract: str, name: str) -> bool:
        """Whether a value of an interface or union may be of a type on both sides."""
        return all(
            _has(types.get(abstract), name, Aspect.COMPOSITION) or _has(types.get(name), abstract, Aspect.INHERITANCE)
            for types in self._both
        )

    def is_of_root(self, row: ElementDifference) -> bool:
        """True for a field of a type that is a root on the other side, and for a root that comes or goes as a whole.

        The fields of a root stand as operations; no other object is without fields.
        """
        side = 1 if row.difference.direction is Change.ADDED else 0
        if row.about.kind is ElementKind.FIELD:
            other = self._both[1 - side].get(row.position.released.key)
            return other is not None and _is_root(other)
        word = row.about.key.lower()
        other_side = (self.released, self.candidate)[1 - side]
        return (
            row.about.kind is ElementKind.TYPE
            and row.about.key == word.capitalize()
            and _is_root(row.about)
            and not any(each.key.startswith(f"{word} ") for each in other_side.root.children)
        )


def _has(element: Element | None, name: str, aspect: Aspect) -> bool:
    return element is not None and any(
        child.kind is ElementKind.MEMBER and child.key == name and child.aspect is aspect for child in element.children
    )


def _is_root(element: Element) -> bool:
    return element.facet(_KIND) == "object" and not any(child.kind is ElementKind.FIELD for child in element.children)
