"""Whether a block refuses the caller: by raising, aborting or answering 401, 403 and their kin."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External, Modules

_BY_NAME: Final = {
    "Forbidden": 403, "PermissionDenied": 403, "HTTPForbidden": 403, "PermissionError": 403, "NotAuthenticated": 401,
    "AuthenticationFailed": 401, "Unauthorized": 401, "HTTPUnauthorized": 401, "HttpResponseForbidden": 403,
    "HTTPNotFound": 404, "NotFound": 404, "Http404": 404,
}  # fmt: skip
_ALIKE: Final = (
    ("forbidden", 403), ("denied", 403), ("notallowed", 403), ("permission", 403), ("unauthor", 401),
    ("unauthenticated", 401), ("notfound", 404),
)  # fmt: skip
REFUSING: Final = frozenset({401, 403})


class Denials:
    """Finds the statuses with which statements refuse."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def of(self, frame: Frame, body: Sequence[ast.stmt], hops: int = 2) -> frozenset[int]:
        """The statuses of 401, 403 and 404 that a block ends with, in functions that it calls as well."""
        return frozenset(status for statement in body for status in self._statement(frame, statement, hops))

    def _statement(self, frame: Frame, statement: ast.stmt, hops: int) -> Iterator[int]:
        match statement:
            case ast.Raise(exc=ast.expr() as raised):
                yield from self._status(frame, raised)
            case ast.Return(value=ast.Tuple(elts=[_, status, *_])):
                yield from _known(whole(constant(self.modules, frame.scope, status)))
            case ast.Return(value=ast.expr() as value):
                yield from self._status(frame, value)
            case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
                yield from self._called(frame, call, hops)

    def _called(self, frame: Frame, call: ast.Call, hops: int) -> Iterator[int]:
        found = self.modules.called(frame.scope, call)
        if isinstance(found, External) and found.last == "abort":
            yield from self._status(frame, call)
        scope = self.modules.body(found) if isinstance(found, Definition) else None
        if scope is not None and isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef) and hops > 0:
            yield from self.of(Frame(scope), scope.node.body, hops - 1)

    def _status(self, frame: Frame, node: ast.expr) -> Iterator[int]:
        call = node.value if isinstance(node, ast.Await) else node
        function = call.func if isinstance(call, ast.Call) else call
        name = last_name(function)
        if isinstance(call, ast.Call):
            words = [word.value for word in call.keywords if word.arg in ("status_code", "status", "code")]
            stated = [
                status
                for part in [*words, *call.args]
                if (status := whole(constant(self.modules, frame.scope, part))) is not None
            ]
            if stated:
                yield from _known(stated[0])
                return
            if name in ("redirect", "RedirectResponse", "HttpResponseRedirect", "redirect_to_login"):
                yield 401
                return
        if name in _BY_NAME:
            yield _BY_NAME[name]
            return
        yield from (status for word, status in _ALIKE if word in name.replace("_", "").lower())


def _known(status: int | None) -> Iterator[int]:
    if status in (401, 403, 404):
        yield int(status)
