"""What a route answers: returned, raised in it or below it, mapped by exception handlers, or sent by FastAPI itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.codefacts.asgi.responses import built, exception_parts, raised_response
from evreview.codefacts.control_flow import Event, Frame, Given, exception_of, is_kind_of, run_through
from evreview.codefacts.model import CodeNote, CodeResponse, OpenInput, Spot, Told, UnreadCode
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import Json
from evreview.sources.asgi.content import codes_in, content_schema, lone_code
from evreview.sources.checks import checks
from evreview.sources.effects import limits
from evreview.sources.elsewhere import looked_at, unsupplied
from evreview.sources.error_words import leaves_code_open
from evreview.sources.lookups import ERRORS, failing_lookups
from evreview.sources.resolved import Definition, External, Resolved

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
    unread: list[UnreadCode] = field(default_factory=list)
    plain: bool = False
    elsewhere: list[UnreadCode] = field(default_factory=list)
    rewritten: list[UnreadCode] = field(default_factory=list)
    told: Told | None = None
    open_inputs: list[OpenInput] = field(default_factory=list)
    given: Given = field(default_factory=dict)
    passed: frozenset[int] = frozenset()

    def covered(self, spot: Spot, found: str, advice: str, *, composed: bool = False) -> None:
        """Notes something around the handler that is not followed: it may refuse, and answer in its place."""
        one = UnreadCode(spot, found, advice, composed=composed)
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
    out.unread.append(UnreadCode(event.spot, found, "Supply the handler, or declare the response with a quote."))
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
        out.unread.append(UnreadCode(spot, f"what the exception handler `{word}` answers", "Declare it with a quote."))
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
    for event in run_through(modules, handler.function):
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
                out.unread.append(UnreadCode(spot, f"what the exception handler `{word}` answers", ""))
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
