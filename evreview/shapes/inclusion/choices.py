"""Branches of one choice sorted by the listed values of a member that each demands, so that few are looked at."""

from __future__ import annotations

from typing import Final

from evreview.schema.subsumption.constraint_set import Given, gather
from evreview.shapes.inclusion.forms import Form, Pool
from evreview.shapes.inclusion.overlap import apart, listed

_MANY: Final = 80


class Choice:
    """The branches of one choice, read once."""

    def __init__(self, branches: tuple[Form, ...], pool: Pool) -> None:
        self._pool = pool
        self._branches = branches
        self._read = [gather((branch,), pool) for branch in branches]
        self._name = ""
        self._by_token: dict[str, list[int]] = {}
        self._find()
        self._pairs: list[tuple[Form, Form]] | None = None

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

    def near(self, given: Given, kind: str) -> list[Form]:
        """The branches that may have a value in common with what is given."""
        candidates = list(range(len(self._branches)))
        if self._name and kind == "object":
            tokens = listed(gather(given.member(self._name, self._pool), self._pool))
            if tokens is not None:
                candidates = sorted({at for token in tokens for at in self._by_token.get(token, ())})
        return [self._branches[at] for at in candidates if not apart(given, self._read[at], self._pool, kind)]

    def overlapping(self) -> list[tuple[Form, Form]] | None:
        """The pairs of branches that may have a value in common, None when there are too many to look at."""
        if self._pairs is None:
            found = self._pairs_found()
            if found is None:
                return None
            self._pairs = found
        return self._pairs

    def _pairs_found(self) -> list[tuple[Form, Form]] | None:
        if self._name:
            groups = list(self._by_token.values())
        elif len(self._branches) <= _MANY:
            groups = [list(range(len(self._branches)))]
        else:
            return None
        if any(len(group) > _MANY for group in groups):
            return None
        pairs = {(one, other) for group in groups for one in group for other in group if one < other}
        return [
            (self._branches[one], self._branches[other])
            for one, other in sorted(pairs)
            if not apart(self._read[one], self._read[other], self._pool)
        ]
