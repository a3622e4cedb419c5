"""The bundled review at its two gates, before shipping and before removing, in each state. Data only."""

from __future__ import annotations

from typing import Final

from tests.golden.answers import (
    ADOPTED,
    LEDGER_OWNER,
    RELEASE_MANAGER,
    REMOVAL_APPROVED,
    REMOVE_ITEMS,
    SHIP_ITEMS,
    SHIP_ONLY,
    approval,
    decided,
)
from tests.golden.editing import Delete, Edit, Replace, Set, Variant, remains

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


def noticed(day: str) -> tuple[Edit, Edit]:
    """Notice given on another day, in the request and in its evidence."""
    return (
        Set("review.yaml", "/removals/0/notice_given", day),
        Replace("records/deprecation-notice.md", "2026-10-12", day),
    )


GATES: Final[tuple[Variant, ...]] = (
    # Step 9, the gate before shipping
    *(
        remains(
            f"ship-the-inventory-says-{status}",
            9,
            SHIP_ONLY,
            LEDGER_OWNER,
            RELEASE_MANAGER,
            Set("clients/inventory.yaml", "/clients/1/migration_status", status),
            gates={"ship-breaking-change": "open"},
        )
        for status in ("objected", "blocked", "refused")
    ),
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
            *(
                (f"remove-notice-{name}", Replace("records/deprecation-notice.md", old, new))
                for name, old, new in (
                    ("withdrawn", "state: sent", "state: withdrawn"),
                    ("of-another-version", "api_version: 1.4.0", "api_version: 1.3.0"),
                    ("of-no-version", "api_version: 1.4.0\n", ""),
                    (
                        "of-another-api",
                        "surface: the public Orders API, every route",
                        "surface: the products, every route",
                    ),
                    ("of-a-like-name", "- legacyReference", "- myLegacyReference"),
                    ("of-one-operation", "- legacyReference", "- POST /v1/products > legacyReference"),
                    (
                        "to-nobody",
                        "sent_to:\n  - the owning role of every client in the inventory\n"
                        "  - release notes of Orders API 1.4\n",
                        "sent_to: []\n",
                    ),
                )
            ),
            *(
                (f"remove-usage-{name}", Replace("usage/legacy-reference.yaml", old, new))
                for name, old, new in (
                    ("elsewhere", "environment: production", "environment: other"),
                    ("anywhere", "environment: production\n", ""),
                    ("in-words-elsewhere", "aggregation: daily counts", "aggregation: QA cluster, daily counts"),
                    ("begins-late", "since: 2026-10-12", "since: 2026-11-01"),
                    ("after-the-review", "until: 2026-11-19", "until: 2026-12-19"),
                )
            ),
            (
                "remove-a-client-has-not-moved",
                Set(
                    "clients/inventory.yaml",
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
    *(
        Variant(
            name=f"remove-{name}",
            edits=(*ADOPTED, LEDGER_OWNER, RELEASE_MANAGER, REMOVAL_APPROVED, Replace(file, old, new)),
            step=9,
            state="advance",
            exit_status=0,
            gates={"ship-breaking-change": "approved", "remove-deprecated": "approved"},
        )
        for name, file, old, new in (
            ("notice-in-other-words", "records/deprecation-notice.md", "Use `id`.", "No draft; nothing is withdrawn."),
            (
                "usage-without-staging",
                "usage/legacy-reference.yaml",
                "over all consumers",
                "over all; staging is excluded",
            ),
            ("drill-in-other-words", "records/rollback-drill.md", "prefix only.", "prefix only; the dry run failed."),
            (
                "rollout-in-other-words",
                "rollout/gateway.yaml",
                "no traffic change approved",
                "an older draft was rejected",
            ),
        )
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
