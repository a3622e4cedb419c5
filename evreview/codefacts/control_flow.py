"""What may happen when a function runs: calls, raises, returns and assignments, in what it calls as well."""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.model import CodeNote, Spot
from evreview.codefacts.modules import DEFINITIONS, FunctionNode, Scope, arguments, defaults, last_name, type_checking
from evreview.codefacts.names import Definition, External, Modules, Resolved, out_of_classes, remembered
from evreview.core.vocabulary import ABSENT, Concern, Form

# Functions that a call runs and does not name: one of a dictionary's, or what it hands to another thread.


_THREADS: Final = frozenset(
    {"asyncio.to_thread", "anyio.to_thread.run_sync", "starlette.concurrency.run_in_threadpool",
     "fastapi.concurrency.run_in_threadpool", "asgiref.sync.sync_to_async", "trio.to_thread.run_sync"}
)  # fmt: skip
"""What calls its first argument with the others, in another thread."""


def handed_over(modules: Modules, scope: Scope, call: ast.Call) -> ast.Call | None:
    """The call that a call makes in another thread: `to_thread(load, name)`, `run_in_executor(None, load, name)`."""

    def made() -> ast.Call | None:
        found = modules.called(scope, call)
        given = call.args if isinstance(found, External) and found.name in _THREADS else []
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("run_in_executor", "submit"):
            given = call.args[1:] if call.func.attr == "run_in_executor" else call.args
        if not given or not isinstance(given[0], ast.Name | ast.Attribute):
            return None
        return ast.copy_location(ast.Call(func=given[0], args=given[1:], keywords=call.keywords), call)

    return remembered(modules, f"handed {id(call)}", made)


def chosen_from(modules: Modules, scope: Scope, function: ast.expr, hops: int = 3) -> tuple[Definition, ...]:
    """The supplied functions that a dictionary holds of which one is called: `WAYS[kind](…)`, `WAYS.get(kind)(…)`."""
    match function:
        case ast.Name() if hops > 0:
            found = modules.lookup(scope, function.id)
            if isinstance(found, Definition) and isinstance(found.node, ast.Call | ast.Subscript):
                return chosen_from(modules, found.scope, found.node, hops - 1)
        case ast.Subscript(value=held) | ast.Call(func=ast.Attribute(value=held, attr="get")):
            known = modules.resolve(scope, held)
            if isinstance(known, Definition) and isinstance(known.node, ast.Dict):
                named = [modules.resolve(known.scope, value) for value in known.node.values]
                return tuple(one for one in named if isinstance(one, Definition) and _is_function(one.node))
    return ()


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


MAX_CALLS: Final = 6
"""Calls in calls that are followed from one handler."""
MAX_FUNCTIONS: Final = 250
"""Functions run through for one handler."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A function with what its parameters stand for in one call.

    Attributes:
        scope: the names within it.
        given: for each parameter, by identity, the frame and the expression of the argument.
        spot: the lines of the call, None for a handler.
    """

    scope: Scope
    given: Mapping[int, tuple[Frame, ast.expr]] = field(default_factory=dict)
    spot: Spot | None = None
    depth: int = 0


