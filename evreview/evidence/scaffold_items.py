"""The evidence items and files that a new bundle of each workflow starts with, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evreview.core.vocabulary import EvidenceType, Json, WorkflowId
from evreview.evidence.reading import MARK


def _item(number: int, kind: EvidenceType, establishes: str, file: str) -> dict[str, Json]:
    item: dict[str, Json] = {"id": f"E{number}", "type": str(kind), "integrity": MARK, "establishes": establishes}
    return item | {"file": file}


_RELEASED: Final = _item(
    1,
    EvidenceType.CONTRACT,
    "The released wire contract. Does not establish runtime behaviour.",
    "contracts/released.yaml",
)
_CANDIDATE: Final = _item(
    2,
    EvidenceType.CONTRACT,
    "The proposed wire contract. Does not establish runtime behaviour.",
    "contracts/candidate.yaml",
)
_DIFF: Final = _item(
    3,
    EvidenceType.IMPLEMENTATION_DIFF,
    "What changed in the code. Does not establish that it was executed.",
    "implementation.diff",
)
_TEST: Final = "The checks that name command, revision, fixture and result. Nothing about checks without a result."

NEEDED: Final[Mapping[WorkflowId, Sequence[dict[str, Json]]]] = {
    WorkflowId.W1: (
        _RELEASED,
        _CANDIDATE,
        _DIFF,
        _item(
            4,
            EvidenceType.IMPLEMENTATION_DIFF,
            "Which contract element each branch of E3 implements, as the reviewer reads it.",
            "mapping.yaml",
        ),
        _item(5, EvidenceType.POLICY, "The rules in force. Not any fact about this change.", "policy.yaml"),
    ),
    WorkflowId.W2: (
        _item(
            1,
            EvidenceType.CONTRACT,
            "The approved wire contract. Does not establish runtime behaviour.",
            "contract.yaml",
        ),
        _item(2, EvidenceType.SOURCE_EXCERPT, "The handlers as inspected. Not that they ran.", "handlers.py"),
        _item(3, EvidenceType.SOURCE_EXCERPT, "The validators as inspected. Not that they ran.", "validators.py"),
        _item(4, EvidenceType.SOURCE_EXCERPT, "Which files were inspected, and at which revision.", "sources.yaml"),
        _item(5, EvidenceType.TEST_RECORD, "The output of the contract tests as retained.", "test-output.xml"),
        _item(6, EvidenceType.TEST_RECORD, "Command, environment and exit status behind E5.", "test-run.yaml"),
        _item(7, EvidenceType.EXECUTION_AND_APPROVAL, "What is published, and for whom.", "scope.yaml"),
        _item(8, EvidenceType.EXECUTION_AND_APPROVAL, "The API owner's word on E1.", "approval.yaml"),
    ),
    WorkflowId.W3: (
        _item(1, EvidenceType.AUTHORIZATION_RECORD, "What may be reviewed, how, and when.", "authorization.yaml"),
        _item(2, EvidenceType.DATA_FLOW, "The trust model as described. Not that it is deployed.", "trust-model.yaml"),
        _item(3, EvidenceType.SOURCE_EXCERPT, "The code in scope. Not that it was executed.", "source.py"),
        _item(4, EvidenceType.SOURCE_EXCERPT, "Which files were inspected, and at which revision.", "sources.yaml"),
        _item(5, EvidenceType.TEST_INVENTORY, "The controls under review and their tests.", "inventory.yaml"),
    ),
}
OPTIONAL: Final[Mapping[WorkflowId, Sequence[dict[str, Json]]]] = {
    WorkflowId.W1: (
        _item(6, EvidenceType.CLIENT_INVENTORY, "What known clients declare. Not executed behaviour.", "clients.yaml"),
        _item(7, EvidenceType.TEST_RECORD, _TEST, "checks.yaml"),
        _item(
            8, EvidenceType.EXECUTION_AND_APPROVAL, "Recorded responses. Not production traffic.", "observations.yaml"
        ),
        _item(
            9, EvidenceType.ROLLOUT_RECORD, "Which rollout mechanisms exist. Not that they were used.", "rollout.yaml"
        ),
        _item(
            10,
            EvidenceType.EXECUTION_AND_APPROVAL,
            "Privacy-safe use in the periods named. Not later use.",
            "usage.yaml",
        ),
        _item(11, EvidenceType.EXECUTION_AND_APPROVAL, "That notice of a removal was given.", "notice.yaml"),
        _item(12, EvidenceType.EXECUTION_AND_APPROVAL, "Which clients adopted which path.", "adoption.yaml"),
        _item(13, EvidenceType.EXECUTION_AND_APPROVAL, "That the rollback was exercised.", "drill.yaml"),
    ),
    WorkflowId.W2: (
        _item(
            9,
            EvidenceType.EXECUTION_AND_APPROVAL,
            "What may be executed in an isolated fixture. Not that it was.",
            "execution-plan.yaml",
        ),
        _item(10, EvidenceType.TEST_INVENTORY, "Facts about code, declared by the reviewer.", "code-facts.yaml"),
        _item(11, EvidenceType.TEST_RECORD, "Further checks with their results.", "checks.yaml"),
        _item(
            12, EvidenceType.CLIENT_INVENTORY, "What a client was written for. Not that it was sent.", "examples.yaml"
        ),
        _item(13, EvidenceType.TEST_RECORD, "The routes that the application told.", "route-table.yaml"),
    ),
    WorkflowId.W3: (
        _item(6, EvidenceType.POLICY, "The severity rubric in force. Not any fact about the code.", "rubric.yaml"),
        _item(7, EvidenceType.TEST_RECORD, _TEST, "checks.yaml"),
        _item(8, EvidenceType.ROLLOUT_RECORD, "What runs, and from which revision.", "deployment.yaml"),
        _item(9, EvidenceType.TEST_INVENTORY, "What the reviewer suspects. No proof of it.", "candidates.yaml"),
        _item(10, EvidenceType.EXECUTION_AND_APPROVAL, "The proposed remediations.", "remediation.yaml"),
        _item(11, EvidenceType.EXECUTION_AND_APPROVAL, "A risk that is borne for a time.", "acceptance.yaml"),
        _item(
            12,
            EvidenceType.EXECUTION_AND_APPROVAL,
            "What may be executed in isolation. Not that it was.",
            "execution-plan.yaml",
        ),
    ),
}
FILES: Final[Mapping[WorkflowId, Mapping[str, str]]] = {
    WorkflowId.W1: {
        "mapping.yaml": "implementation-mapping",
        "policy.yaml": "policy",
        "clients.yaml": "client-inventory",
        "checks.yaml": "test-record",
        "observations.yaml": "observations",
        "rollout.yaml": "rollout-record",
        "usage.yaml": "usage-metrics",
        "notice.yaml": "deprecation-notice",
        "adoption.yaml": "adoption-record",
        "drill.yaml": "rollback-drill",
    },
    WorkflowId.W2: {
        "sources.yaml": "source-map",
        "test-run.yaml": "test-run",
        "scope.yaml": "publication-scope",
        "approval.yaml": "contract-approval",
        "execution-plan.yaml": "execution-plan",
        "code-facts.yaml": "code-facts",
        "checks.yaml": "test-record",
        "examples.yaml": "client-examples",
        "route-table.yaml": "route-table",
    },
    WorkflowId.W3: {
        "authorization.yaml": "authorization",
        "trust-model.yaml": "trust-model",
        "sources.yaml": "source-map",
        "inventory.yaml": "security-inventory",
        "rubric.yaml": "severity-rubric",
        "checks.yaml": "test-record",
        "deployment.yaml": "deployment-record",
        "candidates.yaml": "security-candidates",
        "remediation.yaml": "remediation-plan",
        "acceptance.yaml": "risk-acceptance",
        "execution-plan.yaml": "execution-plan",
    },
}
