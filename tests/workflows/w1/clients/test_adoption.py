"""An adoption is shown by a passed check of the client on the path, or by its owner's record that says so."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity
from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.compatibility import AdoptionRecord, KnownClient, Uses
from evreview.evidence.records.review import Record
from evreview.evidence.records.test_runs import TestRecord
from evreview.workflows.w1.clients.migration import AdoptionFacts, adoption_faults

CLIENT = KnownClient(id="ledger", name="Ledger", owner_role="Finance owner", adopted_path="/v2",
                     uses=(Uses(operation="GET /v1/orders/{id}"),), adoption_evidence=EvidenceId("E9"))  # fmt: skip
SAID = {"client": "ledger", "path": "/v2", "state": "adopted", "role": "Finance owner", "at": "2026-11-17T09:00:00Z"}
CHECK = {"id": "v2", "what": "The job requests /v2", "command": "pytest", "revision": "b" * 40, "fixture": "container",
         "result": "passed", "client": "ledger", "parses": "candidate"}  # fmt: skip


def owners(*entries: dict[str, Any]) -> AdoptionRecord:
    return AdoptionRecord.model_validate({"adoptions": [SAID | each for each in entries]})


def checks(*given: dict[str, Any]) -> TestRecord:
    return TestRecord.model_validate({"checks": [CHECK | each for each in given]})


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        (owners({}), True),
        (owners({"path": "route prefix /v2"}), True),
        (owners({"state": "planned"}), False),
        (owners({}, {"state": "withdrawn", "at": "2026-11-18T09:00:00Z"}), False),
        (owners({"state": "withdrawn"}, {"at": "2026-11-18T09:00:00Z"}), True),
        (owners({"role": "Reviewer"}), False),
        (owners({"client": "storefront"}), False),
        (owners({"path": "/v3"}), False),
        (owners({"at": "2026-11-21T00:00:00Z"}), False),
        (None, False),
        (checks({}), True),
        (checks({"what": "Reads its orders", "path": "/v2"}), True),
        (checks({"what": "Reads its orders"}), True),
        (checks({"result": "failed"}), False),
        (checks({"result": "error"}), False),
        (checks({"result": None}), False),
        (checks({"revision": "latest"}), False),
        (checks({"client": "storefront"}), False),
        (checks({"parses": "released"}), False),
        (checks({"what": "The job requests /v1"}), False),
        (checks({"path": "/v1"}), False),
        (checks({"what": "The job does not request /v2 yet", "parses": None}), False),
        (checks({"what": "The job requests /v2", "parses": None}), False),
        (checks({"what": "The job requests /v2", "parses": None, "path": "/v2"}), True),
        (checks({}, {"id": "v2-again", "result": "failed"}), False),
        (checks({"direction": "consumer"}), True),
        (checks({"direction": "producer"}), False),
        (checks({"direction": "contract"}), False),
        (checks({"direction": "producer", "path": "/v2"}), False),
        (checks({"operation": "GET /v1/orders/{orderId}"}), True),
        (checks({"operation": "GET /v2/orders/{id}", "path": "/v2"}), True),
        (checks({"operation": "getOrder", "path": "/v2"}), True),
        (checks({"what": "Reads its orders", "operation": "GET /v1/orders/{id}"}), False),
        (checks({"operation": "POST /v1/orders"}), False),
        (checks({"operation": "POST /v2/orders", "path": "/v2"}), False),
        (checks({"operation": "GET /v2/orders/{id}/lines", "path": "/v2"}), False),
        (checks({"operation": "POST /v2/orders"}, {"id": "reads"}), True),
    ],
)
def test_what_shows_an_adoption(record: Record | None, shown: bool) -> None:
    item = EvidenceItem(
        id=EvidenceId("E9"), type=EvidenceType.EXECUTION_AND_APPROVAL, content="ledger requests /v2", integrity="",
        establishes="", file="", sha256="", integrity_state=Integrity.VERIFIED, revision="", record=record,
    )  # fmt: skip
    facts = AdoptionFacts(paths=("/v1", "/v2", "/v3"), items={EvidenceId("E9"): item}, as_of="2026-11-20")
    assert (adoption_faults(CLIENT, facts) == ()) is shown


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("planned", False),
        ("migration planned for December", False),
        ("not yet migrated", False),
        ("rolled back", False),
        ("in progress", False),
        ("adopted", True),
        ("migrated; clean-up planned", True),
        ("tested", True),
        ("approved", True),
        (None, True),
    ],
)
def test_a_status_that_says_otherwise_keeps_an_adoption_from_counting(status: str | None, shown: bool) -> None:
    item = EvidenceItem(
        id=EvidenceId("E9"), type=EvidenceType.EXECUTION_AND_APPROVAL, content="", integrity="", establishes="",
        file="", sha256="", integrity_state=Integrity.VERIFIED, revision="", record=owners({}),
    )  # fmt: skip
    facts = AdoptionFacts(paths=("/v1", "/v2"), items={EvidenceId("E9"): item}, as_of="2026-11-20")
    faults = adoption_faults(CLIENT.model_copy(update={"migration_status": status}), facts)
    assert ["migration status" in fault for fault in faults] == ([] if shown else [True])
