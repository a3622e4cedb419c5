"""Keyword arguments of `Field`, `Query`, `conint` and their kin as JSON Schema keywords."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from evreview.codefacts.constants import constant
from evreview.codefacts.model import CodeNote, Spot, UnsupportedCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import ABSENT, Concern, Form, Json

# What a reader of one schema knows so far: whether it is exact, and what it could not tell.


Schema = dict[str, Json]
TEXT: Final[Schema] = {"type": "string"}


def check(name: str, spot: Spot, function: str) -> CodeNote:
    """A function that may refuse values which the schema admits: named, not read as a value set.

    Args:
        name: the member that it looks at, "" for the whole.
        spot: its lines.
        function: its name in the code.
    """
    return CodeNote(concern=Concern.VALIDATION, name=name, spot=spot, value=function[:200], certain=False)


def named(checks: Iterable[CodeNote], name: str) -> list[CodeNote]:
    """The checks with the name of the member around those that look at a whole."""
    return [replace(each, name=each.name or name) for each in checks]


@dataclass(frozen=True, slots=True)
class SerializerSchema:
    """The values of a schema or serializer, and the lines of the classes that say so."""

    schema: Schema
    exact: bool
    coerces: bool
    unread: tuple[UnsupportedCode, ...]
    spots: tuple[Spot, ...] = ()
    checks: tuple[CodeNote, ...] = ()


@dataclass(slots=True)
class SchemaReading:
    """The state of reading one schema. `takes` is True for what is loaded, False for what is dumped."""

    modules: Modules
    takes: bool
    exact: bool = field(default=True, kw_only=True)
    coerces: bool = field(default=False, kw_only=True)
    levels: int = field(default=0, kw_only=True)
    unread: list[UnsupportedCode] = field(default_factory=list, kw_only=True)
    spots: list[Spot] = field(default_factory=list, kw_only=True)
    checks: list[CodeNote] = field(default_factory=list, kw_only=True)

    def untold(self, spot: Spot, found: str, advice: str = "") -> Schema:
        """Any value, with why it can't be told."""
        self.exact = False
        self.unread.append(UnsupportedCode(spot, found, advice))
        return {}

    def shaped(self, schema: Schema) -> SerializerSchema:
        """The schema with all that was found on the way."""
        unread = tuple(dict.fromkeys(self.unread))
        return SerializerSchema(schema, self.exact, self.coerces, unread, tuple(self.spots), tuple(self.checks))

    def refuses(self, name: str, spot: Spot, function: str) -> None:
        """A function that may refuse more; `name` is the member that it looks at, "" for the whole."""
        self.exact = False
        self.checks.append(check(name, spot, function))


# What an annotation or a class says about values, and the state of reading one.


SchemaDirection = Literal["read", "written", "sparse"]
"""Values that the code takes, values that it sends, or sends without members that are unset or null."""

MAX_CLASSES: Final = 400
"""Classes read for one annotation."""
MAX_LEVELS: Final = 40
"""Levels of types in types for one annotation."""


@dataclass(frozen=True, slots=True)
class TypeBinding:
    """What a type variable stands for, and where that is written."""

    scope: Scope
    expression: ast.expr
    types: Types


Types = Mapping[str, "TypeBinding"]
NO_TYPES: Final[Types] = {}


@dataclass(frozen=True, slots=True)
class AnnotationSchema:
    """The values of an annotation.

    Attributes:
        schema: JSON Schema 2020-12; classes stand in `$defs`.
        exact: it is all that the code checks.
        coerces: values of other JSON types that convert, "1" for 1, are taken too.
        spots: the lines of the classes that say so.
        unread: what could not be read of it.
        checks: functions that may refuse more than the schema does.
    """

    schema: Json
    exact: bool = True
    coerces: bool = False
    spots: tuple[Spot, ...] = ()
    unread: tuple[UnsupportedCode, ...] = ()
    checks: tuple[CodeNote, ...] = ()


