"""Schemas that negate themselves without a member in between: nobody can say which values they admit."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.schema.subsumption.constraint_set import in_place
from evreview.shapes.inclusion.forms import Form, Pool


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
