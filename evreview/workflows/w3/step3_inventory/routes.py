"""What the code shows of each route for the matrix: the lines that belong to it, and what stands around it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.codefacts.control_flow import run_through
from evreview.codefacts.guards.conditional import untold
from evreview.codefacts.guards.refusals import Refusals, late_checks
from evreview.codefacts.logging_and_secrets import SecretName, log_calls, secrets_of
from evreview.codefacts.middleware import Around, applications, around
from evreview.codefacts.model import CodeFacts, Guard, Route, SourceText, Spot, UnreadCode
from evreview.codefacts.names import Definition, Modules, Reached
from evreview.evidence.element_mentions import operation_key
from evreview.security.inventory.decided import Decided, decided
from evreview.security.leads.owner_checks import owner_checks
from evreview.security.leads.passing_guards import ways_past_guards
from evreview.workflows.w3.access_control.caller_decisions import caller_decisions
from evreview.workflows.w3.access_control.presence_only_guards import hollow_guards, is_hollow
from evreview.workflows.w3.access_control.units import read

_FRAMEWORKS: Final = {
    "fastapi": "asgi", "starlette": "asgi", "flask": "flask", "django": "django", "drf": "django", "aiohttp": "aiohttp",
    "tornado": "tornado",
}  # fmt: skip
_SENT: Final = ("raised", "returned")
_BY_STATUS: Final = {401: "authentication", 403: "authorization"}
_HIDING: Final = re.compile(
    r"decorator|dependenc|middleware|router|blueprint|route table|not written out|one view for|what it checks"
)
"""What an unread part is called that may hold a check of the caller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One route.

    Attributes:
        route: as the code registers it, or as a reviewer declares it.
        read: its handler was found in code that was read.
        own: the lines of its handler.
        spots: the lines that its handler's code refers to.
        around: what runs around it, as it runs for it.
        logs: the calls that write to a log, of its handler and of what runs around it.
        secrets: the names of secrets that its handler's code refers to.
        idle: the lines of guards that find out who calls and refuse nobody by themselves.
        anonymous: what they ask was seen to let anonymous callers pass.
        hollow: the guards that ask only whether credentials are there.
        owner: the lines that let callers have their own objects only.
        late: what stands before the refusals of its handler, or the conditions under which alone they are made.
        untold: the conditions of its handler that leave open whether it refuses, by kind of guard.
        past: the conditions on a word of the caller by which a guard does not check; leads tell of them.
    """

    route: Route
    read: bool
    own: tuple[Spot, ...]
    spots: tuple[Spot, ...]
    around: tuple[Decided, ...]
    around_spots: tuple[Spot, ...]
    logs: tuple[Spot, ...]
    secrets: tuple[SecretName, ...]
    idle: tuple[Spot, ...] = ()
    anonymous: bool = False
    hollow: tuple[Guard, ...] = ()
    owner: tuple[Spot, ...] = ()
    late: tuple[Spot, ...] = ()
    untold: Mapping[str, tuple[Spot, ...]] = field(default_factory=dict)
    past: frozenset[Spot] = frozenset()

    @property
    def name(self) -> str:
        """Method and path."""
        return f"{self.route.method} {self.route.path}"

    @property
    def hidden(self) -> tuple[UnreadCode, ...]:
        """The unread parts that may hold a check of the caller."""
        return tuple(one for one in self.route.unread if _HIDING.search(one.found))

    def guards(self, *kinds: str) -> tuple[Guard, ...]:
        """Its guards of these kinds, those left out that choose whom to check, and that check nothing."""
        left_out = {each.one.spot for each in self.around if each.by_path} | set(self.idle)
        kept = (guard for guard in self.route.guards if not guard.unless and guard not in self.hollow)
        return tuple(guard for guard in kept if guard.kind in kinds and guard.spot not in left_out)

    @property
    def choosing(self) -> tuple[tuple[Spot, str], ...]:
        """What runs around the route and looks at the path, and guards with a hole: lines and name of each."""
        around = ((each.one.spot, each.one.name) for each in self.around if each.by_path)
        holed = (one for one in self.route.guards if one.unless and one not in self.hollow)
        return (*around, *((one.spot, one.name) for one in holed))

    def chosen(self, kind: str) -> tuple[tuple[Spot, str], ...]:
        """The guards of a kind that choose by the path whom to check."""
        spots = {guard.spot for guard in self.route.guards if guard.kind == kind}
        return tuple((spot, name) for spot, name in self.choosing if spot in spots)


class Sights:
    """All routes, seen. Syntax trees are read once."""

    def __init__(self, code: CodeFacts, sources: Sequence[SourceText]) -> None:
        self.modules = Modules(sources)
        self.around = around(self.modules)
        self._reached = Reached(self.modules)
        self.refusals = Refusals(self.modules, self._reached)
        reading = read(sources, code)
        self._hollow, self._owner = tuple(hollow_guards(reading)), owner_checks(reading)
        self._past = frozenset(one.spot for one in (*ways_past_guards(reading), *caller_decisions(reading)))
        self._anonymous = _lets_anonymous_pass(self.modules)
        self._logs: dict[int, tuple[Spot, ...]] = {}
        self._secrets: dict[int, tuple[SecretName, ...]] = {}
        self.python = frozenset(module.source.item for module in self.modules.all)
        self._applications = applications(self.modules)
        self._several = frozenset(one.framework for one in self.around if _makers(self.around, one.framework) > 1)
        self.all = tuple(self._seen(route) for route in _once(code.routes))

    def definition_named(self, name: str) -> tuple[Spot, ...]:
        """The lines of the supplied definitions with this qualified name: guards are known by it."""
        return tuple(one.scope.spot(one.statement) for one in self._reached.named(name))

    def asked_of(self, seen: Seen, names: Collection[str]) -> tuple[Guard, ...]:
        """The guards of a route that refuse callers by what these values of the request say."""
        return tuple(guard for guard in seen.route.guards if self.refusals.asks(self._reached.named(guard.name), names))

    def logs_in(self, one: Around) -> bool:
        """True when something that runs around handlers writes to a log."""
        found = self._closure(one.definition) if one.definition else ()
        return any(self._logged(definition) for definition in found)

    def _seen(self, route: Route) -> Seen:
        handler = self._reached.handler(route) if route.framework != "declared" else None
        own = self._reached.definitions(handler) if handler else ()
        applying = tuple(one for one in self.around if self._applies(one, route, handler))
        outer = tuple(found for one in applying if one.definition for found in self._closure(one.definition))
        around_spots = [one.spot for one in applying] + [spot for one in outer for spot in self._reached.lines(one)]
        return Seen(
            route=route,
            read=handler is not None,
            idle=_idle(route),
            anonymous=self._anonymous,
            hollow=self._hollow_of(route),
            late=self._late(route, handler) if handler else (),
            untold=self._untold(route, handler) if handler else {},
            past=self._past,
            owner=tuple(dict.fromkeys(self._owner.get(f"{route.method} {route.path}", ()))),
            own=self._reached.lines(handler) if handler else (),
            spots=tuple(dict.fromkeys(spot for one in own for spot in self._reached.lines(one))),
            around=tuple(decided(self.modules, one, route.told) for one in applying),
            around_spots=tuple(dict.fromkeys(around_spots)),
            logs=tuple(dict.fromkeys(spot for one in (*own, *outer) for spot in self._logged(one))),
            secrets=tuple(dict.fromkeys(found for one in (*own, *outer) for found in self._secret(one))),
        )

    def _late(self, route: Route, handler: Definition) -> tuple[Spot, ...]:
        scope = self.modules.body(handler) if any(one.how in _SENT for one in route.responses) else None
        if scope is None or scope.kind != "function":
            return ()
        named = [one.name.replace("-", "_").lower() for one in route.parameters if one.location != "path"]
        return late_checks(self.modules, scope, run_through(self.modules, handler), named)

    def _untold(self, route: Route, handler: Definition) -> dict[str, tuple[Spot, ...]]:
        """By kind, what leaves open whether the handler's own refusals meet whoever is to be refused."""
        named = [one.name.replace("-", "_").lower() for one in route.parameters if one.location != "path"]
        sent = {one.status for one in route.responses if one.how in _SENT}
        return {
            kind: untold(self.modules, [handler], kind, named) for status, kind in _BY_STATUS.items() if status in sent
        }

    def _hollow_of(self, route: Route) -> tuple[Guard, ...]:
        name = f"{route.method} {route.path}"
        return tuple(guard for guard in route.guards if is_hollow(self._hollow, name, guard))

    def _applies(self, one: Around, route: Route, handler: Definition | None) -> bool:
        """What runs for every route of its application, or for those of its own file.

        Of several applications of one framework it is that of the handler; where that is not known, none.
        """
        if _FRAMEWORKS.get(route.framework) != one.framework:
            return False
        if not one.whole:
            return one.spot.item == route.spot.item
        if one.framework not in self._several:
            return True
        return handler is not None and one.application in self._applications.get(id(handler.node), ())

    def _closure(self, definition: Definition) -> tuple[Definition, ...]:
        return self._reached.definitions(definition)

    def _logged(self, definition: Definition) -> tuple[Spot, ...]:
        key = id(definition.node)
        if key not in self._logs:
            self._logs[key] = tuple(log_calls(self.modules, definition))
        return self._logs[key]

    def _secret(self, definition: Definition) -> tuple[SecretName, ...]:
        key = id(definition.node)
        if key not in self._secrets:
            self._secrets[key] = tuple(secrets_of(self.modules, definition))
        return self._secrets[key]


