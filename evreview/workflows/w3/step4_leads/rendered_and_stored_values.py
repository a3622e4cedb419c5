"""Stored records that take every member that a body names, where nothing shows which members that may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.calls import last_name
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Subject, Text, text
from evreview.security.leads.bindings import only_value
from evreview.security.leads.raw_bodies import is_raw
from evreview.security.leads.unread_checks import lets_through, unread_between
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading
from evreview.workflows.w3.step4_leads.mass_assignment import (
    holds_rights,
    is_asked,
    keys_refused,
    models,
    set_member,
    taken_over,
    updated,
    walk_of,
    walked_freely,
)
from evreview.workflows.w3.step4_leads.writable_fields import every_member

_BASES: Final = frozenset({"Model", "Base", "DeclarativeBase", "Document", "SQLModel", "MappedAsDataclass", "db.Model"})
_SPREAD: Final = frozenset({"create", "update", "get_or_create", "update_or_create", "values", "insert", "filter_by"})
_WHOLE: Final = frozenset(
    {"insert_one", "insert", "replace_one", "update_one", "save", "update", "values", "from_dict"}
)
_STORES: Final = frozenset({"update_one", "insert_one", "replace_one", "values", "from_dict"})
_PICKED: Final[Text] = ("a stored record takes what code that was not read lets through of the body",)
_MEMBERS: Final[Text] = ("which members the stored record has, and which of them only the service may set",)


def members_taken(reading: Reading) -> Iterator[Hit]:
    """One hit per record that takes the body as it was sent; what holds a right by its name is told elsewhere."""
    told = {(one.path, one.order) for one in taken_over(reading)}
    for unit in reading.units:
        if unit.facts is None or models(reading, unit) or keys_refused(reading, unit):
            continue
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                if (through := _through(reading, frame, node)) is not None:
                    yield replace(hit(frame, node, unit.route, text(*_PICKED)), lacks=lets_through(through))
                    continue
                record = _record(reading, frame, node)
                if record is not None:
                    says = text(Subject(ast.unparse(record)[:100]), " takes every member that the caller names")
                    found = hit(frame, node, unit.route, says)
                    if (found.path, found.order) not in told:
                        yield replace(found, lacks=_MEMBERS)
    for route, scope, node, model in every_member(reading):
        says = text("the serializer of ", Subject(model), " takes every member")
        yield replace(hit(Frame(scope), node, route, says), lacks=_MEMBERS)


def _through(reading: Reading, frame: Frame, node: ast.AST) -> str | None:
    """The unread function whose outcome for the body a stored record takes as a whole."""
    match node:
        case ast.Call(func=function, keywords=words, args=args):
            key = set_member(node)
            walk = walk_of(reading, frame, key) if key is not None else None
            if walk is not None and not is_asked(reading, walk):
                return unread_between(reading, walk.frame, walk.loop.iter) or None
            spread = [word.value for word in words if word.arg is None]
            stored = [] if last_name(function) not in _STORES else [_set_in(one) for one in args]
            record = _is_record(reading, frame, function) or holds_rights(reading, frame, function)
            given = [*stored, *(spread if record or last_name(function) in _SPREAD - {"update"} else [])]
            return next((name for one in given if (name := unread_between(reading, frame, one))), None)
    return None


def _record(reading: Reading, frame: Frame, node: ast.AST) -> ast.expr | None:
    """What takes the members: a call, or a record in `row |= body`, `ROWS[n] = {**ROWS[n], **body}`, `row[key] = …`."""
    match node:
        case ast.Call(func=function):
            return function if _takes(reading, frame, node) else None
        case ast.AugAssign(target=target, op=ast.BitOr(), value=value):
            return target if _is_stored(frame, target) and is_raw(reading, frame, value) else None
        case ast.Assign(targets=[ast.Subscript() as target], value=ast.Dict(keys=keys, values=values)):
            merged = [value for key, value in zip(keys, values, strict=True) if key is None]
            return target if len(merged) > 1 and any(is_raw(reading, frame, one) for one in merged) else None
        case ast.Assign(targets=[ast.Subscript(value=held, slice=ast.Name() as key)]) if _is_stored(frame, held):
            return held if walked_freely(reading, frame, key) else None
    return None


def _takes(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    name = last_name(call.func)
    spread = [word.value for word in call.keywords if word.arg is None]
    if spread and (name in _SPREAD or _is_record(reading, frame, call.func)):
        stored = name != "update" or not isinstance(call.func, ast.Attribute) or not _is_made(frame, call.func.value)
        return stored and any(is_raw(reading, frame, one) for one in spread)
    if isinstance(call.func, ast.Attribute) and name in ("model_copy", "copy") and _is_stored(frame, call.func.value):
        return any(is_raw(reading, frame, one) for one in updated(call))
    if name not in _WHOLE or not isinstance(call.func, ast.Attribute) or not call.args:
        return False
    if name not in _STORES and not _is_stored(frame, call.func.value):
        return False
    return any(is_raw(reading, frame, _set_in(one)) for one in call.args)


def _set_in(given: ast.expr) -> ast.expr:
    """`body` of `{"$set": body}`."""
    match given:
        case ast.Dict(keys=[ast.Constant(value="$set")], values=[value]):
            return value
    return given


def _is_record(reading: Reading, frame: Frame, function: ast.expr) -> bool:
    """True for a supplied class that is a table, and for `Model.objects.create`."""
    found = reading.modules.resolve(frame.scope, function)
    if not isinstance(found, Definition) or not isinstance(found.node, ast.ClassDef):
        return False
    bases = [ast.unparse(base) for base in found.node.bases]
    return any(one in _BASES or one.rpartition(".")[2] in _BASES for one in bases) or any(
        isinstance(base, External) and base.last in _BASES for base in reading.modules.ancestry(found)
    )


def _is_made(frame: Frame, held: ast.expr) -> bool:
    """True for a dictionary that the function makes."""
    known = only_value(frame, held) if isinstance(held, ast.Name) else None
    return known is not None and known[0].scope is frame.scope and isinstance(known[1], ast.Dict)


def _is_stored(frame: Frame, held: ast.expr) -> bool:
    """True for what was looked up or asked for: `ITEMS[number]`, `query.filter(…)`; not for a dictionary made here."""
    if isinstance(held, ast.Name):
        known = only_value(frame, held)
        held = known[1] if known is not None and known[0].scope is frame.scope else held
    match held:
        case ast.Subscript():
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in (
                "get",
                "filter",
                "filter_by",
                "where",
                "first",
                "one",
                "find",
                "find_one",
                "load",
                "setdefault",
            )
    return False
