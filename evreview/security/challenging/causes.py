"""One cause is one finding: what stands in the same lines, however many routes lead there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import Text, listed
from evreview.security.leads.ids import digest_id
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import Candidate, Challenge, Lead, State

_ORDER: Final = (State.SUPPORTED, State.HYPOTHESIS, State.REFUTED)
_Key = tuple[object, ...]


def by_cause(candidates: Iterable[Candidate], leads: Mapping[str, Lead]) -> tuple[Candidate, ...]:
    """The candidates, those of one cause as one, in the order of the first of each.

    One cause is one kind in the same lines. What a compensating control refutes on some routes stands apart.
    """
    groups: dict[_Key, list[Candidate]] = {}
    for each in apart(candidates):
        groups.setdefault(_key(each, leads), []).append(each)
    return tuple(_joined(members, leads) for members in groups.values())


def apart(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
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
        reach_why=_reach(first, alike, ordered),
        challenges=_challenges(alike),
        missing=tuple(dict.fromkeys(lack for each in alike for lack in each.missing)),
        preconditions=tuple(dict.fromkeys(need for each in alike for need in each.preconditions)),
        slice=hashlib.sha256("\n".join(sorted(each.slice for each in alike)).encode()).hexdigest(),
        citations=cited(*(each.citations for each in alike)),
        validated=any(each.validated for each in alike),
        members=tuple(ordered),
    )


def _reach(first: Candidate, alike: Sequence[Candidate], ordered: Sequence[Candidate]) -> Text:
    others = listed(each.route for each in alike[1:])
    rest = listed(each.route for each in ordered[len(alike) :])
    same: Text = ("; the same holds of ", *others) if others else ()
    return (*first.reach_why, *same, *(("; not shown of ", *rest) if rest else ()))


def _challenges(members: Sequence[Candidate]) -> tuple[Challenge, ...]:
    """Every place once, with what was cited for it on any route."""
    found: dict[_Key, Challenge] = {}
    for each in (one for member in members for one in member.challenges):
        key = (each.place, each.standing, each.why)
        known = found.get(key)
        found[key] = replace(each, citations=cited(known.citations, each.citations)) if known else each
    return tuple(found.values())
