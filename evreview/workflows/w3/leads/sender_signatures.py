"""Routes for another service's messages, and whether their code checks the signature that the sender puts on them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import Route
from evreview.codefacts.modules import all_given, last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text, UserText, text
from evreview.workflows.w3.access_control.access_words import words
from evreview.workflows.w3.access_control.request_values import only_value
from evreview.workflows.w3.access_control.route_guards import may_hide_a_guard, refusing
from evreview.workflows.w3.access_control.units import ALL_ROUTES, CodeUnit, Hit, RuleInput, hit_at
from evreview.workflows.w3.leads.input_checks import reached

_HOOK: Final = frozenset({"webhook", "webhooks", "hook", "hooks"})
_CALLED_BACK: Final = frozenset({"callback", "callbacks", "ipn"})
_SENDER: Final[Text] = ("whether another service sends it, or a browser that brings a state of its own",)
_HANDED: Final[Text] = ("whether what the signature is handed to checks it and refuses what does not fit",)
_SIGNED: Final = re.compile(
    r"sign|hmac|verif|digest|construct_?event|secret|token|authoriz|unwrap|valid_request|authentic|x.hub", re.IGNORECASE
)
_SIGN: Final = re.compile(r"signature|hmac|x[-_]hub|(?:^|[-_])sign(?:ed)?$", re.IGNORECASE)
"""Names of headers in which a sender signs."""
_VERIFYING_NAMES: Final = re.compile(
    r"valid|verif|check|ensure|require|assert|genuine|authentic|trusted|guard", re.IGNORECASE
)
_READING: Final = frozenset(
    {"get", "get_all", "getall", "getlist", "getone", "pop", "setdefault", "append", "add", "encode", "decode", "strip",
     "lower", "upper", "split", "partition", "rpartition", "removeprefix", "replace", "startswith", "format", "join",
     "print", "len", "bool", "str", "repr", "bytes", "dict", "list", "set", "tuple", "isinstance", "hasattr", "getattr",
     "dumps", "loads", "jsonify", "json_response", "Response", "JSONResponse", "hexdigest", "digest", "debug", "info",
     "warning", "warn", "error", "exception", "critical", "log", "set_tag", "bind", "abort", "HTTPException",
     "getenv", "Header"}
)  # fmt: skip
"""Calls that read, keep, tell or answer a value and check nothing."""
_MAC_MODULES: Final = ("hmac", "hashlib")
_CHANGING: Final = frozenset({"POST", "PUT"})
_HOPS: Final = 5

Checked = Literal["no", "handed", "yes"]


def unsigned_webhooks(reading: RuleInput, named: bool = False) -> Iterator[Hit]:
    """Routes for another service's messages whose code checks no signature, and which no guard stands before.

    A route that is not called a hook and reads a header in which senders sign is a question, left out where they are to
    be `named`.
    """
    units: dict[str, list[CodeUnit]] = {}
    for unit in reading.units:
        units.setdefault(unit.route, []).append(unit)
    for route in reading.routes:
        own = units.get(f"{route.method} {route.path}", [])
        if route.method not in _CHANGING or not own or _is_guarded(route) or may_hide_a_guard(route):
            continue
        called = {*words(route.path), *words(route.handler)}
        frames = [frame for unit in (*own, *units.get(ALL_ROUTES, [])) for frame in unit.frames]
        if called & (_HOOK | _CALLED_BACK) or (not named and _signs(reading, route, frames)):
            yield from _judged(reading, route, frames, _SENDER if not called & _HOOK else ())


def _is_guarded(route: Route) -> bool:
    """True where anything but a look at a signature's header asks who calls: what that look is worth is judged here."""
    return not all(_SIGN.search(_header(guard.scheme)) for guard in refusing(route))


def _header(scheme: str) -> str:
    """The header of a scheme that is a key in one, "" for any other."""
    kind, _, where = scheme.partition(" ")
    location, _, name = where.partition(" ")
    return name if (kind, location) == ("apiKey", "header") else ""


def _judged(reading: RuleInput, route: Route, frames: Sequence[Frame], lacks: Text) -> Iterator[Hit]:
    checked = _checked(reading, frames)
    if checked == "yes":
        return
    mentioned = any(_mentions(node) for frame in frames for node in reading.nodes(frame.scope.node))
    name = UserText(f"{route.method} {route.path}")
    says = (
        text("the code of ", name, " reads a signature of its sender and compares it with nothing")
        if mentioned
        else text("nothing in the code of ", name, " looks at a signature of its sender")
    )
    yield replace(hit_at(route, says), lacks=_HANDED if checked == "handed" else lacks)


