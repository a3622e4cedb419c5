"""What applications run around their handlers: middleware in its order, functions before requests, error handlers."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import Final, Literal

from evreview.codefacts.aiohttp.routes import Table
from evreview.codefacts.application_changes import handed_over
from evreview.codefacts.asgi.apps import Holder, Site, external_name, holder_of, reaches, registrations, site_of
from evreview.codefacts.asgi.guards import BY_FUNCTION, NOTED
from evreview.codefacts.asgi.responses import raw_answers
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import decorators, inner_functions, keyword, value_at
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame, own_nodes
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.model import PATH_PARAMETER, Route, Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import FUNCTIONS, Scope, arguments, last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.core.vocabulary import ABSENT, ClosedVocabulary

Framework = Literal["asgi", "flask", "django", "aiohttp"]


class AroundKind(ClosedVocabulary):
    """What runs around the handlers of an application."""

    MIDDLEWARE = "middleware"
    BEFORE_REQUEST = "before request"
    DEPENDENCY = "dependency"
    ERROR_HANDLER = "error handler"


_PATHS: Final = frozenset(
    {"path", "raw_path", "full_path", "url", "endpoint", "url_rule", "blueprint", "path_info", "resolver_match",
     "match_info", "PATH_INFO", "rel_url", "view_name", "route"}
)  # fmt: skip
"""What requests hold that tells the route."""
_SETTINGS: Final = "MIDDLEWARE"
_About = tuple[str, AroundKind, Spot]
"""Application, kind, and the lines that register it."""


@dataclass(frozen=True, slots=True, eq=False)
class Middleware:
    """One thing that runs around the handlers of an application.

    Attributes:
        framework: `asgi`, `flask`, `django` or `aiohttp`.
        application: the call or list that makes or configures it, in the code's own words.
        kind: what it is.
        place: 1 runs first; 0 where no order exists.
        name: in the code's own words.
        spot: the lines that register it.
        definition: what it is, None when no supplied file defines it.
        handles: of an error handler, the status or class that it answers.
        whole: it runs for every route of its application, not only for those of one blueprint.
    """

    application: str
    kind: AroundKind
    place: int
    name: str
    spot: Spot
    definition: Definition | None
    handles: str = ""
    whole: bool = True
    framework: Framework = "asgi"

    @property
    def by_path(self) -> bool:
        """True when a condition in it looks at the request's path, so that it need not act on every route."""
        return self.definition is not None and looks_at_path(self.definition.node)


def looks_at_path(node: ast.AST) -> bool:
    """True when a condition in the code looks at what tells the route."""
    named = {
        target.id
        for one in ast.walk(node)
        if isinstance(one, ast.Assign | ast.NamedExpr | ast.AnnAssign) and one.value and _mentions_path(one.value, ())
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    }
    tests = [one.test for one in ast.walk(node) if isinstance(one, ast.If | ast.IfExp | ast.While)]
    subjects = [one.subject for one in ast.walk(node) if isinstance(one, ast.Match)]
    return any(_mentions_path(one, named) for one in (*tests, *subjects))


def _mentions_path(node: ast.AST, named: Collection[str]) -> bool:
    for one in ast.walk(node):
        match one:
            case ast.Attribute(attr=attr) if attr in _PATHS:
                return True
            case ast.Subscript(slice=ast.Constant(value=str(key))) if key in _PATHS:
                return True
            case ast.Name(id=name) if name in named:
                return True
            case _:
                continue
    return False


def around(modules: Modules) -> tuple[Middleware, ...]:
    """Everything around the handlers of every application, by application and in the order in which it runs."""
    found: list[tuple[Framework, Iterable[Middleware]]] = [
        ("asgi", _asgi(modules)),
        ("flask", _flask(modules)),
        ("django", _django_middleware(modules)),
        ("aiohttp", _aiohttp(modules)),
    ]
    return tuple(replace(one, framework=name) for name, several in found for one in several)


def applications(modules: Modules) -> dict[int, frozenset[str]]:
    """Of each handler that is registered on a FastAPI or Starlette router, by identity, the applications around it."""
    site = site_of(modules)
    found: dict[int, set[str]] = {}
    for reach in reaches(modules, site):
        names = {_name(holder) for holder in reach.outer if holder.is_app}
        for use in site.uses:
            for one in registrations(modules, use, []) if use.holder is reach.holder else ():
                found.setdefault(id(one.handler.node), set()).update(names)
    return {handler: frozenset(names) for handler, names in found.items()}


