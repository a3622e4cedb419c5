"""Retired words stay out of the code, and one package gives a class name one meaning."""

from __future__ import annotations

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from evreview.comparison.ledger import COLUMNS

PROJECT = Path(__file__).resolve().parent.parent
SOURCES = {path.relative_to(PROJECT).as_posix(): path for path in sorted((PROJECT / "evreview").rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}


class Retired(NamedTuple):
    """A word that the glossary replaced, as a part of names or as a whole name, and where (everywhere, if empty)."""

    kind: str
    word: str
    where: str
    instead: str

    def stands_in(self, name: str, path: str) -> bool:
        """True when the name holds the word, in a file that it is retired in."""
        if self.where and not any(fnmatch(path, each) for each in self.where.split()):
            return False
        return name == self.word if self.kind == "name" else f"_{self.word}_" in f"_{_snake(name)}_"


def _snake(name: str) -> str:
    return "_".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)).lower()


def retired() -> tuple[Retired, ...]:
    """The table of retired words."""
    with (PROJECT / "tests/data/retired_words.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Retired(**row) for row in csv.DictReader(file))


def names_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that a file gives: classes, functions, parameters, variables, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno


def test_no_name_holds_a_retired_word() -> None:
    words = retired()
    found = [
        f"{path}:{line}: {name}: say {word.instead}"
        for path, tree in TREES.items()
        for name, line in (*((part.removesuffix(".py"), 0) for part in path.split("/")), *names_of(tree))
        for word in words
        if word.stands_in(name, path)
    ]
    assert not found, "\n".join(found)


def test_no_column_holds_a_retired_word() -> None:
    words = [word for word in retired() if not word.where]
    found = [column.name for column in COLUMNS if any(word.stands_in(column.name, "") for word in words)]
    assert not found


def test_a_retired_word_is_found() -> None:
    word = Retired("part", "ghosts", "evreview/comparison/*", "removed uses")
    assert word.stands_in("_all_ghosts", "evreview/comparison/build.py")
    assert word.stands_in("LiveGhosts", "evreview/comparison/proof/prove.py")
    assert not word.stands_in("ghostscript", "evreview/comparison/build.py")
    assert not word.stands_in("ghosts", "evreview/report/writer.py")


def _package(path: str) -> str:
    folders = path.split("/")[1:-1]
    deep = folders[:1] in (["workflows"], ["kinds"])
    return "/".join(folders[: 2 if deep else 1])


def test_a_class_name_is_defined_once_in_a_package() -> None:
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                where[_package(path), node.name].add(path)
    found = [f"{name}: {', '.join(sorted(paths))}" for (_, name), paths in where.items() if len(paths) > 1]
    assert not found, "\n".join(found)
