"""Rows about enums and their values, tried in a field that holds the enum on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Change, Plane
from evreview.kinds.protobuf.prover_elements import Tried, tried
from evreview.kinds.protobuf.round_trips import Field, Lost, Trial, lost, misread
from evreview.proof.kinds.protobuf_sides import holder_of
from evreview.proof.kinds.protobuf_spots import Spot, Spots

KEPT: Final = "a reader of bytes that has no name for the number keeps the number"
UNSET: Final = "by a printer that writes unset fields too, always_print_fields_with_no_presence"
BY_HAND: Final = "by hand: parsers take every name, printers write the first one"
OWN_DEFAULT: Final = "every field that holds the enum has a default of its own, or none"
NO_HOLDER: Final = "no message of both sides holds the enum in the same field"


class EnumRows:
    """Tries rows about enums."""

    def __init__(self, spots: Spots) -> None:
        self._spots = spots

    def tried(self, delta: Delta, spot: Spot) -> Tried | None:
        """What trials say, None where the rule decides or nothing holds the enum."""
        types = (spot.released, spot.candidate) if delta.element is ElementKind.TYPE else spot.around
        old, new = types
        if old is None or new is None or old.facet("kind") != "enum":
            return None
        if delta.element is ElementKind.TYPE:
            return self._type(delta, spot, (old, new)) if delta.facet in ("enum_type", "default") else None
        if delta.facet == "":
            return self._came_or_went(delta, spot, (old, new))
        return self._named(spot, (old, new)) if delta.facet == "names" else None

    def _type(self, delta: Delta, spot: Spot, types: tuple[Element, Element]) -> Tried | None:
        fields = self._fields(types, spot, unset=delta.facet == "default")
        if not fields:
            return Tried((), polarity=spot.polarity, alike=OWN_DEFAULT) if delta.facet == "default" else None
        if delta.facet == "default":
            numbers = (fields[0].number,)
            return tried(fields, Trial(contents=lambda _: ({},), numbers=numbers), spot.polarity)
        beyond = 1 + max(int(child.key) for element in types for child in element.children)
        unknown = Trial(contents=lambda one: ({one.number: [beyond]},))
        writing = [one for one in fields if not one.mine.enum_type.is_closed]
        return tried(writing, unknown, spot.polarity)

    def _came_or_went(self, delta: Delta, spot: Spot, types: tuple[Element, Element]) -> Tried | None:
        """The value, written by the side that has it; a reader of JSON is taken to ignore what it does not know."""
        writer = "released" if delta.change is Change.REMOVED else "candidate"
        fields = self._fields(types, spot)
        if not fields:
            return None
        value = Trial(contents=lambda one: ({one.number: [spot.number]},))
        losses: list[Lost] = []
        for one in (each for each in fields if each.writer.name == writer):
            binary = lost(one, value, Plane.BINARY)
            told = lost(one, value, Plane.JSON) if binary or delta.change is Change.REMOVED else None
            losses += [loss for loss in (binary, told) if loss is not None]
        return Tried(tuple(losses), polarity=spot.polarity, alike=KEPT)

    def _named(self, spot: Spot, types: tuple[Element, Element]) -> Tried | None:
        fields = self._fields(types, spot)
        value = Trial(contents=lambda one: ({one.number: [spot.number]},))
        found = tried(fields, value, spot.polarity)
        return found if found.losses else replace(found, losses=tuple(_unread_names(spot, fields)))

    def _fields(self, types: tuple[Element, Element], spot: Spot, *, unset: bool = False) -> list[Field]:
        """A field that holds the enum, as its senders write it; `unset`: one that reads the enum's default.

        Where no message of both sides holds it, one that is made to: whoever uses the enum has such a field.
        """
        held = False
        for message, number in self._holders.get(types[0].name, ()):
            other = self._spots.aligned.names.get(message, message)
            made = [self._spots.field(writer, (message, other), number) for writer in spot.writers]
            found = [one for one in made if one is not None and _holds(one, types)]
            held = held or len(found) == len(spot.writers)
            if len(found) == len(spot.writers) and not (unset and _reads_itself(found[0])):
                return found
        if unset and held:
            return []
        names = holder_of(types[0].name), holder_of(types[1].name)
        holders = [self._spots.field(writer, names, 1) for writer in spot.writers]
        return [one for one in holders if one is not None]

    @cached_property
    def _holders(self) -> dict[str, list[tuple[str, int]]]:
        """By enum the released fields that hold it, single ones first."""
        found: dict[str, list[tuple[str, int]]] = {}
        many: dict[str, list[tuple[str, int]]] = {}
        for message in self._spots.sides[0].messages():
            for one in () if message.GetOptions().map_entry else message.fields:
                if one.enum_type is not None:
                    kept = many if one.is_repeated else found
                    kept.setdefault(one.enum_type.full_name, []).append((message.full_name, one.number))
        return {name: found.get(name, []) + many.get(name, []) for name in found.keys() | many.keys()}


def _unread_names(spot: Spot, fields: Sequence[Field]) -> Iterator[Lost]:
    """JSON with an old name of the value that the candidate does not know; a new one is written by nobody's printer."""
    before, after = (side.facet("names") if side is not None else None for side in (spot.released, spot.candidate))
    lost_names = (
        [name for name in before if name not in after] if isinstance(before, list) and isinstance(after, list) else []
    )
    for one in fields:
        for name in lost_names if one.writer.name == "released" else ():
            loss = misread(one, str(name), UNSET if name == before[0] else BY_HAND)  # type: ignore[index]
            if loss is not None:
                yield loss


def _holds(one: Field, types: tuple[Element, Element]) -> bool:
    """True when both sides hold the enum in the field, each its own, and both in one value or in several."""
    mine, theirs = one.mine, one.theirs
    if mine is None or theirs is None or mine.enum_type is None or theirs.enum_type is None:
        return False
    names = {mine.enum_type.full_name, theirs.enum_type.full_name}
    return names == {element.name for element in types} and bool(mine.is_repeated == theirs.is_repeated)


def _reads_itself(one: Any) -> bool:
    """True when an unset field does not read as the enum's first value."""
    return any(side.is_repeated or side.has_default_value for side in (one.mine, one.theirs))
