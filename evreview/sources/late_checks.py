"""Refusals of a handler that come too late, or under a condition: what it guards may have happened without them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.control_flow import Event
from evreview.codefacts.guards.bypass import direct, let_past, refuses
from evreview.codefacts.guards.framework_conventions import STORING_WORDS, WRITING_WORDS
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.effects import side_effects
from evreview.sources.refusing import swallows
from evreview.sources.stores import CHANGING

_NOTING: Final = ("log", "audit", "metric", "stat", "count", "limit", "trace", "span", "monitor")
"""Words in names of what keeps note of requests, refused ones too."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def late_checks(
    modules: Modules, scope: Scope, events: Iterable[Event], arguments: Collection[str] = ()
) -> tuple[Spot, ...]:
    """What stands between a caller and a handler's own refusals; () where one is made first, for everybody.

    Args:
        scope: the handler's.
        events: everything that happens in it.
        arguments: names of parameters that stand for values of the request.
    """
    way = _Way(modules, scope)
    sure = way.first(getattr(scope.node, "body", []))
    if sure is None:
        return tuple(dict.fromkeys(way.conditions))
    first = scope.spot(sure).first
    effects = (spot for spot in _effects(modules, events) if spot.last < first)
    past = (spot for spot in let_past(modules, scope, arguments) if spot.first <= first)
    return tuple(dict.fromkeys((*effects, *past)))


@dataclass(slots=True)
class _Way:
    modules: Modules
    scope: Scope
    conditions: list[Spot] = field(default_factory=list)

    def first(self, body: Sequence[ast.stmt]) -> ast.stmt | None:
        """The first statement that refuses whoever is to be refused; conditions over others are kept."""
        for statement in body:
            if isinstance(statement, _FUNCTIONS) or not refuses(self.modules, self.scope, statement):
                continue
            found = self._refusing(statement)
            if found is not None:
                return found
        return None

    def _refusing(self, statement: ast.stmt) -> ast.stmt | None:
        match statement:
            case ast.With(body=inner) | ast.AsyncWith(body=inner):
                return self.first(inner)
            case ast.Try(body=inner, handlers=handlers):
                taken = [one for one in handlers if swallows(one)]
                self.conditions += [self.scope.spot(one) for one in taken]
                if taken:
                    return None
                found = self.first(inner)
                refused = any(refuses(self.modules, self.scope, one) for handler in handlers for one in handler.body)
                return found or (statement if refused else None)
            case ast.If():
                both = all(self._in(part) for part in (statement.body, statement.orelse))
                if both or direct(statement.body) or direct(statement.orelse):
                    return statement
                self.conditions.append(self.scope.spot(statement.test))
                return None
        return statement

    def _in(self, body: Sequence[ast.stmt]) -> bool:
        return any(refuses(self.modules, self.scope, one) for one in body)


def _effects(modules: Modules, events: Iterable[Event]) -> Iterator[Spot]:
    """The handler's own statements that write or send, by themselves or in what they call."""
    for event in events:
        at = event.spot if event.own else event.frame.spot
        if event.frame.depth > 1 or at is None or event.kind is not ast.Call or not isinstance(event.node, ast.Call):
            continue
        noted = any(word in ast.unparse(event.node.func).lower() for word in _NOTING)
        if not noted and (_stores(event) or any(side_effects(modules, [event]))):
            yield at


def _stores(event: Event) -> bool:
    """`store.delete_all()`: named for it, what it gives dropped."""
    call = event.node
    if not isinstance(event.statement, ast.Expr) or not isinstance(call, ast.Call):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name not in CHANGING and name.lower().lstrip("_").partition("_")[0] in (*STORING_WORDS, *WRITING_WORDS)
