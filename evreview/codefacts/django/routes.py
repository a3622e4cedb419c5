"""Which function or class answers which method of a URL: functions, class views, generic views and viewsets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.calls import decorators, is_function, keyword, methods_of
from evreview.codefacts.constants import constant, of, texts
from evreview.codefacts.model import CodeParameter, Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Module, Scope, calls_in, last_name
from evreview.codefacts.names import Definition, External, Imported, Modules
from evreview.core.vocabulary import ABSENT, Json

# Django's URL lists: paths, converters, includes, and which list is the root.


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
        self.unread: list[UnsupportedCode] = []
        self.patterns: list[Pattern] = []
        self.routers: list[tuple[str, Definition]] = []
        self._included: set[int] = set()
        lists = [module for module in modules.all if "urlpatterns" in modules.scope(module).names]
        for module in lists:
            for call in calls_in(module.tree):
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
                self.unread.extend([UnsupportedCode(spot, text, advice)] if spot is not None else [])
            self._module(module, "/", (), 0)

    def _root_names(self) -> list[str]:
        values = (
            constant(self.modules, scope, statement.value)
            for scope, statement in self.modules.statements()
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == "ROOT_URLCONF" for target in statement.targets)
        )
        return [value for value in values if isinstance(value, str) and value is not ABSENT]

    def _note_include(self, scope: Scope, call: ast.Call) -> None:
        if call.args and last_name(call.func) == "include":
            module = self._module_of(scope, call.args[0])
            if module is not None:
                self._included.add(id(module.tree))

    def _module_of(self, scope: Scope, given: ast.expr) -> Module | None:
        inner = given.elts[0] if isinstance(given, ast.Tuple) and given.elts else given
        name = constant(self.modules, scope, inner)
        if isinstance(name, str) and name is not ABSENT:
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
        name = last_name(call.func)
        if name not in ("path", "re_path", "url"):
            self._missed(scope, call, "a part of a list of URLs")
            return
        route = constant(self.modules, scope, keyword(call, "route", 0) or keyword(call, "regex", 0))
        view = keyword(call, "view", 1)
        if not isinstance(route, str) or route is ABSENT or view is None:
            self._missed(scope, call, "a URL whose path is not constant")
            return
        spot = scope.spot(call)
        inner, own = read_path(route, spot) if name == "path" else read_regex(route, spot)
        if inner is None:
            self._missed(scope, call, "a regular expression whose path can't be told")
            return
        place = (at[0] + inner, (*at[1], *own))
        if isinstance(view, ast.Call) and last_name(view.func) == "include" and view.args:
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
        if isinstance(name, str) and name is not ABSENT:
            unread = UnsupportedCode(scope.spot(call), f"the URLs of `{name}` below `{at[0]}`", "Supply that file.")
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
        self.unread.append(UnsupportedCode(scope.spot(node), f"{what}, `{ast.unparse(node)[:80]}`", _SUPPLY))


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


# What stands around a Django view: in lists of URLs, by `method_decorator`, in a `dispatch` of its own, by mixins.


Wrapper = tuple[Scope, ast.expr, ast.Call | None]
"""Where a decorator is written, its name, and its call where it has one."""
_EVERY: Final = "dispatch"
_WAYS: Final = ("View", "TemplateView", "GenericAPIView", "APIView")


def peeled(scope: Scope, view: ast.expr) -> tuple[ast.expr, tuple[Wrapper, ...]]:
    """The view of `login_required(view)` in a list of URLs, and what is put around it, outermost first."""
    found: list[Wrapper] = []
    while isinstance(view, ast.Call) and last_name(view.func) != "as_view" and len(view.args) == 1:
        made = view.func if isinstance(view.func, ast.Call) else None
        found.append((scope, made.func if made is not None else view.func, made))
        view = view.args[0]
    return view, tuple(found)


def method_decorators(modules: Modules, cls: Definition, method: str) -> Iterator[Wrapper]:
    """What `method_decorator` puts around a method: at the class, at `dispatch`, at the method itself."""
    for base in modules.ancestry(cls):
        if isinstance(base, Definition):
            for name, call in decorators(base.node):
                named = constant(modules, base.scope, keyword(call, "name", 1)) if call is not None else None
                if named in (_EVERY, method):
                    yield from _given(modules, base.scope, name, call)
    own = methods_of(modules, cls)
    for function in (own[name] for name in dict.fromkeys((_EVERY, method)) if name in own):
        for name, call in decorators(function.node):
            yield from _given(modules, function.scope, name, call)


def _given(modules: Modules, scope: Scope, name: ast.expr, call: ast.Call | None) -> Iterator[Wrapper]:
    """The decorators that `method_decorator` is given, one or several."""
    found = modules.resolve(scope, name)
    if call is None or not call.args or not isinstance(found, External) or found.last != "method_decorator":
        return
    for one in getattr(call.args[0], "elts", [call.args[0]]):
        yield (scope, one.func, one) if isinstance(one, ast.Call) else (scope, one, None)


def own_dispatch(modules: Modules, cls: Definition) -> Definition | None:
    """The supplied `dispatch` that runs before every method of a view."""
    return methods_of(modules, cls).get(_EVERY)


def runs(modules: Modules, cls: Definition, mixin: str) -> bool:
    """False for a mixin that stands behind the view's own base: its `dispatch` never runs."""
    for base in modules.ancestry(cls):
        if isinstance(base, External) and base.last == mixin:
            return True
        if isinstance(base, External) and base.package == "django" and base.last in _WAYS:
            return False
    return True


