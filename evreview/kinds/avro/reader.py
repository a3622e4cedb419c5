"""Avro schemas and protocols as a contract, one file or a folder: types, members, canonical forms.

Names are keys and facets at once: a key pairs, a facet tells. A named type that nothing continues on the other side
is told where it is used, since only its use can matter.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, UnsupportedConstruct
from evreview.contract.source import Files
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Absent, Aspect, ContractKind, Direction, Json, Role
from evreview.kinds.avro import ENDINGS
from evreview.kinds.avro.parser import (
    REFERENCE,
    Call,
    Field,
    Logical,
    Named,
    Parsed,
    Schema,
    Type,
    effective,
    form_of,
    logicals,
    schema,
    spelled,
)
from evreview.kinds.avro.resolution import fields, operations_of, paired

# Parsing canonical form and its fingerprints: Avro 1.12 specification, "Transforming into Parsing Canonical Form".


_EMPTY: Final = 0xC15D213AA4D7A795


def canonical(type_: Type, names: Mapping[str, Named]) -> str:
    """The parsing canonical form: what decides how data is read, and nothing else."""
    return json.dumps(spelled(type_, names, set(), canonical=True), separators=(",", ":"), ensure_ascii=False)


def fingerprints(text: str) -> dict[str, str]:
    """CRC-64-AVRO (as the eight bytes of the single-object encoding) and SHA-256 of a canonical form, as hex."""
    data = text.encode("utf-8", "surrogatepass")
    return {
        "CRC-64-AVRO": _crc64(data).to_bytes(8, "little").hex(),
        "SHA-256": hashlib.sha256(data).hexdigest(),
    }


def _crc64(data: bytes) -> int:
    mark = _EMPTY
    for byte in data:
        mark = (mark >> 8) ^ _TABLE[(mark ^ byte) & 0xFF]
    return mark


def _entry(at: int) -> int:
    for _ in range(8):
        at = (at >> 1) ^ (_EMPTY & -(at & 1))
    return at


_TABLE: Final = tuple(_entry(at) for at in range(256))


@frozen
class AlignedNames:
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


def alone(schema: Schema) -> AlignedNames:
    """The keys of a schema by itself."""
    return AlignedNames(keys(schema))


def keys(schema: Schema) -> dict[str, str]:
    """The key of each named type: its name without the namespace, where only one has it, else its full name."""
    counts = Counter(named.short for named in schema.names.values())
    return {name: named.short if counts[named.short] == 1 else name for name, named in schema.names.items()}


def document(schema: Schema, called: AlignedNames, place: Place) -> Element:
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
    def __init__(self, schema: Schema, called: AlignedNames) -> None:
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
        if not isinstance(named.default, Absent):
            yield Facet("default", Aspect.DEFAULTS, named.default, pointer="/default")
        yield from _logical(named.logical, effective(named.logical, named.sort, named.size), "")
        yield from _notes(named.notes)

    def _field(self, each: Field, holder: str) -> Element:
        return self._member(ElementKind.FIELD, each, holder, self._called.fields.get((holder, each.name), each.name))

    def _member(self, kind: ElementKind, each: Field, holder: str, key: str) -> Element:
        facets = [*self._typed(each.type), Facet("name", Aspect.NAMES, each.name, pointer="/name")]
        if not isinstance(each.default, Absent):
            facets.append(Facet("default", Aspect.DEFAULTS, each.default, pointer="/default"))
        facets += self._called.aliases(each, (holder, each.name))
        facets += _notes(each.notes)
        required = isinstance(each.default, Absent)
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
            direction=Direction.READ,
            facets=tuple(facets),
            children=(
                *(replace(each, role=Role.REQUEST, direction=Direction.READ) for each in asked),
                *(replace(each, role=Role.RESPONSE, direction=Direction.WRITTEN) for each in replies),
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


# The contract: one file, or a folder of files that name each other's types.


_MAX_FILES: Final = 2_000
_TOO_DEEP: Final = "the types are nested too deeply"


def read(files: Files) -> Contract:
    """The contract that an Avro schema, a protocol or a folder of them describes.

    Raises:
        BadInput: every `avro-…` problem that keeps it from being a schema.
    """
    documents = _documents(files)
    try:
        found, unread = _schema(documents, files.entry)
        # The place of a folder's document is no file: its root is what the files say together.
        root = document(found, alone(found), Place(files.entry, ""))
    except RecursionError:
        raise bad_input("avro-too-deep", _TOO_DEEP, file=files.entry, advice="split the schema") from None
    digests = [hashlib.sha256(files.load(file)).hexdigest() for file in documents]
    only = next(iter(found.roots.values()), None)
    title = only.name if only is not None and len(found.roots) == 1 else found.protocol
    return Contract(
        kind=ContractKind.AVRO,
        version="protocol" if found.protocol else "schema",
        title=title,
        release="",
        path=files.entry,
        sha256=digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest(),
        root=root,
        documents=documents,
        unread=unread,
    )


def schema_of(contract: Contract) -> Schema:
    """The schema that an Avro contract was read from."""
    return _schema(contract.documents, contract.root.place.file)[0]


@frozen
class AlignedContracts:
    """Two contracts whose elements are called alike where one continues the other, and their schemas."""

    released: Contract
    candidate: Contract


def aligned(released: Contract, candidate: Contract) -> AlignedContracts:
    """Both contracts with one key for each type, field and root that the candidate continues under another name."""
    old, new = schema_of(released), schema_of(candidate)
    types = paired(old, new)
    members = {
        (name, key): source
        for name, other in types.items()
        for key, source in fields(old.names[other], new.names[name]).items()
    }
    old, new, roots = _rooted(old, new, types)
    here = {(name, ""): other for name, other in types.items()} | members
    there = {(other, ""): name for name, other in types.items()}
    there |= {(types[name], source): key for (name, key), source in members.items()}
    both = [(name, other) for name, other in types.items() if old.names[other].inherits and new.names[name].inherits]
    own = keys(old)
    before = AlignedNames(
        {name: own[name] for name in types.values()}, others=there, inherited=frozenset(other for _, other in both)
    )
    named = {name: own[other] for name, other in types.items()}
    after = AlignedNames(named, members, roots, here, frozenset(name for name, _ in both))
    return AlignedContracts(
        replace(released, root=document(old, before, released.root.place)),
        replace(candidate, root=document(new, after, candidate.root.place)),
    )


def _rooted(old: Schema, new: Schema, types: Mapping[str, str]) -> tuple[Schema, Schema, dict[str, str]]:
    """Both schemas with every type as a root that is one on either side, and the released keys of the candidate's."""
    if len(old.roots) == len(new.roots) == 1:
        return old, new, {next(iter(new.roots)): next(iter(old.roots))}
    before = {root.name: key for key, root in old.roots.items() if root.sort == REFERENCE}
    roots = {key: before[types[root.name]] for key, root in new.roots.items() if types.get(root.name) in before}
    return old, new, roots


