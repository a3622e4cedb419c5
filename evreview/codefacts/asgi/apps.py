"""Applications and routers, and what is included, mounted and registered on them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.calls import Wrap, arguments_given, function_named, handed_about, unread_way, unwrapped
from evreview.codefacts.constants import constant, default_of_setting, texts
from evreview.codefacts.model import Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope, blocks, calls_in
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import ABSENT

# Applications that a list of routes mounts: `FastAPI(routes=[Mount("/library", app=loans)])`.


_HOPS: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Mounted:
    """One `Mount(path, app)` of a list, with the paths of those around it."""

    prefix: str
    app: ast.expr
    call: ast.Call
    scope: Scope


def mounts(
    modules: Modules, scope: Scope, given: ast.expr | None, prefix: str = "", hops: int = _HOPS
) -> Iterator[Mounted]:
    """Every application that a list of routes mounts at a constant path, over names, `+` and mounts in mounts."""
    found = modules.resolve(scope, given)
    if given is None or hops <= 0:
        return
    if isinstance(found, Definition) and isinstance(found.node, ast.expr) and found.node is not given:
        yield from mounts(modules, found.scope, found.node, prefix, hops - 1)
        return
    match given:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            pass
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            parts = [left, right]
        case ast.Call():
            yield from _of_call(modules, scope, given, prefix, hops - 1)
            return
        case _:
            return
    for part in parts:
        inner = part.value if isinstance(part, ast.Starred) else part
        yield from mounts(modules, scope, inner, prefix, hops - 1)


def _of_call(modules: Modules, scope: Scope, call: ast.Call, prefix: str, hops: int) -> Iterator[Mounted]:
    called = modules.called(scope, call)
    if not isinstance(called, External) or called.last != "Mount" or called.package not in ("starlette", "fastapi"):
        return
    words = keywords(call)
    path = constant(modules, scope, words.get("path", call.args[0] if call.args else None))
    app = words.get("app", call.args[1] if len(call.args) > 1 else None)
    if not isinstance(path, str) or path is ABSENT:
        return
    below = prefix + path.rstrip("/")
    if app is not None:
        yield Mounted(below, app, call, scope)
    yield from mounts(modules, scope, words.get("routes"), below, hops)


ASGI: Final = ("fastapi", "starlette")
APPS: Final = ("FastAPI", "Starlette")
_CHANGING: Final = frozenset({"append", "clear", "extend", "insert", "pop", "remove"})
_DECIDING: Final = frozenset({"dependencies", "middleware_stack", "route_class", "user_middleware"})
_OF_ROUTE: Final = frozenset({"app", "dependant", "dependencies", "endpoint"})
"""What of a route decides what runs when it is asked."""
_WAYS: Final = ("get", "post", "put", "delete", "patch", "options", "head", "trace", "api_route", "route")
"""What gives a decorator that registers its function."""
MAX_REACH: Final = 25
"""Routers in routers."""


@dataclass(frozen=True, slots=True, eq=False)
class Holder:
    """One application or router object.

    Attributes:
        call: the call that makes it; its identity is the object's.
        kind: `FastAPI`, `Starlette`, `APIRouter` or `Router`.
        words: the keyword arguments of the call.
    """

    call: ast.Call
    scope: Scope
    kind: str
    words: dict[str, ast.expr]

    @property
    def is_app(self) -> bool:
        return self.kind in APPS

    @property
    def fast(self) -> bool:
        return self.kind in ("FastAPI", "APIRouter")


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """`parent.include_router(child, …)` or `parent.mount(path, child)`; `assumed`: by a setting's default."""

    parent: Holder
    child: Holder
    call: ast.Call
    scope: Scope
    prefix: str
    mounted: bool
    assumed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class HolderCall:
    """Any other method called on a holder, as a statement or as the decorator of a function.

    `given` is what such a decorator is called on by hand.
    """

    holder: Holder
    name: str
    call: ast.Call
    scope: Scope
    function: Definition | None = None
    given: ast.expr | None = None


