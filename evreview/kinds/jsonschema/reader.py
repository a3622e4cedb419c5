"""JSON Schemas of events as a contract: each schema is an event, read by its consumers and written by its producers.

Drafts 4 to 2020-12. Whether the candidate reads what the released side wrote (BACKWARD) is asked of the READ
position of an event, whether the released side reads what the candidate writes (FORWARD) of the WRITTEN one. Both
hold the same schema: what is compared, contained and witnessed is the set of its values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote, urldefrag, urljoin

from evreview.contract.json_reader import UNKNOWN, draft_of, schemas
from evreview.contract.model import (
    Contract,
    Element,
    ElementKind,
    Facet,
    Place,
    SchemaDialect,
    UnsupportedConstruct,
    ValueSet,
)
from evreview.contract.references import RefKind, classify_ref
from evreview.contract.source import MAX_FILES, Files
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Absent, Aspect, ContractKind, Direction, Json, Role
from evreview.kinds.jsonschema import CHOICES, ENDINGS, HOST, SHARED, is_schema

# The files of JSON Schema events, references written as file and pointer. Nothing is fetched.

# `$dynamicRef` and `$recursiveRef` where one schema is meant however a value is reached.
#
# JSON Schema core 2020-12, section 8.2.3.2, and 2019-09, section 8.2.4.2: both lead like `$ref`, and then, where the
# schema found there is a dynamic anchor, to the outermost resource on the way that has the same. That is one and the
# same when no other resource has it, or when the schema that every value starts at has it.


RECURSIVE = "$recursiveRef"
DYNAMIC = "$dynamicRef"
REFERENCES = ("$ref", DYNAMIC, RECURSIVE)
"""The keywords that lead elsewhere."""


@dataclass(slots=True)
class Anchors:
    """The dynamic anchors of all documents.

    Attributes:
        held: by name the resources that have the anchor, each with its place; the name of `$recursiveAnchor` is "".
    """

    held: dict[str, dict[str, Place]] = field(default_factory=dict)

    def add(self, resource: str, place: Place, node: Mapping[str, Json]) -> None:
        """Keeps the anchors of one schema in a resource."""
        name = node.get("$dynamicAnchor")
        if isinstance(name, str):
            self.held.setdefault(name, {}).setdefault(resource, place)
        if node.get("$recursiveAnchor") is True:
            self.held.setdefault("", {}).setdefault(resource, place)

    def target(self, name: str, first: Place, entry: str) -> Place | None:
        """Where a reference leads.

        Args:
            name: of the anchor, "" for a recursive one.
            first: where it leads at first.
            entry: the resource that every value starts at, "" where there are several.

        Returns:
            The place, or None where it depends on the way.
        """
        held = self.held.get(name, {})
        if first not in held.values():
            return first
        return next(iter(held.values())) if len(held) == 1 else held.get(entry)


_PLAIN: Final = "/~:@!$&'()*+,;="
_ANCHORS: Final = ("$anchor", "$dynamicAnchor")
_MARKS: Final = ("readOnly", "writeOnly")

_BY_WAY: Final = "where it leads depends on the schema that a value is reached from"
_FOUND: Final = {
    RefKind.REMOTE: ("leads to the network", "nothing is fetched: put a copy with that `$id` beside the schema"),
    RefKind.LOCAL: ("leads nowhere", "correct the reference"),
    RefKind.FILE: ("leads to a file that is not there", "correct the reference, or supply the missing file"),
}


@frozen
class Gathered:
    """The documents of one contract.

    Attributes:
        documents: by file; every reference is written as file and pointer, marks of access are taken out.
        sha256: what identifies them.
        unread: references that lead nowhere, or elsewhere by the way that a value is reached.
        marks: what is marked `readOnly` or `writeOnly`: requests and responses know those, messages do not.
        passed: keywords that the draft does not know.
    """

    documents: dict[str, Json]
    sha256: str
    unread: tuple[UnsupportedConstruct, ...]
    marks: tuple[str, ...]
    passed: tuple[str, ...]


@frozen
class _Ref:
    """One reference: where the schema stands that holds it, the schema, its text, and its keyword."""

    place: Place
    holder: dict[str, Json]
    text: str
    keyword: str = "$ref"


@dataclass(slots=True)
class _Names:
    """Where each resource and each anchor of the documents stands, and the references between them."""

    resources: dict[str, Place] = field(default_factory=dict)
    anchors: dict[tuple[str, str], Place] = field(default_factory=dict)
    dynamic: Anchors = field(default_factory=Anchors)
    refs: list[_Ref] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    unknown: frozenset[str] = frozenset()
    _bases: dict[str, dict[str, str]] = field(default_factory=dict)

    def base(self, place: Place) -> str:
        """The identifier that a reference at a place is read against: of the nearest resource around it."""
        known, pointer = self._bases[place.file], place.pointer
        while pointer and pointer not in known:
            pointer = pointer.rpartition("/")[0]
        return known.get(pointer, _uri(place.file))

    def add(self, file: str, document: Json) -> set[str]:
        """Every identifier and reference of one document; the files that it refers to."""
        self.resources.setdefault(_uri(file), Place(file, ""))
        self._bases[file] = {}
        named: set[str] = set()
        for place, node in schemas(Place(file, ""), document):
            self._named(place, node)
            self.marks += [f"{place} {key}" for key in _MARKS if isinstance(node.get(key), bool) and node.pop(key)]
            for keyword in self.unknown & node.keys():
                del node[keyword]
                self.passed.append(f"{place} {keyword}")
            for keyword in REFERENCES:
                ref = node.get(keyword)
                if isinstance(ref, str):
                    self.refs.append(_Ref(place, node, ref, keyword))
                    kind, target, _ = classify_ref(file, ref)
                    named |= {target} if kind is RefKind.FILE else set()
        return named

    def _named(self, place: Place, node: dict[str, Json]) -> None:
        written = node.get("$id", node.get("id"))
        if isinstance(written, str) and _is_uri(written, node):
            uri, anchor = urldefrag(_joined(self.base(place), written))
            if anchor:
                self.anchors.setdefault((uri, anchor), place)
            elif not written.startswith("#"):
                self.resources.setdefault(uri, place)
                self._bases[place.file][place.pointer] = uri
        self.dynamic.add(self.base(place), place, node)
        for keyword in _ANCHORS:
            name = node.get(keyword)
            if isinstance(name, str):
                self.anchors.setdefault((self.base(place), name), place)


def gathered(files: Files, start: dict[str, Json], unknown: frozenset[str] = frozenset()) -> Gathered:
    """The documents that the schemas in `start` reach, references rewritten to where they lead.

    Args:
        start: the documents to begin with, by file.
        unknown: keywords that the draft does not know: they are taken out.

    Raises:
        BadInput: a file that can't be read or parsed, a reference out of the folder.
    """
    documents: dict[str, Json] = {}
    names = _Names(unknown=unknown)
    waiting = sorted(start, reverse=True)
    while waiting:
        file = waiting.pop()
        if file in documents:
            continue
        if len(documents) >= MAX_FILES:
            raise bad_input("contract-too-many-files", f"split over more than {MAX_FILES} files", file=file)
        document = start[file] if file in start else _optional(files, file)
        if isinstance(document, Absent):
            continue
        documents[file] = document
        waiting += sorted(names.add(file, document), reverse=True)
    unread = _settled(documents, names, next(iter(start)) if len(start) == 1 else None)
    digest = _digest(files, documents)
    return Gathered(documents, digest, unread, tuple(sorted(names.marks)), tuple(sorted(names.passed)))


def _optional(files: Files, file: str) -> Json | Absent:
    """The value of a file that a reference names, ABSENT when there is none."""
    try:
        return parse_text(files.load(file), file)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return Absent.ABSENT
    except BadInput as error:
        if all(problem.code in ("file-missing", "file-not-regular") for problem in error.problems):
            return Absent.ABSENT
        raise


def _digest(files: Files, documents: dict[str, Json]) -> str:
    digests = [hashlib.sha256(files.load(file)).hexdigest() for file in sorted(documents)]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def _settled(documents: dict[str, Json], names: _Names, only: str | None) -> tuple[UnsupportedConstruct, ...]:
    """Writes every reference as file and pointer, in the documents that were parsed for this contract.

    Args:
        documents: all of them.
        names: what stands where.
        only: the file that every value starts at, None where there are several.
    """
    unread: list[UnsupportedConstruct] = []
    problems: list[Problem] = []
    settled: list[tuple[_Ref, Place]] = []
    entry = names.base(Place(only, "")) if only is not None else ""
    for ref in names.refs:
        target = next((place for place in _candidates(names, ref) if _is_there(documents, place)), None)
        kind, _, _ = classify_ref(ref.place.file, ref.text)
        if target is not None:
            meant = target if ref.keyword == "$ref" else names.dynamic.target(_anchor(ref), target, entry)
            if meant is not None:
                settled.append((ref, meant))
            else:
                unread.append(
                    UnsupportedConstruct(ref.place, f"{ref.keyword} {ref.text}: {_BY_WAY}", "write a `$ref` for it")
                )
        elif kind is RefKind.OUTSIDE and names.base(ref.place).startswith("file:"):
            problems.append(_outside(ref))
        else:
            found, advice = _FOUND.get(kind, _FOUND[RefKind.REMOTE])
            unread.append(UnsupportedConstruct(ref.place, f"the reference {ref.text} {found}", advice))
    if problems:
        raise BadInput(problems)
    for ref, target in settled:
        _write(ref, _written(ref.place.file, target))
    return tuple(unread)


def _anchor(ref: _Ref) -> str:
    """The name of the dynamic anchor that a reference asks for."""
    return "" if ref.keyword == RECURSIVE else unquote(urldefrag(ref.text)[1])


def _write(ref: _Ref, text: str) -> None:
    """Puts a reference in its place as a `$ref`, or beside the one that is there."""
    del ref.holder[ref.keyword]
    if ref.keyword == "$ref" or "$ref" not in ref.holder:
        ref.holder["$ref"] = text
        return
    every = ref.holder.get("allOf")
    ref.holder["allOf"] = [*(every if isinstance(every, list) else []), {"$ref": text}]


def _candidates(names: _Names, ref: _Ref) -> Iterator[Place]:
    """Where a reference may lead: by identifiers, else by the names of files."""
    uri, fragment = urldefrag(_joined(names.base(ref.place), ref.text))
    fragment = unquote(fragment)
    resource = names.resources.get(uri)
    if resource is not None and (not fragment or fragment.startswith("/")):
        yield Place(resource.file, resource.pointer + fragment)
    if (uri, fragment) in names.anchors:
        yield names.anchors[uri, fragment]
    kind, file, fragment = classify_ref(ref.place.file, ref.text)
    if kind in (RefKind.LOCAL, RefKind.FILE):
        yield Place(file, fragment)
        if (_uri(file), fragment) in names.anchors:
            yield names.anchors[_uri(file), fragment]


def _is_there(documents: dict[str, Json], place: Place) -> bool:
    if place.file not in documents or (place.pointer and not place.pointer.startswith("/")):
        return False
    return not isinstance(follow(documents[place.file], place.pointer), Absent)


def _written(file: str, target: Place) -> str:
    """A reference from one file to a place in the same or another one."""
    up = "../" * file.count("/")
    named = "" if target.file == file else up + quote(target.file)
    return f"{named}#{quote(target.pointer, safe=_PLAIN)}" if target.pointer or not named else named


def _outside(ref: _Ref) -> Problem:
    return Problem(
        code="ref-outside-bundle",
        found=f"the reference {ref.text} leads out of the folder",
        file=ref.place.file,
        place=f"#{ref.place.pointer}",
        advice="only files inside the contract's folder are read: move the file there",
    )


def _is_uri(written: str, node: dict[str, Json]) -> bool:
    """Draft 4's `id` is an identifier only where it looks like one: many schemas describe a member called `id`."""
    return "$id" in node or "$schema" in node or "/" in written or written.startswith("#")


