"""Behaviour, limits and side effects: what the contract states, what is absent, and what only the code shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.codefacts.model import CodeNote, Route
from evreview.core.quoted_text import Subject, Text
from evreview.core.vocabulary import MISSING, Basis, Concern
from evreview.reference.claims import claim, withheld
from evreview.reference.gaps import RULE
from evreview.report.escape import NOTHING, cell, cell_words, citations
from evreview.report.statement import Statement, limited, observed
from evreview.workflow.w2.blocks import Block, block, joined, piece
from evreview.workflow.w2.citing import contract_citation
from evreview.workflow.w2.fielded import form_words
from evreview.workflow.w2.withholding import disputed_about
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Entry, HeaderRow
from evreview.workflows.w2.facts import W2Facts

ASPECTS: Final = (
    Concern.LIMITS,
    Concern.IDEMPOTENCY,
    Concern.SIDE_EFFECTS,
    Concern.PAGINATION,
    Concern.RATE_LIMITS,
)
NOTED: Final = frozenset({Concern.SIDE_EFFECTS})
"""Concerns whose code notes are printed; a limit that only the code knows never is."""
BOTH: Final = f"{Basis.CONTRACT}, {Basis.IMPLEMENTATION}"


def behaviour_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """One block per operation: the table, then implementation notes and what is undefined."""
    return tuple(
        block(
            entry.operation,
            piece(rows=tuple(_rows(facts, entry)) or _none(facts)),
            piece(
                (
                    *disputed_about(facts, entry, *ASPECTS, Concern.HEADERS),
                    *_notes(facts, entry),
                    *_undefined(facts, entry),
                )
            ),
        )
        for entry in facts.entries
    )


def _rows(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    """What the contract states, then what neither contract nor implementation defines."""
    for aspect in ASPECTS:
        for row in entry.about(aspect):
            words: Text = (Subject(row.name), ": ", *row.says)
            yield cell(str(aspect)), cell_words(words), cell(str(Basis.CONTRACT)), citations(row.citations)
    for header in entry.headers:
        told = cell_words(_header(header))
        yield cell("response header"), told, cell(str(Basis.CONTRACT)), citations(header.citations)
    for gap in facts.gaps:
        if gap.operation == entry.operation.id and RULE[gap.kind].absence:
            yield cell(str(gap.concern)), cell_words(gap.says), cell(BOTH), citations(gap.citations)


def _none(facts: W2Facts) -> tuple[TableRow, ...]:
    blank = cell("n/a")
    return ((cell(f"{NOTHING}: the contract states nothing"), blank, blank, citations(contract_citation(facts))),)


def _header(header: HeaderRow) -> Text:
    needed = "required" if header.required else "optional"
    words = (Subject(header.name), " on ", Subject(header.status), ", ", *header.type, f", {needed}")
    told = joined(header.allowed)
    return (*words, "; ", *told) if told else words


def route_of(facts: W2Facts, entry: Entry) -> Route | None:
    """The route that answers an operation, None when none was matched."""
    return facts.matching.route(entry.operation) if facts.matching else None


def _notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What only the code shows, labelled; never as a promise of the contract."""
    route = route_of(facts, entry)
    for note in route.notes if route else ():
        key = claim(entry.operation.id, note.concern, note.name)
        if note.concern in NOTED and not withheld(key, facts.withheld):
            said = (*_noted(note), f"{note.spot.mark}.")
            yield observed("implementation-derived, not part of the contract: ", *said, on=note.spot.citations)


def _noted(note: CodeNote) -> Text:
    value: Text = () if note.value is MISSING else (" ", Subject(form_words(note.value)))
    lead = "" if note.certain else "a lead only, "
    return (f"{lead}{note.concern}: ", Subject(note.name), *value)


def _undefined(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What the contract does not define, and what is therefore not inferred (decision rule 6)."""
    for gap in facts.gaps:
        told = gap.kind.startswith("undefined-") or gap.concern in ASPECTS
        if gap.operation == entry.operation.id and told and not RULE[gap.kind].absence:
            yield limited(*gap.says, ".", on=gap.citations)
