"""The bundled reference, varied: each variant is the demo with a few edits, and how the run must end. Data only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from tests.golden.editing import Append, Delete, Edit, Replace, Set, Variant, build, sha

CONTRACT, HANDLERS, VALIDATORS = "contract/orders.yaml", "service/orders_service/handlers.py", "records/sources.yaml"
SOURCES, RUN, SCOPE = "records/sources.yaml", "records/test-run.yaml", "records/scope.yaml"
APPROVAL, PLAN, OUTPUT = "records/approval.yaml", "records/execution-plan.yaml", "results/junit.xml"
REVISION: Final = "4be1c07d92f35a86e0d4b7c91f6a2358c0de9471"
OTHER: Final = "0f" * 20
OWNER: Final = "Orders API owner"
MUTATE_ITEMS: Final = ["isolated target", "test data", "rollback or cleanup", "acceptable side effects"]
EXPAND_ITEMS: Final = [
    "contract diff",
    "operation evidence matrix",
    "contract-test results",
    "compatibility impact",
    "discrepancy disposition",
]
_DIGEST: Final = re.compile(r"sha256:([0-9a-f]{64})")


def stopped(name: str, step: int, code: str, *edits: Edit) -> Variant:
    return Variant(name=name, edits=edits, step=step, state="stop", code=code, exit_status=3)


def missing(name: str, *edits: Edit) -> Variant:
    """A required input is taken out: the run stops at step 1, without a code."""
    return stopped(f"missing-{name}", 1, "", *edits)


def approval(gate: str, role: str, stands_for: str, reviewed: list[str], **more: Any) -> Append:
    entry = {"kind": "approval", "gate": gate, "role": role, "stands_for": stands_for, "decision": "approved"}
    entry |= {"at": "2026-11-22T17:00:00+00:00", "reviewed": reviewed}
    return Append("decisions.yaml", "/decisions", entry | more)


FIXTURE: Final = {"start": ["python", "-m", "orders_service", "{port}"], "describes": "one process on loopback"}
MUTATING: Final[tuple[Edit, ...]] = (
    Set(PLAN, "/mutating", ["createOrder"]),
    Set(PLAN, "/cleanup", ["python", "-m", "orders_service.clear"]),
    Set(PLAN, "/fixture", FIXTURE),
)
OBSERVED: Final = {
    "id": "E12",
    "type": "test record",
    "integrity": REVISION,
    "establishes": "What a client of the test service recorded. Not production behaviour.",
    "content": '{"log": {"version": "1.2", "creator": {"name": "recorder", "version": "1"}, "entries": [{"request": '
    '{"method": "GET", "url": "https://shop.orders.example.com/v1/orders/ord_00000001", "headers": [], '
    '"queryString": []}, "response": {"status": 429, "headers": [], "content": {"mimeType": "application/json", '
    '"text": "{}"}}}]}}',
}
OBSERVED_RUN: Final = {
    "id": "E13",
    "type": "test record",
    "integrity": REVISION,
    "establishes": "Command and environment behind E12. Not production behaviour.",
    "content": "kind: test-run\noutput: E12\nformat: har\ncommand: python record.py\n"
    f"revision: {REVISION}\ncontract: {REVISION}\nenvironment: one process, no network\nisolated: true\n"
    "exit_status: 0\nasserts: [{test: entry 0, operation: getOrder}]\n",
}
EXPANDING: Final = (Append("review.yaml", "/evidence", OBSERVED), Append("review.yaml", "/evidence", OBSERVED_RUN))
TRAFFIC_ITEMS: Final = ["provenance", "sanitization record", "synthetic substitutions", "intended audience"]
ANSWER: Final = '{\\"code\\": \\"unauthorized\\", \\"message\\": \\"Customer 4711 of shop Miller was refused\\"}'
TRAFFIC: Final = (
    Set("review.yaml", "/roles/privacy_owner", "Privacy owner"),
    Append(
        "review.yaml",
        "/evidence",
        OBSERVED
        | {
            "content": str(OBSERVED["content"])
            .replace('"status": 429', '"status": 401')
            .replace('"text": "{}"', f'"text": "{ANSWER}"')
        },
    ),
    Append(
        "review.yaml",
        "/evidence",
        OBSERVED_RUN | {"content": str(OBSERVED_RUN["content"]) + "from_traffic: true\n"},
    ),
)
FAILED: Final = '<testcase classname="contract_tests" name="test_late"><failure message="no"/></testcase>\n'
CHECK: Final = {
    "id": "E12",
    "type": "test record",
    "integrity": REVISION,
    "establishes": "One further check. Not production behaviour.",
    "content": "kind: test-record\nchecks: [{id: smoke, what: an order can be read, result: passed}]\n",
}

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(name="demo", edits=(), step=9, state="remain", exit_status=4),
    # Step 1, required inputs
    missing("contract", Set("review.yaml", "/evidence/E1/type", "configuration excerpt")),
    missing("revision", Delete(SCOPE, "/revision")),
    missing("operations", Delete(SCOPE, "/operations")),
    missing("approval", Delete("review.yaml", "/evidence/E10")),
    missing("api-owner", Delete("review.yaml", "/roles/api_owner")),
    missing("handler", Set(SOURCES, "/sources/0/part", "shared")),
    missing("validator", Set(SOURCES, "/sources/1/part", "shared")),
    missing("resolving-path", Set(SOURCES, "/sources/0/item", "E9"), Set(SOURCES, "/sources/1/part", "handler"),
            Set(SOURCES, "/sources/2/part", "validator")),
    missing("command", Delete(RUN, "/command")),
    missing("environment", Delete(RUN, "/environment")),
    missing("isolation", Delete(RUN, "/isolated")),
    missing("isolated-environment", Set(RUN, "/isolated", False)),
    missing("exit-status", Delete(RUN, "/exit_status")),
    missing("assertions", Replace(OUTPUT, "<testcase ", "<note "), Delete(RUN, "/asserts")),
    missing("tie-to-the-contract", Delete(RUN, "/contract")),
    missing("test-run", Delete("review.yaml", "/evidence/E8")),
    missing("api-version", Delete(SCOPE, "/api_version")),
    missing("base-url", Delete(SCOPE, "/base_url")),
    missing("audience", Delete(SCOPE, "/audience")),
    missing("exclusions", Delete(SCOPE, "/exclusions")),
    missing("scope", Delete("review.yaml", "/evidence/E9")),
    # Step 1, W2-F1
    stopped("f1-handler-at-another-revision", 1, "W2-F1", Set(SOURCES, "/sources/0/revision", OTHER)),
    stopped("f1-validator-at-another-revision", 1, "W2-F1", Set(SOURCES, "/sources/1/revision", OTHER)),
    stopped("f1-tests-at-another-revision", 1, "W2-F1", Set(RUN, "/revision", OTHER)),
    stopped("f1-tests-against-another-contract", 1, "W2-F1", Set(RUN, "/contract", f"sha256:{'0f' * 32}")),
    stopped("f1-output-of-another-run", 1, "W2-F1", Set(RUN, "/output_sha256", "0f" * 32)),
    stopped("f1-approval-of-another-contract", 1, "W2-F1", Set(APPROVAL, "/sha256", "0f" * 32)),
    stopped("f1-approval-of-another-revision", 1, "W2-F1", Set(APPROVAL, "/revision", OTHER)),
    stopped("f1-scope-at-another-revision", 1, "W2-F1", Set(SCOPE, "/revision", OTHER)),
    stopped("f1-operation-does-not-resolve", 1, "W2-F1", Append(SCOPE, "/operations", "cancelOrder")),
    stopped("f1-version-differs-from-the-contract", 1, "W2-F1", Set(SCOPE, "/api_version", "2.0.0")),
    stopped("f1-base-url-differs-from-the-contract", 1, "W2-F1",
            Set(SCOPE, "/base_url", "https://api.other.example.com")),
    stopped("f1-test-inventory-at-another-revision", 1, "W2-F1",
            Set("review.yaml", "/evidence/E6/integrity", f"at commit {OTHER}")),
    stopped("f1-operation-included-and-excluded", 1, "W2-F1", Append(SCOPE, "/operations", "purgeOrder")),
    # Step 1, stops without a code
    stopped("contract-rejected", 1, "", Set(APPROVAL, "/decision", "rejected")),
    stopped("operation-not-approved", 1, "", Set(APPROVAL, "/operations", ["listOrders", "createOrder"])),
    stopped("approved-by-another-role", 1, "", Set(APPROVAL, "/role", "Orders team reviewer")),
    stopped("approved-after-the-review", 1, "", Set(APPROVAL, "/at", "2027-01-01T00:00:00Z")),
    stopped("contract-is-changing", 1, "", Set(SCOPE, "/contract_is_changing", True)),
    stopped("mutation-without-isolation", 1, "", Set(PLAN, "/mutating", ["createOrder"]),
            Set(PLAN, "/cleanup", ["clear"])),
    stopped("mutation-without-cleanup", 1, "", Set(PLAN, "/mutating", ["createOrder"]),
            Set(PLAN, "/fixture", FIXTURE)),
    # Step 2
    stopped("no-handler-for-an-operation", 2, "", Replace(HANDLERS, '@router.get("/orders/{orderId}"', "@other(")),
    # Step 4, W2-F5
    stopped("f5-path-parameter-undefined", 4, "W2-F5",
            Replace(CONTRACT, "      - name: orderId\n        in: path\n        required: true\n"
                    "        schema: {type: string, pattern: '^ord_[0-9a-z]{8}$'}\n",
                    "      - {name: trace, in: query, schema: {type: string}}\n")),
    # Step 5
    stopped("synthetic-data-impossible", 5, "",
            Replace(CONTRACT, "        status: {type: string, enum: [placed, shipped, cancelled]}",
                    "        status: {type: string, minLength: 9, enum: [placed, shipped]}")),
    # Step 6, W2-F2
    stopped("f2-execution-claimed-without-evidence", 6, "W2-F2", Append("review.yaml", "/evidence", CHECK)),
    stopped("f2-failed-run-with-passed-checks-alone", 6, "W2-F2", Set(RUN, "/exit_status", 1)),
    stopped("f2-output-contradicts-the-exit-status", 6, "W2-F2",
            Replace(OUTPUT, "</testsuite>", FAILED + "</testsuite>")),
    # Step 7
    stopped("internal-error-field", 7, "",
            Replace(CONTRACT, "        message: {type: string}\n", "        message: {type: string}\n"
                    "        stackTrace: {type: string}\n")),
    # Step 8
    stopped("expansion-pending", 8, "", *EXPANDING),
    stopped("expansion-denied", 8, "", *EXPANDING,
            approval("publish-expanded-behaviour", OWNER, "api-owner", EXPAND_ITEMS, decision="rejected")),
    Variant(name="expansion-approved", step=9, state="remain", exit_status=4,
            edits=(*EXPANDING, approval("publish-expanded-behaviour", OWNER, "api-owner", EXPAND_ITEMS)),
            gates={"publish-expanded-behaviour": "approved"}),
    stopped("traffic-pending", 8, "", *TRAFFIC),
    stopped("traffic-approved-unseen", 8, "", *TRAFFIC,
            approval("publish-observed-example", "Privacy owner", "privacy-owner", TRAFFIC_ITEMS[1:])),
    Variant(name="traffic-approved", step=9, state="remain", exit_status=4,
            edits=(*TRAFFIC, approval("publish-observed-example", "Privacy owner", "privacy-owner", TRAFFIC_ITEMS)),
            gates={"publish-observed-example": "approved"}),
    stopped("mutation-pending", 8, "", *MUTATING),
    stopped("mutation-approved-unseen", 8, "", *MUTATING,
            approval("execute-mutating-example", "Orders sandbox owner", "sandbox-owner", MUTATE_ITEMS[:2])),
    Variant(name="mutation-approved", step=9, state="remain", exit_status=4,
            edits=(*MUTATING,
                   approval("execute-mutating-example", "Orders sandbox owner", "sandbox-owner", MUTATE_ITEMS)),
            gates={"execute-mutating-example": "approved"}),
)  # fmt: skip


def build_w2(variant: Variant, demo: Path, folder: Path) -> Path:
    """The variant's bundle, with the digests that records hold of the contract and of the output renewed too."""
    before = _named(demo)
    root = build(variant, demo, folder)
    after = _named(root)
    for old, new in zip(before, after, strict=True):
        for path in sorted((root / "records").glob("*.yaml")):
            text = path.read_text()
            if old != new and old in text:
                _write(root, path, text.replace(old, new))
    return root


def _named(root: Path) -> tuple[str, ...]:
    return tuple(sha((root / name).read_bytes()) for name in (CONTRACT, OUTPUT))


def _write(root: Path, path: Path, text: str) -> None:
    before = path.read_bytes()
    path.write_text(text)
    review = root / "review.yaml"
    review.write_text(review.read_text().replace(sha(before), sha(text.encode())))
