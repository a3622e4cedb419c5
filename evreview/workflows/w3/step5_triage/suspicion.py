"""Which leads are of one weakness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.core.vocabulary import Area
from evreview.evidence.element_mentions import operation_key
from evreview.security.challenging.material import Material, Suspicion, evidence_in, own_rule
from evreview.security.leads.placing import overlaps
from evreview.workflows.w3.model import Lead
from evreview.workflows.w3.step4_leads.catalogue import rule_of
from evreview.workflows.w3.step4_leads.rules_guards import GUARD_RULES

_DECIDING: Final = ("caller-controlled-decision", "client-address-decision", *sorted(GUARD_RULES))
_BESIDE: Final = "unguarded-sibling"


def suspicions(material: Material) -> tuple[Suspicion, ...]:
    """Every lead in one suspicion at least, but scanners' in code that nothing reaches; others join or stand alone."""
    groups = _own(material.leads)
    by_path: dict[str, list[list[Lead]]] = {}
    for group in groups:
        for path in dict.fromkeys(lead.path for lead in group):
            by_path.setdefault(path, []).append(group)
    others = [lead for lead in material.leads if lead.tool != "evreview"]
    for lead in sorted(others, key=lambda lead: lead.tool != "reviewer"):
        near = groups if lead.tool == "reviewer" else by_path.get(lead.path, [])
        beside = [group for group in near if _same(group, lead)]
        for group in beside:
            group.append(lead)
        if not beside and not is_unreached(lead):
            groups.append([lead])
            by_path.setdefault(lead.path, []).append(groups[-1])
    return tuple(_suspicion(material, group) for group in groups)


def is_unreached(lead: Lead) -> bool:
    """True for a scanner's result that no entry point is shown to reach; a secret is one wherever it stands."""
    return lead.tool not in ("evreview", "reviewer") and not lead.route and lead.area is not Area.SECRETS


def _own(leads: Sequence[Lead]) -> list[list[Lead]]:
    """Own leads of one rule in one function on one route are one weakness."""
    found: dict[tuple[str, str, str, str], list[Lead]] = {}
    for lead in leads:
        if lead.tool == "evreview":
            found.setdefault((lead.rule, lead.route, lead.symbol, lead.path), []).append(lead)
    groups = list(found.values())
    _missing_guards(groups)
    return groups


def _missing_guards(groups: list[list[Lead]]) -> None:
    """A route whose only check rests on the caller's word lacks a guard for the same reason."""
    for group in [one for one in groups if one[0].rule == _BESIDE]:
        for other in groups:
            if other[0].rule in _DECIDING and other[0].route == group[0].route:
                other += group
                groups.remove(group)
                break


def _same(group: Sequence[Lead], lead: Lead) -> bool:
    for other in group:
        if other.tool == lead.tool and other.rule == lead.rule and lead.tool != "evreview":
            here = (other.symbol, other.path, other.route) == (lead.symbol, lead.path, lead.route)
            return here or lead.tool == "reviewer"
    if not any(other.area is lead.area for other in group):
        return False
    if lead.route and group[0].route not in ("", "*") and operation_key(lead.route) != operation_key(group[0].route):
        return False
    if any(overlaps(other.spot, lead.spot) for other in group):
        return True
    within = lead.symbol and any((other.symbol, other.path) == (lead.symbol, lead.path) for other in group)
    return bool(within and lead.tool == "reviewer") or (lead.spot is None and _same_route(group, lead))


def _same_route(group: Sequence[Lead], lead: Lead) -> bool:
    """A reviewer who names a route and no lines means what is suspected of that route."""
    return bool(lead.tool == "reviewer" and lead.route and group[0].route == lead.route)


def _suspicion(material: Material, group: Sequence[Lead]) -> Suspicion:
    order = {"evreview": 0, "reviewer": 1}
    leads = sorted(group, key=lambda lead: order.get(lead.tool, 2))
    first = leads[0]
    stated = next((material.stated.get(lead.rule) for lead in leads if lead.tool == "reviewer"), None)
    placed = next((lead for lead in leads if lead.path), first)
    route = next((lead.route for lead in leads if lead.route), "")
    return Suspicion(
        kind=_kind(first),
        area=first.area,
        route=route,
        path=placed.path,
        symbol=placed.symbol,
        rule=own_rule(first),
        leads=tuple(leads),
        stated=stated,
        evidence=tuple(lead for lead in leads if evidence_in(material, lead, route)),
    )


def _kind(lead: Lead) -> str:
    """The rule's id; one of another tool or person that is called like a rule of ours says whose it is."""
    borrowed = lead.tool != "evreview" and rule_of(lead.rule) is not None
    return f"{lead.tool}:{lead.rule}" if borrowed else lead.rule
