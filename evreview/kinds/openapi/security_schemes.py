"""Security schemes of two contracts paired by what travels: their names are names inside one document.

OpenAPI 3.1, section 4.8.7: the keys of `securitySchemes` are names of components. Schemes of one form under several
names are one scheme; two of one kind and different forms (two OAuth servers) are paired by form, then by name. Where
several names of one form are demanded on both sides, their credentials may differ, and the names are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind, Facet
from evreview.contract.security_requirements import bare, issues_tokens
from evreview.core.vocabulary import Json

_DEMAND: Final = "requirements"


class _Scheme(NamedTuple):
    """A declared scheme: its key, name and form, and whether some operation demands it."""

    key: str
    name: str
    form: bytes
    demanded: bool


@dataclass(slots=True)
class _Names:
    """The names on both sides that stand for one scheme."""

    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)

    def label(self) -> str:
        """The name that tells it from others of its kind: one that stays, else a released one."""
        return min([*(set(self.old) & set(self.new))] or self.old or self.new)


def same_schemes(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both contracts, schemes that are one under one key, and the demands with it."""
    old, new = _by_kind(released), _by_kind(candidate)
    crowded = [kind for kind in {**old, **new} if len(old.get(kind, ())) > 1 or len(new.get(kind, ())) > 1]
    keys: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for kind in crowded:
        _settle(kind, (old.get(kind, []), new.get(kind, [])), keys)
    return _renamed(released, keys[0]), _renamed(candidate, keys[1])


def _by_kind(contract: Contract) -> dict[str, list[_Scheme]]:
    found: dict[str, list[_Scheme]] = {}
    declared = [child for child in contract.root.children if child.kind is ElementKind.SECURITY_SCHEME]
    demanded = set(_demanded(contract.root)) if len(declared) > 1 else set()
    for child in declared:
        form = canonical([[facet.name, facet.value] for facet in sorted(child.facets) if facet.on_wire])
        found.setdefault(bare(child.key), []).append(_Scheme(child.key, child.name, form, child.key in demanded))
    return found


def _demanded(element: Element) -> Iterator[str]:
    for child in element.children:
        if child.kind is ElementKind.SECURITY:
            listed = child.facet(_DEMAND)
            for alternative in listed if isinstance(listed, list) else ():
                yield from alternative if isinstance(alternative, dict) else ()
        elif child.kind in (ElementKind.OPERATION, ElementKind.CALLBACK):
            yield from _demanded(child)


def _settle(
    kind: str, sides: tuple[Sequence[_Scheme], Sequence[_Scheme]], keys: tuple[dict[str, str], dict[str, str]]
) -> None:
    """Adds the new key of every scheme of one kind; "" for one that another one stands for."""
    classes = _classes(kind, sides)
    alike = _unused_twins(classes, sides)
    for side, of_side in enumerate(sides):
        taken: set[str] = set()
        for names in classes:
            key = kind if len(classes) == 1 else f"{kind} ({names.label()})"
            own = names.new if side else names.old
            first = min(own, key=lambda name: (name not in (names.old, names.new)[1 - side], name), default="")
            for scheme in of_side:
                if scheme.name in own:
                    keys[side][scheme.key] = key if scheme.name == first else f"={key}"
            taken.add(key)
        for scheme in of_side:
            if scheme.key not in keys[side]:
                name = alike.get(scheme.name, scheme.name) if side else scheme.name
                keys[side][scheme.key] = _free(f"{kind} ({name})", taken)


def _unused_twins(classes: Sequence[_Names], sides: tuple[Sequence[_Scheme], Sequence[_Scheme]]) -> dict[str, str]:
    """The released name of each candidate's scheme that nobody demands and that only got another name."""
    old, new = (
        {scheme.name: scheme.form for scheme in of_side if not any(scheme.name in names for names in known)}
        for of_side, known in zip(
            sides, ([names.old for names in classes], [names.new for names in classes]), strict=True
        )
    )
    gone = [name for name in old if name not in new]
    found: dict[str, str] = {}
    for name in (name for name in new if name not in old):
        other = next((each for each in gone if old[each] == new[name]), None)
        if other is not None:
            found[name] = other
            gone.remove(other)
    return found


def _free(key: str, taken: set[str]) -> str:
    while key in taken:
        key += " undemanded"
    taken.add(key)
    return key


