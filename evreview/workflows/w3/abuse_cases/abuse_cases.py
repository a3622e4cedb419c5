"""Bounded abuse cases from boundaries and attacker positions; what was left out, and which boundary has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed, text
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.security import SecurityInventory, TrustModel
from evreview.workflows.w3.abuse_cases.templates import CAPABILITIES, TEMPLATES, Template
from evreview.workflows.w3.access_control.units import ALL_ROUTES
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import AbuseCase, Candidate, Lead, State, TrustMap, TrustPath, digest_id

MAX_CASES: Final = 1_000
"""Cases listed; what follows leaves its boundary uncovered, with the reason."""
_CAPABLE: Final = {capability.id: capability for capability in CAPABILITIES}
_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A case that needs what the trust model says the attacker can't do.

    Attributes:
        case: the template's id; capability: what it needs; excluded: the model's own words.
    """

    case: str
    boundary: str
    attacker: str
    capability: str
    excluded: UserText
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A boundary in reach without a case.

    Attributes:
        reasoned: the reason is a stated exclusion, so that step 4 may advance.
    """

    boundary: str
    why: Text
    reasoned: bool
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSet:
    """Step 4's answer."""

    cases: tuple[AbuseCase, ...]
    left_out: tuple[LeftOut, ...]
    uncovered: tuple[Uncovered, ...]

    @property
    def covers(self) -> bool:
        """True when step 4 may advance: every boundary in reach has a case or a stated reason."""
        return all(one.reasoned for one in self.uncovered)


def abuse_cases(
    model: Cited[TrustModel] | None,
    trust: TrustMap,
    inventory: Cited[SecurityInventory] | None,
    leads: Sequence[Lead] = (),
) -> CaseSet:
    """One hypothesis per boundary in reach, attacker position, route and thing to try; in the order of the paths."""
    maker = _Maker(model, inventory, leads)
    for (attacker, route), paths in _ways(trust).items():
        for boundary in dict.fromkeys(each for path in paths for each in path.boundaries):
            maker.take(boundary, attacker, route, [path for path in paths if boundary in path.boundaries])
    return CaseSet(
        cases=tuple(maker.cases), left_out=tuple(maker.left_out), uncovered=tuple(_uncovered_boundaries(trust, maker))
    )


def _ways(trust: TrustMap) -> dict[tuple[str, str], list[TrustPath]]:
    """The paths in reach by attacker and route; an entry point that is no route stands by its id."""
    found: dict[tuple[str, str], list[TrustPath]] = {}
    for path in trust.paths:
        if path.in_reach:
            found.setdefault((path.actor, path.route or path.entry_point), []).append(path)
    return found


