"""A check verifies what it tests and nothing beside; failed producer checks contradict the candidate."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import DeltaId, Direction
from evreview.workflows.w1.checks import CheckedDirection, collect, contradicting
from tests.rows import ORDER, check, retained, row

ROW = row(facts={"required": True})
COMPATIBLE = row(verdict="compatible")
UNKNOWN = row(verdict="unknown")
PRODUCER = {"client": None, "direction": "producer"}
REVISION = "a" * 40
DIRECTIONS: tuple[CheckedDirection, ...] = ("producer", "consumer")


@pytest.mark.req("C-022")
@pytest.mark.parametrize(
    ("given", "changed", "directions"),
    [
        pytest.param({}, ROW, ["consumer"], id="parser-fails-on-breaking"),
        pytest.param({"result": "passed"}, ROW, [], id="parser-passes-on-breaking"),
        pytest.param({"result": "passed"}, COMPATIBLE, ["consumer"], id="parser-passes-on-compatible"),
        pytest.param({}, COMPATIBLE, [], id="parser-fails-on-compatible"),
        pytest.param({}, UNKNOWN, ["consumer"], id="parser-on-unknown"),
        pytest.param({"direction": "producer"}, ROW, ["consumer"], id="a-parser-is-no-producer"),
        pytest.param({"parses": "released", "result": "passed"}, COMPATIBLE, [], id="released-form"),
        pytest.param({"result": "error"}, ROW, [], id="error"),
        pytest.param(PRODUCER | {"result": "passed"}, ROW, ["producer"], id="producer"),
        pytest.param(PRODUCER | {"result": "failed"}, ROW, ["producer"], id="producer-fails"),
        pytest.param({"client": None}, ROW, [], id="no-direction"),
        pytest.param(PRODUCER | {"field": "status"}, ROW, [], id="other-field"),
    ],
)
def test_verifies(given: dict[str, Any], changed: Any, directions: list[str]) -> None:
    found = collect([retained(check(**given))], [changed])
    assert [each for each in DIRECTIONS if found.verifies(changed.delta.id, each)] == directions
    assert found.unverified == (changed.delta.id,)
    assert found.verifies(DeltaId("D-other"), "producer") == ()


@pytest.mark.req("W1D-002")
@pytest.mark.parametrize(
    ("given", "contradicts"),
    [
        pytest.param({}, True, id="candidate-form"),
        pytest.param({"result": "error"}, True, id="error"),
        pytest.param({"result": "passed"}, False, id="passed"),
        pytest.param({"parses": None}, True, id="candidate-revision"),
        pytest.param({"parses": None, "revision": "A" * 8}, True, id="abbreviated"),
        pytest.param({"parses": None, "revision": "b" * 40}, False, id="other-revision"),
        pytest.param({"parses": "released", "revision": "b" * 40}, False, id="released-form-elsewhere"),
        pytest.param({"client": "shop"}, False, id="parser"),
        pytest.param({"direction": "consumer"}, False, id="consumer"),
        pytest.param({"fixture": None}, False, id="not-executed"),
    ],
)
def test_failed_producer_checks_contradict(given: dict[str, Any], contradicts: bool) -> None:
    checks = collect([retained(check(**PRODUCER | given))], [ROW]).executed
    assert bool(contradicting(checks, REVISION)) is contradicts


@pytest.mark.req("W1D-002")
def test_a_refusal_that_a_row_states_is_no_contradiction() -> None:
    (refused,) = collect([retained(check(**PRODUCER, parses="released", operation=None, field=None))], []).executed
    request = row(f"{ORDER} > query:limit", direction=Direction.READ)
    assert contradicting([refused], REVISION) == (refused,)
    assert contradicting([refused], REVISION, [ROW]) == (refused,)
    assert contradicting([refused], REVISION, [ROW, request]) == ()
