"""Which branch of the released composition is which branch of the candidate's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from evreview.comparison.wire_forms import canonical, value_sub
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Json
from evreview.ledger.node_pair import Side
from evreview.ledger.tags import Marks, tail
from evreview.schema.branch_labels import fixed_value
from evreview.schema.view import SchemaView, Sub

Pairs = list[tuple[int, int]]
_Mark = Callable[[int], bytes]
_ENOUGH = 0.34
"""The likeness from which on two schemas without other marks are taken for one."""


def pair_branches(
    old: Side, new: Side, released: Sequence[Sub], candidate: Sequence[Sub], tags: Iterable[Marks] = ()
) -> tuple[Pairs, list[int], list[int]]:
    """Paired positions, released positions without partner, candidate positions without partner.

    A branch that kept its name and its content decides first, then `tags`, which travel. Names of references come next,
    then equal content, fixed values and titles, then the best likeness.
    """
    pairs: Pairs = []
    left, right = list(range(len(released))), list(range(len(candidate)))
    for mine, theirs in _ways((old, new), (released, candidate), tags):
        by_key: dict[bytes, list[int]] = {}
        for at in right:
            by_key.setdefault(theirs(at), []).append(at)
        for at in list(left):
            key = mine(at)
            if key and by_key.get(key):
                other = by_key[key].pop(0)
                pairs.append((at, other))
                left.remove(at)
                right.remove(other)
    _alike(pairs, left, right, [old.view(sub) for sub in released], [new.view(sub) for sub in candidate])
    return sorted(pairs), left, right


def _ways(
    sides: tuple[Side, Side], branches: tuple[Sequence[Sub], Sequence[Sub]], tags: Iterable[Marks]
) -> Iterator[tuple[_Mark, _Mark]]:
    """The marks of the branches by position, one pair of readers after the other."""

    def by(way: Callable[[Side, Sub], bytes], at: int) -> _Mark:
        return lambda position: way(sides[at], branches[at][position])

    told = [marks for marks in tags if _disagree(marks, branches)]
    for marks in told:
        if marks is told[0]:
            yield by(_kept, 0), by(_kept, 1)
        yield marks[0].__getitem__, marks[1].__getitem__
    for way in (_name, _content, _fixed, _title):
        yield by(way, 0), by(way, 1)


def _disagree(marks: Marks, branches: tuple[Sequence[Sub], Sequence[Sub]]) -> bool:
    """True when equal marks stand on branches that names don't pair; else names say the same, and are faster asked."""
    names = {mark: tail(sub) for mark, sub in zip(marks[0], branches[0], strict=True) if mark}
    others = ((names[mark], tail(sub)) for mark, sub in zip(marks[1], branches[1], strict=True) if mark in names)
    return any(name != other or not name for name, other in others)


def _kept(side: Side, sub: Sub) -> bytes:
    name = _name(side, sub)
    return name and name + b"\n" + _content(side, sub)


def _name(side: Side, sub: Sub) -> bytes:
    return tail(sub).encode("utf-8", "surrogatepass")


def _content(side: Side, sub: Sub) -> bytes:
    return canonical(side.forms.of(sub))


def _fixed(side: Side, sub: Sub) -> bytes:
    return fixed_value(side.view(sub)).encode("utf-8", "surrogatepass")


def _title(side: Side, sub: Sub) -> bytes:
    title: Json = side.view(sub).annotations.get("title")
    return title.encode("utf-8", "surrogatepass") if isinstance(title, str) else b""


def _alike(
    pairs: Pairs, left: list[int], right: list[int], before: Sequence[SchemaView], after: Sequence[SchemaView]
) -> None:
    """Pairs the rest: those without members type by type in reading order, the others by likeness, the best first."""
    plain: dict[object, list[int]] = {}
    holders: dict[str, list[int]] = {}
    for two in right:
        if not after[two].properties and after[two].typed:
            plain.setdefault(after[two].types, []).append(two)
        for name in after[two].properties:
            holders.setdefault(name, []).append(two)
    found = {}
    for one in left:
        if not before[one].properties and plain.get(before[one].types):
            found[one] = plain[before[one].types].pop(0)
    meeting = {(one, two) for one in left for name in before[one].properties for two in holders.get(name, ())}
    taken = set(found.values())
    for score, one, two in sorted((-_likeness(before[one], after[two]), one, two) for one, two in meeting):
        if -score >= _ENOUGH and one not in found and two not in taken:
            found[one] = two
            taken.add(two)
    pairs += found.items()
    left[:] = (one for one in left if one not in found)
    right[:] = (two for two in right if two not in taken)


def held_alike(sides: tuple[Side, Side], released: Element, candidate: Element) -> bool:
    """Whether two messages name the same media types and hold much the same in each."""
    mine, theirs = (
        {child.key: child for child in each.children if child.kind is ElementKind.MEDIA_TYPE}
        for each in (released, candidate)
    )
    return mine.keys() == theirs.keys() and all(_values_alike(sides, mine[key], theirs[key]) for key in mine)


def _values_alike(sides: tuple[Side, Side], released: Element, candidate: Element) -> bool:
    if released.value is None or candidate.value is None:
        return released.value is candidate.value
    views = (side.view(value_sub(each)) for side, each in zip(sides, (released, candidate), strict=True))
    return _likeness(*views) >= _ENOUGH


def _likeness(before: SchemaView, after: SchemaView) -> float:
    """0 for nothing in common, 1 for the same types and field names."""
    if before.types != after.types:
        return 0.0
    names, others = set(before.properties), set(after.properties)
    return len(names & others) / len(names | others) if names or others else 1.0
