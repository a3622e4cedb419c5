"""Rows of protobuf, tried: fields and extensions, enums, constraints of validators, HTTP routes, procedures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import WitnessJudgement
from evreview.comparison.rules.variance import ValueSetChange
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.frozen import frozen
from evreview.core.json_text import texts_of
from evreview.core.vocabulary import Change, Direction, Form, Json, Plane, Tristate, Verdict
from evreview.kinds.protobuf.alignment import referred
from evreview.kinds.protobuf.codec import holder_of, left, members, put, values
from evreview.kinds.protobuf.options import FacetName
from evreview.kinds.protobuf.round_trips import (
    Field,
    LossyMessage,
    RoundTrip,
    RowElementFinder,
    RowElements,
    dropped,
    lost,
    misread,
    reads_moved,
)
from evreview.kinds.protobuf.rules_constraints import LIMITS, demanded, effect, leaves, refusal, unjudged
from evreview.kinds.protobuf.rules_fields import is_required

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


@frozen
class TrialResult:
    """What the trials of a row found.

    Attributes:
        losses: messages that are refused or read otherwise.
        bounded: whether kinds of values were left out.
        direction: READ or WRITTEN where the message travels one way only.
        alike: what is known where nothing is lost.
        left: whether what is lost are members that answers carried before.
        untold: what one side can't tell any more although no value is lost; "" where there is no such thing.
    """

    losses: tuple[LossyMessage, ...]
    bounded: bool = False
    direction: Direction | None = None
    alike: str = READ_ALIKE
    left: bool = False
    untold: str = ""


def field_trials(delta: Delta, spot: RowElements, spots: RowElementFinder) -> TrialResult | None:
    """The trials of a row about a property of a field; None where its verdict rests on its rule."""
    made = _trial(delta, spot)
    if made is None:
        return None
    found = tried(spots.fields(spot), made, spot.direction)
    if delta.facet == "cardinality" and not found.losses:
        sides = (delta.released, delta.candidate)
        untold = UNTOLD if sides == ("optional", "implicit") else ""
        return replace(found, alike=PRESENCE, untold=untold) if sides[0] != sides[1] else found
    if delta.facet == "type" and spot.direction is Direction.WRITTEN and not found.losses:
        return _with_left(found, _backward(spot, spots))
    return replace(found, alike=NAMED_ALIKE) if made.by_name else found


def _with_left(found: TrialResult, written: Sequence[Field]) -> TrialResult:
    """What was found, and what answers carried before and carry no more: a member that left breaks its readers."""
    for one in written:
        gone = lost(one, RoundTrip(contents=_gone, by_name=True), Plane.JSON)
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


def tried(fields: Sequence[Field], made: RoundTrip, direction: Direction | None = None) -> TrialResult:
    """A trial in each direction and on each of its wires, the binary one first."""
    found = [loss for plane in made.planes for one in fields if (loss := lost(one, made, plane)) is not None]
    bounded = not found and made.contents is None and any(one.bounded for one in fields)
    return TrialResult(tuple(found), bounded, direction)


def tried_message(spots: RowElementFinder, names: tuple[str, str], direction: Direction) -> TrialResult | None:
    """Two messages of which one takes the place of the other, in the direction that they travel."""
    one = spots.field(0 if direction is Direction.READ else 1, names, 0)
    if one is None:
        return None
    found = tried([one], RoundTrip(contents=lambda it: members(*it.messages, it.partners), by_name=True), direction)
    back = spots.field(0, names, 0) if direction is Direction.WRITTEN and not found.losses else None
    return found if back is None else _with_left(found, [back])


def lost_field(delta: Delta, spot: RowElements, spots: RowElementFinder) -> LossyMessage | None:
    """What shows that a field left, or that a required one joined or left."""
    form = delta.released if delta.change is Change.REMOVED else delta.candidate
    if is_required(form):
        unset = RoundTrip(contents=lambda _: _UNSET, numbers=(spot.number,), planes=(Plane.BINARY,))
        return next((loss for one in spots.fields(spot) if (loss := lost(one, unset, Plane.BINARY))), None)
    if delta.change is not Change.REMOVED:
        return None
    written = [one for one in spots.fields(spot) if one.writer.name == "released"] or _backward(spot, spots)
    refused = next((loss for one in written if (loss := lost(one, RoundTrip(), Plane.JSON))), None)
    # Another field may take the JSON name; the number is nobody's all the same.
    return refused or next((loss for one in written if (loss := dropped(one))), None)


def moved_field(delta: Delta, spot: RowElements) -> Element | None:
    """The candidate's field that has the JSON name of one that left, under a number of its own; None for none."""
    if delta.element not in FIELDS or delta.facet or delta.change is not Change.REMOVED:
        return None
    old, new = spot.around
    if old is None or new is None or spot.released is None or is_required(delta.released):
        return None
    kept, named = {child.key for child in old.children}, _json_name(spot.released)
    return next((child for child in new.children if child.key not in kept and _json_name(child) == named), None)


