"""The kind-neutral contract: a tree of elements with roles and direction, and value sets by reference.

Readers build it, `ledger` pairs two of them. Nothing here knows OpenAPI, and nothing here compares.
References are never expanded: a value set is a place in a document, resolved when somebody looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Final, NamedTuple

from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, ClosedVocabulary, ContractKind, Direction, Form, Json, Role


class ElementKind(ClosedVocabulary):
    DOCUMENT = "document"
    SERVER = "server"
    SECURITY_SCHEME = "security-scheme"
    SECURITY = "security"
    OPERATION = "operation"
    PARAMETER = "parameter"
    BODY = "body"
    MEDIA_TYPE = "media-type"
    ENCODING = "encoding"
    RESPONSE = "response"
    HEADER = "header"
    HEADERS = "headers"
    LINK = "link"
    CALLBACK = "callback"
    MESSAGE = "message"
    SCHEMA = "schema"
    PROPERTY = "property"
    CHANNEL = "channel"
    REPLY = "reply"
    BINDING = "binding"
    TYPE = "type"
    FIELD = "field"
    ENUM_VALUE = "enum-value"
    MEMBER = "member"
    ONEOF = "oneof"
    SERVICE = "service"
    EXTENSION = "extension"
    DIRECTIVE = "directive"
    ARGUMENT = "argument"
    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    ATTRIBUTE = "attribute"
    OVERLOAD = "overload"


class SchemaDialect(ClosedVocabulary):
    """How a schema node is to be read; `ANY_DRAFT`: as 2020-12 with the keywords that older drafts had."""

    SWAGGER_2 = "swagger-2.0"
    OPENAPI_3_0 = "openapi-3.0"
    OPENAPI_3_1 = "openapi-3.1"
    DRAFT_4 = "draft-4"
    DRAFT_6 = "draft-6"
    DRAFT_7 = "draft-7"
    DRAFT_2019_09 = "draft-2019-09"
    DRAFT_2020_12 = "draft-2020-12"
    ANY_DRAFT = "any draft"


_WRITTEN_PLACE: Final = re.compile(r"(.*?)#(|/.*|L[0-9]+)", re.DOTALL)


class Place(NamedTuple):
    """Where something stands: file as named in the bundle, and a JSON pointer without '#', or `L12` for line 12."""

    file: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.file}#{self.pointer}"

    @classmethod
    def at_line(cls, file: str, line: int) -> Place:
        """The place of a line, counted from 1, of a contract that is text and no JSON or YAML."""
        return cls(file, f"L{line}")

    @classmethod
    def read(cls, text: str) -> Place:
        """The place that a text names; a file's name may hold `#`. All is the file where no pointer ends it."""
        found = _WRITTEN_PLACE.fullmatch(text)
        return cls(found[1], found[2]) if found is not None else cls(text, "")

    @property
    def line(self) -> int | None:
        """The line, None for a JSON pointer."""
        return int(self.pointer[1:]) if self.pointer.startswith("L") else None

    def child(self, *keys: str | int) -> Place:
        """The place of a member below this one, keys escaped per RFC 6901."""
        pointer = self.pointer
        for key in keys:
            step = key if type(key) is str else str(key)
            # Few keys need escaping, and this is the hottest line of every reader.
            if "/" in step or "~" in step:
                step = step.replace("~", "~0").replace("/", "~1")
            pointer = f"{pointer}/{step}"
        return Place(self.file, pointer)


@frozen
class ValueSet:
    """The values a position admits: a schema node, the place it is written at, and its dialect."""

    place: Place
    node: Json
    dialect: SchemaDialect


class Facet(NamedTuple):
    """One comparable property of an element that is no child and no value set.

    Attributes:
        name: the keyword as written (`style`, `required`, `operationId`, `scheme`).
        aspect: which aspect of the wire it belongs to.
        value: its effective value, defaults of the format applied; ABSENT when it has none.
        on_wire: False for what never reaches the wire (descriptions, operation ids): its change is noise.
        pointer: where it is written, relative to the element's place, or its line (`L12`); "" when it is a default.
    """

    name: str
    aspect: Aspect
    value: Form
    on_wire: bool = True
    pointer: str = ""


@frozen(kw_only=True)
class Element:
    """One named part of a contract.

    Attributes:
        kind: what it is.
        key: pairs it with its counterpart among siblings of the same kind; equal keys within one kind and
            parent never occur. Free of names that do not reach the wire (path parameter names, component names).
        name: how people write it, for display.
        aspect: the aspect that its own addition or removal belongs to.
        place: where it is written.
        role, direction: of the message it belongs to; direction is None where nothing is read or written.
        in_error: True inside a 4xx, 5xx or `default` response.
        facets: comparable properties, by unique name.
        value: the value set, for parameters, media types, headers and messages.
        children: in document order.
        operations: the operations whose messages hold it, for an element that stands below none of them (a named type).
        required: whether every message has to hold it, for an element whose facets say so in other words.
    """

    kind: ElementKind
    key: str
    name: str
    aspect: Aspect
    place: Place
    role: Role
    direction: Direction | None = None
    in_error: bool = False
    facets: tuple[Facet, ...] = ()
    value: ValueSet | None = None
    children: tuple[Element, ...] = ()
    operations: tuple[str, ...] = ()
    required: bool | None = None

    def facet(self, name: str) -> Form | None:
        """The value of the facet called `name`, None when the element has no such facet."""
        return next((facet.value for facet in self.facets if facet.name == name), None)


@frozen
class UnsupportedConstruct:
    """Something that a reader met and could not understand; it stays visible as a row."""

    place: Place
    found: str
    advice: str = ""


@frozen(kw_only=True)
class Contract:
    """One parsed contract.

    Attributes:
        kind, version: the format and its version (`openapi`, `3.0.3`).
        title, release: what the document calls itself and its own release.
        path: the entry file as the user named it.
        sha256: of the entry file's bytes; of the sorted files' digests when it is split over files.
        root: the document element; its children are servers, security schemes and operations.
        documents: every file read, by name, as plain JSON values. `resolve` walks them.
        unread: what could not be understood.
        discriminates: True where a discriminator selects one of the branches beside it.
    """

    kind: ContractKind
    version: str
    title: str
    release: str
    path: str
    sha256: str
    root: Element
    documents: Mapping[str, Json] = field(repr=False)
    unread: tuple[UnsupportedConstruct, ...] = ()
    discriminates: bool = False

    @property
    def operations(self) -> tuple[Element, ...]:
        """The operations or messages, in document order."""
        return tuple(child for child in self.root.children if child.kind is ElementKind.OPERATION)
