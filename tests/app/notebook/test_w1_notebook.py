"""The W1 notebook: how it is kept, and that it, the command line and the library give the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evreview as ev
from evreview.app.notebook import run
from evreview.app.notebook.exported import export_html, export_markdown
from evreview.app.notebook.notebook_content import written
from evreview.app.notebook.run import RunOutcome, execute
from evreview.core.assets import notebook as notebook_of
from evreview.core.errors import BadInput
from evreview.report.validate import validate_artifact

NOTEBOOKS = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))
REVIEWS = [path for path in NOTEBOOKS if path.stem != "portfolio"]
"""Those of a workflow, which run on a bundled review; tests/app/batch runs the other one on what a batch wrote."""
ARTIFACT = "api-contract-review.md"


def source_of(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []
    assert kept["metadata"]["kernelspec"]["name"] == "python3"
    assert set(kept["metadata"]) == {"kernelspec", "language_info"}
    ids = [cell["id"] for cell in kept["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[a-z0-9-]{1,64}", name) for name in ids)


@pytest.mark.parametrize("path", REVIEWS, ids=lambda path: path.name)
def test_a_screen_is_one_heading_and_one_call(path: Path) -> None:
    title, parameters, setup, *screens = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert source_of(title).startswith("# ") and parameters["metadata"]["tags"] == ["parameters"]
    assert setup["metadata"]["tags"] == ["setup"]
    assert re.fullmatch(r"\(review := Workbench\([^()]*\)\)", source_of(setup).splitlines()[-1])
    headings, calls = screens[::2], screens[1::2]
    assert len(headings) == len(calls) >= 7
    for heading, call in zip(headings, calls, strict=True):
        assert heading["cell_type"] == "markdown" and source_of(heading).startswith("## ")
        assert re.fullmatch(r"review\.\w+\([^()]*\)", source_of(call)), source_of(call)
    assert [cell["id"] for cell in calls][-3:] == ["steps", "export", "artifact"]
    assert calls[-1]["metadata"]["tags"] == ["artifact"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_parameter_has_a_type_and_a_comment(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    source = next(source_of(cell) for cell in cells if cell["metadata"].get("tags") == ["parameters"])
    assert all(re.fullmatch(r"[a-z_]+: \w+ = .+  # .+", line) for line in source.splitlines())


@pytest.fixture(scope="module")
def outcome(demo_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> RunOutcome:
    """The bundled review, run headless."""
    return run(demo_bundle, tmp_path_factory.mktemp("run") / "out", html=True)


def test_the_headless_run_writes_everything(outcome: RunOutcome) -> None:
    assert {ARTIFACT, "api-contract-review.ipynb", "api-contract-review.html", "journal.json"} <= set(outcome.files)
    assert {"registers/compatibility-matrix.csv", "registers/compatibility-matrix.json"} <= set(outcome.files)
    assert all((outcome.folder / name).stat().st_size for name in outcome.files)
    assert outcome.exit_status in (0, 3, 4) and outcome.headline


def test_notebook_and_library_give_the_same_bytes(outcome: RunOutcome, demo_bundle: Path) -> None:
    review = ev.review(ev.open_bundle(demo_bundle))
    made = (outcome.folder / ARTIFACT).read_bytes()
    assert made == review.artifact.encode()
    assert outcome.exit_status == review.exit_status
    kept = json.loads((outcome.folder / "api-contract-review.ipynb").read_text(encoding="utf-8"))
    assert export_markdown(kept).encode() == made


def test_the_artifact_keeps_its_contract(outcome: RunOutcome, demo_bundle: Path) -> None:
    text = (outcome.folder / ARTIFACT).read_text(encoding="utf-8")
    assert validate_artifact(text, bundle=ev.open_bundle(demo_bundle)) == ()


def test_the_nbconvert_command_gives_the_same_bytes(outcome: RunOutcome, tmp_path: Path, project: Path) -> None:
    command = [
        sys.executable, "-m", "nbconvert", "--to", "markdown", "--template", "evreview_md",
        f"--TemplateExporter.extra_template_basedirs={project / 'templates'}", f"--output-dir={tmp_path}",
        "--output=made", str(outcome.folder / "api-contract-review.ipynb"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "made.md").read_bytes() == (outcome.folder / ARTIFACT).read_bytes()


def test_the_kept_notebook_says_nothing_of_the_machine(outcome: RunOutcome, project: Path) -> None:
    text = (outcome.folder / "api-contract-review.ipynb").read_text(encoding="utf-8")
    assert str(project) not in text and str(outcome.folder.parent) not in text and str(Path.home()) + os.sep not in text
    assert "widget-view" not in text and "widgets" not in json.loads(text)["metadata"]
    assert not re.search(r"at 0x[0-9a-f]+", text)


def test_two_runs_are_the_same_bytes(outcome: RunOutcome, demo_bundle: Path, tmp_path: Path) -> None:
    again = run(demo_bundle, tmp_path / "out", html=True)
    assert again.files == outcome.files
    for name in again.files:
        same = hashlib.sha256((again.folder / name).read_bytes()).digest()
        assert same == hashlib.sha256((outcome.folder / name).read_bytes()).digest(), name


def test_a_second_run_into_the_same_folder_adds_nothing(outcome: RunOutcome, demo_bundle: Path) -> None:
    before = (outcome.folder / "journal.json").read_bytes()
    run(demo_bundle, outcome.folder, html=True)
    assert (outcome.folder / "journal.json").read_bytes() == before


def test_plain_papermill_works_too(demo_bundle: Path, tmp_path: Path, outcome: RunOutcome) -> None:
    command = [
        sys.executable, "-m", "papermill", str(notebook_of("w1")), str(tmp_path / "plain.ipynb"), "--no-progress-bar",
        "-p", "bundle", str(demo_bundle), "-p", "out_dir", str(tmp_path / "out"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / ARTIFACT).read_bytes() == (outcome.folder / ARTIFACT).read_bytes()


def test_the_page_of_the_run_loads_nothing(outcome: RunOutcome) -> None:
    page = (outcome.folder / "api-contract-review.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script |iframe|img|link|object)\b", page) and "API contract review" in page
    assert page.count("<script>") == 1 and 'id="E7_23__2f_checks_2f_1"' in page
    assert not re.search(r"(src|href)=[\"']?https?:", page)


def test_a_bad_bundle_is_told_and_nothing_is_written(demo_copy: Path, tmp_path: Path) -> None:
    (demo_copy / "review.yaml").write_text("evreview: 1\nworkflow: w1\nnonsense: <b>\n")
    with pytest.raises(BadInput) as caught:
        run(demo_copy, tmp_path / "out")
    assert all(problem.code for problem in caught.value.problems)
    assert not (tmp_path / "out").exists()


def test_the_html_export_needs_no_run(demo_bundle: Path, tmp_path: Path) -> None:
    done = execute(notebook_of("w1"), demo_bundle, tmp_path / "out", {})
    assert "<html" in export_html(done.notebook) and written(done.notebook).endswith("}\n")


@pytest.mark.parametrize("path", REVIEWS, ids=lambda path: path.name)
def test_nbval_runs_every_cell(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("nbval", reason="nbval is not installed")
    command = [
        sys.executable, "-m", "pytest", "--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=120",
        "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", str(path),
    ]  # fmt: skip
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "EVREVIEW_HEADLESS": ""}
    environment.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=path.parent.parent)
    assert done.returncode == 0, done.stdout
