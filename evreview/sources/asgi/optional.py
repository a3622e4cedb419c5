"""Security schemes that refuse nobody by themselves (`auto_error=False`), where nothing else refuses for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.codefacts.asgi.inputs import Inputs
from evreview.codefacts.asgi.outcomes import Handler, Outcomes, raises
from evreview.codefacts.control_flow import Event, run_through
from evreview.codefacts.modules import arguments
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def idle_guards(modules: Modules, inputs: Inputs, handler: Definition, handlers: Sequence[Handler]) -> frozenset[str]:
    """The names of the guards of optional schemes that let everybody in.

    One stays a guard where what it gives is refused: a function that takes it raises or hands it to code that is not
    supplied, which may raise, or another function of the route answers 401.
    """
    if not inputs.optional:
        return frozenset()
    functions = [function for function, _ in inputs.functions] + [handler]
    found: set[str] = set()
    for name in {guard.name for guard, _ in inputs.optional}:
        takers = [taker or handler for one, taker in inputs.optional if one.name == name]
        nodes = {id(taker.node) for taker in takers}
        others = [one for one in functions if id(one.node) not in nodes]
        refused = any(401 in _statuses(modules, one, handlers) for one in others)
        if not refused and all(_lets_pass(modules, one, one is handler, handlers) for one in takers):
            found.add(name)
    return frozenset(found)


def _statuses(modules: Modules, function: Definition, handlers: Sequence[Handler]) -> set[int | None]:
    sent = raises(modules, run_through(modules, function), handlers, Outcomes())
    return {one.status for one in sent}


def _lets_pass(modules: Modules, taker: Definition, answers: bool, handlers: Sequence[Handler]) -> bool:
    """True where a caller without credentials gets through what takes them."""
    if not isinstance(taker.node, _FUNCTIONS):
        return False
    taken = _taken(taker.node)
    if any(_returns_without(statement, taken) for statement in taker.node.body):
        return True
    events = run_through(modules, taker)
    if any(_handed_out(modules, taker.node, event, taken) for event in events):
        return False
    if answers:  # a handler refuses for many reasons
        return not {401, 403} & _statuses(modules, taker, handlers)
    return not any(event.kind is ast.Raise and getattr(event.statement, "exc", None) for event in events)


def _taken(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters, and the names that are bound to something made of them."""
    found = {one.arg for one in arguments(function)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and _mentions(node.value, found):
            found |= {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return frozenset(found)


def _returns_without(statement: ast.stmt, taken: Iterable[str]) -> bool:
    """`if credentials is None: return …`: who sends none gets in."""
    if not isinstance(statement, ast.If):
        return False
    match statement.test:
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            pass
        case ast.Compare(left=asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "")]):
            pass
        case _:
            return False
    inside = [node for part in statement.body for node in ast.walk(part)]
    given = [node for node in inside if isinstance(node, ast.Return)]
    others = any(_mentions(node, taken) for node in given)  # other credentials, or the request
    refused = any(isinstance(node, ast.Raise) for node in inside)
    return bool(given) and _mentions(asked, taken) and not others and not refused


def _handed_out(modules: Modules, function: ast.AST, event: Event, taken: Iterable[str]) -> bool:
    """True for a call of code that is not supplied, which may refuse what it is given, unless that is caught."""
    if not isinstance(event.node, ast.Call):
        return False
    called = modules.called(event.frame.scope, event.node)
    if not isinstance(called, External) or called.package == "builtins" or called.last[:1].isupper():
        return False
    given = [*event.node.args, *(word.value for word in event.node.keywords)]
    if event.own and not any(_mentions(one, taken) for one in given):
        return False
    return bool(given) and not any(event.node is node for one in _caught(function) for node in ast.walk(one))


def _caught(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements whose failures a handler takes that raises nothing itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and node.handlers:
            raised = any(isinstance(one, ast.Raise) for handler in node.handlers for one in ast.walk(handler))
            if not raised:
                yield from node.body


def _mentions(node: ast.AST, names: Iterable[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))
