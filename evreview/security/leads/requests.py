"""Which expression is the request, in each framework, and what is noted on it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final, Literal

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import External, Modules, unwrapped
from evreview.security.leads.bindings import bindings

Place = Literal["header", "query", "body", "cookie", "path", "form", "address", "credential"]
"""Where in a request a value stands; `address` is the caller's, `credential` what shows who calls."""

READ: Final[Mapping[str, Place]] = {
    "headers": "header", "META": "header", "query_params": "query", "args": "query", "GET": "query", "query": "query",
    "values": "query", "query_string": "query", "rel_url": "query", "cookies": "cookie", "COOKIES": "cookie",
    "form": "form", "POST": "form", "files": "form", "FILES": "form", "json": "body", "data": "body", "body": "body",
    "arguments": "query", "query_arguments": "query", "body_arguments": "form", "path_params": "path",
    "view_args": "path", "match_info": "path", "remote_addr": "address", "remote": "address",
    "client": "address", "access_route": "address",
}  # fmt: skip
"""Members of a request that hold what the caller sends, and the caller's address."""
BODY_METHODS: Final[Mapping[str, Place]] = {
    "json": "body", "get_json": "body", "body": "body", "text": "body", "read": "body", "get_data": "body",
    "form": "form", "post": "form",
}  # fmt: skip
OWN_METHODS: Final[Mapping[str, Place]] = {
    "get_argument": "query", "get_arguments": "query", "get_query_argument": "query", "get_query_arguments": "query",
    "get_body_argument": "form", "get_body_arguments": "form", "get_cookie": "cookie",
}  # fmt: skip
"""Methods of Tornado's handlers that give what the caller sends; a signed cookie is not among them."""
_CLASSES: Final = frozenset({"Request", "HttpRequest", "HTTPConnection", "WebSocket", "BaseRequest", "ASGIRequest"})
_NAMES: Final = frozenset({"request", "req"})
_HOPS: Final = 6


class RequestObjects:
    """Tells request objects, and keeps what the application notes on them.

    Attributes:
        notes: for each name noted on a request (`request.state.user`, `g.user`), what is assigned, and where.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.notes: dict[str, list[tuple[Frame, ast.expr]]] = {}
        for scope, statement in modules.statements():
            if isinstance(statement, ast.Assign) and scope.kind == "function":
                for target in statement.targets:
                    self._note(Frame(scope), target, statement.value)

    def _note(self, frame: Frame, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Attribute(value=holder, attr=name):
                if self.is_state(frame, holder) or self.is_request(frame, holder):
                    self.notes.setdefault(name, []).append((frame, value))
            case ast.Subscript(value=holder, slice=index) if self.is_request(frame, holder):
                key = constant(self.modules, frame.scope, index)
                if isinstance(key, str):
                    self.notes.setdefault(key, []).append((frame, value))

    def is_request(self, frame: Frame, node: ast.expr, hops: int = _HOPS) -> bool:
        """True for an expression that is the request itself."""
        if hops <= 0:
            return False
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr="request"):
                return True
            case ast.Name():
                found = self.modules.lookup(frame.scope, node.id)
                if isinstance(found, External):
                    return found.name in ("flask.request", "quart.request", "flask.globals.request", "bottle.request")
                return any(self._binds(where, binding.node, hops) for where, binding in bindings(frame, node))
        return False

    def _binds(self, frame: Frame, bound: ast.AST | None, hops: int) -> bool:
        if isinstance(bound, ast.arg):
            given = frame.given.get(id(bound))
            if given is not None:
                return self.is_request(given[0], given[1], hops - 1)
            if bound.annotation is None:
                return bound.arg in _NAMES
            found = self.modules.resolve(frame.scope, unwrapped(bound.annotation))
            return isinstance(found, External) and found.last in _CLASSES
        return isinstance(bound, ast.expr) and self.is_request(frame, bound, hops - 1)

    def is_state(self, frame: Frame, node: ast.expr) -> bool:
        """True for `request.state` and Flask's `g`: what the application itself notes while it answers."""
        match node:
            case ast.Attribute(value=holder, attr="state"):
                return self.is_request(frame, holder)
            case ast.Name():
                found = self.modules.lookup(frame.scope, node.id)
                return isinstance(found, External) and found.name in ("flask.g", "quart.g")
        return False