ParameterFrames = Mapping[int, tuple[Frame, ast.expr]]
"""What parameters stand for, by identity."""


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One thing that happens: a raise, return, call, assignment or deletion, with the conditions around it."""

    kind: type[ast.AST]
    frame: Frame
    node: ast.AST
    statement: ast.stmt
    tests: tuple[ast.expr, ...] = ()

    @property
    def spot(self) -> Spot:
        return self.frame.scope.spot(self.statement)

    @property
    def own(self) -> bool:
        """True for what the function itself does, not what it calls."""
        return self.frame.depth == 0


def events_of(modules: Modules, function: Definition, frame: Frame | None = None) -> tuple[Event, ...]:
    """Everything that may happen in `function` and the supplied functions that it calls, as far as is followed."""
    scope = modules.body(function)
    node = function.node
    if scope is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return ()
    if frame is not None:
        return _walked(modules, node, Frame(scope, frame.given, frame.spot))
    return remembered(modules, f"run {id(node)}", lambda: (_walked(modules, node, Frame(scope)), node))[0]


def _walked(modules: Modules, node: FunctionNode, start: Frame) -> tuple[Event, ...]:
    walker = _Walker(modules)
    walker.function(node, start)
    return tuple(walker.events)


def bind(modules: Modules, function: Definition, call: ast.Call, caller: Frame) -> Frame | None:
    """The frame in which `call` runs `function`; a method's first parameter is left out."""
    scope = modules.body(function)
    node = function.node
    if scope is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    outer = Frame(function.scope, caller.given)
    positional = [*node.args.posonlyargs, *node.args.args]
    if scope.owner is not None and not _static(node):
        positional = positional[1:]
    by_name = {argument.arg: argument for argument in arguments(node)}
    given = {id(by_name[name]): (outer, value) for name, value in defaults(node).items()}
    plain = [value for value in call.args if not isinstance(value, ast.Starred)]
    given |= {id(one): (caller, value) for one, value in zip(positional, plain, strict=False)}
    for word in call.keywords:
        if word.arg in by_name:
            given[id(by_name[word.arg])] = (caller, word.value)
    given |= {id(one): (caller, value) for one, value in _rest(node, len(positional), call, by_name)}
    return Frame(scope, given, caller.scope.spot(call), caller.depth + 1)


def _rest(
    node: FunctionNode, taken: int, call: ast.Call, by_name: Mapping[str, ast.arg]
) -> Iterator[tuple[ast.arg, ast.expr]]:
    """What `*rest` and `**rest` of a function are in one call."""
    plain = [value for value in call.args if not isinstance(value, ast.Starred)]
    others = [word for word in call.keywords if word.arg is not None and word.arg not in by_name]
    if node.args.vararg is not None and len(plain) > taken:
        yield node.args.vararg, ast.copy_location(ast.Tuple(elts=plain[taken:], ctx=ast.Load()), call)
    if node.args.kwarg is not None and others:
        keys: list[ast.expr | None] = [ast.copy_location(ast.Constant(value=word.arg), word.value) for word in others]
        yield node.args.kwarg, ast.copy_location(ast.Dict(keys=keys, values=[word.value for word in others]), call)


def _static(node: FunctionNode) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)


def argument_of(modules: Modules, frame: Frame, expression: ast.AST | None) -> tuple[Frame, ast.expr] | None:
    """What the call gives for a parameter; None when `expression` is no parameter or it gives nothing."""
    if not isinstance(expression, ast.Name):
        return None
    found = modules.lookup(frame.scope, expression.id)
    if isinstance(found, Definition) and isinstance(found.node, ast.arg):
        return frame.given.get(id(found.node))
    return None


def resolved_in(modules: Modules, frame: Frame, expression: ast.AST | None, hops: int = 8) -> Resolved:
    """What an expression stands for in one call, over the arguments that it gives and the objects that calls make."""
    if hops <= 0:
        return None
    match expression:
        case ast.Name():
            given = argument_of(modules, frame, expression)
            inner = resolved_in(modules, given[0], given[1], hops - 1) if given is not None else None
            return inner or modules.resolve(frame.scope, expression)
        case ast.Attribute(value=value, attr=name):
            plain = modules.resolve(frame.scope, expression)
            return plain or modules.attribute(resolved_in(modules, frame, value, hops - 1), name)
        case ast.Call() | ast.Lambda():
            return Definition(expression, frame.scope, "", expression)
        case ast.Await(value=value):
            return resolved_in(modules, frame, value, hops - 1)
        case _:
            return None


def value_in(modules: Modules, frame: Frame, expression: ast.AST | None, hops: int = 8) -> Form:
    """The constant value of an expression in a frame, ABSENT when it can't be told."""
    value = constant(modules, frame.scope, expression)
    if value is not ABSENT or hops <= 0:
        return value
    given = argument_of(modules, frame, expression)
    if given is not None:
        return value_in(modules, given[0], given[1], hops - 1)
    return ABSENT


