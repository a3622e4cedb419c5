"""What a function around a handler gives back: the answer of the next in line, or one of its own."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition

_HOPS: Final = 6


def hands_on(modules: Modules, frame: Frame, value: ast.expr | None, hops: int = _HOPS) -> bool:
    """True for nothing, and for what the next in line gives: an argument that is called, or what holds its answer."""
    match value:
        case None | ast.Constant(value=None) | ast.Lambda():
            return True
        case ast.Await(value=inner):
            return hands_on(modules, frame, inner, hops)
        case ast.IfExp(body=body, orelse=orelse):
            return all(hands_on(modules, frame, one, hops) for one in (body, orelse))
        case ast.Call(func=ast.Name() as called):
            return is_argument(modules, frame, called) or _given(modules, frame, value)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
            return True
        case ast.Call(func=ast.Call() as made):
            return _given(modules, frame, made)
        case ast.Call():
            return _given(modules, frame, value)
        case ast.Name(id=name) if hops > 0:
            if is_argument(modules, frame, value):
                return True
            found = modules.lookup(frame.scope, name)
            if isinstance(found, Definition) and not isinstance(found.node, ast.expr):
                return True  # a decorator that gives back what it puts around
            bound = [one.node for one in frame.scope.names.get(name, []) if isinstance(one.node, ast.expr)]
            return bool(bound) and all(hands_on(modules, frame, one, hops - 1) for one in bound)
        case _:
            return False


def is_argument(modules: Modules, frame: Frame, node: ast.expr) -> bool:
    """True for an argument of the function or of one around it."""
    found = modules.lookup(frame.scope, node.id) if isinstance(node, ast.Name) else None
    return isinstance(found, Definition) and isinstance(found.node, ast.arg)


def _given(modules: Modules, frame: Frame, call: ast.Call) -> bool:
    """True for a call that gets the function next in line: `run_sync(view, request)`, `self.get_response(request)`."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("get_response", "call_next", "dispatch_request"):
        return True
    outer = [one for one in call.args if is_argument(modules, frame, one)]
    return any(
        isinstance(found := modules.lookup(frame.scope, one.id), Definition) and found.scope is not frame.scope
        for one in outer
        if isinstance(one, ast.Name)
    )
