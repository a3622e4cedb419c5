"""Conditions that refuse the wrong callers or nobody: inverted, never true, under a switch, with an empty setting."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.guards.bypass import CREDENTIAL, direct, refuses, returns_plainly
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External

_SWITCH: Final = re.compile(r"(^|[._'\"\[])(config|settings|debug|testing|environ|getenv)\b", re.IGNORECASE)
_LOCAL: Final = ("function", "lambda")
_INNER_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_SAYS_YES: Final = re.compile(
    r"^(compare_digest|checkpw|check_password(_hash)?|((is|has)_)?(valid|verif|authenticat|authoriz|allow|permit)\w*)$"
)
"""Calls that are true for the callers who may come in."""
_UNWANTED: Final = re.compile(
    r"revok|block|deny|denied|black|expir|old|ban|used|seen|anon|guest|empty|null|none|default|public|test|demo|place"
    r"|dummy|invalid|leak|retired",
    re.IGNORECASE,
)
"""Words in names of values that are refused on purpose."""
_MOVED: Final = re.compile(r"redirect|\b30[1-8]\b", re.IGNORECASE)
_WITH_DEFAULT: Final = 2
_READERS: Final = ("os.environ.get", "os.getenv")


def wrong_tests(modules: Modules, scope: Scope) -> tuple[Spot, ...]:
    """The conditions of a function over its own refusals that were not seen to refuse who has no credentials."""

    def found() -> tuple[Spot, ...]:
        work = _WrongTestSearch(modules, scope)
        return tuple(dict.fromkeys(scope.spot(test) for test in work.tests(getattr(scope.node, "body", []))))

    return remembered(modules, f"wrong tests {id(scope.node)}", found)


def void_answers(modules: Modules, scope: Scope) -> tuple[Spot, ...]:
    """What a function returns that is true whatever it asks: `return sent == KEY or True`."""

    def found() -> tuple[Spot, ...]:
        given = (node.value for node in own_nodes(scope.node) if isinstance(node, ast.Return) and node.value)
        return tuple(
            scope.spot(value)
            for value in given
            if isinstance(value, ast.BoolOp)
            and any(isinstance(part, ast.Constant) and part.value is True for part in value.values)
            and _settled(modules, scope, value) is not None
        )

    return remembered(modules, f"void answers {id(scope.node)}", found)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without inner functions and classes."""
    waiting: list[ast.AST] = list(getattr(function, "body", []))
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, _INNER_SCOPES):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


