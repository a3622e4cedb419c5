"""Requests and responses of the reference: success and error responses as the contract defines them, and examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evreview.comparison.wire_forms import canonical
from evreview.core.quoted_text import Part, Text, UserText, counted, marked, plain
from evreview.core.vocabulary import ABSENT, Concern, Form
from evreview.evidence.item import Citation
from evreview.report.escape import (
    NOTHING,
    SafeMarkdown,
    cell,
    cell_code,
    cell_words,
    citations,
    fence,
    heading,
    statement,
)
from evreview.report.statement import Statement, inferred, limited, observed
from evreview.workflows.engine.internal_errors import is_internal
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow, Response
from evreview.workflows.w2.examples.examples import is_request
from evreview.workflows.w2.facts import ClaimKey, Example, Omitted, Operation, Reported, W2Facts, contract_citation
from evreview.workflows.w2.reconcile.publication import disputed, held_words, holds_request, incomplete, is_partly_held

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Statements, then table rows, then one example; each may be empty."""

    statements: tuple[SafeMarkdown, ...] = ()
    rows: tuple[TableRow, ...] = ()
    fences: tuple[SafeMarkdown, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One operation's part of a section."""

    heading: SafeMarkdown
    pieces: tuple[Piece, ...]


def block(operation: Operation, *pieces: Piece) -> Block:
    """The part of one operation under its method and path."""
    return Block(heading=heading(operation.id), pieces=tuple(pieces))


def piece(statements: Iterable[Statement] = (), rows: Iterable[TableRow] = (), example: str = "") -> Piece:
    """A piece of ready cells; `example` becomes a fenced block."""
    shown = (fence(example, "http"),) if example else ()
    return Piece(statements=tuple(map(statement, statements)), rows=tuple(rows), fences=shown)


def joined(texts: Iterable[Text], between: str = "; ") -> Text:
    """Several texts as one."""
    parts: list[Part] = []
    for each in texts:
        parts += [between, *each] if parts else each
    return tuple(parts)


def words_or(texts: Iterable[Text], otherwise: str) -> SafeMarkdown:
    """The texts in one cell, or words for none."""
    told = joined(texts)
    return cell_words(told) if told else cell(otherwise)


# Executed checks in words: the same test of two runs is one test and two executions.


CHECKED = frozenset({"passed", "failed", "error"})
"""How a check ends; an example that was sent is executed too, and checks nothing."""


def executed_words(report: Iterable[Reported]) -> str:
    """`12 retained checks executed`; after several runs how many of them are distinct."""
    done = [row for row in report if row.status == "executed"]
    distinct, runs = len({plain(row.check) for row in done}), len(by_run(done))
    if len(done) == distinct:
        return f"{counted(distinct, 'retained check')} executed"
    return f"{counted(distinct, 'retained check')} executed, in {runs} runs {len(done)} times in all"


def by_run(rows: Iterable[Reported]) -> dict[Citation, list[Reported]]:
    """The rows by the record of their run, which is the last that each cites."""
    found: dict[Citation, list[Reported]] = {}
    for row in rows:
        found.setdefault(row.citations[-1], []).append(row)
    return found


def operation_words(done: list[Reported]) -> list[Text]:
    """What ran of one operation: run by run, each with its environment; then the examples that were sent."""
    told: list[Text] = []
    checks = [row for row in done if row.result in CHECKED]
    for rows in by_run(checks).values():
        passed = sum(row.result == "passed" for row in rows)
        told.append((f"{passed} of {len(rows)} retained checks passed, in ", UserText(rows[0].environment)))
    sent = [row for row in done if row.result not in CHECKED]
    told += [("request example sent, in ", UserText(row.environment), f": {row.result}") for row in sent]
    distinct = len({plain(row.check) for row in checks})
    several = f"{distinct} distinct checks in {len(by_run(checks))} runs: " if distinct < len(checks) else ""
    return [(f"executed: {several}", *joined(told))] if told else []


# Bodies as the rows of their fields.


def form_words(form: Form) -> str:
    """A form as JSON, a text as it is."""
    return form if isinstance(form, str) else canonical(form).decode("utf-8", "replace")


def fields(body: Body) -> tuple[TableRow, ...]:
    """The fields of a body, the body itself first."""
    rows = (*((body.root,) if body.root else ()), *(row for row in body.fields if row is not body.root and row.path))
    return tuple(_field(row) for row in rows) or (
        (cell("None recorded: the contract states no schema"), *(cell("n/a"),) * 3, citations(body.citations)),
    )


def _field(row: FieldRow) -> TableRow:
    told = [each.says for each in row.allowed]
    if row.default is not ABSENT:
        told.append(("default ", UserText(form_words(row.default))))
    told += row.notes
    if row.description:
        told.append((UserText(row.description),))
    needed = "n/a" if row.required is None else "yes" if row.required else "no"
    return (
        cell_code(row.path) if row.path else cell("(body)"),
        cell_words(row.type),
        cell(needed),
        words_or(told, "any"),
        citations(row.citations),
    )
