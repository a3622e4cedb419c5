"""Examples as the reference shows them: their label, their text, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.core.quoted_text import Subject, Text, marked
from evreview.reference.examples.model import Example, Omitted
from evreview.report.statement import Statement, inferred, limited
from evreview.workflow.w2.blocks import Piece, joined, piece
from evreview.workflow.w2.citing import contract_citation
from evreview.workflows.w2.contract_rows import Entry
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step5_examples.construct import is_request


def left_out(facts: W2Facts) -> Statement:
    """That an example is left out because of what a discrepancy withholds."""
    says = "The example is left out: it would show what a discrepancy withholds."
    return limited(says, on=contract_citation(facts))


def label_of(facts: W2Facts, example: Example) -> Statement:
    """Whether an example is proposed or observed, and which validators accepted it."""
    how = " and ".join(example.accepted_by) or "no validator"
    words: Text = (f"{str(example.label).capitalize()} example ", Subject(example.id), f", accepted by {how}")
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
