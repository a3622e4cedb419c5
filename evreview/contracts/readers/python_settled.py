"""Conditions of a file that are settled before it runs: what is for type checkers alone, imports that never fail.

The tree is changed in place, so that whoever reads it afterwards sees what runs; lines stay where they are.
Sources: typing, TYPE_CHECKING; The Python Language Reference, 8.4 The try statement.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.contracts.readers.python_branches import names_bound, only_checked
from evreview.contracts.readers.python_standard import has_name

_CHECKING: Final = "TYPE_CHECKING"
_FAILING: Final = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
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
