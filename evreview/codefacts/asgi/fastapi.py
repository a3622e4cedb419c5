"""The routes of FastAPI applications, with all that each takes and answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar, cast

from evreview.codefacts.answers import side_effects
from evreview.codefacts.asgi.apps import PLAIN, Registration, RouterPath, Site, reaches, registrations, site_of
from evreview.codefacts.asgi.guards import (
    add_middleware,
    guards_by_status,
    handlers_of,
    idle_guards,
    optional,
    overridden,
    replaced,
    signed_in,
    take_decorators,
    take_wraps,
)
from evreview.codefacts.asgi.inputs import (
    Inputs,
    Piece,
    frames_of,
    headers_set,
    notes_of_pages,
    request_reads,
    take_depends,
    take_function,
)
from evreview.codefacts.asgi.outcomes import (
    Outcomes,
    checks_before,
    declared,
    lookups,
    raises,
    refusal,
    returns,
    success,
)
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.control_flow import Event, Frame, conditions, events_of, stores
from evreview.codefacts.guards.bypass import CREDENTIAL
from evreview.codefacts.guards.conditional import conditional_guards, untold
from evreview.codefacts.guards.inline import inline_guards
from evreview.codefacts.handlers import caps, once
from evreview.codefacts.model import (
    CodeBody,
    CodeFacts,
    CodeResponse,
    Guard,
    Route,
    RouteIdentity,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope, arguments
from evreview.codefacts.names import Definition, Modules, Resolved
from evreview.codefacts.schema_reading import Schema, keywords
from evreview.core.vocabulary import ABSENT, Json

# The request body of a FastAPI route, from the parameters that are read from it.


def body_of(modules: Modules, pieces: Sequence[Piece]) -> CodeBody | None:
    """One body of all pieces: the value itself, or an object with a member for each."""
    if not pieces:
        return None
    media = _media(modules, pieces)
    alone = pieces[0]
    embedded = len({piece.name for piece in pieces}) > 1 or alone.mark.value(modules, "embed") is True
    form = alone.kind == "File" or (alone.kind == "Form" and not _is_model(alone))
    schema = _object(pieces) if embedded or form else cast(Schema, alone.shape.schema)
    return CodeBody(
        media_type=media,
        spot=_around([piece.mark.spot for piece in pieces]),
        required=any(piece.mark.required for piece in pieces),
        schema=schema,
        exact=all(piece.shape.exact for piece in pieces),
        coerces=any(piece.shape.coerces for piece in pieces),
        models=tuple(dict.fromkeys(spot for piece in pieces for spot in piece.shape.spots)),
    )


def _is_model(piece: Piece) -> bool:
    schema = piece.shape.schema
    return isinstance(schema, dict) and ("properties" in schema or "$ref" in schema)


def _media(modules: Modules, pieces: Sequence[Piece]) -> str:
    kinds = {piece.kind for piece in pieces}
    if "File" in kinds:
        return "multipart/form-data"
    if "Form" in kinds:
        return "application/x-www-form-urlencoded"
    return pieces[0].mark.text(modules, "media_type") or "application/json"


def _object(pieces: Sequence[Piece]) -> Schema:
    properties: dict[str, Json] = {}
    required: list[Json] = []
    defs: dict[str, Json] = {}
    for piece in pieces:
        schema = _with_own_names(cast(Schema, piece.shape.schema), defs)
        properties[piece.name] = schema | ({"default": piece.default} if piece.default is not ABSENT else {})
        if piece.mark.required and piece.name not in required:
            required.append(piece.name)
    whole: Schema = {"type": "object", "properties": properties}
    whole |= {"required": required} if required else {}
    return whole | ({"$defs": defs} if defs else {})


def _with_own_names(schema: Schema, defs: dict[str, Json]) -> Schema:
    """The schema without its `$defs`, which move into `defs`; under another name where one is taken."""
    own = cast(dict[str, Json], schema.get("$defs", {}))
    names = {name: _free(name, inner, defs) for name, inner in own.items()}
    for name, inner in own.items():
        defs[names[name]] = _renamed(inner, names)
    return {key: _renamed(value, names) for key, value in schema.items() if key != "$defs"}


def _free(name: str, inner: Json, defs: dict[str, Json]) -> str:
    number, free = 1, name
    while free in defs and defs[free] != inner:
        number += 1
        free = f"{name}_{number}"
    return free


def _renamed(value: Json, names: dict[str, str]) -> Json:
    if isinstance(value, dict):
        return {
            key: f"#/$defs/{names.get(str(part).rpartition('/')[2], str(part).rpartition('/')[2])}"
            if key == "$ref"
            else _renamed(part, names)
            for key, part in value.items()
        }
    return [_renamed(part, names) for part in value] if isinstance(value, list) else value


def _around(spots: Sequence[Spot]) -> Spot:
    """The lines from the first to the last parameter of the first one's function."""
    first = spots[0]
    same = [spot for spot in spots if spot.item == first.item and abs(spot.first - first.first) < 40]
    return Spot(first.item, min(spot.first for spot in same), max(spot.last for spot in same), first.path)