# FastAPI and Starlette: what is added last runs first, what is listed first runs first of the list.


def _asgi(modules: Modules) -> Iterator[Middleware]:
    site = site_of(modules)
    for app in site.holders.values():
        if app.is_app:
            yield from _placed([*reversed([*_added(modules, site, app)]), *_listed(modules, app)])
            yield from _dependencies(modules, app)
            yield from _handlers(modules, site, app)


def _placed(found: Sequence[Middleware]) -> Iterator[Middleware]:
    return (replace(one, place=place) for place, one in enumerate(found, 1))


def _name(holder: Holder) -> str:
    """The name that the application is bound to, or its class and line."""
    names = [name for name, bound in holder.scope.names.items() if any(one.node is holder.call for one in bound)]
    what = holder.scope.inner_name(names[0]) if names else f"{holder.kind} of line {holder.call.lineno}"
    return f"{what} in {holder.scope.module.source.path}"


def _added(modules: Modules, site: Site, app: Holder) -> Iterator[Middleware]:
    for use in site.uses:
        if use.holder is not app:
            continue
        if use.name == "middleware" and use.function is not None:
            spot = use.scope.spot(use.call)
            yield Middleware(_name(app), AroundKind.MIDDLEWARE, 0, use.function.qualname, spot, use.function)
        elif use.name == "add_middleware" and use.call.args:
            about: _About = (_name(app), AroundKind.MIDDLEWARE, use.scope.spot(use.call))
            yield _one(modules, use.scope, _function_of(modules, use.scope, use.call), about)


def _listed(modules: Modules, app: Holder) -> Iterator[Middleware]:
    given = app.words.get("middleware")
    found = modules.resolve(app.scope, given)
    scope, node = (found.scope, found.node) if isinstance(found, Definition) else (app.scope, given)
    for part in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
        if isinstance(part, ast.Call) and part.args:
            about: _About = (_name(app), AroundKind.MIDDLEWARE, scope.spot(part))
            yield _one(modules, scope, _function_of(modules, scope, part), about)


def _function_of(modules: Modules, scope: Scope, call: ast.Call) -> ast.expr:
    """The class that is added, or the function that it is given to run."""
    found = modules.resolve(scope, call.args[0])
    given = keyword(call, "dispatch") if isinstance(found, External) and found.last == BY_FUNCTION else None
    return call.args[0] if given is None else given


def _dependencies(modules: Modules, app: Holder) -> Iterator[Middleware]:
    given = app.words.get("dependencies")
    found = modules.resolve(app.scope, given)
    scope, node = (found.scope, found.node) if isinstance(found, Definition) else (app.scope, given)
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    calls = [part for part in parts if isinstance(part, ast.Call) and part.args]
    for place, part in enumerate(calls, 1):
        yield replace(
            _one(modules, scope, part.args[0], (_name(app), AroundKind.DEPENDENCY, scope.spot(part))), place=place
        )


def _handlers(modules: Modules, site: Site, app: Holder) -> Iterator[Middleware]:
    for use in site.uses:
        if use.holder is not app or not use.call.args:
            continue
        spot, handled = use.scope.spot(use.call), ast.unparse(use.call.args[0])[:100]
        if use.name == "exception_handler" and use.function is not None:
            yield Middleware(
                _name(app), AroundKind.ERROR_HANDLER, 0, use.function.qualname, spot, use.function, handled
            )
        elif use.name == "add_exception_handler" and len(use.call.args) > 1:
            one = _one(modules, use.scope, use.call.args[1], (_name(app), AroundKind.ERROR_HANDLER, spot))
            yield replace(one, handles=handled)
    given = app.words.get("exception_handlers")
    found = modules.resolve(app.scope, given)
    scope, node = (found.scope, found.node) if isinstance(found, Definition) else (app.scope, given)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                one = _one(modules, scope, value, (_name(app), AroundKind.ERROR_HANDLER, scope.spot(value)))
                yield replace(one, handles=ast.unparse(key)[:100])


