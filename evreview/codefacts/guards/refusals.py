"""Handlers that ask whether anybody is signed in, followed as a caller runs through them who is not."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.codefacts.guards.bypass import direct, let_past
from evreview.codefacts.model import Guard, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.refusing import swallows
from evreview.sources.resolved import Definition, External

OWN_ANSWER: Final = "what it checks: who is not signed in gets another answer"
_FUNCTION_NODES: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_TURNING: Final = frozenset({"unauthorized", "redirect_to_login", "handle_no_permission"})
"""Functions of Flask-Login's manager and of Django whose answer sends callers to sign in."""
_FAILING: Final = re.compile(r"NotFound|Http404|BadRequest|Invalid|Error")
_HOPS: Final = 3
_End = Literal["barred", "left", "answered", "on"]
"""How a block ends for that caller: turned away by the question; turned away like everybody; answered; not yet."""


@dataclass(slots=True)
class Asked:
    """What a handler does about callers who are not signed in."""

    guards: list[Guard] = field(default_factory=list)
    unread: list[UnreadCode] = field(default_factory=list)


def asked(modules: Modules, scope: Scope) -> Asked:
    """The guard that a handler is by such a question, or where its own answer to them can't be judged.

    A question that turns nobody away, `name = user.name if user.is_authenticated else "you"`, is neither.
    """
    way = _AnonymousPath(modules)
    end = way.follow(scope, getattr(scope.node, "body", []), _HOPS)
    found = Asked()
    if end == "barred" or way.sometimes:
        spot = way.bars[0]
        past = [one for one in let_past(modules, scope) if one.first <= spot.last]
        unless = dict.fromkeys([*way.sometimes, *way.before, *past])
        found.guards.append(Guard(name=scope.qualname, kind="authentication", spot=spot, unless=tuple(unless)))
    elif way.own:
        found.unread.append(UnreadCode(way.own[0], OWN_ANSWER, "Supply a negative test of it."))
    return found


@dataclass(slots=True)
class _AnonymousPath:
    """The way of a caller who is not signed in.

    Attributes:
        bars: the questions by which that caller is turned away.
        sometimes: conditions on which such a question depends.
        before: conditions under which others are answered before it.
        own: questions after which that caller gets an answer of their own.
        passed: functions called that turn nobody away; each is followed once.
    """

    modules: Modules
    bars: list[Spot] = field(default_factory=list)
    sometimes: list[Spot] = field(default_factory=list)
    before: list[Spot] = field(default_factory=list)
    own: list[Spot] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)

    def follow(self, scope: Scope, body: Sequence[ast.stmt], hops: int) -> _End:
        """How the block ends; what stands after a part that only others leave is for that caller alone."""
        alone: Spot | None = None
        for statement in body:
            end = self._one(scope, statement, hops)
            if isinstance(statement, ast.If) and end == "on" and self._leaves_others(scope, statement):
                alone = scope.spot(statement.test)
            if end == "left" and alone is not None:
                self.bars.append(alone)
                return "barred"
            if end == "answered" and alone is not None:
                self.own.append(alone)
            if end != "on":
                return end
        return "on"

    def _one(self, scope: Scope, statement: ast.stmt, hops: int) -> _End:
        match statement:
            case ast.If():
                return self._if(scope, statement, hops)
            case ast.Raise():
                return "left"
            case ast.Return(value=ast.IfExp(test=test) as chosen) if nobody(self.modules, scope, test) is not None:
                value = chosen.body if nobody(self.modules, scope, test) else chosen.orelse
                return self._decided(scope, test, "left" if turns_away(ast.Return(value=value)) else "answered")
            case ast.Return():
                return "left" if turns_away(statement) or _fails(statement) else "answered"
            case ast.Expr(value=ast.Call(func=function)) if _node_name(function) == "abort":
                return "left"
            case ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return self._called(scope, value, hops)
            case ast.With(body=inner) | ast.AsyncWith(body=inner):
                return self.follow(scope, inner, hops)
            case ast.Try(body=inner, handlers=handlers):
                end = self.follow(scope, inner, hops)
                taken = [scope.spot(one) for one in handlers if swallows(one)] if end == "barred" else []
                self.sometimes += taken
                return "on" if taken else end
        return "on"

    def _if(self, scope: Scope, block: ast.If, hops: int) -> _End:
        truth = nobody(self.modules, scope, block.test)
        if truth is not None:
            return self._decided(scope, block.test, self.follow(scope, block.body if truth else block.orelse, hops))
        ends = {self.follow(scope, block.body, hops), self.follow(scope, block.orelse, hops)}
        if ("barred" in ends and len(ends) > 1) or ("left" in ends and asks(self.modules, scope, block.test)):
            self.bars.append(scope.spot(block.test))
            self.sometimes.append(scope.spot(block.test))
        elif ends == {"answered", "on"}:
            self.before.append(scope.spot(block.test))
        return ends.pop() if len(ends) == 1 else "on"

    def _decided(self, scope: Scope, test: ast.expr, end: _End) -> _End:
        if end == "left":
            self.bars.append(scope.spot(test))
            return "barred"
        if end == "answered":
            self.own.append(scope.spot(test))
        return end

    def _leaves_others(self, scope: Scope, block: ast.If) -> bool:
        """True where everybody who is signed in is answered in one branch."""
        truth = nobody(self.modules, scope, block.test)
        other = block.orelse if truth else block.body
        return truth is not None and bool(other) and isinstance(other[-1], ast.Return) and not turns_away(other[-1])

    def _called(self, scope: Scope, value: ast.expr, hops: int) -> _End:
        """A supplied function turns callers away for its caller by what it raises, not by what it returns."""
        call = value.value if isinstance(value, ast.Await) else value
        found = self.modules.called(scope, call) if isinstance(call, ast.Call) and hops > 0 else None
        body = self.modules.body(found) if isinstance(found, Definition) else None
        if body is None or not isinstance(body.node, _FUNCTION_NODES) or id(body.node) in self.passed:
            return "on"
        self.passed.add(id(body.node))
        inner = _AnonymousPath(self.modules, passed=self.passed)
        if inner.follow(body, body.node.body, hops - 1) != "barred" or not _raises(body.node):
            return "on"
        self.passed.discard(id(body.node))
        self.bars += inner.bars
        self.sometimes += [*inner.sometimes, *inner.before]
        return "barred"


