"""Tornado routes of the supplied files, with what their handlers and `prepare` show."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import decorators, methods_of
from evreview.codefacts.control_flow import Event, events_of, falls_through
from evreview.codefacts.handlers import (
    RouteFacts,
    Written,
    read_decorator,
    read_gate,
    read_guards,
    read_raised,
    with_found,
)
from evreview.codefacts.model import CodeFacts, CodeResponse, Route, UnreadPart, UnsupportedCode
from evreview.codefacts.names import Definition, External, Modules
from evreview.codefacts.tornado.handlers import TornadoDialect
from evreview.codefacts.tornado.routes import PACKAGE, Rule, Rules, read_pattern

VERBS: Final = ("get", "post", "put", "patch", "delete")
_SUPPLY: Final = "Supply the file that defines it."


def read_tornado(modules: Modules) -> CodeFacts:
    """Every route that the files give to a handler class, and what could not be read."""
    rules = Rules(modules)
    routes = [route for rule in rules.found.values() for route in _routes(modules, rule, rules.unread)]
    return CodeFacts(routes=tuple(routes), unread=tuple(dict.fromkeys(rules.unread)))


def _routes(modules: Modules, rule: Rule, unread: list[UnsupportedCode]) -> Iterator[Route]:
    own = methods_of(modules, rule.cls)
    for verb in VERBS:
        if verb not in own:
            continue
        path = read_pattern(rule.pattern, own[verb], rule.spot)
        if path.text is None:
            unread.append(UnsupportedCode(rule.spot, "a route whose path is a pattern of another form"))
            return
        function = own[verb]
        spot = function.scope.spot(function.node)
        route = Route(
            method=verb.upper(), path=path.text, handler=function.qualname, framework="tornado", spot=spot,
            parameters=path.parameters, either_slash=path.either,
        )  # fmt: skip
        yield with_found(route, _found(modules, rule, verb, own))


def _found(modules: Modules, rule: Rule, verb: str, own: dict[str, Definition]) -> RouteFacts:
    found, dialect, function = RouteFacts(), TornadoDialect(modules, verb), own[verb]
    _before(modules, dialect, rule, own, found)
    for written in decorators(function.node):
        read_decorator(modules, dialect, function.scope, written, found)
    _handler(modules, dialect, function, found)
    if not rule.added:
        found.unread.append(
            UnsupportedCode(
                rule.spot, "a route table that no supplied file gives to an application", part=UnreadPart.ROUTE_TABLE
            )
        )
    return found


def _before(
    modules: Modules, dialect: TornadoDialect, rule: Rule, own: dict[str, Definition], found: RouteFacts
) -> None:
    """Adds what runs before the method: `prepare`, and the bases that no supplied file holds."""
    prepare = own.get("prepare")
    if prepare is not None:
        spot = prepare.scope.spot(prepare.node)
        read_gate(modules, dialect, [prepare], Written(prepare.qualname, spot), found)
        for written in decorators(prepare.node):
            read_decorator(modules, dialect, prepare.scope, written, found)
    for base in modules.ancestry(rule.cls):
        if base is None or (isinstance(base, External) and base.package not in (*PACKAGE, "builtins", "abc", "typing")):
            name = base.name if isinstance(base, External) else "a base class"
            says = f"`{name}` of the handler {rule.cls.name}: what it checks before the handler"
            found.unread.append(UnsupportedCode(rule.spot, says, _SUPPLY, part=UnreadPart.CHECKS))


def _handler(modules: Modules, dialect: TornadoDialect, function: Definition, found: RouteFacts) -> None:
    """Adds everything that the method and what it calls show; what it returns is not sent."""
    events = events_of(modules, function)
    answers = read_raised(modules, dialect, function, events, found)
    found.responses.extend([*answers, *_plain(function, events, answers)])
    read_guards(modules, function, events, found)
    found.unread.extend(
        UnsupportedCode(one.spot, "a status that can't be told") for one in answers if one.status is None
    )


def _plain(function: Definition, events: tuple[Event, ...], answers: list[CodeResponse]) -> Iterator[CodeResponse]:
    """The 200 of a method that ends without another status on its way."""
    body: list[ast.stmt] = getattr(function.node, "body", [])
    ends = falls_through(body) or any(event.kind is ast.Return and event.own for event in events)
    own = [event for event in events if event.own and event.statement in body]
    stated = {event.spot for event in own if isinstance(event.node, ast.Call)} & {one.spot for one in answers}
    if ends and not stated:
        yield CodeResponse(status=200, how="returned", spot=function.scope.spot(function.node))
