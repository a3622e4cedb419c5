"""An Avro schema as elements: what data is written as, the named types below it, and their members.

Names are keys and facets at once: a key pairs, a facet tells. A named type that nothing continues on the other side
is told where it is used, since only its use can matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.contracts.avro.canonical import canonical, fingerprints
from evreview.contracts.avro.logical import effective, form_of, logicals
from evreview.contracts.avro.model import REFERENCE, Call, Field, Logical, Named, Schema, Type
from evreview.core.vocabulary import Aspect, Json, Missing, Polarity, Role
from evreview.kinds.avro.alignment import operations_of


@dataclass(frozen=True, slots=True)
class Called:
    """How the named types and fields of one schema are called as keys, beside another schema.

    Attributes:
        types: the key of each named type by its full name; one without a key is told where it is used.
        fields: the key of each field by its type's full name and its own; its own name where it has none.
        roots: the key of each root by its own.
        others: the name on the other side, by the full name of a type, or that and the name of a field. An alias that
            leads there is told by the row about the name.
        inherited: the types whose namespace is that of the type around them on both sides: one edit, told there.
    """

    types: Mapping[str, str]
    fields: Mapping[tuple[str, str], str] = field(default_factory=dict)
    roots: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[tuple[str, str], str] = field(default_factory=dict)
    inherited: frozenset[str] = frozenset()

    def aliases(self, part: Field | Named, name: tuple[str, str]) -> tuple[Facet, ...]:
        """The aliases of a type or field as a facet, without those that lead to its other name."""
        other = self.others.get(name, part.name)
        renamed = _short(other) != _short(part.name)
        kept = sorted(set(part.aliases) - ({other, _short(other)} if renamed else set()))
        return (Facet("aliases", Aspect.NAMES, list[Json](kept), pointer="/aliases"),) if kept else ()


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def alone(schema: Schema) -> Called:
    """The keys of a schema by itself."""
    return Called(keys(schema))


def keys(schema: Schema) -> dict[str, str]:
    """The key of each named type: its name without the namespace, where only one has it, else its full name."""
    counts = Counter(named.short for named in schema.names.values())
    return {name: named.short if counts[named.short] == 1 else name for name, named in schema.names.items()}


def document(schema: Schema, called: Called, place: Place) -> Element:
    """The document element of a schema."""
    making = _Making(schema, called)
    prints = {key: fingerprints(canonical(root, schema.names)) for key, root in schema.roots.items()}
    facets = [
        Facet(name, Aspect.IDENTIFIERS, {called.roots.get(key, key): each[name] for key, each in prints.items()}, False)
        for name in ("CRC-64-AVRO", "SHA-256")
        if prints
    ]
    if schema.protocol:
        facets.append(Facet("protocol", Aspect.NAMES, schema.protocol, on_wire=False))
    return Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name=schema.protocol,
        aspect=Aspect.ANNOTATIONS,
        place=place,
        role=Role.DOCUMENT,
        facets=tuple(facets),
        children=(*making.roots(), *map(making.call, schema.calls), *making.types()),
    )


class _Making:
    def __init__(self, schema: Schema, called: Called) -> None:
        self._schema = schema
        self._called = called
        self._operations = operations_of(schema)

    def roots(self) -> Iterator[Element]:
        for key, root in self._schema.roots.items():
            name = self._called.roots.get(key, key)
            made = _element(ElementKind.OPERATION, name, root.place, Aspect.METHODS)
            yield replace(made, facets=tuple(self._typed(root)))

    def types(self) -> Iterator[Element]:
        for name, named in self._schema.names.items():
            if name in self._called.types:
                yield self._type(named, self._called.types[name])

    def _type(self, named: Named, key: str) -> Element:
        roots = self._called.roots
        operations = tuple(roots.get(one, one) for one in self._operations.get(named.name, ()))
        members = (*(self._field(each, named.name) for each in named.fields), *_symbols(named))
        return replace(
            _element(ElementKind.TYPE, key, named.place, Aspect.TYPES),
            facets=tuple(self._named(named)),
            children=tuple(replace(each, operations=operations) for each in members),
            operations=operations,
        )

    def _named(self, named: Named) -> Iterator[Facet]:
        yield Facet("type", Aspect.TYPES, named.sort, pointer="/type")
        yield Facet("name", Aspect.NAMES, named.short, pointer="/name")
        if named.name not in self._called.inherited:
            yield Facet("namespace", Aspect.NAMES, named.namespace)
        yield from self._called.aliases(named, (named.name, ""))
        if named.sort == "fixed":
            yield Facet("size", Aspect.LENGTHS, named.size, pointer="/size")
        if not isinstance(named.default, Missing):
            yield Facet("default", Aspect.DEFAULTS, named.default, pointer="/default")
        yield from _logical(named.logical, effective(named.logical, named.sort, named.size), "")
        yield from _notes(named.notes)

    def _field(self, each: Field, holder: str) -> Element:
        return self._member(ElementKind.FIELD, each, holder, self._called.fields.get((holder, each.name), each.name))

    def _member(self, kind: ElementKind, each: Field, holder: str, key: str) -> Element:
        facets = [*self._typed(each.type), Facet("name", Aspect.NAMES, each.name, pointer="/name")]
        if not isinstance(each.default, Missing):
            facets.append(Facet("default", Aspect.DEFAULTS, each.default, pointer="/default"))
        facets += self._called.aliases(each, (holder, each.name))
        facets += _notes(each.notes)
        required = isinstance(each.default, Missing)
        return replace(_element(kind, key, each.place, Aspect.FIELDS), facets=tuple(facets), required=required)

    def call(self, call: Call) -> Element:
        """A message of a protocol: clients write its parameters, servers its response and errors."""
        facets = [Facet("one-way", Aspect.STREAMING, call.one_way)]
        if call.doc is not None:
            facets.append(Facet("doc", Aspect.ANNOTATIONS, call.doc, on_wire=False))
        asked = [self._member(ElementKind.ARGUMENT, each, "", each.name) for each in call.request]
        answers = (("response", call.response, Aspect.TYPES), ("errors", call.errors, Aspect.ERRORS))
        replies = [
            replace(_element(ElementKind.REPLY, key, type_.place, aspect), facets=tuple(self._typed(type_)))
            for key, type_, aspect in answers
        ]
        return replace(
            _element(ElementKind.OPERATION, call.name, call.place, Aspect.METHODS),
            role=Role.REQUEST,
            polarity=Polarity.READ,
            facets=tuple(facets),
            children=(
                *(replace(each, role=Role.REQUEST, polarity=Polarity.READ) for each in asked),
                *(replace(each, role=Role.RESPONSE, polarity=Polarity.WRITTEN) for each in replies),
            ),
        )

    def _typed(self, type_: Type) -> Iterator[Facet]:
        yield Facet("type", Aspect.TYPES, self._form(type_, frozenset()))
        for path, part in logicals(type_):
            yield from _logical(part.logical, effective(part.logical, part.sort), path)

    def _form(self, type_: Type, inside: frozenset[str]) -> Json:
        """The type with the keys of what it names; what has no key is written out, once."""
        if type_.sort == REFERENCE:
            named = self._schema.names[type_.name]
            key = self._called.types.get(type_.name)
            if key is not None or type_.name in inside:
                return key or type_.name
            return self._written(named, inside | {type_.name})
        if type_.sort == "union":
            return [self._form(part, inside) for part in type_.parts]
        if type_.parts:
            of = "items" if type_.sort == "array" else "values"
            return {"type": type_.sort, of: self._form(type_.parts[0], inside)}
        return type_.sort

    def _written(self, named: Named, inside: frozenset[str]) -> Json:
        head: dict[str, Json] = {"type": named.sort, "name": named.name}
        if named.sort == "record":
            return {**head, "fields": {each.name: self._form(each.type, inside) for each in named.fields}}
        return {**head, **({"symbols": list(named.symbols)} if named.sort == "enum" else {"size": named.size})}


def _element(kind: ElementKind, key: str, place: Place, aspect: Aspect) -> Element:
    return Element(kind=kind, key=key, name=key, aspect=aspect, place=place, role=Role.MESSAGE)


def _symbols(named: Named) -> Iterator[Element]:
    for at, symbol in enumerate(named.symbols):
        yield _element(ElementKind.ENUM_VALUE, symbol, named.place.child("symbols", at), Aspect.ENUMS)


def _logical(written: Logical | None, counts: Logical | None, path: str) -> Iterator[Facet]:
    """A logical type as one facet; one that is ignored is on no wire."""
    if counts is not None:
        yield Facet(f"logicalType{path}", Aspect.FORMATS, form_of(counts))
    elif written is not None:
        yield Facet(f"ignored logicalType{path}", Aspect.ANNOTATIONS, form_of(written), on_wire=False)


def _notes(notes: Mapping[str, Json]) -> Iterator[Facet]:
    """What people, generators and sorting read: `doc`, `order`, and attributes that no specification knows."""
    for name, value in notes.items():
        yield Facet(name, Aspect.ORDERING if name == "order" else Aspect.ANNOTATIONS, value, on_wire=False)
