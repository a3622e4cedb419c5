"""What the contract says of each operation, as blocks: properties, parameters, authentication."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.contract.citations import cited_place
from evreview.core.quoted_text import Subject, Text, listed
from evreview.core.vocabulary import MISSING, Concern
from evreview.evidence.item import Citation
from evreview.report.escape import NOTHING, cell, cell_code, cell_words, citations
from evreview.workflow.w2.base_url import agreeing
from evreview.workflow.w2.blocks import Block, block, joined, piece, words_or
from evreview.workflow.w2.citing import contract_citation
from evreview.workflow.w2.fielded import form_words
from evreview.workflow.w2.withholding import disputed_about, held_words, holds_request, is_partly_held, withholding
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Entry, ParameterRow
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.view_blocks import operation_words

NAMES = {"operation ID": "Operation ID", "API version": "API version", "base URL shape": "Base URL shape"}


def operation_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The properties of each operation, then its parameters."""
    return tuple(
        block(
            entry.operation,
            piece(withholding(facts, entry), rows=_properties(facts, entry)),
            piece(
                disputed_about(facts, entry, Concern.PARAMETERS, Concern.VALIDATION),
                rows=tuple(_parameter(row) for row in entry.parameters) or _no_parameters(facts, entry),
            ),
        )
        for entry in facts.entries
    )


def _properties(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    scope = facts.scope
    assert scope is not None
    named = {row.name: row for row in entry.properties}
    identified = named.get("operation ID")
    place = named.get("method and path")
    known = identified or place
    value: Text = identified.value if identified else ("none stated; ", Subject(entry.operation.id))
    yield cell("Operation ID"), cell_words(value), citations(known.citations if known else contract_citation(facts))
    if place:
        yield cell("Method and path"), cell_words(place.value), citations(place.citations)
    for name, key, said in (
        ("API version", "api_version", scope.record.api_version),
        ("Base URL shape", "base_url", scope.record.base_url),
    ):
        own = next((row.citations for row in entry.properties if NAMES.get(row.name) == name), ())
        own = _agreeing(facts, entry, own) if key == "base_url" else own
        yield cell(name), cell_code(said or "unknown"), citations((*own, scope.at(f"/{key}")))
    revision = (Subject(scope.record.revision or ""), ": the one immutable revision of all evidence")
    yield cell("Revision"), cell_words(revision), citations((scope.at("/revision"), *contract_citation(facts)))
    for row in entry.properties:
        if row.name not in (*NAMES, "method and path"):
            yield cell(f"{row.name[:1].upper()}{row.name[1:]}"), cell_words(row.value), citations(row.citations)
    state = _execution(facts, entry)
    yield cell("Execution"), cell_words(state[0]), citations(state[1])


def _agreeing(facts: W2Facts, entry: Entry, on: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """The citations of servers without those that the scope's base URL is not of."""
    scope, contract = facts.scope, facts.contract
    if scope is None or contract is None:
        return ()
    same = agreeing(contract, entry.operation, scope.record.base_url or "") or ()
    kept = {cited_place(facts.item.id, contract.root.place.file, each.place) for each in same} if facts.item else set()
    return tuple(each for each in on if "/servers/" not in each.locator or each in kept)


def _execution(facts: W2Facts, entry: Entry) -> tuple[Text, tuple[Citation, ...]]:
    """Contract tests and request example: executed with environment and result, or unexecuted with what is missing."""
    rows = [row for row in facts.report if entry.operation.id in row.operation.split(", ")]
    done = [row for row in rows if row.status == "executed"]
    waiting = next((row for row in rows if row.status == "unexecuted"), None)
    if not rows and not holds_request(facts, entry.operation.id):
        return ("unexecuted: no retained result",), contract_citation(facts)
    told: list[Text] = []
    told += operation_words(done)
    if waiting is not None:
        told.append((f"request example unexecuted: {waiting.result}",))
    elif holds_request(facts, entry.operation.id):
        told.append(("request example left out: it would show what a discrepancy withholds",))
    on = tuple(dict.fromkeys(citation for row in done or rows for citation in row.citations))
    return joined(told), on[:6] or contract_citation(facts)


def _parameter(row: ParameterRow) -> TableRow:
    told = [*row.validation]
    if row.default is not MISSING:
        told.append(("default ", Subject(form_words(row.default))))
    if row.style:
        told.append(("style ", Subject(row.style)))
    if row.description:
        told.append((Subject(row.description),))
    return (
        cell_code(row.name),
        cell(row.location),
        cell_words(row.type),
        cell("yes" if row.required else "no"),
        words_or(told, "none stated"),
        citations(row.citations),
    )


def _no_parameters(facts: W2Facts, entry: Entry) -> tuple[TableRow, ...]:
    blank = cell("n/a")
    claim = f"{entry.operation.id} {Concern.PARAMETERS}"
    why = held_words(facts, claim) if is_partly_held(facts, claim) else "the contract defines none"
    on = next((row.citations for row in entry.properties), ())
    return ((cell(f"{NOTHING}: {why}"), blank, blank, blank, blank, citations(on)),)


def authentication_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """What each operation demands, with placeholders in the place of credentials."""
    return tuple(row for entry in facts.entries for row in _authentication(facts, entry))


def _authentication(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    auth = entry.authentication
    name = cell_code(entry.operation.id)
    noted = [each.text for each in disputed_about(facts, entry, Concern.AUTHENTICATION)]
    if not auth.alternatives:
        on = auth.citations or contract_citation(facts)
        yield name, words_or((auth.says or ("not stated",), *noted), ""), cell("n/a"), cell("n/a"), citations(on)
    for alternative in auth.alternatives:
        if not alternative:
            yield name, words_or((("no credentials",), *noted), ""), cell("n/a"), cell("n/a"), citations(auth.citations)
            continue
        yield (
            name,
            words_or((*((Subject(use.name), ": ", *use.says) for use in alternative), *noted), "none"),
            words_or((listed(use.scopes) for use in alternative if use.scopes), "none"),
            words_or(((Subject(use.placeholder),) for use in alternative if use.placeholder), "none"),
            citations(citation for use in alternative for citation in use.citations),
        )
