"""A small trust model with everything in it, and what it is validated against."""

from __future__ import annotations

from typing import Any

from evreview.codefacts.model import Guard, Route, Spot
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.security import DeploymentRecord, TrustModel
from evreview.workflows.w3.model import TrustMap
from evreview.workflows.w3.trust.trust_map import trust_map
from tests.workflows.w3.bundles import CONFIGURATION, DEPLOYED, REVISION, bundle_of, cited, item

SPOT = Spot(EvidenceId("E3"), 3, 7, "app.py")
ROUTES = (
    Route(
        method="GET", path="/orders/{id}", handler="read", framework="fastapi", spot=SPOT,
        guards=(Guard(name="principal", kind="authentication", spot=SPOT),),
    ),
)  # fmt: skip
MODEL: dict[str, Any] = {
    "revision": REVISION,
    "actors": [{"id": "caller", "name": "anyone", "position": "any network"}, {"id": "operator", "name": "operator"}],
    "entry_points": [
        {
            "id": "read", "route": "GET /orders/{order_id}", "actors": ["caller", "operator"],
            "boundaries": ["edge", "token"], "assets": ["orders"],
        },
    ],
    "identity_transitions": [],
    "assets": [{"id": "orders", "name": "orders", "classification": "confidential"}],
    "boundaries": [
        {"id": "edge", "name": "the proxy", "outside": "net", "inside": "service", "backed_by": "configuration",
         "shown_by": {"item": "E4", "lines": "1", "quote": "listen 443;"}},
        {"id": "token", "name": "the check", "outside": "service", "inside": "data", "backed_by": "route",
         "route": "GET /orders/{id}"},
    ],
    "attacker_positions": ["caller"],
    "excluded_capabilities": ["access to the machine"],
}  # fmt: skip
PROXY = item(4, CONFIGURATION, "listen 443;\ndeny all;\n")
RUNS = item(5, DEPLOYED, DeploymentRecord(id="live", environment="live", revision=REVISION))


def mapped(
    model: dict[str, Any] | None = None, *items: EvidenceItem, routes: tuple[Route, ...] = ROUTES, **request: Any
) -> TrustMap:
    """The map of `MODEL` with some members replaced; a member that is None is left out."""
    stated = {key: value for key, value in (MODEL | (model or {})).items() if value is not None}
    return trust_map(cited(TrustModel.model_validate(stated)), routes, bundle(*items, **request))


def bundle(*items: EvidenceItem, **request: Any) -> Bundle:
    """The model's item, the proxy's configuration, and more."""
    return bundle_of(item(2, CONFIGURATION, "model"), PROXY, *items, **request)


def kinds(found: TrustMap) -> list[tuple[str, bool]]:
    """The gaps by kind, and whether each decides."""
    return [(gap.kind, gap.decides) for gap in found.gaps]
