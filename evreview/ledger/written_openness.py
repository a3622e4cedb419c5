"""Openness that is written in one version only, below a schema that judges what is left unevaluated.

By itself `additionalProperties: true` says nothing; there it looks at every member, so that none is left to be judged
(JSON Schema 2020-12 Core, section 11).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.comparison.noise import RESPELLED
from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import MISSING, Aspect, Form
from evreview.ledger.difference import Difference
from evreview.ledger.moved_members import below_judges
from evreview.ledger.node_pair import Side
from evreview.schema.view import SchemaView

_MEMBERS: Final = ("additionalProperties", "unevaluatedProperties")


def tell_openness(pairs: Sequence[SchemaPair], sides: tuple[Side, Side]) -> None:
    """Puts a row where openness is written on one side only, in the place of the word that both say the same.

    Only below schemas that judge what is left, and that show no such row themselves.
    """
    judged = below_judges(pair for pair in pairs if not any(map(_tells, pair.differences)))
    for pair in pairs:
        if id(pair) in judged and (row := _row(pair, sides)) is not None:
            kept = [each for each in pair.differences if each.reason != RESPELLED]
            pair.differences = [*kept, row]


def _tells(row: Difference) -> bool:
    return row.facet in _MEMBERS and not row.reason


def _row(pair: SchemaPair, sides: tuple[Side, Side]) -> Difference | None:
    subs = (pair.released, pair.candidate)
    views = [side.view(sub) for side, sub in zip(sides, subs, strict=True)]
    written = [[name for name in _MEMBERS if sub.writes(frozenset({name}))] for sub in subs]
    if bool(written[0]) is bool(written[1]) or not all(map(_open, views)):
        return None
    forms: list[Form] = [True if names else MISSING for names in written]
    return Difference(
        aspect=Aspect.CONTENT_MODEL,
        facet=(written[0] or written[1])[0],
        released=forms[0],
        candidate=forms[1],
        released_place=pair.released.place,
        candidate_place=pair.candidate.place,
    )


def _open(view: SchemaView) -> bool:
    return view.may_be("object") and view.additional is True and view.unevaluated_properties is True
