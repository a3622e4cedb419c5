"""A check of many proofs by one: where every row of a schema pair is contained, the pair as a whole has to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evreview.comparison.proof.position import Leg
from evreview.comparison.proof.value_sets import Sets
from evreview.core.vocabulary import Answer, DeltaId, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.meant import Meant
from evreview.proof.position import direction
from evreview.proof.questions import Questions

REFUTED = "every row of the schema is contained by itself, but a value refutes the schema as a whole"
Key = tuple[int, Polarity]


def contradicted(
    questions: Questions, sets: Sets, meant: Meant, rows: Iterable[tuple[Delta, bool]]
) -> frozenset[DeltaId]:
    """The proved rows of schema pairs that a verified value refutes as a whole.

    Args:
        questions: the rows and where they stand.
        sets: compares whole schemas by the letter.
        meant: compares what peers write.
        rows: every row, with True for one that is compatible and proved by value sets. A pair with any other row at or
            below it is not asked about.
    """
    proved: dict[Key, list[Delta]] = {}
    open_pairs: set[Key] = set()
    for delta, safe in rows:
        polarity = direction(delta)
        for pair in questions.ways.pairs(delta):
            if safe and polarity is not None and polarity is delta.polarity:
                proved.setdefault((id(pair), polarity), []).append(delta)
            else:
                open_pairs.update((id(pair), each) for each in Polarity if polarity in (each, None))
    tainted = _above(open_pairs, questions.ways.users)
    found: set[DeltaId] = set()
    for key, deltas in proved.items():
        if key in tainted:
            continue
        pair = next(each for each in questions.ways.pairs(deltas[0]) if id(each) == key[0])
        schemas = sets.of_subs((pair.released, pair.candidate), key[1])
        if sets.contained(schemas, key[1]).answer is Answer.YES or meant.contained(schemas, key[1]):
            continue
        if sets.safe(schemas, key[1]).answer is Answer.NO:
            found.update(delta.id for delta in deltas)
    return frozenset(found)


def _above(keys: set[Key], users: Mapping[int, list[Leg]]) -> set[Key]:
    """The pairs, and all pairs that lead to them."""
    seen, waiting = set(keys), list(keys)
    while waiting:
        at, polarity = waiting.pop()
        for above, _ in users.get(at, ()):
            key = (id(above), polarity)
            if key not in seen:
                seen.add(key)
                waiting.append(key)
    return seen
