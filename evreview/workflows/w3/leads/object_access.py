"""Objects that a handler fetches by an id of the caller's choice without asking whose they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from evreview.codefacts.calls import methods_of
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame, events_of
from evreview.codefacts.django.defaults import says_true
from evreview.codefacts.model import Route
from evreview.codefacts.modules import Scope, all_given, calls_in, last_name
from evreview.codefacts.names import Definition
from evreview.core.quoted_text import UserText, text
from evreview.core.vocabulary import ABSENT
from evreview.workflows.w3.access_control.access_words import OWNERS, is_named, words
from evreview.workflows.w3.access_control.owner_checks import (
    PERSONAL,
    PUBLIC,
    asks,
    asks_owner,
    authenticated_only,
    classes,
    made_without_owner,
    owned_names,
    owners_by_value,
    signs_in,
    singular,
    tables,
    things,
)
from evreview.workflows.w3.access_control.request_values import RequestSource, bindings, only_value
from evreview.workflows.w3.access_control.route_guards import resource
from evreview.workflows.w3.access_control.units import CodeUnit, Hit, RuleInput, hit, listed_classes, view_class
from evreview.workflows.w3.leads.sender_signatures import of_users, unsigned_webhooks

# Whole collections that a view hands out, though other views give everybody only their own.


_ENDING: Final = frozenset(
    {"all", "values", "values_list", "filter", "exclude", "order_by", "only", "defer", "select_related", "iterator",
     "prefetch_related", "distinct", "reverse"}
)  # fmt: skip
"""Calls of a query that still give objects, not a figure."""
_LOOKUP_FIELDS: Final = frozenset({"pk", "id", "uuid", "slug"})


def whole_collections(reading: RuleInput, names: frozenset[str]) -> Iterator[Hit]:
    """One hit per handler of Django that gives objects which other lines filter by their owner, and asks for none."""
    for unit in reading.units:
        handler = reading.handlers.get(unit.route)
        if unit.facts is None or handler is None or handler.node is not unit.function.node:
            continue
        if unit.facts.framework not in ("django", "drf") or (unit.facts.guards and not authenticated_only(unit.facts)):
            continue
        for frame in unit.frames:
            nodes = reading.nodes(frame.scope.node)
            found = next((node for node in nodes if isinstance(node, ast.Call) and _gives(node, nodes, names)), None)
            if found is not None and not asks(reading, unit):
                says = text("every object of ", UserText(_model(found)), ", which others get by their owner only")
                yield hit(frame, found, unit.route, says)
                break


def _gives(call: ast.Call, nodes: tuple[ast.AST, ...], names: frozenset[str]) -> bool:
    """True for a whole query of such a thing that is no part of a longer one."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _ENDING or _model(call) not in names:
        return False
    longer = any(isinstance(node, ast.Attribute) and node.value is call for node in nodes)
    return not longer and not any(_filter_narrows(one) for one in calls_in(call))


def _filter_narrows(call: ast.Call) -> bool:
    """True for a filter by an owner or by a key."""
    steps = [(word.arg or "").partition("__")[0] for word in call.keywords]
    return any(step in OWNERS or step in _LOOKUP_FIELDS for step in steps)


def _model(call: ast.Call) -> str:
    """`file` of `File.objects.filter(…).values()`, "" for what is no such query."""
    at: ast.expr = call
    while isinstance(at, ast.Call | ast.Attribute):
        if isinstance(at, ast.Attribute) and at.attr == "objects":
            name = last_name(at.value)
            return singular(name)
        at = at.func if isinstance(at, ast.Call) else at.value
    return ""


# Views of Django REST framework that hand out any object of a query, without code that asks whose it is.


_ASKING: Final = frozenset({"filter_queryset", "check_object_permissions", "initial"})
"""Methods of a view's own that may narrow what is taken."""
_TAKING: Final = ("get_object", "get_queryset")
"""Those whose code is looked at."""
_MEMBERS: Final = frozenset({"filter_backends"})
_OBJECT: Final = "has_object_permission"


def generic_views(reading: RuleInput, owned: frozenset[int], names: frozenset[str]) -> Iterator[Hit]:
    """One hit per route whose view takes every object of its query for every signed-in caller."""
    for route in reading.routes:
        view = view_class(reading.modules, route)
        scope = reading.modules.body(view) if view is not None else None
        if view is None or scope is None or not isinstance(view.node, ast.ClassDef):
            continue
        name = f"{route.method} {route.path}"
        asking = list(_object_checks(reading, view)) if "{" in route.path else []
        if asking and all(says_true(check.node) for check in asking):
            said = text("the owner check ", UserText(asking[0].scope.qualname), " says yes to everybody")
            yield hit(Frame(reading.modules.body(asking[0]) or scope), asking[0].node, name, said)
            continue
        listing = "{" not in route.path
        if not authenticated_only(route) or (listing and not route.handler.endswith(".list")):
            continue
        found = _query(reading, view, scope)
        if found is None or _view_narrows(reading, view, route):
            continue
        where, query = found
        known = names if listing else names | PERSONAL
        if _model_is_owned(reading, where, query, (owned, names, known)) or (not listing and _asked_elsewhere(reading)):
            model = next(classes(query), "")
            said = text("every object of ", UserText(model or "the query"), " for whoever is signed in")
            yield hit(Frame(where), query, name, said)


