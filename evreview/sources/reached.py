"""Which lines a handler's code refers to: itself, its dependencies and decorators, and everything these name.

What is named may run; it need not. So it shows that lines belong to a route, never that they are executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import Route, Spot
from evreview.codefacts.modules import Scope, defaults
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

MAX_REACHED: Final = 600
"""Definitions followed from one handler."""
_PLAIN: Final = frozenset({"builtins", "abc", "typing", "enum", "dataclasses", "collections", "typing_extensions"})
"""Packages whose classes call none of a class's methods by themselves, special ones aside."""
_VERBS: Final = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "trace", "list", "create", "retrieve", "update",
     "partial_update", "destroy"}
)  # fmt: skip
"""Methods that answer routes of their own."""
_ROUTED: Final = frozenset({*_VERBS, "action", "route", "api_route"})
_REGISTERING: Final = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "trace", "route", "api_route", "view", "websocket"}
)  # fmt: skip
_NAMED: Final = frozenset({"property", "cached_property", "staticmethod", "classmethod", "abstractmethod", "override"})
"""Decorators of methods that run only where they are named."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


class Reached:
    """The definitions of the supplied files, and what each of them refers to."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self._by_name: dict[str, list[Definition]] = {}
        self._named: dict[int, tuple[Definition, ...]] = {}
        self._all: dict[int, tuple[Definition, ...]] = {}
        for scope, statement in modules.statements():
            if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
                found = Definition(statement, scope, statement.name, statement)
                self._by_name.setdefault(found.qualname, []).append(found)

    def handler(self, route: Route) -> Definition | None:
        """The function or class that answers a route, None for a declared route and for one that can't be told."""
        name = route.handler
        while name:
            known = self._by_name.get(name, [])
            own = [one for one in known if one.scope.module.source.item == route.spot.item]
            near = [one for one in own if _overlap(one.scope.spot(one.node), route.spot)]
            for found in (near, own, known):
                if len(found) == 1:
                    return found[0]
            name = name.rpartition(".")[0]
        return None

    def named(self, qualname: str) -> tuple[Definition, ...]:
        """The functions and classes with this qualified name."""
        return tuple(self._by_name.get(qualname, ()))

    def definitions(self, start: Definition) -> tuple[Definition, ...]:
        """What `start` refers to, itself first, each once, as far as it is followed."""
        key = id(start.node)
        if key not in self._all:
            self._all[key] = self._closure(start)
        return self._all[key]

    def spots(self, start: Definition) -> tuple[Spot, ...]:
        """The lines of all these; of a class what stands at its level, since its methods need not be called."""
        return tuple(spot for one in self.definitions(start) for spot in self.lines(one))

    def lines(self, one: Definition) -> tuple[Spot, ...]:
        """The lines of one definition: of a class its head and its own statements, else all of it."""
        inner = self.modules.body(one)
        if not isinstance(one.node, ast.ClassDef) or inner is None:
            return (one.scope.spot(one.statement),)
        whole = one.scope.spot(one.node)
        first = min(inner.spot(statement).first for statement in one.node.body)
        head = replace(whole, last=max(whole.first, min(whole.last, first - 1)))
        own = (statement for statement in one.node.body if not isinstance(statement, (*_FUNCTIONS, ast.ClassDef)))
        return (head, *(inner.spot(statement) for statement in own))

    def _closure(self, start: Definition) -> tuple[Definition, ...]:
        found: dict[int, Definition] = {id(start.node): start}
        waiting = [start]
        while waiting and len(found) < MAX_REACHED:
            at = waiting.pop(0)
            for one in self._refers(at):
                if id(one.node) not in found:
                    found[id(one.node)] = one
                    waiting.append(one)
        return tuple(found.values())

    def _refers(self, at: Definition) -> tuple[Definition, ...]:
        key = id(at.node)
        if key not in self._named:
            self._named[key] = tuple(self._read(at))
        return self._named[key]

    def _read(self, at: Definition) -> Iterator[Definition]:
        inner = self.modules.body(at)
        if isinstance(at.node, ast.ClassDef) and inner is not None:
            yield from self._called_unnamed(at, inner)
        for scope, node in _parts(at, inner):
            for name in _names(node):
                found = self.modules.resolve(scope, name)
                if isinstance(found, Definition) and _is_outer(found, inner):
                    yield found
        if isinstance(at.node, _FUNCTIONS) and at.scope.kind == "class" and at.scope.parent is not None:
            # A method comes with its class: what it inherits and keeps belongs to it.
            owner = at.scope.node
            yield Definition(owner, at.scope.parent, getattr(owner, "name", ""), owner)

    def _called_unnamed(self, cls: Definition, inner: Scope) -> Iterator[Definition]:
        """The methods of a class that run without being named: special ones, and what a framework calls."""
        bases = [one for one in self.modules.ancestry(cls) if isinstance(one, External)]
        framework = any(one.package not in _PLAIN for one in bases)
        for statement in getattr(cls.node, "body", []):
            if not isinstance(statement, _FUNCTIONS):
                continue
            marks = {_last(one) for one in statement.decorator_list}
            special = statement.name.startswith("__") and statement.name.endswith("__")
            hook = framework and statement.name not in _VERBS and not marks & (_ROUTED | _NAMED)
            if special or hook or marks - _ROUTED - _NAMED:
                yield Definition(statement, inner, statement.name, statement)


