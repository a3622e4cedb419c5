"""Each signal fits its example and not its counter-example."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Concern
from evreview.workflows.w2.contract_words import SIGNALS, Signal, rate_limit_header, sentences, signals


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda signal: signal.id)
def test_a_signal_fits_its_example_only(signal: Signal) -> None:
    assert signal in tuple(signals(signal.where, signal.example))
    assert signal not in tuple(signals(signal.where, signal.counter_example))


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("Clients may send at most 600 requests per minute.", {Concern.RATE_LIMITS}),
        ("At most 600 requests per minute, of up to 5 MB.", {Concern.RATE_LIMITS, Concern.LIMITS}),
        ("A batch holds at most 100 orders.", {Concern.LIMITS}),
        ("Clients may call this 100 times per minute.", {Concern.RATE_LIMITS}),
        ("Poll this once every 10 seconds.", {Concern.RATE_LIMITS}),
        ("Callers who ask too often are refused.", {Concern.RATE_LIMITS}),
        ("Figures are computed three times a day.", set()),
    ],
)
def test_a_rate_is_no_other_limit(says: str, expected: set[Concern]) -> None:
    assert {signal.concern for signal in signals("sentence", says)} == expected


def test_ids_are_unique() -> None:
    assert len({signal.id for signal in SIGNALS}) == len(SIGNALS)


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [("Retry-After", "429", True), ("Retry-After", "503", False), ("RateLimit", "200", True), ("ETag", "200", False)],
)
def test_rate_limit_headers(name: str, status: str, expected: bool) -> None:
    assert rate_limit_header(name, status) is expected


def test_sentences_end_at_stops_and_empty_lines() -> None:
    assert sentences("One is\nenough. Two!\n\n- three\n- four") == ("One is enough.", "Two!", "- three", "- four")
