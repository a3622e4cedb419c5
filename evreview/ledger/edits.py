"""Where a difference was written that several positions show: the nodes that alone say what a row compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import ElementKind, Place
from evreview.core.vocabulary import Form, Missing
from evreview.ledger.delta import Delta
from evreview.schema.view import Part

Edited = tuple[Place | None, Place | None]


def edited_at(delta: Delta, pairs: Iterable[SchemaPair]) -> Edited | None:
    """The nodes of both sides that alone say what a row compares.

    Args:
        delta: the row.
        pairs: the schema pairs that show it.

    Returns:
        Their places, None beside one for the side that says nothing; None where several nodes say it together, or none.
    """
    if delta.facet == "":
        return _member(delta)
    both = list(pairs)
    old = _said(delta.facet, delta.released, (pair.released.parts for pair in both))
    new = _said(delta.facet, delta.candidate, (pair.candidate.parts for pair in both))
    if len(old) > 1 or len(new) > 1 or not (old or new):
        return None
    return next(iter(old), None), next(iter(new), None)


def _member(delta: Delta) -> Edited | None:
    """The place of a field that comes or goes."""
    if delta.element is not ElementKind.PROPERTY:
        return None
    gone = isinstance(delta.candidate, Missing)
    return (delta.released_place, None) if gone else (None, delta.candidate_place)


def _said(facet: str, form: Form, subs: Iterable[Iterable[Part]]) -> set[Place]:
    if isinstance(form, Missing):
        return set()
    return {part.place for parts in subs for part in parts if isinstance(part.node, Mapping) and facet in part.node}
