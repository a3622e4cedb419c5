"""How an id recognises a shared component without its name: by what its fields are called, else by its whole shape.

Field names survive most edits of a component. Where several components that messages of the released contract hold
have the same ones, the one that is used first has them for itself, and the others add their first use: a component that
comes behind moves none of them. Only the released contract is asked: no edit of a candidate moves an id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from evreview.comparison.wire_forms import Forms, canonical, value_sub
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.ledger.element_uses import ElementUse, element_uses
from evreview.ledger.first_uses import Use, first_uses
from evreview.schema.reader import written_type
from evreview.schema.view import Part, Sub
from evreview.schema.views import Views

_Outline = tuple[str, str, tuple[str, ...]]


class Fingerprints:
    """The marks of one released contract's components."""

    def __init__(self, released: Contract, resolver: Resolver, views: Views, forms: Forms) -> None:
        self._released = released
        self._resolver = resolver
        self._views = views
        self._forms = forms
        self._fields: dict[int, tuple[Part, frozenset[str]]] = {}
        self._told_apart: dict[bytes, dict[int, tuple[int, Use, bool]]] = {}

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

    def _placed(self, mark: Json) -> Mapping[int, tuple[int, Use, bool]]:
        """The components with one mark that a message holds: their place among them, first use, and if it is theirs."""
        name = canonical(mark)
        if name not in self._told_apart:
            alike = self._alike.get(name, [])
            self._told_apart[name] = self._in_order(alike) if len(alike) > 1 else {}
        return self._told_apart[name]

    def _in_order(self, alike: list[Sub]) -> dict[int, tuple[int, Use, bool]]:
        used = [(use, sub) for sub in alike if (use := self._uses.get(id(sub.parts[0].node))) is not None]
        counts = Counter(use.order for use, _ in used)

        def rank(item: tuple[Use, Sub]) -> tuple[int, bytes]:
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
    def _uses(self) -> Mapping[int, Use]:
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