class _Maker:
    """The cases made so far."""

    def __init__(
        self, model: Cited[TrustModel] | None, inventory: Cited[SecurityInventory] | None, leads: Sequence[Lead]
    ) -> None:
        self.model = model
        self.inventory = inventory
        self.leads = leads
        self.cases: list[AbuseCase] = []
        self.left_out: list[LeftOut] = []
        self.full: set[str] = set()

    def take(self, boundary: str, attacker: str, route: str, paths: Sequence[TrustPath]) -> None:
        """Makes the cases of one boundary, attacker and route."""
        areas = self.areas(boundary, route)
        for template in TEMPLATES:
            there = self.behind(template, route)
            if not any(_is_there(lead, route) for lead in there) and not _applies(template, areas, route):
                continue
            excluded = self.excluded(template)
            if excluded is not None:
                capability, words, at = excluded
                self.left_out.append(
                    LeftOut(
                        case=template.id, boundary=boundary, attacker=attacker, capability=capability,
                        excluded=UserText(words), citations=(at,),
                    )
                )  # fmt: skip
            elif len(self.cases) >= MAX_CASES:
                self.full.add(boundary)
            else:
                self.cases.append(self.case(template, boundary, attacker, route, paths))

    def areas(self, boundary: str, route: str) -> frozenset[Area]:
        """The kinds of control that stand at the boundary for the route, and those that leads there are about."""
        key = operation_key(route)
        stated = {
            control.area
            for control in (self.inventory.record.controls if self.inventory is not None else ())
            if boundary in control.boundaries
            and ("*" in control.routes or key in {operation_key(one) for one in control.routes})
        }
        suspected = {lead.area for lead in self.leads if _is_there(lead, route)}
        return frozenset(stated | suspected or _ACCESS)

    def behind(self, template: Template, route: str) -> list[Lead]:
        """The leads that look for what the template tries; a secret in source is behind it on every route."""
        named = [lead for lead in self.leads if lead.tool == "evreview" and lead.rule in template.rules]
        return [lead for lead in named if _is_there(lead, route) or lead.area is Area.SECRETS]

    def excluded(self, template: Template) -> tuple[str, str, Citation] | None:
        """The capability that the model excludes, in its words, None for a case that stands."""
        if self.model is None:
            return None
        for place, words in enumerate(self.model.record.excluded_capabilities or ()):
            for need in template.needs:
                if _CAPABLE[need].excluded_by(words):
                    return _CAPABLE[need].says, words, self.model.at(f"/excluded_capabilities/{place}")
        return None

    def case(
        self, template: Template, boundary: str, attacker: str, route: str, paths: Sequence[TrustPath]
    ) -> AbuseCase:  # fmt: skip
        """One hypothesis."""
        there = self.behind(template, route)
        assets = list(dict.fromkeys(path.asset for path in paths if path.asset))
        gaps = [("the way there is as the trust model says: ", *gap) for path in paths[:1] for gap in path.gaps]
        return AbuseCase(
            id=digest_id("A", template.id, boundary, attacker, route),
            boundary=boundary,
            attacker=attacker,
            route=route,
            controlled_input=(template.controlled_input,),
            preconditions=(*((each,) for each in template.preconditions), *gaps),
            bypass=(template.bypass,),
            consequence=text(template.consequence, *(listed(assets) or ("what lies behind it",))),
            state=State.HYPOTHESIS,
            candidates=tuple(dict.fromkeys(lead.id for lead in there)),
            citations=cited(self.at(boundary), *(path.citations for path in paths)),
        )

    def at(self, boundary: str) -> tuple[Citation, ...]:
        """The boundary's place in the model."""
        for place, one in enumerate((self.model.record.boundaries or ()) if self.model is not None else ()):
            if one.id == boundary and self.model is not None:
                return (self.model.at(f"/boundaries/{place}"),)
        return ()


def _applies(template: Template, areas: frozenset[Area], route: str) -> bool:
    """True for what is worth a case without any lead."""
    return template.area in areas and not template.on_lead and (not template.by_id or "{" in route)


def _is_there(lead: Lead, route: str) -> bool:
    return bool(lead.route) and (lead.route == ALL_ROUTES or operation_key(lead.route) == operation_key(route))


def _uncovered_boundaries(trust: TrustMap, maker: _Maker) -> Iterator[Uncovered]:
    """The boundaries in reach without a case, and entry points in reach that cross none."""
    have = {case.boundary for case in maker.cases}
    left = {one.boundary: one for one in maker.left_out}
    for boundary in dict.fromkeys(each for path in trust.paths if path.in_reach for each in path.boundaries):
        if boundary in have:
            continue
        on = maker.at(boundary) or (maker.model.citation,) if maker.model is not None else ()
        if boundary in left and boundary not in maker.full:
            one = left[boundary]
            why = text("every case needs what is excluded: ", one.excluded)
            yield Uncovered(boundary=boundary, why=why, reasoned=True, citations=one.citations)
        else:
            why = text(f"more than {MAX_CASES} cases; review fewer routes at once")
            yield Uncovered(boundary=boundary, why=why, reasoned=False, citations=on)
    for path in trust.paths:
        if path.in_reach and not path.boundaries:
            why = text(
                "the entry point ", UserText(path.entry_point), " crosses no boundary; name those before the asset"
            )
            yield Uncovered(boundary="", why=why, reasoned=False, citations=path.citations)


def settled(cases: Iterable[AbuseCase], candidates: Iterable[Candidate]) -> tuple[AbuseCase, ...]:
    """The cases after step 5: supported by one candidate, refuted when all of theirs are, else still hypotheses.

    A candidate supports no case of a position that a guard of its route keeps out.
    """
    behind: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        for lead in candidate.leads:
            behind.setdefault(lead, []).append(candidate)
    return tuple(
        replace(case, state=_settled([_for(case, one) for lead in case.candidates for one in behind.get(lead, [])]))
        for case in cases
    )


def _for(case: AbuseCase, candidate: Candidate) -> State:
    kept_out = candidate.state is State.SUPPORTED and case.attacker in candidate.kept_out
    return State.HYPOTHESIS if kept_out else candidate.state


def _settled(states: Sequence[State]) -> State:
    if State.SUPPORTED in states:
        return State.SUPPORTED
    return State.REFUTED if states and all(state is State.REFUTED for state in states) else State.HYPOTHESIS
