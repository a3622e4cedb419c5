"""Holes in a guard: conditions that decide whether it checks at all, on the operation, settings or a caller's word."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.control_flow import Event, Given
from evreview.codefacts.guards.anonymous_paths import left_open
from evreview.codefacts.guards.bypass import direct, let_past, refuses
from evreview.codefacts.guards.conditional import is_switch, void_answers, wrong_tests
from evreview.codefacts.model import Guard, Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.refusing import swallows
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition

_TELLING: Final = frozenset(
    {"method", "path", "raw_path", "full_path", "script_root", "url", "base_url", "endpoint", "url_rule", "blueprint",
     "blueprints", "path_info", "resolver_match", "match_info", "rel_url", "view_args", "remote_addr", "remote",
     "client", "host", "PATH_INFO", "REQUEST_METHOD", "REMOTE_ADDR", "route"}
)  # fmt: skip
"""What requests hold that tells the operation or where it comes from, and nothing of who calls."""
_REQUEST: Final = re.compile(r"(^|[._])(req|request|scope|conn|connection|environ|META)$")
_PREFLIGHT: Final = frozenset({"OPTIONS", "HEAD", "TRACE"})
"""Methods that browsers and frameworks send by themselves; letting them pass leaves no operation open."""
_ABORTING: Final = frozenset({"abort", "redirect"})
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_Block = ast.If | ast.Match | ast.IfExp


def pierced(
    modules: Modules,
    functions: Iterable[Definition],
    events: Sequence[Event],
    guards: Sequence[Guard],
    given: Given | None = None,
) -> tuple[Guard, ...]:
    """The guards that the functions are, each with the conditions that leave it out, or that were not told."""
    own = tuple(functions)
    found = holes(modules, own, events)
    left = {kind: untold(modules, own, kind, given=given) for kind in {guard.kind for guard in guards} if not found}
    every = [(guard, dict.fromkeys((*guard.unless, *found) or left[guard.kind])) for guard in guards]
    return tuple(replace(guard, unless=tuple(unless)) if unless else guard for guard, unless in every)


def untold(
    modules: Modules,
    functions: Iterable[Definition],
    kind: str,
    arguments: Collection[str] = (),
    given: Given | None = None,
) -> tuple[Spot, ...]:
    """What leaves open whether one of the functions refuses who may not come in; () where one certainly does."""
    if kind not in ("authentication", "authorization"):
        return ()
    found: list[Spot] = []
    for function in functions:
        scope = modules.body(function)
        if scope is None or scope.kind != "function":
            continue
        left = left_open(
            modules, scope, "authentication" if kind == "authentication" else "authorization", arguments, given
        )
        if left is None:
            return ()
        found += left or [scope.spot(scope.node)]
    return tuple(found)


def holes(
    modules: Modules, functions: Iterable[Definition], events: Sequence[Event], arguments: Collection[str] = ()
) -> tuple[Spot, ...]:
    """The conditions, in the functions and in what they call, that let a caller pass unchecked.

    Args:
        arguments: names of parameters that stand for values of the request.
    """
    scopes = [scope for function in functions if (scope := modules.body(function)) is not None]
    scopes += [event.frame.scope for event in events]
    found: dict[Spot, None] = {}
    for scope in {id(one.node): one for one in scopes}.values():
        found |= dict.fromkeys([*_of_scope(modules, scope), *let_past(modules, scope, arguments)])
    return tuple(sorted(found))


def _of_scope(modules: Modules, scope: Scope) -> tuple[Spot, ...]:
    def found() -> tuple[Spot, ...]:
        wrong = (*wrong_tests(modules, scope), *void_answers(modules, scope))
        return (*_in(modules, scope), *_swallowed(modules, scope), *_too_late(modules, scope), *wrong)

    return remembered(modules, f"holes {id(scope.node)}", found)


def _swallowed(modules: Modules, scope: Scope) -> Iterator[Spot]:
    """Handlers of every exception that take a refusal and refuse nobody themselves, where nothing refuses later."""
    nodes = [node for statement in getattr(scope.node, "body", []) for node in ast.walk(statement)]
    last = max(
        (node.lineno for node in nodes if isinstance(node, ast.stmt) and refuses(modules, scope, node)), default=0
    )
    for node in nodes:
        if (
            isinstance(node, ast.Try)
            and (node.end_lineno or 0) >= last
            and any(refuses(modules, scope, part) for part in node.body)
        ):
            yield from (scope.spot(handler) for handler in node.handlers if swallows(handler))


def _too_late(modules: Modules, scope: Scope) -> Iterator[Spot]:
    """Calls of what is run next that stand before what refuses: the handler has answered by then."""
    blocks: list[list[ast.stmt]] = [getattr(scope.node, "body", [])]
    while blocks:
        block = blocks.pop()
        for place, statement in enumerate(block):
            if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
                continue
            blocks += [inner for name in ("body", "orelse") if (inner := getattr(statement, name, None))]
            handed = isinstance(statement, ast.Assign | ast.Expr) and _hands_on(scope, statement.value)
            if handed and any(refuses(modules, scope, one) for one in block[place + 1 :]):
                yield scope.spot(statement)


def _hands_on(scope: Scope, value: ast.expr) -> bool:
    """`await call_next(request)`, `self.get_response(request)`, the `yield` of a dependency: what is next has run."""
    if isinstance(value, ast.Yield):
        return True
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call) or not any(_REQUEST.search(ast.unparse(one)) for one in call.args):
        return False
    if isinstance(call.func, ast.Attribute):
        return call.func.attr == "get_response"
    bound = scope.names.get(getattr(call.func, "id", ""), [])
    return any(isinstance(one.node, ast.arg) for one in bound)


def _in(modules: Modules, scope: Scope) -> Iterator[Spot]:
    body: list[ast.stmt] = getattr(scope.node, "body", [])
    nodes = [node for statement in body for node in ast.walk(statement)]
    named = _named(nodes)
    for node in nodes:
        if not isinstance(node, _Block):
            continue
        test = node.subject if isinstance(node, ast.Match) else node.test
        parts = list(_operands(test))
        told = any(_tells(part, named) for part in parts) and _decides(modules, scope, node)
        switched = isinstance(node, ast.If) and (
            (_passes(node) and any(is_switch(modules, scope, one) for one in parts))
            or (_checks_below(modules, scope, node) and any(is_switch(modules, scope, one) for one in _all_of(test)))
        )
        if told or switched:
            yield scope.spot(test)


def _named(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Local names of what tells the operation: `path = request.path`."""
    return frozenset(
        target.id
        for one in nodes
        if isinstance(one, ast.Assign | ast.AnnAssign | ast.NamedExpr) and one.value and _tells(one.value, ())
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    )


