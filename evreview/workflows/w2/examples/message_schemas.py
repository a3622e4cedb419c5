"""A contract's schemas as messages of one direction have to meet them, and the notes that stand beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.contract.model import Contract, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Direction, Json
from evreview.schema.to_json_schema import Source
from evreview.workflows.w2.contract_rows import HIDDEN

# Members that are kept back included.
#
# OpenAPI 3.0.3, 4.7.24: what is `required` and `readOnly` is owed in responses only. `Source` says so of a member and
# a `required` that stand in one schema object; here the same holds where `allOf` brings them together.


_MOST_PARTS: Final = 100


class SentSource(Source):
    """The schemas of one contract for messages of one direction."""

    def __init__(self, contract: Contract, direction: Direction | None) -> None:
        super().__init__(contract, direction)
        self._mark = HIDDEN.get(direction, "") if direction is not None else ""
        self._refs = Resolver(contract.documents)

    def _convert(self, value: ValueSet) -> Json:
        node = value.node
        if not self._mark or not isinstance(node, Mapping) or not isinstance(node.get("allOf"), list):
            return super()._convert(value)
        kept = frozenset(self._kept_back(value.place, node))
        return super()._convert(replace(value, node=_without(node, kept)) if kept else value)

    def _kept_back(self, place: Place, node: Json) -> Iterator[str]:
        """The members that a schema or a part of it marks as never sent."""
        waiting: list[tuple[Place, Json]] = [(place, node)]
        for _ in range(_MOST_PARTS):
            if not waiting:
                return
            found = self._refs.follow(*waiting.pop())
            if found is None or not isinstance(found[1], Mapping):
                continue
            at, part = found[0], dict(found[1])
            properties, parts = part.get("properties"), part.get("allOf")
            for name, member in properties.items() if isinstance(properties, Mapping) else ():
                if not self.owed(member, at.child("properties", name)):
                    yield name
            waiting += [(at, each) for each in parts] if isinstance(parts, list) else []


def _without(node: Mapping[str, Json], kept: frozenset[str]) -> Json:
    """The node, and what is written in its `allOf`, without demanding what is kept back."""
    made = dict(node)
    if isinstance(made.get("required"), list):
        made["required"] = [name for name in made["required"] if name not in kept]  # type: ignore[union-attr]
    parts = made.get("allOf")
    if isinstance(parts, list):
        made["allOf"] = [_without(part, kept) if isinstance(part, Mapping) else part for part in parts]
    return made


# What a contract writes beside a schema and validators pass over: marks, discriminators, its own examples.


_MOST_READ: Final = 40
StatedValue = tuple[Json, Place]
Tag = tuple[str, str]


class Annotations:
    """The notes of one contract, for messages of one direction."""

    def __init__(self, contract: Contract, source: Source, direction: Direction | None) -> None:
        self._resolver = Resolver(contract.documents)
        self._documents = contract.documents
        self._source = source
        self._mark = HIDDEN.get(direction) if direction is not None else None
        self._kept: dict[int, tuple[Json, bool]] = {}

    def is_unsent(self, schema: Json) -> bool:
        """True for a member that is never sent in this direction."""
        if self._mark is None or not isinstance(schema, dict):
            return False
        known = self._kept.get(id(schema))
        if known is None:
            found = any(node.get(self._mark) is True for _, node in self.nodes(schema))
            known = self._kept[id(schema)] = (schema, found)
        return known[1]

    def stated(self, schema: Json) -> Iterator[StatedValue]:
        """The values that a contract gives for a schema, each with its place: examples, then the default."""
        for place, node in self.nodes(schema):
            yield from examples_of(place, node)
        for place, node in self.nodes(schema):
            if "default" in node:
                yield node["default"], place.child("default")

    def tag(self, union: Json, branch: Json) -> Tag | None:
        """The member that tells a union's branches apart and what it holds in `branch`, None without one."""
        return next(self._tags(self.nodes(union, branches=False), branch), None)

    def own_tag(self, reference: Json) -> Tag | None:
        """The same for a named schema by itself: its own discriminator's, or that of a schema that it is made of."""
        return next(self._tags(self.nodes(reference), reference), None)

    def heirs(self, reference: Json, dialect: SchemaDialect) -> tuple[Json, ...]:
        """The schemas that a named schema's own discriminator maps to, unless itself or a union is meant."""
        for place, node in self.nodes(reference, branches=False):
            about = node.get("discriminator")
            mapping = about.get("mapping") if isinstance(about, Mapping) else None
            if isinstance(mapping, Mapping) and not {"oneOf", "anyOf"} & node.keys():
                named = [self._source.reference(place, _as_ref(str(ref)), dialect) for ref in mapping.values()]
                return () if reference in named else tuple(named)
        return ()

    def _tags(self, nodes: Iterator[tuple[Place, Mapping[str, Json]]], branch: Json) -> Iterator[Tag]:
        if not isinstance(branch, Mapping) or not isinstance(branch.get("$ref"), str):
            return
        at = self._source.place(str(branch["$ref"]).removeprefix("#/$defs/"))
        for place, node in nodes:
            about = node.get("discriminator")
            name = about.get("propertyName") if isinstance(about, Mapping) else about
            if isinstance(name, str) and at is not None:
                yield name, self._mapped(place, about, at)

    def _mapped(self, place: Place, about: Json, at: Place) -> str:
        """What the mapping says of a schema; the schema's own name where it says nothing."""
        mapping = about.get("mapping") if isinstance(about, Mapping) else None
        for tag, ref in mapping.items() if isinstance(mapping, Mapping) else ():
            end = self._resolver.target(place, _as_ref(str(ref)))
            if end is not None and end[0] == at:
                return str(tag)
        return at.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")

    def nodes(self, schema: Json, *, branches: bool = True) -> Iterator[tuple[Place, Mapping[str, Json]]]:
        """The nodes as written that speak about the same value; only through references without `branches`."""
        waiting, seen = [schema], 0
        while waiting and seen < _MOST_READ:
            node = waiting.pop(0)
            seen += 1
            if not isinstance(node, Mapping):
                continue
            place = self._source.origin(node)
            written = follow(self._documents.get(place.file), place.pointer) if place is not None else None
            if place is not None and isinstance(written, Mapping):
                yield place, written
            ref = node.get("$ref")
            if isinstance(ref, str):
                waiting.append(self._source.definition(ref.removeprefix("#/$defs/")))
            parts = node.get("allOf") if branches else None
            waiting += list(parts) if isinstance(parts, list) else []


def examples_of(place: Place, node: Mapping[str, Json]) -> Iterator[StatedValue]:
    """The examples that a schema, parameter, header or media type gives."""
    for key in ("example", "x-example"):
        if key in node:
            yield node[key], place.child(key)
    many = node.get("examples")
    if isinstance(many, list):
        yield from ((value, place.child("examples", at)) for at, value in enumerate(many[:_MOST_READ]))
    elif isinstance(many, Mapping):
        for name, value in list(many.items())[:_MOST_READ]:
            if isinstance(value, Mapping) and "value" in value:
                yield value["value"], place.child("examples", name, "value")


def _as_ref(written: str) -> str:
    """A discriminator names a schema or refers to it."""
    return written if any(sign in written for sign in "#/.") else f"#/components/schemas/{written}"
