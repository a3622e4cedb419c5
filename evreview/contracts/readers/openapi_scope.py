"""What every part of the OpenAPI reader shares: the version, where references lead, what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from evreview.contract.json_reader import Reading
from evreview.contract.model import Element, Facet, Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Aspect, Form, Json, Polarity, Role, Word

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


class Scope(Reading):
    """One reading of one OpenAPI document. Remembers elements that references share."""

    def __init__(self, version: Version, dialect: SchemaDialect, resolver: Resolver, root: Node, entry: str) -> None:
        super().__init__(dialect, resolver, root, entry)
        self.version = version
        self.shared: dict[Key, Element] = {}
        self.scheme_keys: Mapping[str, str] | None = None
        self.open_callbacks: list[Place] = []
        self.nested_callbacks = 0


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


def deprecation(node: Node, scope: Reading, place: Place) -> Facet:
    """Whether the element is deprecated, False when nothing is written."""
    return facet(node, "deprecated", Aspect.DEPRECATION, scope.flag(node, "deprecated", place))


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
