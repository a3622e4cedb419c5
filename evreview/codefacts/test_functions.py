"""Test functions of the supplied files: which requests each makes, and which statuses it asserts. Nothing is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant, possible, whole
from evreview.codefacts.model import PATH_PARAMETER, Route, Spot
from evreview.codefacts.modules import FUNCTIONS, FunctionNode, Scope, calls_in
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import ABSENT, Form
from evreview.evidence.element_mentions import METHODS

MAX_VALUES: Final = 200
"""Values that one name may have in a parametrised test."""
_STATUS: Final = frozenset({"status_code", "status", "status_int"})
_ASSERTS: Final = frozenset({"assertEqual", "assertEquals", "assert_equal", "assertIn"})


@dataclass(frozen=True, slots=True)
class TestRequest:
    """One request that a test makes: method and path, `{}` for a part that is not constant; and the answer asserted.

    `status` is None when the test asserts none of this request.
    """

    method: str
    path: str
    status: int | None


@dataclass(frozen=True, slots=True)
class TestFunction:
    """One test function.

    Attributes:
        name: qualified within its file.
        path: of its file.
        asked: its requests in the order written.
    """

    __test__ = False
    name: str
    path: str
    spot: Spot
    asked: tuple[TestRequest, ...]


def read_tests(modules: Modules) -> tuple[TestFunction, ...]:
    """Every function and method whose name begins with `test`, in the order written."""
    found: list[TestFunction] = []
    for definition in modules.functions():
        node, scope, inner = definition.node, definition.scope, modules.body(definition)
        if definition.name.startswith("test") and inner is not None and isinstance(node, FUNCTIONS):
            asked = tuple(_TestReader(modules, inner, node).asked())
            found.append(TestFunction(definition.qualname, scope.module.source.path, scope.spot(node), asked))
    return tuple(found)


def named_test(functions: Iterable[TestFunction], written: str) -> TestFunction | None:
    """The function that an id names: `tests/a.py::C::test_x[1]`, `tests.a::test_x`, `tests.a.C.test_x` or `test_x`."""
    bare = written.strip().partition("[")[0]
    steps = [step for step in re.split(r"::|\.(?!pyi?(?:::|$))", bare.replace("/", ".").replace(".py", "")) if step]
    found = [one for one in functions if _fits(one, steps)]
    return found[0] if len(found) == 1 else None


def _fits(one: TestFunction, steps: Sequence[str]) -> bool:
    """True when the steps are the end of the function's whole name."""
    stem = one.path.removesuffix(".py").replace("/", ".")
    whole_name = [*stem.split("."), *one.name.split(".")]
    return bool(steps) and whole_name[-len(steps) :] == list(steps) and len(steps) >= len(one.name.split("."))


def answers(route: Route, asked: TestRequest) -> bool:
    """True when a request of a test is one that the route takes."""
    if asked.method != route.method:
        return False
    wanted, given = _segments(route.path), _segments(asked.path)
    if len(wanted) != len(given):
        return False
    return all(
        PATH_PARAMETER.search(want) is not None or have in (want, "{}")
        for want, have in zip(wanted, given, strict=True)
    )


def _segments(path: str) -> list[str]:
    return path.partition("?")[0].strip("/").split("/")