def _last(decorator: ast.expr) -> str:
    at = decorator.func if isinstance(decorator, ast.Call) else decorator
    return at.attr if isinstance(at, ast.Attribute) else getattr(at, "id", "")


def _parts(at: Definition, inner: Scope | None) -> Iterator[tuple[Scope, ast.AST]]:
    """The pieces of a definition, each with the scope in which its names are looked up."""
    node = at.node
    if isinstance(node, _FUNCTIONS) and inner is not None:
        outside: list[ast.AST | None] = [*_applied(node.decorator_list), *defaults(node).values(), node.returns]
        outside += [argument.annotation for argument in ast.walk(node.args) if isinstance(argument, ast.arg)]
        yield from ((at.scope, part) for part in outside if part is not None)
        yield from ((inner, part) for part in node.body)
    elif isinstance(node, ast.ClassDef) and inner is not None:
        yield from ((at.scope, part) for part in [*node.decorator_list, *node.bases])
        yield from ((inner, part) for part in node.body if not isinstance(part, (*_FUNCTIONS, ast.ClassDef)))
    elif isinstance(node, ast.expr):
        yield at.scope, node


def _applied(written: list[ast.expr]) -> list[ast.expr]:
    """The decorators from the lowest one that registers a route on: what stands above it wraps nothing served."""
    calls = (one.func if isinstance(one, ast.Call) else None for one in written)
    places = [n for n, one in enumerate(calls) if isinstance(one, ast.Attribute) and one.attr in _REGISTERING]
    return written[max(places) :] if places else written


def _names(node: ast.AST) -> Iterator[ast.expr]:
    """Every name and dotted name that is read, the longest form of each first."""
    waiting: list[ast.AST] = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, ast.Name | ast.Attribute) and isinstance(at.ctx, ast.Load):
            yield at
        waiting.extend(ast.iter_child_nodes(at))


def _is_outer(found: Definition, inner: Scope | None) -> bool:
    """False for parameters and for what the definition's own body binds, which is read with it."""
    if isinstance(found.node, ast.arg):
        return False
    return not (inner is not None and found.scope is inner and inner.kind == "function")


def _overlap(left: Spot, right: Spot) -> bool:
    return left.item == right.item and left.first <= right.last and right.first <= left.last


def overlapping(spots: Iterable[Spot], item: str, first: int, last: int) -> Spot | None:
    """The smallest of the spots that has lines of this span, None when none has."""
    found = [spot for spot in spots if spot.item == item and spot.first <= last and first <= spot.last]
    return min(found, key=lambda spot: (spot.last - spot.first, spot), default=None)
