"""Constant expressions of the supplied files as JSON values. What could differ at run time is no constant."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Imported, Modules, Resolved
from evreview.core.vocabulary import ABSENT, Form

MAX_STEPS: Final = 30
"""Levels of expressions and names followed for one constant."""
MAX_PARTS: Final = 5_000
"""Expressions evaluated for one constant; lists of lists of one list grow fast."""
_MAX_TEXT: Final = 20_000
_MAX_NUMBER: Final = 2**64
_ENUM_PACKAGES: Final = ("enum", "http")
ENUMS: Final = ("Enum", "StrEnum", "IntEnum", "IntFlag", "Flag", "ReprEnum")

HTTP_STATUSES: Final = {
    "CONTINUE": 100, "SWITCHING_PROTOCOLS": 101, "PROCESSING": 102, "EARLY_HINTS": 103, "OK": 200, "CREATED": 201,
    "ACCEPTED": 202, "NON_AUTHORITATIVE_INFORMATION": 203, "NO_CONTENT": 204, "RESET_CONTENT": 205,
    "PARTIAL_CONTENT": 206, "MULTI_STATUS": 207, "ALREADY_REPORTED": 208, "IM_USED": 226, "MULTIPLE_CHOICES": 300,
    "MOVED_PERMANENTLY": 301, "FOUND": 302, "SEE_OTHER": 303, "NOT_MODIFIED": 304, "USE_PROXY": 305,
    "TEMPORARY_REDIRECT": 307, "PERMANENT_REDIRECT": 308, "BAD_REQUEST": 400, "UNAUTHORIZED": 401,
    "PAYMENT_REQUIRED": 402, "FORBIDDEN": 403, "NOT_FOUND": 404, "METHOD_NOT_ALLOWED": 405, "NOT_ACCEPTABLE": 406,
    "PROXY_AUTHENTICATION_REQUIRED": 407, "REQUEST_TIMEOUT": 408, "CONFLICT": 409, "GONE": 410,
    "LENGTH_REQUIRED": 411, "PRECONDITION_FAILED": 412, "REQUEST_ENTITY_TOO_LARGE": 413, "CONTENT_TOO_LARGE": 413,
    "REQUEST_URI_TOO_LONG": 414, "URI_TOO_LONG": 414, "UNSUPPORTED_MEDIA_TYPE": 415,
    "REQUESTED_RANGE_NOT_SATISFIABLE": 416, "RANGE_NOT_SATISFIABLE": 416, "EXPECTATION_FAILED": 417,
    "IM_A_TEAPOT": 418, "MISDIRECTED_REQUEST": 421, "UNPROCESSABLE_ENTITY": 422, "UNPROCESSABLE_CONTENT": 422,
    "LOCKED": 423, "FAILED_DEPENDENCY": 424, "TOO_EARLY": 425, "UPGRADE_REQUIRED": 426,
    "PRECONDITION_REQUIRED": 428, "TOO_MANY_REQUESTS": 429, "REQUEST_HEADER_FIELDS_TOO_LARGE": 431,
    "UNAVAILABLE_FOR_LEGAL_REASONS": 451, "INTERNAL_SERVER_ERROR": 500, "NOT_IMPLEMENTED": 501, "BAD_GATEWAY": 502,
    "SERVICE_UNAVAILABLE": 503, "GATEWAY_TIMEOUT": 504, "HTTP_VERSION_NOT_SUPPORTED": 505,
    "VARIANT_ALSO_NEGOTIATES": 506, "INSUFFICIENT_STORAGE": 507, "LOOP_DETECTED": 508, "NOT_EXTENDED": 510,
    "NETWORK_AUTHENTICATION_REQUIRED": 511,
}  # fmt: skip
"""The members of `http.HTTPStatus`, as Python's documentation lists them."""
_STATUS_NAME: Final = re.compile(r"HTTP_(\d{3})_[A-Z_]+")


class _Fuel:
    """What is left of the levels and parts that one constant may take."""

    def __init__(self) -> None:
        self.parts = MAX_PARTS
        self.levels = MAX_STEPS

    def spend(self) -> bool:
        self.parts -= 1
        return self.parts > 0 and self.levels > 0


def constant(modules: Modules, scope: Scope, expression: ast.AST | None, fuel: _Fuel | None = None) -> Form:
    """The JSON value of an expression, ABSENT when it can't be told. Tuples are lists, enum members their values."""
    fuel = fuel or _Fuel()
    if expression is None or not fuel.spend():
        return ABSENT
    fuel.levels -= 1
    value = _value(modules, scope, expression, fuel)
    fuel.levels += 1
    return value


