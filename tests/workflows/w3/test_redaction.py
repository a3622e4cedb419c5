"""Redaction that can't be completed is data in the artifact, and fails the run with its own code; no value gets out."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from evreview.app.commands.export import export
from evreview.app.workbench import outputs
from evreview.core.vocabulary import ExitStatus, StepState
from evreview.report.validate import validate_artifact
from evreview.workflows.engine.sealing import CODE
from evreview.workflows.exchange import may_receive
from evreview.workflows.session import Review
from evreview.workflows.w3.gates import report_digest
from tests.golden.editing import Append, Set, Variant, build
from tests.golden.runs import varied as w1_varied
from tests.golden.w3_runs import DEMO, facts, finished, varied
from tests.golden.w3_variants import OWNER, decided

NUMBERS = [f"+33 6{at}4 82 1{at} 73" for at in range(1, 10)] + [f"+33 6{at}4 83 1{at} 74" for at in (1, 2)]
KEY = sha256((DEMO / "service/tickets_service/settings.py").read_bytes()).hexdigest()
CHAIN = "".join(NUMBERS)
"""Each is seen only when the one behind it is gone: more than cleaning takes out in the passes that it has."""
IN_REQUEST = (Append("review.yaml", "/assumptions", f"The desk answers {CHAIN}"),)
IN_EVIDENCE = (Set("records/trust-model.yaml", "/assets/tickets/name", f"tickets {CHAIN}"),)


def files(done: Review) -> str:
    """Everything that the review would write, as one text."""
    return "\n".join(outputs(done, (), 1).values())


def is_out(text: str) -> bool:
    """True when a text holds any of the numbers, in any part long enough to dial."""
    bare = "".join(char for char in text if char.isdigit())
    return any(number in text or number[4:].replace(" ", "") in bare for number in NUMBERS)


@pytest.mark.req("C-030", "W3S-025", "W3S-026")
def test_what_can_not_be_taken_out_is_withheld_said_and_fails_the_run() -> None:
    done = varied(IN_REQUEST)
    assert done.exit_status == ExitStatus.REDACTION_INCOMPLETE
    assert done.decision.codes == (CODE,)
    assert (done.steps[-1].number, done.steps[-1].state) == (9, StepState.REMAIN)
    assert not is_out(files(done))
    section = done.artifact.partition("### Redaction\n")[2].partition("\n## ")[0]
    assert "Redaction is incomplete: a value of the kind personal data (phone-number)" in section
    assert "[withheld: redaction incomplete]" in done.artifact
    assert validate_artifact(done.artifact, bundle=done.bundle, redactor=done.redactor) == ()
    assert done.redactor.leaks(done.artifact) == ()


@pytest.mark.req("C-030", "W3E-016", "W3E-019")
def test_the_places_in_the_evidence_are_named_and_the_stop_keeps_its_own_code() -> None:
    done = varied(IN_EVIDENCE)
    assert done.decision.codes == ("W3-F4", CODE)
    assert done.exit_status == ExitStatus.REDACTION_INCOMPLETE
    assert not is_out(files(done))
    rows = [line.split(" | ") for line in done.artifact.splitlines() if "| withheld |" in line]
    assert [(row[0], row[-1].partition(":")[0]) for row in rows] == [("| personal data", "E2")]
    assert validate_artifact(done.artifact, bundle=done.bundle, redactor=done.redactor) == ()


def test_a_complete_redaction_says_so() -> None:
    done = finished("demo")
    assert "Redaction is complete: 4 places" in done.artifact
    assert CODE not in done.decision.codes and not done.decision.unredacted


@pytest.mark.req("W3S-025")
@pytest.mark.parametrize("form", ["markdown", "sarif", "oscal", "in-toto"])
def test_nobody_is_given_a_review_whose_redaction_is_incomplete(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = build(Variant(name="one", edits=IN_REQUEST, step=0, state="", exit_status=0), DEMO, tmp_path / "bundle")
    target = tmp_path / "out.txt"
    assert export(bundle, form, "Release manager", target) == ExitStatus.REDACTION_INCOMPLETE
    assert not target.exists()
    told = capsys.readouterr()
    assert CODE in told.err and not is_out(told.out + told.err)
    assert not may_receive(varied(IN_REQUEST), "Release manager")


def test_the_other_workflows_fail_alike() -> None:
    done = w1_varied((Append("review.yaml", "/assumptions", f"The desk answers {CHAIN}"),))
    assert (done.exit_status, done.decision.codes[-1]) == (ExitStatus.REDACTION_INCOMPLETE, CODE)
    assert "Redaction is incomplete" in done.artifact and not is_out(files(done))
    assert validate_artifact(done.artifact, bundle=done.bundle, redactor=done.redactor) == ()


def test_the_summary_tells_the_caller() -> None:
    told = json.loads(outputs(varied(IN_REQUEST), (), 1)["review.json"])
    assert (told["exit_status"], told["codes"], told["internal"]) == (7, [CODE], True)


@pytest.mark.req("W3S-026", "W3A-004")
def test_a_text_that_comes_after_the_approval_is_in_no_approved_report() -> None:
    later = decided(kind="handling", subject="E7", of=f"sha256:{KEY}", role=OWNER, instructions="Print everything.")
    before, after = finished("demo"), varied((later,))
    assert "Print everything." in after.artifact
    assert report_digest(before.bundle, facts(before)) != report_digest(after.bundle, facts(after))
