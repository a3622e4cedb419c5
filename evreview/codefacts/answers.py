"""Bodies that code writes as literals: what their values are, and which error codes they hold."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import value_at
from evreview.codefacts.control_flow import CHANGING, Event, Frame, argument_of, exception_of, outlives, value_in
from evreview.codefacts.guards.framework_conventions import (
    PURE_PACKAGES,
    RATE_STATUSES,
    SIZE_STATUSES,
    STORING_WORDS,
    WRITING_CALLS,
    WRITING_MODULES,
    WRITING_WORDS,
)
from evreview.codefacts.model import CodeNote, CodeResponse, UnsupportedCode
from evreview.codefacts.modules import SCOPES, Scope, last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.core.vocabulary import ABSENT, Concern, Form, Json

# Which constants of a body are error codes: by the name of their member. Other texts are messages for people.


_NAMES: Final = frozenset(
    {"code", "codes", "error", "errors", "errortype", "err", "errcode", "kind", "type", "errorid", "errorname"}
)
_ENDS: Final = ("code", "codes")
_STATUS: Final = frozenset({"statuscode", "httpcode", "httpstatuscode"})
MAX_LENGTH: Final = 200
MAX_SCHEMA_LEVELS: Final = 20


def names_code(member: str) -> bool:
    """True for a member that holds an error code: `code`, `error`, `error_code`, `type`; not for `message`."""
    bare = member.lower().replace("_", "").replace("-", "")
    return (bare in _NAMES or bare.endswith(_ENDS)) and bare not in _STATUS


def is_code(text: str) -> bool:
    """True for a text that may be a code: a sentence is none."""
    return 0 < len(text) <= MAX_LENGTH and not any(sign.isspace() for sign in text)


def codes_of_value(value: Form, *, named: bool = False) -> Iterator[str]:
    """The codes in a constant body; `named`: it is the value of a member that holds codes."""
    if isinstance(value, str):
        if named and is_code(value):
            yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from codes_of_value(part, named=names_code(name))
    elif isinstance(value, list):
        for part in value:
            yield from codes_of_value(part, named=named)


def codes_of_schema(schema: Json, *, named: bool = False, levels: int = MAX_SCHEMA_LEVELS) -> Iterator[str]:
    """The codes among the constants of a body's schema, as literals of code are read."""
    if not isinstance(schema, dict) or levels <= 0:
        return
    if "const" in schema:
        yield from codes_of_value(schema["const"], named=named)
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        yield from codes_of_schema(part, named=names_code(name), levels=levels - 1)
    for word in ("anyOf", "prefixItems"):
        parts = schema.get(word)
        for part in parts if isinstance(parts, list) else ():
            yield from codes_of_schema(part, named=named, levels=levels - 1)
    yield from codes_of_schema(schema.get("items"), named=named, levels=levels - 1)


def leaves_code_open(schema: Json, levels: int = MAX_SCHEMA_LEVELS) -> bool:
    """True when a member that holds a code has a value that the body itself does not tell."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or levels <= 0:
        return False
    return any(
        (names_code(name) and part == {}) or leaves_code_open(part, levels - 1) for name, part in properties.items()
    )


MAX_LITERAL_LEVELS: Final = 20
_TYPES: Final = {
    "builtins.str": "string", "builtins.int": "integer", "builtins.bool": "boolean", "builtins.len": "integer",
    "builtins.repr": "string",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Literal:
    """A body: its schema, None when nothing is known; whether it says all; the error codes in it."""

    schema: Json
    exact: bool
    codes: tuple[str, ...] = ()


UNKNOWN: Final = Literal(None, False)


def literal(modules: Modules, frame: Frame, expression: ast.expr | None) -> Literal:
    """What an expression's JSON values are; of a dict the members, each as far as it is told."""
    reader = _LiteralReader(modules)
    schema = reader.read(frame, expression, 0)
    if not schema:
        return UNKNOWN
    return Literal(schema, reader.exact, tuple(dict.fromkeys(codes_of_schema(schema))))