def _value(modules: Modules, scope: Scope, expression: ast.AST, fuel: _Fuel) -> Form:
    match expression:
        case ast.Constant(value=str() | bool() | None as value):
            return value
        case ast.Constant(value=int() | float() as value) if abs(value) <= _MAX_NUMBER:
            return value
        case ast.Name() | ast.Attribute():
            return _named(modules, scope, expression, fuel)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return _list(modules, scope, parts, fuel)
        case ast.Dict():
            return _dict(modules, scope, expression, fuel)
        case ast.JoinedStr(values=parts):
            return _joined(modules, scope, parts, fuel)
        case ast.UnaryOp(op=op, operand=operand):
            return _unary(op, constant(modules, scope, operand, fuel))
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(constant(modules, scope, left, fuel), op, constant(modules, scope, right, fuel))
        case ast.Call():
            return _call(modules, scope, expression, fuel)
        case _:
            return ABSENT


def possible(modules: Modules, scope: Scope, expression: ast.AST | None) -> tuple[Form, ...]:
    """Every constant that an expression may be, over conditional expressions; () when that can't be told."""
    if isinstance(expression, ast.IfExp):
        both = [possible(modules, scope, part) for part in (expression.body, expression.orelse)]
        return (*both[0], *both[1]) if all(both) else ()
    value = constant(modules, scope, expression)
    return () if value is ABSENT else (value,)


def default_of_setting(modules: Modules, scope: Scope, expression: ast.AST | None) -> Form:
    """The default that a settings class states for `settings.NAME`; the environment may change it."""
    if not isinstance(expression, ast.Attribute):
        return ABSENT
    holder = modules.resolve(scope, expression.value)
    cls = modules.class_of(holder)
    if not isinstance(cls, Definition) or not isinstance(cls.node, ast.ClassDef):
        return ABSENT
    found = modules.member(cls, expression.attr)
    return constant(modules, found.scope, found.node) if isinstance(found, Definition) else ABSENT


def texts(modules: Modules, scope: Scope, expression: ast.AST | None) -> tuple[str, ...] | None:
    """A constant list of strings, or one string as a list of one; None when it can't be told."""
    value = constant(modules, scope, expression)
    if isinstance(value, str) and value is not ABSENT:
        return (value,)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return None


def whole(value: Form) -> int | None:
    """The value when it is a whole number and no boolean."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_enum(modules: Modules, resolved: Resolved) -> bool:
    """True for a class that derives from one of Python's enums."""
    return modules.is_a(resolved, _ENUM_PACKAGES, *ENUMS)


def enum_members(modules: Modules, cls: Definition) -> dict[str, Form]:
    """Each member of an enum with its value, ABSENT where it can't be told."""
    scope = modules.body(cls)
    members: dict[str, Form] = {}
    for name, bindings in (scope.names if scope else {}).items():
        node = bindings[-1].node
        if name.startswith("_") or not isinstance(node, ast.expr) or isinstance(node, ast.Lambda) or scope is None:
            continue
        members[name] = (
            _auto(modules, scope, name) if _is_auto(modules, scope, node) else constant(modules, scope, node)
        )
    return members


