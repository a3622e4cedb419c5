"""Avro data: small data of a schema, written and read through fastavro, and what logical types make of bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final, NamedTuple

from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json, Tristate
from evreview.kinds.avro.parser import (
    DECIMAL,
    REFERENCE,
    UUID,
    Logical,
    Named,
    Schema,
    Type,
    effective,
    form_of,
    is_known,
    precision_of,
    scale_of,
    spelled,
)
from evreview.kinds.avro.resolution import PROMOTED, Resolution, names_match, source_of, unread_symbols

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
            fresh = {
                name: 1 + max((self._depth(each.type) for each in named.fields), default=0)
                for name, named in names.items()
            }
            if fresh == self._depths:
                break
            self._depths = fresh

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


# Avro data through fastavro: written with one schema, read with another. The only file that knows fastavro.


_LONGEST: Final = 200


@frozen
class ReadResult:
    """What came of reading: the value, or the error."""

    value: Any = None
    error: str = ""


@frozen
class Codec:
    """Writes and reads data of one schema; each of its roots is handed to the library once."""

    schema: Schema
    _known: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def written(self, root: str, datum: Any) -> bytes:
        """The bytes of a datum.

        Raises:
            ValueError: the schema does not take it.
        """
        import fastavro

        target = BytesIO()
        try:
            fastavro.schemaless_writer(target, self.known(root), datum)
        except Exception as error:  # whatever the codec raises, there is no witness
            raise ValueError(f"the writer's own schema does not take the datum: {short_error(error)}") from None
        return target.getvalue()

    def known(self, root: str) -> Any:
        """A root as the library has it."""
        import fastavro

        if root not in self._known:
            whole = spelled(self.schema.roots[root], self.schema.names, set())
            self._known[root] = fastavro.parse_schema(whole, named_schemas={})
        return self._known[root]


def read(data: bytes, writer: tuple[Codec, str], reader: tuple[Codec, str]) -> ReadResult:
    """What a reader sees of bytes that a writer wrote; both with the key of a root."""
    import fastavro

    try:
        schemas = [codec.known(root) for codec, root in (writer, reader)]
        return ReadResult(value=fastavro.schemaless_reader(BytesIO(data), schemas[0], schemas[1]))
    except Exception as error:  # whatever the codec raises is what the reader sees
        return ReadResult(error=short_error(error))


def differ(one: ReadResult, other: ReadResult) -> bool:
    """True when two sides hear different values, or one of them none."""
    return bool(one.error or other.error) or plain(one.value) != plain(other.value)


def version() -> str:
    """The library that wrote and read, with its version."""
    import fastavro

    return f"fastavro {fastavro.__version__}"


def short_error(error: Exception) -> str:
    """An error in one line."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def plain(datum: Any) -> Json:
    """A datum as JSON, bytes as Avro's JSON encoding has them: one sign for each."""
    if isinstance(datum, bytes):
        return datum.decode("latin-1")
    if isinstance(datum, tuple):
        return plain(datum[1])
    if isinstance(datum, Mapping):
        return {str(key): plain(value) for key, value in datum.items()}
    if isinstance(datum, list):
        return [plain(each) for each in datum]
    if datum is None or isinstance(datum, (str, int, float)):
        return datum
    # What the codec makes of logical types: dates, times, decimals and UUIDs.
    return str(datum.isoformat() if hasattr(datum, "isoformat") else datum)


# What a reader that knows logical types makes of written bytes: the same value, another one, none, or nobody can say.
#
# Avro 1.12 specification, "Logical Types". Decimals match when precision and scale are equal; with a larger precision
# the bytes mean the same number all the same, and libraries read it.


_BEYOND: Final[Mapping[str, int]] = {"time-millis": 86_400_000, "time-micros": 86_400_000_000}
"""The first number that is no time of day."""
_UNHEARD: Final = frozenset({"timestamp-nanos", "local-timestamp-nanos", "big-decimal", "duration"})
"""Those that the codec makes no values of; of a fixed it makes none but decimals."""
_UNSAID: Final = "the bytes are read, and no schema says whether both sides mean the same by them"
_BYTES: Final = ("bytes", "string")


