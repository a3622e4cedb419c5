"""Which modules an import of a package loads besides: `import pkg` gives `pkg.part` only where something loads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from evreview.contracts.readers.python_branches import flat

BY_PACKAGE: Final = "by the package itself"
IN_PASSING: Final = "in passing"
PERHAPS: Final = "perhaps"
NOT: Final = "no"

_DYNAMIC: Final = re.compile(r"\bimport_module\b|\b__import__\b|\blazy_loader\b|\bpkgutil\b|\bexec\(|\bimportlib\b")
_INSIDE: Final = re.compile(r"^[ \t]+(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([^\n#]*)|import[ \t]+([^\n#]*))", re.M)
_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")


@dataclass(frozen=True, slots=True)
class Loads:
    """The imports of one file, as dotted paths; of `from a import b` both `a` and `a.b`.

    Attributes:
        named: those that an import statement names, whenever the file runs.
        around: those that it loads by that, too.
        perhaps: imports below a condition or in a function.
        dynamic: it imports by what only running tells.
    """

    named: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    dynamic: bool = False


def loads_of(tree: ast.Module, code: str, called: str, *, package: bool) -> Loads:
    """The imports of a parsed file.

    Args:
        tree, code: the file.
        called: its dotted path, from the import name on.
        package: it is an `__init__`.
    """
    if "import" not in code:
        return Loads()
    base = called if package else called.rpartition(".")[0]
    named: set[str] = set()
    around: set[str] = set()
    perhaps: set[str] = set()
    for statement, arms in flat(tree.body):
        for path, is_named in _imported(statement, base):
            (perhaps if arms else named if is_named else around).add(path)
    for match in _INSIDE.finditer(code):
        perhaps.update(_written(match, base))
    return Loads(frozenset(named), frozenset(around), frozenset(perhaps), _DYNAMIC.search(code) is not None)


def _imported(statement: ast.stmt, base: str) -> Iterator[tuple[str, bool]]:
    """What an import loads, and whether it names it so."""
    if isinstance(statement, ast.Import):
        yield from ((each.name, True) for each in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        source = _absolute(base, statement.level, statement.module or "")
        yield source, False
        yield from ((f"{source}.{each.name}", True) for each in statement.names if each.name != "*")


def _written(match: re.Match[str], base: str) -> Iterator[str]:
    source, taken, plain = match.groups()
    if plain is not None:
        yield from _NAME.findall(plain)
        return
    level = len(source) - len(source.lstrip("."))
    path = _absolute(base, level, source.lstrip("."))
    yield path
    yield from (f"{path}.{name}" for name in _NAME.findall(taken))


def _absolute(base: str, level: int, path: str) -> str:
    if level == 0:
        return path
    steps = base.split(".")
    around = ".".join(steps[: len(steps) - level + 1])
    return f"{around}.{path}" if around and path else around or path


class Loading(Protocol):
    """A module and its imports."""

    @property
    def path(self) -> str:
        """The dotted path."""

    @property
    def loads(self) -> Loads:
        """The imports."""


@dataclass
class Loaded:
    """What an import of each package of a library loads.

    Attributes:
        modules: by dotted path.
        prefix: the import name that the paths leave out, "" elsewhere.
    """

    modules: Mapping[str, Loading]
    prefix: str = ""
    _known: dict[tuple[str, bool], frozenset[str]] = field(default_factory=dict)

    def state(self, path: str) -> str:
        """How a module is loaded when the package around it is imported."""
        package = path.rpartition(".")[0]
        around = self.modules.get(package)
        if around is None:
            return NOT
        if path in self._inside(around.loads.named):
            return BY_PACKAGE
        if path in self._after(package, perhaps=False):
            return IN_PASSING
        run = self._after(package, perhaps=True)
        return PERHAPS if path in run or any(self.modules[each].loads.dynamic for each in run) else NOT

    def _after(self, package: str, *, perhaps: bool) -> frozenset[str]:
        """The modules that run when a package is imported; the packages around it run before."""
        key = (package, perhaps)
        if key not in self._known:
            top = "" if "" in self.modules else package.split(".")[0]
            start = self._after(top, perhaps=perhaps) if top != package and top in self.modules else frozenset[str]()
            self._known[key] = self._reached(package, start, perhaps=perhaps)
        return self._known[key]

    def _reached(self, package: str, known: frozenset[str], *, perhaps: bool) -> frozenset[str]:
        found = set(known)
        waiting = [each for each in _steps(package) if each in self.modules and each not in found]
        if not waiting:
            return known
        found.update(waiting)
        while waiting:
            loads = self.modules[waiting.pop()].loads
            ways = (loads.named, loads.around, *([loads.perhaps] if perhaps else []))
            fresh = {each for way in ways for path in self._inside(way) for each in _steps(path)}
            fresh = {each for each in fresh if each in self.modules} - found
            found |= fresh
            waiting += fresh
        return frozenset(found)

    def _inside(self, paths: Iterable[str]) -> Iterable[str]:
        """Paths as the library's modules are called here."""
        if not self.prefix:
            return paths
        opening = f"{self.prefix}."
        return {path.removeprefix(opening) if path.startswith(opening) else path for path in paths} - {self.prefix}


def _steps(path: str) -> list[str]:
    """A module's path, and those of the packages around it."""
    steps = path.split(".")
    return [".".join(steps[:length]) for length in range(1, len(steps) + 1)]
