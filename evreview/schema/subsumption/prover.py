"""The proof search: every value that meets the forms on the left meets one of the forms on the right.

Questions about members are asked by name of the forms, never by expanding references; a question that comes up again
below itself holds (every value is finite, so that is induction on its depth). All else is in the leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from evreview.core.vocabulary import Json, Tristate
from evreview.schema.subsumption.arrays import Arrays
from evreview.schema.subsumption.conditional_declarations import Asides
from evreview.schema.subsumption.constraint_set import (
    FREE,
    Given,
    all_hold,
    concerning,
    described,
    gather,
    holds,
    in_place,
)
from evreview.schema.subsumption.interned_schema import Form, Literal, Pool, concerns
from evreview.schema.subsumption.objects import Objects
from evreview.schema.subsumption.result import YES, Found, UndecidedReason, every, no, unknown, with_assumption
from evreview.schema.subsumption.scalars import few, number, string
from evreview.schema.subsumption.unions import Unions

# Schemas that negate themselves without a member in between: nobody can say which values they admit.


class Loops:
    """Finds forms whose meaning hangs on its own opposite. Every form is looked at once (Tarjan's components)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._bad: dict[Form, bool] = {}

    def senseless(self, form: Form) -> bool:
        """True for a form that negates itself in place, or that looks at such a form in place."""
        if form not in self._bad:
            self._search(form)
        return self._bad[form]

    def _search(self, start: Form) -> None:
        number: dict[Form, int] = {start: 0}
        lowest: dict[Form, int] = {start: 0}
        open_: list[Form] = [start]
        path: list[tuple[Form, Iterator[Form]]] = [(start, iter(self._below(start)))]
        while path:
            form, rest = path[-1]
            below = next(rest, None)
            if below is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[form])
                if lowest[form] == number[form]:
                    self._close(open_, form)
            elif below not in number and below not in self._bad:
                number[below] = lowest[below] = len(number)
                open_.append(below)
                path.append((below, iter(self._below(below))))
            elif below not in self._bad:
                lowest[form] = min(lowest[form], number[below])

    def _close(self, open_: list[Form], form: Form) -> None:
        """Judges one component: the forms that reach each other."""
        at = open_.index(form)
        component = set(open_[at:])
        del open_[at:]
        bad = any(
            below in component if turned else self._bad.get(below, False)
            for each in component
            for below, turned in (*self._turned(each), *((other, False) for other in self._below(each)))
        )
        for each in component:
            self._bad[each] = bad

    def _below(self, form: Form) -> list[Form]:
        return [below for literal in form.literals for below in in_place(literal, self._pool)]

    def _turned(self, form: Form) -> Iterator[tuple[Form, bool]]:
        for literal in form.literals:
            if literal[0] in ("not", "if"):
                yield literal[1], True
            elif literal[0] == "one":
                yield from ((branch, True) for branch in literal[1])


Key = tuple[frozenset[Form], frozenset[Form]]
_LEVELS: Final = 150
_PRODUCT: Final = 64
_LEAST: Final = 500
_LOOKING: Final = 25
_CUTS: Final = (0, 1)
"""Lengths at which arrays are told from longer ones where nothing else decides."""
_MANY: Final = 64
"""Forms of one question that count as one more: what holds a choice of thousands against another is no single step."""
_ENDLESS: Final = 10**9
_COMPOSED: Final = frozenset({"all", "ref", "any", "one", "not", "if"})
_SCALARS: Final = frozenset({"min", "max", "step", "minLength", "maxLength", "pattern", "format", "types", "enum"})


