"""Which named type of a candidate continues which released one, so that a change of name is one row.

By full name; by the name without its namespace, where only one type of each side has it; by alias; and where both
stand in the same place (Avro 1.12 specification, "Aliases" and "Schema Resolution").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from evreview.kinds.avro.parser import REFERENCE, Named, Schema, Type, reached, uses


@dataclass(slots=True)
class Pairing:
    """The released name of each candidate type that continues one."""

    released: Schema
    candidate: Schema
    names: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def pair(self, new: str, old: str) -> bool:
        """Keeps a pair when neither is paired yet; True when the two belong together."""
        if self.names.get(new) == old:
            return True
        if new in self.names or old in self._taken:
            return False
        before, after = self.released.names.get(old), self.candidate.names.get(new)
        if before is None or after is None or before.sort != after.sort:
            return False
        self.names[new] = old
        self._taken.add(old)
        return True


def paired(released: Schema, candidate: Schema) -> Mapping[str, str]:
    """The released full name of each candidate type that continues a released one."""
    found = Pairing(released, candidate)
    for name in candidate.names:
        found.pair(name, name)
    for new, old in _short(released, candidate):
        found.pair(new, old)
    for new, old in _aliased(released, candidate):
        found.pair(new, old)
    _placed(found)
    return found.names


def fields(old: Named, new: Named) -> Mapping[str, str]:
    """The released name of each candidate field that continues one: by name, else by an alias of either side."""
    here, there = old.named.keys(), new.named.keys()
    found = {name: name for name in there & here}
    taken = set(found)
    for each in new.fields:
        source = next((alias for alias in each.aliases if alias in here and alias not in taken), None)
        if each.name not in found and source is not None:
            found[each.name] = source
            taken.add(source)
    for each in old.fields:
        target = next((alias for alias in each.aliases if alias in there and alias not in found), None)
        if each.name not in taken and target is not None:
            found[target] = each.name
            taken.add(each.name)
    return found


def _short(released: Schema, candidate: Schema) -> Iterator[tuple[str, str]]:
    counts = [Counter(each.short for each in schema.names.values()) for schema in (released, candidate)]
    old = {each.short: name for name, each in released.names.items()}
    for name, each in candidate.names.items():
        if each.short in old and all(count[each.short] == 1 for count in counts):
            yield name, old[each.short]


def _aliased(released: Schema, candidate: Schema) -> Iterator[tuple[str, str]]:
    for name, each in candidate.names.items():
        yield from ((name, alias) for alias in each.aliases)
    for name, each in released.names.items():
        yield from ((alias, name) for alias in each.aliases)


def _placed(found: Pairing) -> None:
    """Pairs what stands in the same place, from the roots down; a name that both sides have stays what it is."""
    old, new = found.released, found.candidate
    waiting: list[tuple[object, object]] = [(old.roots[key], new.roots[key]) for key in old.roots if key in new.roots]
    if len(old.roots) == len(new.roots) == 1:
        waiting = [(next(iter(old.roots.values())), next(iter(new.roots.values())))]
    waiting += [(old.names[name], new.names[other]) for other, name in found.names.items()]
    seen: set[tuple[str, str]] = set()
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, Named) and isinstance(right, Named):
            waiting += _members(left, right)
        elif isinstance(left, Type) and isinstance(right, Type):
            waiting += _parts(left, right, found, seen)


def _members(left: Named, right: Named) -> Iterator[tuple[Type, Type]]:
    if left.sort != right.sort:
        return
    for name, source in fields(left, right).items():
        yield left.named[source].type, right.named[name].type


def _parts(left: Type, right: Type, found: Pairing, seen: set[tuple[str, str]]) -> Iterator[tuple[object, object]]:
    if left.sort == right.sort == REFERENCE:
        old, new = found.released.names.get(left.name), found.candidate.names.get(right.name)
        pair = (left.name, right.name)
        if old and new and pair not in seen and old.sort == new.sort and found.pair(right.name, left.name):
            seen.add(pair)
            yield old, new
    elif left.sort == right.sort and left.sort != "union":
        yield from zip(left.parts, right.parts, strict=False)
    elif "union" in (left.sort, right.sort):
        yield from _branches(left, right)


def _branches(left: Type, right: Type) -> Iterator[tuple[Type, Type]]:
    """The only named branch of each side, and containers of one sort."""
    sides = [one.parts if one.sort == "union" else (one,) for one in (left, right)]
    named = [[part for part in parts if part.sort == REFERENCE] for parts in sides]
    if len(named[0]) == len(named[1]) == 1:
        yield named[0][0], named[1][0]
    for sort in ("array", "map"):
        held = [[part for part in parts if part.sort == sort] for parts in sides]
        yield from zip(*held, strict=False)


def operations_of(schema: Schema) -> Mapping[str, tuple[str, ...]]:
    """The roots and messages that reach each named type, by its full name."""
    found: dict[str, list[str]] = {}
    starts = {key: uses(root) for key, root in schema.roots.items()}
    for call in schema.calls:
        types = (*(each.type for each in call.request), call.response, call.errors)
        starts[call.name] = tuple(name for each in types for name in uses(each))
    for key, start in starts.items():
        for name in reached(schema.names, start):
            found.setdefault(name, []).append(key)
    return {name: tuple(keys) for name, keys in found.items()}
