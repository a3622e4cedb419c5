"""Two value sets compared field by field, so that every deviation is said once, where it is; media types matched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from evreview.core.json_text import same
from evreview.core.vocabulary import ABSENT, Form, Json, Tristate
from evreview.schema.subsumption.result import UndecidedReason
from evreview.schema.view import SchemaView, Sub
from evreview.workflows.w2.reconcile.deviation import At, Deviation, Deviations
from evreview.workflows.w2.value_sets import (
    DeviationKind,
    Mode,
    Open,
    OpenReason,
    Pair,
    Position,
    PositionDifference,
    whole_sets,
    witnessed,
)

DEEPEST: Final = 16
MOST: Final = 200
WIDEST: Final = 5_000
EXHAUSTED: Final = 8
"""Decisions of one comparison that may run out of steps."""
_OBJECT, _ARRAY = frozenset({"object"}), frozenset({"array"})
_SIZES: Final = {
    "object": ("minProperties", "maxProperties"),
    "array": ("minItems", "maxItems", "uniqueItems"),
}
Differences = Iterator[PositionDifference | Open]


def differences(contract: Position, code: Position, mode: Mode, pair: Pair | None = None) -> Differences:
    """Every difference between what the contract admits and what the code does, in a fixed order.

    Args:
        contract, code: the two sides.
        mode: how their values travel.
        pair: of their sources, with what it decided before.
    """
    pair = pair or Pair(contract.source, code.source)
    try:
        for count, found in enumerate(_FieldComparison(pair, mode).at(contract, code, "", 0)):
            if count >= MOST:
                yield Open("", OpenReason.TOO_MANY)
                return
            yield found
    except RecursionError:
        yield Open("", UndecidedReason.TOO_DEEP)
    except _Enough:
        yield Open("", OpenReason.TOO_WIDE)


class _Enough(Exception):
    """A comparison has cost what it may cost."""


class _FieldComparison:
    """One comparison."""

    def __init__(self, pair: Pair, mode: Mode) -> None:
        self._pair = pair
        self._mode = mode
        self._open: set[tuple[object, ...]] = set()
        self._clean: set[tuple[object, ...]] = set()
        self._fields, self._exhausted = 0, 0

    def at(self, contract: Position, code: Position, path: str, depth: int) -> Differences:
        """The differences below one position; a pair that is being compared is taken for equal."""
        key = (contract.key, code.key)
        if key in self._open or key in self._clean:
            return
        if depth > DEEPEST:
            yield Open(path, OpenReason.TOO_DEEP)
            return
        self._fields += 1
        if self._fields > WIDEST:
            raise _Enough
        self._open.add(key)
        nothing = True
        for found in self._inside(contract, code, path, depth):
            nothing = False
            yield found
        self._open.discard(key)
        if nothing:
            # Also where that hangs on a pair above, which has its differences at its own place.
            self._clean.add(key)

    def _inside(self, contract: Position, code: Position, path: str, depth: int) -> Differences:
        mine, theirs = contract.view, code.view
        if _has_fields(mine) and _has_fields(theirs) and not self._foreign(mine, theirs):
            yield from self._shells(contract, code, path, "object")
            yield from _Fields(self, contract, code, path).all(depth + 1)
        elif _is_list(mine) and _is_list(theirs):
            yield from self._shells(contract, code, path, "array")
            if isinstance(mine.items, Sub) and isinstance(theirs.items, Sub):
                yield from self.at(contract.at(mine.items), code.at(theirs.items), f"{path}[]", depth + 1)
        else:
            for found in whole_sets(self._pair, contract, code, self._mode):
                if isinstance(found, Open):
                    yield replace(found, path=path)
                    self._count(found)
                else:
                    yield witnessed(found[0], contract, code, found[1], path)

    def _count(self, found: Open) -> None:
        self._exhausted += found.reason is UndecidedReason.BUDGET
        if self._exhausted >= EXHAUSTED:
            raise _Enough

    def _foreign(self, mine: SchemaView, theirs: SchemaView) -> bool:
        """True for an object that is sent and shares no field with the promised one: that is one deviation."""
        apart = bool(mine.required and theirs.properties) and not mine.properties.keys() & theirs.properties.keys()
        return apart and not self._mode.reads and mine.additional is True

    def _shells(self, contract: Position, code: Position, path: str, kind: str) -> Differences:
        """What the whole says beside its parts: null, and how many members there may be."""
        mine, theirs = _shell(contract.view, kind), _shell(code.view, kind)
        if mine == theirs:
            return
        reads, way = self._mode.reads, DeviationKind.NARROWER if self._mode.reads else DeviationKind.OUTSIDE
        forth = self._pair.within_code(mine, theirs) if reads else self._pair.within_contract(theirs, mine)
        if forth.answer is Tristate.YES and reads and self._mode.exact:
            forth, way = self._pair.within_contract(theirs, mine), DeviationKind.WIDER
        if forth.answer is Tristate.UNKNOWN:
            yield Open(path, forth.reason)
        elif forth.answer is Tristate.NO:
            certain = reads or self._mode.exact
            shown = witnessed(way, contract, code, forth.witness[0], path)
            yield replace(shown, sides=(mine, theirs)) if certain else Open(path, OpenReason.INEXACT)

    def shown(self, position: Position, right: Json, *, contract: bool) -> tuple[Form, ...]:
        """A value of one side's position that another schema refuses, as a 1-tuple; () when none is known."""
        asked = self._pair.within_code if contract else self._pair.within_contract
        found = asked(position.schema, right, declared=False)
        return found.witness if found.answer is Tristate.NO else ()

    def surely(self, position: Position, name: str) -> Tristate:
        """Whether every value of a position of the contract has a field."""
        asked: Json = {"type": "object", "required": [name]}
        return self._pair.within_code(position.schema, asked, declared=False).answer

    @property
    def mode(self) -> Mode:
        """How values travel."""
        return self._mode


