"""Whether code refuses its callers and with which status, and what it does about those who are not signed in."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.codefacts.answers import side_effects
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import CHANGING, Event, Frame, asks_for, exception_of, kept, value_in
from evreview.codefacts.guards.bypass import bypass_conditions, direct, refuses
from evreview.codefacts.guards.framework_conventions import STORING_WORDS, WRITING_WORDS
from evreview.codefacts.model import Guard, Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import DEFINITIONS, FUNCTIONS, Module, Scope, last_name
from evreview.codefacts.names import Definition, External, Modules, ReachableDefinitions

# Whether lines of code refuse anybody: they raise, abort or answer with an error or a redirect, or call what does.


_BLOCKS: Final = (*FUNCTIONS, ast.ClassDef, ast.If, ast.Match, ast.Try, ast.With, ast.AsyncWith, ast.For, ast.While)
_ABORT_FUNCTIONS: Final = frozenset(
    {"abort", "redirect", "RedirectResponse", "HttpResponseForbidden", "redirect_to_login"}
)
_REFUSED: Final = 300
_WIDE: Final = frozenset({"Exception", "BaseException", "HTTPException"})


class DenialFinder:
    """Asks lines whether they refuse."""

    def __init__(self, modules: Modules, reached: ReachableDefinitions) -> None:
        self._modules = modules
        self._reached = reached
        self._by_item: dict[str, Module] = {module.source.item: module for module in modules.all}
        self._caught = frozenset(
            id(node) for _, one in modules.statements() for node in (*_caught(one), *_dropped(one))
        )

    def at(self, item: str, first: int, last: int) -> bool:
        """True when the smallest block around the lines refuses, or what the lines themselves call."""
        module = self._by_item.get(item)
        if module is None:
            return False
        scope, block = self._around(module, first, last)
        if block is not None and self._refuses(scope, block):
            return True
        calls = [
            (at, node)
            for at, statement in self._modules.statements(self._modules.scope(module))
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and first <= node.lineno and (node.end_lineno or node.lineno) <= last
        ]
        return any(self._called(at, call) for at, call in calls)

    def kept(self, item: str, first: int, last: int) -> frozenset[str]:
        """The values of the request that the smallest function around the lines sets, which refuse nobody."""
        module = self._by_item.get(item)
        block = self._around(module, first, last, FUNCTIONS)[1] if module is not None else None
        return kept(block) if block is not None else frozenset()

    def asks(self, found: Iterable[Definition], names: Collection[str]) -> bool:
        """True when one of these functions refuses callers and asks for one of the request's values."""
        return any(
            isinstance(one.node, FUNCTIONS) and asks_for(one.node, names) and self._refuses(one.scope, one.node)
            for one in found
        )

    def _around(
        self, module: Module, first: int, last: int, blocks: tuple[type[ast.stmt], ...] = _BLOCKS
    ) -> tuple[Scope, ast.stmt | None]:
        """The smallest block that has all of the lines, with the scope that it stands in."""
        found: tuple[Scope, ast.stmt | None] = (self._modules.scope(module), None)
        size = 10**9
        for scope, statement in self._modules.statements(self._modules.scope(module)):
            end = statement.end_lineno or statement.lineno
            begin = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
            if isinstance(statement, blocks) and begin <= first and last <= end and end - begin <= size:
                found, size = (scope, statement), end - begin
        return found

    def _refuses(self, scope: Scope, block: ast.stmt) -> bool:
        return any(self._node_refuses(scope, node) for node in ast.walk(block))

    def _node_refuses(self, scope: Scope, node: ast.AST) -> bool:
        if id(node) in self._caught:
            return False
        if isinstance(node, ast.Raise):
            return node.exc is not None
        if not isinstance(node, ast.Call):
            return False
        return last_name(node.func) in _ABORT_FUNCTIONS or any(
            _error(self._modules, scope, one) for one in _statuses(node)
        )

    def _called(self, scope: Scope, call: ast.Call) -> bool:
        found = self._modules.called(scope, call)
        if not isinstance(found, Definition) or not isinstance(found.node, FUNCTIONS):
            return False
        return any(
            self._refuses(one.scope, one.node)
            for one in self._reached.definitions(found)
            if isinstance(one.node, FUNCTIONS)
        )


