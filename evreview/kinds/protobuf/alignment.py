"""Types of protobuf contracts that got other names: paired by their package, or by what refers to them.

A message carries no name on the wire. Where one field number refers to a type that only the released contract has, and
then to one that only the candidate has, they are one type under two names, unless another reference says otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.comparison.elements import ElementDifference
from evreview.comparison.noise import NoiseReason
from evreview.comparison.redundant_rows import told
from evreview.contract.model import Contract, Element, ElementKind, Facet
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, Form

_REFERENCE: Final = re.compile(r"\b(message|group|enum) ([\w.]+)")
_DEPENDENT: Final = frozenset({"packed", "utf8_validation", "json_format"})
"""Facets of one type or cardinality only: where these change, they come and go with them."""
_REFERRING: Final = frozenset({"type", "request", "response"})
PAYLOAD: Final = "payload"
"""The facet of a document that is the payload of something else: the full name of the message that travels."""


_Pair = tuple[str, str]
"""A released full name, and the candidate's."""


@frozen
class AlignedContracts:
    """Two contracts whose paired parts have equal keys.

    Attributes:
        released, candidate: as they are compared.
        names: by released full name the candidate's, for types that got another one.
    """

    released: Contract
    candidate: Contract
    names: Mapping[str, str]


def aligned_types(released: Contract, candidate: Contract) -> AlignedContracts:
    """Both contracts, the candidate's types under their released names where they are known to be the same."""
    renames = _Renames(_types(released), _types(candidate))
    packages = _packages(released, candidate)
    renames.by_package(packages)
    renames.by_use(released, candidate, packages)
    writer = _Writer({new: old for old, new in renames.found.items()}, packages)
    moved = [writer.element(child) for child in candidate.root.children]
    moved = list(_same_files(released, moved))
    both = _without_dependent(*_with_files(released.root.children, moved))
    return AlignedContracts(
        replace(released, root=replace(released.root, children=tuple(both[0]))),
        replace(candidate, root=replace(candidate.root, children=tuple(both[1]))),
        renames.found,
    )


def referred(text: Form | None) -> Iterator[tuple[str, str]]:
    """The types that a `type` facet names, each with its category."""
    yield from (((found[1], found[2])) for found in _REFERENCE.finditer(str(text)))


def carrying(contract: Contract) -> Contract:
    """The contract of a payload, told which message travels: the only one at the top that no other one holds."""
    types = {child.key: child for child in contract.root.children if child.kind is ElementKind.TYPE}
    held = {
        name
        for key, each in types.items()
        for field in each.children
        for _, name in referred(field.facet("type"))
        if name != key
    }
    free = [
        key
        for key, each in types.items()
        if each.facet("kind") == "message" and key not in held and key.rpartition(".")[0] not in types
    ]
    if len(free) != 1:
        return contract
    told = Facet(PAYLOAD, Aspect.IDENTIFIERS, free[0], on_wire=False)
    return replace(contract, root=replace(contract.root, facets=(*contract.root.facets, told)))


def _types(contract: Contract) -> dict[str, Element]:
    return {child.key: child for child in contract.root.children if child.kind is ElementKind.TYPE}


def _modules(children: Iterable[Element]) -> dict[str, Element]:
    return {child.key: child for child in children if child.kind is ElementKind.MODULE}


def _pairs_of_files(released: Iterable[Element], candidate: Iterable[Element]) -> Iterator[tuple[Element, Element]]:
    """Files with one path, and the two that are left where each side has one."""
    before, after = _modules(released), _modules(candidate)
    yield from ((before[key], after[key]) for key in before if key in after)
    gone = [before[key] for key in before if key not in after]
    come = [after[key] for key in after if key not in before]
    if len(gone) == len(come) == 1:
        yield gone[0], come[0]


def _same_files(released: Contract, candidate: list[Element]) -> Iterator[Element]:
    keys = {new.key: old.key for old, new in _pairs_of_files(released.root.children, candidate)}
    for child in candidate:
        yield replace(child, key=keys.get(child.key, child.key)) if child.kind is ElementKind.MODULE else child


def _with_files(before: Iterable[Element], after: Iterable[Element]) -> tuple[list[Element], list[Element]]:
    """Both sides without files that only one has: a file is not written anywhere, and its types have rows."""
    old, new = list(before), list(after)
    shared = _modules(old).keys() & _modules(new).keys()
    return tuple(  # type: ignore[return-value]
        [child for child in side if child.kind is not ElementKind.MODULE or child.key in shared] for side in (old, new)
    )


def _packages(released: Contract, candidate: Contract) -> dict[str, str]:
    """By candidate package the released one, for packages that changed their names as a whole."""
    found: dict[str, set[str]] = {}
    for old, new in _pairs_of_files(released.root.children, candidate.root.children):
        found.setdefault(str(new.facet("package")), set()).add(str(old.facet("package")))
    return {new: next(iter(old)) for new, old in found.items() if len(old) == 1 and old != {new}}


def _in_package(name: str, packages: Mapping[str, str]) -> str:
    """A candidate name under the released package."""
    package = name
    while package:
        package = package.rpartition(".")[0]
        if package in packages:
            rest = name[len(package) + 1 :] if package else name
            return ".".join(part for part in (packages[package], rest) if part)
    return name


