"""The limits that a reader feels, measured in a browser: screens, places, width of tables, height of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import SCREEN
from tests.report.reading_room import ARTIFACTS, COLUMN, Reading, reading, table
from tests.report.test_row_words import KINDS, printed

MOST = {"W1 demo": 20, "W2 orders": 22, "W3 tickets": 30}
"""Screens."""
ANNEX = {"W1 demo": (0.25, 0.45), "W2 orders": (0.2, 0.45), "W3 tickets": (0.4, 0.6)}
"""The share below Traceability."""
WIDE = {"W1 demo": {"Findings": 957}, "W2 orders": {}, "W3 tickets": {}}
"""Tables wider than the column: eight literal headers, a label and a word of the subject leave no room to break."""
TALLEST = {"W1 demo": 12, "W2 orders": 9, "W3 tickets": 14}
"""Lines."""


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    opened = browser.new_page(viewport={"width": 1280, "height": SCREEN})
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=ARTIFACTS)
def read(request: pytest.FixtureRequest, tab: Any) -> tuple[str, Reading]:
    name: str = request.param
    return name, reading(tab, ARTIFACTS[name].read_text(encoding="utf-8"))


def test_the_answer_stands_on_the_first_screen_and_the_matrix_on_the_second(read: tuple[str, Reading]) -> None:
    _, found = read
    assert found.decision <= 0.5
    assert found.next_action <= 0.8
    assert found.matrix <= 2.0


def test_it_is_no_longer_than_it_may_be_and_proves_at_the_end(read: tuple[str, Reading]) -> None:
    name, found = read
    least, most = ANNEX[name]
    assert found.screens <= MOST[name]
    assert least <= found.below <= most


def test_tables_fit_the_column_and_rows_the_eye(read: tuple[str, Reading]) -> None:
    name, found = read
    assert [(heading, wide) for heading, wide in found.wide if wide > WIDE[name].get(heading, COLUMN)] == []
    assert max((lines for _, lines, _ in found.tall), default=0) <= TALLEST[name]
    assert found.over_300 == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_ledger_in_markdown_fits_the_column(kind: str, tab: Any) -> None:
    found = reading(tab, printed(kind, "markdown"))
    assert found.tables and (found.wide, found.over) == ((), ())
    assert found.tallest <= TALLEST["W2 orders"]


@pytest.mark.parametrize("name", ARTIFACTS)
def test_an_artifact_that_is_a_screen_longer_is_too_long(name: str, tab: Any) -> None:
    more = "\n\nA paragraph of one line." * (SCREEN // 40)
    assert reading(tab, ARTIFACTS[name].read_text(encoding="utf-8") + more).screens > MOST[name]


def test_what_is_over_a_limit_is_seen(tab: Any) -> None:
    long, word = "word " * 60, "x" * 200
    head = "| A | B |\n| --- | --- |"
    first = f"# T\n\n## Findings\n\n* **Next action:** a\n\n{head}\n| {long} | {word} |\n\n## Traceability\n"
    found = reading(tab, f"{first}\n{head}\n| Inference: {word}<br>Inference: b | {long * 8} |\n")
    assert [column for _, column, _ in found.over] == ["A", "B", "A", "B"]
    assert (len(found.wide), found.tables, len(found.tall), found.over_300) == (2, 2, 2, 1)
    assert 0 < found.below < 1
    assert "| 2 of 2 |" in table({"x": found})
