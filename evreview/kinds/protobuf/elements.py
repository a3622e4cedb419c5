"""Messages, enums, their fields and values, extensions, services and procedures as elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from evreview.contract.model import Element, ElementKind, Facet
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Aspect, Direction, Form, Json, Role
from evreview.kinds.protobuf.options import (
    SERVICES,
    Declared,
    FacetName,
    Features,
    Languages,
    Options,
    Path,
    Scope,
    reached,
)

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto


_GROUP, _MESSAGE, _BYTES, _ENUM = 10, 11, 12, 14
_REQUIRED, _REPEATED = 2, 3
SCALARS: Final = {
    1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32", 8: "bool", 9: "string",
    12: "bytes", 13: "uint32", 15: "sfixed32", 16: "sfixed64", 17: "sint32", 18: "sint64",
}  # fmt: skip
"""Scalar types by their number in a descriptor."""
_FLOATS: Final = frozenset({"double", "float"})
_TEXTS: Final = frozenset({"string", "bytes"})


@frozen
class TypeUse:
    """Which operations reach a type, and in which of their messages."""

    operations: tuple[str, ...] = ()
    role: Role = Role.MESSAGE
    direction: Direction | None = None


@frozen
class Types:
    """Makes elements of declared types.

    Attributes:
        types: every declared type of the set, by full name.
        uses: how operations use them.
        options: reads their options.
        languages: reads what they say for the code of one language.
    """

    types: Mapping[str, Declared]
    uses: Mapping[str, TypeUse]
    options: Options
    languages: Languages

    def element(self, one: Declared) -> Element:
        """The element of a message or enum."""
        use = self.uses.get(one.name, TypeUse())
        facets = self._enum_facets(one) if one.is_enum else self._message_facets(one)
        children = self._values(one, use) if one.is_enum else self._members(one, use)
        return Element(
            kind=ElementKind.TYPE,
            key=one.name,
            name=one.name,
            aspect=Aspect.TYPES,
            place=one.scope.place(one.path),
            role=use.role,
            direction=use.direction,
            facets=(
                Facet("kind", Aspect.TYPES, "enum" if one.is_enum else "message"),
                Facet("name", Aspect.NAMES, one.name),
                *facets,
                Facet("json_format", Aspect.SERIALISATION, one.features.json_format),
                Facet("deprecated", Aspect.DEPRECATION, one.proto.options.deprecated),
                *self.options.facets(one.proto.options),
                *self.languages.of_type(one),
            ),
            children=tuple(children),
            operations=use.operations,
        )

    def _message_facets(self, one: Declared) -> Iterator[Facet]:
        reserved = [(each.start, each.end - 1) for each in one.proto.reserved_range]
        yield _ranges(FacetName.RESERVED_NUMBERS.value, reserved, one.scope.line((*one.path, 9)))
        names: Json = sorted(one.proto.reserved_name)
        yield Facet(FacetName.RESERVED_NAMES.value, Aspect.RESERVATIONS, names, pointer=one.scope.line((*one.path, 10)))
        open_ = [(each.start, each.end - 1) for each in one.proto.extension_range]
        yield _ranges("extension numbers", open_, one.scope.line((*one.path, 5)))
        for each in one.proto.extension_range:
            numbers = _range(each.start, each.end - 1)
            yield from (
                facet._replace(name=f"{facet.name} of {numbers}") for facet in self.options.facets(each.options)
            )
        for oneof in one.proto.oneof_decl:
            own = self.options.facets(oneof.options)
            yield from (facet._replace(name=f"{facet.name} of {oneof.name}") for facet in own)
        yield Facet("message_set_wire_format", Aspect.ENCODINGS, one.proto.options.message_set_wire_format)

    def _enum_facets(self, one: Declared) -> Iterator[Facet]:
        yield Facet("enum_type", Aspect.ENUMS, one.features.enum_type)
        yield Facet("default", Aspect.DEFAULTS, one.proto.value[0].number)
        reserved = [(each.start, each.end) for each in one.proto.reserved_range]
        yield _ranges(FacetName.RESERVED_NUMBERS.value, reserved, one.scope.line((*one.path, 4)))
        names: Json = sorted(one.proto.reserved_name)
        yield Facet(FacetName.RESERVED_NAMES.value, Aspect.RESERVATIONS, names, pointer=one.scope.line((*one.path, 5)))

    def _values(self, one: Declared, use: TypeUse) -> Iterator[Element]:
        """One element per number; further names of a number are its aliases."""
        by_number: dict[int, list[int]] = {}
        for at, value in enumerate(one.proto.value):
            by_number.setdefault(value.number, []).append(at)
        for number, positions in by_number.items():
            values = [one.proto.value[at] for at in positions]
            first = values[0]
            names: Json = [value.name for value in values]
            yield Element(
                kind=ElementKind.ENUM_VALUE,
                key=str(number),
                name=first.name,
                aspect=Aspect.ENUMS,
                place=one.scope.place((*one.path, 2, positions[0])),
                role=use.role,
                direction=use.direction,
                facets=(
                    Facet("names", Aspect.NAMES, names),
                    Facet("deprecated", Aspect.DEPRECATION, first.options.deprecated),
                    *self.options.facets(first.options),
                    *self.languages.of_value(one, first.options),
                ),
                operations=use.operations,
            )

    def _members(self, one: Declared, use: TypeUse) -> Iterator[Element]:
        oneofs = _oneofs(one)
        for at, field in enumerate(one.proto.field):
            around, group = one.features, ""
            if field.HasField("oneof_index"):
                around, group = oneofs.get(field.oneof_index, (around, ""))
            yield self._field(field, one, ((*one.path, 2, at), around, group), use)

    def _field(
        self, field: FieldDescriptorProto, one: Declared, at: tuple[Path, Features, str], use: TypeUse
    ) -> Element:
        """The element of a field; `at` is its path, the features around it, and the name of its oneof."""
        path, around, group = at
        return Element(
            kind=ElementKind.FIELD,
            key=str(field.number),
            name=field.name,
            aspect=Aspect.FIELDS,
            place=one.scope.place(path),
            role=use.role,
            direction=use.direction,
            facets=(
                Facet("name", Aspect.NAMES, field.name),
                Facet("json_name", Aspect.NAMES, field.json_name or camel(field.name)),
                *self._properties(field, around, explicit=bool(group)),
                Facet("oneof", Aspect.COMPOSITION, group or ABSENT),
                *self.options.facets(field.options),
                *self.languages.of_field(one.scope.file, one.name, _options(field, one), self._non_wire(field, around)),
            ),
            operations=use.operations,
        )

    def extension(self, field: FieldDescriptorProto, scope: Scope, at: tuple[Path, str], features: Features) -> Element:
        """The element of an extension; `at` is its path and the full name of what it is declared in."""
        path, around = at
        name = scope.full(field.name, around)
        use = self.uses.get(field.extendee[1:], TypeUse())
        return Element(
            kind=ElementKind.EXTENSION,
            key=f"{field.extendee[1:]} {field.number}",
            name=name,
            aspect=Aspect.FIELDS,
            place=scope.place(path),
            role=use.role,
            direction=use.direction,
            facets=(
                Facet("name", Aspect.NAMES, name),
                *self._properties(field, features, explicit=True),
                *self.options.facets(field.options),
                *self.languages.of_field(scope.file, around, (field.options,), self._non_wire(field, features)),
            ),
            operations=use.operations,
        )

    def _properties(self, field: FieldDescriptorProto, around: Features, *, explicit: bool) -> Iterator[Facet]:
        features = around.under(field.options)
        kind = self._type(field, features)
        cardinality = _cardinality(field, features, kind, explicit=explicit)
        yield Facet("type", Aspect.TYPES, kind)
        yield Facet("cardinality", Aspect.CARDINALITY, cardinality)
        if cardinality == "repeated" and kind not in _TEXTS and not kind.startswith(("message ", "group ")):
            packed = (
                field.options.packed
                if field.options.HasField("packed")
                else features.repeated_field_encoding == "packed"
            )
            yield Facet("packed", Aspect.ENCODINGS, packed)
        if kind == "string":
            yield Facet("utf8_validation", Aspect.FORMATS, features.utf8_validation)
        if cardinality == "map":
            yield from self._of_pairs(self.types[field.type_name[1:]])
        yield Facet("default", Aspect.DEFAULTS, _default(field, kind))
        yield Facet("deprecated", Aspect.DEPRECATION, field.options.deprecated)

    def _non_wire(self, field: FieldDescriptorProto, around: Features) -> list[str]:
        """Features for one language that say nothing of such a field: it holds no text, or is read so anyway."""
        kind, enum = SCALARS.get(field.type, ""), self.types.get(field.type_name[1:])
        checked = around.under(field.options).utf8_validation != "none"
        open_ = field.type == _ENUM and enum is not None and enum.features.enum_type == "open"
        speaks = {
            "string_type": kind in _TEXTS,
            "utf8_validation": kind == "string" and not checked,
            "legacy_closed_enum": open_,
        }
        return [name for name, does in speaks.items() if not does]

    def _of_pairs(self, entry: Declared) -> Iterator[Facet]:
        """What a map has of the message that its pairs are."""
        texts = [entry.features.under(each.options) for each in entry.proto.field if SCALARS.get(each.type) == "string"]
        checks = {each.utf8_validation for each in texts}
        if checks:
            yield Facet("utf8_validation", Aspect.FORMATS, "verify" if "verify" in checks else checks.pop())
        yield Facet("json_format", Aspect.SERIALISATION, entry.features.json_format)

    def _type(self, field: FieldDescriptorProto, features: Features) -> str:
        if field.type in SCALARS:
            return SCALARS[field.type]
        name = field.type_name[1:]
        if field.type == _ENUM:
            return f"enum {name}"
        entry = self.types.get(name)
        if entry is not None and entry.proto.options.map_entry:
            # Pairs of a map, and messages in them, always stand after their lengths.
            within = replace(entry.features, message_encoding="length_prefixed")
            key, value = (self._type(each, within) for each in entry.proto.field)
            return f"map<{key}, {value}>"
        delimited = field.type == _GROUP or features.message_encoding == "delimited"
        return f"{'group' if delimited else 'message'} {name}"


def _oneofs(one: Declared) -> Mapping[int, tuple[Features, str]]:
    """The oneofs that the author wrote, features and name; a lone `optional` of proto3 stands in a made-up one."""
    if not one.proto.oneof_decl:
        return {}
    real = {each.oneof_index for each in one.proto.field if each.HasField("oneof_index") and not each.proto3_optional}
    decls = ((at, one.proto.oneof_decl[at]) for at in real)
    return {at: (one.features.under(oneof.options), oneof.name) for at, oneof in decls}


def _options(field: FieldDescriptorProto, one: Declared) -> list[Any]:
    """The options that hold for a field, those of its oneof first."""
    around = [one.proto.oneof_decl[field.oneof_index].options] if field.HasField("oneof_index") else []
    return [*around, field.options]


def _cardinality(field: FieldDescriptorProto, features: Features, kind: str, *, explicit: bool) -> str:
    if field.label == _REPEATED:
        return "map" if kind.startswith("map<") else "repeated"
    if field.label == _REQUIRED or features.field_presence == "legacy_required":
        return "required"
    always = explicit or field.proto3_optional or kind.startswith(("message ", "group "))
    return "optional" if always or features.field_presence == "explicit" else "implicit"


def _default(field: FieldDescriptorProto, kind: str) -> Form:
    """The declared default; none for what an unset field reads as anyway."""
    text = field.default_value
    if not field.HasField("default_value") or kind in _TEXTS or kind.startswith("enum "):
        return text or ABSENT
    if kind == "bool":
        return True if text == "true" else ABSENT
    number = float(text) if kind in _FLOATS else int(text)
    if number != number or number in (float("inf"), float("-inf")):
        return text
    return number or ABSENT


def _ranges(name: str, ranges: list[tuple[int, int]], pointer: str) -> Facet:
    """Ranges of numbers as texts, ends included; `max` for the end of all numbers."""
    found: Json = [_range(*each) for each in sorted(ranges)]
    return Facet(name, Aspect.RESERVATIONS, found, pointer=pointer)


def _range(first: int, last: int) -> str:
    end = "max" if last in (536870911, 2147483646, 2147483647) else str(last)
    return str(first) if first == last else f"{first} to {end}"


def camel(name: str) -> str:
    """The JSON name that a field has where none is written."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


