"""Noise for components that changed their name: at most one row per pair of names."""

from __future__ import annotations

from evreview.contracts.model import Contract
from evreview.ledger.difference import Difference
from evreview.ledger.drafts import Draft, Where, draft_of
from evreview.ledger.noise import RENAMED
from evreview.ledger.schema_graph import SchemaGraph
from evreview.vocab import Address, Aspect


def rename_drafts(released: Contract, graph: SchemaGraph) -> list[Draft]:
    """One noise draft per pair of different component names that references of both sides use in one place."""
    drafts = []
    names = {(_name(old), _name(new)): pair for (old, new), pair in sorted(graph.renames.items())}
    for (old, new), (before, after) in sorted(names.items()):
        difference = Difference(
            aspect=Aspect.IDENTIFIERS,
            facet="component name",
            released=old,
            candidate=new,
            released_place=before.place,
            candidate_place=after.place,
            reason=RENAMED,
        )
        where = Where("", Address(f"component {old}"), frozenset(), released.root, "")
        drafts.append(draft_of(released.kind, difference, where, shared=False))
    return drafts


def _name(ref: str) -> str:
    return ref.rsplit("/", 1)[-1]
