"""One name a step: file, function, title, test and map of the code; and no step knows another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from evreview.core.vocabulary import WorkflowId
from evreview.workflows.engine.step import Step
from evreview.workflows.session import flow_of

PROJECT = Path(__file__).resolve().parents[2]
SLICES = {name: PROJECT / "evreview" / "workflows" / name for name in (str(each).lower() for each in WorkflowId)}
NUMBERS = list(range(1, 10))
ABOVE = {"workflow", "view", "view_blocks", "view_messages", "tables", "widgets", "decision"}
"""What rests on the facts of finished steps."""


def steps_of(name: str) -> list[Path]:
    """Whatever a listing of a slice shows as a step, in its order."""
    return sorted(path for path in SLICES[name].iterdir() if path.name.startswith("step"))


def imported(path: Path) -> Iterator[str]:
    """The modules of its own slice that a file imports, as `step1_x` or `scope.operations`."""
    slice_of = f"evreview.workflows.{path.relative_to(PROJECT / 'evreview' / 'workflows').parts[0]}"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == slice_of:
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{slice_of}."):
            yield str(node.module).removeprefix(f"{slice_of}.")


def public(path: Path) -> list[str]:
    """The public functions and classes of a file, in its order."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [
        node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]


def first_defined(path: Path) -> str:
    """What a file defines first: the first statement after docstring and imports."""
    body = ast.parse(path.read_text(encoding="utf-8")).body[1:]
    own = next(node for node in body if not isinstance(node, ast.Import | ast.ImportFrom))
    return own.name if isinstance(own, ast.FunctionDef) else ast.unparse(own)


def said_in(words: list[str], text: str) -> bool:
    """True when a text says all words, in their order."""
    left = iter(re.findall(r"\w+", text.lower()))
    return all(word in left for word in words)


def faults(name: str, path: Path, step: Step[object]) -> Iterator[str]:
    """What a step's file does not say as its title does."""
    stem = path.stem
    if path.suffix != ".py" or step.run.__module__ != f"evreview.workflows.{name}.{stem}":
        yield f"{name}/{path.name}: step {step.number} of workflow.py runs {step.run.__module__}"
    if not said_in(stem.split("_")[1:], step.title):
        yield f"{name}/{path.name}: its words are not those of the title {step.title!r}"
    opening = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition(": ")
    if opening[0] != f"Step {step.number} of {name.upper()}" or not said_in(stem.split("_")[1:], opening[2]):
        yield f"{name}/{path.name}: its docstring opens otherwise"
    if not (PROJECT / "tests" / "workflows" / name / f"test_{stem}.py").is_file():
        yield f"{name}/{path.name}: no tests/workflows/{name}/test_{stem}.py"


@pytest.mark.parametrize("name", SLICES)
def test_each_slice_has_nine_steps_in_order(name: str) -> None:
    assert [re.match(r"step(\d)_[a-z_]+\.py$", path.name)[1] for path in steps_of(name)] == list(map(str, NUMBERS))  # type: ignore[index]
    assert [step.number for step in flow_of(WorkflowId(name.upper())).steps] == NUMBERS


@pytest.mark.parametrize("name", SLICES)
def test_a_step_has_one_name_everywhere(name: str) -> None:
    pairs = zip(steps_of(name), flow_of(WorkflowId(name.upper())).steps, strict=True)
    assert [fault for path, step in pairs for fault in faults(name, path, step)] == []


@pytest.mark.parametrize("name", SLICES)
def test_a_step_is_one_public_function_that_stands_first(name: str) -> None:
    wrong = {path.name: (first_defined(path), public(path)) for path in steps_of(name)}
    assert {file: found for file, found in wrong.items() if found != ("run", ["run"])} == {}


@pytest.mark.parametrize("name", SLICES)
def test_only_the_workflow_knows_its_steps(name: str) -> None:
    files = [path for path in SLICES[name].rglob("*.py") if path.name != "workflow.py"]
    knowing = [f"{path.name} imports {each}" for path in files for each in imported(path) if each.startswith("step")]
    assert knowing == [], "\n".join(knowing)


@pytest.mark.parametrize("name", SLICES)
def test_no_step_looks_at_what_is_made_of_the_finished_run(name: str) -> None:
    over = [f"{p.name} imports {each}" for p in steps_of(name) for each in imported(p) if each.split(".")[0] in ABOVE]
    assert over == [], "\n".join(over)


def test_the_map_of_the_code_lists_every_step() -> None:
    text = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(w\d/step\d\w+\.py)`", text))
    assert listed == {str(PurePosixPath(name, path.name)) for name in SLICES for path in steps_of(name)}
