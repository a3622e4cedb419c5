"""Routes for another service's messages, and whether their code checks the signature that the sender puts on them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from evreview.codefacts.calls import last_name
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import Route
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Subject, Text, text
from evreview.security.leads.bindings import only_value
from evreview.workflows.w3.access_control.access_words import words
from evreview.workflows.w3.access_control.rule import Hit
from evreview.workflows.w3.access_control.sibling_routes import may_hide_a_guard, refusing
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, Unit

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


def unsigned_webhooks(reading: Reading, named: bool = False) -> Iterator[Hit]:
    """Routes for another service's messages whose code checks no signature, and which no guard stands before.

    A route that is not called a hook and reads a header in which senders sign is a question, left out where they are to
    be `named`.
    """
    units: dict[str, list[Unit]] = {}
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
    return any(
        not _SIGN.search(guard.scheme.removeprefix("apiKey header ")) or not guard.scheme.startswith("apiKey header ")
        for guard in refusing(route)
    )


def _judged(reading: Reading, route: Route, frames: Sequence[Frame], lacks: Text) -> Iterator[Hit]:
    checked = _checked(reading, frames)
    if checked == "yes":
        return
    mentioned = any(_mentions(node) for frame in frames for node in reading.nodes(frame.scope.node))
    name = Subject(f"{route.method} {route.path}")
    says = (
        text("the code of ", name, " reads a signature of its sender and compares it with nothing")
        if mentioned
        else text("nothing in the code of ", name, " looks at a signature of its sender")
    )
    yield Hit(
        path=route.spot.path, symbol=route.handler, spot=route.spot, order=(route.spot.first, 0),
        route=f"{route.method} {route.path}", says=says, lacks=_HANDED if checked == "handed" else lacks,
    )  # fmt: skip


def _signs(reading: Reading, route: Route, frames: Iterable[Frame]) -> bool:
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


def _checked(reading: Reading, frames: Sequence[Frame]) -> Checked:
    """`yes` where a signature is compared or given to what verifies, `handed` where it goes to what nobody read."""
    read = {id(frame.scope.node) for frame in frames}
    found = {one for frame in frames for one in _looks(reading, frame, read)}
    return "yes" if "yes" in found else "handed" if "handed" in found else "no"


def _looks(reading: Reading, frame: Frame, read: set[int]) -> Iterator[Checked]:
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


def _compares_signature(reading: Reading, frame: Frame, node: ast.Compare) -> bool:
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


def _is_signed(reading: Reading, frame: Frame, node: ast.expr, hops: int = _HOPS) -> bool:
    """True for a value that is a signature by its name, by the name under which it came, or by what made it."""
    if _mentions_within(node) or any(_SIGNED.search(one.name) for one in reading.origins.of(frame, node)):
        return True
    for part in ast.walk(node) if hops > 0 else ():
        known = only_value(frame, part) if isinstance(part, ast.Name) else None
        if known is not None and known[1] is not node and _is_signed(reading, *known, hops - 1):
            return True
    return False


def _called(reading: Reading, frame: Frame, call: ast.Call, read: set[int]) -> Checked:
    """What a call may do with a signature: a supplied function does what its own lines do."""
    name = last_name(call.func)
    if name == "compare_digest":
        return "yes"
    found = reading.modules.called(frame.scope, call)
    if isinstance(found, Definition) and id(found.node) in read:
        return "no"
    if name in _READING or (isinstance(found, External) and found.package in _MAC_MODULES):
        return "no"
    given = [*call.args, *(word.value for word in call.keywords)]
    signed = any(_is_signed(reading, frame, one) for one in given)
    if _SIGNED.search(ast.unparse(call.func)) or (_VERIFYING_NAMES.search(name) and (signed or not given)):
        return "yes"
    return "handed" if signed else "no"


def _refuses_sender(reading: Reading, frame: Frame, body: Sequence[ast.stmt]) -> bool:
    """True for lines that turn a sender away: with 401 or 403, or with words about a signature."""
    call = body[-1].value if isinstance(body[-1], ast.Expr) else None
    aborts = isinstance(call, ast.Call) and last_name(call.func) == "abort"
    leaves = isinstance(body[-1], ast.Raise | ast.Return) or aborts
    turned = bool(reading.denials.of(frame, body) & {401, 403})
    return turned or (leaves and any(_mentions_within(one) for one in body))
