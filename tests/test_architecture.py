"""The house rules that a machine can check: layers, doors, sizes, types and docstrings."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
SOURCES = sorted((PROJECT / "evreview").rglob("*.py"))

DOORS = {
    "evreview/assets.py",
    "evreview/evidence/contract_file.py",
    "evreview/evidence/decide.py",
    "evreview/evidence/files.py",
    "evreview/evidence/folder.py",
    "evreview/evidence/intake.py",
    "evreview/evidence/repository.py",
    "evreview/evidence/retain.py",
    "evreview/artifacts/environment.py",
    "evreview/artifacts/manifest.py",
    "evreview/artifacts/deliver.py",
    "evreview/artifacts/validate_beside.py",
    "evreview/artifacts/write.py",
    "evreview/isolation/host.py",
    "evreview/isolation/inside.py",
    "evreview/isolation/protoc.py",
    "evreview/isolation/routes.py",
    "evreview/isolation/run.py",
    "evreview/isolation/scan.py",
    "evreview/notebook/kernel.py",
    "evreview/notebook/run.py",
    "evreview/widgets/desk.py",
    "evreview/workflow/journal.py",
}
"""Only these, and the command line, touch disk, processes, the clock or randomness. Each says `[door]` on top."""

WORLDLY_MODULES = {
    "subprocess", "time", "random", "uuid", "secrets", "socket", "tempfile", "shutil", "urllib.request", "http",
    "requests", "os", "glob", "multiprocessing", "threading",
}  # fmt: skip
WORLDLY_CALLS = {
    "open", "print", "input", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "unlink", "rmdir",
    "iterdir", "rglob", "touch", "is_file", "is_dir", "now", "utcnow", "today", "getenv",
}  # fmt: skip
LONGEST_FILE, LONGEST_BODY, HOUSE_BODY, MOST_PARAMETERS = 600, 60, 40, 5


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def is_door(name: str) -> bool:
    return name in DOORS or name == "evreview/cli.py" or name.startswith("evreview/commands/")


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def each(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=name_of)


def worldly(tree: ast.Module) -> Iterator[str]:
    """Every import and call of `tree` through which a file could touch the outside."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (f"line {node.lineno}: import {n.name}" for n in names if n.name in WORLDLY_MODULES)
            case ast.ImportFrom(module=str(module)) if module in WORLDLY_MODULES:
                yield f"line {node.lineno}: from {module}"
            case ast.Call(func=ast.Name(id=name)) if name in WORLDLY_CALLS:
                yield f"line {node.lineno}: {name}()"
            case ast.Call(func=ast.Attribute(attr=name)) if name in WORLDLY_CALLS:
                yield f"line {node.lineno}: .{name}()"


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_layers_import_only_downwards() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_package_stands_in_a_layer() -> None:
    text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    parts = {path.stem if path.is_file() else path.name for path in (PROJECT / "evreview").iterdir()}
    parts -= {"__init__", "__main__", "__pycache__", "py", "_assets"}
    assert sorted(part for part in parts if f"evreview.{part}" not in text) == []


@each([path for path in SOURCES if not is_door(name_of(path))])
def test_only_doors_touch_the_outside(path: Path) -> None:
    assert list(worldly(tree_of(path))) == []


def test_every_door_says_so_and_nobody_else_does() -> None:
    saying = {name_of(path) for path in SOURCES if (ast.get_docstring(tree_of(path)) or "").startswith("[door]")}
    assert saying == DOORS


@pytest.mark.parametrize(
    "source",
    ["import os\n", "from subprocess import run\n", "open('x')\n", "p.write_text('x')\n", "datetime.now()\n"],
)
def test_the_door_test_sees_each_way_out(source: str) -> None:
    assert list(worldly(ast.parse(source)))


@each(SOURCES)
def test_files_and_functions_stay_small(path: Path) -> None:
    tree = tree_of(path)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    assert [f"{node.name}: {body_lines(node)}" for node in functions(tree) if body_lines(node) > LONGEST_BODY] == []


def test_long_bodies_are_the_exception() -> None:
    bodies = [
        (body_lines(node), f"{name_of(path)}:{node.name}") for path in SOURCES for node in functions(tree_of(path))
    ]
    long = sorted((found for found in bodies if found[0] > HOUSE_BODY), reverse=True)
    sys.stdout.write("\n".join(f"{lines:>4} {place}" for lines, place in long))
    assert len(long) <= len(bodies) // 100


@each(SOURCES)
def test_functions_are_typed(path: Path) -> None:
    def untyped(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        bare = [one for one in arguments if one.annotation is None and one.arg not in {"self", "cls"}]
        return bool(bare) or node.returns is None

    assert [f"{node.lineno}: {node.name}" for node in functions(tree_of(path)) if untyped(node)] == []


@each(SOURCES)
def test_public_functions_and_modules_are_documented(path: Path) -> None:
    tree = tree_of(path)
    public = [
        node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    undocumented = [node.name for node in public if isinstance(node, ast.FunctionDef) and not ast.get_docstring(node)]
    assert undocumented == []
    assert ast.get_docstring(tree) or not tree.body


@each(SOURCES)
def test_nothing_is_left_unfinished(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [word for word in ("TODO", "FIXME", "NotImplementedError") if word in text] == []
