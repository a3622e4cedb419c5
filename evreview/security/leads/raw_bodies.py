"""Bodies of requests as they were sent, over names, arguments of calls and copies."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.security.leads.bindings import bindings, only_value
from evreview.workflows.w3.access_control.units import Reading

_LISTING: Final = frozenset({"items", "keys", "dict", "copy", "to_dict"})
_LISTS: Final = frozenset({"dict", "list", "tuple", "set", "sorted", "iter"})


def root(frame: Frame, value: ast.expr, hops: int = 8) -> tuple[Frame, ast.expr]:
    """What an expression stands for, over names, arguments of calls and copies."""
    match value:
        case ast.Name() if hops > 0:
            bound = list(bindings(frame, value))
            given = frame.given.get(id(bound[0][1].node)) if len(bound) == 1 else None
            known = given or only_value(frame, value)
            return root(*known, hops - 1) if known is not None else (frame, value)
        case ast.Await(value=inner):
            return root(frame, inner, hops)
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _LISTING and not value.keywords:
            return root(frame, inner, hops)
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _LISTS:
            return root(frame, inner, hops)
    return frame, value


def is_raw(reading: Reading, frame: Frame, value: ast.expr) -> bool:
    """True for the body as it was sent, or an object within it, over names; not for what was picked from it."""
    where, inner = root(frame, value)
    match inner:
        case ast.Subscript(value=held, slice=ast.Constant(value=str())):
            return is_raw(reading, where, held)
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[ast.Constant(value=str()), *_]):
            return is_raw(reading, where, held)
        case ast.BinOp(op=ast.BitAnd()) | ast.DictComp() | ast.Dict() | ast.Subscript():
            return False
        case ast.Call(func=ast.Attribute(attr="intersection")):
            return False
    origins = [one for one in reading.origins.of(where, inner) if one.place in ("body", "form")]
    return not _includes(inner) and any(not one.name or one.whole for one in origins)


def _includes(value: ast.expr) -> bool:
    """True for `model_dump(include={…})`."""
    return isinstance(value, ast.Call) and any(word.arg == "include" for word in value.keywords)
