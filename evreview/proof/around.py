"""What stands around a row's value: every schema in place that looks at it, in branches beside the row's own too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from evreview.ledger.delta import Delta
from evreview.ledger.schema_graph import SchemaPair
from evreview.proof.levels import hole_of
from evreview.proof.names import field_name
from evreview.proof.questions import Questions
from evreview.proof.sets import Sets
from evreview.proof.ways import Leg, Ways, carries
from evreview.shapes.view import Sub
from evreview.vocab import MISSING, Polarity

BESIDE: Final = "schemas beside the row's own look at the same object, and comparing them together decided nothing"
_WAYS: Final = 16
_RESTRICTING: Final = frozenset({"allOf", "not", "if", "propertyNames", "maxProperties", "contains", "maxItems"})

_LOOKING: Final = frozenset({"contains"})
"""Keywords by which a schema looks at members beside the one that describes them."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """The schemas around a row that may declare a member which its own branch does not.

    Attributes:
        pairs: the outermost pairs from which branches lead to the row.
        deep: whether members lie between a pair and the row; comparing the pair then forgets what is declared beside.
        unclear: whether there are more uses than were looked at.
    """

    pairs: tuple[SchemaPair, ...]
    deep: bool
    unclear: bool


def crowd(delta: Delta, polarity: Polarity, questions: Questions, sets: Sets) -> Crowd:
    """What may declare members beside a row: declared is what any branch of the sender mentions."""
    found: dict[int, SchemaPair] = {}
    deep = False
    name = field_name(delta) if delta.facet == "" else None
    ways = list(islice(questions.ways.to(delta), _WAYS))
    for way in ways:
        first = next((at for at, leg in enumerate(way.legs) if _branches(leg)), None)
        if first is None:
            continue
        holes = [hole for _, link in way.legs[first:] if (hole := hole_of(link)) is not None]
        top = way.legs[first][0]
        schemas = sets.of_subs((top.released, top.candidate), polarity)
        if name is None or sets.mentions(schemas, polarity, holes, name):
            found[id(top)] = top
            deep = deep or (name is not None and bool(holes))
    return Crowd(tuple(found.values()), deep, len(ways) == _WAYS)


def _branches(leg: Leg) -> bool:
    """True for a step beside which other schemas may look at the same value: a branch, or an item that may match."""
    pair, link = leg
    return hole_of(link) is None or any(sub.writes(_LOOKING) for sub in (pair.released, pair.candidate))


def rewritten(delta: Delta, ways: Ways) -> bool:
    """True for a branch that went where another one came, or the other way round."""
    rows = (row for pair in ways.pairs(delta) for row in pair.differences if row.facet == delta.facet)
    return len({row.released is MISSING for row in rows if not row.reason}) > 1


def enclosing(delta: Delta, ways: Ways, contained: Callable[[SchemaPair], bool]) -> tuple[SchemaPair, ...]:
    """Conjunctions that are contained as a whole and that every use of a row passes; none when a use passes no such.

    What stands beside the row's own branch may rule out all that the row changes.
    """
    waiting, found = list(ways.pairs(delta)), dict[int, SchemaPair]()
    seen, asked = {id(pair) for pair in waiting}, 0
    while waiting:
        pair = waiting.pop()
        if any(carries(root, delta) for root in ways.tops.get(id(pair), ())):
            return ()
        for above, link in ways.users.get(id(pair), ()):
            if above.selects or asked > _WAYS:
                return ()
            if id(above) in seen:
                continue
            seen.add(id(above))
            conjunct = hole_of(link) is None and not link.step.startswith(("anyOf(", "oneOf("))
            beside = conjunct or any(map(_restricts, (above.released, above.candidate)))
            asked += beside
            if beside and contained(above):
                found[id(above)] = above
            else:
                waiting.append(above)
    return tuple(found.values())


def _restricts(sub: Sub) -> bool:
    """True for a schema that may refuse a member for what it is beside its own description."""
    return len(sub.parts) > 1 or sub.writes(_RESTRICTING)
