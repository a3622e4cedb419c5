"""Django and REST framework routes of the supplied files, with what their views show.

Who may call a REST framework view, how often, and how lists are paged: by its class or by the settings.
"""

from __future__ import annotations

import ast
from copy import copy
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.calls import branches_by_method, decorators, is_function, keyword, returned, value_at
from evreview.codefacts.constants import constant, of, texts
from evreview.codefacts.control_flow import Event, Frame, events_of, falls_through
from evreview.codefacts.django.bodies import JSON, DjangoDialect, serializer_at
from evreview.codefacts.django.routes import REST, DjangoOperation, Urls, Views, method_decorators, own_dispatch, runs
from evreview.codefacts.guards.denials import asked
from evreview.codefacts.handlers import (
    BRANCHES,
    RouteFacts,
    Written,
    read_decorator,
    read_decorators,
    read_gate,
    read_handler,
    with_found,
)
from evreview.codefacts.middleware import around
from evreview.codefacts.model import (
    AccessKind,
    CodeBody,
    CodeFacts,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Guard,
    Route,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope, last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.codefacts.schema_reading import SerializerSchema
from evreview.core.vocabulary import ABSENT, Concern, Form, Json

_SUPPLY: Final = "Supply the settings with REST_FRAMEWORK."
PERMISSIONS: Final[dict[str, AccessKind | None]] = {
    "AllowAny": None, "IsAuthenticated": "authentication", "IsAdminUser": "authorization",
    "IsAuthenticatedOrReadOnly": "authentication", "DjangoModelPermissions": "authorization",
    "DjangoObjectPermissions": "authorization", "DjangoModelPermissionsOrAnonReadOnly": "authorization",
    "TokenHasScope": "authorization", "TokenHasReadWriteScope": "authorization",
}  # fmt: skip
"""What each permission class asks for; None for nothing."""
_CHECKS: Final = ("has_permission", "has_object_permission")
SCHEMES: Final = {
    "BasicAuthentication": "http basic", "JWTAuthentication": "http bearer", "OAuth2Authentication": "oauth2",
    "TokenAuthentication": "http token", "SessionAuthentication": "apiKey cookie sessionid",
}  # fmt: skip
CHALLENGING: Final = ("BasicAuthentication", "JWTAuthentication", "OAuth2Authentication", "TokenAuthentication")
"""Classes that name a challenge; with one of them first a caller who is not known gets 401, else 403."""
PAGES: Final = {
    "PageNumberPagination": ("page",), "LimitOffsetPagination": ("limit", "offset"), "CursorPagination": ("cursor",),
}  # fmt: skip
_PAGE_WORDS: Final = (
    "page_query_param",
    "page_size_query_param",
    "limit_query_param",
    "offset_query_param",
    "cursor_query_param",
)


@dataclass(frozen=True, slots=True)
class Stated:
    """Classes that hold for a view: where they are named, and by which names."""

    scope: Scope
    nodes: tuple[ast.expr, ...]


class Defaults:
    """The settings of `REST_FRAMEWORK`, where a file that holds them is supplied."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.entries: dict[str, tuple[Scope, ast.expr]] = {}
        self.supplied = False
        self.own: dict[str, tuple[Scope, ast.expr]] = {}
        for scope, statement in modules.statements():
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if any(isinstance(one, ast.Name) and one.id == "REST_FRAMEWORK" for one in targets):
                value = statement.value if isinstance(statement, ast.Assign) else None
                self.supplied = True
                for key, entry in zip(getattr(value, "keys", []), getattr(value, "values", []), strict=False):
                    name = constant(modules, scope, key)
                    if isinstance(name, str) and name is not ABSENT:
                        self.entries[name] = (scope, entry)

    def of_action(self, scope: Scope, call: ast.Call) -> Defaults:
        """The same with the classes that `@action(permission_classes=[…])` states instead of the view's."""
        found = copy(self)
        found.own = {word.arg: (scope, word.value) for word in call.keywords if word.arg is not None}
        return found

    def apply(self, view: Definition, method: str, found: RouteFacts, listing: bool) -> None:
        """Adds what the view's class, or else the settings, say about one method."""
        spot = view.scope.spot(view.node)
        challenged = self._authenticators(view, found, spot)
        self._permissions(view, method, found, (spot, challenged))
        self._throttles(view, found, spot)
        if listing:
            self._pages(view, found, spot)
        if "EXCEPTION_HANDLER" in self.entries:
            scope, node = self.entries["EXCEPTION_HANDLER"]
            found.unread.append(
                UnsupportedCode(scope.spot(node), "an exception handler of its own, which may change every error")
            )

    def classes(self, view: Definition, word: str, setting: str) -> tuple[Spot, list[tuple[str, Resolved]]] | None:
        """The names and classes that hold; None when it can't be told."""
        member = self._stated(view, word)
        if isinstance(member, Definition) and isinstance(member.node, ast.List | ast.Tuple):
            return self._named(member.scope, member.node)
        if isinstance(member, Definition) and (is_function(member) or isinstance(member.node, ast.expr)):
            return None
        if setting in self.entries:
            scope, node = self.entries[setting]
            names = texts(self.modules, scope, node)
            if names is None:
                return None
            return scope.spot(node), [(name.rpartition(".")[2], self._dotted(name)) for name in names]
        return None

    def _stated(self, view: Definition, word: str) -> Resolved:
        """What an action, a view's class or a decorator of a function states."""
        if word in self.own:
            scope, node = self.own[word]
            found = self.modules.resolve(scope, node)
            return found if isinstance(found, Definition) else Definition(node, scope, word, node)
        return self.modules.member(view, word) if isinstance(view.node, ast.ClassDef) else self._decorated(view, word)

    def _dotted(self, name: str) -> Resolved:
        module, _, last = name.rpartition(".")
        return self.modules.find(module, last) or External(name)

    def _named(self, scope: Scope, listed: ast.List | ast.Tuple) -> tuple[Spot, list[tuple[str, Resolved]]]:
        spot = scope.spot(listed.elts[0] if listed.elts else listed)
        parts = [part for node in listed.elts for part in _together(node)]
        return spot, [(ast.unparse(node)[:80], self._either(scope, node)) for node in parts]

    def _either(self, scope: Scope, node: ast.expr) -> Resolved:
        """The class that is named; of `A | B` the one that lets everybody in, if one does."""
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr):
            return self._plain(self.modules.resolve(scope, node))
        sides = [self._either(scope, side) for side in (node.left, node.right)]
        for side in sides:
            if isinstance(side, External) and side.last == "AllowAny":
                return side
            if isinstance(side, Definition) and _denies_nobody(self.modules, side):
                return side
        return None

    def _plain(self, cls: Resolved) -> Resolved:
        """A class that adds no check to the framework's own is that one."""
        if not isinstance(cls, Definition) or not isinstance(cls.node, ast.ClassDef):
            return cls
        if any(isinstance(self.modules.member(cls, name), Definition) for name in _CHECKS):
            return cls
        known = (base for base in self.modules.ancestry(cls) if isinstance(base, External) and base.last in PERMISSIONS)
        return next(known, cls)

    def _decorated(self, view: Definition, word: str) -> Resolved:
        """`@permission_classes([IsAuthenticated])` on a function."""
        for decorator in getattr(view.node, "decorator_list", []):
            name = decorator.func if isinstance(decorator, ast.Call) else decorator
            if (
                isinstance(decorator, ast.Call)
                and getattr(name, "id", getattr(name, "attr", "")) == word
                and decorator.args
            ):
                return Definition(decorator.args[0], view.scope, word, decorator)
        return None

    def _authenticators(self, view: Definition, found: RouteFacts, spot: Spot) -> int | None:
        """Adds the schemes; the status that a caller gets who is not known, None when that can't be told."""
        stated = self.classes(view, "authentication_classes", "DEFAULT_AUTHENTICATION_CLASSES")
        if stated is None and self.supplied and "DEFAULT_AUTHENTICATION_CLASSES" not in self.entries:
            stated = (spot, [(name, External(f"rest_framework.authentication.{name}")) for name in
                             ("SessionAuthentication", "BasicAuthentication")])  # fmt: skip
        if stated is None:
            found.unread.append(
                UnsupportedCode(
                    spot,
                    "the authentication classes that hold by default",
                    _SUPPLY,
                    part=UnreadPart.AUTHENTICATION_CLASSES,
                )
            )
            return None
        for name, cls in stated[1]:
            last = cls.last if isinstance(cls, External) else ""
            scheme = SCHEMES.get(last, "")
            if not scheme:
                found.unread.append(UnsupportedCode(stated[0], f"the scheme of `{name}`", "Declare it with a quote."))
            found.guards.append(Guard(name=name, kind="authentication", spot=stated[0], scheme=scheme))
        first = stated[1][0][1] if stated[1] else None
        if not stated[1]:
            return 403
        if not isinstance(first, External) or first.last not in SCHEMES:
            return None
        return 401 if first.last in CHALLENGING else 403

    def _permissions(self, view: Definition, method: str, found: RouteFacts, at: tuple[Spot, int | None]) -> None:
        stated = self.classes(view, "permission_classes", "DEFAULT_PERMISSION_CLASSES")
        if stated is None:
            if not self.supplied or "DEFAULT_PERMISSION_CLASSES" in self.entries:
                found.unread.append(
                    UnsupportedCode(
                        at[0],
                        "the permission classes that hold by default",
                        _SUPPLY,
                        part=UnreadPart.PERMISSION_CLASSES,
                    )
                )
            else:
                found.guards.clear()
            return
        asked, since = False, len(found.guards)
        for name, cls in stated[1]:
            last = cls.last if isinstance(cls, External) else name
            kind = PERMISSIONS.get(last) if isinstance(cls, External) else "unknown"
            if isinstance(cls, External) and last not in PERMISSIONS:
                kind = "unknown"
            if isinstance(cls, Definition) and _denies_nobody(self.modules, cls):
                continue
            if kind is None or (last.endswith("ReadOnly") and method in ("GET", "HEAD", "OPTIONS")):
                continue
            asked = True
            guard: Literal["authentication", "authorization", "unknown"] = (
                "authentication"
                if kind == "authentication"
                else "authorization"
                if kind == "authorization"
                else "unknown"
            )
            found.guards.append(Guard(name=name, kind=guard, spot=stated[0]))
            if guard != "authentication":
                found.responses.append(_refusal(403, stated[0]))
        if asked:
            found.responses.append(_refusal(at[1], stated[0]))
            if all(one.kind == "unknown" for one in found.guards[since:]):
                # Classes that find out who calls refuse nobody; whether the own permission does is not told.
                found.guards[:since] = [replace(one, unless=(*one.unless, stated[0])) for one in found.guards[:since]]
        else:
            # Whoever calls is let in, so the classes that find out who it is refuse nobody without credentials.
            found.guards[:] = [one for one in found.guards if one.kind != "authentication"]
            found.public = stated[0]

    def _throttles(self, view: Definition, found: RouteFacts, spot: Spot) -> None:
        stated = self.classes(view, "throttle_classes", "DEFAULT_THROTTLE_CLASSES")
        for name, cls in stated[1] if stated is not None else []:
            value = self._rate(view, cls)
            found.notes.append(
                CodeNote(concern=Concern.RATE_LIMITS, name=name, spot=stated[0] if stated else spot, value=value)
            )
            found.responses.append(_refusal(429, stated[0] if stated else spot))

    def _rate(self, view: Definition, cls: Resolved) -> Form:
        """The rate that a throttle class states, or the settings for its scope."""
        if isinstance(cls, Definition):
            rate = of(self.modules, self.modules.member(cls, "rate"))
            if rate is not ABSENT:
                return rate
        plain = {"AnonRateThrottle": "anon", "UserRateThrottle": "user"}
        ancestry = self.modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        scope: Form = of(self.modules, self.modules.member(cls, "scope")) if isinstance(cls, Definition) else ABSENT
        for base in ancestry:
            if isinstance(base, External) and scope is ABSENT:
                scope = plain.get(base.last, ABSENT)
                if base.last == "ScopedRateThrottle" and isinstance(view.node, ast.ClassDef):
                    scope = of(self.modules, self.modules.member(view, "throttle_scope"))
        entry = self.entries.get("DEFAULT_THROTTLE_RATES")
        rates = constant(self.modules, entry[0], entry[1]) if entry else ABSENT
        return rates.get(scope, ABSENT) if isinstance(rates, dict) and isinstance(scope, str) else ABSENT

    def _pages(self, view: Definition, found: RouteFacts, spot: Spot) -> None:
        member = self.modules.member(view, "pagination_class") if isinstance(view.node, ast.ClassDef) else None
        if isinstance(member, External) and member.last == "pagination_class":  # the framework's own default
            member = None
        entry = self.entries.get("DEFAULT_PAGINATION_CLASS")
        cls: Resolved = member
        if member is None and entry is not None:
            name = constant(self.modules, entry[0], entry[1])
            cls = self._dotted(name) if isinstance(name, str) and name is not ABSENT else None
            spot = entry[0].spot(entry[1])
        if cls is None or (isinstance(cls, Definition) and not isinstance(cls.node, ast.ClassDef)):
            if member is None and not self.supplied:
                found.unread.append(UnsupportedCode(spot, "the pagination that holds by default", _SUPPLY))
            return
        name = cls.qualname if isinstance(cls, Definition) else getattr(cls, "last", "")
        found.notes.append(CodeNote(concern=Concern.PAGINATION, name=name, spot=spot, value=self._page_size(cls)))
        for query in self._queries(cls):
            found.parameter(CodeParameter(name=query, location="query", spot=spot, required=False))

    def _page_size(self, cls: Resolved) -> Form:
        own = of(self.modules, self.modules.member(cls, "page_size")) if isinstance(cls, Definition) else ABSENT
        entry = self.entries.get("PAGE_SIZE")
        return own if own is not ABSENT or entry is None else constant(self.modules, entry[0], entry[1])

    def _queries(self, cls: Resolved) -> list[str]:
        ancestry = self.modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        base = next((one.last for one in ancestry if isinstance(one, External) and one.last in PAGES), "")
        plain = [f"{name}_query_param" for name in PAGES.get(base, ())]
        names = dict(zip(plain, PAGES.get(base, ()), strict=True))
        for word in _PAGE_WORDS if isinstance(cls, Definition) else ():
            value = of(self.modules, self.modules.member(cls, word))  # type: ignore[arg-type]
            if isinstance(value, str) and value is not ABSENT:
                names[word] = value
        return list(names.values())


