"""A reviewer's suspicions as leads. A quote that does not stand on its lines shows nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evreview.codefacts.model import CodeFacts, SourceText, Spot
from evreview.core.errors import Problem
from evreview.core.quoted_text import Subject
from evreview.evidence.citation import at_id
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.quotes import check_quote
from evreview.evidence.records.security import Candidate, Candidates, Excerpt
from evreview.security.leads.ids import digest_id, plain_path
from evreview.security.leads.intake import LeadIntake
from evreview.security.leads.placing import around, routes_at
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, read
from evreview.workflows.w3.model import Lead

REVIEWER = "reviewer"


def candidate_leads(records: Sequence[Cited[Candidates]], sources: Sequence[SourceText], code: CodeFacts) -> LeadIntake:
    """One lead per suspicion and per excerpt that stands; one without lines for a suspicion that shows none.

    Problems: `candidate-source`, `candidate-lines`, `candidate-quote`, `candidate-repeated`.
    """
    reading = read(sources, code)
    leads: list[Lead] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    for cited in records:
        for place, stated in enumerate(cited.record.candidates):
            if stated.id in seen:
                problems.append(_problem(cited, place, "id", "repeated", "an id that another candidate has"))
                continue
            seen.add(stated.id)
            spots = list(_spots(cited, place, stated, reading.sources, problems))
            leads += [_lead(reading, cited, stated, number, spot) for number, spot in enumerate(spots or [None])]
    return LeadIntake(tuple(leads), tuple(problems))


def _problem(cited: Cited[Candidates], place: int, field: str, code: str, found: str) -> Problem:
    return Problem(
        code=f"candidate-{code}", found=found, file=str(cited.citation.id), place=f"#/candidates/{place}/{field}",
        advice="correct it; until then the suspicion is shown by no source",
    )  # fmt: skip


def _spots(
    cited: Cited[Candidates], place: int, stated: Candidate, sources: Sequence[SourceText], problems: list[Problem]
) -> Iterator[Spot]:
    for number, excerpt in enumerate(stated.shown_by):
        source = next((one for one in sources if one.item == excerpt.item), None)
        field = f"shown_by/{number}"
        if source is None:
            problems.append(_problem(cited, place, f"{field}/item", "source", "an item that is no inspected source"))
            continue
        spot = _stands(excerpt, source)
        if isinstance(spot, Spot):
            yield spot
        else:
            where = "lines" if spot == "lines" else "quote"
            problems.append(_problem(cited, place, f"{field}/{where}", where, "a quote that does not stand there"))


def _stands(excerpt: Excerpt, source: SourceText) -> Spot | str:
    found = check_quote(source.text, excerpt.lines, excerpt.quote)
    return found.fault or Spot(source.item, found.first, found.last, source.path)


def _lead(reading: Reading, cited: Cited[Candidates], stated: Candidate, number: int, spot: Spot | None) -> Lead:
    inside = around(reading, spot) if spot is not None else None
    symbol, path = inside.name if inside else "", plain_path(spot.path) if spot else ""
    route = stated.route or _only_route(reading, spot)
    here = (at_id(cited.citation.id, stated.id),)
    return Lead(
        id=digest_id("L", REVIEWER, stated.id, symbol, path, operation_key(route), str(number)),
        rule=stated.id,
        tool=REVIEWER,
        area=stated.area,
        says=(Subject(stated.title),),
        spot=spot,
        path=path,
        symbol=symbol,
        route=_as_registered(reading, route),
        citations=(*(spot.citations if spot else ()), *here),
    )


def _only_route(reading: Reading, spot: Spot | None) -> str:
    """The one route that reaches the lines, "" for several."""
    found = routes_at(reading, spot) if spot is not None else ()
    return found[0] if len(found) == 1 and found[0] != ALL_ROUTES else ""


def _as_registered(reading: Reading, route: str) -> str:
    """The route as the code spells it; as stated when no code registers it."""
    key = operation_key(route)
    for known in reading.routes:
        name = f"{known.method} {known.path}"
        if operation_key(name) == key:
            return name
    return route
