"""Which functions run for which route, who calls them, what their parameters stand for; and what a lead rule is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.asgi.parameters import DEPENDS, Mark, marks_of
from evreview.codefacts.calls import decorators, inner_functions, is_function, methods_of
from evreview.codefacts.control_flow import Event, Frame, events_of, handed_over
from evreview.codefacts.guards.denials import REFUSING, Denials
from evreview.codefacts.middleware import AroundKind, around
from evreview.codefacts.model import CodeFacts, Route, SourceText, Spot
from evreview.codefacts.modules import Module, Scope, last_name
from evreview.codefacts.names import Definition, External, Imported, Modules, Resolved
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, PRINCIPALS, says, words
from evreview.workflows.w3.access_control.call_graph import CallGraph
from evreview.workflows.w3.access_control.entry_points import FRAMEWORK, given
from evreview.workflows.w3.access_control.request_values import (
    HandlerParameters,
    RequestSources,
    bindings,
    dependency,
    mark_of_argument,
)

# Views of Django REST framework: the class behind a route, what the framework runs of it, what it lists.


VIEW_METHODS: Final = frozenset(
    {"get_queryset", "get_object", "filter_queryset", "perform_create", "perform_update", "perform_destroy", "initial",
     "check_permissions", "check_object_permissions", "get_permissions", "get_serializer_context"}
)  # fmt: skip
"""Methods that the framework runs for a view's routes by themselves."""


def view_class(modules: Modules, route: Route) -> Definition | None:
    """The class of a route's view, None when no supplied file holds it."""
    name = route.handler.rpartition(".")[0]
    for scope, statement in modules.statements() if route.framework == "drf" and name else ():
        here = scope.module is not None and scope.module.source.path == route.spot.path
        if here and isinstance(statement, ast.ClassDef) and statement.name == name:
            return Definition(statement, scope, name, statement)
    return None


def run_for(modules: Modules, view: Definition, route: Route) -> Iterator[Definition]:
    """The methods of a view that the framework runs besides the handler, and those of the classes that it lists."""
    single = "{" in route.path
    own = methods_of(modules, view)
    yield from (own[name] for name in own if name in VIEW_METHODS)
    for listed in (*listed_classes(modules, view, "permission_classes"),
                   *listed_classes(modules, view, "authentication_classes")):  # fmt: skip
        methods = methods_of(modules, listed)
        yield from (methods[name] for name in methods if single or name != "has_object_permission")


def listed_classes(modules: Modules, view: Definition, word: str) -> Iterator[Definition]:
    """The supplied classes that a view, or the nearest class that it builds on, lists under a name."""
    member = modules.member(view, word)
    parts = getattr(member.node, "elts", ()) if isinstance(member, Definition) else ()
    for part in parts:
        found = modules.resolve(member.scope, part) if isinstance(member, Definition) else None
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            yield found


_AROUND: Final = ("before_request", "before_app_request", "middleware", "add_middleware", "dispatch")
_DISPATCHING: Final = ("dispatch", "process_request", "process_view", "__call__")
ALL_ROUTES: Final = "*"
MOST_DEPENDENCIES: Final = 60


@dataclass(frozen=True, slots=True, eq=False)
class CodeUnit:
    """One function that a framework runs, or that nothing shown runs.

    Attributes:
        route: `GET /orders/{id}`, `*` for what runs around every route, "" for a function that no route reaches.
        facts: the route's facts, None without one.
        function: what runs.
        events: what may happen in it and in what it calls.
        frames: one per function run, the unit's own first.
    """

    route: str
    facts: Route | None
    function: Definition
    events: tuple[Event, ...]
    frames: tuple[Frame, ...]

    @property
    def is_view(self) -> bool:
        """True for a method that the framework runs of a view besides its handler."""
        return self.function.scope.kind == "class" and self.function.name in VIEW_METHODS