def _together(node: ast.expr) -> list[ast.expr]:
    """`A` and `B` of `A & B`, of which both have to let a caller in."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        return [*_together(node.left), *_together(node.right)]
    return [node]


def _denies_nobody(modules: Modules, cls: Definition) -> bool:
    """True for a permission class of the supplied files whose checks only say True."""
    own = [modules.member(cls, name) for name in _CHECKS]
    supplied = [one for one in own if isinstance(one, Definition)]
    bases = [base for base in modules.ancestry(cls) if not isinstance(base, Definition)]
    plain = all(isinstance(base, External) and base.last in ("BasePermission", "object") for base in bases)
    return bool(supplied) and plain and all(says_true(one.node) for one in supplied)


def says_true(node: ast.AST) -> bool:
    """True for a function that returns True on every way, refuses nowhere and calls nothing by itself."""
    nodes = list(ast.walk(node))
    returned = [one.value for one in nodes if isinstance(one, ast.Return)]
    called = any(isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) for one in nodes)
    if called or any(isinstance(one, ast.Raise | ast.Assert | ast.Lambda) for one in nodes):
        return False
    ends = not falls_through(getattr(node, "body", []))
    return ends and bool(returned) and all(isinstance(one, ast.Constant) and one.value is True for one in returned)


def _refusal(status: int | None, spot: Spot) -> CodeResponse:
    return CodeResponse(status=status, how="framework", spot=spot, media_type="application/json")


# Methods of a view that replace what its attributes say, and classes that change the media types of all answers.


What = Literal["callers", "answers", "values", "media"]
METHODS: Final[dict[str, tuple[What, ...]]] = {
    "get_permissions": ("callers",), "check_permissions": ("callers",), "get_authenticators": ("callers",),
    "perform_authentication": ("callers",), "permission_denied": ("callers",), "initial": ("callers", "answers"),
    "dispatch": ("callers", "answers"), "initialize_request": ("callers",), "finalize_response": ("answers",),
    "handle_exception": ("answers",), "get_serializer_class": ("values",), "get_serializer": ("values",),
    "get_renderers": ("media",), "get_content_negotiator": ("media",), "get_parsers": (),
}  # fmt: skip
"""What each method decides of every request, whatever the attributes of the view say."""
RENDERERS: Final = frozenset({"JSONRenderer", "BrowsableAPIRenderer"})
PARSERS: Final = frozenset({"JSONParser", "FormParser", "MultiPartParser"})
_REFUSALS: Final = (401, 403, None)
_ADVICE: Final = "Declare with quotes what holds."


def take_overridden(modules: Modules, view: Definition, found: RouteFacts) -> tuple[UnsupportedCode, ...]:
    """Names the methods that the view overrides; what they decide counts as open. Those that may change statuses."""
    rewritten: list[UnsupportedCode] = []
    for name, decides in METHODS.items() if isinstance(view.node, ast.ClassDef) else ():
        method = modules.member(view, name)
        if not isinstance(method, Definition) or _hands_on(method.node, name):
            continue
        spot = method.scope.spot(method.node)
        unread = UnsupportedCode(
            spot,
            f"the method `{name}`, which decides instead of the view's attributes",
            _ADVICE,
            part=UnreadPart.VIEW_METHOD,
        )
        found.unread.append(unread)
        if "callers" in decides:
            _callers(found, spot)
        if "answers" in decides:
            rewritten.append(unread)
        if "values" in decides:
            _values(found)
        if "media" in decides:
            _media(found)
    return tuple(rewritten)


def _hands_on(method: ast.AST, name: str) -> bool:
    """True for a method that only calls the one that it overrides: `return super().dispatch(request)`."""
    body = [one for one in getattr(method, "body", []) if not _says_nothing(one)]
    match body:
        case [ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Call() as above, attr=called)))]:
            return called == name and ast.unparse(above) == "super()"
    return False


def _says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _callers(found: RouteFacts, spot: Spot) -> None:
    """What the method decides is open, but for the guards that are the method itself or stand around it."""
    found.public = None
    found.guards[:] = [
        one if _within(one.spot, spot) else replace(one, unless=(*one.unless, spot)) for one in found.guards
    ]
    found.responses[:] = [one for one in found.responses if one.how != "framework" or one.status not in _REFUSALS]


def _within(one: Spot, other: Spot) -> bool:
    return one.item == other.item and other.first <= one.first and one.last <= other.last


def _values(found: RouteFacts) -> None:
    if found.body is not None:
        found.body = replace(found.body, schema={}, exact=False, models=())
    found.responses[:] = [replace(one, schema=None, exact=False) if one.models else one for one in found.responses]


def _media(found: RouteFacts) -> None:
    found.responses[:] = [replace(one, media_type="") for one in found.responses]


def take_media(defaults: Defaults, view: Definition, found: RouteFacts) -> None:
    """Names renderers and parsers that are not the framework's own for JSON; media types are open then."""
    for word, setting, known in (
        ("renderer", "DEFAULT_RENDERER_CLASSES", RENDERERS),
        ("parser", "DEFAULT_PARSER_CLASSES", PARSERS),
    ):
        stated = defaults.classes(view, f"{word}_classes", setting)
        for name, cls in stated[1] if stated is not None else []:
            if not isinstance(cls, External) or cls.package != "rest_framework" or cls.last not in known:
                spot = stated[0] if stated is not None else view.scope.spot(view.node)
                found.unread.append(
                    UnsupportedCode(spot, f"the {word} `{name}`, which is not read", _ADVICE, part=UnreadPart.MEDIA)
                )
                if word == "renderer":
                    _media(found)


