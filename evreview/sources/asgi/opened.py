"""Guards of FastAPI that other code opens: dependencies that are replaced, or that let in who sends nothing."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.guards.bypass import unsent_passes
from evreview.codefacts.model import Guard, Spot, UnreadCode
from evreview.codefacts.names import Modules
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition

_DECLARE: Final = "Declare it where the route is, or retain the routes of the running service."


def optional(
    modules: Modules, guards: list[Guard], refusing: Sequence[Definition], named: Collection[str]
) -> list[Guard]:
    """The guards, all open where every dependency that refuses lets callers pass who send nothing."""
    found = [unsent_passes(modules, scope, named) if (scope := modules.body(one)) else () for one in refusing]
    if not found or not all(found):
        return guards
    names = {one.qualname for one in refusing}
    spots = [spot for several in found for spot in several]
    return [
        replace(one, unless=tuple(dict.fromkeys((*one.unless, *spots)))) if one.name in names else one for one in guards
    ]


def overridden(modules: Modules, guards: list[Guard], functions: Sequence[Definition]) -> list[Guard]:
    """The guards, those open whose dependency the code replaces: `app.dependency_overrides[user] = …`."""
    known = remembered(modules, "dependency overrides", lambda: tuple(_overrides(modules)))
    own = {id(one.node) for one in functions}
    replaced = {found.qualname: spot for found, spot in known if id(found.node) in own}
    return [replace(one, unless=(*one.unless, replaced[one.name])) if one.name in replaced else one for one in guards]


def replaced(modules: Modules, functions: Sequence[Definition]) -> Iterator[UnreadCode]:
    """Dependencies of a route that the code replaces: what stands in their place may ask who calls."""
    known = remembered(modules, "dependency overrides", lambda: tuple(_overrides(modules)))
    own = {id(one.node) for one in functions}
    for found, spot in known:
        if id(found.node) in own:
            yield UnreadCode(spot, f"what replaces the dependency `{found.qualname}`", _DECLARE, composed=True)


def _overrides(modules: Modules) -> Iterator[tuple[Definition, Spot]]:
    """What the code replaces, and where."""
    for scope, statement in modules.statements():
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            match target:
                case ast.Subscript(value=ast.Attribute(attr="dependency_overrides"), slice=key):
                    found = modules.resolve(scope, key)
                    if isinstance(found, Definition):
                        yield found, scope.spot(statement)
