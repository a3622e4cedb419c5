"""Public names of two libraries brought together: rows that others say already, and names that are handed on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.delta import RawDifference
from evreview.comparison.elements import ElementDifference, KindPairing, Position
from evreview.comparison.noise import NoiseReason
from evreview.comparison.pairing import Paired
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.json_text import texts_of
from evreview.core.vocabulary import Absent, Change, Form, Role
from evreview.kinds.python import signatures as sig

ANOTHER_KIND: Final = "the name stands for another kind of thing: that row says so"
SHAPED: Final = "the fields of the tuple changed: that row says so"
TEXTED: Final = "the base gives the members of the enum another text: that row says so"
UNLISTED: Final = "neither side lists the name in `__all__`: it is no part of the public interface"
APPENDED: Final = "the arguments that both sides have keep their positions: the rows of the arguments say the rest"
UNCOMPUTED: Final = "what makes the constructor is computed on one side alone: the row of the fields says so"
MADE_OTHERWISE: Final = "the attribute, or its class, is made in another way: those rows say so"
KEPT: Final = "what both sides have keeps its order: rows of what came or went say the rest"
_OF_LINE: Final = frozenset(
    {sig.ANCESTORS, sig.METACLASS, sig.ASKED, sig.HASHABLE, sig.NEW_ATTRIBUTES, sig.ORDERED, sig.FROZEN}
    | {sig.TEXT, sig.TAKES_TYPES, sig.MATCHED, sig.DYNAMIC}
)
"""Facets that a class has from the classes that it inherits from."""
_READ_ALIKE: Final = frozenset({sig.ATTRIBUTE, sig.PROPERTY})


def settled_names(
    rows: Sequence[ElementDifference], released: Contract, candidate: Contract
) -> list[ElementDifference]:
    """The rows, with those that others already say as noise; the row that says it reaches every name concerned.

    Names that came or went with what is around them, and further names of one definition, have no row of their own.
    """
    if not any(element.role is Role.SIGNATURE for element in (*released.root.children, *candidate.root.children)):
        return list(rows)
    settling = _Settling(rows, released, candidate)
    return [settling.settled(row) for row in rows if not settling.is_reached(row)]


class _Settling:
    """What the rows of one comparison say about each other."""

    def __init__(self, rows: Sequence[ElementDifference], released: Contract, candidate: Contract) -> None:
        self._listed = [{one.key: one for one in side.operations} for side in (released, candidate)]
        self._moved: dict[Change, set[str]] = {Change.ADDED: set(), Change.REMOVED: set()}
        self._first: dict[tuple[object, ...], str] = {}
        self._reached: dict[tuple[Change, str], set[str]] = {}
        whole = sorted(
            (row for row in rows if _is_whole(row)), key=lambda row: (row.about.key.count("."), row.about.key)
        )
        for row in whole:
            self._moved[row.difference.direction].add(row.about.key)
        for row in whole:
            self._place(row)
        self._shaped = {row.position.operation for row in rows if row.difference.facet == sig.SHAPE}
        self._texted = {row.position.operation for row in rows if row.difference.facet == sig.TEXT}
        self._uncomputed = {row.position.operation for row in rows if _loses_constructor(row)}
        self._turned = {row.position.operation for row in rows if _turns(row)}
        self._alike: dict[str, dict[str, ElementDifference]] = {}
        for row in rows:
            if row.difference.facet in _OF_LINE and not row.difference.reason:
                self._alike.setdefault(_change_of(row), {})[row.position.operation] = row
        self._heirs: dict[tuple[str, str], set[str]] = {}
        for change, by_class in self._alike.items():
            for name, row in by_class.items():
                if head := self._head(row):
                    self._heirs.setdefault((change, head), set()).update({name, head})

    def _place(self, row: ElementDifference) -> None:
        change, about = row.difference.direction, row.about
        around = self._around(row)
        if around:
            self._reached.setdefault((change, around), set()).add(about.key)
        elif about.kind is ElementKind.OPERATION:
            first = self._first.setdefault((change, about.name, about.place), about.key)
            self._reached.setdefault((change, first), set()).add(about.key)

    def _around(self, row: ElementDifference) -> str:
        """The outermost module or class that came or went with a name, "" for none."""
        moved, steps = self._moved[row.difference.direction], row.about.key.split(".")
        above = (".".join(steps[:length]) for length in range(1, len(steps)))
        return next((name for name in above if name in moved), "")

    def _head(self, row: ElementDifference) -> str:
        """The class from which a row's class has the change, "" where it has it by itself."""
        alike = self._alike.get(_change_of(row), {}) if row.difference.facet in _OF_LINE else {}
        if len(alike) < 2:
            return ""
        both = _ancestors(row.position.released) & _ancestors(row.position.candidate)
        heads = sorted(name for name in both if name in alike and not self._is_unlisted(alike[name]))
        first = (name for name in heads if not _ancestors(alike[name].position.released) & set(heads))
        return next(first, "")

    def is_reached(self, row: ElementDifference) -> bool:
        """True for what the row of another name says: a name that came or went, or a class that inherits the change."""
        what, about = row.difference, row.about
        if self._head(row):
            return True
        if what.reason or not _is_whole(row) or self._is_unlisted(row):
            return False
        if self._around(row):
            return True
        key = (what.direction, about.name, about.place)
        return about.kind is ElementKind.OPERATION and self._first.get(key, about.key) != about.key

    def settled(self, row: ElementDifference) -> ElementDifference:
        """The row, as noise where another one says it."""
        what = row.difference
        reason = what.reason or self._reason(row)
        if reason:
            return row if what.reason else replace(row, difference=replace(what, reason=reason))
        reached = self._reached.get((what.direction, row.about.key)) if _is_whole(row) else None
        if what.facet in _OF_LINE:
            reached = self._heirs.get((_change_of(row), row.position.operation))
        if not reached:
            return row
        return replace(row, about=replace(row.about, operations=tuple(sorted({*reached, *row.about.operations}))))

    def _reason(self, row: ElementDifference) -> str:
        what, about = row.difference, row.about
        if self._is_unlisted(row):
            return UNLISTED
        if _is_whole(row):
            return ""
        if row.position.operation in self._turned and not _turns(row):
            return ANOTHER_KIND
        if what.facet in (sig.ON_CLASS, sig.SHAPE, sig.SETTABLE) and Absent in (
            type(what.released),
            type(what.candidate),
        ):
            return MADE_OTHERWISE
        about_call = about.kind is ElementKind.ARGUMENT or what.facet == sig.ORDER
        if about_call and row.position.operation in self._uncomputed:
            return UNCOMPUTED
        if what.facet == sig.ORDER and row.position.operation in self._shaped:
            return SHAPED
        if what.facet == sig.ANCESTORS and row.position.operation in self._texted and _gives_text(what):
            return TEXTED
        if what.facet == sig.ORDER and keeps_positions(what.released, what.candidate, _renamed(row.position)):
            return APPENDED
        if what.facet in (sig.OVERLOADS, sig.BASES) and keeps_order(texts_of(what.released), texts_of(what.candidate)):
            return KEPT
        return ""

    def _is_unlisted(self, row: ElementDifference) -> bool:
        """True when no side that has the name lists it; a member is listed with its class."""
        key = row.position.operation or (row.about.key if row.about.kind is ElementKind.OPERATION else "")
        while key:
            found = [one for side in self._listed if (one := side.get(key)) is not None]
            if found and any(one.facet(sig.LISTED) is not None for one in found):
                return not any(one.facet(sig.LISTED) for one in found)
            key = key.rpartition(".")[0]
        return False


