"""Values that only one side describes, or that one side describes by content types and the other one by a schema."""

from __future__ import annotations

from collections.abc import Sequence

from evreview.contracts.model import Element, ElementKind
from evreview.ledger import facts as fact
from evreview.ledger.forms import same, value_sub
from evreview.ledger.node_pair import Side
from evreview.shapes.reading import is_annotation
from evreview.vocab import MISSING, Form, Json, Missing

Elements = tuple[Element, Element]
Sides = tuple[Side, Side]
_DESCRIBED = (ElementKind.PARAMETER, ElementKind.HEADER)


def content_of(element: Element) -> bool:
    """True for a parameter or header that describes its value by content types, not by a schema."""
    return element.kind in _DESCRIBED and any(child.kind is ElementKind.MEDIA_TYPE for child in element.children)


def without_content(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements without content types."""
    return tuple(element for element in elements if element.kind is not ElementKind.MEDIA_TYPE)


def refuses_nothing(element: Element, side: Side) -> bool:
    """True for an element without a schema, or whose schema says nothing of values."""
    if element.value is None:
        return True
    node = side.views.resolve(value_sub(element)).parts[0].node
    return node is True or (isinstance(node, dict) and all(is_annotation(name) for name in node))


def schema_forms(elements: Elements, sides: Sides) -> tuple[Form, Form]:
    """The schemas of both sides, MISSING for none."""
    old, new = (
        side.forms.of(value_sub(element)) if element.value is not None else MISSING
        for element, side in zip(elements, sides, strict=True)
    )
    return old, new


def content_forms(elements: Elements, sides: Sides) -> tuple[Form, Form]:
    """How both sides describe a value: `schema` or `content`, MISSING for neither."""
    old, new = (_described(element, side) for element, side in zip(elements, sides, strict=True))
    if isinstance(old, Missing) and isinstance(new, Missing):
        old, new = (_named(element) for element in elements)
    return old, new


def _described(element: Element, side: Side) -> Form:
    if element.value is not None:
        return {"schema": side.forms.of(value_sub(element))}
    content = {child.key: side.forms.of(value_sub(child)) for child in element.children if child.value is not None}
    return {"content": content} if content else MISSING


def _named(element: Element) -> Form:
    names: dict[str, Json] = {child.key: {} for child in element.children if child.kind is ElementKind.MEDIA_TYPE}
    return {"content": names} if names else MISSING


def text_facts(elements: Elements, sides: Sides) -> dict[str, Json]:
    """What rules ask of a value that was described by a content type, or is now."""
    both = [
        (side.view(value_sub(holder)).types, side.forms.of(value_sub(holder)))
        for element, side in zip(elements, sides, strict=True)
        for holder in (element, *element.children)
        if holder.value is not None
    ]
    facts: dict[str, Json] = {fact.SAME_VALUES: len(both) == 2 and same(both[0][1], both[1][1])}
    return facts | {fact.TYPE: sorted(frozenset().union(*(types or () for types, _ in both)))}
