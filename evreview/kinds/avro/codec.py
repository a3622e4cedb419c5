"""Small data of an Avro schema: the same each time, and led to where a reader and a writer part."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evreview.contracts.avro.logical import UUID
from evreview.contracts.avro.model import REFERENCE, Named, Schema, Type
from evreview.kinds.avro.resolution import Resolution, names_match, source_of, unread_symbols

# Data is what the codec takes: plain values of Python, a pair of name and value for a record or primitive in a union.
Datum = Any
End = Callable[[Type], Datum]

_SMALLEST: Final[Mapping[str, Datum]] = {
    "null": None,
    "boolean": False,
    "int": 1,
    "long": 1,
    "float": 1.5,
    "double": 1.5,
    "bytes": b"\x01",
    "string": "a",
}
_NIL: Final = "00000000-0000-0000-0000-000000000000"
"""Every other logical type has the smallest datum of its type."""
_NO_TEXT: Final = b"\xff"
_ENDLESS: Final = 1 << 30


class Endless(ValueError):
    """No finite datum is of the type."""


@dataclass(slots=True)
class Data:
    """Makes data of one schema as its writer."""

    schema: Schema
    _depths: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Finds how deep the smallest datum of each named type is."""
        names = self.schema.names
        self._depths = dict.fromkeys(names, _ENDLESS)
        for _ in names:
            fresh = {name: self._named_depth(named) for name, named in names.items()}
            if fresh == self._depths:
                break
            self._depths = fresh

    def _named_depth(self, named: Named) -> int:
        return 1 + max((self._depth(each.type) for each in named.fields), default=0)

    def _depth(self, type_: Type) -> int:
        if type_.sort == REFERENCE:
            return min(self._depths[type_.name], _ENDLESS)
        if type_.sort == "union":
            return min((self._depth(part) for part in type_.parts), default=_ENDLESS)
        return 0

    def smallest(self, type_: Type) -> Datum:
        """The smallest datum of a type.

        Raises:
            Endless: there is none.
        """
        if type_.sort == REFERENCE:
            return self._named(self.schema.names[type_.name])
        if type_.sort == "union":
            part = min(type_.parts, key=self._depth, default=None)
            if part is None:
                raise Endless("a union without branches")
            return self.branch(part, self.smallest(part))
        if type_.sort == "string" and type_.logical is not None and type_.logical.name == UUID:
            return _NIL
        return [] if type_.sort == "array" else {} if type_.sort == "map" else _SMALLEST[type_.sort]

    def _named(self, named: Named) -> Datum:
        if self._depths[named.name] >= _ENDLESS:
            raise Endless(f"{named.name} holds itself without end")
        if named.sort == "record":
            return {each.name: self.smallest(each.type) for each in named.fields}
        if named.sort == "fixed":
            return b"\x00" * named.size
        if not named.symbols:
            raise Endless(f"{named.name} has no symbol")
        return named.symbols[0]

    def branch(self, part: Type, datum: Datum) -> Datum:
        """A datum of one branch of a union, marked so that no other branch is taken for it."""
        if part.sort == REFERENCE:
            return (part.name, datum) if self.schema.names[part.name].sort == "record" else datum
        return datum if part.parts or part.sort == "null" else (part.sort, datum)

    def clashing(self, writer: Type, reader: Type, by: Resolution) -> Datum:
        """A datum of the writer's type that the reader's type does not take."""
        if writer.sort == "union":
            part = next((each for each in writer.parts if not by.resolves(reader, each)), None)
            return self.smallest(writer) if part is None else self.branch(part, self.clashing(part, reader, by))
        targets = reader.parts if reader.sort == "union" else (reader,)
        if writer.sort in ("array", "map"):
            target = next((each for each in targets if each.sort == writer.sort), None)
            inner = writer.parts[0]
            held = self.smallest(inner) if target is None else self.clashing(inner, target.parts[0], by)
            return [held] if writer.sort == "array" else {"a": held}
        if writer.sort == "bytes" and any(each.sort == "string" for each in targets):
            return _NO_TEXT
        if writer.sort == REFERENCE:
            return self._clashing(self.schema.names[writer.name], targets, by)
        return self.smallest(writer)

    def _clashing(self, writer: Named, targets: tuple[Type, ...], by: Resolution) -> Datum:
        """A datum of a named type that none of the targets takes: an unknown symbol, a field that is not read."""
        readers = [by.reader.names[each.name] for each in targets if each.sort == REFERENCE]
        reader = next((each for each in readers if each.sort == writer.sort and names_match(each, writer)), None)
        if reader is not None and writer.sort == "enum":
            return next(iter(unread_symbols(reader, writer)), self._named(writer))
        for each in reader.fields if reader is not None else ():
            source = source_of(each, writer)
            if source is not None and not by.resolves(each.type, source.type):
                return with_field(self, writer, source.name, self.clashing(source.type, each.type, by))
        return self._named(writer)

    def leading(self, target: str, end: End) -> tuple[str, Datum] | None:
        """The key of a root, and a datum of it with what `end` makes of a named type; None when no root leads there."""
        for key, root in self.schema.roots.items():
            way = self._way(root, target)
            if way is not None:
                return key, self.along(root, way, end)
        return None

    def _way(self, root: Type, target: str) -> tuple[int, ...] | None:
        """The shortest way: which part or field is taken at each type."""
        waiting: deque[tuple[Type, tuple[int, ...]]] = deque([(root, ())])
        seen: set[str] = set()
        while waiting:
            type_, way = waiting.popleft()
            if type_.sort == REFERENCE:
                if type_.name == target:
                    return way
                if type_.name in seen:
                    continue
                seen.add(type_.name)
                below = tuple(each.type for each in self.schema.names[type_.name].fields)
            else:
                below = type_.parts
            waiting.extend((part, (*way, at)) for at, part in enumerate(below))
        return None

    def along(self, type_: Type, way: tuple[int, ...], end: End) -> Datum:
        """A datum of a type with what `end` makes of the part that a way leads to, by number at each step."""
        if not way:
            return end(type_)
        at, rest = way[0], way[1:]
        if type_.sort == REFERENCE:
            named = self.schema.names[type_.name]
            taken = named.fields[at]
            held = {each.name: self.smallest(each.type) for each in named.fields if each is not taken}
            made = {**held, taken.name: self.along(taken.type, rest, end)}
            return {each.name: made[each.name] for each in named.fields}
        inner = self.along(type_.parts[at], rest, end)
        if type_.sort == "union":
            return self.branch(type_.parts[at], inner)
        return [inner] if type_.sort == "array" else {"a": inner}


def with_field(data: Data, named: Named, name: str, datum: Datum) -> Datum:
    """The smallest datum of a record, with one field as given."""
    return {each.name: datum if each.name == name else data.smallest(each.type) for each in named.fields}