def values_in(modules: Modules, frame: Frame, expression: ast.AST | None, hops: int = 8) -> tuple[Form, ...]:
    """Every constant that an expression may be, over conditional expressions; () when that can't be told."""
    if isinstance(expression, ast.IfExp) and hops > 0:
        both = [values_in(modules, frame, part, hops - 1) for part in (expression.body, expression.orelse)]
        return (*both[0], *both[1]) if all(both) else ()
    given = argument_of(modules, frame, expression)
    if given is not None and hops > 0:
        return values_in(modules, given[0], given[1], hops - 1)
    value = constant(modules, frame.scope, expression)
    return () if value is ABSENT else (value,)


def stated_here(modules: Modules, frame: Frame, *expressions: ast.AST | None) -> bool:
    """False when one of the expressions gets its constant from the call and not from the function."""
    return not any(
        constant(modules, frame.scope, one) is ABSENT and value_in(modules, frame, one) is not ABSENT
        for one in expressions
        if one is not None
    )


class _Walker:
    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.events: list[Event] = []
        self.running: list[int] = []
        self.functions = 0
        self.catching: list[tuple[Scope, list[ast.ExceptHandler]]] = []
        self.tests: list[ast.expr] = []

    def function(self, node: FunctionNode, frame: Frame) -> None:
        if id(node) in self.running or self.functions >= MAX_FUNCTIONS or frame.depth > MAX_CALLS:
            return
        self.functions += 1
        self.running.append(id(node))
        self.block(node.body, frame)
        self.running.pop()

    def block(self, body: Iterable[ast.stmt], frame: Frame) -> None:
        for statement in body:
            self.statement(statement, frame)

    def statement(self, statement: ast.stmt, frame: Frame) -> None:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return
        self.calls(statement, frame)
        match statement:
            case ast.Raise():
                self.raised(statement, frame)
            case ast.Return():
                self.note(ast.Return, frame, statement, statement)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self.note(ast.Assign, frame, statement, statement)
            case ast.Delete():
                self.note(ast.Delete, frame, statement, statement)
            case ast.Try():
                self.attempt(statement, frame)
            case ast.If(test=test, body=body, orelse=orelse):
                self.tests.append(test)
                self.block(body, frame)
                self.tests.pop()
                self.block(orelse, frame)
            case ast.For() | ast.AsyncFor() | ast.While():
                self.block([*statement.body, *statement.orelse], frame)
            case ast.With() | ast.AsyncWith():
                self.block(statement.body, frame)
            case ast.Match(cases=cases):
                for case in cases:
                    self.block(case.body, frame)

    def attempt(self, statement: ast.Try, frame: Frame) -> None:
        self.catching.append((frame.scope, statement.handlers))
        self.block(statement.body, frame)
        self.catching.pop()
        self.block(statement.orelse, frame)
        for handler in statement.handlers:
            self.block(handler.body, frame)
        self.block(statement.finalbody, frame)

    def note(self, kind: type[ast.AST], frame: Frame, node: ast.AST, statement: ast.stmt) -> None:
        self.events.append(Event(kind, frame, node, statement, tuple(self.tests)))

    def raised(self, statement: ast.Raise, frame: Frame) -> None:
        if statement.exc is None:
            return
        found = exception_of(self.modules, frame, statement.exc)
        if not any(_catches(self.modules, scope, handlers, found) for scope, handlers in self.catching):
            self.note(ast.Raise, frame, statement, statement)

    def calls(self, statement: ast.stmt, frame: Frame) -> None:
        for call in own_calls(statement):
            self.note(ast.Call, frame, call, statement)
            handed = handed_over(self.modules, frame.scope, call)
            passed = resolved_in(self.modules, frame, handed.func) if handed is not None else None
            if handed is not None and isinstance(passed, Definition):
                self.inner(passed, handed, frame)
            found = resolved_in(self.modules, frame, call.func)
            if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
                found = self.modules.member(found, "__init__")
            if isinstance(found, Definition) and not _never_runs(statement, call, found):
                self.inner(found, call, frame)
                self.short(found, frame)
            for one in chosen_from(self.modules, frame.scope, call.func):
                self.tests.append(call.func)
                self.inner(one, call, frame)
                self.tests.pop()

    def short(self, made: Definition, frame: Frame) -> None:
        """What a `lambda` does where it is called; it returns what it calls, so that a coroutine is awaited there."""
        node = made.node
        if isinstance(node, ast.Lambda) and id(node) not in self.running and frame.depth < MAX_CALLS:
            self.running.append(id(node))
            self.calls(
                ast.copy_location(ast.Return(value=node.body), node),
                replace(frame, scope=made.scope, depth=frame.depth + 1),
            )
            self.running.pop()

    def inner(self, called: Definition, call: ast.Call, frame: Frame) -> None:
        inner = bind(self.modules, called, call, frame)
        if inner is not None and isinstance(called.node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.function(called.node, inner)


def _never_runs(statement: ast.stmt, call: ast.Call, called: Definition) -> bool:
    """True for an async function that is called and not awaited: `check(request)` makes a coroutine and drops it."""
    dropped = isinstance(statement, ast.Expr) and statement.value is call
    return dropped and isinstance(called.node, ast.AsyncFunctionDef)


def own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls that a statement itself makes, without its inner blocks, functions and lambdas."""
    waiting: list[ast.AST] = [statement]
    found: list[ast.Call] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Call):
            found.append(node)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                waiting.append(child)
    yield from sorted(found, key=lambda call: (call.lineno, call.col_offset))


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's body in the order written, without inner functions and classes."""
    waiting: list[ast.AST] = list(reversed(getattr(function, "body", [])))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def exception_of(modules: Modules, frame: Frame, raised: ast.expr) -> Resolved:
    """The class of what a `raise` raises, also where the call gives it: `raise error`, `raise error(text)`."""
    given = argument_of(modules, frame, raised)
    if given is not None:
        return exception_of(modules, given[0], given[1])
    if isinstance(raised, ast.Call):
        found = resolved_in(modules, frame, raised.func)
        return found if _is_class(found) else modules.class_of(Definition(raised, frame.scope, "", raised))
    found = modules.resolve(frame.scope, raised)
    return found if _is_class(found) else modules.class_of(found)


def _is_class(found: Resolved) -> bool:
    return isinstance(found, External) or (isinstance(found, Definition) and isinstance(found.node, ast.ClassDef))


def _catches(modules: Modules, scope: Scope, handlers: list[ast.ExceptHandler], raised: Resolved) -> bool:
    for handler in handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if not any(kind is None or is_kind_of(modules, raised, modules.resolve(scope, kind)) for kind in kinds):
            continue
        return not _raises_again(handler)
    return False


def _raises_again(handler: ast.ExceptHandler) -> bool:
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise) and (
            node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == handler.name)
        ):
            return True
    return False


