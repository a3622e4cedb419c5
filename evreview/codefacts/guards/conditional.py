"""Conditions that refuse the wrong callers or nobody: inverted, never true, under a switch, with an empty setting."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event, ParameterFrames
from evreview.codefacts.guards.anonymous_paths import left_open
from evreview.codefacts.guards.anonymous_values import PREFLIGHT
from evreview.codefacts.guards.bypass import ABORTING, CREDENTIAL, bypass_conditions, direct, refuses, returns_plainly
from evreview.codefacts.guards.denials import swallows
from evreview.codefacts.model import Guard, Spot
from evreview.codefacts.modules import FUNCTIONS, SCOPES, Scope, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered

_SWITCH: Final = re.compile(r"(^|[._'\"\[])(config|settings|debug|testing|environ|getenv)\b", re.IGNORECASE)
_LOCAL: Final = ("function", "lambda")
_SAYS_YES: Final = re.compile(
    r"^(compare_digest|checkpw|check_password(_hash)?|((is|has)_)?(valid|verif|authenticat|authoriz|allow|permit)\w*)$"
)
"""Calls that are true for the callers who may come in."""
_UNWANTED: Final = re.compile(
    r"revok|block|deny|denied|black|expir|old|ban|used|seen|anon|guest|empty|null|none|default|public|test|demo|place"
    r"|dummy|invalid|leak|retired",
    re.IGNORECASE,
)
"""Words in names of values that are refused on purpose."""
_MOVED: Final = re.compile(r"redirect|\b30[1-8]\b", re.IGNORECASE)
_WITH_DEFAULT: Final = 2
_READERS: Final = ("os.environ.get", "os.getenv")


def ineffective_conditions(modules: Modules, scope: Scope) -> tuple[Spot, ...]:
    """The conditions of a function over its own refusals that were not seen to refuse who has no credentials."""

    def found() -> tuple[Spot, ...]:
        work = _IneffectiveConditionSearch(modules, scope)
        return tuple(dict.fromkeys(scope.spot(test) for test in work.tests(getattr(scope.node, "body", []))))

    return remembered(modules, f"wrong tests {id(scope.node)}", found)


def void_answers(modules: Modules, scope: Scope) -> tuple[Spot, ...]:
    """What a function returns that is true whatever it asks: `return sent == KEY or True`."""

    def found() -> tuple[Spot, ...]:
        given = (node.value for node in own_nodes(scope.node) if isinstance(node, ast.Return) and node.value)
        return tuple(
            scope.spot(value)
            for value in given
            if isinstance(value, ast.BoolOp)
            and any(isinstance(part, ast.Constant) and part.value is True for part in value.values)
            and _settled(modules, scope, value) is not None
        )

    return remembered(modules, f"void answers {id(scope.node)}", found)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without inner functions and classes."""
    waiting: list[ast.AST] = list(getattr(function, "body", []))
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, SCOPES):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


