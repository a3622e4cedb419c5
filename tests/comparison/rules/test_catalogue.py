"""The catalogue as data: every rule fires on its example, on nothing else, and has its mirror."""

from __future__ import annotations

import re

import pytest

from evreview.comparison.rules.example import pair
from evreview.comparison.rules.rule import Rule
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Direction, ProofStatus, Tristate, Verdict
from evreview.kinds import rule_catalogue
from evreview.kinds.compare import diff_contracts
from evreview.kinds.registry import spec_of
from evreview.kinds.rule_catalogue import CATALOGUE
from tests.all_cases import all_cases
from tests.pipeline import shown, written

WITHOUT_MIRROR = {
    "request-security-relaxed": "OpenAPI does not say how the producer proves itself to the receiver of a webhook",
    "request-security-tightened": "OpenAPI does not say how the producer proves itself to the receiver of a webhook",
}
OPPOSITE = {Verdict.BREAKING: Verdict.COMPATIBLE, Verdict.COMPATIBLE: Verdict.BREAKING}
DECIDED = (ProofStatus.WITNESSED, ProofStatus.PROVED)
IDS = [rule.id for rule in CATALOGUE]
every_rule = all_cases(CATALOGUE, name=lambda rule: rule.id)


def fired(rule: Rule, *, counter: bool = False) -> set[str | None]:
    released, candidate = pair(rule.counter_example if counter else rule.example)
    return {
        spec_of(delta.kind).classify(delta).rule
        for delta in diff_contracts(written(*released), written(*candidate)).deltas
    }


def test_ids_are_unique_kebab_case() -> None:
    assert len(set(IDS)) == len(IDS)
    assert [name for name in IDS if not re.fullmatch(r"[a-z]+(-[a-z]+)+|deprecated", name)] == []


@every_rule
def test_example_fires_exactly_this_rule(rule: Rule) -> None:
    assert fired(rule) == {rule.id}


@every_rule
def test_counter_example_fires_another_rule_only(rule: Rule) -> None:
    found = fired(rule, counter=True)
    assert found and rule.id not in found


@every_rule
def test_a_contract_against_itself_fires_nothing(rule: Rule) -> None:
    for one in pair(rule.example):
        assert diff_contracts(written(*one), written(*one)).deltas == ()


@every_rule
def test_the_whole_pipeline_agrees_with_the_rule(rule: Rule) -> None:
    """Rules are written so that no proof overrules their own example; it may decide what a rule leaves open."""
    rows = shown(rule.example).rows
    assert {row.judgement.rule for row in rows} == {rule.id}
    open_rows = [row for row in rows if rule.verdict is Verdict.UNKNOWN and row.proof.status in DECIDED]
    assert {row.judgement.verdict for row in rows if row not in open_rows} <= {rule.verdict}


@every_rule
def test_every_rule_is_explained(rule: Rule) -> None:
    assert rule.title and rule.why.endswith(".") and rule.reference
    assert "  " not in rule.why


def test_answers_follow_the_verdict() -> None:
    expected = {Verdict.BREAKING: Tristate.NO, Verdict.COMPATIBLE: Tristate.YES, Verdict.UNKNOWN: Tristate.UNKNOWN}
    for rule in CATALOGUE:
        given = {rule.accepts_old_requests, rule.emits_old_compatible} - {Tristate.NOT_APPLICABLE}
        # Without a direction both questions are asked, and what breaks one of them breaks.
        assert expected[rule.verdict] in given, rule.id
        # What leaves one of them open is unknown, unless the other one breaks.
        weaker = {Verdict.BREAKING: {*Tristate}, Verdict.UNKNOWN: {Tristate.YES, Tristate.UNKNOWN}}
        assert given <= weaker.get(rule.verdict, {expected[rule.verdict]}), rule.id
        if rule.direction is Direction.READ:
            assert rule.emits_old_compatible is Tristate.NOT_APPLICABLE, rule.id
        if rule.direction is Direction.WRITTEN:
            assert rule.accepts_old_requests is Tristate.NOT_APPLICABLE, rule.id


def test_directional_rules_have_their_mirror() -> None:
    alone = {rule.id for rule in CATALOGUE if rule.mirror and rule.mirror not in IDS}
    assert alone == set(WITHOUT_MIRROR), "a missing mirror needs a reason here, a stale reason has to go"


def test_mirrored_verdicts_are_opposite_unless_values_were_replaced() -> None:
    by_id = {rule.id: rule for rule in CATALOGUE}
    for rule in CATALOGUE:
        other = by_id.get(rule.mirror)  # type: ignore[call-overload]
        open_ = other is not None and Verdict.UNKNOWN in (rule.verdict, other.verdict)
        if other is not None and not open_ and not rule.id.endswith(("-changed", "-rephrased")):
            assert other.verdict is OPPOSITE[rule.verdict], rule.id


def test_replaced_rules_name_living_ones() -> None:
    for rule in CATALOGUE:
        assert set(rule.replaced_by) <= set(IDS) - {rule.id}


def test_an_unknown_id_is_a_problem_of_the_user() -> None:
    with pytest.raises(BadInput) as caught:
        rule_catalogue.rule("no-such-rule")
    assert [problem.code for problem in caught.value.problems] == ["rule-unknown"]
