"""Suspicions against the evidence: supported, hypothesis or refuted; and whether an attacker gets to the lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import Guard
from evreview.core.quoted_text import Text, UserText, listed, text
from evreview.core.vocabulary import Area
from evreview.evidence.citation import resolve
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Actor
from evreview.workflows.w3.abuse_cases.lead_intake import named
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, words
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.leads.catalogue import READ_LINES
from evreview.workflows.w3.model import Candidate, ControlCandidate, Lead, Reach, Standing, State, TrustPath, digest_id
from evreview.workflows.w3.triage.compensating_controls import challenges, controls_for, passed
from evreview.workflows.w3.triage.lead_groups import LeadGroup, Listed, TriageInput, kinds_of, suspicions

__all__ = ["TriageInput", "challenge"]


def challenge(material: TriageInput) -> tuple[Candidate, ...]:
    """One candidate per suspicion, in the order of the leads; refuted ones are kept, with what refutes them."""
    found: dict[str, Candidate] = {}
    for one in suspicions(material):
        candidate = _candidate(material, one)
        found.setdefault(candidate.id, candidate)
    return tuple(found.values())


def _candidate(material: TriageInput, one: LeadGroup) -> Candidate:
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


def _stated(one: LeadGroup) -> tuple[Citation, ...]:
    return (one.stated[1],) if one.stated is not None else ()


def _state(one: LeadGroup, reach: Reach, tried: Sequence[ControlCandidate], safe: bool) -> State:
    if any(each.standing is Standing.PRESENT for each in tried):
        return State.REFUTED
    searched = bool(tried) and all(each.standing is Standing.ABSENT for each in tried)
    supported = reach is Reach.SHOWN and bool(one.shown) and searched and safe
    return State.SUPPORTED if supported else State.HYPOTHESIS


def _reach(one: LeadGroup, way: Reachability, tried: Sequence[ControlCandidate]) -> tuple[Reach, Text]:
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


def _lacks(one: LeadGroup) -> Text:
    """What every own lead's lines leave out; () where one of them shows all."""
    own = [lead for lead in one.shown if lead.tool == "evreview"]
    return own[0].lacks if own and all(lead.lacks for lead in own) else ()


def _asset(one: LeadGroup, way: Reachability, controls: Sequence[Listed]) -> str:
    if one.stated is not None and one.stated[0].asset:
        return one.stated[0].asset
    if way.path is not None and (not one.whole or one.area is Area.AUTHENTICATION):
        return way.path.asset  # where nobody is asked who calls, every way leads to what it leads to
    return next((asset for control, _ in controls for asset in control.assets), "")


def _attacker(material: TriageInput, one: LeadGroup, way: Reachability) -> str:
    """The position assumed; "" where several reach the route and what its guard is worth is what is suspected."""
    if way.reach is not Reach.SHOWN or way.path is None:
        return (one.stated[0].attacker or "") if one.stated is not None else ""
    if one.area is not Area.AUTHENTICATION or (one.stated and one.stated[0].attacker == way.path.actor):
        return way.path.actor
    key = operation_key(one.route)
    there = [path.actor for path in material.trust.paths if path.in_reach and operation_key(path.route) == key]
    return "" if passed(material, one) and len(set(there)) > 1 else way.path.actor


def _title(one: LeadGroup) -> Text:
    if one.rule is not None:
        return (one.rule.title,)
    return (UserText(one.stated[0].title),) if one.stated is not None else one.leads[0].says


def _safe(one: LeadGroup) -> Text:
    """The harmless check; empty where only a reviewer suspects it and names none (W3-F3)."""
    if one.rule is not None:
        return (one.rule.verify,)
    if one.stated is not None:
        return (UserText(one.stated[0].safe_verification),) if one.stated[0].safe_verification else ()
    return (READ_LINES[one.area],)


def _preconditions(material: TriageInput, one: LeadGroup) -> tuple[Text, ...]:
    found: list[Text] = [("the attacker ", one.rule.attacker)] if one.rule is not None else []
    found += [("the attacker gets past ", UserText(guard.name)) for guard in passed(material, one)[:1]]
    if one.stated is not None:
        found += [(UserText(each),) for each in one.stated[0].preconditions]
    return tuple(found) or (("not stated",),)


def _observed(one: LeadGroup) -> Text:
    """What the cited lines show, and nothing that follows from it."""
    if not one.shown:
        return ("nothing in the supplied sources; another tool or person reports it",)
    lead = one.shown[0]
    where = UserText(lead.symbol or lead.path)
    if lead.tool == "reviewer":
        return text("the quoted lines stand in ", where, "; what they mean is the reviewer's view")
    return text("in ", where, ": ", *lead.says)