def _caught(statement: ast.stmt) -> Iterator[ast.AST]:
    """The raises and aborts that a handler around them takes without refusing itself: they refuse nobody."""
    if not isinstance(statement, ast.Try) or not any(swallows(one) for one in statement.handlers):
        return
    for node in (node for part in statement.body for node in ast.walk(part)):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and last_name(node.func) == "abort"):
            yield from ast.walk(node)


def _dropped(statement: ast.stmt) -> Iterator[ast.AST]:
    """An answer that is made and given to nobody: `JSONResponse({}, status_code=401)` as a statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=function) as call) if last_name(function)[:1].isupper():
            yield from ast.walk(call)


def swallows(handler: ast.ExceptHandler) -> bool:
    """True for a handler of every exception, or of every refusal, that refuses nobody itself."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    wide = not kinds or any(last_name(kind) in _WIDE for kind in kinds)
    inside = [node for part in handler.body for node in ast.walk(part)]
    calls = [node for node in inside if isinstance(node, ast.Call)]
    refused = any(isinstance(node, ast.Raise) for node in inside) or any(
        last_name(call.func) in _ABORT_FUNCTIONS or any(True for _ in _statuses(call)) for call in calls
    )
    return wide and not refused


def _statuses(call: ast.Call) -> Iterator[ast.expr]:
    yield from (word.value for word in call.keywords if word.arg in ("status_code", "status"))
    yield from call.args[:2] if call.args and isinstance(call.args[-1], ast.Constant) else ()


def _error(modules: Modules, scope: Scope, node: ast.expr) -> bool:
    status = whole(constant(modules, scope, node))
    return status is not None and _REFUSED <= status <= 599


OWN_ANSWER: Final = "what it checks: who is not signed in gets another answer"
_TURNING: Final = frozenset({"unauthorized", "redirect_to_login", "handle_no_permission"})
"""Functions of Flask-Login's manager and of Django whose answer sends callers to sign in."""
_FAILING: Final = re.compile(r"NotFound|Http404|BadRequest|Invalid|Error")
_HOPS: Final = 3
_End = Literal["barred", "left", "answered", "on"]
"""How a block ends for that caller: turned away by the question; turned away like everybody; answered; not yet."""


@dataclass(slots=True)
class SignInCheck:
    """What a handler does about callers who are not signed in."""

    guards: list[Guard] = field(default_factory=list)
    unread: list[UnsupportedCode] = field(default_factory=list)


def asked(modules: Modules, scope: Scope) -> SignInCheck:
    """The guard that a handler is by such a question, or where its own answer to them can't be judged.

    A question that turns nobody away, `name = user.name if user.is_authenticated else "you"`, is neither.
    """
    way = _AnonymousPath(modules)
    end = way.follow(scope, getattr(scope.node, "body", []), _HOPS)
    found = SignInCheck()
    if end == "barred" or way.sometimes:
        spot = way.bars[0]
        past = [one for one in bypass_conditions(modules, scope) if one.first <= spot.last]
        unless = dict.fromkeys([*way.sometimes, *way.before, *past])
        found.guards.append(Guard(name=scope.qualname, kind="authentication", spot=spot, unless=tuple(unless)))
    elif way.own:
        found.unread.append(
            UnsupportedCode(way.own[0], OWN_ANSWER, "Supply a negative test of it.", part=UnreadPart.CHECKS)
        )
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
            case ast.Expr(value=ast.Call(func=function)) if last_name(function) == "abort":
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
        if body is None or not isinstance(body.node, FUNCTIONS) or id(body.node) in self.passed:
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
        isinstance(node, ast.Call) and last_name(node.func) in _TURNING for node in ast.walk(statement)
    )


