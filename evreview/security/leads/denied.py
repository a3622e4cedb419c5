"""Tests that turn away what is on a list: whatever is on no list passes them, so they fix nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from evreview.codefacts.calls import last_name
from evreview.codefacts.control_flow import Frame
from evreview.workflows.w3.access_control.units import Reading

_LISTED: Final = re.compile(r"block|deny|denied|forbid|\bbad|black|banned|disallow", re.IGNORECASE)
"""Names of lists of what is turned away."""
_ASKING: Final = frozenset({"startswith", "endswith", "match", "search", "fullmatch", "findall"})
_MATCHING: Final = (ast.In, ast.Eq, ast.Is)
_MISSING: Final = (ast.NotIn, ast.NotEq, ast.IsNot)

Taken = Callable[[Frame, ast.expr], bool]
Texts = Callable[[ast.expr], list[str]]


def denials_of(reading: Reading, frame: Frame, sent: Taken) -> tuple[ast.expr, ...]:
    """The parts of a function's tests by which something is turned away when they hold.

    Args:
        sent: whether an expression holds what the caller sends.
    """
    return tuple(
        leaf
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.If) and _turns_away(reading, frame, node.body, sent)
        for leaf in _holding(node.test, True)
    )


def _holding(test: ast.expr, positive: bool) -> Iterator[ast.expr]:
    """The matches in a test that hold, or would have to, where it is `positive`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _holding(operand, not positive)
        case ast.BoolOp(values=parts):
            yield from (leaf for part in parts for leaf in _holding(part, positive))
        case ast.Call(func=ast.Name(id="any" | "all"), args=[ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt)]):
            yield from _holding(elt, positive)
        case ast.Compare(ops=[op]) if isinstance(op, _MATCHING if positive else _MISSING):
            yield test
        case ast.Call(func=function) if positive and last_name(function) in _ASKING:
            yield test


def _turns_away(reading: Reading, frame: Frame, body: Sequence[ast.stmt], sent: Taken) -> bool:
    """True for lines that end without what was sent: a refusal, `return False`, `to = "/"`."""
    match body[-1]:
        case ast.Raise():
            return True
        case ast.Return(value=value):
            accepts = isinstance(value, ast.Constant) and value.value is True
            return value is None or not (accepts or sent(frame, value))
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=value)):
            return value is not True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in ("abort", "send_error") or bool(reading.denials.of(frame, body))
    return False


def lists_hosts(leaf: ast.expr, texts: Texts, rooted: bool) -> bool:
    """True where what is turned away are listed hosts or beginnings; a sign that no host may hold is a rule.

    Args:
        rooted: what is sent has to begin with `/`: then two of them are all that is left to turn away.
    """
    listed = _listed(leaf, texts)
    if rooted and any(one in ("//", "/") for one in listed):
        return False
    if isinstance(leaf, ast.Call) and last_name(leaf.func) not in ("startswith", "endswith"):
        return bool(listed) and not any("[^" in one for one in listed)
    return any(one.strip() for one in listed) or bool(_LISTED.search(ast.unparse(leaf)))


def lists_files(leaf: ast.expr, texts: Texts) -> bool:
    """True where a step upwards, or another folder, is not among what is turned away."""
    listed = _listed(leaf, texts)
    inside = isinstance(leaf, ast.Compare) and isinstance(leaf.ops[0], ast.In | ast.NotIn)
    if isinstance(leaf, ast.Call) and last_name(leaf.func) not in ("startswith", "endswith"):
        return False
    return bool(listed) and not (inside and any(one in ("..", "../", "/", "\\") for one in listed))


def _listed(leaf: ast.expr, texts: Texts) -> list[str]:
    """The texts that a value is asked for."""
    match leaf:
        case ast.Compare(left=left, comparators=[right]):
            return texts(left) or texts(right)
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[told, *_]):
            return texts(told)
        case ast.Call(args=[told, _, *_]):
            return texts(told)
        case ast.Call(func=ast.Attribute(value=held)):
            return texts(held)
    return []