class LogicalTypeMatch(NamedTuple):
    """How a reader's logical type takes what a writer's says.

    Attributes:
        answer: no where some value becomes another one or none, unknown where nobody can say.
        why: in words.
        shown: a value, as written without its logical type, that shows it; None where none does.
    """

    answer: Tristate
    why: str
    shown: Any = None


SAME: Final = LogicalTypeMatch(Tristate.YES, "")


class TypePair(NamedTuple):
    """A part of a written type, the way to it, and the part of the reader's type that takes it."""

    way: tuple[int, ...]
    writer: Type
    reader: Type


def told(logical: Logical | None) -> str:
    """A logical type in words."""
    if logical is None:
        return "no logical type"
    if logical.name == DECIMAL:
        return f"decimal({precision_of(logical)}, {scale_of(logical)})"
    return logical.name


def logical_type_match(reader: Logical | None, writer: Logical | None, size: int = 0) -> LogicalTypeMatch:
    """How a reader takes a writer's values; both as they count for the same bytes.

    Args:
        reader: what the reader's type says.
        writer: what the writer's type says.
        size: of a fixed, 0 for other types.
    """
    if form_of(reader) == form_of(writer):
        return SAME
    why = f"{told(writer)} read as {told(reader)}"
    if not is_known(writer):
        return LogicalTypeMatch(Tristate.UNKNOWN, f"{why}: {_UNSAID}") if size else _demanding(reader, why)
    if not is_known(reader) or reader is None or writer is None:
        return LogicalTypeMatch(Tristate.UNKNOWN, f"{why}: {_UNSAID}")
    if reader.name == writer.name == DECIMAL:
        return _decimals(reader, writer, size, why)
    return LogicalTypeMatch(
        Tristate.NO, why, None if size or not _UNHEARD.isdisjoint({reader.name, writer.name}) else 1
    )


def _demanding(reader: Logical | None, why: str) -> LogicalTypeMatch:
    """A reader's logical type for values that are not said to be of it."""
    if reader is not None and reader.name == UUID:
        return LogicalTypeMatch(Tristate.NO, f"{why}: not every text is one", "a")
    if reader is not None and reader.name in _BEYOND:
        return LogicalTypeMatch(Tristate.NO, f"{why}: not every number is one", _BEYOND[reader.name])
    return LogicalTypeMatch(Tristate.UNKNOWN, f"{why}: {_UNSAID}")


def _decimals(reader: Logical, writer: Logical, size: int, why: str) -> LogicalTypeMatch:
    if scale_of(reader) != scale_of(writer):
        return LogicalTypeMatch(Tristate.NO, why, _unscaled(1, size))
    if precision_of(reader) < precision_of(writer):
        return LogicalTypeMatch(
            Tristate.NO, f"{why}: not every number has room", _unscaled(10 ** precision_of(writer) - 1, size)
        )
    said = "the number is the same, and the specification asks for one precision"
    return LogicalTypeMatch(Tristate.UNKNOWN, f"{why}: {said}")


