"""An Avro schema as it is meant: every name in full, every type either a primitive, a container or a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.contract.model import Place
from evreview.core.vocabulary import Form, Json

PRIMITIVES: Final = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
NAMED: Final = ("record", "error", "enum", "fixed")
REFERENCE: Final = "reference"


@dataclass(frozen=True, slots=True)
class Logical:
    """A logical type with its attributes; None for one that is not written."""

    name: str
    precision: Json = None
    scale: Json = None


@dataclass(frozen=True, slots=True)
class Type:
    """The use of a type.

    Attributes:
        sort: a primitive, `array`, `map`, `union`, or `reference` to a named type.
        place: where it is written.
        name: full name, for a reference.
        parts: items of an array, values of a map, branches of a union.
        logical: of a primitive or container.
    """

    sort: str
    place: Place
    name: str = ""
    parts: tuple[Type, ...] = ()
    logical: Logical | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a record. `default` is MISSING without one; `notes`: what only people and sorting read."""

    name: str
    type: Type
    place: Place
    aliases: tuple[str, ...] = ()
    default: Form
    notes: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A named type, by its full name. Aliases are full names too.

    Attributes:
        sort: `record` (also for an error), `enum` or `fixed`.
        fields: of a record.
        symbols, default: of an enum.
        size: of a fixed.
        named: the fields by name.
        inherits: whether its namespace is that of the type around it.
        notes: what only people read.
    """

    sort: str
    name: str
    place: Place
    aliases: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    symbols: tuple[str, ...] = ()
    default: Form
    size: int = 0
    inherits: bool = False
    logical: Logical | None = None
    notes: Mapping[str, Json]
    named: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keeps the fields by name: they are asked for once for each field of the other side."""
        object.__setattr__(self, "named", {each.name: each for each in self.fields})

    @property
    def short(self) -> str:
        """The name without its namespace."""
        return self.name.rpartition(".")[2]

    @property
    def namespace(self) -> str:
        """The namespace, "" without one."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A message of a protocol: its parameters, its response, its errors, and whether nobody answers."""

    name: str
    place: Place
    request: tuple[Field, ...]
    response: Type
    errors: Type
    one_way: bool
    doc: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What the files of one contract define.

    Attributes:
        names: the named types by full name, in order of writing.
        roots: what data is written as, by key: a type that no other one uses, or whatever the only file says.
        calls: the messages of protocols.
        protocol: the full name of the protocol, "" without one.
    """

    names: Mapping[str, Named]
    roots: Mapping[str, Type]
    calls: tuple[Call, ...] = ()
    protocol: str = ""


def uses(type_: Type) -> tuple[str, ...]:
    """The named types that a type names, in order."""
    if type_.sort == REFERENCE:
        return (type_.name,)
    return tuple(name for part in type_.parts for name in uses(part))


def reached(names: Mapping[str, Named], start: tuple[str, ...]) -> frozenset[str]:
    """The named types that some named types reach, themselves included."""
    found: set[str] = set()
    waiting = [name for name in start if name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [used for each in names[name].fields for used in uses(each.type)]
    return frozenset(found)
