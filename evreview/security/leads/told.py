"""Tests that keep nothing from its use: those on which only a log hangs, and those that come after it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import last_name
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import Scope
from evreview.workflows.w3.access_control.units import Reading

_TELLING: Final = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print", "bind", "flash"}
)
_ANSWERING: Final = frozenset(
    {"startswith", "endswith", "is_relative_to", "match", "fullmatch", "search", "isalnum", "isdigit", "isidentifier"}
)
"""Calls that say yes or no and raise nothing."""


@dataclass(frozen=True, slots=True)
class Use:
    """Where a value is used: the function, and the last line of the statement; None where it may come round again."""

    scope: Scope
    last: int | None


def use_of(reading: Reading, frame: Frame, node: ast.expr) -> Use:
    """Where an expression of a function stands."""
    line = node.lineno
    around = [
        one
        for one in reading.nodes(frame.scope.node)
        if isinstance(one, ast.stmt) and one.lineno <= line <= (one.end_lineno or one.lineno)
    ]
    if any(isinstance(one, ast.For | ast.AsyncFor | ast.While) for one in around):
        return Use(frame.scope, None)
    simple = [one.end_lineno or one.lineno for one in around if not hasattr(one, "body")]
    return Use(frame.scope, max(simple, default=node.end_lineno or line))


def keeping(reading: Reading, frame: Frame, use: Use | None) -> Iterator[ast.AST]:
    """The nodes of a function that may keep a value from its use."""
    told = only_told(reading, frame)
    last = use.last if use is not None and use.scope is frame.scope else None
    for node in reading.nodes(frame.scope.node):
        if id(node) not in told and (last is None or getattr(node, "lineno", 0) <= last):
            yield node


def only_told(reading: Reading, frame: Frame) -> frozenset[int]:
    """What stands in tests after which the function goes on with no more than a line of a log."""
    key = f"only told {id(frame.scope.node)}"
    if key not in reading.kept:
        reading.kept[key] = frozenset(id(part) for one in _idle(reading, frame) for part in ast.walk(one))
    return reading.kept[key]  # type: ignore[return-value]


def _idle(reading: Reading, frame: Frame) -> Iterator[ast.AST]:
    nodes = reading.nodes(frame.scope.node)
    told = [node for node in nodes if isinstance(node, ast.If) and not node.orelse and _tells(node.body)]
    yield from told
    within = {id(part) for one in told for part in ast.walk(one)}
    used = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in within
    }
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in used:
                yield from (one for one in ast.walk(value) if _answers(one))
            case ast.Expr(value=value) if _answers(value):
                yield value
            case ast.Try(body=[ast.Expr(value=value)], handlers=handlers, orelse=[]) if handlers:
                if all(_tells(one.body) for one in handlers):
                    yield value


def _answers(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and last_name(node.func) in _ANSWERING)


def _tells(body: list[ast.stmt]) -> bool:
    return all(_is_line(one) for one in body)


def _is_line(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in _TELLING
    return False
