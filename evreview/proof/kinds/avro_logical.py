"""What a reader that knows logical types makes of written bytes: the same value, another one, none, or nobody can say.

Avro 1.12 specification, "Logical Types". Decimals match when precision and scale are equal; with a larger precision the
bytes mean the same number all the same, and libraries read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from evreview.contracts.avro.logical import DECIMAL, UUID, effective, form_of, is_known, precision_of, scale_of
from evreview.contracts.avro.model import REFERENCE, Logical, Type
from evreview.core.vocabulary import Answer, Json
from evreview.kinds.avro.resolution import PROMOTED

_BEYOND: Final[Mapping[str, int]] = {"time-millis": 86_400_000, "time-micros": 86_400_000_000}
"""The first number that is no time of day."""
_UNHEARD: Final = frozenset({"timestamp-nanos", "local-timestamp-nanos", "big-decimal", "duration"})
"""Those that the codec makes no values of; of a fixed it makes none but decimals."""
_UNSAID: Final = "the bytes are read, and no schema says whether both sides mean the same by them"
_BYTES: Final = ("bytes", "string")


class Apart(NamedTuple):
    """How a reader's logical type takes what a writer's says.

    Attributes:
        answer: no where some value becomes another one or none, unknown where nobody can say.
        why: in words.
        shown: a value, as written without its logical type, that shows it; None where none does.
    """

    answer: Answer
    why: str
    shown: Any = None


SAME: Final = Apart(Answer.YES, "")


class Met(NamedTuple):
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


def apart(reader: Logical | None, writer: Logical | None, size: int = 0) -> Apart:
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
        return Apart(Answer.UNKNOWN, f"{why}: {_UNSAID}") if size else _demanding(reader, why)
    if not is_known(reader) or reader is None or writer is None:
        return Apart(Answer.UNKNOWN, f"{why}: {_UNSAID}")
    if reader.name == writer.name == DECIMAL:
        return _decimals(reader, writer, size, why)
    return Apart(Answer.NO, why, None if size or not _UNHEARD.isdisjoint({reader.name, writer.name}) else 1)


def _demanding(reader: Logical | None, why: str) -> Apart:
    """A reader's logical type for values that are not said to be of it."""
    if reader is not None and reader.name == UUID:
        return Apart(Answer.NO, f"{why}: not every text is one", "a")
    if reader is not None and reader.name in _BEYOND:
        return Apart(Answer.NO, f"{why}: not every number is one", _BEYOND[reader.name])
    return Apart(Answer.UNKNOWN, f"{why}: {_UNSAID}")


def _decimals(reader: Logical, writer: Logical, size: int, why: str) -> Apart:
    if scale_of(reader) != scale_of(writer):
        return Apart(Answer.NO, why, _unscaled(1, size))
    if precision_of(reader) < precision_of(writer):
        return Apart(Answer.NO, f"{why}: not every number has room", _unscaled(10 ** precision_of(writer) - 1, size))
    said = "the number is the same, and the specification asks for one precision"
    return Apart(Answer.UNKNOWN, f"{why}: {said}")


def _unscaled(number: int, size: int) -> bytes:
    """A number as a decimal carries it: two's complement, the highest byte first."""
    return number.to_bytes(size or number.bit_length() // 8 + 1, "big", signed=True)


def met(writer: Type, reader: Type, way: tuple[int, ...] = ()) -> Iterator[Met]:
    """Every primitive part of a written type with the reader's part that takes it; named types are not entered."""
    if writer.sort == "union":
        for at, part in enumerate(writer.parts):
            yield from met(part, reader, (*way, at))
        return
    taken = taking(writer, reader)
    if taken is not None and writer.parts:
        yield from met(writer.parts[0], taken.parts[0], (*way, 0))
    elif taken is not None and writer.sort != REFERENCE:
        yield Met(way, writer, taken)


def taking(writer: Type, reader: Type) -> Type | None:
    """The part of a reader's type that takes a written type which is no union; None for none."""
    parts = reader.parts if reader.sort == "union" else (reader,)
    alike = next((part for part in parts if part.sort == writer.sort), None)
    wider = PROMOTED.get(writer.sort, frozenset()) | (frozenset(_BYTES) if writer.sort in _BYTES else frozenset())
    return alike or next((part for part in parts if part.sort in wider), None)


def counting(type_: Type) -> Logical | None:
    """The logical type that counts for a type."""
    return effective(type_.logical, type_.sort)


def parted(writer: Type, reader: Type, forms: tuple[Json, Json]) -> tuple[tuple[int, ...], Apart]:
    """The way to the part that a row is about, and how both sides take it.

    Args:
        writer: what the writer's field says.
        reader: what the reader's says.
        forms: the logical types of the row, the writer's first; None for none.
    """
    for way, written, taken in met(writer, reader):
        own, other = counting(written), counting(taken)
        if (form_of(own), form_of(other)) == forms:
            return way, apart(other, own)
    return (), SAME
