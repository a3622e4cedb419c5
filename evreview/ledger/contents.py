"""Values that only one side describes, or that one side describes by content types and the other one by a schema."""

from __future__ import annotations

from collections.abc import Sequence

from evreview.comparison import delta as fact
from evreview.comparison.noise import ANYTHING, OCTETS
from evreview.comparison.wire_forms import same, value_sub
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Form, Json, Missing
from evreview.ledger.node_pair import Side
from evreview.messages.encoding_defaults import STYLE
from evreview.schema.wire_text import carries_octets, refuses_no_octets, refuses_nothing

Elements = tuple[Element, Element]
Sides = tuple[Side, Side]
_DESCRIBED = (ElementKind.PARAMETER, ElementKind.HEADER)

_SIGNED = frozenset({"label", "matrix", "deepObject"})
"""Styles that write more than a single value, or none: OpenAPI 3.1, section 4.8.12.4 Style Examples."""
_AS_IT_IS = frozenset({"application/json", "text/json", "text/plain"})
_MARKUP = ("/xml", "+xml")


def content_of(element: Element) -> bool:
    """True for a parameter or header that describes its value by content types, not by a schema."""
    return element.kind in _DESCRIBED and any(child.kind is ElementKind.MEDIA_TYPE for child in element.children)


def without_content(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements without content types."""
    return tuple(element for element in elements if element.kind is not ElementKind.MEDIA_TYPE)


def no_effect(elements: Elements, sides: Sides) -> str:
    """Why a schema that only one of two elements has refuses no value, "" when it may."""
    nodes = [
        (side.views.resolve(value_sub(element)).parts[0].node if element.value is not None else True)
        for element, side in zip(elements, sides, strict=True)
    ]
    if all(map(refuses_nothing, nodes)):
        return ANYTHING
    octets = all(element.kind is ElementKind.MEDIA_TYPE and carries_octets(element.key) for element in elements)
    both = zip(nodes, sides, strict=True)
    return OCTETS if octets and all(refuses_no_octets(node, side.views.dialect) for node, side in both) else ""


def schema_forms(elements: Elements, sides: Sides) -> tuple[Form, Form]:
    """The schemas of both sides, MISSING for none."""
    old, new = (
        side.forms.of(value_sub(element)) if element.value is not None else MISSING
        for element, side in zip(elements, sides, strict=True)
    )
    return old, new


def _writes_plainly(element: Element) -> bool | None:
    """True where a number is written as it is, False where signs or markup go with it, None for any other format."""
    kinds = [child.key.partition(";")[0] for child in element.children if child.kind is ElementKind.MEDIA_TYPE]
    if not kinds:
        return element.facet(STYLE) not in _SIGNED
    if any(kind.endswith(_MARKUP) for kind in kinds):
        return False
    return True if all(kind in _AS_IT_IS or kind.endswith("+json") for kind in kinds) else None


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
    written = [_writes_plainly(element) for element in elements]
    if None not in written or False in written:
        facts[fact.SAME_TEXT] = all(written)
    return facts | {fact.TYPE: sorted(frozenset().union(*(types or () for types, _ in both)))}
