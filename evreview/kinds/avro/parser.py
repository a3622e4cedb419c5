"""Parsed JSON into an Avro schema: every name in full, defaults checked, logical types as they count.

Avro 1.12 specification, "Schema Declaration", "Names", "Protocol Declaration".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evreview.contract.model import Place, UnsupportedConstruct
from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Absent, Form, Json

# An Avro schema as it is meant: every name in full, every type either a primitive, a container or a reference.
from evreview.kinds.avro import NAMED, PRIMITIVES

REFERENCE: Final = "reference"


@frozen
class Logical:
    """A logical type with its attributes; None for one that is not written."""

    name: str
    precision: Json = None
    scale: Json = None


@frozen
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


@frozen(kw_only=True)
class Field:
    """A field of a record. `default` is ABSENT without one; `notes`: what only people and sorting read."""

    name: str
    type: Type
    place: Place
    aliases: tuple[str, ...] = ()
    default: Form
    notes: Mapping[str, Json]


@frozen(kw_only=True)
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


@frozen(kw_only=True)
class Call:
    """A message of a protocol: its parameters, its response, its errors, and whether nobody answers."""

    name: str
    place: Place
    request: tuple[Field, ...]
    response: Type
    errors: Type
    one_way: bool
    doc: Json = None


@frozen(kw_only=True)
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


_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_FIELD: Final = frozenset({"name", "type", "default", "aliases"})
_TYPE: Final = frozenset(
    {"name", "namespace", "type", "fields", "symbols", "default", "aliases", "size", "items", "values"}
    | {"logicalType", "precision", "scale", "types", "messages", "protocol"}
)


@dataclass(slots=True)
class Parsed:
    """What was read of all files so far.

    Attributes:
        names: the named types.
        uses: every name that was used, and where; some may be defined later.
        calls, protocol: what protocols say.
        problems: what keeps the schema from being one.
        unread: what was met and not understood.
    """

    names: dict[str, Named] = field(default_factory=dict)
    uses: list[tuple[str, Place]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: list[UnsupportedConstruct] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    protocol: str = ""
    _written: dict[str, Mapping[str, Json]] = field(default_factory=dict)

    def wrong(self, code: str, found: str, place: Place, advice: str = "see the specification of Avro") -> Type:
        """Keeps a problem; a type that stands for what could not be read."""
        self.problems.append(Problem(code=code, found=found, file=place.file, place=f"#{place.pointer}", advice=advice))
        return Type("null", place)

    def type(self, node: Json, place: Place, namespace: str) -> Type:
        """The type that a node says, its names defined on the way."""
        if isinstance(node, str):
            return self._called(node, place, namespace)
        if isinstance(node, list):
            return self._union(node, place, namespace)
        if not isinstance(node, dict):
            return self.wrong("avro-type", "a type is a name, a list or an object", place)
        return self._object(node, place, namespace)

    def _object(self, node: Mapping[str, Json], place: Place, namespace: str) -> Type:
        sort = node.get("type", ABSENT)
        logical = self._logical(node, place)
        if sort in ("array", "map"):
            inside = "items" if sort == "array" else "values"
            if inside not in node:
                return self.wrong("avro-type", f"{sort} without `{inside}`", place)
            return Type(
                str(sort), place, parts=(self.type(node[inside], place.child(inside), namespace),), logical=logical
            )
        if sort in NAMED:
            return self._named(node, place, namespace, logical)
        if isinstance(sort, str) and sort in PRIMITIVES:
            return Type(sort, place, logical=logical)
        if isinstance(sort, Absent):
            return self.wrong("avro-type", "an object without `type`", place)
        return self.type(sort, place.child("type"), namespace)

    def _called(self, name: str, place: Place, namespace: str) -> Type:
        if name in PRIMITIVES:
            return Type(name, place)
        if not _NAME.fullmatch(name):
            return self.wrong("avro-name", f"no name of a type: {name}", place)
        full = name if "." in name or not namespace else f"{namespace}.{name}"
        if full not in self._written and name in self._written:
            full = name
        self.uses.append((full, place))
        return Type(REFERENCE, place, name=full)

    def _union(self, nodes: list[Json], place: Place, namespace: str) -> Type:
        parts = tuple(self.type(node, place.child(at), namespace) for at, node in enumerate(nodes))
        if any(part.sort == "union" for part in parts):
            self.wrong("avro-union", "a union stands directly in a union", place)
        seen = [part.name or part.sort for part in parts]
        if len(set(seen)) < len(seen):
            self.wrong("avro-union", "two branches of a union are of one type", place)
        return Type("union", place, parts=parts)

    def _logical(self, node: Mapping[str, Json], place: Place) -> Logical | None:
        name = node.get("logicalType")
        if name is None:
            return None
        if not isinstance(name, str):
            self.unread.append(
                UnsupportedConstruct(place.child("logicalType"), "a logical type is a name", "it is ignored")
            )
            return None
        return Logical(name, node.get("precision"), node.get("scale"))

    def _named(self, node: Mapping[str, Json], place: Place, namespace: str, logical: Logical | None) -> Type:
        name = node.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return self.wrong("avro-name", f"{node.get('type')} without a name of letters, digits and _", place)
        given = node.get("namespace")
        around = given if isinstance(given, str) else namespace
        full = name if "." in name or not around else f"{around}.{name}"
        if full in self._written:
            if self._written[full] != node:
                self.wrong("avro-name-twice", f"{full} is defined twice, and not alike", place, "define each name once")
            return Type(REFERENCE, place, name=full)
        self._written[full] = node
        self.names[full] = self._definition(node, place, full, logical)
        return Type(REFERENCE, place, name=full)

    def _definition(self, node: Mapping[str, Json], place: Place, full: str, logical: Logical | None) -> Named:
        namespace = full.rpartition(".")[0]
        sort = "record" if node["type"] == "error" else str(node["type"])
        fields = self._fields(node.get("fields", ABSENT), place.child("fields"), namespace) if sort == "record" else ()
        aliases = self._aliases(node, place)
        return Named(
            sort=sort,
            name=full,
            place=place,
            aliases=tuple(alias if "." in alias or not namespace else f"{namespace}.{alias}" for alias in aliases),
            fields=fields,
            symbols=self._symbols(node, place) if sort == "enum" else (),
            default=node.get("default", ABSENT) if sort == "enum" else ABSENT,
            size=self._size(node, place) if sort == "fixed" else 0,
            logical=logical,
            inherits=not isinstance(node.get("namespace"), str) and "." not in str(node["name"]),
            notes={key: value for key, value in node.items() if key not in _TYPE},
        )

    def _fields(self, nodes: Json | Absent, place: Place, namespace: str) -> tuple[Field, ...]:
        if not isinstance(nodes, list):
            self.wrong("avro-fields", "a record without a list of `fields`", place)
            return ()
        found: dict[str, Field] = {}
        for at, node in enumerate(nodes):
            made = self._field(node, place.child(at), namespace)
            if made is not None and made.name in found:
                self.wrong("avro-field-twice", f"the field {made.name} stands twice", made.place)
            elif made is not None:
                found[made.name] = made
        return tuple(found.values())

    def _field(self, node: Json, place: Place, namespace: str) -> Field | None:
        name = node.get("name") if isinstance(node, dict) else None
        if not isinstance(node, dict) or not isinstance(name, str) or not _NAME.fullmatch(name) or "type" not in node:
            self.wrong("avro-field", "a field has a `name` and a `type`", place)
            return None
        return Field(
            name=name,
            type=self.type(node["type"], place.child("type"), namespace),
            place=place,
            aliases=self._aliases(node, place),
            default=node.get("default", ABSENT),
            notes={key: value for key, value in node.items() if key not in _FIELD},
        )

    def _aliases(self, node: Mapping[str, Json], place: Place) -> tuple[str, ...]:
        listed = node.get("aliases", [])
        if not isinstance(listed, list) or not all(isinstance(alias, str) for alias in listed):
            self.unread.append(
                UnsupportedConstruct(place.child("aliases"), "aliases are a list of names", "they are ignored")
            )
            return ()
        return tuple(str(alias) for alias in listed)

    def _symbols(self, node: Mapping[str, Json], place: Place) -> tuple[str, ...]:
        listed = node.get("symbols")
        if not isinstance(listed, list) or not all(isinstance(symbol, str) for symbol in listed):
            self.wrong("avro-symbols", "an enum without a list of `symbols`", place)
            return ()
        if len(set(map(str, listed))) < len(listed):
            self.wrong("avro-symbols", "a symbol of an enum stands twice", place.child("symbols"))
        return tuple(dict.fromkeys(str(symbol) for symbol in listed))

    def _size(self, node: Mapping[str, Json], place: Place) -> int:
        size = node.get("size")
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            self.wrong("avro-size", "a fixed without its `size` in bytes", place)
            return 0
        return size

    def document(self, node: Json, file: str) -> Type | None:
        """The type of a file; None for a protocol, whose types and messages are kept."""
        place = Place(file, "")
        if isinstance(node, dict) and "protocol" in node:
            self._protocol(node, place)
            return None
        return self.type(node, place, "")

    def _protocol(self, node: Mapping[str, Json], place: Place) -> None:
        name, given = str(node["protocol"]), node.get("namespace")
        namespace = given if isinstance(given, str) else name.rpartition(".")[0]
        self.protocol = name if "." in name or not namespace else f"{namespace}.{name}"
        types, messages = node.get("types", []), node.get("messages", {})
        for at, each in enumerate(types if isinstance(types, list) else []):
            self.type(each, place.child("types", at), namespace)
        for key, each in (messages if isinstance(messages, dict) else {}).items():
            below = place.child("messages", key)
            if isinstance(each, dict):
                self.calls.append(self._call(key, each, below, namespace))
            else:
                self.wrong("avro-message", "a message is an object", below)

    def _call(self, name: str, node: Mapping[str, Json], place: Place, namespace: str) -> Call:
        errors = node.get("errors", [])
        listed = ["string", *(errors if isinstance(errors, list) else [])]
        return Call(
            name=name,
            place=place,
            request=self._fields(node.get("request", []), place.child("request"), namespace),
            response=self.type(node.get("response", "null"), place.child("response"), namespace),
            errors=self._union(listed, place.child("errors"), namespace),
            one_way=node.get("one-way") is True,
            doc=node.get("doc"),
        )

    def absent(self) -> dict[str, Place]:
        """The names that are used and defined nowhere, with the first place of each."""
        return {name: place for name, place in reversed(self.uses) if name not in self.names}


def schema(parsed: Parsed, tops: Mapping[str, Type]) -> Schema:
    """The schema of all files.

    Args:
        parsed: what was read.
        tops: what each file says, by its name. Of several files those count whose type no other file uses.
    """
    if len(tops) == 1:
        return _schema(parsed, {key_of(parsed, only): only for only in tops.values()})
    used = {name for top in tops.values() for name in _below(parsed, top)}
    free = {file: top for file, top in tops.items() if not (top.sort == REFERENCE and top.name in used)} or tops
    roots: dict[str, Type] = {}
    for file, top in free.items():
        key = key_of(parsed, top)
        roots[file if key == "event" or key in roots else key] = top
    return _schema(parsed, roots)


def key_of(parsed: Parsed, top: Type) -> str:
    """The key of what a file says: the name of its type, `event` without one."""
    return parsed.names[top.name].short if top.sort == REFERENCE and top.name in parsed.names else "event"


def _below(parsed: Parsed, top: Type) -> frozenset[str]:
    """The named types that what a file says uses, other than itself."""
    if top.sort != REFERENCE:
        return reached(parsed.names, uses(top))
    own = parsed.names.get(top.name)
    inner = tuple(name for each in (own.fields if own else ()) for name in uses(each.type))
    return reached(parsed.names, inner) - {top.name}


def _schema(parsed: Parsed, roots: Mapping[str, Type]) -> Schema:
    return Schema(names=parsed.names, roots=roots, calls=tuple(parsed.calls), protocol=parsed.protocol)


# Whether a field's default is a value of its type: one that is none gives a reader nothing.
#
# Source: Avro 1.12, complex types, records: the JSON encoding of defaults; of a union any branch counts.


_RANGES: Final[Mapping[str, int]] = {"int": 31, "long": 63}
_LATIN_1: Final = 255


def gives_default(field: Field, names: Mapping[str, Named]) -> bool:
    """True when the field has a default that is a value of its type.

    Args:
        field: a reader's field.
        names: the named types of the reader's schema.
    """
    return not isinstance(field.default, Absent) and fits(field.default, field.type, names)


def fits(value: Form, type_: Type, names: Mapping[str, Named]) -> bool:
    """True when the value, as JSON, is one of the type."""
    match type_.sort:
        case "union":
            return any(fits(value, part, names) for part in type_.parts)
        case "array":
            return isinstance(value, list) and all(fits(each, type_.parts[0], names) for each in value)
        case "map":
            return isinstance(value, Mapping) and all(fits(each, type_.parts[0], names) for each in value.values())
        case sort if sort == REFERENCE:
            named = names.get(type_.name)
            return named is None or _of_named(value, named, names)
        case sort:
            return _primitive(value, sort)


def _primitive(value: Form, sort: str) -> bool:
    if sort == "null":
        return value is None
    if sort == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if sort in _RANGES:
        return isinstance(value, int) and -(2 ** _RANGES[sort]) <= value < 2 ** _RANGES[sort]
    if sort in ("float", "double"):
        return isinstance(value, int | float) or value in ("NaN", "INF", "-INF", "Infinity", "-Infinity")
    return isinstance(value, str) and (sort == "string" or _is_bytes(value))


def _of_named(value: Json | Absent, named: Named, names: Mapping[str, Named]) -> bool:
    """A default is as deep as its text, so that types which hold themselves end here too."""
    if named.sort == "enum":
        return isinstance(value, str) and value in named.symbols
    if named.sort == "fixed":
        return isinstance(value, str) and len(value) == named.size and _is_bytes(value)
    if not isinstance(value, Mapping):
        return False
    held = {each.name: value.get(each.name, each.default) for each in named.fields}
    return all(
        not isinstance(held[each.name], Absent) and (each.name not in value or fits(held[each.name], each.type, names))
        for each in named.fields
    )


def _is_bytes(text: str) -> bool:
    return all(ord(sign) <= _LATIN_1 for sign in text)


# Logical types as they count: one that does not fit its type is none (Avro 1.12 specification, "Logical Types").


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


def spelled(type_: Type, names: Mapping[str, Named], told: set[str], *, canonical: bool = False) -> Any:
    """A schema that stands by itself. Logical types are left out: the bytes are what is asked about.

    Args:
        told: those that are spelled out already; what is spelled out here joins them.
        canonical: True for the parsing canonical form, which leaves aliases and defaults out.
    """
    if type_.sort == REFERENCE:
        named = names[type_.name]
        if named.name in told:
            return named.name
        told.add(named.name)
        return {"name": named.name, "type": named.sort, **_spelled_parts(named, names, told, canonical=canonical)}
    parts: list[Json] = [spelled(part, names, told, canonical=canonical) for part in type_.parts]
    if type_.sort == "union":
        return parts
    return {"type": type_.sort, "items" if type_.sort == "array" else "values": parts[0]} if parts else type_.sort


def _spelled_parts(named: Named, names: Mapping[str, Named], told: set[str], *, canonical: bool) -> Mapping[str, Json]:
    beside = {} if canonical else _for_readers(named)
    match named.sort:
        case "enum":
            return {"symbols": list(named.symbols), **beside}
        case "fixed":
            return {"size": named.size, **beside}
    fields: list[Json] = []
    for each in named.fields:
        type_ = spelled(each.type, names, told, canonical=canonical)
        fields.append({"name": each.name, "type": type_, **({} if canonical else _for_readers(each))})
    return {"fields": fields, **beside}


def _for_readers(part: Field | Named) -> dict[str, Json]:
    aliases: dict[str, Json] = {"aliases": list(part.aliases)} if part.aliases else {}
    return aliases if isinstance(part.default, Absent) else {**aliases, "default": part.default}