_LOGIN: Final = "django.contrib.auth.middleware.LoginRequiredMiddleware"
_BASES: Final = frozenset(
    {"abc", "builtins", "django", "django_filters", "drf_spectacular", "drf_yasg", "rest_framework", "typing"}
)
"""Packages whose bases of views ask nobody who calls, but for those whose names tell it."""
_OWN: Final = (
    "require_http_methods", "require_GET", "require_POST", "require_safe", "api_view", "permission_classes",
    "authentication_classes", "throttle_classes", "parser_classes", "renderer_classes", "action", "login_not_required",
)  # fmt: skip
_SENDS: Final = {"list": 200, "create": 201, "retrieve": 200, "update": 200, "partial_update": 200, "destroy": 204}
_MIXINS: Final = {
    "LoginRequiredMixin": "authentication", "PermissionRequiredMixin": "authorization",
    "UserPassesTestMixin": "authorization",
}  # fmt: skip


def read_django(modules: Modules) -> CodeFacts:
    """Every operation of the supplied URL lists, and what could not be read."""
    urls = Urls(modules)
    views, defaults = Views(modules, urls), Defaults(modules)
    routes = [_route(modules, defaults, answer) for answer in views.all()]
    return CodeFacts(routes=tuple(routes), unread=tuple(dict.fromkeys([*urls.unread, *views.unread])))


