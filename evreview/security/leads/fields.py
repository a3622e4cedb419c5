"""Members that only the service should set, taken from the request and stored."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.asgi.parameters import DEPENDS, marks_of
from evreview.codefacts.constants import texts
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Definition, unwrapped
from evreview.core.quoted_text import Subject, text
from evreview.security.leads.signers import is_signed
from evreview.workflows.w3.access_control.access_words import GRANTED, POWERFUL, words
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading, Unit
from evreview.workflows.w3.step4_leads.mass_assignment import SIGNER

_DUMPS: Final = frozenset({"model_dump", "dict", "dump", "copy", "items"})
_STORING: Final = frozenset(
    {"update", "create", "update_one", "insert_one", "insert", "patch", "save", "values", "set"}
)


def writable_privileges(reading: Reading) -> Iterator[Hit]:
    """Privileges set from the request, and whole bodies stored that hold one, where nobody's right is checked."""
    for unit in reading.units:
        if unit.facts is None or any(guard.kind == "authorization" for guard in unit.facts.guards):
            continue
        if _checked(reading, unit):
            continue
        members = body_members(reading, unit)
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                for name in _granted(reading, frame, node, members):
                    found = hit(frame, node, unit.route, text("the caller sets ", Subject(name)))
                    yield replace(found, lacks=SIGNER) if is_signed(reading, found) else found
                    break


def _checked(reading: Reading, unit: Unit) -> bool:
    """True when something refuses by who calls, or by the member itself."""
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            if isinstance(node, ast.If) and reading.denials.of(frame, node.body):
                told = [origin.name for origin in reading.origins.of(frame, node.test)]
                if any("_".join(words(name)) in GRANTED for name in told):
                    return True
                if reading.principals.decides(frame, node.test):
                    return True
    return False


def body_members(reading: Reading, unit: Unit) -> frozenset[str] | None:
    """The privileged members of the models that the handler takes as its body, None when it takes no model."""
    found: set[str] = set()
    any_model = False
    node = unit.function.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for mark in marks_of(reading.modules, unit.function.scope, node):
        if mark.kind in DEPENDS:
            continue  # what a dependency makes is the server's
        cls = reading.modules.resolve(unit.function.scope, unwrapped(mark.annotation))
        if isinstance(cls, Definition) and isinstance(cls.node, ast.ClassDef):
            any_model = True
            for base in reading.modules.ancestry(cls):
                found |= _members(base.node) if isinstance(base, Definition) else set()
    return frozenset(found) if any_model else None


def _members(cls: ast.AST) -> set[str]:
    names = {
        one.target.id
        for one in getattr(cls, "body", ())
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    return {name for name in names if "_".join(words(name)) in POWERFUL}


def _granted(reading: Reading, frame: Frame, node: ast.AST, members: frozenset[str] | None) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if _is_granted(name):
            yield from _from_request(reading, frame, value, name)
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(name)))], value=value):
            if _is_granted(name):
                yield from _from_request(reading, frame, value, name)
        case ast.Call():
            yield from _given(reading, frame, node, members)


def _is_granted(name: str) -> bool:
    return "_".join(words(name)) in GRANTED


def _from_request(reading: Reading, frame: Frame, value: ast.expr, name: str) -> Iterator[str]:
    """The member, when it comes from the body under its own name."""
    for origin in reading.origins.of(frame, value):
        if origin.place in ("body", "form") and "_".join(words(origin.name)) in GRANTED:
            yield name
            return


def _given(reading: Reading, frame: Frame, call: ast.Call, members: frozenset[str] | None) -> Iterator[str]:
    """`Model(role=body.role)`, `Model(**body.model_dump())`, `row.update(request.get_json())`, `setattr(row, k, v)`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    stores = name[:1].isupper() or bool(_STORING.intersection(words(name)) or name in _STORING)
    overwritten = {word.arg for word in call.keywords if word.arg}
    for word in call.keywords:
        if word.arg and stores and _is_granted(word.arg):
            yield from _from_request(reading, frame, word.value, word.arg)
        elif word.arg is None:
            yield from _whole(reading, frame, word.value, members, overwritten)
    for argument in call.args if name in ("update", "insert_one", "create") else ():
        yield from _whole(reading, frame, argument, members, overwritten)
    if name == "setattr" and len(call.args) == 3:
        yield from _whole(reading, frame, call.args[1], members, overwritten)


def _whole(
    reading: Reading, frame: Frame, value: ast.expr, members: frozenset[str] | None, overwritten: set[str]
) -> Iterator[str]:
    """The privileged members of a body that is stored as a whole."""
    found = [origin for origin in reading.origins.of(frame, value) if origin.place in ("body", "form")]
    if not any(not origin.name or origin.name in _DUMPS for origin in found):
        return
    left = (members or frozenset()) - overwritten - _left_out(reading, frame, value)
    yield from sorted(left)


def _left_out(reading: Reading, frame: Frame, value: ast.expr) -> set[str]:
    """What `model_dump(exclude={…})` leaves out, and everything when it names what it takes."""
    for node in _through(reading, frame, value):
        for word in node.keywords:
            named = texts(reading.modules, frame.scope, word.value)
            if word.arg == "exclude" and named is not None:
                return set(named)
            if word.arg == "include" and named is not None:
                return set(GRANTED) - set(named)
    return set()


def _through(reading: Reading, frame: Frame, value: ast.expr) -> Iterator[ast.Call]:
    """The calls in an expression, and in what its names stand for."""
    for part in ast.walk(value):
        if isinstance(part, ast.Call):
            yield part
        elif isinstance(part, ast.Name):
            found = reading.modules.resolve(frame.scope, part)
            if isinstance(found, Definition) and isinstance(found.node, ast.expr):
                yield from (one for one in ast.walk(found.node) if isinstance(one, ast.Call))
