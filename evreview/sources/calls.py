"""Arguments, decorators and methods, and what a local name stands for. For readers of handlers without annotations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import replace
from typing import Final

from evreview.sources.flow import Event, Frame, argument_of, bind, run_through
from evreview.sources.model import UnreadCode
from evreview.sources.modules import Scope, arguments
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition

MAX_HOPS: Final = 6
_CHANGING: Final = ("update", "pop", "append", "extend", "insert", "setdefault", "popitem", "clear", "remove")


def keyword(call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
    """An argument by name, or by position where it stands without one."""
    for word in call.keywords:
        if word.arg == name:
            return word.value
    if position is None or position >= len(call.args) or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    return call.args[position]


def decorators(node: ast.AST) -> Iterator[tuple[ast.expr, ast.Call | None]]:
    """Each decorator's name, with its call where it has one."""
    for decorator in getattr(node, "decorator_list", ()):
        yield (decorator.func, decorator) if isinstance(decorator, ast.Call) else (decorator, None)


def applied_before(node: ast.AST, registering: Container[str]) -> list[tuple[ast.expr, ast.Call | None]]:
    """The decorators below the lowest one that registers: those above it wrap what was registered already."""
    found = list(decorators(node))
    last = -1
    for place, (name, call) in enumerate(found):
        if call is not None and isinstance(name, ast.Attribute) and name.attr in registering:
            last = place
    return found[last + 1 :]


def last_name(name: ast.expr) -> str:
    """`b` of `a.b` and of `b`, "" for anything else."""
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def is_function(found: object) -> bool:
    """True for a function or method that a supplied file defines."""
    return isinstance(found, Definition) and isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef)


def methods_of(modules: Modules, cls: Definition) -> dict[str, Definition]:
    """The methods of a class and its supplied bases, the nearest of each name."""
    found: dict[str, Definition] = {}
    for base in modules.ancestry(cls):
        scope = modules.body(base) if isinstance(base, Definition) else None
        for name, bindings in scope.names.items() if scope is not None else ():
            node = bindings[-1].node
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and scope is not None:
                found.setdefault(name, Definition(node, scope, name, node))
    return found


def branches_by_method(function: Definition) -> bool:
    """True when a function looks at the method of its request."""
    return any(isinstance(one, ast.Attribute) and one.attr == "method" for one in ast.walk(function.node))


def handed_about(statement: ast.stmt, names: Collection[str]) -> Iterator[ast.Attribute]:
    """The ways to register a handler that a statement keeps, returns or gives on instead of calling them on one.

    `return app.get(path)`, `route = app.route`, `partial(app.post, …)`: who gets them may register what nobody reads.
    """
    decorated = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    plain = isinstance(statement, ast.Return | ast.Assign | ast.AnnAssign | ast.Expr)
    values: list[ast.expr | None] = [getattr(statement, "value", None)] if plain else []
    values += getattr(statement, "decorator_list", ()) if decorated else ()
    for value in (one for one in values if one is not None):
        made = value.func if isinstance(value, ast.Call) else None
        called = made if decorated else made.func if isinstance(made, ast.Call) else None
        for node in ast.walk(value):
            if isinstance(node, ast.Attribute) and node.attr in names and node is not called:
                yield node


def unread_way(scope: Scope, statement: ast.stmt, way: ast.Attribute) -> UnreadCode:
    """What can't be told of such a way."""
    word = ast.unparse(way)[:100]
    advice = "Write the decorator of the framework at each handler, or retain the routes of the running service."
    return UnreadCode(scope.spot(statement), f"the routes that get `{word}` over a helper", advice, composed=True)


Applied = tuple[ast.expr, ast.Call | None]
"""A decorator by its name, and its call where it has one."""


Wrap = tuple[Scope, Applied]
"""A decorator that is called on a handler where its route is added: `needs("x")(view)`."""
MOST_WRAPS: Final = 8


def function_named(modules: Modules, scope: Scope, given: ast.expr | None) -> Definition | None:
    """The function or class that an expression names, None for anything else."""
    found = modules.resolve(scope, given)
    known = isinstance(found, Definition) and (is_function(found) or isinstance(found.node, ast.ClassDef))
    return found if known and isinstance(found, Definition) else None


