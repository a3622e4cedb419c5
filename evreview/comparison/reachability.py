"""Which operations a schema pair reaches, as what, the smallest address that names it, and its homes.

A pair is compared once; here it gets its uses: one per message role, direction and success or error.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from evreview.comparison.component_identity import element_step
from evreview.comparison.delta import RawDifference
from evreview.comparison.delta_ids import ComponentAnchor, child_anchor, entered, wrapped
from evreview.comparison.elements import ElementDifference, Position, Root
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.schema_pairs import Link, SchemaPair, reaching, unsent_directions
from evreview.contract.http import as_sent
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.frozen import frozen
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Aspect, Change, Direction, Role
from evreview.schema.view import Edge, Key, Sub, value_sub
from evreview.schema.views import Views

# Where the parts of a contract are written: in place, in a named component, beside the operations, in another file.

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


# How a message uses a schema, and how the use changes on the way down.


class SchemaUse(NamedTuple):
    """How a message uses a schema.

    `reversed`: under an odd number of `not`. `outside`: below a member that is not sent in this direction. `newly`: the
    member itself, where only the sender's contract keeps it back.
    """

    role: Role
    direction: Direction | None
    in_error: bool
    reversed: bool
    outside: bool
    newly: bool = False


def use_of(root: Root) -> SchemaUse:
    """The use at the top of a position."""
    element = root.position.released
    return SchemaUse(element.role, element.direction, element.in_error, False, False)


def following(use: SchemaUse, link: Link) -> SchemaUse:
    """The use one step further down; what is readOnly or writeOnly stays out of requests and responses alone."""
    hides = use.role is not Role.MESSAGE and use.direction in link.unsent
    if not (link.reverses or hides or use.newly):
        return use
    newly = hides and not use.outside and use.direction in link.newly_unsent
    return use._replace(reversed=use.reversed != link.reverses, outside=use.outside or hides, newly=newly)


def travelling(use: SchemaUse) -> SchemaUse:
    """The same use, by a way on which the value travels."""
    return use._replace(outside=False, newly=False)


# Whether the properties that a schema pair stands in are required in the released contract, per use of the pair.


UseKey = tuple[int, SchemaUse]


def required_uses(roots: Sequence[Root], live: set[int]) -> dict[UseKey, frozenset[bool | None]]:
    """The answers for each pair and use, one for each kind of position: None for one that is no property."""
    answers: dict[UseKey, set[bool | None]] = {}
    parts: list[tuple[UseKey, UseKey]] = []
    stack: list[tuple[SchemaPair, SchemaUse]] = []
    for root in roots:
        if id(root.pair) in live:
            stack.append((root.pair, use_of(root)))
            answers.setdefault((id(root.pair), use_of(root)), set()).add(None)
    seen: set[UseKey] = set()
    while stack:
        pair, use = stack.pop()
        if (id(pair), use) in seen:
            continue
        seen.add((id(pair), use))
        parts += [((id(pair), use), (id(part), use)) for part in _merged_into(pair) if id(part) in live]
        for link in pair.links:
            # The view of `pair` shows the properties of its merged parts too, with what the whole requires.
            if link.step and id(link.target) in live:
                below = following(use, link)
                answers.setdefault((id(link.target), below), set()).add(link.required)
                stack.append((link.target, below))
    _inherit(answers, parts)
    return {key: frozenset(found) for key, found in answers.items()}


def agreed(answers: frozenset[bool | None]) -> bool | None:
    """The answer in which all positions agree, None where they don't.

    A schema that is also a whole body, an item or a branch somewhere, or a property required here and optional
    there, has no answer: its difference belongs to the shared schema, not to one property.
    """
    return next(iter(answers)) if len(answers) == 1 else None


def somewhere(answers: frozenset[bool | None]) -> bool | None:
    """True where one position at least demands the property: what is withheld or owed there decides for all."""
    return True if True in answers else agreed(answers)


def _merged_into(pair: SchemaPair) -> Iterator[SchemaPair]:
    """The shared schemas that the views of a pair merged, and those merged into them."""
    seen = {id(pair)}
    stack = [pair]
    while stack:
        for link in stack.pop().links:
            if not link.step and id(link.target) not in seen:
                seen.add(id(link.target))
                stack.append(link.target)
                yield link.target


def _inherit(answers: dict[UseKey, set[bool | None]], parts: Sequence[tuple[UseKey, UseKey]]) -> None:
    """A part stands where each whole stands."""
    known = {key: frozenset(found) for key, found in answers.items()}
    for whole, part in parts:
        answers.setdefault(part, set()).update(known[whole])


class SchemaPath(NamedTuple):
    """The smallest way to a schema pair: the position it starts at, the schema steps from there, and two anchors.

    `anchor`: of what the pair's schemas say; `site`: of the node itself, where that only wraps a component.
    """

    position: Position
    steps: tuple[str, ...]
    anchor: ComponentAnchor | None
    site: ComponentAnchor | None


@frozen
class Reach:
    """Where the pairs of one graph stand: operations per pair and use, and the way to it.

    `required`: whether the properties are required that a pair stands in, None among them for other positions.
    """

    operations: Mapping[tuple[int, SchemaUse], frozenset[str]]
    usage_paths: Mapping[tuple[int, SchemaUse], SchemaPath]
    uses: Mapping[int, tuple[SchemaUse, ...]]
    required: Mapping[tuple[int, SchemaUse], frozenset[bool | None]]


def reach(roots: Sequence[Root], live: set[int], removed_uses: RemovedUses) -> Reach:
    """Carries the roots' operations down to every pair in `live`, the ones that lead to a difference.

    `removed_uses` are the released uses without counterpart: they give addresses, so that an operation or a field that
    goes does not rename what differs elsewhere, and they carry no operations.
    """
    kept = [root for root in roots if id(root.pair) in live]
    kept.sort(key=_place)
    names = sorted({root.position.operation for root in kept})
    bits = {name: 1 << at for at, name in enumerate(names)}
    masks = _carry(kept, live, bits)
    sets = {mask: _names(mask, names) for mask in set(masks.values())}
    operations = {key: sets[mask] for key, mask in masks.items()}
    uses: dict[int, list[SchemaUse]] = {}
    required = required_uses(kept, live)
    for pair, use in masks:
        travels = (pair, travelling(use))
        if not (use.outside and travels in masks):
            uses.setdefault(pair, []).append(use)
        else:
            # A value that travels by one way and not by another does travel, and is owed on both.
            required[travels] = required.get(travels, frozenset()) | required.get((pair, use), frozenset())
    return Reach(
        operations,
        _usage_paths(sorted([*kept, *removed_uses.roots], key=_place), live | removed_uses.live, removed_uses),
        {pair: tuple(sorted(found, key=_order)) for pair, found in uses.items()},
        required,
    )


def _place(root: Root) -> tuple[str, int, tuple[str, ...]]:
    return (root.position.operation, len(root.position.steps), root.position.steps)


def _order(use: SchemaUse) -> tuple[str, str, bool, bool, bool]:
    return (use.role.value, use.direction or "", use.in_error, use.reversed, use.outside)


def _carry(roots: Sequence[Root], live: set[int], bits: Mapping[str, int]) -> dict[tuple[int, SchemaUse], int]:
    masks: dict[tuple[int, SchemaUse], int] = {}
    fresh: dict[tuple[int, SchemaUse], int] = {}
    queue: deque[tuple[SchemaPair, SchemaUse]] = deque()

    def push(pair: SchemaPair, use: SchemaUse, mask: int) -> None:
        key = (id(pair), use)
        new = mask & ~masks.get(key, 0)
        if new:
            masks[key] = masks.get(key, 0) | new
            if not fresh.get(key):
                queue.append((pair, use))
            fresh[key] = fresh.get(key, 0) | new

    for root in roots:
        push(root.pair, use_of(root), bits[root.position.operation])
    while queue:
        pair, use = queue.popleft()
        mask = fresh.pop((id(pair), use), 0)
        for link in pair.links:
            if id(link.target) in live:
                push(link.target, following(use, link), mask)
    return masks


def _names(mask: int, names: Sequence[str]) -> frozenset[str]:
    return frozenset(name for at, name in enumerate(names) if mask >> at & 1)


def _usage_paths(
    roots: Sequence[Root], live: set[int], removed_uses: RemovedUses
) -> dict[tuple[int, SchemaUse], SchemaPath]:
    """For each pair and use: the first operation that reaches it, and there the shortest way, then the smallest."""
    usage_paths: dict[tuple[int, SchemaUse], SchemaPath] = {}
    at = 0
    while at < len(roots):
        operation = roots[at].position.operation
        heap: list[tuple[int, tuple[str, ...], tuple[str, ...], int, SchemaPair, SchemaUse, SchemaPath]] = []
        count = 0
        while at < len(roots) and roots[at].position.operation == operation:
            root = roots[at]
            start = _usage_path(root.position, (), _start(root), root.pair, removed_uses)
            heappush(heap, (len(root.position.steps), root.position.steps, (), count, root.pair, use_of(root), start))
            at, count = at + 1, count + 1
        _spread(heap, usage_paths, live, removed_uses)
    return usage_paths


def _spread(
    heap: list[tuple[int, tuple[str, ...], tuple[str, ...], int, SchemaPair, SchemaUse, SchemaPath]],
    usage_paths: dict[tuple[int, SchemaUse], SchemaPath],
    live: set[int],
    removed_uses: RemovedUses,
) -> None:
    count = len(heap)
    while heap:
        length, elements, steps, _, pair, use, usage_path = heappop(heap)
        if (id(pair), use) in usage_paths:
            continue
        usage_paths[id(pair), use] = usage_path
        for link in (*pair.links, *removed_uses.links(pair)):
            below = following(use, link)
            if id(link.target) in live and (id(link.target), below) not in usage_paths:
                further = (*steps, link.step) if link.step else steps
                count += 1
                taken = _usage_path(
                    usage_path.position, further, _further(usage_path.anchor, link), link.target, removed_uses
                )
                heappush(heap, (length + bool(link.step), elements, further, count, link.target, below, taken))


def _usage_path(
    position: Position,
    steps: tuple[str, ...],
    site: ComponentAnchor | None,
    pair: SchemaPair,
    removed_uses: RemovedUses,
) -> SchemaPath:
    end = wrapped(removed_uses.views, pair.released)
    return SchemaPath(position, steps, site if end is pair.released else ComponentAnchor(end), site)


def _start(root: Root) -> ComponentAnchor | None:
    value = root.position.released.value
    if value is not None and value.place != root.pair.released.place:
        return ComponentAnchor(root.pair.released)
    return root.position.anchor


def _further(anchor: ComponentAnchor | None, link: Link) -> ComponentAnchor | None:
    if link.anchor is not None:
        return link.anchor
    return anchor.below(link.step) if anchor is not None else None