def _json_name(element: Element) -> tuple[Form | None, ...]:
    """What JSON calls a field in its message, or an extension of one."""
    facet = "json_name" if element.kind is ElementKind.FIELD else "name"
    return element.kind, element.key.rpartition(" ")[0], element.facet(facet)


def moved_planes(spot: RowElements, to: Element, spots: RowElementFinder) -> tuple[tuple[Plane, Verdict], ...]:
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


def _backward(spot: RowElements, spots: RowElementFinder) -> list[Field]:
    """The field as the released side writes it, though only responses carry it: a new client may call an old server."""
    names = tuple("" if side is None else side.name for side in spot.around)
    one = spots.field(0, names, spot.number)  # type: ignore[arg-type]
    return [one] if one is not None else []


def _trial(delta: Delta, spot: RowElements) -> RoundTrip | None:
    """How a row about a property of a field is tried."""
    if delta.facet == "default":
        return RoundTrip(contents=lambda _: _UNSET, numbers=(spot.number,))
    if delta.facet == "cardinality" and "required" in (delta.released, delta.candidate):
        return RoundTrip(contents=lambda _: _UNSET, numbers=(spot.number,))
    if delta.facet == "oneof":
        return RoundTrip(contents=_beside)
    if delta.facet == "json_name" or (delta.facet == "name" and _named_alike(spot)):
        return RoundTrip(by_name=True, planes=(Plane.JSON,))
    return RoundTrip() if delta.facet in ("type", "cardinality", "packed") else None


def _named_alike(spot: RowElements) -> bool:
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


# Rows about enums and their values, tried in a field that holds the enum on both sides.


KEPT: Final = "a reader of bytes that has no name for the number keeps the number"
UNSET: Final = "by a printer that writes unset fields too, always_print_fields_with_no_presence"
BY_HAND: Final = "by hand: parsers take every name, printers write the first one"
OWN_DEFAULT: Final = "every field that holds the enum has a default of its own, or none"
NO_HOLDER: Final = "no message of both sides holds the enum in the same field"


