"""Which route of the code answers which operation of the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evreview.codefacts.model import CodeFacts, Route
from evreview.contract.model import Contract
from evreview.workflows.w2.facts import Operation
from evreview.workflows.w2.scope.operations import METHODS, operations_of, spelled, whole_paths, without_slash

Why = Literal["undocumented", "outside-scope", "automatic", "shadowed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteAnswer:
    """The route that answers an operation; `differs` says in what its path is not the contract's, "" for nothing."""

    operation: str
    route: Route
    differs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddRoute:
    """A route that answers no operation in scope.

    Attributes:
        why: `undocumented`: the contract has no such operation. `outside-scope`: it has, the scope hasn't.
            `automatic`: the framework answers HEAD and OPTIONS by itself. `shadowed`: an earlier route answers.
        reason: the same in words.
    """

    route: Route
    why: Why
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """Routes and operations, matched.

    Attributes:
        answers: by operation id.
        odd: routes without an operation in scope, in the order written.
        unanswered: operations in scope that no supplied route answers, with the reason.
    """

    answers: Mapping[str, RouteAnswer]
    odd: tuple[OddRoute, ...]
    unanswered: Mapping[str, str]

    def route(self, operation: Operation) -> Route | None:
        """The route that answers an operation, None when no supplied route does."""
        found = self.answers.get(operation.id)
        return found.route if found else None


def match_routes(contract: Contract, operations: Sequence[Operation], code: CodeFacts) -> Matching:
    """Every operation in scope with the route that answers it; the rest of both sides with its reason.

    Templates match up to the names, types and patterns of parameters, with or without the base path of a server. A
    slash at the end alone keeps no route apart, but is said.
    """
    index = _Index(contract)
    routes = joined(code.routes)
    in_scope = {operation.id for operation in operations}
    answers: dict[str, RouteAnswer] = {}
    odd: list[OddRoute] = []
    for route in _exact_first(routes, index):
        found = index.find(route)
        if found is None:
            odd.append(_odd(route, routes))
        elif found[0].id not in in_scope:
            odd.append(OddRoute(route=route, why="outside-scope", reason="the scope leaves its operation out"))
        elif found[0].id in answers:
            reason = "another supplied route answers the same operation first"
            odd.append(OddRoute(route=route, why="shadowed", reason=reason))
        else:
            answers[found[0].id] = RouteAnswer(operation=found[0].id, route=route, differs=found[1])
    order = {id(route): at for at, route in enumerate(routes)}
    return Matching(
        answers=answers,
        odd=tuple(sorted(odd, key=lambda each: order[id(each.route)])),
        unanswered={each.id: _why_unanswered(each, routes, contract) for each in operations if each.id not in answers},
    )


def joined(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes with declared facts added to the route that they are about; alone they stay routes of their own."""
    read = [route for route in routes if route.framework != "declared"]
    found: dict[tuple[str, str], int] = {}
    for at, route in enumerate(read):
        found.setdefault((route.method.upper(), spelled(route.path)), at)
    for route in routes:
        if route.framework != "declared":
            continue
        key = (route.method.upper(), spelled(route.path))
        if key in found:
            read[found[key]] = _with(read[found[key]], route)
        else:
            found[key] = len(read)
            read.append(route)
    return tuple(read)


def _with(route: Route, declared: Route) -> Route:
    return replace(
        route,
        parameters=(*route.parameters, *declared.parameters),
        body=route.body or declared.body,
        responses=(*route.responses, *declared.responses),
        guards=(*route.guards, *declared.guards),
        notes=(*route.notes, *declared.notes),
        unread=(*route.unread, *declared.unread),
    )


class _Index:
    """The operations of a contract by method and by path in one spelling."""

    def __init__(self, contract: Contract) -> None:
        self._exact: dict[tuple[str, str], Operation] = {}
        self._bare: dict[tuple[str, str], Operation] = {}
        based: list[tuple[str, Operation]] = []
        for operation in operations_of(contract):
            own, *rest = whole_paths(contract, operation)
            self._add(own, operation)
            based += [(path, operation) for path in rest]
        for path, operation in based:
            self._add(path, operation)

    def _add(self, path: str, operation: Operation) -> None:
        shape = spelled(path)
        self._exact.setdefault((operation.method, shape), operation)
        self._bare.setdefault((operation.method, without_slash(shape)), operation)

    def find(self, route: Route) -> tuple[Operation, str] | None:
        """The operation that a route answers, and in what their paths differ."""
        shape = spelled(route.path)
        exact = self._exact.get((route.method.upper(), shape))
        if exact is not None:
            return exact, ""
        bare = self._bare.get((route.method.upper(), without_slash(shape)))
        if bare is None or route.either_slash:
            return (bare, "") if bare is not None else None
        return bare, "only one of the two paths ends with a slash"


def _exact_first(routes: Sequence[Route], index: _Index) -> list[Route]:
    """The routes in the order written, those that match but for a slash after all others."""

    def inexact(route: Route) -> bool:
        found = index.find(route)
        return found is not None and bool(found[1])

    return sorted(routes, key=inexact)


def _odd(route: Route, routes: Sequence[Route]) -> OddRoute:
    method, shape = route.method.upper(), spelled(route.path)
    if method in ("HEAD", "OPTIONS") and any(
        spelled(other.path) == shape and other.method.upper() not in ("HEAD", "OPTIONS") for other in routes
    ):
        reason = f"{method} is answered automatically beside the route's other methods"
        return OddRoute(route=route, why="automatic", reason=reason)
    return OddRoute(route=route, why="undocumented", reason="the contract has no operation of this method and path")


def _why_unanswered(operation: Operation, routes: Sequence[Route], contract: Contract) -> str:
    if not routes:
        return "no supplied source holds a route"
    shapes = {without_slash(spelled(path)) for path in whole_paths(contract, operation)}
    sharing = {route.method.upper() for route in routes if without_slash(spelled(route.path)) in shapes}
    others = sorted(sharing & METHODS)
    if others:
        return f"the supplied routes answer its path for {', '.join(others)} only"
    return "no supplied source holds a route for its path"
