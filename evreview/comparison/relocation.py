"""Where the parts of a contract are written: in place, in a named component, beside the operations, in another file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.comparison.component_identity import element_step
from evreview.comparison.delta import RawDifference
from evreview.comparison.delta_ids import child_anchor, entered
from evreview.comparison.elements import ElementDifference, Position, Root
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.schema_pairs import Link, SchemaPair, reaching, unsent_directions
from evreview.contract.http import as_sent
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Aspect, Change, Role
from evreview.schema.view import Edge, Key, Sub, value_sub
from evreview.schema.views import Views

IN_PLACE: Final = "in place"
PATH_ITEM: Final = "the path item"
DOCUMENT: Final = "the document"
_DOCUMENT: Final = ("servers", "security", "host", "basePath", "schemes")
_VARIABLE: Final = re.compile(r"\{[^{}]*\}")
_SPELLED: Final = (ElementKind.MEDIA_TYPE, ElementKind.HEADER, ElementKind.SERVER)
_CALLED: Final = ("/paths/", "/webhooks/")
_OLD: Final = ("definitions", "parameters", "responses")


def relocation_rows(positions: Iterable[Position], entries: tuple[str, ...]) -> list[ElementDifference]:
    """One noise row per part and pair of homes that differ, unless the part around it moved the same way.

    Args:
        positions: the pairs of elements, each after the one that it stands in.
        entries: the files that both contracts start at.
    """
    moves: dict[tuple[str, ...], tuple[str, str]] = {}
    seen: set[tuple[str, ...]] = set()
    rows = []
    for position in positions:
        old, new = position.released.place, position.candidate.place
        before, after = position.released, position.candidate
        if before.name != after.name and before.key == after.key and _is_respelled(before, after):
            key = (element_step(before), before.name, after.name)
            if key not in seen:
                rows.append(_renamed(position))
            seen.add(key)
        if (old.pointer == new.pointer and old.file == new.file) or old.line is not None:
            continue
        homes = _home_in(old, entries[0]), _home_in(new, entries[1])
        if homes[0] == homes[1]:
            continue
        moves[position.steps] = homes
        key = (element_step(position.released), *homes)
        if key not in seen and moves.get(position.steps[:-1]) != homes:
            rows.append(_row(position, *homes))
        seen.add(key)
    return rows


def _is_respelled(before: Element, after: Element) -> bool:
    """True when two names are one in two spellings; of paths, whatever their variables are called."""
    if before.kind in _SPELLED:
        return True
    if before.kind is not ElementKind.OPERATION or before.role is not Role.REQUEST:
        return False
    old, new = (_VARIABLE.sub("{}", element.name) for element in (before, after))
    return old != new and as_sent(old) == as_sent(new)


def _home_in(place: Place, entry: str) -> str:
    return location_of(place) if place.file == entry else f"{place.file} {location_of(place)}"


def location_of(place: Place) -> str:
    """`parameters/Limit` for a component, "the path item" for what all its operations share, "in place" otherwise."""
    pointer = place.pointer
    if pointer.startswith("/components/"):
        return "/".join((steps_of(pointer) or ())[1:3])
    if pointer.startswith(_CALLED):
        return PATH_ITEM if _in_item((steps_of(pointer) or ())[2:]) in ("parameters", "servers") else IN_PLACE
    steps = steps_of(pointer) or ()
    if steps and steps[0] in _DOCUMENT:
        return DOCUMENT
    return "/".join(steps[:2]) if steps and steps[0] in _OLD else IN_PLACE


def _in_item(steps: Sequence[str]) -> str:
    """The step below the innermost path item, whose operations may have callbacks with path items; "" for none."""
    while len(steps) > 1 and steps[1] == "callbacks":
        # The operation, its callbacks, the name of one, and the expression.
        steps = steps[4:]
    return steps[0] if steps else ""


def _renamed(position: Position) -> ElementDifference:
    difference = RawDifference(
        aspect=Aspect.IDENTIFIERS,
        facet="spelling",
        released=position.released.name,
        candidate=position.candidate.name,
        released_place=position.released.place,
        candidate_place=position.candidate.place,
        element=position.released.kind,
        change=Change.CHANGED,
        reason=NoiseReason.ONE_NAME,
    )
    return ElementDifference(position, position.steps, position.released, difference)


def _row(position: Position, old: str, new: str) -> ElementDifference:
    difference = RawDifference(
        aspect=Aspect.IDENTIFIERS,
        facet="written at",
        released=old,
        candidate=new,
        released_place=position.released.place,
        candidate_place=position.candidate.place,
        element=position.released.kind,
        reason=NoiseReason.MOVED,
    )
    return ElementDifference(position, position.steps, position.released, difference)


# Released uses of a schema that have no counterpart: an operation, a field or a branch that went.
#
# An address is the smallest released use. Without these, removing one use would rename the differences of all others.


class RemovedUses:
    """The released-only part of the graph, as far as it leads to pairs that differ.

    Attributes:
        roots: value sets of elements that went.
        live: ids of the removed uses that lead to a pair that differs.
    """

    def __init__(self, old: SchemaReaders, pairs: Sequence[SchemaPair], live: set[int]) -> None:
        self._old = old
        self._pairs: dict[Key, list[SchemaPair]] = {}
        for pair in pairs:
            if id(pair) in live:
                self._pairs.setdefault(pair.released.key, []).append(pair)
        self._made: dict[Key, SchemaPair] = {}
        self._links: dict[int, list[Link]] = {}
        self.roots: list[Root] = []
        self.live: set[int] = set()

    def grow(self, lost: Sequence[Position], pairs: Sequence[SchemaPair]) -> None:
        """Adds the uses below elements that went, and below the fields and branches that pairs lost."""
        if not self._pairs:
            return
        for position in lost:
            self._elements(position)
        for pair in pairs:
            links = [self._link_to(pair, Edge(step, False, sub), self._removed_use(sub)) for step, sub in pair.lost]
            if links:
                self._links[id(pair)] = links
        self.live = reaching(list(self._made.values()), [pair for known in self._pairs.values() for pair in known])

    @property
    def views(self) -> Views:
        """The released contract's."""
        return self._old.views

    def links(self, pair: SchemaPair) -> Sequence[Link]:
        """The steps from a pair to released members without counterpart."""
        return self._links.get(id(pair), ())

    def _elements(self, top: Position) -> None:
        todo = [top]
        while todo:
            position = todo.pop()
            if position.released.value is not None:
                self.roots.append(Root(position, self._removed_use(value_sub(position.released))))
            todo += [_child(position, element) for element in position.released.children]

    def _removed_use(self, sub: Sub) -> SchemaPair:
        start = self._enter(sub)
        todo = [start]
        while todo:
            removed_use = todo.pop()
            if removed_use.links or removed_use.released.key not in self._made:
                continue
            for edge in self._old.views.edges(removed_use.released):
                known = len(self._made)
                removed_use.links.append(self._link_to(removed_use, edge, self._enter(edge.sub)))
                if len(self._made) > known:
                    todo.append(removed_use.links[-1].target)
        return start

    def _enter(self, sub: Sub) -> SchemaPair:
        """The pair that a released use stands for; one that leads to all of them when the schema has several.

        Taking one of several would let a reworded description choose: it makes a pair of equal schemas differ.
        """
        target = self._old.views.resolve(sub)
        known = self._pairs.get(target.key, [])
        if len(known) == 1:
            return known[0]
        if target.key not in self._made:
            links = [Link("", False, pair) for pair in known]
            self._made[target.key] = SchemaPair(target, target, links=links)
        return self._made[target.key]

    def _link_to(self, start: SchemaPair, edge: Edge, target: SchemaPair) -> Link:
        view = self._old.view(edge.sub)
        members = self._old.views.view(start.released).members
        anchor = entered(edge.sub, target.released, edge.step, members)
        unsent = unsent_directions(view, view)[0] if edge.name else frozenset()
        return Link(edge.step, edge.reverses, target, unsent, anchor=anchor)


def _child(position: Position, element: Element) -> Position:
    step = element_step(element)
    anchor = child_anchor(position.released, position.anchor, element, step)
    return Position(position.operation, (*position.steps, step), element, element, anchor=anchor)
