"""What a FastAPI handler takes, its dependencies' parameters included, and who checks the caller."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, cast

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.asgi.parameters import DEPENDS, SPECIAL, Mark, mark_of, marks_of, plain_type, sort_of
from evreview.codefacts.asgi.security_schemes import denial, guard_of, scheme_of
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.control_flow import Event, Frame, parents, resolved_in, value_in
from evreview.codefacts.model import (
    CodeBody,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Guard,
    Location,
    OpenInput,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.model_classes import members_of
from evreview.codefacts.modules import Scope, arguments
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.codefacts.request_mappings import WITHOUT_QUERY, copied_of, uses
from evreview.codefacts.schema_reading import (
    NO_TYPES,
    AnnotationReading,
    AnnotationSchema,
    Schema,
    constrained,
    keywords,
    named,
)
from evreview.core.vocabulary import ABSENT, Concern, Form

MAX_DEPENDENCIES: Final = 20
"""Dependencies of dependencies."""
_LOCATIONS: Final[dict[str, Location]] = {"Query": "query", "Path": "path", "Header": "header", "Cookie": "cookie"}
_SUPPLY_DEFINITION: Final = "Supply the file that defines it."
_BODY_MARKS: Final = ("Body", "Form", "File")


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One parameter that is read from the body."""

    mark: Mark
    kind: str
    name: str
    shape: AnnotationSchema
    default: Form


@dataclass(slots=True)
class Inputs:
    """Everything that one route takes; `functions` are the dependencies that run before the handler.

    Attributes:
        optional: guards that refuse nobody by themselves, with what takes their credentials; None is the handler.
        takers: the dependencies that are being read, outermost first.
    """

    path_names: frozenset[str]
    parameters: list[CodeParameter] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)
    responses: list[CodeResponse] = field(default_factory=list)
    unread: list[UnsupportedCode] = field(default_factory=list)
    functions: list[tuple[Definition, Spot]] = field(default_factory=list)
    checked: list[Spot] = field(default_factory=list)
    seen: set[tuple[int, tuple[str, ...]]] = field(default_factory=set)
    depth: int = 0
    optional: list[tuple[Guard, Definition | None]] = field(default_factory=list)
    takers: list[Definition] = field(default_factory=list)
    open_inputs: list[OpenInput] = field(default_factory=list)


def take_function(modules: Modules, inputs: Inputs, function: Definition) -> None:
    """Note the parameters of a handler or dependency function."""
    if isinstance(function.node, ast.FunctionDef | ast.AsyncFunctionDef):
        for mark in marks_of(modules, function.scope, function.node):
            _take(modules, inputs, mark)
        for rest in (function.node.args.vararg, function.node.args.kwarg):
            if rest is not None:
                _unread(inputs, function.scope.spot(rest), f"`{rest.arg}`, which takes any arguments", "Name each.")


def take_depends(modules: Modules, inputs: Inputs, scope: Scope, call: ast.Call) -> None:
    """Note what one `Depends(…)` or `Security(…)` of a list of dependencies takes; other calls are named as unread."""
    called = modules.called(scope, call)
    if isinstance(called, External) and called.of(("fastapi",), *DEPENDS):
        mark = Mark("", called.last, scope, scope.spot(call), None, call, scope)
        _depend(modules, inputs, mark)
    else:
        _unread_dependency(inputs, scope.spot(call), "a dependency that is not read")


def _unread(inputs: Inputs, spot: Spot, found: str, advice: str = _SUPPLY_DEFINITION) -> None:
    inputs.unread.append(UnsupportedCode(spot, found, advice))


def _unread_dependency(inputs: Inputs, spot: Spot, found: str) -> None:
    inputs.unread.append(UnsupportedCode(spot, found, _SUPPLY_DEFINITION, part=UnreadPart.DEPENDENCY))


