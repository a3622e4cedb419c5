"""What a handler without annotations shows: inputs, answers, guards and notes, in one framework's dialect."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol, TypeVar

from evreview.codefacts.calls import (
    Applying,
    called_of,
    chooses,
    decorators,
    given_to,
    gives_back,
    handed_back,
    inner_functions,
    keyword,
    returned,
    unfolded,
)
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import (
    Event,
    Frame,
    Given,
    argument_of,
    falls_through,
    own_nodes,
    resolved_in,
    run_through,
)
from evreview.codefacts.decorators import known
from evreview.codefacts.guards.framework_conventions import RATE_STATUSES
from evreview.codefacts.guards.inline import inline_guards
from evreview.codefacts.guards.refusals import asked
from evreview.codefacts.model import (
    CodeBody,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Guard,
    OpenInput,
    Route,
    Spot,
    UnreadCode,
)
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Concern
from evreview.sources.called_guards import called_guards, lets_pass
from evreview.sources.challenges import asked_for
from evreview.sources.checks import caps, checks
from evreview.sources.effects import limits, side_effects
from evreview.sources.elsewhere import looked_at, unsupplied
from evreview.sources.handing_on import hands_on
from evreview.sources.holes import pierced, untold
from evreview.sources.refusals_meant import refusals_meant
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External
from evreview.sources.stores import stores

_ACCESS_STATUSES: Final = {401: "authentication", 403: "authorization"}
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_SIGN_IN: Final = re.compile(r"log_?in|sign_?in", re.IGNORECASE)
"""Words in redirects that send who is not known to sign in."""
BRANCHES: Final = "one view for several methods, whose branches are not told apart"
_SUPPLY: Final = "Supply the file that defines it."


@dataclass(slots=True)
class Found:
    """What was found about one route so far."""

    parameters: list[CodeParameter] = field(default_factory=list)
    body: CodeBody | None = None
    responses: list[CodeResponse] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)
    unread: list[UnreadCode] = field(default_factory=list)
    public: Spot | None = None
    elsewhere: list[UnreadCode] = field(default_factory=list)
    open_inputs: list[OpenInput] = field(default_factory=list)

    def parameter(self, one: CodeParameter) -> None:
        """Adds a parameter; read twice it is one, required when one of the reads demands it."""
        for at, known_one in enumerate(self.parameters):
            if (known_one.name, known_one.location) == (one.name, one.location):
                if one.required and not known_one.required:
                    self.parameters[at] = one
                return
        self.parameters.append(one)


def is_request(modules: Modules, frame: Frame, expression: ast.expr, accepts: Callable[[Definition], bool]) -> bool:
    """True for `self.request`, and for a parameter that `accepts` says is the request, whatever calls name it."""
    given = argument_of(modules, frame, expression)
    if given is not None:
        return is_request(modules, given[0], given[1], accepts)
    match expression:
        case ast.Attribute(value=ast.Name(id="self"), attr="request"):
            return True
        case ast.Name(id=name):
            found = modules.lookup(frame.scope, name)
            return isinstance(found, Definition) and isinstance(found.node, ast.arg) and accepts(found)
    return False


Kept = TypeVar("Kept")


def once(found: Iterable[Kept]) -> tuple[Kept, ...]:
    """Each value once, in the order found; schemas in them need not be hashable."""
    kept: list[Kept] = []
    for one in found:
        if one not in kept:
            kept.append(one)
    return tuple(kept)


def with_found(route: Route, found: Found) -> Route:
    """The route with what was found about it; parameters that it has stand first."""
    own = {(one.name, one.location) for one in route.parameters}
    return replace(
        route,
        parameters=(*route.parameters, *(one for one in found.parameters if (one.name, one.location) not in own)),
        body=found.body,
        responses=once(found.responses),
        guards=once(found.guards),
        notes=once(found.notes),
        unread=once(found.unread),
        public=found.public,
        elsewhere=once(found.elsewhere),
        open_inputs=once(found.open_inputs),
    )


class Dialect(Protocol):
    """How one framework reads inputs and answers."""

    def inputs(self, frame: Frame, node: ast.AST, found: Found) -> None:
        """Adds what one node of a function that runs reads of the request."""

    def raised(self, event: Event) -> Iterable[CodeResponse]:
        """The responses that an event sends by raising or aborting."""

    def returned(self, event: Event, events: Sequence[Event]) -> Iterable[CodeResponse]:
        """The responses that a return sends; `events` is all that the handler does."""


def read_handler(modules: Modules, dialect: Dialect, function: Definition, found: Found) -> None:
    """Adds everything that the handler and what it calls show."""
    events = run_through(modules, function)
    found.notes.extend([*side_effects(modules, events), *stores(modules, events), *caps(modules, events)])
    read_inputs(modules, dialect, [function], events, found)
    for event in events:
        sent = list(dialect.raised(event))
        found.responses.extend(sent)
        found.notes.extend([*limits(modules, event, sent), *checks(modules, event, sent)])
        found.elsewhere.extend(() if sent else unsupplied(modules, [event]))
    answers: list[CodeResponse] = []
    for event in returned(modules, events):
        sent = list(dialect.returned(event, events))
        answers += sent
        found.notes.extend(checks(modules, event, sent))
    found.responses.extend(answers)
    found.guards.extend(inline_guards(modules, events, found.responses))
    found.guards.extend(called_guards(modules, events))
    own = modules.body(function)
    found.unread.extend(asked(modules, own).unread if own is not None else ())
    for answer in answers:
        if answer.status is None:
            found.unread.append(UnreadCode(answer.spot, "a returned value whose status can't be told"))
    body = getattr(function.node, "body", [])
    if not answers and falls_through(body):
        scope = modules.body(function)
        spot = (scope or function.scope).spot(function.node)
        found.unread.append(UnreadCode(spot, "a handler that may return nothing"))


def read_inputs(
    modules: Modules, dialect: Dialect, functions: Sequence[Definition], events: Iterable[Event], found: Found
) -> None:
    """Adds what the functions, and those that they call, read of the request."""
    own = [Frame(scope) for function in functions if (scope := modules.body(function)) is not None]
    frames = {id(frame.scope): frame for frame in own} | {
        id(event.frame): event.frame for event in events if event.frame.depth
    }
    for frame in frames.values():
        for node in _nodes(modules, frame.scope.node):
            dialect.inputs(frame, node, found)
    found.elsewhere.extend(looked_at(modules, (frame.scope for frame in frames.values())))


def _nodes(modules: Modules, function: ast.AST) -> tuple[ast.AST, ...]:
    return remembered(modules, f"nodes {id(function)}", lambda: (function, tuple(own_nodes(function))))[1]


def read_decorators(modules: Modules, dialect: Dialect, function: Definition, found: Found, own: Sequence[str]) -> None:
    """Adds what the decorators do, those whose last name is in `own` left out."""
    for name, call in decorators(function.node):
        if (name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")) not in own:
            read_decorator(modules, dialect, function.scope, (name, call), found)


def read_decorator(
    modules: Modules, dialect: Dialect, scope: Scope, written: tuple[ast.expr, ast.Call | None], found: Found
) -> None:
    """Adds what one decorator does, and what it hands back in its place: as a rule says, or as its own code shows."""
    since = len(found.guards)
    for at in unfolded(modules, scope, written):
        _read_one(modules, dialect, at, found)
    if chooses(modules, modules.resolve(scope, written[0])):
        spots = (scope.spot(written[1] or written[0]),)
        found.guards[since:] = [replace(one, unless=(*one.unless, *spots)) for one in found.guards[since:]]


def _read_one(modules: Modules, dialect: Dialect, at: Applying, found: Found) -> None:
    resolved = resolved_in(modules, at.frame, at.name)
    spot = at.scope.spot(at.call or at.name)
    text = ast.unparse(at.name)[:120]
    called = called_of(modules, resolved)
    if isinstance(resolved, External):
        _known(modules, at.scope, at.call, Written(text, spot, at.name), found)
    elif called is not None:
        if gives_back(called.node):
            return
        passed = frozenset(id(one.value) for one in handed_back(modules, called, at))
        given = given_to(modules, called, at) if called is resolved else {}
        inner = [called, *inner_functions(modules, called)]
        read_gate(modules, dialect, inner, Written(text, spot, given=given, passed=passed), found)
    else:
        found.public = None
        found.unread.append(UnreadCode(spot, f"the decorator `{text}`, which no supplied file defines", _SUPPLY))


@dataclass(frozen=True, slots=True)
class Written:
    """Something by its name in the code, and its lines.

    Attributes:
        answers: what it returns is sent in place of what the handler answers; only what it raises counts otherwise.
        given: what parameters of decorators around it stand for.
        passed: the returned values, by identity, that are decorators of their own.
    """

    name: str
    spot: Spot
    node: ast.expr | None = None
    answers: bool = True
    given: Given = field(default_factory=dict)
    passed: frozenset[int] = frozenset()


def _known(modules: Modules, scope: Scope, call: ast.Call | None, at: Written, found: Found) -> None:
    resolved = modules.resolve(scope, at.node)
    rule = known(resolved) if isinstance(resolved, External) else None
    if rule is None:
        found.public = None
        found.unread.append(UnreadCode(at.spot, f"the decorator `{at.name}`, whose effect is not known", _SUPPLY))
        return
    if rule.kind == "neutral":
        return
    if rule.status is not None:
        found.responses.append(CodeResponse(status=rule.status, how="framework", spot=at.spot))
    elif rule.kind == "authentication":
        found.responses.append(CodeResponse(status=None, how="framework", spot=at.spot))
    if rule.kind == "rate":
        values = [
            *(call.args if call else []),
            *(word.value for word in (call.keywords if call else []) if word.arg == "rate"),
        ]
        stated = [value for one in values if (value := constant(modules, scope, one)) is not MISSING]
        value = stated[0] if stated else MISSING
        found.notes.append(CodeNote(concern=Concern.RATE_LIMITS, name=at.name, spot=at.spot, value=value))
        return
    left_open = lets_pass(modules, scope, call, rule.optional)
    if left_open is not True:
        kind: Literal["authentication", "authorization"] = rule.kind
        scheme = rule.scheme or _by_arguments(modules, scope, at.node)
        found.guards.append(Guard(name=at.name, kind=kind, spot=at.spot, scheme=scheme, unless=left_open))


def _by_arguments(modules: Modules, scope: Scope, decorator: ast.expr | None) -> str:
    """The scheme of Flask-HTTPAuth's `HTTPTokenAuth(scheme="Bearer", header=None)`, "" for anything else."""
    holder = modules.resolve(scope, decorator.value) if isinstance(decorator, ast.Attribute) else None
    made = holder.node if isinstance(holder, Definition) else None
    if not isinstance(holder, Definition) or not isinstance(made, ast.Call):
        return ""
    if not modules.is_a(modules.class_of(holder), ("flask_httpauth",), "HTTPTokenAuth"):
        return ""
    name, word = keyword(made, "header", 2), keyword(made, "scheme", 0)
    header = "" if name is None else constant(modules, holder.scope, name)
    stated = "Bearer" if word is None else constant(modules, holder.scope, word)
    if isinstance(header, str) and header and header is not MISSING:
        return f"apiKey header {header}"
    return f"http {stated.lower()}" if header == "" and isinstance(stated, str) and stated is not MISSING else ""


