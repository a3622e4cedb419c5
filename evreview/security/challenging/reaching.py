"""Whether an assumed attacker gets to the lines: a registered handler, on a way of the trust map that starts there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evreview.evidence.item import Citation
from evreview.evidence.mention import operation_key
from evreview.prose import Subject, Text
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.excerpts import cited
from evreview.security.model import Reach, TrustPath
from evreview.vocab import Area


@dataclass(frozen=True, slots=True)
class Reached:
    """What is shown about reachability.

    Attributes:
        why: in words.
        missing: what would decide it.
        path: the way that shows it, or the first of those that lead there.
    """

    reach: Reach
    why: Text
    missing: tuple[Text, ...]
    path: TrustPath | None
    citations: tuple[Citation, ...]


def reached(material: Material, one: Suspicion) -> Reached:
    """Shown, refuted or unknown, and by what."""
    if not one.route:
        return _unrouted(one)
    if one.whole:
        return _judged(material, one, [path for path in material.trust.paths if path.route])
    route = material.route(one.route)
    if route is None:
        why: Text = ("no supplied source registers ", Subject(one.route))
        return Reached(Reach.UNKNOWN, why, (("the source that registers ", Subject(one.route)),), None, ())
    key = operation_key(one.route)
    ways = [path for path in material.trust.paths if operation_key(path.route) == key]
    found = _judged(material, one, ways)
    return Reached(found.reach, found.why, found.missing, found.path, cited(found.citations, route.spot.citations))


def _unrouted(one: Suspicion) -> Reached:
    where: Text = (Subject(one.symbol or one.path),) if one.symbol or one.path else ("the lines",)
    if one.area is Area.SECRETS:
        missing: Text = ("who can read the source and what is built from it",)
        return Reached(Reach.UNKNOWN, ("no evidence says who can read the source",), (missing,), None, ())
    missing = ("the registration of the route that reaches ", *where)
    return Reached(Reach.UNKNOWN, ("no registered route is shown to reach ", *where), (missing,), None, ())


def _judged(material: Material, one: Suspicion, ways: Sequence[TrustPath]) -> Reached:
    assumed = one.stated[0].attacker if one.stated else None
    route: Text = ("the application",) if one.whole else (Subject(one.route),)
    if not ways:
        why: Text = ("the trust model names no entry point for ", *route)
        return Reached(Reach.UNKNOWN, why, (("an entry point of the trust model for ", *route),), None, ())
    starting = [path for path in ways if path.in_reach]
    starting = [path for path in starting if path.actor == assumed] or starting
    open_ways = [path for path in starting if not path.gaps]
    if open_ways:
        path = open_ways[0]
        why = (*route, " is registered, and ", Subject(path.actor), ", an assumed attacker position, reaches it")
        return Reached(Reach.SHOWN, why, (), path, path.citations)
    if starting:
        gaps = starting[0].gaps
        return Reached(
            Reach.UNKNOWN, ("the way there can't be traced: ", *gaps[0]), gaps, starting[0], ways[0].citations
        )
    if material.trust.missing or not _positions(material):
        why = ("the trust model does not say which positions an attacker may be assumed in",)
        return Reached(Reach.UNKNOWN, why, (("the allowed attacker positions",),), ways[0], ways[0].citations)
    why = ("only ", Subject(ways[0].actor), " reaches ", *route, ", which is no assumed attacker position")
    return Reached(Reach.REFUTED, why, (), ways[0], ways[0].citations)


def _positions(material: Material) -> tuple[str, ...]:
    return (material.model.record.attacker_positions or ()) if material.model is not None else ()
