"""`evreview run` and `evreview lab` before and around the kernel."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from evreview.app.cli import join_parameters
from evreview.app.commands import run
from tests.app.command_line.running import Cli


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["run", "b", "-p", "limit", "3"], ["run", "b", "-p", "limit=3"]),
        (["run", "b", "-p", "a", "1", "-p", "b", "x y"], ["run", "b", "-p", "a=1", "-p", "b=x y"]),
        (["run", "b", "-p", "a=1", "-o", "out"], ["run", "b", "-p", "a=1", "-o", "out"]),
        (["run", "--", "-p", "a", "1"], ["run", "--", "-p", "a", "1"]),
        (["run", "b", "-p", "a"], ["run", "b", "-p", "a"]),
    ],
)
def test_parameters_are_pairs(given: list[str], expected: list[str]) -> None:
    assert join_parameters(given) == expected


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("a=1", 1),
        ("a=true", True),
        ("a=007", "007"),
        ("a=NaN", "NaN"),
        ("a=x=y", "x=y"),
        ("a=", ""),
        ('a=["b"]', ["b"]),
    ],
)
def test_parameter_values(word: str, value: object) -> None:
    assert run.parameter(word) == ("a", value)


def test_a_parameter_without_a_value_is_bad_input(cli: Cli, demo_bundle: Path) -> None:
    assert cli("run", demo_bundle, "-p", "alone").exit_code == 2


@pytest.mark.parametrize(("words", "extra"), [(["demo"], "run"), (["run", "b"], "run"), (["lab"], "lab")])
def test_without_its_extra_a_command_says_what_to_install(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: list[str], extra: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = cli(*words)
    assert done.exit_code == 2
    assert f'pip install "evreview[{extra}]"' in done.stderr


def test_run_of_a_bad_bundle_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "nowhere", "-o", "out").exit_code == 2
    assert not (tmp_path / "out").exists()


def test_lab_opens_a_copy_with_the_bundle_set(
    cli: Cli, demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []
    monkeypatch.setattr("evreview.app.commands.run.open_lab", started.append)
    assert cli("lab", demo_copy).exit_code == 0
    copy = tmp_path / "evreview-lab" / "w1-orders.ipynb"
    assert started == [copy.relative_to(tmp_path)]
    cells = json.loads(copy.read_text())["cells"]
    assert any(f"bundle = {json.dumps(str(demo_copy))}" in "".join(cell["source"]) for cell in cells)
    (setup,) = [cell for cell in cells if cell["id"] == "setup"]
    assert "shipment and removal blocked" in json.dumps(setup["outputs"]), "it opens with its answer"
    assert not [cell for cell in cells if "papermill" in cell["metadata"]]
    before = copy.read_bytes()
    assert cli("lab", demo_copy).exit_code == 0 and copy.read_bytes() == before


def test_a_notebook_that_can_not_be_run_opens_as_it_is_and_says_why(
    cli: Cli, demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evreview.app.commands.run.open_lab", lambda _: None)
    stand_in = tmp_path / "python"
    stand_in.write_text("#!/bin/sh\necho no memory is left >&2\nexit 1\n")
    stand_in.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(stand_in))
    done = cli("lab", demo_copy)
    assert done.exit_code == 0 and "opens without its results" in done.stderr and "no memory is left" in done.stderr
    cells = json.loads((tmp_path / "evreview-lab" / "w1-orders.ipynb").read_text())["cells"]
    assert not [cell for cell in cells if cell.get("outputs")]


@pytest.mark.parametrize("case", [(True, 0), (True, 1), (False, 1)], ids=str)
def test_jupyter_is_quiet_until_it_fails(
    cli: Cli, demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: tuple[bool, int]
) -> None:
    root, status = case
    stand_in = tmp_path / "python"
    page = "file:///run/jpserver-1-open.html"
    stand_in.write_text(
        f"#!/bin/sh\necho \"$@\" > words\necho '[I 10:00 LabApp] loading'\necho ' {page}'\n"
        f"echo '[C 10:00 LabApp] no port is free'\nexit {status}\n"
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr("evreview.app.commands.run.sys.executable", str(stand_in))
    monkeypatch.setattr("evreview.app.commands.run._is_root", lambda: root)
    monkeypatch.setattr("evreview.app.commands.run._fill", lambda *_: None)
    done = cli("lab", demo_copy)
    assert done.exit_code == (2 if status else 0)
    assert ("no port is free" in done.stderr, "loading" in done.output, page in done.stderr) == (
        bool(status),
        False,
        True,
    )
    assert ("--allow-root" in (tmp_path / "words").read_text().split()) is root
    assert ("--allow-root" in done.stderr) is root


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((), []),
        (("--port", "8899"), ["--port", "8899", "--ServerApp.port_retries=0"]),
        (("--no-browser",), ["--no-browser"]),
    ],
)
def test_jupyter_is_started_as_asked(
    cli: Cli, demo_copy: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], words: list[str]
) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr("evreview.app.commands.run.open_lab", lambda copy, *options: started.append(options))
    monkeypatch.setattr("evreview.app.commands.run._fill", lambda *_: None)
    assert cli("lab", demo_copy, *given).exit_code == 0
    assert started == [tuple(words)]


def test_a_notebook_for_a_jupyter_that_runs_already_is_written_and_started_by_nobody(
    cli: Cli, demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evreview.app.commands.run.open_lab", lambda *_: pytest.fail("a server was started"))
    monkeypatch.setattr("evreview.app.commands.run._fill", lambda *_: None)
    found = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "jupyterlab" else found(name))
    done = cli("lab", demo_copy, "--no-server")
    assert done.exit_code == 0 and "evreview-lab/w1-orders.ipynb" in done.stdout and sys.executable in done.stdout
    assert (tmp_path / "evreview-lab" / "w1-orders.ipynb").is_file()
    lacking = cli("lab", demo_copy)
    assert lacking.exit_code == 2 and "jupyterlab" in lacking.stderr and "ipywidgets" not in lacking.stderr
    for words in (("--no-server", "--port", "8899"), ("--port", "0"), ("--port", "99999")):
        assert cli("lab", demo_copy, *words).exit_code == 2


def test_a_folder_that_takes_no_output_is_noticed_before_the_run(
    cli: Cli, demo_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evreview.app.notebook.run", lambda *_, **__: pytest.fail("the kernel was started"))
    (tmp_path / "file").write_text("")
    done = cli("run", demo_bundle, "-o", "file/out")
    assert (done.exit_code, "not-writable" in done.stderr) == (2, True)


def test_lab_opens_the_ledger_of_two_contracts_executed(
    cli: Cli, demo_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [demo_bundle / "contracts" / f"orders-{number}.yaml" for number in ("1.4", "1.5")]
    opened: list[Path] = []
    monkeypatch.setattr("evreview.app.commands.run.open_lab", opened.append)
    assert cli("lab", *sides).exit_code == 0
    cells = json.loads((tmp_path / opened[0]).read_text())["cells"]
    assert "5 of 10 differences break an old client" in json.dumps([cell.get("outputs") for cell in cells])
    bad = tmp_path / "bad.yaml"
    bad.write_text("openapi: [")
    done = cli("lab", sides[0], bad)
    assert done.exit_code == 2 and "bad.yaml" in done.stderr and len(opened) == 1
