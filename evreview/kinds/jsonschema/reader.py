"""JSON Schemas of events as a contract: each schema is an event, read by its consumers and written by its producers.

Drafts 4 to 2020-12. Whether the candidate reads what the released side wrote (BACKWARD) is asked of the READ
position of an event, whether the released side reads what the candidate writes (FORWARD) of the WRITTEN one. Both
hold the same schema: what is compared, contained and witnessed is the set of its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contract.json_reader import UNKNOWN, draft_of
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
from evreview.contract.source import Files
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import Aspect, ContractKind, Direction, Json, Role
from evreview.kinds.jsonschema import CHOICES, ENDINGS, HOST, SHARED, is_schema
from evreview.kinds.jsonschema.files import Gathered, gathered

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