def _classes(kind: str, sides: tuple[Sequence[_Scheme], Sequence[_Scheme]]) -> list[_Names]:
    """The demanded schemes of both sides, those that are one together; a declared one joins what it is on the other."""
    old, new = ([scheme for scheme in side if scheme.demanded] for side in sides)
    found: list[_Names] = []
    for form in dict.fromkeys(scheme.form for scheme in (*old, *new)):
        ours, theirs = ([scheme.name for scheme in side if scheme.form == form] for side in (old, new))
        ours = ours or _non_wire(sides[0], form, theirs)
        theirs = theirs or _non_wire(sides[1], form, ours)
        found += _told_apart(ours, theirs) if not issues_tokens(kind) else [_Names(ours, theirs)]
    return _reformed(found)


def _non_wire(side: Sequence[_Scheme], form: bytes, others: Sequence[str]) -> list[str]:
    """The undemanded scheme of a form that stands for the other side's demanded ones, preferably under their name."""
    alike = sorted(scheme.name for scheme in side if scheme.form == form and not scheme.demanded)
    return sorted(alike, key=lambda name: name not in others)[:1]


def _told_apart(old: list[str], new: list[str]) -> list[_Names]:
    """One scheme, unless several names stay: whose text travels may be another question than where it does."""
    stay = [name for name in old if name in new]
    rest = _Names([name for name in old if name not in stay], [name for name in new if name not in stay])
    if len(stay) < 2 or bool(rest.old) is not bool(rest.new):
        return [_Names(old, new)]
    return [*(_Names([name], [name]) for name in stay), *([rest] if rest.old else [])]


def _reformed(found: list[_Names]) -> list[_Names]:
    """The classes, those of one side alone paired by a name of theirs, then the two that are left."""
    kept = [names for names in found if names.old and names.new]
    gone, come = [names for names in found if not names.new], [names for names in found if not names.old]
    for names in list(gone):
        other = next((each for each in come if set(each.new) & set(names.old)), None)
        if other is not None:
            kept.append(_Names(names.old, other.new))
            gone.remove(names)
            come.remove(other)
    if len(gone) == len(come) == 1:
        return [*kept, _Names(gone[0].old, come[0].new)]
    return [*kept, *gone, *come]


def _renamed(contract: Contract, keys: Mapping[str, str]) -> Contract:
    if all(old == new for old, new in keys.items()):
        return contract
    return replace(contract, root=_Renaming(keys).of(contract.root))


class _Renaming:
    """One contract's elements under other keys of schemes; an element that operations share stays one."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        self._keys = keys
        self._made: dict[int, Element] = {}

    def of(self, element: Element) -> Element:
        if element.kind is ElementKind.SECURITY:
            return self._made.setdefault(id(element), self._demand(element))
        children = tuple(self._child(child) for child in self._kept(element.children))
        return replace(element, children=children)

    def _child(self, child: Element) -> Element:
        if child.kind is ElementKind.SECURITY_SCHEME:
            return replace(child, key=self._keys.get(child.key, child.key))
        holds = child.kind in (ElementKind.SECURITY, ElementKind.OPERATION, ElementKind.CALLBACK)
        return self.of(child) if holds else child

    def _kept(self, children: Iterable[Element]) -> Iterator[Element]:
        """The children without the schemes that another one stands for."""
        for child in children:
            if child.kind is not ElementKind.SECURITY_SCHEME or not self._keys.get(child.key, "").startswith("="):
                yield child

    def _demand(self, element: Element) -> Element:
        return replace(element, facets=tuple(self._facet(facet) for facet in element.facets))

    def _facet(self, facet: Facet) -> Facet:
        if facet.name != _DEMAND or not isinstance(facet.value, list):
            return facet
        told = [self._alternative(each) if isinstance(each, dict) else each for each in facet.value]
        distinct = {json.dumps(each, sort_keys=True): each for each in told}
        return facet._replace(value=[distinct[key] for key in sorted(distinct)])

    def _alternative(self, demanded: Mapping[str, Json]) -> Json:
        scopes: dict[str, set[str]] = {}
        for key, listed in demanded.items():
            names = scopes.setdefault(self._keys.get(key, key).removeprefix("="), set())
            names.update(str(scope) for scope in (listed if isinstance(listed, list) else ()))
        return {key: list[Json](sorted(names)) for key, names in sorted(scopes.items())}