def unwrapped(
    modules: Modules,
    given: tuple[Scope, ast.expr | None],
    find: Callable[[Scope, ast.expr | None], Definition | None],
) -> tuple[Definition | None, tuple[Wrap, ...]]:
    """The handler below the decorators that are called on it, outermost first, and these.

    Args:
        given: what is registered, and where.
        find: the handler that an expression is, None for none.
    """
    (scope, view), wraps = given, list[Wrap]()
    target = find(scope, view)
    while target is None and len(wraps) < MOST_WRAPS:
        if isinstance(view, ast.Name):
            found = modules.resolve(scope, view)
            if not isinstance(found, Definition) or not isinstance(found.node, ast.Call):
                break
            scope, view = found.scope, found.node
        if not isinstance(view, ast.Call) or len(view.args) != 1 or view.keywords:
            break
        made = view.func
        wraps.append((scope, (made.func, made) if isinstance(made, ast.Call) else (made, None)))
        view = view.args[0]
        target = find(scope, view)
    return target, tuple(wraps)


def unfolded(modules: Modules, scope: Scope, written: Applied) -> Iterator[tuple[Scope, Applied]]:
    """A decorator, and those that it hands back or calls in its place: `return deco`, `return deco(view)`."""
    waiting, known = [(scope, written)], set[int]()
    while waiting:
        at, (name, call) = waiting.pop(0)
        yield at, (name, call)
        found = modules.resolve(at, name)
        if not isinstance(found, Definition) or id(found.node) in known:
            continue
        known.add(id(found.node))
        waiting += handed_back(modules, found)


def handed_back(modules: Modules, decorator: Definition) -> list[tuple[Scope, Applied]]:
    """What a decorator without functions of its own puts around a handler."""
    scope, node = modules.body(decorator), decorator.node
    if scope is None or not is_function(decorator) or inner_functions(modules, decorator):
        return []
    taken = {one.arg for one in arguments(node)} if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else set()
    given = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
    found: list[tuple[Scope, Applied]] = []
    for value in given:
        name = value.func if isinstance(value, ast.Call) else value
        call = name if isinstance(name, ast.Call) else None
        if not (isinstance(name, ast.Name) and name.id in taken):
            found.append((scope, (call.func if call is not None else name, call)))
    return found


def chooses(modules: Modules, decorator: object) -> bool:
    """True for a decorator that hands back one of several, so that none of them surely stands around a handler."""
    if not isinstance(decorator, Definition) or not handed_back(modules, decorator):
        return False
    return sum(isinstance(one, ast.Return) for one in ast.walk(decorator.node)) > 1


def inner_functions(modules: Modules, function: Definition) -> list[Definition]:
    """The functions that stand in a function: of a decorator, what it puts around the handler."""
    scope = modules.body(function)
    if scope is None:
        return []
    return [
        Definition(statement, at, statement.name, statement)
        for at, statement in modules.statements(scope)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def value_at(modules: Modules, frame: Frame, expression: ast.expr | None) -> tuple[Frame, ast.expr | None]:
    """The expression that a name stands for when it is assigned once and never changed; else the expression."""
    at = expression.value if isinstance(expression, ast.Await) else expression
    for _ in range(MAX_HOPS):
        given = argument_of(modules, frame, at)
        if given is not None:
            frame, at = given
            continue
        found = modules.resolve(frame.scope, at) if isinstance(at, ast.Name) else None
        if not isinstance(found, Definition) or not isinstance(found.node, ast.expr) or changed(found):
            break
        frame = replace(frame, scope=found.scope)
        at = found.node.value if isinstance(found.node, ast.Await) else found.node
    return frame, at


def changed(found: Definition) -> bool:
    """True when a local list or dict is changed after it was made."""
    if not isinstance(found.node, ast.Dict | ast.List | ast.Call) or found.scope.kind == "module":
        return False
    for node in ast.walk(found.scope.node):
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name == found.name:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if name == found.name:
                if attr in _CHANGING:
                    return True
    return False


def returned(modules: Modules, events: tuple[Event, ...], hops: int = MAX_HOPS) -> Iterator[Event]:
    """The returns of the function whose events these are; where it returns what a supplied function returns, that's."""
    for event in events:
        if event.kind is not ast.Return or not event.own:
            continue
        value = getattr(event.node, "value", None)
        call = value.value if isinstance(value, ast.Await) else value
        found = modules.called(event.frame.scope, call) if isinstance(call, ast.Call) else None
        if isinstance(found, Definition) and isinstance(call, ast.Call) and is_function(found) and hops > 0:
            frame = bind(modules, found, call, event.frame)
            yield from returned(modules, run_through(modules, found, frame), hops - 1)
        else:
            yield event
