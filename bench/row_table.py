"""The interactive matrix on the server's side: how long each answer to a reader takes, by its number of rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

from bench.report import table
from tests.workflows.widgets.test_ledger_panel import panel_of

SIZES = (871, 8_000, 50_000)
"""GitHub's pair, the largest of the corpus, and what the panel is promised for."""


def answers(rows: int) -> Mapping[str, float]:
    """Seconds of processor time until the table is ready, by what the reader does, in this order."""
    started = time.process_time()
    panel = panel_of(rows)
    asked: Mapping[str, Callable[[], object]] = {
        "first view": lambda: panel.page,
        "first search": lambda: panel.receive({"do": "search", "of": "field123"}),
        "next search": lambda: panel.receive({"do": "search", "of": "field1234 longer"}),
        "facet": lambda: panel.ask(search="", facets={"verdict": ("breaking",)}),
        "first sort": lambda: panel.sort_by("what"),
        "next sort": lambda: panel.sort_by("what"),
        "open": lambda: panel.open_row(panel.page.keys[7]),
    }
    found: dict[str, float] = {}
    for name, ask in asked.items():
        ask()
        now = time.process_time()
        found[name], started = now - started, now
    return found


def answers_table(rounds: int) -> list[str]:
    """Milliseconds, the median of the rounds; one row for each number of rows."""
    lines: list[tuple[str, ...]] = []
    heads: tuple[str, ...] = ()
    for rows in SIZES:
        runs = [answers(rows) for _ in range(rounds)]
        heads = tuple(runs[0])
        lines.append((f"{rows:,}", *(f"{1000 * median(run[name] for run in runs):.0f}" for name in heads)))
    return table(("rows, ms", *heads), lines)
