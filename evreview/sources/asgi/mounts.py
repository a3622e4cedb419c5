"""Applications that a list of routes mounts: `FastAPI(routes=[Mount("/library", app=loans)])`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import Definition, External

_HOPS: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Mounted:
    """One `Mount(path, app)` of a list, with the paths of those around it."""

    prefix: str
    app: ast.expr
    call: ast.Call
    scope: Scope


def mounts(
    modules: Modules, scope: Scope, given: ast.expr | None, prefix: str = "", hops: int = _HOPS
) -> Iterator[Mounted]:
    """Every application that a list of routes mounts at a constant path, over names, `+` and mounts in mounts."""
    found = modules.resolve(scope, given)
    if given is None or hops <= 0:
        return
    if isinstance(found, Definition) and isinstance(found.node, ast.expr) and found.node is not given:
        yield from mounts(modules, found.scope, found.node, prefix, hops - 1)
        return
    match given:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            pass
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            parts = [left, right]
        case ast.Call():
            yield from _of_call(modules, scope, given, prefix, hops - 1)
            return
        case _:
            return
    for part in parts:
        inner = part.value if isinstance(part, ast.Starred) else part
        yield from mounts(modules, scope, inner, prefix, hops - 1)


def _of_call(modules: Modules, scope: Scope, call: ast.Call, prefix: str, hops: int) -> Iterator[Mounted]:
    called = modules.called(scope, call)
    if not isinstance(called, External) or called.last != "Mount" or called.package not in ("starlette", "fastapi"):
        return
    words = keywords(call)
    path = constant(modules, scope, words.get("path", call.args[0] if call.args else None))
    app = words.get("app", call.args[1] if len(call.args) > 1 else None)
    if not isinstance(path, str) or path is MISSING:
        return
    below = prefix + path.rstrip("/")
    if app is not None:
        yield Mounted(below, app, call, scope)
    yield from mounts(modules, scope, words.get("routes"), below, hops)
