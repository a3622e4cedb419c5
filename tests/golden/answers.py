"""Answers to the gates of the bundled review, and the clients that adopted the new version. Data only."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.golden.editing import Append, Set

SHIP_ITEMS: Final = [
    "wire-difference evidence",
    "migration instructions",
    "support window",
    "verification results",
    "rollout",
    "rollback",
]
REMOVE_ITEMS: Final = [
    "completed notice",
    "elapsed deprecation window",
    "privacy-safe zero-use evidence",
    "client-owner dispositions",
    "rollback boundary",
]
CANDIDATE: Final = "d8a4b0cf43fc3f63dc72bdfbb56dcf14e7425530"


def approval(gate: str, stands_for: str, at: str, **more: Any) -> dict[str, Any]:
    """One approval entry, everything reviewed, by the demo's role for that capacity."""
    roles = {"api-owner": "Orders API owner", "release-manager": "Release manager", "client-owner": "Storefront owner"}
    items = SHIP_ITEMS if gate == "ship-breaking-change" else REMOVE_ITEMS
    entry = {"kind": "approval", "gate": gate, "role": roles[stands_for], "stands_for": stands_for}
    return entry | {"decision": "approved", "at": at, "reviewed": items} | more


def decided(entry: dict[str, Any]) -> Append:
    return Append("decisions.yaml", "/decisions", entry)


LEDGER_OWNER = decided(
    approval(
        "ship-breaking-change",
        "client-owner",
        "2026-11-19T09:00:00+00:00",
        role="Finance integrations owner",
        client="ledger-export",
    )
)
RELEASE_MANAGER = decided(approval("ship-breaking-change", "release-manager", "2026-11-19T16:00:00+00:00"))
REMOVAL_APPROVED = decided(approval("remove-deprecated", "api-owner", "2026-11-19T17:00:00+00:00"))
SHIP_ONLY = Set("review.yaml", "/asks", ["assess", "ship"])
ADOPTED = (
    Append(
        "review.yaml",
        "/evidence",
        {
            "id": "E13",
            "type": "execution and approval record",
            "content": json.dumps(
                {
                    "kind": "adoption-record",
                    "adoptions": [
                        {
                            "client": client,
                            "path": "/v2",
                            "state": "adopted",
                            "role": owner,
                            "at": "2026-11-17T09:00:00+00:00",
                        }
                        for client, owner in (
                            ("ledger-export", "Finance integrations owner"),
                            ("storefront", "Storefront owner"),
                        )
                    ],
                }
            ),
            "integrity": CANDIDATE,
            "establishes": "That both known clients request /v2. Not what unlisted consumers request.",
        },
    ),
    *(
        Set("clients/inventory.yaml", f"/clients/{client}/{key}", value)
        for client in ("ledger-export", "storefront")
        for key, value in (("adopted_path", "/v2"), ("adoption_evidence", "E13"), ("migration_status", "tested"))
    ),
)
