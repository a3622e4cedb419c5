"""Every way from an actor through an entry point and its boundaries to an asset, and why one can't be followed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from evreview.codefacts.model import Route
from evreview.core.quoted_text import Subject, Text
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.security import EntryPoint, TrustModel
from evreview.workflows.w3.access_control.entry_points import function_of
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import TrustPath
from evreview.workflows.w3.step2_boundary_evidence import Registered

MAX_PATHS: Final = 2_000
"""Paths listed; nobody reads more, and the gap says so."""


@dataclass(frozen=True, slots=True)
class Known:
    """The ids that a model describes, each with its place in its list."""

    actors: dict[str, int]
    assets: dict[str, int]
    boundaries: dict[str, int]
    positions: frozenset[str]


def known_ids(model: TrustModel) -> Known:
    """The first place of every id."""

    def places(values: Collection[object]) -> dict[str, int]:
        found: dict[str, int] = {}
        for place, value in enumerate(values):
            found.setdefault(str(getattr(value, "id", "")), place)
        return found

    return Known(
        actors=places(model.actors or ()),
        assets=places(model.assets or ()),
        boundaries=places(model.boundaries or ()),
        positions=frozenset(model.attacker_positions or ()),
    )


def trust_paths(model: Cited[TrustModel], registered: Registered) -> tuple[tuple[TrustPath, ...], bool]:
    """The paths in the order stated, and whether there are more than are listed."""
    known = known_ids(model.record)
    found = tuple(islice(_all(model, registered, known), MAX_PATHS + 1))
    return found[:MAX_PATHS], len(found) > MAX_PATHS


def _all(model: Cited[TrustModel], registered: Registered, known: Known) -> Iterator[TrustPath]:
    for place, entry in enumerate(model.record.entry_points or ()):
        at = model.at(f"/entry_points/{place}")
        shared = tuple(_gaps(entry, registered, known))
        routes = _routes(entry, registered)
        spots = cited(*(route.spot.citations for route in routes))
        ways = dict.fromkeys(f"{route.method} {route.path}" for route in routes) or ("",)
        for actor in dict.fromkeys(entry.actors or ("",)):
            for asset in dict.fromkeys(entry.assets or ("",)):
                own = tuple(_end_gaps(actor, asset, known))
                for way in ways:
                    yield TrustPath(
                        actor=actor,
                        entry_point=entry.id,
                        boundaries=entry.boundaries,
                        asset=asset,
                        route=way,
                        in_reach=actor in known.positions,
                        gaps=(*own, *shared),
                        citations=cited((at,), _ends(model, actor, asset, known), spots),
                    )


def _routes(entry: EntryPoint, registered: Registered) -> Sequence[Route]:
    """What the code has for an entry point: the registrations of its route, or its function; of a class its methods."""
    name = function_of(entry)
    if not name:
        found = registered.get(operation_key(entry.route), ()) if entry.route else ()
        return [replace(route, method=found[0].method, path=found[0].path) for route in found]
    key = operation_key(name)
    return registered.get(key) or [one for at, some in registered.items() if at.startswith(f"{key}.") for one in some]


def _gaps(entry: EntryPoint, registered: Registered, known: Known) -> Iterator[Text]:
    """Why no path through an entry point can be followed."""
    if entry.route and not function_of(entry) and not _routes(entry, registered):
        yield ("no inspected code registers ", Subject(entry.route), "; supply the source that does, or declare it")
    if entry.function and not _routes(entry, registered):
        yield ("no one inspected file has the function ", Subject(entry.function), "; supply it, or name it in full")
    if not entry.route and not entry.function and not entry.describes:
        yield ("the entry point names no route or function and is not described",)
    if not entry.boundaries:
        yield ("the entry point crosses no boundary; name those between it and the assets",)
    for boundary in dict.fromkeys(entry.boundaries):
        if boundary not in known.boundaries:
            yield ("no boundary has the id ", Subject(boundary))


def _end_gaps(actor: str, asset: str, known: Known) -> Iterator[Text]:
    if not actor:
        yield ("the entry point names no actor",)
    elif actor not in known.actors:
        yield ("no actor has the id ", Subject(actor))
    if not asset:
        yield ("the entry point names no asset",)
    elif asset not in known.assets:
        yield ("no asset has the id ", Subject(asset))


def _ends(model: Cited[TrustModel], actor: str, asset: str, known: Known) -> tuple[Citation, ...]:
    found: list[Citation] = []
    if actor in known.actors:
        found.append(model.at(f"/actors/{known.actors[actor]}"))
    if asset in known.assets:
        found.append(model.at(f"/assets/{known.assets[asset]}"))
    return tuple(found)
