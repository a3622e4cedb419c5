"""Facets and names that differ and change no message: notes, `explode` of single values, one type in two spellings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.pairing import plain_name
from evreview.contract.model import Element, ElementKind, Facet, SchemaDialect
from evreview.core.vocabulary import Absent, Aspect, Direction, Form, Json
from evreview.messages.encoding_defaults import (
    ALLOW_RESERVED,
    EXPLODE,
    SINGLE,
    STYLE,
    described,
    is_styled,
    kind_of_part,
    part_type,
)
from evreview.schema.reader import OLD_OPENAPI, json_type
from evreview.schema.view import Key, Sub, value_sub

Forms = tuple[Element, Element]
Facets = tuple[Facet, ...]
CONTENT_TYPE: Final = "contentType"
_OF_CONTENT: Final = frozenset({"content", "schema"})


def non_wire_reason(
    facets: tuple[Facet | None, Facet | None],
    owners: Forms,
    around: Forms | None,
    sides: tuple[SchemaReaders, SchemaReaders],
) -> str:
    """Why a facet that differs changes no message, "" when it may.

    Args:
        facets: of both sides, None where it is not there.
        owners: the elements that have it.
        around: the forms in which they stand, where they are encodings.
    """
    both = [facet for facet in facets if facet is not None]
    if not both[0].on_wire:
        return NoiseReason.UNSENT if both[0].name in _OF_CONTENT else NoiseReason.NOT_ON_WIRE
    if both[0].name == CONTENT_TYPE and owners[0].kind is ElementKind.ENCODING and around is not None:
        return _one_type(facets, owners[0].key, around, sides)
    if both[0].name == "name" and owners[0].kind is ElementKind.PARAMETER:
        return NoiseReason.NOT_ON_WIRE if all(map(_of_members, owners, sides)) else ""
    if len(both) < 2 or both[0].name != EXPLODE:
        return ""
    styles = {owner.facet(STYLE) for owner in owners}
    if styles == {"deepObject"}:
        return NoiseReason.ONE_WAY  # OpenAPI 3.1.1, section 4.8.12.4: the other one is not defined
    # A list in the style `simple` is the same text either way: RFC 6570, section 3.2.2.
    types = SINGLE | {"array"} if styles == {"simple"} else SINGLE
    values = [_values(owner, around[at] if around else None, sides[at]) for at, owner in enumerate(owners)]
    return NoiseReason.NOT_EXPLODED if any(all_only(types, *each) for each in zip(values, sides, strict=True)) else ""


def _of_members(owner: Element, side: SchemaReaders) -> bool:
    """True for an object that is exploded: the names of its members are written, and its own one is not."""
    values = _values(owner, None, side) if owner.facet(EXPLODE) is True else ()
    return all_only(frozenset({"object"}), values, side)


def non_wire_name_reason(released: Element, candidate: Element) -> str:
    """Why another name of a media type changes no message, "" when it may."""
    return NoiseReason.JSON_CHARSET if plain_name(released.key) == plain_name(candidate.key) else ""


def _one_type(
    facets: tuple[Facet | None, Facet | None], name: str, forms: Forms, sides: tuple[SchemaReaders, SchemaReaders]
) -> str:
    """Why two content types of a part are one: the same names, or the default of its schema, written out.

    A field of `application/x-www-form-urlencoded` has a default style as well, which a written type may overrule, but
    not where it has single values only: their text is the same.
    """
    pairs = tuple(zip(forms, sides, strict=True))
    told = None in facets and all(
        form.key.startswith("multipart/") or all_only(SINGLE, described(form, name, side.views), side)
        for form, side in pairs
    )
    default = part_type(forms, name, (sides[0].views, sides[1].views)) if told else ""
    named = [_names(default if facet is None else facet.value) for facet in facets]
    if not named[0] or named[0] != named[1]:
        return ""
    return NoiseReason.WRITTEN_OUT if None in facets else NoiseReason.ONE_NAME


def _names(listed: Form) -> frozenset[str]:
    return frozenset(each.strip().lower() for each in str(listed).split(",")) - {""}


def _values(owner: Element, form: Element | None, side: SchemaReaders) -> tuple[Sub, ...]:
    """The schemas that describe the value of an element; several for a field that a form describes in its branches."""
    if owner.kind is ElementKind.ENCODING:
        return described(form, owner.key, side.views) if form is not None else ()
    return (value_sub(owner),) if owner.value is not None else ()


def all_only(types: frozenset[str], subs: tuple[Sub, ...], side: SchemaReaders) -> bool:
    """True when there are positions, and all values of each but null have one of some types."""
    return bool(subs) and all(only_types(types, sub, side, {}) for sub in subs)


def only_types(types: frozenset[str], sub: Sub, side: SchemaReaders, known: dict[Key, bool]) -> bool:
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


# Fields of a form that a style writes on one side, and their content type on the other.
#
# OpenAPI 3.1, section 4.8.15: where `style`, `explode` or `allowReserved` is written, even as its default, "the value
# of `contentType` (implicit or explicit) SHALL be ignored". 2.0 has no content types of fields. 3.0 leaves open which
# of both counts, so that a style which is written there as well is no change.


_TEXT: Final = "text/plain"
_URLENCODED: Final = "application/x-www-form-urlencoded"
_Both = tuple[Facets, Facets]


def by_style(both: _Both, encodings: Forms, forms: Forms | None, sides: tuple[SchemaReaders, SchemaReaders]) -> _Both:
    """The facets of two encodings, without a content type or style that doesn't count where the other one begins to.

    Where a style writes what the content type wrote, and other text may come of it, the side without one lacks `style`.

    Args:
        encodings: that have them; any other elements keep theirs.
        forms: the media types in which they stand.
    """
    if forms is None or encodings[0].kind is not ElementKind.ENCODING:
        return both
    styled = [_styled(*each) for each in zip(encodings, forms, sides, strict=True)]
    if True not in styled or styled == [True, True]:
        return both
    at = 1 - styled.index(True)
    left = [_without(facets, CONTENT_TYPE) if at == index else facets for index, facets in enumerate(both)]
    if styled[at] is None or _styled_otherwise(encodings, forms, sides) or _one_text(encodings[at], forms, sides, at):
        return left[0], left[1]
    non_wire = [EXPLODE]
    if encodings[0].facet(ALLOW_RESERVED) == encodings[1].facet(ALLOW_RESERVED):
        non_wire.append(ALLOW_RESERVED)
    left = [_without(facets, *non_wire, *([STYLE] if at == index else [])) for index, facets in enumerate(left)]
    return left[0], left[1]


def _styled(encoding: Element, form: Element, side: SchemaReaders) -> bool | None:
    """Whether a style counts, and not the content type; None where no version says so."""
    written = is_styled(encoding)
    dialect = side.views.dialect
    if dialect not in OLD_OPENAPI:
        return written
    typed = form.key.startswith("multipart/") or encoding.facet(CONTENT_TYPE) is not None
    return None if written or dialect is SchemaDialect.SWAGGER_2 or not typed else False


def _styled_otherwise(encodings: Forms, forms: Forms, sides: tuple[SchemaReaders, SchemaReaders]) -> bool:
    """True where another style, or another way to write lists and objects in it, is a row of its own."""
    if encodings[0].facet(STYLE) != encodings[1].facet(STYLE):
        return True
    if encodings[0].facet(EXPLODE) == encodings[1].facet(EXPLODE):
        return False
    name = encodings[0].key
    return not any(
        all_only(SINGLE, described(form, name, side.views), side) for form, side in zip(forms, sides, strict=True)
    )


def _one_text(typed: Element, forms: Forms, sides: tuple[SchemaReaders, SchemaReaders], at: int) -> bool:
    """True where both sides write single values, or lists of them, and the content type says plain text as well."""
    subs = [described(form, typed.key, side.views) for form, side in zip(forms, sides, strict=True)]
    if not all(_is_plain(sub, side) for listed, side in zip(subs, sides, strict=True) for sub in listed):
        return False
    stated = typed.facet(CONTENT_TYPE)
    if isinstance(stated, str):
        return all(each.partition(";")[0].strip().lower() == _TEXT for each in stated.split(","))
    if forms[at].key.partition(";")[0] == _URLENCODED:
        return True
    return all(
        kind_of_part(side.view(sub), side.views) == _TEXT for one, side in zip(subs, sides, strict=True) for sub in one
    )


def _is_plain(sub: Sub, side: SchemaReaders) -> bool:
    view = side.view(sub)
    items = (*view.prefix, view.items)
    if view.types == frozenset({"array"}):
        # Items of which nothing is said may be objects.
        return all(isinstance(each, Sub) and only_types(SINGLE, each, side, {}) for each in items if each is not False)
    return only_types(SINGLE, sub, side, {})


def _without(facets: Facets, *names: str) -> Facets:
    return tuple(facet for facet in facets if facet.name not in names)


# Names that members of an exploded object have in a query: a parameter of one side alone may have one of them.
#
# OpenAPI 3.1, section 4.8.12.4: an object in the style `form`, exploded, is `R=100&G=200`; its own name is not sent.


_EXPLODED: Final = ("form", True)


def sent_in(
    parameter: Element, theirs: Iterable[Element], sides: tuple[SchemaReaders, SchemaReaders], *, gone: bool
) -> dict[str, Json]:
    """The object whose members could bear the name of a parameter that only one side has, nothing where there is none.

    What is read has no name of its own in a request of the other contract. What is written is read by the released
    contract: what came may be taken for a member of its object, and what is gone may come as one of the candidate's.

    Args:
        parameter: that one contract lacks.
        theirs: the parts of the operation that lacks it.
        sides: the schemas of both contracts, the released one first.
        gone: True where the released contract has it.
    """
    place, _, name = parameter.key.partition(":")
    if place not in ("query", "cookie") or (gone and parameter.direction is Direction.READ):
        return {}
    others = (each for each in theirs if each.kind is ElementKind.PARAMETER and each.key.startswith(f"{place}:"))
    holder = next((each.key for each in others if _may_have(each, name, sides[1 if gone else 0])), "")
    return {fact.SENT_IN: holder} if holder else {}


def _may_have(element: Element, name: str, side: SchemaReaders) -> bool:
    """True for an exploded object that describes a member of the name, by itself or among others."""
    if element.value is None or (element.facet(STYLE), element.facet(EXPLODE)) != _EXPLODED:
        return False
    view = side.view(value_sub(element))
    if view.types is None or "object" not in view.types:
        return False
    return name in view.properties or isinstance(view.additional, Sub)


# OAuth flows that one side alone has: each is one part of its scheme, whatever addresses and scopes it lists.


_FLOWS: Final = "flows"


def by_flow(released: Element, candidate: Element) -> tuple[Facets, Facets]:
    """The facets of two elements; a flow that comes or goes is one facet, one that took another one's place as well."""
    if released.kind is not ElementKind.SECURITY_SCHEME:
        return released.facets, candidate.facets
    old, new = _flows(released), _flows(candidate)
    gone, come = old.keys() - new.keys(), new.keys() - old.keys()
    if len(gone) == len(come) == 1:
        left: Mapping[str, Json] = {_FLOWS: {name: old[name] for name in gone}}
        right: Mapping[str, Json] = {_FLOWS: {name: new[name] for name in come}}
    else:
        left, right = ({f"{_FLOWS}.{name}": of[name] for name in names} for of, names in ((old, gone), (new, come)))
    return _gathered(released, left, gone | come), _gathered(candidate, right, gone | come)


def _flows(scheme: Element) -> Mapping[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = {}
    for facet in scheme.facets:
        flow, part = _flow_of(facet)
        if flow and not isinstance(facet.value, Absent):
            found.setdefault(flow, {})[part] = facet.value
    return found


def _flow_of(facet: Facet) -> tuple[str, str]:
    """The flow and the part of it that a facet is about, "" for any other facet."""
    if not facet.name.startswith(f"{_FLOWS}."):
        return "", ""
    flow, _, part = facet.name.removeprefix(f"{_FLOWS}.").rpartition(".")
    return flow, part


def _gathered(scheme: Element, made: Mapping[str, Json], gathered: AbstractSet[str]) -> Facets:
    kept = tuple(facet for facet in scheme.facets if _flow_of(facet)[0] not in gathered)
    return (*kept, *(Facet(name, Aspect.SECURITY, value) for name, value in sorted(made.items())))
