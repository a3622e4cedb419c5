"""Fields that a workflow asks for although a file can be read without them: in a scaffold they stand open, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Json, WorkflowId
from evreview.evidence.reading import MARK

Sample = Mapping[str, Json]


def _open(*names: str) -> dict[str, Json]:
    return dict.fromkeys(names, MARK)


def _lists(*names: str) -> dict[str, Json]:
    return {name: [MARK] for name in names}


_ACTION: Final[dict[str, Json]] = {
    **_open("id", "technique", "purpose"),
    "items": ["E2", "E3", "E4", "E5"],
    **_lists("paths"),
}
REVIEW_SAMPLES: Final[Mapping[WorkflowId, Sample]] = {
    # What step 1 asks for stands open, although an assessment without it can be read.
    WorkflowId.W1: {
        **_open("protocol", "surface", "implementation_revision"),
        "roles": _open("api_owner", "release_manager"),
        "contracts": {"released": "E1", "candidate": "E2"},
    },
    WorkflowId.W2: {"roles": _open("api_owner")},
    WorkflowId.W3: {
        **_open("surface", "implementation_revision"),
        "roles": _open("security_owner", "release_manager", "reviewer"),
        "actions": [_ACTION],
        **_lists("recipients"),
    },
}
_W2: Final[Mapping[str, Sample]] = {
    "sources.yaml": {
        "sources": [
            {"item": "E2", "path": MARK, "part": "handler"},
            {"item": "E3", "path": MARK, "part": "validator"},
        ]
    },
    "test-run.yaml": {
        "output": "E5",
        **_open("command", "revision", "contract", "environment", "isolated", "exit_status"),
    },
    "scope.yaml": {
        "contract": "E1",
        **_open("revision", "api_version", "base_url", "audience"),
        "operations": [MARK],
        "exclusions": [{}],
    },
    "approval.yaml": {"contract": "E1", "revision": MARK},
}
_W3: Final[Mapping[str, Sample]] = {
    "authorization.yaml": {
        **_open(
            "approving_role",
            "decision",
            "at",
            "form",
            "channel",
            "revision",
            "owns",
            "environment",
            "cleanup",
            "rollback",
        ),
        **_lists("paths", "techniques", "prohibited_targets", "prohibited_actions", "exclusions", "recipients"),
        **_lists("stop_conditions"),
        "period": _open("since", "until"),
        "active_testing": _open("permitted", "environment"),
    },
    "trust-model.yaml": {
        "revision": MARK,
        "actors": [_open("position")],
        "entry_points": [{"route": MARK, **_lists("actors", "boundaries", "assets")}],
        "identity_transitions": [_open("at")],
        "assets": [_open("classification")],
        "boundaries": [_open("backed_by")],
        **_lists("attacker_positions", "excluded_capabilities"),
    },
    "sources.yaml": {"sources": [{"item": "E3", "path": MARK, "part": MARK}]},
    "inventory.yaml": {
        "revision": MARK,
        "controls": [
            {
                **_open("area"),
                **_lists("routes", "assets", "boundaries"),
                **{name: [{}] for name in ("source", "middleware", "deployment", "positive_tests", "negative_tests")},
                "surrounding": [_open("item", "says")],
            }
        ],
        "not_in_scope": [_open("area")],
    },
    "deployment.yaml": {"revision": MARK, **_lists("wiring")},
    "candidates.yaml": {
        "candidates": [
            {
                **_open("area", "route", "control", "asset", "attacker", "safe_verification", "impact"),
                "shown_by": [{}],
            }
        ]
    },
    "remediation.yaml": {
        "remediations": [
            {
                **_open("owner_role", "deployment_dependency", "rollback", "exit_evidence"),
                "positive_tests": [{}],
                "negative_tests": [{}],
            }
        ]
    },
    "acceptance.yaml": {
        **_open("accountable_owner", "expires", "revalidate_on"),
        **_lists("compensating_controls", "evidence"),
    },
}
SAMPLES: Final[Mapping[WorkflowId, Mapping[str, Sample]]] = {
    WorkflowId.W1: {},
    WorkflowId.W2: _W2,
    WorkflowId.W3: _W3,
}
"""By workflow, then by file."""
