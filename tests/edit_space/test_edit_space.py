"""Every verdict of the edit space, held against the independent oracle.

`python -m tests.edit_space` prints the tables and each cell that is still unknown, or that the oracle can't decide.
The bounds may only shrink.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.edit_space.cells import Place, cells, places
from tests.edit_space.compositions import compositions
from tests.edit_space.messages.table import FAMILIES
from tests.edit_space.outcome import Outcome, Result, edit_result, result

SHARE = 48
"""The test tries one cell in so many, always the same ones; the command tries all of them."""
PLACES = tuple(places())
BATCHES = 8
OPEN_VALUES = 62
"""Cells per batch that evreview leaves unknown while the oracle decides."""
OPEN_MESSAGES = 0
OPEN_COMPOSITIONS = 5


def of(outcome: Outcome, results: Sequence[Result]) -> list[str]:
    return [each.line for each in results if each.outcome is outcome]


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.req("W1L-018", "W1L-019")
def test_no_verdict_about_values_is_refuted(batch: int) -> None:
    chosen: list[Place] = list(PLACES[batch::BATCHES])
    results = [result(cell) for place in chosen for cell in cells(place, SHARE)]
    assert len(results) > 100
    assert of(Outcome.WRONG, results) == []
    assert len(of(Outcome.OPEN, results)) <= OPEN_VALUES


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.req("W1L-018", "W1L-019")
def test_no_verdict_about_compositions_is_refuted(batch: int) -> None:
    results = [result(each) for at, each in enumerate(compositions(SHARE)) if at % BATCHES == batch]
    assert len(results) > 15
    assert of(Outcome.WRONG, results) == []
    assert len(of(Outcome.OPEN, results)) <= OPEN_COMPOSITIONS


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.req("W1L-018", "W1L-019")
def test_no_verdict_about_messages_is_refuted(family: str) -> None:
    results = [edit_result(edit) for edit in FAMILIES[family]()]
    assert results
    assert of(Outcome.WRONG, results) == []
    assert len(of(Outcome.OPEN, results)) <= OPEN_MESSAGES