def _is_auto(modules: Modules, scope: Scope, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and modules.resolve(scope, node.func) == External("enum.auto")


def _auto(modules: Modules, scope: Scope, name: str) -> Form:
    """What `auto()` gives to a member of a `StrEnum`; other enums count, and may start anywhere."""
    cls = Definition(scope.node, scope.parent, "", scope.node) if scope.parent else None
    return name.lower() if cls and modules.is_a(cls, ("enum",), "StrEnum") else ABSENT


def _named(modules: Modules, scope: Scope, expression: ast.Name | ast.Attribute, fuel: _Fuel) -> Form:
    if isinstance(expression, ast.Attribute):
        holder = modules.resolve(scope, expression.value)
        if expression.attr == "value" and (inner := constant(modules, scope, expression.value, fuel)) is not ABSENT:
            return inner if _is_member(modules, scope, expression.value) else ABSENT
        if isinstance(holder, Definition) and isinstance(holder.node, ast.ClassDef) and is_enum(modules, holder):
            return enum_members(modules, holder).get(expression.attr, ABSENT)
    return of(modules, modules.resolve(scope, expression), fuel)


def of(modules: Modules, resolved: Resolved, fuel: _Fuel | None = None) -> Form:
    """The constant that a resolved name stands for, ABSENT when it is none."""
    match resolved:
        case Definition(scope=scope) if _settings(modules, scope):
            return ABSENT
        case Definition(node=ast.Call() as node, scope=scope, name=name) if scope.kind == "class":
            return _auto(modules, scope, name) if _is_auto(modules, scope, node) else ABSENT
        case Definition(node=ast.expr() as node, scope=scope) if not isinstance(node, ast.Lambda):
            return constant(modules, scope, node, fuel)
        case External():
            return _outside(resolved)
    return ABSENT


def _outside(external: External) -> Form:
    found = _STATUS_NAME.fullmatch(external.last)
    if found:
        return int(found[1])
    if external.name.startswith("http.HTTPStatus."):
        return HTTP_STATUSES.get(external.last, ABSENT)
    return ABSENT


def _is_member(modules: Modules, scope: Scope, expression: ast.expr) -> bool:
    if not isinstance(expression, ast.Attribute):
        return False
    holder = modules.resolve(scope, expression.value)
    return holder == External("http.HTTPStatus") or is_enum(modules, holder)


def _settings(modules: Modules, scope: Scope) -> bool:
    """Values of settings classes come from the environment."""
    if scope.kind != "class" or scope.parent is None:
        return False
    cls = Definition(scope.node, scope.parent, "", scope.node)
    return modules.is_a(cls, ("pydantic", "pydantic_settings"), "BaseSettings")


def _list(modules: Modules, scope: Scope, parts: Sequence[ast.expr], fuel: _Fuel) -> Form:
    values: list[Form] = []
    for part in parts:
        value = constant(modules, scope, part.value if isinstance(part, ast.Starred) else part, fuel)
        if value is ABSENT or (isinstance(part, ast.Starred) and not isinstance(value, list)):
            return ABSENT
        values += value if isinstance(part, ast.Starred) and isinstance(value, list) else [value]
        fuel.parts -= len(value) if isinstance(part, ast.Starred) and isinstance(value, list) else 0
    return values


def _dict(modules: Modules, scope: Scope, node: ast.Dict, fuel: _Fuel) -> Form:
    values: dict[str, Form] = {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = constant(modules, scope, value_node, fuel)
        if key_node is None:
            if not isinstance(value, dict):
                return ABSENT
            values |= value
            continue
        key = constant(modules, scope, key_node, fuel)
        if value is ABSENT or key is ABSENT or not isinstance(key, str | int):
            return ABSENT
        values[str(key)] = value
    return values


def _joined(modules: Modules, scope: Scope, parts: Sequence[ast.expr], fuel: _Fuel) -> Form:
    text = ""
    for part in parts:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        if isinstance(part, ast.FormattedValue) and (part.format_spec is not None or part.conversion not in (-1, 115)):
            return ABSENT
        value = constant(modules, scope, inner, fuel)
        if not isinstance(value, str | int) or isinstance(value, bool) or value is ABSENT:
            return ABSENT
        text += str(value)
    return text if len(text) <= _MAX_TEXT else ABSENT


def _unary(op: ast.unaryop, value: Form) -> Form:
    if isinstance(op, ast.USub) and isinstance(value, int | float) and not isinstance(value, bool):
        return -value
    if isinstance(op, ast.Not) and isinstance(value, bool):
        return not value
    return ABSENT


def _binary(left: Form, op: ast.operator, right: Form) -> Form:
    if isinstance(left, list) and isinstance(right, list) and isinstance(op, ast.Add):
        return [*left, *right] if len(left) + len(right) <= MAX_PARTS else ABSENT
    if isinstance(left, dict) and isinstance(right, dict) and isinstance(op, ast.BitOr):
        return {**left, **right}
    if left is ABSENT or right is ABSENT or isinstance(left, bool) or isinstance(right, bool):
        return ABSENT
    if isinstance(left, str) and isinstance(right, str) and isinstance(op, ast.Add):
        return left + right if len(left) + len(right) <= _MAX_TEXT else ABSENT
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _reckoned(left, op, right)
    return ABSENT


def _reckoned(left: float, op: ast.operator, right: float) -> Form:
    if abs(left) > _MAX_NUMBER or abs(right) > _MAX_NUMBER:
        return ABSENT
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.FloorDiv() if right:
            return left // right
        case ast.Div() if right:
            return left / right
        case ast.Pow() if 0 <= right <= 64 and abs(left) <= 1024:
            return left**right  # type: ignore[no-any-return]
        case ast.LShift() if isinstance(left, int) and isinstance(right, int) and 0 <= right <= 64:
            return left << right
        case _:
            return ABSENT


def _call(modules: Modules, scope: Scope, call: ast.Call, fuel: _Fuel) -> Form:
    """`str(…)`, `int(…)`, `frozenset([...])`, `dict(a=1)` and `SomeEnum(value)` of constants."""
    called = modules.resolve(scope, call.func)
    first = constant(modules, scope, call.args[0], fuel) if len(call.args) == 1 and not call.keywords else ABSENT
    if called == External("builtins.dict") and not call.args and all(word.arg for word in call.keywords):
        pairs = {str(word.arg): constant(modules, scope, word.value, fuel) for word in call.keywords}
        return ABSENT if ABSENT in pairs.values() else pairs
    if first is ABSENT or not isinstance(called, External | Definition | Imported):
        return ABSENT
    if isinstance(called, External):
        if called.name in ("builtins.frozenset", "builtins.set", "builtins.tuple", "builtins.list"):
            return first if isinstance(first, list) else ABSENT
        same = {"builtins.str": str, "builtins.int": int, "http.HTTPStatus": int}.get(called.name)
        return first if same is not None and isinstance(first, same) and not isinstance(first, bool) else ABSENT
    return first if is_enum(modules, called) else ABSENT
