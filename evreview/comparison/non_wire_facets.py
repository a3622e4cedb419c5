"""Facets and names that differ and change no message: notes, `explode` of single values, one type in two spellings."""

from __future__ import annotations

from typing import Final

from evreview.comparison.node_pair import Side
from evreview.comparison.noise import (
    JSON_CHARSET,
    NOT_EXPLODED,
    NOT_ON_WIRE,
    ONE_NAME,
    ONE_WAY,
    UNSENT,
    UNWRITTEN,
    WRITTEN_OUT,
)
from evreview.comparison.pairing import plain_name
from evreview.comparison.wire_forms import value_sub
from evreview.contract.model import Element, ElementKind, Facet
from evreview.core.vocabulary import Form
from evreview.kinds.python.signatures import KIND, POSITIONAL_ONLY
from evreview.messages.encoding_defaults import EXPLODE, SINGLE, STYLE, described, part_type
from evreview.schema.reader import json_type
from evreview.schema.view import Key, Sub

Forms = tuple[Element, Element]
CONTENT_TYPE: Final = "contentType"
_OF_CONTENT: Final = frozenset({"content", "schema"})


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
        return UNSENT if both[0].name in _OF_CONTENT else NOT_ON_WIRE
    if both[0].name == CONTENT_TYPE and owners[0].kind is ElementKind.ENCODING and around is not None:
        return _one_type(facets, owners[0].key, around, sides)
    if both[0].name == "name" and owners[0].kind is ElementKind.PARAMETER:
        return NOT_ON_WIRE if all(map(_of_members, owners, sides)) else ""
    if len(both) < 2 or both[0].name != EXPLODE:
        return ""
    styles = {owner.facet(STYLE) for owner in owners}
    if styles == {"deepObject"}:
        return ONE_WAY  # OpenAPI 3.1.1, section 4.8.12.4: the other one is not defined
    # A list in the style `simple` is the same text either way: RFC 6570, section 3.2.2.
    types = SINGLE | {"array"} if styles == {"simple"} else SINGLE
    values = [_values(owner, around[at] if around else None, sides[at]) for at, owner in enumerate(owners)]
    return NOT_EXPLODED if any(all_only(types, *each) for each in zip(values, sides, strict=True)) else ""


def _of_members(owner: Element, side: Side) -> bool:
    """True for an object that is exploded: the names of its members are written, and its own one is not."""
    values = _values(owner, None, side) if owner.facet(EXPLODE) is True else ()
    return all_only(frozenset({"object"}), values, side)


def idle_name(released: Element, candidate: Element) -> str:
    """Why another name of an argument or media type changes no message, "" when it may."""
    if released.kind is ElementKind.ARGUMENT:
        return UNWRITTEN if released.facet(KIND) == POSITIONAL_ONLY else ""
    return JSON_CHARSET if plain_name(released.key) == plain_name(candidate.key) else ""


def _one_type(facets: tuple[Facet | None, Facet | None], name: str, forms: Forms, sides: tuple[Side, Side]) -> str:
    """Why two content types of a part are one: the same names, or the default of its schema, written out.

    A field of `application/x-www-form-urlencoded` has a default style as well, which a written type may overrule, but
    not where it has single values only: their text is the same.
    """
    pairs = tuple(zip(forms, sides, strict=True))
    told = None in facets and all(
        form.key.startswith("multipart/") or _single(form, name, side) for form, side in pairs
    )
    default = part_type(forms, name, sides) if told else ""
    named = [_names(default if facet is None else facet.value) for facet in facets]
    if not named[0] or named[0] != named[1]:
        return ""
    return WRITTEN_OUT if None in facets else ONE_NAME


def _single(form: Element, name: str, side: Side) -> bool:
    return all_only(SINGLE, described(form, name, side), side)


def _names(listed: Form) -> frozenset[str]:
    return frozenset(each.strip().lower() for each in str(listed).split(",")) - {""}


def _values(owner: Element, form: Element | None, side: Side) -> tuple[Sub, ...]:
    """The schemas that describe the value of an element; several for a field that a form describes in its branches."""
    if owner.kind is ElementKind.ENCODING:
        return described(form, owner.key, side) if form is not None else ()
    return (value_sub(owner),) if owner.value is not None else ()


def all_only(types: frozenset[str], subs: tuple[Sub, ...], side: Side) -> bool:
    """True when there are positions, and all values of each but null have one of some types."""
    return bool(subs) and all(only_types(types, sub, side, {}) for sub in subs)


def only_types(types: frozenset[str], sub: Sub, side: Side, known: dict[Key, bool]) -> bool:
    """True when all values of a position but null have one of some types; False for what leads back to itself."""
    key = side.views.resolve(sub).key
    if key not in known:
        known[key] = False
        view = side.view(sub)
        listed = frozenset(map(json_type, view.enum)) if view.enum is not None else view.types
        known[key] = (listed is not None and listed <= types) or any(
            branches and holds(only_types(types, branch, side, known) for branch in branches)
            for branches, holds in ((view.all_of, any), (view.any_of, all), (view.one_of, all))
        )
    return known[key]
