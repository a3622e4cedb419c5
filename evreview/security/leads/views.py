"""Views of Django REST framework: the class behind a route, what the framework runs of it, what it lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import methods_of
from evreview.codefacts.model import Route
from evreview.codefacts.names import Definition, Modules

VIEW_METHODS: Final = frozenset(
    {"get_queryset", "get_object", "filter_queryset", "perform_create", "perform_update", "perform_destroy", "initial",
     "check_permissions", "check_object_permissions", "get_permissions", "get_serializer_context"}
)  # fmt: skip
"""Methods that the framework runs for a view's routes by themselves."""


def view_class(modules: Modules, route: Route) -> Definition | None:
    """The class of a route's view, None when no supplied file holds it."""
    name = route.handler.rpartition(".")[0]
    for scope, statement in modules.statements() if route.framework == "drf" and name else ():
        here = scope.module is not None and scope.module.source.path == route.spot.path
        if here and isinstance(statement, ast.ClassDef) and statement.name == name:
            return Definition(statement, scope, name, statement)
    return None


def run_for(modules: Modules, view: Definition, route: Route) -> Iterator[Definition]:
    """The methods of a view that the framework runs besides the handler, and those of the classes that it lists."""
    single = "{" in route.path
    own = methods_of(modules, view)
    yield from (own[name] for name in own if name in VIEW_METHODS)
    for listed in (*listed_classes(modules, view, "permission_classes"),
                   *listed_classes(modules, view, "authentication_classes")):  # fmt: skip
        methods = methods_of(modules, listed)
        yield from (methods[name] for name in methods if single or name != "has_object_permission")


def listed_classes(modules: Modules, view: Definition, word: str) -> Iterator[Definition]:
    """The supplied classes that a view, or the nearest class that it builds on, lists under a name."""
    member = modules.member(view, word)
    parts = getattr(member.node, "elts", ()) if isinstance(member, Definition) else ()
    for part in parts:
        found = modules.resolve(member.scope, part) if isinstance(member, Definition) else None
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            yield found
