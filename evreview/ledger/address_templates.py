"""Addresses that an application no longer names when it receives: whether a template of the other side holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Polarity, Role

_FREE: Final = "{}"
_LABEL: Final = "("
"""Starts what stands for an address that a contract leaves open."""
_PLAIN: Final = frozenset({"type", "enum", "default"})


def template_over(element: Element, siblings: Sequence[Element]) -> Element | None:
    """The received address with the fewest variables that holds another one, None when there is none.

    An address that the other side has as well is heard there; this is for one that it lacks.
    """
    if not _is_received(element) or element.key.partition(" ")[2].startswith(_LABEL):
        return None
    found = [each for each in siblings if _FREE in each.key and _is_received(each) and _holds(each, element)]
    return min(found, key=lambda each: (each.key.count(_FREE), each.key), default=None)


def fixed(template: str, key: str) -> tuple[str, ...] | None:
    """What stands in a more concrete key for each variable of a template, `{}` for one that is free in both.

    None when the key does not fit, or writes a variable beside other text.
    """
    found = re.fullmatch(r"([^/{}]+?|\{\})".join(map(re.escape, template.split(_FREE))), key)
    return found.groups() if found else None


def without_variables(operation: Element) -> Element:
    """The operation without the variables of its address, which the address of the other side settles."""
    kept = tuple(child for child in operation.children if child.kind is not ElementKind.PARAMETER)
    return replace(operation, children=kept)


def _is_received(element: Element) -> bool:
    received = element.role is Role.MESSAGE and element.polarity is Polarity.READ
    return received and element.kind is ElementKind.OPERATION


def _holds(template: Element, element: Element) -> bool:
    """True when every text of the one address is one of the other: its variables take whatever stands there."""
    texts = fixed(template.key, element.key)
    if texts is None:
        return False
    return all(_takes(each, texts) for each in _variables(template.children))


def _variables(children: Iterable[Element]) -> list[Element]:
    return [child for child in children if child.kind is ElementKind.PARAMETER]


def _takes(variable: Element, texts: tuple[str, ...]) -> bool:
    node = variable.value.node if variable.value is not None else None
    part, _, number = variable.key.partition(":")
    # A variable that the payload repeats says something of the message, too.
    if part != "address" or int(number) >= len(texts) or variable.facet("location") is not None:
        return False
    if not isinstance(node, dict) or node.get("type", "string") != "string" or not node.keys() <= _PLAIN:
        return False
    listed = node.get("enum")
    return listed is None or (isinstance(listed, list) and texts[int(number)] in listed)
