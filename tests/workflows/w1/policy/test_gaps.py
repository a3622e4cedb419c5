"""A policy that leaves something out says so."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.workflows.w1.policy.judgement import policy_gaps
from tests.rows import specification_policy


@pytest.mark.req("W1I-008", "W1I-009", "W1I-010", "W1I-011")
@pytest.mark.parametrize(
    ("changes", "asked", "codes"),
    [
        ({}, True, []),
        ({"rules": [], "producer_rules": [], "consumer_rules": []}, False, ["no-compatibility-rules"]),
        ({"removal": None}, False, ["no-window"]),
        ({"removal": None}, True, ["no-window", "no-removal-conditions"]),
        ({"removal": None, "support_window_days": 90}, False, []),
        ({"disposition_per_severity": {}, "rules": []}, False, ["no-dispositions"]),
        ({"disposition_per_severity": {"High": "blocks"}}, False, ["severity-without-disposition"]),
        (
            {"severities": ["High"], "disposition_per_severity": {"High": "blocks"}},
            False,
            ["unknown-severity"],
        ),
    ],
)
def test_gaps(changes: dict[str, Any], asked: bool, codes: list[str]) -> None:
    assert [gap.code for gap in policy_gaps(specification_policy(**changes), removal_asked=asked)] == codes


def test_no_policy() -> None:
    assert [gap.code for gap in policy_gaps(None)] == ["no-policy"]