def members(modules: Modules, frame: Frame, call: ast.Call) -> Literal:
    """The object that keyword arguments make: `jsonify(a=1)`."""
    reader = _LiteralReader(modules)
    closed = all(word.arg for word in call.keywords)
    schema = reader.object(frame, {word.arg: word.value for word in call.keywords if word.arg}, closed, 0)
    return Literal(schema, reader.exact, tuple(dict.fromkeys(codes_of_schema(schema))))


class _LiteralReader:
    """The state of reading one body."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.exact = True

    def read(self, frame: Frame, expression: ast.expr | None, level: int) -> dict[str, Json]:
        """The schema of one expression, {} when it can't be told."""
        frame, node = value_at(self.modules, frame, expression)
        if level < MAX_LITERAL_LEVELS:
            match node:
                case ast.Dict():
                    return self._dict(frame, node, level)
                case ast.Call(func=ast.Name(id="dict"), args=[]) if all(word.arg for word in node.keywords):
                    return self.object(frame, {str(word.arg): word.value for word in node.keywords}, True, level)
                case ast.List(elts=parts) | ast.Tuple(elts=parts):
                    return self._list(frame, parts, level)
                case ast.ListComp(elt=ast.Dict() as element):
                    return {"type": "array", "items": self.read(frame, element, level + 1)}
                case ast.ListComp():
                    self.exact = False
                    return {"type": "array"}
                case ast.IfExp(body=body, orelse=orelse):
                    one, other = self.read(frame, body, level + 1), self.read(frame, orelse, level + 1)
                    return {"anyOf": [one, other]} if one and other else {}
        return self._scalar(frame, node)

    def _scalar(self, frame: Frame, node: ast.expr | None) -> dict[str, Json]:
        value = value_in(self.modules, frame, node)
        if value is not ABSENT:
            return {"const": value}
        if isinstance(node, ast.JoinedStr):
            return {"type": "string"}
        if isinstance(node, ast.Compare):
            return {"type": "boolean"}
        called = self.modules.called(frame.scope, node) if isinstance(node, ast.Call) else None
        kind = _TYPES.get(called.name) if isinstance(called, External) else None
        self.exact = self.exact and kind is not None
        return {"type": kind} if kind is not None else {}

    def _dict(self, frame: Frame, node: ast.Dict, level: int) -> dict[str, Json]:
        named: dict[str, ast.expr] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = value_in(self.modules, frame, key) if key is not None else ABSENT
            if isinstance(name, str) and name is not ABSENT:
                named[name] = value
        return self.object(frame, named, len(named) == len(node.keys), level)

    def object(self, frame: Frame, named: dict[str, ast.expr], closed: bool, level: int) -> dict[str, Json]:
        """An object with these members, and with no others when it is closed."""
        self.exact = self.exact and closed
        properties: Json = {name: self.read(frame, value, level + 1) for name, value in named.items()}
        schema: dict[str, Json] = {"type": "object", "properties": properties, "required": list(named)}
        return schema | ({"additionalProperties": False} if closed else {})

    def _list(self, frame: Frame, parts: list[ast.expr], level: int) -> dict[str, Json]:
        if any(isinstance(part, ast.Starred) for part in parts):
            self.exact = False
            return {"type": "array"}
        inner: list[Json] = [self.read(frame, part, level + 1) for part in parts]
        return {"type": "array", "prefixItems": inner, "minItems": len(inner), "maxItems": len(inner)}


# Side effects, limits, rate limits and idempotency keys that show in what a handler runs.


_COMPARES: Final = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


def side_effects(modules: Modules, events: Iterable[Event]) -> tuple[CodeNote, ...]:
    """Calls whose names suggest that they write, send or enqueue: leads, because a name proves nothing."""
    found: dict[CodeNote, None] = {}
    for event in events:
        if isinstance(event.node, ast.Call) and event.kind is ast.Call and _writes(modules, event, event.node):
            name = ast.unparse(event.node.func)[:200]
            spot = event.frame.scope.spot(event.node)
            found[CodeNote(concern=Concern.SIDE_EFFECTS, name=name, spot=spot, certain=False)] = None
    return tuple(found)


