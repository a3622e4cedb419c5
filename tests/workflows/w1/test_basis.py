"""Behaviour is labelled by how it is known; a schema proves neither defaults nor errors."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, Basis, EvidenceType
from evreview.workflows.w1.checks import basis_of, runtime_gap
from tests.rows import PROBLEM, row

DIFF, SOURCE, TEST, CONTRACT = (
    EvidenceType.IMPLEMENTATION_DIFF,
    EvidenceType.SOURCE_EXCERPT,
    EvidenceType.TEST_RECORD,
    EvidenceType.CONTRACT,
)


@pytest.mark.req("C-023", "C-024")
@pytest.mark.parametrize(
    ("types", "executed", "basis"),
    [
        ([DIFF], False, Basis.IMPLEMENTATION),
        ([SOURCE, CONTRACT], False, Basis.IMPLEMENTATION),
        ([TEST], True, Basis.OBSERVED),
        ([TEST, DIFF], True, Basis.OBSERVED),
        ([TEST], False, Basis.DECLARED),
        ([CONTRACT], False, Basis.CONTRACT),
        (["something else"], False, Basis.DECLARED),
    ],
)
def test_basis(types: Any, executed: bool, basis: Basis) -> None:
    assert basis_of(types, executed=executed) is basis


@pytest.mark.parametrize(
    ("changed", "bases", "gap"),
    [
        pytest.param(row(aspect=Aspect.DEFAULTS), [Basis.CONTRACT], True, marks=pytest.mark.req("C-025")),
        pytest.param(row(aspect=Aspect.DEFAULTS), [], True, marks=pytest.mark.req("C-025")),
        pytest.param(row(PROBLEM, aspect=Aspect.ERRORS), [Basis.CONTRACT], True, marks=pytest.mark.req("C-026")),
        pytest.param(
            row(PROBLEM, aspect=Aspect.ERRORS, facts={"base_aspect": "defaults"}),
            [Basis.DECLARED],
            True,
            marks=pytest.mark.req("C-025", "C-026"),
        ),
        (row(aspect=Aspect.DEFAULTS), [Basis.CONTRACT, Basis.IMPLEMENTATION], False),
        (row(PROBLEM, aspect=Aspect.ERRORS), [Basis.OBSERVED], False),
        (row(), [Basis.CONTRACT], False),
    ],
)
def test_runtime_gap(changed: Any, bases: Any, gap: bool) -> None:
    assert (runtime_gap(changed, bases) is not None) is gap
