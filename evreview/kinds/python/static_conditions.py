"""Conditions that are settled before a file runs: what is for type checkers alone, imports that never fail, and what
asks for a version of Python that all have, or none has any more.

The tree is changed in place, so that whoever reads it afterwards sees what runs; lines stay where they are.
Sources: typing, TYPE_CHECKING; The Python Language Reference, 8.4 The try statement.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from evreview.kinds.python.bindings import names_bound, only_checked
from evreview.kinds.python.names import has_name

_CHECKING: Final = "TYPE_CHECKING"
_FAILING: Final = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_OLDEST: Final = (3, 9, 0)
_NEWEST: Final = (3, 999, 0)
"""The versions of Python that conditions are settled for: an older one has not been mended for years."""
_ORDERS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_EQUAL: Final = (ast.Eq, ast.NotEq)
_OF_PYTHON_2: Final = frozenset(
    {
        "__builtin__", "BaseHTTPServer", "ConfigParser", "Cookie", "cookielib", "cPickle", "cStringIO", "exceptions",
        "HTMLParser", "htmlentitydefs", "httplib", "Queue", "SimpleHTTPServer", "SocketServer", "StringIO", "thread",
        "Tkinter", "urllib2", "urlparse", "UserDict", "UserList", "xmlrpclib",
    }
)  # fmt: skip
"""Modules that no Python 3 has."""


def settle(tree: ast.Module) -> None:
    """Put in place of each settled condition what runs; what only type checkers read stays below `if TYPE_CHECKING`."""
    tree.body = _settled(tree.body, outermost=True)


def _settled(body: Sequence[ast.stmt], *, outermost: bool) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        inside = isinstance(statement, ast.ClassDef)
        for part in ("body", "orelse", "finalbody"):
            if isinstance(statement, _AROUND) and getattr(statement, part, None):
                setattr(statement, part, _settled(getattr(statement, part), outermost=inside))
        for arm in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            arm.body = _settled(arm.body, outermost=False)
        running = _as_it_runs(statement)
        # The reader of definitions sees a branch for type checkers only where no other statement is around it.
        checked = not outermost and isinstance(statement, ast.If) and only_checked(statement)
        found += getattr(statement, "orelse", []) if checked else running
    return found


_AROUND: Final = (ast.If, ast.Try, ast.TryStar, ast.With, ast.ClassDef, ast.For, ast.While)


def _as_it_runs(statement: ast.stmt) -> list[ast.stmt]:
    if isinstance(statement, ast.Try):
        return _tried(statement)
    if not isinstance(statement, ast.If):
        return [statement]
    decided = _of_version(statement.test)
    if decided is not None:
        return (statement.body if decided else statement.orelse) or [_nothing(statement)]
    if isinstance(statement.test, ast.UnaryOp) and isinstance(statement.test.op, ast.Not):
        inside = ast.If(
            test=statement.test.operand, body=statement.orelse or [_nothing(statement)], orelse=statement.body
        )
        if only_checked(inside):
            statement.test, statement.body, statement.orelse = inside.test, inside.body, inside.orelse
    if only_checked(statement):
        statement.test = ast.copy_location(ast.Name(id=_CHECKING, ctx=ast.Load()), statement.test)
        told = {name for each in _flat(statement.orelse) if _is_told(each) for name in names_bound(each)}
        statement.body = [each for each in statement.body if not told & set(_named(each))] or [_nothing(statement)]
        untold = {name for each in statement.body for name in _named(each)}
        statement.orelse = [each for each in statement.orelse if _is_told(each) or not set(_named(each)) <= untold]
    return [statement]


def _of_version(test: ast.expr) -> bool | None:
    """What a condition about the version of Python is on every one since `_OLDEST`; None where they differ."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            inner = _of_version(test.operand)
            return None if inner is None else not inner
        case ast.Attribute(value=ast.Name(id="six"), attr="PY2" | "PY3" as name):
            return name == "PY3"
        case ast.Compare(left=left, ops=[order], comparators=[right]) if type(order) in _ORDERS:
            given = _literal(right)
            known = [_part(left, version) for version in (_OLDEST, _NEWEST)]
            if given is None or any(each is None or type(each) is not type(given) for each in known):
                return None
            if type(order) in _EQUAL and known[0] != known[1]:
                return None  # one version between the two may be meant
            answers = {bool(_ORDERS[type(order)](each, given)) for each in known}
            return answers.pop() if len(answers) == 1 else None
    return None


def _literal(node: ast.expr) -> int | tuple[int, ...] | None:
    try:
        found = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    if isinstance(found, tuple) and found and all(type(each) is int for each in found):
        return found
    return found if type(found) is int else None


def _part(node: ast.expr, version: tuple[int, ...]) -> int | tuple[int, ...] | None:
    """What `sys.version_info`, or a part of it, is for a version; None for any other expression."""
    match node:
        case ast.Attribute(value=ast.Name(id="sys"), attr="version_info"):
            return version
        case ast.Attribute(value=inner, attr="major"):
            whole = _part(inner, version)
            return whole[0] if isinstance(whole, tuple) else None
        case ast.Subscript(value=inner, slice=ast.Constant(value=0)):
            whole = _part(inner, version)
            return whole[0] if isinstance(whole, tuple) else None
        case ast.Subscript(value=inner, slice=ast.Slice(lower=None, upper=ast.Constant(value=int(end)), step=None)):
            whole = _part(inner, version)
            return whole[:end] if isinstance(whole, tuple) else None
    return None


def _named(statement: ast.stmt) -> list[str]:
    """The names that a statement binds, also an overload."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return [statement.name]
    return list(names_bound(statement))


def _is_told(statement: ast.stmt) -> bool:
    """True for what a reader knows without running it; a call may make what its declaration for type checkers says."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return not isinstance(value, ast.Call)


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody") if isinstance(statement, ast.If | ast.Try | ast.With) else ():
            yield from _flat(getattr(statement, part, ()))


def _nothing(where: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Pass(), where)


def _tried(statement: ast.Try) -> list[ast.stmt]:
    """The statements that run where it is known whether the imports below `try` fail, else the statement itself."""
    if not statement.handlers or not all(isinstance(each, ast.Import | ast.ImportFrom) for each in statement.body):
        return [statement]
    answers = {_is_there(path, name) for each in statement.body for path, name in _imported(each)}
    if answers == {True}:
        return [*statement.body, *statement.orelse, *statement.finalbody]
    if False in answers and (handler := next(filter(_catches, statement.handlers), None)) is not None:
        return [*handler.body, *statement.finalbody]
    return [statement]


def _imported(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(statement, ast.Import):
        yield from ((each.name, "") for each in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        path = "" if statement.level else statement.module or ""
        yield from ((path, each.name) for each in statement.names)


def _is_there(path: str, name: str) -> bool | None:
    """Whether Python's own library has it; None for other libraries, and where releases of Python differ."""
    top = path.split(".")[0]
    if top in _OF_PYTHON_2:
        return False
    if top not in sys.stdlib_module_names:
        return None
    return True if name in ("", "*") or has_name(path, name) is not False else None


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or (isinstance(each, ast.Name) and each.id in _FAILING) for each in kinds)