@dataclass(frozen=True, slots=True)
class EnclosingDefinition:
    """A function or class: qualified name, first and last line within the item."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class RuleInput:
    """Everything that the rules look at."""

    modules: Modules
    sources: tuple[SourceText, ...]
    routes: tuple[Route, ...]
    units: tuple[CodeUnit, ...]
    origins: RequestSources
    principals: Principals
    denials: Denials
    handlers: dict[str, Definition] = field(default_factory=dict)
    spans: dict[tuple[str, str], list[tuple[int, int, str]]] = field(default_factory=dict)
    wide: dict[tuple[str, str], list[tuple[int, int, str]]] = field(default_factory=dict)
    defined: dict[int, tuple[EnclosingDefinition, ...]] = field(default_factory=dict)
    kept: dict[str, object] = field(default_factory=dict)

    def reaching(self, item: str, path: str) -> list[tuple[int, int, str]]:
        """The functions of a file that run for a route: first line, last line, route; in the order of the routes."""
        if not self.spans:
            for unit in self.units:
                for frame in unit.frames:
                    at = frame.scope.spot(frame.scope.node)
                    self.spans.setdefault((at.item, at.path), []).append((at.first, at.last, unit.route))
        return self.spans.get((item, path), [])

    def may_reach(self, item: str, path: str) -> list[tuple[int, int, str]]:
        """The functions of a file that a route's code may come to: first line, last line, route."""
        if not self.wide:
            graph = CallGraph(self.modules)
            starts: dict[str, list[Definition]] = {}
            for unit in self.units:
                if unit.route:
                    starts.setdefault(unit.route, []).append(unit.function)
            for route, functions in starts.items():
                for one in graph.closure(functions):
                    at = one.scope.spot(one.node)
                    self.wide.setdefault((at.item, at.path), []).append((at.first, at.last, route))
        return self.wide.get((item, path), [])

    def definitions(self, module: Module) -> tuple[EnclosingDefinition, ...]:
        """The functions and classes of a module, outer ones first."""
        if id(module) not in self.defined:
            self.defined[id(module)] = tuple(_definitions(module.tree.body, ""))
        return self.defined[id(module)]

    def nodes(self, function: ast.AST) -> tuple[ast.AST, ...]:
        """The nodes of a function's body in the order written, without inner functions and classes."""
        return self.origins.nodes(function)

    def calls(self) -> Iterator[tuple[CodeUnit, Frame, ast.Call]]:
        """Every call of every function that a route runs."""
        for unit in self.units:
            for frame in unit.frames:
                for node in self.nodes(frame.scope.node):
                    if isinstance(node, ast.Call):
                        yield unit, frame, node
                        handed = handed_over(self.modules, frame.scope, node)
                        if handed is not None:
                            yield unit, frame, handed


def _definitions(body: list[ast.stmt], outer: str) -> Iterator[EnclosingDefinition]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{outer}.{node.name}" if outer else node.name
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            yield EnclosingDefinition(name, first, node.end_lineno or node.lineno)
            yield from _definitions(node.body, name)


def read(sources: Sequence[SourceText], code: CodeFacts) -> RuleInput:
    """The functions of the sources by the routes that reach them. Tests of the repository are left out."""
    kept = tuple(source for source in sources if source.parts != ("test",))
    modules = Modules([source for source in kept if source.path.endswith((".py", ".pyi"))])
    runs: list[tuple[str, Route | None, Definition]] = []
    handled: dict[int, HandlerParameters] = {}
    handlers: dict[str, Definition] = {}
    for route in code.routes:
        name = f"{route.method} {route.path}"
        view = view_class(modules, route)
        runs += [(name, route, function) for function in (run_for(modules, view, route) if view is not None else ())]
        found = handler_of(modules, route)
        if found is None:
            continue
        handlers[name] = found
        for function in (found, *_dependencies(modules, found), *_gates(modules, found, route)):
            runs.append((name, route, function))
            own = function is found or route.framework == "fastapi"
            names = given(found) if route.framework == FRAMEWORK else _names(route)
            handled.setdefault(id(function.node), HandlerParameters(names if own else frozenset(), _is_fast(route)))
    everywhere = {id(function.node): function for function in _around(modules)}
    runs += [(ALL_ROUTES, None, function) for function in everywhere.values()]
    origins = RequestSources(modules, handled)
    units = [_unit(modules, *run) for run in runs]
    reached = {id(frame.scope.node) for unit in units for frame in unit.frames}
    units += [_alone(modules, one) for one in modules.functions() if id(one.node) not in reached]
    return RuleInput(modules, kept, code.routes, tuple(units), origins, Principals(origins), Denials(modules), handlers)


def _unit(modules: Modules, route: str, facts: Route | None, function: Definition) -> CodeUnit:
    events = events_of(modules, function)
    scope = modules.body(function)
    own = [Frame(scope)] if scope is not None else []
    inner = {id(event.frame): event.frame for event in events if event.frame.depth}
    return CodeUnit(route, facts, function, events, (*own, *inner.values()))


def _alone(modules: Modules, function: Definition) -> CodeUnit:
    """A function that no route reaches, without what it calls: that is reached or alone itself."""
    scope = modules.body(function)
    return CodeUnit("", None, function, (), (Frame(scope),) if scope is not None else ())


