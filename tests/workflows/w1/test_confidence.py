"""Confidence follows its published table, and severity never enters it."""

from __future__ import annotations

import inspect
import itertools

import pytest

from evreview.core.vocabulary import Confidence
from evreview.workflows.engine.conclusions import CONFIDENCE, Completeness, Validation, confidence

ORDER = [Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]


@pytest.mark.req("W1F-014")
def test_the_table_decides_every_case() -> None:
    assert set(CONFIDENCE) == set(itertools.product(Completeness, Validation))
    assert {level for level, _ in (confidence(*case) for case in CONFIDENCE)} == set(Confidence)


@pytest.mark.req("W1F-014")
def test_more_evidence_never_lowers_confidence() -> None:
    rank = {case: ORDER.index(level) for case, level in CONFIDENCE.items()}
    for validation in Validation:
        assert rank[Completeness.COMPLETE, validation] >= rank[Completeness.PARTIAL, validation]
    for completeness in Completeness:
        ranks = [
            rank[completeness, validation] for validation in (Validation.NONE, Validation.PROVED, Validation.EXECUTED)
        ]
        assert ranks == sorted(ranks)
    assert CONFIDENCE[Completeness.COMPLETE, Validation.EXECUTED] is Confidence.HIGH


@pytest.mark.req("W1F-012")
def test_confidence_takes_no_severity() -> None:
    assert set(inspect.signature(confidence).parameters) == {"completeness", "validation"}
