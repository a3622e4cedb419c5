"""The W2 notebook headless: it, the command line and the library give the same bytes, with tables and no widgets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evreview.app.notebook import run
from evreview.app.notebook.exported import export_html, export_markdown
from evreview.app.notebook.run import RunOutcome
from evreview.core.assets import demo_bundle as bundled
from evreview.report.validate import validate_artifact
from evreview.workflows.session import Review
from evreview.workflows.w2.facts import W2Facts

ARTIFACT = "api-reference.md"


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> RunOutcome:
    """The bundled reference, run headless."""
    return run(bundled("w2"), tmp_path_factory.mktemp("run") / "out", html=True)


@pytest.fixture(scope="module")
def kept(outcome: RunOutcome) -> dict[str, Any]:
    """The executed notebook that the run keeps."""
    found: dict[str, Any] = json.loads((outcome.folder / "api-reference.ipynb").read_text(encoding="utf-8"))
    return found


def shown(kept: dict[str, Any], cell: str) -> dict[str, str]:
    """What a cell shows, by MIME type."""
    (found,) = [each for each in kept["cells"] if each["id"] == cell]
    data: dict[str, str] = found["outputs"][0]["data"]
    return {kind: "".join(text) for kind, text in data.items()}


def test_the_run_writes_everything(outcome: RunOutcome) -> None:
    wanted = {ARTIFACT, "api-reference.ipynb", "api-reference.html", "registers/evidence-matrix.csv"}
    assert wanted <= set(outcome.files) and outcome.headline and outcome.exit_status in (0, 3, 4)


def test_notebook_and_library_give_the_same_bytes(outcome: RunOutcome, kept: dict[str, Any], reference: Review) -> None:
    made = (outcome.folder / ARTIFACT).read_bytes()
    assert made == reference.artifact.encode() == export_markdown(kept).encode()
    assert outcome.exit_status == reference.exit_status
    assert validate_artifact(made.decode(), bundle=reference.bundle) == ()


def test_the_page_is_the_artifacts(outcome: RunOutcome, kept: dict[str, Any], reference: Review) -> None:
    page = (outcome.folder / "api-reference.html").read_text(encoding="utf-8")
    assert page == export_html(kept)
    assert f"<title>{str(reference.artifact).splitlines()[0].removeprefix('# ')}</title>" in page


def test_headless_cells_show_tables_and_no_widget(kept: dict[str, Any], reference: Review) -> None:
    facts = reference.facts
    assert isinstance(facts, W2Facts)
    matrix, differences, examples = (shown(kept, cell) for cell in ("matrix", "discrepancies", "examples"))
    assert all("application/vnd.jupyter.widget-view+json" not in data for data in (matrix, differences, examples))
    for operation in facts.operations:
        for kind in ("text/html", "text/markdown", "text/plain"):
            assert operation.id in matrix[kind]
    assert all(str(each.id) in differences["text/html"] for each in facts.discrepancies)
    assert all(str(each.id) in examples["text/html"] for each in facts.examples)


def test_the_kept_notebook_says_nothing_of_the_machine(
    kept: dict[str, Any], outcome: RunOutcome, project: Path
) -> None:
    text = json.dumps(kept)
    assert str(project) not in text and str(outcome.folder.parent) not in text
    assert not re.search(r"at 0x[0-9a-f]+", text) and "widgets" not in kept["metadata"]
