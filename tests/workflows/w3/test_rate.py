"""Severity: only from the rubric, with its words and place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area, EvidenceType, Unrated
from evreview.evidence.records.security import SeverityRubric
from evreview.workflows.w3.model import Disposition, Inventory, InventoryGap, InventoryGapKind, State
from evreview.workflows.w3.validation import unverified_controls
from tests.workflows.w3.made import bundle, candidate
from tests.workflows.w3.rated import BASE, INVENTORY, NO_PRINCIPAL, RUBRIC, UNTESTED, rated, run


@pytest.mark.req("W3Y-001", "W3S-020", "W3I-026")
def test_the_gravest_rule_that_applies_is_quoted_and_cited() -> None:
    (found,) = rated(bundle(BASE))
    assert (found.severity, plain(found.severity_why)) == ("High", NO_PRINCIPAL["text"])
    assert "E2#/rules/2" in map(str, found.citations)
    assert found.disposition is Disposition.BLOCKING and found.blocks


@pytest.mark.parametrize(
    "changes",
    [{"asset": "A-OTHER"}, {"attacker": ""}, {"area": Area.LOGGING}, {"state": State.HYPOTHESIS}],
    ids=lambda each: next(iter(each)),
)
def test_a_condition_that_does_not_hold_leaves_the_next_rule(changes: dict[str, Any]) -> None:
    (found,) = rated(bundle(BASE), [candidate(**changes)])
    assert found.severity == "Low" and found.disposition is Disposition.OPEN and not found.blocks


@pytest.mark.req("W3D-007")
@pytest.mark.parametrize("named", [[], ["Medium"]])
def test_what_is_called_high_holds_whatever_the_rubric_names(named: list[str]) -> None:
    rule = {name: value for name, value in NO_PRINCIPAL.items() if name != "blocks_deployment"}
    values = {"policy_version": "1", "severities": ["HIGH", "Medium"], "rules": [rule | {"severity": "HIGH"}]}
    rubric = SeverityRubric.model_validate(values | {"holds_deployment": named})
    (found,) = rated(bundle([BASE[0], (EvidenceType.POLICY, rubric)]))
    assert found.disposition is Disposition.OPEN and found.blocks


@pytest.mark.req("W3F-018", "W3S-021")
def test_without_a_rubric_nothing_is_rated_and_the_impact_stays() -> None:
    (found,) = rated(bundle())
    assert found.severity == "not rated (no rubric)"
    assert plain(found.candidate.impact_inferred) and not found.blocks


@pytest.mark.req("W3F-018")
def test_a_rubric_without_a_fitting_rule_rates_nothing() -> None:
    rubric = RUBRIC.model_copy(update={"rules": RUBRIC.rules[1:]})
    (found,) = rated(bundle([(EvidenceType.POLICY, rubric)]), [candidate(area=Area.LOGGING)])
    assert found.severity == Unrated.NO_RULE


LACKING = Inventory(
    cells=(),
    gaps=(
        InventoryGap(
            control="C-ROLE", area=Area.AUTHORIZATION,
 lacks=InventoryGapKind.NEGATIVE_TESTS,
 request=("a test",),
 citations=(),
            decides=False,
        ),
    ),
)  # fmt: skip


@pytest.mark.req("W3Y-002")
def test_a_control_without_negative_test_is_medium_while_it_is_unverified() -> None:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY)])
    (about,) = unverified_controls(LACKING, made)
    (found,) = rated(made, [about])
    assert (found.severity, found.candidate.state) == ("Medium", State.HYPOTHESIS)
    assert plain(found.severity_why) == UNTESTED["text"]
    tested = rated(bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run()]), [about])
    assert tested[0].severity == "Low"


UNVERIFYING = {
    "another revision": run(revision="f" * 40),
    "not isolated": run(isolated=False),
    "no environment": run(environment=None),
    "no command": run(command=None),
    "failed": run("failed"),
    "no exit status": run(exit_status=None),
    "a test of another name": tuple(
        (kind, body.replace("test_refused", "test_allowed") if isinstance(body, str) else body) for kind, body in run()
    ),
    "nothing retained": (),
}  # fmt: skip


@pytest.mark.req("W3Y-002")
@pytest.mark.parametrize("name", UNVERIFYING)
def test_a_run_that_does_not_verify_the_control_leaves_it_medium(name: str) -> None:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *UNVERIFYING[name]])
    (found,) = rated(made, unverified_controls(LACKING, made))
    assert found.severity == "Medium"


@pytest.mark.req("W3Y-002")
def test_a_passed_negative_test_of_another_control_verifies_nothing_here() -> None:
    bare = INVENTORY.controls[0].model_copy(update={"negative_tests": ()})
    tested = INVENTORY.controls[0].model_copy(update={"id": "C-OTHER"})
    both = INVENTORY.model_copy(update={"controls": (bare, tested)})
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, both), *run()])
    (found,) = rated(made, unverified_controls(LACKING, made))
    assert found.severity == "Medium"


def test_a_gap_that_decides_or_a_control_that_is_not_sensitive_gives_no_finding() -> None:
    made = bundle([(EvidenceType.TEST_INVENTORY, INVENTORY)])
    assert unverified_controls(replace(LACKING, gaps=(replace(LACKING.gaps[0], decides=True),)), made) == ()
    plain_one = INVENTORY.controls[0].model_copy(update={"sensitive": False})
    made = bundle([(EvidenceType.TEST_INVENTORY, INVENTORY.model_copy(update={"controls": (plain_one,)}))])
    assert unverified_controls(LACKING, made) == ()


def rubric_of(
    *rules: dict[str, Any], severities: tuple[str, ...] = ("Critical", "High", "Medium", "Low"), **more: Any
) -> SeverityRubric:
    stated = [{"id": f"R-{place}", "text": f"rule {place}", **rule} for place, rule in enumerate(rules)]
    return SeverityRubric.model_validate({"policy_version": "1", "severities": severities, "rules": stated, **more})


ANYTHING_HIGH = rubric_of({"severity": "High", "blocks_deployment": True})
OWN_WORDS = rubric_of(
    {"severity": "P1"}, {"severity": "P3"}, severities=("P0", "P1", "P2", "P3"), holds_deployment=["P1"]
)
GRAVEST = rubric_of(
    {"severity": "Severe", "when": {"kinds": ["caller-controlled-decision"]}}, severities=("Severe", "Mild")
)
NAMED = rubric_of({"severity": "High", "when": {"states": ["hypothesis"]}}, {"severity": "Medium"})
LOW_BLOCKS = rubric_of({"severity": "Low", "blocks_deployment": True})
CRITICAL = rubric_of({"severity": "CRITICAL", "when": {"areas": ["authorization"]}}, severities=("CRITICAL", "Medium"))
CAPPED = [
    (ANYTHING_HIGH, Unrated.UNVERIFIED, "High"),
    (OWN_WORDS, "P3", "P1"),
    (GRAVEST, Unrated.UNVERIFIED, "Severe"),
    (NAMED, "Medium", "Medium"),
    (LOW_BLOCKS, "Low", "Low"),
    (CRITICAL, Unrated.UNVERIFIED, "CRITICAL"),
    (rubric_of({"severity": "Medium"}, severities=("Medium", "Low")), "Medium", "Medium"),
]


@pytest.mark.parametrize(("rubric", "suspected", "supported"), CAPPED)
def test_a_hypothesis_holds_nothing_whatever_the_rubric_says(
    rubric: SeverityRubric, suspected: str, supported: str
) -> None:
    made = bundle([BASE[0], (EvidenceType.POLICY, rubric)])
    (guess,) = rated(made, [candidate(state=State.HYPOTHESIS)])
    (shown,) = rated(made, [candidate(state=State.SUPPORTED)])
    assert (guess.severity, guess.blocks, guess.disposition) == (suspected, False, Disposition.OPEN)
    assert shown.severity == supported


@pytest.mark.parametrize("rubric", [ANYTHING_HIGH, OWN_WORDS, LOW_BLOCKS, CRITICAL])
def test_what_would_hold_if_it_were_supported_is_not_told_as_clear(rubric: SeverityRubric) -> None:
    made = bundle([BASE[0], (EvidenceType.POLICY, rubric)])
    (guess,) = rated(made, [candidate(state=State.HYPOTHESIS)])
    (shown,) = rated(made, [candidate(state=State.SUPPORTED)])
    assert guess.undecided and shown.blocks
