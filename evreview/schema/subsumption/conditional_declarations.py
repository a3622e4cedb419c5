"""What schemas that may not hold say of a value's members and items: what they mention there is declared.

Such a note refuses nothing. It matters only where an answer rests on members that nobody declares, so the question is
first asked without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from evreview.schema.subsumption.constraint_set import BESIDE, ConstraintSet, declares, forms_of, looking, names_in
from evreview.schema.subsumption.interned_schema import Constraint, InternedSchema, SchemaPool
from evreview.schema.subsumption.result import SubsumptionResult, UndecidedReason, unknown

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import SubsumptionProver

_OPEN: Final = frozenset({"any", "one", "if", "not", "dependentSchema", BESIDE})
"""Literals that hold a schema which looks at the value and need not hold."""


class ConditionalDeclarations:
    """Asks about members and items for one search, once more with what is said aside where that matters."""

    def __init__(self, search: SubsumptionProver) -> None:
        self._search = search
        self._pool = search.pool

    def member(self, constraint_set: ConstraintSet, name: str, right: tuple[InternedSchema, ...]) -> SubsumptionResult:
        """The member of a name against what the right side wants of it."""
        left = constraint_set.member(name, self._pool)
        return self._asked(left, right, constraint_set, ("member", name))

    def others(
        self, left: tuple[InternedSchema, ...], right: tuple[InternedSchema, ...], constraint_set: ConstraintSet
    ) -> SubsumptionResult:
        """Members that no schema names; they meet `left`."""
        return self._asked(left, right, constraint_set, ("others",))

    def item(
        self,
        left: tuple[InternedSchema, ...],
        right: tuple[InternedSchema, ...],
        constraint_set: ConstraintSet,
        at: int | None,
    ) -> SubsumptionResult:
        """The item at an index, or with None any item behind all prefixes; it meets `left`."""
        return self._asked(left, right, constraint_set, ("item", at))

    def items(self, constraint_set: ConstraintSet) -> tuple[InternedSchema, ...]:
        """A note of all that is said aside of items."""
        beside = self._noted(constraint_set, ("item", None), ()) if self._search.declared else None
        return () if beside is None else (beside,)

    def named(self, constraint_set: ConstraintSet) -> set[str]:
        """The names that are mentioned aside."""
        return names_in(self._conditional(constraint_set)) if self._search.declared else set()

    def around(self, constraint_set: ConstraintSet) -> InternedSchema:
        """A note of all that looks at a value, for a question about a part of what is known of it."""
        return note(constraint_set.forms, self._pool)

    def _asked(
        self,
        left: tuple[InternedSchema, ...],
        right: tuple[InternedSchema, ...],
        constraint_set: ConstraintSet,
        where: Constraint,
    ) -> SubsumptionResult:
        found = self._search.below(left, right)
        if not found.assumed:
            return found
        beside = self._noted(constraint_set, where, left)
        if beside is None:
            return found
        # Notes make every turn of a schema that refers to itself in place another question.
        return unknown(UndecidedReason.IN_PLACE) if self._search.rounds else self._search.below((*left, beside), right)

    def _noted(
        self, constraint_set: ConstraintSet, where: Constraint, left: tuple[InternedSchema, ...]
    ) -> InternedSchema | None:
        """One note of every form aside that looks at a part of the value and declares members of it."""
        found = (
            form
            for conditional in self._conditional(constraint_set)
            for constraint in conditional.constraints
            for form in _said(constraint, where)
        )
        told = dict.fromkeys(found)
        known = looking(left, self._pool) if told else frozenset()
        more = [form for form in told if form not in known and declares(form, self._pool)]
        return note(more, self._pool) if more else None

    def _conditional(self, constraint_set: ConstraintSet) -> tuple[InternedSchema, ...]:
        """Every form that looks at the value and is not known to hold."""
        if constraint_set.conditional is None:
            around = looking(constraint_set.forms, self._pool) if constraint_set.writes(_OPEN) else constraint_set.forms
            constraint_set.conditional = tuple(sorted(around - constraint_set.forms, key=lambda form: form.number))
        return constraint_set.conditional


def note(forms: Iterable[InternedSchema], pool: SchemaPool) -> InternedSchema:
    """The note that some forms look at a value."""
    found = tuple(sorted(set(forms), key=lambda form: form.number))
    return pool.of((BESIDE, found[0] if len(found) == 1 else pool.of(("any", found))))


def _said(constraint: Constraint, where: Constraint) -> Iterator[InternedSchema]:
    """What a constraint says of a part of a value."""
    kind, *which = where
    if constraint[0] == "members" and kind == "member":
        yield from forms_of(constraint[1], which[0])
    elif constraint[0] == "members" and kind == "others":
        yield from constraint[1].patterns.values()
        yield from () if constraint[1].rest is None else (constraint[1].rest,)
    elif constraint[0] == "items" and kind == "item":
        listed = (*constraint[1].prefix, constraint[1].rest) if which[0] is None else (constraint[1].at(which[0]),)
        yield from (form for form in listed if form is not None)
    elif constraint[0] == "contains" and kind == "item":
        yield constraint[1]
