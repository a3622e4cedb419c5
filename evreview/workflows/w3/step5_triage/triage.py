"""Suspicions against the evidence: supported, still a hypothesis, or refuted by another control."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from evreview.core.quoted_text import Subject, Text, text
from evreview.core.vocabulary import Area
from evreview.evidence.citation import resolve
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.security.challenging.asking import Listed
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.leads.ids import digest_id
from evreview.security.leads.placing import named
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import Candidate, Challenge, Reach, Standing, State
from evreview.workflows.w3.step4_leads.catalogue import READ_LINES
from evreview.workflows.w3.step5_triage.compensating_controls import challenges, controls_for, passed
from evreview.workflows.w3.step5_triage.reachability import Reached, reached
from evreview.workflows.w3.step5_triage.suspicion import suspicions

__all__ = ["Material", "challenge"]


def challenge(material: Material) -> tuple[Candidate, ...]:
    """One candidate per suspicion, in the order of the leads; refuted ones are kept, with what refutes them."""
    found: dict[str, Candidate] = {}
    for one in suspicions(material):
        candidate = _candidate(material, one)
        found.setdefault(candidate.id, candidate)
    return tuple(found.values())


def _candidate(material: Material, one: Suspicion) -> Candidate:
    controls = controls_for(material, one)
    way = reached(material, one)
    tried = challenges(material, one, controls)
    safe = _safe(one)
    reach, why = _reach(one, way, tried)
    control = controls[0][0].id if controls else ""
    asset = _asset(one, way, controls)
    return Candidate(
        id=digest_id("S", one.kind, one.route, one.symbol, one.path, asset),
        kind=one.kind,
        area=one.area,
        title=_title(one),
        leads=tuple(dict.fromkeys(lead.id for lead in one.leads)),
        route=one.route,
        control=control,
        asset=asset,
        attacker=_attacker(material, one, way),
        reach=reach,
        reach_why=why,
        challenges=tried,
        state=_state(one, reach, tried, bool(safe)),
        missing=_missing(one, way, tried),
        preconditions=_preconditions(material, one),
        impact_observed=_observed(one),
        impact_inferred=_inferred(one),
        safe_verification=safe,
        slice=_slice(material, one, tried),
        kept_out=way.kept_out,
        citations=cited(*(lead.citations for lead in one.leads), way.citations, _stated(one)),
    )


def _stated(one: Suspicion) -> tuple[Citation, ...]:
    return (one.stated[1],) if one.stated is not None else ()


def _state(one: Suspicion, reach: Reach, tried: Sequence[Challenge], safe: bool) -> State:
    if any(each.standing is Standing.PRESENT for each in tried):
        return State.REFUTED
    searched = bool(tried) and all(each.standing is Standing.ABSENT for each in tried)
    supported = reach is Reach.SHOWN and bool(one.shown) and searched and safe
    return State.SUPPORTED if supported else State.HYPOTHESIS


def _reach(one: Suspicion, way: Reached, tried: Sequence[Challenge]) -> tuple[Reach, Text]:
    """Where no line is shown, or a place was not searched, it is not known whether the attacker gets through."""
    lacks = _lacks(one)
    if way.reach is Reach.SHOWN and lacks:
        return Reach.UNKNOWN, (*way.why, "; whether the caller reaches what the lines use is not shown")
    if way.reach is Reach.SHOWN and not one.shown:
        return Reach.UNKNOWN, (*way.why, "; no source line shows what would be reached")
    unknown = [each for each in tried if each.standing is Standing.UNKNOWN]
    if way.reach is Reach.SHOWN and unknown and not any(each.standing is Standing.PRESENT for each in tried):
        return Reach.UNKNOWN, (*way.why, "; whether something stands between is not known: ", *unknown[0].place)
    return way.reach, way.why


def _lacks(one: Suspicion) -> Text:
    """What every own lead's lines leave out; () where one of them shows all."""
    own = [lead for lead in one.shown if lead.tool == "evreview"]
    return own[0].lacks if own and all(lead.lacks for lead in own) else ()


