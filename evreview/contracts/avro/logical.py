"""Logical types as they count: one that does not fit its type is none (Avro 1.12 specification, "Logical Types")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contracts.avro.model import Logical, Type
from evreview.core.vocabulary import Json

DECIMAL: Final = "decimal"
UUID: Final = "uuid"
_BASES: Final[Mapping[str, tuple[str, ...]]] = {
    DECIMAL: ("bytes", "fixed"),
    "big-decimal": ("bytes",),
    UUID: ("string", "fixed"),
    "date": ("int",),
    "time-millis": ("int",),
    "time-micros": ("long",),
    "timestamp-millis": ("long",),
    "timestamp-micros": ("long",),
    "timestamp-nanos": ("long",),
    "local-timestamp-millis": ("long",),
    "local-timestamp-micros": ("long",),
    "local-timestamp-nanos": ("long",),
    "duration": ("fixed",),
}
"""The types that carry each logical type of the specification."""
CHECKED: Final = (UUID, "time-millis", "time-micros")
"""Those that some values of their types are not of."""
_SIZES: Final[Mapping[str, int]] = {UUID: 16, "duration": 12}
_CONTAINERS: Final[Mapping[str, str]] = {"array": " of items", "map": " of values"}


def is_known(logical: Logical | None) -> bool:
    """True for a logical type of the specification."""
    return logical is not None and logical.name in _BASES


def effective(logical: Logical | None, sort: str, size: int = 0) -> Logical | None:
    """The logical type that counts for a type; None where there is none, or where the specification has it ignored.

    Args:
        logical: as written.
        sort: of the type that carries it.
        size: of a fixed.
    """
    if logical is None or logical.name not in _BASES:
        return logical
    if sort not in _BASES[logical.name]:
        return None
    if sort == "fixed" and logical.name in _SIZES and size != _SIZES[logical.name]:
        return None
    if logical.name != DECIMAL:
        return Logical(logical.name)
    precision, scale = logical.precision, 0 if logical.scale is None else logical.scale
    if not _is_count(precision) or not _is_count(scale):
        return None
    told = Logical(DECIMAL, precision, scale)
    most = digits(size) if sort == "fixed" else precision_of(told)
    return told if 0 < precision_of(told) <= most and scale_of(told) <= precision_of(told) else None


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def precision_of(decimal: Logical) -> int:
    """The precision of a decimal that counts."""
    return decimal.precision if isinstance(decimal.precision, int) else 0


def scale_of(decimal: Logical) -> int:
    """The scale of a decimal that counts."""
    return decimal.scale if isinstance(decimal.scale, int) else 0


def digits(size: int) -> int:
    """How many decimal digits any number of so many bytes has room for."""
    return len(str(2 ** (8 * size - 1) - 1)) - 1 if size else 0


def form_of(logical: Logical | None) -> Json:
    """A logical type as one value, since its attributes mean nothing without it; None for none."""
    if logical is None:
        return None
    told = {"precision": logical.precision, "scale": logical.scale}
    attributes = {name: value for name, value in told.items() if value is not None}
    return {"logicalType": logical.name, **attributes} if attributes else logical.name


def logicals(type_: Type) -> Iterator[tuple[str, Type]]:
    """The parts of a type that carry a logical type, each with its way; names of other types are not followed.

    Of a union the first kind of type that carries one needs no name, so that a union that grows keeps the names of
    what it had.
    """
    yield from _logicals(type_, "")


def _logicals(type_: Type, path: str) -> Iterator[tuple[str, Type]]:
    if type_.logical is not None:
        yield path, type_
    if type_.sort != "union":
        for part in type_.parts:
            yield from _logicals(part, f"{path}{_CONTAINERS[type_.sort]}")
        return
    carrying = sorted((part for part in type_.parts if part.logical is not None), key=lambda part: part.sort)
    for part in type_.parts:
        named = part in carrying[1:]
        yield from _logicals(part, f"{path} of {part.sort}" if named else path)
