"""Leads of evreview's own rules over the supplied sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.security.leads.ids import digest_id, plain_path
from evreview.workflows.w3.access_control.rule import Hit, LeadRule
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, read
from evreview.workflows.w3.model import Lead
from evreview.workflows.w3.step4_leads.catalogue import RULES

TOOL = "evreview"


def find_leads(sources: Sequence[SourceText], code: CodeFacts, rules: Sequence[LeadRule] = RULES) -> tuple[Lead, ...]:
    """Every match of every rule, one per route that reaches the lines; by file, line and rule."""
    reading = read(sources, code)
    found = [lead for rule in rules for lead in leads_of(rule, reading)]
    return tuple(sorted(found, key=_order))


def _order(lead: Lead) -> tuple[str, int, str, str]:
    return (lead.path, lead.spot.first if lead.spot else 0, lead.rule, lead.route)


def leads_of(rule: LeadRule, reading: Reading) -> tuple[Lead, ...]:
    """The matches of one rule."""
    seen: dict[tuple[str, str, str], int] = {}
    found: list[Lead] = []
    for hit in _once(rule.look(reading)):
        path = plain_path(hit.path)
        key = (path, hit.symbol, hit.route)
        number = seen.get(key, 0)
        seen[key] = number + 1
        found.append(
            Lead(
                id=digest_id("L", rule.id, hit.symbol, path, hit.route, str(number)),
                rule=rule.id,
                tool=TOOL,
                area=hit.area or rule.area,
                says=hit.says,
                spot=hit.spot,
                path=path,
                symbol=hit.symbol,
                route=hit.route,
                citations=hit.spot.citations,
                lacks=hit.lacks,
            )
        )
    return tuple(found)


def _once(hits: Iterable[Hit]) -> list[Hit]:
    """Each place once per route; one that a route reaches is not told as unreached, nor again for all routes."""
    by_place: dict[tuple[str, tuple[int, int]], dict[str, Hit]] = {}
    for hit in hits:
        by_place.setdefault((str(hit.spot.item) + hit.path, hit.order), {}).setdefault(hit.route, hit)
    kept: list[Hit] = []
    for routes in by_place.values():
        named = [hit for route, hit in routes.items() if route not in ("", ALL_ROUTES)]
        around = [hit for route, hit in routes.items() if route == ALL_ROUTES]
        kept += around or named or list(routes.values())
    return sorted(kept, key=lambda hit: (plain_path(hit.path), hit.order, hit.route))