def _object_checks(reading: RuleInput, view: Definition) -> Iterator[Definition]:
    """The checks of an object that a view's own permission classes hold, unless they decide by something else."""
    for listed in listed_classes(reading.modules, view, "permission_classes"):
        own = methods_of(reading.modules, listed)
        if _OBJECT in own and ("has_permission" not in own or _speaks_of_owner(listed)):
            yield own[_OBJECT]


def _speaks_of_owner(listed: Definition) -> bool:
    return bool({"owner", "own", "author", "owned", "self", "object"}.intersection(words(listed.name)))


def _query(reading: RuleInput, view: Definition, scope: Scope) -> tuple[Scope, ast.expr] | None:
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


def _view_narrows(reading: RuleInput, view: Definition, route: Route) -> bool:
    """True when the view, or a supplied class that it builds on, has code of its own for what is taken."""
    own = {*_ASKING, *_MEMBERS, route.handler.rpartition(".")[2]}
    for base in reading.modules.ancestry(view):
        scope = reading.modules.body(base) if isinstance(base, Definition) else None
        if scope is not None and own.intersection(scope.names):
            return True
    methods = methods_of(reading.modules, view)
    return any(_asks(reading, methods[name]) for name in _TAKING if name in methods)


def _asks(reading: RuleInput, method: Definition) -> bool:
    """True when a method, or what it calls, speaks of who calls, or builds on what no supplied file shows."""
    scope = reading.modules.body(method)
    frames = [Frame(scope)] if scope is not None else []
    frames += {id(event.frame): event.frame for event in events_of(reading.modules, method)}.values()
    return any(
        reading.principals.within(frame, node) or _is_super(node)
        for frame in frames
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.expr)
    )


def _is_super(node: ast.expr) -> bool:
    """`super().get_queryset()`, whose result another class may have narrowed."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _model_is_owned(
    reading: RuleInput, scope: Scope, query: ast.expr, known: tuple[frozenset[int], frozenset[str], frozenset[str]]
) -> bool:
    """True when the model says whose its objects are, when other lines ask that, or when such things are owned."""
    owned, names, by_name = known
    for part in ast.walk(query):
        found = reading.modules.resolve(scope, part) if isinstance(part, ast.Name | ast.Attribute) else None
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            return id(found.node) in owned or bool(set(classes(query)) & names)
    return bool(set(classes(query)) & by_name)


def _asked_elsewhere(reading: RuleInput) -> bool:
    """True when a supplied permission class asks an object's owner, though the view does not list it."""
    for _, statement in reading.modules.statements():
        if isinstance(statement, ast.FunctionDef) and statement.name == _OBJECT:
            named = [node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)]
            if any(is_named(name, OWNERS) for name in named if name != "user"):
                return True
    return False


_LOOKUPS: Final = frozenset(
    {"get", "find", "fetch", "load", "read", "retrieve", "lookup", "select", "query", "one", "first", "filter",
     "by", "scalar", "fetchone", "pop", "delete", "remove", "execute", "update"}
)  # fmt: skip
_SENT: Final = ("query", "body", "form")
_BY_KEY: Final = re.compile(
    r"(?is)^\s*(?:select|delete|update)\b.*\bwhere\b.*?[\"`\[.\s](?:\w*id|pk|uuid|key|slug|no|number|code|ref)[\"`\]]?\s*="
)
_MOST: Final = 4_000
"""Characters of a statement that are looked at."""
_KEY_NAMES: Final = frozenset({"id", "pk", "uuid", "key", "slug", "number", "ref", "reference", "no", "code", "guid"})


def unowned_objects(reading: RuleInput) -> Iterator[Hit]:
    """One hit per handler that looks an owned object up by the caller's id and never asks who calls.

    What stands behind the signature of another service is none: no user calls there.
    """
    for found in _unowned(reading):
        yield from of_users(reading, found)


