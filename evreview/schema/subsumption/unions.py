"""Choices on the right side: several forms of which one has to hold, and branches of which exactly one has to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final

from evreview.core.vocabulary import Tristate
from evreview.schema.subsumption.constraint_set import ConstraintSet, concerning, gather, holds, satisfies_all
from evreview.schema.subsumption.interned_schema import Constraint, InternedSchema, SchemaPool
from evreview.schema.subsumption.result import (
    YES,
    SubsumptionResult,
    UndecidedReason,
    every,
    no,
    unknown,
    with_assumption,
)

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import SubsumptionProver


# Whether two sets have nothing in common, seen without a search; how listed values of a member cut a set.


_MANY_TOKENS: Final = 60


def are_disjoint(one: ConstraintSet, other: ConstraintSet, pool: SchemaPool, kind: str = "") -> bool:
    """True when no value (of a type) meets both, by type, listed values, or a member that one of them demands."""
    if one.impossible or other.impossible:
        return True
    common = [kind] if kind else [name for name in one.types if name in other.types]
    if not common or kind not in ("", *one.types) or kind not in ("", *other.types):
        return True
    mine, theirs = listed(one), listed(other)
    if mine is not None and theirs is not None:
        return not mine & theirs
    if common != ["object"]:
        return False
    named = {name for constraint_set in (one, other) for members in constraint_set.members for name in members.names}
    for name in sorted((one.required | other.required) & named):
        sides = gather(one.member(name, pool), pool), gather(other.member(name, pool), pool)
        if sides[0].impossible or sides[1].impossible or not set(sides[0].types) & set(sides[1].types):
            return True
        values = listed(sides[0]), listed(sides[1])
        if values[0] is not None and values[1] is not None and not values[0] & values[1]:
            return True
    return False


def listed(constraint_set: ConstraintSet) -> frozenset[str] | None:
    """The tokens of the values that are left, None when they are not listed."""
    found: frozenset[str] | None = None
    for constraint in constraint_set.of("enum"):
        found = frozenset(constraint[1].by_token) if found is None else found & frozenset(constraint[1].by_token)
    return found


def split_values(
    constraint_set: ConstraintSet, goals: Sequence[ConstraintSet], pool: SchemaPool
) -> list[InternedSchema]:
    """The left side cut along a member whose values are listed, and which the right side tells apart."""
    named = {name: None for goal in goals for members in goal.members for name in members.names}
    for name in named:
        if not any(name in members.names for members in constraint_set.members):
            continue
        member = gather(constraint_set.member(name, pool), pool)
        tokens = listed(member)
        if tokens is None or not 0 < len(tokens) <= _MANY_TOKENS:
            continue
        free = name not in constraint_set.required
        telling = any(listed(gather(goal.member(name, pool), pool)) is not None for goal in goals)
        if not telling or (len(tokens) == 1 and not free):
            continue
        known = {token: value for constraint in member.of("enum") for token, value in constraint[1].by_token.items()}
        fixed = [pool.among([known[token]]) for token in sorted(tokens)]
        parts = [pool.of(_only(name, form, pool), ("required", name)) for form in fixed]
        absent = pool.of(_only(name, pool.nothing, pool))
        return [*parts, absent] if free else parts
    return []


def _only(name: str, form: InternedSchema, pool: SchemaPool) -> Constraint:
    return "members", pool.only(name, form)


# Branches of one choice sorted by the listed values of a member that each demands, so that few are looked at.


_MANY_BRANCHES: Final = 80


class BranchSelection:
    """The branches of one choice, read once."""

    def __init__(self, branches: tuple[InternedSchema, ...], pool: SchemaPool) -> None:
        self._pool = pool
        self._branches = branches
        self._read = [gather((branch,), pool) for branch in branches]
        self._name = ""
        self._by_token: dict[str, list[int]] = {}
        self._find()
        self._pairs: list[tuple[InternedSchema, InternedSchema]] | None = None

    def _find(self) -> None:
        names = [name for name in self._read[0].declared() if all(name in read.required for read in self._read)]
        for name in names if all(read.types == ["object"] for read in self._read) else ():
            tokens = [listed(gather(read.member(name, self._pool), self._pool)) for read in self._read]
            if None not in tokens:
                self._name = name
                for at, each in enumerate(tokens):
                    for token in sorted(each or ()):
                        self._by_token.setdefault(token, []).append(at)
                return

    def near(self, constraint_set: ConstraintSet, kind: str) -> list[InternedSchema]:
        """The branches that may have a value in common with what is given."""
        candidates = list(range(len(self._branches)))
        if self._name and kind == "object":
            tokens = listed(gather(constraint_set.member(self._name, self._pool), self._pool))
            if tokens is not None:
                candidates = sorted({at for token in tokens for at in self._by_token.get(token, ())})
        return [
            self._branches[at]
            for at in candidates
            if not are_disjoint(constraint_set, self._read[at], self._pool, kind)
        ]

    def overlapping(self) -> list[tuple[InternedSchema, InternedSchema]] | None:
        """The pairs of branches that may have a value in common, None when there are too many to look at."""
        if self._pairs is None:
            found = self._pairs_found()
            if found is None:
                return None
            self._pairs = found
        return self._pairs

    def _pairs_found(self) -> list[tuple[InternedSchema, InternedSchema]] | None:
        if self._name:
            groups = list(self._by_token.values())
        elif len(self._branches) <= _MANY_BRANCHES:
            groups = [list(range(len(self._branches)))]
        else:
            return None
        if any(len(group) > _MANY_BRANCHES for group in groups):
            return None
        pairs = {(one, other) for group in groups for one in group for other in group if one < other}
        return [
            (self._branches[one], self._branches[other])
            for one, other in sorted(pairs)
            if not are_disjoint(self._read[one], self._read[other], self._pool)
        ]


_NEAR: Final = 6
"""How many branches are held against one of the other side; most stand at its place."""
_PRODUCT: Final = 64
_LARGEST: Final = 1500
_SCALARS: Final = frozenset({"min", "max", "step", "minLength", "maxLength", "pattern", "format", "types", "enum"})


class Unions:
    """Decides choices, for one search."""

    def __init__(self, search: SubsumptionProver) -> None:
        self._search = search
        self._pool = search.pool
        self._choices: dict[tuple[InternedSchema, ...], BranchSelection] = {}
        self._same: dict[tuple[tuple[InternedSchema, ...], tuple[InternedSchema, ...]], SubsumptionResult] = {}

    def exactly_one(
        self, constraint_set: ConstraintSet, forms: tuple[InternedSchema, ...], branches: tuple[InternedSchema, ...]
    ) -> SubsumptionResult:
        """One branch holds and no two do; or both sides choose between the same sets."""
        for constraint in constraint_set.constraints:
            if constraint[0] == "one" and len(constraint[1]) == len(branches):
                found = self._same_choice(constraint_set, constraint[1], branches)
                if found.answer is Tristate.YES:
                    return found
        if constraint_set.unions:
            return unknown(UndecidedReason.UNDECIDED)
        pairs = self._choice(branches).overlapping()
        if pairs is None:
            return unknown(UndecidedReason.MANY)
        steps = [partial(self._search.prove, (*forms, *pair), ()) for pair in pairs]
        return every([partial(self._search.prove, forms, branches), *steps])

    def _choice(self, branches: tuple[InternedSchema, ...]) -> BranchSelection:
        if branches not in self._choices:
            self._choices[branches] = BranchSelection(branches, self._pool)
        return self._choices[branches]

    def _same_choice(
        self, constraint_set: ConstraintSet, left: tuple[InternedSchema, ...], right: tuple[InternedSchema, ...]
    ) -> SubsumptionResult:
        """Yes when each branch on the left is one of its own on the right, in whatever order they are written.

        The question comes up again below each of its own branches: what rests on nothing else is remembered.
        """
        known = self._same.get((left, right))
        if known is not None:
            return known
        found = self._paired(constraint_set, left, right)
        if found == YES:
            self._same[left, right] = found
        return found

    def _paired(
        self, constraint_set: ConstraintSet, left: tuple[InternedSchema, ...], right: tuple[InternedSchema, ...]
    ) -> SubsumptionResult:
        shared = Counter(left) & Counter(right)
        free, others = Counter(right) - shared, Counter(left) - shared
        places = {one: beside for one, beside in zip(left, right, strict=True) if one in others}
        assumed = False
        for one in others.elements():
            for other in _near(places[one], free):
                found = self._same_branch(constraint_set, one, other)
                if found.answer is Tristate.YES:
                    free[other] -= 1
                    if not free[other]:
                        del free[other]
                    assumed = assumed or found.assumed
                    break
            else:
                return unknown(UndecidedReason.UNDECIDED)
        return with_assumption(YES, assumed)

    def _same_branch(
        self, constraint_set: ConstraintSet, one: InternedSchema, other: InternedSchema
    ) -> SubsumptionResult:
        forth, back = self._search.prove((one,), (other,)), self._search.prove((other,), (one,))
        if forth.answer is not Tristate.YES or back.answer is not Tristate.YES:
            return unknown(UndecidedReason.UNDECIDED)
        if forth.assumed:
            # What the left side mentions anywhere in place, values of each of its branches may carry.
            forth = self._search.prove((one, self._search.conditional_declarations.around(constraint_set)), (other,))
        if back.assumed or forth.answer is not Tristate.YES:
            return unknown(UndecidedReason.UNDECIDED)
        return forth

    def one_of_several(
        self, constraint_set: ConstraintSet, kind: str, goals: list[InternedSchema]
    ) -> SubsumptionResult:
        """Several forms on the right: those that have nothing in common with the left are out."""
        near = self._choice(tuple(goals)).near(constraint_set, kind)
        if not near:
            return self._search.inhabited(constraint_set, kind, [])
        if len(near) == 1:
            return self._search.single(constraint_set, kind, near[0])
        doubt, values = UndecidedReason.NONE, []
        for goal in near:
            found = self._search.single(constraint_set, kind, goal)
            if found.answer is Tristate.YES:
                return found
            doubt = doubt or found.reason
            values += [found] if found.answer is Tristate.NO else []
        if kind in ("object", "array"):
            forms = self._search.narrowed(constraint_set, kind)
            parts = split_values(constraint_set, [gather((goal,), self._pool) for goal in near], self._pool)
            if parts:
                return every(lambda part=part: self._search.prove((*forms, part), near) for part in parts)  # type: ignore[misc]
        for found in values:
            if all(holds(goal, found.value) is False for goal in near):
                return found
        several = kind in ("object", "array") and len(values) == len(near)
        together = self._together(constraint_set, near, values) if several else None
        if together is not None:
            return together
        return self._distributed(constraint_set, kind, near, doubt)

    def _together(
        self, constraint_set: ConstraintSet, goals: list[InternedSchema], values: list[SubsumptionResult]
    ) -> SubsumptionResult | None:
        """An array or object that holds all that those hold which break one form each, if that breaks them all."""
        size = sum(found.size for found in values)
        if size > _LARGEST:
            return None
        made = _merged([found.value for found in values])
        if not self._is_between(constraint_set, goals, made):
            return None
        for at, item in enumerate(made) if isinstance(made, list) else ():
            for name in [*item] if isinstance(item, dict) else ():
                less = {key: member for key, member in made[at].items() if key != name}
                if self._is_between(constraint_set, goals, [*made[:at], less, *made[at + 1 :]]):
                    made[at] = less
        return no(made, size)

    def _is_between(self, constraint_set: ConstraintSet, goals: list[InternedSchema], value: Any) -> bool:
        return satisfies_all(constraint_set.forms, value) is True and all(holds(goal, value) is False for goal in goals)

    def _distributed(
        self, constraint_set: ConstraintSet, kind: str, goals: list[InternedSchema], doubt: UndecidedReason
    ) -> SubsumptionResult:
        """Every way to break one constraint of each form."""
        ways = [concerning(goal, kind) for goal in goals]
        size = 1
        for constraints in ways:
            size *= len(constraints)
        plain = all(constraint[0] in _SCALARS for constraints in ways for constraint in constraints)
        if size > _PRODUCT:
            return unknown(doubt or UndecidedReason.UNDECIDED)
        if plain and kind not in ("object", "array"):
            return every(
                lambda broken=broken: self._search.inhabited(constraint_set, kind, list(broken))  # type: ignore[misc]
                for broken in product(*ways)
            )
        for broken in product(*ways):
            pairs = zip(broken, goals, strict=True)
            if not any(
                self._search.constraint(constraint_set, kind, constraint, goal) == YES for constraint, goal in pairs
            ):
                return unknown(doubt or UndecidedReason.UNDECIDED)
        return YES


def _merged(values: list[Any]) -> Any:
    """One array with the items of all, or one object with their members; a name that is taken becomes another one."""
    if all(isinstance(value, list) for value in values):
        return [item for value in values for item in value]
    made: dict[str, Any] = {}
    for value in values:
        for name, member in value.items() if isinstance(value, dict) else ():
            free = name
            while free in made and made[free] != member:
                free += "x"
            made[free] = member
    return made


def _near(beside: InternedSchema, free: Mapping[InternedSchema, int]) -> list[InternedSchema]:
    """A few of the branches that are left, the one at its place first."""
    first = [beside] if beside in free else []
    return [*first, *islice((other for other in free if other not in first), _NEAR - len(first))]
