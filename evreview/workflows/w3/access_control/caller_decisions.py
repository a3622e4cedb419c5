"""Decisions on what the caller says of itself: a role in a header, a switch in the query, an address."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.core.quoted_text import Subject, Text, text
from evreview.core.vocabulary import MISSING, Form
from evreview.security.leads.bindings import only_value
from evreview.workflows.w3.access_control.access_words import (
    ADDRESS_HEADERS,
    EXEMPT,
    OWNERS,
    POWERS,
    PRIVILEGES,
    SWITCHES,
    YES,
    is_header,
    says,
    words,
)
from evreview.workflows.w3.access_control.conditions import Condition, conditions, sufficient
from evreview.workflows.w3.access_control.denials import REFUSING
from evreview.workflows.w3.access_control.request_values import Origin, renamed
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading

_TRUSTING: Final = {True: (ast.Eq, ast.In, ast.Is), False: (ast.NotEq, ast.NotIn, ast.IsNot)}
_PLACES: Final[Mapping[str, str]] = {
    "header": "the header", "query": "the query parameter", "body": "the body's member", "cookie": "the cookie",
    "path": "the path parameter", "form": "the form field", "address": "the caller's address",
    "credential": "an unverified token's claim",
}  # fmt: skip


def caller_decisions(reading: Reading) -> Iterator[Hit]:
    """Conditions that a value of the request alone decides."""
    if "caller decisions" not in reading.kept:
        reading.kept["caller decisions"] = tuple(_caller_decisions(reading))
    yield from reading.kept["caller decisions"]  # type: ignore[misc]


def _caller_decisions(reading: Reading) -> Iterator[Hit]:
    for unit in reading.units:
        for frame in unit.frames:
            for condition in conditions(reading, unit, frame):
                for atom, positive in sufficient(reading, frame, condition.test, condition.grants):
                    found = _chosen(reading, frame, condition, (atom, positive))
                    if found is not None:
                        yield hit(frame, condition.test, unit.route, _told(found))


def address_decisions(reading: Reading) -> Iterator[Hit]:
    """Conditions that the caller's address, or a header that names one, decides."""
    for unit in reading.units:
        for frame in unit.frames:
            for condition in conditions(reading, unit, frame):
                if not (condition.refused & REFUSING or (condition.answers and condition.grants)):
                    continue
                for atom, positive in sufficient(reading, frame, condition.test, condition.grants):
                    found = _addressed(reading, frame, atom, positive)
                    if found is not None:
                        yield hit(frame, condition.test, unit.route, _told(found))


def _told(origin: Origin) -> Text:
    name = Subject(origin.name) if origin.name and origin.place != "address" else ""
    return text("a decision on ", _PLACES[origin.place], " " if name else "", name)


def is_address(origin: Origin) -> bool:
    """True for the peer's address and for headers that name one."""
    return origin.place == "address" or (origin.place == "header" and is_header(origin.name) in ADDRESS_HEADERS)


def _expanded(frame: Frame, atom: ast.expr, hops: int = 4) -> tuple[Frame, ast.expr]:
    """A local name's own expression, where it is a comparison or another condition."""
    while isinstance(atom, ast.Name) and hops > 0:
        found = only_value(frame, atom)
        if found is None or not isinstance(found[1], ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Name):
            break
        (frame, atom), hops = found, hops - 1
    return frame, atom


def _chosen(
    reading: Reading, frame: Frame, condition: Condition, part: tuple[ast.expr, bool], hops: int = 3
) -> Origin | None:
    """The origin that decides a part of a condition, None for none."""
    where, atom = _expanded(frame, part[0])
    if atom is not part[0] and isinstance(atom, ast.BoolOp | ast.UnaryOp) and hops > 0:
        inner = sufficient(reading, where, atom, part[1])
        return next((found for one in inner if (found := _chosen(reading, where, condition, one, hops - 1))), None)
    if isinstance(atom, ast.Compare) and len(atom.ops) == 1:
        return _compared(reading, where, condition, atom, part[1])
    if not part[1]:
        return None
    for origin in reading.origins.of(where, atom):
        if says(origin.name, SWITCHES) and not says(origin.name, EXEMPT) and not _many(atom):
            return origin
    return None


def _many(atom: ast.expr) -> bool:
    """True for calls whose answer is not the value itself, and for arithmetic."""
    return isinstance(atom, ast.Call) and not isinstance(atom.func, ast.Attribute | ast.Name)