def _route(modules: Modules, defaults: Defaults, answer: DjangoOperation) -> Route:
    rest = _is_rest(modules, answer)
    found, dialect = RouteFacts(), DjangoDialect(modules, rest)
    target = answer.function or answer.cls
    assert target is not None
    view = answer.cls or target
    if rest:
        if answer.decorated is not None:
            defaults = defaults.of_action(target.scope, answer.decorated)
        defaults.apply(view, answer.method, found, answer.action == "list")
    if not rest:  # REST framework exempts its own views
        _signing_in(modules, answer, found)
    _mixins(modules, answer.cls, found)
    _wrappers(modules, dialect, answer, found)
    if answer.cls is not None:
        _of_class(modules, dialect, answer.cls, found)
    if answer.function is not None:
        read_decorators(modules, dialect, answer.function, found, _OWN)
        read_handler(modules, dialect, answer.function, found)
        _serializers(modules, answer, found)
    elif answer.action:
        _action(modules, answer, found)
    spot = target.scope.spot(target.node)
    if answer.branches and answer.function is not None and branches_by_method(answer.function):
        found.unread.append(UnsupportedCode(spot, BRANCHES, part=UnreadPart.BRANCHES))
    if rest:
        take_media(defaults, view, found)
    rewritten = take_overridden(modules, view, found)
    name = f"{view.qualname}.{answer.action}" if answer.function is None else answer.function.qualname
    framework = "drf" if rest else "django"
    route = Route(
        method=answer.method,
        path=answer.path,
        handler=name,
        framework=framework,
        spot=spot,
        parameters=answer.parameters,
        rewritten=rewritten,
    )
    return with_found(route, found)