def _signs(reading: RuleInput, route: Route, frames: Iterable[Frame]) -> bool:
    """True for a route that declares or reads a header in which senders sign."""
    if any(one.location == "header" and _SIGN.search(one.name) for one in route.parameters):
        return True
    return any(
        origin.place == "header" and _SIGN.search(origin.name)
        for frame in frames
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.Subscript | ast.Call) and _mentions_within(node)
        for origin in reading.origins.of(frame, node)
    )


def _mentions(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return bool(_SIGNED.search(name))
    return False


def _mentions_within(node: ast.AST) -> bool:
    return any(_mentions(part) for part in ast.walk(node))


# What is checked


def _checked(reading: RuleInput, frames: Sequence[Frame]) -> Checked:
    """`yes` where a signature is compared or given to what verifies, `handed` where it goes to what nobody read."""
    read = {id(frame.scope.node) for frame in frames}
    found = {one for frame in frames for one in _looks(reading, frame, read)}
    return "yes" if "yes" in found else "handed" if "handed" in found else "no"


def _looks(reading: RuleInput, frame: Frame, read: set[int]) -> Iterator[Checked]:
    nodes = reading.nodes(frame.scope.node)
    idle = _idle(frame, nodes)
    for node in nodes:
        match node:
            case _ if id(node) in idle:
                continue
            case ast.Compare() if _compares_signature(reading, frame, node):
                yield "yes"
            case ast.Call():
                yield _called(reading, frame, node, read)
            case ast.Subscript(slice=key, ctx=ast.Load()) if not isinstance(key, ast.Constant | ast.Slice):
                yield "yes" if _is_signed(reading, frame, key) else "no"  # only what is listed is found
            case ast.If(test=test, body=body) if not _is_presence(test) and _refuses_sender(reading, frame, body):
                yield "yes"
            case ast.ExceptHandler(type=ast.expr() as kind) if _mentions_within(kind):
                yield "yes"


def _idle(frame: Frame, nodes: Sequence[ast.AST]) -> set[int]:
    """Comparisons and their parts whose outcome goes nowhere: thrown away, kept unread, or only told."""
    loaded = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    found: set[int] = set()
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Compare() | ast.Call() as value) if not isinstance(value, ast.Call) or (
                last_name(value.func) == "compare_digest"
            ):
                found.update(id(part) for part in ast.walk(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in loaded:
                found.update(id(part) for part in ast.walk(value) if isinstance(part, ast.Compare) or _is_digest(part))
            case ast.If(test=test, body=body, orelse=[]) if all(_only_tells(one) for one in body):
                found.update(id(part) for part in _meant(frame, test))
    return found


def _is_digest(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "compare_digest"


def _meant(frame: Frame, test: ast.expr) -> Iterator[ast.AST]:
    """The comparisons of a test, and those that its names were given."""
    for part in ast.walk(test):
        if isinstance(part, ast.Compare) or _is_digest(part):
            yield part
        known = only_value(frame, part) if isinstance(part, ast.Name) else None
        if known is not None and known[0].scope is frame.scope:
            yield from (one for one in ast.walk(known[1]) if isinstance(one, ast.Compare) or _is_digest(one))


def _only_tells(statement: ast.stmt) -> bool:
    """True for a line of a log and the like, after which the code goes on."""
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in (_READING - {"abort"})
    return False


def _compares_signature(reading: RuleInput, frame: Frame, node: ast.Compare) -> bool:
    """True for a comparison of a signature with anything but its absence."""
    if _is_presence(node):
        return False
    return any(_is_signed(reading, frame, side) for side in (node.left, *node.comparators))


def _is_presence(test: ast.AST) -> bool:
    """True for a test that asks only whether something is there."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_presence(operand)
        case ast.BoolOp(values=parts):
            return all(_is_presence(part) for part in parts)
        case ast.Compare(left=ast.Constant(), ops=[ast.In() | ast.NotIn()]):
            return True
        case ast.Compare(comparators=[ast.Constant(value=None | "" | b"" | True | False)]):
            return True
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"))):
            return True
        case ast.Call(func=function):
            return last_name(function) in _READING
    return isinstance(test, ast.Name | ast.Attribute | ast.Subscript)


def _is_signed(reading: RuleInput, frame: Frame, node: ast.expr, hops: int = _HOPS) -> bool:
    """True for a value that is a signature by its name, by the name under which it came, or by what made it."""
    if _mentions_within(node) or any(_SIGNED.search(one.name) for one in reading.origins.of(frame, node)):
        return True
    for part in ast.walk(node) if hops > 0 else ():
        known = only_value(frame, part) if isinstance(part, ast.Name) else None
        if known is not None and known[1] is not node and _is_signed(reading, *known, hops - 1):
            return True
    return False


def _called(reading: RuleInput, frame: Frame, call: ast.Call, read: set[int]) -> Checked:
    """What a call may do with a signature: a supplied function does what its own lines do."""
    name = last_name(call.func)
    if name == "compare_digest":
        return "yes"
    found = reading.modules.called(frame.scope, call)
    if isinstance(found, Definition) and id(found.node) in read:
        return "no"
    if name in _READING or (isinstance(found, External) and found.package in _MAC_MODULES):
        return "no"
    given = all_given(call)
    signed = any(_is_signed(reading, frame, one) for one in given)
    if _SIGNED.search(ast.unparse(call.func)) or (_VERIFYING_NAMES.search(name) and (signed or not given)):
        return "yes"
    return "handed" if signed else "no"


def _refuses_sender(reading: RuleInput, frame: Frame, body: Sequence[ast.stmt]) -> bool:
    """True for lines that turn a sender away: with 401 or 403, or with words about a signature."""
    call = body[-1].value if isinstance(body[-1], ast.Expr) else None
    aborts = isinstance(call, ast.Call) and last_name(call.func) == "abort"
    leaves = isinstance(body[-1], ast.Raise | ast.Return) or aborts
    turned = bool(reading.denials.of(frame, body) & {401, 403})
    return turned or (leaves and any(_mentions_within(one) for one in body))


# Routes that refuse what their sender has not signed: who calls there is the signer, no user who owns objects.


_NAMES: Final = 8
_MAC_CALLS: Final = frozenset({"hmac.new", "hmac.digest", "hmac.HMAC"})
_VERIFYING_METHODS: Final = frozenset({"verify", "verify_signature", "verify_header", "construct_event"})
"""Methods of libraries that raise where a signature does not fit."""
_OWN_KEY: Final[Text] = ("whether a signer, whose key the request picks, may have every such object",)


@dataclass(frozen=True, slots=True)
class SignatureCheck:
    """Where a route asks for the signature of its body.

    Attributes:
        path, symbol: file and function.
        after: from this line on of that function it has been asked, None where only `within` is behind it.
        within: first and last line that only a fitting signature comes to.
        chosen: the request picks the key, so that each signer has its own.
    """

    path: str
    symbol: str
    after: int | None
    within: tuple[int, int]
    chosen: bool

    def stands_before(self, hit: Hit) -> bool:
        """True where a match is reached with a fitting signature only."""
        if (hit.path, hit.symbol) != (self.path, self.symbol):
            return self.after is not None
        late = self.after is not None and hit.order[0] > self.after
        return late or self.within[0] <= hit.order[0] <= self.within[1]


def of_users(reading: RuleInput, found: Hit) -> Iterator[Hit]:
    """A match about whose an object is: nothing of it behind a signature, a question where each signer has a key."""
    before = [one for one in signature_checks(reading, found.route) if one.stands_before(found)]
    if not before:
        yield found
    elif all(one.chosen for one in before):
        yield replace(found, lacks=found.lacks or _OWN_KEY)


def is_signed(reading: RuleInput, found: Hit) -> bool:
    """True for a match behind the signature of the message: its caller is the sender, whom the route trusts."""
    return any(not one.chosen and one.stands_before(found) for one in signature_checks(reading, found.route))


def signature_checks(reading: RuleInput, route: str) -> tuple[SignatureCheck, ...]:
    """The tests of a route's own functions, and of what runs before every route, that a body's signature fits."""
    key = f"signature checks {route}"
    if key not in reading.kept:
        reading.kept[key] = tuple(_checks(reading, route))
    return reading.kept[key]  # type: ignore[return-value]


def _checks(reading: RuleInput, route: str) -> Iterator[SignatureCheck]:
    frames = [
        (unit.route == ALL_ROUTES, frame)
        for unit in reading.units
        if unit.route == route or (unit.route == ALL_ROUTES and route)
        for frame in unit.frames
    ]
    macs = [
        one for _, frame in frames for node in reading.nodes(frame.scope.node) if (one := _mac(reading, frame, node))
    ]
    chosen = bool(macs) and all(_is_chosen(reading, *one) for one in macs)
    for around, frame in frames:
        body = frame.scope.node.body if isinstance(frame.scope.node, ast.FunctionDef | ast.AsyncFunctionDef) else []
        skipped = _skipped(reading, frame)
        for node in reading.nodes(frame.scope.node):
            if id(node) in skipped or (around and node not in body):
                continue
            if macs and isinstance(node, ast.If) and _tests_mac(reading, frame, node.test):
                yield _asked(reading, frame, node, chosen)
            elif isinstance(node, ast.Call) and _verifies(reading, frame, node):
                yield _check(frame, node.lineno, [], chosen=False)


def _check(frame: Frame, after: int | None, within: list[ast.stmt], *, chosen: bool) -> SignatureCheck:
    lines = (within[0].lineno, within[-1].end_lineno or within[-1].lineno) if within else (0, 0)
    return SignatureCheck(frame.scope.module.source.path, frame.scope.qualname, after, lines, chosen)


def _asked(reading: RuleInput, frame: Frame, node: ast.If, chosen: bool) -> SignatureCheck:
    """What stands behind a test: the lines of the way that fits, and what follows where the other way ends."""
    wrong, right = (node.body, node.orelse) if _is_turned(node.test) else (node.orelse, node.body)
    refuses = bool(wrong) and _ends_request(reading, frame, wrong)
    return _check(frame, node.lineno if refuses else None, right, chosen=chosen)


def _is_turned(test: ast.expr) -> bool:
    """True for a test that holds where the signature does not fit."""
    match test:
        case ast.UnaryOp(op=ast.Not()) | ast.BoolOp(op=ast.Or()) | ast.Compare(ops=[ast.NotEq()]):
            return True
        case ast.Compare(comparators=[ast.Constant(value=False)]):
            return True
    return False


def _ends_request(reading: RuleInput, frame: Frame, body: list[ast.stmt]) -> bool:
    """True for lines that end the request: what a function that is only called returns, its caller has to ask."""
    returns = isinstance(body[-1], ast.Return) and not reading.denials.of(frame, body)
    return ends(reading, frame, body) and not (returns and frame.depth > 0)


def ends(reading: RuleInput, frame: Frame, body: list[ast.stmt]) -> bool:
    """True for lines after which the function does not go on."""
    last = body[-1]
    leaves = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and last_name(last.value.func) == "abort"
    return isinstance(last, ast.Raise | ast.Return) or leaves or bool(reading.denials.of(frame, body))


def spelled(frame: Frame, test: ast.expr) -> Iterator[tuple[Frame, ast.AST]]:
    """The parts of a test, and of what its names were given."""
    names = dict[str, ast.Name]()
    for part in ast.walk(test):
        yield frame, part
        if isinstance(part, ast.Name):
            names.setdefault(part.id, part)
    for name in islice(names.values(), _NAMES):
        known = only_value(frame, name)
        yield from ((known[0], part) for part in ast.walk(known[1])) if known is not None else ()


def _skipped(reading: RuleInput, frame: Frame) -> frozenset[int]:
    """What stands under a test of the request itself: who sends no signature passes by."""
    return frozenset(
        id(part)
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.If) and not _tests_mac(reading, frame, node.test) and reached(reading, frame, node.test)
        for statement in node.body
        for part in ast.walk(statement)
    )


def _mac(reading: RuleInput, frame: Frame, node: ast.AST) -> tuple[Frame, ast.Call] | None:
    """`hmac.new(key, body, …)`."""
    if not isinstance(node, ast.Call):
        return None
    found = reading.modules.called(frame.scope, node)
    if not isinstance(found, External) or found.name not in _MAC_CALLS:
        return None
    given = [*node.args[1:], *(word.value for word in node.keywords if word.arg in ("msg", "digest"))]
    over_body = any(one.place == "body" for part in given for one in reached(reading, frame, part))
    return (frame, node) if over_body else None


def _is_chosen(reading: RuleInput, frame: Frame, mac: ast.Call) -> bool:
    """True where the request, or who is signed in, says with which key."""
    key = next((word.value for word in mac.keywords if word.arg == "key"), mac.args[0] if mac.args else None)
    return key is not None and (bool(reached(reading, frame, key)) or reading.principals.within(frame, key))


def _tests_mac(reading: RuleInput, frame: Frame, test: ast.expr) -> bool:
    """True for a test of what `compare_digest` says, or of a code against a body's, over names and functions."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        others = [one for one in test.values if not _tests_mac(reading, frame, one)]
        if any(reached(reading, frame, one) for one in others):
            return False  # `if sent and not compare_digest(…)`: who sends none passes
    equals = any(isinstance(one, ast.Compare) and isinstance(one.ops[0], ast.Eq | ast.NotEq) for one in ast.walk(test))
    for where, part in spelled(frame, test):
        if isinstance(part, ast.Call):
            found = reading.modules.called(where.scope, part)
            inside = ast.walk(found.node) if isinstance(found, Definition) else ()
            if last_name(part.func) == "compare_digest" or any(
                isinstance(one, ast.Call) and last_name(one.func) == "compare_digest" for one in inside
            ):
                return True
            if equals and _mac(reading, where, part) is not None:
                return True
    return False


def _verifies(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    """`key.verify(body, signature)` of what nobody supplied: it raises where they do not fit."""
    found = reading.modules.called(frame.scope, call)
    if (
        last_name(call.func) not in _VERIFYING_METHODS
        or isinstance(found, Definition)
        or not isinstance(call.func, ast.Attribute)
    ):
        return False
    places = {one.place for given in call.args for one in reached(reading, frame, given)}
    return {"body", "header"} <= places
