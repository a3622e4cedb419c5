"""Stable paths: how a row says where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Address
from evreview.ledger.delta import Delta

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