class EnumRows:
    """Tries rows about enums."""

    def __init__(self, spots: RowElementFinder) -> None:
        self._spots = spots

    def tried(self, delta: Delta, spot: RowElements) -> TrialResult | None:
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

    def _type(self, delta: Delta, spot: RowElements, types: tuple[Element, Element]) -> TrialResult | None:
        fields = self._fields(types, spot, unset=delta.facet == "default")
        if not fields:
            return TrialResult((), direction=spot.direction, alike=OWN_DEFAULT) if delta.facet == "default" else None
        if delta.facet == "default":
            numbers = (fields[0].number,)
            return tried(fields, RoundTrip(contents=lambda _: ({},), numbers=numbers), spot.direction)
        beyond = 1 + max(int(child.key) for element in types for child in element.children)
        unknown = RoundTrip(contents=lambda one: ({one.number: [beyond]},))
        writing = [one for one in fields if not one.mine.enum_type.is_closed]
        return tried(writing, unknown, spot.direction)

    def _came_or_went(self, delta: Delta, spot: RowElements, types: tuple[Element, Element]) -> TrialResult | None:
        """The value, written by the side that has it; a reader of JSON is taken to ignore what it does not know."""
        writer = "released" if delta.change is Change.REMOVED else "candidate"
        fields = self._fields(types, spot)
        if not fields:
            return None
        value = RoundTrip(contents=lambda one: ({one.number: [spot.number]},))
        losses: list[LossyMessage] = []
        for one in (each for each in fields if each.writer.name == writer):
            binary = lost(one, value, Plane.BINARY)
            told = lost(one, value, Plane.JSON) if binary or delta.change is Change.REMOVED else None
            losses += [loss for loss in (binary, told) if loss is not None]
        return TrialResult(tuple(losses), direction=spot.direction, alike=KEPT)

    def _named(self, spot: RowElements, types: tuple[Element, Element]) -> TrialResult | None:
        fields = self._fields(types, spot)
        value = RoundTrip(contents=lambda one: ({one.number: [spot.number]},))
        found = tried(fields, value, spot.direction)
        return found if found.losses else replace(found, losses=tuple(_unread_names(spot, fields)))

    def _fields(self, types: tuple[Element, Element], spot: RowElements, *, unset: bool = False) -> list[Field]:
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


def _unread_names(spot: RowElements, fields: Sequence[Field]) -> Iterator[LossyMessage]:
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


# Constraints of validators: a value of one field that the released side lets pass and the candidate refuses.


CHECKED: Final = "constraints"
UNTRIED: Final = "no value was found that tells the constraints apart here"
KEEPS: Final = "keeps what the field's options ask for"
_LONGEST_VALUE: Final = 300


def is_limit(delta: Delta) -> bool:
    """True for a row about what a field's options ask of its values, as far as that is known."""
    if delta.element is not ElementKind.FIELD:
        return False
    if delta.facet in LIMITS:
        return effect(delta.released, delta.candidate) is not None
    if delta.facet == FacetName.BEHAVIOR:
        return "REQUIRED" in texts_of(delta.candidate) and "REQUIRED" not in texts_of(delta.released)
    form = delta.candidate
    return delta.facet == "" and delta.change is Change.ADDED and isinstance(form, Mapping) and demanded(form)


def limit_answers(delta: Delta) -> tuple[Tristate, Tristate]:
    """Whether the candidate takes what was written before, and whether readers of before take what it writes."""
    found = effect(delta.released, delta.candidate) if delta.facet in LIMITS else ValueSetChange.NARROWS
    accepts = Tristate.YES if found is ValueSetChange.WIDENS else Tristate.NO
    return accepts, Tristate.YES if found is ValueSetChange.NARROWS else Tristate.UNKNOWN


def limit_witness(spot: RowElements) -> Mapping[str, Json] | None:
    """A message with one field, or none, that only the candidate refuses; None where none is known."""
    old, new = spot.around
    if old is None or new is None or spot.candidate is None:
        return None
    if any(unjudged(spot.released.facet(name)) for name in LIMITS if spot.released is not None):
        return None
    name = str((spot.released or spot.candidate).facet("json_name"))
    for value in _values(spot):
        told = [_told(side, value) for side in (spot.released, spot.candidate)]
        if [each.accepted for each in told] == [Tristate.YES, Tristate.NO]:
            sent: dict[str, Json] = {"type": old.name, "wire": Plane.JSON.value, "written_by": "released"}
            if new.name != old.name:
                sent["candidate_type"] = new.name
            payload = json.dumps({} if value is None else {name: value}, ensure_ascii=False)
            return {
                "message": {**sent, "checked": CHECKED, "fields": [spot.number], "payload": payload},
                "accepted_by": "released",
                "refused_by": "candidate",
                "reads": {"released": told[0].says, "candidate": told[1].says},
            }
    return None


