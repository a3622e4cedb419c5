"""What FastAPI makes of a parameter's type: a scalar, something for the body, a file, or an object of its own."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.annotations import forward
from evreview.codefacts.constants import is_enum
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

SPECIAL: Final = ("Request", "WebSocket", "HTTPConnection", "Response", "BackgroundTasks", "SecurityScopes")
_SCALARS: Final = {
    "builtins": ("str", "int", "float", "bool", "bytes", "object", "complex"), "datetime": None, "uuid": None,
    "decimal": None, "pathlib": None, "ipaddress": None, "pydantic": None, "http": ("HTTPStatus",),
    "typing": ("Any", "Text", "Literal", "LiteralString"), "typing_extensions": ("Any", "Literal"), "types": None,
}  # fmt: skip
_COMPLEX: Final = (
    "list", "dict", "set", "frozenset", "tuple", "List", "Dict", "Set", "FrozenSet", "Tuple", "Sequence", "Mapping",
    "Iterable", "deque", "Deque", "OrderedDict", "defaultdict",
)  # fmt: skip
_MODELS: Final = ("pydantic", "sqlmodel", "typing", "typing_extensions")


def sort_of(modules: Modules, scope: Scope, annotation: ast.expr | None, hops: int = 12) -> str:
    """`scalar`, `complex`, `file`, the name of a special object, or "" when it can't be told."""
    if annotation is None:
        return "scalar"
    if hops <= 0:
        return ""
    match annotation:
        case ast.Constant(value=str(text)):
            return sort_of(modules, scope, forward(text, annotation), hops - 1)
        case ast.Constant():
            return "scalar"
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _worst([sort_of(modules, scope, part, hops - 1) for part in (left, right)])
        case ast.Subscript(value=value, slice=inner):
            parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
            return _generic(modules, scope, value, parts, hops - 1)
        case ast.Call():
            called = modules.called(scope, annotation)
            return "complex" if isinstance(called, External) and called.last in ("conlist", "conset") else "scalar"
        case _:
            return _named(modules, scope, annotation, hops - 1)


def _named(modules: Modules, scope: Scope, annotation: ast.expr, hops: int) -> str:
    found = modules.resolve(scope, annotation)
    for name in SPECIAL:
        if modules.is_a(found, ("fastapi", "starlette"), name) or (
            name == "Response"
            and isinstance(found, External)
            and found.package == "starlette"
            and "Response" in found.last
        ):
            return name
    if modules.is_a(found, ("fastapi", "starlette"), "UploadFile"):
        return "file"
    match found:
        case External(package=package, last=last):
            if last in _COMPLEX and package in ("builtins", "typing", "collections", "typing_extensions"):
                return "complex"
            names = _SCALARS.get(package, ())
            if package == "pydantic" and last in ("BaseModel", "Json", "JsonValue"):
                return "complex" if last != "JsonValue" else ""
            return "scalar" if names is None or last in names else ""
        case Definition(node=ast.ClassDef() as node):
            if is_enum(modules, found):
                return "scalar"
            if modules.is_a(found, _MODELS, "BaseModel", "SQLModel", "RootModel", "TypedDict", "NamedTuple"):
                return "complex"
            return "complex" if _dataclass(modules, found.scope, node) else ""
        case Definition(node=ast.expr() as node, scope=where):
            if isinstance(node, ast.Call) and len(node.args) == 2:  # NewType
                return sort_of(modules, where, node.args[1], hops)
            return sort_of(modules, where, node, hops)
    return ""


def _dataclass(modules: Modules, scope: Scope, node: ast.ClassDef) -> bool:
    called = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    found = [modules.resolve(scope, one) for one in called]
    return any(isinstance(one, External) and one.last == "dataclass" for one in found)


def _generic(modules: Modules, scope: Scope, outer: ast.expr, parts: list[ast.expr], hops: int) -> str:
    found = modules.resolve(scope, outer)
    name = found.last if isinstance(found, External) else ""
    if name == "Literal":
        return "scalar"
    if name in ("Annotated", "Optional", "Final"):
        return sort_of(modules, scope, parts[0], hops)
    if name == "Union":
        return _worst([sort_of(modules, scope, part, hops) for part in parts])
    if name in _COMPLEX:
        inner = [sort_of(modules, scope, part, hops) for part in parts]
        return "file" if "file" in inner else "complex"
    return sort_of(modules, scope, outer, hops) if isinstance(found, Definition) else ""


def _worst(sorts: list[str]) -> str:
    for sort in ("", *SPECIAL, "file", "complex"):
        if sort in sorts:
            return sort
    return "scalar"
