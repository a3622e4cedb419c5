"""One normal form of a schema node, whatever its dialect: equal meanings give equal views.

A view never expands a `$ref`; members below it are `Sub` values that `merge.Views` reads when somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final, NamedTuple

from evreview.contract.model import Element, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, ClosedVocabulary, Form, Json

ALL_TYPES: Final = frozenset({"object", "array", "string", "number", "integer", "boolean"})
Key = tuple[int, ...]


class Part(NamedTuple):
    """A schema node and the place it is written at."""

    node: Json
    place: Place


@frozen
class Sub:
    """A position in a schema: every part has to hold. `owner` is the shared node it was merged from, if any."""

    parts: tuple[Part, ...]
    owner: Key | None = None

    @property
    def key(self) -> Key:
        """Identity of the written nodes; valid as long as the contract lives."""
        parts = self.parts
        # Nearly every position has one part, and this is asked more often than anything else of a schema.
        return (id(parts[0].node),) if len(parts) == 1 else tuple([id(part.node) for part in parts])

    @property
    def place(self) -> Place:
        return self.parts[0].place

    def writes(self, keywords: frozenset[str]) -> bool:
        """True when one of its nodes has one of the keywords."""
        nodes = (part.node for part in self.parts)
        return any(isinstance(node, (dict, Mapping)) and not keywords.isdisjoint(node) for node in nodes)


def value_sub(element: Element) -> Sub:
    """The value set of an element as a schema position."""
    assert element.value is not None
    return Sub((Part(element.value.node, element.value.place),))


@frozen
class Bound:
    """A numeric bound in the spelling of every dialect."""

    value: float
    exclusive: bool = False

    @property
    def form(self) -> Json:
        return {"exclusive": self.value} if self.exclusive else self.value


@frozen
class Discriminator:
    """The property that tells branches apart, and the values that stand for them (None: names of components).

    `written`: the schema that says it, where no union beside it lists the branches (see `shapes.hierarchy`).
    """

    property: str
    values: Mapping[str, str] = field(default_factory=dict)
    written: Place | None = field(default=None, compare=False)


class Edge(NamedTuple):
    """One step down: the step as addresses show it, whether direction flips, and the member."""

    step: str
    reverses: bool
    sub: Sub
    name: str = ""


Additional = Sub | bool


@frozen(kw_only=True)
class SchemaView:
    """What one schema position admits.

    Attributes:
        never: True for the schema that admits nothing.
        types: JSON types without null; None when none is declared. `integer` stands beside `number` only when both do.
        null: whether null is admitted; meaningful when `typed`.
        enum: the admitted values without null, None when they are not enumerated.
        minimum, maximum: bounds, the same for boolean and numeric exclusive keywords.
        keywords: the remaining scalar keywords by name, values that say nothing left out (`minLength: 0`).
        properties, required, additional, patterns, property_names: the object's members.
        items, prefix, contains, unevaluated_*: the rest of the content model; True is open, False is closed.
        all_of, any_of, one_of, negated, conditional: composition that could not be merged without loss.
        members: shared schemas that were merged into this view without loss.
        annotations: keywords that never reach the wire.
    """

    never: bool = False
    types: frozenset[str] | None = None
    null: bool = True
    enum: tuple[Json, ...] | None = None
    minimum: Bound | None = None
    maximum: Bound | None = None
    keywords: Mapping[str, Json] = field(default_factory=dict)
    properties: Mapping[str, Sub] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    additional: Additional = True
    patterns: Mapping[str, Sub] = field(default_factory=dict)
    property_names: Sub | None = None
    items: Additional = True
    prefix: tuple[Sub, ...] = ()
    contains: Sub | None = None
    unevaluated_properties: Additional = True
    unevaluated_items: Additional = True
    all_of: tuple[Sub, ...] = ()
    any_of: tuple[Sub, ...] = ()
    one_of: tuple[Sub, ...] = ()
    negated: Sub | None = None
    conditional: Mapping[str, Sub] = field(default_factory=dict)
    dependent_schemas: Mapping[str, Sub] = field(default_factory=dict)
    dependent_required: Mapping[str, frozenset[str]] = field(default_factory=dict)
    discriminator: Discriminator | None = None
    members: tuple[Sub, ...] = ()
    annotations: Mapping[str, Json] = field(default_factory=dict)

    @property
    def typed(self) -> bool:
        return self.types is not None

    @property
    def type_form(self) -> Form:
        """The types as JSON: one name, a sorted list, or ABSENT when none is declared."""
        if self.types is None:
            return ABSENT
        if not self.types:
            return "null"
        return next(iter(self.types)) if len(self.types) == 1 else sorted(self.types)

    @property
    def composed(self) -> bool:
        return bool(self.all_of or self.any_of or self.one_of)

    @property
    def closed(self) -> bool:
        """True when members without a name in `properties` are refused."""
        return self.additional is False or self.unevaluated_properties is False

    def may_be(self, *names: str) -> bool:
        """True when a value of one of these types is admitted."""
        if self.types is None or not names:
            return True
        return any(name in self.types or (name == "integer" and "number" in self.types) for name in names)

    def flag(self, keyword: str) -> bool:
        return self.keywords.get(keyword) is True


EVERYTHING: Final = SchemaView()
NOTHING: Final = SchemaView(never=True, types=frozenset(), null=False)


def single_edges(view: SchemaView) -> Iterator[Edge]:
    """The members that exist at most once each: items, additional members, `not`, conditions."""
    singles: tuple[tuple[str, Additional | None], ...] = (
        ("[]", view.items),
        ("{*}", view.additional),
        ("{names}", view.property_names),
        ("[contains]", view.contains),
        ("{unevaluated}", view.unevaluated_properties),
        ("[unevaluated]", view.unevaluated_items),
    )
    for step, sub in singles:
        if isinstance(sub, Sub):
            yield Edge(step, False, sub)
    if view.negated is not None:
        yield Edge("not", True, view.negated)


def named_edges(view: SchemaView) -> Iterator[Edge]:
    """The members that have a name or position of their own."""
    for name, sub in view.properties.items():
        yield Edge(property_step(name), False, sub, name)
    for pattern, sub in view.patterns.items():
        yield Edge("{~" + pattern + "}", False, sub)
    for at, sub in enumerate(view.prefix):
        yield Edge(f"[{at}]", False, sub)
    for keyword, sub in view.conditional.items():
        yield Edge(keyword, False, sub)
    for name, sub in view.dependent_schemas.items():
        yield Edge(dependent_step(name), False, sub)


class Branch(ClosedVocabulary):
    """A branch that judges the same value, as a step of an address names it."""

    ALL_OF = "allOf"
    ANY_OF = "anyOf"
    ONE_OF = "oneOf"
    IF_HAS = "if has"


_COMPOSED: Final = {"allOf": Branch.ALL_OF, "anyOf": Branch.ANY_OF, "oneOf": Branch.ONE_OF}
_IF_HAS: Final = f"{Branch.IF_HAS.value} "


def dependent_step(name: str) -> str:
    """The step into the schema that holds where a value has a member."""
    return f"{_IF_HAS}{property_step(name)}"


def branch_of(step: str) -> Branch | None:
    """The branch that a step leads into, None for any other step: `anyOf(text)`, `if has name`."""
    head, sign, _ = step.partition("(")
    if sign and head in _COMPOSED:
        return _COMPOSED[head]
    return Branch.IF_HAS if step.startswith(_IF_HAS) else None


def property_step(name: str) -> str:
    """A property name as an address shows it: the signs that addresses use themselves are escaped."""
    if name and not any(sign in name for sign in "\\>[]{}"):
        return name
    escaped = "".join("\\" + sign if sign in "\\>[]{}" else sign for sign in name)
    return escaped or '""'


_ESCAPED: Final = re.compile(r"\\(.)|\{~.*", re.DOTALL)


def read_step(step: str) -> str:
    """A step of an address as it is read: no escapes. The expression of a pattern keeps its own signs."""
    return _ESCAPED.sub(lambda found: found[1] or found[0], step)
