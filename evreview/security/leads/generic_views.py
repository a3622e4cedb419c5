"""Views of Django REST framework that hand out any object of a query, without code that asks whose it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.prose import Subject, text
from evreview.security.leads.ownership import PERSONAL, authenticated_only, classes
from evreview.security.leads.rule import Hit, hit
from evreview.security.leads.units import Reading
from evreview.security.leads.words import OWNERS, words
from evreview.sources.flow import Frame
from evreview.sources.model import Route
from evreview.sources.modules import Scope
from evreview.sources.resolved import Definition

_ASKING: Final = frozenset({"get_queryset", "get_object", "filter_queryset", "check_object_permissions", "initial"})
_MEMBERS: Final = frozenset({"filter_backends"})


def view_class(reading: Reading, route: Route) -> Definition | None:
    """The class of a route's view, None when no supplied file holds it."""
    name = route.handler.rpartition(".")[0]
    for scope, statement in reading.modules.statements() if route.framework == "drf" and name else ():
        here = scope.module is not None and scope.module.source.path == route.spot.path
        if here and isinstance(statement, ast.ClassDef) and statement.name == name:
            return Definition(statement, scope, name, statement)
    return None


def generic_views(reading: Reading, owned: frozenset[int], names: frozenset[str]) -> Iterator[Hit]:
    """One hit per route with an id whose view takes every object of its query for every signed-in caller."""
    for route in reading.routes:
        if route.framework != "drf" or "{" not in route.path or not authenticated_only(route):
            continue
        view = view_class(reading, route)
        scope = reading.modules.body(view) if view is not None else None
        if view is None or scope is None or not isinstance(view.node, ast.ClassDef):
            continue
        query = _query(view.node)
        if query is None or _narrows(reading, view, route):
            continue
        if _is_owned(reading, scope, query, owned, names):
            model = next(classes(query), "")
            says = text("every object of ", Subject(model or "the query"), " for whoever is signed in")
            yield hit(Frame(scope), query, f"{route.method} {route.path}", says)


def _query(view: ast.ClassDef) -> ast.expr | None:
    """`Invoice.objects.all()` of `queryset = Invoice.objects.all()`."""
    for statement in view.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="queryset")], value=value):
                return value
    return None


def _narrows(reading: Reading, view: Definition, route: Route) -> bool:
    """True when the view, or a supplied class that it builds on, has code of its own for what is taken."""
    own = {*_ASKING, *_MEMBERS, route.handler.rpartition(".")[2]}
    for base in reading.modules.ancestry(view):
        scope = reading.modules.body(base) if isinstance(base, Definition) else None
        if scope is not None and own.intersection(scope.names):
            return True
    return False


def _is_owned(reading: Reading, scope: Scope, query: ast.expr, owned: frozenset[int], names: frozenset[str]) -> bool:
    """True when the model says whose its objects are, when other lines ask that, or when such things are owned."""
    for part in ast.walk(query):
        found = reading.modules.resolve(scope, part) if isinstance(part, ast.Name | ast.Attribute) else None
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            return id(found.node) in owned or bool(set(classes(query)) & names)
    return bool(set(classes(query)) & (names | PERSONAL)) or _asked_elsewhere(reading)


def _asked_elsewhere(reading: Reading) -> bool:
    """True when a supplied permission class asks an object's owner, though the view does not list it."""
    for _, statement in reading.modules.statements():
        if isinstance(statement, ast.FunctionDef) and statement.name == "has_object_permission":
            named = [node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)]
            if any("_".join(words(name)) in OWNERS for name in named if name != "user"):
                return True
    return False
