"""Requests and responses of the reference: success and error responses as the contract defines them, and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evreview.core.quoted_text import Text, UserText, marked
from evreview.core.vocabulary import Concern
from evreview.evidence.item import Citation
from evreview.report.escape import NOTHING, cell, cell_code, cell_words, citations
from evreview.report.statement import Statement, inferred, limited, observed
from evreview.workflows.engine.internal_errors import is_internal
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow, Response
from evreview.workflows.w2.examples.examples import is_request
from evreview.workflows.w2.facts import ClaimKey, Example, Omitted, W2Facts, contract_citation
from evreview.workflows.w2.reconcile.withheld import disputed, held_words, holds_request, incomplete, is_partly_held
from evreview.workflows.w2.view_blocks import Block, Piece, block, fields, joined, piece, words_or

# Examples: their label, their text, or why there is none.


def left_out(facts: W2Facts) -> Statement:
    """That an example is left out because of what a discrepancy withholds."""
    says = "The example is left out: it would show what a discrepancy withholds."
    return limited(says, on=contract_citation(facts))


def label_of(facts: W2Facts, example: Example) -> Statement:
    """Whether an example is proposed or observed, and which validators accepted it."""
    how = " and ".join(example.accepted_by) or "no validator"
    words: Text = (f"{str(example.label).capitalize()} example ", UserText(example.id), f", accepted by {how}")
    remarks = joined(example.remarks)
    return inferred(*words, *(("; ", *remarks) if remarks else ()), ".", on=contract_citation(facts))


def request_text(example: Example) -> str:
    """The request as sent: request line, headers, body."""
    lines = [f"{example.message.method} {example.url}", *(f"{name}: {value}" for name, value in example.headers)]
    return "\n".join(lines) + (f"\n\n{example.body}" if example.body else "")


def response_text(example: Example) -> str:
    """The response as sent: status, headers, body."""
    status = example.message.status
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in example.headers)]
    return "\n".join(lines) + (f"\n\n{example.body}" if example.body else "")


def omitted_examples(facts: W2Facts, entry: Entry, status: str, *, request: bool) -> Iterator[Piece]:
    """Why a request or response has no example."""
    for each in facts.omitted:
        same = each.about.operation == entry.operation.element.key and each.about.status == status
        if same and is_request(each) is request:
            yield piece((_no_example(facts, each),))


def _no_example(facts: W2Facts, each: Omitted) -> Statement:
    return limited("No example: ", *marked(each.reason), ".", on=contract_citation(facts))


# Success and error responses as the contract defines them, and none else.


def success_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The success responses of each operation: fields, and an example."""
    return tuple(
        block(entry.operation, *(part for response in entry.success for part in _response(facts, entry, response)))
        for entry in facts.entries
    )


def _response(facts: W2Facts, entry: Entry, response: Response) -> Iterator[Piece]:
    about: Text = ("Status ", UserText(response.status), ": ", UserText(response.description or "no description"))
    said = [observed(*about, on=response.citations), *unverified(facts, response.claim, response.citations)]
    said += disputed(facts, response.claim)
    if not response.bodies:
        yield piece(said, rows=(_no_body(facts, response),))
    for body in response.bodies:
        head = observed("Media type ", UserText(body.media_type or "not stated"), ".", on=body.citations)
        yield piece((*said, head, *incomplete(facts, body)), rows=fields(body))
        said = []
    yield from response_examples(facts, entry, response)


def response_examples(facts: W2Facts, entry: Entry, response: Response) -> Iterator[Piece]:
    """The examples of one response, left out where they would show what is withheld."""
    for example in facts.examples:
        same = example.about.operation == entry.operation.element.key and example.about.status == response.status
        if same and not is_request(example) and not _internals(response):
            held = is_partly_held(facts, response.claim)
            shown = piece((label_of(facts, example),), example=response_text(example))
            yield piece((left_out(facts),)) if held else shown
    yield from omitted_examples(facts, entry, response.status, request=False)