class Search:
    """Decides inclusions over one pool, and remembers what it decided.

    Args:
        pool: the forms.
        declared: True to take an open object as carrying only members that it declares, where that matters.
        steps: how many questions one call may ask.
    """

    def __init__(self, pool: Pool, *, declared: bool, steps: int) -> None:
        self.pool = pool
        self.declared = declared
        self._allowed = steps
        self._steps = steps
        self._memo: dict[Key, tuple[Found, int]] = {}
        self._open: dict[Key, tuple[int, int]] = {}
        self._provisional: list[Key] = []
        self._low = _ENDLESS
        self._level = 0
        self._loops = Loops(pool)
        self.rounds = False
        self.asides = Asides(self)
        self._unions = Unions(self)
        self._objects, self._arrays = Objects(self), Arrays(self)

    def _start(self) -> None:
        """Forgets what an interrupted call may have left; one that ran out of steps leaves fewer to the next ones."""
        if self._steps < 0:
            self._allowed = max(_LEAST, self._allowed // 2)
        self._steps, self._level, self._low, self.rounds = self._allowed, 0, _ENDLESS, False
        self._open.clear()
        for key in self._provisional:
            self._memo.pop(key, None)
        self._provisional.clear()

    def decide(self, left: Form, right: Form) -> Found:
        """Whether all values of one form are values of the other."""
        self._start()
        return self.prove((left,), (right,))

    def member(self, left: Form, right: Form, name: str) -> Found:
        """Whether the member of a name meets all that one form says of it, in every object that meets the other."""
        self._start()
        expected = gather((right,), self.pool)
        if expected.impossible or expected.of("unevaluated"):
            return unknown(UndecidedReason.UNDECIDED)
        objects = (left, self.pool.typed("object"))
        said = [self.pool.of(("members", self.pool.only(name, form))) for form in expected.member(name, self.pool)]
        if not said and any(name in members.names for members in described((right,), self.pool)):
            return unknown(UndecidedReason.UNDECIDED)  # a branch says what it is
        return every(partial(self.prove, objects, (goal,)) for goal in said)

    def below(self, left: Iterable[Form], right: Iterable[Form]) -> Found:
        """The same question about a member or item."""
        self._level += 1
        try:
            return unknown(UndecidedReason.BUDGET) if self._level > _LEVELS else self.prove(left, right)
        finally:
            self._level -= 1

    def afford(self, steps: int) -> bool:
        """Takes the steps of what is no question of its own; False when none are left."""
        self._steps -= steps
        return self._steps >= 0

    def prove(self, left: Iterable[Form], right: Iterable[Form]) -> Found:
        """Whether every value that meets all forms on the left meets one of the right."""
        key = (frozenset(left), frozenset(right))
        if not key[0].isdisjoint(key[1]) or self.pool.nothing in key[0] or self.pool.anything in key[1]:
            return YES
        known = self._memo.get(key)
        if known is not None:
            self._low = min(self._low, known[1])
            return known[0]
        if key in self._open:
            index, level = self._open[key]
            if level == self._level:
                return self._round()
            self._low = min(self._low, index)
            return YES
        self._steps -= 1 + (len(key[0]) + len(key[1])) // _MANY
        if self._steps < 0:
            return unknown(UndecidedReason.BUDGET)
        return self._remembered(key)

    def _round(self) -> Found:
        self.rounds = True
        return unknown(UndecidedReason.IN_PLACE)

    def _remembered(self, key: Key) -> Found:
        index, mark, above = len(self._open), len(self._provisional), self._low
        self._open[key] = (index, self._level)
        self._low = _ENDLESS
        try:
            found = self._sequent(key)
        finally:
            del self._open[key]
        low, self._low = self._low, above
        if found.answer is not Tristate.YES:
            for provisional in self._provisional[mark:]:
                self._memo.pop(provisional, None)
            del self._provisional[mark:]
            if found.reason is not UndecidedReason.BUDGET:
                self._memo[key] = (found, _ENDLESS)
            return found
        if low < index:
            self._memo[key] = (found, low)
            self._provisional.append(key)
            self._low = min(above, low)
            return found
        for provisional in self._provisional[mark:]:
            inner = self._memo[provisional][0]
            self._memo[provisional] = (with_assumption(inner, found.assumed), _ENDLESS)
        del self._provisional[mark:]
        self._memo[key] = (found, _ENDLESS)
        return found

    def _sequent(self, key: Key) -> Found:
        if any(self._loops.senseless(form) for form in (*key[0], *key[1])):
            return self._round()
        given = gather(sorted_forms(key[0]), self.pool)
        self._steps -= len(given.forms) // 2 + sum(map(len, given.unions)) // _MANY
        twice = self._negated_twice(given)
        if twice:
            return self.prove({*key[0], *twice}, key[1])
        goals = self._goals([*sorted_forms(key[1]), *given.refused], given)
        if goals is None or given.impossible:
            return YES
        listed = [literal for literal in given.literals if literal[0] == "enum"]
        if listed:
            return self._listed(listed, given, goals)
        found = every(lambda kind=kind: self.typed(given, kind, goals) for kind in given.types)  # type: ignore[misc]
        surely = found.answer is Tristate.NO and self._sure(given, goals, found.value)
        if given.unions and found.answer is not Tristate.YES and not surely:
            found = self._branched(given, key, goals)
        return self._by_length(given, key, found) if found.reason is UndecidedReason.UNDECIDED else found

    def _by_length(self, given: Given, key: Key, found: Found) -> Found:
        """The question once more for the shortest arrays and for all others: whose items are alike, none are."""
        most = min((literal[1] for literal in given.of("maxItems")), default=_ENDLESS)
        cut = next((cut for cut in _CUTS if given.least("minItems") <= cut < most), None)
        if "array" not in given.types or cut is None or sum(map(len, given.unions)) > _MANY:
            return found
        shorter, longer = self.pool.of(("maxItems", cut)), self.pool.of(("minItems", cut + 1))
        return every(partial(self.prove, {*key[0], part}, key[1]) for part in (shorter, longer))

    def _negated_twice(self, given: Given) -> list[Form]:
        """The forms whose negation the left side refuses: they hold, and it does not say so yet."""
        opened = self._goals(given.refused, given) or ()
        meant = [form.literals[0][1] for form in opened if len(form.literals) == 1 and form.literals[0][0] == "not"]
        return [form for form in meant if form not in given.forms]

    def _goals(self, right: list[Form], given: Given) -> list[Form] | None:
        """The forms on the right with plain alternatives opened; None when one of them surely holds."""
        waiting, found, seen = right[::-1], [], set()
        while waiting:
            form = waiting.pop()
            if form in seen:
                continue
            seen.add(form)
            if form in given.forms or not form.literals:
                return None
            if len(form.literals) == 1:
                kind, *rest = form.literals[0]
                if kind == "never" or (kind == "not" and rest[0] in given.forms):
                    continue
                if kind == "any":
                    waiting += rest[0][::-1]
                    continue
                if kind == "all":
                    waiting.append(rest[0])
                    continue
                target = self.pool.target(rest[0], rest[1]) if kind == "ref" else None
                if target is not None:
                    waiting.append(target)
                    continue
            found.append(form)
        return found

    def _listed(self, listed: list[Literal], given: Given, goals: list[Form]) -> Found:
        """Finitely many values, tried one by one."""
        others = [literal[1].by_token for literal in listed[1:]]
        enough = [
            goal.literals[0][1].by_token for goal in goals if len(goal.literals) == 1 and goal.literals[0][0] == "enum"
        ]
        doubt = UndecidedReason.NONE
        for token, value in listed[0][1].by_token.items():
            if any(token not in other for other in others) or any(token in values for values in enough):
                continue
            self._steps -= 1
            if self._steps < 0:
                return unknown(UndecidedReason.BUDGET)
            if all_hold(given.forms, value) is False:
                continue
            said = [holds(goal, value) for goal in goals]
            if True in said:
                continue
            if None not in said and all_hold(given.forms, value):
                return no(value, weight(value))
            doubt = doubt or (
                UndecidedReason.GAP if any(self._gaps(goal) for goal in goals) else UndecidedReason.UNDECIDED
            )
        return unknown(doubt) if doubt else YES

    def _gaps(self, goal: Form) -> bool:
        return any(literal[0] == "gap" for literal in goal.literals)

    def _sure(self, given: Given, goals: list[Form], value: Json) -> bool:
        self._steps -= _LOOKING
        return all_hold(given.forms, value) is True and all(holds(goal, value) is False for goal in goals)

    def _branched(self, given: Given, key: Key, goals: list[Form]) -> Found:
        """One choice of the left side, branch by branch."""
        branches = min(given.unions, key=len)
        assumed, doubt = False, UndecidedReason.NONE
        for at, branch in enumerate(branches):
            found = self.prove({*key[0], branch}, key[1])
            if found.answer is Tristate.NO and not self._sure(given, goals, found.value):
                others = frozenset(other for index, other in enumerate(branches) if index != at)
                again = self.prove({*key[0], branch}, key[1] | others)
                found = (
                    again
                    if again.answer is not Tristate.NO or self._sure(given, goals, again.value)
                    else unknown(UndecidedReason.UNDECIDED)
                )
                if again.answer is Tristate.YES and not self._exclusive(given, branches):
                    found = unknown(UndecidedReason.UNDECIDED)
            if found.answer is Tristate.NO:
                return found
            doubt = doubt or found.reason
            assumed = assumed or found.assumed
        return unknown(doubt) if doubt else with_assumption(YES, assumed)

    def _exclusive(self, given: Given, branches: tuple[Form, ...]) -> bool:
        return any(literal[0] == "one" and literal[1] == branches for literal in given.literals)

    def typed(self, given: Given, kind: str, goals: list[Form]) -> Found:
        """The question for values of one type."""
        left = []
        for goal in goals:
            if not any(literal[0] == "types" and kind not in literal[1] for literal in goal.literals):
                if not concerning(goal, kind):
                    return YES
                left.append(goal)
        if not left:
            return self.inhabited(given, kind, [])
        if len(left) == 1:
            return self.single(given, kind, left[0])
        wanted = (
            self._arrays.of_one(given, [self._flat(given, kind, goal) for goal in left]) if kind == "array" else None
        )
        if wanted is not None:
            return self._arrays.alone(given, wanted)
        return self._unions.one_of_several(given, kind, left)

    def single(self, given: Given, kind: str, goal: Form) -> Found:
        return every(
            lambda literal=literal: self.literal(given, kind, literal, goal)  # type: ignore[misc]
            for literal in self._flat(given, kind, goal)
        )

    def _flat(self, given: Given, kind: str, goal: Form) -> list[Literal]:
        """The literals of a form that concern a type, members of `allOf` and references opened; each of them once."""
        found: dict[Literal, None] = {}
        waiting, seen = [goal], set()
        for form in waiting:
            if form in seen or (form in given.forms and form is not goal):
                continue
            seen.add(form)
            for literal in form.literals:
                target = literal[1] if literal[0] == "all" else None
                if literal[0] == "ref":
                    target = self.pool.target(literal[1], literal[2])
                if target is not None:
                    waiting.append(target)
                elif literal[0] == "types" and kind not in literal[1]:
                    found["never",] = None
                elif concerns(literal, kind):
                    found[literal] = None
        return list(found)

    def literal(self, given: Given, kind: str, literal: Literal, goal: Form) -> Found:
        """Whether one literal of a form on the right side holds for all values of a type."""
        if literal in given.literals:
            return YES
        match literal[0]:
            case "gap":
                return self._unless_empty(given, kind, UndecidedReason.GAP)
            case "unevaluated":
                return self._unless_empty(given, kind, UndecidedReason.UNDECIDED)
            case "never":
                return self.inhabited(given, kind, [])
        return self._composed(given, kind, literal, goal) or self.inhabited(given, kind, [literal])

    def _composed(self, given: Given, kind: str, literal: Literal, goal: Form) -> Found | None:
        """The same for a literal that holds other schemas in place, None for any other one."""
        if literal[0] not in _COMPOSED:
            return None
        forms = self.narrowed(given, kind, goal)
        match literal[0]:
            case "all":
                return self.prove(forms, (literal[1],))
            case "ref":
                target = self.pool.target(literal[1], literal[2])
                return unknown(UndecidedReason.GAP) if target is None else self.prove(forms, (target,))
            case "any":
                return self.prove(forms, literal[1])
            case "one":
                return self._unions.exactly_one(given, forms, literal[1])
            case "not":
                return self.prove((*forms, literal[1]), ())
        when, then, other = literal[1:]
        return every([lambda: self.prove((*forms, when), (then,)), lambda: self.prove(forms, (when, other))])

    def narrowed(self, given: Given, kind: str, goal: Form | None = None) -> tuple[Form, ...]:
        forms = given.without(goal, self.pool) if goal is not None and goal in given.refused else given.forms
        narrow = () if given.types == [kind] else (self.pool.typed(kind),)
        return (*sorted_forms(forms), *narrow, *self.freely(given, kind))

    def freely(self, given: Given, kind: str = "object") -> tuple[Form, ...]:
        """The note that an object is free-form: what the right side mentions before it is assumed declares nothing."""
        return (self.pool.of(FREE),) if kind == "object" and self.declared and given.free(self.pool) else ()

    def _unless_empty(self, given: Given, kind: str, reason: UndecidedReason) -> Found:
        return YES if self.inhabited(given, kind, []).answer is Tristate.YES else unknown(reason)

    def inhabited(self, given: Given, kind: str, broken: list[Literal]) -> Found:
        """A value of a type that meets the left side and breaks some literals; yes when there is none."""
        match kind:
            case "null" | "boolean":
                return few([None] if kind == "null" else [False, True], broken, self.pool)
            case "number":
                return number(given, broken)
            case "string":
                return string(given, broken)
            case "array":
                return self._arrays.inhabited(given, broken)
            case _:
                return self._objects.inhabited(given, broken)


def sorted_forms(forms: Iterable[Form]) -> list[Form]:
    """Forms in the order in which they were made: the search is the same in every run."""
    return sorted(forms, key=lambda form: form.number)


def weight(value: Json) -> int:
    """How many nodes a value has."""
    total, waiting = 0, [value]
    while waiting:
        node = waiting.pop()
        total += 1
        if isinstance(node, dict):
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return total
