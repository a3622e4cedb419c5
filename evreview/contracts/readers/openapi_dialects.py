"""Schemas of OpenAPI 3.1 in a draft that `jsonSchemaDialect` or a component's own `$schema` names.

OpenAPI 3.1, section 4.8.24.5: both decide how a schema is read. What the named draft does not know its validators pass
over, so it is taken out here, and told as noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.contract.json_reader import UNKNOWN, draft_of
from evreview.contract.model import Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.contracts.readers.jsonschema_files import schemas
from evreview.contracts.readers.openapi_scope import Scope, Version
from evreview.core.vocabulary import Json

_REF_ALONE: Final = (SchemaDialect.DRAFT_4, SchemaDialect.DRAFT_6, SchemaDialect.DRAFT_7)
_NAMED: Final = frozenset(
    {"callbacks", "content", "encoding", "examples", "headers", "links", "mapping", "parameters", "pathItems", "paths"}
    | {"requestBodies", "responses", "schemas", "scopes", "securitySchemes", "variables", "webhooks"}
)
"""Below these stand names that the author chose."""
_DATA: Final = frozenset({"default", "enum", "example", "examples", "value"})


@dataclass(slots=True)
class _Reading:
    """What is read by which draft: places that were visited, and what was taken out."""

    resolver: Resolver
    visited: set[Place] = field(default_factory=set)
    passed: list[Json] = field(default_factory=list)

    def read(self, place: Place, node: Json, draft: SchemaDialect, *, alone: bool) -> None:
        """Takes out what `draft` does not know, also behind references; `alone`: and what stands beside `$ref`."""
        waiting = [(place, node)]
        while waiting:
            place, node = waiting.pop()
            for at, schema in schemas(place, node):
                if at in self.visited:
                    continue
                self.visited.add(at)
                ref = schema.get("$ref")
                lost = schema.keys() - {"$ref"} if alone and isinstance(ref, str) else UNKNOWN[draft] & schema.keys()
                for keyword in sorted(lost):
                    del schema[keyword]
                    self.passed.append(f"{at} {keyword}")
                found = self.resolver.target(at, ref) if isinstance(ref, str) else None
                waiting += [found] if found is not None and found[0].file != at.file else []


def passed_over(scope: Scope) -> list[Json]:
    """Takes out of the documents what the drafts that their schemas name do not know; the places of all of it."""
    if scope.version is not Version.V31:
        return []
    reading = _Reading(scope.resolver)
    for place, node in _components(scope):
        own = draft_of(node.get("$schema"))
        if own is None or own in (scope.dialect, SchemaDialect.DRAFT_2020_12):
            continue
        if scope.dialect is SchemaDialect.OPENAPI_3_1:
            reading.read(place, node, own, alone=own in _REF_ALONE)
        else:
            scope.skip(place.child("$schema"), "another schema dialect than the document's", "write both in one")
    if scope.dialect in UNKNOWN:
        for place, schema in _roots(scope.place, scope.root):
            reading.read(place, schema, scope.dialect, alone=False)
    return reading.passed


def _components(scope: Scope) -> Iterator[tuple[Place, dict[str, Json]]]:
    components = scope.root.get("components")
    named = components.get("schemas") if isinstance(components, Mapping) else None
    for name, node in named.items() if isinstance(named, dict) else ():
        if isinstance(node, dict) and "$schema" in node:
            yield scope.place.child("components", "schemas", name), node


def _roots(place: Place, root: Json) -> Iterator[tuple[Place, Json]]:
    """Every schema that does not stand in another one."""
    waiting: list[tuple[Place, Json, str]] = [(place, root, "")]
    while waiting:
        place, node, around = waiting.pop()
        if isinstance(node, list):
            waiting += [(place.child(at), member, "") for at, member in enumerate(node)]
        if not isinstance(node, dict):
            continue
        for key, member in node.items():
            named = around in _NAMED
            if (around == "schemas") if named else key == "schema":
                yield place.child(key), member
            elif named or (key not in _DATA and not key.startswith("x-")):
                waiting.append((place.child(key), member, "" if named or isinstance(member, list) else key))
