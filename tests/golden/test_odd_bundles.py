"""Bundles that differ from the examples as real ones do: the artifact keeps its contract, and fits its registers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.app.workbench import outputs
from evreview.report.validate import validate_artifact
from evreview.report.validate_output_files import check_beside
from evreview.report.writer import replace_outputs
from evreview.workflows.session import Review
from tests.golden import runs, w2_runs, w3_runs
from tests.golden.editing import Append, Delete, Edit, Replace, Set

RESPONSE = {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}
ORDERS = {
    "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}
}
SIDES = ("contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml")
HANDLERS = "service/orders_service/handlers.py"
MODEL = "records/trust-model.yaml"
CONTRACT, SCOPE, RUBRIC = "contract/orders.yaml", "records/scope.yaml", "records/rubric.yaml"
POLICY = "policy/compatibility-policy.yaml"
REMEDIATIONS = "records/remediation.yaml"


def published(*operations: str) -> tuple[Edit, ...]:
    """Only these operations are published."""
    return tuple(Set(file, "/operations", [*operations]) for file in (SCOPE, "records/approval.yaml"))


def left_out(operation: str, why: str = "a later release publishes it") -> Edit:
    """One more operation that the reference leaves out."""
    return Append(SCOPE, "/exclusions", {"operation": operation, "why": why})


def scheme(value: dict[str, object]) -> Edit:
    return Set(CONTRACT, "/components/securitySchemes/bearer", value)


def named(client: str) -> tuple[Edit, ...]:
    """A known client has another id."""
    files = ("checks/contract-checks.yaml", "client"), ("clients/inventory.yaml", "id"), ("review.yaml", "client")
    return tuple(Replace(file, f"{key}: ledger-export", f"{key}: {json.dumps(client)}") for file, key in files)


CLIENTS = (
    "a|b", "|", "le|`x`<b>", "`", "\\`", "none", "unlisted consumers", "Breaking", "Known clients", "x failed", "a; b",
    "b.", "&lt;", "[a](b)", "Ledger, export", "a and 2 more", "declared: none; run: x failed", " x", "e\nf", "P" * 400,
)  # fmt: skip
OAUTH = {"clientCredentials": {"tokenUrl": "https://login.example.com/token", "scopes": {"read": "read"}}}

ODD: dict[str, tuple[Callable[[tuple[Edit, ...]], Review], tuple[Edit, ...]]] = {
    "w1: sixteen operations": (
        runs.varied,
        tuple(
            Set(side, f"/paths/~1v1~1orders~1z{at}", {"get": {"responses": ORDERS}})
            for side in SIDES
            for at in range(12)
        ),
    ),
    "w1: assessed only, and it breaks": (
        runs.varied,
        (
            Set("review.yaml", "/asks", ["assess"]),
            Delete("review.yaml", "/removals"),
            Set("decisions.yaml", "/decisions", []),
        ),
    ),
    "w1: a rollout record without signals": (runs.varied, (Delete("rollout/gateway.yaml", "/signals"),)),
    "w2: an operation that no code answers": (
        w2_runs.varied,
        (Replace(HANDLERS, '@router.get("/orders/{orderId}"', '@router.get("/parcels/{orderId}"'),),
    ),
    "w2: a response that the code never gives": (
        w2_runs.varied,
        (Set("contract/orders.yaml", "/paths/~1v1~1orders/get/responses/418", RESPONSE),),
    ),
    "w3: an authorization that leaves its form out": (w3_runs.varied, (Delete("records/authorization.yaml", "/form"),)),
    "w3: an entry point whose route no code registers": (
        w3_runs.varied,
        (Set(MODEL, "/entry_points/figures/route", "GET /internal/nowhere"),),
    ),
    **{f"w1: a client with the id {each[:30]!r}": (runs.varied, named(each)) for each in CLIENTS},
    "w1: a rule whose text blocks, and which does not": (
        runs.varied,
        (Delete(POLICY, "/rules/3/blocks"),),
    ),
    "w1: severities of other words than the rules' prose": (
        runs.varied,
        (
            Replace(POLICY, "[High, Medium]", "[P1, P2]"),
            Replace(POLICY, "severity: High", "severity: P1"),
            Replace(POLICY, "severity: Medium", "severity: P2"),
            Replace(POLICY, "  High: blocks", "  P1: blocks"),
            Replace(POLICY, "  Medium: open", "  P2: open"),
        ),
    ),
    "w1: a rule whose prose names another severity": (runs.varied, (Set(POLICY, "/rules/4/severity", "High"),)),
    "w2: two operations left out": (
        w2_runs.varied,
        (*published("listOrders", "getOrder"), left_out("createOrder", "`a` | b; `x` (y)")),
    ),
    "w2: three operations left out": (
        w2_runs.varied,
        (*published("getOrder"), left_out("createOrder"), left_out("listOrders", "later " * 90)),
    ),
    "w2: no operation left out": (w2_runs.varied, (Delete(SCOPE, "/exclusions/0"),)),
    "w2: an operation left out that the contract has not": (w2_runs.varied, (left_out("other|operation"),)),
    "w2: no security": (w2_runs.varied, (Delete(CONTRACT, "/security"),)),
    "w2: one operation without security": (
        w2_runs.varied,
        (Set(CONTRACT, "/paths/~1v1~1orders~1{orderId}/get/security", []),),
    ),
    "w2: a key in a header": (w2_runs.varied, (scheme({"type": "apiKey", "in": "header", "name": "X-Key"}),)),
    "w2: a key in a query": (w2_runs.varied, (scheme({"type": "apiKey", "in": "query", "name": "key"}),)),
    "w2: a key in a cookie": (w2_runs.varied, (scheme({"type": "apiKey", "in": "cookie", "name": "key"}),)),
    "w2: basic": (w2_runs.varied, (scheme({"type": "http", "scheme": "basic"}),)),
    "w2: OAuth": (
        w2_runs.varied,
        (scheme({"type": "oauth2", "flows": OAUTH}), Set(CONTRACT, "/security", [{"bearer": ["read"]}])),
    ),
    "w2: a component of another name": (
        w2_runs.varied,
        (Replace(CONTRACT, "Order:", "Body:"), Replace(CONTRACT, "schemas/Order'", "schemas/Body'")),
    ),
    "w3: a rule whose prose names other severities": (
        w3_runs.varied,
        (Replace(RUBRIC, "is Medium until", "is Low, not High, until"),),
    ),
    "w3: no remediation": (w3_runs.varied, (Set(REMEDIATIONS, "/remediations", []),)),
    "w3: a remediation without an owner": (w3_runs.varied, (Delete(REMEDIATIONS, "/remediations/0/owner_role"),)),
    "w3: a hostile owner": (
        w3_runs.varied,
        (Set(REMEDIATIONS, "/remediations/0/owner_role", "Own|er `x` <i>; b, c"),),
    ),
    "w3: the proxy lets everybody in": (
        w3_runs.varied,
        tuple(
            Replace(file, "deny all;", "allow all;") for file in (MODEL, "records/inventory.yaml", "deploy/proxy.conf")
        ),
    ),
    "w3: a rule whose text blocks, and which does not": (
        w3_runs.varied,
        (Delete(RUBRIC, "/rules/0/blocks_deployment"), Set(RUBRIC, "/holds_deployment", ["Critical"])),
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_the_artifact_keeps_its_contract_and_agrees_with_its_registers(name: str, tmp_path: Path) -> None:
    varied, edits = ODD[name]
    done = varied(edits)
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    replace_outputs(tmp_path / "out", dict(outputs(done, [], 1)))
    (artifact,) = (tmp_path / "out").glob("*.md")
    assert list(check_beside(artifact, artifact.read_text(encoding="utf-8"))) == []
