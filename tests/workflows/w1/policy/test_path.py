"""The path fits the rows and uses existing mechanisms only."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Change, VersionPath
from evreview.evidence.records.review import Plan
from evreview.workflows.w1.policy.version_path import choose_path
from tests.rows import rollout, row, specification_policy

ADDED = row(verdict="compatible", change=Change.ADDED)
COMPATIBLE = row(verdict="compatible")
UNKNOWN = row(verdict="unknown")
BREAKING = row()
REMOVED = row(change=Change.REMOVED)
NO_ROUTES = rollout(separations=[])


@pytest.mark.parametrize(
    ("rows", "shown", "removal", "path"),
    [
        pytest.param([], rollout(), False, VersionPath.IN_PLACE, id="no-rows"),
        pytest.param([COMPATIBLE], None, False, VersionPath.IN_PLACE, id="compatible"),
        pytest.param([ADDED], None, False, VersionPath.ADDITIVE, id="additions"),
        pytest.param([ADDED, COMPATIBLE], None, False, VersionPath.IN_PLACE, id="mixed"),
        pytest.param([BREAKING], rollout(), False, VersionPath.EXPLICIT_VERSION, id="breaking"),
        pytest.param([UNKNOWN], rollout(), False, VersionPath.EXPLICIT_VERSION, id="unknown-is-not-compatible"),
        pytest.param([BREAKING], NO_ROUTES, False, VersionPath.REJECTION, id="nothing-separates"),
        pytest.param([BREAKING], None, False, VersionPath.REJECTION, id="no-record"),
        pytest.param([REMOVED, ADDED], NO_ROUTES, True, VersionPath.DEPRECATION_WINDOW, id="removal-asked"),
        pytest.param([REMOVED], NO_ROUTES, False, VersionPath.REJECTION, id="removal-not-asked"),
        pytest.param([REMOVED, BREAKING], rollout(), True, VersionPath.EXPLICIT_VERSION, id="removal-and-more"),
    ],
)
@pytest.mark.req("W1S-019", "W1D-003")
def test_proposed(rows: Any, shown: Any, removal: bool, path: VersionPath) -> None:
    choice = choose_path(rows, specification_policy(), shown, None, removal)
    assert (choice.path, choice.proposed_by, choice.refusals) == (path, "evreview", ())
    assert choice.supported is (path is not VersionPath.REJECTION)


@pytest.mark.req("W1D-005", "W1R-004")
def test_a_plan_with_a_cohort_is_refused() -> None:
    plan = Plan.model_validate(
        {
            "path": "explicit version",
            "mechanisms": [{"kind": "cohort", "name": "beta"}],
            "traffic_steps": ["beta cohort"],
        }
    )
    choice = choose_path([BREAKING], None, rollout(), plan)
    assert [refusal.code for refusal in choice.refusals] == ["client-routing-needs-selector", "cohort-not-established"]
    assert choice.mechanisms == () and choice.traffic_steps == () and not choice.supported


@pytest.mark.parametrize("path", ["in-place compatibility", "additive transition"])
@pytest.mark.req("W1D-003")
def test_a_plan_that_keeps_the_shape_does_not_fit_breaking_rows(path: str) -> None:
    plan = Plan.model_validate({"path": path})
    assert choose_path([BREAKING], None, rollout(), plan).objections
    assert not choose_path([COMPATIBLE], None, rollout(), plan).objections


@pytest.mark.req("W1G-006")
def test_the_released_form_is_retained() -> None:
    choice = choose_path([BREAKING], specification_policy(), rollout(), None)
    assert "old handler" in choice.retention and "gates" in choice.retention
    assert any("Adoption evidence" in needed for needed in choice.exit_evidence)
    assert choice.rollback.startswith("previous route table")
    assert choose_path([BREAKING], None, rollout(rollback=None), None).rollback == ""


def test_windows_come_from_plan_or_policy() -> None:
    policy = specification_policy(support_window_days=90)
    plan = Plan.model_validate({"path": "explicit version", "support_window": "one year"})
    assert choose_path([BREAKING], policy, rollout(), None).support_window == "90 days"
    assert choose_path([BREAKING], policy, rollout(), plan).support_window == "one year"
    bare = choose_path([BREAKING], None, rollout(), None)
    assert (bare.support_window, bare.notice) == ("", "")
    assert choose_path([BREAKING], policy, rollout(), None).notice == "30 days"


@pytest.mark.req("W1I-009", "W1G-006")
@pytest.mark.parametrize(
    ("window", "fits"),
    [
        ("/v1 stays available for 5 days", False),
        ("89 days", False),
        ("90 days after /v2 is opened", True),
        ("3 months", True),
        ("12 weeks", False),
        ("one year", True),
        ("until /v1 is retired", True),
    ],
)
def test_a_window_shorter_than_the_policys_does_not_fit(window: str, fits: bool) -> None:
    plan = Plan.model_validate({"path": "explicit version", "support_window": window})
    choice = choose_path([BREAKING], specification_policy(support_window_days=90), rollout(), plan)
    assert (not choice.objections, choice.supported) == (fits, fits)
    assert choose_path([BREAKING], specification_policy(), rollout(), plan).objections == ()
