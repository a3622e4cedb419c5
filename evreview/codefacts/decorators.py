"""Decorators whose meaning is known: who may call, how often. One value each, for every framework."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Definition, External, Modules


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoratorRule:
    """What one decorator does.

    Attributes:
        kind: as of a guard; `rate` for a rate limit, `neutral` for none of these.
        packages, names: where it comes from, and what it is called there.
        status: the response that it sends when it refuses, None when that depends on settings.
        optional: the argument, and its place, that lets callers without credentials pass; "" for none.
    """

    id: str
    why: str
    kind: Literal["authentication", "authorization", "rate", "neutral"]
    packages: tuple[str, ...]
    names: tuple[str, ...]
    scheme: str = ""
    status: int | None = None
    optional: tuple[str, int | None] = ("", None)
    example: str = ""
    counter: str = ""


DECORATORS: Final = (
    DecoratorRule(
        id="flask-login", why="Flask-Login refuses callers who are not logged in; how depends on its login manager",
        kind="authentication", packages=("flask_login",), names=("login_required", "fresh_login_required"),
        example="flask_login.login_required", counter="flask_login.current_user",
    ),
    DecoratorRule(
        id="flask-jwt", why="Flask-JWT-Extended demands a token", kind="authentication", scheme="http bearer",
        status=401, packages=("flask_jwt_extended", "flask_jwt"), names=("jwt_required", "fresh_jwt_required"),
        optional=("optional", 0),
        example="flask_jwt_extended.jwt_required", counter="flask_jwt_extended.get_jwt",
    ),
    DecoratorRule(
        id="flask-jwt-optional", why="Flask-JWT-Extended reads a token where one is sent, and demands none",
        kind="neutral", packages=("flask_jwt_extended",), names=("jwt_optional",),
        example="flask_jwt_extended.jwt_optional", counter="flask_jwt_extended.jwt_required",
    ),
    DecoratorRule(
        id="httpauth-basic", why="Flask-HTTPAuth demands basic credentials", kind="authentication", scheme="http basic",
        status=401, packages=("flask_httpauth",), names=("HTTPBasicAuth.login_required",),
        optional=("optional", None),
        example="flask_httpauth.HTTPBasicAuth.login_required", counter="flask_httpauth.HTTPBasicAuth.verify_password",
    ),
    DecoratorRule(
        id="httpauth-digest", why="Flask-HTTPAuth demands digest credentials", kind="authentication",
        scheme="http digest", status=401, packages=("flask_httpauth",), names=("HTTPDigestAuth.login_required",),
        optional=("optional", None),
        example="flask_httpauth.HTTPDigestAuth.login_required", counter="flask_httpauth.HTTPDigestAuth.get_password",
    ),
    DecoratorRule(
        id="httpauth-token", why="Flask-HTTPAuth demands a token; its scheme is an argument", kind="authentication",
        status=401, packages=("flask_httpauth",), names=("HTTPTokenAuth.login_required", "MultiAuth.login_required"),
        optional=("optional", None),
        example="flask_httpauth.HTTPTokenAuth.login_required", counter="flask_httpauth.HTTPTokenAuth.verify_token",
    ),
    DecoratorRule(
        id="flask-security", why="Flask-Security demands a session or a token", kind="authentication",
        packages=("flask_security",), names=("auth_required", "login_required", "auth_token_required"),
        example="flask_security.auth_required", counter="flask_security.current_user",
    ),
    DecoratorRule(
        id="flask-roles", why="the caller needs a role or permission", kind="authorization", status=403,
        packages=("flask_security",), names=("roles_required", "roles_accepted", "permissions_required"),
        example="flask_security.roles_required", counter="flask_security.login_required",
    ),
    DecoratorRule(
        id="flask-limiter", why="Flask-Limiter refuses calls above the limit", kind="rate", status=429,
        packages=("flask_limiter",), names=("Limiter.limit", "Limiter.shared_limit", "limiter.Limiter.limit"),
        example="flask_limiter.Limiter.limit", counter="flask_limiter.Limiter.exempt",
    ),
    DecoratorRule(
        id="django-login", why="Django redirects callers who are not logged in", kind="authentication", status=302,
        packages=("django",), names=("login_required", "staff_member_required"),
        example="django.contrib.auth.decorators.login_required", counter="django.contrib.auth.login",
    ),
    DecoratorRule(
        id="django-permission", why="the caller needs a permission; refused by redirect or 403 by argument",
        kind="authorization", packages=("django",), names=("permission_required", "user_passes_test"),
        example="django.contrib.auth.decorators.permission_required", counter="django.contrib.auth.get_user",
    ),
    DecoratorRule(
        id="django-ratelimit", why="django-ratelimit refuses calls above the rate", kind="rate", status=403,
        packages=("django_ratelimit", "ratelimit"), names=("ratelimit",),
        example="django_ratelimit.decorators.ratelimit", counter="django_ratelimit.core.is_ratelimited",
    ),
    DecoratorRule(
        id="aiohttp-security", why="aiohttp-security demands a known caller", kind="authentication", status=401,
        packages=("aiohttp_security",), names=("login_required",),
        example="aiohttp_security.login_required", counter="aiohttp_security.remember",
    ),
    DecoratorRule(
        id="aiohttp-permission", why="aiohttp-security demands a permission", kind="authorization", status=403,
        packages=("aiohttp_security",), names=("has_permission",),
        example="aiohttp_security.has_permission", counter="aiohttp_security.permits",
    ),
    DecoratorRule(
        id="tornado-authenticated", why="Tornado sends callers without a current user to sign in, or answers 403",
        kind="authentication", packages=("tornado",), names=("authenticated",),
        example="tornado.web.authenticated", counter="tornado.web.removeslash",
    ),
    DecoratorRule(
        id="tornado-plain", why="changes neither who may call nor what is answered", kind="neutral",
        packages=("tornado",), names=("addslash", "removeslash", "coroutine", "stream_request_body", "asynchronous"),
        example="tornado.gen.coroutine", counter="tornado.web.authenticated",
    ),
    DecoratorRule(
        id="plain", why="changes neither who may call nor what is answered", kind="neutral",
        packages=("functools", "flask_cors", "flask_caching", "django", "typing", "drf_spectacular", "drf_yasg",
                  "builtins", "flasgger"),
        names=("wraps", "cross_origin", "Cache.cached", "Cache.memoize", "csrf_exempt", "never_cache", "cache_page",
               "cache_control", "transaction.atomic", "atomic", "method_decorator", "extend_schema", "override",
               "swagger_auto_schema", "staticmethod", "classmethod", "vary_on_headers", "vary_on_cookie", "gzip_page",
               "swag_from", "lru_cache", "sensitive_post_parameters", "csrf_protect", "ensure_csrf_cookie", "property"),
        example="functools.wraps", counter="flask_login.login_required",
    ),
)  # fmt: skip


def known(decorator: External) -> DecoratorRule | None:
    """The rule of a decorator, None for one that none knows."""
    for rule in DECORATORS:
        if decorator.package in rule.packages and any(f".{decorator.name}".endswith(f".{name}") for name in rule.names):
            return rule
    return None


# What a function around a handler gives back: the answer of the next in line, or one of its own.


_HOPS: Final = 6


def hands_on(modules: Modules, frame: Frame, value: ast.expr | None, hops: int = _HOPS) -> bool:
    """True for nothing, and for what the next in line gives: an argument that is called, or what holds its answer."""
    match value:
        case None | ast.Constant(value=None) | ast.Lambda():
            return True
        case ast.Await(value=inner):
            return hands_on(modules, frame, inner, hops)
        case ast.IfExp(body=body, orelse=orelse):
            return all(hands_on(modules, frame, one, hops) for one in (body, orelse))
        case ast.Call(func=ast.Name() as called):
            return is_argument(modules, frame, called) or _given(modules, frame, value)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
            return True
        case ast.Call(func=ast.Call() as made):
            return _given(modules, frame, made)
        case ast.Call():
            return _given(modules, frame, value)
        case ast.Name(id=name) if hops > 0:
            if is_argument(modules, frame, value):
                return True
            found = modules.lookup(frame.scope, name)
            if isinstance(found, Definition) and not isinstance(found.node, ast.expr):
                return True  # a decorator that gives back what it puts around
            bound = [one.node for one in frame.scope.names.get(name, []) if isinstance(one.node, ast.expr)]
            return bool(bound) and all(hands_on(modules, frame, one, hops - 1) for one in bound)
        case _:
            return False


def is_argument(modules: Modules, frame: Frame, node: ast.expr) -> bool:
    """True for an argument of the function or of one around it."""
    found = modules.lookup(frame.scope, node.id) if isinstance(node, ast.Name) else None
    return isinstance(found, Definition) and isinstance(found.node, ast.arg)


def _given(modules: Modules, frame: Frame, call: ast.Call) -> bool:
    """True for a call that gets the function next in line: `run_sync(view, request)`, `self.get_response(request)`."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("get_response", "call_next", "dispatch_request"):
        return True
    outer = [one for one in call.args if is_argument(modules, frame, one)]
    return any(
        isinstance(found := modules.lookup(frame.scope, one.id), Definition) and found.scope is not frame.scope
        for one in outer
        if isinstance(one, ast.Name)
    )
