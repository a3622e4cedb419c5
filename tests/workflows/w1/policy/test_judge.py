"""The specification's example policy, as evidence, judges as the specification says; without it nothing does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, DeltaId, Direction, Tristate, Unrated, VersionPath
from evreview.evidence.records.compatibility import Policy
from evreview.workflows.w1.policy.judgement import exits, judge, judgements_frame, standing_blocks
from tests.rows import ESTIMATE, PROBLEM, cited, row, specification_policy

ENUM_ID = DeltaId("D-000000000001")


@dataclass(frozen=True)
class Facts:
    contract_incompatible: Tristate = Tristate.NO
    executed: Any = "none"
    released: bool = True
    adopted: bool = False
    delta_id: DeltaId = ENUM_ID


@dataclass(frozen=True)
class Unlisted:
    open: bool = False

    def open_for(self, delta_id: DeltaId) -> bool:
        return self.open


DECLARED = Facts(contract_incompatible=Tristate.YES)
FAILED = Facts(executed="failed")
DISPROVED = Facts(contract_incompatible=Tristate.YES, executed="passed")
CONTENT = row(PROBLEM, aspect=Aspect.CONTENT_TYPES)
ERRORS = row(PROBLEM, aspect=Aspect.ERRORS, facts={"base_aspect": "content-types"})
NULLABLE = row(facts={"required": True})
ENUM = row(aspect=Aspect.ENUMS)


@pytest.mark.parametrize(
    ("changed", "rules", "classification", "blocks", "ways"),
    [
        pytest.param(
            CONTENT, ("error-content-type",), "consumer-breaking", ("in-place release",), "safely versioned", id="error"
        ),
        pytest.param(
            ERRORS, ("error-content-type",), "consumer-breaking", ("in-place release",), "safely versioned", id="base"
        ),
        pytest.param(
            NULLABLE,
            ("required-response-field-nullable",),
            "consumer-breaking",
            ("in-place release",),
            "compatibility window",
            id="nullable",
        ),
        pytest.param(row(facts={"required": False}), (), None, (), "", id="optional-field"),
        pytest.param(row(direction=Direction.READ, facts={"required": True}), (), None, (), "", id="request-field"),
        pytest.param(row(aspect=Aspect.CONTENT_TYPES), (), None, (), "", id="success-content-type"),
        pytest.param(ENUM, (), None, (), "", id="enum"),
    ],
)
@pytest.mark.req("W1Y-001", "W1Y-002")
def test_rows_alone(changed: Any, rules: Any, classification: Any, blocks: Any, ways: str) -> None:
    found = judge(changed, (), Unlisted(), specification_policy())
    assert found.matched == rules
    assert found.classification == classification
    assert tuple(block.what for block in found.blocks) == blocks
    assert not ways or ways in found.closes_by
    assert found.severity is None


@pytest.mark.parametrize(
    ("facts", "unlisted", "severity", "rule", "blocks"),
    [
        pytest.param([DECLARED], False, "Medium", "known-client-incompatible", 1, id="declared"),
        pytest.param([FAILED], False, "High", "known-client-failure", 1, id="executed"),
        pytest.param([DECLARED, FAILED], False, "High", "known-client-failure", 2, id="gravest-wins"),
        pytest.param([DISPROVED], False, None, None, 0, id="disproved"),
        pytest.param([Facts(executed="failed", released=False)], False, None, None, 0, id="not-released"),
        pytest.param([Facts(contract_incompatible=Tristate.UNKNOWN)], False, None, None, 0, id="unknown-is-no-claim"),
        pytest.param([], True, "Medium", "unknown-consumers", 0, id="unlisted"),
        pytest.param([FAILED], True, "High", "known-client-failure", 1, id="failure-beside-unlisted"),
        pytest.param([], False, None, None, 0, id="usage-closes"),
        pytest.param([Facts(executed="failed", delta_id=DeltaId("D-2"))], False, None, None, 0, id="other-row"),
    ],
)
@pytest.mark.req("W1Y-003", "W1Y-004", "W1Y-005", "W1Y-006")
def test_client_evidence(facts: Any, unlisted: bool, severity: Any, rule: Any, blocks: int) -> None:
    found = judge(ENUM, facts, Unlisted(unlisted), specification_policy())
    assert (found.severity, found.rule_id, len(found.blocks)) == (severity, rule, blocks)
    if severity:
        assert found.quoted in {rule.text for rule in specification_policy().record.rules}
        assert str(found.citation).startswith("E5#/rules/")
        assert found.disposition


@pytest.mark.parametrize(
    ("facts", "path", "stands"),
    [
        pytest.param(DECLARED, None, True, id="nothing"),
        pytest.param(DECLARED, VersionPath.IN_PLACE, True, id="in-place"),
        pytest.param(DECLARED, VersionPath.EXPLICIT_VERSION, False, id="safely-versioned"),
        pytest.param(DECLARED, VersionPath.DEPRECATION_WINDOW, True, id="a-window-is-no-exit-of-this-rule"),
        pytest.param(DISPROVED, None, False, id="disproved"),
        pytest.param(FAILED, VersionPath.IN_PLACE, True, id="failure-in-place"),
        pytest.param(FAILED, VersionPath.EXPLICIT_VERSION, False, id="failure-versioned"),
    ],
)
@pytest.mark.req("W1Y-004", "W1Y-005")
def test_exits(facts: Facts, path: VersionPath | None, stands: bool) -> None:
    found = judge(ENUM, [facts], Unlisted(), specification_policy())
    ways = exits(ENUM.delta.id, [facts], Unlisted(), path)
    assert bool(standing_blocks(found, ways)) is stands


@pytest.mark.req("W1Y-004")
def test_each_exit_of_the_rule_ends_its_block() -> None:
    found = judge(ENUM, [DECLARED], Unlisted(), specification_policy())
    for way in ("removed", "safely versioned", "retained parser execution"):
        assert standing_blocks(found, frozenset({way})) == ()
    assert standing_blocks(found, frozenset({"usage evidence"})) == found.blocks


@pytest.mark.req("W1Y-004", "W1Y-005", "W1Y-006")
def test_exits_are_those_of_the_rated_rule() -> None:
    found = judge(NULLABLE, [DECLARED, FAILED], Unlisted(True), specification_policy())
    assert found.rule_id == "known-client-failure" and len(found.matched) == 4
    assert found.closes_by == ("removed", "safely versioned")
    assert {block.rule_id: block.closes_by for block in found.blocks} == {
        "required-response-field-nullable": ("safely versioned", "compatibility window"),
        "known-client-incompatible": ("removed", "safely versioned", "retained parser execution"),
        "known-client-failure": ("removed", "safely versioned"),
    }
    assert judge(ENUM, [], Unlisted(True), specification_policy()).closes_by == ("usage evidence", "migration evidence")


def test_one_failure_is_not_hidden_by_another_pass() -> None:
    ways = exits(ENUM.delta.id, [FAILED, DISPROVED], Unlisted(), None)
    assert "retained parser execution" not in ways


@pytest.mark.req("W1I-008", "W1I-011")
def test_no_policy_no_severity() -> None:
    found = judge(NULLABLE, [FAILED], Unlisted(True), None)
    assert (found.severity, found.blocks, found.citation) == (None, (), None)
    assert found.severity_text == Unrated.NO_RUBRIC
    bare = cited(Policy.model_validate({"policy_version": "1", "surface": "all"}))
    assert judge(NULLABLE, [FAILED], Unlisted(True), bare).severity is None


@pytest.mark.parametrize(
    ("facts", "severity", "disposition"),
    [
        ([FAILED], "High", "hold it"),
        ([DECLARED], "Medium", "let it wait"),
        ([Facts(contract_incompatible=Tristate.UNKNOWN)], None, None),
    ],
)
@pytest.mark.req("W1I-011")
def test_each_severity_has_the_disposition_that_the_policy_states_for_it(
    facts: Any, severity: str | None, disposition: str | None
) -> None:
    stated = specification_policy(disposition_per_severity={"High": "hold it", "Medium": "let it wait"})
    found = judge(ENUM, facts, Unlisted(), stated)
    assert (found.severity, found.disposition) == (severity, disposition)
    silent = judge(ENUM, facts, Unlisted(), specification_policy(disposition_per_severity={}))
    assert (silent.severity, silent.disposition) == (severity, None)


def test_severities_come_from_the_policy_alone() -> None:
    rules = [{"id": "r", "text": "t", "when": {"client_evidence": "executed-failure"}, "severity": "Sev-1"}]
    found = judge(ENUM, [FAILED], Unlisted(), specification_policy(rules=rules, severities=["Sev-1"]))
    assert found.severity == "Sev-1"


@pytest.mark.parametrize(
    ("when", "applies"),
    [
        ({"aspects": ["nullability"]}, True),
        ({"aspects": ["enums"]}, False),
        ({"changes": ["changed"]}, True),
        ({"changes": ["added"]}, False),
        ({"roles": ["response"]}, True),
        ({"roles": ["request"]}, False),
        ({"rules": ["some-rule"]}, True),
        ({"rules": ["other-rule"]}, False),
        ({"verdicts": ["breaking"]}, True),
        ({"verdicts": ["compatible"]}, False),
        ({"in_error": False}, True),
        ({"in_error": True}, False),
        ({"required": True}, True),
        ({"required": False}, False),
        ({"emits_old_compatible": "no"}, True),
        ({"emits_old_compatible": "yes"}, False),
        ({"accepts_old_requests": "n/a"}, True),
        ({"accepts_old_requests": "no"}, False),
        ({"client_evidence": "executed-failure"}, False),
        ({}, True),
        ({"aspects": ["nullability"], "roles": ["request"]}, False),
    ],
)
def test_every_condition(when: dict[str, Any], applies: bool) -> None:
    policy = specification_policy(rules=[{"id": "r", "text": "t", "when": when, "severity": "High"}])
    assert (judge(NULLABLE, (), Unlisted(), policy).severity == "High") is applies


def test_frame_columns() -> None:
    frame = judgements_frame([judge(NULLABLE, [FAILED], Unlisted(), specification_policy())])
    assert frame.loc[0, "severity"] == "High"
    assert frame.loc[0, "delta_id"] == NULLABLE.delta.id
    assert NULLABLE.delta.address == ESTIMATE
