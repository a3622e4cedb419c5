"""Arguments, decorators and methods, and what a local name stands for. For readers of handlers without annotations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.codefacts.control_flow import (
    Event,
    Frame,
    ParameterFrames,
    argument_of,
    bind,
    events_of,
    own_nodes,
    resolved_in,
)
from evreview.codefacts.model import UnsupportedCode
from evreview.codefacts.modules import Scope, arguments, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered

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


def unread_way(scope: Scope, statement: ast.stmt, way: ast.Attribute) -> UnsupportedCode:
    """What can't be told of such a way."""
    word = ast.unparse(way)[:100]
    advice = "Write the decorator of the framework at each handler, or retain the routes of the running service."
    return UnsupportedCode(scope.spot(statement), f"the routes that get `{word}` over a helper", advice, composed=True)


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


@dataclass(frozen=True, slots=True)
class Applying:
    """A decorator where it is applied.

    Attributes:
        given: what the parameters of the functions around that place stand for.
        value: what a function returns for it, None where it is written at the handler.
    """

    scope: Scope
    name: ast.expr
    call: ast.Call | None
    given: ParameterFrames = field(default_factory=dict)
    value: ast.expr | None = None

    @property
    def frame(self) -> Frame:
        """The names at that place."""
        return Frame(self.scope, self.given)


def unfolded(modules: Modules, scope: Scope, written: Applied) -> Iterator[Applying]:
    """A decorator, and those that it hands back or calls in its place: `return deco`, `return deco(view)`.

    A name that is kept for one (`admin = needs("x")`) and `partial(needs, "x")` stand for what they were made of.
    """
    waiting, known = [Applying(scope, *written)], set[int]()
    while waiting:
        at = _made(modules, waiting.pop(0))
        yield at
        found = resolved_in(modules, at.frame, at.name)
        if isinstance(found, Definition) and id(found.node) not in known:
            known.add(id(found.node))
            waiting += handed_back(modules, found, at)


def _made(modules: Modules, at: Applying) -> Applying:
    for _ in range(MAX_HOPS):
        found = resolved_in(modules, at.frame, at.name)
        call = found.node if isinstance(found, Definition) and isinstance(found.node, ast.Call) else None
        if isinstance(found, External) and found.name == "functools.partial" and at.call is not None and at.call.args:
            at = replace(at, name=at.call.args[0], call=_partial(modules, at.call))
        elif at.call is None and isinstance(found, Definition) and call is not None:
            at = replace(at, scope=found.scope, name=call.func, call=call)
        else:
            break
    return at


def _partial(modules: Modules, call: ast.Call) -> ast.Call:
    """The call that a partial keeps arguments for."""

    def found() -> ast.Call:
        return ast.copy_location(ast.Call(func=call.args[0], args=call.args[1:], keywords=call.keywords), call)

    return remembered(modules, f"partial {id(call)}", found)


def given_to(modules: Modules, decorator: Definition, at: Applying) -> ParameterFrames:
    """What the parameters of a decorator, and of those around it, stand for; not what a caller gives them."""
    bound = bind(modules, decorator, at.call, at.frame) if at.call is not None else None
    return {
        **at.given,
        **{
            key: one
            for key, one in (bound.given if bound is not None else {}).items()
            if not _is_open(modules, *one)
        },
    }  # fmt: skip


def _is_open(modules: Modules, frame: Frame, value: ast.expr) -> bool:
    found = modules.lookup(frame.scope, value.id) if isinstance(value, ast.Name) else None
    return isinstance(found, Definition) and isinstance(found.node, ast.arg) and id(found.node) not in frame.given


def handed_back(modules: Modules, decorator: Definition, at: Applying | None = None) -> list[Applying]:
    """What a decorator puts around a handler by another one, in its own code or in that of the functions within it."""
    if not is_function(decorator):
        return []
    own = inner_functions(modules, decorator)
    given = given_to(modules, decorator, at) if at is not None else {}
    within = {one.name for one in own}
    found: list[Applying] = []
    for function in (decorator, *own):
        scope, taken = modules.body(function), _taken(function.node)
        values = [one.value for one in own_nodes(function.node) if isinstance(one, ast.Return) and one.value]
        for value in values if scope is not None else ():
            assert scope is not None
            name = value.func if isinstance(value, ast.Call) else value
            if isinstance(name, ast.Name) and (name.id in taken or name.id in within):
                continue
            if not own or _wraps(modules, scope, value, taken):
                call = name if isinstance(name, ast.Call) else _making(modules, scope, value, taken)
                name = name.func if isinstance(name, ast.Call) else name
                found.append(Applying(scope, name, call, given, value))
    return found


def _taken(node: ast.AST) -> set[str]:
    return {one.arg for one in arguments(node)} if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else set()


def _wraps(modules: Modules, scope: Scope, value: ast.expr, taken: Collection[str]) -> bool:
    """True for a call of a supplied decorator on what a function takes: `return around(view, check)`."""
    if not isinstance(value, ast.Call) or not any(isinstance(one, ast.Name) and one.id in taken for one in value.args):
        return False
    found = modules.called(scope, value)
    if not isinstance(found, Definition) or not is_function(found):
        return False
    within = {one.name for one in inner_functions(modules, found)}
    returned = (one.value for one in own_nodes(found.node) if isinstance(one, ast.Return))
    return any(isinstance(one, ast.Name) and one.id in within for one in returned)


