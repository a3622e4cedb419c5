"""The bundled review, varied: each variant is the demo with a few edits, and how the run must end. Data only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tests.golden.editing import Append, Delete, Edit, Replace, Set, Variant

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
            "content": "Both owners run a release that requests /v2 and reads its null, status and error forms.\n",
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
REFACTOR = {
    "id": "E13",
    "type": "implementation diff",
    "integrity": CANDIDATE,
    "establishes": "Every changed line of the service between the two revisions.",
    "content": "--- a/src/orders/store.py\n+++ b/src/orders/store.py\n@@ -1,2 +1,2 @@\n"
    "-def load(key):\n+def load_row(key):\n     return ROWS[key]\n",
}
REFACTOR_MAPPING = {
    "id": "E14",
    "type": "implementation diff",
    "integrity": CANDIDATE,
    "establishes": "Which contract element each changed branch of E13 implements, as the reviewer reads it.",
    "content": json.dumps(
        {
            "kind": "implementation-mapping",
            "diff": "E13",
            "mappings": [
                {
                    "path": "src/orders/store.py",
                    "lines": "1",
                    "quote": "def load_row(key):",
                    "element": "none",
                    "why": "a name inside the service; no caller of the API sees it",
                },
            ],
        }
    ),
}
SECOND_RUN = {
    "id": "E13",
    "type": "test record",
    "integrity": CANDIDATE,
    "establishes": "What the same check gave when it ran once more. Not which of the two runs is right.",
    "content": json.dumps(
        {
            "kind": "test-record",
            "checks": [
                {
                    "id": "ledger-export-parses-null-estimate",
                    "what": "The ledger export parser reads an order whose deliveryEstimate is null",
                    "command": "python -m pytest contract_tests/test_orders_parser.py -k null_estimate",
                    "revision": "a19937bb4069a501214a719128421066ce46041c",
                    "fixture": "ledger-export 2.3.1 with the fixtures of Orders API 1.5, "
                    "in a container without network",
                    "result": "passed",
                    "output": "1 passed",
                    "client": "ledger-export",
                    "parses": "candidate",
                    "operation": "GET /v1/orders/{orderId}",
                    "field": "deliveryEstimate",
                    "aspect": "nullability",
                    "direction": "consumer",
                }
            ],
        }
    ),
}
STOREFRONT_STAYS = {
    "id": "storefront",
    "name": "Storefront",
    "versions": ["5.2.0"],
    "version_selector": "route prefix /v1",
    "accepted_content_types": ["application/json"],
    "uses": [
        {"operation": "GET /v1/orders/{orderId}", "fields": ["id", "legacyReference"], "statuses": ["200", "404"]},
    ],
    "accepts_null": "none",
    "unknown_fields": "ignored",
    "unknown_enum_values": "rejected",
    "owner_role": "Storefront owner",
    "migration_status": "identified",
}
BLOCKED = {"ship-breaking-change": "open", "remove-deprecated": "open"}
INVENTORY, ROLLOUT, POLICY = "clients/inventory.yaml", "rollout/gateway.yaml", "policy/compatibility-policy.yaml"
OBSERVED, CHECKS = "observations/recorded-responses.yaml", "checks/contract-checks.yaml"
RELEASED_FILE, CANDIDATE_FILE = "contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml"


def stopped(name: str, step: int, code: str, *edits: Edit) -> Variant:
    return Variant(name=name, edits=edits, step=step, state="stop", code=code, exit_status=3)


def remains(name: str, step: int, *edits: Edit, code: str = "", gates: Mapping[str, str] | None = None) -> Variant:
    return Variant(name=name, edits=edits, step=step, state="remain", code=code, exit_status=4, gates=gates)


def noticed(day: str) -> tuple[Edit, Edit]:
    """Notice given on another day, in the request and in its evidence."""
    return (
        Set("review.yaml", "/removals/0/notice_given", day),
        Replace("records/deprecation-notice.md", "Deprecation notice, 2026-10-12", f"Deprecation notice, {day}"),
    )


VARIANTS: Final[tuple[Variant, ...]] = (
    remains("demo", 9, gates=BLOCKED),
    # Step 1, W1-F1
    stopped("f1-no-contracts-named", 1, "W1-F1", Delete("review.yaml", "/contracts")),
    stopped("f1-released-contract-is-no-contract", 1, "W1-F1", Replace(RELEASED_FILE, "openapi: 3.0.3", "title: lost")),
    stopped("f1-candidate-contract-truncated", 1, "W1-F1", Replace(CANDIDATE_FILE, "paths:\n", "paths: {\n")),
    remains("step-1-no-api-owner-named", 1, Delete("review.yaml", "/roles/api_owner")),
    remains("step-1-no-release-manager-named", 1, Delete("review.yaml", "/roles/release_manager")),
    remains("step-1-protocol-unknown", 1, Delete("review.yaml", "/protocol")),
    # Step 2
    remains(
        "step-2-a-part-is-not-understood",
        2,
        Set(CANDIDATE_FILE, "/components/schemas/Order/properties/note", {"$ref": "#/components/schemas/Gone"}),
    ),
    # Step 3, W1-F2
    stopped(
        "f2-observation-contradicts-candidate",
        3,
        "W1-F2",
        Set(OBSERVED, "/observations/candidate-order-without-estimate/body/status", "on_hold"),
    ),
    stopped(
        "f2-observed-error-keeps-the-released-content-type",
        3,
        "W1-F2",
        Set(OBSERVED, "/observations/candidate-order-not-found/content_type", "application/json"),
        Set(
            OBSERVED,
            "/observations/candidate-order-not-found/body",
            {"code": "order_not_found", "message": "There is no such order."},
        ),
    ),
    stopped(
        "f2-handler-default-contradicts-candidate",
        3,
        "W1-F2",
        Set(RELEASED_FILE, "/components/parameters/Limit/schema/default", 50),
        Set(CANDIDATE_FILE, "/components/parameters/Limit/schema/default", 50),
    ),
    remains("step-3-a-changed-branch-is-unmapped", 3, Delete("implementation/mapping.yaml", "/mappings/2")),
    remains(
        "step-3-a-quote-is-not-there", 3, Set("implementation/mapping.yaml", "/mappings/2/quote", "PAGE_SIZE = 30")
    ),
    remains("step-3-runtime-asked-nothing-observed", 3, Delete("review.yaml", "/evidence/E8")),
    Variant(
        name="no-observable-contract-effect",
        edits=(
            Replace("review.yaml", "candidate: E2", "candidate: E1"),
            Set("review.yaml", "/asks", ["assess"]),
            Set("review.yaml", "/runtime_conclusion", False),
            Delete("review.yaml", "/removals"),
            Delete("review.yaml", "/evidence/E3"),
            Delete("review.yaml", "/evidence/E4"),
            Delete("review.yaml", "/evidence/E8"),
            Append("review.yaml", "/evidence", REFACTOR),
            Append("review.yaml", "/evidence", REFACTOR_MAPPING),
            Set("decisions.yaml", "/decisions", []),
        ),
        step=3,
        state="stop",
        exit_status=3,
    ),
    remains(
        "step-3-no-difference-and-no-implementation-evidence",
        3,
        Replace("review.yaml", "candidate: E2", "candidate: E1"),
        Set("review.yaml", "/asks", ["assess"]),
        Set("review.yaml", "/runtime_conclusion", False),
        Delete("review.yaml", "/removals"),
        Delete("review.yaml", "/evidence/E3"),
        Delete("review.yaml", "/evidence/E4"),
        Delete("review.yaml", "/evidence/E8"),
        Set("decisions.yaml", "/decisions", []),
    ),
    stopped(
        "f2-a-producer-check-failed",
        3,
        "W1-F2",
        Set(CHECKS, "/checks/producer-emits-candidate-responses/result", "failed"),
    ),
    # Step 4
    remains("step-4-no-policy", 4, Delete("review.yaml", "/evidence/E5")),
    remains(
        "step-4-policy-is-only-text", 4, Replace(POLICY, "kind: policy\n", "A policy in words only.\n\nkind is free\n")
    ),
    # Step 5, W1-F3
    remains("f3-owner-unknown", 9, Delete(INVENTORY, "/clients/ledger-export/owner_role"), code="W1-F3", gates=BLOCKED),
    remains("f3-usage-unknown", 9, Delete(INVENTORY, "/clients/storefront/uses"), code="W1-F3", gates=BLOCKED),
    remains(
        "f3-no-inventory",
        9,
        Set("decisions.yaml", "/decisions/2/evidence", ["E2", "E7"]),
        Delete("review.yaml", "/evidence/E6"),
        code="W1-F3",
    ),
    # Step 6
    remains(
        "step-6-one-check-two-results",
        6,
        Append("review.yaml", "/evidence", SECOND_RUN),
    ),
    remains(
        "a-check-without-a-fixture-is-only-proposed",
        9,
        Delete(CHECKS, "/checks/producer-emits-candidate-responses/fixture"),
        gates=BLOCKED,
    ),
    # Step 7, W1-F4
    stopped(
        "f4-cohort-does-not-exist",
        7,
        "W1-F4",
        Append("review.yaml", "/plan/mechanisms", {"kind": "cohort", "name": "early clients"}),
    ),
    stopped(
        "f4-per-client-routing-on-a-version-gateway",
        7,
        "W1-F4",
        Append("review.yaml", "/plan/mechanisms", {"kind": "client-identity", "name": "gateway"}),
    ),
    stopped(
        "f4-percentage-step-without-a-selector",
        7,
        "W1-F4",
        Append("review.yaml", "/plan/traffic_steps", "5 % of requests go to /v2"),
    ),
    stopped(
        "f4-no-rollout-record",
        7,
        "W1-F4",
        Set("decisions.yaml", "/decisions/1/evidence", ["E1", "E2"]),
        Delete("review.yaml", "/evidence/E9"),
    ),
    stopped("f4-one-route-separates-nothing", 7, "W1-F4", Set(ROLLOUT, "/separations/0/separates", ["/v1"])),
    stopped("f4-no-rollback", 7, "W1-F4", Delete(ROLLOUT, "/rollback")),
    stopped("f4-rollback-not-evidenced", 7, "W1-F4", Delete(ROLLOUT, "/rollback/evidence")),
    stopped("f4-another-rollback-boundary", 7, "W1-F4", Set("review.yaml", "/plan/rollback", "the nightly snapshot")),
    # Step 8
    remains("step-8-no-signal", 8, Set(ROLLOUT, "/signals", [])),
    remains("step-8-no-baseline", 8, Delete(ROLLOUT, "/signals/0/baseline")),
    remains("step-8-signal-not-approved", 8, Set(ROLLOUT, "/signals/0/approved", False)),
    remains("step-8-no-abort-threshold", 8, Delete(POLICY, "/monitoring")),
    remains("step-8-signal-retains-bodies", 8, Append(ROLLOUT, "/signals/0/retains", "response body")),
    remains("step-8-signal-retains-personal-data", 8, Append(ROLLOUT, "/signals/0/retains", "customer e-mail address")),
    remains("step-8-signal-retains-internal-errors", 8, Append(ROLLOUT, "/signals/0/retains", "stack trace")),
    # Step 9, the gate before shipping
    remains("ship-a-client-owner-is-missing", 9, SHIP_ONLY, RELEASE_MANAGER, gates={"ship-breaking-change": "open"}),
    remains("ship-the-release-manager-is-missing", 9, SHIP_ONLY, LEDGER_OWNER, gates={"ship-breaking-change": "open"}),
    remains(
        "ship-the-api-owner-is-missing",
        9,
        SHIP_ONLY,
        Delete("decisions.yaml", "/decisions/1"),
        LEDGER_OWNER,
        RELEASE_MANAGER,
        gates={"ship-breaking-change": "open"},
    ),
    remains(
        "ship-the-release-manager-answers-before-an-owner",
        9,
        SHIP_ONLY,
        LEDGER_OWNER,
        decided(approval("ship-breaking-change", "release-manager", "2026-11-19T08:59:59+00:00")),
        gates={"ship-breaking-change": "open"},
    ),
    *(
        remains(
            f"ship-not-reviewed-{item.replace(' ', '-')}",
            9,
            SHIP_ONLY,
            LEDGER_OWNER,
            decided(
                approval(
                    "ship-breaking-change",
                    "release-manager",
                    "2026-11-19T16:00:00+00:00",
                    reviewed=[one for one in SHIP_ITEMS if one != item],
                )
            ),
            gates={"ship-breaking-change": "open"},
        )
        for item in SHIP_ITEMS
    ),
    remains(
        "ship-an-owner-rejects",
        9,
        SHIP_ONLY,
        LEDGER_OWNER,
        RELEASE_MANAGER,
        decided(approval("ship-breaking-change", "api-owner", "2026-11-19T18:00:00+00:00", decision="rejected")),
        gates={"ship-breaking-change": "rejected"},
    ),
    Variant(
        name="ship-approved",
        edits=(SHIP_ONLY, LEDGER_OWNER, RELEASE_MANAGER),
        step=9,
        state="advance",
        exit_status=0,
        gates={"ship-breaking-change": "approved", "remove-deprecated": "not needed"},
    ),
    # Step 9, the gate before removing
    *(
        remains(
            f"remove-not-reviewed-{item.replace(' ', '-')}",
            9,
            *ADOPTED,
            LEDGER_OWNER,
            RELEASE_MANAGER,
            decided(
                approval(
                    "remove-deprecated",
                    "api-owner",
                    "2026-11-19T17:00:00+00:00",
                    reviewed=[one for one in REMOVE_ITEMS if one != item],
                )
            ),
            gates={"ship-breaking-change": "approved", "remove-deprecated": "open"},
        )
        for item in REMOVE_ITEMS
    ),
    *(
        remains(
            name,
            9,
            *ADOPTED,
            LEDGER_OWNER,
            RELEASE_MANAGER,
            REMOVAL_APPROVED,
            *edits,
            gates={"ship-breaking-change": "approved", "remove-deprecated": "open"},
        )
        for name, *edits in (
            ("remove-29-days-of-notice", *noticed("2026-10-22")),
            ("remove-no-notice-evidence", Delete("review.yaml", "/removals/0/notice_evidence")),
            ("remove-no-notice-date", Delete("review.yaml", "/removals/0/notice_given")),
            (
                "remove-known-consumers-counted-only",
                Replace("usage/legacy-reference.yaml", "consumers: all", "consumers: known"),
            ),
            ("remove-used-once", Replace("usage/legacy-reference.yaml", "uses: 0", "uses: 1")),
            ("remove-no-usage-evidence", Delete("review.yaml", "/evidence/E10")),
            ("remove-usage-without-privacy-controls", Delete("usage/legacy-reference.yaml", "/privacy_controls")),
            ("remove-nothing-named", Delete("review.yaml", "/removals")),
            (
                "remove-a-client-has-not-moved",
                Set(
                    INVENTORY,
                    "/clients/storefront",
                    STOREFRONT_STAYS,
                ),
            ),
        )
    ),
    Variant(
        name="remove-30-days-of-notice",
        edits=(
            *ADOPTED,
            LEDGER_OWNER,
            RELEASE_MANAGER,
            REMOVAL_APPROVED,
            *noticed("2026-10-21"),
        ),
        step=9,
        state="advance",
        exit_status=0,
        gates={"ship-breaking-change": "approved", "remove-deprecated": "approved"},
    ),
    # Other ends
    Variant(
        name="everything-approved",
        edits=(*ADOPTED, LEDGER_OWNER, RELEASE_MANAGER, REMOVAL_APPROVED),
        step=9,
        state="advance",
        exit_status=0,
        gates={"ship-breaking-change": "approved", "remove-deprecated": "approved"},
    ),
)
