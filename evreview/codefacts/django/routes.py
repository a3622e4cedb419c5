"""Which function or class answers which method of a URL: functions, class views, generic views and viewsets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.calls import decorators, is_function, keyword, methods_of
from evreview.codefacts.constants import constant, of, texts
from evreview.codefacts.model import CodeParameter, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.django.urls import Pattern, Urls
from evreview.sources.django.wrapping import Wrapper, peeled
from evreview.sources.resolved import Definition, External

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
class Answer:
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
        self.unread: list[UnreadCode] = []

    def all(self) -> Iterator[Answer]:
        """Every operation of the supplied URL lists."""
        for pattern in self.urls.patterns:
            yield from self._pattern(pattern)
        for prefix, router in self.urls.routers:
            yield from self._router(prefix, router)

    def _pattern(self, pattern: Pattern) -> Iterator[Answer]:
        view, around = peeled(pattern.scope, pattern.view)
        yield from (replace(one, around=around) for one in self._of_view(pattern, view))

    def _of_view(self, pattern: Pattern, view: ast.expr) -> Iterator[Answer]:
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
            self.unread.append(UnreadCode(pattern.spot, f"the view `{text}`", "Supply the file that defines it."))

    def _function(self, pattern: Pattern, function: Definition) -> Iterator[Answer]:
        stated = self._stated(function)
        compared = sorted(set(_compared(function.node))) if stated is None else []
        if stated is None and not compared:
            spot = function.scope.spot(function.node)
            self.unread.append(UnreadCode(spot, ANY_METHOD))
        methods = stated or tuple(compared) or ("GET",)
        for method in methods:
            branches = len(methods) > 1 or bool(compared)
            yield Answer(method, pattern.path, pattern.parameters, function, branches=branches)

    def _stated(self, function: Definition) -> tuple[str, ...] | None:
        for name, call in decorators(function.node):
            last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
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
    ) -> Answer:
        own = methods_of(self.modules, cls)
        function = own.get(action) if action else own.get(verb.lower())
        return Answer(verb, path, parameters, function, cls, action)

    def _router(self, prefix: str, router: Definition) -> Iterator[Answer]:
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

    def _registered(self, scope: Scope, call: ast.Call, prefix: str, slash: str) -> Iterator[Answer]:
        name = constant(self.modules, scope, keyword(call, "prefix", 0))
        cls = self.modules.resolve(scope, keyword(call, "viewset", 1))
        spot = scope.spot(call)
        if not isinstance(name, str) or name is MISSING or not isinstance(cls, Definition):
            text = ast.unparse(call)[:100]
            self.unread.append(UnreadCode(spot, f"the viewset of `{text}`", "Supply the file that defines it."))
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
        name = next((word for word in words if isinstance(word, str) and word is not MISSING), "pk")
        pattern = of(self.modules, self.modules.member(cls, "lookup_value_regex"))
        stated = isinstance(pattern, str) and pattern is not MISSING
        schema = {"type": "string", "pattern": f"^(?:{pattern})$"} if stated else {"type": "string"}
        return CodeParameter(name=name, location="path", spot=spot, required=True, schema=schema, exact=False)

    def _extra(self, cls: Definition, base: str, slash: str, key: CodeParameter) -> Iterator[Answer]:
        """Methods that `@action` makes a URL of."""
        for name, function in methods_of(self.modules, cls).items():
            for decorator, call in decorators(function.node):
                if getattr(decorator, "id", getattr(decorator, "attr", "")) != "action" or call is None:
                    continue
                detail = constant(self.modules, function.scope, keyword(call, "detail", 1)) is True
                methods = texts(self.modules, function.scope, keyword(call, "methods", 0)) or ("get",)
                given = constant(self.modules, function.scope, keyword(call, "url_path"))
                part = given if isinstance(given, str) and given is not MISSING else name
                path = f"{base}/{{{key.name}}}/{part}{slash}" if detail else f"{base}/{part}{slash}"
                for method in methods:
                    yield Answer(method.upper(), path, (key,) if detail else (), function, cls, decorated=call)


def _compared(node: ast.AST) -> Iterator[str]:
    """Methods that a function compares `request.method` with."""
    for one in ast.walk(node):
        if isinstance(one, ast.Compare) and isinstance(one.left, ast.Attribute) and one.left.attr == "method":
            for side in one.comparators:
                for part in side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.lower() in VERBS:
                        yield part.value.upper()