def _take(modules: Modules, inputs: Inputs, mark: Mark) -> None:
    if mark.kind in DEPENDS:
        _depend(modules, inputs, mark)
        return
    sort = sort_of(modules, mark.scope, mark.annotation)
    if sort in SPECIAL:
        return
    kind = mark.kind
    if mark.name in inputs.path_names or _alias(modules, mark) in inputs.path_names:
        kind = "Path"
    elif not kind:
        kind = {"scalar": "Query", "complex": "Body", "file": "File"}.get(sort, "")
    if not kind:
        _unread(inputs, mark.spot, f"the parameter `{mark.name}`, of a type that no supplied file defines")
    elif kind in _BODY_MARKS:
        _piece(modules, inputs, mark, kind, sort)
    elif sort == "complex" and kind != "Path" and _members(modules, inputs, mark, kind):
        return
    else:
        _declared_parameter(modules, inputs, mark, kind)


def _alias(modules: Modules, mark: Mark) -> str | None:
    return mark.text(modules, "validation_alias") or mark.text(modules, "alias")


def _shape(modules: Modules, mark: Mark) -> AnnotationSchema:
    """The values of a parameter, constraints of a marking default included."""
    shape = shape_of(modules, mark.scope, mark.annotation)
    if mark.call is None or mark.call is not _default_call(mark):
        return shape
    work = AnnotationReading(modules, "read", read=lambda *_: {})
    schema = constrained(work, mark.scope, cast(Schema, shape.schema), mark.words)
    return replace(shape, schema=schema, exact=shape.exact and work.exact)


def _default_call(mark: Mark) -> ast.Call | None:
    """The marking call when it is the default; one in `Annotated` is read with the annotation."""
    inside = mark.annotation is not None and any(node is mark.call for node in ast.walk(mark.annotation))
    aliased = mark.where is not mark.scope
    return None if inside or aliased else mark.call


def _default(modules: Modules, mark: Mark) -> Form:
    return ABSENT if mark.default is None else constant(modules, mark.scope, mark.default)


def _declared_parameter(modules: Modules, inputs: Inputs, mark: Mark, kind: str) -> None:
    shape = _shape(modules, mark)
    name = _alias(modules, mark) or mark.name
    if kind == "Header" and _alias(modules, mark) is None and mark.value(modules, "convert_underscores") is not False:
        name = name.replace("_", "-")
    required = mark.required or kind == "Path"
    _add(
        inputs,
        CodeParameter(
            name=name, location=_LOCATIONS[kind], spot=mark.spot, required=required, schema=shape.schema,
            exact=shape.exact, default=_default(modules, mark),
        ),
        shape,
    )  # fmt: skip


