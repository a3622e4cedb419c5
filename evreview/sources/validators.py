"""Functions of a model that check, change or add values."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import FunctionNode, Scope
from evreview.codefacts.schema_reading import keywords
from evreview.sources.resolved import Definition, External
from evreview.sources.shape import Work

_CHECKING: Final = ("field_validator", "validator", "model_validator", "root_validator")
_SENDING: Final = ("field_serializer", "model_serializer")


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """A computed field: its name and what it returns."""

    name: str
    returns: ast.expr | None
    scope: Scope


@dataclass(slots=True)
class Checks:
    """What a model's functions do to its values.

    Attributes:
        replacing: members that a function may change first, so that other values may be admitted; with its lines.
        opaque: a function that may do so to the whole value.
        computed: members that are sent only.
        noted: where what they refuse stands among the checks of the work.
    """

    replacing: dict[str, Spot] = field(default_factory=dict)
    opaque: Spot | None = None
    computed: list[Computed] = field(default_factory=list)
    noted: range = range(0)


def checks_of(work: Work, cls: Definition) -> Checks:
    """What the functions of the class and its supplied bases do to the values that `work` reads."""
    checks, first = Checks(), len(work.checks)
    for base in reversed(work.modules.ancestry(cls)):
        scope = work.modules.body(base) if isinstance(base, Definition) else None
        for statement in getattr(scope.node, "body", []) if scope else []:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and scope is not None:
                _note(work, checks, scope, statement)
        if scope is not None and work.takes:
            _own_init(work, scope)
    checks.noted = range(first, len(work.checks))
    return checks


def _own_init(work: Work, scope: Scope) -> None:
    for name in ("__init__", "__post_init__", "model_post_init", "__post_init_post_parse__"):
        for binding in scope.names.get(name, [])[:1]:
            work.refuses("", scope.spot(binding.statement), name)


def _note(work: Work, checks: Checks, scope: Scope, function: FunctionNode) -> None:
    for decorator in function.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        found = work.modules.resolve(scope, call.func if call else decorator)
        name = found.last if isinstance(found, External) and found.package == "pydantic" else ""
        if name == "computed_field":
            checks.computed.append(Computed(function.name, function.returns, scope))
        elif name in _CHECKING and work.takes:
            _checking(work, checks, scope, function, call)
        elif name in _SENDING and not work.takes:
            for member in _members(work, scope, call) if name == "field_serializer" else ():
                checks.replacing[member] = scope.spot(function)
            if name == "model_serializer":
                checks.opaque = scope.spot(function)
        elif name in _CHECKING:
            work.exact = False


def _checking(work: Work, checks: Checks, scope: Scope, function: FunctionNode, call: ast.Call | None) -> None:
    words = keywords(call) if call else {}
    mode = constant(work.modules, scope, words["mode"]) if "mode" in words else "after"
    first = constant(work.modules, scope, words.get("pre")) is True or mode not in ("after",)
    members = _members(work, scope, call)
    if not first:
        for member in members or ["*"]:
            work.refuses(member.replace("*", ""), scope.spot(function), function.name)
    elif members and "*" not in members:
        checks.replacing |= {member: scope.spot(function) for member in members}
    else:
        checks.opaque = scope.spot(function)


def _members(work: Work, scope: Scope, call: ast.Call | None) -> list[str]:
    values = [constant(work.modules, scope, part) for part in call.args] if call else []
    return [value for value in values if isinstance(value, str)]
