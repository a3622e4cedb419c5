"""What a route answers: returned, raised in it or below it, mapped by exception handlers, or sent by FastAPI itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.answers import ERRORS, failing_lookups, leaves_code_open, limits
from evreview.codefacts.asgi.apps import Registration, RouterPath
from evreview.codefacts.asgi.inputs import hands_response, headers_set, statuses_set
from evreview.codefacts.asgi.parameters import sort_of
from evreview.codefacts.asgi.responses import (
    MEDIA,
    NO_BODY,
    built,
    codes_in,
    content_schema,
    exception_parts,
    lone_code,
    raised_response,
    response_class,
)
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import (
    Event,
    Frame,
    ParameterFrames,
    events_of,
    exception_of,
    falls_through,
    is_kind_of,
)
from evreview.codefacts.handlers import checks
from evreview.codefacts.model import CodeNote, CodeResponse, OpenInput, RouteIdentity, Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope, is_none
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.codefacts.outside_calls import looked_at, unsupplied
from evreview.codefacts.schema_reading import AnnotationSchema, Schema, any_of
from evreview.core.vocabulary import ABSENT, Json

VALIDATION_ERROR: Final[Json] = {
    "type": "object",
    "properties": {
        "detail": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "loc": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
                    "msg": {"type": "string"},
                    "type": {"type": "string"},
                },
                "required": ["loc", "msg", "type"],
            },
        }
    },
    "required": ["detail"],
}
"""The body of FastAPI's own 422."""


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """One registered exception handler: for which exception or status, and the function."""

    kind: Resolved
    status: int | None
    function: Definition


@dataclass(slots=True)
class Outcomes:
    """Responses, notes and what could not be read, of one route. `plain`: Starlette answers, in plain text.

    Attributes:
        elsewhere: calls of what no supplied file holds.
        rewritten: what stands around the handler and may answer in its place.
        told: what tells the route from others, for what runs around several.
        given: what parameters around the decorator that is read stand for.
        passed: the values that it returns, by identity, that are decorators of their own.
    """

    responses: list[CodeResponse] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)
    unread: list[UnsupportedCode] = field(default_factory=list)
    plain: bool = False
    elsewhere: list[UnsupportedCode] = field(default_factory=list)
    rewritten: list[UnsupportedCode] = field(default_factory=list)
    told: RouteIdentity | None = None
    open_inputs: list[OpenInput] = field(default_factory=list)
    given: ParameterFrames = field(default_factory=dict)
    passed: frozenset[int] = frozenset()

    def covered(
        self, spot: Spot, found: str, advice: str, *, composed: bool = False, part: UnreadPart = UnreadPart.MIDDLEWARE
    ) -> None:
        """Notes something around the handler that is not followed: it may refuse, and answer in its place."""
        one = UnsupportedCode(spot, found, advice, composed=composed, part=part)
        self.unread.append(one)
        self.rewritten.append(one)


def raises(
    modules: Modules, events: Iterable[Event], handlers: Sequence[Handler], out: Outcomes
) -> tuple[CodeResponse, ...]:
    """Note what each uncaught `raise` is answered with."""
    found: list[CodeResponse] = []
    kept = tuple(events)
    out.elsewhere += looked_at(modules, (event.frame.scope for event in kept))
    for event in kept:
        if event.kind is ast.Call:
            out.elsewhere += unsupplied(modules, [event])
        if event.kind is not ast.Raise or not isinstance(event.statement, ast.Raise) or event.statement.exc is None:
            continue
        made = _raised(modules, event, event.statement.exc, handlers, out)
        out.notes += [*limits(modules, event, made), *checks(modules, event, made)]
        found += made
    out.responses += found
    return tuple(found)


