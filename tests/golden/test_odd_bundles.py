"""Bundles that differ from the examples as real ones do: the artifact keeps its contract, and fits its registers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.app.workbench import outputs
from evreview.report.validate import validate_artifact
from evreview.report.validate_output_files import check_beside
from evreview.report.writer import replace_outputs
from evreview.workflows.session import Review
from tests.golden import runs, w2_runs, w3_runs
from tests.golden.editing import Delete, Edit, Replace, Set

RESPONSE = {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}
ORDERS = {
    "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}
}
SIDES = ("contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml")
HANDLERS = "service/orders_service/handlers.py"
MODEL = "records/trust-model.yaml"

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
}


@pytest.mark.parametrize("name", ODD)
def test_the_artifact_keeps_its_contract_and_agrees_with_its_registers(name: str, tmp_path: Path) -> None:
    varied, edits = ODD[name]
    done = varied(edits)
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    replace_outputs(tmp_path / "out", dict(outputs(done, [], 1)))
    (artifact,) = (tmp_path / "out").glob("*.md")
    assert list(check_beside(artifact, artifact.read_text(encoding="utf-8"))) == []