def _one(modules: Modules, scope: Scope, written: ast.expr, about: _About) -> Middleware:
    found: Resolved = modules.resolve(scope, written.func if isinstance(written, ast.Call) else written)
    application, kind, spot = about
    definition = found if isinstance(found, Definition) else None
    name = found.name if isinstance(found, External) else ast.unparse(written)[:100]
    return Middleware(application, kind, 0, name, spot, definition)


# Flask: functions before requests run as registered, those of the application first.


def _flask(modules: Modules) -> Iterator[Middleware]:
    apps = Apps(modules)
    before: list[Middleware] = []
    for scope, statement in modules.statements():
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for name, call in decorators(statement):
            one = _flask_one(apps, scope, statement, (name, call))
            if one is not None and one.kind is AroundKind.ERROR_HANDLER:
                yield one
            elif one is not None:
                before.append(one)
    yield from _placed(sorted(before, key=lambda one: not one.whole))


def _flask_one(
    apps: Apps,
    scope: Scope,
    statement: ast.FunctionDef | ast.AsyncFunctionDef,
    written: tuple[ast.expr, ast.Call | None],
) -> Middleware | None:
    name, call = written
    if not isinstance(name, ast.Attribute):
        return None
    holder = apps.holder(scope, name.value)
    kinds: dict[str, AroundKind] = {
        "before_request": AroundKind.BEFORE_REQUEST, "before_app_request": AroundKind.BEFORE_REQUEST,
        "errorhandler": AroundKind.ERROR_HANDLER, "app_errorhandler": AroundKind.ERROR_HANDLER,
        "after_request": AroundKind.MIDDLEWARE,
        "after_app_request": AroundKind.MIDDLEWARE,
    }  # fmt: skip
    kind = kinds.get(name.attr)
    if holder is None or kind is None:
        return None
    handled = ast.unparse(call.args[0])[:100] if call is not None and call.args else ""
    application = f"{ast.unparse(name.value)[:60]} in {scope.module.source.path}"
    definition = Definition(statement, scope, statement.name, statement)
    whole = "_app_" in name.attr or name.attr.startswith("app_") or not apps.is_blueprint(holder)
    return Middleware(application, kind, 0, definition.qualname, scope.spot(statement), definition, handled, whole)


# Django: the setting lists dotted names, the first runs first.


def _django_middleware(modules: Modules) -> Iterator[Middleware]:
    for scope, statement in modules.statements():
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) or scope.kind != "module":
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not any(isinstance(target, ast.Name) and target.id == _SETTINGS for target in targets):
            continue
        for place, (at, part, _) in enumerate(parts_of(modules, scope, statement.value).parts, 1):
            named = constant(modules, at, part)
            if isinstance(named, str) and named is not ABSENT:
                application = f"{_SETTINGS} in {scope.module.source.path}"
                found = _dotted(modules, named)
                yield Middleware(application, AroundKind.MIDDLEWARE, place, named, at.spot(part), found)


def untold_settings(modules: Modules) -> Iterator[Spot]:
    """Lists of middleware in the settings of Django that can't be told whole."""
    for scope, statement in modules.statements():
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        value = getattr(statement, "value", None)
        named = isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) and any(
            isinstance(target, ast.Name) and target.id == _SETTINGS for target in targets
        )
        listed = parts_of(modules, scope, value) if named and scope.kind == "module" else None
        if listed is not None and (
            not listed.whole or any(constant(modules, at, part) is ABSENT for at, part, _ in listed.parts)
        ):
            yield scope.spot(statement)


def _dotted(modules: Modules, name: str) -> Definition | None:
    module, _, last = name.rpartition(".")
    found = modules.find(module, last) if module else None
    return found if isinstance(found, Definition) else None


# aiohttp: the list's first runs first.


def _aiohttp(modules: Modules) -> Iterator[Middleware]:
    table = Table(modules)
    for app in table.apps.values():
        given = keyword(app.node, "middlewares") if isinstance(app.node, ast.Call) else None
        frame, listed = value_at(modules, Frame(app.scope), given)
        application = f"{app.name or 'application'} in {app.scope.module.source.path}"
        parts: Iterable[ast.expr] = listed.elts if isinstance(listed, ast.List | ast.Tuple) else ()
        about = [(part, frame.scope.spot(part)) for part in parts]
        yield from _placed(
            [_one(modules, frame.scope, part, (application, AroundKind.MIDDLEWARE, spot)) for part, spot in about]
        )


# What stands around the handlers and is not followed: middleware, wrapped applications, settings of Django.


