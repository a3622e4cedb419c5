"""Django's URL lists: paths, converters, includes, and which list is the root."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant
from evreview.codefacts.model import CodeParameter, Spot, UnreadCode
from evreview.codefacts.modules import Module, Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.resolved import Definition, External, Imported

MAX_NESTED: Final = 12
_PART: Final = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>[A-Za-z_]\w*)>")
_SUPPLY: Final = "Supply the file that defines it."
_CONVERTERS: Final[dict[str, Json]] = {
    "str": {"type": "string"},
    "path": {"type": "string"},
    "int": {"type": "integer", "minimum": 0},
    "slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    "uuid": {"type": "string", "format": "uuid"},
}


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """One URL with the expression of its view, or a router that stands below a path."""

    path: str
    parameters: tuple[CodeParameter, ...]
    view: ast.expr
    scope: Scope
    spot: Spot


class Urls:
    """Every pattern of the supplied files, prefixes included."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.unread: list[UnreadCode] = []
        self.patterns: list[Pattern] = []
        self.routers: list[tuple[str, Definition]] = []
        self._included: set[int] = set()
        lists = [module for module in modules.all if "urlpatterns" in modules.scope(module).names]
        for module in lists:
            for call in _calls(module.tree):
                self._note_include(modules.scope(module), call)
        named = self._root_names()
        for module in lists:
            if id(module.tree) in self._included:
                continue
            if not any(
                f".{module.name}".endswith(f".{name}") or f".{name}".endswith(f".{module.name}") for name in named
            ):
                text = "a list of URLs that no supplied file includes or names as the root; it is taken for the root"
                spot = modules.scope(module).spot(module.tree.body[0]) if module.tree.body else None
                advice = "Supply the settings with ROOT_URLCONF, or the list that includes it."
                self.unread.extend([UnreadCode(spot, text, advice)] if spot is not None else [])
            self._module(module, "/", (), 0)

    def _root_names(self) -> list[str]:
        values = (
            constant(self.modules, scope, statement.value)
            for scope, statement in self.modules.statements()
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == "ROOT_URLCONF" for target in statement.targets)
        )
        return [value for value in values if isinstance(value, str) and value is not MISSING]

    def _note_include(self, scope: Scope, call: ast.Call) -> None:
        if call.args and _last(call.func) == "include":
            module = self._module_of(scope, call.args[0])
            if module is not None:
                self._included.add(id(module.tree))

    def _module_of(self, scope: Scope, given: ast.expr) -> Module | None:
        inner = given.elts[0] if isinstance(given, ast.Tuple) and given.elts else given
        name = constant(self.modules, scope, inner)
        if isinstance(name, str) and name is not MISSING:
            found = self.modules.named(name, scope.module)
            return found[0] if len(found) == 1 else None
        resolved = self.modules.resolve(scope, inner)
        return resolved.module if isinstance(resolved, Imported) else None

    def _module(self, module: Module, prefix: str, above: tuple[CodeParameter, ...], level: int) -> None:
        scope = self.modules.scope(module)
        for statement in module.tree.body:
            value = getattr(statement, "value", None)
            targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
            if value is not None and any(isinstance(one, ast.Name) and one.id == "urlpatterns" for one in targets):
                self._list(scope, value, (prefix, above), level)

    def _list(self, scope: Scope, value: ast.expr, at: tuple[str, tuple[CodeParameter, ...]], level: int) -> None:
        match value:
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                for part in parts:
                    inner = part.value if isinstance(part, ast.Starred) else part
                    if isinstance(inner, ast.Call):
                        self._one(scope, inner, at, level)
                    else:
                        self._list(scope, inner, at, level)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                self._list(scope, left, at, level)
                self._list(scope, right, at, level)
            case ast.Attribute(attr="urls", value=holder):
                self._router(scope, holder, at[0])
            case ast.Name():
                found = self.modules.resolve(scope, value)
                if isinstance(found, Definition) and isinstance(found.node, ast.expr) and level < MAX_NESTED:
                    self._list(found.scope, found.node, at, level + 1)
                else:
                    self._missed(scope, value, "a part of a list of URLs")
            case _:
                self._missed(scope, value, "a part of a list of URLs")

    def _one(self, scope: Scope, call: ast.Call, at: tuple[str, tuple[CodeParameter, ...]], level: int) -> None:
        name = _last(call.func)
        if name not in ("path", "re_path", "url"):
            self._missed(scope, call, "a part of a list of URLs")
            return
        route = constant(self.modules, scope, keyword(call, "route", 0) or keyword(call, "regex", 0))
        view = keyword(call, "view", 1)
        if not isinstance(route, str) or route is MISSING or view is None:
            self._missed(scope, call, "a URL whose path is not constant")
            return
        spot = scope.spot(call)
        inner, own = read_path(route, spot) if name == "path" else read_regex(route, spot)
        if inner is None:
            self._missed(scope, call, "a regular expression whose path can't be told")
            return
        place = (at[0] + inner, (*at[1], *own))
        if isinstance(view, ast.Call) and _last(view.func) == "include" and view.args:
            self._include(scope, view, place, level)
        elif not (isinstance(view, ast.Attribute) and ast.unparse(view) == "admin.site.urls"):
            self.patterns.append(Pattern(place[0], place[1], view, scope, spot))

    def _include(self, scope: Scope, call: ast.Call, at: tuple[str, tuple[CodeParameter, ...]], level: int) -> None:
        given = call.args[0]
        module = self._module_of(scope, given)
        if level > MAX_NESTED:
            return
        if module is not None:
            self._module(module, at[0], at[1], level + 1)
            return
        inner = given.elts[0] if isinstance(given, ast.Tuple) and given.elts else given
        name = constant(self.modules, scope, inner)
        if isinstance(name, str) and name is not MISSING:
            unread = UnreadCode(scope.spot(call), f"the URLs of `{name}` below `{at[0]}`", "Supply that file.")
            self.unread.append(unread)
            return
        self._list(scope, inner, at, level + 1)

    def _router(self, scope: Scope, holder: ast.expr, prefix: str) -> None:
        found = self.modules.resolve(scope, holder)
        if isinstance(found, Definition) and isinstance(found.node, ast.Call):
            self.routers.append((prefix, found))
        else:
            self._missed(scope, holder, "a router")

    def _missed(self, scope: Scope, node: ast.AST, what: str) -> None:
        self.unread.append(UnreadCode(scope.spot(node), f"{what}, `{ast.unparse(node)[:80]}`", _SUPPLY))


