"""Facets that differ and change no message: notes, and `explode` where both sides share single values only."""

from __future__ import annotations

from evreview.contracts.model import Element, ElementKind, Facet
from evreview.ledger.forms import value_sub
from evreview.ledger.implied import EXPLODE, SINGLE, STYLE, fields
from evreview.ledger.node_pair import Side
from evreview.ledger.noise import NOT_EXPLODED, NOT_ON_WIRE
from evreview.shapes.reading import json_type
from evreview.shapes.view import Key, Sub

Forms = tuple[Element, Element]


def idle(
    facets: tuple[Facet | None, Facet | None], owners: Forms, around: Forms | None, sides: tuple[Side, Side]
) -> str:
    """Why a facet that differs changes no message, "" when it may.

    Args:
        facets: of both sides, None where it is not there.
        owners: the elements that have it.
        around: the forms in which they stand, where they are encodings.
        sides: the readers of both sides' schemas.
    """
    both = [facet for facet in facets if facet is not None]
    if not both[0].on_wire:
        return NOT_ON_WIRE
    if len(both) < 2 or both[0].name != EXPLODE:
        return ""
    # A list in the style `simple` is the same text either way: RFC 6570, section 3.2.2.
    simple = all(owner.facet(STYLE) == "simple" for owner in owners)
    types = SINGLE | {"array"} if simple else SINGLE
    values = [_value(owner, around[at] if around else None, sides[at]) for at, owner in enumerate(owners)]
    alone = any(sub is not None and _all_of(types, sub, side, {}) for sub, side in zip(values, sides, strict=True))
    return NOT_EXPLODED if alone else ""


def _value(owner: Element, form: Element | None, side: Side) -> Sub | None:
    if owner.kind is ElementKind.ENCODING:
        return fields(form, side).get(owner.key) if form is not None else None
    return value_sub(owner) if owner.value is not None else None


def _all_of(types: frozenset[str], sub: Sub, side: Side, known: dict[Key, bool]) -> bool:
    """True when all values of a position but null have one of some types; False for what leads back to itself."""
    key = side.views.resolve(sub).key
    if key not in known:
        known[key] = False
        view = side.view(sub)
        listed = frozenset(map(json_type, view.enum)) if view.enum is not None else view.types
        known[key] = (listed is not None and listed <= types) or any(
            branches and holds(_all_of(types, branch, side, known) for branch in branches)
            for branches, holds in ((view.all_of, any), (view.any_of, all), (view.one_of, all))
        )
    return known[key]