@dataclass(slots=True)
class _Renames:
    """The types of both sides, and the released names that became others.

    Attributes:
        votes: pairs that some reference speaks for.
        spoken: how many of them speak about a name, by side and name.
    """

    old: Mapping[str, Element]
    new: Mapping[str, Element]
    found: dict[str, str] = field(default_factory=dict)
    votes: set[_Pair] = field(default_factory=set)
    spoken: Counter[tuple[int, str]] = field(default_factory=Counter)

    def by_package(self, packages: Mapping[str, str]) -> None:
        for name in self.new:
            before = _in_package(name, packages)
            if before != name and self._may_be(before, name):
                self.found[before] = name

    def by_use(self, released: Contract, candidate: Contract, packages: Mapping[str, str]) -> None:
        """Pairs what both sides refer to in the same place, as long as that pairs more."""
        others = {_operation(child.key, packages): child for child in candidate.operations}
        carried = released.root.facet(PAYLOAD), candidate.root.facet(PAYLOAD)
        if isinstance(carried[0], str) and isinstance(carried[1], str):
            self.found.update(self._agreed({(carried[0], carried[1])}))
        known = {(name, self.found.get(name, name)) for name in self.old if self.found.get(name, name) in self.new}
        votes: set[_Pair] = set()
        for operation in released.operations:
            if operation.key in others:
                votes |= self._votes_of(operation, others[operation.key])
        below = _below(self.old)
        while known:
            for before, after in known:
                votes |= self._votes_below((self.old[before], self.new[after]), below.get(before, ()))
            known = {pair for pair in self._agreed(votes) if pair[0] not in self.found}
            self.found.update(known)
            votes = set()

    def _votes_below(self, pair: tuple[Element, Element], nested: Iterable[str]) -> set[_Pair]:
        old, new = pair
        others = {(child.kind, child.key): child for child in new.children}
        pairs = ((child, others.get((child.kind, child.key))) for child in old.children)
        found = {vote for child, other in pairs if other is not None for vote in self._votes_of(child, other)}
        if old.key != new.key:
            found |= {(name, new.key + name.removeprefix(old.key)) for name in nested}
        return found

    def _votes_of(self, old: Element, new: Element) -> set[_Pair]:
        found: set[_Pair] = set()
        if old.facets == new.facets:
            return found
        for name in _REFERRING:
            before, after = old.facet(name), new.facet(name)
            if before == after:
                continue
            if name == "type" and (old.name == new.name or old.kind is ElementKind.EXTENSION):
                pairs = zip(referred(before), referred(after), strict=False)
                found |= {(left, right) for (kind, left), (other, right) in pairs if kind == other}
            elif name == "type":
                # A number may be used again for something else, under another name.
                pairs = zip(referred(before), referred(after), strict=False)
                found |= {(left, right) for (_, left), (_, right) in pairs if self._alike(left, right)}
            elif before is not None and after is not None:
                found.add((str(before), str(after)))
        return found

    def _alike(self, before: str, after: str) -> bool:
        """True when two types share at least half of their fields or values, by number and name."""
        left, right = (
            {(child.kind, child.key, child.name) for child in side[name].children} if name in side else set()
            for side, name in ((self.old, before), (self.new, after))
        )
        return 2 * len(left & right) >= max(1, min(len(left), len(right)))

    def _agreed(self, votes: set[_Pair]) -> list[_Pair]:
        """Those of some new votes that nothing contradicts; what was spoken against once stays so."""
        fresh = [vote for vote in votes - self.votes if self._may_be(*vote)]
        self.votes |= votes
        self.spoken.update((side, name) for vote in fresh for side, name in enumerate(vote))
        return [vote for vote in fresh if all(self.spoken[side, name] == 1 for side, name in enumerate(vote))]

    def _may_be(self, before: str, after: str) -> bool:
        """True when only the released side has the one name and only the candidate the other, for types of one kind."""
        if self.found.get(before) == after:
            return True
        return (
            before in self.old
            and after in self.new
            and before not in self.new
            and after not in self.old
            and self.old[before].facet("kind") == self.new[after].facet("kind")
        )


def _below(types: Mapping[str, Element]) -> dict[str, list[str]]:
    """By type the types that are nested in it, at any depth."""
    found: dict[str, list[str]] = {}
    for name in types:
        around = name.rpartition(".")[0]
        while around:
            if around in types:
                found.setdefault(around, []).append(name)
            around = around.rpartition(".")[0]
    return found


def _operation(key: str, packages: Mapping[str, str]) -> str:
    service, _, method = key.partition("/")
    return f"{_in_package(service, packages)}/{method}"


