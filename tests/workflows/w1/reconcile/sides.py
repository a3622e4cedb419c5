"""Two contracts of one API, responses that were seen, and a mapping of a diff between them."""

from __future__ import annotations

from typing import Any

from evreview.core.vocabulary import Aspect, DeltaId, Direction, EvidenceId
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import ImplementationMapping, Observation, Observations
from evreview.workflows.w1.facts import ContractPair
from evreview.workflows.w1.reconcile.sources import reconcile
from tests.rows import ORDER, Spec, bundle, contract, item, row

AT = Citation(EvidenceId("E8"))
REVISION = "d" * 40


def order(nullable: bool, error: str, default: int) -> Any:
    day: dict[str, Any] = {"type": ["string", "null"] if nullable else "string"}
    body = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "deliveryEstimate": day}}
    responses = {
        "200": {"application/json": {"$ref": "#/components/schemas/Order"}},
        "404": {error: {"type": "object"}},
        "5XX": {"application/json": {"type": "object"}},
    }
    return contract(
        Spec(ORDER, responses, {"query:limit": {"type": "integer", "default": default}}),
        Spec("GET /v1/orders/latest", {"default": {"application/json": {"type": "object"}}}),
        components={"Order": body},
    )


SIDES = ContractPair(order(False, "application/json", 50), order(True, "application/problem+json", 20))


def seen(**given: Any) -> Observation:
    base = {"id": "o", "operation": "GET /v1/orders/{orderId}", "status": 200, "content_type": "application/json"}
    return Observation.model_validate(base | {"body": {"id": "o1", "deliveryEstimate": "2026-11-24"}} | given)


RELEASED_AT = "5980ea2e5c2085289e246196e9ac395de8d8eb03"

DIFF = """--- a/src/a.py
+++ b/src/a.py
@@ -1,4 +1,4 @@
-LIMIT = 50
+LIMIT = 20
 def handler():
     pass
-OLD = 1
+TYPE = "application/problem+json"
@@ -20,2 +20,3 @@
 x
+estimate = None
 y
"""
ROWS = [
    row(facts={"required": True}),
    row(f"{ORDER} > query:limit", id=DeltaId("D-2"), aspect=Aspect.DEFAULTS, direction=Direction.READ),
]
LIMIT = {
    "path": "src/a.py",
    "lines": "1",
    "quote": "LIMIT = 20",
    "element": f"{ORDER} > query:limit",
    "facet": "default",
    "runtime": 20,
}
TYPE = {
    "path": "src/a.py",
    "lines": "4-4",
    "quote": "application/problem+json",
    "element": f"{ORDER} > response 404 > application/problem+json",
    "facet": "content-type",
    "runtime": "application/problem+json",
}
NULL = {
    "path": "src/a.py",
    "lines": "21",
    "quote": "estimate =  None",
    "element": "deliveryEstimate",
    "facet": "nullable",
    "runtime": True,
}


def run(*mappings: dict[str, Any], diff: str = DIFF, observations: Any = (), extra: Any = ()) -> Any:
    record = ImplementationMapping.model_validate({"diff": "E3", "mappings": mappings})
    items = [
        item("E3", "implementation diff", diff),
        item("E4", "implementation diff", record=record),
        item("E8", "execution and approval record", record=Observations(observations=tuple(observations))),
        *extra,
    ]
    return reconcile(bundle(*items, revision=REVISION), ROWS, SIDES)
