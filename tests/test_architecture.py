"""The house rules that a machine can check: layers, I/O modules, sizes, types and docstrings."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

PROJECT = Path(__file__).resolve().parent.parent
SOURCES = {
    path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((PROJECT / "evreview").rglob("*.py"))
}

IO_MODULES = {
    "evreview/core/assets.py",
    "evreview/core/temporary_folder.py",
    "evreview/evidence/files.py",
    "evreview/evidence/bundle_folder.py",
    "evreview/evidence/bundle_reader.py",
    "evreview/evidence/repository.py",
    "evreview/evidence/bundle_writer.py",
    "evreview/evidence/renewed_digests.py",
    "evreview/evidence/renewed_items.py",
    "evreview/report/template_environment.py",
    "evreview/report/writer.py",
    "evreview/report/validate_output_files.py",
    "evreview/sandbox/host.py",
    "evreview/sandbox/helper.py",
    "evreview/kinds/protobuf/compiler.py",
    "evreview/sandbox/route_listing.py",
    "evreview/sandbox/runner.py",
    "evreview/sandbox/scanner.py",
    "evreview/app/batch/child.py",
    "evreview/app/batch/engine.py",
    "evreview/app/batch/pairs.py",
    "evreview/app/batch/reviews.py",
    "evreview/app/batch/storage.py",
    "evreview/app/batch/worker.py",
    "evreview/app/notebook/run.py",
    "evreview/app/workshop/folder.py",
    "evreview/workflows/widgets/display_context.py",
    "evreview/workflows/engine/journal.py",
}
"""Only these, and the command line, touch disk, processes, the clock or randomness. Each says `[I/O]` on top."""

WORLDLY_MODULES = {
    "subprocess", "time", "random", "uuid", "secrets", "socket", "tempfile", "shutil", "urllib.request", "http",
    "requests", "os", "glob", "multiprocessing", "threading",
}  # fmt: skip
WORLDLY_CALLS = {
    "open", "print", "input", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "unlink", "rmdir",
    "iterdir", "rglob", "touch", "is_file", "is_dir", "now", "utcnow", "today", "getenv",
}  # fmt: skip
LONGEST_FILE, LONGEST_BODY, HOUSE_BODY = 700, 60, 40
MOST_FILES, DEEPEST = 25, 4


def is_io_module(name: str) -> bool:
    return name in IO_MODULES or name == "evreview/app/cli.py" or name.startswith("evreview/app/commands/")


@cache
def tree_of(source: str) -> ast.Module:
    return ast.parse(source)


def functions(source: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree_of(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def worldly(source: str) -> Iterator[str]:
    """Every import and call through which a file could touch the outside."""
    for node in ast.walk(tree_of(source)):
        match node:
            case ast.Import(names=names):
                yield from (f"{node.lineno}: import {n.name}" for n in names if n.name in WORLDLY_MODULES)
            case ast.ImportFrom(module=str(module)) if module in WORLDLY_MODULES:
                yield f"{node.lineno}: from {module}"
            case ast.Call(func=ast.Name(id=name)) if name in WORLDLY_CALLS:
                yield f"{node.lineno}: {name}()"
            case ast.Call(func=ast.Attribute(attr=name)) if name in WORLDLY_CALLS:
                yield f"{node.lineno}: .{name}()"


def long(source: str) -> Iterator[str]:
    """The file where it is too long, and each function whose body is."""
    if (lines := len(source.splitlines())) > LONGEST_FILE:
        yield f"{lines} lines"
    yield from (
        f"{node.lineno}: {node.name} has {body_lines(node)} lines"
        for node in functions(source)
        if body_lines(node) > LONGEST_BODY
    )


def untyped(source: str) -> Iterator[str]:
    """Each function of which a parameter or the result has no type."""
    for node in functions(source):
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        bare = [one for one in arguments if one.annotation is None and one.arg not in {"self", "cls"}]
        if bare or node.returns is None:
            yield f"{node.lineno}: {node.name}"


def undocumented(source: str) -> Iterator[str]:
    """The module and each public function without a docstring; an empty module needs none."""
    tree = tree_of(source)
    if tree.body and not ast.get_docstring(tree):
        yield "the module"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not ast.get_docstring(node):
            yield f"{node.lineno}: {node.name}"


def unfinished(source: str) -> Iterator[str]:
    """Each word that says that something is still to be done."""
    yield from (word for word in ("TODO", "FIXME", "NotImplementedError") if word in source)


Rule = Callable[[str], Iterator[str]]

RULES: tuple[Rule, ...] = (worldly, long, untyped, undocumented, unfinished)
PLANTED: tuple[tuple[Rule, str], ...] = (
    (worldly, "import os\n"),
    (worldly, "from subprocess import run\n"),
    (worldly, "open('x')\n"),
    (worldly, "p.write_text('x')\n"),
    (worldly, "datetime.now()\n"),
    (long, "x = 1\n" * (LONGEST_FILE + 1)),
    (long, "def f():\n" + "    x = 1\n" * (LONGEST_BODY + 1)),
    (untyped, "def f(x) -> int: ...\n"),
    (untyped, "def f(*, x) -> int: ...\n"),
    (untyped, "class C:\n    async def f(self, x: int): ...\n"),
    (undocumented, "x = 1\n"),
    (undocumented, '"""A module."""\ndef f(): ...\n'),
    (unfinished, "# TODO\n"),
    (unfinished, "raise NotImplementedError\n"),
)


def test_layers_import_only_downwards() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_folder_is_too_full_or_too_deep() -> None:
    inside = Counter(str(PurePosixPath(name).parent) for name in SOURCES)
    full = [f"{folder}: {files} files" for folder, files in inside.items() if files > MOST_FILES]
    deep = [f"{folder}: too deep" for folder in inside if len(PurePosixPath(folder).parts) > DEEPEST]
    assert not full + deep, "\n".join(full + deep)


def test_every_package_says_what_it_holds_takes_and_gives() -> None:
    packages = {str(PurePosixPath(name).parent) for name in SOURCES} - {"evreview"}
    said = {folder: ast.get_docstring(tree_of(SOURCES.get(f"{folder}/__init__.py", ""))) or "" for folder in packages}
    short = [folder for folder, text in said.items() if "Takes " not in text or "Gives " not in text]
    assert not short, "\n".join(sorted(short))


def test_every_file_that_the_map_of_the_code_names_is_there() -> None:
    text = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(evreview/[\w/]+\.py)`", text))
    folders = {name.split("/")[1] for name in SOURCES if name.count("/") > 1}
    table = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert (sorted(named - set(SOURCES)), sorted(folders ^ table), len(named) > 20) == ([], [], True)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_file_breaks_the_rule(rule: Rule) -> None:
    judged = {name: source for name, source in SOURCES.items() if not (rule is worldly and is_io_module(name))}
    found = [f"{name}: {offence}" for name, source in judged.items() for offence in rule(source)]
    assert not found, "\n".join(found)


def test_each_rule_sees_what_is_planted_for_it() -> None:
    assert [(rule.__name__, source[:40]) for rule, source in PLANTED if not [*rule(source)]] == []
    assert {rule for rule, _ in PLANTED} == set(RULES)


def test_every_io_module_says_so_and_nobody_else_does() -> None:
    saying = {
        name for name, source in SOURCES.items() if (ast.get_docstring(tree_of(source)) or "").startswith("[I/O]")
    }
    assert saying == IO_MODULES


def test_long_bodies_are_the_exception() -> None:
    bodies = [
        (body_lines(node), f"{name}:{node.name}") for name, source in SOURCES.items() for node in functions(source)
    ]
    long_ones = sorted((found for found in bodies if found[0] > HOUSE_BODY), reverse=True)
    sys.stdout.write("\n".join(f"{lines:>4} {place}" for lines, place in long_ones))
    assert len(long_ones) <= len(bodies) // 100
