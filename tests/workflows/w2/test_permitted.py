"""A bundle in which everything is decided permits publication; what executed tests did not show stays open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evreview.workflows.engine.conclusions import DecisionState
from tests.workflows.w2.run_services import BY_FRAMEWORK, READ
from tests.workflows.w2.whole import Whole, reviewed

WHOLE = BY_FRAMEWORK | READ
OTHER = "0f" * 20


def without(case: Whole, status: int, operation: str = "GET /parcels") -> Whole:
    """The bundle without the tests of a status of one operation."""
    return replace(case, seen=tuple(one for one in case.seen if one[:2] != (operation, status)))


def refusal(case: Whole) -> int:
    return 403 if any(status == 403 for _, status, _ in case.seen) else 401


def open_errors(case: Whole, root: Path) -> set[str]:
    found = reviewed(case, root)
    rows = found.registers["undecided"]
    assert found.decision.state is not DecisionState.PERMITTED
    return {f"{row.operation} {row.concern}" for row in rows.itertuples()}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_bundle_is_published(name: str, tmp_path: Path) -> None:
    found = reviewed(WHOLE[name], tmp_path / "b")
    assert list(found.registers["discrepancies"]["kind"]) == []
    assert found.decision.state is DecisionState.PERMITTED


@pytest.mark.parametrize("name", BY_FRAMEWORK)
def test_a_refusal_of_a_framework_is_open_until_a_test_shows_it(name: str, tmp_path: Path) -> None:
    case = BY_FRAMEWORK[name]
    assert "GET /parcels errors" in open_errors(without(case, refusal(case)), tmp_path / "b")


@pytest.mark.parametrize(
    "tests",
    [
        pytest.param((("GET /parcels/{id}", 401),), id="another operation's"),
        pytest.param((("GET /parcels", 200),), id="a success"),
        pytest.param((("GET /parcels", 404),), id="another error"),
        pytest.param((), id="none"),
    ],
)
@pytest.mark.parametrize("name", ["bearer", "Flask-HTTPAuth"])
def test_other_tests_close_nothing(name: str, tests: tuple[tuple[str, int], ...], tmp_path: Path) -> None:
    case = BY_FRAMEWORK[name]
    kept = tuple(one for one in case.seen if one[0] != "GET /parcels" and one[1] != 401)
    more = tuple((operation, status, "application/json") for operation, status in tests)
    assert "GET /parcels errors" in open_errors(replace(case, seen=kept + more), tmp_path / "b")


@pytest.mark.parametrize(
    "run",
    [
        pytest.param({"revision": OTHER}, id="at another revision"),
        pytest.param({"contract": "sha256:" + "0f" * 32}, id="against another contract"),
        pytest.param({"isolated": False}, id="not isolated"),
        pytest.param({"exit_status": None}, id="without a result"),
        pytest.param({"output_sha256": "0f" * 32}, id="of another output"),
    ],
)
def test_a_run_that_is_not_executed_at_the_revision_closes_nothing(run: dict[str, Any], tmp_path: Path) -> None:
    found = reviewed(replace(BY_FRAMEWORK["bearer"], run=run), tmp_path / "b")
    assert found.decision.state is not DecisionState.PERMITTED


def test_a_check_that_is_only_proposed_closes_nothing(tmp_path: Path) -> None:
    case = without(BY_FRAMEWORK["bearer"], 401)
    told = [
        {"test": f"tests.test_service::test_{number}", "operation": one[0], "status": one[1], "media_type": one[2]}
        for number, one in enumerate(case.seen)
    ]
    told.append({"test": "tests.test_service::test_refused", "operation": "GET /parcels", "status": 401})
    assert "GET /parcels errors" in open_errors(replace(case, run={"asserts": told}), tmp_path / "b")


def test_a_test_that_shows_another_refusal_is_a_discrepancy(tmp_path: Path) -> None:
    case = without(BY_FRAMEWORK["bearer alone"], 401)
    seen = (*case.seen, ("GET /parcels", 403, "application/json"))
    found = reviewed(replace(case, seen=seen), tmp_path / "b")
    rows = found.registers["discrepancies"]
    assert ["error-undocumented", "GET /parcels"] in rows[["kind", "operation"]].to_numpy().tolist()
    assert found.decision.state is not DecisionState.PERMITTED


@pytest.mark.parametrize("name", ["bearer", "Flask-HTTPAuth", "requires"])
def test_a_missing_guard_beside_a_whole_bundle_is_told(name: str, tmp_path: Path) -> None:
    case = WHOLE[name]
    bare = [
        text.replace(", dependencies=[Depends(caller)]", "").replace("@auth.login_required\n", "")
        .replace('@requires("authenticated")\n', "").replace("middleware=", "debug=")
        for text in case.sources.values()
    ]  # fmt: skip
    found = reviewed(replace(case, sources=dict(zip(case.sources, bare, strict=True))), tmp_path / "b")
    assert "unguarded" in list(found.registers["discrepancies"]["kind"])


def test_an_error_of_a_lookup_is_open_until_a_test_shows_it(tmp_path: Path) -> None:
    case = without(READ["failed lookup"], 404, "GET /parcels/{id}")
    assert "GET /parcels/{id} errors" in open_errors(case, tmp_path / "b")