def _raised(
    modules: Modules, event: Event, raised: ast.expr, handlers: Sequence[Handler], out: Outcomes
) -> tuple[CodeResponse, ...]:
    cls = exception_of(modules, event.frame, raised)
    parts = exception_parts(modules, event, raised)
    made = raised_response(modules, parts, event.spot) if parts else ()
    handler = _handler(modules, handlers, cls, [one.status for one in made])
    if handler is not None:
        headed = parts is not None and parts.headers is not None
        detail = lone_code(modules, parts.frame, parts.content) if parts else ()
        made = tuple(replace(one, codes=one.codes or detail, headers=one.headers if headed else ()) for one in made)
        return _mapped(modules, handler, made, event.spot, out)
    if made:
        return tuple(replace(one, media_type="text/plain", schema=None) for one in made) if out.plain else made
    name = cls.name if isinstance(cls, External | Definition) else ast.unparse(raised)[:100]
    found = f"`{name}` is raised, and no supplied exception handler says what that answers"
    out.unread.append(UnsupportedCode(event.spot, found, "Supply the handler, or declare the response with a quote."))
    return ()


def _handler(
    modules: Modules, handlers: Sequence[Handler], cls: Resolved, statuses: Sequence[int | None]
) -> Handler | None:
    """The handler of the status, else of the nearest class among the exception's bases."""
    for handler in handlers:
        if handler.status is not None and handler.status in statuses:
            return handler
    ancestry = modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
    for base in ancestry:
        for handler in handlers:
            if handler.kind is not None and is_kind_of(modules, base, handler.kind) and not _everything(handler):
                return handler
    everything = [handler for handler in handlers if _everything(handler)]
    http = any(isinstance(base, External) and base.last == "HTTPException" for base in ancestry)
    return everything[0] if everything and not http and cls is not None else None


def _everything(handler: Handler) -> bool:
    return isinstance(handler.kind, External) and handler.kind.name == "builtins.Exception"


def _mapped(
    modules: Modules, handler: Handler, made: Sequence[CodeResponse], spot: Spot, out: Outcomes
) -> tuple[CodeResponse, ...]:
    """What the handler returns, with the status and codes of the exception where it takes them from there."""
    returned = list(handled(modules, handler))
    if not returned:
        word = handler.function.qualname
        out.unread.append(
            UnsupportedCode(spot, f"what the exception handler `{word}` answers", "Declare it with a quote.")
        )
        return tuple(replace(one, schema=None, media_type="", exact=False) for one in made)
    statuses = [one.status for one in made] or [None]
    codes = made[0].codes if made else ()
    headers = made[0].headers if made else ()
    return tuple(
        replace(
            one,
            how="raised",
            status=status if one.status is None else one.status,
            spot=spot,
            codes=tuple(dict.fromkeys([*one.codes, *(codes if leaves_code_open(one.schema) else ())])),
            headers=one.headers or headers,
        )
        for one in returned
        for status in (statuses if one.status is None else [None])
    )


def lookups(
    modules: Modules, function: Definition, events: Iterable[Event], handlers: Sequence[Handler], out: Outcomes
) -> None:
    """Note lookups that may fail where a handler answers for their error."""
    known = [one for one in handlers if isinstance(one.kind, External) and one.kind.name in ERRORS]
    statuses = {answer.status for one in known for answer in handled(modules, one)}
    out.elsewhere += failing_lookups(modules, function, events, statuses)


def handled(modules: Modules, handler: Handler) -> Iterator[CodeResponse]:
    """The responses that an exception handler returns."""
    for event in events_of(modules, handler.function):
        if event.kind is ast.Return and event.own and isinstance(event.statement, ast.Return):
            yield from built(modules, event.frame, event.statement.value, event.spot) or ()


def returns(modules: Modules, events: Iterable[Event]) -> tuple[list[CodeResponse], list[Event]]:
    """The responses that a handler builds itself, and its returns of anything else."""
    found: list[CodeResponse] = []
    other: list[Event] = []
    for event in events:
        if event.kind is not ast.Return or not event.own or not isinstance(event.statement, ast.Return):
            continue
        made = built(modules, event.frame, event.statement.value, event.spot)
        if made is None:
            other.append(event)
        else:
            found += made
    return found, other


