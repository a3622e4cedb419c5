"""What a handler without annotations shows: inputs, answers, guards and notes, in one framework's dialect."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeVar, cast

from evreview.codefacts.answers import limits, side_effects
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
    value_at,
)
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import (
    Event,
    Frame,
    ParameterFrames,
    argument_of,
    events_of,
    falls_through,
    own_nodes,
    resolved_in,
    stores,
    value_in,
)
from evreview.codefacts.decorators import hands_on, known
from evreview.codefacts.guards.conditional import pierced, untold
from evreview.codefacts.guards.denials import asked, refusals_meant
from evreview.codefacts.guards.framework_conventions import (
    RATE_STATUSES,
    admits_unauthenticated,
    asked_for,
    called_guards,
)
from evreview.codefacts.guards.inline import inline_guards
from evreview.codefacts.model import (
    ACCESS_BY_STATUS,
    AccessKind,
    CodeBody,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Guard,
    OpenInput,
    Route,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope, arguments, calls_in, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered
from evreview.codefacts.outside_calls import looked_at, unsupplied
from evreview.codefacts.schema_reading import check
from evreview.core.vocabulary import ABSENT, Concern, Form, Json

# Parameters whose values one plain condition of the handler refuses: `if state not in ("open", "closed"): abort(400)`.
#
# Only a condition that stands alone, over the parameter as it was read, is taken; every other one stays a note.


_BOUNDS: Final = {ast.Gt: "maximum", ast.GtE: "exclusiveMaximum", ast.Lt: "minimum", ast.LtE: "exclusiveMinimum"}
_NUMBERS: Final = ("integer", "number")


def kept_values(modules: Modules, event: Event, test: ast.expr) -> dict[str, Json] | None:
    """What a refusing condition lets through of the name on its left, as a schema; None when it is no plain one."""
    if len(event.tests) != 1 or not event.own or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.left, ast.Name) or len(event.frame.scope.names.get(test.left.id, [])) != 1:
        return None
    value = constant(modules, event.frame.scope, test.comparators[0])
    if isinstance(test.ops[0], ast.NotIn) and isinstance(value, list) and value:
        return {"enum": value} if all(isinstance(one, str | int | float) for one in value) else None
    bound = _BOUNDS.get(type(test.ops[0]))
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {bound: value} if bound is not None and number else None


def narrowed(route: Route) -> Route:
    """The route with such conditions taken into the values of its parameters; what can't be taken stays a note."""
    parameters = list(route.parameters)
    notes = [note for note in route.notes if not _taken(parameters, note)]
    return route if len(notes) == len(route.notes) else replace(route, parameters=tuple(parameters), notes=tuple(notes))


def _taken(parameters: list[CodeParameter], note: CodeNote) -> bool:
    kept = note.value
    if note.concern is not Concern.VALIDATION or not isinstance(kept, Mapping):
        return False
    for at, one in enumerate(parameters):
        if one.name == note.name:
            schema = _narrower(one.schema, kept)
            if schema is not None:
                parameters[at] = replace(one, schema=schema, spot=_around(one.spot, note.spot))
                return True
    return False


def _narrower(schema: Json, kept: Mapping[str, Form]) -> Json | None:
    """The schema with the condition; None for one whose values a condition may look at in another form."""
    if not isinstance(schema, dict):
        return None
    branches = schema.get("anyOf")
    if isinstance(branches, list) and len(branches) == 2 and {"type": "null"} in branches and len(schema) == 1:
        other = next((one for one in branches if one != {"type": "null"}), None)
        inner = _narrower(other, kept)
        return None if inner is None else {"anyOf": [inner, {"type": "null"}]}
    fits = schema in ({}, {"type": "string"}) if "enum" in kept else schema.get("type") in _NUMBERS
    fresh = not kept.keys() & schema.keys()
    return {**schema, **cast("dict[str, Json]", dict(kept))} if fits and fresh else None


def _around(read: Spot, condition: Spot) -> Spot:
    """Where it is read, up to the condition where that follows in the same file."""
    if (read.item, read.path) != (condition.item, condition.path) or condition.first < read.first:
        return read
    return replace(read, last=max(read.last, condition.last))


# Conditions of a handler over what it is sent, which lead to a refusal or to another value: named, not read as sets.
#
# Whether one narrows the values hangs on everything that runs before it.


