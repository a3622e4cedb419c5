"""What code sets on an application or its class from outside: `app.dispatch_request = guarded`, `setattr(app, …)`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.remembered import remembered


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """One setting: on which object, under which name, what; the name is "" where it is not constant."""

    scope: Scope
    holder: ast.expr
    name: str
    value: ast.expr
    spot: Spot


def set_from_outside(modules: Modules, names: Collection[str]) -> tuple[Set, ...]:
    """Each place where one of the names is set on an object other than `self`."""
    return remembered(modules, f"set from outside: {sorted(names)}", lambda: tuple(_each(modules, names)))


def _each(modules: Modules, names: Collection[str]) -> Iterator[Set]:
    for scope, statement in modules.statements():
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Attribute) and target.attr in names and not _is_self(target.value):
                        yield Set(scope, target.value, target.attr, value, scope.spot(statement))
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[holder, key, value])):
                name = constant(modules, scope, key)
                told = name if isinstance(name, str) and name is not MISSING else ""
                if (not told or told in names) and not _is_self(holder):
                    yield Set(scope, holder, told, value, scope.spot(statement))


def _is_self(holder: ast.expr) -> bool:
    return isinstance(holder, ast.Name) and holder.id == "self"
