"""Where values come from that are secret by their name: written in the source, or taken from the environment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.redaction.redactor import secret_member
from evreview.sources.resolved import Definition, External

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
    if isinstance(node, ast.Subscript) and _named(modules, scope, node.value) == "os.environ":
        return "environment"
    if isinstance(node, ast.Call) and _named(modules, scope, node.func) in _READERS:
        return "default in source" if _text(modules, scope, keyword(node, "default", 1)) else "environment"
    return None


def _text(modules: Modules, scope: Scope, node: ast.expr | None) -> str:
    value = constant(modules, scope, node) if node is not None else MISSING
    return value if isinstance(value, str) and value is not MISSING else ""


def _named(modules: Modules, scope: Scope, node: ast.expr) -> str:
    found = modules.resolve(scope, node)
    return found.name if isinstance(found, External) else ""
