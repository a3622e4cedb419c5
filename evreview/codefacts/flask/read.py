"""Flask routes of the supplied files, with what their handlers show."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.answers import ERRORS, failing_lookups
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import applied_before, branches_by_method
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Event, Frame, events_of
from evreview.codefacts.flask.answers import Answers, ErrorHandlers
from evreview.codefacts.flask.hooks import (
    around_requests,
    hooks_of,
    read_around,
    read_converters,
    read_hook,
    read_proxies,
)
from evreview.codefacts.flask.inputs import json_refusals, read_input, read_members
from evreview.codefacts.flask.routes import (
    OWN,
    PACKAGES,
    VERBS,
    Apps,
    FlaskOperation,
    Slashes,
    declared,
    joined,
    read_path,
)
from evreview.codefacts.handlers import (
    BRANCHES,
    RouteFacts,
    Written,
    read_decorator,
    read_gate,
    read_handler,
    with_found,
)
from evreview.codefacts.marshmallow import REFUSALS, SCHEMA_DECORATORS, read_schemas, refusing_loads
from evreview.codefacts.model import (
    CodeFacts,
    CodeNote,
    CodeResponse,
    OpenInput,
    Route,
    RouteIdentity,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered
from evreview.core.vocabulary import Concern

_DECORATED: Final = ("decorators", "method_decorators")
_BASES: Final = ("flask_restful", "flask_restx", "builtins", "abc", "typing")
"""Packages whose base classes of views ask nobody who calls."""


@dataclass(frozen=True, slots=True)
class FlaskDialect:
    """How Flask handlers read and answer."""

    modules: Modules
    answers: Answers

    def inputs(self, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
        """Reads of `flask.request`, and what Flask answers where they fail."""
        read_input(self.modules, frame, node, found)
        read_members(self.modules, self, frame, node, found)
        for status in json_refusals(self.modules, frame, node):
            sent = self.answers.of_status(status, frame.scope.spot(node), "")
            found.responses.extend(replace(one, how="framework") for one in sent)

    def raised(self, event: Event) -> Iterable[CodeResponse]:
        """Aborts and raised exceptions."""
        return self.answers.raised(event)

    def returned(self, event: Event, events: Sequence[Event]) -> Iterable[CodeResponse]:
        """Returned values."""
        return self.answers.returned(event, events)


def flask_dialect(modules: Modules, errors: ErrorHandlers, owner: int | None = None) -> FlaskDialect:
    """The dialect with the error handlers of the application, or of one blueprint."""
    key = f"flask dialect {id(errors)} {owner}"
    return remembered(modules, key, lambda: FlaskDialect(modules, Answers(modules, errors, owner)))


def read_flask(modules: Modules) -> CodeFacts:
    """Every rule that the files declare, with prefixes, and what could not be read."""
    apps, errors = Apps(modules), ErrorHandlers(modules)
    unread = list(apps.unread)
    limits = list(_limits(modules))
    hooks, slashes = hooks_of(modules, apps), Slashes(modules, apps)
    routes: list[Route] = []
    own = around_requests(modules, apps)
    for one in declared(modules, apps, unread):
        prefixes = apps.prefixes(one.holder)
        spot = one.function.scope.spot(one.function.node)
        if prefixes is None:
            unread.append(
                UnsupportedCode(
                    spot, "a route below a prefix that is not constant", composed=True, part=UnreadPart.PREFIX
                )
            )
            continue
        for prefix in prefixes or [apps.own(one.holder)]:
            found = _read(modules, errors, apps, one)
            path, _ = read_path(joined(prefix, one.rule), spot)
            told = RouteIdentity(one.method, path, apps.endpoint(one.holder, one.endpoint), apps.name(one.holder))
            for hook in hooks:
                if hook.owner is None or hook.owner in apps.around(one.holder):
                    dialect = flask_dialect(modules, errors, hook.owner)
                    read_hook(modules, dialect, hook, told, found)
            read_converters(modules, flask_dialect(modules, errors), (joined(prefix, one.rule), spot), found)
            for around in own:
                read_around(modules, flask_dialect(modules, errors), around, found)
            found.notes.extend(limits)
            if one.shared and branches_by_method(one.function):
                found.unread.append(UnsupportedCode(spot, BRANCHES, part=UnreadPart.BRANCHES))
            if not apps.surely_there(one.holder):
                text = "a condition that decides whether its blueprint is registered"
                found.unread.append(
                    UnsupportedCode(
                        spot, text, "Declare the routes with quotes.", composed=True, part=UnreadPart.BLUEPRINT
                    )
                )
            if not prefixes:
                advice = "Supply the file that registers it."
                found.unread.append(
                    UnsupportedCode(
                        spot,
                        "a blueprint that no supplied file registers",
                        advice,
                        composed=True,
                        part=UnreadPart.BLUEPRINT,
                    )
                )
            found.open_inputs.extend(_reachable(found))
            route = _route(one, joined(prefix, one.rule), found)
            routes.append(replace(route, either_slash=slashes.either(one), told=told))
    return CodeFacts(routes=tuple(routes), unread=tuple(dict.fromkeys(unread)))


def _reachable(found: RouteFacts) -> Iterator[OpenInput]:
    """Flask's request is there for whatever runs: what no supplied file holds may read it without being given it."""
    for one in found.elsewhere:
        if one.may_ask:
            said = f"{one.found}, may read the request"
            yield from (OpenInput(place, one.spot, said) for place in ("query", "header", "cookie", "body"))