class _IneffectiveConditionSearch:
    def __init__(self, modules: Modules, scope: Scope) -> None:
        self._modules = modules
        self._scope = scope

    def tests(self, body: list[ast.stmt]) -> Iterator[ast.expr]:
        """The tests of a block, its inner blocks included."""
        for place, statement in enumerate(body):
            if isinstance(statement, SCOPES):
                continue
            if isinstance(statement, ast.If) and self._is_wrong(statement, body[place + 1 :]):
                yield statement.test
            for name in ("body", "orelse", "finalbody"):
                yield from self.tests(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", []):
                yield from self.tests(handler.body)

    def _is_wrong(self, block: ast.If, after: list[ast.stmt]) -> bool:
        if direct(block.body):
            moved = any(_MOVED.search(ast.unparse(one)) for one in block.body)
            return not moved and self._misses(block.test, True)
        if direct(block.orelse):
            return self._misses(block.test, False)
        late = returns_plainly(block.body) and any(refuses(self._modules, self._scope, one) for one in after)
        return late and not block.orelse and self._inverted(block.test, False)

    def _misses(self, test: ast.expr, truth: bool) -> bool:
        """True for a test that refuses when it is `truth`, and is not for callers without credentials."""
        if _settled(self._modules, self._scope, test) is (not truth):
            return True
        if self._inverted(test, truth) or self._switched(test, truth):
            return True
        return any(may_be_empty(self._modules, self._scope, one) for one in _alone(test, truth))

    def _inverted(self, test: ast.expr, truth: bool) -> bool:
        """True where credentials that fit are what is refused."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._inverted(operand, not truth)
            case ast.BoolOp(values=parts):
                return any(self._inverted(part, truth) for part in parts)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
                return isinstance(op, ast.Eq) is truth and self._fits(left, right)
            case ast.Call(func=called):
                return truth and bool(_SAYS_YES.search(last_name(called)))
        return False

    def _fits(self, left: ast.expr, right: ast.expr) -> bool:
        """True for what is sent, compared with a value of the module that not everybody knows."""
        written = ast.unparse(left), ast.unparse(right)
        if not any(CREDENTIAL.search(one) for one in written):
            return False
        return any(
            self._is_kept(kept) and not self._is_kept(sent) and not _UNWANTED.search(ast.unparse(kept))
            for kept, sent in ((left, right), (right, left))
        )

    def _is_kept(self, node: ast.expr) -> bool:
        """True for what is made of names outside the function only."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        return bool(names) and not any(is_local(self._modules, self._scope, name) for name in names)

    def _switched(self, test: ast.expr, truth: bool) -> bool:
        """`if CHECK and sent != KEY: raise`: a setting beside a credential says whether anybody is refused."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._switched(operand, not truth)
            case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is truth:
                switches = [part for part in parts if is_switch(self._modules, self._scope, _bare(part))]
                others = [part for part in parts if part not in switches]
                return bool(switches) and any(CREDENTIAL.search(ast.unparse(part)) for part in others)
        return False


def may_be_empty(modules: Modules, scope: Scope, node: ast.expr) -> bool:
    """True for `os.environ.get("KEY", "")`, by a name too, where nothing stops the service without the setting."""
    if isinstance(node, ast.Name):
        found = modules.lookup(scope, node.id)
        if not isinstance(found, Definition) or not isinstance(found.node, ast.expr):
            return False
        if _is_demanded(modules, found):
            return False
        scope, node = found.scope, found.node
    if not isinstance(node, ast.Call) or len(node.args) < _WITH_DEFAULT:
        return False
    called = modules.called(scope, node)
    return isinstance(called, External) and called.name in _READERS and constant(modules, scope, node.args[1]) == ""


def _is_demanded(modules: Modules, setting: Definition) -> bool:
    """`if not KEY: raise RuntimeError` or `assert KEY` beside the setting."""
    for scope, statement in modules.statements():
        if scope.module is not setting.scope.module:
            continue
        match statement:
            case ast.Assert(test=ast.Name(id=name)):
                pass
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)), body=[ast.Raise(), *_]):
                pass
            case ast.If(test=ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()]), body=[ast.Raise(), *_]):
                pass
            case _:
                continue
        if name == setting.name:
            return True
    return False


def _alone(test: ast.expr, truth: bool) -> Iterable[ast.expr]:
    """The sides of a comparison that alone refuses: `not KEY or sent != KEY` refuses an empty one besides."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _alone(operand, not truth)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            return (left, right) if isinstance(op, ast.NotEq) is truth else ()
        case ast.Call(func=called, args=[left, right]) if last_name(called) == "compare_digest":
            return () if truth else (left, right)
    return ()


def is_switch(modules: Modules, scope: Scope, test: ast.expr) -> bool:
    """A setting alone, which says nothing of the caller: `current_app.config["OPEN"]`, `settings.DEBUG`, `OPEN`."""
    if isinstance(test, ast.Constant):
        return not test.value
    names = {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}
    if not names or any(is_local(modules, scope, name) for name in names):
        return False
    stated = isinstance(test, ast.Name) and isinstance(modules.resolve(scope, test), Definition)
    return stated or bool(_SWITCH.search(ast.unparse(test)))


def is_local(modules: Modules, scope: Scope, name: str) -> bool:
    """True for a name of a function, and for the request."""
    if name in scope.names:
        return True
    found = modules.lookup(scope, name)
    return name == "request" or (isinstance(found, Definition) and found.scope.kind in _LOCAL)


def _settled(modules: Modules, scope: Scope, test: ast.expr) -> bool | None:
    """What a test always is, None where that depends on anything."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _settled(modules, scope, operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=parts):
            ends = isinstance(op, ast.Or)
            known = [_settled(modules, scope, part) for part in parts]
            return ends if ends in known else None if None in known else not ends
        case ast.Compare(left=ast.Name() | ast.Attribute() as left, ops=[op], comparators=[right]):
            if ast.dump(left) == ast.dump(right):
                return isinstance(op, ast.Eq | ast.Is | ast.LtE | ast.GtE)
        case ast.Name():
            known_as = constant(modules, scope, test)
            return known_as if isinstance(known_as, bool) else None
    return None


def _bare(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test


# Holes in a guard: conditions that decide whether it checks at all, on the operation, settings or a caller's word.


_TELLING: Final = frozenset(
    {"method", "path", "raw_path", "full_path", "script_root", "url", "base_url", "endpoint", "url_rule", "blueprint",
     "blueprints", "path_info", "resolver_match", "match_info", "rel_url", "view_args", "remote_addr", "remote",
     "client", "host", "PATH_INFO", "REQUEST_METHOD", "REMOTE_ADDR", "route"}
)  # fmt: skip
"""What requests hold that tells the operation or where it comes from, and nothing of who calls."""
_REQUEST: Final = re.compile(r"(^|[._])(req|request|scope|conn|connection|environ|META)$")
_Block = ast.If | ast.Match | ast.IfExp


def pierced(
    modules: Modules,
    functions: Iterable[Definition],
    events: Sequence[Event],
    guards: Sequence[Guard],
    given: ParameterFrames | None = None,
) -> tuple[Guard, ...]:
    """The guards that the functions are, each with the conditions that leave it out, or that were not told."""
    own = tuple(functions)
    found = conditional_guards(modules, own, events)
    left = {kind: untold(modules, own, kind, given=given) for kind in {guard.kind for guard in guards} if not found}
    every = [(guard, dict.fromkeys((*guard.unless, *found) or left[guard.kind])) for guard in guards]
    return tuple(replace(guard, unless=tuple(unless)) if unless else guard for guard, unless in every)


def untold(
    modules: Modules,
    functions: Iterable[Definition],
    kind: str,
    arguments: Collection[str] = (),
    given: ParameterFrames | None = None,
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


def conditional_guards(
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
        found |= dict.fromkeys([*_of_scope(modules, scope), *bypass_conditions(modules, scope, arguments)])
    return tuple(sorted(found))


def _of_scope(modules: Modules, scope: Scope) -> tuple[Spot, ...]:
    def found() -> tuple[Spot, ...]:
        wrong = (*ineffective_conditions(modules, scope), *void_answers(modules, scope))
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
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
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
    return bool(texts) and texts <= PREFLIGHT and isinstance(test.ops[0], ast.Eq | ast.In | ast.NotEq | ast.NotIn)


def _decides(modules: Modules, scope: Scope, block: _Block) -> bool:
    """True when a branch leaves the function or refuses, by itself or in what it calls."""
    if isinstance(block, ast.IfExp):
        return True
    return any(
        isinstance(node, ast.Return | ast.Raise) or (isinstance(node, ast.Call) and _refuses(modules, scope, node))
        for node in ast.walk(block)
    )


def _refuses(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    if last_name(call.func) in ABORTING:
        return True
    found = modules.called(scope, call)
    if not isinstance(found, Definition) or not isinstance(found.node, FUNCTIONS):
        return False
    return _aborts(ast.walk(found.node))


def _aborts(nodes: Iterable[ast.AST]) -> bool:
    return any(
        isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and last_name(node.func) in ABORTING)
        for node in nodes
    )


def _passes(block: ast.If) -> bool:
    """True when the branch returns and refuses nobody."""
    nodes = [node for statement in block.body for node in ast.walk(statement)]
    if _aborts(nodes):
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
