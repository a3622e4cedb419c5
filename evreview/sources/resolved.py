"""What a name may stand for, and the small questions about imports and annotations that resolving asks."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from evreview.codefacts.modules import Binding, Module, Scope


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """Something that a supplied file defines.

    Attributes:
        node: class, function, parameter, or the assigned expression.
        scope: where it is written; names in it are looked up here.
        name: as it is called there.
        statement: the statement that defines it.
    """

    node: ast.AST
    scope: Scope
    name: str
    statement: ast.AST

    @property
    def qualname(self) -> str:
        """Qualified name within its file."""
        return self.scope.inner_name(self.name)


@dataclass(frozen=True, slots=True)
class External:
    """Something that no supplied file defines, by its dotted name: `fastapi.FastAPI`, `builtins.str`."""

    name: str

    @property
    def package(self) -> str:
        """The first part: `fastapi`."""
        return self.name.partition(".")[0]

    @property
    def last(self) -> str:
        """The last part: `FastAPI`."""
        return self.name.rpartition(".")[2]

    def of(self, packages: Iterable[str], *names: str) -> bool:
        """True when it comes from one of `packages` and its last part is one of `names`."""
        return self.last in names and self.package in packages


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A supplied module, by name."""

    module: Module


Resolved = Definition | External | Imported | None


def chosen(scope: Scope, name: str) -> Binding | None:
    """The binding of `name` that holds, None when several may."""
    bindings = scope.names.get(name, [])
    if len(bindings) == 1:
        return bindings[0]
    imports = [binding for binding in bindings if isinstance(binding.node, ast.alias)]
    if imports:
        return imports[0]
    if bindings and (scope.kind != "function" or all(_defines(one) for one in bindings)):
        return bindings[-1] if all(binding.sure for binding in bindings) else None
    return None


def _defines(binding: Binding) -> bool:
    return isinstance(binding.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def plain_base(base: ast.expr) -> ast.expr:
    """`Page[Item]` -> `Page`."""
    return base.value if isinstance(base, ast.Subscript) else base


def unwrapped(annotation: ast.expr | None) -> ast.expr | None:
    """The class in `Annotated[C, …]`, `Optional[C]` or `C | None`, as written."""
    match annotation:
        case ast.Subscript(
            value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=parts)
        ):
            return unwrapped(parts[0]) if parts else None
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return unwrapped(inner)
        case ast.BinOp(op=ast.BitOr(), left=left, right=ast.Constant(value=None)):
            return unwrapped(left)
        case ast.Constant(value=str(text)) if text.isidentifier():
            return ast.copy_location(ast.Name(id=text, ctx=ast.Load()), annotation)
        case _:
            return annotation


def out_of_classes(scope: Scope) -> Scope | None:
    """The next scope outwards that is no class body."""
    at = scope.parent
    while at is not None and at.kind == "class":
        at = at.parent
    return at


def absolute(module: Module, statement: ast.ImportFrom) -> str | None:
    """The dotted name that a `from` import starts from, None when it leaves the tree."""
    if not statement.level:
        return statement.module or ""
    parts = module.package.split(".") if module.package else []
    up = statement.level - 1
    if up > len(parts):
        return None
    kept = parts[: len(parts) - up]
    return ".".join([*kept, statement.module] if statement.module else kept)


def shared(left: str, right: str) -> int:
    """How many leading parts two dotted names share."""
    count = 0
    for one, other in zip(left.split("."), right.split("."), strict=False):
        if one != other:
            break
        count += 1
    return count