def _making(modules: Modules, scope: Scope, value: ast.expr, taken: Collection[str]) -> ast.Call | None:
    """The call that gives a decorator its arguments; None for one that only gets what is decorated."""
    if not isinstance(value, ast.Call):
        return None
    plain = any(isinstance(one, ast.Name) and one.id in taken for one in value.args)
    return None if plain and not is_function(modules.called(scope, value)) else value


def chooses(modules: Modules, decorator: object) -> bool:
    """True for a decorator that hands back one of several, so that none of them surely stands around a handler."""
    if not isinstance(decorator, Definition) or not handed_back(modules, decorator):
        return False
    return sum(isinstance(one, ast.Return) for one in own_nodes(decorator.node)) > 1


def called_of(modules: Modules, decorator: object) -> Definition | None:
    """The function that a decorator is: of a class, all of it supplied, what its objects do when they are called."""
    if not isinstance(decorator, Definition):
        return None
    if not isinstance(decorator.node, ast.ClassDef):
        return decorator if is_function(decorator) else None
    bases = modules.ancestry(decorator)
    whole = all(isinstance(one, Definition) or getattr(one, "package", "") == "builtins" for one in bases)
    method = modules.member(decorator, "__call__") if whole else None
    return method if isinstance(method, Definition) and is_function(method) else None


def gives_back(node: ast.AST) -> bool:
    """True for a decorator that returns what it is given: what stands in it never runs around the handler."""
    taken = {one.arg for one in getattr(getattr(node, "args", None), "args", [])}
    returned = [one.value for one in own_nodes(node) if isinstance(one, ast.Return)]
    given = [isinstance(value, ast.Name) and value.id in taken for value in returned]
    calls = any(isinstance(one, ast.Call | ast.Raise) for one in own_nodes(node))
    return bool(given) and all(given) and not calls


def inner_functions(modules: Modules, function: Definition) -> list[Definition]:
    """The functions that stand in a function: of a decorator, what it puts around the handler."""
    scope = modules.body(function)
    return list(modules.functions(scope)) if scope is not None else []


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
            yield from returned(modules, events_of(modules, found, frame), hops - 1)
        else:
            yield event


# What the supplied files give for a parameter: the arguments of every call of its function.


MAX_SITES: Final = 50
"""Calls of one function that are looked at."""
_Sites = dict[str, list[tuple[Scope, ast.Call]]]


def arguments_given(modules: Modules, parameter: Definition) -> list[tuple[Scope, ast.expr]]:
    """Each argument that a call in the supplied files gives for a parameter, with the scope of the call.

    Found once for each parameter: who asks what is an application asks for the same ones over and over.
    """
    known = modules.memo.setdefault("arguments given", {})
    assert isinstance(known, dict)
    if id(parameter.node) not in known:
        known[id(parameter.node)] = _arguments_given(modules, parameter)
    found: list[tuple[Scope, ast.expr]] = known[id(parameter.node)]
    return found


def _arguments_given(modules: Modules, parameter: Definition) -> list[tuple[Scope, ast.expr]]:
    function = parameter.scope.node
    if not isinstance(parameter.node, ast.arg) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    name = function.name
    if name == "__init__" and parameter.scope.owner is not None:
        name = getattr(parameter.scope.owner.node, "name", name)
    found: list[tuple[Scope, ast.expr]] = []
    for scope, call in _sites(modules).get(name, [])[:MAX_SITES]:
        given = _given(parameter, function, call)
        if given is not None and _is_called(modules, scope, call, parameter, function):
            found.append((scope, given))
    return found


def _given(parameter: Definition, function: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call) -> ast.expr | None:
    for word in call.keywords:
        if word.arg == parameter.name:
            return word.value
    names = [one.arg for one in arguments(function)]
    place = names.index(parameter.name) - (parameter.scope.owner is not None)
    plain = any(isinstance(one, ast.Starred) for one in call.args)
    return call.args[place] if not plain and 0 <= place < len(call.args) else None


def _is_called(modules: Modules, scope: Scope, call: ast.Call, parameter: Definition, function: ast.AST) -> bool:
    found = modules.called(scope, call)
    owner = parameter.scope.owner
    return isinstance(found, Definition) and found.node in (function, owner.node if owner is not None else function)


def _sites(modules: Modules) -> _Sites:
    """Every call of the supplied files, by the last part of what it calls; found once per `modules`."""
    known = modules.memo.get("call_sites")
    if isinstance(known, dict):
        return known
    found: _Sites = {}
    for scope, statement in modules.statements():
        for node in _own(statement):
            if isinstance(node, ast.Call) and last_name(node.func):
                found.setdefault(last_name(node.func), []).append((scope, node))
    modules.memo["call_sites"] = found
    return found


def _own(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement without the statements in it."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        )
    return found