def _unowned(reading: RuleInput) -> Iterator[Hit]:
    owned = _owned_classes(reading)
    names = owned_names(reading)
    unsigned = {
        one.route for one in unsigned_webhooks(reading, named=True)
    }  # nobody calls there: the signature is what lacks
    for unit in reading.units:
        if unit.route in unsigned:
            continue
        if unit.facts is None or unit.function.node is not _handler(reading, unit):
            continue
        if any(guard.kind == "authorization" for guard in unit.facts.guards) and not authenticated_only(unit.facts):
            continue
        if asks(reading, unit):
            continue
        for found in _lookups(reading, unit):
            if _object_is_owned(reading, unit, found, owned) or _is_personal(reading, unit, found, names):
                frame, node, origin = found
                key = UserText(origin.name or origin.place)
                yield hit(frame, node, unit.route, text("an object found by ", key, " without asking whose it is"))
                break
        else:
            yield from islice(chain(_by_statement(reading, unit, unit.facts), _by_store(reading, unit)), 1)
    yield from owners_by_value(reading)
    yield from generic_views(reading, owned, names)
    yield from whole_collections(reading, names)


def _by_statement(reading: RuleInput, unit: CodeUnit, route: Route) -> Iterator[Hit]:
    """Rows that a statement finds by the caller's id, of a table of which nothing shows whether somebody owns them."""
    for frame, node, origin in _lookups(reading, unit):
        for told in _statements(reading, frame, node):
            named = set(tables(told)) if _BY_KEY.search(told[:_MOST]) and not asks_owner(told) else set()
            open_to_all = not _signed_in(reading, unit) and not named & PERSONAL
            if named and not open_to_all and not named & (PUBLIC | made_without_owner(reading)):
                key, table = UserText(origin.name or origin.place), UserText(min(named))
                says = text("a row found by ", key, " without asking whose it is")
                lacks = ("whether the rows of ", table, " belong to somebody: no column of an owner is shown")
                yield replace(hit(frame, node, unit.route, says), lacks=lacks)


def _statements(reading: RuleInput, frame: Frame, node: ast.AST) -> Iterator[str]:
    """The statements in what a lookup is given, with a mark for each value that is filled in."""
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "?" for one in part.values)
        elif isinstance(part, ast.Constant | ast.Name):
            value = constant(reading.modules, frame.scope, part)
            known = only_value(frame, part) if value is ABSENT and isinstance(part, ast.Name) else None
            if isinstance(value, str) and value is not ABSENT:
                yield value
            elif known is not None and isinstance(known[1], ast.JoinedStr | ast.Constant | ast.Call):
                yield from _statements(reading, known[0], known[1])


def _is_personal(
    reading: RuleInput, unit: CodeUnit, found: tuple[Frame, ast.expr, RequestSource], names: frozenset[str]
) -> bool:
    """True for a thing that belongs to somebody, on a route that asks only whether anybody is signed in."""
    if unit.facts is None or not _signed_in(reading, unit):
        return False
    return bool(things(unit.facts, found[1], found[2].place == "path") & (names | PERSONAL))


def _signed_in(reading: RuleInput, unit: CodeUnit) -> bool:
    return unit.facts is not None and (authenticated_only(unit.facts) or signs_in(reading, unit))


def _by_store(reading: RuleInput, unit: CodeUnit) -> Iterator[Hit]:
    """Entries of a store of the module by the caller's id, of which nothing shows whether somebody owns them."""
    for frame, node, origin in _lookups(reading, unit) if _signed_in(reading, unit) else ():
        match node:
            case (
                ast.Subscript(value=ast.Name() as store)
                | ast.Call(func=ast.Attribute(value=ast.Name() as store, attr="get" | "pop"))
            ):
                named = things(unit.facts, node, origin.place == "path") if unit.facts is not None else frozenset()
                public = {*named, singular(store.id.lower())} & PUBLIC
                if not public and any(_is_filled(where, one.node) for where, one in bindings(frame, store)):
                    key, kept = UserText(origin.name or origin.place), UserText(store.id)
                    lacks = text("whether the entries of ", kept, " belong to somebody: no owner is shown")
                    says = text("an entry found by ", key, " without asking whose it is")
                    yield replace(hit(frame, node, unit.route, says), lacks=lacks)


def _is_filled(frame: Frame, made: ast.AST | None) -> bool:
    """True for a store of a module that is filled while the service runs: `{}`, and one that holds objects."""
    if frame.scope.kind != "module":
        return False
    match made:
        case ast.Dict(values=values):
            return not any(isinstance(one, ast.Constant) for one in values)
        case ast.Call(func=ast.Name(id="dict"), args=[]):
            return not made.keywords
    return False


def _handler(reading: RuleInput, unit: CodeUnit) -> ast.AST | None:
    found = reading.handlers.get(unit.route)
    return found.node if found is not None else None


def _lookups(reading: RuleInput, unit: CodeUnit) -> Iterator[tuple[Frame, ast.expr, RequestSource]]:
    thing = singular(resource(unit.facts.path)) if unit.facts is not None else ""
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            told = {id(one) for one in _told(node)}
            for key in _keys(node, thing):
                for origin in reading.origins.of(frame, key):
                    by_key = origin.place in _SENT and (id(key) in told or _is_key(origin.name))
                    if origin.place == "path" or by_key:
                        yield frame, node, origin  # type: ignore[misc]


