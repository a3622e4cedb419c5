"""Arrays: the first items one by one, all others, what they contain, and how many they are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import Tristate
from evreview.schema.subsumption.constraint_set import BESIDE, Given, declares, holds
from evreview.schema.subsumption.interned_schema import Form, Items, Literal
from evreview.schema.subsumption.result import YES, Found, UndecidedReason, every, no, unknown

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import Search

_LONGEST: Final = 300
_LARGEST: Final = 1500
_OF_ONE: Final = frozenset({"items", "minItems", "maxItems", "unique"})
"""What says of an array of one item no more than what the item is."""


class Arrays:
    """Decides what concerns arrays, for one search."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._pool = search.pool

    def inhabited(self, given: Given, broken: list[Literal]) -> Found:
        """An array that meets the left side and breaks the literals; yes when there is none."""
        if not broken:
            return self._build(given, {})
        if len(broken) > 1:
            return unknown(UndecidedReason.UNDECIDED)
        literal = broken[0]
        match literal[0]:
            case "items":
                return self._items(given, literal[1])
            case "minItems":
                if self._least(given) >= literal[1]:
                    return YES
                found = self._build(given, {})
            case "maxItems":
                if self._most(given) <= literal[1]:
                    return YES
                found = self._build(given, {}, length=literal[1] + 1)
            case "unique":
                if given.of("unique") or self._most(given) <= 1:
                    return YES
                found = self._twice(given)
            case "contains":
                return self._contains(given, literal)
            case _:
                found = self._build(given, {})
        breaks = found.answer is not Tristate.NO or holds(self._pool.of(literal), found.value) is False
        return found if breaks else unknown(UndecidedReason.UNDECIDED)

    def of_one(self, given: Given, goals: Iterable[list[Literal]]) -> list[Form] | None:
        """What the goals ask of the only item of arrays of one; None where they ask more, or there may be others."""
        if not self._least(given) == 1 == self._most(given):
            return None
        wanted = []
        for literals in goals:
            if not all(literal[0] in _OF_ONE for literal in literals):
                return None
            lengths = [literal for literal in literals if literal[0] in ("minItems", "maxItems")]
            if any(literal[1] > 1 if literal[0] == "minItems" else literal[1] < 1 for literal in lengths):
                continue
            items = [form for literal in literals if literal[0] == "items" and (form := literal[1].at(0)) is not None]
            wanted.append(items[0] if len(items) == 1 else self._pool.of(*(("all", form) for form in items)))
        return wanted

    def alone(self, given: Given, wanted: list[Form]) -> Found:
        """An array of one whose item is none of those wanted; yes when there is none."""
        item = (*given.item(0, self._pool), *self._matched(given))
        found = self._search.asides.item(item, tuple(wanted), given, 0)
        return self._build(given, {0: found}) if found.answer is Tristate.NO else found

    def _least(self, given: Given) -> int:
        return max([given.least("minItems"), *(int(literal[2]) for literal in given.of("contains"))])

    def _most(self, given: Given) -> float:
        """The greatest length, as far as it is written; an item that can't be ends the array."""
        limits = [float(literal[1]) for literal in given.of("maxItems")]
        for items in given.items:
            listed = [*items.prefix, items.rest]
            limits += [float(at) for at, form in enumerate(listed) if form is self._pool.nothing][:1]
        return min(limits, default=float("inf"))

    def _items(self, given: Given, items: Items) -> Found:
        most = self._most(given)
        ends = max([len(items.prefix), *(len(mine.prefix) for mine in given.items)])
        positions: list[int | None] = [at for at in range(ends) if at < most]
        if most > ends:
            positions.append(None)
        return every(lambda at=at: self._item(given, items, (at, ends)) for at in positions)  # type: ignore[misc]

    def _item(self, given: Given, items: Items, place: tuple[int | None, int]) -> Found:
        at, ends = place
        index = ends if at is None else at
        goal = items.rest if at is None else items.at(at)
        if goal is None:
            return YES
        found = self._search.asides.item((*given.item(at, self._pool), *self._matched(given)), (goal,), given, at)
        if found.answer is Tristate.UNKNOWN:
            return YES if self._build(given, {index: Found(Tristate.NO)}).answer is Tristate.YES else found
        if found.answer is Tristate.NO:
            return self._around(given, index, found, goal)
        return found

    def _around(self, given: Given, at: int, found: Found, goal: Form) -> Found:
        """An array with an item in its place, the item one of those that have to be there if need be."""
        built = self._build(given, {at: found})
        for _, form, low, _ in given.of("contains"):
            if built.answer is not Tristate.UNKNOWN or low == 0:
                return built
            other = self._search.below((*given.item(at, self._pool), form, *self._matched(given)), (goal,))
            built = self._build(given, {at: other}) if other.answer is Tristate.NO else built
        return built

    def _contains(self, given: Given, literal: Literal) -> Found:
        _, goal, low, high = literal
        most = self._most(given)
        steps = [lambda: YES]
        if low > 0:
            steps.append(lambda: self._enough(given, goal, low))
        if high is not None and most > high:
            steps.append(lambda: self._not_too_many(given, goal, high))
        return every(steps)

    def _enough(self, given: Given, goal: Form, low: int) -> Found:
        beside = self._looking(given)
        for _, form, least, _ in given.of("contains"):
            found = self._search.below((form, *beside), (goal,)) if least >= low else unknown(UndecidedReason.UNDECIDED)
            if found.answer is Tristate.YES:
                return found
        if given.least("minItems") >= low:
            ends = max((len(items.prefix) for items in given.items), default=0)
            places: list[int | None] = [*range(min(ends, low)), *([None] if low > ends else [])]
            items = [(*given.item(at, self._pool), *self._matched(given)) for at in places]
            ask = self._search.asides.item
            found = every(partial(ask, item, (goal,), given, at) for item, at in zip(items, places, strict=True))
            if found.answer is Tristate.YES:
                return found
        return self._refuting(given, ("contains", goal, low, None), [0, 1])

    def _not_too_many(self, given: Given, goal: Form, high: int) -> Found:
        # What is counted on the right has to be counted on the left: an item that both describe may carry all that
        # either of the left side's schemas mentions.
        beside, limit = self._looking(given), self._pool.of(("contains", goal, 0, high))
        for _, form, _, most in given.of("contains"):
            counted = most is not None and most <= high
            found = self._search.below((goal, *beside), (form,)) if counted else unknown(UndecidedReason.UNDECIDED)
            if found.answer is Tristate.YES:
                return found
            if found.answer is Tristate.NO and high < _LONGEST:
                built = self._build(given, dict.fromkeys(range(high + 1), found))
                if built.answer is Tristate.NO and holds(limit, built.value) is False:
                    return built
        return self._refuting(given, ("contains", goal, 0, high), [high + 1])

    def _matched(self, given: Given) -> tuple[Form, ...]:
        """A note of what `contains` says on the left: any item may be one that it describes."""
        return self._notes(literal[1] for literal in given.of("contains"))

    def _looking(self, given: Given) -> tuple[Form, ...]:
        """A note of all that the left side says of its items: what `contains` describes may be any of them."""
        listed = (form for items in given.items for form in (*items.prefix, items.rest) if form is not None)
        return (*self._matched(given), *self._notes(listed), *self._search.asides.items(given))

    def _notes(self, forms: Iterable[Form]) -> tuple[Form, ...]:
        """A note of each form that declares members; none where nothing is read by what is declared."""
        found = forms if self._search.declared else ()
        return tuple(self._pool.of((BESIDE, form)) for form in dict.fromkeys(found) if declares(form, self._pool))

    def _refuting(self, given: Given, literal: Literal, lengths: list[int]) -> Found:
        """An array of some length that a literal refuses, if the simplest ones are."""
        _, goal, low, _ = literal
        for length in lengths:
            for avoided in ((), (goal,)) if low > 0 else ((),):
                built = self._build(given, {}, length=length, avoided=avoided)
                if built.answer is Tristate.YES and not avoided:
                    return YES if length == 0 else unknown(UndecidedReason.UNDECIDED)
                if built.answer is Tristate.NO and holds(self._pool.of(literal), built.value) is False:
                    return built
            count = max(length, given.least("minItems"))
            if count > _LONGEST:
                return unknown(UndecidedReason.LARGE)
            item = (
                self._search.below((*given.item(None, self._pool), goal), ())
                if low == 0
                else unknown(UndecidedReason.UNDECIDED)
            )
            if item.answer is Tristate.NO:
                built = self._build(given, dict.fromkeys(range(count), item))
                if built.answer is Tristate.NO and holds(self._pool.of(literal), built.value) is False:
                    return built
        return unknown(UndecidedReason.UNDECIDED)

    def _twice(self, given: Given) -> Found:
        ends = max((len(items.prefix) for items in given.items), default=0)
        for at in (ends, 0):
            if at + 1 >= self._most(given):
                continue
            both = tuple(dict.fromkeys((*given.item(at, self._pool), *given.item(at + 1, self._pool))))
            found = self._search.below(both, ())
            built = self._build(given, {at: found, at + 1: found}) if found.answer is Tristate.NO else found
            if built.answer is Tristate.NO:
                return built
        return unknown(UndecidedReason.UNDECIDED)

    def _build(
        self, given: Given, fixed: dict[int, Found], *, length: int = 0, avoided: tuple[Form, ...] = ()
    ) -> Found:
        """The smallest array with some items given, none of the others in what is avoided; yes when there is none."""
        wanted = max([length, given.least("minItems"), *(at + 1 for at in fixed)])
        if max(wanted, self._least(given)) > self._most(given):
            return YES
        if wanted > _LONGEST:
            return unknown(UndecidedReason.LARGE)
        made: list[Found] = []
        distinct = bool(given.of("unique"))
        limited = distinct or any(literal[3] is not None for literal in given.of("contains"))
        inside = [literal for literal in given.of("contains") if literal[2] > 0]
        if any(literal[2] > _LONGEST for literal in inside):
            return unknown(UndecidedReason.LARGE)
        for at in range(wanted):
            known = [*made, *(other for index, other in fixed.items() if index > at)]
            found = fixed.get(at) or self._next(given, at, (known, avoided), (), distinct=distinct)
            if found.answer is not Tristate.NO:
                return unknown(UndecidedReason.UNDECIDED) if avoided or (limited and known) else found
            made.append(found)
        for _, form, low, _ in inside:
            while sum(holds(form, found.value) is True for found in made) < low:
                found = self._next(given, len(made), (made, avoided), (form,), distinct=distinct)
                if found.answer is not Tristate.NO or len(made) >= min(self._most(given), _LONGEST):
                    return unknown(UndecidedReason.UNDECIDED)
                if holds(form, found.value) is not True:
                    return unknown(UndecidedReason.UNDECIDED)  # the next one would be no better known
                made.append(found)
        size = 1 + sum(found.size for found in made)
        return unknown(UndecidedReason.LARGE) if size > _LARGEST else no([found.value for found in made], size)

    def _next(
        self,
        given: Given,
        at: int,
        unlike: tuple[list[Found], tuple[Form, ...]],
        more: tuple[Form, ...],
        *,
        distinct: bool,
    ) -> Found:
        """An item for a place, unlike the others where all have to differ, and not one too many of what is counted."""
        others, avoided = unlike
        refused = list(avoided)
        if others and distinct:
            refused.append(self._pool.among(found.value for found in others))
        for _, form, _, high in given.of("contains"):
            if high is not None and sum(holds(form, found.value) is True for found in others) >= high:
                refused.append(form)
        return self._search.below((*given.item(at, self._pool), *more, *self._matched(given)), refused)
