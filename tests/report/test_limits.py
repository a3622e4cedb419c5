"""How much an artifact asks of its reader, by the golden ones: short cells, the answer on the first screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evreview.core.vocabulary import StatementKind
from evreview.report.markdown import Document, parse_document

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
W1, W2, W3 = "api-contract-review", "api-reference", "security-review"
ARTIFACTS = sorted(path for name in (W1, W2, W3) for path in GOLDEN.glob(f"expected*/**/{name}.md"))
CELL, FRAGMENT, COLUMNS = 120, 80, 9
OWN_WORDS = {
    ("Gates", "Missing"),
    ("Gates", "Recorded answers"),
    ("Removals", "Missing"),
    ("Evidence items", "Establishes"),
    ("Gates", "To be reviewed"),
    ("Authorization", "Value"),
    ("Further terms of the authorization", "Value"),
    ("Dispositions", "Why"),
    ("Redaction", "Handling"),
    ("Remediation order", "Control change"),
    ("Requested artifacts", "Request"),
}
"""Columns that print words of the supplier, or list names, whole."""
MORE = {
    ("Findings", "Verification"): 96,
    ("Traceability", "Material conclusion"): 98,
    ("Refuted candidates", "What refutes it"): 158,
    ("Hypotheses by boundary", "Preconditions"): 123,
    ("POST /v1/orders", "Value"): 133,
    ("Request example", "Why"): 121,
    ("Example execution report", "Result"): 121,
    ("Follow-up", "Action"): 140,
}
"""Columns that are over the limit, because nothing else of the artifact has their words."""


@pytest.fixture(params=ARTIFACTS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
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
                most = MORE.get((table.heading, column), FRAGMENT if labelled else CELL)
                if column != "Evidence" and (table.heading, column) not in OWN_WORDS:
                    found += [(table.heading, column, part) for part in parts if len(part) > most]
    assert found == []


def test_no_cell_is_cut(document: Document) -> None:
    cells = [cell.full for table in document.tables for row in table.rows for cell in row]
    assert [cell for cell in cells if cell.endswith("…") or "…\n" in cell or "… " in cell] == []


def test_the_first_screen_holds_the_decision_and_who_acts_next(document: Document) -> None:
    scope = next(heading.line for heading in document.headings if heading.level == 2)
    verdict = [part for part in document.prose if scope < part.line <= scope + 7]
    assert verdict[0].text.partition(": ")[2].startswith("Decision: ")
    assert [part for part in verdict if part.label == "Next action"]


def test_every_link_leads_to_a_heading_and_every_card_is_linked(document: Document) -> None:
    linked = {target for target, *_ in document.links}
    cards = {heading.text for heading in document.headings if heading.level == 4}
    assert cards <= linked
    reached = {re.sub(r"[^\w -]", "", heading.text.lower()).replace(" ", "-") for heading in document.headings}
    assert linked <= reached