@dataclass(frozen=True, slots=True)
class _Gate:
    """What functions around handlers do, whatever they stand around; `of` is whom it is about."""

    of: tuple[object, ...]
    events: tuple[Event, ...]
    sent: tuple[tuple[Event, CodeResponse], ...]
    notes: tuple[CodeNote, ...]
    unread: tuple[UnreadCode, ...]
    elsewhere: tuple[UnreadCode, ...]
    called: tuple[Guard, ...]
    asking: tuple[Guard, ...]
    inputs: Found


def _gate(modules: Modules, dialect: Dialect, functions: Sequence[Definition], at: Written) -> _Gate:
    answers = at.answers
    events = tuple(event for function in functions for event in _run(modules, function, at.given))
    sent = [(event, one) for event in events for one in dialect.raised(event)]
    sent += [
        (event, one)
        for event in events
        if answers
        and event.kind is ast.Return
        and isinstance(getattr(event.node, "value", None), ast.Call | ast.Tuple | ast.Name)
        for one in dialect.returned(event, events)
        if one.status is not None and one.status >= 300
    ]
    answering = {id(event) for event, _ in sent}
    unread: list[UnreadCode] = []
    for event in events:
        value = getattr(event.node, "value", None)
        if (
            answers
            and event.kind is ast.Return
            and event.own
            and id(event) not in answering
            and id(value) not in at.passed
            and not _lets_on(modules, event, value)
        ):
            word = ast.unparse(event.node)[:100]
            unread.append(UnreadCode(event.spot, f"what `{word}` answers around the handler", _SUPPLY))
    scopes = [scope for function in functions if (scope := modules.body(function)) is not None]
    inputs = Found()
    read_inputs(modules, dialect, functions, events, inputs)
    return _Gate(
        of=(dialect, at, *functions),
        events=events,
        sent=tuple(sent),
        notes=tuple(note for event, _ in sent for note in limits(modules, event, [one for _, one in sent])),
        unread=tuple(unread),
        elsewhere=(
            *unsupplied(modules, (event for event in events if id(event) not in answering)),
            *inputs.elsewhere,
        ),
        called=tuple(called_guards(modules, events)),
        asking=tuple(guard for scope in scopes for guard in asked(modules, scope).guards),
        inputs=inputs,
    )