def told_of_limits(contract: Contract, sent: Mapping[str, Json], side: str) -> WitnessJudgement:
    """What a contract's constraints say of a message, as far as they are about one field."""
    name = sent.get("candidate_type", sent.get("type")) if side == "candidate" else sent.get("type")
    fields = sent.get("fields")
    number = str(fields[0]) if isinstance(fields, list) and fields else ""
    held = next((each for each in contract.root.children if (each.kind, each.key) == (ElementKind.TYPE, name)), None)
    if held is None:
        return WitnessJudgement(accepted=Tristate.NO, says=f"has no type {name}")
    try:
        payload = json.loads(str(sent.get("payload")))
    except ValueError:
        payload = None
    if not isinstance(payload, dict) or len(payload) > 1:
        raise ValueError("the witness is no message of a protobuf contract")
    own = next((each for each in held.children if each.key == number), None)
    return _told(own, next(iter(payload.values()), None))


def _told(field: Element | None, value: Json) -> WitnessJudgement:
    if field is None:
        return WitnessJudgement(accepted=Tristate.YES, says="has no such field")
    if value is None and "REQUIRED" in texts_of(field.facet(FacetName.BEHAVIOR)):
        return WitnessJudgement(accepted=Tristate.NO, says=f"refuses a message without {field.name}: REQUIRED")
    for name in LIMITS:
        refused = refusal(field.facet(name), value, str(field.facet("cardinality")))
        if refused:
            return WitnessJudgement(
                accepted=Tristate.NO, says=f"refuses {json.dumps(value)[:80]} in {field.name}: {refused}"
            )
    return WitnessJudgement(accepted=Tristate.YES, says=KEEPS)


def _values(spot: RowElements) -> Iterator[Json]:
    """Values at the edges of what either side lets pass; none first."""
    yield None
    for side in (spot.candidate, spot.released):
        for name in LIMITS if side is not None else ():
            for path, limit in leaves(side.facet(name) if side is not None else None).items():
                yield from _edges(path, limit)
    yield from ("", "abc", 0, 1, -1)


def _edges(path: tuple[str, ...], limit: Any) -> Iterator[Json]:
    kind, name = path[0], path[-1]
    if name in ("from", "to") and isinstance(limit, list):
        yield from (limit[0], limit[0] - 1, limit[0] + 1)
    elif name == "const":
        yield limit
    elif name in ("in", "not_in") and isinstance(limit, list):
        yield from limit
    elif isinstance(limit, int) and limit <= _LONGEST_VALUE:
        for size in (limit, limit - 1, limit + 1):
            yield from ["a" * size] if kind == "string" and size >= 0 else []
            yield from [list(range(size))] if kind == "repeated" and size >= 0 else []
            yield from [{str(at): at for at in range(size)}] if kind == "map" and size >= 0 else []
    elif kind == "string" and isinstance(limit, str) and len(limit) <= _LONGEST_VALUE:
        yield from (limit, f"{limit}a", f"a{limit}")


# HTTP routes of procedures, asked: which requests a route takes, and which fields they fill.
#
# Source of the grammar: google/api/http.proto, "Path template syntax".


HTTP: Final = "google.api.http"
_PART: Final = re.compile(r"\{(?P<field>[\w.]+)(?:=(?P<below>[^{}]*))?\}|(?P<star>\*\*?)|(?P<text>[^{}*]+)")
_ANY: Final = "*"
_REST: Final = "**"
_MATCHES: Final = {_ANY: "[^/]+", _REST: ".+"}
_MOST_SEGMENTS: Final = 12