def _is_rest(modules: Modules, answer: DjangoOperation) -> bool:
    if answer.cls is not None:
        return any(isinstance(one, External) and one.package in REST for one in modules.ancestry(answer.cls))
    node = answer.function.node if answer.function is not None else None
    names = (one.func if isinstance(one, ast.Call) else one for one in getattr(node, "decorator_list", []))
    return any(getattr(one, "id", getattr(one, "attr", "")) == "api_view" for one in names)


def _signing_in(modules: Modules, answer: DjangoOperation, found: RouteFacts) -> None:
    """The guard that Django's own middleware is for every view without `login_not_required`."""
    target = answer.function or answer.cls
    exempt = {last_name(name) for name, _ in decorators(target.node)} if target is not None else set()
    exempt |= {last_name(name) for _, name, _ in answer.around}
    exempt |= {last_name(name) for name, _ in decorators(answer.cls.node)} if answer.cls is not None else set()
    for one in around(modules) if "login_not_required" not in exempt else ():
        if one.framework == "django" and one.name == _LOGIN:
            found.guards.append(Guard(name=one.name.rpartition(".")[2], kind="authentication", spot=one.spot))


def _mixins(modules: Modules, cls: Definition | None, found: RouteFacts) -> None:
    for base in modules.ancestry(cls) if cls is not None else ():
        if cls is not None and not isinstance(base, Definition):
            package = base.package if isinstance(base, External) else ""
            if package not in _BASES:
                word = base.name if isinstance(base, External) else "a base that can't be told"
                said = f"`{word}`, a base of the view that no supplied file defines"
                found.unread.append(UnsupportedCode(cls.scope.spot(cls.node), said, "Supply the file that defines it."))
        kind = _MIXINS.get(base.last) if isinstance(base, External) and base.package == "django" else None
        if kind is not None and cls is not None and isinstance(base, External) and runs(modules, cls, base.last):
            spot = cls.scope.spot(cls.node)
            known = "authentication" if kind == "authentication" else "authorization"
            found.guards.append(Guard(name=base.last, kind=known, spot=spot))  # type: ignore[arg-type]


