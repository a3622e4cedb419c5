"""What schemas that may not hold say of a value's members and items: what they mention there is declared.

Such a note refuses nothing. It matters only where an answer rests on members that nobody declares, so the question is
first asked without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from evreview.schema.subsumption.constraint_set import BESIDE, Given, declares, forms_of, looking, names_in
from evreview.schema.subsumption.interned_schema import Form, Literal, Pool
from evreview.schema.subsumption.result import Found, UndecidedReason, unknown

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import Search

_OPEN: Final = frozenset({"any", "one", "if", "not", "dependentSchema", BESIDE})
"""Literals that hold a schema which looks at the value and need not hold."""


class Asides:
    """Asks about members and items for one search, once more with what is said aside where that matters."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._pool = search.pool

    def member(self, given: Given, name: str, right: tuple[Form, ...]) -> Found:
        """The member of a name against what the right side wants of it."""
        left = given.member(name, self._pool)
        return self._asked(left, right, given, ("member", name))

    def others(self, left: tuple[Form, ...], right: tuple[Form, ...], given: Given) -> Found:
        """Members that no schema names; they meet `left`."""
        return self._asked(left, right, given, ("others",))

    def item(self, left: tuple[Form, ...], right: tuple[Form, ...], given: Given, at: int | None) -> Found:
        """The item at an index, or with None any item behind all prefixes; it meets `left`."""
        return self._asked(left, right, given, ("item", at))

    def items(self, given: Given) -> tuple[Form, ...]:
        """A note of all that is said aside of items."""
        beside = self._noted(given, ("item", None), ()) if self._search.declared else None
        return () if beside is None else (beside,)

    def named(self, given: Given) -> set[str]:
        """The names that are mentioned aside."""
        return names_in(self._aside(given)) if self._search.declared else set()

    def around(self, given: Given) -> Form:
        """A note of all that looks at a value, for a question about a part of what is known of it."""
        return note(given.forms, self._pool)

    def _asked(self, left: tuple[Form, ...], right: tuple[Form, ...], given: Given, where: Literal) -> Found:
        found = self._search.below(left, right)
        if not found.assumed:
            return found
        beside = self._noted(given, where, left)
        if beside is None:
            return found
        # Notes make every turn of a schema that refers to itself in place another question.
        return unknown(UndecidedReason.IN_PLACE) if self._search.rounds else self._search.below((*left, beside), right)

    def _noted(self, given: Given, where: Literal, left: tuple[Form, ...]) -> Form | None:
        """One note of every form aside that looks at a part of the value and declares members of it."""
        found = (form for aside in self._aside(given) for literal in aside.literals for form in _said(literal, where))
        told = dict.fromkeys(found)
        known = looking(left, self._pool) if told else frozenset()
        more = [form for form in told if form not in known and declares(form, self._pool)]
        return note(more, self._pool) if more else None

    def _aside(self, given: Given) -> tuple[Form, ...]:
        """Every form that looks at the value and is not known to hold."""
        if given.aside is None:
            around = looking(given.forms, self._pool) if given.writes(_OPEN) else given.forms
            given.aside = tuple(sorted(around - given.forms, key=lambda form: form.number))
        return given.aside


def note(forms: Iterable[Form], pool: Pool) -> Form:
    """The note that some forms look at a value."""
    found = tuple(sorted(set(forms), key=lambda form: form.number))
    return pool.of((BESIDE, found[0] if len(found) == 1 else pool.of(("any", found))))


def _said(literal: Literal, where: Literal) -> Iterator[Form]:
    """What a literal says of a part of a value."""
    kind, *which = where
    if literal[0] == "members" and kind == "member":
        yield from forms_of(literal[1], which[0])
    elif literal[0] == "members" and kind == "others":
        yield from literal[1].patterns.values()
        yield from () if literal[1].rest is None else (literal[1].rest,)
    elif literal[0] == "items" and kind == "item":
        listed = (*literal[1].prefix, literal[1].rest) if which[0] is None else (literal[1].at(which[0]),)
        yield from (form for form in listed if form is not None)
    elif literal[0] == "contains" and kind == "item":
        yield literal[1]
