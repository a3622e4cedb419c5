"""Findings rated by an invented rubric, and the retained run of a negative test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evreview.core.vocabulary import EvidenceType
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import SecurityInventory, SeverityRubric, TrustModel
from evreview.evidence.records.test_runs import TestRun
from evreview.workflows.w3.model import Candidate, ControlCandidate, SecurityFinding, Standing
from evreview.workflows.w3.rating import Grounds, rate
from evreview.workflows.w3.supplied_remediation import plans_of
from evreview.workflows.w3.validation import MISSING_NEGATIVE_TEST, local_results
from tests.workflows.w3.made import CANDIDATE, REVISION, Part

MODEL = TrustModel.model_validate(
    {
        "actors": [{"id": "P-CALLER", "name": "a caller", "position": "allowed network"}],
        "assets": [{"id": "A-TICKETS", "name": "tickets", "classification": "customer-confidential"}],
        "attacker_positions": ["P-CALLER"],
    }
)
NO_PRINCIPAL = {
    "id": "R-1",
    "text": "A caller on an allowed network obtaining customer-confidential data is High and blocks deployment.",
    "when": {
        "areas": ["authorization"], "classifications": ["customer-confidential"], "attackers": ["allowed network"],
        "states": ["supported"],
    },
    "severity": "High",
    "blocks_deployment": True,
}  # fmt: skip
UNTESTED = {
    "id": "R-2",
    "text": "A missing negative regression test is Medium while the control is unverified.",
    "when": {"kinds": [MISSING_NEGATIVE_TEST], "verified": False},
    "severity": "Medium",
}
ANY = {"id": "R-3", "text": "Anything else is Low.", "severity": "Low"}
RUBRIC = SeverityRubric.model_validate(
    {"policy_version": "1", "severities": ["High", "Medium", "Low"], "rules": [ANY, UNTESTED, NO_PRINCIPAL]}
)
UNKNOWN = ControlCandidate(place=("wiring",), standing=Standing.UNKNOWN, why=("not supplied",), citations=())
BASE: tuple[Part, ...] = ((EvidenceType.DATA_FLOW, MODEL), (EvidenceType.POLICY, RUBRIC))


def rated(
    made: Bundle, about: Sequence[Candidate] = (CANDIDATE,), lacks: tuple[str, ...] = ()
) -> tuple[SecurityFinding, ...]:
    grounds = Grounds(
        bundle=made,
        rubric=first_of(made, SeverityRubric),
        results=local_results(made, REVISION),
        plans=plans_of(made, lambda each: frozenset((each.id,))),
        approved=lambda finding, digest: lacks,
    )
    return rate(about, grounds)


INVENTORY = SecurityInventory.model_validate(
    {
        "controls": [
            {
                "id": "C-ROLE", "area": "authorization", "name": "role", "assets": ["A-TICKETS"],
                "negative_tests": [{"item": "E3", "test": "test_refused", "run": "E5"}],
            }
        ]
    }
)  # fmt: skip


def run(result: str = "passed", **changes: Any) -> tuple[Part, ...]:
    """A retained run of the negative test: its output, then its record, which names the output as E4."""
    failed = "" if result == "passed" else '<failure message="got 200"/>'
    output = f'<testsuite><testcase classname="t" name="test_refused">{failed}</testcase></testsuite>'
    record = {
        "output": "E4", "format": "junit", "command": "pytest -q", "revision": REVISION, "isolated": True,
        "environment": "one process, no network", "exit_status": 0 if result == "passed" else 1,
        "asserts": [{"test": "t::test_refused", "operation": "GET /tickets/{id}"}],
    }  # fmt: skip
    values = {name: value for name, value in (record | changes).items() if value is not None}
    return ((EvidenceType.TEST_RECORD, output), (EvidenceType.TEST_RECORD, TestRun.model_validate(values)))