_VALIDATION_STATUSES: Final = frozenset({400, 422})
_BODY: Final = re.compile(r"(^|\.)(request|req)\.(json|get_json|data|json\(\)|get_json\(.*\))$", re.DOTALL)
_READ: Final = re.compile(
    r"(^|\.)(request|req)\.(args|values|headers|cookies|form|GET|POST|query_params|query|rel_url\.query|match_info)$"
)
_NOT_READ: Final = frozenset({"self", "cls", "request", "req", "response"})
_CAPS: Final = ("min", "max")


def checks(modules: Modules, event: Event, sent: Iterable[CodeResponse]) -> Iterator[CodeNote]:
    """A note per parameter and field of the body that the condition around a refusal looks at."""
    if any(response.status in _VALIDATION_STATUSES for response in sent):
        for test in event.tests[-1:]:
            kept = kept_values(modules, event, test)
            for name in _looked_at(modules, event.frame, test):
                note = check(name, event.frame.scope.spot(test), ast.unparse(test))
                yield replace(note, value=kept) if kept is not None and _is_plain(modules, event.frame, test) else note


def _is_plain(modules: Modules, frame: Frame, test: ast.expr) -> bool:
    """True where the name on the left is what was read, unchanged."""
    left = test.left if isinstance(test, ast.Compare) else None
    for binding in frame.scope.names.get(left.id, []) if isinstance(left, ast.Name) else []:
        return isinstance(binding.node, ast.arg) or (
            binding.node is not None and bool(_read(modules, frame, binding.node))
        )
    return False


def caps(modules: Modules, events: Iterable[Event]) -> Iterator[CodeNote]:
    """A note per parameter that is given another value: `if limit > 100: limit = 100`, `limit = min(limit, 100)`."""
    for event in events:
        node = event.node
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, node.value
        cut = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _CAPS
        why = [value] if cut and name in _names(value) else [test for test in event.tests if name in _names(test)]
        for read in _parameter(modules, event.frame, name) if why else ():
            yield check(read, event.frame.scope.spot(node), ast.unparse(why[0]))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _looked_at(modules: Modules, frame: Frame, test: ast.expr) -> Iterator[str]:
    """The parameters and fields that a condition looks at, each once."""
    found: dict[str, None] = {}
    # In `label.strip()` the text itself is looked at, in `body.label` the field.
    methods = {id(call.func) for call in calls_in(test)}
    members = {
        id(node.value)
        for node in ast.walk(test)
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and id(node) not in methods)
    }
    for node in ast.walk(test):
        names = [_field(modules, frame, node), _read(modules, frame, node)]
        if isinstance(node, ast.Name) and id(node) not in members:
            names += _parameter(modules, frame, node.id)
        elif isinstance(node, ast.Attribute) and id(node) not in methods and isinstance(node.value, ast.Name):
            names += [node.attr for _ in _handed(modules, frame, node.value)]
        found |= dict.fromkeys(name for name in names if name)
    yield from found


def _parameter(modules: Modules, frame: Frame, name: str) -> Iterator[str]:
    """The parameters that a local name stands for: an argument of the handler, or what a request holds."""
    for binding in frame.scope.names.get(name, []):
        if isinstance(binding.node, ast.arg):
            yield from _handed(modules, frame, ast.Name(id=name, ctx=ast.Load()))
        elif isinstance(binding.node, ast.expr):
            read = (_read(modules, frame, node) for node in ast.walk(binding.node))
            yield from (each for each in read if each)


