"""Where Flask code declares routes: decorators, `add_url_rule`, MethodViews and resources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.calls import (
    Wrap,
    decorators,
    handed_about,
    is_function,
    keyword,
    methods_of,
    unread_way,
    unwrapped,
)
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.model import UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import Definition

VERBS: Final = ("get", "post", "put", "delete", "patch")
OWN: Final = ("route", *VERBS, "endpoint")
"""Last names of the decorators that declare a route."""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """One rule with the function that answers one method, and the class that it is a method of.

    `shared` says that the function answers other methods too, `strict` what the rule itself says of slashes at its end;
    `at` is the scope and the line that register it; `wraps` is what is called on the function there, outermost first.
    """

    holder: Definition
    rule: str
    method: str
    function: Definition
    cls: Definition | None = None
    shared: bool = False
    endpoint: str | None = None
    strict: bool | None = None
    at: tuple[int, int] = (0, 0)
    wraps: tuple[Wrap, ...] = ()


def declared(modules: Modules, apps: Apps, unread: list[UnreadCode]) -> Iterator[Declared]:
    """Every rule, once per method; rules whose text or methods are not constant go to `unread`."""
    finder = _Finder(modules, apps, unread)
    for scope, statement in modules.statements():
        for way in handed_about(statement, ("route", *VERBS)):
            if apps.holder(scope, way.value) is not None:
                unread.append(unread_way(scope, statement, way))
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from finder.decorated(scope, statement)
        elif isinstance(statement, ast.Expr | ast.Assign) and isinstance(statement.value, ast.Call):
            yield from finder.added(scope, statement.value)
            yield from finder.applied(scope, statement.value)


class _Finder:
    def __init__(self, modules: Modules, apps: Apps, unread: list[UnreadCode]) -> None:
        self.modules = modules
        self.apps = apps
        self.unread = unread

    def decorated(
        self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> Iterator[Declared]:
        target = Definition(node, scope, node.name, node)
        for name, call in decorators(node):
            if not isinstance(name, ast.Attribute) or name.attr not in ("route", *VERBS) or call is None:
                continue
            holder = self.apps.holder(scope, name.value)
            if holder is None:
                continue
            rule = self._rule(scope, call, keyword(call, "rule", 0))
            methods: tuple[str, ...] = ("GET",) if name.attr == "route" else (name.attr.upper(),)
            if name.attr == "route":
                methods = self._methods(scope, call, keyword(call, "methods"), methods)
            if rule is not None:
                found = self._answers(holder, rule, methods, target)
                yield from (self._told(scope, call, one, node.name) for one in found)

    def _told(self, scope: Scope, call: ast.Call, one: Declared, name: str | None) -> Declared:
        given = keyword(call, "endpoint")
        stated = constant(self.modules, scope, given) if given is not None else name
        strict = keyword(call, "strict_slashes")
        slash = constant(self.modules, scope, strict) if strict is not None else None
        return replace(
            one,
            endpoint=stated if isinstance(stated, str) and stated is not MISSING else None,
            strict=slash if isinstance(slash, bool) else None,
            at=(id(scope.node), call.lineno),
        )

    def added(self, scope: Scope, call: ast.Call) -> Iterator[Declared]:
        """`app.add_url_rule(rule, view_func=f)` and `api.add_resource(Resource, "/a", "/b")`."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name not in ("add_url_rule", "add_resource") or not isinstance(call.func, ast.Attribute):
            return
        holder = self.apps.holder(scope, call.func.value)
        if holder is None:
            return
        given = [keyword(call, "rule", 0)] if name == "add_url_rule" else call.args[1:]
        view = keyword(call, "view_func", 2) if name == "add_url_rule" else keyword(call, "resource", 0)
        target, wraps = self._wrapped(scope, view)
        if target is None:
            text = ast.unparse(view)[:80] if view is not None else "none"
            self.unread.append(UnreadCode(scope.spot(call), f"the view `{text}`", "Supply the file that defines it."))
            return
        methods = self._methods(scope, call, keyword(call, "methods"), ("GET",))
        for one in given:
            rule = self._rule(scope, call, one)
            if rule is not None:
                named = self._endpoint(scope, view)
                stated = keyword(call, "endpoint", 1) if name == "add_url_rule" else None
                value = constant(self.modules, scope, stated) if stated is not None else MISSING
                endpoint = value if isinstance(value, str) and value is not MISSING else named
                answers = self._answers(holder, rule, methods, target)
                yield from (replace(self._told(scope, call, each, endpoint), wraps=wraps) for each in answers)

    def applied(self, scope: Scope, call: ast.Call) -> Iterator[Declared]:
        """`app.route("/a")(view)`: a decorator that registers, called by hand."""
        made = call.func
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or len(call.args) != 1:
            return
        holder = self.apps.holder(scope, made.func.value) if made.func.attr in ("route", *VERBS) else None
        if holder is None:
            return
        target, wraps = self._wrapped(scope, call.args[0])
        if target is None:
            text = ast.unparse(call.args[0])[:80]
            self.unread.append(UnreadCode(scope.spot(call), f"the view `{text}`", "Supply the file that defines it."))
            return
        rule, plain = self._rule(scope, made, keyword(made, "rule", 0)), (made.func.attr.upper(),)
        methods = self._methods(scope, made, keyword(made, "methods"), ("GET",)) if plain == ("ROUTE",) else plain
        if rule is not None:
            named = self._endpoint(scope, call.args[0])
            answers = self._answers(holder, rule, methods, target)
            yield from (replace(self._told(scope, made, each, named), wraps=wraps) for each in answers)

    def _wrapped(self, scope: Scope, view: ast.expr | None) -> tuple[Definition | None, tuple[Wrap, ...]]:
        """The view below the decorators that are called on it where it is registered, and these."""
        return unwrapped(self.modules, (scope, view), self._view)

    def _endpoint(self, scope: Scope, view: ast.expr | None) -> str | None:
        """The endpoint that a view gives its rule: the function's name, or what `as_view` is given."""
        found = self.modules.resolve(scope, view)
        if isinstance(found, Definition) and is_function(found):
            return found.name
        call = found.node if isinstance(found, Definition) else view
        given = keyword(call, "name", 0) if isinstance(call, ast.Call) else None
        value = constant(self.modules, scope, given) if given is not None else MISSING
        return value if isinstance(value, str) and value is not MISSING else None

    def _view(self, scope: Scope, view: ast.expr | None) -> Definition | None:
        """The function or class of a view; `Orders.as_view("orders")` is the class."""
        inner = view
        if isinstance(view, ast.Call) and isinstance(view.func, ast.Attribute) and view.func.attr == "as_view":
            inner = view.func.value
        found = self.modules.resolve(scope, inner)
        if isinstance(found, Definition) and isinstance(found.node, ast.Call):
            return self._view(found.scope, found.node)
        known = isinstance(found, Definition) and (is_function(found) or isinstance(found.node, ast.ClassDef))
        return found if known and isinstance(found, Definition) else None

    def _answers(
        self, holder: Definition, rule: str, methods: tuple[str, ...], target: Definition
    ) -> Iterator[Declared]:
        if not isinstance(target.node, ast.ClassDef):
            yield from (Declared(holder, rule, method, target, shared=len(methods) > 1) for method in methods)
            return
        own = methods_of(self.modules, target)
        for verb in VERBS:
            if verb in own:
                yield Declared(holder, rule, verb.upper(), own[verb], target)
        if "dispatch_request" in own and not any(verb in own for verb in VERBS):
            yield from (Declared(holder, rule, method, own["dispatch_request"], target) for method in methods)

    def _rule(self, scope: Scope, call: ast.Call, given: ast.expr | None) -> str | None:
        value = constant(self.modules, scope, given)
        if isinstance(value, str) and value is not MISSING:
            return value
        self.unread.append(UnreadCode(scope.spot(call), "a rule whose path is not constant", composed=True))
        return None

    def _methods(self, scope: Scope, call: ast.Call, given: ast.expr | None, plain: tuple[str, ...]) -> tuple[str, ...]:
        if given is None:
            return plain
        found = texts(self.modules, scope, given)
        if found is None:
            self.unread.append(UnreadCode(scope.spot(call), "a rule whose methods are not constant", composed=True))
            return ()
        return tuple(dict.fromkeys(one.upper() for one in found if one.upper() not in ("HEAD", "OPTIONS")))
