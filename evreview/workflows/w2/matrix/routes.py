"""The code as it was read, and which of its routes answers which operation of the contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.declared import declared_facts
from evreview.codefacts.model import CodeFacts, Route, Spot, UnreadPart
from evreview.codefacts.observed_routes import with_tables
from evreview.codefacts.read import read_sources
from evreview.contract.model import Contract
from evreview.core.errors import Problem
from evreview.core.quoted_text import UserText
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.reference import DeclaredCode
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.facts import Operation, W2Facts
from evreview.workflows.w2.scope import METHODS, operations_of, route_tables, spelled, whole_paths, without_slash

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


def read_code(bundle: Bundle, facts: W2Facts) -> tuple[CodeFacts, tuple[Problem, ...]]:
    """The facts of the supplied sources and those that a reviewer declares, and what of these does not hold."""
    from evreview.schema.cross_check_validator import is_schema

    code = with_tables(read_sources(facts.sources), route_tables(bundle), facts.sources)
    declared, problems = declared_facts(records_of(bundle, DeclaredCode), facts.sources, code.routes, is_schema)
    joined = CodeFacts(routes=(*code.routes, *declared.routes), unread=(*code.unread, *declared.unread))
    return joined, problems


_DYNAMIC: Final = (UnreadPart.VIEW_METHOD, UnreadPart.REPRESENTATION, UnreadPart.MEDIA)
"""What replaces the attributes of a view."""


def unread_code(facts: W2Facts) -> Iterator[Statement]:
    """What of the code, and of the contract's operations in scope, could not be read, as limitations."""
    code = facts.evidence.code if facts.evidence else CodeFacts(routes=())
    unfollowed = [one for route in code.routes for one in route.unread if one.part in _DYNAMIC]
    around = [one for route in code.routes for one in route.rewritten]
    for unread in dict.fromkeys([*code.unread, *around, *unfollowed]):
        on = cite(Citation(unread.spot.item, _lines(unread.spot)))
        yield limited("Not read in the code: ", UserText(unread.found), on=on)
    if facts.contract is None or facts.item is None:
        return
    places = Places(facts.contract, facts.item.id)
    within = tuple(step for each in facts.operations for step in _steps(each.element.place.pointer))
    for part in facts.contract.unread:
        if not part.place.pointer.startswith("/paths/") or part.place.pointer.startswith(within):
            yield limited("Not read in the contract: ", UserText(part.found), on=(places.at(part.place),))


def _steps(pointer: str) -> tuple[str, ...]:
    """An operation, and the parameters that all operations of its path share."""
    return f"{pointer}/", f"{pointer.rpartition('/')[0]}/parameters/"


def _lines(spot: Spot) -> str:
    return f":L{spot.first}" + (f"-L{spot.last}" if spot.last > spot.first else "")
