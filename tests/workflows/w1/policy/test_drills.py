"""What shows that a rollback works, that a rollout record is approved, and that a policy applies."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity
from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.compatibility import Policy, RollbackDrill, RolloutRecord
from evreview.evidence.records.review import Record, ReviewRequest
from evreview.evidence.records.test_runs import TestRecord
from evreview.workflows.w1.policy.judgement import inapplicable
from evreview.workflows.w1.policy.rollout_mechanisms import approval_fault, drill_faults

BOUNDARY = "the previous image"
DRILL = {"boundary": BOUNDARY, "result": "succeeded", "on": "2026-11-12", "environment": "staging"}
CHECK = {"id": "back", "what": f"Return to {BOUNDARY}", "command": "deploy back", "revision": "a" * 40,
         "fixture": "staging", "result": "passed"}  # fmt: skip
APPROVED = {"state": "approved", "role": "Release manager", "at": "2026-11-16T09:00:00Z"}


def rollout(**more: Any) -> RolloutRecord:
    back = {"atomic": True, "boundary": BOUNDARY, "evidence": "E7"}
    return RolloutRecord.model_validate({"rollback": back, "approval": APPROVED, **more})


def item(record: Record | None, name: str = "E7") -> EvidenceItem:
    return EvidenceItem(
        id=EvidenceId(name), type=EvidenceType.EXECUTION_AND_APPROVAL, content="", integrity="", establishes="",
        file="", sha256="", integrity_state=Integrity.VERIFIED, revision="", record=record,
    )  # fmt: skip


def drill(**more: Any) -> RollbackDrill:
    return RollbackDrill.model_validate(DRILL | more)


def checks(*given: dict[str, Any]) -> TestRecord:
    return TestRecord.model_validate({"checks": [CHECK | each for each in given]})


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        (drill(), True),
        (drill(boundary="The  previous image"), True),
        (drill(on="2026-11-20"), True),
        (drill(result="failed"), False),
        (drill(result="aborted"), False),
        (drill(boundary="the previous schema"), False),
        (drill(on="2026-11-21"), False),
        (None, False),
        (checks({}), True),
        (checks({"what": "A drill", "boundary": BOUNDARY}), True),
        (checks({"result": "failed"}), False),
        (checks({"result": "skipped"}), False),
        (checks({"revision": "main"}), False),
        (checks({"what": "The unit tests of the service"}), False),
        (checks({"boundary": "another image"}), False),
        (checks({}, {"id": "again", "result": "error"}), False),
    ],
)
def test_a_rollback_is_shown_by_its_success_alone(record: Record | None, shown: bool) -> None:
    assert (drill_faults(rollout(), {EvidenceId("E7"): item(record)}, "2026-11-20") == ()) is shown


NAMES = ("E7", "E8", "E9", "E10")
FAILED: dict[str, Any] = {"result": "failed", "on": "2026-11-15"}


@pytest.mark.parametrize(
    ("named", "others", "against"),
    [
        (drill(), [drill(**FAILED)], ["E8"]),
        (drill(), [drill(**FAILED | {"result": "aborted"})], ["E8"]),
        (drill(), [drill(on="2026-11-15", text="The rollback failed.")], ["E8"]),
        (drill(), [drill(**FAILED | {"boundary": "The previous  Image"})], ["E8"]),
        (drill(), [drill(**FAILED | {"environment": "production"})], ["E8"]),
        (drill(), [drill(**FAILED | {"on": "2026-11-20"})], ["E8"]),
        (drill(), [drill(**FAILED | {"on": "2026-11-12"})], ["E8"]),
        (drill(), [drill(on="2026-11-15"), drill(**FAILED)], ["E9"]),
        (drill(), [drill(on="2026-11-14"), drill(**FAILED), drill(**FAILED)], ["E9", "E10"]),
        (checks({}), [drill(**FAILED)], ["E8"]),
        (drill(), [drill(**FAILED | {"on": "2026-11-11"})], []),
        (drill(), [drill(**FAILED), drill(on="2026-11-16")], []),
        (drill(), [drill(**FAILED | {"boundary": "the previous schema"})], []),
        (drill(), [drill(**FAILED | {"on": "2026-11-21"})], []),
        (drill(), [drill(on="2026-11-15")], []),
        (checks({}), [drill(**FAILED), drill(on="2026-11-16")], []),
    ],
)
def test_the_last_drill_of_a_boundary_counts(named: Record, others: list[Record], against: list[str]) -> None:
    items = {EvidenceId(name): item(record, name) for name, record in zip(NAMES, [named, *others], strict=False)}
    faults = drill_faults(rollout(), items, "2026-11-20")
    assert [fault.item for fault in faults] == against
    assert all(fault.item in fault.clause for fault in faults)


@pytest.mark.parametrize(
    ("more", "stands"),
    [
        ({}, True),
        ({"approval_state": "routes approved; no traffic change approved"}, True),
        ({"approval": None}, False),
        ({"approval": APPROVED | {"state": "rejected"}}, False),
        ({"approval": APPROVED | {"state": "pending"}}, False),
        ({"approval": APPROVED | {"role": "Orders API owner"}}, False),
        ({"approval": APPROVED | {"at": "2026-11-21T09:00:00Z"}}, False),
        ({"approval_state": "withdrawn"}, False),
        ({"approval_state": "rejected by the release manager"}, False),
        ({"approval_state": "approved; an earlier draft was rejected"}, True),
        ({"approval_state": "approved on 2026-11-16, requested on 2026-11-14"}, True),
        ({"approval": None, "approval_state": "approved"}, False),
    ],
)
def test_a_rollout_record_is_approved_by_its_field(more: dict[str, Any], stands: bool) -> None:
    assert (approval_fault(rollout(**more), "Release manager", "2026-11-20") == "") is stands


@pytest.mark.parametrize(
    ("surface", "confirmed", "applies"),
    [
        ("every public API of the shop", {"version": "3", "surface": "every public API of the shop"}, True),
        ("The public  Orders API", None, True),
        ("every route under /v1", None, True),
        ("every public API of the shop", None, False),
        ("every public API of the shop", {"version": "2", "surface": "every public API of the shop"}, False),
        ("the internal billing API", {"version": "3", "surface": "every public API of the shop"}, False),
        ("every route under /billing", None, False),
        ("every route under /billing", {"version": "3", "surface": "every route under /billing"}, False),
    ],
)
def test_a_policy_is_shown_to_apply(surface: str, confirmed: dict[str, str] | None, applies: bool) -> None:
    policy = Policy(policy_version="3", surface=surface)
    asked = {"workflow": "w1", "title": "t", "as_of": "2026-11-20", "surface": "the public Orders API"}
    request = ReviewRequest.model_validate(asked | {"policy": confirmed})
    assert (inapplicable(policy, request, ("GET /v1/orders", "POST /v1/orders")) == "") is applies
