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
from evreview.schema.subsumption.conditional_declarations import ConditionalDeclarations
from evreview.schema.subsumption.constraint_set import (
    FREE,
    ConstraintSet,
    concerning,
    described,
    gather,
    holds,
    in_place,
    satisfies_all,
)
from evreview.schema.subsumption.interned_schema import Constraint, InternedSchema, SchemaPool, concerns
from evreview.schema.subsumption.objects import Objects
from evreview.schema.subsumption.result import (
    YES,
    SubsumptionResult,
    UndecidedReason,
    every,
    no,
    unknown,
    with_assumption,
)
from evreview.schema.subsumption.scalars import few, number, string
from evreview.schema.subsumption.unions import Unions

# Schemas that negate themselves without a member in between: nobody can say which values they admit.


class NonProductiveRecursion:
    """Finds forms whose meaning hangs on its own opposite. Every form is looked at once (Tarjan's components)."""

    def __init__(self, pool: SchemaPool) -> None:
        self._pool = pool
        self._bad: dict[InternedSchema, bool] = {}

    def senseless(self, form: InternedSchema) -> bool:
        """True for a form that negates itself in place, or that looks at such a form in place."""
        if form not in self._bad:
            self._search(form)
        return self._bad[form]

    def _search(self, start: InternedSchema) -> None:
        number: dict[InternedSchema, int] = {start: 0}
        lowest: dict[InternedSchema, int] = {start: 0}
        open_: list[InternedSchema] = [start]
        path: list[tuple[InternedSchema, Iterator[InternedSchema]]] = [(start, iter(self._below(start)))]
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

    def _close(self, open_: list[InternedSchema], form: InternedSchema) -> None:
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

    def _below(self, form: InternedSchema) -> list[InternedSchema]:
        return [below for constraint in form.constraints for below in in_place(constraint, self._pool)]

    def _turned(self, form: InternedSchema) -> Iterator[tuple[InternedSchema, bool]]:
        for constraint in form.constraints:
            if constraint[0] in ("not", "if"):
                yield constraint[1], True
            elif constraint[0] == "one":
                yield from ((branch, True) for branch in constraint[1])


Key = tuple[frozenset[InternedSchema], frozenset[InternedSchema]]
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


