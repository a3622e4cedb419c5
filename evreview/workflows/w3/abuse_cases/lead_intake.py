"""A reviewer's suspicions as leads. A quote that does not stand on its lines shows nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from evreview.codefacts.model import CodeFacts, SourceText, Spot
from evreview.core.errors import Problem
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_id, check_quote
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.records.security import Candidate, Candidates, Excerpt
from evreview.workflows.w3.access_control.units import ALL_ROUTES, EnclosingDefinition, RuleInput, read
from evreview.workflows.w3.model import Lead, digest_id, plain_path

# What reading leads of others gives: the leads, and what could not be taken in.


@dataclass(frozen=True, slots=True)
class LeadIntake:
    """Leads and problems, both in the order supplied."""

    leads: tuple[Lead, ...]
    problems: tuple[Problem, ...]


# Where a line of a scanner or reviewer stands: the supplied file, the function around it, the routes that reach it.


def source_named(sources: tuple[SourceText, ...], uri: str) -> SourceText | None:
    """The supplied file that a scanner's address means, None when none or several may be meant."""
    wanted = path_in(uri)
    if not wanted:
        return None
    exact = [source for source in sources if plain_path(source.path) == wanted]
    alike = exact or [
        source
        for source in sources
        if f"/{plain_path(source.path)}".endswith(f"/{wanted}") or f"/{wanted}".endswith(f"/{plain_path(source.path)}")
    ]
    return alike[0] if len({source.path for source in alike}) == 1 else None


def path_in(uri: str) -> str:
    """The path of a file's address, without scheme and host; "" for none."""
    try:
        split = urlsplit(uri.replace("\\", "/"))
    except ValueError:
        return ""
    return plain_path(unquote(split.path)) if split.scheme in ("", "file") or len(split.scheme) == 1 else ""


def around(reading: RuleInput, spot: Spot) -> EnclosingDefinition | None:
    """The innermost function or class around the first line of a spot, None at the top of a file or outside Python."""
    for module in reading.modules.all:
        if module.source.item == spot.item and module.source.path == spot.path:
            found = [one for one in reading.definitions(module) if one.first <= spot.first <= one.last]
            return found[-1] if found else None
    return None


def named(reading: RuleInput, item: EvidenceId, path: str, symbol: str) -> EnclosingDefinition | None:
    """The function or class of that qualified name in a file."""
    for module in reading.modules.all:
        if module.source.item == item and plain_path(module.source.path) == plain_path(path):
            for one in reading.definitions(module):
                if one.name == symbol:
                    return one
    return None


def routes_at(reading: RuleInput, spot: Spot) -> tuple[str, ...]:
    """The routes whose handler reaches the lines, in the order written; `*` for what runs around every route."""
    within = reading.reaching(spot.item, spot.path)
    found = dict.fromkeys(route for first, last, route in within if first <= spot.first <= last)
    found.pop("", None)
    return (ALL_ROUTES,) if ALL_ROUTES in found else tuple(found)


def routes_near(reading: RuleInput, spot: Spot) -> tuple[str, ...]:
    """The routes whose code may come to the lines, by every function that it names: for what shows nothing alone."""
    found = dict.fromkeys(routes_at(reading, spot))
    if ALL_ROUTES not in found:
        for first, last, route in reading.may_reach(spot.item, spot.path):
            if first <= spot.first <= last:
                found.setdefault(route)
    return (ALL_ROUTES,) if ALL_ROUTES in found else tuple(found)


def overlaps(one: Spot | None, other: Spot | None) -> bool:
    """True when both name lines of one item that have a line in common."""
    if one is None or other is None or one.item != other.item:
        return False
    return one.first <= other.last and other.first <= one.last


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


def _lead(reading: RuleInput, cited: Cited[Candidates], stated: Candidate, number: int, spot: Spot | None) -> Lead:
    inside = around(reading, spot) if spot is not None else None
    symbol, path = inside.name if inside else "", plain_path(spot.path) if spot else ""
    route = stated.route or _only_route(reading, spot)
    here = (at_id(cited.citation.id, stated.id),)
    return Lead(
        id=digest_id("L", REVIEWER, stated.id, symbol, path, operation_key(route), str(number)),
        rule=stated.id,
        tool=REVIEWER,
        area=stated.area,
        says=(UserText(stated.title),),
        spot=spot,
        path=path,
        symbol=symbol,
        route=_as_registered(reading, route),
        citations=(*(spot.citations if spot else ()), *here),
    )


def _only_route(reading: RuleInput, spot: Spot | None) -> str:
    """The one route that reaches the lines, "" for several."""
    found = routes_at(reading, spot) if spot is not None else ()
    return found[0] if len(found) == 1 and found[0] != ALL_ROUTES else ""


def _as_registered(reading: RuleInput, route: str) -> str:
    """The route as the code spells it; as stated when no code registers it."""
    key = operation_key(route)
    for known in reading.routes:
        name = f"{known.method} {known.path}"
        if operation_key(name) == key:
            return name
    return route
