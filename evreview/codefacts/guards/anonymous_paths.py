"""Whether a function refuses for certain: followed on every way as a caller runs through it who may not come in."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.codefacts.calls import is_function
from evreview.codefacts.control_flow import Frame, ParameterFrames, resolved_in
from evreview.codefacts.guards.anonymous_values import (
    NOTHING,
    OPEN,
    WHO,
    AbstractValue,
    AbstractValues,
    State,
    joined,
    walked,
)
from evreview.codefacts.guards.bypass import direct, fails
from evreview.codefacts.guards.denials import swallows, turns_away
from evreview.codefacts.guards.framework_conventions import CALLS
from evreview.codefacts.model import AccessKind, Spot
from evreview.codefacts.modules import FUNCTIONS, Scope, arguments, defaults, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered

_End = Literal["refused", "asked", "through", "broken", "again", "on"]
"""How a block ends: refused; refused as somebody unknown, which this caller is not; answered; left its loop, or a turn
of it; not yet."""
_WHO: Final = re.compile(
    r"\b401\b|_401_|Unauthorized|UNAUTHORIZED|NotAuthenticated|AuthenticationFailed|Unauthenticated"
)
_RAISING: Final = re.compile(r"^(check|require|ensure|assert|must|demand|enforce|verify|authenticate|authorize)(_|$)")
"""Names of functions of other packages that are called for what they refuse."""
_FORM: Final = re.compile(r"scheme|prefix|type|kind|method$", re.IGNORECASE)
"""Names of the part of credentials that everybody knows."""
_HOPS: Final = 5
_MOST: Final = 400
"""Statements followed for one function; code that was written to branch without end is open."""


def left_open(
    modules: Modules, scope: Scope, kind: AccessKind, named: Collection[str] = (), given: ParameterFrames | None = None
) -> tuple[Spot, ...] | None:
    """The conditions that leave open whether a function refuses who may not come in; None where it certainly does.

    Args:
        scope: the function's.
        kind: who: somebody unknown, or somebody without the right.
        named: names of arguments that stand for values of the request.
        given: what parameters of functions around it stand for.
    """

    def found() -> tuple[Spot, ...] | None:
        way = AnonymousPaths(modules, kind, frozenset(named), given or {})
        ends = way.function(scope, {})
        if ends == {"refused"} and way.steps < _MOST and way.is_within:
            return None
        return tuple(dict.fromkeys(way.open))

    bound = "".join(f" {key} {id(value)}" for key, (_, value) in (given or {}).items())
    key = f"left open {kind} {id(scope.node)} {' '.join(sorted(named))}{bound}"
    return remembered(modules, key, found)


@dataclass(slots=True)
class AnonymousPaths:
    """The ways of one caller.

    Attributes:
        open: the conditions that were not told.
        results: what the function that is followed gives back.
    """

    modules: Modules
    kind: AccessKind
    named: frozenset[str]
    given: ParameterFrames = field(default_factory=dict)
    open: list[Spot] = field(default_factory=list)
    results: list[AbstractValue] = field(default_factory=list)
    running: list[int] = field(default_factory=list)
    steps: int = 0
    _values: AbstractValues = field(init=False)

    def __post_init__(self) -> None:
        self._values = AbstractValues(self.modules, self.kind, self.named, self._returned)

    @property
    def is_within(self) -> bool:
        """True while no expression was left open for their number."""
        return self._values.left >= 0

    def function(self, scope: Scope, given: State) -> set[_End]:
        """How a function ends, its parameters as given."""
        node = scope.node
        if not isinstance(node, FUNCTIONS):
            return {"on"}
        stated = defaults(node)
        state = {one.arg: self._values.argument(scope, one, stated.get(one.arg)) for one in arguments(node)}
        self.running.append(id(node))
        ends = self.block(scope, node.body, state | given)
        self.running.pop()
        if "on" in ends:
            self.results.append(NOTHING)
        return {"through" if one in ("on", "broken") else one for one in ends}

    def block(self, scope: Scope, body: Sequence[ast.stmt], state: State) -> set[_End]:
        """How a block ends; the state is changed on the way."""
        ends: set[_End] = set()
        for statement in body:
            self.steps += 1
            if self.steps > _MOST:
                return {*ends, "on"}
            found = self._one(scope, statement, state)
            ends |= found - {"on"}
            if "on" not in found:
                return ends
        return {*ends, "on"}

    def _one(self, scope: Scope, statement: ast.stmt, state: State) -> set[_End]:
        match statement:
            case ast.If():
                return self._if(scope, statement, state)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(scope, statement, state)
            case ast.Try():
                return self._try(scope, statement, state)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                ends = self.block(scope, statement.body, state)
                kept = any("suppress" in ast.unparse(one.context_expr) for one in items)
                return (ends - {"refused", "asked"}) | {"on"} if kept else ends
            case ast.Match(cases=cases):
                ends = {end for one in cases for end in self.block(scope, one.body, dict(state))}
                whole = any(isinstance(one.pattern, ast.MatchAs) and one.pattern.pattern is None and one.guard is None
                            for one in cases)  # fmt: skip
                return self._mixed(scope, statement.subject, ends if whole else {*ends, "on"})
            case ast.Break() | ast.Continue():
                return {"broken"} if isinstance(statement, ast.Break) else {"again"}
            case ast.Assert(test=test):
                return {"refused"} if self._values.of(scope, test, state).truth is False else {"on"}
        return self._plain(scope, statement, state)

    def _plain(self, scope: Scope, statement: ast.stmt, state: State) -> set[_End]:
        """A raise, a return, an assignment, a call: a function that it calls may refuse."""
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            return {"on"}
        if isinstance(statement, ast.Raise):
            return {self._refusal(scope, statement)}
        if isinstance(statement, ast.Return) and (turns_away(statement) or fails(statement)):
            return {self._refusal(scope, statement)}
        called = self._calls(scope, statement, state)
        if called is not None:
            return {called}
        match statement:
            case ast.Return(value=value):
                return self._returns(scope, value, state)
            case ast.Expr(value=ast.Call() as call) if direct([statement]):
                return {self._refusal(scope, call)}
            case ast.Expr(value=ast.Yield()):
                return {"through"}
            case ast.Assign(targets=targets, value=value):
                told = self._values.of(scope, value, state)
                for target in targets:
                    _bind(target, told, state)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                _bind(target, self._values.of(scope, value, state), state)
            case ast.AugAssign(target=ast.Name(id=name)):
                state[name] = OPEN
        return {"on"}

    def _returns(self, scope: Scope, value: ast.expr | None, state: State) -> set[_End]:
        if isinstance(value, ast.IfExp):
            told = self._values.of(scope, value.test, state).truth
            sides = [one for place, one in enumerate((value.body, value.orelse)) if told is not bool(place)]
            ends = {end for one in sides for end in self._one(scope, ast.copy_location(ast.Return(one), value), state)}
            return self._mixed(scope, value.test, ends) if told is None else ends
        self.results.append(self._values.of(scope, value, state))
        return {"through"}

    def _refusal(self, scope: Scope, node: ast.AST) -> _End:
        """A refusal of somebody unknown is none of somebody without a right."""
        if self.kind == "authentication":
            return "refused"
        told = ast.unparse(node)
        raised = node.exc if isinstance(node, ast.Raise) else None
        if isinstance(raised, ast.Name):
            for binding in scope.names.get(raised.id, []):
                told += ast.unparse(binding.node) if binding.node is not None else ""
            found = self.modules.lookup(scope, raised.id)
            told += ast.unparse(found.node) if isinstance(found, Definition) else ""
        return "asked" if _WHO.search(told) else "refused"

    # Branches

    def _if(self, scope: Scope, block: ast.If, state: State) -> set[_End]:
        told = self._values.of(scope, block.test, state).truth
        if told is not None:
            ends = self.block(scope, block.body if told else block.orelse, state)
            if ends == {"asked"}:  # nobody unknown is followed here
                return self.block(scope, block.orelse if told else block.body, state)
            return ends - {"asked"} if ends - {"asked"} else ends
        sides = [dict(state), dict(state)]
        both = [self.block(scope, block.body, sides[0]), self.block(scope, block.orelse, sides[1])]
        lasting = [side for side, ends in zip(sides, both, strict=True) if "on" in ends]
        for name in {name for side in lasting for name in side}:
            state[name] = joined(side.get(name, OPEN) for side in lasting)
        ends = {end for one in both for end in one if end != "asked"} or {"asked"}
        if both[0] == {"asked"} or both[1] == {"asked"}:
            return ends
        return self._mixed(scope, block.test, ends)

    def _mixed(self, scope: Scope, test: ast.expr, ends: set[_End]) -> set[_End]:
        """Notes a condition that was not told and on which it hangs whether somebody is refused or answered."""
        if ends & {"refused", "through"} and len(ends) > 1:
            self.open.append(scope.spot(test))
        return ends

    def _loop(self, scope: Scope, block: ast.For | ast.AsyncFor | ast.While, state: State) -> set[_End]:
        walks = block.test if isinstance(block, ast.While) else block.iter
        over = self._values.of(scope, walks, state)
        if not isinstance(block, ast.While):
            _bind(block.target, AbstractValue(None, over.flags - {"constant"}), state)
        inside = self.block(scope, block.body, state)
        if inside <= {"refused"} and not over.sent:  # one turn for each right that is asked for
            return {"refused"}
        after = self.block(scope, block.orelse, state) if block.orelse else {"on"}
        leaving: set[_End] = {end for end in inside if end in ("refused", "asked", "through")}
        if "broken" in inside:
            leaving.add("on")
        return {*leaving, *after}

    def _try(self, scope: Scope, block: ast.Try, state: State) -> set[_End]:
        before, given = dict(state), len(self.results)
        body = self.block(scope, [*block.body, *block.orelse], state)
        if body == {"refused"} and not any(swallows(one) for one in block.handlers):
            return body
        handled: set[_End] = set()
        lasting = [dict(state)] if "on" in body else []
        for one in block.handlers:
            own = dict(before)
            ends = self.block(scope, one.body, own)
            handled |= ends
            lasting += [own] if "on" in ends else []
            if swallows(one) and body & {"refused", "asked"}:
                body = {end for end in body if end not in ("refused", "asked")}
                self.open.append(scope.spot(one))
        if block.handlers and self._fails_for_them(scope, block.body, before):
            lasting = lasting[1:] if "on" in body else lasting
            body = body - {"on", "through"}
            del self.results[given:]
        if not block.handlers:
            handled = set()
        after: set[_End] = {*body, *handled}
        for name in {name for side in lasting for name in side}:
            state[name] = joined(side.get(name, OPEN) for side in lasting)
        if after != {"asked"}:
            after.discard("asked")
        final: set[_End] = self.block(scope, block.finalbody, state) if block.finalbody else {"on"}
        return after if "on" in final else final

    def _fails_for_them(self, scope: Scope, body: Sequence[ast.stmt], state: State) -> bool:
        """True where the block calls or looks up something with credentials, which fails for such a caller."""
        if self.kind == "authorization":
            return False
        own = dict(state)
        for statement in body:
            if isinstance(statement, ast.Assign):
                told = self._values.of(scope, statement.value, own)
                for target in statement.targets:
                    _bind(target, told, own)
            for node in walked([statement]):
                if isinstance(node, ast.Call | ast.Subscript) and self._values.of(scope, node, own) == WHO:
                    return True
        return False

    # Calls

    def _calls(self, scope: Scope, statement: ast.stmt, state: State) -> _End | None:
        """A call that refuses by itself; None where none certainly does."""
        for node in walked([statement]):
            if not isinstance(node, ast.Call):
                continue
            found = self.modules.called(scope, node)
            if isinstance(found, External):
                if any(found.of((rule.package,), rule.name) for rule in CALLS if rule.kind == self.kind):
                    return "refused"
                alone = isinstance(statement, ast.Expr) and bool(_RAISING.search(found.last))
                if alone and self._values.of(scope, node, state).shows:
                    return "refused"
            ends = self._followed(scope, node, state)
            if ends is not None and ends[0] and ends[0] <= {"refused", "asked"}:
                return "refused" if "refused" in ends[0] else "asked" if self.kind == "authentication" else None
        return None

    def _returned(self, scope: Scope, call: ast.Call, state: State) -> AbstractValue | None:
        ends = self._followed(scope, call, state)
        if ends is None or not ends[1]:
            return None
        return joined(ends[1])

    def _followed(self, scope: Scope, call: ast.Call, state: State) -> tuple[set[_End], list[AbstractValue]] | None:
        """How a supplied function ends, and what it gives; None for any other."""
        named = resolved_in(self.modules, Frame(scope, self.given), call.func)
        if isinstance(named, Definition) and isinstance(named.node, ast.Lambda):
            return self._short(named, named.node)
        found = named if self.given and is_function(named) else self.modules.called(scope, call)
        if not isinstance(found, Definition) or not isinstance(found.node, FUNCTIONS) or len(self.running) > _HOPS:
            return None
        body = self.modules.body(found)
        if body is None or id(found.node) in self.running or any(True for _ in _yields(found.node)):
            return None
        given = {name: self._values.of(scope, value, state) for name, value in _arguments(found, body, call)}
        kept, self.results = self.results, []
        noted = len(self.open)
        ends = self.function(body, given)
        results, self.results = self.results, kept
        if ends == {"through"}:
            del self.open[noted:]
        return ends, results

    def _short(self, made: Definition, node: ast.Lambda) -> tuple[set[_End], list[AbstractValue]] | None:
        """How a `lambda` ends."""
        if len(self.running) > _HOPS or id(node) in self.running:
            return None
        kept, self.results = self.results, []
        self.running.append(id(node))
        ends = self._one(made.scope, ast.copy_location(ast.Return(value=node.body), node), {})
        self.running.pop()
        results, self.results = self.results, kept
        return ends, results


def _yields(function: ast.AST) -> Iterator[ast.AST]:
    return (one for one in walked(getattr(function, "body", [])) if isinstance(one, ast.Yield | ast.YieldFrom))


def _arguments(found: Definition, body: Scope, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    node = found.node
    if not isinstance(node, FUNCTIONS):
        return
    positional = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    static = any(last_name(one) == "staticmethod" for one in node.decorator_list)
    if body.owner is not None and not static:
        positional = positional[1:]
    yield from zip(positional, (one for one in call.args if not isinstance(one, ast.Starred)), strict=False)
    yield from ((word.arg, word.value) for word in call.keywords if word.arg is not None)


def _bind(target: ast.expr, told: AbstractValue, state: State) -> None:
    match target:
        case ast.Name(id=name):
            form = _FORM.search(name) and "caller" not in told.flags
            state[name] = AbstractValue(told.truth, told.flags - {"credential"}) if form else told
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                _bind(
                    part,
                    AbstractValue(None, told.flags) if "caller" not in told.flags or told.truth is None else WHO,
                    state,
                )
