"""The parts of the reference that repeat per operation: a heading, and pieces of statements, rows and examples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evreview.core.quoted_text import Part, Text
from evreview.reference.model import Operation
from evreview.report.escape import Md, cell, cell_words, fence, heading, statement
from evreview.report.statement import Statement
from evreview.workflows.engine.registers import TableRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Statements, then table rows, then one example; each may be empty."""

    statements: tuple[Md, ...] = ()
    rows: tuple[TableRow, ...] = ()
    fences: tuple[Md, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One operation's part of a section."""

    heading: Md
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


def words_or(texts: Iterable[Text], otherwise: str) -> Md:
    """The texts in one cell, or words for none."""
    told = joined(texts)
    return cell_words(told) if told else cell(otherwise)