class _Fields:
    """The fields of two objects."""

    def __init__(self, walk: _FieldComparison, contract: Position, code: Position, path: str) -> None:
        self._walk, self._contract, self._code = walk, contract, code
        self._mine, self._theirs = contract.view, code.view
        self._path = path

    def all(self, depth: int) -> Differences:
        """The differences of every field, by name, then of the members without a name."""
        mine, theirs = self._mine.properties, self._theirs.properties
        for name in sorted(mine.keys() | theirs.keys()):
            if name in mine and name in theirs:
                yield from self._required(name)
                below = self._contract.at(mine[name]), self._code.at(theirs[name])
                yield from self._default(name, *below)
                yield from self._walk.at(*below, self._dotted(name), depth)
            elif name in mine:
                yield from self._contract_only(name, depth)
            else:
                yield from self._code_only(name, depth)
        yield from self._rest(depth)

    def _default(self, name: str, contract: Position, code: Position) -> Differences:
        """What an absent field of a request stands for, where both sides say so; null stands for nothing."""
        stated, kept = map(_default_of, (contract, code))
        told = stated is not ABSENT and kept is not ABSENT and kept is not None
        if self._walk.mode.reads and told and not same(stated, kept):
            row = self._row(DeviationKind.DEFAULT, name)
            yield replace(row, contract=stated, implementation=kept, place=contract.place)

    def _required(self, name: str) -> Differences:
        owed, kept = self._owes(self._contract, name), self._owes(self._code, name)
        if owed == kept:
            return
        mode = self._walk.mode
        if mode.reads and kept:
            yield from self._demanded(name)
        elif not mode.exact and owed:
            yield Open(self._dotted(name), OpenReason.INEXACT)
        elif mode.reads:
            yield self._lacking(DeviationKind.OPTIONAL, name, contract=False)
        elif owed:
            yield self._lacking(DeviationKind.UNOWED, name, contract=False)

    def _contract_only(self, name: str, depth: int) -> Differences:
        if self._hidden(self._contract, name):
            return
        rest, mode = self._theirs.additional, self._walk.mode
        if isinstance(rest, Sub) and mode.reads:
            below = self._contract.at(self._mine.properties[name]), self._code.at(rest)
            yield from self._walk.at(*below, self._dotted(name), depth)
        elif mode.reads and self._theirs.closed:
            yield self._having(DeviationKind.NARROWER, name, contract=True)
        elif not mode.exact and not self._theirs.closed:
            yield Open(self._dotted(name), OpenReason.INEXACT)
        elif mode.reads:
            yield self._row(DeviationKind.UNREAD, name)
        else:
            yield self._row(DeviationKind.MISSING if self._owes(self._contract, name) else DeviationKind.UNSENT, name)

    def _code_only(self, name: str, depth: int) -> Differences:
        if self._hidden(self._code, name):
            return
        rest, mode = self._mine.additional, self._walk.mode
        if isinstance(rest, Sub):
            below = self._contract.at(rest), self._code.at(self._theirs.properties[name])
            yield from self._walk.at(*below, self._dotted(name), depth)
        elif mode.reads and self._owes(self._code, name):
            yield from self._demanded(name)
        elif mode.reads or mode.exact or self._owes(self._code, name):
            shown = self._having(DeviationKind.UNDOCUMENTED, name, contract=False)
            yield shown if self._mine.closed else replace(shown, witness=ABSENT, sides=())
        else:
            yield Open(self._dotted(name), OpenReason.INEXACT)

    def _rest(self, depth: int) -> Differences:
        """Members that neither side names."""
        mine, theirs = self._mine, self._theirs
        if isinstance(mine.additional, Sub) and isinstance(theirs.additional, Sub):
            below = self._contract.at(mine.additional), self._code.at(theirs.additional)
            yield from self._walk.at(*below, self._dotted("*"), depth)
        elif self._walk.mode.reads and theirs.closed and not mine.closed:
            yield self._closed()
        elif self._walk.mode.reads and self._walk.mode.exact and mine.closed and theirs.additional is True:
            yield self._unchecked()

    def _closed(self) -> PositionDifference:
        found = self._walk.shown(self._contract, self._named(), contract=True)
        row = replace(
            self._row(DeviationKind.CLOSED, "*"), contract=True, implementation=False, place=self._contract.place
        )
        return self._judged(row, found)

    def _unchecked(self) -> PositionDifference:
        found = self._walk.shown(self._code, self._named(), contract=False)
        row = replace(
            self._row(DeviationKind.WIDER, "*"), contract=False, implementation=True, place=self._contract.place
        )
        return self._judged(row, found)

    def _named(self) -> Json:
        """The objects with members of a name that a side knows."""
        names: dict[str, Json] = dict.fromkeys(self._mine.properties.keys() | self._theirs.properties.keys(), True)
        return {"properties": names, "additionalProperties": False}

    def _demanded(self, name: str) -> Differences:
        """A field that the code demands, unless no value of the contract is without it."""
        row = self._lacking(DeviationKind.REQUIRED, name, contract=True)
        if row.sides:
            yield row
        elif self._walk.surely(self._contract, name) is not Tristate.YES:
            yield Open(self._dotted(name), OpenReason.UNSHOWN)

    def _lacking(self, way: DeviationKind, name: str, *, contract: bool) -> PositionDifference:
        """A row with a value of one side that lacks the field."""
        side = self._contract if contract else self._code
        found = self._walk.shown(side, {"type": "object", "required": [name]}, contract=contract)
        return self._judged(self._row(way, name), found)

    def _having(self, way: DeviationKind, name: str, *, contract: bool) -> PositionDifference:
        """A row with a value of one side that has the field."""
        side = self._contract if contract else self._code
        found = self._walk.shown(side, {"not": {"required": [name]}}, contract=contract)
        return self._judged(self._row(way, name), found)

    def _judged(self, row: PositionDifference, found: tuple[Form, ...]) -> PositionDifference:
        """The row with a value that shows it, when one is known."""
        return replace(row, witness=found[0], sides=(self._contract, self._code)) if found else row

    def _row(self, way: DeviationKind, name: str) -> PositionDifference:
        mine, theirs = self._mine.properties.get(name), self._theirs.properties.get(name)
        return PositionDifference(
            way=way,
            path=self._dotted(name),
            contract=ABSENT if mine is None else _with_need(self._contract, mine, name),
            implementation=ABSENT if theirs is None else _with_need(self._code, theirs, name),
            place=None if mine is None else self._contract.at(mine).place,
        )

    def _owes(self, side: Position, name: str) -> bool:
        return name in side.view.required and not self._hidden(side, name)

    @staticmethod
    def _hidden(side: Position, name: str) -> bool:
        """True for a member that this direction never has to carry."""
        sub = side.view.properties.get(name)
        return sub is not None and not all(side.source.owed(part.node, part.place) for part in sub.parts)

    def _dotted(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name


def _with_need(side: Position, sub: Sub, name: str) -> Json:
    return {"schema": side.at(sub).form, "required": name in side.view.required}


def _default_of(side: Position) -> Form:
    """The default that is written at a position, beside a reference before what it refers to."""
    parts = (*side.sub.parts, *side.views.resolve(side.sub).parts)
    found = (part.node["default"] for part in parts if isinstance(part.node, dict) and "default" in part.node)
    return next(found, ABSENT)


def _has_fields(view: SchemaView) -> bool:
    fields = view.types == _OBJECT or (view.types is None and bool(view.properties))
    return fields and _is_plain(view) and not (view.patterns or view.property_names or view.dependent_required)


def _is_list(view: SchemaView) -> bool:
    return view.types == _ARRAY and _is_plain(view) and not (view.prefix or view.contains)


def _is_plain(view: SchemaView) -> bool:
    """True when nothing but its members and sizes says what a view admits."""
    beside = (
        "$ref" in view.keywords
        or view.negated
        or view.conditional
        or view.dependent_schemas
        or view.enum is not None
        or view.never
    )
    return not (view.composed or beside or isinstance(view.unevaluated_properties, Sub))


def _shell(view: SchemaView, kind: str) -> Json:
    """The schema of a view without its members; one that names members and no type is taken for an object."""
    sizes: dict[str, Json] = {name: view.keywords[name] for name in _SIZES[kind] if name in view.keywords}
    types: list[Json] = [kind, *(["null"] if view.null and view.types is not None else [])]
    return {"type": types, **sizes}


# Differences between value sets as deviations of an operation.


KindOf = Callable[[PositionDifference], str]
UNSENT: Final = "the contract lets the field be absent, and the code shown never sends it"


def value_rows(at: At, sides: tuple[Position, Position], mode: Mode, kind_of: KindOf) -> Deviations:
    """The differences below a place, each as a deviation of the kind that `kind_of` names."""
    for found in differences(*sides, mode, at.matched.values.pair(*sides)):
        below = at.below(found.path) if found.path else at
        if isinstance(found, Open):
            yield at.matched.undecided(at.concern, below.place, found.reason, *at.spots)
        elif found.way is DeviationKind.UNSENT:
            yield at.matched.undecided(at.concern, below.place, UNSENT, *at.spots)
        else:
            yield _row(below, found, sides[0], kind_of(found))


def _row(at: At, found: PositionDifference, contract: Position, kind: str) -> Deviation:
    return Deviation(
        kind=kind,
        operation=at.matched.operation.id,
        concern=at.concern,
        place=at.place,
        contract=found.contract,
        implementation=found.implementation,
        witness=found.witness,
        citations=at.matched.cited(found.place or contract.place, *at.spots),
        withholds=at.withholds,
    )