@frozen
class Template:
    """A route's path.

    Attributes:
        text: without braces: wildcards and words.
        pattern: what a path has to match; a group per variable.
        fields: the field paths of the variables, in the order of the groups.
    """

    text: str
    pattern: re.Pattern[str]
    fields: tuple[str, ...]

    def paths(self) -> Iterator[str]:
        """Concrete paths, for each number of segments that the last wildcard may stand for."""
        lengths = range(1, _MOST_SEGMENTS) if _REST in self.text else range(1, 2)
        for length in lengths:
            fresh = (f"x{number}" for number in count(1))
            rest = self.text.replace(_REST, "/".join(_ANY * length))
            yield re.sub(r"\*", lambda _, fresh=fresh: next(fresh), rest)  # type: ignore[misc]


def template(path: str) -> Template | None:
    """The template that a text is, None for one that is none."""
    at, text, pattern = 0, "", ""
    fields: list[str] = []
    for part in _PART.finditer(path):
        if part.start() != at:
            return None
        at, below = part.end(), part["below"] if part["below"] is not None else _ANY
        if part["field"]:
            fields.append(part["field"])
            text, pattern = text + below, f"{pattern}({_wild(below)})"
        else:
            text, pattern = text + part[0], pattern + _wild(part[0])
    if at != len(path) or not path.startswith("/") or text.count(_REST) > 1 or "***" in text:
        return None
    return Template(text, re.compile(pattern), tuple(fields))


def _wild(text: str) -> str:
    return "".join(_MATCHES.get(each, re.escape(each)) for each in re.split(r"(\*\*?)", text))


class Routes:
    """The routes of a contract's procedures.

    Args:
        contract: what declares them.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    @cached_property
    def _types(self) -> Mapping[str, Element]:
        return {child.key: child for child in self._contract.root.children if child.kind is ElementKind.TYPE}

    def requests(self, operation: Element) -> Iterator[Mapping[str, Json] | None]:
        """Requests that the routes of a procedure take, and what is read of each; None for a route of another form."""
        for route in bindings(operation.facet(HTTP)):
            made = template(route["path"])
            if made is None:
                yield None
                continue
            for path in made.paths():
                reads = self._reads(operation, route, path)
                if reads is not None:
                    yield {"call": str(operation.facet("path")), "http": f"{route['method']} {path}", "reads": reads}

    def readings(self, operation: Element, http: str) -> list[Json]:
        """What the routes of a procedure that take a request read of it."""
        method, _, path = http.partition(" ")
        taking = (route for route in bindings(operation.facet(HTTP)) if route["method"] in (method, _ANY))
        return [reads for route in taking if (reads := self._reads(operation, route, path)) is not None]

    def _reads(self, operation: Element, route: Mapping[str, str], path: str) -> Json:
        made = template(route["path"])
        found = made.pattern.fullmatch(path) if made is not None else None
        if made is None or found is None:
            return None
        asked, told = str(operation.facet("request")), str(operation.facet("response"))
        filled: Json = {
            self._number(asked, name): value for name, value in zip(made.fields, found.groups(), strict=True)
        }
        body, answer = route.get("body", ""), route.get("response_body", "")
        return {
            "path": filled,
            "body": body if body == _ANY else self._number(asked, body),
            "response_body": self._number(told, answer),
        }

    def _number(self, message: str, name: str) -> str:
        """A field path by numbers, which stay where names change; by name where the contract does not hold it."""
        numbers: list[str] = []
        for part in name.split(".") if name else ():
            holder = self._types.get(message)
            one = next((child for child in holder.children if child.name == part), None) if holder is not None else None
            numbers.append(one.key if one is not None else part)
            message = next((held for _, held in referred(one.facet("type"))), "") if one is not None else ""
        return ".".join(numbers)


def bindings(form: Form | None) -> Sequence[Mapping[str, str]]:
    """The routes of a facet: method, path, and of the bodies what is set."""
    listed = form if isinstance(form, (list, tuple)) else ()
    return [{name: str(value) for name, value in each.items()} for each in listed if isinstance(each, Mapping)]


# Rows about procedures: a call that one contract answers and the other one does not.


_STREAMS: Final = {"client_streaming": "request_messages", "server_streaming": "response_messages"}
_SIDES: Final = ("released", "candidate")


def call_witness(delta: Delta, released: Contract, candidate: Contract) -> Mapping[str, Json] | None:
    """A call that the two contracts answer differently, as both of them say; None when there is none."""
    for call in _calls(delta, released):
        told = [told_of_call(contract, call) for contract in (released, candidate)]
        answers = [each.accepted for each in told]
        if set(answers) == {Tristate.YES, Tristate.NO}:
            accepting = answers.index(Tristate.YES)
            return {
                "message": call,
                "accepted_by": _SIDES[accepting],
                "refused_by": _SIDES[1 - accepting],
                "reads": {side: each.says for side, each in zip(_SIDES, told, strict=True)},
            }
    return None


def _calls(delta: Delta, released: Contract) -> Iterable[Mapping[str, Json]]:
    key = delta.operation or next(iter(delta.operations), "")
    own = next((each for each in released.operations if each.key == key), None)
    path = str(own.facet("path")) if own is not None else f"/{key}"
    if delta.facet in _STREAMS:
        yield {"call": path, _STREAMS[delta.facet]: 2}
    elif delta.facet == HTTP:
        yield from (asked for asked in route_requests(delta, released) if asked is not None)
    elif delta.facet == "idempotency_level":
        yield {"call": path, "method": "GET"}
    elif delta.facet == "path" or (delta.facet == "" and delta.change is Change.REMOVED):
        yield {"call": path}


def route_requests(delta: Delta, released: Contract) -> Iterator[Mapping[str, Json] | None]:
    """HTTP requests that the released routes of a row's procedure take; None for a route of no known form."""
    own = next((each for each in released.operations if each.key == delta.operation), None)
    yield from Routes(released).requests(own) if own is not None else ()


