"""How a parameter of a handler or dependency is marked: `Query(…)`, `Depends(…)`, by default or in `Annotated`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import FunctionNode, Scope, arguments, defaults
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import MISSING, Form
from evreview.sources.resolved import Definition, External, unwrapped

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
        return value if isinstance(value, str) and value is not MISSING else None

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
