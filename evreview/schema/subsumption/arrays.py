"""Arrays: the first items one by one, all others, what they contain, and how many they are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import Tristate
from evreview.schema.subsumption.constraint_set import BESIDE, ConstraintSet, declares, holds
from evreview.schema.subsumption.interned_schema import Constraint, InternedSchema, Items
from evreview.schema.subsumption.result import YES, SubsumptionResult, UndecidedReason, every, no, unknown

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import SubsumptionProver

_LONGEST: Final = 300
_LARGEST: Final = 1500
_OF_ONE: Final = frozenset({"items", "minItems", "maxItems", "unique"})
"""What says of an array of one item no more than what the item is."""


class Arrays:
    """Decides what concerns arrays, for one search."""

    def __init__(self, search: SubsumptionProver) -> None:
        self._search = search
        self._pool = search.pool

    def inhabited(self, constraint_set: ConstraintSet, broken: list[Constraint]) -> SubsumptionResult:
        """An array that meets the left side and breaks the constraints; yes when there is none."""
        if not broken:
            return self._build(constraint_set, {})
        if len(broken) > 1:
            return unknown(UndecidedReason.UNDECIDED)
        constraint = broken[0]
        match constraint[0]:
            case "items":
                return self._items(constraint_set, constraint[1])
            case "minItems":
                if self._least(constraint_set) >= constraint[1]:
                    return YES
                found = self._build(constraint_set, {})
            case "maxItems":
                if self._most(constraint_set) <= constraint[1]:
                    return YES
                found = self._build(constraint_set, {}, length=constraint[1] + 1)
            case "unique":
                if constraint_set.of("unique") or self._most(constraint_set) <= 1:
                    return YES
                found = self._twice(constraint_set)
            case "contains":
                return self._contains(constraint_set, constraint)
            case _:
                found = self._build(constraint_set, {})
        breaks = found.answer is not Tristate.NO or holds(self._pool.of(constraint), found.value) is False
        return found if breaks else unknown(UndecidedReason.UNDECIDED)

    def of_one(self, constraint_set: ConstraintSet, goals: Iterable[list[Constraint]]) -> list[InternedSchema] | None:
        """What the goals ask of the only item of arrays of one; None where they ask more, or there may be others."""
        if not self._least(constraint_set) == 1 == self._most(constraint_set):
            return None
        wanted = []
        for constraints in goals:
            if not all(constraint[0] in _OF_ONE for constraint in constraints):
                return None
            lengths = [constraint for constraint in constraints if constraint[0] in ("minItems", "maxItems")]
            if any(constraint[1] > 1 if constraint[0] == "minItems" else constraint[1] < 1 for constraint in lengths):
                continue
            items = [
                form
                for constraint in constraints
                if constraint[0] == "items" and (form := constraint[1].at(0)) is not None
            ]
            wanted.append(items[0] if len(items) == 1 else self._pool.of(*(("all", form) for form in items)))
        return wanted

    def alone(self, constraint_set: ConstraintSet, wanted: list[InternedSchema]) -> SubsumptionResult:
        """An array of one whose item is none of those wanted; yes when there is none."""
        item = (*constraint_set.item(0, self._pool), *self._matched(constraint_set))
        found = self._search.conditional_declarations.item(item, tuple(wanted), constraint_set, 0)
        return self._build(constraint_set, {0: found}) if found.answer is Tristate.NO else found

    def _least(self, constraint_set: ConstraintSet) -> int:
        return max(
            [constraint_set.least("minItems"), *(int(constraint[2]) for constraint in constraint_set.of("contains"))]
        )

    def _most(self, constraint_set: ConstraintSet) -> float:
        """The greatest length, as far as it is written; an item that can't be ends the array."""
        limits = [float(constraint[1]) for constraint in constraint_set.of("maxItems")]
        for items in constraint_set.items:
            listed = [*items.prefix, items.rest]
            limits += [float(at) for at, form in enumerate(listed) if form is self._pool.nothing][:1]
        return min(limits, default=float("inf"))

    def _items(self, constraint_set: ConstraintSet, items: Items) -> SubsumptionResult:
        most = self._most(constraint_set)
        ends = max([len(items.prefix), *(len(mine.prefix) for mine in constraint_set.items)])
        positions: list[int | None] = [at for at in range(ends) if at < most]
        if most > ends:
            positions.append(None)
        return every(lambda at=at: self._item(constraint_set, items, (at, ends)) for at in positions)  # type: ignore[misc]

    def _item(self, constraint_set: ConstraintSet, items: Items, place: tuple[int | None, int]) -> SubsumptionResult:
        at, ends = place
        index = ends if at is None else at
        goal = items.rest if at is None else items.at(at)
        if goal is None:
            return YES
        found = self._search.conditional_declarations.item(
            (*constraint_set.item(at, self._pool), *self._matched(constraint_set)), (goal,), constraint_set, at
        )
        if found.answer is Tristate.UNKNOWN:
            return (
                YES
                if self._build(constraint_set, {index: SubsumptionResult(Tristate.NO)}).answer is Tristate.YES
                else found
            )
        if found.answer is Tristate.NO:
            return self._around(constraint_set, index, found, goal)
        return found

    def _around(
        self, constraint_set: ConstraintSet, at: int, found: SubsumptionResult, goal: InternedSchema
    ) -> SubsumptionResult:
        """An array with an item in its place, the item one of those that have to be there if need be."""
        built = self._build(constraint_set, {at: found})
        for _, form, low, _ in constraint_set.of("contains"):
            if built.answer is not Tristate.UNKNOWN or low == 0:
                return built
            other = self._search.below(
                (*constraint_set.item(at, self._pool), form, *self._matched(constraint_set)), (goal,)
            )
            built = self._build(constraint_set, {at: other}) if other.answer is Tristate.NO else built
        return built

    def _contains(self, constraint_set: ConstraintSet, constraint: Constraint) -> SubsumptionResult:
        _, goal, low, high = constraint
        most = self._most(constraint_set)
        steps = [lambda: YES]
        if low > 0:
            steps.append(lambda: self._enough(constraint_set, goal, low))
        if high is not None and most > high:
            steps.append(lambda: self._not_too_many(constraint_set, goal, high))
        return every(steps)

    def _enough(self, constraint_set: ConstraintSet, goal: InternedSchema, low: int) -> SubsumptionResult:
        beside = self._looking(constraint_set)
        for _, form, least, _ in constraint_set.of("contains"):
            found = self._search.below((form, *beside), (goal,)) if least >= low else unknown(UndecidedReason.UNDECIDED)
            if found.answer is Tristate.YES:
                return found
        if constraint_set.least("minItems") >= low:
            ends = max((len(items.prefix) for items in constraint_set.items), default=0)
            places: list[int | None] = [*range(min(ends, low)), *([None] if low > ends else [])]
            items = [(*constraint_set.item(at, self._pool), *self._matched(constraint_set)) for at in places]
            ask = self._search.conditional_declarations.item
            found = every(
                partial(ask, item, (goal,), constraint_set, at) for item, at in zip(items, places, strict=True)
            )
            if found.answer is Tristate.YES:
                return found
        return self._refuting(constraint_set, ("contains", goal, low, None), [0, 1])

    def _not_too_many(self, constraint_set: ConstraintSet, goal: InternedSchema, high: int) -> SubsumptionResult:
        # What is counted on the right has to be counted on the left: an item that both describe may carry all that
        # either of the left side's schemas mentions.
        beside, limit = self._looking(constraint_set), self._pool.of(("contains", goal, 0, high))
        for _, form, _, most in constraint_set.of("contains"):
            counted = most is not None and most <= high
            found = self._search.below((goal, *beside), (form,)) if counted else unknown(UndecidedReason.UNDECIDED)
            if found.answer is Tristate.YES:
                return found
            if found.answer is Tristate.NO and high < _LONGEST:
                built = self._build(constraint_set, dict.fromkeys(range(high + 1), found))
                if built.answer is Tristate.NO and holds(limit, built.value) is False:
                    return built
        return self._refuting(constraint_set, ("contains", goal, 0, high), [high + 1])

    def _matched(self, constraint_set: ConstraintSet) -> tuple[InternedSchema, ...]:
        """A note of what `contains` says on the left: any item may be one that it describes."""
        return self._notes(constraint[1] for constraint in constraint_set.of("contains"))

    def _looking(self, constraint_set: ConstraintSet) -> tuple[InternedSchema, ...]:
        """A note of all that the left side says of its items: what `contains` describes may be any of them."""
        listed = (form for items in constraint_set.items for form in (*items.prefix, items.rest) if form is not None)
        return (
            *self._matched(constraint_set),
            *self._notes(listed),
            *self._search.conditional_declarations.items(constraint_set),
        )

    def _notes(self, forms: Iterable[InternedSchema]) -> tuple[InternedSchema, ...]:
        """A note of each form that declares members; none where nothing is read by what is declared."""
        found = forms if self._search.declared else ()
        return tuple(self._pool.of((BESIDE, form)) for form in dict.fromkeys(found) if declares(form, self._pool))

    def _refuting(self, constraint_set: ConstraintSet, constraint: Constraint, lengths: list[int]) -> SubsumptionResult:
        """An array of some length that a constraint refuses, if the simplest ones are."""
        _, goal, low, _ = constraint
        for length in lengths:
            for avoided in ((), (goal,)) if low > 0 else ((),):
                built = self._build(constraint_set, {}, length=length, avoided=avoided)
                if built.answer is Tristate.YES and not avoided:
                    return YES if length == 0 else unknown(UndecidedReason.UNDECIDED)
                if built.answer is Tristate.NO and holds(self._pool.of(constraint), built.value) is False:
                    return built
            count = max(length, constraint_set.least("minItems"))
            if count > _LONGEST:
                return unknown(UndecidedReason.LARGE)
            item = (
                self._search.below((*constraint_set.item(None, self._pool), goal), ())
                if low == 0
                else unknown(UndecidedReason.UNDECIDED)
            )
            if item.answer is Tristate.NO:
                built = self._build(constraint_set, dict.fromkeys(range(count), item))
                if built.answer is Tristate.NO and holds(self._pool.of(constraint), built.value) is False:
                    return built
        return unknown(UndecidedReason.UNDECIDED)

    def _twice(self, constraint_set: ConstraintSet) -> SubsumptionResult:
        ends = max((len(items.prefix) for items in constraint_set.items), default=0)
        for at in (ends, 0):
            if at + 1 >= self._most(constraint_set):
                continue
            both = tuple(
                dict.fromkeys((*constraint_set.item(at, self._pool), *constraint_set.item(at + 1, self._pool)))
            )
            found = self._search.below(both, ())
            built = self._build(constraint_set, {at: found, at + 1: found}) if found.answer is Tristate.NO else found
            if built.answer is Tristate.NO:
                return built
        return unknown(UndecidedReason.UNDECIDED)

    def _build(
        self,
        constraint_set: ConstraintSet,
        fixed: dict[int, SubsumptionResult],
        *,
        length: int = 0,
        avoided: tuple[InternedSchema, ...] = (),
    ) -> SubsumptionResult:
        """The smallest array with some items given, none of the others in what is avoided; yes when there is none."""
        wanted = max([length, constraint_set.least("minItems"), *(at + 1 for at in fixed)])
        if max(wanted, self._least(constraint_set)) > self._most(constraint_set):
            return YES
        if wanted > _LONGEST:
            return unknown(UndecidedReason.LARGE)
        made: list[SubsumptionResult] = []
        distinct = bool(constraint_set.of("unique"))
        limited = distinct or any(constraint[3] is not None for constraint in constraint_set.of("contains"))
        inside = [constraint for constraint in constraint_set.of("contains") if constraint[2] > 0]
        if any(constraint[2] > _LONGEST for constraint in inside):
            return unknown(UndecidedReason.LARGE)
        for at in range(wanted):
            known = [*made, *(other for index, other in fixed.items() if index > at)]
            found = fixed.get(at) or self._next(constraint_set, at, (known, avoided), (), distinct=distinct)
            if found.answer is not Tristate.NO:
                return unknown(UndecidedReason.UNDECIDED) if avoided or (limited and known) else found
            made.append(found)
        for _, form, low, _ in inside:
            while sum(holds(form, found.value) is True for found in made) < low:
                found = self._next(constraint_set, len(made), (made, avoided), (form,), distinct=distinct)
                if found.answer is not Tristate.NO or len(made) >= min(self._most(constraint_set), _LONGEST):
                    return unknown(UndecidedReason.UNDECIDED)
                if holds(form, found.value) is not True:
                    return unknown(UndecidedReason.UNDECIDED)  # the next one would be no better known
                made.append(found)
        size = 1 + sum(found.size for found in made)
        return unknown(UndecidedReason.LARGE) if size > _LARGEST else no([found.value for found in made], size)

    def _next(
        self,
        constraint_set: ConstraintSet,
        at: int,
        unlike: tuple[list[SubsumptionResult], tuple[InternedSchema, ...]],
        more: tuple[InternedSchema, ...],
        *,
        distinct: bool,
    ) -> SubsumptionResult:
        """An item for a place, unlike the others where all have to differ, and not one too many of what is counted."""
        others, avoided = unlike
        refused = list(avoided)
        if others and distinct:
            refused.append(self._pool.among(found.value for found in others))
        for _, form, _, high in constraint_set.of("contains"):
            if high is not None and sum(holds(form, found.value) is True for found in others) >= high:
                refused.append(form)
        return self._search.below(
            (*constraint_set.item(at, self._pool), *more, *self._matched(constraint_set)), refused
        )
