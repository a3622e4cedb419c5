"""Calls of what no supplied file holds: they may answer errors that nobody can read here."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.sources.flow import Event, exception_of
from evreview.sources.model import UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.resolved import External, Resolved, chosen

TRANSPARENT: Final = frozenset(
    {"builtins", "fastapi", "starlette", "pydantic", "pydantic_core", "pydantic_settings", "annotated_types",
     "typing_extensions", "flask", "werkzeug", "flask_smorest", "flask_restful", "apiflask", "flask_sqlalchemy",
     "flask_marshmallow", "marshmallow", "jinja2", "markupsafe", "itsdangerous", "django", "rest_framework", "aiohttp",
     "multidict", "yarl", "attr", "attrs", "anyio", "structlog", "loguru"}
)  # fmt: skip
"""Packages whose calls answer only what the readers know of them; so do those of the standard library."""
_SUPPLY: Final = "Supply the file that defines it."


def unsupplied(modules: Modules, events: Iterable[Event]) -> Iterator[UnreadCode]:
    """The calls and raised errors that lie outside the supplied files, each with its lines."""
    for event in events:
        found, written = _outside(modules, event)
        if isinstance(found, External) and not _transparent(event.frame.scope, found, written):
            name = found.name.lstrip(".")[:120]
            yield UnreadCode(event.spot, f"a call of `{name}`, which no supplied file holds", _SUPPLY)


def _outside(modules: Modules, event: Event) -> tuple[Resolved, ast.expr | None]:
    match event.node:
        case ast.Call(func=written) if event.kind is ast.Call:
            return modules.resolve(event.frame.scope, written), written
        case ast.Raise(exc=ast.expr() as raised):
            return exception_of(modules, event.frame, raised), raised
        case _:
            return None, None


def _transparent(scope: Scope, found: External, written: ast.expr | None) -> bool:
    known = found.package in TRANSPARENT or found.package in sys.stdlib_module_names
    return known and not _relative(scope, written)


def _relative(scope: Scope, written: ast.expr | None) -> bool:
    """True when the name comes from a relative import: `from .queue import put` is nobody's library."""
    while isinstance(written, ast.Attribute | ast.Call):
        written = written.value if isinstance(written, ast.Attribute) else written.func
    at: Scope | None = scope
    while at is not None and isinstance(written, ast.Name):
        if written.id in at.names:
            binding = chosen(at, written.id)
            statement = binding.statement if binding is not None else None
            return isinstance(statement, ast.ImportFrom) and statement.level > 0
        at = at.parent
    return False