def _fails(statement: ast.Return) -> bool:
    """An answer with an error for everybody lets nobody in."""
    return any(
        (isinstance(node, ast.Constant) and isinstance(node.value, int) and 400 <= node.value <= 599)
        or (isinstance(node, ast.Name | ast.Attribute) and _FAILING.search(last_name(node)))
        for node in ast.walk(statement)
    )


def _raises(function: ast.AST) -> bool:
    """True for a function that raises or aborts and returns no answer of its own."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return not any(value is not None and turns_away(ast.Return(value=value)) for value in returned)


# Refusals of a handler that come too late, or under a condition: what it guards may have happened without them.


_NOTING: Final = ("log", "audit", "metric", "stat", "count", "limit", "trace", "span", "monitor")
"""Words in names of what keeps note of requests, refused ones too."""


def late_authorization_checks(
    modules: Modules, scope: Scope, events: Iterable[Event], arguments: Collection[str] = ()
) -> tuple[Spot, ...]:
    """What stands between a caller and a handler's own refusals; () where one is made first, for everybody.

    Args:
        scope: the handler's.
        events: everything that happens in it.
        arguments: names of parameters that stand for values of the request.
    """
    way = _DenialSearch(modules, scope)
    sure = way.first(getattr(scope.node, "body", []))
    if sure is None:
        return tuple(dict.fromkeys(way.conditions))
    first = scope.spot(sure).first
    effects = (spot for spot in _effects(modules, events) if spot.last < first)
    past = (spot for spot in bypass_conditions(modules, scope, arguments) if spot.first <= first)
    return tuple(dict.fromkeys((*effects, *past)))


@dataclass(slots=True)
class _DenialSearch:
    modules: Modules
    scope: Scope
    conditions: list[Spot] = field(default_factory=list)

    def first(self, body: Sequence[ast.stmt]) -> ast.stmt | None:
        """The first statement that refuses whoever is to be refused; conditions over others are kept."""
        for statement in body:
            if isinstance(statement, DEFINITIONS) or not refuses(self.modules, self.scope, statement):
                continue
            found = self._refusing(statement)
            if found is not None:
                return found
        return None

    def _refusing(self, statement: ast.stmt) -> ast.stmt | None:
        match statement:
            case ast.With(body=inner) | ast.AsyncWith(body=inner):
                return self.first(inner)
            case ast.Try(body=inner, handlers=handlers):
                taken = [one for one in handlers if swallows(one)]
                self.conditions += [self.scope.spot(one) for one in taken]
                if taken:
                    return None
                found = self.first(inner)
                refused = any(refuses(self.modules, self.scope, one) for handler in handlers for one in handler.body)
                return found or (statement if refused else None)
            case ast.If():
                both = all(self._in(part) for part in (statement.body, statement.orelse))
                if both or direct(statement.body) or direct(statement.orelse):
                    return statement
                self.conditions.append(self.scope.spot(statement.test))
                return None
        return statement

    def _in(self, body: Sequence[ast.stmt]) -> bool:
        return any(refuses(self.modules, self.scope, one) for one in body)


def _effects(modules: Modules, events: Iterable[Event]) -> Iterator[Spot]:
    """The handler's own statements that write or send, by themselves or in what they call."""
    for event in events:
        at = event.spot if event.own else event.frame.spot
        if event.frame.depth > 1 or at is None or event.kind is not ast.Call or not isinstance(event.node, ast.Call):
            continue
        noted = any(word in ast.unparse(event.node.func).lower() for word in _NOTING)
        if not noted and (_stores(event) or any(side_effects(modules, [event]))):
            yield at


def _stores(event: Event) -> bool:
    """`store.delete_all()`: named for it, what it gives dropped."""
    call = event.node
    if not isinstance(event.statement, ast.Expr) or not isinstance(call, ast.Call):
        return False
    name = last_name(call.func)
    return name not in CHANGING and name.lower().lstrip("_").partition("_")[0] in (*STORING_WORDS, *WRITING_WORDS)


# The status that code refuses with where it refuses, whatever an error handler makes of it afterwards.