def refusal(modules: Modules, spot: Spot, handlers: Sequence[Handler], out: Outcomes) -> tuple[CodeResponse, ...]:
    """What invalid input is answered with: FastAPI's 422, or what the supplied handler makes of it."""
    own = External("fastapi.exceptions.RequestValidationError")
    for handler in handlers:
        validation = isinstance(handler.kind, External) and handler.kind.last == "RequestValidationError"
        if validation or (handler.kind is not None and handler.kind == own) or handler.status == 422:
            returned = list(handled(modules, handler))
            if not returned:
                word = handler.function.qualname
                out.unread.append(UnsupportedCode(spot, f"what the exception handler `{word}` answers", ""))
            return tuple(replace(one, how="framework") for one in returned)
    return (
        CodeResponse(
            status=422, how="framework", spot=spot, media_type="application/json", schema=VALIDATION_ERROR, exact=True
        ),
    )


def checks_before(modules: Modules, events: Iterable[Event], sent: Sequence[CodeResponse]) -> Iterator[CodeNote]:
    """What the conditions around returned refusals look at."""
    for event in events:
        if event.kind is ast.Return:
            yield from checks(modules, event, [one for one in sent if one.spot == event.spot])


def value_of(modules: Modules, event: Event) -> tuple[Json, bool, tuple[str, ...]]:
    """Schema, exactness and error codes of a plainly returned value."""
    value = event.statement.value if isinstance(event.statement, ast.Return) else None
    if value is None:
        return {"type": "null"}, True, ()
    schema, exact = content_schema(modules, event.frame, value)
    return schema, exact, codes_in(modules, event.frame, value)


def frame_of(modules: Modules, function: Definition) -> Frame | None:
    """A frame in which nothing is given."""
    scope = modules.body(function)
    return Frame(scope) if scope else None


# Headers that a handler sets on the way to some of its plain returns and not on the way to others.


_Names = frozenset[str]


def sometimes(
    modules: Modules, body: list[ast.stmt], events: Iterable[Event], plain: Sequence[Event]
) -> tuple[str, ...]:
    """The headers that the handler sets, and not on every way to a plain return.

    What a called function or a loop sets counts as set: who calls it may know more than is followed here.
    """
    setting: dict[int, _Names] = {}
    elsewhere: set[str] = set()
    for event in events:
        names = frozenset(name for name, _ in headers_set(modules, [event]))
        if event.own:
            setting[id(event.statement)] = setting.get(id(event.statement), frozenset()) | names
        else:
            elsewhere |= names
    paths = _Paths(setting, {id(event.statement) for event in plain})
    end = paths.block(body, frozenset())
    if end is not None and falls_through(body):
        paths.exits.append(end)
    every = frozenset().union(*setting.values())
    missing = (every - surely for surely in paths.exits)
    return tuple(sorted(frozenset().union(*missing) - elsewhere))


def _join(states: Iterable[_Names | None]) -> _Names | None:
    found: _Names | None = None
    for state in states:
        found = state if found is None else found if state is None else found & state
    return found


@dataclass(slots=True)
class _Paths:
    """Walks the ways through a body with the names that are set by then; None stands for what nothing reaches."""

    setting: Mapping[int, _Names]
    plain: set[int]
    exits: list[_Names] = field(default_factory=list)

    def block(self, body: Iterable[ast.stmt], state: _Names | None) -> _Names | None:
        for statement in body:
            if state is None:
                return None
            state = self.statement(statement, state)
        return state

    def statement(self, statement: ast.stmt, state: _Names) -> _Names | None:
        state |= self.setting.get(id(statement), frozenset())
        match statement:
            case ast.Return():
                if id(statement) in self.plain:
                    self.exits.append(state)
                return None
            case ast.Raise() | ast.Continue() | ast.Break():
                return None
            case ast.If(body=body, orelse=orelse):
                return _join([self.block(body, state), self.block(orelse, state)])
            case ast.With(body=body) | ast.AsyncWith(body=body):
                return self.block(body, state)
            case ast.For() | ast.AsyncFor() | ast.While():
                self.block([*statement.body, *statement.orelse], state)
                return state.union(*(self.setting.get(id(inner), frozenset()) for inner in ast.walk(statement)))
            case ast.Try():
                done = self.block([*statement.body, *statement.orelse], state)
                caught = [self.block(handler.body, state) for handler in statement.handlers]
                return self.block(statement.finalbody, _join([done, *caught]))
            case ast.Match(cases=cases):
                return _join(self.block(case.body, state) for case in cases)
        return state


