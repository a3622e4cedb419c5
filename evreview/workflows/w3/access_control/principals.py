"""Who calls, as the server knows it: a verified token's dependency, the framework's user, what middleware has noted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.asgi.parameters import DEPENDS, Mark
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.denials import REFUSING, Denials
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External, Imported
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, PRINCIPALS, says, words
from evreview.workflows.w3.access_control.request_values import RequestSources, bindings, dependency, mark_of_argument

_HOPS: Final = 6
_STEPS: Final = 300
_KNOWN: Final = frozenset(
    {"flask_login.current_user", "flask_login.utils.current_user", "flask_jwt_extended.current_user",
     "flask_security.current_user", "flask.session", "quart.session", "flask_principal.identity"}
)  # fmt: skip
_ASKING: Final = ("current_user", "jwt_identity", "get_jwt", "principal", "identity", "authorized_userid", "get_user")
_GUARDING: Final = (
    "require",
    "required",
    "current",
    "authenticate",
    "authenticated",
    "verify",
    "verified",
    "authorize",
)
_MEMBERS: Final = frozenset({"user", "auth", "session", "principal", "identity"})
_PRESENCE: Final = frozenset({"is_authenticated", "is_active", "is_anonymous"})


class Principals:
    """Tells expressions that stand for who calls, or for something that is known about who calls."""

    def __init__(self, origins: RequestSources) -> None:
        self.origins = origins
        self.modules = origins.modules
        self._left = _STEPS
        self._denials = Denials(origins.modules)

    def within(self, frame: Frame, node: ast.AST | None, hops: int = _HOPS) -> bool:
        """True when part of the expression is, or comes from, who calls."""
        if hops == _HOPS:
            self._left = _STEPS
        self._left -= 1
        if node is None or hops <= 0 or self._left <= 0:
            return False
        return any(self._one(frame, part, hops) for part in parts(node))

    def decides(self, frame: Frame, node: ast.expr) -> bool:
        """True when the expression asks more of who calls than whether there is anybody."""
        if not self.within(frame, node):
            return False
        match node:
            case ast.Attribute(attr=name):
                return name not in _PRESENCE
            case ast.Name():
                return not says(node.id, PRINCIPALS) or says(node.id, ("is", "has", "can"))
            case ast.Compare(comparators=[ast.Constant(value=None)]):
                return False
        return True

    def _one(self, frame: Frame, node: ast.AST, hops: int) -> bool:
        match node:
            case ast.Name():
                return self._name(frame, node, hops)
            case ast.Attribute(value=holder, attr=name) if self.origins.requests.is_request(frame, holder):
                return name in _MEMBERS and not self.origins.of(frame, node)
            case ast.Attribute(value=holder) if self.origins.requests.is_state(frame, holder):
                return not self.origins.of(frame, node)
            case ast.Subscript(value=holder) if self.origins.requests.is_request(frame, holder):
                return not self.origins.of(frame, node)
            case ast.Call(func=function):
                return self._call(frame, node, function)
        return False

    def _call(self, frame: Frame, node: ast.AST, function: ast.expr) -> bool:
        name = last_name(function)
        if any(word in name.lower() for word in _ASKING) and not name[:1].isupper():
            return not self._chosen(frame, node)
        return False

    def _chosen(self, frame: Frame, node: ast.AST) -> bool:
        """True when a call's arguments are chosen by the caller and are no credentials."""
        arguments = [*getattr(node, "args", ()), *getattr(node, "keywords", ())]
        found = [one for argument in arguments for one in self.origins.of(frame, argument)]
        shown = [one for one in found if one.place == "credential" or says(one.name, CREDENTIALS)]
        return bool(found) and not shown

    def _name(self, frame: Frame, node: ast.Name, hops: int) -> bool:
        found = self.modules.lookup(frame.scope, node.id)
        if isinstance(found, External):
            return found.name in _KNOWN
        if isinstance(found, Imported) or (isinstance(found, Definition) and isinstance(found.node, ast.ClassDef)):
            return False
        return any(self._bound(where, node, binding.node, hops) for where, binding in bindings(frame, node))

    def _bound(self, frame: Frame, name: ast.Name, bound: ast.AST | None, hops: int) -> bool:
        if isinstance(bound, ast.arg):
            given = frame.given.get(id(bound))
            if given is not None:
                return self.within(given[0], given[1], hops - 1)
            if self.origins.of(frame, name):
                return False
            mark = mark_of_argument(self.modules, frame.scope, bound)
            if mark is not None and mark.kind in DEPENDS:
                return _named_so(bound.arg) or mark.kind == "Security" or self._denies(mark)
            return _named_so(bound.arg)
        value = bound.value if isinstance(bound, ast.Await) else bound
        if isinstance(value, ast.Call):
            if self._chosen(frame, value):
                return False
            return _named_so(name.id) or self.within(frame, value.func, hops - 1) or self._one(frame, value, hops - 1)
        return isinstance(value, ast.expr) and self.within(frame, value, hops - 1)

    def _denies(self, mark: Mark) -> bool:
        """True for a dependency that is named after what it guards, or that refuses callers itself."""
        target = self.modules.resolve(mark.where or mark.scope, dependency(mark))
        if not isinstance(target, Definition):
            first = mark.call.args[0] if mark.call is not None and mark.call.args else None
            name = last_name(first)
            return _guards(name)
        scope = self.modules.body(target)
        if _guards(target.name) or scope is None:
            return _guards(target.name)
        statements = [node for node in self.origins.nodes(target.node) if isinstance(node, ast.stmt)]
        return bool(self._denials.of(Frame(scope), statements) & REFUSING)


def _guards(name: str) -> bool:
    return any(word in (*_GUARDING, *PRINCIPALS) for word in words(name))


def _named_so(name: str) -> bool:
    parts = words(name)
    return bool(parts) and parts[-1] in PRINCIPALS


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """The expression and its parts, without lambdas."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if not isinstance(at, ast.Lambda):
            yield at
            waiting.extend(ast.iter_child_nodes(at))
