"""Headers that a handler sets on the way to some of its plain returns and not on the way to others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evreview.codefacts.control_flow import Event, falls_through
from evreview.codefacts.names import Modules
from evreview.sources.asgi.requests import headers_set

_Names = frozenset[str]


def sometimes(
    modules: Modules, body: list[ast.stmt], events: Iterable[Event], plain: Sequence[Event]
) -> tuple[str, ...]:
    """The headers that the handler sets, and not on every way to a plain return.

    What a called function or a loop sets counts as set: who calls it may know more than is followed here.
    """
    setting: dict[int, _Names] = {}
    elsewhere: set[str] = set()
    for event in events:
        names = frozenset(name for name, _ in headers_set(modules, [event]))
        if event.own:
            setting[id(event.statement)] = setting.get(id(event.statement), frozenset()) | names
        else:
            elsewhere |= names
    paths = _Paths(setting, {id(event.statement) for event in plain})
    end = paths.block(body, frozenset())
    if end is not None and falls_through(body):
        paths.exits.append(end)
    every = frozenset().union(*setting.values())
    missing = (every - surely for surely in paths.exits)
    return tuple(sorted(frozenset().union(*missing) - elsewhere))


def _join(states: Iterable[_Names | None]) -> _Names | None:
    found: _Names | None = None
    for state in states:
        found = state if found is None else found if state is None else found & state
    return found


@dataclass(slots=True)
class _Paths:
    """Walks the ways through a body with the names that are set by then; None stands for what nothing reaches."""

    setting: Mapping[int, _Names]
    plain: set[int]
    exits: list[_Names] = field(default_factory=list)

    def block(self, body: Iterable[ast.stmt], state: _Names | None) -> _Names | None:
        for statement in body:
            if state is None:
                return None
            state = self.statement(statement, state)
        return state

    def statement(self, statement: ast.stmt, state: _Names) -> _Names | None:
        state |= self.setting.get(id(statement), frozenset())
        match statement:
            case ast.Return():
                if id(statement) in self.plain:
                    self.exits.append(state)
                return None
            case ast.Raise() | ast.Continue() | ast.Break():
                return None
            case ast.If(body=body, orelse=orelse):
                return _join([self.block(body, state), self.block(orelse, state)])
            case ast.With(body=body) | ast.AsyncWith(body=body):
                return self.block(body, state)
            case ast.For() | ast.AsyncFor() | ast.While():
                self.block([*statement.body, *statement.orelse], state)
                return state.union(*(self.setting.get(id(inner), frozenset()) for inner in ast.walk(statement)))
            case ast.Try():
                done = self.block([*statement.body, *statement.orelse], state)
                caught = [self.block(handler.body, state) for handler in statement.handlers]
                return self.block(statement.finalbody, _join([done, *caught]))
            case ast.Match(cases=cases):
                return _join(self.block(case.body, state) for case in cases)
        return state