class SubsumptionProver:
    """Decides subsumption over one pool, and remembers what it decided.

    Args:
        pool: the forms.
        declared: True to take an open object as carrying only members that it declares, where that matters.
        steps: how many questions one call may ask.
    """

    def __init__(self, pool: SchemaPool, *, declared: bool, steps: int) -> None:
        self.pool = pool
        self.declared = declared
        self._allowed = steps
        self._steps = steps
        self._memo: dict[Key, tuple[SubsumptionResult, int]] = {}
        self._open: dict[Key, tuple[int, int]] = {}
        self._provisional: list[Key] = []
        self._low = _ENDLESS
        self._level = 0
        self._loops = NonProductiveRecursion(pool)
        self.rounds = False
        self.conditional_declarations = ConditionalDeclarations(self)
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

    def decide(self, left: InternedSchema, right: InternedSchema) -> SubsumptionResult:
        """Whether all values of one form are values of the other."""
        self._start()
        return self.prove((left,), (right,))

    def member(self, left: InternedSchema, right: InternedSchema, name: str) -> SubsumptionResult:
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

    def below(self, left: Iterable[InternedSchema], right: Iterable[InternedSchema]) -> SubsumptionResult:
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

    def prove(self, left: Iterable[InternedSchema], right: Iterable[InternedSchema]) -> SubsumptionResult:
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

    def _round(self) -> SubsumptionResult:
        self.rounds = True
        return unknown(UndecidedReason.IN_PLACE)

    def _remembered(self, key: Key) -> SubsumptionResult:
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

    def _sequent(self, key: Key) -> SubsumptionResult:
        if any(self._loops.senseless(form) for form in (*key[0], *key[1])):
            return self._round()
        constraint_set = gather(sorted_forms(key[0]), self.pool)
        self._steps -= len(constraint_set.forms) // 2 + sum(map(len, constraint_set.unions)) // _MANY
        twice = self._negated_twice(constraint_set)
        if twice:
            return self.prove({*key[0], *twice}, key[1])
        goals = self._goals([*sorted_forms(key[1]), *constraint_set.refused], constraint_set)
        if goals is None or constraint_set.impossible:
            return YES
        listed = [constraint for constraint in constraint_set.constraints if constraint[0] == "enum"]
        if listed:
            return self._listed(listed, constraint_set, goals)
        found = every(lambda kind=kind: self.typed(constraint_set, kind, goals) for kind in constraint_set.types)  # type: ignore[misc]
        surely = found.answer is Tristate.NO and self._sure(constraint_set, goals, found.value)
        if constraint_set.unions and found.answer is not Tristate.YES and not surely:
            found = self._branched(constraint_set, key, goals)
        return self._by_length(constraint_set, key, found) if found.reason is UndecidedReason.UNDECIDED else found

    def _by_length(self, constraint_set: ConstraintSet, key: Key, found: SubsumptionResult) -> SubsumptionResult:
        """The question once more for the shortest arrays and for all others: whose items are alike, none are."""
        most = min((constraint[1] for constraint in constraint_set.of("maxItems")), default=_ENDLESS)
        cut = next((cut for cut in _CUTS if constraint_set.least("minItems") <= cut < most), None)
        if "array" not in constraint_set.types or cut is None or sum(map(len, constraint_set.unions)) > _MANY:
            return found
        shorter, longer = self.pool.of(("maxItems", cut)), self.pool.of(("minItems", cut + 1))
        return every(partial(self.prove, {*key[0], part}, key[1]) for part in (shorter, longer))

    def _negated_twice(self, constraint_set: ConstraintSet) -> list[InternedSchema]:
        """The forms whose negation the left side refuses: they hold, and it does not say so yet."""
        opened = self._goals(constraint_set.refused, constraint_set) or ()
        meant = [
            form.constraints[0][1] for form in opened if len(form.constraints) == 1 and form.constraints[0][0] == "not"
        ]
        return [form for form in meant if form not in constraint_set.forms]

    def _goals(self, right: list[InternedSchema], constraint_set: ConstraintSet) -> list[InternedSchema] | None:
        """The forms on the right with plain alternatives opened; None when one of them surely holds."""
        waiting, found, seen = right[::-1], [], set()
        while waiting:
            form = waiting.pop()
            if form in seen:
                continue
            seen.add(form)
            if form in constraint_set.forms or not form.constraints:
                return None
            if len(form.constraints) == 1:
                kind, *rest = form.constraints[0]
                if kind == "never" or (kind == "not" and rest[0] in constraint_set.forms):
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

    def _listed(
        self, listed: list[Constraint], constraint_set: ConstraintSet, goals: list[InternedSchema]
    ) -> SubsumptionResult:
        """Finitely many values, tried one by one."""
        others = [constraint[1].by_token for constraint in listed[1:]]
        enough = [
            goal.constraints[0][1].by_token
            for goal in goals
            if len(goal.constraints) == 1 and goal.constraints[0][0] == "enum"
        ]
        doubt = UndecidedReason.NONE
        for token, value in listed[0][1].by_token.items():
            if any(token not in other for other in others) or any(token in values for values in enough):
                continue
            self._steps -= 1
            if self._steps < 0:
                return unknown(UndecidedReason.BUDGET)
            if satisfies_all(constraint_set.forms, value) is False:
                continue
            said = [holds(goal, value) for goal in goals]
            if True in said:
                continue
            if None not in said and satisfies_all(constraint_set.forms, value):
                return no(value, weight(value))
            doubt = doubt or (
                UndecidedReason.GAP if any(self._gaps(goal) for goal in goals) else UndecidedReason.UNDECIDED
            )
        return unknown(doubt) if doubt else YES

    def _gaps(self, goal: InternedSchema) -> bool:
        return any(constraint[0] == "gap" for constraint in goal.constraints)

    def _sure(self, constraint_set: ConstraintSet, goals: list[InternedSchema], value: Json) -> bool:
        self._steps -= _LOOKING
        return satisfies_all(constraint_set.forms, value) is True and all(holds(goal, value) is False for goal in goals)

    def _branched(self, constraint_set: ConstraintSet, key: Key, goals: list[InternedSchema]) -> SubsumptionResult:
        """One choice of the left side, branch by branch."""
        branches = min(constraint_set.unions, key=len)
        assumed, doubt = False, UndecidedReason.NONE
        for at, branch in enumerate(branches):
            found = self.prove({*key[0], branch}, key[1])
            if found.answer is Tristate.NO and not self._sure(constraint_set, goals, found.value):
                others = frozenset(other for index, other in enumerate(branches) if index != at)
                again = self.prove({*key[0], branch}, key[1] | others)
                found = (
                    again
                    if again.answer is not Tristate.NO or self._sure(constraint_set, goals, again.value)
                    else unknown(UndecidedReason.UNDECIDED)
                )
                if again.answer is Tristate.YES and not self._exclusive(constraint_set, branches):
                    found = unknown(UndecidedReason.UNDECIDED)
            if found.answer is Tristate.NO:
                return found
            doubt = doubt or found.reason
            assumed = assumed or found.assumed
        return unknown(doubt) if doubt else with_assumption(YES, assumed)

    def _exclusive(self, constraint_set: ConstraintSet, branches: tuple[InternedSchema, ...]) -> bool:
        return any(constraint[0] == "one" and constraint[1] == branches for constraint in constraint_set.constraints)

    def typed(self, constraint_set: ConstraintSet, kind: str, goals: list[InternedSchema]) -> SubsumptionResult:
        """The question for values of one type."""
        left = []
        for goal in goals:
            if not any(constraint[0] == "types" and kind not in constraint[1] for constraint in goal.constraints):
                if not concerning(goal, kind):
                    return YES
                left.append(goal)
        if not left:
            return self.inhabited(constraint_set, kind, [])
        if len(left) == 1:
            return self.single(constraint_set, kind, left[0])
        wanted = (
            self._arrays.of_one(constraint_set, [self._flat(constraint_set, kind, goal) for goal in left])
            if kind == "array"
            else None
        )
        if wanted is not None:
            return self._arrays.alone(constraint_set, wanted)
        return self._unions.one_of_several(constraint_set, kind, left)

    def single(self, constraint_set: ConstraintSet, kind: str, goal: InternedSchema) -> SubsumptionResult:
        return every(
            lambda constraint=constraint: self.constraint(constraint_set, kind, constraint, goal)  # type: ignore[misc]
            for constraint in self._flat(constraint_set, kind, goal)
        )

    def _flat(self, constraint_set: ConstraintSet, kind: str, goal: InternedSchema) -> list[Constraint]:
        """The constraints of a form that concern a type, members of `allOf` and references opened; each once."""
        found: dict[Constraint, None] = {}
        waiting, seen = [goal], set()
        for form in waiting:
            if form in seen or (form in constraint_set.forms and form is not goal):
                continue
            seen.add(form)
            for constraint in form.constraints:
                target = constraint[1] if constraint[0] == "all" else None
                if constraint[0] == "ref":
                    target = self.pool.target(constraint[1], constraint[2])
                if target is not None:
                    waiting.append(target)
                elif constraint[0] == "types" and kind not in constraint[1]:
                    found["never",] = None
                elif concerns(constraint, kind):
                    found[constraint] = None
        return list(found)

    def constraint(
        self, constraint_set: ConstraintSet, kind: str, constraint: Constraint, goal: InternedSchema
    ) -> SubsumptionResult:
        """Whether one constraint of a form on the right side holds for all values of a type."""
        if constraint in constraint_set.constraints:
            return YES
        match constraint[0]:
            case "gap":
                return self._unless_empty(constraint_set, kind, UndecidedReason.GAP)
            case "unevaluated":
                return self._unless_empty(constraint_set, kind, UndecidedReason.UNDECIDED)
            case "never":
                return self.inhabited(constraint_set, kind, [])
        return self._composed(constraint_set, kind, constraint, goal) or self.inhabited(
            constraint_set, kind, [constraint]
        )

    def _composed(
        self, constraint_set: ConstraintSet, kind: str, constraint: Constraint, goal: InternedSchema
    ) -> SubsumptionResult | None:
        """The same for a constraint that holds other schemas in place, None for any other one."""
        if constraint[0] not in _COMPOSED:
            return None
        forms = self.narrowed(constraint_set, kind, goal)
        match constraint[0]:
            case "all":
                return self.prove(forms, (constraint[1],))
            case "ref":
                target = self.pool.target(constraint[1], constraint[2])
                return unknown(UndecidedReason.GAP) if target is None else self.prove(forms, (target,))
            case "any":
                return self.prove(forms, constraint[1])
            case "one":
                return self._unions.exactly_one(constraint_set, forms, constraint[1])
            case "not":
                return self.prove((*forms, constraint[1]), ())
        when, then, other = constraint[1:]
        return every([lambda: self.prove((*forms, when), (then,)), lambda: self.prove(forms, (when, other))])

    def narrowed(
        self, constraint_set: ConstraintSet, kind: str, goal: InternedSchema | None = None
    ) -> tuple[InternedSchema, ...]:
        forms = (
            constraint_set.without(goal, self.pool)
            if goal is not None and goal in constraint_set.refused
            else constraint_set.forms
        )
        narrow = () if constraint_set.types == [kind] else (self.pool.typed(kind),)
        return (*sorted_forms(forms), *narrow, *self.freely(constraint_set, kind))

    def freely(self, constraint_set: ConstraintSet, kind: str = "object") -> tuple[InternedSchema, ...]:
        """The note that an object is free-form: what the right side mentions before it is assumed declares nothing."""
        return (self.pool.of(FREE),) if kind == "object" and self.declared and constraint_set.free(self.pool) else ()

    def _unless_empty(self, constraint_set: ConstraintSet, kind: str, reason: UndecidedReason) -> SubsumptionResult:
        return YES if self.inhabited(constraint_set, kind, []).answer is Tristate.YES else unknown(reason)

    def inhabited(self, constraint_set: ConstraintSet, kind: str, broken: list[Constraint]) -> SubsumptionResult:
        """A value of a type that meets the left side and breaks some constraints; yes when there is none."""
        match kind:
            case "null" | "boolean":
                return few([None] if kind == "null" else [False, True], broken, self.pool)
            case "number":
                return number(constraint_set, broken)
            case "string":
                return string(constraint_set, broken)
            case "array":
                return self._arrays.inhabited(constraint_set, broken)
            case _:
                return self._objects.inhabited(constraint_set, broken)


def sorted_forms(forms: Iterable[InternedSchema]) -> list[InternedSchema]:
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