def _asset(one: Suspicion, way: Reached, controls: Sequence[Listed]) -> str:
    if one.stated is not None and one.stated[0].asset:
        return one.stated[0].asset
    if way.path is not None and (not one.whole or one.area is Area.AUTHENTICATION):
        return way.path.asset  # where nobody is asked who calls, every way leads to what it leads to
    return next((asset for control, _ in controls for asset in control.assets), "")


def _attacker(material: Material, one: Suspicion, way: Reached) -> str:
    """The position assumed; "" where several reach the route and what its guard is worth is what is suspected."""
    if way.reach is not Reach.SHOWN or way.path is None:
        return (one.stated[0].attacker or "") if one.stated is not None else ""
    if one.area is not Area.AUTHENTICATION or (one.stated and one.stated[0].attacker == way.path.actor):
        return way.path.actor
    key = operation_key(one.route)
    there = [path.actor for path in material.trust.paths if path.in_reach and operation_key(path.route) == key]
    return "" if passed(material, one) and len(set(there)) > 1 else way.path.actor


def _title(one: Suspicion) -> Text:
    if one.rule is not None:
        return (one.rule.title,)
    return (Subject(one.stated[0].title),) if one.stated is not None else one.leads[0].says


def _safe(one: Suspicion) -> Text:
    """The harmless check; empty where only a reviewer suspects it and names none (W3-F3)."""
    if one.rule is not None:
        return (one.rule.verify,)
    if one.stated is not None:
        return (Subject(one.stated[0].safe_verification),) if one.stated[0].safe_verification else ()
    return (READ_LINES[one.area],)


def _preconditions(material: Material, one: Suspicion) -> tuple[Text, ...]:
    found: list[Text] = [("the attacker ", one.rule.attacker)] if one.rule is not None else []
    found += [("the attacker gets past ", Subject(guard.name)) for guard in passed(material, one)[:1]]
    if one.stated is not None:
        found += [(Subject(each),) for each in one.stated[0].preconditions]
    return tuple(found) or (("not stated",),)


def _observed(one: Suspicion) -> Text:
    """What the cited lines show, and nothing that follows from it."""
    if not one.shown:
        return ("nothing in the supplied sources; another tool or person reports it",)
    lead = one.shown[0]
    where = Subject(lead.symbol or lead.path)
    if lead.tool == "reviewer":
        return text("the quoted lines stand in ", where, "; what they mean is the reviewer's view")
    return text("in ", where, ": ", *lead.says)


def _inferred(one: Suspicion) -> Text:
    if one.stated is not None and one.stated[0].impact:
        return (Subject(one.stated[0].impact),)
    return (one.rule.impact,) if one.rule is not None else ("not told; it depends on what the lines protect",)


def _missing(one: Suspicion, way: Reached, tried: Sequence[Challenge]) -> tuple[Text, ...]:
    found: list[Text] = list(way.missing)
    found += [(*each.place, ": ", *each.why) for each in tried if each.standing is Standing.UNKNOWN]
    if _lacks(one):
        found.append(_lacks(one))
    if not one.shown:
        found.append(("source lines that show it; a report alone does not: ", Subject(one.path or one.kind)))
    if not _safe(one):
        found.append(("a way to check it without harm",))
    return tuple(dict.fromkeys(found))


# What was judged


def _slice(material: Material, one: Suspicion, tried: Iterable[Challenge]) -> str:
    """sha256 over the functions that hold the lines and over what the challenges read, wherever they stand."""
    parts = [one.kind, *_functions(material, one)]
    for each in tried:
        parts.append(str(each.standing))
        parts += [resolve(material.bundle, citation) or "" for citation in each.citations]
    data = b"".join(b"%d:%s" % (len(raw), raw) for part in parts for raw in [part.encode("utf-8", "surrogatepass")])
    return hashlib.sha256(data).hexdigest()


def _functions(material: Material, one: Suspicion) -> Iterable[str]:
    for lead in one.leads:
        if lead.spot is None:
            continue
        item = material.bundle.items.get(lead.spot.item)
        around = named(material.reading, lead.spot.item, lead.path, lead.symbol) if lead.symbol else None
        first, last = (around.first, around.last) if around is not None else (lead.spot.first, lead.spot.last)
        lines = item.content.splitlines() if item is not None else []
        yield "\n".join(lines[first - 1 : last])
