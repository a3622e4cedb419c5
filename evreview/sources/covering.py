"""What stands around the handlers and is not followed: middleware, wrapped applications, settings of Django."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.codefacts.application_changes import handed_over
from evreview.codefacts.asgi.apps import Site, external_name, holder_of, site_of
from evreview.codefacts.asgi.guards import BY_FUNCTION, NOTED
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.middleware import Around, around, untold_settings
from evreview.codefacts.model import UnreadCode
from evreview.codefacts.modules import Scope, arguments
from evreview.codefacts.names import Modules
from evreview.sources.asgi.raw import raw_answers
from evreview.sources.resolved import Definition, External

KNOWN: Final = frozenset({*NOTED, "AuthenticationMiddleware", BY_FUNCTION, "ProxyHeadersMiddleware", "ProxyFix"})
"""Middleware of frameworks and servers whose effect the readers know, or that answers nothing."""
DJANGO: Final = ("django", "corsheaders", "whitenoise")
"""Packages whose own middleware leaves the answers of views as they are, but for headers and general refusals."""
SERVED: Final = frozenset({"app", "application", "api", "asgi", "asgi_app", "wsgi_app"})
"""Names under which servers find an application."""
_HOOKS: Final = ("process_request", "process_view", "process_exception", "process_template_response")
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_SUPPLY: Final = "Supply the file that defines it."
_DECLARE: Final = "Declare with quotes what it answers."
Covering = tuple[str, UnreadCode]
"""A family of frameworks (`asgi`, `flask`, `django`), and what stands around its handlers."""


def covering(modules: Modules) -> tuple[Covering, ...]:
    """What may answer instead of the handlers of a framework, and is not followed."""
    found: list[Covering] = []
    for one in around(modules):
        unread = _django(modules, one) if one.framework == "django" and one.kind == "middleware" else None
        if unread is not None:
            found.append((one.framework, unread))
    said = "a list of middleware in the settings that can't be told"
    found += [("django", UnreadCode(spot, said, "Write it out.")) for spot in untold_settings(modules)]
    found += _wrapped(modules)
    found += _by_hand(modules)
    told = {(one.spot.item, one.spot.first) for _, one in found}
    found += (each for each in handed_over(modules) if (each[1].spot.item, each[1].spot.first) not in told)
    return tuple(dict.fromkeys(found))


def _outside(name: str, one: Around) -> UnreadCode:
    return UnreadCode(
        one.spot, f"the middleware `{name}`, which no supplied file defines", "Supply the file that does."
    )


def _unfollowed(one: Around) -> UnreadCode:
    return UnreadCode(one.spot, f"what the middleware `{one.name}` answers by itself", _DECLARE)


def _followed(modules: Modules, found: Definition) -> bool:
    """True for what takes a request and the next call, and for a class that only hands on to the application."""
    if isinstance(found.node, _FUNCTIONS):
        return len(arguments(found.node)) == 2
    if not isinstance(found.node, ast.ClassDef):
        return False
    if modules.is_a(found, ("starlette", "fastapi"), BY_FUNCTION):
        return isinstance(modules.member(found, "dispatch"), Definition)
    called = modules.member(found, "__call__")
    if isinstance(called, Definition) and isinstance(called.node, _FUNCTIONS):
        raw = raw_answers(modules, called)
        return raw.whole and not raw.responses
    return any(isinstance(base, External) and base.last in KNOWN for base in modules.ancestry(found))


def _django(modules: Modules, one: Around) -> UnreadCode | None:
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
    inner = {one.name for one in ast.walk(node) if isinstance(one, _FUNCTIONS)}
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
        taken = [one.arg for one in arguments(statement)] if isinstance(statement, _FUNCTIONS) else []
        if not isinstance(statement, _FUNCTIONS) or not 2 <= len(taken) <= 4:
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
            yield kind, UnreadCode(scope.spot(statement), text, _DECLARE)


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
                yield ("flask" if flask else "asgi"), UnreadCode(scope.spot(statement), text, _DECLARE)
        elif external_name(modules, scope, call.func).rpartition(".")[2] not in KNOWN and (
            flask or (isinstance(target, ast.Name) and target.id in SERVED)
        ):
            text = f"`{word}`, a call around the application, which no supplied file defines"
            yield ("flask" if flask else "asgi"), UnreadCode(scope.spot(statement), text, _SUPPLY)


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
