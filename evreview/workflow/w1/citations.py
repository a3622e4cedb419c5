"""Which evidence a ledger row rests on, with locators that resolve inside the items."""

from __future__ import annotations

from evreview.comparison.comparison import Row
from evreview.contract.citations import cited_place
from evreview.contract.model import Place
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Bundle, Citation
from evreview.workflow.w1.facts import W1Facts


def contract_citations(bundle: Bundle, row: Row) -> tuple[Citation, ...]:
    """Both contract items, each with the pointer of the element where it stands in the item itself."""
    named = bundle.request.contracts
    if named is None:
        return ()
    return (
        _located(bundle, named.released, row.delta.released_place),
        _located(bundle, named.candidate, row.delta.candidate_place),
    )


def row_citations(bundle: Bundle, facts: W1Facts, row: Row) -> tuple[Citation, ...]:
    """The contracts, then the implementation and observations mapped to the row."""
    return tuple(dict.fromkeys((*contract_citations(bundle, row), *facts.implementation.get(row.delta.id, ()))))


def read_contracts(bundle: Bundle) -> tuple[Citation, ...]:
    """Both contract items; every item when the bundle names no contracts."""
    named = bundle.request.contracts
    ids = (named.released, named.candidate) if named else tuple(bundle.items)
    return tuple(Citation(found) for found in ids if found in bundle.items)


def _located(bundle: Bundle, item_id: EvidenceId, place: Place | None) -> Citation:
    """The place in the item itself or in a file that belongs to it; the whole item where there is none."""
    item = bundle.items.get(item_id)
    if item is None or place is None:
        return Citation(item_id)
    entry = item.file or place.file
    return cited_place(item_id, entry, place) if place.file in (entry, *item.parts) else Citation(item_id)
