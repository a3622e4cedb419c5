"""What travels: the wheel works from an empty folder, and the set-up files agree with each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

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
def test_the_wheel_carries_what_the_checkout_has(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("notebooks", "templates", "examples"):
        tracked = run("git", "ls-files", folder, cwd=PROJECT).stdout.split()
        assert tracked
        assert {f"evreview/_assets/{name}" for name in tracked} <= names
    assert "evreview/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/"))]


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the wheel with what headless runs need."""
    folder = tmp_path_factory.mktemp("installed")
    return install(Path(sys.executable), folder, f"evreview[run,parquet] @ {wheel.as_uri()}")


def install(python: Path, folder: Path, what: str) -> Path:
    """The Python of a new environment with one thing installed, at the versions of the lock."""
    made = run(python, "-m", "venv", folder / "env", cwd=folder)
    assert made.returncode == 0, made.stderr
    own = folder / "env" / "bin" / "python"
    pip = (own, "-m", "pip", "install", "-q", "--disable-pip-version-check")
    done = run(*pip, "-c", PROJECT / "requirements.lock", what, cwd=folder)
    assert done.returncode == 0, done.stderr
    return own


@pytest.mark.slow
@pytest.mark.req("AR-001", "C-001")
def test_the_wheel_runs_the_demo_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    python = installed
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


CONTRACTS = tuple(
    PROJECT / "examples" / "w1-orders" / "contracts" / name for name in ("orders-1.4.yaml", "orders-1.5.yaml")
)


@pytest.mark.slow
def test_the_source_distribution_installs_what_the_wheel_holds(wheel: Path, installed: Path, tmp_path: Path) -> None:
    built = run(sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path, PROJECT, cwd=PROJECT)
    assert built.returncode == 0, built.stdout + built.stderr
    (source,) = tmp_path.glob("*.tar.gz")
    target = tmp_path / "target"
    pip = (installed, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--target", target)
    done = run(*pip, source, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith("evreview/")]
        assert [name for name in names if archive.read(name) != (target / name).read_bytes()] == []
    line = "import sys; sys.path.insert(0, 'target'); import evreview.__main__ as m; assert 'target' in m.__file__; "
    words = ["evreview", "diff", *map(str, CONTRACTS), "--fail-on", "breaking"]
    assert run(installed, "-c", f"{line}sys.argv = {words!r}; m.main()", cwd=tmp_path).returncode == 5


OPENED = """\
import nbformat
from pathlib import Path
from evreview.app.commands.run import notebook_copy
from evreview.core.assets import demo_bundle
for name in ("w1", "w2", "w3"):
    copy = notebook_copy(demo_bundle(name), Path("lab"))
    nbformat.validate(nbformat.read(copy, as_version=4))
    print(copy.name)
"""


@pytest.mark.slow
def test_notebooks_open_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-c", OPENED, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == len(list((tmp_path / "lab").iterdir())) == 3


def project_table() -> dict[str, object]:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def versions() -> list[str]:
    """The Pythons that the project says it runs on."""
    project = project_table()["project"]
    assert isinstance(project, dict)
    told = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line) for line in project["classifiers"]]
    return [found[1] for found in told if found]


def python_of(version: str) -> Path | None:
    """A Python of a version that is at hand, as a command or as pyenv keeps it."""
    kept = sorted(Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{version}*/bin/python"))
    for each in (shutil.which(f"python{version}"), *kept):
        if each is not None and run(each, "-c", "import venv", cwd=PROJECT).returncode == 0:
            return Path(each)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("version", versions())
def test_each_python_that_is_declared_and_at_hand_compares(version: str, wheel: Path, tmp_path: Path) -> None:
    python = python_of(version)
    if python is None or version == "{}.{}".format(*sys.version_info):
        pytest.skip(f"Python {version} is not at hand, or the one that the wheel is tried with anyway")
    command = install(python, tmp_path, str(wheel)).with_name("evreview")
    told = run(command, "doctor", cwd=tmp_path)
    assert told.returncode == 0 and f" {version}." in told.stdout, told.stdout + told.stderr
    done = run(command, "diff", *CONTRACTS, "--fail-on", "breaking", cwd=tmp_path)
    assert done.returncode == 5, done.stderr


def test_the_oldest_python_that_is_declared_is_the_one_that_is_required() -> None:
    project = project_table()["project"]
    assert isinstance(project, dict)
    assert project["requires-python"] == f">={versions()[0]}"
    assert versions() == sorted(versions(), key=lambda each: int(each.partition(".")[2]))


def declared() -> dict[str, str]:
    """Every requirement of the project and its extras: version bounds by distribution name."""
    project = project_table()["project"]
    assert isinstance(project, dict)
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    pairs = [re.match(r"([\w.-]+)(?:\[[\w,-]+\])?(.*)", line) for line in lines]
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


def test_each_locked_version_is_one_that_is_asked_for() -> None:
    lines = (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    asked = {canonicalize_name(name): SpecifierSet(bound) for name, bound in declared().items()}
    assert [name for name, bound in asked.items() if not bound.contains(locked[name], prereleases=True)] == []


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
