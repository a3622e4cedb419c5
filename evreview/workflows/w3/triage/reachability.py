"""Whether an assumed attacker gets to the lines: a registered handler, on a way of the trust map that starts there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import Guard
from evreview.core.quoted_text import Text, UserText, listed, text
from evreview.core.vocabulary import Area
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Actor
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, words
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import Reach, TrustPath
from evreview.workflows.w3.triage.compensating_controls import passed
from evreview.workflows.w3.triage.lead_groups import LeadGroup, TriageInput, kinds_of

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
