"""Schema resolution: whether data written with one schema is read with another (Avro 1.12, "Schema Resolution").

One rule is stricter than the specification's table: `bytes` are promoted to `string`, yet bytes that are no UTF-8 are
read by nobody as text, so not all such data is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from evreview.core.frozen import frozen
from evreview.core.vocabulary import Tristate
from evreview.kinds.avro.parser import REFERENCE, Field, Named, Schema, Type, gives_default, reached, uses

PROMOTED: Final[Mapping[str, frozenset[str]]] = {
    "int": frozenset({"long", "float", "double"}),
    "long": frozenset({"float", "double"}),
    "float": frozenset({"double"}),
    "string": frozenset({"bytes"}),
}
"""What a written primitive is read as besides itself, whatever its value."""
_CONTAINERS: Final = ("array", "map")


class Clash(StrEnum):
    """Why data is not read: the terms that the checkers of Avro's own libraries use."""

    NAME = "name mismatch"
    SIZE = "fixed size mismatch"
    SYMBOLS = "missing enum symbols"
    DEFAULT = "reader field missing default value"
    TYPE = "type mismatch"
    BRANCH = "missing union branch"
    TEXT = "bytes that are no UTF-8"
    MEANING = "another logical type"
    AMBIGUOUS = "one name for two"


class Problem(NamedTuple):
    """One place where data of the writer is not read: why, and the name or types concerned."""

    clash: Clash
    about: str


@frozen
class Resolution:
    """Answers about one reader and one writer.

    Attributes:
        reader, writer: the schemas that name the types.
        shallow: pairs of named types, reader's first, whose members are judged elsewhere: only their names count.
    """

    reader: Schema
    writer: Schema
    shallow: frozenset[tuple[str, str]] = frozenset()
    _claims: dict[str, Counter[str]] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[tuple[str, str], tuple[Problem, ...]] = field(default_factory=dict, repr=False, compare=False)
    _open: list[tuple[str, str]] = field(default_factory=list, repr=False, compare=False)

    def resolves(self, reader: Type, writer: Type) -> bool:
        """True when whatever is written is read."""
        return not self.problems(reader, writer)

    def problems(self, reader: Type, writer: Type) -> tuple[Problem, ...]:
        """Every reason why something written would not be read."""
        if writer.sort == "union":
            return tuple(one for branch in writer.parts for one in self._branch(reader, branch))
        return self._branch(reader, writer)

    def _branch(self, reader: Type, writer: Type) -> tuple[Problem, ...]:
        if reader.sort != "union":
            return self._plain(reader, writer)
        found = [self._plain(branch, writer) for branch in reader.parts]
        alike = [at for at, branch in enumerate(reader.parts) if _alike(branch, writer, self)]
        if writer.sort == REFERENCE and len(alike) > 1 and reader.parts[alike[0]].name != writer.name:
            # The specification takes the first of the name, Java's reader the one of the full name.
            return (Problem(Clash.AMBIGUOUS, _called(writer)),)
        if () in found and (writer.sort != REFERENCE or found[alike[0]] == ()):
            return ()
        return found[alike[0]] if alike else (Problem(Clash.BRANCH, _called(writer)),)

    def _plain(self, reader: Type, writer: Type) -> tuple[Problem, ...]:
        if reader.sort == writer.sort == REFERENCE:
            return self._named(self.reader.names[reader.name], self.writer.names[writer.name])
        if reader.sort == writer.sort:
            return self.problems(reader.parts[0], writer.parts[0]) if reader.sort in _CONTAINERS else ()
        if reader.sort in PROMOTED.get(writer.sort, ()):
            return ()
        if (writer.sort, reader.sort) == ("bytes", "string"):
            return (Problem(Clash.TEXT, "bytes read as string"),)
        return (Problem(Clash.TYPE, f"{_called(writer)} read as {_called(reader)}"),)

    def _named(self, reader: Named, writer: Named) -> tuple[Problem, ...]:
        key = (reader.name, writer.name)
        if key in self._known:
            return self._known[key]
        # While a type is asked about, it is taken to be read: what is recursive is read when all of it is.
        outermost = not self._open
        self._known[key] = ()
        self._open.append(key)
        found = tuple(self._compared(reader, writer))
        self._known[key] = found
        if outermost:
            # Answers from within rest on what was taken for granted about this one, which turned out wrong.
            for inner in self._open[1:] if found else ():
                self._known.pop(inner, None)
            self._open.clear()
        return found

    def ambiguous(self, each: Field, reader: Named, writer: Named) -> bool:
        """True where aliases give one field two written ones, or one written field to two: libraries differ there."""
        if reader.name not in self._claims:
            self._claims[reader.name] = Counter(name for one in reader.fields for name in {one.name, *one.aliases})
        claims = self._claims[reader.name]
        if claims.total() == len(reader.fields):
            return False
        sources = [name for name in {each.name, *each.aliases} if name in writer.named]
        return len(sources) > 1 or any(claims[name] > 1 for name in sources)

    def _compared(self, reader: Named, writer: Named) -> Iterator[Problem]:
        if reader.sort != writer.sort:
            yield Problem(Clash.TYPE, f"{writer.sort} {writer.name} read as {reader.sort} {reader.name}")
            return
        if not names_match(reader, writer):
            yield Problem(Clash.NAME, f"{writer.name} read as {reader.name}")
        if (reader.name, writer.name) in self.shallow:
            return
        if reader.sort == "fixed" and reader.size != writer.size:
            yield Problem(Clash.SIZE, f"{writer.size} bytes read as {reader.size}")
        if reader.sort == "enum" and (missing := unread_symbols(reader, writer)):
            yield Problem(Clash.SYMBOLS, ", ".join(missing))
        for each in reader.fields:
            source = source_of(each, writer)
            if self.ambiguous(each, reader, writer):
                yield Problem(Clash.AMBIGUOUS, each.name)
            elif source is not None:
                yield from self.problems(each.type, source.type)
            elif not gives_default(each, self.reader.names):
                yield Problem(Clash.DEFAULT, each.name)


def answer_of(problems: tuple[Problem, ...]) -> Tristate:
    """Whether what is written is read: unknown where libraries differ about all that stands against it."""
    if not problems:
        return Tristate.YES
    return Tristate.UNKNOWN if all(one.clash is Clash.AMBIGUOUS for one in problems) else Tristate.NO


def names_match(reader: Named, writer: Named) -> bool:
    """True when a reader's type takes a writer's by its name without namespace, or by an alias."""
    return reader.short == writer.short or writer.name in reader.aliases or writer.short in reader.aliases


def source_of(reader: Field, writer: Named) -> Field | None:
    """The written field that a reader's field takes its value from: by name, else by an alias."""
    return next((writer.named[name] for name in (reader.name, *reader.aliases) if name in writer.named), None)


def unread_symbols(reader: Named, writer: Named) -> tuple[str, ...]:
    """The written symbols that a reader knows no value for; a default that is no symbol of its own gives it none."""
    if reader.default in reader.symbols:
        return ()
    return tuple(symbol for symbol in writer.symbols if symbol not in reader.symbols)


def _alike(reader: Type, writer: Type, by: Resolution) -> bool:
    """True for the branch that a reader of unions would take, if only its members fitted."""
    if reader.sort != writer.sort or reader.sort != REFERENCE:
        return reader.sort == writer.sort
    return names_match(by.reader.names[reader.name], by.writer.names[writer.name])


def _called(type_: Type) -> str:
    return type_.name or type_.sort


# Which named type of a candidate continues which released one, so that a change of name is one row.


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