def _keys(node: ast.AST, thing: str) -> list[ast.expr]:
    """What an expression looks something up by; a function may be named after the thing alone."""
    match node:
        case ast.Subscript(value=ast.Name() | ast.Attribute(), slice=key, ctx=ast.Load()):
            return [key]
        case ast.Call(func=function):
            name = last_name(function)
            looks = bool(_LOOKUPS.intersection(words(name))) or singular(name) == thing != ""
            if looks and not name[:1].isupper():
                given = all_given(node)
                within = [part for one in given for part in ast.walk(one) if isinstance(part, ast.Compare)]
                return [*given, *(side for part in within for side in (part.left, *part.comparators))]
        case ast.GeneratorExp(generators=walks) | ast.ListComp(generators=walks):
            return [side for walk in walks for test in walk.ifs for side in _equal_keys(test)]
        case ast.For(body=[ast.If(test=test), *_]) | ast.AsyncFor(body=[ast.If(test=test), *_]):
            return [*_equal_keys(test)]
    return []


def _equal_keys(test: ast.expr) -> Iterator[ast.expr]:
    """What the key of one among many is compared with: `one.id == number`."""
    for part in ast.walk(test):
        match part:
            case ast.Compare(
                left=ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))),
                ops=[ast.Eq()],
                comparators=[key],
            ) if name in _KEY_NAMES:
                yield key


def _told(node: ast.AST) -> Iterator[ast.expr]:
    """What a lookup itself says to be a key: `get(Note, x)`, `Note.id == x`, `filter(pk=x)`."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Name(id=name), key]) if name[:1].isupper():
                yield key
            case ast.Compare(left=ast.Attribute(attr=name), ops=[ast.Eq()], comparators=[key]) if name in _KEY_NAMES:
                yield key
            case ast.keyword(arg=str(name), value=key) if name.rpartition("__")[2] in _KEY_NAMES:
                yield key


def _is_key(name: str) -> bool:
    parts = words(name)
    return bool(parts) and (parts[-1] in _KEY_NAMES or name.lower().endswith("id"))


# Whether somebody owns such objects


def _owned_classes(reading: RuleInput) -> frozenset[int]:
    """The classes that have a member which says whose they are."""
    found: set[int] = set()
    for scope, statement in reading.modules.statements():
        if isinstance(statement, ast.ClassDef) and _has_owner(reading.modules.inside(statement, scope)):
            found.add(id(statement))
    return frozenset(found)


def _has_owner(scope: Scope) -> bool:
    names = [*scope.names]
    body: list[ast.stmt] = getattr(scope.node, "body", [])
    names += [one.target.id for one in body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    return any(is_named(name, OWNERS) for name in names)


def _object_is_owned(
    reading: RuleInput, unit: CodeUnit, found: tuple[Frame, ast.expr, RequestSource], owned: frozenset[int]
) -> bool:
    frame, node, _ = found
    named = [*_classes(reading, frame, node)]
    handler = unit.function.node
    for part in (getattr(handler, "returns", None), *getattr(handler, "decorator_list", ())):
        named += _classes(reading, Frame(unit.function.scope), part)
    return any(id(one.node) in owned for one in named) or _store_has_owner(reading, frame, node)


def _classes(reading: RuleInput, frame: Frame, node: ast.AST | None, hops: int = 3) -> Iterator[Definition]:
    """The supplied classes that an expression, and the functions and stores that it names, speak of."""
    if node is None or hops <= 0:
        return
    for part in ast.walk(node):
        if not isinstance(part, ast.Name | ast.Attribute):
            continue
        found = reading.modules.resolve(frame.scope, part)
        if not isinstance(found, Definition):
            continue
        if isinstance(found.node, ast.ClassDef):
            yield found
        elif isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(reading, Frame(found.scope), found.node.returns, hops - 1)
        elif isinstance(found.statement, ast.AnnAssign):
            yield from _classes(reading, Frame(found.scope), found.statement.annotation, hops - 1)
        elif isinstance(found.node, ast.expr):
            yield from _classes(reading, Frame(found.scope), found.node, hops - 1)


def _store_has_owner(reading: RuleInput, frame: Frame, node: ast.expr) -> bool:
    """True for a store whose entries are written out with an owner's member."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            for _, binding in bindings(frame, part):
                if isinstance(binding.node, ast.Dict | ast.List) and _owner_key(binding.node):
                    return True
    return False


def _owner_key(node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.Dict)
        and any(isinstance(key, ast.Constant) and str(key.value) in OWNERS for key in part.keys)
        for part in ast.walk(node)
    )