VERBS: Final = ("get", "post", "put", "patch", "delete")
REST: Final = ("rest_framework",)
METHODS: Final = {
    "list": "GET", "create": "POST", "retrieve": "GET", "update": "PUT", "partial_update": "PATCH", "destroy": "DELETE",
}  # fmt: skip
"""The method of each action of a viewset."""
_MIXINS: Final = {
    "ModelViewSet": tuple(METHODS), "ReadOnlyModelViewSet": ("list", "retrieve"), "ListModelMixin": ("list",),
    "CreateModelMixin": ("create",), "RetrieveModelMixin": ("retrieve",), "DestroyModelMixin": ("destroy",),
    "UpdateModelMixin": ("update", "partial_update"), "ListAPIView": ("list",), "CreateAPIView": ("create",),
    "RetrieveAPIView": ("retrieve",), "DestroyAPIView": ("destroy",), "UpdateAPIView": ("update", "partial_update"),
    "ListCreateAPIView": ("list", "create"), "RetrieveUpdateAPIView": ("retrieve", "update", "partial_update"),
    "RetrieveDestroyAPIView": ("retrieve", "destroy"),
    "RetrieveUpdateDestroyAPIView": ("retrieve", "update", "partial_update", "destroy"),
}  # fmt: skip
ANY_METHOD: Final = "a view that answers every method; it is taken for GET only"
_REQUIRE: Final = {"require_GET": ("GET",), "require_POST": ("POST",), "require_safe": ("GET",)}


@dataclass(frozen=True, slots=True, eq=False)
class DjangoOperation:
    """One operation.

    Attributes:
        function: what answers it; None when the framework's own action does.
        cls: the class that it belongs to, None for a function.
        action: `list`, `create`, …; "" for others.
        branches: one function answers several methods, told apart inside it.
        decorated: the `@action(…)` that makes it one.
        around: what a list of URLs puts around it.
    """

    method: str
    path: str
    parameters: tuple[CodeParameter, ...]
    function: Definition | None
    cls: Definition | None = None
    action: str = ""
    branches: bool = False
    decorated: ast.Call | None = None
    around: tuple[Wrapper, ...] = ()