def _operands(test: ast.expr) -> Iterator[ast.expr]:
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _operands(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _operands(operand)
        case _:
            yield test


def _tells(test: ast.expr, named: Collection[str]) -> bool:
    if _preflight(test):
        return False
    for one in ast.walk(test):
        match one:
            case ast.Attribute(value=base, attr=word) | ast.Subscript(value=base, slice=ast.Constant(value=str(word))):
                if word in _TELLING and _REQUEST.search(ast.unparse(base)):
                    return True
            case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value=str(word)), *_]):
                if word in _TELLING and _REQUEST.search(ast.unparse(base)):
                    return True
            case ast.Name(id=name) if name in named:
                return True
            case _:
                continue
    return False


def _preflight(test: ast.expr) -> bool:
    """`request.method == "OPTIONS"`, alone or of several."""
    if not isinstance(test, ast.Compare):
        return False
    texts = {one.value for one in ast.walk(test) if isinstance(one, ast.Constant)}
    return bool(texts) and texts <= _PREFLIGHT and isinstance(test.ops[0], ast.Eq | ast.In | ast.NotEq | ast.NotIn)


def _decides(modules: Modules, scope: Scope, block: _Block) -> bool:
    """True when a branch leaves the function or refuses, by itself or in what it calls."""
    if isinstance(block, ast.IfExp):
        return True
    return any(
        isinstance(node, ast.Return | ast.Raise) or (isinstance(node, ast.Call) and _refuses(modules, scope, node))
        for node in ast.walk(block)
    )


def _refuses(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    if _last(call) in _ABORTING:
        return True
    found = modules.called(scope, call)
    if not isinstance(found, Definition) or not isinstance(found.node, _FUNCTIONS):
        return False
    return any(
        isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _last(node) in _ABORTING)
        for node in ast.walk(found.node)
    )


def _last(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _passes(block: ast.If) -> bool:
    """True when the branch returns and refuses nobody."""
    nodes = [node for statement in block.body for node in ast.walk(statement)]
    if any(isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _last(node) in _ABORTING) for node in nodes):
        return False
    returned = [node.value for node in nodes if isinstance(node, ast.Return)]
    return bool(returned) and not any(isinstance(one, ast.Tuple) for one in returned)


def _all_of(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a test each of which alone makes it false."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        yield from test.values
    elif not isinstance(test, ast.BoolOp):
        yield test


def _checks_below(modules: Modules, scope: Scope, block: ast.If) -> bool:
    """True when a branch only calls a check or holds its condition, so that nothing checks without the branch."""
    return not block.orelse and not direct(block.body) and any(refuses(modules, scope, one) for one in block.body)
