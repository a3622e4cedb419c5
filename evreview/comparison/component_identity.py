"""How an id recognises a shared component without its name: by what its fields are called, else by its whole shape.

Field names survive most edits of a component. Where several components that messages of the released contract hold
have the same ones, the one that is used first has them for itself, and the others add their first use: a component that
comes behind moves none of them. Only the released contract is asked: no edit of a candidate moves an id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from operator import itemgetter
from typing import Final, NamedTuple

from evreview.comparison.delta import Delta
from evreview.comparison.wire_forms import Forms, canonical
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Address, Json
from evreview.schema.discriminators import Hierarchy
from evreview.schema.reader import LISTED, MAPPED, SINGLE, discriminator_of, written_type
from evreview.schema.view import Part, Sub, value_sub
from evreview.schema.views import Views

# Stable paths: how a row says where it is.


_NAMED: Final = frozenset(
    {ElementKind.RESPONSE, ElementKind.HEADER, ElementKind.LINK, ElementKind.CALLBACK, ElementKind.ENCODING}
    | {ElementKind.SERVER, ElementKind.SECURITY_SCHEME, ElementKind.PROPERTY, ElementKind.SCHEMA, ElementKind.MESSAGE}
    | {ElementKind.CHANNEL, ElementKind.REPLY, ElementKind.BINDING, ElementKind.TYPE, ElementKind.FIELD}
    | {ElementKind.ENUM_VALUE, ElementKind.MEMBER, ElementKind.ONEOF, ElementKind.SERVICE, ElementKind.EXTENSION}
    | {ElementKind.DIRECTIVE, ElementKind.ARGUMENT, ElementKind.MODULE, ElementKind.CLASS, ElementKind.FUNCTION}
    | {ElementKind.ATTRIBUTE, ElementKind.OVERLOAD}
)
MEDIA_TYPE: Final = "media-type"
"""Facet of the row of a media type that got another name."""
STATUS: Final = "status"
"""Facet of the row of a status that gave way to a range, or to the default, that holds it."""
CONTENT: Final = "content"
"""Facet of the row of a parameter or header that went from `schema` to `content`, or back."""
_RENAMED: Final = frozenset({(ElementKind.MEDIA_TYPE, MEDIA_TYPE), (ElementKind.RESPONSE, STATUS)})
_NUMBERED: Final = frozenset({ElementKind.FIELD, ElementKind.ENUM_VALUE})
"""The kinds that a number may pair; people know them by their names."""
_CALLED: Final = {ElementKind.SECURITY_SCHEME: "security scheme", ElementKind.ENUM_VALUE: "value"}


def element_step(element: Element) -> str:
    """One element as an address shows it: `response 200`, `application/json`, `query limit`, `body`."""
    key = element.key
    if "\\" in key or ">" in key:
        key = key.replace("\\", "\\\\").replace(">", "\\>")
    if element.kind in _NUMBERED and element.name not in ("", key):
        return f"{_CALLED.get(element.kind, element.kind.value)} {element.name} = {key}"
    if element.kind in _NAMED:
        return f"{_CALLED.get(element.kind, element.kind.value)} {key}".rstrip()
    if element.kind is ElementKind.PARAMETER:
        return key.replace(":", " ", 1)
    if element.kind in (ElementKind.BODY, ElementKind.SECURITY, ElementKind.DOCUMENT):
        return element.kind.value if key in ("", element.kind.value) else f"{element.kind.value} {key}"
    return key or element.kind.value


def candidate_address(delta: Delta) -> Address:
    """The address as the candidate's own names spell it; another one where the last step has another name."""
    if (delta.element, delta.facet) not in _RENAMED:
        return delta.address
    parent, sign, step = delta.address.rpartition(" > ")
    named = f"{delta.candidate}" if delta.facet == MEDIA_TYPE else f"{step.partition(' ')[0]} {delta.candidate}"
    return Address(f"{parent}{sign}{named}")


def address(elements: Sequence[str], schema: Sequence[str] = ()) -> Address:
    """The steps as one text; array and map steps stick to the field before them (`items[] > status`)."""
    text = " > ".join(elements)
    fresh = True
    for step in schema:
        if not step:
            continue
        glued = step[0] in "[{" and not fresh
        text += step if glued else (" > " if text else "") + step
        fresh = False
    return Address(text)


# Where shared parts of messages (parameters, responses, bodies, headers) are used, by where they are written.
#
# What tells two of them with one form apart; see `first_uses` for schemas.


ElementSteps = tuple[str, ...]


@frozen
class ElementUse:
    """One use of a shared element: its steps from the operation down, and the element as it is there."""

    steps: ElementSteps
    element: Element

    @property
    def rank(self) -> tuple[str, int, ElementSteps]:
        """By operation, there by the shortest way."""
        return self.steps[0], len(self.steps), self.steps


