"""What an element says beside its forms: the facts that rules may ask of one that came, went or changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.pairing import covered, covering
from evreview.comparison.wire_forms import canonical, element_form, value_sub
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Json, Missing
from evreview.ledger.node_pair import Side

_HOLDING: Final = frozenset(
    {
        ElementKind.BODY,
        ElementKind.RESPONSE,
        ElementKind.PARAMETER,
        ElementKind.HEADER,
        ElementKind.MEDIA_TYPE,
        ElementKind.CALLBACK,
    }
)


def element_facts(element: Element, side: Side) -> dict[str, Json]:
    """What a rule may ask about one element of a side: requiredness, place, default, types, deprecation, sunset."""
    facts: dict[str, Json] = {}
    stated = element.facet("required")
    required = stated if isinstance(stated, bool) else element.required
    if required is not None:
        facts[fact.REQUIRED] = required
    if element.kind is ElementKind.PARAMETER:
        facts[fact.IN] = element.key.partition(":")[0]
    if element.value is not None:
        view = side.view(value_sub(element))
        facts[fact.HAS_DEFAULT] = "default" in view.keywords
        facts[fact.TYPE] = sorted(view.types or ())
    if element.facet("deprecated") is True:
        facts[fact.DEPRECATED] = True
    sunset = element.facet("x-sunset")
    if sunset is not None and not isinstance(sunset, Missing):
        facts[fact.SUNSET] = sunset
    return facts


def ranges(element: Element, own: Sequence[Element], other: Element, siblings: Sequence[Element]) -> dict[str, Json]:
    """What an element and the other side's ranges say about each other; `other` is its counterpart, or itself."""
    theirs = siblings if other is element else [other]
    found: dict[str, Json] = {}
    if general := covering(element, theirs):
        found[fact.COVERED_BY] = general
    if special := covered(element, own, theirs):
        found[fact.COVERS] = list[Json](special)
    return found


def has_default(elements: Sequence[Element]) -> bool:
    """Whether a `default` stands among responses."""
    return any(one.kind is ElementKind.RESPONSE and one.key == "default" for one in elements)


def held(element: Element, side: Side) -> dict[str, Json]:
    """What tells an element from one with the same marks that holds something else; nothing where it holds nothing."""
    if element.kind not in _HOLDING or not element.children:
        return {}
    return {fact.HOLDS: hashlib.sha256(canonical(_below(element, side))).hexdigest()[:16]}


def _below(element: Element, side: Side) -> Json:
    """What stands below an element, whatever the order in which it is written."""
    found = [(child.kind.value, child.key, child) for child in element.children]
    return [
        [element_form(child, side.forms), _below(child, side)] for *_, child in sorted(found, key=lambda item: item[:2])
    ]
