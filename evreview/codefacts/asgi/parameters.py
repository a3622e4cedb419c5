"""How a parameter of a handler or dependency is marked: `Query(…)`, `Depends(…)`, by default or in `Annotated`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.annotations import forward
from evreview.codefacts.constants import constant, is_enum
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import FunctionNode, Scope, arguments, defaults
from evreview.codefacts.names import Definition, External, Modules, unwrapped
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import ABSENT, Form

PLACES: Final = ("Query", "Path", "Header", "Cookie", "Body", "Form", "File")
DEPENDS: Final = ("Depends", "Security")


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One parameter as FastAPI sees it.

    Attributes:
        kind: one of `PLACES`, `Depends`, `Security`, or "" for an unmarked one.
        call, where: the marking call and where it stands, None without one.
        annotation: the type as written, `Annotated` included.
        default: the default expression, None without one.
        required: it has no default.
    """

    name: str
    kind: str
    scope: Scope
    spot: Spot
    annotation: ast.expr | None
    call: ast.Call | None = None
    where: Scope | None = None
    default: ast.expr | None = None
    required: bool = True

    @property
    def words(self) -> dict[str, ast.expr]:
        return keywords(self.call) if self.call else {}

    def text(self, modules: Modules, word: str) -> str | None:
        """A constant text among the marking call's keywords; None without."""
        value = self.value(modules, word)
        return value if isinstance(value, str) and value is not ABSENT else None

    def value(self, modules: Modules, word: str) -> Form:
        """A constant among the marking call's keywords."""
        return constant(modules, self.where or self.scope, self.words.get(word))


def marks_of(modules: Modules, scope: Scope, node: FunctionNode) -> Iterator[Mark]:
    """The parameters of a function that stands in `scope`, without a method's first one."""
    given = defaults(node)
    inner = modules.inside(node, scope)
    for place, argument in enumerate(arguments(node)):
        if place == 0 and argument.arg in ("self", "cls") and inner.owner is not None:
            continue
        if argument is node.args.vararg or argument is node.args.kwarg:
            continue
        yield mark_of(modules, scope, argument.arg, argument, given.get(argument.arg))


def mark_of(
    modules: Modules, scope: Scope, name: str, written: ast.arg | ast.AnnAssign, default: ast.expr | None
) -> Mark:
    """How one parameter or dataclass member is marked."""
    annotation = written.annotation
    last = default if default is not None else written
    first = scope.spot(written)
    spot = Spot(first.item, first.first, max(first.last, getattr(last, "end_lineno", 0) or 0), first.path)
    marked = _in_default(modules, scope, default)
    if marked is not None and default is not None:
        return _marked(modules, Mark(name, marked, scope, spot, annotation, default, scope), True)  # type: ignore[arg-type]
    for where, call, kind in in_annotation(modules, scope, annotation):
        mark = Mark(name, kind, scope, spot, annotation, call, where, default, default is None)
        return _marked(modules, mark, False)
    required = default is None or _ellipsis(default)
    return Mark(name, "", scope, spot, annotation, None, None, None if required else default, required)


def _in_default(modules: Modules, scope: Scope, default: ast.expr | None) -> str | None:
    if not isinstance(default, ast.Call):
        return None
    called = modules.called(scope, default)
    found = isinstance(called, External) and called.of(("fastapi",), *PLACES, *DEPENDS)
    return called.last if found and isinstance(called, External) else None


def in_annotation(
    modules: Modules, scope: Scope, annotation: ast.expr | None, hops: int = 8
) -> Iterator[tuple[Scope, ast.Call, str]]:
    """The marking calls within `Annotated[…]`, over names for it, last one first."""
    found = modules.resolve(scope, annotation)
    if isinstance(found, Definition) and isinstance(found.node, ast.Subscript) and hops > 0:
        yield from in_annotation(modules, found.scope, found.node, hops - 1)
        return
    if not isinstance(annotation, ast.Subscript) or not isinstance(annotation.slice, ast.Tuple):
        return
    outer = modules.resolve(scope, annotation.value)
    if not isinstance(outer, External) or outer.last != "Annotated":
        return
    for part in reversed(annotation.slice.elts[1:]):
        named = modules.resolve(scope, part)
        where, call = (named.scope, named.node) if isinstance(named, Definition) else (scope, part)
        called = modules.called(where, call) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and isinstance(called, External) and called.of(("fastapi",), *PLACES, *DEPENDS):
            yield where, call, called.last


def _marked(modules: Modules, mark: Mark, in_default: bool) -> Mark:
    if mark.kind in DEPENDS or mark.call is None:
        return mark
    default = mark.default
    if in_default or default is None:
        default = mark.words.get("default", mark.call.args[0] if mark.call.args else None)
    factory = "default_factory" in mark.words
    required = (default is None or _ellipsis(default)) and not factory
    if mark.kind == "Path":
        required = True
    return Mark(
        mark.name, mark.kind, mark.scope, mark.spot, mark.annotation, mark.call, mark.where,
        None if required or default is None else default, required,
    )  # fmt: skip


def _ellipsis(default: ast.expr) -> bool:
    return isinstance(default, ast.Constant) and default.value is Ellipsis


def plain_type(annotation: ast.expr | None) -> ast.expr | None:
    """The annotation without `Annotated`, `Optional` and `| None`."""
    return unwrapped(annotation)


# What FastAPI makes of a parameter's type: a scalar, something for the body, a file, or an object of its own.


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