def _idle(route: Route) -> tuple[Spot, ...]:
    """Starlette's own middleware only finds out who calls; `requires` is what refuses."""
    if any(guard.name == "requires" for guard in route.guards):
        return ()
    return tuple(guard.spot for guard in route.guards if guard.name == "AuthenticationMiddleware")


def _lets_anonymous_pass(modules: Modules) -> bool:
    """True when a supplied authentication backend returns nothing for some callers."""
    for scope, statement in modules.statements():
        if isinstance(statement, ast.ClassDef):
            found = Definition(statement, scope, statement.name, statement)
            if modules.is_a(found, ("starlette",), "AuthenticationBackend"):
                returns = [node for node in ast.walk(statement) if isinstance(node, ast.Return)]
                return any(node.value is None or _is_none(node.value) for node in returns)
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _makers(found: Sequence[Around], framework: str) -> int:
    """How many applications of a framework something runs around."""
    return len({one.application for one in found if one.framework == framework and one.whole})


def _once(routes: Sequence[Route]) -> Iterator[Route]:
    """Each method and path once: the first that is registered, with what is declared about it besides."""
    kept: dict[str, Route] = {}
    for route in (*(one for one in routes if one.framework != "declared"), *routes):
        first = kept.setdefault(operation_key(f"{route.method} {route.path}"), route)
        if route.framework == "declared" and first.framework != "declared":
            kept[operation_key(f"{route.method} {route.path}")] = _joined(first, route)
    yield from kept.values()


def _joined(read: Route, declared: Route) -> Route:
    """A route that was read, with the facts that a reviewer declares about it."""
    return replace(
        read,
        parameters=(*read.parameters, *(one for one in declared.parameters if one not in read.parameters)),
        body=read.body or declared.body,
        responses=(*read.responses, *declared.responses),
        guards=(*read.guards, *declared.guards),
        notes=(*read.notes, *declared.notes),
    )


def repeated(routes: Sequence[Route]) -> Iterator[tuple[Route, ...]]:
    """Routes that the code registers more than once, at different lines: one of them never answers."""
    found: dict[str, list[Route]] = {}
    for route in routes:
        own = found.setdefault(operation_key(f"{route.method} {route.path}"), [])
        if route.framework != "declared" and all(one.spot != route.spot for one in own):
            own.append(route)
    yield from (tuple(several) for several in found.values() if len(several) > 1)