@dataclass(slots=True)
class AnnotationReading:
    """One annotation being read. `read` reads an inner one; `names` gives each class its place in `$defs`."""

    modules: Modules
    direction: SchemaDirection
    read: Callable[[AnnotationReading, Scope, ast.expr | None, Types], Schema]
    defs: dict[str, Json] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    spots: list[Spot] = field(default_factory=list)
    unread: list[UnsupportedCode] = field(default_factory=list)
    checks: list[CodeNote] = field(default_factory=list)
    exact: bool = True
    coerces: bool = False
    strict: bool = False
    levels: int = 0

    @property
    def takes(self) -> bool:
        return self.direction == "read"

    def any_value(self, spot: Spot | None = None, found: str = "", advice: str = "") -> Schema:
        """Any value, because what is admitted can't be told; with why, where it is worth a word."""
        self.exact = False
        if spot is not None and found:
            self.unread.append(UnsupportedCode(spot, found, advice))
        return {}

    def shaped(self, schema: Schema) -> SerializerSchema:
        """The schema with all that was found on the way."""
        unread = tuple(dict.fromkeys(self.unread))
        return SerializerSchema(schema, self.exact, self.coerces, unread, tuple(self.spots), tuple(self.checks))

    def refuses(self, name: str, spot: Spot, function: str) -> None:
        """A function that may refuse more; `name` is the member that it looks at, "" for the whole."""
        self.exact = False
        if self.takes:
            self.checks.append(check(name, spot, function))

    def lax(self, schema: Schema) -> Schema:
        """A schema whose values may also arrive as another JSON type that converts."""
        if self.takes and not self.strict:
            self.coerces = True
        return schema


NUMBERS: Final = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
}
LENGTHS: Final = {
    "min_length": ("minLength", "minItems", "minProperties"),
    "max_length": ("maxLength", "maxItems", "maxProperties"),
    "min_items": ("minItems", "minItems", "minItems"),
    "max_items": ("maxItems", "maxItems", "maxItems"),
}
PATTERNS: Final = ("pattern", "regex")
REFINING: Final = (
    "max_digits",
    "decimal_places",
    "strip_whitespace",
    "to_lower",
    "to_upper",
    "union_mode",
    "predicate",
)
"""Keywords that check or change more than JSON Schema says."""
FIELD_LIKE: Final = ("Field", "Query", "Path", "Header", "Cookie", "Body", "Form", "File")

METADATA: Final = {
    "Gt": ("gt",), "Ge": ("ge",), "Lt": ("lt",), "Le": ("le",), "MultipleOf": ("multiple_of",),
    "MinLen": ("min_length",), "MaxLen": ("max_length",), "Len": ("min_length", "max_length"),
    "Interval": (), "StringConstraints": (),
}  # fmt: skip


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    """The keyword arguments of a call."""
    return {word.arg: word.value for word in call.keywords if word.arg}


def constrained(work: AnnotationReading, scope: Scope, schema: Schema, words: Mapping[str, ast.expr]) -> Schema:
    """`schema` with what the keyword arguments demand of it."""
    for word, expression in words.items():
        value = constant(work.modules, scope, expression)
        if value is None or word not in (*NUMBERS, *LENGTHS, *PATTERNS, *REFINING):
            continue
        if value is ABSENT or word in REFINING:
            if value is not False:
                work.refuses("", scope.spot(expression), word)
            continue
        schema = _with(schema, word, value)
    return schema


def from_metadata(work: AnnotationReading, scope: Scope, schema: Schema, call: ast.Call, name: str) -> Schema:
    """`schema` with what one object in `Annotated[…]` demands; `name` is the last part of what is called."""
    if name in FIELD_LIKE or name in ("StringConstraints", "Interval"):
        return constrained(work, scope, schema, keywords(call))
    if name in METADATA:
        placed = dict(zip(METADATA[name], call.args, strict=False))
        return constrained(work, scope, schema, placed | keywords(call))
    return schema


def _with(schema: Schema, word: str, value: Form) -> Schema:
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        real = [branch for branch in branches if branch != {"type": "null"}]
        if len(real) == 1 and isinstance(real[0], dict):
            inner = [_with(branch, word, value) if branch is real[0] else branch for branch in branches]
            return schema | {"anyOf": inner}
    if word in NUMBERS:
        return schema | {NUMBERS[word]: value}
    if word in PATTERNS:
        return schema | {"pattern": value}
    return schema | {LENGTHS[word][{"array": 1, "object": 2}.get(str(schema.get("type")), 0)]: value}


def any_of(schemas: Iterable[Schema]) -> Schema:
    """Values of any of `schemas`."""
    distinct: list[Schema] = []
    for schema in schemas:
        if schema not in distinct:
            distinct.append(schema)
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