def _unscaled(number: int, size: int) -> bytes:
    """A number as a decimal carries it: two's complement, the highest byte first."""
    return number.to_bytes(size or number.bit_length() // 8 + 1, "big", signed=True)


def met(writer: Type, reader: Type, way: tuple[int, ...] = ()) -> Iterator[TypePair]:
    """Every primitive part of a written type with the reader's part that takes it; named types are not entered."""
    if writer.sort == "union":
        for at, part in enumerate(writer.parts):
            yield from met(part, reader, (*way, at))
        return
    taken = taking(writer, reader)
    if taken is not None and writer.parts:
        yield from met(writer.parts[0], taken.parts[0], (*way, 0))
    elif taken is not None and writer.sort != REFERENCE:
        yield TypePair(way, writer, taken)


def taking(writer: Type, reader: Type) -> Type | None:
    """The part of a reader's type that takes a written type which is no union; None for none."""
    parts = reader.parts if reader.sort == "union" else (reader,)
    alike = next((part for part in parts if part.sort == writer.sort), None)
    wider = PROMOTED.get(writer.sort, frozenset()) | (frozenset(_BYTES) if writer.sort in _BYTES else frozenset())
    return alike or next((part for part in parts if part.sort in wider), None)


def counting(type_: Type) -> Logical | None:
    """The logical type that counts for a type."""
    return effective(type_.logical, type_.sort)


def parted(writer: Type, reader: Type, forms: tuple[Json, Json]) -> tuple[tuple[int, ...], LogicalTypeMatch]:
    """The way to the part that a row is about, and how both sides take it.

    Args:
        writer: what the writer's field says.
        reader: what the reader's says.
        forms: the logical types of the row, the writer's first; None for none.
    """
    for way, written, taken in met(writer, reader):
        own, other = counting(written), counting(taken)
        if (form_of(own), form_of(other)) == forms:
            return way, logical_type_match(other, own)
    return (), SAME


# Written bytes as a reader understands them: the writer's structure with the reader's logical types in it.


def understood(data: bytes, writer: tuple[Codec, str], reader: tuple[Codec, str]) -> ReadResult:
    """The value that a reader's logical types make of bytes; both sides with the key of a root.

    The structure is the writer's: whether it is read at all is asked elsewhere.
    """
    import fastavro

    own, other = (codec.schema.roots[key] for codec, key in (writer, reader))
    try:
        spelled_out = _Spelling(writer[0], reader[0], set()).type(own, other)
        return ReadResult(
            value=fastavro.schemaless_reader(BytesIO(data), fastavro.parse_schema(spelled_out, named_schemas={}))
        )
    except Exception as error:  # whatever the codec raises is what the reader sees
        return ReadResult(error=short_error(error))


class _Spelling:
    """Spells a writer's schema with the logical types of a reader's."""

    def __init__(self, writer: Codec, reader: Codec, told: set[str]) -> None:
        self._old, self._new, self._told = writer.schema.names, reader.schema.names, told

    def type(self, own: Type, other: Type | None) -> Any:
        """A written type as the reader's type understands it; None where the reader has none for it."""
        if own.sort == "union":
            return [self.type(part, other) for part in own.parts]
        if own.sort == REFERENCE:
            return self._reference(self._old[own.name], other)
        taken = taking(own, other) if other is not None else None
        if own.parts:
            of = "items" if own.sort == "array" else "values"
            return {"type": own.sort, of: self.type(own.parts[0], taken.parts[0] if taken is not None else None)}
        if taken is None or taken.logical is None:
            return own.sort
        # What is promoted and has logical types is written alike: int and long, bytes and string.
        return {"type": taken.sort, **_attributes(effective(taken.logical, taken.sort))}

    def _reference(self, own: Named, other: Type | None) -> Any:
        if own.name in self._told:
            return own.name
        self._told.add(own.name)
        reader = self._named(own, other)
        head = {"type": own.sort, "name": own.name}
        if own.sort == "enum":
            return {**head, "symbols": list(own.symbols)}
        if own.sort == "fixed":
            logical = effective(reader.logical, "fixed", own.size) if reader is not None else None
            return {**head, "size": own.size, **_attributes(logical)}
        taken = {source.name: each for each in (reader.fields if reader else ()) if (source := source_of(each, own))}
        fields = [
            {"name": each.name, "type": self.type(each.type, taken[each.name].type if each.name in taken else None)}
            for each in own.fields
        ]
        return {**head, "fields": fields}

    def _named(self, own: Named, other: Type | None) -> Named | None:
        """The reader's type that takes a written one."""
        if other is None:
            return None
        parts = other.parts if other.sort == "union" else (other,)
        named = [self._new[part.name] for part in parts if part.sort == REFERENCE]
        fitting = [each for each in named if each.sort == own.sort]
        return next((each for each in fitting if names_match(each, own)), fitting[0] if len(fitting) == 1 else None)


def _attributes(logical: Logical | None) -> dict[str, Any]:
    if logical is None:
        return {}
    told = {"logicalType": logical.name, "precision": logical.precision, "scale": logical.scale}
    return {name: value for name, value in told.items() if value is not None}
