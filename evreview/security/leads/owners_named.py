"""Objects that are chosen by an owner whom the caller names, not by the principal that the server knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.core.quoted_text import Subject, text
from evreview.security.leads.identities import IDENTITIES
from evreview.security.leads.ownership import PERSONAL, classes, names_of_callers
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, EXEMPT, OWNERS, says, words
from evreview.workflows.w3.access_control.owner_checks import asks
from evreview.workflows.w3.access_control.request_values import Origin
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading, Unit

_LOOKUPS: Final = frozenset({"filter", "get", "find", "exclude", "where", "select", "query", "fetch", "load", "first"})
_QUIET: Final = frozenset(
    {"debug", "info", "warning", "error", "exception", "log", "print", "bind", "audit", "trace", "record", "limit",
     "count", "metric", "observe", "throttle"}
)  # fmt: skip
_MADE: Final = ("Response", "Exception", "Error")


def owners_by_word(reading: Reading) -> Iterator[Hit]:
    """One hit per handler whose objects are those of an identity in a header."""
    for unit in _handlers(reading):
        for frame in unit.frames:
            found = next(iter(_by_header(reading, frame)), None)
            if found is not None and not asks(reading, unit):
                node, origin = found
                yield hit(
                    frame, node, unit.route, text("whose objects these are is told by the header ", _name(origin))
                )
                break


def owners_by_value(reading: Reading) -> Iterator[Hit]:
    """One hit per handler that looks owned objects up by an owner in the query, the body, a form or a cookie."""
    names = names_of_callers(reading)
    for unit in _handlers(reading):
        for frame in unit.frames:
            found = next(iter(_by_value(reading, frame, names)), None)
            if found is not None and not asks(reading, unit):
                node, origin = found
                yield hit(frame, node, unit.route, text("objects of an owner whom ", _name(origin), " names"))
                break


def _handlers(reading: Reading) -> Iterator[Unit]:
    for unit in reading.units:
        handler = reading.handlers.get(unit.route)
        facts = unit.facts
        if facts is None or any(guard.kind == "authorization" for guard in facts.guards):
            continue
        if (handler is not None and handler.node is unit.function.node) or unit.is_view:
            yield unit


def _name(origin: Origin) -> Subject:
    return Subject(origin.name or origin.place)


def _by_header(reading: Reading, frame: Frame) -> Iterator[tuple[ast.AST, Origin]]:
    for node in reading.nodes(frame.scope.node):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if _QUIET.intersection(words(called)) or called.endswith(_MADE):
            continue
        for given in (*node.args, *(word.value for word in node.keywords)):
            for origin in reading.origins.of(frame, given):
                if origin.place == "header" and says(origin.name, IDENTITIES) and not says(origin.name, EXEMPT):
                    yield node, origin


def _by_value(reading: Reading, frame: Frame, names: frozenset[str]) -> Iterator[tuple[ast.AST, Origin]]:
    for node in reading.nodes(frame.scope.node):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if not _LOOKUPS.intersection(words(called)) or not set(classes(node)) & (names | PERSONAL):
            continue
        for value in _owners(node):
            for origin in reading.origins.of(frame, value):
                if origin.place in ("query", "body", "form", "cookie") and not says(origin.name, CREDENTIALS):
                    yield node, origin


def _owners(call: ast.Call) -> Iterator[ast.expr]:
    """What a lookup takes for the owner: `filter(owner=x)`, `filter(Note.owner_id == x)`."""
    for word in call.keywords:
        steps = (word.arg or "").split("__")
        if steps[0] in OWNERS and not says(steps[-1], CREDENTIALS):
            yield word.value
    for part in (one for given in call.args for one in ast.walk(given)):
        match part:
            case ast.Compare(left=ast.Attribute(attr=name), ops=[ast.Eq()], comparators=[value]):
                if "_".join(words(name)) in OWNERS:
                    yield value