def is_kind_of(modules: Modules, raised: Resolved, caught: Resolved) -> bool:
    """True when an exception of class `raised` is caught as `caught`; `None` is caught by all that catch everything."""
    if isinstance(caught, External) and caught.name in ("builtins.Exception", "builtins.BaseException"):
        return True
    if not isinstance(raised, Definition | External) or caught is None:
        return False
    ancestry = modules.ancestry(raised) if isinstance(raised, Definition) else (raised,)
    return any(_same(base, caught) for base in ancestry)


def _same(left: Resolved, right: Resolved) -> bool:
    if isinstance(left, Definition) and isinstance(right, Definition):
        return left.node is right.node
    if isinstance(left, External) and isinstance(right, External):
        http = left.last == right.last == "HTTPException" and right.package == "starlette"
        return left == right or (http and left.package in ("fastapi", "starlette"))
    return False


def falls_through(body: list[ast.stmt]) -> bool:
    """True when the end of the block may be reached."""
    if not body:
        return True
    match body[-1]:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return False
        case ast.If(body=inner, orelse=orelse):
            return falls_through(inner) or falls_through(orelse)
        case ast.With(body=inner) | ast.AsyncWith(body=inner):
            return falls_through(inner)
        case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=final):
            if final and not falls_through(final):
                return False
            tail = falls_through(orelse) if orelse else falls_through(inner)
            return tail or any(falls_through(handler.body) for handler in handlers)
        case ast.While(test=ast.Constant(value=True)):
            return False
        case ast.Match(cases=cases):
            whole = any(isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None for case in cases)
            return not whole or any(falls_through(case.body) for case in cases)
        case _:
            return True


# Where a node stands: what it is part of, and the conditions that decide whether it runs at all.


