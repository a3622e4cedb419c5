"""Only what the rollout record shows may be used or spoken of."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.evidence.records.review import Plan
from evreview.workflows.w1.policy.rollout_mechanisms import available, check_plan, mechanisms_frame, unsupported_words
from tests.rows import rollout

SELECTORS = {
    "percentage": "percentage",
    "cohort": "cohort",
    "client-identity": "client-identity",
    "feature-flag": "feature-flag",
}


def record(*kinds: str, **given: Any) -> Any:
    return rollout(selectors=[{"kind": kind, "name": kind, "selected_by": "header"} for kind in kinds], **given)


def plan(**given: Any) -> Plan:
    return Plan.model_validate({"path": "explicit version"} | given)


def migration(instruction: str) -> dict[str, str]:
    return {"client": "storefront", "instruction": instruction}


@pytest.mark.req("W1G-005", "W1R-003", "W1R-004")
@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("half of the users get /v2", "percentage"),
        ("one in ten requests", "percentage"),
        ("header X-Client selects", "client-identity"),
        ("header X-Client selects", "cohort"),
        ("beta users get /v2", "cohort"),
        ("kept behind a flag", "feature-flag"),
    ],
)
def test_a_selector_in_the_record_allows_its_words(step: str, kind: str) -> None:
    wanted = plan(traffic_steps=[step])
    assert check_plan(wanted, rollout()) != ()
    assert check_plan(wanted, record(kind)) == ()


SPOKEN = {
    "half of the users get /v2": ({"percentage"}, "no-such-mechanism"),
    "the beta cohort gets /v2": ({"cohort"}, "cohort-not-established"),
    "header X-Client selects": ({"cohort", "client-identity"}, "cohort-not-established"),
    "kept behind a flag": ({"feature-flag"}, "no-such-mechanism"),
}
"""What a step says, the selectors each of which allows it, and how it is refused without them."""


@pytest.mark.req("W1G-005", "W1R-003", "W1R-004")
@pytest.mark.parametrize("step", SPOKEN)
def test_other_selectors_do_not_allow_the_words(step: str) -> None:
    allowed, code = SPOKEN[step]
    wanted = plan(traffic_steps=[step])
    others = [kind for kind in SELECTORS if kind not in allowed]
    assert [refusal.code for refusal in check_plan(wanted, record(*others))] == [code]
    assert [check_plan(wanted, record(kind)) for kind in sorted(allowed)] == [()] * len(allowed)


@pytest.mark.req("W1R-001")
def test_routes() -> None:
    assert [mechanism.kind for mechanism in available(rollout())] == ["route-version", "deployment"]
    alone = rollout(separations=[{"name": "gateway", "separates": ["/v1"]}])
    assert [mechanism.kind for mechanism in available(alone)] == ["deployment"]
    assert available(rollout(separations=[], rollback=None)) == ()
    assert available(None) == ()


@pytest.mark.req("W1R-002")
def test_rollback_is_read() -> None:
    shown = available(rollout())[-1]
    assert (shown.name, shown.citation.locator) == ("previous route table", "#/rollback")
    other = available(rollout(rollback={"atomic": False, "boundary": "b", "evidence": "E12"}))[-1]
    assert other.detail != shown.detail
    assert "deployment" not in [mechanism.kind for mechanism in available(rollout(rollback=None))]


@pytest.mark.parametrize("kind", sorted(SELECTORS))
@pytest.mark.req("W1R-003", "W1R-004", "W1R-005", "W1I-015")
def test_selectors(kind: str) -> None:
    wanted = plan(mechanisms=[{"kind": kind, "name": kind}])
    assert check_plan(wanted, record(kind)) == ()
    assert check_plan(wanted, record()) != ()


@pytest.mark.parametrize(
    ("given", "shown", "codes"),
    [
        pytest.param({}, rollout(), [], id="versions"),
        pytest.param({"mechanisms": [{"kind": "route-version", "name": "Gateway"}]}, rollout(), [], id="gateway"),
        pytest.param(
            {"mechanisms": [{"kind": "route-version", "name": "edge"}]}, rollout(), ["no-such-mechanism"], id="edge"
        ),
        pytest.param(
            {"mechanisms": [{"kind": "cohort", "name": "beta"}]},
            rollout(),
            ["client-routing-needs-selector"],
            id="cohort-with-version-routing-only",
        ),
        pytest.param(
            {"mechanisms": [{"kind": "client-identity", "name": "id"}]},
            rollout(),
            ["client-routing-needs-selector"],
            id="client-with-version-routing-only",
        ),
        pytest.param(
            {"mechanisms": [{"kind": "feature-flag", "name": "f"}]}, rollout(), ["no-such-mechanism"], id="flag"
        ),
        pytest.param(
            {"mechanisms": [{"kind": "deployment", "name": "previous route table"}]}, rollout(), [], id="deployment"
        ),
        pytest.param({}, rollout(separations=[]), ["no-such-mechanism"], id="no-version-routing"),
        pytest.param({}, None, ["no-rollout-record"], id="no-record"),
        pytest.param({"path": "rejection"}, None, [], id="rejection-needs-nothing"),
        pytest.param({"rollback": "previous route table"}, rollout(), [], id="rollback"),
        pytest.param({"rollback": "other"}, rollout(), ["rollback-not-named"], id="rollback-name"),
        pytest.param({"rollback": "previous route table"}, rollout(rollback=None), ["no-rollback"], id="no-rollback"),
        pytest.param(
            {"rollback": "b"},
            rollout(rollback={"atomic": True, "boundary": "b"}),
            ["rollback-not-evidenced"],
            id="rollback-without-evidence",
        ),
        pytest.param({"traffic_steps": ["5 % canary"]}, rollout(), ["no-such-mechanism"], id="percent-step"),
        pytest.param({"traffic_steps": ["the beta cohort"]}, rollout(), ["cohort-not-established"], id="cohort-step"),
        pytest.param({"traffic_steps": ["open /v2"]}, rollout(), [], id="plain-step"),
        pytest.param({"traffic_steps": ["/v3 is opened"]}, rollout(), ["no-such-route"], id="other-route"),
        pytest.param(
            {"traffic_steps": ["half of the storefront users get /v3 first"]},
            rollout(),
            ["no-such-mechanism", "no-such-route"],
            id="half-to-another-route",
        ),
        pytest.param(
            {"traffic_steps": ["one in ten requests goes to /v2"]}, rollout(), ["no-such-mechanism"], id="one-in-ten"
        ),
        pytest.param(
            {"traffic_steps": ["header X-Client selects"]}, rollout(), ["cohort-not-established"], id="by-header"
        ),
        pytest.param({"migrations": [migration("then request /v2")]}, rollout(), [], id="plain-migration"),
        pytest.param({"migrations": [migration("request /v3")]}, rollout(), ["no-such-route"], id="migration-route"),
        pytest.param(
            {"migrations": [migration("Route 10% of storefront users to /v2 by client id")]},
            rollout(),
            ["no-such-mechanism", "cohort-not-established"],
            id="migration-of-a-share",
        ),
        pytest.param(
            {"rollback": "send half of the users back to /v0"},
            rollout(),
            ["no-such-mechanism", "no-such-route", "rollback-not-named"],
            id="rollback-of-a-share",
        ),
    ],
)
@pytest.mark.req("W1D-005", "W1G-004", "W1I-015", "W1M-011", "W1M-012")
def test_plans(given: Any, shown: Any, codes: list[str]) -> None:
    assert [refusal.code for refusal in check_plan(plan(**given), shown)] == codes


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a canary of 5 %", ["percentage"]),
        ("the pilot cohort", ["cohort"]),
        ("10 percent of callers", ["percentage"]),
        ("route per client", ["client-identity"]),
        ("open /v2 beside /v1", []),
    ],
)
@pytest.mark.req("W1G-005")
def test_words_need_evidence(text: str, kinds: list[str]) -> None:
    assert list(unsupported_words(text, rollout())) == kinds
    assert unsupported_words(text, record(*SELECTORS)) == ()


def test_frame() -> None:
    assert list(mechanisms_frame(rollout())["kind"]) == ["route-version", "deployment"]
    assert mechanisms_frame(None).empty
