"""The output contracts are the specification's: identifiers, files, audiences, headings and literal headers."""

from __future__ import annotations

import pytest

from evreview.core.errors import BadInput
from evreview.report.output_contract import OutputContract, parse_contract
from evreview.report.template_environment import output_contracts

EXPECTED = {
    "W1": (
        "API contract review",
        "api-contract-review.md",
        "API owners, client owners, reviewers",
        "Scope; Compatibility matrix; Findings; Recommendation; Verification plan; Executed; Proposed; Limitations; "
        "Decision record; Monitoring and rollback; Client-impact register; Traceability",
    ),
    "W2": (
        "API documentation",
        "api-reference.md",
        "API integrators and API owners",
        "Operation; Authentication; Request example; Success response; Error response; "
        "Behavior, limits, and side effects; Example execution report; Contract discrepancy register; Approval state; "
        "Follow-up; Assumptions and limitations; Traceability",
    ),
    "W3": (
        "security review",
        "security-review.md",
        "Authorized security reviewers and system owners",
        "Scope and threat summary; Findings; Remediation order; Verification plan; Executed; "
        "Residual risk and disposition; Assumptions and limitations; Approval and disclosure; Traceability",
    ),
}
LITERALS = {
    "W1": {
        "LT-001": "| Difference | Released form | Candidate form | Producer direction | Consumer direction | Evidence |",  # noqa: E501
        "LT-002": "| Severity | Confidence | Finding | Evidence | Impact | Recommendation | Verification | Disposition |",  # noqa: E501
        "LT-003": "| Client | Retained parser contract | Impact | Owner and migration status | Evidence |",
        "LT-004": "| Material conclusion | Evidence |",
    },
    "W2": {
        "LT-005": "| Property | Value | Evidence |",
        "LT-006": "| Field | Type | Required | Allowed values | Evidence |",
        "LT-007": "| Status | Media type | Code | Body | Evidence |",
        "LT-008": "| Check | Status | Environment | Result | Evidence |",
        "LT-009": "| Action | Owner role | Dependency | Exit criterion | Status |",
        "LT-010": "| Claim group | Evidence | Disposition |",
    },
    "W3": {
        "LT-011": "| Severity | Confidence | Finding | Evidence | Impact | Recommendation | Verification | Disposition |",  # noqa: E501
        "LT-012": "### Proposed",
        "LT-013": "| Material conclusion | Evidence |",
    },
}
BY_WORKFLOW = {contract.workflow: contract for contract in output_contracts()}


@pytest.mark.req("VR-001", "VR-002", "VR-003", "AR-001", "AR-005", "AR-009")
@pytest.mark.parametrize("workflow", EXPECTED)
def test_identity_file_and_version(workflow: str) -> None:
    found = BY_WORKFLOW[workflow]
    identifier, file, audience, _ = EXPECTED[workflow]
    assert (found.identifier, found.file, found.audience) == (identifier, file, audience)
    assert (found.version, found.base, found.least_citations) == ("1.0.0", "{contracts_base}", 2)
    assert found.identity_line == f"Output contract: {identifier}, version 1.0.0, {{contracts_base}}"


@pytest.mark.parametrize("workflow", EXPECTED)
def test_headings_are_the_listed_ones_in_order(workflow: str) -> None:
    headings = BY_WORKFLOW[workflow].headings
    assert [heading.name for heading in headings if heading.level == 2] == EXPECTED[workflow][3].split("; ")
    deeper = [heading.line for heading in headings if heading.level != 2]
    assert deeper == (["### Proposed"] if workflow == "W3" else [])


def test_the_third_level_heading_stands_inside_the_verification_plan() -> None:
    names = [heading.name for heading in BY_WORKFLOW["W3"].headings]
    assert names[names.index("Proposed") - 1 : names.index("Proposed") + 2] == [
        "Verification plan",
        "Proposed",
        "Executed",
    ]


@pytest.mark.parametrize("workflow", LITERALS)
def test_literals_are_the_listed_ones(workflow: str) -> None:
    assert sorted(BY_WORKFLOW[workflow].literals) == sorted(LITERALS[workflow].values())


def test_all_eight_labels_are_known(contract: OutputContract) -> None:
    assert len(set(contract.statements.labels)) == 8
    assert set(contract.statements.cite) < set(contract.statements.labels)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("headings = [", "contract-not-toml"),
        ('identifier = "x"', "contract-malformed"),
    ],
)
def test_a_broken_contract_is_a_problem(text: str, code: str) -> None:
    with pytest.raises(BadInput) as fault:
        parse_contract(text, "x.contract.toml")
    assert {problem.code for problem in fault.value.problems} == {code}