def _add(inputs: Inputs, parameter: CodeParameter, shape: AnnotationSchema) -> None:
    if parameter in inputs.parameters:
        return
    inputs.parameters.append(parameter)
    inputs.unread += shape.unread
    inputs.notes += named(shape.checks, parameter.name)
    plain = parameter.schema in ({}, {"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "null"}]})
    if not plain or (parameter.required and parameter.location != "path"):
        inputs.checked.append(parameter.spot)
    if parameter.location == "header" and parameter.name.lower() == "idempotency-key":
        inputs.notes.append(CodeNote(concern=Concern.IDEMPOTENCY, name=parameter.name, spot=parameter.spot))


def _members(modules: Modules, inputs: Inputs, mark: Mark, kind: str) -> bool:
    """A model whose members are each a parameter; False for a list of values."""
    found = modules.resolve(mark.scope, _inner_type(mark.annotation))
    if not isinstance(found, Definition) or not isinstance(found.node, ast.ClassDef):
        return False
    shape = shape_of(modules, mark.scope, _inner_type(mark.annotation))
    schema = cast(Schema, shape.schema)
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return False
    if schema.get("additionalProperties") is True:
        said = f"members of `{found.name}` that it does not name, which it keeps"
        inputs.open_inputs.append(OpenInput(_LOCATIONS[kind], mark.spot, said))
    work = AnnotationReading(modules, "read", read=lambda *_: {})
    lines = {member.name: member.scope.spot(member.annotation) for member, _ in members_of(work, found, NO_TYPES)}
    for name, inner in properties.items():
        spot = lines.get(name, mark.spot)
        member: Schema = cast(Schema, inner) | ({"$defs": schema["$defs"]} if "$defs" in schema else {})
        shown = name.replace("_", "-") if kind == "Header" else name
        default: Form = member.pop("default", ABSENT)
        _add(
            inputs,
            CodeParameter(
                name=shown, location=_LOCATIONS[kind], spot=spot, required=name in required, schema=member,
                exact=shape.exact, default=default,
            ),
            shape,
        )  # fmt: skip
    return True


def _inner_type(annotation: ast.expr | None) -> ast.expr | None:
    return plain_type(annotation)


def _piece(modules: Modules, inputs: Inputs, mark: Mark, kind: str, sort: str) -> None:
    shape = _shape(modules, mark)
    if sort == "file":
        kind = "File"
    name = _alias(modules, mark) or mark.name
    if any(piece.mark.spot == mark.spot and piece.name == name for piece in inputs.pieces):
        return
    inputs.pieces.append(Piece(mark, kind, name, shape, _default(modules, mark)))
    inputs.unread += shape.unread
    inputs.notes += shape.checks
    inputs.checked.append(mark.spot)


def _depend(modules: Modules, inputs: Inputs, mark: Mark) -> None:
    words = mark.words
    where = mark.where or mark.scope
    given = words.get("dependency", mark.call.args[0] if mark.call and mark.call.args else None)
    scopes = texts(modules, where, words.get("scopes")) or ()
    if given is None:
        where, given = mark.scope, plain_type(mark.annotation)
    if given is None:
        _unread_dependency(inputs, mark.spot, f"the dependency `{mark.name}`, which names nothing")
        return
    target = target_of(modules, where, given)
    if not isinstance(target, Definition):
        word = ast.unparse(given)[:100]
        name = target.name if isinstance(target, External) else word
        if _limiter(modules, inputs, where, given, mark.spot):
            return
        _unread_dependency(inputs, mark.spot, f"the dependency `{name}`, which no supplied file defines")
        return
    _depend_on(modules, inputs, target, mark.spot, scopes)


def _limiter(modules: Modules, inputs: Inputs, scope: Scope, given: ast.expr, spot: Spot) -> bool:
    """`Depends(RateLimiter(times=5, seconds=60))` of fastapi-limiter."""
    called = modules.called(scope, given) if isinstance(given, ast.Call) else None
    if not isinstance(called, External) or not called.of(("fastapi_limiter",), "RateLimiter"):
        return False
    stated = {name: constant(modules, scope, value) for name, value in keywords(given).items()}  # type: ignore[arg-type]
    value: Form = ABSENT if ABSENT in stated.values() else stated
    inputs.notes.append(CodeNote(concern=Concern.RATE_LIMITS, name="RateLimiter", spot=spot, value=value))
    return True


def target_of(modules: Modules, scope: Scope, given: ast.expr) -> Resolved:
    """What a dependency calls: a function, class or instance; over a supplied function that returns a function."""
    if not isinstance(given, ast.Call):
        return modules.resolve(scope, given)
    made = modules.called(scope, given)
    inner = modules.body(made) if isinstance(made, Definition) else None
    if inner is None or not isinstance(made, Definition) or isinstance(made.node, ast.ClassDef):
        return (
            Definition(given, scope, "", given) if isinstance(made, Definition) or _is_scheme(modules, made) else made
        )
    value = next(modules.returned(inner), None)
    return modules.resolve(inner, value) if value is not None else None


def _is_scheme(modules: Modules, made: Resolved) -> bool:
    return isinstance(made, External) and made.name.startswith("fastapi.security.")


def _depend_on(modules: Modules, inputs: Inputs, target: Definition, spot: Spot, scopes: tuple[str, ...]) -> None:
    key = (id(target.node), scopes)
    scheme = scheme_of(modules, target)
    if scheme is not None and scheme.optional:
        taker = inputs.takers[-1] if inputs.takers else None
        inputs.optional.append((guard_of(scheme, spot, scopes), taker))
    if key in inputs.seen or inputs.depth >= MAX_DEPENDENCIES:
        return
    inputs.seen.add(key)
    inputs.depth += 1
    if scheme is not None:
        inputs.guards.append(guard_of(scheme, spot, scopes))
        refused = denial(scheme, spot)
        inputs.responses += [refused] if refused else []
    elif isinstance(target.node, ast.ClassDef):
        _depend_on_class(modules, inputs, target, spot)
    elif isinstance(target.node, ast.FunctionDef | ast.AsyncFunctionDef):
        before = len(inputs.guards)
        inputs.takers.append(target)
        take_function(modules, inputs, target)
        inputs.takers.pop()
        inputs.functions.append((target, spot))
        if scopes:
            _demand(inputs, before, target, spot, scopes)
    else:
        cls = modules.class_of(target)
        called = modules.member(cls, "__call__") if isinstance(cls, Definition) else None
        if isinstance(called, Definition):
            _depend_on(modules, inputs, called, spot, scopes)
        else:
            _unread_dependency(inputs, spot, "a dependency that is an object of a class that no supplied file defines")
    inputs.depth -= 1


def _demand(inputs: Inputs, before: int, target: Definition, spot: Spot, scopes: tuple[str, ...]) -> None:
    """Scopes that `Security(function, scopes=…)` demands of the schemes below it, or of the function itself."""
    found = inputs.guards[before:]
    inputs.guards[before:] = [replace(one, scopes=tuple(dict.fromkeys([*one.scopes, *scopes]))) for one in found]
    if not found:
        inputs.guards.append(Guard(name=target.qualname, kind="authorization", spot=spot, scopes=scopes))


def _depend_on_class(modules: Modules, inputs: Inputs, target: Definition, spot: Spot) -> None:
    made = modules.member(target, "__init__")
    if isinstance(made, Definition):
        take_function(modules, inputs, made)
        inputs.functions.append((made, spot))
        return
    work = AnnotationReading(modules, "read", read=lambda *_: {})
    members = [member for member, _ in members_of(work, target, NO_TYPES)]
    for member in members:
        written = ast.AnnAssign(target=ast.Name(id=member.name), annotation=member.annotation, value=None, simple=1)
        ast.copy_location(written, member.annotation)
        _take(modules, inputs, mark_of(modules, member.scope, member.name, written, member.default))
    inputs.unread += work.unread


def notes_of_pages(parameters: Iterable[CodeParameter]) -> tuple[CodeNote, ...]:
    """Query parameters that page through a result, with the greatest value stated."""
    from evreview.codefacts.guards.framework_conventions import PAGES, PAGES_ALONE

    query = [one for one in parameters if one.location == "query" and one.name.lower() in PAGES]
    if not any(one.name.lower() in PAGES_ALONE for one in query):
        return ()
    notes = []
    for one in query:
        schema = one.schema if isinstance(one.schema, dict) else {}
        stated: dict[str, Form] = {"maximum": schema.get("maximum", ABSENT), "default": one.default}
        value = {key: part for key, part in stated.items() if part is not ABSENT}
        notes.append(
            CodeNote(concern=Concern.PAGINATION, name=one.name, spot=one.spot, value=value or ABSENT, certain=False)
        )
    return tuple(notes)


# What a handler reads from a request object: headers, query parameters, cookies, the body.


_PARTS: Final[dict[str, Location]] = {
    "headers": "header", "query_params": "query", "cookies": "cookie", "path_params": "path",
}  # fmt: skip
_PLACES: Final[dict[str, Location]] = {name: place for name, place in _PARTS.items() if place != "path"}
_BODY_MEDIA_TYPES: Final = {"json": "application/json", "form": "", "body": "", "stream": ""}
_IN_SCOPE: Final[dict[str, Location]] = {"query_string": "query", "headers": "header"}
_PACKAGES: Final = ("fastapi", "starlette")


@dataclass(slots=True)
class Reads:
    """What is read from request objects."""

    parameters: list[CodeParameter] = field(default_factory=list)
    bodies: list[CodeBody] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)
    open_inputs: list[OpenInput] = field(default_factory=list)


def request_reads(modules: Modules, frames: Iterable[Frame], assume_first: bool = False) -> Reads:
    """What the functions read from their `Request` parameters; the first one is a request if `assume_first`."""
    reads = Reads()
    for place, frame in enumerate(frames):
        names = dict.fromkeys(_requests(modules, frame, assume_first and place == 0), "")
        names |= _handed(modules, frame, assume_first)
        if not names:
            continue
        for node in ast.walk(frame.scope.node):
            _read(modules, reads, frame, names, node)
            _whole(modules, reads, frame, names, node)
    return reads


def _handed(modules: Modules, frame: Frame, assume_first: bool, hops: int = 4) -> dict[str, str]:
    """Names that stand for a request (""), or for a part of one (`query_params`): arguments given, and local names."""
    found: dict[str, str] = {}
    node = frame.scope.node
    for one in arguments(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ():
        given = frame.given.get(id(one))
        if given is None or hops <= 0:
            continue
        outer = dict.fromkeys(_requests(modules, given[0], assume_first and given[0].depth == 0), "")
        outer |= _handed(modules, given[0], assume_first, hops - 1)
        if isinstance(given[1], ast.Name) and given[1].id in outer:
            found[one.arg] = outer[given[1].id]
        elif _part(given[1], outer) in _PARTS:
            found[one.arg] = _part(given[1], outer)
    own = found | dict.fromkeys(_requests(modules, frame, assume_first and frame.depth == 0), "")
    for name, bound in frame.scope.names.items():
        value = bound[0].node if len(bound) == 1 else None
        if isinstance(value, ast.expr) and not isinstance(value, ast.Name) and _part(value, own) in _PARTS:
            found[name] = _part(value, own)
    return found


def _whole(modules: Modules, reads: Reads, frame: Frame, names: Mapping[str, str], node: ast.AST) -> None:
    """A request, or all its parameters of one place, handed to what is not followed."""
    if isinstance(node, ast.Name) and names.get(node.id) == "" and isinstance(node.ctx, ast.Load):
        places = list(_PLACES.values())
    elif (
        isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load) and _part(node, names) in _PLACES
    ):
        places = [_PLACES[_part(node, names)]]
    else:
        return
    above = parents(modules, frame.scope).get(id(node))
    if isinstance(node, ast.Name) and isinstance(above, ast.Attribute):
        return
    for use in uses(modules, frame, node):
        for name in use.names if len(places) == 1 else ():
            reads.parameters.append(CodeParameter(name=name, location=places[0], spot=use.spot))
        said = f"`{ast.unparse(node)[:60]}` is handed on whole, and what reads it is not told"
        reads.open_inputs += [OpenInput(one, use.spot, said) for one in places if use.open]


def _requests(modules: Modules, frame: Frame, assume_first: bool) -> Iterator[str]:
    node = frame.scope.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    given = arguments(node)
    for argument in given:
        one = Definition(argument, frame.scope, argument.arg, argument)
        if modules.is_a(modules.class_of(one), _PACKAGES, "Request", "HTTPConnection"):
            yield argument.arg
    plain = [argument for argument in given if not (frame.scope.owner and argument is given[0])]
    if assume_first and plain:
        yield plain[0].arg


def _part(node: ast.expr, names: Mapping[str, str]) -> str:
    """`headers` of `request.headers`, and of a copy of it: `dict(request.headers)`."""
    copied = copied_of(node)
    if copied is not None:
        return _part(copied, names)
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and names.get(node.value.id) == "":
        return node.attr
    return ""


def _read(modules: Modules, reads: Reads, frame: Frame, names: Mapping[str, str], node: ast.AST) -> None:
    match node:
        case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if _part(value, names) in _PARTS:
            _read_parameter(modules, reads, frame, (_part(value, names), key, ABSENT), node)
        case ast.Call(func=ast.Attribute(value=value, attr="get" | "getlist" as attr), args=[key, *rest]) if (
            _part(value, names) in _PARTS
        ):
            default = constant(modules, frame.scope, rest[0]) if rest and attr == "get" else ABSENT
            _read_parameter(modules, reads, frame, (_part(value, names), key, default), node)
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[value]) if _part(value, names) in _PARTS:
            _read_parameter(modules, reads, frame, (_part(value, names), key, ABSENT), node)
        case ast.Attribute(attr="url" | "scope" as attr) if isinstance(node.value, ast.Name) and _part(node, names):
            _beside(modules, reads, frame, node, attr)
        case ast.Call(func=ast.Attribute(attr=attr) as function) if _part(function, names) in _BODY_MEDIA_TYPES:
            spot = frame.scope.spot(node)
            body = CodeBody(media_type=_BODY_MEDIA_TYPES[attr], spot=spot)
            reads.bodies.append(body)


