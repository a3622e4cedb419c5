"""The bundled review, varied: each variant is the demo with a few edits, and how the run must end. Data only."""

from __future__ import annotations

import json
from typing import Final

from tests.golden.answers import CANDIDATE
from tests.golden.editing import Append, Delete, Replace, Set, Variant, remains, stopped
from tests.golden.gate_variants import GATES

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
BLOCKED = {"ship-breaking-change": "open", "remove-deprecated": "open"}
INVENTORY, ROLLOUT, POLICY = "clients/inventory.yaml", "rollout/gateway.yaml", "policy/compatibility-policy.yaml"
OBSERVED, CHECKS = "observations/recorded-responses.yaml", "checks/contract-checks.yaml"
RELEASED_FILE, CANDIDATE_FILE = "contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml"

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
    remains("step-6-an-output-denies-its-result", 6, Set(CHECKS, "/checks/2/output", "58 passed, 3 failed")),
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
    *GATES,
)
