"""What the code shows of each route for the matrix: the lines that belong to it, and what stands around it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.codefacts.control_flow import events_of
from evreview.codefacts.guards.conditional import untold
from evreview.codefacts.guards.denials import DenialFinder, late_authorization_checks
from evreview.codefacts.logging_and_secrets import SecretName, log_calls, secrets_of
from evreview.codefacts.middleware import AroundKind, Middleware, applications, around, looks_at_path
from evreview.codefacts.model import (
    ACCESS_BY_STATUS,
    CodeFacts,
    CodeParameter,
    Guard,
    Route,
    RouteIdentity,
    SourceText,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import FUNCTIONS, is_none
from evreview.codefacts.names import Definition, Modules, ReachableDefinitions
from evreview.codefacts.route_branches import told_apart
from evreview.core.quoted_text import Part, Text, UserText, listed
from evreview.core.vocabulary import Area
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.workflows.w3.access_control.caller_decisions import caller_decisions, guard_bypasses
from evreview.workflows.w3.access_control.owner_checks import owner_checks
from evreview.workflows.w3.access_control.route_guards import is_presence_only, presence_only_guards
from evreview.workflows.w3.access_control.units import read
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import CellReason, Standing

# What runs around one route: its code without the branches that this route never takes.


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """One thing around a route.

    Attributes:
        one: what it is.
        by_path: a condition that is left in it looks at what tells the route.
        left: the lines of it that may run for the route, None where it has no branch that the route decides.
    """

    one: Middleware
    by_path: bool
    left: frozenset[int] | None = None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The lines that register it, and its own."""
        definition = self.one.definition
        return (self.one.spot, *([definition.scope.spot(definition.statement)] if definition else []))

    def left_of(self, item: str, first: int, last: int) -> tuple[int, ...] | None:
        """Of lines within its code those that may run for the route; None where it decides nothing of them."""
        if self.left is None or not any(
            spot.item == item and spot.first <= first and last <= spot.last for spot in self.spots[1:]
        ):
            return None
        return tuple(line for line in range(first, last + 1) if line in self.left)


def decided(modules: Modules, one: Middleware, told: RouteIdentity | None) -> Decided:
    """What it is for a route that `told` tells from others; as written where nothing does."""
    if told is None or one.definition is None:
        return Decided(one, one.by_path)
    whole = tuple(_functions(modules, one.definition))
    short = tuple(told_apart(modules, function, told) for function in whole)
    if all(cut is function for cut, function in zip(short, whole, strict=True)):
        return Decided(one, one.by_path)
    lines = (line for function in short for line in _lines(function.node))
    return Decided(one, any(looks_at_path(function.node) for function in short), frozenset(lines))


def _functions(modules: Modules, definition: Definition) -> Iterator[Definition]:
    """The function itself; of a class its methods."""
    scope = modules.body(definition)
    if isinstance(definition.node, ast.ClassDef) and scope is not None:
        own = (one for one in definition.node.body if isinstance(one, FUNCTIONS))
        yield from (Definition(one, scope, one.name, one) for one in own)
    else:
        yield definition


def _lines(function: ast.AST) -> Iterator[int]:
    """The lines of simple statements and of the conditions of others; the lines of blocks are those of their parts."""
    for statement in getattr(function, "body", []):
        for node in ast.walk(statement):
            block = isinstance(node, ast.Pass) or hasattr(node, "body")
            if isinstance(node, ast.expr) or (isinstance(node, ast.stmt) and not block):
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