def _inferred(one: LeadGroup) -> Text:
    if one.stated is not None and one.stated[0].impact:
        return (UserText(one.stated[0].impact),)
    return (one.rule.impact,) if one.rule is not None else ("not told; it depends on what the lines protect",)


def _missing(one: LeadGroup, way: Reachability, tried: Sequence[ControlCandidate]) -> tuple[Text, ...]:
    found: list[Text] = list(way.missing)
    found += [(*each.place, ": ", *each.why) for each in tried if each.standing is Standing.UNKNOWN]
    if _lacks(one):
        found.append(_lacks(one))
    if not one.shown:
        found.append(("source lines that show it; a report alone does not: ", UserText(one.path or one.kind)))
    if not _safe(one):
        found.append(("a way to check it without harm",))
    return tuple(dict.fromkeys(found))


# What was judged


def _slice(material: TriageInput, one: LeadGroup, tried: Iterable[ControlCandidate]) -> str:
    """sha256 over the functions that hold the lines and over what the challenges read, wherever they stand."""
    parts = [one.kind, *_functions(material, one)]
    for each in tried:
        parts.append(str(each.standing))
        parts += [resolve(material.bundle, citation) or "" for citation in each.citations]
    data = b"".join(b"%d:%s" % (len(raw), raw) for part in parts for raw in [part.encode("utf-8", "surrogatepass")])
    return hashlib.sha256(data).hexdigest()


def _functions(material: TriageInput, one: LeadGroup) -> Iterable[str]:
    for lead in one.leads:
        if lead.spot is None:
            continue
        item = material.bundle.items.get(lead.spot.item)
        around = named(material.reading, lead.spot.item, lead.path, lead.symbol) if lead.symbol else None
        first, last = (around.first, around.last) if around is not None else (lead.spot.first, lead.spot.last)
        lines = item.content.splitlines() if item is not None else []
        yield "\n".join(lines[first - 1 : last])


# One cause is one finding: what stands in the same lines, however many routes lead there.


_ORDER: Final = (State.SUPPORTED, State.HYPOTHESIS, State.REFUTED)
_Key = tuple[object, ...]


def by_cause(candidates: Iterable[Candidate], leads: Mapping[str, Lead]) -> tuple[Candidate, ...]:
    """The candidates, those of one cause as one, in the order of the first of each.

    One cause is one kind in the same lines. What a compensating control refutes on some routes stands ungrouped.
    """
    groups: dict[_Key, list[Candidate]] = {}
    for each in ungrouped(candidates):
        groups.setdefault(_key(each, leads), []).append(each)
    return tuple(_joined(members, leads) for members in groups.values())


