"""Views of Django REST framework that hand out any object of a query, without code that asks whose it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import methods_of
from evreview.codefacts.control_flow import Frame, run_through
from evreview.codefacts.django.defaults import says_true
from evreview.codefacts.model import Route
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition
from evreview.core.quoted_text import Subject, text
from evreview.security.leads.ownership import PERSONAL, authenticated_only, classes
from evreview.security.leads.views import listed_classes, view_class
from evreview.workflows.w3.access_control.access_words import OWNERS, words
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading

_ASKING: Final = frozenset({"filter_queryset", "check_object_permissions", "initial"})
"""Methods of a view's own that may narrow what is taken."""
_TAKING: Final = ("get_object", "get_queryset")
"""Those whose code is looked at."""
_MEMBERS: Final = frozenset({"filter_backends"})
_OBJECT: Final = "has_object_permission"


def generic_views(reading: Reading, owned: frozenset[int], names: frozenset[str]) -> Iterator[Hit]:
    """One hit per route whose view takes every object of its query for every signed-in caller."""
    for route in reading.routes:
        view = view_class(reading.modules, route)
        scope = reading.modules.body(view) if view is not None else None
        if view is None or scope is None or not isinstance(view.node, ast.ClassDef):
            continue
        name = f"{route.method} {route.path}"
        asking = list(_object_checks(reading, view)) if "{" in route.path else []
        if asking and all(says_true(check.node) for check in asking):
            said = text("the owner check ", Subject(asking[0].scope.qualname), " says yes to everybody")
            yield hit(Frame(reading.modules.body(asking[0]) or scope), asking[0].node, name, said)
            continue
        listing = "{" not in route.path
        if not authenticated_only(route) or (listing and not route.handler.endswith(".list")):
            continue
        found = _query(reading, view, scope)
        if found is None or _narrows(reading, view, route):
            continue
        where, query = found
        known = names if listing else names | PERSONAL
        if _is_owned(reading, where, query, (owned, names, known)) or (not listing and _asked_elsewhere(reading)):
            model = next(classes(query), "")
            said = text("every object of ", Subject(model or "the query"), " for whoever is signed in")
            yield hit(Frame(where), query, name, said)


def _object_checks(reading: Reading, view: Definition) -> Iterator[Definition]:
    """The checks of an object that a view's own permission classes hold, unless they decide by something else."""
    for listed in listed_classes(reading.modules, view, "permission_classes"):
        own = methods_of(reading.modules, listed)
        if _OBJECT in own and ("has_permission" not in own or _speaks_of_owner(listed)):
            yield own[_OBJECT]


def _speaks_of_owner(listed: Definition) -> bool:
    return bool({"owner", "own", "author", "owned", "self", "object"}.intersection(words(listed.name)))


def _query(reading: Reading, view: Definition, scope: Scope) -> tuple[Scope, ast.expr] | None:
    """`Invoice.objects.all()` of `queryset = Invoice.objects.all()`, or what `get_queryset` returns."""
    own = methods_of(reading.modules, view).get("get_queryset")
    inner = reading.modules.body(own) if own is not None else None
    if own is not None and inner is not None:
        returned = [node.value for node in reading.nodes(own.node) if isinstance(node, ast.Return) and node.value]
        return (inner, returned[-1]) if returned and any(classes(returned[-1])) else None
    member = reading.modules.member(view, "queryset")
    if isinstance(member, Definition) and isinstance(member.node, ast.expr):
        return member.scope, member.node
    return None


def _narrows(reading: Reading, view: Definition, route: Route) -> bool:
    """True when the view, or a supplied class that it builds on, has code of its own for what is taken."""
    own = {*_ASKING, *_MEMBERS, route.handler.rpartition(".")[2]}
    for base in reading.modules.ancestry(view):
        scope = reading.modules.body(base) if isinstance(base, Definition) else None
        if scope is not None and own.intersection(scope.names):
            return True
    methods = methods_of(reading.modules, view)
    return any(_asks(reading, methods[name]) for name in _TAKING if name in methods)


def _asks(reading: Reading, method: Definition) -> bool:
    """True when a method, or what it calls, speaks of who calls, or builds on what no supplied file shows."""
    scope = reading.modules.body(method)
    frames = [Frame(scope)] if scope is not None else []
    frames += {id(event.frame): event.frame for event in run_through(reading.modules, method)}.values()
    return any(
        reading.principals.within(frame, node) or _is_super(node)
        for frame in frames
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.expr)
    )


def _is_super(node: ast.expr) -> bool:
    """`super().get_queryset()`, whose result another class may have narrowed."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_owned(
    reading: Reading, scope: Scope, query: ast.expr, known: tuple[frozenset[int], frozenset[str], frozenset[str]]
) -> bool:
    """True when the model says whose its objects are, when other lines ask that, or when such things are owned."""
    owned, names, by_name = known
    for part in ast.walk(query):
        found = reading.modules.resolve(scope, part) if isinstance(part, ast.Name | ast.Attribute) else None
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            return id(found.node) in owned or bool(set(classes(query)) & names)
    return bool(set(classes(query)) & by_name)


def _asked_elsewhere(reading: Reading) -> bool:
    """True when a supplied permission class asks an object's owner, though the view does not list it."""
    for _, statement in reading.modules.statements():
        if isinstance(statement, ast.FunctionDef) and statement.name == _OBJECT:
            named = [node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)]
            if any("_".join(words(name)) in OWNERS for name in named if name != "user"):
                return True
    return False
