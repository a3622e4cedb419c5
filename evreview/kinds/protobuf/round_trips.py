"""Trials: what one side writes, and what the other one reads of it, for one field, on one wire, in one direction."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from evreview.comparison.component_identity import address, element_step
from evreview.comparison.delta import Delta
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Json, Plane
from evreview.kinds.protobuf.alignment import AlignedContracts, aligned_types
from evreview.kinds.protobuf.codec import (
    ContractMessages,
    DecodedMessage,
    Same,
    is_bounded,
    json_name,
    lists,
    put,
    same,
    shown,
    values_of,
    without_added,
)

PLANES: Final = (Plane.BINARY, Plane.JSON)


@frozen
class LossyMessage:
    """A message that its reader refuses, or reads otherwise than it was written.

    Attributes:
        writer, reader: the sides.
        types: the message's full name on the writer's and the reader's side.
        numbers: the fields that show it.
        payload: as it travels, in hexadecimal or as JSON.
        wrote, read: what the writer meant and the reader sees, or why it refuses.
        member: the JSON names of the one field on both sides, where the name is not what differs.
        means: how the writer's side comes to write it, "" for what its printers write by default.
    """

    plane: Plane
    writer: str
    reader: str
    types: tuple[str, str]
    numbers: tuple[int, ...]
    payload: str
    wrote: Json
    read: Json
    refused: bool
    member: tuple[str, str] | None = None
    means: str = ""

    @property
    def backward(self) -> bool:
        """True when the candidate fails on what the released side wrote."""
        return self.writer == "released"

    def witness(self) -> Json:
        """As a row carries it."""
        types = dict(zip((self.writer, self.reader), self.types, strict=True))
        found: dict[str, Json] = {
            "message": {
                "type": types["released"],
                **({"candidate_type": types["candidate"]} if types["candidate"] != types["released"] else {}),
                "wire": self.plane.value,
                "written_by": self.writer,
                "fields": list(self.numbers),
                "payload": self.payload,
                **({"means": self.means} if self.means else {}),
            },
            "accepted_by": self.writer,
            "refused_by": self.reader,
            "reads": {self.writer: self.wrote, self.reader: self.read},
        }
        if self.member is not None:
            found["member"] = {self.writer: self.member[0], self.reader: self.member[1]}
        return found

    def told(self) -> str:
        """In one line, what happens."""
        how, them = ("bytes", "them") if self.plane is Plane.BINARY else ("JSON", "it")
        after = f"refuses {them}: {self.read}" if self.refused else f"reads {_text(self.read)}"
        wrote = f"{_text(self.wrote)}{f' ({self.means})' if self.means else ''}"
        return f"{how} in which the {self.writer} side wrote {wrote}: the {self.reader} side {after}"


def _text(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:117]}…"


@frozen
class Field:
    """One field on both sides, the writer's first.

    Attributes:
        messages: the descriptors of the message that holds it.
        number: of the field.
    """

    writer: ContractMessages
    reader: ContractMessages
    messages: tuple[Any, Any]
    number: int
    partners: Same

    @property
    def mine(self) -> Any:
        """The writer's field."""
        return self.writer.field(self.messages[0], self.number)

    @property
    def theirs(self) -> Any:
        """The reader's field."""
        return self.reader.field(self.messages[1], self.number)

    @property
    def names(self) -> tuple[str, str]:
        """The full names of the message on both sides."""
        return self.messages[0].full_name, self.messages[1].full_name

    @property
    def bounded(self) -> bool:
        """True when there are more kinds of values than are tried."""
        return is_bounded(self.mine, self.theirs, self.partners)


@frozen
class RoundTrip:
    """How one row is tried.

    Attributes:
        contents: what the writer puts in: by field number its values. None: the field's own values.
        by_name: True where the JSON name is what differs.
        numbers: the fields to look at; None: those that are put in.
    """

    contents: Callable[[Field], Iterable[Mapping[int, Sequence[Any]]]] | None = None
    by_name: bool = False
    planes: tuple[Plane, ...] = PLANES
    numbers: tuple[int, ...] | None = None


def lost(one: Field, trial: RoundTrip, plane: Plane) -> LossyMessage | None:
    """The first message of a trial that its reader refuses or reads otherwise, None when there is none."""
    return next(_lost(one, trial, plane), None)


