"""What travels: the wheel works from an empty folder, and the set-up files agree with each other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import review

PROJECT = Path(__file__).resolve().parent.parent


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """One command in a clean environment, with its output."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    return subprocess.run([*map(str, words)], cwd=cwd, env=kept, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, PROJECT, cwd=PROJECT)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.slow
@pytest.mark.xdist_group("wheel")
def test_the_wheel_carries_what_the_checkout_has(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("notebooks", "templates", "examples"):
        tracked = run("git", "ls-files", folder, cwd=PROJECT).stdout.split()
        assert tracked
        assert {f"evreview/_assets/{name}" for name in tracked} <= names
    assert "evreview/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/"))]


@pytest.mark.slow
@pytest.mark.xdist_group("wheel")
@pytest.mark.req("AR-001", "C-001")
def test_the_wheel_runs_the_demo_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    python = tmp_path / "env" / "bin" / "python"
    venv.create(tmp_path / "env", with_pip=True)
    installed = run(
        python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", PROJECT / "requirements.lock",
        f"evreview[run,parquet] @ {wheel.as_uri()}", cwd=tmp_path,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    command = python.with_name("evreview")
    expected = review(open_bundle(PROJECT / "examples" / "w1-orders"))
    demo = run(command, "demo", "-o", "out", cwd=empty)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert [path.name for path in empty.iterdir()] == ["out"]
    artifacts = list((empty / "out").glob("*.md"))
    assert [path.name for path in artifacts] == ["api-contract-review.md"]
    checked = run(command, "validate", artifacts[0], cwd=empty)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert artifacts[0].read_text(encoding="utf-8") == expected.artifact
    contracts = [
        PROJECT / "examples" / "w1-orders" / "contracts" / name for name in ("orders-1.4.yaml", "orders-1.5.yaml")
    ]
    written = run(command, "diff", *contracts, "--format", "parquet", "-o", "ledger.parquet", cwd=empty)
    assert written.returncode == 0, written.stderr
    rows = run(python, "-c", "import pandas; print(len(pandas.read_parquet('ledger.parquet')))", cwd=empty)
    assert int(rows.stdout) == len(expected.registers["compatibility-matrix"])
    refused = run(command, "lab", cwd=empty)
    assert refused.returncode == 2
    assert "pip install" in refused.stderr


def project_table() -> dict[str, object]:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def declared() -> dict[str, str]:
    """Every requirement of the project and its extras: version bounds by distribution name."""
    project = project_table()["project"]
    assert isinstance(project, dict)
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    pairs = [re.match(r"([\w.-]+)(?:\[\w+\])?(.*)", line) for line in lines]
    return {found[1].lower(): found[2] for found in pairs if found and found[1] != "evreview"}


def test_conda_and_pip_ask_for_the_same_versions() -> None:
    lines = re.findall(r"^  - (\S+)(?: (\S+))?$", (PROJECT / "environment.yml").read_text(encoding="utf-8"), re.M)
    conda = {name: bound for name, bound in lines if name not in {"conda-forge", "pip", "pip:"}}
    project = project_table()["project"]
    assert isinstance(project, dict)
    assert conda.pop("python") == project["requires-python"]
    assert conda == {name: declared().get(name) for name in conda}


def test_the_lock_names_versions_only_and_covers_what_is_declared() -> None:
    lines = (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", line)] == []
    locked = {re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines}
    assert {re.sub(r"[-_.]+", "-", name) for name in declared()} - locked == set()


def test_ci_runs_what_the_readme_shows() -> None:
    script = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^make .*$", script, re.M) == ["make test"]
    assert "make test" in (PROJECT / "README.md").read_text(encoding="utf-8")
    assert os.access(PROJECT / ".ci" / "run", os.X_OK)


def test_no_tracked_file_names_a_private_place() -> None:
    names = run("git", "ls-files", cwd=PROJECT).stdout.split()
    own = re.escape(str(PROJECT).encode())
    words = re.compile(own + rb"|index-url|shared/(?!corpus|parts)[a-z]")
    found = [name for name in names if (PROJECT / name).is_file() and words.search((PROJECT / name).read_bytes())]
    assert [name for name in found if name != "tests/test_packaging.py"] == []