def _is_fast(route: Route) -> bool:
    return route.framework == "fastapi"


def _names(route: Route) -> frozenset[str]:
    parts = route.path.split("{")[1:]
    return frozenset(part.partition("}")[0].partition(":")[0].lstrip("*") for part in parts)


# Handlers


def handler_of(modules: Modules, route: Route) -> Definition | None:
    """The function that answers a route, None when no supplied file shows which."""
    if not route.handler:
        return None
    own = [module for module in modules.all if module.source.path == route.spot.path]
    for module in own:
        found = _walk(modules, module, route.handler)
        if found is not None:
            return found
        imported = modules.lookup(modules.scope(module), route.handler.partition(".")[0])
        for part in route.handler.split(".")[1:]:
            imported = modules.attribute(imported, part)
        if is_function(imported) and isinstance(imported, Definition):
            return imported
    others = [found for module in modules.all if (found := _walk(modules, module, route.handler)) is not None]
    return others[0] if len(others) == 1 else None


def _walk(modules: Modules, module: Module, qualname: str) -> Definition | None:
    scope: Scope | None = modules.scope(module)
    found: Resolved = None
    for part in qualname.split("."):
        bindings = scope.names.get(part, []) if scope is not None else []
        node = bindings[-1].node if bindings else None
        if scope is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return None
        found = Definition(node, scope, part, node)
        scope = modules.body(found)
    return found if isinstance(found, Definition) and is_function(found) else None


def _dependencies(modules: Modules, function: Definition) -> tuple[Definition, ...]:
    """The functions that FastAPI runs for a function's parameters, theirs included."""
    found: dict[int, Definition] = {}
    waiting = [function]
    while waiting and len(found) < MOST_DEPENDENCIES:
        at = waiting.pop(0)
        node = at.node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for mark in marks_of(modules, at.scope, node):
            target = depended(modules, mark) if mark.kind in DEPENDS else None
            if target is not None and id(target.node) not in found:
                found[id(target.node)] = target
                waiting.append(target)
    return tuple(found.values())


def rests_on(reading: RuleInput, route: str, guard: str, symbol: str) -> bool:
    """True when a guard of a route takes what the function of that qualified name returns."""
    name = guard.rpartition(".")[2]
    for unit in reading.units:
        if unit.route == route and unit.function.name == name:
            return any(one.qualname == symbol for one in _dependencies(reading.modules, unit.function))
    return False


def depended(modules: Modules, mark: Mark) -> Definition | None:
    """The function that a dependency runs: itself, or what its class does when it is called."""
    scope, given = mark.where or mark.scope, dependency(mark)
    target = modules.resolve(scope, given)
    if isinstance(target, Definition) and isinstance(target.node, ast.Call):
        scope, given = target.scope, target.node
    if isinstance(given, ast.Call):
        made = modules.called(scope, given)
        target = _made(modules, made) if isinstance(made, Definition) else None
    return target if isinstance(target, Definition) and is_function(target) else None


def _made(modules: Modules, maker: Definition) -> Resolved:
    """What runs when a dependency is the outcome of a call: the inner function returned, or a class's `__call__`."""
    if isinstance(maker.node, ast.ClassDef):
        return modules.member(maker, "__call__")
    returned = {
        node.value.id
        for node in ast.walk(maker.node)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)
    }
    return next((one for one in inner_functions(modules, maker) if one.name in returned), None)


def _gates(modules: Modules, handler: Definition, route: Route) -> Iterator[Definition]:
    """The functions that decorators put around a handler, and dependencies of routers that guard it."""
    for name, _ in decorators(handler.node):
        found = modules.resolve(handler.scope, name)
        if isinstance(found, Definition) and is_function(found):
            yield from _inner(modules, found)
    guards = {guard.name for guard in route.guards}
    listed = [one for _, call in decorators(handler.node) for one in _listed(modules, handler.scope, call)]
    yield from listed
    seen = {id(one.node) for one in (*_dependencies(modules, handler), *listed)}
    for function in modules.functions():
        if function.qualname in guards and id(function.node) not in seen and function.node is not handler.node:
            yield function


def _listed(modules: Modules, scope: Scope, call: ast.Call | None) -> Iterator[Definition]:
    """The functions of `dependencies=[Depends(f)]` at a route's decorator."""
    for word in call.keywords if call is not None else ():
        for part in getattr(word.value, "elts", ()) if word.arg == "dependencies" else ():
            found = modules.resolve(scope, part.args[0]) if isinstance(part, ast.Call) and part.args else None
            if isinstance(found, Definition) and is_function(found):
                yield found


