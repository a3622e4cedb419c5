"""Where a route asks whose an object is: a refusal by its owner, or a lookup by who calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import Spot
from evreview.security.leads.ownership import asks_owner
from evreview.workflows.w3.access_control.access_words import OWNERS, words
from evreview.workflows.w3.access_control.conditions import conditions
from evreview.workflows.w3.access_control.owner_checks import idle_tests
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading

_REFUSED: Final = frozenset({403, 404})


def owner_checks(reading: Reading) -> dict[str, list[Spot]]:
    """Of each route the lines that let callers have their own objects only; 404 hides that others exist."""
    found: dict[str, list[Spot]] = {}
    for unit in reading.units:
        for frame in unit.frames if unit.route not in ("", ALL_ROUTES) else ():
            idle = idle_tests(reading, frame)
            tests = (
                one.test
                for one in conditions(reading, unit, frame)
                if one.refused & _REFUSED and id(one.test) not in idle
            )
            spots = [frame.scope.spot(test) for test in tests if _by_owner(reading, frame, test)]
            spots += [frame.scope.spot(node) for node in _lookups(reading, frame)]
            if spots:
                found.setdefault(unit.route, []).extend(spots)
    return found


def _by_owner(reading: Reading, frame: Frame, test: ast.expr) -> bool:
    """True when a test compares whose an object is with who calls."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and reading.principals.within(frame, node):
            for side in (node.left, *node.comparators):
                if _says_owner(side) and not reading.principals.within(frame, side):
                    return True
    return False


def _says_owner(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return "_".join(words(name)) in OWNERS
        case ast.Call(func=ast.Name(id="str" | "int"), args=[inner]):
            return _says_owner(inner)
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return "_".join(words(name)) in OWNERS
    return False


def _lookups(reading: Reading, frame: Frame) -> Iterator[ast.Call]:
    """`filter(owner=request.user)`, and a statement that reads by an owner's column with who calls bound to it."""
    for node in reading.nodes(frame.scope.node):
        if not isinstance(node, ast.Call):
            continue
        words_of_owner = (word for word in node.keywords if (word.arg or "").partition("__")[0] in OWNERS)
        if any(reading.principals.within(frame, word.value) for word in words_of_owner) and _looks_up(node):
            yield node
        elif len(node.args) > 1:
            told = constant(reading.modules, frame.scope, node.args[0])
            if isinstance(told, str) and asks_owner(told) and reading.principals.within(frame, node.args[1]):
                yield node


def _looks_up(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return bool({"filter", "get", "find", "exclude", "first", "one", "fetch", "select"}.intersection(words(name)))
