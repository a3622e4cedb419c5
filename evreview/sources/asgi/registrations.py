"""Path operations as they are registered: by decorator or by a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.asgi.apps import Use
from evreview.codefacts.calls import Wrap, function_named, unwrapped
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.model import Spot, UnreadCode
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import Definition

METHODS: Final = ("get", "post", "put", "delete", "patch", "options", "head", "trace")
SOCKETS: Final = ("websocket", "websocket_route", "add_api_websocket_route", "add_websocket_route")
PLAIN: Final = ("route", "add_route")
"""Starlette's own way to add a route, on FastAPI's applications as well: the handler takes a request."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """One path operation: methods, path below its router, handler, and the call that registers it.

    `wraps` is what is called on the handler there, outermost first.
    """

    use: Use
    methods: tuple[str, ...]
    path: str
    handler: Definition
    wraps: tuple[Wrap, ...] = ()

    @property
    def words(self) -> dict[str, ast.expr]:
        return keywords(self.use.call)

    @property
    def spot(self) -> Spot:
        """The lines of the decorator and the signature, or of the call that adds the route."""
        whole = self.handler.scope.spot(self.handler.node)
        call = self.use.scope.spot(self.use.call)
        if self.use.function is None:
            return call
        body: list[ast.stmt] = getattr(self.handler.node, "body", [])
        line = getattr(self.handler.node, "lineno", call.last)
        last = max(line, body[0].lineno - 1) if body else line
        return Spot(whole.item, call.first, min(last, whole.last), whole.path)


def registrations(modules: Modules, use: Use, unread: list[UnreadCode]) -> Iterator[Registration]:
    """The path operation that a use of a router is, if it is one."""
    spot = use.scope.spot(use.call)
    if use.name in SOCKETS:
        unread.append(UnreadCode(spot, "a WebSocket route, which is no HTTP operation", ""))
        return
    if use.name not in (*METHODS, "api_route", "add_api_route", "route", "add_route"):
        return
    words = keywords(use.call)
    path = constant(modules, use.scope, words.get("path", use.call.args[0] if use.call.args else None))
    methods = (use.name.upper(),) if use.name in METHODS else texts(modules, use.scope, words.get("methods"))
    if "methods" not in words and use.name not in METHODS:
        methods = ("GET",)
    handler, wraps = (use.function, ()) if use.function else _endpoint(modules, use, words)
    if not isinstance(path, str) or path is MISSING or methods is None or handler is None:
        what = "handler" if handler is None else "path" if methods is not None else "methods"
        found = f"a route whose {what} can't be told"
        unread.append(UnreadCode(spot, found, "Supply the file that defines it, or declare the route with a quote."))
        return
    if isinstance(handler.node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield Registration(use, tuple(method.upper() for method in methods), path, handler, wraps)
    else:
        unread.append(UnreadCode(spot, "a route whose handler is no function", "Declare the route with a quote."))


def _endpoint(modules: Modules, use: Use, words: dict[str, ast.expr]) -> tuple[Definition | None, tuple[Wrap, ...]]:
    given = use.given or words.get("endpoint", use.call.args[1] if len(use.call.args) > 1 else None)
    return unwrapped(modules, (use.scope, given), lambda scope, node: function_named(modules, scope, node))