def _beside(modules: Modules, reads: Reads, frame: Frame, node: ast.Attribute, attr: str) -> None:
    """What stands beside the parts and holds them too: the query in `request.url`, everything in `request.scope`."""
    above = parents(modules, frame.scope).get(id(node))
    if attr == "url" and isinstance(above, ast.Attribute) and above.attr in WITHOUT_QUERY:
        return
    key = above.slice.value if isinstance(above, ast.Subscript) and isinstance(above.slice, ast.Constant) else None
    if attr == "scope" and isinstance(key, str) and key not in _IN_SCOPE:
        return
    places = [_IN_SCOPE[key]] if isinstance(key, str) and key in _IN_SCOPE else list(_PLACES.values())
    places = ["query"] if attr == "url" else places
    found = f"`{ast.unparse(node)[:60]}` holds the parameters too, and what is read of it is not told"
    reads.open_inputs += [OpenInput(one, frame.scope.spot(node), found) for one in places]


def _read_parameter(
    modules: Modules, reads: Reads, frame: Frame, read: tuple[str, ast.expr, Form], node: ast.expr
) -> None:
    part, key, default = read
    name = value_in(modules, frame, key)
    spot: Spot = frame.scope.spot(node)
    location = _PARTS[part]
    if not isinstance(name, str) or name is ABSENT:
        reads.open_inputs.append(OpenInput(location, spot, f"a {location} parameter whose name is not constant"))
        return
    required = True if location == "path" else None
    reads.parameters.append(CodeParameter(name=name, location=location, spot=spot, required=required, default=default))
    if location == "header" and name.lower() == "idempotency-key":
        reads.notes.append(CodeNote(concern=Concern.IDEMPOTENCY, name=name, spot=spot))


