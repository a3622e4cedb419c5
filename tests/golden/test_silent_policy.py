"""A break that the policy says nothing about is named in Scope and in the headline; only a permission ends with 0."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import ExitStatus
from evreview.report.validate import validate_artifact
from evreview.workflows.engine.conclusions import DecisionState
from evreview.workflows.session import Review
from tests.golden.answers import LEDGER_OWNER, RELEASE_MANAGER, SHIP_ONLY
from tests.golden.editing import Delete, Edit, Set
from tests.golden.runs import finished, section, varied
from tests.golden.unpermitted import UNPERMITTED
from tests.golden.variants import VARIANTS

POLICY = "policy/compatibility-policy.yaml"
ASSESS = (
    Set("review.yaml", "/asks", ["assess"]),
    Delete("review.yaml", "/removals"),
    Set("decisions.yaml", "/decisions", []),
)
SILENT = Set(POLICY, "/rules", [])
NO_DISPOSITION = Delete(POLICY, "/disposition_per_severity")
SILENT_ON_ENUMS = Delete(POLICY, "/rules/unknown-consumers")


def unruled(done: Review) -> set[str]:
    return {str(row.delta.id) for row in done.facts.unruled}  # type: ignore[union-attr]


@pytest.mark.parametrize("edits", [(SILENT, *ASSESS), (SILENT, NO_DISPOSITION, *ASSESS), (SILENT_ON_ENUMS, *ASSESS)])
def test_an_assessment_of_a_proved_break_names_it_and_does_not_end_with_0(edits: tuple[Edit, ...]) -> None:
    done = varied(edits)
    assert done.exit_status == ExitStatus.BLOCKED and unruled(done)
    assert {name for name in unruled(done) if name in section(done.artifact, "Scope")} == unruled(done)
    assert str(len(unruled(done))) in done.decision.headline
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


def test_an_assessment_whose_breaks_the_policy_rates_is_worded_as_its_contract_says() -> None:
    done = varied(ASSESS)
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


def test_a_permission_beside_a_silent_policy_names_the_breaks() -> None:
    done = varied((SHIP_ONLY, LEDGER_OWNER, RELEASE_MANAGER, SILENT))
    assert len(unruled(done)) == 5
    assert all(name in section(done.artifact, "Scope") for name in unruled(done))
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.parametrize("name", [variant.name for variant in (*VARIANTS, *UNPERMITTED)])
def test_only_a_permission_ends_with_0(name: str) -> None:
    done = finished(name)
    assert (done.exit_status == ExitStatus.DONE) is (done.decision.state is DecisionState.PERMITTED)


def test_where_the_policy_speaks_nothing_is_added() -> None:
    done = finished("demo")
    assert not unruled(done) and "policy says nothing" not in done.artifact