KNOWN: Final = frozenset({*NOTED, "AuthenticationMiddleware", BY_FUNCTION, "ProxyHeadersMiddleware", "ProxyFix"})
"""Middleware of frameworks and servers whose effect the readers know, or that answers nothing."""
DJANGO: Final = ("django", "corsheaders", "whitenoise")
"""Packages whose own middleware leaves the answers of views as they are, but for headers and general refusals."""
SERVED: Final = frozenset({"app", "application", "api", "asgi", "asgi_app", "wsgi_app"})
"""Names under which servers find an application."""
_HOOKS: Final = ("process_request", "process_view", "process_exception", "process_template_response")
_SUPPLY: Final = "Supply the file that defines it."
_DECLARE: Final = "Declare with quotes what it answers."
Covering = tuple[str, UnsupportedCode]
"""A family of frameworks (`asgi`, `flask`, `django`), and what stands around its handlers."""


def covering(modules: Modules) -> tuple[Covering, ...]:
    """What may answer instead of the handlers of a framework, and is not followed."""
    found: list[Covering] = []
    for one in around(modules):
        unread = (
            _unread_django(modules, one) if one.framework == "django" and one.kind is AroundKind.MIDDLEWARE else None
        )
        if unread is not None:
            found.append((one.framework, unread))
    said = "a list of middleware in the settings that can't be told"
    found += [
        ("django", UnsupportedCode(spot, said, "Write it out.", part=UnreadPart.MIDDLEWARE))
        for spot in untold_settings(modules)
    ]
    found += _wrapped(modules)
    found += _by_hand(modules)
    told = {(one.spot.item, one.spot.first) for _, one in found}
    found += (each for each in handed_over(modules) if (each[1].spot.item, each[1].spot.first) not in told)
    return tuple(dict.fromkeys(found))


def _outside(name: str, one: Middleware) -> UnsupportedCode:
    return UnsupportedCode(
        one.spot,
        f"the middleware `{name}`, which no supplied file defines",
        "Supply the file that does.",
        part=UnreadPart.MIDDLEWARE,
    )


def _unfollowed(one: Middleware) -> UnsupportedCode:
    return UnsupportedCode(
        one.spot, f"what the middleware `{one.name}` answers by itself", _DECLARE, part=UnreadPart.MIDDLEWARE
    )


def _followed(modules: Modules, found: Definition) -> bool:
    """True for what takes a request and the next call, and for a class that only hands on to the application."""
    if isinstance(found.node, FUNCTIONS):
        return len(arguments(found.node)) == 2
    if not isinstance(found.node, ast.ClassDef):
        return False
    if modules.is_a(found, ("starlette", "fastapi"), BY_FUNCTION):
        return isinstance(modules.member(found, "dispatch"), Definition)
    called = modules.member(found, "__call__")
    if isinstance(called, Definition) and isinstance(called.node, FUNCTIONS):
        raw = raw_answers(modules, called)
        return raw.whole and not raw.responses
    return any(isinstance(base, External) and base.last in KNOWN for base in modules.ancestry(found))


def _unread_django(modules: Modules, one: Middleware) -> UnsupportedCode | None:
    if one.definition is None:
        return None if one.name.partition(".")[0] in DJANGO else _outside(one.name, one)
    found = one.definition
    hooks = any(isinstance(modules.member(found, name), Definition) for name in _HOOKS)
    called = modules.member(found, "__call__") if isinstance(found.node, ast.ClassDef) else found
    passes = isinstance(called, Definition) and _hands_on(called.node)
    return _unfollowed(one) if hooks or not passes else None