def read_path(route: str, spot: Spot) -> tuple[str, tuple[CodeParameter, ...]]:
    """A `path` with `{name}`, and its parameters."""
    found = []
    for match in _PART.finditer(route):
        converter = match["converter"] or "str"
        schema, exact = _CONVERTERS.get(converter, {}), converter in _CONVERTERS
        found.append(_parameter(match["name"], schema, exact, spot))
    return _PART.sub(lambda match: f"{{{match['name']}}}", route), tuple(found)


def read_regex(route: str, spot: Spot) -> tuple[str | None, tuple[CodeParameter, ...]]:
    """A `re_path` of plain text and named groups as a path; None for any other expression."""
    text = route.removeprefix("^").removesuffix("$").removesuffix(r"\Z")
    path, parameters, at = "", [], 0
    for start, end, name, pattern in _groups(text):
        path += text[at:start] + f"{{{name}}}"
        parameters.append(_parameter(name, {"type": "string", "pattern": f"^(?:{pattern})$"}, True, spot))
        at = end
    path += text[at:]
    plain = re.sub(r"\{\w+\}", "", path).replace(r"\.", ".").replace(r"\-", "-")
    return (None, ()) if re.search(r"[\\()\[\]*+?|^$]", plain) else (path.replace("\\", ""), tuple(parameters))


def _groups(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, name and pattern of each named group."""
    for match in re.finditer(r"\(\?P<(\w+)>", text):
        depth, at = 1, match.end()
        while at < len(text) and depth:
            if text[at] == "\\":
                at += 1
            elif text[at] in "()":
                depth += 1 if text[at] == "(" else -1
            at += 1
        if not depth:
            yield match.start(), at, match[1], text[match.end() : at - 1]


def _parameter(name: str, schema: Json, exact: bool, spot: Spot) -> CodeParameter:
    return CodeParameter(name=name, location="path", spot=spot, required=True, schema=schema, exact=exact)


def _last(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def is_django(found: object) -> bool:
    """True for what comes from Django or its REST framework."""
    return isinstance(found, External) and found.package in ("django", "rest_framework")