class _TestReader:
    """The requests of one test, and what it says about each answer."""

    def __init__(self, modules: Modules, scope: Scope, node: FunctionNode) -> None:
        self.modules = modules
        self.scope = scope
        self.node = node
        self.values = dict(_parametrised(modules, scope, node))
        self.names: dict[str, ast.Call] = {}

    def asked(self) -> Iterator[TestRequest]:
        """Each request once for each status asserted of it, or with None."""
        calls = [call for call in _calls(self.node) if self._request(call) is not None]
        for statement in ast.walk(self.node):
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target, value = statement.targets[0], _bare(statement.value)
                if isinstance(target, ast.Name) and isinstance(value, ast.Call) and value in calls:
                    self.names[target.id] = value
        said: dict[int, list[int]] = {}
        for left, right in self._compared():
            call = self._answer_of(left)
            if call is not None:
                said.setdefault(id(call), []).extend(self._statuses(right))
        for call in calls:
            request = self._request(call)
            for method, path in request or ():
                for status in dict.fromkeys(said.get(id(call), [])) or (None,):
                    yield TestRequest(method, path, status)

    def _request(self, call: ast.Call) -> list[tuple[str, str]] | None:
        """Methods and paths that a call asks for, None for a call that is no request."""
        if not isinstance(call.func, ast.Attribute):
            return None
        name = call.func.attr.upper()
        if name == "REQUEST":
            methods = [str(one).upper() for one in self._possible(keyword(call, "method", 0))]
            paths = self._paths(keyword(call, "url", 1) or keyword(call, "path", 1))
        elif name in METHODS:
            methods = [name]
            paths = self._paths(keyword(call, "url", 0) or keyword(call, "path", 0))
        else:
            return None
        found = [(method, path) for method in methods for path in paths if path.startswith("/")]
        return found[:MAX_VALUES] or None

    def _paths(self, node: ast.expr | None) -> list[str]:
        known = [one for one in self._possible(node) if isinstance(one, str)]
        if known or not isinstance(node, ast.JoinedStr):
            return known
        parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values]
        return ["".join(parts)]

    def _possible(self, node: ast.expr | None) -> tuple[Form, ...]:
        if isinstance(node, ast.Name) and node.id in self.values:
            return tuple(self.values[node.id])
        return possible(self.modules, self.scope, node) if node is not None else ()

    def _statuses(self, node: ast.expr) -> list[int]:
        """The statuses that a compared expression may be."""
        found: list[int] = []
        for value in self._possible(node):
            for one in value if isinstance(value, list) else (value,):
                number = whole(one)
                found += [number] if number is not None and 100 <= number <= 599 else []
        return found

    def _compared(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """Pairs that an assertion compares: one may be an answer's status, the other what it shall be."""
        for node in ast.walk(self.node):
            match node:
                case ast.Assert(test=test):
                    for inner in ast.walk(test):
                        if isinstance(inner, ast.Compare) and isinstance(inner.ops[0], ast.Eq | ast.In | ast.Is):
                            yield from _pairs(inner.left, inner.comparators[0])
                case ast.Call(func=ast.Attribute(attr=name), args=[first, second, *_]) if name in _ASSERTS:
                    yield from _pairs(first, second)
                case _:
                    continue

    def _answer_of(self, node: ast.expr) -> ast.Call | None:
        """The request whose answer's status an expression is."""
        if not isinstance(node, ast.Attribute) or node.attr not in _STATUS:
            return None
        holder = _bare(node.value)
        if isinstance(holder, ast.Name):
            return self.names.get(holder.id)
        return holder if isinstance(holder, ast.Call) and self._request(holder) is not None else None


def _pairs(left: ast.expr, right: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Both ways round, and part by part for tuples of one length."""
    if isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple) and len(left.elts) == len(right.elts):
        for one, other in zip(left.elts, right.elts, strict=True):
            yield from _pairs(one, other)
        return
    yield left, right
    yield right, left


def _bare(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Await) else node


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of a function in the order written."""
    found = list(calls_in(node))
    yield from sorted(found, key=lambda call: (call.lineno, call.col_offset, -(call.end_col_offset or 0)))


def _parametrised(modules: Modules, scope: Scope, node: FunctionNode) -> Iterator[tuple[str, list[Form]]]:
    """What `pytest.mark.parametrize` gives to each name, where it is constant."""
    outer = scope.owner or scope.parent
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute) or outer is None:
            continue
        if decorator.func.attr != "parametrize" or len(decorator.args) < 2:
            continue
        named, rows = constant(modules, outer, decorator.args[0]), decorator.args[1]
        names = [name.strip() for name in named.split(",")] if isinstance(named, str) else []
        parts: Sequence[ast.expr] = rows.elts if isinstance(rows, ast.List | ast.Tuple) else []
        yield from _columns(modules, outer, names, parts).items()


def _columns(modules: Modules, scope: Scope, names: list[str], rows: Sequence[ast.expr]) -> Mapping[str, list[Form]]:
    found: dict[str, list[Form]] = {name: [] for name in names}
    for row in rows[:MAX_VALUES]:
        cells = _cells(row, len(names))
        for name, cell in zip(names, cells, strict=False):
            value = constant(modules, scope, cell)
            if value is not ABSENT:
                found[name].append(value)
    return found


def _cells(row: ast.expr, width: int) -> Sequence[ast.expr]:
    """The cells of one row; `pytest.param(…)` is one row as well."""
    if isinstance(row, ast.Call):
        return row.args
    return row.elts if width > 1 and isinstance(row, ast.List | ast.Tuple) else [row]
