"""Who may call a REST framework view, how often, and how lists are paged: by its class or by the settings."""

from __future__ import annotations

import ast
from copy import copy
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.calls import is_function
from evreview.codefacts.constants import constant, of, texts
from evreview.codefacts.control_flow import falls_through
from evreview.codefacts.handlers import RouteFacts
from evreview.codefacts.model import (
    AccessKind,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Guard,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.core.vocabulary import ABSENT, Concern, Form

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
