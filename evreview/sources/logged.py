"""Calls that write to a log, by the libraries that are known for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

METHODS: Final = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log", "success"}
)
PACKAGES: Final = frozenset({"logging", "structlog", "loguru", "logbook", "eliot", "aiologger"})
_HELD: Final = frozenset({"logger", "log"})
"""Attributes that hold a logger on the application of a framework: `current_app.logger`."""
_NAMED: Final = frozenset({"get_logger", "getLogger", "get_task_logger", "Logger", "logger"})
"""What a project's own module calls its logger, or the function that makes one."""
_FRAMEWORKS: Final = frozenset({"flask", "aiohttp", "django", "fastapi", "starlette", "sanic"})


def log_calls(modules: Modules, definition: Definition) -> Iterator[Spot]:
    """The lines of each call within a function that writes to a log; methods are functions of their own."""
    scope = modules.body(definition)
    if scope is None or isinstance(definition.node, ast.ClassDef):
        return
    for at, statement in modules.statements(scope):
        for call in _own_calls(statement):
            if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS and _is_logger(modules, at, call):
                yield at.spot(call)


def _own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a statement without those of the statements within it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        waiting.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))


def _is_logger(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)
    holder = call.func.value
    found = modules.resolve(scope, holder)
    made = modules.class_of(found) if isinstance(found, Definition) else found
    if isinstance(made, External):
        framework = made.package in _FRAMEWORKS and made.last in _HELD
        return made.package in PACKAGES or framework or made.last in _NAMED
    if isinstance(found, Definition) and isinstance(found.node, ast.Call):
        function = found.node.func
        return getattr(function, "attr", getattr(function, "id", "")) in _NAMED
    if isinstance(holder, ast.Attribute) and holder.attr in _HELD:
        owner = modules.resolve(scope, holder.value)
        cls = modules.class_of(owner) if isinstance(owner, Definition) else owner
        return isinstance(cls, External) and cls.package in _FRAMEWORKS
    return False