_BY_NAME: Final = {
    "Forbidden": 403, "PermissionDenied": 403, "HTTPForbidden": 403, "PermissionError": 403, "NotAuthenticated": 401,
    "AuthenticationFailed": 401, "Unauthorized": 401, "HTTPUnauthorized": 401, "HttpResponseForbidden": 403,
    "HTTPNotFound": 404, "NotFound": 404, "Http404": 404,
}  # fmt: skip
_ALIKE: Final = (
    ("forbidden", 403), ("denied", 403), ("notallowed", 403), ("permission", 403), ("unauthor", 401),
    ("unauthenticated", 401), ("notfound", 404),
)  # fmt: skip
REFUSING: Final = frozenset({401, 403})
_ABORT_PACKAGES: Final = ("flask", "werkzeug", "flask_smorest", "flask_restful", "apiflask", "quart")
_PLACES: Final = ("werkzeug", "quart", "aiohttp", "sanic")


def refusals_meant(modules: Modules, events: Iterable[Event]) -> Iterator[int]:
    """Every status that is aborted with, or that a raised exception stands for; a 401 stays one in `errorhandler`."""
    for event in events:
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            status = _aborted(modules, event, event.node)
        elif isinstance(event.node, ast.Raise) and event.node.exc is not None:
            found = exception_of(modules, event.frame, event.node.exc)
            known = isinstance(found, External) and found.package in _PLACES
            status = _BY_NAME.get(found.last) if known and isinstance(found, External) else None
        else:
            status = None
        if status is not None:
            yield status


def _aborted(modules: Modules, event: Event, call: ast.Call) -> int | None:
    found = modules.called(event.frame.scope, call)
    if not isinstance(found, External) or not found.of(_ABORT_PACKAGES, "abort"):
        return None
    given = call.args[0] if call.args else next((word.value for word in call.keywords), None)
    return whole(value_in(modules, event.frame, given))


# Whether a block refuses the caller: by raising, aborting or answering 401, 403 and their kin.


class Denials:
    """Finds the statuses with which statements refuse."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def of(self, frame: Frame, body: Sequence[ast.stmt], hops: int = 2) -> frozenset[int]:
        """The statuses of 401, 403 and 404 that a block ends with, in functions that it calls as well."""
        return frozenset(status for statement in body for status in self._statement(frame, statement, hops))

    def _statement(self, frame: Frame, statement: ast.stmt, hops: int) -> Iterator[int]:
        match statement:
            case ast.Raise(exc=ast.expr() as raised):
                yield from self._status(frame, raised)
            case ast.Return(value=ast.Tuple(elts=[_, status, *_])):
                yield from _known(whole(constant(self.modules, frame.scope, status)))
            case ast.Return(value=ast.expr() as value):
                yield from self._status(frame, value)
            case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
                yield from self._called(frame, call, hops)

    def _called(self, frame: Frame, call: ast.Call, hops: int) -> Iterator[int]:
        found = self.modules.called(frame.scope, call)
        if isinstance(found, External) and found.last == "abort":
            yield from self._status(frame, call)
        scope = self.modules.body(found) if isinstance(found, Definition) else None
        if scope is not None and isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef) and hops > 0:
            yield from self.of(Frame(scope), scope.node.body, hops - 1)

    def _status(self, frame: Frame, node: ast.expr) -> Iterator[int]:
        call = node.value if isinstance(node, ast.Await) else node
        function = call.func if isinstance(call, ast.Call) else call
        name = last_name(function)
        if isinstance(call, ast.Call):
            words = [word.value for word in call.keywords if word.arg in ("status_code", "status", "code")]
            stated = [
                status
                for part in [*words, *call.args]
                if (status := whole(constant(self.modules, frame.scope, part))) is not None
            ]
            if stated:
                yield from _known(stated[0])
                return
            if name in ("redirect", "RedirectResponse", "HttpResponseRedirect", "redirect_to_login"):
                yield 401
                return
        if name in _BY_NAME:
            yield _BY_NAME[name]
            return
        yield from (status for word, status in _ALIKE if word in name.replace("_", "").lower())


def _known(status: int | None) -> Iterator[int]:
    if status in (401, 403, 404):
        yield int(status)
