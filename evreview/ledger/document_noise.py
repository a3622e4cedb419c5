"""Noise about the document as a whole: components that changed their name, and the order of keys."""

from __future__ import annotations

from evreview.comparison.drafts import Draft, Where, draft_of
from evreview.comparison.noise import MOVED, ORDER, RENAMED
from evreview.comparison.schema_pairs import SchemaGraph
from evreview.contract.model import Contract
from evreview.core.vocabulary import MISSING, Address, Aspect, Change
from evreview.ledger.difference import Difference


def rename_drafts(released: Contract, graph: SchemaGraph) -> list[Draft]:
    """One noise draft per pair of different component names that references of both sides use in one place."""
    drafts = []
    names = {(_name(old), _name(new)): pair for (old, new), pair in sorted(graph.renames.items())}
    for (old, new), (before, after) in sorted(names.items()):
        difference = Difference(
            aspect=Aspect.IDENTIFIERS,
            facet="component name",
            released=old or MISSING,
            candidate=new or MISSING,
            released_place=before.place,
            candidate_place=after.place,
            reason=RENAMED if old and new else MOVED,
            change=Change.CHANGED,
        )
        where = Where("", Address(f"component {old or new}"), frozenset(), released.root, "")
        drafts.append(draft_of(released.kind, difference, where, shared=False))
    return drafts


def order_drafts(released: Contract, candidate: Contract, graph: SchemaGraph) -> list[Draft]:
    """One noise draft when schemas differ in nothing but the order of their keys."""
    if not graph.reordered:
        return []
    difference = Difference(
        aspect=Aspect.IDENTIFIERS,
        facet="order of keys",
        released="schemas",
        candidate="schemas",
        released_place=released.root.place,
        candidate_place=candidate.root.place,
        reason=ORDER,
    )
    where = Where("", Address("document"), frozenset(), released.root, "")
    return [draft_of(released.kind, difference, where, shared=False)]


def base_drafts(released: Contract, moved: Difference | None, everything: frozenset[str]) -> list[Draft]:
    """The noise draft of a base path that went into the paths, or came out of them."""
    if moved is None:
        return []
    where = Where("", Address("document"), everything, released.root, "")
    return [draft_of(released.kind, moved, where, shared=len(everything) > 1)]


def _name(ref: str) -> str:
    return ref.rsplit("/", 1)[-1]