def _wrappers(modules: Modules, dialect: DjangoDialect, answer: DjangoOperation, found: RouteFacts) -> None:
    """Adds what stands around a view in lists of URLs, by `method_decorator`, and in a `dispatch` of its own."""
    around = list(answer.around)
    if answer.cls is not None:
        around += method_decorators(modules, answer.cls, answer.action or answer.method.lower())
        before = own_dispatch(modules, answer.cls)
        if before is not None:
            spot = before.scope.spot(before.node)
            known = len(found.guards)
            read_gate(modules, dialect, [before], Written(before.qualname, spot), found)
            inner = modules.body(before) if len(found.guards) == known else None
            found.guards.extend(asked(modules, inner).guards if inner is not None else ())
    for scope, name, call in around:
        if last_name(name) not in _OWN:
            read_decorator(modules, dialect, scope, (name, call), found)


def _of_class(modules: Modules, dialect: DjangoDialect, cls: Definition, found: RouteFacts) -> None:
    """Adds what decorators at a class do; a library's, made for functions, was not seen to run around its methods."""
    since = len(found.guards)
    read_decorators(modules, dialect, cls, found, _OWN)
    for name, call in decorators(cls.node):
        if isinstance(modules.resolve(cls.scope, name), External):
            spot = cls.scope.spot(call or name)
            found.guards[since:] = [
                replace(one, unless=(*one.unless, spot)) if one.spot == spot else one for one in found.guards[since:]
            ]


