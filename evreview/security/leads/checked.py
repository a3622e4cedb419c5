"""Values of the request that a condition compares with something, or that a call checks: their form is known there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from evreview.security.leads.bindings import bindings
from evreview.security.leads.origins import Origin
from evreview.security.leads.units import Reading, Unit
from evreview.sources.calls import last_name
from evreview.sources.flow import Frame

_CHECKING: Final = re.compile(
    r"valid|(?<!mark_)safe(?!string)|allow|check|relative_to|commonpath|commonprefix|startswith|endswith|^(full)?match$"
    r"|verify|permitted|trusted|isalnum|isdigit|isidentifier|ensure|require|sanit|clean",
    re.IGNORECASE,
)
"""Names of calls that look at what a value is."""
_HOPS: Final = 4


def checked(reading: Reading, unit: Unit) -> frozenset[Origin]:
    """The values that are compared with what the caller does not choose, or given to a call that checks them."""
    found: set[Origin] = set()
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            for looked in _looked_at(reading, frame, node):
                found.update(reached(reading, frame, looked))
    return frozenset(found)


def _looked_at(reading: Reading, frame: Frame, node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, comparators=[right]):
            empty = isinstance(right, ast.Constant) and right.value in (None, "", True, False)
            if not (empty and reading.origins.of(frame, left)) and not (
                reached(reading, frame, left) and reached(reading, frame, right)
            ):
                yield from (left, right)
        case ast.Call(func=function) if _CHECKING.search(last_name(function)):
            yield from (*node.args, *(word.value for word in node.keywords))
            if isinstance(function, ast.Attribute):
                yield function.value
        case ast.Subscript(slice=key):
            yield key  # only what is listed is found


def reached(reading: Reading, frame: Frame, node: ast.expr, hops: int = _HOPS) -> frozenset[Origin]:
    """The values below an expression, whatever calls make of them, over local names."""
    found: set[Origin] = set(reading.origins.of(frame, node))
    for part in ast.walk(node) if hops > 0 else ():
        if isinstance(part, ast.Name):
            found.update(reading.origins.of(frame, part))
            for where, binding in bindings(frame, part):
                value = binding.node if isinstance(binding.node, ast.expr) else None
                if value is not None and value is not node:
                    found |= reached(reading, where, value, hops - 1)
        elif isinstance(part, ast.Call | ast.Subscript | ast.Attribute) and part is not node:
            found.update(reading.origins.of(frame, part))
    return frozenset(found)
