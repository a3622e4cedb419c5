"""What a FastAPI handler takes, its dependencies' parameters included, and who checks the caller."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, cast

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.asgi.parameters import DEPENDS, Mark, mark_of, marks_of, plain_type
from evreview.codefacts.asgi.security_schemes import denial, guard_of, scheme_of
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.model import CodeNote, CodeParameter, CodeResponse, Guard, Location, OpenInput, Spot, UnreadCode
from evreview.codefacts.model_classes import members_of
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import constrained, keywords
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.sources.asgi.types import SPECIAL, sort_of
from evreview.sources.reading import named
from evreview.sources.resolved import Definition, External, Resolved
from evreview.sources.shape import NO_TYPES, Schema, Shape, Work

MAX_DEPENDENCIES: Final = 20
"""Dependencies of dependencies."""
_LOCATIONS: Final[dict[str, Location]] = {"Query": "query", "Path": "path", "Header": "header", "Cookie": "cookie"}
_BODY_MARKS: Final = ("Body", "Form", "File")


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One parameter that is read from the body."""

    mark: Mark
    kind: str
    name: str
    shape: Shape
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
    unread: list[UnreadCode] = field(default_factory=list)
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
        _unread(inputs, scope.spot(call), "a dependency that is not read")


def _unread(inputs: Inputs, spot: Spot, found: str, advice: str = "Supply the file that defines it.") -> None:
    inputs.unread.append(UnreadCode(spot, found, advice))


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


def _shape(modules: Modules, mark: Mark) -> Shape:
    """The values of a parameter, constraints of a marking default included."""
    shape = shape_of(modules, mark.scope, mark.annotation)
    if mark.call is None or mark.call is not _default_call(mark):
        return shape
    work = Work(modules, "read", read=lambda *_: {})
    schema = constrained(work, mark.scope, cast(Schema, shape.schema), mark.words)
    return replace(shape, schema=schema, exact=shape.exact and work.exact)


def _default_call(mark: Mark) -> ast.Call | None:
    """The marking call when it is the default; one in `Annotated` is read with the annotation."""
    inside = mark.annotation is not None and any(node is mark.call for node in ast.walk(mark.annotation))
    aliased = mark.where is not mark.scope
    return None if inside or aliased else mark.call


def _default(modules: Modules, mark: Mark) -> Form:
    return MISSING if mark.default is None else constant(modules, mark.scope, mark.default)


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


def _add(inputs: Inputs, parameter: CodeParameter, shape: Shape) -> None:
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
    work = Work(modules, "read", read=lambda *_: {})
    lines = {member.name: member.scope.spot(member.annotation) for member, _ in members_of(work, found, NO_TYPES)}
    for name, inner in properties.items():
        spot = lines.get(name, mark.spot)
        member: Schema = cast(Schema, inner) | ({"$defs": schema["$defs"]} if "$defs" in schema else {})
        shown = name.replace("_", "-") if kind == "Header" else name
        default: Form = member.pop("default", MISSING)
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
        _unread(inputs, mark.spot, f"the dependency `{mark.name}`, which names nothing")
        return
    target = target_of(modules, where, given)
    if not isinstance(target, Definition):
        word = ast.unparse(given)[:100]
        name = target.name if isinstance(target, External) else word
        if _limiter(modules, inputs, where, given, mark.spot):
            return
        _unread(inputs, mark.spot, f"the dependency `{name}`, which no supplied file defines")
        return
    _depend_on(modules, inputs, target, mark.spot, scopes)


def _limiter(modules: Modules, inputs: Inputs, scope: Scope, given: ast.expr, spot: Spot) -> bool:
    """`Depends(RateLimiter(times=5, seconds=60))` of fastapi-limiter."""
    called = modules.called(scope, given) if isinstance(given, ast.Call) else None
    if not isinstance(called, External) or not called.of(("fastapi_limiter",), "RateLimiter"):
        return False
    stated = {name: constant(modules, scope, value) for name, value in keywords(given).items()}  # type: ignore[arg-type]
    value: Form = MISSING if MISSING in stated.values() else stated
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
    for at, statement in modules.statements(inner):
        if isinstance(statement, ast.Return) and at is inner and statement.value is not None:
            return modules.resolve(inner, statement.value)
    return None


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
            _unread(inputs, spot, "a dependency that is an object of a class that no supplied file defines")
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
    work = Work(modules, "read", read=lambda *_: {})
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
        stated: dict[str, Form] = {"maximum": schema.get("maximum", MISSING), "default": one.default}
        value = {key: part for key, part in stated.items() if part is not MISSING}
        notes.append(
            CodeNote(concern=Concern.PAGINATION, name=one.name, spot=one.spot, value=value or MISSING, certain=False)
        )
    return tuple(notes)
