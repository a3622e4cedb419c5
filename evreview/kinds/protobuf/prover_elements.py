"""Rows about fields and extensions, tried: their types, cardinality, names, oneofs and defaults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Change, Form, Plane, Polarity, Verdict
from evreview.kinds.protobuf.codec import left, members, values
from evreview.kinds.protobuf.round_trips import Field, Lost, Trial, dropped, lost, reads_moved
from evreview.proof.kinds.protobuf_sides import put
from evreview.proof.kinds.protobuf_spots import Spot, Spots

READ_ALIKE: Final = "each side reads every kind of value as the other one wrote it, on both wires"
NAMED_ALIKE: Final = "printers write the JSON name, which both sides know; only one that keeps original names does not"
PRESENCE: Final = (
    "each side reads every value as the other one wrote it; whether a zero was written, only one side tells"
)
UNTOLD: Final = (
    "each side reads every value as the other one wrote it, but only the released one tells a field that was not set "
    "from one that is zero; whether anybody asks, the contract does not say"
)
FIELDS: Final = (ElementKind.FIELD, ElementKind.EXTENSION)
_UNSET: Final[tuple[Mapping[int, Sequence[Any]], ...]] = ({},)


@dataclass(frozen=True, slots=True)
class Tried:
    """What the trials of a row found.

    Attributes:
        losses: messages that are refused or read otherwise.
        bounded: whether kinds of values were left out.
        polarity: READ or WRITTEN where the message travels one way only.
        alike: what is known where nothing is lost.
        left: whether what is lost are members that answers carried before.
        untold: what one side can't tell any more although no value is lost; "" where there is no such thing.
    """

    losses: tuple[Lost, ...]
    bounded: bool = False
    polarity: Polarity | None = None
    alike: str = READ_ALIKE
    left: bool = False
    untold: str = ""


def tried_field(delta: Delta, spot: Spot, spots: Spots) -> Tried | None:
    """The trials of a row about a property of a field; None where its verdict rests on its rule."""
    made = _trial(delta, spot)
    if made is None:
        return None
    found = tried(spots.fields(spot), made, spot.polarity)
    if delta.facet == "cardinality" and not found.losses:
        sides = (delta.released, delta.candidate)
        untold = UNTOLD if sides == ("optional", "implicit") else ""
        return replace(found, alike=PRESENCE, untold=untold) if sides[0] != sides[1] else found
    if delta.facet == "type" and spot.polarity is Polarity.WRITTEN and not found.losses:
        return _with_left(found, _backward(spot, spots))
    return replace(found, alike=NAMED_ALIKE) if made.by_name else found


def _with_left(found: Tried, written: Sequence[Field]) -> Tried:
    """What was found, and what answers carried before and carry no more: a member that left breaks its readers."""
    for one in written:
        gone = lost(one, Trial(contents=_gone, by_name=True), Plane.JSON)
        if gone is not None:
            return replace(found, losses=(gone,), left=True)
    return found


def _gone(one: Field) -> Iterable[Mapping[int, Sequence[Any]]]:
    """Of a message, or of a field that holds one, what the reader's type has no field for."""
    if one.number == 0:
        yield from left(*one.messages, one.partners)
    elif one.mine is not None and one.theirs is not None and one.mine.message_type and one.theirs.message_type:
        for content in left(one.mine.message_type, one.theirs.message_type, one.partners):
            made = one.writer.new(one.mine.message_type)
            for number, values_ in content.items():
                put(made, one.mine.message_type.fields_by_number[number], values_)
            yield {one.number: [made]}


def tried(fields: Sequence[Field], made: Trial, polarity: Polarity | None = None) -> Tried:
    """A trial in each direction and on each of its wires, the binary one first."""
    found = [loss for plane in made.planes for one in fields if (loss := lost(one, made, plane)) is not None]
    bounded = not found and made.contents is None and any(one.bounded for one in fields)
    return Tried(tuple(found), bounded, polarity)


def tried_message(spots: Spots, names: tuple[str, str], polarity: Polarity) -> Tried | None:
    """Two messages of which one takes the place of the other, in the direction that they travel."""
    one = spots.field(0 if polarity is Polarity.READ else 1, names, 0)
    if one is None:
        return None
    found = tried([one], Trial(contents=lambda it: members(*it.messages, it.partners), by_name=True), polarity)
    back = spots.field(0, names, 0) if polarity is Polarity.WRITTEN and not found.losses else None
    return found if back is None else _with_left(found, [back])


