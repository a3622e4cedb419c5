"""Fields of a form that one side gives a style and the other a content type; exploded names; OAuth flows as facets.

OpenAPI 3.1, section 4.8.15: where `style`, `explode` or `allowReserved` is written, even as its default, "the value of
`contentType` (implicit or explicit) SHALL be ignored". 2.0 has no content types of fields. 3.0 leaves open which of
both counts, so that a style which is written there as well is no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.node_pair import Side
from evreview.comparison.non_wire_facets import CONTENT_TYPE, Forms, all_only, only_types
from evreview.comparison.wire_forms import value_sub
from evreview.contract.model import Element, ElementKind, Facet, SchemaDialect
from evreview.core.vocabulary import Aspect, Json, Missing, Polarity
from evreview.messages.encoding_defaults import (
    ALLOW_RESERVED,
    EXPLODE,
    SINGLE,
    STYLE,
    described,
    is_styled,
    kind_of_part,
)
from evreview.schema.reader import OLD_OPENAPI
from evreview.schema.view import Sub

_TEXT: Final = "text/plain"
_URLENCODED: Final = "application/x-www-form-urlencoded"
_Facets = tuple[Facet, ...]
_Both = tuple[_Facets, _Facets]


def by_style(both: _Both, encodings: Forms, forms: Forms | None, sides: tuple[Side, Side]) -> _Both:
    """The facets of two encodings, without a content type or style that doesn't count where the other one begins to.

    Where a style writes what the content type wrote, and other text may come of it, the side without one lacks `style`.

    Args:
        both: the facets.
        encodings: that have them; any other elements keep theirs.
        forms: the media types in which they stand.
        sides: the readers of both sides' schemas.
    """
    if forms is None or encodings[0].kind is not ElementKind.ENCODING:
        return both
    styled = [_styled(*each) for each in zip(encodings, forms, sides, strict=True)]
    if True not in styled or styled == [True, True]:
        return both
    at = 1 - styled.index(True)
    left = [_without(facets, CONTENT_TYPE) if at == index else facets for index, facets in enumerate(both)]
    if styled[at] is None or _told(encodings, forms, sides) or _one_text(encodings[at], forms, sides, at):
        return left[0], left[1]
    idle = [EXPLODE]
    if encodings[0].facet(ALLOW_RESERVED) == encodings[1].facet(ALLOW_RESERVED):
        idle.append(ALLOW_RESERVED)
    left = [_without(facets, *idle, *([STYLE] if at == index else [])) for index, facets in enumerate(left)]
    return left[0], left[1]


def _styled(encoding: Element, form: Element, side: Side) -> bool | None:
    """Whether a style counts, and not the content type; None where no version says so."""
    written = is_styled(encoding)
    dialect = side.views.dialect
    if dialect not in OLD_OPENAPI:
        return written
    typed = form.key.startswith("multipart/") or encoding.facet(CONTENT_TYPE) is not None
    return None if written or dialect is SchemaDialect.SWAGGER_2 or not typed else False


def _told(encodings: Forms, forms: Forms, sides: tuple[Side, Side]) -> bool:
    """True where another style, or another way to write lists and objects in it, is a row of its own."""
    if encodings[0].facet(STYLE) != encodings[1].facet(STYLE):
        return True
    if encodings[0].facet(EXPLODE) == encodings[1].facet(EXPLODE):
        return False
    name = encodings[0].key
    return not any(all_only(SINGLE, described(form, name, side), side) for form, side in zip(forms, sides, strict=True))


def _one_text(typed: Element, forms: Forms, sides: tuple[Side, Side], at: int) -> bool:
    """True where both sides write single values, or lists of them, and the content type says plain text as well."""
    subs = [described(form, typed.key, side) for form, side in zip(forms, sides, strict=True)]
    if not all(_is_plain(sub, side) for listed, side in zip(subs, sides, strict=True) for sub in listed):
        return False
    stated = typed.facet(CONTENT_TYPE)
    if isinstance(stated, str):
        return all(each.partition(";")[0].strip().lower() == _TEXT for each in stated.split(","))
    if forms[at].key.partition(";")[0] == _URLENCODED:
        return True
    return all(
        kind_of_part(side.view(sub), side) == _TEXT for one, side in zip(subs, sides, strict=True) for sub in one
    )


def _is_plain(sub: Sub, side: Side) -> bool:
    view = side.view(sub)
    items = (*view.prefix, view.items)
    if view.types == frozenset({"array"}):
        # Items of which nothing is said may be objects.
        return all(isinstance(each, Sub) and only_types(SINGLE, each, side, {}) for each in items if each is not False)
    return only_types(SINGLE, sub, side, {})


def _without(facets: _Facets, *names: str) -> _Facets:
    return tuple(facet for facet in facets if facet.name not in names)


# Names that members of an exploded object have in a query: a parameter of one side alone may have one of them.
#
# OpenAPI 3.1, section 4.8.12.4: an object in the style `form`, exploded, is `R=100&G=200`; its own name is not sent.


_EXPLODED: Final = ("form", True)


def sent_in(parameter: Element, theirs: Iterable[Element], sides: tuple[Side, Side], *, gone: bool) -> dict[str, Json]:
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
    if place not in ("query", "cookie") or (gone and parameter.polarity is Polarity.READ):
        return {}
    others = (each for each in theirs if each.kind is ElementKind.PARAMETER and each.key.startswith(f"{place}:"))
    holder = next((each.key for each in others if _may_have(each, name, sides[1 if gone else 0])), "")
    return {fact.SENT_IN: holder} if holder else {}


def _may_have(element: Element, name: str, side: Side) -> bool:
    """True for an exploded object that describes a member of the name, by itself or among others."""
    if element.value is None or (element.facet(STYLE), element.facet(EXPLODE)) != _EXPLODED:
        return False
    view = side.view(value_sub(element))
    if view.types is None or "object" not in view.types:
        return False
    return name in view.properties or isinstance(view.additional, Sub)


# OAuth flows that one side alone has: each is one part of its scheme, whatever addresses and scopes it lists.


_FLOWS: Final = "flows"
Facets = tuple[Facet, ...]


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
    return _with(released, left, gone | come), _with(candidate, right, gone | come)


def _flows(scheme: Element) -> Mapping[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = {}
    for facet in scheme.facets:
        flow, part = _named(facet)
        if flow and not isinstance(facet.value, Missing):
            found.setdefault(flow, {})[part] = facet.value
    return found


def _named(facet: Facet) -> tuple[str, str]:
    """The flow and the part of it that a facet is about, "" for any other facet."""
    if not facet.name.startswith(f"{_FLOWS}."):
        return "", ""
    flow, _, part = facet.name.removeprefix(f"{_FLOWS}.").rpartition(".")
    return flow, part


def _with(scheme: Element, made: Mapping[str, Json], gathered: AbstractSet[str]) -> Facets:
    kept = tuple(facet for facet in scheme.facets if _named(facet)[0] not in gathered)
    return (*kept, *(Facet(name, Aspect.SECURITY, value) for name, value in sorted(made.items())))
