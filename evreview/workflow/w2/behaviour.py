"""Behaviour, limits and side effects: what the contract states, what is absent, and what only the code shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.artifacts.escape import cell, cell_words, citations
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Citation
from evreview.findings.statement import Statement, limited, observed
from evreview.prose import Subject, Text, listed
from evreview.reference.claims import claim, withheld
from evreview.reference.rows import Entry, HeaderRow
from evreview.sources.model import CodeNote, Route
from evreview.vocab import MISSING, Basis, Concern
from evreview.workflow.tables import Row
from evreview.workflow.w2.blocks import Block, block, joined, piece
from evreview.workflow.w2.citing import contract_citation
from evreview.workflow.w2.contracted import form_words
from evreview.workflow.w2.facts import W2Facts

ASPECTS: Final = (
    Concern.LIMITS,
    Concern.IDEMPOTENCY,
    Concern.SIDE_EFFECTS,
    Concern.PAGINATION,
    Concern.RATE_LIMITS,
)
NOTED: Final = frozenset({Concern.SIDE_EFFECTS})
"""Concerns whose code notes are printed; a limit that only the code knows never is."""
REFUSALS: Final = frozenset({"400", "422", "4XX", "default"})
"""Responses in which a contract may define what happens to undefined input."""


def behaviour_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """One block per operation: the table, then implementation notes and what is undefined."""
    return tuple(
        block(
            entry.operation,
            piece(rows=tuple(_rows(facts, entry))),
            piece((*_notes(facts, entry), *_undefined(facts, entry))),
        )
        for entry in facts.entries
    )


def _rows(facts: W2Facts, entry: Entry) -> Iterator[Row]:
    for aspect in ASPECTS:
        stated = entry.about(aspect)
        for row in stated:
            words: Text = (Subject(row.name), ": ", *row.says)
            yield cell(str(aspect)), cell_words(words), cell(str(Basis.CONTRACT)), citations(row.citations)
        if not stated:
            yield from _absent(facts, entry, str(aspect), aspect)
    for header in entry.headers:
        yield (
            cell("response header"),
            cell_words(_header(header)),
            cell(str(Basis.CONTRACT)),
            citations(header.citations),
        )
    if not entry.headers:
        yield from _absent(facts, entry, "response header", Concern.HEADERS)


def _header(header: HeaderRow) -> Text:
    needed = "required" if header.required else "optional"
    words = (Subject(header.name), " on ", Subject(header.status), ", ", *header.type, f", {needed}")
    told = joined(header.allowed)
    return (*words, "; ", *told) if told else words


def _absent(facts: W2Facts, entry: Entry, name: str, aspect: Concern) -> Iterator[Row]:
    """Stated absent when neither the contract nor the code defines one; nothing where the register holds a mismatch."""
    if any(each.operation == entry.operation.id and each.concern is aspect for each in facts.discrepancies):
        return
    if withheld(claim(entry.operation.id, aspect), facts.withheld):
        return
    route = route_of(facts, entry)
    if _code_defines(route, aspect):
        says = "not stated by the contract; nothing is claimed"
        yield cell(name), cell(says), cell(str(Basis.CONTRACT)), citations(_contract(facts, entry))
    elif route is None or route.unread:
        says = "none defined by the contract; the implementation could not be read whole"
        yield cell(name), cell(says), cell(str(Basis.CONTRACT)), citations(_contract(facts, entry))
    else:
        says = "none defined by the contract or the implementation"
        on = (*_contract(facts, entry), _spot(route))
        yield cell(name), cell(says), cell(f"{Basis.CONTRACT}, {Basis.IMPLEMENTATION}"), citations(on)


def route_of(facts: W2Facts, entry: Entry) -> Route | None:
    """The route that answers an operation, None when none was matched."""
    return facts.matching.route(entry.operation) if facts.matching else None


def _code_defines(route: Route | None, aspect: Concern) -> bool:
    if route is None:
        return False
    if aspect is Concern.HEADERS:
        return any(response.headers for response in route.responses)
    return any(note.concern is aspect for note in route.notes)


def _contract(facts: W2Facts, entry: Entry) -> tuple[Citation, ...]:
    place = next((row.citations for row in entry.properties if row.name == "method and path"), ())
    return place or contract_citation(facts)


def _spot(route: Route) -> Citation:
    return at_lines(route.spot.item, route.spot.first, route.spot.last)


def _notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What only the code shows, labelled; never as a promise of the contract."""
    route = route_of(facts, entry)
    for note in route.notes if route else ():
        key = claim(entry.operation.id, note.concern, note.name)
        if note.concern in NOTED and not withheld(key, facts.withheld):
            on = (at_lines(note.spot.item, note.spot.first, note.spot.last),)
            yield observed("implementation-derived, not part of the contract: ", *_noted(note), ".", on=on)


def _noted(note: CodeNote) -> Text:
    value: Text = () if note.value is MISSING else (" ", Subject(form_words(note.value)))
    lead = "" if note.certain else "a lead only, "
    return (f"{lead}{note.concern}: ", Subject(note.name), *value)


def _undefined(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """Inputs outside the contract whose answer it does not define (decision rule 6)."""
    if any(response.status.upper() in REFUSALS or response.status in REFUSALS for response in entry.errors):
        return
    names = [row.name for row in entry.parameters if row.validation or row.required]
    names += [row.path for body in (entry.body.bodies if entry.body else ()) for row in body.fields if row.path]
    if names:
        says = "Undefined by the contract, and not inferred: what answers input that violates it, in "
        yield limited(says, *listed(dict.fromkeys(names)), ".", on=_contract(facts, entry))