def _action(modules: Modules, answer: DjangoOperation, found: RouteFacts) -> None:
    """What the framework's own action reads and sends."""
    assert answer.cls is not None
    cls, action = answer.cls, answer.action
    spot = cls.scope.spot(cls.node)
    chosen = modules.member(cls, "get_serializer_class") is not None and _own(modules, cls, "get_serializer_class")
    taken = None if chosen else _declared(modules, cls, True)
    sent = None if chosen else _declared(modules, cls, False)
    if sent is None and action != "destroy":
        found.unread.append(UnsupportedCode(spot, "the serializer of a view", "Supply the file that defines it."))
    if action in ("create", "update", "partial_update"):
        schema: Json = taken.schema if taken is not None else {}
        if action == "partial_update" and isinstance(schema, dict):
            schema = {key: value for key, value in schema.items() if key != "required"}
        found.body = _body(spot, taken, schema)
        found.notes.extend(taken.checks if taken is not None else ())
        found.responses.append(CodeResponse(status=400, how="framework", spot=spot, media_type=JSON))
    if action not in ("list", "create"):
        found.responses.append(CodeResponse(status=404, how="framework", spot=spot, media_type=JSON))
    body: Json = sent.schema if sent is not None and action != "destroy" else None
    if action == "list" and body is not None:
        paged = any(note.concern == "pagination" for note in found.notes)
        body = None if paged else {"type": "array", "items": body}
    media = "" if action == "destroy" else JSON
    spots = sent.spots if sent is not None and body is not None else ()
    found.responses.append(
        CodeResponse(status=_SENDS[action], how="returned", spot=spot, media_type=media, schema=body, models=spots)
    )
    found.unread.extend(sent.unread if sent is not None else ())