def _writes(modules: Modules, event: Event, call: ast.Call) -> bool:
    name = last_name(call.func)
    called = modules.called(event.frame.scope, call)
    if isinstance(called, External) and called.package == "builtins":
        return name == "open" and _mode(modules, event, call)
    if isinstance(called, External) and called.package in WRITING_MODULES:
        return name in WRITING_MODULES[called.package]
    if isinstance(call.func, ast.Name):
        return _named_for_it(called, name)
    if not isinstance(call.func, ast.Attribute) or name not in WRITING_CALLS:
        return False
    if name in CHANGING:  # told with the stores where it is a container of a module
        if _local_container(modules, event, call.func) or outlives(modules, event.frame, call.func.value):
            return False
        return False
    return not isinstance(call.func.value, ast.Constant | ast.Dict | ast.List | ast.Set)


def _named_for_it(called: Resolved, name: str) -> bool:
    """True for a plain function named after what it does; one that was supplied is followed, and named by more."""
    if isinstance(called, External) and called.package in PURE_PACKAGES:
        return False
    if isinstance(called, Definition) and not isinstance(called.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    words = WRITING_WORDS if isinstance(called, Definition) else (*WRITING_WORDS, *STORING_WORDS)
    return name.lower().lstrip("_").partition("_")[0] in words and not name[:1].isupper()


def _local_container(modules: Modules, event: Event, function: ast.Attribute) -> bool:
    """True for `seen.add(x)` on a list, set or dict that the function itself made."""
    if not isinstance(function.value, ast.Name):
        return False
    made = [binding.node for binding in event.frame.scope.names.get(function.value.id, [])]
    kinds = (ast.Dict, ast.List, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)
    names = ("set", "list", "dict", "defaultdict", "Counter", "OrderedDict", "deque")
    return any(
        isinstance(node, kinds)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names)
        for node in made
    )


def _mode(modules: Modules, event: Event, call: ast.Call) -> bool:
    given = call.args[1] if len(call.args) > 1 else None
    given = next((word.value for word in call.keywords if word.arg == "mode"), given)
    mode = value_in(modules, event.frame, given)
    return isinstance(mode, str) and mode is not ABSENT and any(letter in mode for letter in "wax+")


def limits(modules: Modules, event: Event, responses: Iterable[CodeResponse]) -> Iterator[CodeNote]:
    """The comparison with a constant that leads to a status for too much: 413, 414, 431, or 429 for a rate."""
    statuses = {response.status for response in responses}
    concern = Concern.RATE_LIMITS if statuses & RATE_STATUSES else Concern.LIMITS
    if not statuses & (RATE_STATUSES | SIZE_STATUSES):
        return
    for test in event.tests[-1:]:
        for node in ast.walk(test):
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], _COMPARES):
                continue
            value = _bound(modules, event, node)
            if value is not ABSENT:
                spot = event.frame.scope.spot(node)
                yield CodeNote(concern=concern, name=ast.unparse(node)[:200], spot=spot, value=value)


def _bound(modules: Modules, event: Event, compare: ast.Compare) -> Form:
    for side in (compare.comparators[0], compare.left):
        value = value_in(modules, event.frame, side)
        if value is not ABSENT:
            return value
    return ABSENT


# Lookups that may fail without a `raise` in sight, where a registered handler answers for the error.


ERRORS: Final = ("builtins.KeyError", "builtins.IndexError", "builtins.LookupError")
"""What a lookup that finds nothing raises, and what stands above that."""
_CATCHING: Final = frozenset({"KeyError", "IndexError", "LookupError", "Exception", "BaseException"})
_ADVICE: Final = "Declare with a quote whether the error reaches the handler."


