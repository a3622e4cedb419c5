"""Each recorded response matches released, candidate, both or neither, and says who answered."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Basis, SourceMatch
from evreview.workflows.w1.element_lookup import find_operation
from evreview.workflows.w1.facts import ContractPair
from evreview.workflows.w1.reconcile.observations import claim_of, match_observation
from tests.rows import Spec, contract
from tests.workflows.w1.reconcile.sides import AT, RELEASED_AT, REVISION, SIDES, seen


@pytest.mark.req("W1S-007")
@pytest.mark.parametrize(
    ("given", "match"),
    [
        pytest.param({}, SourceMatch.BOTH, id="both"),
        pytest.param({"body": {"id": "o1", "deliveryEstimate": None}}, SourceMatch.CANDIDATE, id="null"),
        pytest.param({"body": {"deliveryEstimate": "x"}}, SourceMatch.NEITHER, id="required-field-absent"),
        pytest.param({"body": '{"id": "o1", "deliveryEstimate": null}'}, SourceMatch.CANDIDATE, id="body-as-text"),
        pytest.param({"body_recorded": False, "body": None}, SourceMatch.BOTH, id="no-body-kept"),
        pytest.param({"status": 404, "body": {}}, SourceMatch.RELEASED, id="error-type-released"),
        pytest.param(
            {"status": 404, "body": {}, "content_type": "application/problem+json"}, SourceMatch.CANDIDATE, id="problem"
        ),
        pytest.param({"status": 404, "body": {}, "content_type": "text/html"}, SourceMatch.NEITHER, id="html"),
        pytest.param({"content_type": "Application/JSON; charset=utf-8"}, SourceMatch.BOTH, id="parameters"),
        pytest.param({"status": 503, "body": {}}, SourceMatch.BOTH, id="range"),
        pytest.param({"status": 302}, SourceMatch.NEITHER, id="undeclared-status"),
        pytest.param({"operation": "GET /v1/orders/latest", "status": 418, "body": {}}, SourceMatch.BOTH, id="default"),
        pytest.param({"operation": "GET /v1/orders/ord_1"}, SourceMatch.BOTH, id="concrete-path"),
        pytest.param({"operation": "POST /v1/orders/ord_1"}, SourceMatch.NEITHER, id="no-such-operation"),
    ],
)
def test_observations(given: Any, match: SourceMatch) -> None:
    found = match_observation(seen(**given), AT, SIDES, "candidate")
    assert found.match is match
    assert found.basis is Basis.OBSERVED
    assert bool(found.candidate_reasons) is (match in (SourceMatch.RELEASED, SourceMatch.NEITHER))
    assert bool(found.released_reasons) is (match in (SourceMatch.CANDIDATE, SourceMatch.NEITHER))
    assert found.contradicts is (match in (SourceMatch.RELEASED, SourceMatch.NEITHER))


@pytest.mark.parametrize(
    ("headers", "match"),
    [
        ({}, SourceMatch.BOTH),
        ({"X-Rate": "7"}, SourceMatch.BOTH),
        ({"X-Rate": "seven"}, SourceMatch.NEITHER),
        ({"X-Other": "7"}, SourceMatch.NEITHER),
    ],
)
def test_headers(headers: dict[str, str], match: SourceMatch) -> None:
    one = contract(Spec("GET /a", {"200": {}}, headers={"x-rate": {"type": "integer"}}))
    given = seen(operation="GET /a", headers=headers, content_type=None, body=None, body_recorded=False)
    assert match_observation(given, AT, ContractPair(one, one)).match is match


def test_literal_paths_come_before_templates() -> None:
    found = find_operation(SIDES.released, "GET /v1/orders/latest")
    assert found is not None and found.key == "GET /v1/orders/latest"
    assert find_operation(SIDES.released, "GET /v1/orders/a/b") is None


def test_reasons_repeat_no_value() -> None:
    found = match_observation(seen(body={"id": 5, "deliveryEstimate": "s3cret"}), AT, SIDES)
    assert found.candidate_reasons and "s3cret" not in str(found)


@pytest.mark.req("W1D-002")
@pytest.mark.parametrize(
    ("revision", "answers", "claims"),
    [
        (REVISION, None, "candidate"),
        (REVISION.upper(), None, "candidate"),
        (REVISION[:7], None, "candidate"),
        (REVISION[:6], None, "unknown"),
        (RELEASED_AT, None, "released"),
        (RELEASED_AT[:9].upper(), None, "released"),
        ("0" * 40, None, "unknown"),
        ("v1.5.0", None, "unknown"),
        (None, None, "unknown"),
        (None, "candidate", "candidate"),
        ("v1.4.0", "released", "released"),
        ("0" * 40, "candidate", "unknown"),
        (RELEASED_AT, "candidate", "released"),
        (REVISION, "released", "candidate"),
    ],
)
def test_who_answered(revision: str | None, answers: str | None, claims: str) -> None:
    """As stated, else as the revision tells; whatever else is unknown and never the released side."""
    assert claim_of(seen(revision=revision, answers=answers), REVISION, RELEASED_AT) == claims
    if answers is None:
        assert claim_of(seen(revision=revision), None) == "unknown"
