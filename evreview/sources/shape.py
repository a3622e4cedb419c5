"""What an annotation or a class says about values, and the state of reading one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.codefacts.model import CodeNote, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import Json
from evreview.sources.reading import check

Direction = Literal["read", "written", "sparse"]
"""Values that the code takes, values that it sends, or sends without members that are unset or null."""

Schema = dict[str, Json]
MAX_CLASSES: Final = 400
"""Classes read for one annotation."""
MAX_LEVELS: Final = 40
"""Levels of types in types for one annotation."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a type variable stands for, and where that is written."""

    scope: Scope
    expression: ast.expr
    types: Types


Types = Mapping[str, "Bound"]
NO_TYPES: Final[Types] = {}


@dataclass(frozen=True, slots=True)
class Shape:
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
    unread: tuple[UnreadCode, ...] = ()
    checks: tuple[CodeNote, ...] = ()


@dataclass(slots=True)
class Work:
    """One annotation being read. `read` reads an inner one; `names` gives each class its place in `$defs`."""

    modules: Modules
    direction: Direction
    read: Callable[[Work, Scope, ast.expr | None, Types], Schema]
    defs: dict[str, Json] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    spots: list[Spot] = field(default_factory=list)
    unread: list[UnreadCode] = field(default_factory=list)
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
            self.unread.append(UnreadCode(spot, found, advice))
        return {}

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