class Views:
    """Turns patterns and routers into operations."""

    def __init__(self, modules: Modules, urls: Urls) -> None:
        self.modules = modules
        self.urls = urls
        self.unread: list[UnsupportedCode] = []

    def all(self) -> Iterator[DjangoOperation]:
        """Every operation of the supplied URL lists."""
        for pattern in self.urls.patterns:
            yield from self._pattern(pattern)
        for prefix, router in self.urls.routers:
            yield from self._router(prefix, router)

    def _pattern(self, pattern: Pattern) -> Iterator[DjangoOperation]:
        view, around = peeled(pattern.scope, pattern.view)
        yield from (replace(one, around=around) for one in self._of_view(pattern, view))

    def _of_view(self, pattern: Pattern, view: ast.expr) -> Iterator[DjangoOperation]:
        mapping = None
        if isinstance(view, ast.Call) and isinstance(view.func, ast.Attribute) and view.func.attr == "as_view":
            mapping = view.args[0] if view.args else None
            view = view.func.value
        found = self.modules.resolve(pattern.scope, view)
        if isinstance(found, Definition) and is_function(found):
            yield from self._function(pattern, found)
        elif isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            for verb, action in self._class_methods(pattern.scope, found, mapping):
                yield self._method(verb, action, pattern.path, pattern.parameters, found)
        else:
            text = ast.unparse(view)[:80]
            self.unread.append(UnsupportedCode(pattern.spot, f"the view `{text}`", "Supply the file that defines it."))

    def _function(self, pattern: Pattern, function: Definition) -> Iterator[DjangoOperation]:
        stated = self._stated(function)
        compared = sorted(set(_compared(function.node))) if stated is None else []
        if stated is None and not compared:
            spot = function.scope.spot(function.node)
            self.unread.append(UnsupportedCode(spot, ANY_METHOD, part=UnreadPart.ANY_METHOD))
        methods = stated or tuple(compared) or ("GET",)
        for method in methods:
            branches = len(methods) > 1 or bool(compared)
            yield DjangoOperation(method, pattern.path, pattern.parameters, function, branches=branches)

    def _stated(self, function: Definition) -> tuple[str, ...] | None:
        for name, call in decorators(function.node):
            last = last_name(name)
            if last in _REQUIRE:
                return _REQUIRE[last]
            if last in ("require_http_methods", "api_view"):
                given = (
                    keyword(call, "request_method_list" if last[0] == "r" else "http_method_names", 0) if call else None
                )
                found = texts(self.modules, function.scope, given) if given is not None else ("GET",)
                return tuple(one.upper() for one in found or () if one.upper() not in ("HEAD", "OPTIONS")) or None
        return None

    def _class_methods(self, scope: Scope, cls: Definition, mapping: ast.expr | None) -> Iterator[tuple[str, str]]:
        """Method and action of each that the class answers; "" is the action of a plain method."""
        allowed = self._allowed(cls)
        if isinstance(mapping, ast.Dict):
            value = constant(self.modules, scope, mapping)
            for verb, action in value.items() if isinstance(value, dict) else ():
                if isinstance(action, str) and verb.lower() in VERBS:
                    yield verb.upper(), action
            return
        own = methods_of(self.modules, cls)
        yield from ((verb.upper(), "") for verb in VERBS if verb in own and verb in allowed)
        for action in self.actions(cls):
            verb = METHODS[action]
            if verb.lower() not in own and verb.lower() in allowed and not self._is_viewset(cls):
                yield verb, action

    def _allowed(self, cls: Definition) -> tuple[str, ...]:
        value = of(self.modules, self.modules.member(cls, "http_method_names"))
        return tuple(str(one).lower() for one in value) if isinstance(value, list) else VERBS

    def _is_viewset(self, cls: Definition) -> bool:
        names = ("ViewSet", "GenericViewSet", "ModelViewSet", "ReadOnlyModelViewSet", "ViewSetMixin")
        return self.modules.is_a(cls, REST, *names)

    def actions(self, cls: Definition) -> tuple[str, ...]:
        """The framework's actions that the class has, by its bases or as own methods."""
        inherited = {
            action
            for base in self.modules.ancestry(cls)
            if isinstance(base, External) and base.package == "rest_framework"
            for action in _MIXINS.get(base.last, ())
        }
        own = methods_of(self.modules, cls) if self._is_viewset(cls) else {}
        return tuple(action for action in METHODS if action in inherited or action in own)

    def _method(
        self, verb: str, action: str, path: str, parameters: tuple[CodeParameter, ...], cls: Definition
    ) -> DjangoOperation:
        own = methods_of(self.modules, cls)
        function = own.get(action) if action else own.get(verb.lower())
        return DjangoOperation(verb, path, parameters, function, cls, action)

    def _router(self, prefix: str, router: Definition) -> Iterator[DjangoOperation]:
        slash = "/"
        if isinstance(router.node, ast.Call):
            given = keyword(router.node, "trailing_slash")
            slash = "" if constant(self.modules, router.scope, given) is False else "/"
        for scope, statement in self.modules.statements():
            call = statement.value if isinstance(statement, ast.Expr) else None
            if (
                not isinstance(call, ast.Call)
                or not isinstance(call.func, ast.Attribute)
                or call.func.attr != "register"
            ):
                continue
            held = self.modules.resolve(scope, call.func.value)
            if isinstance(held, Definition) and held.node is router.node:
                yield from self._registered(scope, call, prefix, slash)

    def _registered(self, scope: Scope, call: ast.Call, prefix: str, slash: str) -> Iterator[DjangoOperation]:
        name = constant(self.modules, scope, keyword(call, "prefix", 0))
        cls = self.modules.resolve(scope, keyword(call, "viewset", 1))
        spot = scope.spot(call)
        if not isinstance(name, str) or name is ABSENT or not isinstance(cls, Definition):
            text = ast.unparse(call)[:100]
            self.unread.append(UnsupportedCode(spot, f"the viewset of `{text}`", "Supply the file that defines it."))
            return
        base = f"{prefix}{name}".rstrip("/")
        key = self._key(cls, spot)
        allowed = self._allowed(cls)
        for action in self.actions(cls):
            if METHODS[action].lower() in allowed:
                detail = action not in ("list", "create")
                path = f"{base}/{{{key.name}}}{slash}" if detail else f"{base}{slash}"
                yield self._method(METHODS[action], action, path, (key,) if detail else (), cls)
        yield from self._extra(cls, base, slash, key)

    def _key(self, cls: Definition, spot: Spot) -> CodeParameter:
        words = [of(self.modules, self.modules.member(cls, word)) for word in ("lookup_url_kwarg", "lookup_field")]
        name = next((word for word in words if isinstance(word, str) and word is not ABSENT), "pk")
        pattern = of(self.modules, self.modules.member(cls, "lookup_value_regex"))
        stated = isinstance(pattern, str) and pattern is not ABSENT
        schema = {"type": "string", "pattern": f"^(?:{pattern})$"} if stated else {"type": "string"}
        return CodeParameter(name=name, location="path", spot=spot, required=True, schema=schema)

    def _extra(self, cls: Definition, base: str, slash: str, key: CodeParameter) -> Iterator[DjangoOperation]:
        """Methods that `@action` makes a URL of."""
        for name, function in methods_of(self.modules, cls).items():
            for decorator, call in decorators(function.node):
                if getattr(decorator, "id", getattr(decorator, "attr", "")) != "action" or call is None:
                    continue
                detail = constant(self.modules, function.scope, keyword(call, "detail", 1)) is True
                methods = texts(self.modules, function.scope, keyword(call, "methods", 0)) or ("get",)
                given = constant(self.modules, function.scope, keyword(call, "url_path"))
                part = given if isinstance(given, str) and given is not ABSENT else name
                path = f"{base}/{{{key.name}}}/{part}{slash}" if detail else f"{base}/{part}{slash}"
                for method in methods:
                    yield DjangoOperation(method.upper(), path, (key,) if detail else (), function, cls, decorated=call)


def _compared(node: ast.AST) -> Iterator[str]:
    """Methods that a function compares `request.method` with."""
    for one in ast.walk(node):
        if isinstance(one, ast.Compare) and isinstance(one.left, ast.Attribute) and one.left.attr == "method":
            for side in one.comparators:
                for part in side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.lower() in VERBS:
                        yield part.value.upper()
