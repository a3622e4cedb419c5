"""Whether a handler uses who calls for more than a log."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import External
from evreview.security.leads.bindings import only_value
from evreview.security.leads.views import VIEW_METHODS
from evreview.workflows.w3.access_control.access_words import PRIVILEGES, says
from evreview.workflows.w3.access_control.denials import REFUSING
from evreview.workflows.w3.access_control.units import Reading, Unit

_LOGGING_CALLS: Final = frozenset({"debug", "info", "warning", "error", "exception", "log", "print", "bind"})

_CHANGING: Final = frozenset({"delete", "save", "destroy", "remove", "delete_instance"})
"""Calls that change for good the object that they are called of or given."""
_CHOSEN: Final = ("path", "query", "body", "form")


def asks(reading: Reading, unit: Unit) -> bool:
    """True when the handler, or what it calls, uses who calls for more than a log."""
    people = reading.principals
    units = [one for one in reading.units if one.route == unit.route and _may_ask(reading, one, unit)]
    for frame in (frame for one in units for frame in one.frames):
        idle = idle_tests(reading, frame)
        for node in reading.nodes(frame.scope.node):
            if id(node) in idle:
                continue
            match node:
                case ast.Compare() if people.within(frame, node) and not is_presence(reading, frame, node):
                    return True
                case ast.Call(func=function) if is_presence(reading, frame, node):
                    continue
                case ast.Call(func=function) if _called_name(function) not in _LOGGING_CALLS:
                    given = [*node.args, *(word.value for word in node.keywords)]
                    if any(people.within(frame, one) for one in given):
                        return True
                    if isinstance(function, ast.Attribute) and people.within(frame, function.value):
                        return True
                case ast.If(test=test) if people.decides(frame, test) and not is_presence(reading, frame, test):
                    return True
                case ast.Attribute(value=holder) if people.within(frame, holder) and _leads(node):
                    if _is_session(reading, frame, holder):
                        continue  # `session.get`
                    return True
    return False


def is_presence(reading: Reading, frame: Frame, test: ast.expr) -> bool:
    """True for a look at whether a session holds anybody: `"user" in session`, `session.get("user") is None`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_presence(reading, frame, operand)
        case ast.BoolOp(values=parts):
            return all(is_presence(reading, frame, part) for part in parts)
        case ast.Compare(left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()], comparators=[held]):
            return _is_session(reading, frame, held) and not says(key, PRIVILEGES)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], comparators=[other]):
            return isinstance(other, ast.Constant) and not other.value and is_presence(reading, frame, left)
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return _is_session(reading, frame, held) and not says(key, PRIVILEGES)
        case ast.Subscript(value=held, slice=ast.Constant(value=str(key))):
            return _is_session(reading, frame, held) and not says(key, PRIVILEGES)
        case ast.Name():
            known = only_value(frame, test)
            match known[1] if known is not None else None:
                case ast.Call() | ast.Compare(left=ast.Constant() | ast.Call()):
                    return known is not None and is_presence(reading, *known)
    return False


def _is_session(reading: Reading, frame: Frame, held: ast.expr) -> bool:
    found = reading.modules.resolve(frame.scope, held)
    return isinstance(found, External) and found.name in ("flask.session", "quart.session")


def signs_in(reading: Reading, unit: Unit) -> bool:
    """True for a handler that itself turns away whom its session does not know."""
    return any(
        isinstance(node, ast.If)
        and is_presence(reading, frame, node.test)
        and reading.denials.of(frame, node.body) & REFUSING
        for frame in unit.frames
        for node in reading.nodes(frame.scope.node)
    )


def idle_tests(reading: Reading, frame: Frame) -> frozenset[int]:
    """What stands in tests on which nothing hangs but a log, that come too late, or that callers make false."""
    found: set[int] = set()
    nodes = reading.nodes(frame.scope.node)
    late = {id(one) for block in _blocks(frame, nodes) for one in _late(block)}
    for node in nodes:
        if not isinstance(node, ast.If):
            continue
        logs = not node.orelse and all(_is_log(one) for one in node.body)
        if logs or id(node) in late or _evaded(reading, frame, node.test):
            found |= {id(node), *(id(part) for part in ast.walk(node.test))}
    return frozenset(found)


def _blocks(frame: Frame, nodes: tuple[ast.AST, ...]) -> Iterator[list[ast.stmt]]:
    for node in (frame.scope.node, *nodes):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _late(block: list[ast.stmt]) -> Iterator[ast.If]:
    """The tests of an object's member after the object was changed and that was kept: `x.delete()`."""
    changed: set[str] = set()
    kept: set[str] = set()
    for statement in block:
        match statement:
            case ast.If(test=test):
                if kept & {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}:
                    yield statement
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]):
                changed.add(name)
            case ast.Expr(value=ast.Await(value=ast.Call() as call)) | ast.Expr(value=ast.Call() as call):
                done = _called_name(call.func)
                kept |= changed if done == "commit" else set()
                if done in _CHANGING:
                    holder = call.func.value if isinstance(call.func, ast.Attribute) else None
                    kept |= {one.id for one in (holder, *call.args) if isinstance(one, ast.Name)}


def _evaded(reading: Reading, frame: Frame, test: ast.expr) -> bool:
    """`x.owner_id != me.id and note_id > 1000`: callers choose whether they are asked.

    `owner and owner != me.id` asks about what was sent, wherever it was.
    """
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return False
    others = [{one.id for one in ast.walk(part) if isinstance(one, ast.Name)} for part in test.values]
    return any(
        _is_sent(reading, frame, part) and not any(others[at] & one for place, one in enumerate(others) if place != at)
        for at, part in enumerate(test.values)
    )


def _is_sent(reading: Reading, frame: Frame, part: ast.expr) -> bool:
    """A value of the request alone, or compared with a constant."""
    bare = part.operand if isinstance(part, ast.UnaryOp) else part
    match bare:
        case ast.Compare(left=ast.Name() as sent, comparators=[ast.Constant(value=value)]) if value is not None:
            pass
        case ast.Name() as sent:
            pass
        case _:
            return False
    argument = any(isinstance(one.node, ast.arg) for one in frame.scope.names.get(sent.id, []))
    return argument and any(one.place in _CHOSEN for one in reading.origins.of(frame, sent))


def _is_log(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return _called_name(function) in _LOGGING_CALLS
    return False


def _may_ask(reading: Reading, one: Unit, handler: Unit) -> bool:
    """True for the handler, and for guards that know the object or decide by a right: others find out who calls."""
    if one is handler or one.function.name in VIEW_METHODS:
        return True
    for frame in one.frames:
        for node in reading.nodes(frame.scope.node):
            if isinstance(node, ast.Attribute | ast.Subscript) and _says_right(node):
                return True
            if isinstance(node, ast.Name) and any(at.place == "path" for at in reading.origins.of(frame, node)):
                return True
            if isinstance(node, ast.Attribute) and node.attr in ("path_params", "view_args", "match_info"):
                return True
    return False


def _says_right(node: ast.Attribute | ast.Subscript) -> bool:
    """`user.role` in a comparison or condition; what a principal is made of is no decision."""
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and says(node.attr, PRIVILEGES)


def _leads(node: ast.Attribute) -> bool:
    """`user.tickets`: what belongs to who calls."""
    return node.attr not in ("id", "name", "email", "username", "is_authenticated") and not node.attr.startswith("_")


def _called_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
