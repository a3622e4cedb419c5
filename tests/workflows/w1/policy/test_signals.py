"""Failure rates at their boundaries, and signals that are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.evidence.records.compatibility import Signal
from evreview.workflows.w1.usage_evidence import exceeds, failure_rate, lint_signal, lint_text
from tests.rows import signal


@pytest.mark.req("W1M-015")
@pytest.mark.parametrize(
    ("failures", "attempts", "rate"), [(0, 0, None), (0, 10, 0.0), (1, 200, 0.5), (7, 1000, 0.7), (3, 3, 100.0)]
)
def test_rate(failures: int, attempts: int, rate: float | None) -> None:
    assert failure_rate(failures, attempts) == rate


@pytest.mark.parametrize(("failures", "attempts"), [(-1, 1), (1, -1), (2, 1)])
def test_impossible_counters(failures: int, attempts: int) -> None:
    with pytest.raises(ValueError, match="deltas"):
        failure_rate(failures, attempts)


@pytest.mark.req("W1M-016")
@pytest.mark.parametrize(
    ("rate", "baseline", "margin", "abort"),
    [
        (0.7, 0.2, 0.5, False),
        (0.70001, 0.2, 0.5, True),
        (0.8, 0.3, 0.5, False),
        (1.1, 0.6, 0.5, False),
        (0.30000000000000004, 0.1, 0.2, True),
        (None, 0.0, 0.1, False),
        (0.0, 0.2, 0.5, False),
    ],
)
def test_exceeds_strictly(rate: float | None, baseline: float, margin: float, abort: bool) -> None:
    assert exceeds(rate, baseline, margin) is abort


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_margin_itself_never_aborts(baseline: int, margin: int) -> None:
    low, width = baseline / 10, margin / 10
    top = (baseline + margin) / 10
    assert not exceeds(top, low, width)
    assert exceeds((baseline + margin + 1) / 10, low, width)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        pytest.param({"retains": ["response body"]}, "body", id="body", marks=pytest.mark.req("W1M-001", "W1G-003")),
        pytest.param({"retains": ["request_payload"]}, "body", id="payload", marks=pytest.mark.req("W1G-003")),
        pytest.param({"numerator": "responses whose bodies do not parse"}, "body", id="needs-bodies"),
        pytest.param(
            {"retains": ["customer id"]}, "personal-data", id="customer", marks=pytest.mark.req("W1M-002", "W1D-009")
        ),
        pytest.param({"retains": ["e-mail"]}, "personal-data", id="mail"),
        pytest.param({"retains": ["client IP address"]}, "personal-data", id="ip"),
        pytest.param(
            {"retains": ["stack trace"]}, "internal-error", id="stack", marks=pytest.mark.req("W1M-003", "W1D-009")
        ),
        pytest.param({"numerator": "exception messages by class"}, "internal-error", id="exception"),
    ],
)
def test_refused(change: dict[str, Any], kind: str) -> None:
    assert kind in {fault.kind for fault in lint_signal(Signal.model_validate(signal(**change)))}


@pytest.mark.req("W1M-001", "W1M-002", "W1M-003")
@pytest.mark.parametrize(
    "change",
    [{}, {"retains": ["no request or response body"]}, {"retains": ["API version; no e-mail, no stack trace"]}],
)
def test_accepted(change: dict[str, Any]) -> None:
    assert lint_signal(Signal.model_validate(signal(**change))) == ()


@pytest.mark.req("W1G-003")
def test_sentences_are_linted_too() -> None:
    assert [fault.kind for fault in lint_text("Log raw responses and keep bodies for a week")] == ["body", "body"]
    assert lint_text("Count failed attempts by API version") == ()