def _read(modules: Modules, errors: ErrorHandlers, apps: Apps, one: FlaskOperation) -> RouteFacts:
    owner = id(one.holder.node) if apps.is_blueprint(one.holder) else None
    dialect = flask_dialect(modules, errors, owner)
    found = RouteFacts()
    for written in applied_before(one.function.node, ("route", *VERBS)):
        if last_name(written[0]) not in (*OWN, *SCHEMA_DECORATORS):
            read_decorator(modules, dialect, one.function.scope, written, found)
    for scope, written in one.wraps:
        read_decorator(modules, dialect, scope, written, found)
    _of_class(modules, dialect, one, found)
    for scope, decorator in _class_decorators(modules, one.cls):
        call = decorator if isinstance(decorator, ast.Call) else None
        read_decorator(modules, dialect, scope, (call.func if call is not None else decorator, call), found)
    read_handler(modules, dialect, one.function, found)
    read_proxies(modules, dialect, one.function, found)
    read_schemas(modules, one.function, found)
    spot = one.function.scope.spot(one.function.node)
    raised = [External(name) for name in ERRORS]
    answering = [(by, cls) for cls in raised if (by := errors.for_class(cls, owner)) is not None]
    answers = {each.status for by, cls in answering for each in dialect.answers.handled(by, None, cls, spot)}
    found.elsewhere.extend(failing_lookups(modules, one.function, events_of(modules, one.function), answers))
    handler = next((known for cls in REFUSALS if (known := errors.for_class(cls, owner)) is not None), None)
    if handler is not None:
        for event in refusing_loads(modules, one.function):
            found.responses.extend(dialect.answers.handled(handler, None, REFUSALS[0], event.spot))
    return found


def _of_class(modules: Modules, dialect: FlaskDialect, one: FlaskOperation, found: RouteFacts) -> None:
    """What the class of a view does before its method: its own `dispatch_request`, or a base that nobody supplied."""
    if one.cls is None:
        return
    found.unread.extend(_changed_later(modules, one.cls))
    dispatch = modules.member(one.cls, "dispatch_request")
    if isinstance(dispatch, Definition) and dispatch.node is not one.function.node:
        read_gate(modules, dialect, [dispatch], Written(dispatch.qualname, dispatch.scope.spot(dispatch.node)), found)
    for base in modules.ancestry(one.cls):
        known = isinstance(base, Definition) or (isinstance(base, External) and base.package in (*PACKAGES, *_BASES))
        if not known:
            word = base.name if isinstance(base, External) else "a base that can't be told"
            spot = one.cls.scope.spot(one.cls.node)
            found.unread.append(UnsupportedCode(spot, f"`{word}`, a base of the view that no supplied file defines"))


def _class_decorators(modules: Modules, cls: Definition | None) -> Iterator[tuple[Scope, ast.expr]]:
    """What stands in `decorators = [...]` of a MethodView, or of the nearest of its bases that has one."""
    for name in _DECORATED if cls is not None else ():
        given = modules.member(cls, name) if cls is not None else None
        if isinstance(given, Definition) and isinstance(given.node, ast.expr):
            listed = parts_of(modules, given.scope, given.node)
            yield from ((scope, part) for scope, part, _ in listed.parts)


def _changed_later(modules: Modules, cls: Definition) -> Iterator[UnsupportedCode]:
    """Lists of decorators that nobody can tell, and those given to a class, or a base of it, after it was made."""
    own = {id(base.node) for base in (cls, *modules.ancestry(cls)) if isinstance(base, Definition)}
    for name in _DECORATED:
        given = modules.member(cls, name)
        node = given.node if isinstance(given, Definition) else None
        at = given.scope if isinstance(given, Definition) else cls.scope
        if isinstance(given, External) and given.package in PACKAGES:
            continue
        if given is not None and not (isinstance(node, ast.expr) and parts_of(modules, at, node).whole):
            found = f"`{name}` of the view, a list that can't be told"
            yield UnsupportedCode(at.spot(node or cls.node), found, "Write the decorators out.")
    for scope, statement, holder, name in _set_on(modules):
        made = modules.resolve(scope, holder)
        if isinstance(made, Definition) and id(made.node) in own:
            found = f"`{name}` of the view, which is set after its class was made"
            yield UnsupportedCode(scope.spot(statement), found, "Write the decorators in the class.")


def _set_on(modules: Modules) -> tuple[tuple[Scope, ast.stmt, ast.expr, str], ...]:
    """What the files set on classes from outside that decides how their views run."""

    def found() -> tuple[tuple[Scope, ast.stmt, ast.expr, str], ...]:
        names = (*_DECORATED, "dispatch_request", "as_view")
        return tuple(
            (scope, statement, node.value, node.attr)
            for scope, statement in modules.statements()
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr)
            for target in (statement.targets if isinstance(statement, ast.Assign) else (statement,))
            for node in ast.walk(target)
            if isinstance(node, ast.Attribute)
            and node.attr in names
            and (isinstance(node.ctx, ast.Store) or node.attr in _DECORATED)
        )

    return remembered(modules, "set on views", found)


def _route(one: FlaskOperation, path: str, found: RouteFacts) -> Route:
    spot = one.function.scope.spot(one.function.node)
    path, in_path = read_path(path, spot)
    named = one.function.qualname
    route = Route(method=one.method, path=path, handler=named, framework="flask", spot=spot, parameters=in_path)
    return with_found(route, found)


def _limits(modules: Modules) -> Iterator[CodeNote]:
    """`app.config["MAX_CONTENT_LENGTH"] = …`."""
    for scope, statement in modules.statements():
        match statement:
            case ast.Assign(
                targets=[
                    ast.Subscript(value=ast.Attribute(attr="config"), slice=ast.Constant(value="MAX_CONTENT_LENGTH"))
                ],
                value=given,
            ):
                value = whole(constant(modules, scope, given))
                if value is not None:
                    spot = scope.spot(statement)
                    yield CodeNote(concern=Concern.LIMITS, name="MAX_CONTENT_LENGTH", spot=spot, value=value)