_FRAMEWORKS: Final = {
    "fastapi": "asgi", "starlette": "asgi", "flask": "flask", "django": "django", "drf": "django", "aiohttp": "aiohttp",
    "tornado": "tornado",
}  # fmt: skip
_SENT: Final = ("raised", "returned")
_HIDING: Final = frozenset(
    {
        UnreadPart.DECORATOR,
        UnreadPart.DEPENDENCY,
        UnreadPart.DEPENDENCIES,
        UnreadPart.MIDDLEWARE,
        UnreadPart.ROUTER,
        UnreadPart.UNINCLUDED,
        UnreadPart.BLUEPRINT,
        UnreadPart.ROUTE_TABLE,
        UnreadPart.ARGUMENTS,
        UnreadPart.BRANCHES,
        UnreadPart.CHECKS,
    }
)
"""The unread parts that may hold a check of the caller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedRoute:
    """One route.

    Attributes:
        route: as the code registers it, or as a reviewer declares it.
        read: its handler was found in code that was read.
        own: the lines of its handler.
        spots: the lines that its handler's code refers to.
        around: what runs around it, as it runs for it.
        logs: the calls that write to a log, of its handler and of what runs around it.
        secrets: the names of secrets that its handler's code refers to.
        ineffective: the lines of guards that find out who calls and refuse nobody by themselves.
        anonymous: what they ask was seen to let anonymous callers pass.
        presence_only: the guards that ask only whether credentials are there.
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
    ineffective: tuple[Spot, ...] = ()
    anonymous: bool = False
    presence_only: tuple[Guard, ...] = ()
    owner: tuple[Spot, ...] = ()
    late: tuple[Spot, ...] = ()
    untold: Mapping[str, tuple[Spot, ...]] = field(default_factory=dict)
    past: frozenset[Spot] = frozenset()

    @property
    def name(self) -> str:
        """Method and path."""
        return f"{self.route.method} {self.route.path}"

    @property
    def hidden(self) -> tuple[UnsupportedCode, ...]:
        """The unread parts that may hold a check of the caller."""
        return tuple(one for one in self.route.unread if one.part in _HIDING)

    def guards(self, *kinds: str) -> tuple[Guard, ...]:
        """Its guards of these kinds, those left out that choose whom to check, and that check nothing."""
        left_out = {each.one.spot for each in self.around if each.by_path} | set(self.ineffective)
        kept = (guard for guard in self.route.guards if not guard.unless and guard not in self.presence_only)
        return tuple(guard for guard in kept if guard.kind in kinds and guard.spot not in left_out)

    @property
    def choosing(self) -> tuple[tuple[Spot, str], ...]:
        """What runs around the route and looks at the path, and guards with a hole: lines and name of each."""
        around = ((each.one.spot, each.one.name) for each in self.around if each.by_path)
        holed = (one for one in self.route.guards if one.unless and one not in self.presence_only)
        return (*around, *((one.spot, one.name) for one in holed))

    def chosen(self, kind: str) -> tuple[tuple[Spot, str], ...]:
        """The guards of a kind that choose by the path whom to check."""
        spots = {guard.spot for guard in self.route.guards if guard.kind == kind}
        return tuple((spot, name) for spot, name in self.choosing if spot in spots)


