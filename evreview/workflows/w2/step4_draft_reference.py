"""Step 4 of W2: draft the reference from the contract. Every claim maps to the matrix or the run stops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Entry
from evreview.workflows.w2.facts import F5, ClaimKey, Source, Standing, W2Facts, contract_citation, withheld
from evreview.workflows.w2.reconcile.publication import claims, claims_frame, concern_of, held_words, published


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The entries without what is withheld; W2-F5 when a claim has no matrix cell or an operation stays unusable."""
    if facts.contract is None or facts.item is None:
        raise NotReached("step 4 needs the contract of step 1")
    makes = Entries(facts.contract, facts.item.id)
    whole = tuple(makes.entry(operation) for operation in facts.operations)
    found = tuple(published(entry, facts.withheld, lambda key: held_words(facts, key)) for entry in whole)
    kept = tuple(each.entry for each in found)
    left_out = frozenset(key for each in found for key in each.left_out)
    known = replace(facts, entries=kept, left_out=left_out, unaskable=frozenset(_unaskable(whole, facts)))
    tables = {"Claims": claims_frame(whole, facts)}
    unsupported = (*_unmapped(kept, facts), *_unusable(facts))
    if unsupported:
        return Outcome(state=StepState.STOP, code=F5.code, facts=known, reasons=unsupported, tables=tables)
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)


def _unmapped(entries: tuple[Entry, ...], facts: W2Facts) -> Iterator[Statement]:
    """Claims about a concern for which the matrix holds no contract evidence."""
    mapped = {
        (cell.operation, str(cell.concern))
        for cell in facts.matrix
        if cell.source is Source.CONTRACT and cell.standing is not Standing.UNMAPPED
    }
    for entry in entries:
        for key in claims(entry):
            concern = concern_of(key, entry.operation.id)
            if concern and (entry.operation.id, concern) not in mapped:
                yield limited(
                    "A claim maps to no cell of the evidence matrix: ", UserText(key), ".", on=contract_citation(facts)
                )


def _unusable(facts: W2Facts) -> Iterator[Statement]:
    for gap in facts.gaps:
        if gap.blocks:
            yield observed("The contract omits what a usable description needs: ", *gap.says, on=gap.citations)


def _unaskable(entries: tuple[Entry, ...], facts: W2Facts) -> Iterator[str]:
    """The operations of which what every request needs is withheld."""
    for entry in entries:
        if any(withheld(key, facts.withheld) for key in _owed(entry)):
            yield entry.operation.id


def _owed(entry: Entry) -> Iterator[ClaimKey]:
    """The parameters, and the fields of the body itself, without which no request is right."""
    yield from (row.claim for row in entry.parameters if row.required)
    for body in entry.body.bodies if entry.body and entry.body.required else ():
        for row in body.fields:
            if row.required and row.path and not {".", "["} & set(row.path) and not row.branch:
                yield body.claim_of(row)