def is_shared(parent: Element, element: Element) -> bool:
    """True for an element that is written elsewhere than its parent, so that others may refer to it."""
    around, own = parent.place, element.place
    if own.file != around.file or not own.pointer.startswith(around.pointer):
        return True
    end = len(around.pointer)
    return own.pointer[end : end + 1] not in ("", "/")


def is_the_paths(parent: Element, element: Element) -> bool:
    """True for what an operation has from its path item."""
    around, own = parent.place, element.place
    beside = around.pointer.rpartition("/")[0] + "/"
    return parent.kind is ElementKind.OPERATION and own.file == around.file and own.pointer.startswith(beside)


def element_uses(contract: Contract) -> Mapping[Place, tuple[ElementUse, ElementUse]]:
    """The first and the last use of every shared element, by where it is written."""
    found: dict[Place, tuple[ElementUse, ElementUse]] = {}
    for operation in contract.operations:
        for use in _shared_elements_below(operation):
            known = found.get(use.element.place)
            found[use.element.place] = (use, use) if known is None else _around(*known, use)
    return found


def _around(first: ElementUse, last: ElementUse, use: ElementUse) -> tuple[ElementUse, ElementUse]:
    rank = use.rank
    return use if rank < first.rank else first, use if rank > last.rank else last


def _shared_elements_below(operation: Element) -> Iterator[ElementUse]:
    waiting: list[tuple[Element, tuple[Element, ...]]] = [(operation, ())]
    while waiting:
        parent, chain = waiting.pop()
        for child in parent.children:
            if is_shared(parent, child) and not is_the_paths(parent, child):
                yield ElementUse((operation.key, *map(element_step, (*chain, child))), child)
            if child.children:
                waiting.append((child, (*chain, child)))


# The smallest use of every shared schema that a message may hold: what tells components of one look apart.
#
# A use has no component name, no position in a list and no order of keys, so that none of them moves it.


Steps = tuple[str, ...]
_SINGLE: Final = frozenset(SINGLE)
_MAPPED: Final = frozenset(MAPPED)
_LISTED: Final = frozenset(LISTED)
_LEADING: Final = _SINGLE | _MAPPED | _LISTED | {"$ref", "discriminator"}
"""A node without any of these leads nowhere."""


class StepChain(NamedTuple):
    """The steps to a schema, the last ones and how it went before; most ways are never written out."""

    above: StepChain | None
    steps: Steps


@frozen
class FirstUse:
    """Where a shared schema is used first.

    Attributes:
        order: the same for uses that nothing tells apart, as branches of one union, and smaller for an earlier one.
        elements: the steps to the message's value.
        usage_path: the steps from there.
    """

    order: int
    elements: Steps
    usage_path: StepChain | None

    @property
    def steps(self) -> list[str]:
        """All steps."""
        found: list[Steps] = []
        usage_path = self.usage_path
        while usage_path is not None:
            found.append(usage_path.steps)
            usage_path = usage_path.above
        return [*self.elements, "", *(step for steps in reversed(found) for step in steps)]


class _PathStop(NamedTuple):
    """A schema on the way. Stops are taken by depth, then in the order of those above them, then of their steps."""

    depth: int
    above: int
    steps: Steps
    number: int
    node: Json
    base: Place
    inner: tuple[str | int, ...]
    usage_path: StepChain | None


def first_uses(contract: Contract, resolver: Resolver, hierarchy: Hierarchy) -> Mapping[int, FirstUse]:
    """For each schema that a reference of a message leads to, by identity of its node: its smallest use.

    The smallest one stands in the first operation; there the shortest way of elements counts, then of schemas.

    Args:
        contract: the contract whose messages are followed.
        resolver: of its references.
        hierarchy: of its subtypes, which a discriminator reaches by name alone.
    """
    found: dict[int, FirstUse] = {}
    seen: set[int] = set()
    order = 0
    for _, _, elements, place, node in sorted(_roots(contract), key=itemgetter(0, 1, 2)):
        heap = [_PathStop(0, order, (), 0, node, place, (), None)]
        taken, count = None, 0
        while heap:
            stop = heappop(heap)
            if not isinstance(stop.node, dict) or id(stop.node) in seen:
                continue
            seen.add(id(stop.node))
            order, taken = order + (stop[:3] != taken), stop[:3]
            end = resolver.follow(stop.base, stop.node) if isinstance(stop.node.get("$ref"), str) else None
            if end is not None:
                count += 1
                found.setdefault(id(end[1]), FirstUse(order, elements, stop.usage_path))
                heappush(heap, stop._replace(number=count, node=end[1], base=end[0], inner=()))
            for steps, member, inner in _schemas_below(stop.node, stop.base, stop.inner, hierarchy):
                if isinstance(member, dict) and not _LEADING.isdisjoint(member):
                    count += 1
                    heappush(heap, _reached(stop, order, steps, (count, member, stop.base, (*stop.inner, *inner))))
    return found