def _inner(modules: Modules, function: Definition) -> Iterator[Definition]:
    yield function
    for one in inner_functions(modules, function):
        yield from _inner(modules, one)


def _around(modules: Modules) -> Iterator[Definition]:
    """Functions that run around every route: middleware, and what is registered to run before requests."""
    for function in modules.functions():
        names = [name.attr for name, _ in decorators(function.node) if isinstance(name, ast.Attribute)]
        owner = function.scope.kind == "class"
        dispatching = owner and function.name in _DISPATCHING
        if any(name in _AROUND for name in names) or (dispatching and _is_middleware(function.scope)):
            yield function
    for one in around(modules):
        if one.definition is not None and one.kind in (AroundKind.MIDDLEWARE, AroundKind.BEFORE_REQUEST):
            if isinstance(one.definition.node, ast.ClassDef):
                methods = methods_of(modules, one.definition)
                yield from (methods[name] for name in _DISPATCHING if name in methods)
            else:
                yield from _inner(modules, one.definition)


def _is_middleware(scope: Scope) -> bool:
    node = scope.node
    bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
    return "middleware" in " ".join([scope.qualname, *bases]).lower()


_HOPS: Final = 6
_STEPS: Final = 300
_KNOWN: Final = frozenset(
    {"flask_login.current_user", "flask_login.utils.current_user", "flask_jwt_extended.current_user",
     "flask_security.current_user", "flask.session", "quart.session", "flask_principal.identity"}
)  # fmt: skip
_ASKING: Final = ("current_user", "jwt_identity", "get_jwt", "principal", "identity", "authorized_userid", "get_user")
_GUARDING: Final = (
    "require",
    "required",
    "current",
    "authenticate",
    "authenticated",
    "verify",
    "verified",
    "authorize",
)
_MEMBERS: Final = frozenset({"user", "auth", "session", "principal", "identity"})
_PRESENCE: Final = frozenset({"is_authenticated", "is_active", "is_anonymous"})


class Principals:
    """Tells expressions that stand for who calls, or for something that is known about who calls."""

    def __init__(self, origins: RequestSources) -> None:
        self.origins = origins
        self.modules = origins.modules
        self._left = _STEPS
        self._denials = Denials(origins.modules)

    def within(self, frame: Frame, node: ast.AST | None, hops: int = _HOPS) -> bool:
        """True when part of the expression is, or comes from, who calls."""
        if hops == _HOPS:
            self._left = _STEPS
        self._left -= 1
        if node is None or hops <= 0 or self._left <= 0:
            return False
        return any(self._one(frame, part, hops) for part in parts(node))

    def decides(self, frame: Frame, node: ast.expr) -> bool:
        """True when the expression asks more of who calls than whether there is anybody."""
        if not self.within(frame, node):
            return False
        match node:
            case ast.Attribute(attr=name):
                return name not in _PRESENCE
            case ast.Name():
                return not says(node.id, PRINCIPALS) or says(node.id, ("is", "has", "can"))
            case ast.Compare(comparators=[ast.Constant(value=None)]):
                return False
        return True

    def _one(self, frame: Frame, node: ast.AST, hops: int) -> bool:
        match node:
            case ast.Name():
                return self._name(frame, node, hops)
            case ast.Attribute(value=holder, attr=name) if self.origins.requests.is_request(frame, holder):
                return name in _MEMBERS and not self.origins.of(frame, node)
            case ast.Attribute(value=holder) if self.origins.requests.is_state(frame, holder):
                return not self.origins.of(frame, node)
            case ast.Subscript(value=holder) if self.origins.requests.is_request(frame, holder):
                return not self.origins.of(frame, node)
            case ast.Call(func=function):
                return self._call(frame, node, function)
        return False

    def _call(self, frame: Frame, node: ast.AST, function: ast.expr) -> bool:
        name = last_name(function)
        if any(word in name.lower() for word in _ASKING) and not name[:1].isupper():
            return not self._chosen(frame, node)
        return False

    def _chosen(self, frame: Frame, node: ast.AST) -> bool:
        """True when a call's arguments are chosen by the caller and are no credentials."""
        arguments = [*getattr(node, "args", ()), *getattr(node, "keywords", ())]
        found = [one for argument in arguments for one in self.origins.of(frame, argument)]
        shown = [one for one in found if one.place == "credential" or says(one.name, CREDENTIALS)]
        return bool(found) and not shown

    def _name(self, frame: Frame, node: ast.Name, hops: int) -> bool:
        found = self.modules.lookup(frame.scope, node.id)
        if isinstance(found, External):
            return found.name in _KNOWN
        if isinstance(found, Imported) or (isinstance(found, Definition) and isinstance(found.node, ast.ClassDef)):
            return False
        return any(self._bound(where, node, binding.node, hops) for where, binding in bindings(frame, node))

    def _bound(self, frame: Frame, name: ast.Name, bound: ast.AST | None, hops: int) -> bool:
        if isinstance(bound, ast.arg):
            given = frame.given.get(id(bound))
            if given is not None:
                return self.within(given[0], given[1], hops - 1)
            if self.origins.of(frame, name):
                return False
            mark = mark_of_argument(self.modules, frame.scope, bound)
            if mark is not None and mark.kind in DEPENDS:
                return _named_so(bound.arg) or mark.kind == "Security" or self._denies(mark)
            return _named_so(bound.arg)
        value = bound.value if isinstance(bound, ast.Await) else bound
        if isinstance(value, ast.Call):
            if self._chosen(frame, value):
                return False
            return _named_so(name.id) or self.within(frame, value.func, hops - 1) or self._one(frame, value, hops - 1)
        return isinstance(value, ast.expr) and self.within(frame, value, hops - 1)

    def _denies(self, mark: Mark) -> bool:
        """True for a dependency that is named after what it guards, or that refuses callers itself."""
        target = self.modules.resolve(mark.where or mark.scope, dependency(mark))
        if not isinstance(target, Definition):
            first = mark.call.args[0] if mark.call is not None and mark.call.args else None
            name = last_name(first)
            return _guards(name)
        scope = self.modules.body(target)
        if _guards(target.name) or scope is None:
            return _guards(target.name)
        statements = [node for node in self.origins.nodes(target.node) if isinstance(node, ast.stmt)]
        return bool(self._denials.of(Frame(scope), statements) & REFUSING)