def _hands_on(node: ast.AST) -> bool:
    """True when every return gives what `get_response` gave, and nothing is raised."""
    given = {
        target.id
        for one in ast.walk(node)
        if isinstance(one, ast.Assign) and _is_next(one.value)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    inner = {one.name for one in ast.walk(node) if isinstance(one, FUNCTIONS)}
    returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
    passing = [_is_next(one) or (isinstance(one, ast.Name) and one.id in given | inner) for one in returned]
    return bool(passing) and all(passing) and not any(isinstance(one, ast.Raise) for one in ast.walk(node))


def _is_next(value: ast.expr) -> bool:
    value = value.value if isinstance(value, ast.Await) else value
    called = value.func if isinstance(value, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) == "get_response"


# Functions and methods that are applications themselves: `async def app(scope, receive, send): await api(…)`.


def _by_hand(modules: Modules) -> Iterator[Covering]:
    site, apps = site_of(modules), Apps(modules)
    for scope, statement in modules.statements():
        taken = [one.arg for one in arguments(statement)] if isinstance(statement, FUNCTIONS) else []
        if not isinstance(statement, FUNCTIONS) or not 2 <= len(taken) <= 4:
            continue
        function = Definition(statement, scope, statement.name, statement)
        own = modules.body(function)
        inner = [(one, kind) for one in _handing_on(statement, taken) if (kind := _served(site, apps, own, one.func))]
        if not inner:
            continue
        names = [one.func.id for one, _ in inner if isinstance(one.func, ast.Name)]
        kind = inner[0][1]
        raw = raw_answers(modules, function, names) if kind == "asgi" else None
        if not _hands_only_on(statement, [one for one, _ in inner]) and (raw is None or raw.responses or not raw.whole):
            text = f"what `{function.qualname}`, which calls the application, answers by itself"
            yield kind, UnsupportedCode(scope.spot(statement), text, _DECLARE)


def _hands_only_on(node: ast.FunctionDef | ast.AsyncFunctionDef, inner: Sequence[ast.Call]) -> bool:
    """True for a function that does nothing but call the application."""
    done = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    value = done[0].value if len(done) == 1 and isinstance(done[0], ast.Return | ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    return any(call is one and not isinstance(one.func, ast.IfExp) for one in inner)


def _handing_on(node: ast.AST, taken: Sequence[str]) -> Iterator[ast.Call]:
    """The calls that give on what an application is given: `(scope, receive, send)`, `(environ, start_response)`."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and len(one.args) in (2, 3):
            given = [part.id for part in one.args if isinstance(part, ast.Name)]
            if given and given == list(taken[-len(one.args) :]):
                yield one


def _served(site: Site, apps: Apps, scope: Scope | None, called: ast.expr) -> str:
    """The family of the application that is called, "" for none."""
    if scope is None:
        return ""
    if isinstance(called, ast.IfExp):
        return _served(site, apps, scope, called.body) or _served(site, apps, scope, called.orelse)
    holder = holder_of(apps.modules, site, scope, called)
    if holder is not None:
        return "asgi" if holder.is_app else ""
    inner = called.value if isinstance(called, ast.Attribute) and called.attr == "wsgi_app" else called
    flask = apps.holder(scope, inner)
    return "flask" if flask is not None and not apps.is_blueprint(flask) else ""


# Applications that a call wraps: `app = Gate(inner)`, `app.wsgi_app = Gate(app.wsgi_app)`.


def _wrapped(modules: Modules) -> Iterator[Covering]:
    site = site_of(modules)
    for scope, statement in modules.statements():
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            continue
        call, target = statement.value, statement.targets[0]
        flask = isinstance(target, ast.Attribute) and target.attr == "wsgi_app"
        if not flask and (not isinstance(target, ast.Name) or not _given_app(modules, site, scope, call)):
            continue
        made = modules.called(scope, call)
        word = ast.unparse(call.func)[:100]
        text = f"what `{word}`, a call around the application, answers by itself"
        if isinstance(made, Definition) and isinstance(made.node, ast.ClassDef):
            if flask or (_is_asgi(modules, made) and not _followed(modules, made)):
                yield ("flask" if flask else "asgi"), UnsupportedCode(scope.spot(statement), text, _DECLARE)
        elif external_name(modules, scope, call.func).rpartition(".")[2] not in KNOWN and (
            flask or (isinstance(target, ast.Name) and target.id in SERVED)
        ):
            text = f"`{word}`, a call around the application, which no supplied file defines"
            yield ("flask" if flask else "asgi"), UnsupportedCode(scope.spot(statement), text, _SUPPLY)


def _is_asgi(modules: Modules, made: Definition) -> bool:
    return isinstance(modules.member(made, "__call__"), Definition) or isinstance(
        modules.member(made, "dispatch"), Definition
    )


def _given_app(modules: Modules, site: Site, scope: Scope, call: ast.Call) -> bool:
    """True when one of the arguments is an application, and the call does not make one."""
    if id(call) in site.holders or holder_of(modules, site, scope, call) is not None:
        return False
    for given in (*call.args[:1], *(word.value for word in call.keywords if word.arg in ("app", "application"))):
        bound = scope.names.get(given.id, []) if isinstance(given, ast.Name) else []
        calls = [one.node for one in bound]
        if any(id(node) in site.holders and site.holders[id(node)].is_app for node in calls):
            return True
        holder = holder_of(modules, site, scope, given)
        if holder is not None and holder.is_app:
            return True
    return False


# Which of several routes with one method and path answers: the one that is registered first, mounts included.


def first_registered(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes as they stand; those of one method and path change places where the later one is registered first."""
    same: dict[tuple[str, str], list[int]] = {}
    for at, route in enumerate(routes):
        if route.registered:
            same.setdefault((route.method, PATH_PARAMETER.sub("{}", route.path)), []).append(at)
    found = list(routes)
    for places in same.values():
        ordered = sorted((routes[at] for at in places), key=cmp_to_key(_compared))
        for at, route in zip(places, ordered, strict=True):
            found[at] = route
    return tuple(found)


def _compared(left: Route, right: Route) -> int:
    """Below 0 where the left one is registered first; 0 where nothing tells: of two functions or files."""
    if left.registered[:1] != right.registered[:1]:  # of different applications
        return 0
    for one, other in zip(left.registered, right.registered, strict=False):
        if one[:2] != other[:2]:
            return 0
        if one != other:
            return -1 if one < other else 1
    return 0


# Hooks that change the status of answers which somebody else made: what a route sends is then not what it says.


_STATUS: Final = frozenset({"status_code", "status"})
_AFTER: Final = frozenset({"after_request", "after_app_request"})
_MAKING: Final = ("jsonify", "make_response", "Response")
"""What such a hook answers with instead of what it is given."""
FOUND: Final = "a hook that changes the status of answers"


def rewriting(modules: Modules) -> tuple[tuple[str, UnsupportedCode], ...]:
    """Each framework with a place at which a hook around its handlers changes the status of their answers."""
    found = [
        (one.framework, UnsupportedCode(scope.spot(node), FOUND, "Declare the responses with quotes."))
        for one in around(modules)
        if one.kind is AroundKind.MIDDLEWARE and one.definition is not None
        for function in _functions(modules, one.definition)
        for scope, node in _changes(modules, function)
    ]
    return tuple(dict.fromkeys(found))


def _functions(modules: Modules, definition: Definition) -> Iterator[Definition]:
    """The function, or the methods of the class, and the functions within these."""
    if isinstance(definition.node, FUNCTIONS):
        yield definition
    yield from inner_functions(modules, definition)


def _changes(modules: Modules, function: Definition) -> Iterator[tuple[Scope, ast.AST]]:
    scope = modules.body(function)
    marks = {last_name(name) for name, _ in decorators(function.node)}
    for node in own_nodes(function.node) if scope is not None else ():
        match node:
            case ast.Assign(targets=targets):
                changed = any(_is_status(modules, scope, target) for target in targets)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                changed = _is_status(modules, scope, target)
            case ast.Return(value=ast.Call() as call) if marks & _AFTER:
                made = modules.called(scope, call) if scope is not None else None
                changed = isinstance(made, External) and made.of(("flask", "werkzeug"), *_MAKING)
            case ast.Call(func=ast.Attribute(attr="set_status", value=holder)):
                changed = not _made_here(modules, scope, holder)
            case _:
                changed = False
        if changed and scope is not None:
            yield scope, node


def _is_status(modules: Modules, scope: Scope | None, target: ast.expr) -> bool:
    match target:
        case ast.Attribute(attr=name, value=holder) if name in _STATUS:
            return not _made_here(modules, scope, holder)
        case ast.Subscript(slice=ast.Constant(value="status"), value=holder):
            return not _made_here(modules, scope, holder)
        case _:
            return False


def _made_here(modules: Modules, scope: Scope | None, holder: ast.expr) -> bool:
    """True for an answer that the hook makes itself, for `self`, and for what a request carries."""
    root = holder
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in ("self", "request", "span"):
        return True
    found = modules.resolve(scope, holder) if scope is not None else None
    if not isinstance(found, Definition) or not isinstance(found.node, ast.Call):
        return isinstance(found, Definition) and isinstance(found.node, ast.Dict)
    return isinstance(modules.called(found.scope, found.node), External)
