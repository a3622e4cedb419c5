"""What resolution says of each row: the clash in each direction, and the datum that would show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.contracts.avro.defaults import gives_default
from evreview.contracts.avro.model import Call, Field, Named, Schema, Type
from evreview.core.vocabulary import Answer, Change, Missing
from evreview.kinds.avro.alignment import paired
from evreview.kinds.avro.codec import Data, with_field
from evreview.kinds.avro.resolution import Clash, Problem, Resolution, answer_of, names_match, source_of, unread_symbols
from evreview.proof.kinds.avro_directions import (
    NOT,
    YES,
    Direction,
    Held,
    answered,
    fixed_means,
    means,
    named_otherwise,
    whole,
)
from evreview.proof.kinds.avro_places import Spot, Spots

_ADDED: Final = Change.ADDED
_NO_VALUE: Final = "the default is no value of the type, and parsers that look refuse the schema"
_LOGICAL: Final = "logicalType"


@dataclass(slots=True)
class Rows:
    """Judges the rows of two aligned schemas."""

    released: Schema
    candidate: Schema
    _spots: tuple[Spots, Spots] = field(init=False)
    _old: Mapping[str, str] = field(init=False)
    _new: Mapping[str, str] = field(init=False)
    _back: Resolution = field(init=False)
    _forth: Resolution = field(init=False)

    def __post_init__(self) -> None:
        """Pairs the types of both sides."""
        self._spots = Spots(self.released), Spots(self.candidate)
        self._old = paired(self.released, self.candidate)
        self._new = {old: new for new, old in self._old.items()}
        pairs = frozenset(self._old.items())
        self._back = Resolution(self.candidate, self.released, pairs)
        self._forth = Resolution(self.released, self.candidate, frozenset((old, new) for new, old in pairs))

    def directions(self, delta: Delta) -> tuple[Direction, Direction] | None:
        """Whether the candidate reads what the released side wrote, and the other way round; None for a rule's row."""
        if delta.facet.startswith(_LOGICAL):
            return self._logical(delta)
        match delta.element:
            case ElementKind.FIELD:
                return self._field(delta)
            case ElementKind.ENUM_VALUE if delta.facet == "":
                return self._symbol(delta)
            case ElementKind.TYPE:
                return self._type(delta)
            case ElementKind.OPERATION if delta.facet == "type":
                return self._root(delta)
            case ElementKind.ARGUMENT | ElementKind.REPLY:
                return self._call(delta)
        return None

    def _sides(self, delta: Delta) -> tuple[Spot | None, Spot | None]:
        return self._spots[0].at(delta.released_place), self._spots[1].at(delta.candidate_place)

    def _holders(self, old: Spot | None, new: Spot | None) -> tuple[Named, Named] | None:
        """The record on both sides, found by whichever side has the field."""
        own = old.holder if old is not None and isinstance(old.part, (Field, str)) else None
        other = new.holder if new is not None and isinstance(new.part, (Field, str)) else None
        if isinstance(own, Named):
            name = self._new.get(own.name)
            return (own, self.candidate.names[name]) if name is not None else None
        if isinstance(other, Named):
            name = self._old.get(other.name)
            return (self.released.names[name], other) if name is not None else None
        return None

    def _field(self, delta: Delta) -> tuple[Direction, Direction] | None:
        old, new = self._sides(delta)
        holders = self._holders(old, new)
        if holders is None or delta.facet not in ("", "type", "name", "default", "aliases"):
            return None
        before = old.part if old is not None and isinstance(old.part, Field) else None
        after = new.part if new is not None and isinstance(new.part, Field) else None
        back = self._read(after, holders[::-1], self._back) if after is not None else YES
        forth = self._read(before, holders, self._forth) if before is not None else YES
        if delta.facet in ("default", "aliases") and before is not None and after is not None:
            # Either counts only while the other side has no such field, and then there is a row about its name.
            return _ambiguous(back, forth) if delta.facet == "aliases" else self._default(after)
        return back, forth

    def _logical(self, delta: Delta) -> tuple[Direction, Direction] | None:
        """What either side makes of the other one's values at a logical type."""
        old, new = self._sides(delta)
        before, after = old.part if old is not None else None, new.part if new is not None else None
        if isinstance(before, Named) and isinstance(after, Named):
            return fixed_means(before, after), fixed_means(after, before)
        there, here = self._held(delta, old, 0), self._held(delta, new, 1)
        if there is None or here is None:
            return None
        forms = tuple(None if isinstance(form, Missing) else form for form in (delta.released, delta.candidate))
        back, forth = means(there, here, (forms[0], forms[1])), means(here, there, (forms[1], forms[0]))
        if delta.element is ElementKind.ARGUMENT:
            return replace(back, show=None), NOT
        return (NOT, replace(forth, show=None)) if delta.element is ElementKind.REPLY else (back, forth)

    def _held(self, delta: Delta, spot: Spot | None, at: int) -> Held | None:
        """The type of one side that a row about a logical type is in, and what holds it."""
        if delta.element is ElementKind.OPERATION:
            roots = self._roots(delta)
            return Held(roots[at]) if roots is not None else None
        part = spot.part if spot is not None else None
        if isinstance(part, Field) and spot is not None:
            return Held(part.type, part.name, spot.holder if isinstance(spot.holder, Named) else None)
        return Held(part) if isinstance(part, Type) else None

    def _read(self, reader: Field, holders: tuple[Named, Named], by: Resolution) -> Direction:
        """Whether one field of a reader gets its value from what a writer's record holds; the reader's record first."""
        own, writer = holders
        source = source_of(reader, writer)
        if by.ambiguous(reader, own, writer):
            return Direction(Answer.UNKNOWN, (Problem(Clash.AMBIGUOUS, reader.name),))
        if source is None:
            if gives_default(reader, by.reader.names):
                return YES
            problem = Problem(Clash.DEFAULT, reader.name)
            return Direction(Answer.NO, (problem,), lambda data: data.leading(writer.name, data.smallest))
        problems = by.problems(reader.type, source.type)
        if not problems:
            return YES

        def show(data: Data) -> Any:
            def end(_: Type) -> Any:
                return with_field(data, writer, source.name, data.clashing(source.type, reader.type, by))

            return data.leading(writer.name, end)

        return Direction(answer_of(problems), problems, show)

    def _default(self, after: Field | Named) -> tuple[Direction, Direction]:
        """A default that nobody needs, unless it is no value of its type: then not every parser takes the schema."""
        if isinstance(after, Named):
            fits = after.default in after.symbols
        else:
            fits = gives_default(after, self.candidate.names)
        if isinstance(after.default, Missing) or fits:
            return YES, YES
        open_ = Direction(Answer.UNKNOWN, (Problem(Clash.DEFAULT, f"{after.name}: {_NO_VALUE}"),))
        return open_, open_

    def _symbol(self, delta: Delta) -> tuple[Direction, Direction] | None:
        holders = self._holders(*self._sides(delta))
        if holders is None:
            return None
        old, new = holders
        reader, writer = (old, new) if delta.change is _ADDED else (new, old)
        symbol = str(delta.candidate if delta.change is _ADDED else delta.released)
        if symbol not in unread_symbols(reader, writer):
            return YES, YES
        problem = Problem(Clash.SYMBOLS, symbol)
        broken = Direction(Answer.NO, (problem,), lambda data: data.leading(writer.name, lambda _: symbol))
        return (YES, broken) if delta.change is _ADDED else (broken, YES)

    def _type(self, delta: Delta) -> tuple[Direction, Direction] | None:
        old, new = self._sides(delta)
        before = old.part if old is not None else None
        after = new.part if new is not None else None
        if not isinstance(before, Named) or not isinstance(after, Named):
            return None
        if delta.facet == "name":
            clash = Problem(Clash.NAME, f"{before.name} and {after.name}")
            return named_otherwise(clash, before, names_match(after, before)), named_otherwise(
                clash, after, names_match(before, after)
            )
        if delta.facet == "size":
            clash = Problem(Clash.SIZE, f"{before.size} and {after.size} bytes")
            return named_otherwise(clash, before, read=False), named_otherwise(clash, after, read=False)
        if delta.facet == "default":
            return self._default(after)
        return (YES, YES) if delta.facet in ("namespace", "aliases") else None

    def _roots(self, delta: Delta) -> tuple[Type, Type] | None:
        before = self.released.roots.get(delta.operation)
        after = self.candidate.roots.get(delta.operation)
        if after is None and len(self.candidate.roots) == 1:
            after = next(iter(self.candidate.roots.values()))
        return None if before is None or after is None else (before, after)

    def _root(self, delta: Delta) -> tuple[Direction, Direction] | None:
        roots = self._roots(delta)
        if roots is None:
            return None
        return whole(*roots, self._back), whole(*roots[::-1], self._forth)

    def _call(self, delta: Delta) -> tuple[Direction, Direction] | None:
        """Parameters are read by the candidate's server, answers by the released client."""
        old, new = self._sides(delta)
        before, after = old.part if old else None, new.part if new else None
        if isinstance(before, Type) and isinstance(after, Type):
            return NOT, answered(self._forth.problems(before, after))
        if isinstance(after, Field) and isinstance(before, Call):
            missing = Problem(Clash.DEFAULT, after.name)
            return answered(() if gives_default(after, self.candidate.names) else (missing,)), NOT
        if isinstance(before, Field) and isinstance(after, Field) and delta.facet == "type":
            return answered(self._back.problems(after.type, before.type)), NOT
        return (YES, NOT) if isinstance(before, Field) else None


def _ambiguous(back: Direction, forth: Direction) -> tuple[Direction, Direction]:
    """The directions of a row about aliases: they only matter where they leave open which field is read."""
    return tuple(one if one.answer is Answer.UNKNOWN else YES for one in (back, forth))  # type: ignore[return-value]
