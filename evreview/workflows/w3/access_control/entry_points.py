"""Entry points that are no routes: a library's public function, a command, a handler of messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.calls import is_function, methods_of
from evreview.codefacts.model import CodeFacts, Route, SourceText, UnreadPart
from evreview.codefacts.modules import arguments
from evreview.codefacts.names import Definition, Modules
from evreview.evidence.element_mentions import METHODS, operation_key
from evreview.evidence.records.security import EntryPoint, TrustModel

CALL: Final = "CALL"
"""Stands where a route has its method: the function is called."""
FRAMEWORK: Final = "function"
_STEP: Final = re.compile(r"::|[./\\:]")
_RUN: Final = re.compile(r"^python[\d.]*\s+(?:-m\s+)?(\S+).*$")
_MAIN: Final = "main"


@dataclass(frozen=True, slots=True)
class _Named:
    """A function or class of the sources with the steps of its name: folders, file, classes, its own."""

    steps: tuple[str, ...]
    definition: Definition


def is_route(text: str) -> bool:
    """True for method and path; anything else names a function or says in words where something comes in."""
    words = text.split()
    return len(words) == 2 and words[0].upper() in METHODS and words[1].startswith("/")


def function_of(entry: EntryPoint) -> str:
    """How an entry point that is no route names its function, "" for one that names none."""
    if entry.function:
        return entry.function
    return entry.route if entry.route and not is_route(entry.route) else ""


def entry_routes(model: TrustModel | None, sources: Sequence[SourceText]) -> tuple[Route, ...]:
    """One operation `CALL name` per function that an entry point names; none where no or several files have it."""
    names = [name for entry in (model.entry_points or () if model else ()) if (name := function_of(entry))]
    if not names:
        return ()
    modules = Modules([source for source in sources if source.path.endswith((".py", ".pyi"))])
    known = tuple(_definitions(modules))
    return tuple(_route(way, one) for name in dict.fromkeys(names) for way, one in _meant(modules, known, name))


def stated_methods(model: TrustModel | None, code: CodeFacts) -> tuple[Route, ...]:
    """The operations of entry points on views that answer every method, where the code shows one method alone."""
    every = {(one.spot.item, one.spot.path, one.spot.last) for one in code.unread if one.part is UnreadPart.ANY_METHOD}
    known = {operation_key(f"{route.method} {route.path}"): route for route in code.routes}
    found: dict[str, Route] = {}
    for entry in model.entry_points or () if model else ():
        key = operation_key(entry.route) if entry.route and is_route(entry.route) else ""
        method, _, path = key.partition(" ")
        shown = known.get(f"GET {path}") if key and key not in known else None
        if shown is not None and (shown.spot.item, shown.spot.path, shown.spot.last) in every:
            found[key] = replace(shown, method=method)
    return tuple(found.values())


def _definitions(modules: Modules) -> Iterator[_Named]:
    for scope, statement in modules.statements():
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            definition = Definition(statement, scope, statement.name, statement)
            yield _Named((*_steps(scope.module.name), *definition.qualname.split(".")), definition)


def _steps(name: str) -> tuple[str, ...]:
    bare = re.sub(r"\.pyi?(?=::|:|$)", "", name.removesuffix("()"))
    return tuple(step for step in _STEP.split(bare) if step)


def _meant(modules: Modules, known: Sequence[_Named], name: str) -> Iterator[tuple[str, Definition]]:
    """The function of that name; of a class its public methods, of a command's module its `main`."""
    run = _RUN.match(name)
    wanted = _steps(run[1] if run else name)
    found = [one.definition for one in known if one.steps[-len(wanted) :] == wanted]
    if not found:
        found = [one.definition for one in known if one.steps[-len(wanted) - 1 :] == (*wanted, _MAIN)]
    if len(found) != 1:
        return
    if is_function(found[0]):
        yield name, found[0]
    else:
        own = methods_of(modules, found[0])
        yield from ((f"{name}.{at}", method) for at, method in own.items() if not at.startswith("_"))


def _route(name: str, function: Definition) -> Route:
    spot = function.scope.spot(function.statement)
    return Route(method=CALL, path=name, handler=function.qualname, framework=FRAMEWORK, spot=spot)


def given(function: Definition) -> frozenset[str]:
    """The parameters that whoever calls an entry point fills in."""
    node = function.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return frozenset()
    return frozenset(one.arg for one in arguments(node)) - {"self", "cls"}
