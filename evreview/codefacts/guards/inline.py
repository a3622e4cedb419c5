"""Guards that stand in a handler itself: credentials of the request that the condition of a 401 or 403 looks at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.control_flow import Event, Frame, argument_of, bind, value_in
from evreview.codefacts.guards.anonymous_paths import left_open
from evreview.codefacts.guards.bypass import bypass_conditions
from evreview.codefacts.guards.conditional import ineffective_conditions, void_answers
from evreview.codefacts.guards.denials import asked, late_authorization_checks
from evreview.codefacts.guards.framework_conventions import challenges, texts_in
from evreview.codefacts.model import ACCESS_BY_STATUS, AccessKind, CodeParameter, CodeResponse, Guard, Location, Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.vocabulary import ABSENT

_PLACES: Final[dict[str, Location]] = {
    "headers": "header", "cookies": "cookie", "COOKIES": "cookie", "META": "header",
    "args": "query", "values": "query", "query_params": "query", "query": "query", "GET": "query",
}  # fmt: skip
_NAMED: Final = re.compile(r"authoriz|api-?_?key|(^|[-_.])(key|token|secret|signature|session)|password", re.IGNORECASE)
"""Names of credentials, without which a query parameter or the condition of a 403 says nothing about the caller."""
_KNOWN: Final = re.compile(r"(^|\.)(request|req)\.(authorization|session)$")
"""Where a framework keeps what the caller sent."""
_HOPS: Final = 4
_SENDING: Final = (ast.Return, ast.Raise, ast.Call)


@dataclass(frozen=True, slots=True)
class Credential:
    """Where a condition looks for credentials; `name` is "" for what the framework keeps."""

    place: Location | Literal[""]
    name: str


def inline_guards(
    modules: Modules,
    events: Iterable[Event],
    responses: Iterable[CodeResponse],
    parameters: Iterable[CodeParameter] = (),
) -> tuple[Guard, ...]:
    """The guards that a handler is by its own conditions.

    Args:
        events: everything that happens in the handler.
        responses: what it returns and raises.
        parameters: those that its arguments stand for.
    """
    kept = tuple(events)
    own = next((event.frame for event in kept if event.own), None)
    called = {id(event.frame.scope.node): event.frame.scope for event in kept if not event.own}
    void = tuple(spot for scope in called.values() for spot in void_answers(modules, scope))
    named = _arguments(parameters)
    late = (
        late_authorization_checks(modules, own.scope, kept, named)
        if own is not None and own.scope.kind == "function"
        else ()
    )
    work = _InlineGuardSearch(modules, named, _frames(kept), own, (*void, *late))
    refusals = {one.spot: one.status for one in responses if one.how in ("returned", "raised")}
    found: dict[Guard, None] = {}
    for event in kept:
        kind = ACCESS_BY_STATUS.get(refusals.get(event.spot))
        if kind is not None and event.kind in _SENDING:
            found |= dict.fromkeys(work.guards(event, kind))
    return (*found, *(guard for scope in _own(kept) for guard in asked(modules, scope).guards))


def _own(events: Iterable[Event]) -> tuple[Scope, ...]:
    """The scope of the handler itself."""
    scopes = {id(event.frame.scope): event.frame.scope for event in events if event.frame.depth == 0}
    return tuple(scope for scope in scopes.values() if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef))


def _arguments(parameters: Iterable[CodeParameter]) -> dict[str, Credential]:
    return {
        one.name.replace("-", "_").lower(): Credential(one.location, one.name)
        for one in parameters
        if one.location in ("header", "cookie", "query")
    }


def _frames(events: Iterable[Event]) -> dict[int, Frame]:
    """The frame in which each condition stands."""
    scopes = {id(event.frame.scope): event.frame for event in events}
    return {
        id(node.test): frame for frame in scopes.values() for node in ast.walk(frame.scope.node)
        if isinstance(node, ast.If)
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _InlineGuardSearch:
    modules: Modules
    arguments: dict[str, Credential]
    frames: dict[int, Frame]
    own: Frame | None = None
    open: tuple[Spot, ...] = ()

    def guards(self, event: Event, kind: AccessKind) -> Iterator[Guard]:
        """The guards that the condition around one refusal is; without one around it, the conditions before it."""
        tests = [(self.frames.get(id(test), event.frame), test) for test in event.tests[-1:]]
        if not tests:
            tests = [(event.frame, node.test) for node in ast.walk(event.frame.scope.node) if isinstance(node, ast.If)]
        for frame, test in tests:
            read = dict.fromkeys(self.credentials(frame, test, _HOPS))
            told = [one for one in read if _tells(one, kind)]
            past = [
                *self._bypass_conditions(event.frame, event.spot),
                *self._bypass_conditions(frame, frame.scope.spot(test)),
            ]
            past += [*self._wrong(frame, test), *self.open]
            if not event.own and self.own is not None:  # it is called, maybe below a condition of the handler
                past += bypass_conditions(self.modules, self.own.scope, self.arguments)
            if not past and told and self.own is not None and self.own.scope.kind == "function":
                open_at = left_open(self.modules, self.own.scope, _kind(told[0], kind), self.arguments)
                past += [frame.scope.spot(test)] if open_at == () else list(open_at or ())
            for one in told:
                scheme = self._scheme(one, event.frame, frame)
                yield Guard(
                    name=frame.scope.qualname,
                    kind=_kind(one, kind),
                    spot=frame.scope.spot(test),
                    scheme=scheme,
                    unless=tuple(dict.fromkeys(past)),
                )

    def _bypass_conditions(self, frame: Frame, refusal: Spot) -> tuple[Spot, ...]:
        """The ways past a refusal that stand before it."""
        found = bypass_conditions(self.modules, frame.scope, self.arguments) if frame.scope.kind == "function" else ()
        return tuple(spot for spot in found if spot.first <= refusal.last)

    def _wrong(self, frame: Frame, test: ast.expr) -> list[Spot]:
        """The test itself where it refuses the wrong callers."""
        spot = frame.scope.spot(test)
        return [spot] if spot in ineffective_conditions(self.modules, frame.scope) else []

    def _scheme(self, found: Credential, *frames: Frame) -> str:
        if found.name.lower() == "authorization":
            told = challenges(text for frame in frames for text in texts_in(frame.scope.node))
            return told[0] if len(told) == 1 else ""
        return f"apiKey {found.place} {found.name}" if found.name else ""

    def credentials(self, frame: Frame, node: ast.AST, hops: int) -> Iterator[Credential]:
        """What an expression reads of the request, over local names and supplied functions that it calls."""
        for inner in ast.walk(node):
            keyed = _keyed(inner)
            if keyed is not None:
                name = value_in(self.modules, frame, keyed[1])
                if isinstance(name, str) and name is not ABSENT:
                    yield Credential(keyed[0], _spelled(name, inner))
            elif isinstance(inner, ast.Attribute) and _KNOWN.search(ast.unparse(inner)):
                yield Credential("", "")
            elif isinstance(inner, ast.Name) and hops > 0:
                yield from self._behind(frame, inner, hops - 1)
            elif isinstance(inner, ast.Call) and hops > 0:
                yield from self._called(frame, inner, hops - 1)

    def _behind(self, frame: Frame, name: ast.Name, hops: int) -> Iterator[Credential]:
        found = self.modules.lookup(frame.scope, name.id)
        if isinstance(found, External) and found.name == "flask.session":
            yield Credential("", "")
        given = argument_of(self.modules, frame, name)
        if given is not None:
            yield from self.credentials(given[0], given[1], hops)
            return
        for binding in frame.scope.names.get(name.id, []) if frame.scope.kind == "function" else []:
            value = binding.node if isinstance(binding.node, ast.expr) else getattr(binding.statement, "value", None)
            if isinstance(value, ast.expr):
                yield from self.credentials(frame, value, hops)
            elif isinstance(binding.node, ast.arg) and frame.depth == 0 and name.id.lower() in self.arguments:
                yield self.arguments[name.id.lower()]

    def _called(self, frame: Frame, call: ast.Call, hops: int) -> Iterator[Credential]:
        found = self.modules.called(frame.scope, call)
        if isinstance(found, Definition) and isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = bind(self.modules, found, call, frame)
            for statement in found.node.body if inner is not None else ():
                yield from self.credentials(inner or frame, statement, hops)


def _keyed(node: ast.AST) -> tuple[Location, ast.expr] | None:
    """Place and key of `request.headers["name"]` and `request.headers.get("name")`, not of an answer's."""
    match node:
        case ast.Subscript(value=ast.Attribute() as holder, slice=key, ctx=ast.Load()):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as holder, attr="get"), args=[key, *_]):
            pass
        case _:
            return None
    place = _PLACES.get(holder.attr)
    return None if place is None or "resp" in ast.unparse(holder.value).lower() else (place, key)


def _spelled(name: str, node: ast.AST) -> str:
    """`HTTP_X_KEY` of Django's `META` as the header that it is."""
    in_meta = any(isinstance(one, ast.Attribute) and one.attr == "META" for one in ast.walk(node))
    return name.removeprefix("HTTP_").replace("_", "-").title() if in_meta else name


def _tells(found: Credential, kind: AccessKind) -> bool:
    """True for what may be a credential: any header or cookie before a 401, else one by its name."""
    if _NAMED.search(found.name) or not found.name:
        return True
    return kind == "authentication" and found.place in ("header", "cookie")


def _kind(found: Credential, kind: AccessKind) -> AccessKind:
    """A service may answer 403 to who brings no credentials at all."""
    return "authentication" if not found.name or _NAMED.search(found.name) else kind
