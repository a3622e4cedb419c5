"""The W2 notebook: headless run, command line and library give the same bytes, whose artifact keeps its contract."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import evreview as ev
from evreview.artifacts.validate import validate_artifact
from evreview.assets import notebook as notebook_of
from evreview.notebook import Outcome, export_markdown, run

ARTIFACT = "api-reference.md"
DEMO = Path(__file__).resolve().parents[2] / "examples" / "w2-orders"


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The bundled reference, run headless."""
    return run(DEMO, tmp_path_factory.mktemp("run") / "out", html=True)


@pytest.mark.req("AR-005", "W2S-025")
def test_the_headless_run_writes_everything(outcome: Outcome) -> None:
    assert outcome.artifact == ARTIFACT
    assert {ARTIFACT, "api-reference.ipynb", "api-reference.html", "journal.json"} <= set(outcome.files)
    assert {"registers/evidence-matrix.csv", "registers/discrepancies.json"} <= set(outcome.files)
    assert (outcome.exit_status, bool(outcome.headline)) == (4, True)


def test_notebook_and_library_give_the_same_bytes(outcome: Outcome) -> None:
    review = ev.review(ev.open_bundle(DEMO))
    made = (outcome.folder / ARTIFACT).read_bytes()
    assert made == review.artifact.encode()
    assert outcome.exit_status == review.exit_status
    kept = json.loads((outcome.folder / "api-reference.ipynb").read_text(encoding="utf-8"))
    assert export_markdown(kept).encode() == made
    assert validate_artifact(review.artifact, bundle=review.bundle) == ()


def test_headings_name_the_steps_of_the_flow() -> None:
    from evreview.workflow.flows.w2 import STEPS

    text = notebook_of("w2").read_text(encoding="utf-8")
    assert re.findall(r"## Step [1-9]\. ([^\"]+)\"", text) == [step.title for step in STEPS]
