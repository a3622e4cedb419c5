"""What stands around a row's value: every schema in place that looks at it, in branches beside the row's own too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from evreview.comparison.proof.position import Leg, Way, Ways, carries
from evreview.comparison.proof.value_sets import Sets
from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import MISSING, Json, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.besides import LOOKING, Besides
from evreview.proof.closing import in_place
from evreview.proof.levels import hole_of
from evreview.proof.names import field_name
from evreview.proof.questions import Questions
from evreview.schema.view import Sub

BESIDE: Final = "schemas beside the row's own look at the same object, and comparing them together decided nothing"
_WAYS: Final = 16
_RESTRICTING: Final = frozenset({"allOf", "not", "if", "propertyNames", "maxProperties", "contains", "maxItems"})

_MATCHING: Final = frozenset({"contains"})


@dataclass(frozen=True, slots=True)
class Crowd:
    """The schemas around a row that may declare a member which its own branch does not.

    Attributes:
        pairs: the outermost pairs at which other schemas may look at the row's value, or at a value around it.
        unclear: whether a use that was not looked at may be one below such a pair.
    """

    pairs: tuple[SchemaPair, ...]
    unclear: bool


def crowd(delta: Delta, polarity: Polarity, questions: Questions, besides: Besides, sets: Sets) -> Crowd:
    """What may declare members beside a row: declared is what any branch of the sender mentions."""
    found: dict[int, SchemaPair] = {}
    skipped: list[SchemaPair] = []
    ways = list(islice(questions.ways.to(delta, skipped), _WAYS))
    for way in ways:
        top = top_beside(way, delta, polarity, sets)
        if top is not None:
            found[id(top)] = top
    many = bool(skipped) or len(ways) == _WAYS
    return Crowd(tuple(found.values()), many and besides.tells(questions.ways.pairs(delta), polarity, _named(delta)))


def _named(delta: Delta) -> str | None:
    return field_name(delta) if delta.facet == "" else None


def top_beside(way: Way, delta: Delta, polarity: Polarity, sets: Sets) -> SchemaPair | None:
    """The outermost pair of a use that may declare members beside a row, None for a use without one."""
    first = next((at for at, leg in enumerate(way.legs) if _branches(leg)), None)
    if first is None:
        return None
    below = Way(way.root, way.legs[first:], way.pair)
    return below.legs[0][0] if _may_declare(below, _named(delta), polarity, sets) else None


def _may_declare(way: Way, name: str | None, polarity: Polarity, sets: Sets) -> bool:
    """True when the top of a way may declare a member of the row's value; without a name any member counts."""
    holes = [hole for _, link in way.legs if (hole := hole_of(link)) is not None]
    top, own = (sets.of_subs((pair.released, pair.candidate), polarity) for pair in (way.legs[0][0], way.pair))
    if name is not None:
        return sets.mentions(top, polarity, holes, name)
    return _parts(way.legs[0]) or sets.described(top, polarity, holes, own)


def _branches(leg: Leg) -> bool:
    """True for a step beside which other schemas may look at the same value: into a branch, or past branches."""
    return _parts(leg) or any(sub.writes(LOOKING) for sub in (leg[0].released, leg[0].candidate))


def _parts(leg: Leg) -> bool:
    """True for a step that stays at the same value, or at an item that another schema may match."""
    pair, link = leg
    return hole_of(link) is None or any(sub.writes(_MATCHING) for sub in (pair.released, pair.candidate))


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
    """True for a schema that may refuse a member for what it is beside its own description, or in some branch."""
    if len(sub.parts) > 1 or sub.writes(_RESTRICTING) or _is_unmeetable(sub):
        return True
    return any("maxItems" in node for node in in_place(*(part.node for part in sub.parts)))


def _is_unmeetable(sub: Sub) -> bool:
    """True for a schema that demands a member which it refuses by name: no object meets it."""
    return any(
        node.get("additionalProperties") is False
        and not (_names(node, "required") <= _names(node, "properties") or "patternProperties" in node)
        for node in in_place(*(part.node for part in sub.parts))
    )


def _names(node: Mapping[str, Json], keyword: str) -> frozenset[str]:
    held = node.get(keyword)
    return frozenset(name for name in held if isinstance(name, str)) if isinstance(held, (list, dict)) else frozenset()