def lost_field(delta: Delta, spot: Spot, spots: Spots) -> Lost | None:
    """What shows that a field left, or that a required one joined or left."""
    form = delta.released if delta.change is Change.REMOVED else delta.candidate
    if _required(form):
        unset = Trial(contents=lambda _: _UNSET, numbers=(spot.number,), planes=(Plane.BINARY,))
        return next((loss for one in spots.fields(spot) if (loss := lost(one, unset, Plane.BINARY))), None)
    if delta.change is not Change.REMOVED:
        return None
    written = [one for one in spots.fields(spot) if one.writer.name == "released"] or _backward(spot, spots)
    refused = next((loss for one in written if (loss := lost(one, Trial(), Plane.JSON))), None)
    # Another field may take the JSON name; the number is nobody's all the same.
    return refused or next((loss for one in written if (loss := dropped(one))), None)


def moved_field(delta: Delta, spot: Spot) -> Element | None:
    """The candidate's field that has the JSON name of one that left, under a number of its own; None for none."""
    if delta.element not in FIELDS or delta.facet or delta.change is not Change.REMOVED:
        return None
    old, new = spot.around
    if old is None or new is None or spot.released is None or _required(delta.released):
        return None
    kept, named = {child.key for child in old.children}, _json_name(spot.released)
    return next((child for child in new.children if child.key not in kept and _json_name(child) == named), None)


def _json_name(element: Element) -> tuple[Form | None, ...]:
    """What JSON calls a field in its message, or an extension of one."""
    facet = "json_name" if element.kind is ElementKind.FIELD else "name"
    return element.kind, element.key.rpartition(" ")[0], element.facet(facet)


def moved_planes(spot: Spot, to: Element, spots: Spots) -> tuple[tuple[Plane, Verdict], ...]:
    """What a new number does: bytes are not read at all any more, JSON and code go by the name."""
    number = int(to.key.rpartition(" ")[2])
    holder, names = to.key.rpartition(" ")[0], tuple("" if side is None else side.name for side in spot.around)
    if holder:
        names = (holder, spots.aligned.names.get(holder, holder))
    there = spots.field(0, names, spot.number)  # type: ignore[arg-type]
    back = spots.field(1, names, number)  # type: ignore[arg-type]
    ways = [(one, other) for one, other in ((there, number), (back, spot.number)) if one is not None]
    json = all(reads_moved(one, number) for one, number in ways)
    typed = ("name", "type", "cardinality")
    source = spot.released is not None and all(spot.released.facet(name) == to.facet(name) for name in typed)
    verdicts = {True: Verdict.COMPATIBLE, False: Verdict.BREAKING}
    return (Plane.BINARY, Verdict.BREAKING), (Plane.JSON, verdicts[json]), (Plane.SOURCE, verdicts[source])


def _backward(spot: Spot, spots: Spots) -> list[Field]:
    """The field as the released side writes it, though only responses carry it: a new client may call an old server."""
    names = tuple("" if side is None else side.name for side in spot.around)
    one = spots.field(0, names, spot.number)  # type: ignore[arg-type]
    return [one] if one is not None else []


def _required(form: Form) -> bool:
    return isinstance(form, Mapping) and form.get("cardinality") == "required"


def _trial(delta: Delta, spot: Spot) -> Trial | None:
    """How a row about a property of a field is tried."""
    if delta.facet == "default":
        return Trial(contents=lambda _: _UNSET, numbers=(spot.number,))
    if delta.facet == "cardinality" and "required" in (delta.released, delta.candidate):
        return Trial(contents=lambda _: _UNSET, numbers=(spot.number,))
    if delta.facet == "oneof":
        return Trial(contents=_beside)
    if delta.facet == "json_name" or (delta.facet == "name" and _named_alike(spot)):
        return Trial(by_name=True, planes=(Plane.JSON,))
    return Trial() if delta.facet in ("type", "cardinality", "packed") else None


def _named_alike(spot: Spot) -> bool:
    """True where no other row says what the name of a field does to JSON."""
    sides = (spot.released, spot.candidate)
    return len({side.facet("json_name") for side in sides if side is not None}) == 1


def _beside(one: Field) -> Iterable[Mapping[int, Sequence[Any]]]:
    """The field together with each one that shares a oneof with it for the reader, and not for the writer."""
    return _together(one, one.mine, one.theirs)


def _together(one: Field, mine: Any, theirs: Any) -> Iterator[Mapping[int, Sequence[Any]]]:
    shared = theirs.containing_oneof.fields if theirs is not None and theirs.containing_oneof is not None else ()
    for each in shared:
        other = one.messages[0].fields_by_number.get(each.number)
        if other is None or each.number == one.number or other.is_repeated:
            continue
        if other.containing_oneof is None or other.containing_oneof != mine.containing_oneof:
            first, second = (next(values(side, one.partners)) for side in (mine, other))
            yield {one.number: [first], each.number: [second]}
