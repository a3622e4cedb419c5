"""The runner: a whole run or a failure, the same bytes every time, runs side by side, nothing of the machine kept."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evreview.app.notebook.exported import export_html, export_markdown
from evreview.app.notebook.notebook_content import NotebookFailed, unfinished, written
from evreview.app.notebook.run import Execution, execute
from evreview.core.errors import BadInput, EvreviewError
from evreview.core.vocabulary import ExitStatus

Make = Callable[..., Path]
ALL = "bundle: str = ''\nout_dir: str = ''\nx: int = 1"


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A bundle folder and an output folder."""
    bundle = tmp_path / "my {bundle}"
    bundle.mkdir()
    return bundle, tmp_path / "out"


def run(path: Path, places: tuple[Path, Path], **parameters: Any) -> Execution:
    return execute(path, *places, parameters)


@pytest.mark.parametrize(
    ("sources", "cell"),
    [
        (("1", "raise ValueError('no')", "2"), 4),
        (("import sys; sys.exit(0)", "2"), 3),
        (("1", "import sys; sys.exit(0)"), 4),
        (("import os; os._exit(0)", "2"), 0),
        (("import os, signal; os.kill(os.getpid(), signal.SIGKILL)",), 0),
    ],
    ids=["raises", "sys.exit", "sys.exit last", "exits hard", "killed"],
)
def test_a_notebook_that_did_not_run_whole_is_a_failure(
    sources: tuple[str, ...], cell: int, notebook: Make, places: tuple[Path, Path]
) -> None:
    with pytest.raises(NotebookFailed) as caught:
        run(notebook(*sources, parameters=ALL), places)
    assert caught.value.exit_status == ExitStatus.FAULT
    assert cell in (0, caught.value.cell) and "Traceback" not in str(caught.value)
    assert not places[1].exists()


def test_the_message_of_a_failing_cell_is_short_and_redacted(notebook: Make, places: tuple[Path, Path]) -> None:
    secret = "ghp_" + "a1B2" * 9
    path = notebook(f"raise ValueError('token {secret} ' + 'y' * 5000)", parameters=ALL)
    with pytest.raises(NotebookFailed) as caught:
        run(path, places)
    message = str(caught.value)
    assert secret not in message and "ValueError" in message and len(message) < 800 and "\n" not in message


def test_bad_input_found_by_a_cell_stays_bad_input(notebook: Make, places: tuple[Path, Path]) -> None:
    cell = """from evreview.core.errors import bad_input
from evreview.app.workbench import refusal
raise refusal(bad_input("no-contract", "there is no contract", file="review.yaml", place="#/contracts"))"""
    with pytest.raises(BadInput) as caught:
        run(notebook(cell, parameters=ALL), places)
    (problem,) = caught.value.problems
    assert problem.code == "no-contract" and "review.yaml" in str(problem)


@pytest.mark.parametrize(("name", "code"), [("nosuch", "parameter-unknown"), ("x y", "parameter-name")])
def test_a_parameter_that_the_notebook_lacks_is_an_error(
    name: str, code: str, notebook: Make, places: tuple[Path, Path]
) -> None:
    with pytest.raises(BadInput) as caught:
        run(notebook("1", parameters=ALL), places, **{name: 1})
    assert [problem.code for problem in caught.value.problems] == [code]


def test_values_arrive_as_they_are(notebook: Make, places: tuple[Path, Path]) -> None:
    value = {"text": "a\"'\\\n{x}é", "list": [1, 2.5, None, True]}
    path = notebook("import json, pathlib; pathlib.Path(out_dir, 'x.json').write_text(json.dumps(x))", parameters=ALL)
    assert json.loads(run(path, places, x=value).files["x.json"]) == value


def test_the_kernel_is_this_python_headless_in_a_folder_of_its_own(notebook: Make, places: tuple[Path, Path]) -> None:
    source = "import os, sys, json; json.dump([sys.executable, os.environ['EVREVIEW_HEADLESS'], os.getcwd(), bundle], "
    here = Path.cwd()
    found = json.loads(run(notebook(source + "open(out_dir + '/e', 'w'))", parameters=ALL), places).files["e"])
    assert found[:2] == [sys.executable, "1"] and found[3] == str(places[0])
    assert found[2] != str(here) and not Path(found[2]).exists() and Path.cwd() == here


def test_two_runs_give_the_same_bytes(notebook: Make, places: tuple[Path, Path]) -> None:
    path = notebook("print(out_dir)\n1 + x", "{'b': 1}", parameters=ALL)
    assert written(run(path, places).notebook) == written(run(path, places).notebook)


