"""What the id of a row inside a shared component hangs on: the component's own shape, never who uses it.

A use that comes or goes, and another name for the component, leave the anchor as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evreview.contracts.model import Element, ElementKind
from evreview.ledger.addresses import address
from evreview.ledger.forms import Forms, canonical, element_form
from evreview.shapes.view import Sub
from evreview.vocab import Json

Base = Sub | Element | str


@dataclass(frozen=True, slots=True)
class Anchor:
    """A released component (or the path whose operations share a parameter), and the way from there."""

    base: Base
    inner: tuple[str, ...] = ()

    def below(self, *steps: str) -> Anchor:
        """The same component, further down."""
        return Anchor(self.base, (*self.inner, *(step for step in steps if step)))

    def fields(self, forms: Forms) -> tuple[bytes, ...]:
        """The anchor as bytes for a digest."""
        if isinstance(self.base, str):
            base: Json = ["path", self.base]
        elif isinstance(self.base, Element):
            base = ["element", _shape(self.base, forms)]
        else:
            base = ["schema", forms.of(self.base)]
        return (canonical(base), address((), self.inner).encode("utf-8", "surrogatepass"))


def _shape(element: Element, forms: Forms) -> Json:
    """What an element says on the wire, without the key that its user gives it (a status, a header's name)."""
    form = element_form(element, forms)
    own = dict(form) if isinstance(form, dict) else {}
    if element.kind is ElementKind.PARAMETER:
        own[element.kind.value] = element.key
    else:
        own.pop(element.kind.value, None)
    children = [[child.kind.value, child.key, _shape(child, forms)] for child in element.children]
    return [element.kind.value, own, sorted(children, key=canonical)]


def entered(sub: Sub, target: Sub, step: str, members: Iterable[Sub]) -> Sub | None:
    """The component that a step leads into: by reference, as merged member, or as a member of one that was merged.

    Args:
        sub: the member as written.
        target: the same, references followed.
        step: the step to it; empty for a merged component itself.
        members: the components merged into the node that the step starts at.
    """
    if not step or target.place != sub.place:
        return target
    return next((member for member in members if member.key == sub.owner), None) if sub.owner is not None else None


def child_anchor(parent: Element, anchor: Anchor | None, element: Element, step: str) -> Anchor | None:
    """The anchor of an element below `parent`; None when it is written where it is used."""
    around, own = parent.place, element.place
    if own.file == around.file and (own.pointer == around.pointer or own.pointer.startswith(around.pointer + "/")):
        return None if anchor is None else anchor.below(step)
    beside = around.pointer.rpartition("/")[0] + "/"
    if parent.kind is ElementKind.OPERATION and own.file == around.file and own.pointer.startswith(beside):
        return Anchor(parent.key.partition(" ")[2], (step,))
    return Anchor(element)