Value = TypeVar("Value")
_DECLARE: Final = "Declare the routes with quotes, or retain the routes of the running service."
_OWN_WAYS: Final = ("__init__", "__call__", "build_middleware_stack", "add_api_route", "api_route", "include_router")
"""Methods of applications and routers that decide what stands before a route."""
_ROUTE_METHODS: Final = ("get_route_handler", "handle", "__call__", "__init__")
CONVERTER: Final = re.compile(r"\{([^{}:]*)(?::[^{}]*)?\}")


def read_fastapi(modules: Modules) -> CodeFacts:
    """Every path operation of every FastAPI application and router, and what could not be read."""
    site = site_of(modules)
    unread = list(site.unread)
    uses = [use for use in site.uses if use.holder.fast and use.name not in PLAIN]
    registered = [one for use in uses for one in registrations(modules, use, unread)]
    routes: list[Route] = []
    for reach in reaches(modules, site):
        own = [one for one in registered if one.use.holder is reach.holder]
        if "{?}" in reach.prefix and own:
            spot = reach.holder.scope.spot(reach.holder.call)
            unread.append(
                UnsupportedCode(spot, "a prefix that is not constant", _DECLARE, composed=True, part=UnreadPart.PREFIX)
            )
            continue
        for one in own:
            routes += [replace(each, registered=_place(reach, one)) for each in _routes(modules, site, reach, one)]
    return CodeFacts(routes=tuple(routes), unread=tuple(unread))


def _place(reach: RouterPath, one: Registration) -> tuple[tuple[str, str, int], ...]:
    """Where a route's application is made, what joins its routers, and where it is registered."""
    calls = [(reach.outer[0].scope, reach.outer[0].call)] if reach.outer else []
    calls += [*((link.scope, link.call) for link in reach.links), (one.use.scope, one.use.call)]
    return tuple((scope.module.source.item, scope.qualname, call.lineno) for scope, call in calls)


