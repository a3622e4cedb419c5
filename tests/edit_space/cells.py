"""The walk: every keyword at every position and in every nesting, in every form that can say it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zlib import crc32

from evreview.contract.model import Contract
from tests.edit_space.forms import Form, Schema
from tests.edit_space.keyword_table import KEYWORDS, SHARED
from tests.edit_space.keywords import Keyword
from tests.edit_space.nestings import COMPONENT, NESTINGS, PROPERTY, ROOT, Nesting
from tests.edit_space.oracle import Samples, Side
from tests.edit_space.positions import POSITIONS, Position, document
from tests.edit_space.values import GENERAL
from tests.pipeline import contract


@dataclass(frozen=True)
class Place:
    """A position, a nesting and a form: where edits are made."""

    position: Position
    nesting: Nesting
    form: Form

    @property
    def name(self) -> str:
        """For a test's id."""
        return f"{self.form.value} {self.position.name}, {self.nesting.name}"


@dataclass(frozen=True)
class Cell:
    """One edit at one place."""

    place: Place
    keyword: Keyword
    released: int
    candidate: int

    @property
    def name(self) -> str:
        """For a report."""
        states = f"{self.keyword.spelled(self.released)} -> {self.keyword.spelled(self.candidate)}"
        return f"{self.place.name}: {self.keyword.name} {states}"

    @property
    def about(self) -> str:
        """The keyword, for the tables."""
        return self.keyword.name

    @property
    def where(self) -> str:
        """The place, for the tables."""
        return self.place.name

    @property
    def text(self) -> bool:
        """True when the values are written as texts."""
        return self.place.position.text

    def contracts(self) -> tuple[Contract, Contract]:
        """Both contracts."""
        return _contract(self.place, self.keyword, self.released), _contract(self.place, self.keyword, self.candidate)

    def sides(self) -> tuple[Side, Side]:
        """Who sends and who expects, for the oracle."""
        released, candidate = (_side(self.place, self.keyword, at) for at in (self.released, self.candidate))
        return (released, candidate) if self.place.position.read else (candidate, released)

    def samples(self) -> Samples:
        """Sampled values of the whole position."""
        position = self.place.position
        return _samples(self.place.nesting, self.keyword, position.field, position.name == "path parameter")


BODIES: Final = tuple(position for position in POSITIONS if position.name in ("request body", "success response"))
LEVELS: Final = (ROOT, PROPERTY)


def places() -> Iterator[Place]:
    """Every position with the value itself and with a member of it; every nesting in a read and a written body."""
    for form in Form:
        for position in POSITIONS:
            for nesting in NESTINGS if position in BODIES else LEVELS:
                bare = position.plain and form is Form.V20
                if form in position.forms & nesting.forms and not (bare and nesting is not ROOT):
                    yield Place(position, nesting, form)


def cells(place: Place, share: int = 1) -> Iterator[Cell]:
    """The edits that can be made at a place: all of them, or the fixed part of them that 1 in `share` is."""
    yield from (cell for cell in _cells(place) if share == 1 or crc32(cell.name.encode()) % share == 0)


def _cells(place: Place) -> Iterator[Cell]:
    for keyword in KEYWORDS:
        if place.form not in keyword.forms:
            continue
        usable = [at for at in range(len(keyword.states)) if _sayable(place, keyword.schema(at))]
        for released, candidate in keyword.edits():
            if released in usable and candidate in usable:
                yield Cell(place, keyword, released, candidate)


def _sayable(place: Place, schema: Schema) -> bool:
    """False for what a form has no way to write at a place."""
    if place.form is not Form.V31 and isinstance(schema, bool):
        return False
    return place.position.expresses(schema, place.form)


def _parts(place: Place, keyword: Keyword, state: int) -> tuple[Schema, dict[str, Schema]]:
    """The schema at the position, and what it refers to."""
    schema = keyword.schema(state)
    named = dict(SHARED) if "components/schemas" in json.dumps(schema) else {}
    if place.nesting.shared:
        named[COMPONENT] = place.nesting.around(schema)
        return place.form.named(COMPONENT), named
    return place.nesting.around(schema), named


@lru_cache(maxsize=256)
def _contract(place: Place, keyword: Keyword, state: int) -> Contract:
    schema, named = _parts(place, keyword, state)
    return contract(document(place.position, schema, place.form, named))


def _side(place: Place, keyword: Keyword, state: int) -> Side:
    schema, named = _parts(place, keyword, state)
    if place.position.field:
        schema = {"type": "object", "properties": {"f": schema}}
    text = json.dumps([schema, named])
    # Only members hidden from one direction make the direction matter.
    return _known(text, place.form, place.position.read or not _ACCESS.intersection(text.split('"')))


_ACCESS: Final = frozenset({"readOnly", "writeOnly"})


@lru_cache(maxsize=8192)
def _known(text: str, form: Form, read: bool) -> Side:
    schema, named = json.loads(text)
    return Side(schema, named, form, read=read)


@lru_cache(maxsize=8192)
def _samples(nesting: Nesting, keyword: Keyword, field: bool, path: bool) -> Samples:
    """`path`: a segment of a path is never empty."""
    inner = (*keyword.samples, *GENERAL)
    whole = (*(value for at in inner for value in nesting.carry(at)), *nesting.beside, *GENERAL)
    whole = tuple(value for value in whole if not (path and value == ""))
    return Samples(({}, *({"f": value} for value in whole)) if field else whole)
