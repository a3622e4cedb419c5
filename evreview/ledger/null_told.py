"""Null that one side admits and the other refuses where both were read as the same.

A view says of null what its own node says. A choice inside a choice, `not` and a condition may say otherwise: there the
schemas as they are written are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evreview.comparison.noise import RESPELLED
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import Contract, ValueSet
from evreview.core.vocabulary import Aspect, Json
from evreview.ledger.difference import Difference
from evreview.ledger.moved_members import in_place
from evreview.ledger.node_pair import Side
from evreview.schema.evaluator import Evaluator
from evreview.schema.reader import idle_nullable
from evreview.schema.to_json_schema import Source, gaps
from evreview.schema.view import Sub

_COMPOSING: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "$ref"})
_TELLING: Final = frozenset({"nullable", "type", "enum", "schema", "allOf", "anyOf", "oneOf", "not", "if"})
"""Facets of rows that say, or may say, whether null is admitted."""


def tell_null(pairs: Sequence[SchemaPair], released: tuple[Contract, Side], candidate: tuple[Contract, Side]) -> None:
    """Puts a row at each lowest pair of which one side admits null alone, and no row in place tells it."""
    judges = [_Judge(*side) for side in (released, candidate)]
    told = {id(pair) for pair in pairs if any(row.facet in _TELLING and not row.reason for row in pair.differences)}
    users = _users(pairs)
    found: dict[int, tuple[SchemaPair, bool]] = {}
    for pair in pairs:
        if id(pair) in told or pair.selects or not any(sub.writes(_COMPOSING) for sub in _subs(pair)):
            continue
        old, new = (judge.admits_null(sub) for judge, sub in zip(judges, _subs(pair), strict=True))
        if None not in (old, new) and old is not new:
            found[id(pair)] = (pair, old is True)
    above = _above(told | found.keys(), users)
    for key, (pair, null) in found.items():
        if key not in above:
            kept = [row for row in pair.differences if row.reason != RESPELLED]
            pair.differences = [*kept, _row(pair, null)]


class _Judge:
    """Asks the schemas of one contract, as they are written, whether they admit null."""

    def __init__(self, contract: Contract, side: Side) -> None:
        self._source = Source(contract, None)
        self._evaluator = Evaluator(self._source.definition)
        self._dialect = side.views.dialect

    def admits_null(self, sub: Sub) -> bool | None:
        """None where a part can't be read, or where `nullable` may be meant and has no effect."""
        if any(idle_nullable(part.node, self._dialect) for part in sub.parts):
            return None
        values = [ValueSet(part.place, part.node, self._dialect) for part in sub.parts]
        schema: Json = {"allOf": [self._source.schema(value) for value in values]}
        return None if gaps(schema) else self._evaluator.admits(schema, None)


def _subs(pair: SchemaPair) -> tuple[Sub, Sub]:
    return pair.released, pair.candidate


def _row(pair: SchemaPair, null: bool) -> Difference:
    return Difference(
        aspect=Aspect.NULLABILITY,
        facet="nullable",
        released=null,
        candidate=not null,
        released_place=pair.released.place,
        candidate_place=pair.candidate.place,
    )


def _users(pairs: Iterable[SchemaPair]) -> dict[int, list[SchemaPair]]:
    """The pairs that look at the same value as a pair which they lead to, by its id."""
    users: dict[int, list[SchemaPair]] = {}
    for pair in pairs:
        for link in pair.links:
            if link.required is None and in_place(link.step):
                users.setdefault(id(link.target), []).append(pair)
    return users


def _above(starts: Iterable[int], users: dict[int, list[SchemaPair]]) -> set[int]:
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if id(user) not in found:
                found.add(id(user))
                waiting.append(id(user))
    return found