def _run(modules: Modules, function: Definition, given: Given) -> tuple[Event, ...]:
    scope = modules.body(function)
    return run_through(modules, function, Frame(scope, given) if given and scope is not None else None)


def read_gate(modules: Modules, dialect: Dialect, functions: Sequence[Definition], at: Written, found: Found) -> None:
    """Adds what functions around a handler refuse: a 401 asks who calls, a 403 what the caller may."""
    since = len(found.guards)
    about = " ".join(str(id(one)) for one in (dialect, *(function.node for function in functions)))
    about += "" if at.answers else " raising"
    about += "".join(f" {key} {id(value)}" for key, (_, value) in at.given.items())
    gate = remembered(modules, f"gate {about}", lambda: _gate(modules, dialect, functions, at))
    events, sent = gate.events, gate.sent
    found.responses.extend(one for _, one in sent)
    found.unread.extend(gate.unread)
    found.notes.extend(gate.notes)
    statuses = {one.status for _, one in sent} | (set(refusals_meant(modules, events)) & _ACCESS_STATUSES.keys())
    for status, kind in _ACCESS_STATUSES.items():
        if status in statuses and (status == 401 or 401 not in statuses):
            scheme, also = asked_for(events) if status == 401 else ("", ())
            found.guards.append(Guard(name=at.name, kind=_kind(kind), spot=at.spot, scheme=scheme, also=also))
    if statuses and not statuses & _ACCESS_STATUSES.keys() and not statuses & RATE_STATUSES:
        # It sends callers elsewhere, or refuses them for another reason.
        where = " ".join(ast.unparse(event.node) for event, one in sent if one.status in _MOVED)
        moved = all(one in _MOVED for one in statuses) and bool(_SIGN_IN.search(where))
        known_to_ask = moved and not untold(modules, functions, "authentication", given=at.given)
        found.guards.append(Guard(name=at.name, kind="authentication" if known_to_ask else "unknown", spot=at.spot))
    found.guards.extend(gate.called)
    if not any(guard.kind == "authentication" for guard in found.guards[since:]):
        found.guards.extend(replace(guard, name=at.name, spot=at.spot) for guard in gate.asking)
    found.elsewhere.extend(gate.elsewhere)
    for one in gate.inputs.parameters:
        if one.name.lower() not in ("authorization", "cookie") and one.location != "path":
            found.parameter(one)
    found.open_inputs.extend(gate.inputs.open_inputs)
    found.guards[since:] = pierced(modules, functions, events, found.guards[since:], at.given)


def _lets_on(modules: Modules, event: Event, value: ast.expr | None) -> bool:
    """True for what hands on to the next in line, and for a plain value, which tells a decorator something."""
    plain = isinstance(value, ast.Constant | ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Attribute | ast.Subscript)
    return plain or hands_on(modules, event.frame, value)


def _kind(word: str) -> Literal["authentication", "authorization"]:
    return "authentication" if word == "authentication" else "authorization"