class InspectedRoutes:
    """All routes, seen. Syntax trees are read once."""

    def __init__(self, code: CodeFacts, sources: Sequence[SourceText]) -> None:
        self.modules = Modules(sources)
        self.around = around(self.modules)
        self._reached = ReachableDefinitions(self.modules)
        self.refusals = DenialFinder(self.modules, self._reached)
        reading = read(sources, code)
        self._presence_only, self._owner = tuple(presence_only_guards(reading)), owner_checks(reading)
        self._past = frozenset(one.spot for one in (*guard_bypasses(reading), *caller_decisions(reading)))
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

    def asked_of(self, seen: InspectedRoute, names: Collection[str]) -> tuple[Guard, ...]:
        """The guards of a route that refuse callers by what these values of the request say."""
        return tuple(guard for guard in seen.route.guards if self.refusals.asks(self._reached.named(guard.name), names))

    def logs_in(self, one: Middleware) -> bool:
        """True when something that runs around handlers writes to a log."""
        found = self._closure(one.definition) if one.definition else ()
        return any(self._logged(definition) for definition in found)

    def _seen(self, route: Route) -> InspectedRoute:
        handler = self._reached.handler(route) if route.framework != "declared" else None
        own = self._reached.definitions(handler) if handler else ()
        applying = tuple(one for one in self.around if self._applies(one, route, handler))
        outer = tuple(found for one in applying if one.definition for found in self._closure(one.definition))
        around_spots = [one.spot for one in applying] + [spot for one in outer for spot in self._reached.lines(one)]
        return InspectedRoute(
            route=route,
            read=handler is not None,
            ineffective=_ineffective(route),
            anonymous=self._anonymous,
            presence_only=self._presence_only_of(route),
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
        return late_authorization_checks(self.modules, scope, events_of(self.modules, handler), named)

    def _untold(self, route: Route, handler: Definition) -> dict[str, tuple[Spot, ...]]:
        """By kind, what leaves open whether the handler's own refusals meet whoever is to be refused."""
        named = [one.name.replace("-", "_").lower() for one in route.parameters if one.location != "path"]
        sent = {one.status for one in route.responses if one.how in _SENT}
        return {
            kind: untold(self.modules, [handler], kind, named)
            for status, kind in ACCESS_BY_STATUS.items()
            if status in sent
        }

    def _presence_only_of(self, route: Route) -> tuple[Guard, ...]:
        name = f"{route.method} {route.path}"
        return tuple(guard for guard in route.guards if is_presence_only(self._presence_only, name, guard))

    def _applies(self, one: Middleware, route: Route, handler: Definition | None) -> bool:
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


def _ineffective(route: Route) -> tuple[Spot, ...]:
    """Starlette's own middleware only finds out who calls; `requires` is what refuses."""
    if any(guard.name == "requires" for guard in route.guards):
        return ()
    return tuple(guard.spot for guard in route.guards if guard.name == "AuthenticationMiddleware")


def _lets_anonymous_pass(modules: Modules) -> bool:
    """True when a supplied authentication backend returns nothing for some callers."""
    for found in modules.classes():
        if modules.is_a(found, ("starlette",), "AuthenticationBackend"):
            returns = [node for node in ast.walk(found.node) if isinstance(node, ast.Return)]
            return any(node.value is None or is_none(node.value) for node in returns)
    return False


def _makers(found: Sequence[Middleware], framework: str) -> int:
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


# What the code alone shows of one area on one route. One area is one value; what does not show is unknown.


_RIGHTS_OF_USERS: Final = frozenset(
    {"PermissionRequiredMixin", "permission_required", "IsAdminUser", "DjangoModelPermissions",
     "DjangoObjectPermissions", "roles_required", "roles_accepted", "permissions_required", "has_permission",
     "check_permission"}
)  # fmt: skip
"""Guards of frameworks that ask for a right and let nobody in who is not signed in."""
UNSURE: Final = " under a condition, or after what it does; whether it checks every caller can't be told"
_MOST: Final = 4
"""Places cited for one cell."""


@dataclass(frozen=True, slots=True)
class AreaEvidence:
    """What shows of one area on one route."""

    standing: Standing
    why: Text
    citations: tuple[Citation, ...]
    reason: CellReason = CellReason.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaRule:
    """How one area is read.

    Attributes:
        area: which.
        why: what counts as a control of it.
        read: what a route shows.
        example, counter_example: code in which a control stands, and code in which none does.
    """

    area: Area
    why: str
    read: Callable[[InspectedRoute], AreaEvidence]
    example: str
    counter_example: str


def _reading(standing: Standing, why: Sequence[Part], spots: Sequence[Spot]) -> AreaEvidence:
    return AreaEvidence(standing, tuple(why), cited(*(spot.citations for spot in spots[:_MOST])))


def _guarded(seen: InspectedRoute, kind: str, status: int) -> AreaEvidence:
    """A guard, a refusal with the status that the kind sends, an unread part that may hold one, or nothing."""
    route = seen.route
    guards = seen.guards(kind)
    if guards:
        names = list(dict.fromkeys(guard.name for guard in guards))
        return _reading(Standing.PRESENT, (*listed(names), guards[0].spot.mark), _spots(guards))
    chosen = seen.chosen(kind)
    if chosen:
        what = listed([name for _, name in chosen])
        words = (*what, " checks under a condition, or in a form that is not known; whom it lets past can't be told")
        return _reading(Standing.UNKNOWN, words, [spot for spot, _ in chosen])
    empty = [guard for guard in seen.presence_only if guard.kind == kind]
    if empty:
        words = (*listed(dict.fromkeys(guard.name for guard in empty)), " asks only whether credentials are there")
        return _reading(Standing.UNKNOWN, words, _spots(empty))
    sent = [one.spot for one in route.responses if one.status == status and one.how in ("raised", "returned")]
    open_at = (*seen.late, *seen.untold.get(kind, ()))
    if sent and open_at:
        words = (f"the code answers {status}{sent[0].mark}", UNSURE)
        return _reading(Standing.UNKNOWN, words, [*sent[:1], *open_at])
    if sent:
        return _reading(Standing.PRESENT, (f"the code answers {status}{sent[0].mark}",), sent)
    if seen.hidden:
        return _reading(Standing.UNREAD, ("not read: ", UserText(seen.hidden[0].found)), [seen.hidden[0].spot])
    if kind == "authentication" and seen.ineffective and not seen.anonymous:
        why = "middleware finds out who calls; whether it refuses anybody can't be told without its backend"
        return _reading(Standing.UNKNOWN, (why,), seen.ineffective)
    unknown = seen.guards("unknown")
    if unknown:
        what = listed([guard.name for guard in unknown])
        words = (*what, " refuses callers; what it asks for can't be told")
        return _reading(Standing.UNKNOWN, words, _spots(unknown))
    if not seen.read:
        why = "no declared fact says so" if route.framework == "declared" else "its handler's code was not found"
        return _reading(Standing.UNKNOWN, (why,), [route.spot])
    return _reading(Standing.ABSENT, ("the code that was read shows no check",), [route.spot])


def _spots(guards: Sequence[Guard]) -> list[Spot]:
    return [guard.spot for guard in guards]


def _authentication(seen: InspectedRoute) -> AreaEvidence:
    found = _guarded(seen, "authentication", 401)
    rights = [one for one in seen.guards("authorization") if one.name.rpartition(".")[2] in _RIGHTS_OF_USERS]
    if found.standing is Standing.ABSENT and rights:
        names = listed(dict.fromkeys(one.name for one in rights))
        return _reading(Standing.PRESENT, ("a right of who is signed in: ", *names), _spots(rights))
    return found


def _authorization(seen: InspectedRoute) -> AreaEvidence:
    scoped = [guard for guard in seen.guards("authentication") if guard.scopes]
    if scoped and not seen.guards("authorization"):
        names = [scope for guard in scoped for scope in guard.scopes]
        return _reading(Standing.PRESENT, ("scopes ", *listed(dict.fromkeys(names))), _spots(scoped))
    unasked = [guard for guard in seen.presence_only if guard.scopes]
    if unasked and not seen.guards("authorization"):
        words = (*listed(dict.fromkeys(guard.name for guard in unasked)), " names scopes that nothing looks at")
        return _reading(Standing.UNKNOWN, words, _spots(unasked))
    found = _guarded(seen, "authorization", 403)
    if found.standing is Standing.ABSENT and seen.owner:
        return _reading(Standing.PRESENT, ("callers get their own objects only",), seen.owner)
    return found


def _input(seen: InspectedRoute) -> AreaEvidence:
    route = seen.route
    free = [one for one in route.parameters if _is_free(one)]
    refused = [one.spot for one in route.responses if one.status in (400, 413, 422)]
    body = route.body
    if not route.parameters and body is None:
        if route.unread or not seen.read:
            return _reading(Standing.UNKNOWN, ("what it takes was not read whole",), [route.spot])
        return _reading(Standing.NOT_APPLICABLE, ("it takes no parameter and no body",), [route.spot])
    if body is not None and body.schema in ({}, None, True) and not refused:
        return _reading(Standing.ABSENT, ("the body is taken as it comes",), [body.spot])
    if free and not refused:
        names = listed([one.name for one in free])
        return _reading(Standing.ABSENT, ("taken as they come: ", *names), [one.spot for one in free])
    checked = [one.spot for one in route.parameters if not _is_free(one)]
    shown = [*([body.spot] if body is not None else []), *checked, *refused]
    names = listed([*(["body"] if body is not None else []), *(one.name for one in route.parameters)])
    return _reading(Standing.PRESENT, ("values are limited or refused: ", *names), shown or [route.spot])


def _is_free(parameter: CodeParameter) -> bool:
    """A text without any limit; a path parameter is limited by its segment only."""
    return parameter.schema in ({}, True, {"type": "string"}) and parameter.location in ("query", "header", "cookie")


def _secrets(seen: InspectedRoute) -> AreaEvidence:
    written = [one for one in seen.secrets if one.origin != "environment"]
    if written:
        names = listed(dict.fromkeys(one.name for one in written))
        return _reading(Standing.ABSENT, ("written in the source: ", *names), [one.spot for one in written])
    if seen.secrets:
        names = listed(dict.fromkeys(one.name for one in seen.secrets))
        return _reading(Standing.PRESENT, ("from the environment: ", *names), [one.spot for one in seen.secrets])
    why = "no name that says so refers to a secret in the code that was read; others may"
    return _reading(Standing.UNKNOWN, (why,), [seen.route.spot])


def _logging(seen: InspectedRoute) -> AreaEvidence:
    if seen.logs:
        return _reading(Standing.PRESENT, ("calls that write to a log",), seen.logs)
    if seen.hidden:
        return _reading(Standing.UNREAD, ("not read: ", UserText(seen.hidden[0].found)), [seen.hidden[0].spot])
    if seen.read:
        return _reading(Standing.ABSENT, ("the code that was read writes to no known log",), [seen.route.spot])
    return _reading(Standing.UNKNOWN, ("its handler's code was not found",), [seen.route.spot])


def _errors(seen: InspectedRoute) -> AreaEvidence:
    wide = [
        each.one
        for each in seen.around
        if each.one.kind is AroundKind.ERROR_HANDLER and each.one.handles.strip("'\"") in _EVERY
    ]
    if wide:
        names = listed(dict.fromkeys(one.name for one in wide))
        return _reading(Standing.PRESENT, ("failures are answered by ", *names), [one.spot for one in wide])
    if not seen.read:
        return _reading(Standing.UNKNOWN, ("its handler's code was not found",), [seen.route.spot])
    why = "nothing that was read answers unexpected failures; the framework's own answer depends on its debug mode"
    return _reading(Standing.UNKNOWN, (why,), [seen.route.spot])


_EVERY: Final = frozenset({"Exception", "BaseException", "500", "HTTPStatus.INTERNAL_SERVER_ERROR"})
"""What an error handler for every unexpected failure is registered for."""

AREAS: Final = (
    AreaRule(
        area=Area.AUTHENTICATION,
        why="Something finds out who calls, or 401 is answered: on every way, by a condition of a known form. Asking "
        "whether credentials are there is not enough.",
        read=_authentication,
        example="def user(): raise HTTPException(401)\n@app.get('/a')\ndef a(who=Depends(user)): ...",
        counter_example="def user(x_key=Header('')):\n    if not x_key: raise HTTPException(401)\n"
        "@app.get('/a')\ndef a(who=Depends(user)): ...",
    ),
    AreaRule(
        area=Area.AUTHORIZATION,
        why="Something decides what the caller may do: a scope, a permission, whose an object is, or 403 is answered, "
        "on every way and by a condition of a known form.",
        read=_authorization,
        example="@app.get('/a')\ndef a(who=Depends(user)):\n    if who.role != 'admin': raise HTTPException(403)",
        counter_example="@app.get('/a')\ndef a(who=Depends(user)):\n    if who.role != 'admin': log.warning('odd')",
    ),
    AreaRule(
        area=Area.INPUT_HANDLING,
        why="Parameters and bodies are limited to values, or 400 or 422 is answered.",
        read=_input,
        example="@app.get('/a')\ndef a(limit: int = Query(ge=1, le=100)): ...",
        counter_example="@app.get('/a')\ndef a(filter: str = ''): ...",
    ),
    AreaRule(
        area=Area.SECRETS,
        why="Names of secrets that the code refers to get their values from the environment.",
        read=_secrets,
        example="API_KEY = os.environ['API_KEY']\n@app.get('/a')\ndef a(): return sign(API_KEY)",
        counter_example="key = os.environ['NAME']\n@app.get('/a')\ndef a(): return sign(key)",
    ),
    AreaRule(
        area=Area.LOGGING,
        why="The handler, what it calls, or what runs around it writes to a log.",
        read=_logging,
        example="@app.delete('/a')\ndef a(): log.info('a is gone')",
        counter_example="@app.delete('/a')\ndef a(): print('a is gone')",
    ),
    AreaRule(
        area=Area.ERROR_DISCLOSURE,
        why="A handler for every unexpected failure is registered.",
        read=_errors,
        example="@app.exception_handler(Exception)\ndef failed(r, e): ...\n@app.get('/a')\ndef a(): ...",
        counter_example="@app.exception_handler(KeyError)\ndef failed(r, e): ...\n@app.get('/a')\ndef a(): ...",
    ),
)
"""One per area; spec, W3 step 3."""
READERS: Final = {rule.area: rule.read for rule in AREAS}
ONLY_WHERE_USED: Final = frozenset({Area.SECRETS})
"""Areas in which a control that a route's code does not refer to has nothing to do there."""


def read_area(seen: InspectedRoute, area: Area) -> AreaEvidence:
    """What the code alone shows of an area on a route."""
    return READERS[area](seen)