def ungrouped(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each route's candidate by itself again."""
    return tuple(one for each in candidates for one in (each.members or (each,)))


def _key(each: Candidate, leads: Mapping[str, Lead]) -> _Key:
    """Kind and lines; a candidate without lines, or about the whole application, is a cause of its own."""
    places = frozenset(
        (lead.path, lead.symbol, lead.spot) for name in each.leads if (lead := leads.get(name)) and lead.spot
    )
    if not places or not each.route:
        return (each.id,)
    return (each.kind, each.area, places, each.state is State.REFUTED)


def _joined(members: Sequence[Candidate], leads: Mapping[str, Lead]) -> Candidate:
    if len(members) == 1:
        return members[0]
    ordered = sorted(members, key=lambda each: _ORDER.index(each.state))
    first = ordered[0]
    alike = [each for each in ordered if each.state is first.state]
    place = next((lead for name in first.leads if (lead := leads.get(name))), None)
    where = (place.symbol, place.path) if place else ("", "")
    refuted = (str(first.state),) if first.state is State.REFUTED else ()
    return replace(
        first,
        id=digest_id("S", first.kind, "every route", *where, first.asset, *refuted),
        leads=tuple(dict.fromkeys(lead for each in ordered for lead in each.leads)),
        reach_why=_joined_reach(first, alike, ordered),
        challenges=_challenges(alike),
        missing=tuple(dict.fromkeys(lack for each in alike for lack in each.missing)),
        preconditions=tuple(dict.fromkeys(need for each in alike for need in each.preconditions)),
        slice=hashlib.sha256("\n".join(sorted(each.slice for each in alike)).encode()).hexdigest(),
        citations=cited(*(each.citations for each in alike)),
        validated=any(each.validated for each in alike),
        members=tuple(ordered),
    )


def _joined_reach(first: Candidate, alike: Sequence[Candidate], ordered: Sequence[Candidate]) -> Text:
    others = listed(each.route for each in alike[1:])
    rest = listed(each.route for each in ordered[len(alike) :])
    same: Text = ("; the same holds of ", *others) if others else ()
    return (*first.reach_why, *same, *(("; not shown of ", *rest) if rest else ()))


def _challenges(members: Sequence[Candidate]) -> tuple[ControlCandidate, ...]:
    """Every place once, with what was cited for it on any route."""
    found: dict[_Key, ControlCandidate] = {}
    for each in (one for member in members for one in member.challenges):
        key = (each.place, each.standing, each.why)
        known = found.get(key)
        found[key] = replace(each, citations=cited(known.citations, each.citations)) if known else each
    return tuple(found.values())


# A bounded local plan for a suspicion that could not be decided: nothing runs without the security owner's gate.


def local_plan(candidate: Candidate) -> tuple[Text, ...]:
    """The steps of a local check, in order; each is a proposal."""
    aim: Text = candidate.safe_verification or (
        "agree with the security owner on a check without harm; until then no check is proposed",
    )
    where = UserText(candidate.route or candidate.control or candidate.kind)
    return (
        text("Get the security owner's approval for a local check of ", where, "."),
        ("Start the reviewed revision alone in an isolated environment: loopback only, no credentials of real systems, "
         "synthetic data.",),
        aim,
        ("Stop at the first sign of network access outside the fixture, or of a write outside its folder.",),
        ("Keep command, revision, environment, exit status and output as a test record; throw the fixture away.",),
        ("Continue at step 6 with the retained result, or stop without a claim.",),
    )  # fmt: skip


def is_unsafe(candidate: Candidate) -> bool:
    """True for a suspicion that no safe verification is known for."""
    return candidate.state is State.HYPOTHESIS and not candidate.safe_verification


# Which assumed attackers get past the guards that stand before the suspected lines.


NAMELESS: Final = frozenset(
    {"anyone", "anybody", "anonymous", "everyone", "everybody", "outsider", "outsiders", "unauthenticated", "public",
     "stranger", "visitor", "passerby", "unknown", "nobody"}
)  # fmt: skip
"""Words by which a trust model calls somebody who has no credentials of the service."""


@dataclass(frozen=True, slots=True)
class GuardPassage:
    """The ways to a route, told apart by the guards in front of it.

    Attributes:
        through: those whose actor gets past.
        open: those of which the evidence does not tell.
        kept_out: ids of the actors that a guard refuses.
        guard: the guard that decides, None without one.
    """

    through: tuple[TrustPath, ...]
    open: tuple[TrustPath, ...] = ()
    kept_out: tuple[str, ...] = ()
    guard: Guard | None = None


def passing(material: TriageInput, ways: Sequence[TrustPath], guards: Iterable[Guard]) -> GuardPassage:
    """Whoever has no credentials passes no guard that asks for some; whether others have a right is not known."""
    told = tuple(guards)
    asking = [guard for guard in told if kinds_of(guard) & {"authentication", "authorization"}]
    nameless = {path.actor for path in ways if is_nameless(material, path.actor)} if asking else set()
    kept_out = tuple(dict.fromkeys(path.actor for path in ways if path.actor in nameless))
    if all(guard.unless for guard in asking):
        kept_out = ()  # a condition may let them past
    left = tuple(path for path in ways if path.actor not in kept_out)
    beyond = next((guard for guard in told if kinds_of(guard) != {"authentication"}), None)
    if beyond is not None:
        return GuardPassage(through=(), open=left, kept_out=kept_out, guard=beyond)
    through = tuple(path for path in left if path.actor not in nameless)
    maybe = tuple(path for path in left if path.actor in nameless)
    return GuardPassage(through=through, open=maybe, kept_out=kept_out, guard=asking[0] if asking else None)


def is_nameless(material: TriageInput, actor: str) -> bool:
    """True for an actor whom the trust model's words call somebody without credentials."""
    stated = (material.model.record.actors or ()) if material.model is not None else ()
    one = next((each for each in stated if each.id == actor), None) or Actor(id=actor, name=actor)
    said = frozenset(words(f"{one.id} {one.name}"))
    holds = "with" in said and said & (CREDENTIALS | {"account", "login"})
    return bool(said & NAMELESS) and not holds


@dataclass(frozen=True, slots=True)
class Reachability:
    """What is shown about reachability.

    Attributes:
        why: in words.
        missing: what would decide it.
        path: the way that shows it, or the first of those that lead there.
        kept_out: ids of the assumed attackers that a guard of the route refuses.
    """

    reach: Reach
    why: Text
    missing: tuple[Text, ...]
    path: TrustPath | None
    citations: tuple[Citation, ...]
    kept_out: tuple[str, ...] = ()


def reached(material: TriageInput, one: LeadGroup) -> Reachability:
    """Shown, refuted or unknown, and by what."""
    if not one.route:
        return _unrouted(one)
    if one.whole:
        return _judged(material, one, [path for path in material.trust.paths if path.route])
    route = material.route(one.route)
    if route is None:
        why: Text = ("no supplied source registers ", UserText(one.route))
        return Reachability(Reach.UNKNOWN, why, (("the source that registers ", UserText(one.route)),), None, ())
    key = operation_key(one.route)
    ways = [path for path in material.trust.paths if operation_key(path.route) == key]
    found = _judged(material, one, ways)
    return replace(found, citations=cited(found.citations, route.spot.citations))


def _unrouted(one: LeadGroup) -> Reachability:
    where: Text = (UserText(one.symbol or one.path),) if one.symbol or one.path else ("the lines",)
    if one.area is Area.SECRETS:
        missing: Text = ("who can read the source and what is built from it",)
        return Reachability(Reach.UNKNOWN, ("no evidence says who can read the source",), (missing,), None, ())
    missing = ("the registration of the route that reaches ", *where)
    return Reachability(Reach.UNKNOWN, ("no registered route is shown to reach ", *where), (missing,), None, ())


def _judged(material: TriageInput, one: LeadGroup, ways: Sequence[TrustPath]) -> Reachability:
    assumed = one.stated[0].attacker if one.stated else None
    route: Text = ("the application",) if one.whole else (UserText(one.route),)
    if not ways:
        why: Text = ("the trust model names no entry point for ", *route)
        return Reachability(Reach.UNKNOWN, why, (("an entry point of the trust model for ", *route),), None, ())
    starting = [path for path in ways if path.in_reach]
    told = passing(material, starting, _guards(material, one))
    if starting and told.guard is not None and not told.through:
        return _stopped(route, told, starting)
    starting = [path for path in told.through if path.actor == assumed] or list(told.through)
    open_ways = [path for path in starting if not path.gaps]
    if open_ways:
        path = open_ways[0]
        why = (*route, " is registered, and ", UserText(path.actor), ", an assumed attacker position, reaches it")
        return Reachability(Reach.SHOWN, (*why, *_past(told)), (), path, path.citations, told.kept_out)
    if starting:
        gaps = starting[0].gaps
        return Reachability(
            Reach.UNKNOWN, ("the way there can't be traced: ", *gaps[0]), gaps, starting[0], ways[0].citations,
            told.kept_out,
        )  # fmt: skip
    if material.trust.missing or not _positions(material):
        why = ("the trust model does not say which positions an attacker may be assumed in",)
        return Reachability(Reach.UNKNOWN, why, (("the allowed attacker positions",),), ways[0], ways[0].citations)
    why = ("only ", UserText(ways[0].actor), " reaches ", *route, ", which is no assumed attacker position")
    return Reachability(Reach.REFUTED, why, (), ways[0], ways[0].citations)


def _guards(material: TriageInput, one: LeadGroup) -> tuple[Guard, ...]:
    """The guards that an attacker has to pass; a suspicion of the sign-in itself leaves open what they are worth."""
    return () if one.area is Area.AUTHENTICATION else passed(material, one)


def _past(told: GuardPassage) -> Text:
    return text(" past ", UserText(told.guard.name)) if told.guard is not None else ()


def _stopped(route: Text, told: GuardPassage, ways: Sequence[TrustPath]) -> Reachability:
    """No assumed position is shown to get past the guard."""
    name = UserText(told.guard.name) if told.guard is not None else ""
    on = cited(*(path.citations for path in ways), told.guard.spot.citations if told.guard is not None else ())
    if told.open:
        who = listed(dict.fromkeys(path.actor for path in told.open))
        why = text(*route, " is registered; whether ", *who, " gets past ", name, " is not known")
    else:
        why = text(*route, " is registered, and no assumed attacker position gets past ", name)
    missing = text("an assumed attacker position that has what ", name, " asks for")
    return Reachability(Reach.UNKNOWN, why, (missing,), ways[0], on, told.kept_out)


def _positions(material: TriageInput) -> tuple[str, ...]:
    return (material.model.record.attacker_positions or ()) if material.model is not None else ()
