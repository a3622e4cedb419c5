"""Stores into what outlives a call: objects and containers of a module, an app's state, an object's own members."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from evreview.codefacts.control_flow import Event, Frame, argument_of
from evreview.codefacts.model import CodeNote
from evreview.codefacts.modules import Scope, arguments
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import Concern
from evreview.sources.resolved import External, out_of_classes

CHANGING: Final = frozenset(
    {"append", "appendleft", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
     "setdefault", "update"}
)  # fmt: skip
"""Methods by which Python's own containers change."""
_PER_REQUEST: Final = ("g", "request")
_STATE: Final = frozenset({"app", "application"})
_MOST_HOPS: Final = 8


def stores(modules: Modules, events: Iterable[Event]) -> tuple[CodeNote, ...]:
    """What a handler stores where a later call finds it: leads, since a cache is stored so as well."""
    found: dict[CodeNote, None] = {}
    for event in events:
        for name, node in _stored(modules, event):
            spot = event.frame.scope.spot(node)
            found[CodeNote(concern=Concern.SIDE_EFFECTS, name=name[:200], spot=spot, certain=False)] = None
    return tuple(found)


def _stored(modules: Modules, event: Event) -> Iterator[tuple[str, ast.AST]]:
    node = event.node
    if isinstance(node, ast.Call) and event.kind is ast.Call:
        if _changes(modules, event.frame, node.func):
            yield ast.unparse(node.func), node
        return
    for target in _targets(node):
        if _is_store(modules, event.frame, target):
            yield (f"del {ast.unparse(target)}" if isinstance(node, ast.Delete) else ast.unparse(target)), node


def _changes(modules: Modules, frame: Frame, function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute) or function.attr not in CHANGING:
        return False
    return outlives(modules, frame, function.value) and not _is_module(modules, frame, function.value)


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            waiting: list[ast.expr] = list(targets)
        case ast.AugAssign(target=target):
            waiting = [target]
        case ast.AnnAssign(target=target, value=value) if value is not None:
            waiting = [target]
        case _:
            return
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, ast.Tuple | ast.List):
            waiting[:0] = part.elts
        else:
            yield part.value if isinstance(part, ast.Starred) else part


def _is_store(modules: Modules, frame: Frame, target: ast.expr) -> bool:
    if isinstance(target, ast.Name):
        return target.id in _globals(frame.scope)
    if isinstance(target, ast.Attribute) and _own_member(frame, target.value):
        return False  # a member of an object that may be made for this call alone
    return isinstance(target, ast.Attribute | ast.Subscript) and outlives(modules, frame, target.value)


@lru_cache(maxsize=256)
def _globals(scope: Scope) -> frozenset[str]:
    """The names that a function takes from its module to bind them again."""
    found = (node.names for node in ast.walk(scope.node) if isinstance(node, ast.Global | ast.Nonlocal))
    return frozenset(name for names in found for name in names)


def outlives(modules: Modules, frame: Frame, expression: ast.AST | None, hops: int = _MOST_HOPS) -> bool:
    """True when what an expression stands for is still there after the call."""
    while isinstance(expression, ast.Attribute | ast.Subscript):
        if isinstance(expression, ast.Attribute) and (
            expression.attr in _STATE or _own_member(frame, expression.value)
        ):
            return not _constructs(frame)
        expression = expression.value
    if not isinstance(expression, ast.Name) or hops <= 0:
        return False
    given = argument_of(modules, frame, expression)
    if given is not None:
        return outlives(modules, given[0], given[1], hops - 1)
    scope: Scope | None = frame.scope
    while scope is not None and expression.id not in scope.names:
        scope = scope.parent if scope.kind != "class" else out_of_classes(scope)
    if scope is None or scope.kind != "function" or expression.id in _globals(frame.scope):
        return not _per_request(modules, frame.scope, expression)
    made = [binding.node for binding in scope.names[expression.id]]
    return any(
        isinstance(node, ast.Name | ast.Attribute | ast.Subscript)
        and not (isinstance(node, ast.Name) and node.id == expression.id)
        and outlives(modules, frame, node, hops - 1)
        for node in made
    )


def _own_member(frame: Frame, holder: ast.AST) -> bool:
    """True for `self` in a method."""
    node = frame.scope.node
    if frame.scope.owner is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    given = arguments(node)
    return isinstance(holder, ast.Name) and bool(given) and given[0].arg == holder.id and frame.depth > 0


def _constructs(frame: Frame) -> bool:
    return getattr(frame.scope.node, "name", "") in ("__init__", "__new__", "__post_init__")


def _per_request(modules: Modules, scope: Scope, name: ast.Name) -> bool:
    """True for Flask's `g` and `request`, and for words that Python brings along."""
    found = modules.resolve(scope, name)
    return isinstance(found, External) and (found.of(("flask",), *_PER_REQUEST) or found.package == "builtins")


def _is_module(modules: Modules, frame: Frame, receiver: ast.expr) -> bool:
    """True for `numpy` in `numpy.append(…)`: a function of a module, no method of a container."""
    found = modules.resolve(frame.scope, receiver)
    return isinstance(found, External) and "." not in found.name