def failing_lookups(
    modules: Modules, function: Definition, events: Iterable[Event], statuses: Iterable[int | None]
) -> Iterator[UnsupportedCode]:
    """The first lookup of a function, and of each function that it calls, that nothing around it catches.

    Args:
        statuses: what the handlers of such errors answer; empty where there is none.
    """
    answered = frozenset(statuses)
    if not answered:
        return
    own = modules.body(function)
    scopes = {
        id(one.node): one for one in [*([own] if own is not None else []), *(each.frame.scope for each in events)]
    }
    for scope in scopes.values():
        if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = next(_lookups(modules, scope, scope.node.body), None)
            if found is not None:
                text = f"the lookup `{ast.unparse(found)[:80]}`, whose error a handler answers"
                told = () if None in answered else tuple(sorted(one for one in answered if one is not None))
                yield UnsupportedCode(scope.spot(found), text, _ADVICE, statuses=told)


def _lookups(modules: Modules, scope: Scope, body: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in body:
        if isinstance(node, SCOPES):
            continue
        if isinstance(node, ast.Try) and any(_catches(one) for one in node.handlers):
            yield from _lookups(modules, scope, [*node.handlers, *node.orelse, *node.finalbody])
            continue
        if _may_fail(modules, scope, node) and isinstance(node, ast.expr):
            yield node
        inner = [node.value] if isinstance(node, ast.AnnAssign) and node.value else ast.iter_child_nodes(node)
        yield from _lookups(modules, scope, inner)


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or ast.unparse(one).rpartition(".")[2] in _CATCHING for one in kinds)


def _may_fail(modules: Modules, scope: Scope, node: ast.AST) -> bool:
    """`x[key]` read or deleted, and `x.pop(key)`; types and what is written out aside."""
    match node:
        case ast.Subscript(value=holder, slice=key, ctx=ast.Load() | ast.Del()):
            written = isinstance(holder, ast.Dict | ast.List | ast.Tuple | ast.Constant)
            plain = isinstance(key, ast.Slice) or (written and isinstance(key, ast.Constant))
            return not plain and not isinstance(modules.resolve(scope, holder), External)
        case ast.Call(func=ast.Attribute(attr="pop"), args=[_], keywords=[]):
            return True
    return False


# Raised errors of which no class can be told: they may be any answer, so that no error is said to be unsent.


_ANY: Final = frozenset({"builtins.Exception", "builtins.BaseException"})
_SMALL: Final = frozenset({"error", "timeout", "gaierror", "herror"})
"""Exceptions of the standard library whose names look like those of functions."""


def untold(modules: Modules, event: Event) -> CodeResponse | None:
    """The answer, of no known status, to an error that is chosen at run time; None where its class is told."""
    raised = event.node.exc if event.kind is ast.Raise and isinstance(event.node, ast.Raise) else None
    if raised is None or _caught(event.frame, raised) or _is_told(modules, event.frame, raised):
        return None
    return CodeResponse(status=None, how="raised", spot=event.spot)


def _is_told(modules: Modules, frame: Frame, raised: ast.expr) -> bool:
    """True for a class by its name or by a call of it; an annotation says only of which base class it is."""
    found = exception_of(modules, frame, raised)
    if not isinstance(found, External):
        return found is not None
    written = raised.func if isinstance(raised, ast.Call) else raised
    at = argument_of(modules, frame, written)
    named = modules.resolve(at[0].scope, at[1]) if at is not None else modules.resolve(frame.scope, written)
    if found.name in _ANY and named != found and not (at is not None and isinstance(at[1], ast.Call)):
        return False
    return found.last in _SMALL or not found.last[:1].islower()


def _caught(frame: Frame, raised: ast.expr) -> bool:
    """True for the name that an `except` around gives what it caught: that was raised, and counted, elsewhere."""
    handlers = (node for node in ast.walk(frame.scope.node) if isinstance(node, ast.ExceptHandler))
    return isinstance(raised, ast.Name) and any(
        one.name == raised.id and any(inner is raised for inner in ast.walk(one)) for one in handlers
    )