def _routes(modules: Modules, site: Site, reach: RouterPath, one: Registration) -> Iterator[Route]:
    written = reach.prefix + one.path
    names = frozenset(CONVERTER.findall(written))
    inputs = Inputs(names)
    for scope, call, sure in _dependencies(modules, reach, one, inputs.unread):
        since = len(inputs.guards)
        take_depends(modules, inputs, scope, call)
        if not sure:
            word = ast.unparse(call)[:100]
            found = f"the dependency `{word}`, which a condition decides on"
            inputs.unread.append(
                UnsupportedCode(scope.spot(call), found, _DECLARE, composed=True, part=UnreadPart.DEPENDENCY)
            )
            inputs.guards[since:] = [replace(each, unless=(scope.spot(call),)) for each in inputs.guards[since:]]
    take_function(modules, inputs, one.handler)
    _class_level(modules, inputs, one.handler)
    path = CONVERTER.sub(r"{\1}", written) or "/"
    out = Outcomes(unread=inputs.unread, told=RouteIdentity(one.methods[0], path) if len(one.methods) == 1 else None)
    guards = _answers(modules, site, reach, one, (inputs, out))
    if reach.app is None:
        spot = reach.holder.scope.spot(reach.holder.call)
        found = "a router that no supplied file includes in an application, so that its outer prefix is not known"
        out.unread.append(
            UnsupportedCode(spot, found, "Supply the file that includes it.", composed=True, part=UnreadPart.UNINCLUDED)
        )
    out.unread += [*_spread(reach, one), *_conditional(modules, reach, one), *_own_routes(modules, reach)]
    for link in reach.links:
        if link.assumed:
            found = "a prefix that a setting gives; its default is taken, and the environment may change it"
            out.unread.append(
                UnsupportedCode(
                    link.scope.spot(link.call), found, "Declare the path with a quote.", part=UnreadPart.PREFIX
                )
            )
    for method in one.methods:
        yield Route(
            method=method, path=path, handler=one.handler.qualname, framework="fastapi", spot=one.spot,
            parameters=tuple(inputs.parameters), body=body_of(modules, inputs.pieces) or _raw_body(modules, one),
            responses=once(out.responses), guards=tuple(dict.fromkeys(guards)), notes=once(out.notes),
            unread=once(out.unread), elsewhere=once(out.elsewhere),
            rewritten=once(out.rewritten), open_inputs=once((*inputs.open_inputs, *out.open_inputs)), told=out.told,
        )  # fmt: skip


def _conditional(modules: Modules, reach: RouterPath, one: Registration) -> Iterator[UnsupportedCode]:
    """Conditions that decide whether the route, or a router around it, is there at all."""
    added = one.use.function.node if one.use.function is not None else one.use.call
    for scope, node in [*((link.scope, link.call) for link in reach.links), (one.use.scope, added)]:
        if any(True for _ in conditions(modules, scope, node)):
            found = "a condition that decides whether the route is added"
            yield UnsupportedCode(scope.spot(node), found, _DECLARE, composed=True)


def _own_routes(modules: Modules, reach: RouterPath) -> Iterator[UnsupportedCode]:
    """Routers whose routes are of a class of their own, which may ask who calls before the handler."""
    for holder in reach.outer:
        cls = modules.called(holder.scope, holder.call)
        own = [name for name in _OWN_WAYS if isinstance(cls, Definition) and _defines(modules, cls, name)]
        if own and isinstance(cls, Definition):
            found = f"what `{cls.name}.{own[0]}` puts around the routes"
            yield UnsupportedCode(cls.scope.spot(cls.node), found, _DECLARE, composed=True)
        given = holder.words.get("route_class")
        made = modules.resolve(holder.scope, given) if given is not None else None
        if given is None or (modules.is_a(made, ("fastapi",), "APIRoute") and not _handles(modules, made)):
            continue
        found = f"what routes of the class `{ast.unparse(given)[:100]}` do before their handlers"
        yield UnsupportedCode(holder.scope.spot(holder.call), found, _DECLARE, composed=True)


def _defines(modules: Modules, cls: Definition, name: str) -> bool:
    """True for a class of the supplied files that says itself what a method of its framework does."""
    method = modules.member(cls, name) if isinstance(cls.node, ast.ClassDef) else None
    return isinstance(method, Definition) and isinstance(method.node, ast.FunctionDef | ast.AsyncFunctionDef)


def _handles(modules: Modules, made: Resolved) -> bool:
    own = (modules.member(made, name) for name in _ROUTE_METHODS) if isinstance(made, Definition) else ()
    return any(isinstance(one, Definition) for one in own)