# What a FastAPI route answers when its handler returns a plain value, and what is declared for documentation only.


_SPARSE: Final = ("response_model_exclude_unset", "response_model_exclude_defaults", "response_model_exclude_none")
_EXCLUDE: Final = "response_model_exclude"
_CHOOSING: Final = ("response_model_include", _EXCLUDE, "response_model_by_alias")


def success(
    modules: Modules,
    one: Registration,
    reach: RouterPath,
    happens: tuple[Sequence[Event], Sequence[Event], Sequence[Event]],
    headers: tuple[str, ...],
) -> tuple[CodeResponse, ...]:
    """The default answer, unless the handler provably never returns a plain value.

    `happens` is all that happens, the returns of plain values, and what happens in dependencies before.
    """
    events, plain, before = happens
    body: list[ast.stmt] = getattr(one.handler.node, "body", [])
    if not plain and not falls_through(body):
        return ()
    media = _media(modules, one, reach)
    shape = _shape(modules, one, plain)
    found = []
    statuses = list(_statuses(modules, one, events, before))
    # Where the status depends on the way as well, nobody knows which of them goes with which header.
    some = sometimes(modules, body, events, plain) if len(statuses) == 1 else ()
    for status, spot in statuses:
        bare = status in NO_BODY
        found.append(
            CodeResponse(
                status=status, how="returned", spot=spot, media_type="" if bare else media,
                schema=None if bare or media != "application/json" else shape.schema,
                exact=bare or (media == "application/json" and shape.exact),
                headers=tuple(dict.fromkeys(headers)), models=() if bare else shape.spots,
                sometimes=some,
            )
        )  # fmt: skip
    return tuple(found)


def _statuses(
    modules: Modules, one: Registration, events: Sequence[Event], before: Sequence[Event]
) -> Iterator[tuple[int | None, Spot]]:
    """The decorator's status, and those assigned to a response; an assignment that is always made replaces it.

    A dependency sets it too, unless the handler does; what gets the response and stands in no supplied file may.
    """
    own = list(statuses_set(modules, events))
    always = [event for _, event in own if _is_always(event)]
    assigned = own if always else [*statuses_set(modules, before), *own]
    always = [event for _, event in assigned if _is_always(event)]
    for event in (*before, *events):
        if hands_response(modules, event):
            yield None, event.spot
    if not always:
        given = one.words.get("status_code")
        status = whole(constant(modules, one.use.scope, given)) if given is not None else 200
        yield status, one.spot
    for value, event in assigned:
        yield whole(value), event.spot


def _is_always(event: Event) -> bool:
    """True for a statement of a function's own first level."""
    return event.own and event.statement in getattr(event.frame.scope.node, "body", [])


def _media(modules: Modules, one: Registration, reach: RouterPath) -> str:
    """The media type of the response class of the decorator, the routers, or FastAPI's default."""
    places: list[tuple[Scope, ast.expr | None]] = [(one.use.scope, one.words.get("response_class"))]
    for holder in reversed(reach.outer):
        places.append((holder.scope, holder.words.get("default_response_class")))
    for scope, given in places:
        if given is None:
            continue
        found = modules.resolve(scope, given)
        name = response_class(modules, found)
        if isinstance(found, Definition):
            stated = modules.member(found, "media_type")
            value = constant(modules, stated.scope, stated.node) if isinstance(stated, Definition) else None
            return str(value) if isinstance(value, str) else ""
        return MEDIA.get(name, "")
    return "application/json"


