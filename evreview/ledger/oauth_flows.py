"""OAuth flows that one side alone has: each is one part of its scheme, whatever addresses and scopes it lists."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from evreview.contract.model import Element, ElementKind, Facet
from evreview.core.vocabulary import Aspect, Json, Missing

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