@frozen
class _Writer:
    """Gives the candidate's elements the keys that they have in the released contract.

    Attributes:
        types: by candidate name the released one.
        packages: by candidate package the released one; what they explain is no difference of its own.
    """

    types: Mapping[str, str]
    packages: Mapping[str, str]

    def element(self, element: Element) -> Element:
        """The element with its released key."""
        operations = tuple(_operation(key, self.packages) for key in element.operations)
        changed = replace(element, operations=operations) if self.packages else element
        if element.kind is ElementKind.OPERATION:
            facets = tuple(self._referring(facet) for facet in element.facets)
            return replace(changed, key=_operation(element.key, self.packages), facets=facets)
        if element.kind is ElementKind.SERVICE:
            return replace(changed, key=_in_package(element.key, self.packages))
        if element.kind is ElementKind.TYPE:
            return self._type(changed)
        return self._extension(changed) if element.kind is ElementKind.EXTENSION else changed

    def _type(self, element: Element) -> Element:
        key = self.types.get(element.key, element.key)
        if not self.packages:
            return replace(element, key=key) if key != element.key else element
        moved = key == _in_package(element.key, self.packages)
        facets = tuple(
            facet._replace(value=key) if moved and facet.name == "name" else facet for facet in element.facets
        )
        children = tuple(
            replace(
                child,
                facets=tuple(self._referring(facet) for facet in child.facets),
                operations=element.operations,
            )
            for child in element.children
        )
        return replace(element, key=key, facets=facets, children=children)

    def _extension(self, element: Element) -> Element:
        extendee, _, number = element.key.rpartition(" ")
        facets = tuple(self._referring(facet) for facet in element.facets)
        if self.packages:
            own = _in_package(element.name, self.packages)
            facets = tuple(facet._replace(value=own) if facet.name == "name" else facet for facet in facets)
        return replace(element, key=f"{self.types.get(extendee, extendee)} {number}", facets=facets)

    def _referring(self, facet: Facet) -> Facet:
        """The facet with the types of renamed packages under their released names."""
        if not self.packages or facet.name not in _REFERRING:
            return facet
        if facet.name != "type":
            return facet._replace(value=self._named(str(facet.value)))
        return facet._replace(value=_REFERENCE.sub(lambda at: f"{at[1]} {self._named(at[2])}", str(facet.value)))

    def _named(self, name: str) -> str:
        before = self.types.get(name, name)
        return before if before == _in_package(name, self.packages) else name


_Children = tuple[list[Element], list[Element]]


def _without_dependent(before: Iterable[Element], after: Iterable[Element]) -> _Children:
    """Both sides without facets that only one of two paired fields has because its type or cardinality has it."""
    old, new = list(before), list(after)
    at = {(child.kind, child.key): place for place, child in enumerate(new)}
    for place, element in enumerate(old):
        other = at.get((element.kind, element.key))
        if other is not None and element.facet("kind") != new[other].facet("kind"):
            old[place], new[other] = _only_kind(element), _only_kind(new[other])
        elif other is not None and element.kind is ElementKind.TYPE:
            left, right = _without_dependent(element.children, new[other].children)
            old[place], new[other] = _holding(element, left), _holding(new[other], right)
        elif other is not None and element.kind in (ElementKind.FIELD, ElementKind.EXTENSION):
            old[place], new[other] = _both(element, new[other])
    return old, new


def _holding(element: Element, children: list[Element]) -> Element:
    """The element with these children; itself when they are its own."""
    same = all(one is other for one, other in zip(element.children, children, strict=True))
    return element if same else replace(element, children=tuple(children))


def _only_kind(element: Element) -> Element:
    """A type that became another kind of type: nothing else of it compares."""
    return replace(element, facets=tuple(facet for facet in element.facets if facet.name == "kind"), children=())


def _both(old: Element, new: Element) -> tuple[Element, Element]:
    if old.facets == new.facets:
        return old, new
    lone = _names(old) ^ _names(new)
    if (old.facet("cardinality") == "map") is not (new.facet("cardinality") == "map"):
        # The row of the type says it.
        lone |= {"cardinality"}
    elif {old.facet("cardinality"), new.facet("cardinality")} == {"optional", "implicit"} and _holds_message(old, new):
        # A message is always told from none: that follows from the type.
        lone |= {"cardinality"}
    return (_dropped(old, lone), _dropped(new, lone)) if lone else (old, new)


def _holds_message(old: Element, new: Element) -> bool:
    """True when one of two fields holds a message and the other one does not."""
    return len({str(side.facet("type")).startswith(("message ", "group ")) for side in (old, new)}) == 2


def _names(element: Element) -> frozenset[str]:
    return frozenset(facet.name for facet in element.facets) & _DEPENDENT


def _dropped(element: Element, lone: frozenset[str]) -> Element:
    return replace(element, facets=tuple(facet for facet in element.facets if facet.name not in lone))


# Procedures that came or went with their service.


def told_by_services(rows: list[ElementDifference]) -> list[ElementDifference]:
    """The rows, those of procedures as noise that came or went with their service."""
    moved = {
        (row.about.key, row.difference.direction)
        for row in rows
        if row.about.kind is ElementKind.SERVICE and not row.difference.facet
    }

    def is_of_service(row: ElementDifference) -> bool:
        service = row.about.key.rpartition("/")[0]
        return row.about.kind is ElementKind.OPERATION and (service, row.difference.direction) in moved

    return told(rows, is_of_service, NoiseReason.TOLD_BY_SERVICE)