def _own(modules: Modules, cls: Definition, name: str) -> bool:
    return isinstance(modules.member(cls, name), Definition)


def _declared(modules: Modules, cls: Definition, takes: bool) -> SerializerSchema | None:
    """The values of a view's `serializer_class`."""
    found = modules.member(cls, "serializer_class")
    if not isinstance(found, Definition):
        return None
    expression = ast.Name(id=found.name, ctx=ast.Load())
    return serializer_at(modules, found.scope, expression, takes)


def _body(spot: object, taken: SerializerSchema | None, schema: Json) -> CodeBody:
    return CodeBody(
        media_type="", spot=spot, schema=schema,  # type: ignore[arg-type]
        exact=taken is not None and taken.exact, coerces=taken is not None and taken.coerces,
        models=taken.spots if taken is not None else (),
    )  # fmt: skip


def _serializers(modules: Modules, answer: DjangoOperation, found: RouteFacts) -> None:
    """`OrderSerializer(data=request.data)` and `Response(OrderSerializer(order).data)` within a view."""
    assert answer.function is not None
    events = events_of(modules, answer.function)
    for event in events:
        call = event.node
        if event.kind is not ast.Call or not isinstance(call, ast.Call) or keyword(call, "data") is None:
            continue
        taken = _serializer(modules, answer, event.frame, call, True)
        if taken is not None:
            schema: Json = taken.schema
            if constant(modules, event.frame.scope, keyword(call, "partial")) is True:
                schema = {key: value for key, value in taken.schema.items() if key != "required"}
            found.body = _body(event.frame.scope.spot(call), taken, schema)
            found.unread.extend(taken.unread)
            found.notes.extend(taken.checks)
    for event in returned(modules, events):
        sent = _sent(modules, answer, event)
        for place, one in enumerate(found.responses):
            if sent is not None and one.spot == event.spot and one.how == "returned":
                found.responses[place] = replace(one, schema=sent.schema, exact=False, models=sent.spots)
                found.unread.extend(each for each in sent.unread if each.part is UnreadPart.REPRESENTATION)


def _serializer(
    modules: Modules, answer: DjangoOperation, frame: Frame, call: ast.Call, takes: bool
) -> SerializerSchema | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr == "get_serializer" and answer.cls is not None:
        return _declared(modules, answer.cls, takes)
    return serializer_at(modules, frame.scope, call.func, takes)


def _sent(modules: Modules, answer: DjangoOperation, event: Event) -> SerializerSchema | None:
    frame, at = value_at(modules, event.frame, getattr(event.node, "value", None))
    first = keyword(at, "data", 0) if isinstance(at, ast.Call) else None
    inner, data = value_at(modules, frame, first)
    if not isinstance(data, ast.Attribute) or data.attr != "data":
        return None
    where, made = value_at(modules, inner, data.value)
    if not isinstance(made, ast.Call):
        return None
    sent = _serializer(modules, answer, where, made, False)
    many = constant(modules, where.scope, keyword(made, "many")) is True
    return replace(sent, schema={"type": "array", "items": sent.schema}) if sent is not None and many else sent
