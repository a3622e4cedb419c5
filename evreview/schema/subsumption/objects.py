"""Objects and arrays: members by name, by pattern and all others, which must be there, how many; the smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import Tristate
from evreview.schema.formats import matches
from evreview.schema.subsumption.constraint_set import Given, forms_of, gather, holds
from evreview.schema.subsumption.interned_schema import Form, Literal, Members
from evreview.schema.subsumption.result import ASSUMED, YES, Found, UndecidedReason, every, no, unknown
from evreview.schema.subsumption.scalars import string_between

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import Search


# The smallest object or array that meets what is given, member by member.


_LARGEST: Final = 1500
_MANY: Final = 200
_NOTHING: Final[frozenset[str]] = frozenset()
_FIXED: Final[Mapping[str, Found]] = {}
_MANY_OWED: Final = 64
_PER_STEP: Final = 8
"""Members of one large object that count as one question: each literal of a wide schema builds such an object anew."""


class Builder:
    """Builds objects for one search. Yes means that no such object exists."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def object(
        self, given: Given, fixed: Mapping[str, Found] = _FIXED, *, without: frozenset[str] = _NOTHING, count: int = 0
    ) -> Found:
        """The smallest object that meets what is given.

        Args:
            fixed: members that it has, each with its value.
            without: members that it must not have.
            count: how many members it has at least.
        """
        made: dict[str, Found] = {}
        if given.types != ["object"] or any(name not in given.required for name in fixed):
            pool = self._search.pool
            more = [pool.typed("object"), *(pool.of(("required", name)) for name in fixed)]
            given = gather([*given.forms, *more], pool)
        if given.impossible:
            return YES
        for name, found in fixed.items():
            if self._search.pool.nothing in given.member(name, self._search.pool):
                return YES
            made[name] = found
        stopped = self._add(given, made, sorted(given.required - made.keys()), without)
        if stopped is not None:
            return stopped
        most = given.most("maxProperties")
        if most is not None and len(made) > most:
            return YES
        wanted = max(count, given.least("minProperties"))
        if wanted > _MANY or not self._filled(given, made, wanted, without):
            return unknown(UndecidedReason.UNDECIDED)
        if most is not None and len(made) > most:
            return unknown(UndecidedReason.UNDECIDED)
        return self._assembled(made)

    def _assembled(self, made: Mapping[str, Found]) -> Found:
        size = 1 + sum(found.size for found in made.values())
        return (
            unknown(UndecidedReason.LARGE)
            if size > _LARGEST
            else no({name: found.value for name, found in made.items()}, size)
        )

    def _add(self, given: Given, made: dict[str, Found], owed: list[str], without: frozenset[str]) -> Found | None:
        if len(owed) > _MANY_OWED and not self._search.afford(len(owed) // _PER_STEP):
            return unknown(UndecidedReason.BUDGET)
        for name in owed:
            if name in without:
                return YES
            found = self._search.asides.member(given, name, ())
            if found.answer is not Tristate.NO:
                return found
            made[name] = found
        return None

    def _filled(self, given: Given, made: dict[str, Found], wanted: int, without: frozenset[str]) -> bool:
        for name in self._optional(given):
            if len(made) >= wanted:
                return True
            if name not in made and name not in without and not self._triggers(given, name):
                found = self._search.asides.member(given, name, ())
                if found.answer is Tristate.NO:
                    made[name] = found
        return len(made) >= wanted

    def _optional(self, given: Given) -> Iterator[str]:
        yield from given.declared()
        yield from (f"x{at}" for at in range(_MANY))

    def _triggers(self, given: Given, name: str) -> bool:
        return any(literal[1] == name for literal in given.of("dependent", "dependentSchema"))


_NAMES: Final = ("x", "y", "extra", "a", "x1", "0", "X", "x-x", "_x")
_Step = Callable[[], Found]


class Objects:
    """Decides what concerns objects, for one search."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._pool = search.pool
        self._build = Builder(search)

    def inhabited(self, given: Given, broken: list[Literal]) -> Found:
        """An object that meets the left side and breaks the literals; yes when there is none."""
        if not broken:
            return self._build.object(given)
        if len(broken) > 1:
            return unknown(UndecidedReason.UNDECIDED)
        literal = broken[0]
        match literal[0]:
            case "members":
                return self._members(given, literal[1])
            case "required":
                required = literal[1] in given.required
                return YES if required else self._build.object(given, without=frozenset({literal[1]}))
            case "minProperties" | "maxProperties":
                return self._counted(given, literal)
            case "names":
                return self._names(given, literal[1])
            case "dependent":
                forms = self._having(given, literal[1])
                owed = [self._pool.of(("required", name)) for name in sorted(literal[2])]
                return every(lambda form=form: self._search.prove(forms, (form,)) for form in owed)  # type: ignore[misc]
            case "dependentSchema":
                return self._search.prove(self._having(given, literal[1]), (literal[2],))
        found = self._build.object(given)
        return (
            found
            if found.answer is not Tristate.NO or self._breaks(literal, found)
            else unknown(UndecidedReason.UNDECIDED)
        )

    def _having(self, given: Given, name: str) -> tuple[Form, ...]:
        """What holds of objects with a member."""
        object_ = self._pool.typed("object")
        return (*given.forms, object_, *self._search.freely(given), self._pool.of(("required", name)))

    def _breaks(self, literal: Literal, found: Found) -> bool:
        return holds(self._pool.of(literal), found.value) is False

    def _counted(self, given: Given, literal: Literal) -> Found:
        kind, count = literal
        if kind == "minProperties":
            if max(len(given.required), given.least(kind)) >= count:
                return YES
            found = self._build.object(given)
        else:
            most = given.most(kind)
            if most is not None and most <= count:
                return YES
            names = self._possible(given)
            if names is not None and len(names) <= count:
                return YES
            found = self._build.object(given, count=count + 1)
        return (
            found
            if found.answer is not Tristate.NO or self._breaks(literal, found)
            else unknown(UndecidedReason.UNDECIDED)
        )

    def _possible(self, given: Given) -> list[str] | None:
        """The only names that members may have, None when there are endlessly many."""
        for members in given.members:
            if members.rest is self._pool.nothing and not members.patterns:
                nothing = self._pool.nothing
                return [name for name in members.names if nothing not in given.member(name, self._pool)]
        for literal in given.of("names"):
            for inner in literal[1].literals:
                if inner[0] == "enum":
                    return [name for name in inner[1].by_token.values() if isinstance(name, str)]
        return None

    def _members(self, given: Given, members: Members) -> Found:
        possible = self._possible(given)
        if members.rest is None and not members.patterns:
            named = [name for name in members.names if possible is None or name in possible]
        else:
            named = list(dict.fromkeys([*given.declared(), *members.names] if possible is None else possible))
        found = every(self._steps(given, members, named, closed=possible is not None))
        if not found.assumed or possible is not None:
            return found
        aside = self._search.asides.named(given).difference(named)
        return every([lambda: found, *self._each(given, members, sorted(aside))])

    def _steps(self, given: Given, members: Members, named: list[str], *, closed: bool) -> Iterator[_Step]:
        yield from self._each(given, members, named)
        if closed:
            return
        for pattern, form in members.patterns.items():
            yield lambda pattern=pattern, form=form: self._patterned(given, pattern, form)  # type: ignore[misc]
        if members.rest is not None and members.rest is not self._pool.anything:
            yield lambda: self._others(given, members)

    def _each(self, given: Given, members: Members, named: Iterable[str]) -> Iterator[_Step]:
        """Members of some names against what the right side says of them."""
        for name in named:
            if any(matches(pattern, name) is None for pattern in members.patterns):
                yield lambda: unknown(UndecidedReason.UNDECIDED)
            for form in forms_of(members, name):
                if form is not self._pool.anything:
                    yield lambda name=name, form=form: self._member(given, name, form)  # type: ignore[misc]

    def _member(self, given: Given, name: str, goal: Form) -> Found:
        """The member of a name against what the right side wants of it."""
        found = self._search.asides.member(given, name, (goal,))
        if found.answer is Tristate.YES:
            return found
        if any(_demands_only(form, name) for form in given.refused):
            return YES
        if name not in given.required and any(said[1] == name for said in given.of("dependent", "dependentSchema")):
            # What the member brings along holds of every object that has it.
            only = self._pool.of(("members", self._pool.only(name, goal)))
            return self._search.prove(self._having(given, name), (only,))
        # To forbid a name is not to declare it: somebody may well have sent it.
        forbidden = goal is self._pool.nothing
        if self._search.declared and not forbidden and given.undeclared(name, self._pool):
            return ASSUMED
        return self._carried(given, name, found)

    def _carried(self, given: Given, name: str, found: Found) -> Found:
        """A value of a member as one of the object; yes when no object has such a member."""
        if found.answer is Tristate.NO:
            return self._build.object(given, {name: found})
        if self._build.object(given, {name: Found(Tristate.NO)}).answer is Tristate.YES:
            return YES
        return found

    def _sampled(self, given: Given, name: str, found: Found) -> Found:
        """The same for one name that stands for many: that no object has this one says nothing of the others."""
        carried = self._carried(given, name, found)
        most = given.most("maxProperties")
        full = most is not None and most <= len(given.required)
        return unknown(UndecidedReason.UNDECIDED) if carried.answer is Tristate.YES and not full else carried

    def _patterned(self, given: Given, pattern: str, goal: Form) -> Found:
        """Members that nobody names, of names that match a pattern."""
        said = {text: form for members in given.members for text, form in members.patterns.items()}
        steps: list[_Step] = [
            lambda text=text, form=form: self._shared(given, (text, pattern), form, goal)  # type: ignore[misc]
            for text, form in said.items()
        ]
        if pattern not in said:
            name = self._name(given, [("pattern", pattern)], [("pattern", other) for other in said])
            steps.append(lambda: self._unnamed(given, goal, name))
        return every(steps)

    def _shared(self, given: Given, patterns: tuple[str, str], form: Form, goal: Form) -> Found:
        found = self._search.asides.others((form,), (goal,), given)
        if found.answer is Tristate.YES:
            return found
        name = self._name(given, [("pattern", pattern) for pattern in patterns])
        if name is False:
            return YES
        return self._sampled(given, name, found) if isinstance(name, str) else unknown(UndecidedReason.UNDECIDED)

    def _others(self, given: Given, members: Members) -> Found:
        """Members that neither side names against what the right side says of all others."""
        goal = members.rest
        if goal is None:
            return YES
        steps: list[_Step] = []
        for mine in given.members:
            for pattern, form in mine.patterns.items():
                if pattern not in members.patterns:
                    steps.append(
                        lambda pattern=pattern, form=form: self._outside(given, pattern, form, members)  # type: ignore[misc]
                    )
        steps.append(lambda: self._unnamed(given, goal, self._free(given, members)))
        return every(steps)

    def _outside(self, given: Given, pattern: str, form: Form, members: Members) -> Found:
        """Names of a pattern of the left side that the right side counts among all others."""
        goal = members.rest if members.rest is not None else self._pool.anything
        found = self._search.asides.others((form,), (goal,), given)
        if found.answer is Tristate.YES:
            return found
        broken: list[Literal] = [("pattern", other) for other in members.patterns]
        broken.append(("words", tuple(sorted({*members.names, *given.declared()}))))
        named = string_between([("pattern", pattern), *_demanded(given)], broken)
        if named is False:
            return YES
        return self._sampled(given, named[0], found) if isinstance(named, tuple) else unknown(UndecidedReason.UNDECIDED)

    def _unnamed(self, given: Given, goal: Form, name: str | bool | None) -> Found:
        """Members that the left side says nothing of by name or pattern.

        Args:
            name: one such name, False when there is none, None when that is not known.
        """
        found = self._search.asides.others(given.rest(self._pool), (goal,), given)
        if found.answer is Tristate.YES or name is False:
            return found if found.answer is Tristate.YES else YES
        return self._sampled(given, name, found) if isinstance(name, str) else unknown(UndecidedReason.UNDECIDED)

    def _name(self, given: Given, demanded: list[Literal], broken: Sequence[Literal] = ()) -> str | bool | None:
        """A name that nobody declares, that meets demands and breaks others; False for none, None when not found."""
        found = string_between([*demanded, *_demanded(given)], [*broken, ("words", tuple(sorted(given.declared())))])
        return found[0] if isinstance(found, tuple) else found

    def _free(self, given: Given, members: Members) -> str | bool | None:
        """A name that neither side names or matches; False for none, None when not found."""
        patterns = [*members.patterns, *(pattern for mine in given.members for pattern in mine.patterns)]
        taken = {*members.names, *given.declared()}
        for name in self._candidates(given):
            if name not in taken and all(matches(pattern, name) is False for pattern in patterns):
                return name
        broken: list[Literal] = [*(("pattern", pattern) for pattern in patterns), ("words", tuple(sorted(taken)))]
        found = string_between(_demanded(given), broken)
        return found[0] if isinstance(found, tuple) else found

    def _candidates(self, given: Given) -> Iterable[str]:
        names = given.of("names")
        if not names:
            yield from _NAMES
            return
        yield from (name for name in _NAMES if all(holds(literal[1], name) for literal in names))
        text = self._pool.typed("string")
        found = self._search.below((text, *(literal[1] for literal in names)), ())
        if isinstance(found.value, str):
            yield found.value

    def _names(self, given: Given, goal: Form) -> Found:
        """Every name that a member may have against `propertyNames`."""
        possible = self._possible(given)
        steps: list[_Step] = [
            lambda name=name: self._named(given, name, goal)  # type: ignore[misc]
            for name in (given.declared() if possible is None else possible)
        ]
        if possible is None:
            text = self._pool.typed("string")
            mine = tuple(literal[1] for literal in given.of("names"))
            closed = next((each for each in given.members if each.rest is self._pool.nothing), None)
            kinds = [()] if closed is None else [(self._pool.of(("pattern", pattern)),) for pattern in closed.patterns]
            for kind in kinds:
                steps.append(lambda kind=kind: self._some_name(given, (text, *mine, *kind), goal))  # type: ignore[misc]
        return every(steps)

    def _named(self, given: Given, name: str, goal: Form) -> Found:
        said = holds(goal, name)
        if said:
            return YES
        found = self._search.asides.member(given, name, ())
        if found.answer is Tristate.YES:
            return YES
        return self._carried(given, name, found) if said is False else unknown(UndecidedReason.UNDECIDED)

    def _some_name(self, given: Given, forms: tuple[Form, ...], goal: Form) -> Found:
        found = self._search.below(forms, (goal,))
        if found.answer is not Tristate.NO or not isinstance(found.value, str):
            return found
        return self._sampled(given, found.value, self._search.asides.member(given, found.value, ()))


def _demanded(given: Given) -> list[Literal]:
    """What every name of a member has to meet, as far as plain demands on strings say it."""
    plain = ("minLength", "maxLength", "pattern")
    return [inner for names in given.of("names") for inner in names[1].literals if inner[0] in plain]


def _demands_only(form: Form, name: str) -> bool:
    """True for a form that every object with the name meets: where it is refused, no object has the name."""
    asked = [literal for literal in form.literals if literal[0] != "types" or "object" not in literal[1]]
    return asked == [("required", name)]
