"""Where no check was executed, nothing is shipped or published as if it had been verified."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evreview.app.api import open_bundle
from evreview.workflows.session import Review, review
from tests.golden import runs, w2_runs
from tests.golden.editing import Delete, Edit, Replace, Set, Variant
from tests.golden.gate_variants import GATES
from tests.golden.test_lapsed import build

FULL = next(variant for variant in GATES if variant.name == "everything-approved")
CHECKS = "checks/contract-checks.yaml"
JUNIT = "results/junit.xml"
EVERY = range(4)
TOLD = "no check was executed, so there are no verification results to review"


def shipped(folder: Path, *edits: Edit) -> Review:
    one = Variant(name="one", edits=(*FULL.edits, *edits), step=0, state="", exit_status=0)
    return review(open_bundle(build(one, runs.DEMO, folder)))


@pytest.mark.parametrize(
    "edits",
    [
        (Set(CHECKS, "/checks", []),),
        tuple(Delete(CHECKS, f"/checks/{at}/fixture") for at in EVERY),
        tuple(Delete(CHECKS, f"/checks/{at}/command") for at in EVERY),
        tuple(Delete(CHECKS, f"/checks/{at}/result") for at in EVERY),
        tuple(Set(CHECKS, f"/checks/{at}/result", "skipped") for at in EVERY),
        tuple(Set(CHECKS, f"/checks/{at}/revision", "main") for at in EVERY),
    ],
    ids=["none", "no-fixture", "no-command", "no-result", "skipped", "moving-revision"],
)
def test_a_breaking_change_without_verification_results_is_not_shipped(edits: tuple[Edit, ...], tmp_path: Path) -> None:
    done = shipped(tmp_path / "bundle", *edits)
    gate = next(gate for gate in done.facts.gates if gate.spec.id == "ship-breaking-change")
    assert (str(gate.state), gate.missing, done.exit_status) == ("open", (TOLD,), 4)
    assert "Checks with a retained result: 0." in done.artifact


@pytest.mark.parametrize("kept", EVERY)
def test_one_executed_check_is_a_result_to_review(kept: int, tmp_path: Path) -> None:
    done = shipped(tmp_path / "bundle", *(Delete(CHECKS, f"/checks/{at}/fixture") for at in EVERY if at != kept))
    assert TOLD not in "".join(map(str, done.decision.reasons))
    assert re.search(r"Checks with a retained result: 1[.;]", done.artifact)


def referenced(new: str) -> Review:
    """The reference whose owner published every claim, with another output of its contract tests."""
    old = (w2_runs.DEMO / JUNIT).read_text(encoding="utf-8")
    return w2_runs.varied((*w2_runs.disposed("contract"), Replace(JUNIT, old, new)))


def output(skipped: int | None) -> str:
    """The demo's output with the first tests skipped; without any test for None."""
    text = (w2_runs.DEMO / JUNIT).read_text(encoding="utf-8")
    if skipped is None:
        return re.sub(r'tests="\d+"', 'tests="0"', re.sub(r"<testcase [^>]*/>", "", text))
    if not skipped:
        return text
    made, count = re.subn(r"(<testcase [^>]*?) */>", r'\1><skipped message="none"/></testcase>', text, count=skipped)
    return made.replace('skipped="0"', f'skipped="{count}"')


@pytest.mark.parametrize(("skipped", "told"), [(None, "the relevant assertions"), (99, "every one was skipped")])
def test_a_reference_without_an_executed_test_is_not_published(skipped: int | None, told: str) -> None:
    done = referenced(output(skipped))
    assert [str(step.state) for step in done.steps] == ["stop"]
    assert told in "".join(map(str, done.decision.reasons))


@pytest.mark.parametrize("skipped", [0, 1, 11])
def test_a_skipped_test_beside_an_executed_one_leaves_its_response_unverified(skipped: int) -> None:
    done = referenced(output(skipped))
    assert len(done.steps) >= 8
    assert f"{12 - skipped} retained check{'s' * (skipped != 11)} executed" in done.artifact
