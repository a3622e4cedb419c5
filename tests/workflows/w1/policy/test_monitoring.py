"""One control per material change, numbers from the evidence only, and each lack named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from evreview.core.vocabulary import DeltaId
from evreview.workflows.w1.policy.monitoring import controls, controls_frame
from evreview.workflows.w1.policy.version_path import choose_path
from tests.rows import rollout, row, signal, specification_policy

ROW = row()
NUMBERS = ("0.5", "30 minutes", "1 minute")


def control(record: Any, policy: Any = None, rows: Any = (ROW,)) -> Any:
    path = choose_path(list(rows), policy, record, None)
    return controls(rows, record, policy, path)


@dataclass(frozen=True)
class RuntimeOnly:
    """A change that only the implementation makes: a finding, and no row."""

    id: str = "F-7"
    operation: str = "GET /v1/orders"
    operations: tuple[str, ...] = ("GET /v1/orders",)


@dataclass(frozen=True)
class Held:
    delta: RuntimeOnly = RuntimeOnly()


@pytest.mark.req("W1M-013", "W1D-007")
@pytest.mark.parametrize(
    ("covers", "missing"), [("*", ()), ("GET /v1/orders", ()), ("GET /v1/other", ("signal", "baseline"))]
)
def test_a_change_that_is_no_row_is_watched(covers: str, missing: tuple[str, ...]) -> None:
    record, policy = rollout(signals=[signal(covers=[covers])]), specification_policy()
    (found,) = controls([Held()], record, policy, choose_path([ROW], policy, record, None))
    assert (found.delta_id, found.operation) == ("F-7", "GET /v1/orders")
    assert found.missing[: len(missing)] == missing and found.covered is not bool(missing)
    assert list(controls_frame([found])["delta_id"]) == ["F-7"]


@pytest.mark.req(
    "W1M-004", "W1M-005", "W1M-006", "W1M-007", "W1M-008", "W1M-009", "W1M-010", "W1M-015", "W1R-006", "W1R-007"
)
def test_a_covered_change() -> None:
    (found,) = control(rollout(), specification_policy())
    assert found.missing == () and found.covered and found.approved
    for part in ("0.2 %", "method: counter deltas", "window: 28 days", "tags: API version", "resolution: one minute"):
        assert part in found.baseline
    assert "exclusions: synthetic probes" in found.baseline
    assert "0.5 percentage points" in found.threshold and "0.2 %" in found.threshold
    assert found.window == "30 minutes per client-adoption step"
    assert found.resolution == "1 minute"
    assert found.tags == ("API version", "client version")
    assert "failure-counter delta / attempt-counter delta * 100" in found.counters
    assert found.rollback and found.traffic_steps


@pytest.mark.parametrize(
    ("record", "policy", "lack"),
    [
        pytest.param(rollout(signals=[]), True, "signal", id="no-signal"),
        pytest.param(rollout(signals=[signal(covers=["GET /v1/other"])]), True, "signal", id="other-operation"),
        pytest.param(rollout(signals=[signal(retains=["response body"])]), True, "privacy", id="keeps-bodies"),
        pytest.param(rollout(signals=[signal(retains=["user id"])]), True, "privacy", id="keeps-persons"),
        pytest.param(rollout(signals=[signal(retains=["stack traces"])]), True, "privacy", id="keeps-internals"),
        pytest.param(rollout(signals=[signal(baseline=None)]), True, "baseline", id="no-baseline"),
        pytest.param(rollout(), False, "abort-threshold", id="no-margin"),
        pytest.param(rollout(), False, "observation-window", id="no-window"),
        pytest.param(rollout(separations=[]), True, "traffic-steps", id="no-mechanism"),
        pytest.param(rollout(rollback=None), True, "rollback-boundary", id="no-rollback"),
        pytest.param(rollout(signals=[signal(approved=False)]), True, "approval", id="not-approved"),
        pytest.param(None, True, "signal", id="no-record"),
    ],
)
@pytest.mark.req("W1D-007", "W1D-009", "W1M-001", "W1M-002", "W1M-003", "W1R-006", "W1R-007")
def test_each_lack_blocks(record: Any, policy: bool, lack: str) -> None:
    (found,) = control(record, specification_policy() if policy else None)
    assert lack in found.missing and not found.covered
    assert controls_frame([found]).loc[0, "traffic"] == "blocked"


@pytest.mark.req("W1M-014")
@pytest.mark.parametrize("known", [{"baseline": None}, {}], ids=["no baseline", "no policy"])
def test_no_number_without_evidence(known: dict[str, Any]) -> None:
    (found,) = control(rollout(signals=[signal(**known)]))
    printed = " ".join(str(value) for value in controls_frame([found]).iloc[0])
    assert not any(number in printed for number in NUMBERS)


@pytest.mark.req("W1M-014", "W1M-009")
def test_the_signals_own_margin_comes_first() -> None:
    (found,) = control(rollout(signals=[signal(abort_margin_percentage_points=0.1)]), specification_policy())
    assert "0.1 percentage points" in found.threshold


@pytest.mark.req("W1M-013")
def test_one_control_per_row_in_order() -> None:
    rows = [row(id=DeltaId(f"D-{number}")) for number in (3, 1, 2)]
    assert [found.delta_id for found in control(rollout(), specification_policy(), rows)] == ["D-3", "D-1", "D-2"]


def test_a_clean_signal_is_preferred_and_all_operations_are_needed() -> None:
    signals = [signal(name="bodies", retains=["bodies"]), signal(name="clean")]
    assert control(rollout(signals=signals), specification_policy())[0].signal == "clean"
    both = row(operations=("GET /v1/orders", "GET /v1/orders/{}"))
    one = rollout(signals=[signal(covers=["GET /v1/orders/{id}"])])
    assert "signal" in control(one, specification_policy(), [both])[0].missing
    assert "signal" not in control(one, specification_policy())[0].missing


@pytest.mark.req("W1M-011", "W1M-012")
def test_steps_and_rollback_come_from_the_path() -> None:
    (found,) = controls([ROW], rollout(), specification_policy(), None)
    assert {"traffic-steps", "rollback-boundary"} <= set(found.missing)


@pytest.mark.parametrize(
    ("window", "measured"),
    [
        ("2026-10-19 to 2026-11-15", True),
        ("2026-10-19 to 2026-11-20", True),
        ("the last four weeks", True),
        ("2026-12-01 to 2026-12-20", False),
        ("2026-10-19 to 2026-11-21", False),
        ("from 2026-11-01 until 2027-01-01", False),
        ("2026-12-20, back to 2026-10-19", False),
        ("2026-11-01/2026-11-30", False),
    ],
)
def test_a_baseline_that_ends_after_the_review_is_none(window: str, measured: bool) -> None:
    base = {"value_percent": 0.2, "method": "rate", "window": window, "tags": ["API version"],
            "resolution": "one minute", "exclusions": "none"}  # fmt: skip
    record, policy = rollout(signals=[signal(baseline=base)]), specification_policy()
    path = choose_path([ROW], policy, record, None)
    (found,) = controls([ROW], record, policy, path, "2026-11-20")
    assert ("baseline" not in found.missing) is measured