# Services and their procedures, and which types their messages reach.


MOST_USES: Final = 500_000
"""Pairs of a procedure and a type that are told; beyond them a type names fewer procedures than reach it."""


@frozen
class Services:
    """The services of a contract's own files.

    Attributes:
        own: those files.
        types: every type of the set, by full name.
        options: reads options.
    """

    own: Sequence[Scope]
    types: Mapping[str, Declared]
    options: Options

    def operations(self) -> Iterator[Element]:
        """One element per procedure, named `package.Service/Method` as its path is on the wire."""
        for scope, service, at in self._services():
            name = scope.full(service.name)
            for number, method in enumerate(service.method):
                yield Element(
                    kind=ElementKind.OPERATION,
                    key=f"{name}/{method.name}",
                    name=method.name,
                    aspect=Aspect.METHODS,
                    place=scope.place((SERVICES, at, 2, number)),
                    role=Role.MESSAGE,
                    facets=tuple(self._procedure(name, method)),
                )

    def _procedure(self, service: str, method: Any) -> Iterator[Facet]:
        yield Facet("path", Aspect.NAMES, f"/{service}/{method.name}")
        yield Facet("request", Aspect.TYPES, method.input_type[1:])
        yield Facet("response", Aspect.TYPES, method.output_type[1:])
        yield Facet("client_streaming", Aspect.STREAMING, method.client_streaming)
        yield Facet("server_streaming", Aspect.STREAMING, method.server_streaming)
        level = method.options.DESCRIPTOR.fields_by_name["idempotency_level"].enum_type.values_by_number[
            method.options.idempotency_level
        ]
        yield Facet("idempotency_level", Aspect.IDEMPOTENCY, level.name)
        yield Facet("deprecated", Aspect.DEPRECATION, method.options.deprecated)
        yield from self.options.facets(method.options)

    def services(self) -> Iterator[Element]:
        """One element per service."""
        for scope, service, at in self._services():
            name = scope.full(service.name)
            yield Element(
                kind=ElementKind.SERVICE,
                key=name,
                name=name,
                aspect=Aspect.METHODS,
                place=scope.place((SERVICES, at)),
                role=Role.DOCUMENT,
                facets=(
                    Facet("deprecated", Aspect.DEPRECATION, service.options.deprecated),
                    *self.options.facets(service.options),
                ),
                operations=tuple(f"{name}/{method.name}" for method in service.method),
            )

    def uses(self) -> dict[str, TypeUse]:
        """For each type that a procedure reaches, by which of them and in which of their messages."""
        sent: dict[Direction, dict[str, list[str]]] = {Direction.READ: {}, Direction.WRITTEN: {}}
        for scope, service, _ in self._services():
            for method in service.method:
                key = f"{scope.full(service.name)}/{method.name}"
                sent[Direction.READ].setdefault(method.input_type[1:], []).append(key)
                sent[Direction.WRITTEN].setdefault(method.output_type[1:], []).append(key)
        held = {direction: reached(names, self.types) for direction, names in sent.items()}
        operations = self._operations(sent)
        return {
            name: _use(operations.get(name, {}), {direction for direction, names in held.items() if name in names})
            for name in held[Direction.READ] | held[Direction.WRITTEN]
        }

    def _operations(self, sent: Mapping[Direction, Mapping[str, list[str]]]) -> dict[str, dict[str, None]]:
        """By type the procedures that reach it, in order, as far as `MOST_USES` goes."""
        found: dict[str, dict[str, None]] = {}
        told = 0
        for name, keys in (each for names in sent.values() for each in names.items()):
            if told > MOST_USES:
                break
            for held in reached([name], self.types):
                found.setdefault(held, {}).update(dict.fromkeys(keys))
                told += len(keys)
        return found

    def _services(self) -> Iterator[tuple[Scope, Any, int]]:
        for scope in self.own:
            for at, service in enumerate(scope.file.service):
                yield scope, service, at


def _use(operations: dict[str, None], directions: set[Direction]) -> TypeUse:
    if len(directions) != 1:
        return TypeUse(tuple(operations))
    direction = next(iter(directions))
    return TypeUse(tuple(operations), Role.REQUEST if direction is Direction.READ else Role.RESPONSE, direction)
