"""The parts of the reference that repeat per operation: blocks of pieces, executed checks in words, rows of fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evreview.comparison.wire_forms import canonical
from evreview.core.quoted_text import Part, Text, UserText, counted, plain
from evreview.core.vocabulary import ABSENT, Form
from evreview.evidence.item import Citation
from evreview.report.escape import SafeMarkdown, cell, cell_code, cell_words, citations, fence, heading, statement
from evreview.report.statement import Statement
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Body, FieldRow
from evreview.workflows.w2.facts import Operation, Reported


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
