"""What every reader of JSON documents shares: where references lead, and what could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from evreview.contract.model import Element, Facet, Place, SchemaDialect, UnsupportedConstruct, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Aspect, Json

Node = dict[str, Json]


class Reading:
    """One reading of one contract. Collects the unread rows."""

    def __init__(self, dialect: SchemaDialect, resolver: Resolver, root: Node, entry: str) -> None:
        self.dialect = dialect
        self.resolver = resolver
        self.root = root
        self.place = Place(entry, "")
        self._unread: dict[tuple[Place, str], UnsupportedConstruct] = {}

    @property
    def unread(self) -> tuple[UnsupportedConstruct, ...]:
        """What could not be understood so far, in reading order."""
        return tuple(self._unread.values())

    def skip(self, place: Place, found: str, advice: str = "") -> None:
        """Records that the thing at `place` was not read."""
        self._unread.setdefault((place, found), UnsupportedConstruct(place, found, advice))

    def resolve(self, node: Json, place: Place, what: str) -> tuple[Node, Place] | None:
        """The mapping that `node` is or refers to and where that is written; None, recorded, when there is none."""
        if isinstance(node, dict) and not isinstance(node.get("$ref"), str):
            return node, place
        found = self.resolver.follow(place, node)
        if found is None:
            self.skip(place, f"{what}: its $ref leads nowhere", "correct the reference, or supply the missing part")
            return None
        place, target = found
        if not isinstance(target, dict):
            self.skip(place, f"{what}: not an object", "write it as an object")
            return None
        return target, place

    def member(self, item: Json, owner: Place, key: str | int, what: str) -> tuple[Node, Place] | None:
        """`resolve` for a member of something at `owner`; the member's own place is made only when it is needed."""
        if isinstance(item, dict) and isinstance(item.get("$ref"), str):
            found = self.resolver.follow(owner, item)
            if found is not None and isinstance(found[1], dict):
                return found[1], found[0]
        return self.resolve(item, owner.child(key), what)

    def mapping(self, node: Node, key: str, place: Place) -> Node:
        """The mapping below `key`; an empty one, recorded when something else stands there."""
        value = node.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.skip(place.child(key), f"{key}: not an object", "write it as an object")
            return {}
        return value

    def listing(self, node: Node, key: str, place: Place) -> list[Json]:
        """The list below `key`; an empty one, recorded when something else stands there."""
        value = node.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.skip(place.child(key), f"{key}: not a list", "write it as a list")
            return []
        return value

    def flag(self, node: Node, key: str, place: Place, *, default: bool = False) -> bool:
        """The boolean below `key`; the default, recorded when something else stands there."""
        value = node.get(key, default)
        if isinstance(value, bool):
            return value
        self.skip(place.child(key), f"{key}: neither true nor false", "write true or false")
        return default

    def schema(self, node: Node, key: str, place: Place) -> ValueSet | None:
        """The value set below `key`, None when there is none."""
        if key not in node:
            return None
        schema = node[key]
        if not isinstance(schema, dict | bool):
            self.skip(place.child(key), "a schema that is neither an object nor a boolean", "write it as an object")
            return None
        return ValueSet(place.child(key), schema, self.dialect)


# What the elements of every such document say, whatever their kind.


ANNOTATION_KEYS: Final = frozenset({"summary", "description", "externalDocs", "tags", "example", "examples"})
_SUNSET_KEYS: Final = frozenset({"x-sunset", "sunset"})


def described(node: Node) -> list[Facet]:
    """The facets that every described object has: annotations, extensions and the announced end, as far as written."""
    return [
        Facet(key, Aspect.DEPRECATION, value, True, f"/{key}")
        if key in _SUNSET_KEYS
        else Facet(key, Aspect.ANNOTATIONS, value, False, f"/{key}" if key in ANNOTATION_KEYS else pointer((key,)))
        for key, value in node.items()
        if key in ANNOTATION_KEYS or key[:2] == "x-" or key in _SUNSET_KEYS
    ]


def unique(items: Iterable[Element | None], scope: Reading) -> tuple[Element, ...]:
    """The elements without the ones that repeat a key of their kind, which are recorded."""
    kept: dict[tuple[object, str], Element] = {}
    for item in items:
        if item is None:
            continue
        if (item.kind, item.key) in kept:
            scope.skip(item.place, f"{item.kind} {item.name}: declared twice", "keep one of the two")
            continue
        kept[item.kind, item.key] = item
    return tuple(kept.values())


# Where schemas stand in a document that holds others too.


_DATA: Final = frozenset({"const", "default", "enum", "example", "examples"})
"""Below these stands data, and what looks like a reference there is none."""
_NAMING: Final = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
"""Below these stand names that the author chose."""


def schemas(place: Place, document: Json) -> Iterator[tuple[Place, dict[str, Json]]]:
    """Every object below a place that may be a schema, an outer one before those inside it."""
    stack: list[tuple[Place, Json, bool]] = [(place, document, False)]
    while stack:
        place, node, names = stack.pop()
        if isinstance(node, dict):
            if not names:
                yield place, node
            kept = [key for key, member in node.items() if isinstance(member, (dict, list))]
            inner = [key for key in kept if names or key not in _DATA]
            stack += [(place.child(key), node[key], not names and key in _NAMING) for key in reversed(inner)]
        elif isinstance(node, list):
            stack += [(place.child(at), node[at], False) for at in reversed(range(len(node)))]


# The drafts of JSON Schema: how a schema names one, and the keywords that each of them does not know.
#
# What a draft does not know its validators pass over (draft 4 validation, section 4.3, and later ones likewise), so
# that it decides nothing. Sources: the changes that each draft lists against the one before it.


_URI: Final = re.compile(r"https?://json-schema\.org/(?:draft[-/])?(04|06|07|2019-09|2020-12|schema)(?:/schema)?#?")
_NAMED: Final[Mapping[str, SchemaDialect]] = {
    "04": SchemaDialect.DRAFT_4,
    "06": SchemaDialect.DRAFT_6,
    "07": SchemaDialect.DRAFT_7,
    "2019-09": SchemaDialect.DRAFT_2019_09,
    "2020-12": SchemaDialect.DRAFT_2020_12,
    "schema": SchemaDialect.DRAFT_2020_12,
}
_IN_6: Final = frozenset({"const", "contains", "propertyNames"})
_IN_7: Final = frozenset({"if", "then", "else", "contentEncoding", "contentMediaType"})
_IN_2019: Final = frozenset(
    {"dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "minContains", "maxContains"}
    | {"$recursiveRef"}
)
_IN_2020: Final = frozenset({"prefixItems", "$dynamicRef"})
UNKNOWN: Final[Mapping[SchemaDialect, frozenset[str]]] = {
    SchemaDialect.DRAFT_4: _IN_6 | _IN_7 | _IN_2019 | _IN_2020,
    SchemaDialect.DRAFT_6: _IN_7 | _IN_2019 | _IN_2020,
    SchemaDialect.DRAFT_7: _IN_2019 | _IN_2020,
    SchemaDialect.DRAFT_2019_09: _IN_2020,
    SchemaDialect.DRAFT_2020_12: frozenset({"$recursiveRef", "additionalItems"}),
}
"""Keywords that decide something in another draft, and nothing in this one. `dependencies` stays where it is: what a
schema converts it to says whether it counts."""


def draft_of(written: Json) -> SchemaDialect | None:
    """The draft that a `$schema` names, None for one that is not known."""
    match = _URI.fullmatch(written) if isinstance(written, str) else None
    return _NAMED[match[1]] if match is not None else None