def _gives_text(what: RawDifference) -> bool:
    """True where nothing was added to a line of inheritance but bases that only give an enum its text."""
    old, new = set(texts_of(what.released)), set(texts_of(what.candidate))
    return old <= new <= old | {"enum.StrEnum", "enum.IntEnum", "enum.ReprEnum"}


def _change_of(row: ElementDifference) -> str:
    """What changed, alike for a class and those that inherit from it."""
    what = row.difference
    old, new = texts_of(what.released), texts_of(what.candidate)
    if what.facet == sig.ANCESTORS:
        return f"{what.facet} {sorted(set(old) - set(new))} {sorted(set(new) - set(old))}"
    return f"{what.facet} {what.released!r} {what.candidate!r}"


def _ancestors(element: Element) -> set[str]:
    return set(texts_of(element.facet(sig.ANCESTORS)))


def keeps_positions(released: Form, candidate: Form, renamed: Mapping[str, str] | None = None) -> bool:
    """True when every argument that both sides have keeps its position."""
    old = [(renamed or {}).get(name, name) for name in texts_of(released)]
    new = texts_of(candidate)
    return all(new.index(name) == at for at, name in enumerate(old) if name in new)


def keeps_order(old: list[str], new: list[str]) -> bool:
    """True when what both lists have stands in one order."""
    return [one for one in old if one in new] == [one for one in new if one in old]


def _renamed(position: Position) -> dict[str, str]:
    """The arguments that got another name, as the candidate calls them."""
    old, new = _names(position.released), _names(position.candidate)
    return {before: after for before, after in zip(old, new, strict=False) if before not in new and after not in old}


def _names(element: Element) -> list[str]:
    return texts_of(element.facet(sig.ORDER))