def _documents(files: Files) -> dict[str, Json]:
    """The parsed files: of a folder all, of an entry it, what is listed beside it, and what its names lead to.

    Raises:
        BadInput: every file that can't be read.
    """
    names = files.named(*ENDINGS) if files.is_folder else (files.entry, *files.named(*ENDINGS))
    if len(names) > _MAX_FILES:
        raise bad_input("contract-too-many-files", f"split over more than {_MAX_FILES} files", file=files.entry)
    found: dict[str, Json] = {}
    problems: list[Problem] = []
    for name in dict.fromkeys(names):
        try:
            found[name] = files.root if name == files.entry else parse_text(files.load(name), name)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return found if files.is_folder else _beside(files, found)


def _beside(files: Files, found: dict[str, Json]) -> dict[str, Json]:
    """The documents, with the files beside the entry that define the names it leaves open, as `<name>.avsc`."""
    while len(found) < _MAX_FILES:
        parsed, _ = _parsed(found)
        folder = files.entry.rpartition("/")[0]
        wanted = [f"{folder}/{each}".lstrip("/") for name in sorted(parsed.absent()) for each in _spelled(name)]
        more = {name: node for name in wanted if name not in found for node in _optional(files, name)}
        if not more:
            break
        found |= more
    return found


def _spelled(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{each}.avsc" for each in (name, name.rpartition(".")[2])))


def _optional(files: Files, name: str) -> Iterator[Json]:
    try:
        yield parse_text(files.load(name), name)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return
    except BadInput as error:
        if any(problem.code not in ("file-missing", "file-not-regular") for problem in error.problems):
            raise


def _parsed(documents: Mapping[str, Json]) -> tuple[Parsed, dict[str, Type]]:
    parsed = Parsed()
    tops = {file: top for file, node in documents.items() if (top := parsed.document(node, file)) is not None}
    return parsed, tops


def _schema(documents: Mapping[str, Json], entry: str) -> tuple[Schema, tuple[UnsupportedConstruct, ...]]:
    """The schema of all documents; of an entry with files beside it, what the entry says.

    Raises:
        BadInput: everything that keeps it from being a schema.
    """
    parsed, tops = _parsed(documents)
    for name, place in parsed.absent().items():
        advice = "name the folder with the file that defines it, or put that file beside this one"
        parsed.wrong("avro-name-unknown", f"no type is called {name}", place, advice)
    if parsed.problems:
        raise BadInput(parsed.problems)
    return schema(parsed, {entry: tops[entry]} if entry in tops else {} if entry else tops), tuple(parsed.unread)
