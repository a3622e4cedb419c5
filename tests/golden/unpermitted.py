"""The bundled review with every answer recorded and one thing lacking that no answer makes up for. Data only."""

from __future__ import annotations

from typing import Any, Final

from tests.golden.answers import ADOPTED, LEDGER_OWNER, RELEASE_MANAGER, REMOVAL_APPROVED
from tests.golden.editing import Delete, Edit, Set, Variant

_SHIPPED: Final = (LEDGER_OWNER, RELEASE_MANAGER)
_ALL: Final = (*ADOPTED, *_SHIPPED, REMOVAL_APPROVED)
_DECLARED: Final = ("accepted_content_types", "accepts_null", "unknown_fields", "unknown_enum_values")
_SHIP_ONLY: Final = Set("review.yaml", "/asks", ["assess", "ship"])


def _stays(name: str, *edits: Edit, code: str = "", **gates: str) -> Variant:
    found: dict[str, Any] = {gate.replace("_", "-"): state for gate, state in gates.items()}
    return Variant(name=name, edits=edits, step=9, state="remain", exit_status=4, code=code, gates=found)


UNPERMITTED: Final[tuple[Variant, ...]] = (
    _stays(
        "approved-for-an-inventory-without-clients",
        Set("clients/inventory.yaml", "/clients", []),
        *_SHIPPED,
        REMOVAL_APPROVED,
        code="W1-F3",
        remove_deprecated="open",
    ),
    _stays(
        "approved-though-a-check-names-an-unlisted-client",
        Delete("clients/inventory.yaml", "/clients/ledger-export"),
        *_SHIPPED,
        REMOVAL_APPROVED,
        code="W1-F3",
        remove_deprecated="open",
    ),
    _stays(
        "approved-for-contracts-that-nobody-calls-complete",
        Set("review.yaml", "/surface_complete", False),
        *_ALL,
        ship_breaking_change="approved",
        remove_deprecated="approved",
    ),
    _stays(
        "approved-without-migration-instructions",
        Set("review.yaml", "/plan/migrations", []),
        _SHIP_ONLY,
        *_SHIPPED,
        ship_breaking_change="open",
    ),
    _stays(
        "approved-without-the-owner-of-a-client-that-declares-nothing",
        *(Set("clients/inventory.yaml", f"/clients/storefront/{key}", None) for key in _DECLARED),
        Delete("decisions.yaml", "/decisions/2"),
        _SHIP_ONLY,
        *_SHIPPED,
        ship_breaking_change="open",
    ),
    _stays(
        "approved-with-a-support-window-below-the-policys",
        Set("review.yaml", "/plan/support_window", "/v1 stays available for 5 days"),
        *_ALL,
        ship_breaking_change="approved",
        remove_deprecated="approved",
    ),
    _stays(
        "approved-for-another-comparison",
        *_ALL,
        Set("decisions.yaml", "/decisions/1/of", f"sha256:{'0' * 64}"),
        ship_breaking_change="open",
    ),
    _stays(
        "approved-without-a-plan",
        Delete("review.yaml", "/plan"),
        _SHIP_ONLY,
        *_SHIPPED,
        ship_breaking_change="open",
    ),
)