def _shape(modules: Modules, one: Registration, plain: Sequence[Event]) -> AnnotationSchema:
    """The values of the response model, else of the return annotation, else of what is returned."""
    sparse = any(constant(modules, one.use.scope, one.words.get(word)) is True for word in _SPARSE)
    choosing = [word for word in _CHOOSING if word in one.words]
    gone = _excluded(modules, one) if choosing == [_EXCLUDE] else None
    direction = "sparse" if sparse or (choosing and gone is None) else "written"
    given = one.words.get("response_model")
    if given is not None and not is_none(given):
        found = shape_of(modules, one.use.scope, given, direction)  # type: ignore[arg-type]
        return found if not choosing else _without(found, gone)
    returned = getattr(one.handler.node, "returns", None)
    if given is None and returned is not None and sort_of(modules, one.handler.scope, returned) != "Response":
        return shape_of(modules, one.handler.scope, returned, direction)  # type: ignore[arg-type]
    found_values = [value_of(modules, event) for event in plain]
    if not found_values or any(schema is None for schema, _, _ in found_values):
        return AnnotationSchema(None, False)
    schemas: list[Schema] = [schema for schema, _, _ in found_values if isinstance(schema, dict)]
    return AnnotationSchema(any_of(schemas), all(exact for _, exact, _ in found_values))


def _excluded(modules: Modules, one: Registration) -> tuple[str, ...] | None:
    """The names in `response_model_exclude={"a", "b"}`, None when they can't be told."""
    given = one.words.get(_EXCLUDE)
    parts = given.elts if isinstance(given, ast.Set | ast.List | ast.Tuple) else ()
    names = [constant(modules, one.use.scope, part) for part in parts]
    told = [name for name in names if isinstance(name, str) and name is not ABSENT]
    return tuple(told) if told and len(told) == len(names) else None


def _without(shape: AnnotationSchema, names: tuple[str, ...] | None) -> AnnotationSchema:
    """A model's values without some of its members; anything where the members can't be told."""
    schema = shape.schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if names is None or not isinstance(schema, dict) or not isinstance(properties, dict) or {*names} - {*properties}:
        return AnnotationSchema({}, False, spots=shape.spots)
    required = schema.get("required")
    kept: list[Json] = [name for name in required if name not in names] if isinstance(required, list) else []
    left: Json = {name: part for name, part in properties.items() if name not in names}
    return replace(shape, schema={**schema, "properties": left, "required": kept})


def declared(modules: Modules, one: Registration, known: set[int | None]) -> Iterator[CodeResponse]:
    """Statuses of the decorator's `responses=` that nothing in the code sends."""
    given = one.words.get("responses")
    found = modules.resolve(one.use.scope, given)
    node, scope = (found.node, found.scope) if isinstance(found, Definition) else (given, one.use.scope)
    if not isinstance(node, ast.Dict):
        return
    for key, value in zip(node.keys, node.values, strict=True):
        status = whole(constant(modules, scope, key))
        if status is None or status in known or key is None:
            continue
        model = _model(modules, scope, value)
        shape = shape_of(modules, scope, model, "written") if model is not None else AnnotationSchema(None, False)
        media = "application/json" if model is not None else ""
        spot = scope.spot(key)
        last = scope.spot(value).last
        schema: Json = shape.schema
        yield CodeResponse(
            status=status, how="declared", spot=Spot(spot.item, spot.first, last, spot.path), media_type=media,
            schema=schema, exact=False, models=shape.spots,
        )  # fmt: skip


def _model(modules: Modules, scope: Scope, value: ast.expr) -> ast.expr | None:
    found = modules.resolve(scope, value)
    node = found.node if isinstance(found, Definition) else value
    if not isinstance(node, ast.Dict):
        return None
    for key, part in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "model":
            return part
    return None