def _guards(name: str) -> bool:
    return any(word in (*_GUARDING, *PRINCIPALS) for word in words(name))


def _named_so(name: str) -> bool:
    parts = words(name)
    return bool(parts) and parts[-1] in PRINCIPALS


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """The expression and its parts, without lambdas."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if not isinstance(at, ast.Lambda):
            yield at
            waiting.extend(ast.iter_child_nodes(at))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Hit:
    """One place where a rule matched.

    Attributes:
        path, symbol, spot: file, function or class around it, lines.
        order: line and column, to number equal hits of one symbol.
        route: method and path, `*` for the whole application, "" for none known.
        says: what matched, without any value.
        area: another area than the rule's, None for that.
        lacks: what the lines do not show and the weakness needs.
        header: the request's header that decides there, "" for none.
    """

    path: str
    symbol: str
    spot: Spot
    order: tuple[int, int]
    route: str
    says: Text
    area: Area | None = None
    lacks: Text = ()
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadRule:
    """One thing to look for.

    Attributes:
        id: kebab-case; never reused.
        title: what is suspected.
        area: the kind of control that it is about.
        why: why a match is worth a look.
        attacker: what an attacker would need.
        impact: what might follow; an inference.
        verify: how it is checked without harm.
        brief: the same in at most 80 characters, for tables.
        look: finds the matches.
        example: a source that it matches.
        counter_examples: sources that look like it and are not meant.
        compensates: what kinds of control elsewhere would make the match harmless.
    """

    id: str
    title: str
    area: Area
    why: str
    attacker: str
    impact: str
    verify: str
    brief: str
    look: Callable[[RuleInput], Iterable[Hit]]
    example: str
    counter_examples: tuple[str, ...]
    compensates: frozenset[str] = frozenset()


def hit(frame: Frame, node: ast.AST, route: str, says: Text, area: Area | None = None) -> Hit:
    """A hit at a node of a function or module."""
    scope = frame.scope
    return Hit(
        path=scope.module.source.path,
        symbol=scope.qualname,
        spot=scope.spot(node),
        order=(getattr(node, "lineno", 0), getattr(node, "col_offset", 0)),
        route=route,
        says=says,
        area=area,
    )


def hit_at(route: Route, says: Text) -> Hit:
    """A hit at the lines that register a route."""
    return Hit(
        path=route.spot.path, symbol=route.handler, spot=route.spot, order=(route.spot.first, 0),
        route=f"{route.method} {route.path}", says=says,
    )  # fmt: skip
