"""Step 1's question: each field, the standing, each planned action, each item. The answer says where it stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ReviewRequest
from evreview.evidence.records.security import Authorization
from evreview.workflows.w3.authorization import ISOLATED, NEEDED, WRITTEN, authorization_of, authorize
from evreview.workflows.w3.model import Authorized

OTHER = "1111111111111111111111111111111111111111"


@pytest.fixture(scope="module")
def bundle(project: Path) -> Bundle:
    return open_bundle(project / "examples" / "w3-tickets")


def answer(bundle: Bundle, request: dict[str, Any] | None = None, **record: Any) -> Authorized:
    """The answer with some fields of the request and of the authorization changed; None takes one away."""
    known = authorization_of(bundle)
    assert known is not None
    changed = Authorization.model_validate({**known.record.model_dump(mode="json"), **record})
    asked = ReviewRequest.model_validate({**bundle.request.model_dump(mode="json"), **(request or {})})
    return authorize(asked, Cited(changed, known.citation), bundle)


def places(found: Authorized) -> set[tuple[str, str]]:
    return {(refusal.about, refusal.citations[0].locator) for refusal in found.refusals}


def with_action(bundle: Bundle, **more: Any) -> dict[str, Any]:
    """The request with one more planned action, `extra`, a static inspection of E5."""
    actions = [action.model_dump(mode="json") for action in bundle.request.actions]
    return {"actions": [*actions, {"id": "extra", "technique": "static inspection", "items": ["E5"], **more}]}


@pytest.mark.req("W3U-001", "W3U-003", "W3S-002", "W3I-009")
def test_the_bundled_review_is_authorized_sealed_and_whole(bundle: Bundle) -> None:
    assert bundle.sealed
    assert answer(bundle) == Authorized(missing=(), refusals=())
    whole = bundle.unsealed()
    assert authorize(whole.request, authorization_of(whole), whole).passed


@pytest.mark.req(
    "W3I-001",
    "W3I-002",
    "W3I-003",
    "W3I-004",
    "W3I-005",
    "W3I-006",
    "W3I-007",
    "W3I-010",
    "W3E-003",
    "W3E-007",
    "W3U-004",
)
@pytest.mark.parametrize("needed", NEEDED, ids=lambda needed: needed.field)
def test_each_missing_field_is_named(bundle: Bundle, needed: Any) -> None:
    assert answer(bundle, **{needed.field: None}).missing == (needed.words,)
    if isinstance(getattr(authorization_of(bundle).record, needed.field), tuple):  # type: ignore[union-attr]
        assert answer(bundle, **{needed.field: []}).missing == (() if needed.empty_says else (needed.words,))


@pytest.mark.req("W3U-004", "W3D-001")
def test_without_a_record_everything_is_missing(bundle: Bundle) -> None:
    found = authorize(bundle.request, None, bundle)
    assert found.missing == tuple(needed.words for needed in NEEDED)
    assert not found.passed


def test_all_that_is_missing_is_named_at_once(bundle: Bundle) -> None:
    found = answer(bundle, cleanup=None, period=None, active_testing={"permitted": True})
    assert found.missing == ("review period", "cleanup requirements", ISOLATED)


@pytest.mark.parametrize("permitted", [False, True])
def test_a_record_of_no_stated_form_carries_no_active_test(bundle: Bundle, permitted: bool) -> None:
    active = {"permitted": permitted, "environment": "a container of its own"}
    assert answer(bundle, form=None, active_testing=active).missing == ((WRITTEN,) if permitted else ())
    assert WRITTEN not in answer(bundle, active_testing=active).missing


STANDING = [
    ("rejected", {}, {"decision": "rejected"}, "#/decision"),
    ("spoken", {}, {"form": "spoken"}, "#/form"),
    ("implied", {}, {"form": "implied", "channel": "the request queue"}, "#/form"),
    ("called written, given aloud", {}, {"channel": "agreed in a call"}, "#/channel"),
    ("of no form, implied by its channel", {}, {"form": None, "channel": "silence taken as consent"}, "#/channel"),
    ("another role", {}, {"approving_role": "Release manager"}, "#/approving_role"),
    ("given later", {}, {"at": "2026-11-23T00:00:00Z"}, "#/at"),
    ("before the period", {"as_of": "2026-11-15"}, {"at": "2026-11-14T00:00:00Z"}, "#/period/since"),
    ("after the period", {"as_of": "2026-12-19"}, {}, "#/period/until"),
    ("period the wrong way", {}, {"period": {"since": "2026-12-01", "until": "2026-11-01"}}, "#/period"),
    ("a branch", {}, {"revision": "main"}, "#/revision"),
    ("an abbreviated commit", {}, {"revision": "8d2f60c"}, "#/revision"),
    ("a tag alone", {}, {"revision": "v2.3.0"}, "#/revision"),
    ("revision not asked", {"implementation_revision": None}, {}, "#/revision"),
    ("another revision asked", {"implementation_revision": OTHER}, {}, "#/revision"),
    ("nothing planned", {"actions": []}, {}, "#/techniques"),
]


@pytest.mark.req("W3I-006", "W3I-008", "W3I-010", "W3X-014", "W3S-001", "W3E-001", "W3D-001")
@pytest.mark.parametrize(("asked", "record", "place"), [row[1:] for row in STANDING], ids=[row[0] for row in STANDING])
def test_what_keeps_the_record_from_holding(
    bundle: Bundle, asked: dict[str, Any], record: dict[str, Any], place: str
) -> None:
    assert ("authorization", place) in places(answer(bundle, asked, **record))


@pytest.mark.req("W3I-008", "W3X-014")
@pytest.mark.parametrize("day", ["2026-11-16", "2026-12-18"])
def test_both_days_of_the_period_count(bundle: Bundle, day: str) -> None:
    assert answer(bundle, {"as_of": day}).passed


def test_the_role_is_compared_where_the_review_states_one(bundle: Bundle) -> None:
    assert answer(bundle, {"roles": {}}, approving_role="Somebody's security owner").passed
    assert not answer(bundle, {"roles": {}}, approving_role="Ticket developer").passed
    assert answer(bundle, approving_role="product  Security owner").passed


LOCAL = {"technique": "active local validation", "purpose": "p"}
ACTIONS = [
    ("a path beside", {"paths": ["infra/main.tf"]}, "#/paths"),
    ("a path upwards", {"paths": ["service/../infra/main.tf"]}, "#/paths"),
    ("an absolute path", {"paths": ["/service/app.py"]}, "#/paths"),
    ("the folder itself", {"paths": ["service"]}, "#/paths"),
    ("everything", {"paths": ["**"]}, "#/paths"),
    ("an excluded path", {"paths": ["service/vendor/lib.py"]}, "#/exclusions/1"),
    ("a pattern over an excluded path", {"paths": ["service/**"]}, "#/exclusions/1"),
    ("a deployed host", {**LOCAL, "targets": ["tickets.example.com"]}, "#/prohibited_targets"),
    ("a prohibited target", {**LOCAL, "targets": ["Customer data"]}, "#/prohibited_targets/2"),
    ("an inspection that touches", {"targets": ["loopback"]}, "#/active_testing"),
    ("active without purpose", {"technique": "active local validation"}, "#/active_testing"),
    ("production credentials", {"uses": ["production credentials"]}, "#/prohibited_targets"),
    ("production data", {"uses": ["production data"]}, "#/prohibited_targets"),
    ("network traffic", {"uses": ["network traffic"]}, "#/prohibited_targets"),
    ("a prohibited action", {"purpose": "Changes to audit logs or monitoring, as a trial"}, "#/prohibited_actions/2"),
    ("exploitation", {"purpose": "Exploit the missing check"}, "#/prohibited_actions"),
    ("a purpose that nobody reads", {"purpose": "routes " * 300}, "#/prohibited_actions"),
    ("named exploitation", {"id": "exploit the notes"}, "#/prohibited_actions"),
]  # fmt: skip


@pytest.mark.req(
    "W3S-001", "W3S-003", "W3I-009", "W3E-006", "W3D-004", "W3U-005", "W3U-006", "W3G-002", "W3G-003", "W3P-005"
)
@pytest.mark.parametrize(("more", "place"), [row[1:] for row in ACTIONS], ids=[row[0] for row in ACTIONS])
def test_an_action_that_is_not_covered(bundle: Bundle, more: dict[str, Any], place: str) -> None:
    assert (more.get("id", "extra"), place) in places(answer(bundle, with_action(bundle, **more)))


@pytest.mark.req("W3I-003", "W3S-002", "W3P-001")
def test_each_technique_must_be_allowed(bundle: Bundle) -> None:
    for technique in {action.technique for action in bundle.request.actions}:
        left = [each for each in authorization_of(bundle).record.techniques if each != technique]  # type: ignore[union-attr]
        refused = {(action.id, "#/techniques") for action in bundle.request.actions if action.technique == technique}
        assert places(answer(bundle, techniques=left)) == refused


def test_active_validation_needs_its_permission(bundle: Bundle) -> None:
    found = answer(bundle, active_testing={"permitted": False})
    assert places(found) == {("run the tests again", "#/active_testing/permitted")}


@pytest.mark.req("W3E-006", "W3S-002", "W3P-001")
def test_every_item_is_covered_by_an_action(bundle: Bundle) -> None:
    actions = [action.model_dump(mode="json") for action in bundle.request.actions]
    for action in actions:
        action["items"] = [name for name in action["items"] if name not in ("E5", "E18")]
    assert places(answer(bundle, {"actions": actions})) == {("E5", "#/techniques"), ("E18", "#/techniques")}


def changed(bundle: Bundle, name: str, **more: Any) -> Bundle:
    items = {**bundle.items, EvidenceId(name): replace(bundle.items[EvidenceId(name)], **more)}
    return replace(bundle, items=items)


@pytest.mark.req("W3U-003", "W3I-006", "W3I-009", "W3E-005")
def test_items_are_compared_with_the_authorized_revision(bundle: Bundle) -> None:
    for about, given in (
        ("E5", changed(bundle, "E5", revision=OTHER)),
        ("E5", changed(bundle, "E5", integrity=f"{OTHER}:infra/main.tf")),
        ("E5", replace(bundle, unbound={EvidenceId("E5"): "digest-mismatch"})),
        ("E1", replace(bundle, unbound={EvidenceId("E1"): "digest-mismatch"})),
    ):
        assert {about} == {refusal.about for refusal in answer(given).refusals}
        assert all(len(refusal.citations) == 2 for refusal in answer(given).refusals)
    assert answer(changed(bundle, "E16", revision=OTHER)).passed, "the rubric is no part of the revision"
    assert answer(changed(bundle, "E12", revision="sha256:" + "0" * 64)).passed, "a digest names no commit"


@pytest.mark.req("W3I-009")
def test_a_source_map_that_leaves_the_paths_is_refused_once_it_is_read(bundle: Bundle) -> None:
    whole = bundle.unsealed()
    narrow = {"paths": ["service/**", "deploy/other.conf"]}
    assert ("E10", "#/paths") in places(answer(whole, **narrow))
    actions = [action.model_dump(mode="json") for action in whole.request.actions]
    actions[1]["paths"].remove("service/tickets_service/ops.py")
    assert places(answer(whole, {"actions": actions})) == {("E6", "#/paths")}


def test_two_authorizations_are_none(bundle: Bundle) -> None:
    first = bundle.items[EvidenceId("E1")]
    two = changed(bundle, "E2", type=EvidenceType.AUTHORIZATION_RECORD, record=first.record, content=first.content)
    assert "authorization" in {refusal.about for refusal in answer(two).refusals}
    assert two.items[EvidenceId("E2")].integrity_state is Integrity.VERIFIED
