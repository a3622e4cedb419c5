"""Where aiohttp code declares routes, and below which prefixes sub-applications stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import (
    arguments_given,
    decorators,
    handed_about,
    is_function,
    keyword,
    methods_of,
    unread_way,
    value_at,
)
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame, conditions
from evreview.codefacts.model import CodeParameter, Spot, UnsupportedCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.vocabulary import ABSENT, Json

PACKAGE: Final = ("aiohttp",)
VERBS: Final = ("get", "post", "put", "delete", "patch")
MAX_NESTED: Final = 10
_PART: Final = re.compile(r"\{(?P<name>[A-Za-z_]\w*)(?::(?P<pattern>[^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}")
_SUPPLY: Final = "Supply the file that defines it."
_LIST: Final = "Routes that code makes are not read: list them, or let the application tell them (`evreview execute`)."


@dataclass(frozen=True, slots=True, eq=False)
class AiohttpOperation:
    """One operation: the table or app that it was given to (None when unknown), path, method, handler, its class."""

    home: int | None
    path: str
    method: str
    function: Definition
    cls: Definition | None = None


class Table:
    """Every route of the supplied files, and which app or table is part of which app."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.declared: list[AiohttpOperation] = []
        self.unread: list[UnsupportedCode] = []
        self.parents: dict[int, list[tuple[int | None, str]]] = {}
        self.apps: dict[int, Definition] = {}
        for scope, statement in modules.statements():
            for way in handed_about(statement, (*VERBS, "route", "view")):
                if self._is(modules.resolve(scope, way.value), "RouteTableDef"):
                    self.unread.append(unread_way(scope, statement, way))
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._decorated(scope, statement)
            value = getattr(statement, "value", None)
            if isinstance(value, ast.Call):
                self._called(scope, value)

    def places(self, home: int | None, level: int = 0) -> list[tuple[str, int | None]]:
        """Prefix and app of each place where a table's routes are served; [] when it is added nowhere."""
        if home is None:
            return [("", None)]
        if level > MAX_NESTED:
            return []
        if home in self.apps and home not in self.parents:
            return [("", home)]
        found: list[tuple[str, int | None]] = []
        for parent, prefix in self.parents.get(home, []):
            outer = self.places(parent, level + 1)
            found.extend((above + prefix, home if home in self.apps else app) for above, app in outer)
        return found

    def _decorated(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        target = Definition(node, scope, node.name, node)
        for name, call in decorators(node):
            if isinstance(name, ast.Attribute) and call is not None and name.attr in (*VERBS, "route", "view"):
                table = self.modules.resolve(scope, name.value)
                if self._is(table, "RouteTableDef") and isinstance(table, Definition):
                    self._add(scope, call, name.attr, id(table.node), target)

    def _is(self, found: object, *names: str) -> bool:
        return isinstance(found, Definition) and self.modules.is_a(self.modules.class_of(found), PACKAGE, *names)

    def _called(self, scope: Scope, call: ast.Call) -> None:
        if not isinstance(call.func, ast.Attribute):
            found = self.modules.called(scope, call)
            return self._constructed(scope, call, found)
        self._constructed(scope, call, self.modules.called(scope, call))
        attr, holder = call.func.attr, call.func.value
        if isinstance(holder, ast.Attribute) and holder.attr == "router":
            home = self._app(scope, holder.value)
            if home is not None and (attr == "add_route" or attr in {f"add_{verb}" for verb in VERBS} | {"add_view"}):
                self._add(scope, call, attr.removeprefix("add_"), home, None)
            elif home is not None and attr == "add_routes":
                self._added(scope, call, home)
        elif attr == "add_routes":
            home = self._app(scope, holder)
            if home is not None:
                self._added(scope, call, home)
        elif attr == "add_subapp":
            self._subapp(scope, call, holder)
        return None

    def _constructed(self, scope: Scope, call: ast.Call, found: object) -> None:
        if isinstance(found, External) and found.of(PACKAGE, "Application"):
            self.apps[id(call)] = Definition(call, scope, "", call)

    def _app(self, scope: Scope, expression: ast.expr) -> int | None:
        """The app that an expression is; a parameter counts as an app of its own when it is annotated as one."""
        found = self.modules.resolve(scope, expression)
        if not self._is(found, "Application") or not isinstance(found, Definition):
            return None
        self.apps.setdefault(id(found.node), found)
        return id(found.node)

    def _added(self, scope: Scope, call: ast.Call, home: int) -> None:
        """`app.add_routes(table)` and `app.add_routes([web.get(…), …])`."""
        given = keyword(call, "routes", 0)
        found = self.modules.resolve(scope, given)
        if self._is(found, "RouteTableDef") and isinstance(found, Definition):
            self.parents.setdefault(id(found.node), []).append((home, ""))
            return
        frame, at = value_at(self.modules, Frame(scope), given)
        if not isinstance(at, ast.List | ast.Tuple):
            text = ast.unparse(call)[:100]
            advice = _SUPPLY if at is None or isinstance(at, ast.Name | ast.Attribute) else _LIST
            self.unread.append(UnsupportedCode(scope.spot(call), f"the routes of `{text}`", advice))
            return
        for one in at.elts:
            inner = self.modules.called(frame.scope, one) if isinstance(one, ast.Call) else None
            if isinstance(one, ast.Call) and isinstance(inner, External) and inner.of(PACKAGE, *VERBS, "route", "view"):
                self._add(frame.scope, one, inner.last, home, None)
            elif not (isinstance(inner, External) and inner.last in ("head", "options", "static")):
                self.unread.append(UnsupportedCode(frame.scope.spot(one), "a route of a form that is not read"))

    def _subapp(self, scope: Scope, call: ast.Call, holder: ast.expr) -> None:
        inner = self.modules.resolve(scope, keyword(call, "subapp", 1))
        prefix = constant(self.modules, scope, keyword(call, "prefix", 0))
        outer = self._app(scope, holder)
        if outer is None or not isinstance(inner, Definition) or not isinstance(prefix, str) or prefix is ABSENT:
            text = ast.unparse(call)[:100]
            self.unread.append(UnsupportedCode(scope.spot(call), f"the sub-application of `{text}`", _SUPPLY))
            return
        self.apps.setdefault(id(inner.node), inner)
        self.parents.setdefault(id(inner.node), []).append((outer, prefix.rstrip("/")))

    def _add(self, scope: Scope, call: ast.Call, word: str, home: int, target: Definition | None) -> None:
        """One rule; `word` is its verb, `route` or `view`."""
        shift = 1 if word == "route" else 0
        path = constant(self.modules, scope, keyword(call, "path", shift))
        method = constant(self.modules, scope, keyword(call, "method", 0)) if word == "route" else word.upper()
        found = target or self.modules.resolve(scope, keyword(call, "handler", shift + 1))
        if not isinstance(path, str) or path is ABSENT or not isinstance(method, str) or method is ABSENT:
            self.unread.append(UnsupportedCode(scope.spot(call), "a route whose path or method is not constant"))
        elif isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            own = methods_of(self.modules, found)
            verbs = [verb for verb in VERBS if verb in own and (word in ("view", verb) or method == "*")]
            self.declared.extend(AiohttpOperation(home, path, verb.upper(), own[verb], found) for verb in verbs)
        elif isinstance(found, Definition) and is_function(found):
            self.declared.append(AiohttpOperation(home, path, method.upper(), found))
        else:
            text = ast.unparse(call)[:100]
            self.unread.append(UnsupportedCode(scope.spot(call), f"the handler of `{text}`", _SUPPLY))


def applications_of(
    modules: Modules, scope: Scope, expression: ast.expr, sure: bool = True, hops: int = 6
) -> list[tuple[Definition, bool]] | None:
    """The applications that an expression stands for, each with whether it surely does; None where that is not told.

    A parameter stands for what the calls of its function give, a call of a supplied function for what that returns.
    """
    found = modules.resolve(scope, expression) if not isinstance(expression, ast.Call) else None
    at = found if found is not None else Definition(expression, scope, "", expression)
    if not isinstance(at, Definition) or hops <= 0:
        return None
    if isinstance(at.node, ast.arg):
        sites = arguments_given(modules, at)
        each = [
            applications_of(modules, site, given, sure and not any(conditions(modules, site, given)), hops - 1)
            for site, given in sites
        ]
        kept = [one for one in each if one is not None]
        if kept and len(kept) == len(each):
            return [one for several in kept for one in several]
        return [(at, sure)] if not each and _is_application(modules, at) else None
    made = modules.called(at.scope, at.node) if isinstance(at.node, ast.Call) else None
    if isinstance(made, Definition) and is_function(made):
        inner = modules.body(made)
        values = list(modules.returned(inner))
        if inner is None or len(values) != 1:
            return None
        return applications_of(modules, inner, values[0], sure, hops - 1)
    return [(at, sure)] if isinstance(at.node, ast.Call) and _is_application(modules, at) else None


def _is_application(modules: Modules, found: Definition) -> bool:
    return modules.is_a(modules.class_of(found), PACKAGE, "Application")


def read_path(path: str, spot: Spot) -> tuple[str, tuple[CodeParameter, ...]]:
    """The path with `{name}`, and its parameters; one without a pattern takes any text without a slash."""
    found = tuple(_parameter(match, spot) for match in _PART.finditer(path))
    return _PART.sub(lambda match: f"{{{match['name']}}}", path) or "/", found


def _parameter(match: re.Match[str], spot: Spot) -> CodeParameter:
    pattern = match["pattern"]
    schema: Json = {"type": "string", "pattern": f"^(?:{pattern})$"} if pattern else {"type": "string"}
    return CodeParameter(name=match["name"], location="path", spot=spot, required=True, schema=schema, exact=True)


def routes_of(table: Table) -> Iterator[tuple[AiohttpOperation, str, int | None, bool]]:
    """Each declared route with its path and app; the last is False for one that is added to no app."""
    for one in table.declared:
        places = table.places(one.home)
        for prefix, app in places or [("", None)]:
            yield one, prefix + one.path, app, bool(places)
