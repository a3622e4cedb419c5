"""Conditions that grant or refuse, and the parts of them that alone are enough to grant."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.denials import REFUSING
from evreview.codefacts.modules import blocks
from evreview.workflows.w3.access_control.units import CodeUnit, RuleInput

_PERMITTING: Final = frozenset({"has_permission", "has_object_permission", "test_func"})
"""Methods whose answer lets a caller in or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """One test, and what hangs on it.

    Attributes:
        test: the expression.
        grants: True when it grants by being true, False when it refuses by being true.
        refused: the statuses with which the other way out refuses; empty when neither way does.
        answers: the granting way ends in an answer of its own.
    """

    test: ast.expr
    grants: bool
    refused: frozenset[int]
    answers: bool = False


def conditions(reading: RuleInput, unit: CodeUnit, frame: Frame) -> tuple[Condition, ...]:
    """Every condition of a function that may grant or refuse something."""
    key = f"conditions {id(frame)}"
    if key not in reading.kept:
        reading.kept[key] = tuple(_conditions(reading, frame))
    return reading.kept[key]  # type: ignore[return-value]


def _conditions(reading: RuleInput, frame: Frame) -> Iterator[Condition]:
    function = frame.scope.node
    permits = getattr(function, "name", "") in _PERMITTING
    refused = frozenset({403}) if permits else frozenset[int]()
    yield from _in_block(reading, frame, getattr(function, "body", []))
    for node in reading.nodes(function):
        if isinstance(node, ast.IfExp):
            yield Condition(node.test, True, frozenset())
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield Condition(node.value, True, refused, True)
        elif permits and isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            yield Condition(_bare(node.value), True, refused, True)


def _bare(value: ast.expr) -> ast.expr:
    """`x` of `bool(x)`."""
    match value:
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return inner
    return value


def _in_block(reading: RuleInput, frame: Frame, body: Sequence[ast.stmt]) -> Iterator[Condition]:
    for place, statement in enumerate(body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        match statement:
            case ast.If():
                yield _if(reading, frame, statement, body[place + 1 :])
            case ast.Assert(test=test):
                yield Condition(test, True, frozenset({403}))
            case ast.Match():
                yield from _match(reading, frame, statement)
        for block, _ in blocks(statement):
            yield from _in_block(reading, frame, block)


def _if(reading: RuleInput, frame: Frame, statement: ast.If, after: Sequence[ast.stmt]) -> Condition:
    inside = reading.denials.of(frame, statement.body)
    if inside & REFUSING or (inside and not statement.orelse):
        return Condition(statement.test, False, inside, True)
    answers = any(isinstance(one, ast.Return) for one in statement.body)
    outside = reading.denials.of(frame, statement.orelse or (after[:1] if answers else []))
    return Condition(statement.test, True, outside, answers)


def _match(reading: RuleInput, frame: Frame, statement: ast.Match) -> Iterator[Condition]:
    """Every case of a constant as the comparison that it is."""
    refused = frozenset(status for case in statement.cases for status in reading.denials.of(frame, case.body))
    for case in statement.cases:
        patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
        values = [pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)]
        if values and not reading.denials.of(frame, case.body):
            values_at = ast.copy_location(ast.Tuple(elts=values, ctx=ast.Load()), values[0])
            test = ast.Compare(left=statement.subject, ops=[ast.In()], comparators=[values_at])
            yield Condition(ast.copy_location(test, statement.subject), True, refused)


def sufficient(reading: RuleInput, frame: Frame, test: ast.expr, positive: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The parts of a test that alone make it `positive`, each with the truth that does it.

    A part that has to hold together with a check of who calls is not enough alone.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from sufficient(reading, frame, operand, not positive)
        case ast.BoolOp(op=op, values=parts):
            together = isinstance(op, ast.And) == positive
            if together and any(_checks_caller(reading, frame, part) for part in parts):
                return
            for part in parts:
                yield from sufficient(reading, frame, part, positive)
        case _:
            yield test, positive


def _checks_caller(reading: RuleInput, frame: Frame, part: ast.expr) -> bool:
    inner = part.operand if isinstance(part, ast.UnaryOp) else part
    return reading.principals.decides(frame, inner)
