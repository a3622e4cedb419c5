"""The page of all registers with their columns: names from the reviews of the examples, meanings from the tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from evreview.comparison.ledger import COLUMNS
from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import review
from evreview.workflows.w2.matrix.evidence_matrix import GAP_COLUMNS, MATRIX_COLUMNS
from evreview.workflows.w2.reconcile.reconcile import COLUMNS as DISCREPANCY_COLUMNS
from evreview.workflows.w3 import registers as w3

PROJECT: Final = Path(__file__).resolve().parents[2]
MEANINGS: Final = Path(__file__).with_name("register_columns.csv")
EXAMPLES: Final = {
    "API contract review (W1)": "w1-orders",
    "API reference (W2)": "w2-orders",
    "Security review (W3)": "w3-tickets",
}
TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "evidence-matrix": MATRIX_COLUMNS,
    "gaps": GAP_COLUMNS,
    "discrepancies": DISCREPANCY_COLUMNS,
    "controls": w3.CONTROL_COLUMNS,
    "inventory-gaps": w3.INVENTORY_GAP_COLUMNS,
    "middleware": w3.MIDDLEWARE_COLUMNS,
    "control-tests": w3.TEST_COLUMNS,
    "trust-paths": w3.PATH_COLUMNS,
    "trust-backings": w3.BACKING_COLUMNS,
    "trust-gaps": w3.TRUST_GAP_COLUMNS,
}
"""Registers whose tables say themselves what their columns mean; `MEANINGS` has the others."""
_HEAD: Final = """# Registers and their columns

`evreview run` writes each register as JSON and CSV into `registers` of the output folder. In Python they are
`review.registers`, frames by name. `evidence` always holds citations, with commas between them.

## Ledger

What `evreview diff` prints, and the register `compatibility-matrix`. One row is one difference; `delta_id` is its key.
"""


def registers_page() -> str:
    """The page.

    Raises:
        KeyError: a register has a column whose meaning nobody wrote down.
    """
    known = meanings()
    shared = {column: said for (register, column), said in known.items() if not register}
    parts = [_HEAD, *table({column.name: _meaning(column.meaning, column.allowed) for column in COLUMNS})]
    for title, example in EXAMPLES.items():
        parts += ["", f"## {title}"]
        for name, frame in review(open_bundle(PROJECT / "examples" / example)).registers.items():
            if name != "compatibility-matrix":
                own = TABLES.get(name) or {
                    column: said for (register, column), said in known.items() if register == name
                }
                every = {**shared, **own}
                found = {column: every[column] for column in map(str, frame.columns)}
                parts += ["", f"### {example[:2]}: {name}", "", *table(found)]
    return "\n".join(parts) + "\n"


def meanings() -> Mapping[tuple[str, str], str]:
    """What a column of a register means, by both names; the register is "" where a column means one thing in all."""
    with MEANINGS.open(encoding="utf-8", newline="") as file:
        return {(row["register"], row["column"]): row["meaning"] for row in csv.DictReader(file)}


def table(columns: Mapping[str, str]) -> Iterator[str]:
    """The lines of a table of columns."""
    yield "| Column | Meaning |"
    yield "| --- | --- |"
    yield from (f"| `{name}` | {meaning} |" for name, meaning in columns.items())


def _meaning(said: str, allowed: tuple[str, ...]) -> str:
    values = ", ".join(f"`{value}`" for value in allowed if value)
    return f"{said}: {values}" if values and ":" not in said else said