def _spread(reach: RouterPath, one: Registration) -> Iterator[UnsupportedCode]:
    """Calls with `**arguments`, which may hold a prefix, a status or dependencies."""
    calls = [(holder.scope, holder.call) for holder in reach.outer]
    calls += [(link.scope, link.call) for link in reach.links]
    for scope, call in [*calls, (one.use.scope, one.use.call)]:
        if any(word.arg is None for word in call.keywords):
            yield UnsupportedCode(
                scope.spot(call),
                "arguments that are not written out",
                "Write each of them out.",
                composed=True,
                part=UnreadPart.ARGUMENTS,
            )


def _dependencies(
    modules: Modules, reach: RouterPath, one: Registration, unread: list[UnsupportedCode]
) -> Iterator[tuple[Scope, ast.Call, bool]]:
    """The dependencies of the application, the routers, the inclusions and the decorator, outermost first.

    With each, whether it surely is there; what can't be told goes to `unread`.
    """
    since = max([place for place, link in enumerate(reach.links) if link.mounted], default=-1) + 1
    holders: list[tuple[Scope, ast.expr | None]] = []
    outer = reach.outer[since:]
    for place, holder in enumerate(outer):
        if place:
            link = reach.links[since + place - 1]
            holders.append((link.scope, keywords(link.call).get("dependencies")))
        holders.append((holder.scope, holder.words.get("dependencies")))
    holders.append((one.use.scope, one.words.get("dependencies")))
    for scope, given in holders:
        listed = parts_of(modules, scope, given)
        for at, part, sure in listed.parts:
            if isinstance(part, ast.Call):
                yield at, part, sure
            else:
                word = ast.unparse(part)[:100]
                unread.append(
                    UnsupportedCode(
                        at.spot(part),
                        f"the dependency `{word}`, which can't be told",
                        _DECLARE,
                        composed=True,
                        part=UnreadPart.DEPENDENCY,
                    )
                )
        if given is not None and not listed.whole:
            unread.append(
                UnsupportedCode(
                    scope.spot(given),
                    "a list of dependencies that can't be told",
                    _DECLARE,
                    composed=True,
                    part=UnreadPart.DEPENDENCIES,
                )
            )


def _class_level(modules: Modules, inputs: Inputs, handler: Definition) -> None:
    """Dependencies that a class-based view states at class level."""
    for statement in getattr(handler.scope.node, "body", []) if handler.scope.kind == "class" else []:
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(value, ast.Call):
            called = modules.called(handler.scope, value)
            if modules.is_a(called, ("fastapi",), "Depends", "Security"):
                take_depends(modules, inputs, handler.scope, value)


def _answers(
    modules: Modules, site: Site, reach: RouterPath, one: Registration, state: tuple[Inputs, Outcomes]
) -> list[Guard]:
    """Fill in what the route answers and what else shows; the guards before it."""
    inputs, out = state
    handlers = handlers_of(modules, site, reach.app)
    apps = [holder for holder in reach.outer if holder.is_app]
    guards = list(add_middleware(modules, site, apps, handlers, out))
    guards += inputs.guards
    headers: list[str] = []
    all_events: list[Event] = []
    named = {one.name.replace("-", "_").lower() for one in inputs.parameters if one.location != "path"}
    refusing: list[Definition] = []
    for function, spot in inputs.functions:
        events = events_of(modules, function)
        raised = raises(modules, events, handlers, out)
        open_at = (
            conditional_guards(modules, [function], events, named)
            if {one.status for one in raised} & {401, 403}
            else ()
        )
        guards = [*guards, *_denying(guards, function, spot, raised, events)]
        refusing += [function] if {one.status for one in raised} & {401, 403} else []
        if open_at and not any(one.status in (None, 401, 403) for one in inputs.responses):
            guards = [replace(one, unless=(*one.unless, *open_at)) for one in guards]
        headers += [name for name, _ in headers_set(modules, events)]
        all_events += events
    before = [function for function, _ in inputs.functions]
    guards = [_told(modules, guard, refusing, (one.handler, named, before)) for guard in guards]
    out.unread += replaced(modules, before)
    guards = overridden(modules, guards, [function for function, _ in inputs.functions])
    guards += take_decorators(modules, one.handler, one.use.call, handlers, out)
    guards += take_wraps(modules, one.wraps, handlers, out)
    guards = signed_in(guards)
    events = events_of(modules, one.handler)
    made, plain = returns(modules, events)
    own_headers = [name for name, _ in headers_set(modules, events)]
    out.responses += success(modules, one, reach, (events, plain, all_events), (*headers, *own_headers))
    out.responses += made
    sent = (*made, *raises(modules, events, handlers, out))
    lookups(modules, one.handler, [*all_events, *events], handlers, out)
    if not {one.status for one in (*sent, *inputs.responses)} & {None, 401, 403}:
        guards = optional(modules, guards, refusing, named)
    guards += inline_guards(modules, events, sent, inputs.parameters)
    out.responses += inputs.responses
    if inputs.checked:
        out.responses += refusal(modules, inputs.checked[0], handlers, out)
    out.responses += declared(modules, one, {response.status for response in out.responses})
    _notes(modules, one, inputs, [*all_events, *events], out)
    # What a dependency stores only serves to let callers in.
    out.notes += [*stores(modules, events), *caps(modules, [*all_events, *events])]
    out.notes += checks_before(modules, events, made)
    idle = idle_guards(modules, inputs, one.handler, handlers)
    return [guard for guard in guards if guard.name not in idle]


