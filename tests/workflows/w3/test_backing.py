"""What a boundary or a transition is validated against: the whole way, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.security import DeploymentRecord
from evreview.workflows.w3.model import Backing, BoundaryBacking
from evreview.workflows.w3.trust.trust_map import deployment_tie
from tests.workflows.w3.bundles import CONFIGURATION, DEPLOYED, OTHER, REVISION, SOURCE, bundle_of, item
from tests.workflows.w3.models import RUNS, mapped

QUOTE = {"item": "E4", "lines": "1", "quote": "listen 443;"}
RECORD = DeploymentRecord(id="live", environment="live", revision=REVISION)
RECORDED = "a proxy stands before the service"


def backing(boundary: dict[str, Any], *items: EvidenceItem, **more: Any) -> BoundaryBacking:
    """The backing of one boundary."""
    stated = {"id": "edge", "name": "the proxy", "outside": "net", "inside": "service"} | boundary
    return mapped({"boundaries": [stated]}, *items, **more).backings[0]


def configured(**given: Any) -> dict[str, Any]:
    return {"backed_by": "configuration", "shown_by": QUOTE | given}


def deployed(content: Any = RECORDED, **given: Any) -> tuple[dict[str, Any], EvidenceItem]:
    shown_by = {"item": "E7", "lines": "1", "quote": "stands before"}
    return {"backed_by": "deployment record", "shown_by": shown_by}, item(7, DEPLOYED, content, **given)


V, A, U = Backing.VALIDATED, Backing.ASSUMPTION, Backing.UNKNOWN


@pytest.mark.req("W3I-018")
@pytest.mark.parametrize(
    ("boundary", "expected"),
    [
        ({"backed_by": "route", "route": "GET /orders/{id}"}, V),
        ({"backed_by": "route", "route": "get /orders/{other}"}, V),
        ({"backed_by": "route", "route": "GET /orders"}, U),
        ({"backed_by": "route", "route": "POST /orders/{id}"}, U),
        ({"backed_by": "route"}, U),
        ({"backed_by": "route", "assumption": "it is so"}, U),
        (configured(), V),
        (configured(quote="listen\n 443;"), V),
        (configured(quote="listen 80;"), U),
        (configured(quote="deny all;"), U),
        (configured(lines="1-2", quote="deny all;"), V),
        (configured(lines="9"), U),
        (configured(lines="0"), U),
        (configured(lines="2-1"), U),
        (configured(quote=";"), U),
        (configured(item="E99"), U),
        ({"backed_by": "configuration"}, U),
        ({"backed_by": "configuration", "route": "GET /orders/{id}"}, U),
        ({"backed_by": "assumption", "assumption": "only the proxy reaches it"}, A),
        ({"backed_by": "assumption"}, U),
        ({"backed_by": "assumption", "assumption": "everybody may ask", "shown_by": QUOTE}, A),
        ({"backed_by": "assumption", "assumption": "everybody may ask", "shown_by": QUOTE | {"quote": "deny"}}, U),
        ({"assumption": "only the proxy reaches it"}, A),
        ({}, U),
        ({"shown_by": QUOTE}, U),
        ({"route": "GET /orders/{id}"}, U),
    ],
)
def test_a_boundary_counts_for_what_shows_it(boundary: dict[str, Any], expected: Backing) -> None:
    assert backing(boundary).backing is expected


@pytest.mark.req("W3S-004")
@pytest.mark.parametrize(
    ("content", "given", "expected"),
    [
        (RECORDED, {}, V),
        (RECORDED, {"revision": OTHER}, U),
        (RECORDED, {"revision": ""}, U),
        (RECORDED, {"establishes": "Not any rollout or implementation."}, U),
        ("another text stands here", {}, U),
    ],
)
def test_a_deployment_record_has_to_be_of_the_reviewed_revision(content: str, given: Any, expected: Backing) -> None:
    boundary, record = deployed(content, **given)
    assert backing(boundary, record).backing is expected


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (CONFIGURATION, {}, V),
        (SOURCE, {}, V),
        (EvidenceType.POLICY, {}, U),
        (EvidenceType.TEST_RECORD, {}, U),
        (CONFIGURATION, {"revision": OTHER}, U),
        (CONFIGURATION, {"revision": ""}, U),
    ],
)
def test_configuration_has_to_be_configuration_of_that_revision(
    kind: EvidenceType, given: dict[str, Any], expected: Backing
) -> None:
    shown_by = {"backed_by": "configuration", "shown_by": {"item": "E7", "lines": "1", "quote": "listen"}}
    assert backing(shown_by, item(7, kind, "listen 443;", **given)).backing is expected


def test_a_boundary_cites_what_shows_it_and_names_the_guard() -> None:
    found = backing({"backed_by": "route", "route": "GET /orders/{id}"})
    assert [str(one) for one in found.citations] == ["E3:L3-L7", "E2#/boundaries/0"]
    assert "principal" in plain(found.why)
    assert [str(one) for one in backing(configured()).citations] == ["E4:L1", "E2#/boundaries/0"]


@pytest.mark.parametrize(
    ("shown_by", "expected"),
    [(None, A), (QUOTE, V), (QUOTE | {"quote": "nothing of it"}, U), (QUOTE | {"item": "E99"}, U)],
)
def test_a_transition_is_an_assumption_until_lines_show_it(shown_by: Any, expected: Backing) -> None:
    transition = {"id": "t", "before": "bearer", "after": "principal", "shown_by": shown_by}
    assert mapped({"identity_transitions": [transition]}).transitions[0].backing is expected


def running(revision: str | None, number: int = 5) -> EvidenceItem:
    return item(number, DEPLOYED, DeploymentRecord(id="live", environment="live", revision=revision))


@pytest.mark.req("W3U-007")
@pytest.mark.parametrize(
    ("items", "request_", "stops", "tied"),
    [
        ((), {"runtime_conclusion": True}, True, False),
        ((running(None),), {"runtime_conclusion": True}, True, False),
        ((running(OTHER),), {"runtime_conclusion": True}, True, False),
        ((RUNS, running(OTHER, 8)), {"runtime_conclusion": True}, True, False),
        ((RUNS,), {"runtime_conclusion": True, "implementation_revision": None}, True, False),
        ((RUNS,), {"runtime_conclusion": True}, False, True),
        ((running(REVISION[:9]),), {"runtime_conclusion": True}, False, True),
        ((), {}, False, False),
    ],
)
def test_a_conclusion_about_what_runs_needs_its_revision(
    items: tuple[EvidenceItem, ...], request_: dict[str, Any], stops: bool, tied: bool
) -> None:
    found = deployment_tie(bundle_of(*items, **request_))
    assert (found.stops, found.tied) == (stops, tied)
