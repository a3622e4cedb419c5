"""Values of a message against the value sets of one contract, by whichever validator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from evreview.contract.model import Contract, Element, ValueSet
from evreview.core.json_text import names_in, sorted_text
from evreview.core.vocabulary import Direction, Json
from evreview.messages.media_types import is_json
from evreview.messages.message import Violation, placed
from evreview.messages.value_types import TypeOutline, outline
from evreview.schema.to_json_schema import Source, closed, gaps
from evreview.schema.validators import Ask, SchemaCheck, SchemaError

Key = tuple[str, str, Direction | None]
_OFTEN = 12
_FAR = 60
"""Definitions that a schema may reach to be compiled as a whole; smaller parts are cheaper for few values."""
UNREAD = "a part of the schema could not be read"
UNUSABLE = "the schema cannot be used by the validator"


@dataclass(slots=True)
class Notes:
    """What is found while one message is judged.

    Attributes:
        violations: demands that are not met.
        open: why something could not be judged.
        read: the values as the contract reads them, by part.
    """

    violations: list[Violation] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    read: dict[str, Json] = field(default_factory=dict)

    def add(self, other: Notes) -> None:
        """What was found of a part."""
        self.violations += other.violations
        self.open += other.open
        self.read |= other.read


class Judge:
    """The value sets of one contract, ready to be asked."""

    def __init__(self, contract: Contract, check: SchemaCheck, *, whole: bool = False) -> None:
        """`whole`: hand every definition to the validator, not only what the instance has members for."""
        self.contract = contract
        self._check = check
        self._whole = whole
        self._sources: dict[Direction | None, Source] = {}
        self._outlines: dict[Key, TypeOutline] = {}
        self._known: dict[tuple[str, str, Direction | None, str], tuple[SchemaError, ...] | str] = {}
        self._often: Counter[Key] = Counter()
        self._prepared: dict[Key, Ask | None] = {}

    def source(self, direction: Direction | None) -> Source:
        """The contract's schemas in one direction."""
        if direction not in self._sources:
            self._sources[direction] = Source(self.contract, direction)
        return self._sources[direction]

    def outline(self, element: Element) -> TypeOutline:
        """The kinds of values that an element's schema speaks of."""
        value = element.value
        if value is None:
            return TypeOutline()
        key = (value.place.file, value.place.pointer, element.direction)
        if key not in self._outlines:
            source = self.source(element.direction)
            self._outlines[key] = outline(source.schema(value), source.definition)
        return self._outlines[key]

    def body_outline(self, media: Element, content_type: str) -> TypeOutline:
        """The outline of a media type's schema; JSON says itself what its values are."""
        return TypeOutline() if is_json(content_type) else self.outline(media)

    def any_of(self, element: Element, readings: Sequence[Json], part: str, notes: Notes) -> None:
        """Notes what the first reading breaks, unless one of the readings breaks nothing."""
        value = element.value
        if value is None:
            notes.read[part] = readings[0]
            return
        first: tuple[SchemaError, ...] | None = None
        for reading in readings:
            found = self.errors(value, element.direction, reading)
            if isinstance(found, str):
                notes.open.append(found)
                return
            if not found:
                notes.read[part] = reading
                return
            first = found if first is None else first
        source = self.source(element.direction)
        notes.violations.extend(placed(first or (), value, source, self.contract, part))

    def errors(self, value: ValueSet, direction: Direction | None, instance: Json) -> tuple[SchemaError, ...] | str:
        """What an instance breaks; a text when that cannot be said."""
        key = (value.place.file, value.place.pointer, direction, sorted_text(instance))
        if key not in self._known:
            self._known[key] = self._asked(value, direction, instance)
        return self._known[key]

    def _asked(self, value: ValueSet, direction: Direction | None, instance: Json) -> tuple[SchemaError, ...] | str:
        whole = self._ready(value, direction)
        if whole is None:
            source = self.source(direction)
            keep = frozenset(names_in(instance)).__contains__
            schema = closed(source.schema(value), source.definition, None if self._whole else keep)
            if self._whole and gaps(schema):
                # What nobody could read matters only where the instance has members for it.
                schema = closed(source.schema(value), source.definition, keep)
            if gaps(schema):
                return UNREAD
            whole = self._check.prepared(schema)
        found = whole(instance) if whole is not None else None
        return UNUSABLE if found is None else found

    def _ready(self, value: ValueSet, direction: Direction | None) -> Ask | None:
        """The whole schema made ready, once a value set was asked about often and does not reach too far."""
        key = (value.place.file, value.place.pointer, direction)
        self._often[key] += 1
        if self._often[key] <= (0 if self._whole else _OFTEN):
            return None
        if key not in self._prepared:
            source = self.source(direction)
            schema = closed(source.schema(value), source.definition)
            reached = len(schema.get("$defs", ())) if isinstance(schema, dict) else 0
            usable = not gaps(schema) and (self._whole or reached <= _FAR)
            self._prepared[key] = self._check.prepared(schema) if usable else None
        return self._prepared[key]