def frames_of(events: Iterable[Event], own: Frame | None) -> list[Frame]:
    """The handler's frame and those of the functions that it calls, each function once."""
    found = {id(own.scope.node): own} if own else {}
    for event in events:
        found.setdefault(id(event.frame.scope.node), event.frame)
    return list(found.values())


def headers_set(modules: Modules, events: Iterable[Event]) -> tuple[tuple[str, Spot], ...]:
    """Headers set on a response object: `response.headers["X"] = …`, `response.set_cookie(…)`, with their lines."""
    found: dict[str, Spot] = {}
    for event in events:
        statement = event.statement
        if event.kind is ast.Assign and isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Subscript) and _is_headers(target.value):
                    name = value_in(modules, event.frame, target.slice)
                    if isinstance(name, str) and name is not ABSENT:
                        found.setdefault(name, event.spot)
        elif isinstance(event.node, ast.Call) and _method(event.node) in ("set_cookie", "delete_cookie"):
            found.setdefault("Set-Cookie", event.spot)
    return tuple(found.items())


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_headers(node: ast.expr) -> bool:
    """`response.headers`, and not a header of a request or of a call to elsewhere."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "headers"
        and isinstance(node.value, ast.Name)
        and "request" not in node.value.id.lower()
    )


def hands_response(modules: Modules, event: Event) -> bool:
    """True for a call of what no supplied file holds that gets the `Response` whose status FastAPI sends."""
    call = event.node
    if event.kind is not ast.Call or not isinstance(call, ast.Call):
        return False
    if isinstance(resolved_in(modules, event.frame, call.func), Definition):
        return False
    given = [*call.args, *(word.value for word in call.keywords)]
    return any(
        isinstance(found := modules.resolve(event.frame.scope, one), Definition)
        and isinstance(found.node, ast.arg)
        and modules.is_a(modules.class_of(found), _PACKAGES, "Response")
        for one in given
        if isinstance(one, ast.Name)
    )


def statuses_set(modules: Modules, events: Iterable[Event]) -> Iterator[tuple[Form, Event]]:
    """Statuses assigned to `response.status_code`."""
    for event in events:
        statement = event.statement
        if event.kind is ast.Assign and isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Attribute) and target.attr == "status_code":
                    yield value_in(modules, event.frame, statement.value), event
