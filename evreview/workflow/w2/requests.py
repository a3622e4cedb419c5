"""Request examples and request bodies."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.core.quoted_text import Subject
from evreview.report.statement import limited, observed
from evreview.workflow.w2.blocks import Block, Piece, block, piece
from evreview.workflow.w2.citing import contract_citation
from evreview.workflow.w2.exampled import label_of, left_out, omitted_examples, request_text
from evreview.workflow.w2.fielded import fields
from evreview.workflow.w2.withholding import disputed, holds_request, incomplete
from evreview.workflows.w2.contract_rows import Entry
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step5_examples.construct import is_request


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
        says = ("The request body ", Subject(body.media_type or "of no stated media type"), " has these fields.")
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
