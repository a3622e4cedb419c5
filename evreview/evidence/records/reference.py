"""Which sources belong to a reference, and facts about code that a reviewer declares."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from evreview.core.vocabulary import Concern
from evreview.evidence.records.base import EvidenceIdText, Record, Text


class SourceFile(Record):
    """One source file: the item that holds it, and where it stands in its repository."""

    item: EvidenceIdText
    """The evidence item of type `source excerpt` or `configuration excerpt`."""
    path: Text
    """The file's path in the repository, with `/`."""
    part: Literal["handler", "validator", "middleware", "configuration", "shared", "deployment", "test"]
    """What it is for the operations in scope; one file may stand twice."""
    revision: Text | None = None
    """Its immutable revision; without it the one that the item's integrity names."""
    first_line: int = 1
    """The number that the item's first line has in the file."""


class SourceMap(Record):
    """Content of a `source excerpt`, `test inventory` or `execution and approval record`: the inspected sources."""

    kind: Literal["source-map"] = "source-map"
    sources: tuple[SourceFile, ...]
    """Every inspected file."""


class DeclaredFact(Record):
    """One fact about the code, with the text that shows it. The quote is checked against the source."""

    id: Text
    """Usable as a locator."""
    operation: Text
    """The operation it concerns, as method and path, or `*` for all of them."""
    concern: Concern
    """Which concern it is about."""
    name: str = ""
    """The parameter, field, header, status or limit it is about."""
    location: Literal["path", "query", "header", "cookie", "body", "response"] | None = None
    """Where that stands."""
    status: int | None = None
    """The response status it belongs to."""
    media_type: Text | None = None
    """The media type it belongs to."""
    required: bool | None = None
    """Whether it has to be given."""
    accepts: dict[str, JsonValue] | None = None
    """The values it admits, as JSON Schema (2020-12), where the code shows all of them."""
    states: JsonValue = None
    """What the code states besides (a limit, a default, an error code, a side effect in words)."""
    item: EvidenceIdText
    """The source item that shows it."""
    lines: Text
    """Lines of that item, `12` or `12-20`."""
    quote: Text
    """Text that stands there."""


class DeclaredCode(Record):
    """Content of an evidence item of type `source excerpt` or `test inventory`: facts declared by the reviewer.

    For languages whose syntax evreview does not read.
    """

    kind: Literal["code-facts"] = "code-facts"
    language: Text | None = None
    """The language, in words."""
    facts: tuple[DeclaredFact, ...]
    """One per fact."""
