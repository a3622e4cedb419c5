"""A run that calls itself isolated while its own command reaches out is not."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import EvidenceId
from evreview.evidence.records.test_runs import TestRun


@pytest.mark.req("W2I-009", "W2G-005", "W3P-005")
@pytest.mark.parametrize(
    ("command", "isolated"),
    [
        ("python -m pytest contract_tests", True),
        ("schemathesis run http://127.0.0.1:8000/openapi.json", True),
        ("newman run --env-var base=http://localhost:{port}", True),
        ("k6 run --base http://orders:8080/v1", True),
        ("k6 run --base http://orders.test/v1", True),
        ("curl https://api.shop.com/v1/orders", False),
        ("curl https://user:word@10.4.3.2:8443/v1", False),
        ("curl http://127.0.0.1:1/x https://api.shop.com", False),
    ],
)
def test_a_command_that_reaches_out_is_not_isolated(command: str, isolated: bool) -> None:
    run = TestRun(output=EvidenceId("E7"), command=command, isolated=True)
    assert (run.is_isolated, not run.reaches) == (isolated, isolated)
    assert not run.model_copy(update={"isolated": False}).is_isolated