def parents(modules: Modules, scope: Scope) -> dict[int, ast.AST]:
    """Of each node of the scope's module, by identity, the node that it is part of; found once per module."""
    key = f"parents {id(scope.module.tree)}"
    known = modules.memo.get(key)
    if isinstance(known, dict):
        return known
    found = {id(child): node for node in ast.walk(scope.module.tree) for child in ast.iter_child_nodes(node)}
    modules.memo[key] = found
    return found


def conditions(modules: Modules, scope: Scope, node: ast.AST) -> Iterator[ast.AST]:
    """The blocks of the function or module around a node that may leave it out, innermost first."""
    above = parents(modules, scope)
    inner: ast.AST = node
    at = above.get(id(node))
    while at is not None and not isinstance(at, (*DEFINITIONS, ast.Module)):
        match at:
            case ast.If(test=test, body=body) if type_checking(test) and inner in body:
                pass
            case ast.If() | ast.Match() | ast.ExceptHandler() | ast.While():
                yield at
            case _:
                pass
        inner, at = at, above.get(id(at))


# What lines keep for later about the caller (`g.user = …`, `request.state.user = …`), and who asks for it.


_HOLDERS: Final = frozenset({"g", "state", "request", "req", "session", "scope"})
"""What a request's own values are kept on."""
_CONDITIONS: Final = (ast.If, ast.IfExp, ast.While, ast.Assert)


def kept(node: ast.AST) -> frozenset[str]:
    """The names of the request's values that code sets: `user` of `g.user = …` and of `request["user"] = …`."""
    return frozenset(name for target in _assigned_targets(node) for name in _name_on_holder(target))


def asks_for(node: ast.AST, names: Collection[str]) -> bool:
    """True when a condition of the code, or a name bound for it, reads one of these values."""
    bound = {
        target.id
        for one in ast.walk(node)
        if isinstance(one, ast.Assign | ast.NamedExpr | ast.AnnAssign) and one.value and _reads(one.value, names)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    }
    tests = [one.test for one in ast.walk(node) if isinstance(one, _CONDITIONS)]
    return any(_reads(test, names) or mentions(test, bound) for test in tests)


def _assigned_targets(node: ast.AST) -> Iterator[ast.expr]:
    for one in ast.walk(node):
        if isinstance(one, ast.Assign):
            yield from one.targets
        elif isinstance(one, ast.AnnAssign | ast.AugAssign):
            yield one.target


def _name_on_holder(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Attribute(value=holder, attr=name) if last_name(holder) in _HOLDERS:
            yield name
        case ast.Subscript(value=holder, slice=ast.Constant(value=str(name))) if last_name(holder) in _HOLDERS:
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _name_on_holder(part)
        case _:
            return


def _reads(node: ast.AST, names: Collection[str]) -> bool:
    for one in ast.walk(node):
        match one:
            case ast.Attribute() | ast.Subscript() if any(name in names for name in _name_on_holder(one)):
                return True
            case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[ast.Constant(value=str(name)), *_]):
                if name in names and last_name(holder) in _HOLDERS:
                    return True
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[holder, ast.Constant(value=str(name)), *_]):
                if name in names and last_name(holder) in _HOLDERS:
                    return True
            case ast.Compare(left=ast.Constant(value=str(name)), comparators=[holder]):
                if name in names and last_name(holder) in _HOLDERS:
                    return True
            case _:
                continue
    return False


def mentions(node: ast.AST, names: Container[str]) -> bool:
    """True when one of the names stands below the node."""
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


# Stores into what outlives a call: objects and containers of a module, an app's state, an object's own members.


CHANGING: Final = frozenset(
    {"append", "appendleft", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
     "setdefault", "update"}
)  # fmt: skip
"""Methods by which Python's own containers change."""
_PER_REQUEST: Final = ("g", "request")
_STATE: Final = frozenset({"app", "application"})
_MOST_HOPS: Final = 8


def stores(modules: Modules, events: Iterable[Event]) -> tuple[CodeNote, ...]:
    """What a handler stores where a later call finds it: leads, since a cache is stored so as well."""
    found: dict[CodeNote, None] = {}
    for event in events:
        for name, node in _stored(modules, event):
            spot = event.frame.scope.spot(node)
            found[CodeNote(concern=Concern.SIDE_EFFECTS, name=name[:200], spot=spot, certain=False)] = None
    return tuple(found)


