"""What stands between a body and a record and was not read: functions of other files, methods of unknown objects."""

from __future__ import annotations

import ast
import re
import sys
from typing import Final

from evreview.codefacts.calls import last_name
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Subject, Text, text
from evreview.security.leads.raw_bodies import is_raw, root
from evreview.workflows.w3.access_control.units import Reading, Unit

_CHECKING: Final = re.compile(r"valid|check|ensure|verif|assert|require|sanit|clean|conform", re.IGNORECASE)
_DECLARING: Final = frozenset(
    {"marshmallow", "cerberus", "voluptuous", "schema", "pydantic", "msgspec", "cattrs", "trafaret", "colander"}
)
"""Libraries whose outcome holds only members that are declared beside it."""
_DUMPING: Final = frozenset({"model_dump", "dict", "to_dict", "asdict"})


def unread_between(reading: Reading, frame: Frame, value: ast.expr) -> str:
    """The name of the unread function whose outcome for the body an expression is, "" for none."""
    where, inner = root(frame, value)
    match inner:
        case ast.Call(func=ast.Attribute(value=held, attr=name), args=[]) if name in _DUMPING and inner.keywords == []:
            return unread_between(reading, where, held)
        case ast.Call() if _is_given_body(reading, where, inner) and _is_unread(reading, where, inner):
            return ast.unparse(inner.func)[:100]
    return ""


def unread_check(reading: Reading, unit: Unit) -> Text:
    """What remains to be asked of a function that was not read and checks the body by its name; () without one."""
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            if not isinstance(node, ast.Call) or not _CHECKING.search(last_name(node.func)):
                continue
            if _is_given_body(reading, frame, node) and _is_unread(reading, frame, node, declaring=frozenset()):
                return lets_through(ast.unparse(node.func)[:100])
    return ()


def lets_through(name: str) -> Text:
    """What nobody read of a function."""
    return text("which members ", Subject(name), ", which was not read, lets through")


def _is_given_body(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    given = [*call.args, *(word.value for word in call.keywords)]
    return any(is_raw(reading, frame, one) for one in given)


def _is_unread(reading: Reading, frame: Frame, call: ast.Call, declaring: frozenset[str] = _DECLARING) -> bool:
    found = reading.modules.called(frame.scope, call)
    if isinstance(found, External):
        return found.package not in declaring and found.package not in sys.stdlib_module_names
    return found is None and not _is_declared(reading, frame, call, declaring)


def _is_declared(reading: Reading, frame: Frame, call: ast.Call, declaring: frozenset[str]) -> bool:
    """True for a method of what such a library, or a supplied class of its kind, made: `CaseSchema().load`."""
    if not isinstance(call.func, ast.Attribute):
        return False
    where, made = root(frame, call.func.value)
    found = reading.modules.called(where.scope, made) if isinstance(made, ast.Call) else None
    bases = reading.modules.ancestry(found) if isinstance(found, Definition) else [found]
    return any(isinstance(base, External) and base.package in declaring for base in bases)