def _lost(one: Field, trial: RoundTrip, plane: Plane) -> Iterator[LossyMessage]:
    member = None if trial.by_name or plane is Plane.BINARY else _members(one)
    for content in _contents(one, trial):
        numbers = tuple(content) if trial.numbers is None else trial.numbers
        message = one.writer.new(one.messages[0])
        for number, values in content.items():
            put(message, one.writer.field(one.messages[0], number), values)
        one.writer.complete(message)
        if plane is Plane.JSON and one.writer.name == "candidate":
            without_added(message, one.messages[1])
        payload = one.writer.written(message, plane)
        if payload is None:
            continue
        reading = one.reader.read(one.messages[1], plane, renamed(payload, member), numbers)
        if reading.refused or not _reads_alike(one, message, reading, numbers):
            yield _found(one, (plane, payload, member), numbers, (message, reading))


def dropped(one: Field) -> LossyMessage | None:
    """The first content of a field that its reader has no such field for: it keeps the value as unknown."""
    for content in lists(one.mine, one.partners):
        message = one.writer.new(one.messages[0])
        put(message, one.mine, content)
        one.writer.complete(message)
        payload = one.writer.written(message, Plane.BINARY)
        if payload and one.theirs is None:
            return _found(one, (Plane.BINARY, payload, None), (one.number,), (message, DecodedMessage()))
    return None


def reads_moved(one: Field, number: int) -> bool:
    """True when JSON of a field reads alike in the field of another number that has its JSON name."""
    theirs = one.reader.field(one.messages[1], number)
    for content in lists(one.mine, one.partners, theirs):
        message = one.writer.new(one.messages[0])
        put(message, one.mine, content)
        payload = one.writer.written(message, Plane.JSON)
        reading = one.reader.read(one.messages[1], Plane.JSON, payload or "{}", (number,))
        wrote, read = values_of(message, one.mine), reading.values.get(number, ())
        alike = same(wrote, one.mine, read, theirs, one.partners) or _unwritten(one.mine, wrote, read)
        if payload is None or reading.refused or not alike:
            return False
    return True


def misread(one: Field, name: str, means: str) -> LossyMessage | None:
    """JSON in which a field holds a name that its writer's side reads and the other one does not."""
    value: Json = [name] if one.mine.is_repeated else name
    payload = json.dumps({json_name(one.mine): value})
    meant = one.writer.read(one.messages[0], Plane.JSON, payload, (one.number,))
    member = _members(one)
    reading = one.reader.read(one.messages[1], Plane.JSON, renamed(payload, member), (one.number,))
    if meant.message is None or not reading.refused:
        return None
    found = _found(one, (Plane.JSON, payload, member), (one.number,), (meant.message, reading))
    return replace(found, means=means)


def _contents(one: Field, trial: RoundTrip) -> Iterable[Mapping[int, Sequence[Any]]]:
    if trial.contents is not None:
        return trial.contents(one)
    return ({one.number: content} for content in lists(one.mine, one.partners, one.theirs))


def _reads_alike(one: Field, message: Any, reading: DecodedMessage, numbers: Sequence[int]) -> bool:
    for number in numbers:
        mine, theirs = (
            side.field(held, number) for side, held in zip((one.writer, one.reader), one.messages, strict=True)
        )
        if mine is None or theirs is None:
            # Kept as unknown: nothing is read otherwise.
            continue
        wrote, read = values_of(message, mine), reading.values.get(number, ())
        if not same(wrote, mine, read, theirs, one.partners) and not _unwritten(mine, wrote, read):
            return False
    return True


def _unwritten(mine: Any, wrote: Sequence[Any], read: Sequence[Any]) -> bool:
    """True for a zero that its writer leaves out, and a list that its reader finds empty."""
    return not (mine.is_repeated or mine.has_presence or read) and list(wrote) == [mine.default_value]


def _members(one: Field) -> tuple[str, str] | None:
    """The JSON names of the field, where they differ: their own rows are about that."""
    mine, theirs = one.mine, one.theirs
    if mine is None or theirs is None or mine.is_extension or json_name(mine) == json_name(theirs):
        return None
    return json_name(mine), json_name(theirs)


def renamed(payload: str, member: tuple[str, str] | None) -> str:
    """A JSON object with one member under its other name."""
    if member is None:
        return payload
    held = json.loads(payload)
    return json.dumps({member[1] if name == member[0] else name: value for name, value in held.items()})


def _found(
    one: Field,
    sent: tuple[Plane, str, tuple[str, str] | None],
    numbers: tuple[int, ...],
    seen: tuple[Any, DecodedMessage],
) -> LossyMessage:
    (plane, payload, member), (message, reading) = sent, seen
    wrote = told_of(one.writer, one.messages[0], {number: _held(one, message, number) for number in numbers})
    read: Json = reading.refused or told_of(one.reader, one.messages[1], reading.values)
    return LossyMessage(
        plane, one.writer.name, one.reader.name, one.names, numbers, payload, wrote, read, bool(reading.refused), member
    )


