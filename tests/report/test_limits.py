"""How much an artifact asks of its reader, by the golden ones: short cells, the answer on the first screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.vocabulary import StatementKind
from evreview.report.markdown import Document, parse_document

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
W1 = sorted(GOLDEN.glob("expected*/**/api-contract-review.md"))
CELL, FRAGMENT, COLUMNS = 160, 130, 9
OWN_WORDS = {
    ("Gates", "Missing"),
    ("Gates", "Recorded answers"),
    ("Removals", "Missing"),
    ("Evidence items", "Establishes"),
    ("Monitoring and rollback", "Change"),
}
"""Columns that print words of the supplier, or list ids, whole."""


@pytest.fixture(params=W1, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def document(request: pytest.FixtureRequest) -> Document:
    path: Path = request.param
    return parse_document(path.read_text(encoding="utf-8"))


def test_cells_and_fragments_are_short(document: Document) -> None:
    found = []
    for table in document.tables:
        assert len(table.columns) <= COLUMNS
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                parts = cell.full.split("\n")
                labelled = parts[0].partition(":")[0] in set(StatementKind)
                most = FRAGMENT if labelled else CELL
                if (table.heading, column) not in OWN_WORDS:
                    found += [(table.heading, column, part) for part in parts if len(part) > most]
    assert found == []


def test_the_first_screen_holds_the_decision_and_who_acts_next(document: Document) -> None:
    scope = next(heading.line for heading in document.headings if heading.text == "Scope")
    verdict = [part for part in document.prose if scope < part.line <= scope + 7]
    assert verdict[0].text.startswith("Inference: Decision: ")
    assert [part for part in verdict if part.label == "Next action"]


def test_every_printed_difference_has_its_card(document: Document) -> None:
    linked = {target for target, _ in document.links}
    cards = {heading.text for heading in document.headings if heading.level == 4}
    assert linked == cards
