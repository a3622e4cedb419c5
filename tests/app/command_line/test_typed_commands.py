"""Every command that prints a next step prints it so that it runs, whatever the folder is called and wherever it is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import Result

from evreview.core.assets import demo_bundle
from tests.app.command_line.test_printed_commands import words_of
from tests.app.commands.test_branch import run
from tests.repositories import git, parcels

PROJECT = Path(__file__).resolve().parents[3]
PRINTED = re.compile(r"(?:^next +|^ {8,}|: |`)(evreview [^`\n]*)", re.M)
ASK = ("--repo", "clone", "--from", "v1.0", "--to", "v1.1", "--contract", "api/openapi.yaml", "--code", "parcels")
AT = ("--repo", "clone", "--at", "v1.1", "--code", "parcels")


def made(folder: str) -> None:
    assert run("new", "w1", folder, *ASK).exit_code == 0


def new(workflow: str, *options: str) -> Callable[[str], Result]:
    return lambda folder: run("new", workflow, folder, *options)


def unsealed(folder: str) -> Result:
    made(folder)
    path = next(each for each in Path(folder).rglob("*.yaml") if each.name not in ("review.yaml", "decisions.yaml"))
    path.write_text(path.read_text() + "# more\n")
    return run("seal", "--check", folder)


def without_mapping(folder: str) -> None:
    made(folder)
    for each in Path(folder).rglob("*mapping*.yaml"):
        each.write_text(each.read_text().partition("mappings:")[0] + "mappings: []\n")
    run("seal", folder)


def mapped(folder: str) -> Result:
    without_mapping(folder)
    return run("map", folder)


def unmapped(folder: str) -> Result:
    without_mapping(folder)
    return run("check", folder)


def updated(folder: str) -> Result:
    made(folder)
    git(Path("clone"), "commit", "-q", "--allow-empty", "-m", "goes on")
    return run("update", folder, "--repo", "clone", "--to", "HEAD")


def approved(folder: str) -> Result:
    shutil.copytree(demo_bundle(), folder)
    return run("approve", folder, "remove-deprecated", "--role", "Orders API owner", "--yes")


def checked(folder: str) -> Result:
    shutil.copytree(demo_bundle(), folder)
    return run("check", folder)


def imported(folder: str) -> Result:
    shutil.copytree(PROJECT / "examples" / "w3-tickets", folder)
    Path("bom.json").write_text(
        '{"bomFormat": "CycloneDX", "specVersion": "1.5", "components": [{"name": "a", "version": "1"}]}'
    )
    return run("import", folder, "cyclonedx", "bom.json")


COMMANDS: dict[str, Callable[[str], Result]] = {
    "new": new("w1"),
    "new w1 --repo": new("w1", *ASK),
    "new w2 --repo": new("w2", *AT, "--contract", "api/openapi.yaml"),
    "new w3 --repo": new("w3", *AT),
    "seal --check": unsealed,
    "map": mapped,
    "check": unmapped,
    "check before approvals": checked,
    "update": updated,
    "approve": approved,
    "import": imported,
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that one stands in, with a clone."""
    root = tmp_path / "stands here"
    root.mkdir()
    parcels(root / "clone")
    monkeypatch.chdir(root)
    return root


def refused(words: Sequence[str]) -> bool:
    """True where the command line takes a word for something else."""
    done = run(*words)
    return "No such option" in done.output or "unexpected extra argument" in done.output or done.exit_code == 1


@pytest.mark.parametrize("folder", ["./-a b'c", "../-a b'c", "plain"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_printed_next_step_means_the_folder(command: str, folder: str, here: Path) -> None:
    done = COMMANDS[command](folder)
    printed = PRINTED.findall(done.output)
    named = [words for words in map(words_of, printed) if any(Path(word).name == Path(folder).name for word in words)]
    assert named, done.output
    for words in named:
        assert Path(words[1]).resolve() == (here / folder).resolve() and not words[1].startswith("-"), words
        if "…" not in words:
            assert not refused(words)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["./-a b'c", "../-a b'c"])
@pytest.mark.parametrize("has_lab", [True, False])
def test_the_next_steps_of_a_run_are_there_and_run(
    has_lab: bool, folder: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = property(lambda _: "" if has_lab else "there is no JupyterLab")
    monkeypatch.setattr("evreview.app.commands.run.LabOptions.lacking", lacking)
    shutil.copytree(demo_bundle(), folder)
    done = run("run", folder, "-o", "out")
    assert done.exit_code == 4, done.output
    steps = re.findall(r"^(?:next)? +(evreview (?:lab|approve) .*)", done.output.replace("\\\n", ""), re.M)
    ((verb, bundle, *rest),) = map(words_of, steps)
    assert verb == ("lab" if has_lab else "approve") and Path(bundle).resolve() == (here / folder).resolve()
    if not has_lab:
        before = (Path(folder) / "decisions.yaml").read_text()
        assert run(verb, bundle, *rest, "--yes").exit_code == 0
        assert len((Path(folder) / "decisions.yaml").read_text()) > len(before)
        again = run("run", folder, "-o", "out2")
        assert steps[0] not in again.output.replace("\\\n", "")


@pytest.mark.slow
def test_the_bundled_review_is_answered_in_a_copy(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evreview.app.commands.run.LabOptions.lacking", property(lambda _: "there is none"))
    told = run("demo", "-o", "out").output.replace("\\\n", "")
    copied, answer = (line.partition("  #")[0].strip() for line in re.findall(r"(?:cp|evreview approve) .*", told))
    _, source, target = words_of(copied.replace("cp ", "evreview ", 1))
    shutil.copytree(source, target)
    assert run(*words_of(answer), "--yes").exit_code == 0


def test_no_command_is_printed_without_quoting_its_folder() -> None:
    bare = re.compile(r"evreview (?:approve|check|diff|import|lab|map|new|run|seal|update|validate) \{(?!bundle})")
    found = [
        f"{path.name}:{number}"
        for path in (PROJECT / "evreview").rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if bare.search(line)
    ]
    assert not found