def _reached(
    stop: _PathStop, order: int, steps: Steps, where: tuple[int, Json, Place, tuple[str | int, ...]]
) -> _PathStop:
    """The stop of a member; one without steps of its own stands where the schema around it does."""
    if not steps:
        return _PathStop(stop.depth, stop.above, stop.steps, *where, stop.usage_path)
    return _PathStop(stop.depth + 1, order, steps, *where, StepChain(stop.usage_path, steps))


def _roots(contract: Contract) -> Iterator[tuple[str, int, Steps, Place, Json]]:
    """The values of all messages that lead anywhere: operation, length of the way, way, place and node."""
    shown: dict[tuple[ElementKind, str, str], str] = {}
    stack: list[tuple[Element, str, Steps]] = [(contract.root, "", ())]
    while stack:
        element, operation, steps = stack.pop()
        value = element.value
        if value is not None and isinstance(value.node, dict) and not _LEADING.isdisjoint(value.node):
            yield operation, len(steps), steps, value.place, value.node
        for child in element.children:
            starts = child.kind is ElementKind.OPERATION and not operation
            key = (child.kind, child.key, child.name)
            if key not in shown:
                shown[key] = element_step(child)
            stack.append((child, child.key if starts else operation, (*steps, shown[key])))


def _schemas_below(
    node: Mapping[str, Json], base: Place, inner: tuple[str | int, ...], hierarchy: Hierarchy
) -> Iterator[tuple[Steps, Json, tuple[str | int, ...]]]:
    """The schemas one step below a node: the steps that a use keeps, the schema, and the steps that lead there."""
    for keyword, value in node.items():
        if keyword in _SINGLE:
            yield (keyword,), value, (keyword,)
        elif keyword in _MAPPED and isinstance(value, dict):
            for name, member in value.items():
                yield (keyword, name), member, (keyword, name)
        elif keyword in _LISTED and isinstance(value, list):
            for at, member in enumerate(value):
                # A union may be written with one branch or many, and each branch anywhere in it.
                yield (), member, (keyword, at)
    if "discriminator" in node:
        told = discriminator_of(node, base.child(*inner))
        for name, sub in hierarchy.selected(told).items() if told is not None else ():
            yield ("discriminator", name), sub.parts[0].node, ()


_Outline = tuple[str, str, tuple[str, ...]]


