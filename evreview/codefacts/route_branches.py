"""What runs around a handler, as it runs for one route: branches that look at path, method or endpoint are decided."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable
from typing import Final

from evreview.codefacts.constants import constant, texts
from evreview.codefacts.model import PATH_PARAMETER, RouteIdentity
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, Modules
from evreview.core.vocabulary import ABSENT

_REQUEST: Final = re.compile(r"(^|[._])(req|request|scope|conn|connection|environ|META|url|rel_url)$")
_SCOPE: Final = re.compile(r"(^|\.)scope$")
"""Of ASGI; each route answers calls of the type `http`."""
_SUBJECTS: Final = {
    "path": "path", "raw_path": "path", "PATH_INFO": "path", "path_info": "path", "method": "method",
    "REQUEST_METHOD": "method", "endpoint": "endpoint", "blueprint": "blueprint",
}  # fmt: skip
_END: Final = (ast.Return, ast.Raise)
_HOPS: Final = 4


def told_apart(modules: Modules, function: Definition, told: RouteIdentity) -> Definition:
    """The function without the branches that this route does not take; the function itself where it tells none."""
    node, scope = function.node, modules.body(function)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or scope is None:
        return function
    known = modules.memo.setdefault("told apart", {})
    assert isinstance(known, dict)
    key = (id(node), told)
    if key not in known:
        body = _Branches(modules, scope, told).block(node.body)
        made = function
        if body is not None:
            short = copy.copy(node)
            short.body = body or [ast.copy_location(ast.Pass(), node)]
            made = Definition(short, function.scope, function.name, short)
        known[key] = made
    return known[key]  # type: ignore[no-any-return]


class _Branches:
    def __init__(self, modules: Modules, scope: Scope, told: RouteIdentity) -> None:
        self.modules, self.scope, self.told = modules, scope, told

    def block(self, body: list[ast.stmt]) -> list[ast.stmt] | None:
        """The statements that may run, None where all of them may."""
        found: list[ast.stmt] = []
        changed = False
        for statement in body:
            if isinstance(statement, ast.If):
                taken = self.holds(statement.test)
                if taken is not None:
                    branch = statement.body if taken else statement.orelse
                    found += self.block(branch) or branch
                    changed = True
                else:
                    inner = self._inner(statement)
                    changed = changed or inner is not statement
                    found.append(inner)
            else:
                found.append(statement)
            if found and isinstance(found[-1], _END):
                break
        return found if changed or len(found) < len(body) else None

    def _inner(self, statement: ast.If) -> ast.If:
        body, orelse, test = self.block(statement.body), self.block(statement.orelse), self._open(statement.test)
        if body is None and orelse is None and test is statement.test:
            return statement
        short = copy.copy(statement)
        short.test = test
        short.body = (body if body is not None else statement.body) or [ast.copy_location(ast.Pass(), statement)]
        short.orelse = orelse if orelse is not None else statement.orelse
        return short

    def _open(self, test: ast.expr) -> ast.expr:
        """The test without the parts that the route decides and that leave the others to decide."""
        if not isinstance(test, ast.BoolOp):
            return test
        left = [one for one in test.values if self.holds(one) is None]
        if len(left) == len(test.values) or not left:
            return test
        short = copy.copy(test)
        short.values = left
        return short if len(left) > 1 else left[0]

    def holds(self, test: ast.expr) -> bool | None:
        """Whether a test holds for the route, None where that is not told."""
        match test:
            case ast.BoolOp(op=operator, values=values):
                return _joined([self.holds(one) for one in values], isinstance(operator, ast.And))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                held = self.holds(inner)
                return None if held is None else not held
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._compared(left, operator, right)
            case ast.Call(func=ast.Attribute(value=subject, attr="startswith" | "endswith" as how), args=[given]):
                return self._affix(subject, how, given)
            case _:
                return True if self._subject(test) is not None else None

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
        subject = self._subject(left)
        found: bool | None = None
        if isinstance(operator, ast.Eq | ast.NotEq) and subject is None:
            subject, right = self._subject(right), left
        if subject is None:
            return None
        if isinstance(operator, ast.Is | ast.IsNot):
            found = False if isinstance(right, ast.Constant) and right.value is None else None
        elif isinstance(operator, ast.Eq | ast.NotEq):
            value = constant(self.modules, self.scope, right)
            found = self._equal(subject, [value]) if isinstance(value, str) and value is not ABSENT else None
        elif isinstance(operator, ast.In | ast.NotIn):
            values = texts(self.modules, self.scope, right) or self._keys(right)
            found = self._equal(subject, values) if values is not None else None
        if found is None:
            return None
        return not found if isinstance(operator, ast.NotEq | ast.NotIn | ast.IsNot) else found

    def _keys(self, node: ast.expr) -> tuple[str, ...] | None:
        """The texts of a set that is written out, as the one argument of `frozenset`, or as the keys of a dict."""
        found = self.modules.resolve(self.scope, node)
        scope, at = (found.scope, found.node) if isinstance(found, Definition) else (self.scope, node)
        if (
            isinstance(at, ast.Call)
            and isinstance(at.func, ast.Name)
            and at.func.id in ("frozenset", "set")
            and at.args
        ):
            at = at.args[0]
        parts = at.elts if isinstance(at, ast.Set | ast.List | ast.Tuple) else None
        values = [constant(self.modules, scope, one) for one in parts] if parts is not None else [ABSENT]
        texts_only = [one for one in values if isinstance(one, str) and one is not ABSENT]
        return tuple(texts_only) if len(texts_only) == len(values) else None

    def _equal(self, subject: str, values: Iterable[object]) -> bool | None:
        own = self.told.value(subject)
        if own is None:
            return None
        if subject != "path" or "{" not in own:
            return own in values
        shape = re.compile("[^/]+".join(map(re.escape, PATH_PARAMETER.split(own))))
        return None if any(shape.fullmatch(str(one)) for one in values) else False

    def _affix(self, node: ast.expr, how: str, given: ast.expr) -> bool | None:
        subject = self._subject(node)
        own = self.told.value(subject) if subject is not None else None
        value = constant(self.modules, self.scope, given)
        words = [value] if isinstance(value, str) and value is not ABSENT else texts(self.modules, self.scope, given)
        if own is None or words is None:
            return None
        parts = PATH_PARAMETER.split(own)
        fixed = parts[0] if how == "startswith" else parts[-1]
        return _joined([_fits(fixed, word, how, whole=len(parts) == 1) for word in words], every=False)

    def _subject(self, node: ast.expr, hops: int = _HOPS) -> str | None:
        match node:
            case ast.Subscript(value=base, slice=ast.Constant(value="type")):
                return "type" if _SCOPE.search(ast.unparse(base)) else None
            case ast.Attribute(value=base, attr=word) | ast.Subscript(value=base, slice=ast.Constant(value=str(word))):
                return _SUBJECTS.get(word) if _REQUEST.search(ast.unparse(base)) else None
            case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value="type"), *_]):
                return "type" if _SCOPE.search(ast.unparse(base)) else None
            case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value=str(word)), *_]):
                return _SUBJECTS.get(word) if _REQUEST.search(ast.unparse(base)) else None
            case ast.Name() if hops > 0:
                found = self.modules.resolve(self.scope, node)
                inner = found.node if isinstance(found, Definition) and found.scope is self.scope else None
                return self._subject(inner, hops - 1) if isinstance(inner, ast.expr) else None
            case _:
                return None


def _joined(found: list[bool | None], every: bool) -> bool | None:
    """The conjunction or disjunction of what is known."""
    if (not every) in found:
        return not every
    return every if all(one is every for one in found) else None


def _fits(fixed: str, word: str, how: str, *, whole: bool) -> bool | None:
    if how == "startswith":
        return True if fixed.startswith(word) else None if not whole and word.startswith(fixed) else False
    return True if fixed.endswith(word) else None if not whole and word.endswith(fixed) else False
