"""Bodies as the rows of their fields."""

from __future__ import annotations

from evreview.comparison.wire_forms import canonical
from evreview.core.quoted_text import Subject
from evreview.core.vocabulary import MISSING, Form
from evreview.report.escape import cell, cell_code, cell_words, citations
from evreview.workflow.w2.blocks import words_or
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Body, FieldRow


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
    told = [*row.allowed]
    if row.default is not MISSING:
        told.append(("default ", Subject(form_words(row.default))))
    told += row.notes
    if row.description:
        told.append((Subject(row.description),))
    needed = "n/a" if row.required is None else "yes" if row.required else "no"
    return (
        cell_code(row.path) if row.path else cell("(body)"),
        cell_words(row.type),
        cell(needed),
        words_or(told, "any"),
        citations(row.citations),
    )