def _told_of_route(contract: Contract, procedures: Sequence[Element], call: Mapping[str, Json]) -> WitnessJudgement:
    """Whether a route of some procedures takes a request, and reads what was meant."""
    http, routes = str(call["http"]), Routes(contract)
    readings = [reads for own in procedures for reads in routes.readings(own, http)]
    if call.get("reads") in readings:
        return WitnessJudgement(accepted=Tristate.YES, says=f"{call['call']} is answered by {http}")
    if not readings:
        return WitnessJudgement(accepted=Tristate.NO, says=f"{call['call']} has no route for {http}")
    return WitnessJudgement(accepted=Tristate.NO, says=f"{http} reads {json.dumps(readings[0])}, by numbers of fields")


def told_of_call(contract: Contract, call: Mapping[str, Json]) -> WitnessJudgement:
    """What a contract says of a call."""
    path = str(call.get("call"))
    own = next((each for each in contract.operations if each.facet("path") == path), None)
    if "http" in call:
        # The path of a procedure that moved to another package is no part of its HTTP requests.
        return _told_of_route(contract, contract.operations if own is None else (own,), call)
    if own is None:
        return WitnessJudgement(accepted=Tristate.NO, says=f"has no procedure {path}: UNIMPLEMENTED")
    for facet, named in _STREAMS.items():
        if named in call and own.facet(facet) is not True:
            return WitnessJudgement(accepted=Tristate.NO, says=f"{path} has one message there, and no stream")
    if "method" in call and own.facet("idempotency_level") != "NO_SIDE_EFFECTS":
        return WitnessJudgement(accepted=Tristate.NO, says=f"{path} may have side effects, so no GET is answered")
    return WitnessJudgement(
        accepted=Tristate.YES, says=f"{path} is answered{' by GET, over Connect' if 'method' in call else ''}"
    )
