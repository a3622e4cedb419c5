"""What every part of the OpenAPI reader shares: the version, where references lead, what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from evreview.contracts.model import Element, Facet, Place, SchemaDialect, Unread, ValueSet
from evreview.contracts.refs import Resolver
from evreview.documents.pointer import pointer
from evreview.vocab import Aspect, Form, Json, Polarity, Role, Word

Node = dict[str, Json]


class Version(Word):
    """The three families of the format; patch releases do not differ in what they mean."""

    V2 = "2.0"
    V30 = "3.0"
    V31 = "3.1"


class Position(NamedTuple):
    """Which message the elements below belong to, and who writes it."""

    role: Role
    polarity: Polarity | None
    in_error: bool = False


@dataclass(frozen=True, slots=True)
class Sides:
    """The two positions of an operation: what arrives at the operation, and what it answers."""

    request: Position
    response: Position

    def errors(self) -> Position:
        """The position of an error response."""
        return Position(self.response.role, self.response.polarity, in_error=True)


PRODUCER: Final = Sides(Position(Role.REQUEST, Polarity.READ), Position(Role.RESPONSE, Polarity.WRITTEN))
WEBHOOK: Final = Sides(Position(Role.WEBHOOK, Polarity.WRITTEN), Position(Role.WEBHOOK, Polarity.READ))
CALLBACK: Final = Sides(Position(Role.CALLBACK, Polarity.WRITTEN), Position(Role.CALLBACK, Polarity.READ))
DOCUMENT: Final = Position(Role.DOCUMENT, None)

ANNOTATION_KEYS: Final = frozenset({"summary", "description", "externalDocs", "tags", "example", "examples"})
_SUNSET_KEYS: Final = frozenset({"x-sunset", "sunset"})

Key = tuple[object, ...]


class Scope:
    """One reading of one contract. Collects the unread rows and remembers elements that references share."""

    def __init__(self, version: Version, dialect: SchemaDialect, resolver: Resolver, root: Node, entry: str) -> None:
        self.version = version
        self.dialect = dialect
        self.resolver = resolver
        self.root = root
        self.place = Place(entry, "")
        self.shared: dict[Key, Element] = {}
        self.scheme_keys: Mapping[str, str] | None = None
        self.open_callbacks: list[Place] = []
        self.nested_callbacks = 0
        self._unread: dict[tuple[Place, str], Unread] = {}

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What could not be understood so far, in reading order."""
        return tuple(self._unread.values())

    def skip(self, place: Place, found: str, advice: str = "") -> None:
        """Records that the thing at `place` was not read."""
        self._unread.setdefault((place, found), Unread(place, found, advice))

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


def members(node: Node) -> Iterator[tuple[str, Json]]:
    """The members of a mapping that are no extensions (`x-…`)."""
    return ((key, value) for key, value in node.items() if not key.startswith("x-"))


@lru_cache(maxsize=4096)
def _shared_facet(name: str, aspect: Aspect, value: str | bool | None, where: str) -> Facet:
    return Facet(name, aspect, value, True, where)


def facet(node: Mapping[str, Json], name: str, aspect: Aspect, value: Form) -> Facet:
    """A facet on the wire whose value is the effective one; its pointer tells whether it is written."""
    where = f"/{name}" if name in node else ""
    if type(value) is bool or type(value) is str:
        return _shared_facet(name, aspect, value, where)
    return Facet(name, aspect, value, True, where)


def described(node: Node) -> list[Facet]:
    """The facets that every described object has: annotations, extensions and the announced end, as far as written."""
    return [
        Facet(key, Aspect.DEPRECATION, value, True, f"/{key}")
        if key in _SUNSET_KEYS
        else Facet(key, Aspect.ANNOTATIONS, value, False, f"/{key}" if key in ANNOTATION_KEYS else pointer((key,)))
        for key, value in node.items()
        if key in ANNOTATION_KEYS or key[:2] == "x-" or key in _SUNSET_KEYS
    ]


def deprecation(node: Node, scope: Scope, place: Place) -> Facet:
    """Whether the element is deprecated, False when nothing is written."""
    return facet(node, "deprecated", Aspect.DEPRECATION, scope.flag(node, "deprecated", place))


def unique(items: Iterable[Element | None], scope: Scope) -> tuple[Element, ...]:
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
