"""Routes that refuse what their sender has not signed: who calls there is the signer, no user who owns objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from evreview.codefacts.calls import last_name
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text
from evreview.security.leads.bindings import only_value
from evreview.workflows.w3.access_control.rule import Hit
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading
from evreview.workflows.w3.step4_leads.input_checks import reached

_NAMES: Final = 8
_MACS: Final = frozenset({"hmac.new", "hmac.digest", "hmac.HMAC"})
_VERIFYING: Final = frozenset({"verify", "verify_signature", "verify_header", "construct_event"})
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


def of_users(reading: Reading, found: Hit) -> Iterator[Hit]:
    """A match about whose an object is: nothing of it behind a signature, a question where each signer has a key."""
    before = [one for one in signature_checks(reading, found.route) if one.stands_before(found)]
    if not before:
        yield found
    elif all(one.chosen for one in before):
        yield replace(found, lacks=found.lacks or _OWN_KEY)


def is_signed(reading: Reading, found: Hit) -> bool:
    """True for a match behind the signature of the message: its caller is the sender, whom the route trusts."""
    return any(not one.chosen and one.stands_before(found) for one in signature_checks(reading, found.route))


def signature_checks(reading: Reading, route: str) -> tuple[SignatureCheck, ...]:
    """The tests of a route's own functions, and of what runs before every route, that a body's signature fits."""
    key = f"signature checks {route}"
    if key not in reading.kept:
        reading.kept[key] = tuple(_checks(reading, route))
    return reading.kept[key]  # type: ignore[return-value]


def _checks(reading: Reading, route: str) -> Iterator[SignatureCheck]:
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
            if macs and isinstance(node, ast.If) and _compares(reading, frame, node.test):
                yield _asked(reading, frame, node, chosen)
            elif isinstance(node, ast.Call) and _verifies(reading, frame, node):
                yield _check(frame, node.lineno, [], chosen=False)


def _check(frame: Frame, after: int | None, within: list[ast.stmt], *, chosen: bool) -> SignatureCheck:
    lines = (within[0].lineno, within[-1].end_lineno or within[-1].lineno) if within else (0, 0)
    return SignatureCheck(frame.scope.module.source.path, frame.scope.qualname, after, lines, chosen)


def _asked(reading: Reading, frame: Frame, node: ast.If, chosen: bool) -> SignatureCheck:
    """What stands behind a test: the lines of the way that fits, and what follows where the other way ends."""
    wrong, right = (node.body, node.orelse) if _is_turned(node.test) else (node.orelse, node.body)
    refuses = bool(wrong) and _refuses(reading, frame, wrong)
    return _check(frame, node.lineno if refuses else None, right, chosen=chosen)


def _is_turned(test: ast.expr) -> bool:
    """True for a test that holds where the signature does not fit."""
    match test:
        case ast.UnaryOp(op=ast.Not()) | ast.BoolOp(op=ast.Or()) | ast.Compare(ops=[ast.NotEq()]):
            return True
        case ast.Compare(comparators=[ast.Constant(value=False)]):
            return True
    return False


def _refuses(reading: Reading, frame: Frame, body: list[ast.stmt]) -> bool:
    """True for lines that end the request: what a function that is only called returns, its caller has to ask."""
    returns = isinstance(body[-1], ast.Return) and not reading.denials.of(frame, body)
    return ends(reading, frame, body) and not (returns and frame.depth > 0)


def ends(reading: Reading, frame: Frame, body: list[ast.stmt]) -> bool:
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


def _skipped(reading: Reading, frame: Frame) -> frozenset[int]:
    """What stands under a test of the request itself: who sends no signature passes by."""
    return frozenset(
        id(part)
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.If) and not _compares(reading, frame, node.test) and reached(reading, frame, node.test)
        for statement in node.body
        for part in ast.walk(statement)
    )


def _mac(reading: Reading, frame: Frame, node: ast.AST) -> tuple[Frame, ast.Call] | None:
    """`hmac.new(key, body, …)`."""
    if not isinstance(node, ast.Call):
        return None
    found = reading.modules.called(frame.scope, node)
    if not isinstance(found, External) or found.name not in _MACS:
        return None
    given = [*node.args[1:], *(word.value for word in node.keywords if word.arg in ("msg", "digest"))]
    over_body = any(one.place == "body" for part in given for one in reached(reading, frame, part))
    return (frame, node) if over_body else None


def _is_chosen(reading: Reading, frame: Frame, mac: ast.Call) -> bool:
    """True where the request, or who is signed in, says with which key."""
    key = next((word.value for word in mac.keywords if word.arg == "key"), mac.args[0] if mac.args else None)
    return key is not None and (bool(reached(reading, frame, key)) or reading.principals.within(frame, key))


def _compares(reading: Reading, frame: Frame, test: ast.expr) -> bool:
    """True for a test of what `compare_digest` says, or of a code against a body's, over names and functions."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        others = [one for one in test.values if not _compares(reading, frame, one)]
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


def _verifies(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    """`key.verify(body, signature)` of what nobody supplied: it raises where they do not fit."""
    found = reading.modules.called(frame.scope, call)
    if (
        last_name(call.func) not in _VERIFYING
        or isinstance(found, Definition)
        or not isinstance(call.func, ast.Attribute)
    ):
        return False
    places = {one.place for given in call.args for one in reached(reading, frame, given)}
    return {"body", "header"} <= places