def _joined(base: str, written: str) -> str:
    try:
        return urljoin(base, written)
    except ValueError:
        return written


def _uri(file: str) -> str:
    return "file:///" + quote(file)


DEFAULT: Final = SchemaDialect.ANY_DRAFT
"""What a schema is read as that names no draft: authors write keywords of several."""

_HEADING: Final = frozenset({"$schema", "$id", "id", "$comment", "title", "description"})
_ASSERTING: Final = frozenset(
    {*CHOICES, "type", "enum", "const", "$ref", "required", "items", "not", "if", "properties", "patternProperties"}
    | {"additionalProperties", "$dynamicRef", "$recursiveRef", "dependentSchemas", "prefixItems", "pattern", "format"}
)


def read(files: Files) -> Contract:
    """The contract that one schema, or a folder of schemas, describes.

    Raises:
        BadInput: every file that can't be read, `jsonschema-empty`, `ref-outside-bundle`.
    """
    start = _folder(files) if files.is_folder else {files.entry: files.root}
    dialect, unread = _dialect(start)
    found = gathered(files, start, UNKNOWN[dialect] if dialect is not None else frozenset())
    dialect = dialect or DEFAULT
    entries = {file: document for file, document in found.documents.items() if file in start}
    events = tuple(_events(entries, dialect, alone=not files.is_folder))
    if not events:
        advice = "a schema has `type`, `properties`, `$defs` or another keyword of JSON Schema"
        raise bad_input("jsonschema-empty", "no event is described", file=files.entry, advice=advice)
    first = next(iter(entries.values()), None)
    head = first if isinstance(first, dict) and not files.is_folder else {}
    return Contract(
        kind=ContractKind.JSON_SCHEMA,
        version=dialect.value,
        title=str(head.get("title", "")),
        release=str(head.get("version", "")) if not isinstance(head.get("version"), dict | list) else "",
        path=files.entry,
        sha256=found.sha256,
        root=_document(files.entry or next(iter(entries)), events, found),
        documents=found.documents,
        unread=(*unread, *found.unread),
    )


