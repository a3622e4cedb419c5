"""The code as it was read: the facts of the supplied sources, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.codefacts.declared import declared_facts
from evreview.codefacts.model import CodeFacts, Spot, UnreadPart
from evreview.codefacts.observed_routes import with_tables
from evreview.codefacts.read import read_sources
from evreview.core.errors import Problem
from evreview.core.quoted_text import UserText
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.reference import DeclaredCode
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.scope.inputs import route_tables


def read_code(bundle: Bundle, facts: W2Facts) -> tuple[CodeFacts, tuple[Problem, ...]]:
    """The facts of the supplied sources and those that a reviewer declares, and what of these does not hold."""
    from evreview.schema.cross_check_validator import is_schema

    code = with_tables(read_sources(facts.sources), route_tables(bundle), facts.sources)
    declared, problems = declared_facts(records_of(bundle, DeclaredCode), facts.sources, code.routes, is_schema)
    joined = CodeFacts(routes=(*code.routes, *declared.routes), unread=(*code.unread, *declared.unread))
    return joined, problems


_DYNAMIC: Final = (UnreadPart.VIEW_METHOD, UnreadPart.REPRESENTATION, UnreadPart.MEDIA)
"""What replaces the attributes of a view."""


def unread_code(facts: W2Facts) -> Iterator[Statement]:
    """What of the code, and of the contract's operations in scope, could not be read, as limitations."""
    code = facts.evidence.code if facts.evidence else CodeFacts(routes=())
    unfollowed = [one for route in code.routes for one in route.unread if one.part in _DYNAMIC]
    around = [one for route in code.routes for one in route.rewritten]
    for unread in dict.fromkeys([*code.unread, *around, *unfollowed]):
        on = cite(Citation(unread.spot.item, _lines(unread.spot)))
        yield limited("Not read in the code: ", UserText(unread.found), on=on)
    if facts.contract is None or facts.item is None:
        return
    places = Places(facts.contract, facts.item.id)
    within = tuple(step for each in facts.operations for step in _steps(each.element.place.pointer))
    for part in facts.contract.unread:
        if not part.place.pointer.startswith("/paths/") or part.place.pointer.startswith(within):
            yield limited("Not read in the contract: ", UserText(part.found), on=(places.at(part.place),))


def _steps(pointer: str) -> tuple[str, ...]:
    """An operation, and the parameters that all operations of its path share."""
    return f"{pointer}/", f"{pointer.rpartition('/')[0]}/parameters/"


def _lines(spot: Spot) -> str:
    return f":L{spot.first}" + (f"-L{spot.last}" if spot.last > spot.first else "")