def _stored(modules: Modules, event: Event) -> Iterator[tuple[str, ast.AST]]:
    node = event.node
    if isinstance(node, ast.Call) and event.kind is ast.Call:
        if _changes(modules, event.frame, node.func):
            yield ast.unparse(node.func), node
        return
    for target in _stored_targets(node):
        if _is_store(modules, event.frame, target):
            yield (f"del {ast.unparse(target)}" if isinstance(node, ast.Delete) else ast.unparse(target)), node


def _changes(modules: Modules, frame: Frame, function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute) or function.attr not in CHANGING:
        return False
    return outlives(modules, frame, function.value) and not _is_module(modules, frame, function.value)


def _stored_targets(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            waiting: list[ast.expr] = list(targets)
        case ast.AugAssign(target=target):
            waiting = [target]
        case ast.AnnAssign(target=target, value=value) if value is not None:
            waiting = [target]
        case _:
            return
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, ast.Tuple | ast.List):
            waiting[:0] = part.elts
        else:
            yield part.value if isinstance(part, ast.Starred) else part


def _is_store(modules: Modules, frame: Frame, target: ast.expr) -> bool:
    if isinstance(target, ast.Name):
        return target.id in _globals(frame.scope)
    if isinstance(target, ast.Attribute) and _own_member(frame, target.value):
        return False  # a member of an object that may be made for this call alone
    return isinstance(target, ast.Attribute | ast.Subscript) and outlives(modules, frame, target.value)


@lru_cache(maxsize=256)
def _globals(scope: Scope) -> frozenset[str]:
    """The names that a function takes from its module to bind them again."""
    found = (node.names for node in ast.walk(scope.node) if isinstance(node, ast.Global | ast.Nonlocal))
    return frozenset(name for names in found for name in names)


def outlives(modules: Modules, frame: Frame, expression: ast.AST | None, hops: int = _MOST_HOPS) -> bool:
    """True when what an expression stands for is still there after the call."""
    while isinstance(expression, ast.Attribute | ast.Subscript):
        if isinstance(expression, ast.Attribute) and (
            expression.attr in _STATE or _own_member(frame, expression.value)
        ):
            return getattr(frame.scope.node, "name", "") not in ("__init__", "__new__", "__post_init__")
        expression = expression.value
    if not isinstance(expression, ast.Name) or hops <= 0:
        return False
    given = argument_of(modules, frame, expression)
    if given is not None:
        return outlives(modules, given[0], given[1], hops - 1)
    scope: Scope | None = frame.scope
    while scope is not None and expression.id not in scope.names:
        scope = scope.parent if scope.kind != "class" else out_of_classes(scope)
    if scope is None or scope.kind != "function" or expression.id in _globals(frame.scope):
        return not _per_request(modules, frame.scope, expression)
    made = [binding.node for binding in scope.names[expression.id]]
    return any(
        isinstance(node, ast.Name | ast.Attribute | ast.Subscript)
        and not (isinstance(node, ast.Name) and node.id == expression.id)
        and outlives(modules, frame, node, hops - 1)
        for node in made
    )


def _own_member(frame: Frame, holder: ast.AST) -> bool:
    """True for `self` in a method."""
    node = frame.scope.node
    if frame.scope.owner is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    given = arguments(node)
    return isinstance(holder, ast.Name) and bool(given) and given[0].arg == holder.id and frame.depth > 0


def _per_request(modules: Modules, scope: Scope, name: ast.Name) -> bool:
    """True for Flask's `g` and `request`, and for words that Python brings along."""
    found = modules.resolve(scope, name)
    return isinstance(found, External) and (found.of(("flask",), *_PER_REQUEST) or found.package == "builtins")


def _is_module(modules: Modules, frame: Frame, receiver: ast.expr) -> bool:
    """True for `numpy` in `numpy.append(…)`: a function of a module, no method of a container."""
    found = modules.resolve(frame.scope, receiver)
    return isinstance(found, External) and "." not in found.name