def _denying(
    guards: Sequence[Guard],
    function: Definition,
    spot: Spot,
    raised: Sequence[CodeResponse],
    events: Sequence[Event],
) -> tuple[Guard, ...]:
    """The guard that a dependency is; finding out who calls is left to a scheme where there is one."""
    statuses = {response.status for response in raised}
    schemes = any(guard.kind == "authentication" and guard.scheme for guard in guards)
    taken = arguments(function.node) if isinstance(function.node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    if not schemes and 401 not in statuses and any(CREDENTIAL.search(one.arg) for one in taken):
        statuses = {401 if one == 403 else one for one in statuses}  # 403 to who brings no credentials that fit
    found = guards_by_status(function, spot, statuses, events)
    return tuple(guard for guard in found if not (schemes and guard.kind == "authentication"))


def _told(
    modules: Modules,
    guard: Guard,
    asking: Sequence[Definition],
    route: tuple[Definition, Collection[str], Sequence[Definition]],
) -> Guard:
    """The guard with what leaves open whether its function, or its handler, refuses who may not come in.

    What a scheme finds is looked at by the functions that refuse.
    """
    handler, named, functions = route
    raising = [one for one in functions if any(isinstance(node, ast.Raise) for node in ast.walk(one.node))]
    behind = asking or raising if guard.scheme else [one for one in asking if one.qualname == guard.name]
    if guard.unless or not behind or not untold(modules, [handler], guard.kind, named):
        return guard
    return replace(guard, unless=untold(modules, behind, guard.kind, named))


def _notes(modules: Modules, one: Registration, inputs: Inputs, events: Sequence[Event], out: Outcomes) -> None:
    scope = modules.body(one.handler)
    reads = request_reads(modules, frames_of(events, Frame(scope) if scope else None))
    inputs.parameters += [read for read in reads.parameters if not _known(inputs, read.name, read.location)]
    inputs.open_inputs += reads.open_inputs
    out.notes += [*inputs.notes, *reads.notes, *notes_of_pages(inputs.parameters)]
    out.notes += side_effects(modules, events)


def _known(inputs: Inputs, name: str, location: str) -> bool:
    return any(one.name.lower() == name.lower() and one.location == location for one in inputs.parameters)


def _raw_body(modules: Modules, one: Registration) -> CodeBody | None:
    """A body that the handler reads from the request object itself."""
    scope = modules.body(one.handler)
    found = request_reads(modules, [Frame(scope)] if scope else [])
    return found.bodies[0] if found.bodies else None
