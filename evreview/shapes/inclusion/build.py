"""The smallest object or array that meets what is given, member by member."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import Answer
from evreview.schema.subsumption.constraint_set import Given, gather
from evreview.schema.subsumption.result import BUDGET, LARGE, UNDECIDED, YES, Found, no, unknown

if TYPE_CHECKING:
    from evreview.schema.subsumption.prover import Search

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
        self,
        given: Given,
        fixed: Mapping[str, Found] = _FIXED,
        *,
        without: frozenset[str] = _NOTHING,
        count: int = 0,
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
            return unknown(UNDECIDED)
        if most is not None and len(made) > most:
            return unknown(UNDECIDED)
        return self._assembled(made)

    def _assembled(self, made: Mapping[str, Found]) -> Found:
        size = 1 + sum(found.size for found in made.values())
        return unknown(LARGE) if size > _LARGEST else no({name: found.value for name, found in made.items()}, size)

    def _add(self, given: Given, made: dict[str, Found], owed: list[str], without: frozenset[str]) -> Found | None:
        if len(owed) > _MANY_OWED and not self._search.afford(len(owed) // _PER_STEP):
            return unknown(BUDGET)
        for name in owed:
            if name in without:
                return YES
            found = self._search.asides.member(given, name, ())
            if found.answer is not Answer.NO:
                return found
            made[name] = found
        return None

    def _filled(self, given: Given, made: dict[str, Found], wanted: int, without: frozenset[str]) -> bool:
        for name in self._optional(given):
            if len(made) >= wanted:
                return True
            if name not in made and name not in without and not self._triggers(given, name):
                found = self._search.asides.member(given, name, ())
                if found.answer is Answer.NO:
                    made[name] = found
        return len(made) >= wanted

    def _optional(self, given: Given) -> Iterator[str]:
        yield from given.declared()
        yield from (f"x{at}" for at in range(_MANY))

    def _triggers(self, given: Given, name: str) -> bool:
        return any(literal[1] == name for literal in given.of("dependent", "dependentSchema"))