def _folder(files: Files) -> dict[str, Json]:
    """The schemas of a folder by file; other documents in it are left alone."""
    found: dict[str, Json] = {}
    problems: list[Problem] = []
    for name in files.named(*ENDINGS):
        try:
            document = parse_text(files.load(name), name)
        except BadInput as error:
            problems += error.problems
            continue
        if is_schema(document):
            found[name] = document
    if problems:
        raise BadInput(problems)
    return found


def _dialect(entries: Mapping[str, Json]) -> tuple[SchemaDialect | None, list[UnsupportedConstruct]]:
    """The draft of the contract: the first that is named, None for none; what is named otherwise is told."""
    found: SchemaDialect | None = None
    unread: list[UnsupportedConstruct] = []
    for file, document in entries.items():
        written = document.get("$schema") if isinstance(document, dict) else None
        if written is None:
            continue
        named = draft_of(written)
        place = Place(file, "/$schema")
        if named is None:
            unread.append(
                UnsupportedConstruct(place, f"an unknown draft: {written}", f"the schema is read as {found or DEFAULT}")
            )
        elif found is not None and named is not found:
            unread.append(
                UnsupportedConstruct(place, f"another draft beside {found}: {written}", f"all are read as {found}")
            )
        else:
            found = named
    return found, unread


