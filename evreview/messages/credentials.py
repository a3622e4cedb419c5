"""Parameters and keys of security that are one text on the wire: OpenAPI, Security Scheme Object, `apiKey`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.contract.security_requirements import SchemeKey, as_scheme, bare, in_authorization, is_key
from evreview.core.vocabulary import Direction, Form, Json
from evreview.schema.reader import is_annotation

_ANY_TEXT: Final = {"type": "string"}


def sent_as(parameter: Element, theirs: Sequence[Element], *, gone: bool) -> str:
    """The scheme of the other side that a parameter which came or went is proved by, "" where there is none.

    Args:
        parameter: one that the other side lacks.
        theirs: the parts of the operation there.
        gone: whether it is the candidate that lacks it.
    """
    if parameter.direction is not Direction.READ:
        return ""
    scheme = as_scheme(parameter.key)
    named = [any(is_key(each, parameter.key) for each in alternative) for alternative in _alternatives(theirs)]
    if gone:
        return scheme if any(named) else ""
    return scheme if named and all(named) and takes_any_text(parameter) else ""


def sent_before(operation: Element | None, demands: Form) -> list[Json]:
    """The schemes among some demands whose credentials every call of a released operation sends as parameters."""
    owed = {
        as_scheme(child.key)
        for child in (operation.children if operation is not None else ())
        if child.kind is ElementKind.PARAMETER and child.facet("required") is True and not child.key.startswith("path:")
    }
    alternatives = demands if owed and isinstance(demands, list) else []
    asked = {scheme for each in alternatives if isinstance(each, Mapping) for scheme in each}
    named = {scheme for scheme in asked if bare(scheme) in owed}
    if SchemeKey.AUTHORIZATION in owed and any(map(in_authorization, asked)):
        named.add(SchemeKey.AUTHORIZATION)
    return list[Json](sorted(named))


def _alternatives(parts: Sequence[Element]) -> Iterator[Mapping[str, Json]]:
    for part in parts:
        stated = part.facet("requirements") if part.kind is ElementKind.SECURITY else None
        yield from (each for each in (stated if isinstance(stated, list) else []) if isinstance(each, Mapping))


def takes_any_text(parameter: Element) -> bool:
    """True for a parameter whose schema refuses no text."""
    node = parameter.value.node if parameter.value is not None else {}
    if not isinstance(node, Mapping) or any(child.kind is ElementKind.MEDIA_TYPE for child in parameter.children):
        return False
    return {key: value for key, value in node.items() if not is_annotation(key)} in ({}, _ANY_TEXT)