def test_nothing_of_the_machine_or_the_moment_is_kept(
    notebook: Make, places: tuple[Path, Path], tmp_path: Path
) -> None:
    source = "import ipywidgets\nprint(out_dir)\nipywidgets.IntSlider(3)"
    done = run(notebook(source, parameters=ALL), places)
    text = written(done.notebook)
    assert str(tmp_path) not in text and "/evreview-" not in text and os.sep + "tmp" + os.sep not in text
    assert not {"papermill", "widgets"} & set(done.notebook["metadata"])
    assert not [cell for cell in done.notebook["cells"] if {"papermill", "execution"} & set(cell["metadata"])]
    assert "over TCP" not in text
    injected = next(cell for cell in done.notebook["cells"] if cell["id"] == "injected-parameters")
    assert injected["source"].splitlines()[1:] == ["bundle = 'my {bundle}'", "out_dir = 'out'"]


def test_runs_side_by_side_do_not_meet(notebook: Make, places: tuple[Path, Path]) -> None:
    source = "import pathlib, time; pathlib.Path('here').write_text(str(x)); time.sleep(0.5)\n"
    source += "pathlib.Path(out_dir, 'x').write_text(pathlib.Path('here').read_text())"
    path = notebook(source, parameters=ALL)
    with ThreadPoolExecutor(4) as pool:
        found = [done.files["x"] for done in pool.map(lambda x: run(path, places, x=x), range(4))]
    assert found == [b"0", b"1", b"2", b"3"]


def test_progress_counts_the_cells(notebook: Make, places: tuple[Path, Path]) -> None:
    seen: list[tuple[int, int]] = []
    path = notebook("1", "2", parameters=ALL)
    execute(path, *places, {}, progress=lambda done, total, _: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"cells": 3}'])
def test_what_is_no_notebook_is_bad_input(content: bytes, tmp_path: Path, places: tuple[Path, Path]) -> None:
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(BadInput):
        run(path, places)


def test_a_missing_notebook_is_bad_input(tmp_path: Path, places: tuple[Path, Path]) -> None:
    with pytest.raises(BadInput) as caught:
        run(tmp_path / "none.ipynb", places)
    assert [problem.code for problem in caught.value.problems] == ["notebook-missing"]


@pytest.mark.parametrize("text", ["# a\n\n\n\nb\n", "no end", "|a|\n|---|\n|&lt;b|\n\n", "é\t{{ x }}{% y %}\n"])
def test_markdown_export_is_exactly_what_the_artifact_cell_shows(text: str) -> None:
    output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
    output["data"] = {"text/markdown": text, "text/html": "<p>no</p>", "text/plain": "no"}
    stream = {"output_type": "stream", "name": "stdout", "text": "no"}
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# no"},
        {"cell_type": "code", "id": "b", "metadata": {}, "source": "no", "outputs": [output], "execution_count": 1},
        {
            "cell_type": "code", "id": "c", "metadata": {"tags": ["artifact"]}, "source": "no", "execution_count": 2,
            "outputs": [stream, output],
        },
    ]  # fmt: skip
    assert export_markdown({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}) == text


def test_the_page_is_the_artifact_and_runs_and_loads_nothing() -> None:
    evil = "<img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>"
    data = {"text/markdown": f"# T\n\n{evil} [x](javascript:alert(1))\n", "text/html": evil}
    output = {"output_type": "display_data", "metadata": {}, "data": data}
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# N\n\n{evil}"},
        {
            "cell_type": "code", "id": "b", "metadata": {"tags": ["artifact"]}, "source": "1", "outputs": [output],
            "execution_count": 1,
        },
    ]  # fmt: skip
    page = export_html({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).lower()
    for word in ("<script>alert", "<iframe", "<svg", "<img", 'href="javascript', "cdnjs", "unpkg", '="http', "url("):
        assert word not in page, word
    assert "<title>t</title>" in page and "&lt;script&gt;" in page and "default-src 'none'" in page


@pytest.mark.parametrize(
    ("status", "count", "outputs", "left"),
    [
        ("completed", 1, [], []),
        ("pending", 1, [], [1]),
        ("completed", None, [], [1]),
        ("completed", 1, [{"output_type": "error"}], [1]),
    ],
)
def test_an_unfinished_cell_is_seen(status: str, count: int | None, outputs: list[Any], left: list[int]) -> None:
    metadata = {"papermill": {"status": status}}
    cell = {"cell_type": "code", "metadata": metadata, "source": "1", "execution_count": count, "outputs": outputs}
    assert unfinished({"cells": [cell]}) == left


def test_failures_are_explained_errors() -> None:
    assert issubclass(NotebookFailed, EvreviewError)