def _compared(reading: Reading, frame: Frame, condition: Condition, atom: ast.Compare, positive: bool) -> Origin | None:
    if not isinstance(atom.ops[0], _TRUSTING[positive]):
        return None
    left, right = atom.left, atom.comparators[0]
    found = [reading.origins.of(frame, side) for side in (left, right)]
    if isinstance(atom.ops[0], ast.In | ast.NotIn):
        key = constant(reading.modules, frame.scope, left)  # `"X-Role" in request.headers` asks for that one
        found[1] = renamed(found[1], key) if isinstance(key, str) and _unnamed(found[1]) else found[1]
    if all(found) or not any(found):
        return _looked_up(reading, frame, condition, atom) if not any(found) else None
    mine, other = (found[0], right) if found[0] else (found[1], left)
    value = constant(reading.modules, frame.scope, other)
    if value is not MISSING and value is not None and value != "":
        return next((one for one in mine if _trusted(condition, one, value)), None)
    if value is MISSING and _is_setting(reading, frame, condition, other):
        return next((one for one in mine if says(one.name, PRIVILEGES) and not says(one.name, EXEMPT)), None)
    if value is MISSING and condition.refused and _owns(other) and not reading.principals.within(frame, other):
        return next((one for one in mine if not says(one.name, EXEMPT)), None)
    return None


def _unnamed(found: tuple[Origin, ...]) -> bool:
    return bool(found) and not any(one.name for one in found)


def _is_setting(reading: Reading, frame: Frame, condition: Condition, node: ast.expr) -> bool:
    """True for a name or member that is neither whose an object is nor anything about who calls."""
    if not condition.refused & REFUSING or not isinstance(node, ast.Name | ast.Attribute) or _owns(node):
        return False
    return not reading.principals.within(frame, node)


def _trusted(condition: Condition, origin: Origin, value: Form) -> bool:
    """True when being equal to the constant is taken for a right."""
    if says(origin.name, EXEMPT - {"type", "state", "grant"}) or is_address(origin):
        return False
    texts = [str(one).lower() for one in (value if isinstance(value, list) else [value])]
    named = says(origin.name, PRIVILEGES | {"type", "user", "x"})
    if any(says(one, POWERS) for one in texts) and (named or condition.refused & REFUSING):
        return True
    if says(origin.name, SWITCHES) and any(one in YES for one in texts):
        return True
    if not condition.refused & REFUSING:
        return False
    return says(origin.name, PRIVILEGES) or (
        origin.place in ("header", "query", "cookie") and not says(origin.name, EXEMPT)
    )


def _looked_up(reading: Reading, frame: Frame, condition: Condition, atom: ast.Compare) -> Origin | None:
    """`"write" in RIGHTS[role]`, where the role is the caller's word."""
    if not condition.refused & REFUSING:
        return None
    for side in (atom.left, atom.comparators[0]):
        for key in _keys(side):
            for origin in reading.origins.of(frame, key):
                if says(origin.name, PRIVILEGES):
                    return origin
    return None


def _keys(node: ast.expr) -> Iterable[ast.expr]:
    match node:
        case ast.Subscript(slice=key):
            return (key,)
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return (key,)
    return ()


def _owns(node: ast.expr) -> bool:
    """True for `ticket.owner_id` and `ticket["owner_id"]`, as text too."""
    match node:
        case ast.Call(func=ast.Name(id="str" | "int"), args=[inner]):
            return _owns(inner)
        case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return "_".join(words(name)) in OWNERS
    return False


def _addressed(reading: Reading, frame: Frame, atom: ast.expr, positive: bool) -> Origin | None:
    where, expanded = _expanded(frame, atom)
    if isinstance(expanded, ast.Compare):
        sides = [expanded.left, *expanded.comparators]
        if len(expanded.ops) != 1 or not isinstance(expanded.ops[0], _TRUSTING[positive]):
            return None
        if any(isinstance(side, ast.Constant) and side.value is None for side in sides):
            return None
    elif not positive or not isinstance(expanded, ast.Call):
        return None
    if reading.principals.within(where, expanded):
        return None
    arguments = getattr(expanded, "args", ()) if isinstance(expanded, ast.Call) else ()
    found = [*reading.origins.of(where, expanded)]
    found += [one for argument in arguments for one in reading.origins.of(where, argument)]
    return next((one for one in found if is_address(one)), None)