class ComponentIdentities:
    """The marks of one released contract's components."""

    def __init__(self, released: Contract, resolver: Resolver, views: Views, forms: Forms) -> None:
        self._released = released
        self._resolver = resolver
        self._views = views
        self._forms = forms
        self._fields: dict[int, tuple[Part, frozenset[str]]] = {}
        self._told_apart: dict[bytes, dict[int, tuple[int, FirstUse, bool]]] = {}

    def schema(self, sub: Sub) -> Json:
        """Field names, and whether null is named, with the first use where an earlier component has the same ones.

        The whole form for a schema without fields, and for one beside several components with its field names.
        """
        mark = self._mark(sub)
        if mark is None:
            return ["schema", self._forms.of(sub)]
        place = self._placed(mark).get(id(self._views.resolve(sub).parts[0].node))
        if place is None:
            return mark if len(self._placed(mark)) < 2 else ["schema", self._forms.of(sub)]
        at, use, alone = place
        # Several components may be branches of one union.
        return mark if at == 0 else ["used first", mark, use.steps, None if alone else self._forms.of(sub)]

    def _placed(self, mark: Json) -> Mapping[int, tuple[int, FirstUse, bool]]:
        """The components with one mark that a message holds: their place among them, first use, and if it is theirs."""
        name = canonical(mark)
        if name not in self._told_apart:
            alike = self._alike.get(name, [])
            self._told_apart[name] = self._in_order(alike) if len(alike) > 1 else {}
        return self._told_apart[name]

    def _in_order(self, alike: list[Sub]) -> dict[int, tuple[int, FirstUse, bool]]:
        used = [(use, sub) for sub in alike if (use := self._uses.get(id(sub.parts[0].node))) is not None]
        counts = Counter(use.order for use, _ in used)

        def rank(item: tuple[FirstUse, Sub]) -> tuple[int, bytes]:
            use, sub = item
            return use.order, canonical(self._forms.of(sub)) if counts[use.order] > 1 else b""

        used.sort(key=rank)
        return {id(sub.parts[0].node): (at, use, counts[use.order] == 1) for at, (use, sub) in enumerate(used)}

    def component(self, element: Element) -> Json:
        """The same for a shared part of a message, by what it carries."""
        mark = self.element(element)
        known = self._uses_alike.get(_outline(element), ())
        if len(known) < 2:
            return mark
        name = canonical(mark)
        alike = [use for use in known if canonical(self.element(use.element)) == name]
        used = next((at for at, use in enumerate(alike) if use.element.place == element.place), 0)
        return mark if used == 0 else ["used first", mark, list(alike[used].steps)]

    @cached_property
    def _uses_alike(self) -> Mapping[_Outline, list[ElementUse]]:
        """The first uses of the shared parts of messages of one outline, by their last ones."""
        found: dict[_Outline, list[ElementUse]] = {}
        for first, _ in sorted(element_uses(self._released).values(), key=lambda uses: uses[1].rank):
            found.setdefault(_outline(first.element), []).append(first)
        return found

    def element(self, element: Element) -> Json:
        """What an element carries, without the key that its user gives it (a status, a header's name)."""
        own = element.key if element.kind is ElementKind.PARAMETER else ""
        value = None if element.value is None else self.schema(value_sub(element))
        children = [[child.key, self.element(child)] for child in element.children]
        return [element.kind.value, own, value, sorted(children, key=canonical)]

    @cached_property
    def _alike(self) -> Mapping[bytes, list[Sub]]:
        """The components by their marks."""
        found: dict[bytes, list[Sub]] = {}
        for sub in self._components():
            mark = self._mark(sub)
            if mark is not None:
                found.setdefault(canonical(mark), []).append(sub)
        return found

    @cached_property
    def _uses(self) -> Mapping[int, FirstUse]:
        return first_uses(self._released, self._resolver, self._views.hierarchy)

    def _components(self) -> Iterator[Sub]:
        for file, document in sorted(self._released.documents.items()):
            for path in (("components", "schemas"), ("definitions",)):
                node = document
                for step in path:
                    node = node.get(step) if isinstance(node, dict) else None
                for name, member in node.items() if isinstance(node, dict) else ():
                    if isinstance(member, dict) and "$ref" not in member:
                        yield Sub((Part(member, Place(file, "").child(*path, name)),))

    def _mark(self, sub: Sub) -> Json:
        """The names of all fields that the nodes of a schema write, and its spelling of null; None without fields."""
        part = self._views.resolve(sub).parts[0]
        node = part.node
        if not isinstance(node, dict):
            return None
        kind = written_type(node)
        nullable = node.get("nullable") is True or (isinstance(kind, list) and "null" in kind)
        names = self._known_fields(part)
        names = self._all_fields(part) if names is None else names
        return ["fields", sorted(names), nullable] if names else None

    def _known_fields(self, start: Part) -> frozenset[str] | None:
        """The field names of a node and of all its `allOf`, each node asked once; None where they lead in a circle."""
        opened: set[int] = set()
        stack = [start]
        while stack:
            part = stack[-1]
            key = id(part.node)
            members = self._members(part) if key not in self._fields else []
            waiting = [member for member in members if id(member.node) not in self._fields]
            if waiting and (key in opened or any(id(member.node) in opened for member in waiting)):
                return None
            if waiting:
                opened.add(key)
                stack += waiting
                continue
            stack.pop()
            if key not in self._fields:
                below = (self._fields[id(member.node)][1] for member in members)
                self._fields[key] = part, _own_fields(part).union(*below)
        return self._fields[id(start.node)][1]

    def _all_fields(self, start: Part) -> frozenset[str]:
        names: set[str] = set()
        seen: set[int] = set()
        stack = [start]
        while stack:
            part = stack.pop()
            if id(part.node) not in seen:
                seen.add(id(part.node))
                names |= _own_fields(part)
                stack += self._members(part)
        return frozenset(names)

    def _members(self, part: Part) -> list[Part]:
        """The nodes of an `allOf`, references followed."""
        members = part.node.get("allOf") if isinstance(part.node, dict) else None
        return [
            self._views.resolve(Sub((Part(member, part.place.child("allOf", at)),))).parts[0]
            for at, member in enumerate(members if isinstance(members, list) else ())
        ]


def _own_fields(part: Part) -> frozenset[str]:
    fields = part.node.get("properties") if isinstance(part.node, dict) else None
    return frozenset(fields) if isinstance(fields, dict) else frozenset()


def _outline(element: Element) -> _Outline:
    """What two parts of messages of one form share, and is quickly seen."""
    own = element.key if element.kind is ElementKind.PARAMETER else ""
    return element.kind.value, own, tuple(sorted(child.key for child in element.children))
