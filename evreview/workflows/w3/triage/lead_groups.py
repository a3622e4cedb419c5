"""Which leads are of one weakness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from evreview.codefacts.model import CodeFacts, Guard, Route, SourceText
from evreview.core.quoted_text import Text, UserText
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Candidate as Stated
from evreview.evidence.records.security import Candidates, Control, SecurityInventory, TrustModel
from evreview.workflows.w3.abuse_cases.lead_intake import overlaps, routes_at
from evreview.workflows.w3.access_control.units import ALL_ROUTES, LeadRule, RuleInput, read
from evreview.workflows.w3.leads.catalogue import rule_of
from evreview.workflows.w3.leads.rules_access import GUARD_RULES
from evreview.workflows.w3.model import Inventory, InventoryGapKind, Lead, TrustMap

# What a challenge looks at, and one suspected weakness while it is looked at.


@dataclass(frozen=True, kw_only=True)
class TriageInput:
    """Everything that was supplied, as steps 2 to 4 left it.

    Attributes:
        inventory: the record as supplied; `taken` what step 3 made of it.
        suspected: the reviewer's records of which some leads were made.
    """

    leads: tuple[Lead, ...]
    code: CodeFacts
    sources: tuple[SourceText, ...]
    model: Cited[TrustModel] | None
    trust: TrustMap
    inventory: Cited[SecurityInventory] | None
    taken: Inventory
    bundle: Bundle
    suspected: tuple[Cited[Candidates], ...] = ()

    @cached_property
    def reading(self) -> RuleInput:
        """The sources as the lead rules read them."""
        return read(self.sources, self.code)

    @cached_property
    def stated(self) -> dict[str, tuple[Stated, Citation]]:
        """The reviewer's candidates by id."""
        found: dict[str, tuple[Stated, Citation]] = {}
        for cited in self.suspected:
            for place, one in enumerate(cited.record.candidates):
                found.setdefault(one.id, (one, cited.at(f"/candidates/{place}")))
        return found

    def controls(self) -> Iterator[tuple[Control, Citation]]:
        """The inventory's controls, each with its place."""
        if self.inventory is not None:
            for place, control in enumerate(self.inventory.record.controls):
                yield control, self.inventory.at(f"/controls/{place}")

    def route(self, name: str) -> Route | None:
        """A registered route by method and path."""
        key = operation_key(name)
        return next((one for one in self.code.routes if operation_key(f"{one.method} {one.path}") == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadGroup:
    """Leads that are taken for one weakness.

    Attributes:
        kind: the own rule's id, else the reviewer's, else the scanner's.
        rule: the own rule, None without.
        leads: own ones first.
        stated: the reviewer's words, None without.
        evidence: the leads whose lines are evidence.
    """

    kind: str
    area: Area
    route: str
    path: str
    symbol: str
    rule: LeadRule | None
    leads: tuple[Lead, ...]
    stated: tuple[Stated, Citation] | None = field(default=None)
    evidence: tuple[Lead, ...] = ()

    @property
    def shown(self) -> tuple[Lead, ...]:
        """The leads whose lines are evidence: evreview's own, and quotes of the reviewer within the route's code."""
        return self.evidence

    @property
    def whole(self) -> bool:
        """True for what holds for the whole application."""
        return self.route == ALL_ROUTES


def evidence_in(material: TriageInput, lead: Lead, route: str) -> bool:
    """True for lines that show something: those of an own rule, and quoted ones of a function that the route runs."""
    if lead.spot is None or lead.tool not in ("evreview", "reviewer"):
        return False
    if lead.tool == "evreview":
        return True
    key = operation_key(route)
    return bool(lead.symbol) and any(operation_key(one) == key for one in routes_at(material.reading, lead.spot))


def own_rule(lead: Lead) -> LeadRule | None:
    """The rule of ours that a lead is of."""
    return rule_of(lead.rule) if lead.tool == "evreview" else None


_DECIDING: Final = ("caller-controlled-decision", "client-address-decision", *sorted(GUARD_RULES))
_BESIDE: Final = "unguarded-sibling"


def suspicions(material: TriageInput) -> tuple[LeadGroup, ...]:
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


def _suspicion(material: TriageInput, group: Sequence[Lead]) -> LeadGroup:
    order = {"evreview": 0, "reviewer": 1}
    leads = sorted(group, key=lambda lead: order.get(lead.tool, 2))
    first = leads[0]
    stated = next((material.stated.get(lead.rule) for lead in leads if lead.tool == "reviewer"), None)
    placed = next((lead for lead in leads if lead.path), first)
    route = next((lead.route for lead in leads if lead.route), "")
    return LeadGroup(
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


# What every search for another control asks: what would do it, on which header, what step 3 found missing.


_BY_AREA: Final = {
    Area.AUTHENTICATION: frozenset({"authentication", "authorization"}),
    Area.AUTHORIZATION: frozenset({"authorization"}),
    Area.ERROR_DISCLOSURE: frozenset({"errors"}),
}
_NO_RIGHT: Final = frozenset({"authenticated"})
"""Scopes that everybody who is signed in has."""

Listed = tuple[Control, Citation]
"""A control of the inventory and its place."""


def compensating(one: LeadGroup) -> frozenset[str]:
    """The kinds of control that would make the weakness harmless."""
    own = one.rule.compensates if one.rule is not None else _BY_AREA.get(one.area, frozenset())
    return own | {"network"}


def header_of(one: LeadGroup) -> str:
    """The header that a decision rests on, "" for none."""
    header = next((lead.header for lead in one.leads if lead.header), "")
    return header.removeprefix("HTTP_").replace("_", "-")


def lacking(
    material: TriageInput, controls: Sequence[Listed], lacks: InventoryGapKind
) -> tuple[Text, tuple[Citation, ...]] | None:
    """What step 3 asked for about one list of the controls concerned."""
    ids = {control.id for control, _ in controls}
    for gap in material.taken.gaps:
        if gap.control in ids and gap.lacks is lacks:
            return ("supply ", *gap.request), gap.citations
    field = "deployment" if lacks is InventoryGapKind.DEPLOYMENT else "middleware"
    for control, at in controls:
        if getattr(control, field) is None:
            return ("supply the ", lacks, " of ", UserText(control.id), ", or state that there is none"), (at,)
    return None


def kinds_of(guard: Guard) -> frozenset[str]:
    """What a guard does; one that demands scopes asks for a right as well, unless being signed in is all of it."""
    if guard.scopes and set(guard.scopes) <= _NO_RIGHT:
        return frozenset({"authentication"})
    return frozenset({guard.kind, "authorization"} if guard.scopes else {guard.kind})
