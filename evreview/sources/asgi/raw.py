"""What a plain ASGI class or function answers by itself to an HTTP request, before or instead of what is in it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.asgi.responses import built
from evreview.codefacts.constants import constant, texts, whole
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import CodeResponse
from evreview.codefacts.modules import arguments
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import Definition

_ROUTING: Final = frozenset({"path", "raw_path", "root_path", "method", "query_string", "headers"})
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_START: Final = "http.response.start"


@dataclass(frozen=True, slots=True)
class Raw:
    """The answers of such a class, and whether nothing else of it can reach an HTTP request's answer."""

    responses: tuple[CodeResponse, ...]
    whole: bool


def is_raw(method: Definition) -> bool:
    """True for `__call__(self, scope, receive, send)`."""
    return isinstance(method.node, _FUNCTIONS) and len(arguments(method.node)) == 4


def raw_answers(modules: Modules, method: Definition, inner: Collection[str] = ()) -> Raw:
    """What the method answers itself; branches that only sockets and start-up take are left out.

    Args:
        inner: of a function, the names of the applications that it hands on to.
    """
    scope = modules.body(method)
    if scope is None or not (inner or is_raw(method)) or not isinstance(method.node, _FUNCTIONS):
        return Raw((), False)
    work = _Work(modules, Frame(scope), *(one.arg for one in arguments(method.node)[-3:]))
    work.inner = inner
    work.block(method.node.body)
    return Raw(tuple(work.responses), work.whole and work.passes)


class _Work:
    def __init__(self, modules: Modules, frame: Frame, scope: str, receive: str, send: str) -> None:
        self.modules, self.frame = modules, frame
        self.scope, self.receive, self.send = scope, receive, send
        self.responses: list[CodeResponse] = []
        self.whole, self.passes = True, False
        self.inner: Collection[str] = ()

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Looks at statements; False when they end before the last one for every HTTP request."""
        for statement in body:
            if isinstance(statement, ast.If):
                if not self._branches(statement):
                    return False
                continue
            for node in self._nodes(statement):
                self._node(node)
            if isinstance(statement, ast.Return | ast.Raise):
                return False
            for _, inner in ast.iter_fields(statement):
                if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                    self.block(inner)
                elif isinstance(inner, list) and inner and isinstance(inner[0], ast.ExceptHandler):
                    for handler in inner:
                        self.block(handler.body)
        return True

    def _branches(self, statement: ast.If) -> bool:
        taken = self._holds(statement.test)
        for node in ast.walk(statement.test):
            self._node(node)
        first = self.block(statement.body) if taken is not False else False
        second = self.block(statement.orelse) if taken is not True else False
        return first or second

    def _holds(self, test: ast.expr) -> bool | None:
        """Whether a test of `scope["type"]` holds for HTTP requests; None for any other test."""
        match test:
            case ast.BoolOp(op=ast.And(), values=values):
                found = [self._holds(one) for one in values]
                return False if False in found else True if all(one is True for one in found) else None
            case ast.BoolOp(op=ast.Or(), values=values):
                found = [self._holds(one) for one in values]
                return True if True in found else False if all(one is False for one in found) else None
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                held = self._holds(inner)
                return None if held is None else not held
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if self._is_type(left):
                if isinstance(operator, ast.Eq | ast.NotEq):
                    value = constant(self.modules, self.frame.scope, right)
                    same = None if value is MISSING else value == "http"
                    return same if same is None or isinstance(operator, ast.Eq) else not same
                listed = texts(self.modules, self.frame.scope, right)
                inside = None if listed is None else "http" in listed
                return inside if inside is None or isinstance(operator, ast.In) else not inside
            case _:
                return None

    def _is_type(self, node: ast.expr) -> bool:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value="type")):
                return name == self.scope
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value="type"), *_]
            ):
                return name == self.scope
            case ast.Name(id=name):
                found = self.modules.lookup(self.frame.scope, name)
                inner = found.node if isinstance(found, Definition) else None
                return isinstance(inner, ast.Subscript | ast.Call) and self._is_type(inner)
            case _:
                return False

    def _nodes(self, statement: ast.stmt) -> Iterator[ast.AST]:
        """The nodes of a statement, those of an inner function included, without the statements of its blocks."""
        if isinstance(statement, _FUNCTIONS):
            yield from ast.walk(statement)
            return
        waiting: list[ast.AST] = [statement]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(
                child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt | ast.ExceptHandler)
            )

    def _node(self, node: ast.AST) -> None:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[message]) if name == self.send:
                self._sent(message)
            case ast.Call(func=ast.Call() as inner) if self._given(node):
                made = built(self.modules, self.frame, inner, self.frame.scope.spot(node))
                self._answered(made)
            case ast.Call(func=ast.Name(id=name)) if name in self.inner:
                self.passes = True
            case ast.Call(func=ast.Name() as named) if self._given(node) and not _is_inner(named):
                self._answered(built(self.modules, self.frame, named, self.frame.scope.spot(node)))
            case ast.Call(func=called) if _is_inner(called):
                self.passes = True
            case ast.Call() if self._given(node):
                self.whole = False
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))]):
                self.whole = self.whole and not (name == self.scope and key in _ROUTING)
            case _:
                return

    def _given(self, call: ast.Call) -> bool:
        handed = [*call.args, *(word.value for word in call.keywords)]
        return any(isinstance(one, ast.Name) and one.id == self.send for one in handed)

    def _answered(self, made: tuple[CodeResponse, ...] | None) -> None:
        if made is None:
            self.whole = False
        else:
            self.responses += [replace(one, how="returned") for one in made]

    def _sent(self, message: ast.expr) -> None:
        """What `await send({"type": "http.response.start", …})` sends; a name hands on what the application sends."""
        if isinstance(message, ast.Name):
            return
        pairs = (
            dict(zip(map(_text, message.keys), message.values, strict=True)) if isinstance(message, ast.Dict) else {}
        )
        kind = _text(pairs.get("type"))
        if kind == _START:
            status = whole(constant(self.modules, self.frame.scope, pairs.get("status")))
            self.whole = self.whole and status is not None
            spot = self.frame.scope.spot(message)
            self.responses.append(CodeResponse(status=status, how="returned", spot=spot))
        elif not kind.startswith(("http.response.", "websocket.", "lifespan.")):
            self.whole = False


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_inner(called: ast.expr) -> bool:
    """`self.app`: the application that the middleware stands around."""
    return isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "self"
