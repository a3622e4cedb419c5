"""The W3 notebook headless: the bytes of the library, and no page while nothing may leave the authorized team."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evreview.app.commands import run as commands_run
from evreview.app.notebook import run
from evreview.app.notebook.exported import export_markdown
from evreview.app.notebook.run import RunOutcome
from evreview.core.vocabulary import ExitStatus
from evreview.evidence.bundle_reader import open_bundle
from evreview.report.validate import validate_artifact
from evreview.workflows.session import review
from tests.golden.editing import Variant, build
from tests.golden.w3_runs import DEMO
from tests.golden.w3_variants import OUTSIDER

ARTIFACT = "security-review.md"


@pytest.fixture(scope="module")
def pending(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled review, asked for by somebody outside the authorized team."""
    variant = Variant(name="one", edits=(OUTSIDER,), step=9, state="remain", exit_status=4)
    return build(variant, DEMO, tmp_path_factory.mktemp("bundle") / "w3")


@pytest.fixture(scope="module")
def outcome(pending: Path, tmp_path_factory: pytest.TempPathFactory) -> RunOutcome:
    """That review, run headless with a page asked for."""
    return run(pending, tmp_path_factory.mktemp("run") / "out", html=True)


@pytest.mark.req("W3S-025")
def test_notebook_and_library_give_the_same_bytes(outcome: RunOutcome, pending: Path) -> None:
    done = review(open_bundle(pending))
    made = (outcome.folder / ARTIFACT).read_bytes()
    kept = json.loads((outcome.folder / "security-review.ipynb").read_text(encoding="utf-8"))
    assert made == done.artifact.encode() == export_markdown(kept).encode()
    assert validate_artifact(made.decode(), bundle=done.bundle) == ()
    assert {"registers/findings.csv", "registers/remediation.csv", "registers/trust-paths.csv"} <= set(outcome.files)


@pytest.mark.req("W3A-003", "W3S-027")
def test_the_page_of_an_internal_review_is_refused(outcome: RunOutcome) -> None:
    assert outcome.withheld == ("security-review.html",)
    assert not (outcome.folder / "security-review.html").exists()
    assert outcome.exit_status == ExitStatus.BLOCKED


@pytest.mark.req("W3A-003")
def test_the_command_says_what_it_refuses_and_ends_blocked(
    outcome: RunOutcome, pending: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = open_bundle(pending)
    monkeypatch.setattr(commands_run, "_execute", lambda *_, **__: (outcome, bundle))
    assert commands_run.run(Path("bundle"), None, html=True, parameters=()) == ExitStatus.BLOCKED
    assert "security-review.html" in capsys.readouterr().err
