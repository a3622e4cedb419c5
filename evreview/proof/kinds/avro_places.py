"""Which part of an Avro schema a row is about, found by where it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evreview.contract.model import Place
from evreview.contracts.avro.model import Call, Field, Named, Schema, Type


@dataclass(frozen=True, slots=True)
class Spot:
    """A part of a schema and the named type around it, None outside of one."""

    part: Field | Named | Type | Call | str
    holder: Named | Call | None = None


@dataclass(slots=True)
class Spots:
    """The parts of one schema by their place."""

    schema: Schema
    _known: dict[Place, Spot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Finds the place of every part."""
        for place, spot in self._all():
            self._known.setdefault(place, spot)

    def at(self, place: Place | None) -> Spot | None:
        """What is written at a place, or directly around it."""
        if place is None:
            return None
        around = Place(place.file, place.pointer.rpartition("/")[0])
        return self._known.get(place) or self._known.get(around)

    def _all(self) -> Iterator[tuple[Place, Spot]]:
        for named in self.schema.names.values():
            yield named.place, Spot(named)
            for each in named.fields:
                yield each.place, Spot(each, named)
            for at, symbol in enumerate(named.symbols):
                yield named.place.child("symbols", at), Spot(symbol, named)
        for call in self.schema.calls:
            yield call.place, Spot(call)
            for each in call.request:
                yield each.place, Spot(each, call)
            yield call.response.place, Spot(call.response, call)
            yield call.errors.place, Spot(call.errors, call)
        for root in self.schema.roots.values():
            yield root.place, Spot(root)
