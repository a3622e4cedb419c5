"""Rows about whole forms: their names and values are the members of an object, so a form carries no other value."""

from __future__ import annotations

from typing import Final

from evreview.comparison.proof.claim import Claim
from evreview.comparison.proof.text_values import is_form
from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import Answer, Json
from evreview.ledger.delta import Delta
from evreview.proof.questions import Questions
from evreview.schema.subsumption.relation import compare_sets

_FACETS: Final = frozenset({"type", "nullable"})
_OBJECT: Final[Json] = {"type": "object"}


def same_objects(delta: Delta, claim: Claim | None, questions: Questions) -> bool:
    """True when a row says which types a form has, only forms carry it, and both sides admit the same objects."""
    if claim is None or claim.reason or delta.facet not in _FACETS:
        return False
    pairs = questions.ways.pairs(delta)
    if not pairs or not all(_only_forms(pair, questions) for pair in pairs):
        return False
    released, candidate = ({"allOf": [_OBJECT, side]} for side in (claim.released, claim.candidate))
    return compare_sets(released, candidate).equal is Answer.YES


def _only_forms(pair: SchemaPair, questions: Questions) -> bool:
    """True for the schema of whole forms that stands nowhere else."""
    roots = questions.ways.tops.get(id(pair), ())
    sides = [side for root in roots for side in (root.position.released, root.position.candidate)]
    return bool(sides) and not questions.ways.users.get(id(pair)) and all(map(is_form, sides))
