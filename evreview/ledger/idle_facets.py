"""Facets that differ and change no message: notes, `explode` of single values, a part's one type in two spellings."""

from __future__ import annotations

from typing import Final

from evreview.contracts.model import Element, ElementKind, Facet
from evreview.ledger.forms import value_sub
from evreview.ledger.implied import EXPLODE, SINGLE, STYLE, fields, part_type
from evreview.ledger.node_pair import Side
from evreview.ledger.noise import NOT_EXPLODED, NOT_ON_WIRE, ONE_NAME, ONE_WAY, WRITTEN_OUT
from evreview.shapes.reading import json_type
from evreview.shapes.view import Key, Sub
from evreview.vocab import Form

Forms = tuple[Element, Element]
CONTENT_TYPE: Final = "contentType"


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
    if both[0].name == CONTENT_TYPE and owners[0].kind is ElementKind.ENCODING and around is not None:
        return _one_type(facets, owners[0].key, around, sides)
    if len(both) < 2 or both[0].name != EXPLODE:
        return ""
    styles = {owner.facet(STYLE) for owner in owners}
    if styles == {"deepObject"}:
        return ONE_WAY  # OpenAPI 3.1.1, section 4.8.12.4: the other one is not defined
    # A list in the style `simple` is the same text either way: RFC 6570, section 3.2.2.
    types = SINGLE | {"array"} if styles == {"simple"} else SINGLE
    values = [_value(owner, around[at] if around else None, sides[at]) for at, owner in enumerate(owners)]
    alone = any(sub is not None and _all_of(types, sub, side, {}) for sub, side in zip(values, sides, strict=True))
    return NOT_EXPLODED if alone else ""


def _one_type(facets: tuple[Facet | None, Facet | None], name: str, forms: Forms, sides: tuple[Side, Side]) -> str:
    """Why two content types of a part are one: the same names, or the default of its schema, written out.

    A field of `application/x-www-form-urlencoded` has a default style as well, which a written type may overrule.
    """
    multipart = all(form.key.startswith("multipart/") for form in forms)
    default = part_type(forms, name, sides) if None in facets and multipart else ""
    named = [_names(default if facet is None else facet.value) for facet in facets]
    if not named[0] or named[0] != named[1]:
        return ""
    return WRITTEN_OUT if None in facets else ONE_NAME


def _names(listed: Form) -> frozenset[str]:
    return frozenset(each.strip().lower() for each in str(listed).split(",")) - {""}


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
