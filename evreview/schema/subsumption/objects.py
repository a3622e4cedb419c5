"""Objects and arrays: members by name, by pattern and all others, which must be there, how many; the smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import Tristate
from evreview.schema.formats import matches
from evreview.schema.subsumption.constraint_set import ConstraintSet, forms_of, gather, holds
from evreview.schema.subsumption.interned_schema import Constraint, InternedSchema, Members
from evreview.schema.subsumption.result import ASSUMED, YES, SubsumptionResult, UndecidedReason, every, no, unknown
from evreview.schema.subsumption.scalars import string_between

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import SubsumptionProver


# The smallest object or array that meets what is given, member by member.


_LARGEST: Final = 1500
_MANY: Final = 200
_NOTHING: Final[frozenset[str]] = frozenset()
_FIXED: Final[Mapping[str, SubsumptionResult]] = {}
_MANY_OWED: Final = 64
_PER_STEP: Final = 8
"""Members of one large object that count as one question: each literal of a wide schema builds such an object anew."""


class ObjectBuilder:
    """Builds objects for one search. Yes means that no such object exists."""

    def __init__(self, search: SubsumptionProver) -> None:
        self._search = search

    def object(
        self,
        constraint_set: ConstraintSet,
        fixed: Mapping[str, SubsumptionResult] = _FIXED,
        *,
        without: frozenset[str] = _NOTHING,
        count: int = 0,
    ) -> SubsumptionResult:
        """The smallest object that meets what is given.

        Args:
            fixed: members that it has, each with its value.
            without: members that it must not have.
            count: how many members it has at least.
        """
        made: dict[str, SubsumptionResult] = {}
        if constraint_set.types != ["object"] or any(name not in constraint_set.required for name in fixed):
            pool = self._search.pool
            more = [pool.typed("object"), *(pool.of(("required", name)) for name in fixed)]
            constraint_set = gather([*constraint_set.forms, *more], pool)
        if constraint_set.impossible:
            return YES
        for name, found in fixed.items():
            if self._search.pool.nothing in constraint_set.member(name, self._search.pool):
                return YES
            made[name] = found
        stopped = self._add(constraint_set, made, sorted(constraint_set.required - made.keys()), without)
        if stopped is not None:
            return stopped
        most = constraint_set.most("maxProperties")
        if most is not None and len(made) > most:
            return YES
        wanted = max(count, constraint_set.least("minProperties"))
        if wanted > _MANY or not self._filled(constraint_set, made, wanted, without):
            return unknown(UndecidedReason.UNDECIDED)
        if most is not None and len(made) > most:
            return unknown(UndecidedReason.UNDECIDED)
        return self._assembled(made)

    def _assembled(self, made: Mapping[str, SubsumptionResult]) -> SubsumptionResult:
        size = 1 + sum(found.size for found in made.values())
        return (
            unknown(UndecidedReason.LARGE)
            if size > _LARGEST
            else no({name: found.value for name, found in made.items()}, size)
        )

    def _add(
        self,
        constraint_set: ConstraintSet,
        made: dict[str, SubsumptionResult],
        owed: list[str],
        without: frozenset[str],
    ) -> SubsumptionResult | None:
        if len(owed) > _MANY_OWED and not self._search.afford(len(owed) // _PER_STEP):
            return unknown(UndecidedReason.BUDGET)
        for name in owed:
            if name in without:
                return YES
            found = self._search.conditional_declarations.member(constraint_set, name, ())
            if found.answer is not Tristate.NO:
                return found
            made[name] = found
        return None

    def _filled(
        self, constraint_set: ConstraintSet, made: dict[str, SubsumptionResult], wanted: int, without: frozenset[str]
    ) -> bool:
        for name in self._optional(constraint_set):
            if len(made) >= wanted:
                return True
            if name not in made and name not in without and not self._triggers(constraint_set, name):
                found = self._search.conditional_declarations.member(constraint_set, name, ())
                if found.answer is Tristate.NO:
                    made[name] = found
        return len(made) >= wanted

    def _optional(self, constraint_set: ConstraintSet) -> Iterator[str]:
        yield from constraint_set.declared()
        yield from (f"x{at}" for at in range(_MANY))

    def _triggers(self, constraint_set: ConstraintSet, name: str) -> bool:
        return any(constraint[1] == name for constraint in constraint_set.of("dependent", "dependentSchema"))


_NAMES: Final = ("x", "y", "extra", "a", "x1", "0", "X", "x-x", "_x")
_Step = Callable[[], SubsumptionResult]


class Objects:
    """Decides what concerns objects, for one search."""

    def __init__(self, search: SubsumptionProver) -> None:
        self._search = search
        self._pool = search.pool
        self._build = ObjectBuilder(search)

    def inhabited(self, constraint_set: ConstraintSet, broken: list[Constraint]) -> SubsumptionResult:
        """An object that meets the left side and breaks the constraints; yes when there is none."""
        if not broken:
            return self._build.object(constraint_set)
        if len(broken) > 1:
            return unknown(UndecidedReason.UNDECIDED)
        constraint = broken[0]
        match constraint[0]:
            case "members":
                return self._members(constraint_set, constraint[1])
            case "required":
                required = constraint[1] in constraint_set.required
                return YES if required else self._build.object(constraint_set, without=frozenset({constraint[1]}))
            case "minProperties" | "maxProperties":
                return self._counted(constraint_set, constraint)
            case "names":
                return self._names(constraint_set, constraint[1])
            case "dependent":
                forms = self._having(constraint_set, constraint[1])
                owed = [self._pool.of(("required", name)) for name in sorted(constraint[2])]
                return every(lambda form=form: self._search.prove(forms, (form,)) for form in owed)  # type: ignore[misc]
            case "dependentSchema":
                return self._search.prove(self._having(constraint_set, constraint[1]), (constraint[2],))
        found = self._build.object(constraint_set)
        return (
            found
            if found.answer is not Tristate.NO or self._breaks(constraint, found)
            else unknown(UndecidedReason.UNDECIDED)
        )

    def _having(self, constraint_set: ConstraintSet, name: str) -> tuple[InternedSchema, ...]:
        """What holds of objects with a member."""
        object_ = self._pool.typed("object")
        return (*constraint_set.forms, object_, *self._search.freely(constraint_set), self._pool.of(("required", name)))

    def _breaks(self, constraint: Constraint, found: SubsumptionResult) -> bool:
        return holds(self._pool.of(constraint), found.value) is False

    def _counted(self, constraint_set: ConstraintSet, constraint: Constraint) -> SubsumptionResult:
        kind, count = constraint
        if kind == "minProperties":
            if max(len(constraint_set.required), constraint_set.least(kind)) >= count:
                return YES
            found = self._build.object(constraint_set)
        else:
            most = constraint_set.most(kind)
            if most is not None and most <= count:
                return YES
            names = self._possible(constraint_set)
            if names is not None and len(names) <= count:
                return YES
            found = self._build.object(constraint_set, count=count + 1)
        return (
            found
            if found.answer is not Tristate.NO or self._breaks(constraint, found)
            else unknown(UndecidedReason.UNDECIDED)
        )

    def _possible(self, constraint_set: ConstraintSet) -> list[str] | None:
        """The only names that members may have, None when there are endlessly many."""
        for members in constraint_set.members:
            if members.rest is self._pool.nothing and not members.patterns:
                nothing = self._pool.nothing
                return [name for name in members.names if nothing not in constraint_set.member(name, self._pool)]
        for constraint in constraint_set.of("names"):
            for inner in constraint[1].constraints:
                if inner[0] == "enum":
                    return [name for name in inner[1].by_token.values() if isinstance(name, str)]
        return None

    def _members(self, constraint_set: ConstraintSet, members: Members) -> SubsumptionResult:
        possible = self._possible(constraint_set)
        if members.rest is None and not members.patterns:
            named = [name for name in members.names if possible is None or name in possible]
        else:
            named = list(dict.fromkeys([*constraint_set.declared(), *members.names] if possible is None else possible))
        found = every(self._steps(constraint_set, members, named, closed=possible is not None))
        if not found.assumed or possible is not None:
            return found
        conditional = self._search.conditional_declarations.named(constraint_set).difference(named)
        return every([lambda: found, *self._each(constraint_set, members, sorted(conditional))])

    def _steps(
        self, constraint_set: ConstraintSet, members: Members, named: list[str], *, closed: bool
    ) -> Iterator[_Step]:
        yield from self._each(constraint_set, members, named)
        if closed:
            return
        for pattern, form in members.patterns.items():
            yield lambda pattern=pattern, form=form: self._patterned(constraint_set, pattern, form)  # type: ignore[misc]
        if members.rest is not None and members.rest is not self._pool.anything:
            yield lambda: self._others(constraint_set, members)

    def _each(self, constraint_set: ConstraintSet, members: Members, named: Iterable[str]) -> Iterator[_Step]:
        """Members of some names against what the right side says of them."""
        for name in named:
            if any(matches(pattern, name) is None for pattern in members.patterns):
                yield lambda: unknown(UndecidedReason.UNDECIDED)
            for form in forms_of(members, name):
                if form is not self._pool.anything:
                    yield lambda name=name, form=form: self._member(constraint_set, name, form)  # type: ignore[misc]

    def _member(self, constraint_set: ConstraintSet, name: str, goal: InternedSchema) -> SubsumptionResult:
        """The member of a name against what the right side wants of it."""
        found = self._search.conditional_declarations.member(constraint_set, name, (goal,))
        if found.answer is Tristate.YES:
            return found
        if any(_demands_only(form, name) for form in constraint_set.refused):
            return YES
        if name not in constraint_set.required and any(
            said[1] == name for said in constraint_set.of("dependent", "dependentSchema")
        ):
            # What the member brings along holds of every object that has it.
            only = self._pool.of(("members", self._pool.only(name, goal)))
            return self._search.prove(self._having(constraint_set, name), (only,))
        # To forbid a name is not to declare it: somebody may well have sent it.
        forbidden = goal is self._pool.nothing
        if self._search.declared and not forbidden and constraint_set.undeclared(name, self._pool):
            return ASSUMED
        return self._carried(constraint_set, name, found)

    def _carried(self, constraint_set: ConstraintSet, name: str, found: SubsumptionResult) -> SubsumptionResult:
        """A value of a member as one of the object; yes when no object has such a member."""
        if found.answer is Tristate.NO:
            return self._build.object(constraint_set, {name: found})
        if self._build.object(constraint_set, {name: SubsumptionResult(Tristate.NO)}).answer is Tristate.YES:
            return YES
        return found

    def _sampled(self, constraint_set: ConstraintSet, name: str, found: SubsumptionResult) -> SubsumptionResult:
        """The same for one name that stands for many: that no object has this one says nothing of the others."""
        carried = self._carried(constraint_set, name, found)
        most = constraint_set.most("maxProperties")
        full = most is not None and most <= len(constraint_set.required)
        return unknown(UndecidedReason.UNDECIDED) if carried.answer is Tristate.YES and not full else carried

    def _patterned(self, constraint_set: ConstraintSet, pattern: str, goal: InternedSchema) -> SubsumptionResult:
        """Members that nobody names, of names that match a pattern."""
        said = {text: form for members in constraint_set.members for text, form in members.patterns.items()}
        steps: list[_Step] = [
            lambda text=text, form=form: self._shared(constraint_set, (text, pattern), form, goal)  # type: ignore[misc]
            for text, form in said.items()
        ]
        if pattern not in said:
            name = self._name(constraint_set, [("pattern", pattern)], [("pattern", other) for other in said])
            steps.append(lambda: self._unnamed(constraint_set, goal, name))
        return every(steps)

    def _shared(
        self, constraint_set: ConstraintSet, patterns: tuple[str, str], form: InternedSchema, goal: InternedSchema
    ) -> SubsumptionResult:
        found = self._search.conditional_declarations.others((form,), (goal,), constraint_set)
        if found.answer is Tristate.YES:
            return found
        name = self._name(constraint_set, [("pattern", pattern) for pattern in patterns])
        if name is False:
            return YES
        return (
            self._sampled(constraint_set, name, found) if isinstance(name, str) else unknown(UndecidedReason.UNDECIDED)
        )

    def _others(self, constraint_set: ConstraintSet, members: Members) -> SubsumptionResult:
        """Members that neither side names against what the right side says of all others."""
        goal = members.rest
        if goal is None:
            return YES
        steps: list[_Step] = []
        for mine in constraint_set.members:
            for pattern, form in mine.patterns.items():
                if pattern not in members.patterns:
                    steps.append(
                        lambda pattern=pattern, form=form: self._outside(constraint_set, pattern, form, members)  # type: ignore[misc]
                    )
        steps.append(lambda: self._unnamed(constraint_set, goal, self._free(constraint_set, members)))
        return every(steps)

    def _outside(
        self, constraint_set: ConstraintSet, pattern: str, form: InternedSchema, members: Members
    ) -> SubsumptionResult:
        """Names of a pattern of the left side that the right side counts among all others."""
        goal = members.rest if members.rest is not None else self._pool.anything
        found = self._search.conditional_declarations.others((form,), (goal,), constraint_set)
        if found.answer is Tristate.YES:
            return found
        broken: list[Constraint] = [("pattern", other) for other in members.patterns]
        broken.append(("words", tuple(sorted({*members.names, *constraint_set.declared()}))))
        named = string_between([("pattern", pattern), *_demanded(constraint_set)], broken)
        if named is False:
            return YES
        return (
            self._sampled(constraint_set, named[0], found)
            if isinstance(named, tuple)
            else unknown(UndecidedReason.UNDECIDED)
        )

    def _unnamed(
        self, constraint_set: ConstraintSet, goal: InternedSchema, name: str | bool | None
    ) -> SubsumptionResult:
        """Members that the left side says nothing of by name or pattern.

        Args:
            name: one such name, False when there is none, None when that is not known.
        """
        found = self._search.conditional_declarations.others(constraint_set.rest(self._pool), (goal,), constraint_set)
        if found.answer is Tristate.YES or name is False:
            return found if found.answer is Tristate.YES else YES
        return (
            self._sampled(constraint_set, name, found) if isinstance(name, str) else unknown(UndecidedReason.UNDECIDED)
        )

    def _name(
        self, constraint_set: ConstraintSet, demanded: list[Constraint], broken: Sequence[Constraint] = ()
    ) -> str | bool | None:
        """A name that nobody declares, that meets demands and breaks others; False for none, None when not found."""
        found = string_between(
            [*demanded, *_demanded(constraint_set)], [*broken, ("words", tuple(sorted(constraint_set.declared())))]
        )
        return found[0] if isinstance(found, tuple) else found

    def _free(self, constraint_set: ConstraintSet, members: Members) -> str | bool | None:
        """A name that neither side names or matches; False for none, None when not found."""
        patterns = [*members.patterns, *(pattern for mine in constraint_set.members for pattern in mine.patterns)]
        taken = {*members.names, *constraint_set.declared()}
        for name in self._candidates(constraint_set):
            if name not in taken and all(matches(pattern, name) is False for pattern in patterns):
                return name
        broken: list[Constraint] = [*(("pattern", pattern) for pattern in patterns), ("words", tuple(sorted(taken)))]
        found = string_between(_demanded(constraint_set), broken)
        return found[0] if isinstance(found, tuple) else found

    def _candidates(self, constraint_set: ConstraintSet) -> Iterable[str]:
        names = constraint_set.of("names")
        if not names:
            yield from _NAMES
            return
        yield from (name for name in _NAMES if all(holds(constraint[1], name) for constraint in names))
        text = self._pool.typed("string")
        found = self._search.below((text, *(constraint[1] for constraint in names)), ())
        if isinstance(found.value, str):
            yield found.value

    def _names(self, constraint_set: ConstraintSet, goal: InternedSchema) -> SubsumptionResult:
        """Every name that a member may have against `propertyNames`."""
        possible = self._possible(constraint_set)
        steps: list[_Step] = [
            lambda name=name: self._named(constraint_set, name, goal)  # type: ignore[misc]
            for name in (constraint_set.declared() if possible is None else possible)
        ]
        if possible is None:
            text = self._pool.typed("string")
            mine = tuple(constraint[1] for constraint in constraint_set.of("names"))
            closed = next((each for each in constraint_set.members if each.rest is self._pool.nothing), None)
            kinds = [()] if closed is None else [(self._pool.of(("pattern", pattern)),) for pattern in closed.patterns]
            for kind in kinds:
                steps.append(lambda kind=kind: self._some_name(constraint_set, (text, *mine, *kind), goal))  # type: ignore[misc]
        return every(steps)

    def _named(self, constraint_set: ConstraintSet, name: str, goal: InternedSchema) -> SubsumptionResult:
        said = holds(goal, name)
        if said:
            return YES
        found = self._search.conditional_declarations.member(constraint_set, name, ())
        if found.answer is Tristate.YES:
            return YES
        return self._carried(constraint_set, name, found) if said is False else unknown(UndecidedReason.UNDECIDED)

    def _some_name(
        self, constraint_set: ConstraintSet, forms: tuple[InternedSchema, ...], goal: InternedSchema
    ) -> SubsumptionResult:
        found = self._search.below(forms, (goal,))
        if found.answer is not Tristate.NO or not isinstance(found.value, str):
            return found
        return self._sampled(
            constraint_set, found.value, self._search.conditional_declarations.member(constraint_set, found.value, ())
        )


def _demanded(constraint_set: ConstraintSet) -> list[Constraint]:
    """What every name of a member has to meet, as far as plain demands on strings say it."""
    plain = ("minLength", "maxLength", "pattern")
    return [inner for names in constraint_set.of("names") for inner in names[1].constraints if inner[0] in plain]


def _demands_only(form: InternedSchema, name: str) -> bool:
    """True for a form that every object with the name meets: where it is refused, no object has the name."""
    asked = [constraint for constraint in form.constraints if constraint[0] != "types" or "object" not in constraint[1]]
    return asked == [("required", name)]