def _is_whole(row: ElementDifference) -> bool:
    whole = row.difference.facet == "" and row.about.role is Role.SIGNATURE
    return whole and row.about.kind in (ElementKind.OPERATION, ElementKind.MODULE)


def _loses_constructor(row: ElementDifference) -> bool:
    """True for the row that says that the constructor made of the fields is computed on one side alone."""
    what = row.difference
    return what.facet == sig.FIELDS and Absent in (type(what.released), type(what.candidate))


def _turns(row: ElementDifference) -> bool:
    """True for the row that says that a name stands for another kind of thing; a property is read like an attribute."""
    what = row.difference
    return what.facet == sig.IS and not {what.released, what.candidate} <= _READ_ALIKE


# Names that a module defined before and imports now: still there, so what they lead to is compared.


def with_reexports(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both libraries, the candidate with the names that it only hands on where the released one had them public.

    What a module imports for its own use is no part of its interface, and so leaves both sides otherwise.
    """
    old, new = ({one.key: one for one in side.operations} for side in (released, candidate))
    relays = {
        relay.key: relay
        for module in candidate.root.children
        if module.kind is ElementKind.MODULE
        for relay in module.children
    }
    taken: dict[str, Element] = {}
    known = _Known({**relays, **new})
    for key, relay in relays.items():
        if key not in new and (key in old or key.rpartition(".")[0] in taken):
            taken.update((one.key, one) for one in _whole(relay, known))
    return _bare(released, {}), _bare(candidate, taken)


class _Known:
    """Names in their order, and those that stand below each: found without looking at all of them."""

    def __init__(self, names: Mapping[str, Element]) -> None:
        self._names = names
        self._at = {key: at for at, key in enumerate(names)}
        self._sorted = sorted(names)

    def below(self, target: str) -> Iterator[Element]:
        """The name and all that stand below it, in the order of the library."""
        found = [target] if target in self._names else []
        start = bisect_left(self._sorted, f"{target}.")
        end = bisect_left(self._sorted, f"{target}/")
        found += self._sorted[start:end]
        return (self._names[key] for key in sorted(found, key=self._at.__getitem__))


def _whole(relay: Element, known: _Known) -> Iterator[Element]:
    """What a relay leads to, with its members, under the relay's own key."""
    target = relay.facet(sig.STANDS_FOR)
    if not isinstance(target, str):
        yield relay
        return
    listed = [facet for facet in relay.facets if facet.name == sig.LISTED]
    for one in known.below(target):
        if one.key == target:
            kept = [facet for facet in one.facets if facet.name != sig.LISTED]
            yield replace(one, key=relay.key, facets=(*kept, *listed))
        else:
            yield replace(one, key=relay.key + one.key.removeprefix(target))


def _bare(contract: Contract, more: Mapping[str, Element]) -> Contract:
    """The contract without the relays of its modules, and with some names more."""
    children = (replace(one, children=()) if one.kind is ElementKind.MODULE else one for one in contract.root.children)
    return replace(contract, root=replace(contract.root, children=(*children, *more.values())))


# Arguments under another name.


class ArgumentPairing(KindPairing):
    """Pairs arguments by their positions too."""

    def pair(self, paired: Paired, position: Position, members: tuple[Sequence[Element], Sequence[Element]]) -> None:
        """Moves an argument that went and the one that came at its position to `both`."""
        if position.released.role is Role.SIGNATURE:
            pair_arguments(paired, *members)

    def renamed(self, released: Element, candidate: Element) -> tuple[str, str]:
        """The name of an argument, which nobody writes who gives it by its position."""
        if released.kind is not ElementKind.ARGUMENT:
            return super().renamed(released, candidate)
        return sig.NAME, NoiseReason.UNWRITTEN if released.facet(sig.KIND) == sig.POSITIONAL_ONLY else ""


def pair_arguments(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves an argument that went and the one that came at its position to `both`: one edit of its name.

    A call by position gives its value to either of them.
    """
    if not found.gone or not found.come:
        return
    places = {element.key: at for at, element in enumerate(_by_position(candidate))}
    come = {places[element.key]: element for element in found.come if _is_positional(element)}
    for at, element in enumerate(_by_position(released)):
        other = come.get(at)
        if other is not None and element in found.gone:
            found.both.append((element, other))
            found.gone.remove(element)
            found.come.remove(other)


def _by_position(elements: Sequence[Element]) -> list[Element]:
    return [element for element in elements if _is_positional(element)]


def _is_positional(element: Element) -> bool:
    return element.kind is ElementKind.ARGUMENT and element.facet(sig.KIND) in (sig.POSITIONAL_ONLY, sig.EITHER)
