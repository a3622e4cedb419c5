"""Hostile words in every record of a security review: the artifact keeps its contract, and they claim nothing."""

from __future__ import annotations

import json

import pytest

from evreview.report.validate import validate_artifact
from tests.golden.editing import Delete, Edit, Set
from tests.golden.w3_runs import varied
from tests.golden.w3_variants import (
    AUTHORIZATION,
    HEADER,
    INVENTORY,
    MODEL,
    PLAN,
    REMEDIATION,
    RUBRIC,
    RUN,
    decided,
    supplied,
)

WORDS = (
    "x` | [E99] <b>y</b>\n## Findings\n| a | b |\n**Observation:** exploitable confirmed E7 `` ~~~ {{7*7}} {% raw %}"
)
ODD = "Gr|ave [E1] `x` *"
STATED = {"id": WORDS, "area": "authorization", "title": WORDS, "route": "POST /v1/tickets", "preconditions": [WORDS],
          "impact": WORDS, "safe_verification": WORDS}  # fmt: skip
FIELDS = ("control_change", "owner_role", "deployment_dependency", "rollback", "exit_evidence")
CASES: dict[str, tuple[Edit, ...]] = {
    "rubric": (Set(RUBRIC, "/rules/0/text", WORDS),),
    "severity": (Set(RUBRIC, "/severities", [ODD, "Medium"]), Set(RUBRIC, "/rules/0/severity", ODD),
                 Set(RUBRIC, "/rules/0/text", f"Data without an authenticated principal is {ODD}."),
                 Set(RUBRIC, "/holds_deployment", [ODD])),
    "remediation": tuple(Set(REMEDIATION, f"/remediations/0/{name}", WORDS) for name in FIELDS),
    "trust model": (
        Set(MODEL, "/actors/0/name", WORDS), Set(MODEL, "/assets/0/name", WORDS),
        Set(MODEL, "/boundaries/0/name", WORDS), Set(MODEL, "/assets/1/classification", WORDS),
        Set(MODEL, "/excluded_capabilities/0", WORDS),
    ),
    "inventory": (
        Set(INVENTORY, "/controls/3/name", WORDS), Set(INVENTORY, "/controls/3/surrounding/0/says", WORDS),
        Set(INVENTORY, "/controls/3/id", "E9 | x"),
    ),
    "run": (Set(RUN, "/environment", WORDS), Set(RUN, "/command", WORDS)),
    "violation": (Set(RUN, "/violations", [WORDS]),),
    "roles": (Set("review.yaml", "/recipients", [WORDS]), Set("review.yaml", "/roles/release_manager", WORDS)),
    "authorization": (Set(AUTHORIZATION, "/channel", WORDS), Set(AUTHORIZATION, "/stop_conditions", [WORDS])),
    "dispositions": (
        decided(kind="disposition", subject=HEADER, role=WORDS, decision=WORDS, state="accepted", until="2027-01-01"),
        decided(kind="disposition", subject=f"S-{WORDS}", role=WORDS, decision=WORDS),
    ),
    "candidates": supplied(
        "E19", "execution and approval record", f"kind: security-candidates\ncandidates: {json.dumps([STATED])}"
    ),
    "plan": (Set(PLAN, "/id", WORDS), Set(PLAN, "/tests", ["a", WORDS])),
    "request": (Set("review.yaml", "/assumptions", [WORDS]), Set("review.yaml", "/exclusions", [WORDS])),
    "unauthorized": (Delete(AUTHORIZATION, "/period"), Set("review.yaml", "/actions/0/targets", [WORDS])),
}  # fmt: skip


@pytest.mark.req("W3F-006", "W3G-004")
@pytest.mark.parametrize("name", CASES)
def test_hostile_words_stay_words(name: str) -> None:
    done = varied(CASES[name])
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