def _held(one: Field, message: Any, number: int) -> Sequence[Any]:
    field_ = one.writer.field(one.messages[0], number)
    return () if field_ is None else values_of(message, field_)


def told_of(side: ContractMessages, message: Any, values: Mapping[int, Sequence[Any]]) -> Json:
    """What a side reads, by field name."""
    found: dict[str, Json] = {}
    for number, held in values.items():
        one = side.field(message, number)
        if one is not None:
            found[one.full_name if one.is_extension else one.name] = shown(one, held)
    return found or "nothing that it knows"


# Where a row stands, on both sides.


@frozen
class RowElements:
    """The element of a row on both sides, and the element around it; None on the side that has none."""

    released: Element | None
    candidate: Element | None
    around: tuple[Element | None, Element | None] = (None, None)

    @property
    def direction(self) -> Direction | None:
        """READ or WRITTEN where both sides use it only so."""
        found = {side.direction for side in (self.released, self.candidate) if side is not None}
        return found.pop() if len(found) == 1 else None

    @property
    def number(self) -> int:
        """The number of a field, extension or value."""
        held = self.released or self.candidate
        return int(held.key.rpartition(" ")[2]) if held is not None else 0

    @property
    def writers(self) -> tuple[int, ...]:
        """Whose messages reach the other side: 0 for the released side, 1 for the candidate."""
        return {Direction.READ: (0,), Direction.WRITTEN: (1,)}.get(self.direction, (0, 1))  # type: ignore[arg-type]


class RowElementFinder:
    """Finds the spot of each row."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self.contracts = released, candidate
        self.sides = ContractMessages("released", released), ContractMessages("candidate", candidate)

    @cached_property
    def aligned(self) -> AlignedContracts:
        """Both contracts with paired parts under one key."""
        return aligned_types(*self.contracts)

    @cached_property
    def _by_address(self) -> dict[str, RowElements]:
        found: dict[str, RowElements] = {}
        self._gather((), (self.aligned.released.root, self.aligned.candidate.root), found)
        return found

    def _gather(self, steps: tuple[str, ...], both: tuple[Element, Element], found: dict[str, RowElements]) -> None:
        old, new = both
        others = {(child.kind, child.key): child for child in new.children}
        for child in old.children:
            other = others.pop((child.kind, child.key), None)
            below = (*steps, element_step(child))
            found[address(below)] = RowElements(child, other, both)
            if other is not None:
                self._gather(below, (child, other), found)
        for child in others.values():
            found.setdefault(address((*steps, element_step(child))), RowElements(None, child, both))

    def of(self, delta: Delta) -> RowElements:
        """The spot of a row; without elements for a row of no element."""
        return self._by_address.get(delta.address, RowElements(None, None))

    def partners(self, writer: str, left: str, right: str) -> bool:
        """True when a type of the writer and one of the other side are one type."""
        before, after = (left, right) if writer == "released" else (right, left)
        return self.aligned.names.get(before, before) == after

    def fields(self, spot: RowElements) -> list[Field]:
        """The field of a spot as each side that sends its message writes it and the other one reads it."""
        held = spot.released or spot.candidate
        if held is None:
            return []
        if held.kind is ElementKind.EXTENSION:
            extendee = held.key.rpartition(" ")[0]
            names = (extendee, self.aligned.names.get(extendee, extendee))
        else:
            names = tuple("" if side is None else side.name for side in spot.around)  # type: ignore[assignment]
        made = (self.field(writer, names, spot.number) for writer in spot.writers)
        return [one for one in made if one is not None]

    def field(self, writer: int, names: tuple[str, str], number: int) -> Field | None:
        """A field of a message as one side writes and the other one reads it.

        Args:
            writer: 0 for the released side, 1 for the candidate.
            names: the message's full names, the released first.
            number: of the field; 0 for the message as a whole.
        """
        sides = self.sides if writer == 0 else (self.sides[1], self.sides[0])
        named = names if writer == 0 else (names[1], names[0])
        mine, theirs = (side.type(name) for side, name in zip(sides, named, strict=True))
        if mine is None or theirs is None:
            return None
        return Field(
            sides[0], sides[1], (mine, theirs), number, lambda left, right: self.partners(sides[0].name, left, right)
        )
