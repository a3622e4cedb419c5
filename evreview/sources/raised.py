"""Raised errors of which no class can be told: they may be any answer, so that no error is said to be unsent."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.control_flow import Event, Frame, argument_of, exception_of
from evreview.codefacts.model import CodeResponse
from evreview.codefacts.names import Modules
from evreview.sources.resolved import External

_ANY: Final = frozenset({"builtins.Exception", "builtins.BaseException"})
_SMALL: Final = frozenset({"error", "timeout", "gaierror", "herror"})
"""Exceptions of the standard library whose names look like those of functions."""


def untold(modules: Modules, event: Event) -> CodeResponse | None:
    """The answer, of no known status, to an error that is chosen at run time; None where its class is told."""
    raised = event.node.exc if event.kind is ast.Raise and isinstance(event.node, ast.Raise) else None
    if raised is None or _caught(event.frame, raised) or _is_told(modules, event.frame, raised):
        return None
    return CodeResponse(status=None, how="raised", spot=event.spot)


def _is_told(modules: Modules, frame: Frame, raised: ast.expr) -> bool:
    """True for a class by its name or by a call of it; an annotation says only of which base class it is."""
    found = exception_of(modules, frame, raised)
    if not isinstance(found, External):
        return found is not None
    written = raised.func if isinstance(raised, ast.Call) else raised
    at = argument_of(modules, frame, written)
    named = modules.resolve(at[0].scope, at[1]) if at is not None else modules.resolve(frame.scope, written)
    if found.name in _ANY and named != found and not (at is not None and isinstance(at[1], ast.Call)):
        return False
    return found.last in _SMALL or not found.last[:1].islower()


def _caught(frame: Frame, raised: ast.expr) -> bool:
    """True for the name that an `except` around gives what it caught: that was raised, and counted, elsewhere."""
    handlers = (node for node in ast.walk(frame.scope.node) if isinstance(node, ast.ExceptHandler))
    return isinstance(raised, ast.Name) and any(
        one.name == raised.id and any(inner is raised for inner in ast.walk(one)) for one in handlers
    )
