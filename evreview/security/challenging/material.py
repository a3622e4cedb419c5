"""What a challenge looks at, and one suspected weakness while it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from evreview.codefacts.model import CodeFacts, Route, SourceText
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Candidate as Stated
from evreview.evidence.records.security import Candidates, Control, SecurityInventory, TrustModel
from evreview.security.leads.placing import routes_at
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, read
from evreview.workflows.w3.model import Inventory, Lead, TrustMap
from evreview.workflows.w3.step4_leads.catalogue import rule_of


@dataclass(frozen=True, kw_only=True)
class Material:
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
    def reading(self) -> Reading:
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
class Suspicion:
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


def evidence_in(material: Material, lead: Lead, route: str) -> bool:
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
