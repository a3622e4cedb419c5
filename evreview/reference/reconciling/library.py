"""Schemas of the code that share their definitions stand in one document, so that each is read and judged once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.contract.model import Contract, Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.core.vocabulary import ContractKind, Json, Polarity
from evreview.schema.subsumption.interned_schema import text_of
from evreview.schema.to_json_schema import Source
from evreview.schema.view import Part
from evreview.schema.views import Views

_REF: Final = "#/$defs/"
_NAMING: Final = frozenset({"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "discriminator"})
"""Keywords that may reach beyond the references of a schema."""
_DIALECT: Final = SchemaDialect.DRAFT_2020_12


class Library:
    """One document of schemas, and what was read of it.

    Args:
        contract: whose settings hold for the code's schemas too.
        file: the name of the document.
        alone: the only schema in it; () for a document that takes several.
    """

    def __init__(self, contract: Contract, file: str, alone: tuple[Json, ...] = ()) -> None:
        self._file = file
        self._definitions: dict[str, Json] = {}
        self._texts: dict[str, bytes] = {}
        self._schemas: list[Json] = []
        shared: Json = {"$defs": self._definitions, "schemas": self._schemas}
        documents: Mapping[str, Json] = {file: alone[0] if alone else shared}
        self._holder = replace(contract, kind=ContractKind.JSON_SCHEMA, documents=documents, unread=())
        self._sources: dict[Polarity, Source] = {}
        self.views = Views(Resolver(documents), _DIALECT)

    def source(self, polarity: Polarity) -> Source:
        """The document's value sets in one direction."""
        if polarity not in self._sources:
            self._sources[polarity] = Source(self._holder, polarity)
        return self._sources[polarity]

    def only(self, schema: Json) -> Part:
        """The one schema of the document."""
        return Part(_start(schema), Place(self._file, ""))

    def take(self, schema: Json, definitions: Mapping[str, bytes]) -> Part | None:
        """The schema's place in the document; None when a name means something else there already."""
        if any(self._texts.get(name, text) != text for name, text in definitions.items()):
            return None
        self._texts.update(definitions)
        for name, node in _definitions(schema).items():
            self._definitions.setdefault(name, node)
        self._schemas.append(schema)
        return Part(_start(schema), Place(self._file, "").child("schemas", len(self._schemas) - 1))


def shareable(schema: Json) -> Mapping[str, bytes] | None:
    """The texts of a schema's definitions by name; None for one that other documents than its own would change."""
    definitions = _definitions(schema)
    for node in _nodes(schema):
        ref = node.get("$ref")
        named = isinstance(ref, str) and ref.startswith(_REF) and ref.removeprefix(_REF) in definitions
        if (ref is not None and not named) or not _NAMING.isdisjoint(node):
            return None
    return {name: text_of(node) for name, node in definitions.items()}


def _definitions(schema: Json) -> Mapping[str, Json]:
    found = schema.get("$defs") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _start(schema: Json) -> Json:
    """A reference that stands alone has nothing beside it."""
    alone = isinstance(schema, Mapping) and schema.keys() == {"$ref", "$defs"}
    return {"$ref": schema["$ref"]} if alone and isinstance(schema, Mapping) else schema


def _nodes(schema: Json) -> Iterator[Mapping[str, Json]]:
    waiting: list[Json] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