class _WrongTestSearch:
    def __init__(self, modules: Modules, scope: Scope) -> None:
        self._modules = modules
        self._scope = scope

    def tests(self, body: list[ast.stmt]) -> Iterator[ast.expr]:
        """The tests of a block, its inner blocks included."""
        for place, statement in enumerate(body):
            if isinstance(statement, _INNER_SCOPES):
                continue
            if isinstance(statement, ast.If) and self._is_wrong(statement, body[place + 1 :]):
                yield statement.test
            for name in ("body", "orelse", "finalbody"):
                yield from self.tests(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", []):
                yield from self.tests(handler.body)

    def _is_wrong(self, block: ast.If, after: list[ast.stmt]) -> bool:
        if direct(block.body):
            moved = any(_MOVED.search(ast.unparse(one)) for one in block.body)
            return not moved and self._misses(block.test, True)
        if direct(block.orelse):
            return self._misses(block.test, False)
        late = returns_plainly(block.body) and any(refuses(self._modules, self._scope, one) for one in after)
        return late and not block.orelse and self._inverted(block.test, False)

    def _misses(self, test: ast.expr, truth: bool) -> bool:
        """True for a test that refuses when it is `truth`, and is not for callers without credentials."""
        if _settled(self._modules, self._scope, test) is (not truth):
            return True
        if self._inverted(test, truth) or self._switched(test, truth):
            return True
        return any(may_be_empty(self._modules, self._scope, one) for one in _alone(test, truth))

    def _inverted(self, test: ast.expr, truth: bool) -> bool:
        """True where credentials that fit are what is refused."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._inverted(operand, not truth)
            case ast.BoolOp(values=parts):
                return any(self._inverted(part, truth) for part in parts)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
                return isinstance(op, ast.Eq) is truth and self._fits(left, right)
            case ast.Call(func=called):
                return truth and bool(_SAYS_YES.search(_last_name(called)))
        return False

    def _fits(self, left: ast.expr, right: ast.expr) -> bool:
        """True for what is sent, compared with a value of the module that not everybody knows."""
        written = ast.unparse(left), ast.unparse(right)
        if not any(CREDENTIAL.search(one) for one in written):
            return False
        return any(
            self._is_kept(kept) and not self._is_kept(sent) and not _UNWANTED.search(ast.unparse(kept))
            for kept, sent in ((left, right), (right, left))
        )

    def _is_kept(self, node: ast.expr) -> bool:
        """True for what is made of names outside the function only."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        return bool(names) and not any(is_local(self._modules, self._scope, name) for name in names)

    def _switched(self, test: ast.expr, truth: bool) -> bool:
        """`if CHECK and sent != KEY: raise`: a setting beside a credential says whether anybody is refused."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._switched(operand, not truth)
            case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is truth:
                switches = [part for part in parts if is_switch(self._modules, self._scope, _bare(part))]
                others = [part for part in parts if part not in switches]
                return bool(switches) and any(CREDENTIAL.search(ast.unparse(part)) for part in others)
        return False


def may_be_empty(modules: Modules, scope: Scope, node: ast.expr) -> bool:
    """True for `os.environ.get("KEY", "")`, by a name too, where nothing stops the service without the setting."""
    if isinstance(node, ast.Name):
        found = modules.lookup(scope, node.id)
        if not isinstance(found, Definition) or not isinstance(found.node, ast.expr):
            return False
        if _is_demanded(modules, found):
            return False
        scope, node = found.scope, found.node
    if not isinstance(node, ast.Call) or len(node.args) < _WITH_DEFAULT:
        return False
    called = modules.called(scope, node)
    return isinstance(called, External) and called.name in _READERS and constant(modules, scope, node.args[1]) == ""


def _is_demanded(modules: Modules, setting: Definition) -> bool:
    """`if not KEY: raise RuntimeError` or `assert KEY` beside the setting."""
    for scope, statement in modules.statements():
        if scope.module is not setting.scope.module:
            continue
        match statement:
            case ast.Assert(test=ast.Name(id=name)):
                pass
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)), body=[ast.Raise(), *_]):
                pass
            case ast.If(test=ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()]), body=[ast.Raise(), *_]):
                pass
            case _:
                continue
        if name == setting.name:
            return True
    return False


def _alone(test: ast.expr, truth: bool) -> Iterable[ast.expr]:
    """The sides of a comparison that alone refuses: `not KEY or sent != KEY` refuses an empty one besides."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _alone(operand, not truth)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            return (left, right) if isinstance(op, ast.NotEq) is truth else ()
        case ast.Call(func=called, args=[left, right]) if _last_name(called) == "compare_digest":
            return () if truth else (left, right)
    return ()


def is_switch(modules: Modules, scope: Scope, test: ast.expr) -> bool:
    """A setting alone, which says nothing of the caller: `current_app.config["OPEN"]`, `settings.DEBUG`, `OPEN`."""
    if isinstance(test, ast.Constant):
        return not test.value
    names = {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}
    if not names or any(is_local(modules, scope, name) for name in names):
        return False
    stated = isinstance(test, ast.Name) and isinstance(modules.resolve(scope, test), Definition)
    return stated or bool(_SWITCH.search(ast.unparse(test)))


def is_local(modules: Modules, scope: Scope, name: str) -> bool:
    """True for a name of a function, and for the request."""
    if name in scope.names:
        return True
    found = modules.lookup(scope, name)
    return name == "request" or (isinstance(found, Definition) and found.scope.kind in _LOCAL)


def _settled(modules: Modules, scope: Scope, test: ast.expr) -> bool | None:
    """What a test always is, None where that depends on anything."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _settled(modules, scope, operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=parts):
            ends = isinstance(op, ast.Or)
            known = [_settled(modules, scope, part) for part in parts]
            return ends if ends in known else None if None in known else not ends
        case ast.Compare(left=ast.Name() | ast.Attribute() as left, ops=[op], comparators=[right]):
            if ast.dump(left) == ast.dump(right):
                return isinstance(op, ast.Eq | ast.Is | ast.LtE | ast.GtE)
        case ast.Name():
            known_as = constant(modules, scope, test)
            return known_as if isinstance(known_as, bool) else None
    return None


def _bare(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test


def _last_name(name: ast.expr) -> str:
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
