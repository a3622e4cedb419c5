"""Where values come from that are secret by their name: written in the source, or taken from the environment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.asgi.apps import external_name
from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.vocabulary import ABSENT
from evreview.redaction.redactor import secret_member

Origin = Literal["source", "default in source", "environment"]
_PROBE: Final = "k7Qp2xV9mZ4tR8wB1nLs"
"""A value of no meaning; a name under which the guard hides it is the name of a secret."""
_READERS: Final = frozenset({"os.getenv", "os.environ.get", "environ.Env", "decouple.config", "environs.Env.str"})


@dataclass(frozen=True, slots=True)
class SecretName:
    """One name of a secret: where its value comes from. The value itself is never kept."""

    name: str
    origin: Origin
    spot: Spot


def names_secret(name: str) -> bool:
    """True when a name says that its value is a secret."""
    return bool(secret_member(name, _PROBE))


def secrets_of(modules: Modules, definition: Definition) -> Iterator[SecretName]:
    """The secret that a name at module level is, and the members of a settings class that are."""
    node = definition.node
    if isinstance(node, ast.ClassDef) and modules.is_a(definition, ("pydantic_settings", "pydantic"), "BaseSettings"):
        yield from _members(modules, definition)
    elif isinstance(node, ast.expr) and definition.scope.kind == "module" and names_secret(definition.name):
        origin = _origin(modules, definition, node)
        if origin is not None:
            yield SecretName(definition.name, origin, definition.scope.spot(definition.statement))


def _members(modules: Modules, cls: Definition) -> Iterator[SecretName]:
    scope = modules.body(cls)
    for statement in getattr(cls.node, "body", []):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name) or scope is None:
            continue
        name = statement.target.id
        if names_secret(name):
            stated = _text(modules, scope, statement.value)
            yield SecretName(name, "default in source" if stated else "environment", scope.spot(statement))


def _origin(modules: Modules, definition: Definition, node: ast.expr) -> Origin | None:
    """Where the value of an assigned expression comes from, None when it can't be told or is no secret."""
    scope = definition.scope
    if text := _text(modules, scope, node):
        return "source" if secret_member(definition.name, text) else None
    if isinstance(node, ast.Subscript) and external_name(modules, scope, node.value) == "os.environ":
        return "environment"
    if isinstance(node, ast.Call) and external_name(modules, scope, node.func) in _READERS:
        return "default in source" if _text(modules, scope, keyword(node, "default", 1)) else "environment"
    return None


def _text(modules: Modules, scope: Scope, node: ast.expr | None) -> str:
    value = constant(modules, scope, node) if node is not None else ABSENT
    return value if isinstance(value, str) and value is not ABSENT else ""


# Calls that write to a log, by the libraries that are known for it.


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
