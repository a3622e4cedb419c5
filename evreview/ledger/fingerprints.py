"""How an id recognises a shared component without its name: by what its fields are called, else by its whole shape.

Field names survive most edits of a component; where two components of the released contract have the same ones, the
whole shape tells them apart. Only the released contract is asked: no edit of a candidate moves an id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from evreview.contracts.model import Element, ElementKind, Place
from evreview.ledger.forms import Forms, canonical, value_sub
from evreview.shapes.view import Part, Sub
from evreview.shapes.views import Views
from evreview.vocab import Json


class Fingerprints:
    """The marks of one released contract's components."""

    def __init__(self, documents: Mapping[str, Json], views: Views, forms: Forms) -> None:
        self._documents = documents
        self._views = views
        self._forms = forms

    def schema(self, sub: Sub) -> Json:
        """Field names, and whether null is named, where no other component has the same; else the whole form."""
        mark = self._mark(sub)
        return mark if mark is not None and self._counts[canonical(mark)] < 2 else ["schema", self._forms.of(sub)]

    def element(self, element: Element) -> Json:
        """What an element carries, without the key that its user gives it (a status, a header's name)."""
        own = element.key if element.kind is ElementKind.PARAMETER else ""
        value = None if element.value is None else self.schema(value_sub(element))
        children = [[child.key, self.element(child)] for child in element.children]
        return [element.kind.value, own, value, sorted(children, key=canonical)]

    @cached_property
    def _counts(self) -> Counter[bytes]:
        marks = (self._mark(sub) for sub in self._components())
        return Counter(canonical(mark) for mark in marks if mark is not None)

    def _components(self) -> Iterator[Sub]:
        for file, document in sorted(self._documents.items()):
            for path in (("components", "schemas"), ("definitions",)):
                node = document
                for step in path:
                    node = node.get(step) if isinstance(node, dict) else None
                for name, member in node.items() if isinstance(node, dict) else ():
                    if isinstance(member, dict) and "$ref" not in member:
                        yield Sub((Part(member, Place(file, "").child(*path, name)),))

    def _mark(self, sub: Sub) -> Json:
        """The names of all fields that the nodes of a schema write, and its spelling of null; None without fields."""
        names: set[str] = set()
        nullable = False
        seen: set[int] = set()
        stack = [self._views.resolve(sub)]
        while stack:
            part = stack.pop().parts[0]
            node = part.node
            if not isinstance(node, dict) or id(node) in seen:
                continue
            kind, fields, members = node.get("type"), node.get("properties"), node.get("allOf")
            if not seen:
                nullable = node.get("nullable") is True or (isinstance(kind, list) and "null" in kind)
            seen.add(id(node))
            names.update(fields if isinstance(fields, dict) else ())
            for at, member in enumerate(members if isinstance(members, list) else ()):
                stack.append(self._views.resolve(Sub((Part(member, part.place.child("allOf", at)),))))
        return ["fields", sorted(names), nullable] if names else None