def _handed(modules: Modules, frame: Frame, name: ast.Name) -> Iterator[str]:
    """The handler's argument behind a name, without the request itself."""
    given = argument_of(modules, frame, name)
    if given is not None and isinstance(given[1], ast.Name):
        yield from _handed(modules, given[0], given[1])
        return
    node = frame.scope.node
    own = arguments(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    if frame.depth == 0 and name.id not in _NOT_READ and any(one.arg == name.id for one in own):
        yield name.id


def _keyed(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Holder and key of `holder["name"]` and `holder.get("name")`."""
    match node:
        case ast.Subscript(value=holder, slice=key):
            return holder, key
        case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *_]):
            return holder, key
    return None


def _text(modules: Modules, frame: Frame, key: ast.expr) -> str:
    name = value_in(modules, frame, key)
    return name if isinstance(name, str) and name is not ABSENT else ""


def _read(modules: Modules, frame: Frame, node: ast.AST) -> str:
    """The parameter in `request.args["name"]`, "" for anything else."""
    keyed = _keyed(node)
    if keyed is None or _READ.search(ast.unparse(keyed[0])) is None:
        return ""
    return _text(modules, frame, keyed[1])


def _field(modules: Modules, frame: Frame, node: ast.AST) -> str:
    """The field in `body["name"]` and `body.get("name")`, "" for anything else."""
    keyed = _keyed(node)
    if keyed is None:
        return ""
    _, made = value_at(modules, frame, keyed[0])
    return _text(modules, frame, keyed[1]) if made is not None and _BODY.search(ast.unparse(made)) else ""


_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_SIGN_IN: Final = re.compile(r"log_?in|sign_?in", re.IGNORECASE)
"""Words in redirects that send who is not known to sign in."""
BRANCHES: Final = "one view for several methods, whose branches are not told apart"
_SUPPLY: Final = "Supply the file that defines it."


@dataclass(slots=True)
class RouteFacts:
    """What was found about one route so far."""

    parameters: list[CodeParameter] = field(default_factory=list)
    body: CodeBody | None = None
    responses: list[CodeResponse] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)
    unread: list[UnsupportedCode] = field(default_factory=list)
    public: Spot | None = None
    elsewhere: list[UnsupportedCode] = field(default_factory=list)
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


def with_found(route: Route, found: RouteFacts) -> Route:
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

    def inputs(self, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
        """Adds what one node of a function that runs reads of the request."""

    def raised(self, event: Event) -> Iterable[CodeResponse]:
        """The responses that an event sends by raising or aborting."""

    def returned(self, event: Event, events: Sequence[Event]) -> Iterable[CodeResponse]:
        """The responses that a return sends; `events` is all that the handler does."""


def read_handler(modules: Modules, dialect: Dialect, function: Definition, found: RouteFacts) -> None:
    """Adds everything that the handler and what it calls show."""
    events = events_of(modules, function)
    found.responses.extend(read_raised(modules, dialect, function, events, found))
    answers: list[CodeResponse] = []
    for event in returned(modules, events):
        sent = list(dialect.returned(event, events))
        answers += sent
        found.notes.extend(checks(modules, event, sent))
    found.responses.extend(answers)
    read_guards(modules, function, events, found)
    found.unread.extend(
        UnsupportedCode(answer.spot, "a returned value whose status can't be told", part=UnreadPart.STATUS)
        for answer in answers
        if answer.status is None
    )
    if not answers and falls_through(getattr(function.node, "body", [])):
        spot = (modules.body(function) or function.scope).spot(function.node)
        found.unread.append(UnsupportedCode(spot, "a handler that may return nothing"))


def read_raised(
    modules: Modules, dialect: Dialect, function: Definition, events: tuple[Event, ...], found: RouteFacts
) -> list[CodeResponse]:
    """The responses that are sent without `return`; adds what the handler reads, does and checks on its way."""
    found.notes.extend([*side_effects(modules, events), *stores(modules, events), *caps(modules, events)])
    read_inputs(modules, dialect, [function], events, found)
    answers: list[CodeResponse] = []
    for event in events:
        sent = list(dialect.raised(event))
        answers += sent
        found.notes.extend([*limits(modules, event, sent), *checks(modules, event, sent)])
        found.elsewhere.extend(() if sent else unsupplied(modules, [event]))
    return answers


def read_guards(modules: Modules, function: Definition, events: tuple[Event, ...], found: RouteFacts) -> None:
    """Adds the guards that the handler is itself, once its responses are found."""
    found.guards.extend([*inline_guards(modules, events, found.responses), *called_guards(modules, events)])
    own = modules.body(function)
    found.unread.extend(asked(modules, own).unread if own is not None else ())


def read_inputs(
    modules: Modules, dialect: Dialect, functions: Sequence[Definition], events: Iterable[Event], found: RouteFacts
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


def read_decorators(
    modules: Modules, dialect: Dialect, function: Definition, found: RouteFacts, own: Sequence[str]
) -> None:
    """Adds what the decorators do, those whose last name is in `own` left out."""
    for name, call in decorators(function.node):
        if last_name(name) not in own:
            read_decorator(modules, dialect, function.scope, (name, call), found)


def read_decorator(
    modules: Modules, dialect: Dialect, scope: Scope, written: tuple[ast.expr, ast.Call | None], found: RouteFacts
) -> None:
    """Adds what one decorator does, and what it hands back in its place: as a rule says, or as its own code shows."""
    since = len(found.guards)
    for at in unfolded(modules, scope, written):
        _read_one(modules, dialect, at, found)
    if chooses(modules, modules.resolve(scope, written[0])):
        spots = (scope.spot(written[1] or written[0]),)
        found.guards[since:] = [replace(one, unless=(*one.unless, *spots)) for one in found.guards[since:]]


def _read_one(modules: Modules, dialect: Dialect, at: Applying, found: RouteFacts) -> None:
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
        found.unread.append(
            UnsupportedCode(
                spot, f"the decorator `{text}`, which no supplied file defines", _SUPPLY, part=UnreadPart.DECORATOR
            )
        )


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
    given: ParameterFrames = field(default_factory=dict)
    passed: frozenset[int] = frozenset()


def _known(modules: Modules, scope: Scope, call: ast.Call | None, at: Written, found: RouteFacts) -> None:
    resolved = modules.resolve(scope, at.node)
    rule = known(resolved) if isinstance(resolved, External) else None
    if rule is None:
        found.public = None
        found.unread.append(
            UnsupportedCode(
                at.spot, f"the decorator `{at.name}`, whose effect is not known", _SUPPLY, part=UnreadPart.DECORATOR
            )
        )
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
        stated = [value for one in values if (value := constant(modules, scope, one)) is not ABSENT]
        value = stated[0] if stated else ABSENT
        found.notes.append(CodeNote(concern=Concern.RATE_LIMITS, name=at.name, spot=at.spot, value=value))
        return
    left_open = admits_unauthenticated(modules, scope, call, rule.optional)
    if left_open is not True:
        kind: AccessKind = rule.kind
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
    if isinstance(header, str) and header and header is not ABSENT:
        return f"apiKey header {header}"
    return f"http {stated.lower()}" if header == "" and isinstance(stated, str) and stated is not ABSENT else ""


@dataclass(frozen=True, slots=True)
class _Gate:
    """What functions around handlers do, whatever they stand around; `of` is whom it is about."""

    of: tuple[object, ...]
    events: tuple[Event, ...]
    sent: tuple[tuple[Event, CodeResponse], ...]
    notes: tuple[CodeNote, ...]
    unread: tuple[UnsupportedCode, ...]
    elsewhere: tuple[UnsupportedCode, ...]
    called: tuple[Guard, ...]
    asking: tuple[Guard, ...]
    inputs: RouteFacts


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
    unread: list[UnsupportedCode] = []
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
            unread.append(
                UnsupportedCode(
                    event.spot, f"what `{word}` answers around the handler", _SUPPLY, part=UnreadPart.AROUND
                )
            )
    scopes = [scope for function in functions if (scope := modules.body(function)) is not None]
    inputs = RouteFacts()
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


def _run(modules: Modules, function: Definition, given: ParameterFrames) -> tuple[Event, ...]:
    scope = modules.body(function)
    return events_of(modules, function, Frame(scope, given) if given and scope is not None else None)


def read_gate(
    modules: Modules, dialect: Dialect, functions: Sequence[Definition], at: Written, found: RouteFacts
) -> None:
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
    statuses = {one.status for _, one in sent} | (set(refusals_meant(modules, events)) & ACCESS_BY_STATUS.keys())
    for status, kind in ACCESS_BY_STATUS.items():
        if status in statuses and (status == 401 or 401 not in statuses):
            scheme, also = asked_for(events) if status == 401 else ("", ())
            found.guards.append(Guard(name=at.name, kind=_kind(kind), spot=at.spot, scheme=scheme, also=also))
    if statuses and not statuses & ACCESS_BY_STATUS.keys() and not statuses & RATE_STATUSES:
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


def _kind(word: str) -> AccessKind:
    return "authentication" if word == "authentication" else "authorization"