def nobody(modules: Modules, scope: Scope, test: ast.expr, hops: int = _HOPS) -> bool | None:
    """What a test comes to while nobody is signed in; None where that does not decide it."""
    match test:
        case ast.Await(value=inner) | ast.Call(func=ast.Attribute(attr="is_authenticated" | "is_anonymous") as inner):
            return nobody(modules, scope, inner, hops)
        case ast.Attribute(attr="is_authenticated"):
            return False
        case ast.Attribute(attr="is_anonymous"):
            return True
        case ast.Call():
            found = modules.called(scope, test)
            return True if isinstance(found, External) and found.of(("aiohttp_security",), "is_anonymous") else None
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            truth = nobody(modules, scope, operand, hops)
            return None if truth is None else not truth
        case ast.BoolOp(op=op, values=parts):
            found_truths = [nobody(modules, scope, part, hops) for part in parts]
            enough = isinstance(op, ast.Or)
            if enough in found_truths:
                return enough
            return None if None in found_truths else not enough
        case ast.Name(id=name) if hops > 0:
            bindings = scope.names.get(name, [])
            value = bindings[0].node if len(bindings) == 1 else None
            return nobody(modules, scope, value, hops - 1) if isinstance(value, ast.expr) else None
    return None


def asks(modules: Modules, scope: Scope, test: ast.expr) -> bool:
    """True when a part of a test asks whether anybody is signed in."""
    return any(nobody(modules, scope, part) is not None for part in ast.walk(test) if isinstance(part, ast.expr))


def turns_away(statement: ast.stmt) -> bool:
    """An answer, abort or redirect that refuses callers."""
    return direct([statement]) or any(
        isinstance(node, ast.Call) and _node_name(node.func) in _TURNING for node in ast.walk(statement)
    )


def _fails(statement: ast.Return) -> bool:
    """An answer with an error for everybody lets nobody in."""
    return any(
        (isinstance(node, ast.Constant) and isinstance(node.value, int) and 400 <= node.value <= 599)
        or (isinstance(node, ast.Name | ast.Attribute) and _FAILING.search(_node_name(node)))
        for node in ast.walk(statement)
    )


def _node_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _raises(function: ast.AST) -> bool:
    """True for a function that raises or aborts and returns no answer of its own."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return not any(value is not None and turns_away(ast.Return(value=value)) for value in returned)