def unverified(facts: W2Facts, key: ClaimKey, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """That no retained contract test covers a response."""
    if key in facts.unverified:
        yield limited("Unverified: no retained contract test covers this response (W2-F4).", on=on)


def _no_body(facts: W2Facts, response: Response) -> TableRow:
    blank = cell("n/a")
    why = held_words(facts, response.claim) if is_partly_held(facts, response.claim) else "the contract defines no body"
    return (cell(f"{NOTHING}: {why}"), blank, blank, blank, citations(response.citations))


def error_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The error responses that the contract defines, and none else."""
    return tuple(
        block(
            entry.operation,
            piece(_error_notes(facts, entry), rows=tuple(_errors(facts, entry)) or _no_errors(facts, entry)),
            *(part for response in entry.errors for part in response_examples(facts, entry, response)),
        )
        for entry in facts.entries
    )


def _error_notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    for response in entry.errors:
        inner = _internals(response)
        if inner:
            on = tuple(dict.fromkeys(each for row in inner for each in row.citations))
            says = ": members that carry internals, and examples that show them, are not published."
            yield limited("Status ", UserText(response.status), says, on=on)
        for found in unverified(facts, response.claim, response.citations):
            yield limited("Status ", UserText(response.status), ". ", *found.text, on=found.citations)
        yield from disputed(facts, response.claim)


def _errors(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    for response in entry.errors:
        if not response.bodies:
            says: Text = (UserText(response.description or "none stated"),)
            none = cell(held_words(facts, response.claim) if is_partly_held(facts, response.claim) else "none stated")
            yield cell_code(response.status), none, none, cell_words(says), citations(response.citations)
        for body in response.bodies:
            codes, held = response.codes_of(body), is_partly_held(facts, body.claim)
            why = held_words(facts, body.claim) if held else "none stated"
            yield (
                cell_code(response.status),
                cell_code(body.media_type or "not stated"),
                words_or(((UserText(code.value),) for code in codes), why),
                words_or((*_body_words(response, body), *([(why,)] if held else [])), why),
                citations((*body.citations, *(each for code in codes for each in code.citations))),
            )


def _body_words(response: Response, body: Body) -> Iterator[Text]:
    if response.description:
        yield (UserText(response.description),)
    for row in body.fields:
        if row.path and not _is_inner(row):
            yield (UserText(row.path), " (", *row.type, ", required)" if row.required else ")")


def _internals(response: Response) -> tuple[FieldRow, ...]:
    """The fields of an error response that its reader is not told: names of internals."""
    status = response.status
    if not (status[:1] in "45" or status == "default"):
        return ()
    return tuple(row for body in response.bodies for row in body.fields if _is_inner(row))


def _is_inner(row: FieldRow) -> bool:
    return any(map(is_internal, re.split(r"[.\[\]]+", row.path)))


def _no_errors(facts: W2Facts, entry: Entry) -> tuple[TableRow, ...]:
    held = is_partly_held(facts, f"{entry.operation.id} {Concern.ERRORS}")
    why = (
        held_words(facts, f"{entry.operation.id} {Concern.ERRORS}")
        if held
        else "the contract defines no error response"
    )
    return ((cell(f"{NOTHING}: {why}"), *(cell("n/a"),) * 3, citations(contract_citation(facts))),)


# Request examples and request bodies.


def request_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The request example of each operation, its body's fields, or why there is no example."""
    return tuple(
        block(entry.operation, *_request(facts, entry), *_unasked(facts, entry), *_request_fields(facts, entry))
        for entry in facts.entries
    )


def _unasked(facts: W2Facts, entry: Entry) -> Iterator[Piece]:
    if entry.operation.id in facts.unaskable:
        says = "Every request needs what is withheld: none can be written from this reference alone."
        yield piece((limited(says, on=contract_citation(facts)),))


def _request_fields(facts: W2Facts, entry: Entry) -> Iterator[Piece]:
    for body in entry.body.bodies if entry.body else ():
        says = ("The request body ", UserText(body.media_type or "of no stated media type"), " has these fields.")
        yield piece(
            (observed(*says, on=body.citations), *incomplete(facts, body), *disputed(facts, body.claim)),
            rows=fields(body),
        )


def _request(facts: W2Facts, entry: Entry) -> Iterator[Piece]:
    for example in facts.examples:
        if example.about.operation == entry.operation.element.key and is_request(example):
            if holds_request(facts, entry.operation.id):
                yield piece((left_out(facts),))
            else:
                yield piece((label_of(facts, example),), example=request_text(example))
    yield from omitted_examples(facts, entry, "", request=True)
