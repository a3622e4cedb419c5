"""One lead rule is one value: what it looks for, why, how it is checked without harm, an example and look-alikes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import Route, Spot
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.units import RuleInput


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Hit:
    """One place where a rule matched.

    Attributes:
        path, symbol, spot: file, function or class around it, lines.
        order: line and column, to number equal hits of one symbol.
        route: method and path, `*` for the whole application, "" for none known.
        says: what matched, without any value.
        area: another area than the rule's, None for that.
        lacks: what the lines do not show and the weakness needs.
        header: the request's header that decides there, "" for none.
    """

    path: str
    symbol: str
    spot: Spot
    order: tuple[int, int]
    route: str
    says: Text
    area: Area | None = None
    lacks: Text = ()
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadRule:
    """One thing to look for.

    Attributes:
        id: kebab-case; never reused.
        title: what is suspected.
        area: the kind of control that it is about.
        why: why a match is worth a look.
        attacker: what an attacker would need.
        impact: what might follow; an inference.
        verify: how it is checked without harm.
        look: finds the matches.
        example: a source that it matches.
        counter_examples: sources that look like it and are not meant.
        compensates: what kinds of control elsewhere would make the match harmless.
    """

    id: str
    title: str
    area: Area
    why: str
    attacker: str
    impact: str
    verify: str
    look: Callable[[RuleInput], Iterable[Hit]]
    example: str
    counter_examples: tuple[str, ...]
    compensates: frozenset[str] = frozenset()


def hit(frame: Frame, node: ast.AST, route: str, says: Text, area: Area | None = None) -> Hit:
    """A hit at a node of a function or module."""
    scope = frame.scope
    return Hit(
        path=scope.module.source.path,
        symbol=scope.qualname,
        spot=scope.spot(node),
        order=(getattr(node, "lineno", 0), getattr(node, "col_offset", 0)),
        route=route,
        says=says,
        area=area,
    )


def hit_at(route: Route, says: Text) -> Hit:
    """A hit at the lines that register a route."""
    return Hit(
        path=route.spot.path, symbol=route.handler, spot=route.spot, order=(route.spot.first, 0),
        route=f"{route.method} {route.path}", says=says,
    )  # fmt: skip