@dataclass(slots=True)
class Site:
    """All applications of the supplied files.

    `listed`: those that a list of routes mounts, by their calls; `given`: what a parameter is, by its node and the
    calls still followed.
    """

    holders: dict[int, Holder] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    uses: list[HolderCall] = field(default_factory=list)
    unread: list[UnsupportedCode] = field(default_factory=list)
    listed: set[int] = field(default_factory=set)
    given: dict[tuple[int, int], Holder | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class RouterPath:
    """One way from an application to a router: prefix, the links passed, and the application that answers.

    `app` is None for a router that nothing supplied includes.
    """

    holder: Holder
    prefix: str
    links: tuple[Link, ...]
    app: Holder | None
    outer: tuple[Holder, ...] = ()


def site_of(modules: Modules) -> Site:
    """Every application and router, what joins them, and what is registered on them; found once per `modules`."""
    found = modules.memo.get("asgi")
    if isinstance(found, Site):
        return found
    site = Site()
    modules.memo["asgi"] = site
    for scope, statement in modules.statements():
        for call in _calls(statement):
            kind = kind_of(modules, modules.called(scope, call))
            if kind:
                site.holders[id(call)] = Holder(call, scope, kind, keywords(call))
    for holder in site.holders.values():
        for one in mounts(modules, holder.scope, holder.words.get("routes")):
            child = holder_of(modules, site, one.scope, one.app)
            if child is not None and child.fast:
                site.links.append(Link(holder, child, one.call, one.scope, one.prefix, mounted=True))
    for scope, statement in modules.statements():
        _registered(modules, site, scope, statement)
    return site


def kind_of(modules: Modules, called: Resolved) -> str:
    """`FastAPI`, `Starlette`, `APIRouter`, `Router`, or "" for anything else."""
    for name in ("FastAPI", "APIRouter", "Starlette", "Router"):
        if modules.is_a(called, ASGI, name):
            return name
    return ""


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a simple statement whose value is one; tables of constants are passed over."""
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return):
        value = statement.value
        if isinstance(value, ast.Call | ast.IfExp | ast.BoolOp | ast.NamedExpr | ast.List | ast.Tuple):
            yield from calls_in(value)


def _registered(modules: Modules, site: Site, scope: Scope, statement: ast.stmt) -> None:
    changed = _changed(statement)
    if changed is not None and (
        (changed.attr in _DECIDING and _children(modules, site, scope, changed.value))
        or (changed.attr in _OF_ROUTE and is_one_of_routes(scope, changed.value))
    ):
        found = f"`{ast.unparse(changed)[:100]}`, which is changed after its owner was made"
        advice = "Give it where the application or router is made, or included."
        site.unread.append(UnsupportedCode(scope.spot(statement), found, advice, composed=True))
    for way in handed_about(statement, _WAYS):
        if holder_of(modules, site, scope, way.value) is not None:
            site.unread.append(unread_way(scope, statement, way))
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function = Definition(statement, scope, statement.name, statement)
        for decorator in statement.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            if call is not None and isinstance(call.func, ast.Attribute):
                holder = holder_of(modules, site, scope, call.func.value)
                if holder is not None:
                    site.uses.append(HolderCall(holder, call.func.attr, call, scope, function))
    if isinstance(statement, ast.Expr | ast.Assign) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Call) and isinstance(call.func.func, ast.Attribute) and len(call.args) == 1:
            holder = holder_of(modules, site, scope, call.func.func.value)
            if holder is not None:  # `app.get("/a")(view)`
                site.uses.append(HolderCall(holder, call.func.func.attr, call.func, scope, given=call.args[0]))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute):
            holder = holder_of(modules, site, scope, call.func.value)
            if holder is not None:
                _used(modules, site, HolderCall(holder, call.func.attr, call, scope))
            elif call.func.attr in ("include_router", "add_api_route", "add_middleware"):
                site.unread.append(
                    UnsupportedCode(
                        scope.spot(call),
                        f"`{call.func.attr}` on an application or router that can't be told",
                        "Supply the file that makes it.",
                        composed=True,
                        part=UnreadPart.ROUTER,
                    )
                )


def _changed(statement: ast.stmt) -> ast.Attribute | None:
    """What of an application or router a statement changes that decides what runs before its routes."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as found, attr=attr))):
            changes = attr in _CHANGING
        case ast.Assign(targets=[ast.Attribute() as found]) | ast.AugAssign(target=ast.Attribute() as found):
            changes = True
        case _:
            return None
    return found if changes and found.attr in _DECIDING | _OF_ROUTE else None


def is_one_of_routes(scope: Scope, node: ast.expr) -> bool:
    """True for the variable of a loop over the routes of an application: `for route in app.routes:`."""
    return isinstance(node, ast.Name) and any(
        isinstance(loop, ast.For)
        and isinstance(loop.target, ast.Name)
        and loop.target.id == node.id
        and any(isinstance(part, ast.Attribute) and part.attr == "routes" for part in ast.walk(loop.iter))
        for loop in ast.walk(scope.node)
    )


def holder_of(modules: Modules, site: Site, scope: Scope, expression: ast.expr, hops: int = 8) -> Holder | None:
    """The application or router that an expression stands for, over functions that return one."""
    if hops <= 0:
        return None
    if isinstance(expression, ast.Call):
        found: Resolved = Definition(expression, scope, "", expression)
    else:
        found = modules.resolve(scope, expression)
    if not isinstance(found, Definition):
        if isinstance(expression, ast.Attribute) and expression.attr == "router":  # an application's own router
            own = holder_of(modules, site, scope, expression.value, hops - 1)
            return own if own is not None and own.is_app else None
        return None
    if id(found.node) in site.holders:
        return site.holders[id(found.node)]
    if isinstance(found.node, ast.arg):
        if (id(found.node), hops) not in site.given:
            site.given[id(found.node), hops] = _only_given(modules, site, found, hops)
        return site.given[id(found.node), hops]
    if isinstance(found.node, ast.Call):
        made = modules.called(found.scope, found.node)
        inner = modules.body(made) if isinstance(made, Definition) else None
        value = next(modules.returned(inner), None)
        return holder_of(modules, site, inner, value, hops - 1) if inner is not None and value is not None else None
    return None


def _only_given(modules: Modules, site: Site, parameter: Definition, hops: int) -> Holder | None:
    """The one application or router that every call gives for a parameter, or the only one that it can be."""
    given = [holder_of(modules, site, at, one, hops - 1) for at, one in arguments_given(modules, parameter)]
    same = {id(one): one for one in given if one is not None}
    only = next(iter(same.values())) if len(same) == 1 and None not in given else None
    return only or _only_app(modules, site, modules.class_of(parameter))


def _only_app(modules: Modules, site: Site, cls: Resolved) -> Holder | None:
    """The application that a parameter must be, when there is only one of its kind."""
    kind = kind_of(modules, cls)
    same = [holder for holder in site.holders.values() if holder.kind == kind]
    return same[0] if kind in APPS and len(same) == 1 else None


def _used(modules: Modules, site: Site, use: HolderCall) -> None:
    if use.name not in ("include_router", "mount"):
        site.uses.append(use)
        return
    words = keywords(use.call)
    mounted = use.name == "mount"
    word, place = ("app", 1) if mounted else ("router", 0)
    child = words.get(word, use.call.args[place] if len(use.call.args) > place else None)
    given = words.get("path", use.call.args[0] if use.call.args else None) if mounted else words.get("prefix")
    prefix = "" if given is None else constant(modules, use.scope, given)
    children = _children(modules, site, use.scope, child) if child is not None else []
    assumed = prefix is ABSENT
    prefix = default_of_setting(modules, use.scope, given) if assumed else prefix
    if not isinstance(prefix, str) or prefix is ABSENT:
        _unread(site, use, UnreadPart.PREFIX, ("a prefix that is not constant", "Declare the routes with quotes."))
    elif not children:
        word = ast.unparse(child)[:100] if child is not None else use.name
        found = f"`{word}`, an application or router that no supplied file makes"
        _unread(site, use, UnreadPart.ROUTER, (found, "Supply the file that does."))
    else:
        prefix = prefix.rstrip("/") if mounted else prefix
        site.links += [Link(use.holder, one, use.call, use.scope, prefix, mounted, assumed) for one in children]


def _unread(site: Site, use: HolderCall, part: UnreadPart, words: tuple[str, str]) -> None:
    site.unread.append(UnsupportedCode(use.scope.spot(use.call), *words, composed=True, part=part))


def _children(modules: Modules, site: Site, scope: Scope, expression: ast.expr) -> list[Holder]:
    """The routers that an expression stands for; each of a constant list for the variable of a loop over it."""
    one = holder_of(modules, site, scope, expression)
    if one is not None:
        return [one]
    base = expression.value if isinstance(expression, ast.Attribute) else expression
    if not isinstance(base, ast.Name):
        return []
    for parts in _looped(modules, scope, base.id):
        found = [_child(modules, site, scope, expression, part) for part in parts]
        if all(found):
            return [holder for holder in found if holder is not None]
    return []


def _child(modules: Modules, site: Site, scope: Scope, expression: ast.expr, part: ast.expr) -> Holder | None:
    if isinstance(expression, ast.Attribute):
        part = ast.copy_location(ast.Attribute(value=part, attr=expression.attr, ctx=ast.Load()), part)
    return holder_of(modules, site, scope, part)


def _looped(modules: Modules, scope: Scope, name: str) -> Iterator[list[ast.expr]]:
    body: list[ast.stmt] = getattr(scope.node, "body", [])
    for statement in _flat(body):
        if not isinstance(statement, ast.For) or not isinstance(statement.target, ast.Name):
            continue
        found = modules.resolve(scope, statement.iter)
        node = found.node if isinstance(found, Definition) else statement.iter
        if statement.target.id == name and isinstance(node, ast.List | ast.Tuple):
            yield node.elts


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for block, _ in blocks(statement):
            yield from _flat(block)


def reaches(modules: Modules, site: Site) -> tuple[RouterPath, ...]:
    """Every way to every application and router; a router that nothing includes is reached by itself."""
    found: list[RouterPath] = []
    children = {id(link.child.call) for link in site.links}
    for holder in site.holders.values():
        own = _own_prefix(modules, holder)
        if id(holder.call) in children and not _only_circular(site, holder):
            continue
        app = holder if holder.is_app else None
        found += _from(modules, site, RouterPath(holder, own, (), app, (holder,)))
    return tuple(found)


def _only_circular(site: Site, holder: Holder) -> bool:
    """True for a router that only its own children include."""
    seen: set[int] = set()
    waiting = [holder]
    while waiting:
        at = waiting.pop()
        for link in site.links:
            if link.child is at and id(link.parent.call) not in seen:
                seen.add(id(link.parent.call))
                waiting.append(link.parent)
    roots = {id(other.call) for other in site.holders.values()} - {id(link.child.call) for link in site.links}
    return not seen & roots and not seen & {id(one.call) for one in site.holders.values() if one.is_app}


def _own_prefix(modules: Modules, holder: Holder) -> str:
    given = holder.words.get("prefix")
    value = constant(modules, holder.scope, given) if given is not None and holder.kind == "APIRouter" else ""
    return value if isinstance(value, str) and value is not ABSENT else "{?}"


def _from(modules: Modules, site: Site, reach: RouterPath) -> Iterator[RouterPath]:
    yield reach
    if len(reach.links) >= MAX_REACH:
        return
    for link in site.links:
        if link.parent is not reach.holder or any(link.child is one for one in reach.outer):
            continue
        prefix = reach.prefix + link.prefix + _own_prefix(modules, link.child)
        app = link.child if link.child.is_app else reach.app
        yield from _from(
            modules, site, RouterPath(link.child, prefix, (*reach.links, link), app, (*reach.outer, link.child))
        )


def external_name(modules: Modules, scope: Scope, expression: ast.expr) -> str:
    """The dotted name of something outside, "" for anything else."""
    found = modules.resolve(scope, expression)
    return found.name if isinstance(found, External) else ""


# Path operations as they are registered: by decorator or by a call.


METHODS: Final = ("get", "post", "put", "delete", "patch", "options", "head", "trace")
SOCKETS: Final = ("websocket", "websocket_route", "add_api_websocket_route", "add_websocket_route")
PLAIN: Final = ("route", "add_route")
"""Starlette's own way to add a route, on FastAPI's applications as well: the handler takes a request."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """One path operation: methods, path below its router, handler, and the call that registers it.

    `wraps` is what is called on the handler there, outermost first.
    """

    use: HolderCall
    methods: tuple[str, ...]
    path: str
    handler: Definition
    wraps: tuple[Wrap, ...] = ()

    @property
    def words(self) -> dict[str, ast.expr]:
        return keywords(self.use.call)

    @property
    def spot(self) -> Spot:
        """The lines of the decorator and the signature, or of the call that adds the route."""
        whole = self.handler.scope.spot(self.handler.node)
        call = self.use.scope.spot(self.use.call)
        if self.use.function is None:
            return call
        body: list[ast.stmt] = getattr(self.handler.node, "body", [])
        line = getattr(self.handler.node, "lineno", call.last)
        last = max(line, body[0].lineno - 1) if body else line
        return Spot(whole.item, call.first, min(last, whole.last), whole.path)


def registrations(modules: Modules, use: HolderCall, unread: list[UnsupportedCode]) -> Iterator[Registration]:
    """The path operation that a use of a router is, if it is one."""
    spot = use.scope.spot(use.call)
    if use.name in SOCKETS:
        unread.append(UnsupportedCode(spot, "a WebSocket route, which is no HTTP operation", ""))
        return
    if use.name not in (*METHODS, "api_route", "add_api_route", "route", "add_route"):
        return
    words = keywords(use.call)
    path = constant(modules, use.scope, words.get("path", use.call.args[0] if use.call.args else None))
    methods = (use.name.upper(),) if use.name in METHODS else texts(modules, use.scope, words.get("methods"))
    if "methods" not in words and use.name not in METHODS:
        methods = ("GET",)
    handler, wraps = (use.function, ()) if use.function else _endpoint(modules, use, words)
    if not isinstance(path, str) or path is ABSENT or methods is None or handler is None:
        what = "handler" if handler is None else "path" if methods is not None else "methods"
        found = f"a route whose {what} can't be told"
        unread.append(
            UnsupportedCode(spot, found, "Supply the file that defines it, or declare the route with a quote.")
        )
        return
    if isinstance(handler.node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield Registration(use, tuple(method.upper() for method in methods), path, handler, wraps)
    else:
        unread.append(UnsupportedCode(spot, "a route whose handler is no function", "Declare the route with a quote."))


def _endpoint(
    modules: Modules, use: HolderCall, words: dict[str, ast.expr]
) -> tuple[Definition | None, tuple[Wrap, ...]]:
    given = use.given or words.get("endpoint", use.call.args[1] if len(use.call.args) > 1 else None)
    return unwrapped(modules, (use.scope, given), lambda scope, node: function_named(modules, scope, node))