def _events(entries: Mapping[str, Json], dialect: SchemaDialect, *, alone: bool) -> Iterator[Element]:
    """One event per schema; a document that only holds shared schemas describes an event with each, when alone."""
    for file, document in entries.items():
        place = Place(file, "")
        if isinstance(document, dict) and _ASSERTING.isdisjoint(document) and not _is_bare(document):
            for key in SHARED if alone else ():
                members = document.get(key)
                for name, node in members.items() if isinstance(members, dict) else ():
                    if isinstance(node, (dict, bool)):
                        yield _event(name, ValueSet(place.child(key, name), node, dialect))
        else:
            yield _event("event" if alone else _stem(file), ValueSet(place, document, dialect))


def _is_bare(document: Mapping[str, Json]) -> bool:
    """True for a schema that names a draft and shares nothing: whatever it says, it says of one event."""
    says = bool(document.keys() - _HEADING)
    return says and HOST in str(document.get("$schema")) and not any(key in document for key in SHARED)


def _stem(file: str) -> str:
    for ending in (*(f".schema{end}" for end in ENDINGS), *ENDINGS):
        if file.lower().endswith(ending):
            return file[: -len(ending)]
    return file


def _event(name: str, value: ValueSet) -> Element:
    return Element(
        kind=ElementKind.OPERATION,
        key=name,
        name=name,
        aspect=Aspect.METHODS,
        place=value.place,
        role=Role.MESSAGE,
        children=tuple(_message(direction, value) for direction in (Direction.READ, Direction.WRITTEN)),
    )


def _message(direction: Direction, value: ValueSet) -> Element:
    return Element(
        kind=ElementKind.MESSAGE,
        key=direction.value,
        name=direction.value,
        aspect=Aspect.CONTENT_TYPES,
        place=value.place,
        role=Role.MESSAGE,
        direction=direction,
        value=value,
    )


def _document(file: str, events: tuple[Element, ...], found: Gathered) -> Element:
    told = (("readOnly and writeOnly", found.marks), ("keywords of other drafts", found.passed))
    return Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name="",
        aspect=Aspect.ANNOTATIONS,
        place=Place(file, ""),
        role=Role.DOCUMENT,
        facets=tuple(Facet(name, Aspect.ANNOTATIONS, list[Json](each), on_wire=False) for name, each in told if each),
        children=events,
    )
