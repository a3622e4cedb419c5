"""Step 2 of a security review: the trust model validated against code, configuration and deployment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evreview.codefacts.model import Route
from evreview.core.quoted_text import Subject
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Control, DeploymentRecord, SecurityInventory, TrustModel
from evreview.security.mapped import TrustGap
from evreview.security.revisions import reviewed
from evreview.security.trust.deployed import deployment_tie
from evreview.security.trust.fields import missing_fields
from evreview.security.trust.gaps import (
    DANGLING,
    OTHER_DEPLOYMENT,
    OTHER_REVISION,
    REPEATED,
    TOO_MANY,
    UNCROSSED_BOUNDARY,
    UNMAPPED_ROUTE,
    UNREACHED_ASSET,
    UNTRACED,
    gap,
)
from evreview.security.trust.paths import MAX_PATHS, Known, known_ids, trust_paths
from evreview.workflows.w3.access_control.entry_points import function_of
from evreview.workflows.w3.model import TrustMap, TrustPath
from evreview.workflows.w3.step2_boundary_evidence import Registered, boundary_backings, by_key, transition_backings


def trust_map(
    model: Cited[TrustModel] | None, routes: Sequence[Route], bundle: Bundle, *, partial: bool = False
) -> TrustMap:
    """The map of a model: paths, what supports each boundary, and everything that it lacks.

    Args:
        model: the trust model; without one all of its fields are missing.
        routes: what the inspected code registers, declared routes included.
        partial: files that no reader reads may register further routes; what is traceable is reviewed then.
        bundle: for excerpts, deployment records, the revision under review, and the controls asked about.
    """
    tie = deployment_tie(bundle)
    if model is None:
        return TrustMap(paths=(), backings=(), transitions=(), missing=missing_fields(None), deployment=tie)
    registered = by_key(routes)
    paths, more = trust_paths(model, registered)
    gaps = [
        *_revision(model, bundle),
        *_deployed(bundle),
        *_ids(model, known_ids(model.record)),
        *((_too_many(model),) if more else ()),
        *_controls(bundle, paths, partial=partial),
        *_unused(model, paths),
        *_unmapped(model, registered),
    ]
    return TrustMap(
        paths=paths,
        backings=boundary_backings(model, registered, bundle),
        transitions=transition_backings(model, bundle),
        missing=missing_fields(model.record),
        gaps=tuple(dict.fromkeys(gaps)),
        deployment=tie,
    )


def _revision(model: Cited[TrustModel], bundle: Bundle) -> Iterator[TrustGap]:
    wanted = reviewed(bundle)
    stated = model.record.revision
    if stated and wanted and not same_revision(stated, wanted):
        words = ("the model is of ", Subject(stated), ", the review is of ", Subject(wanted))
        yield gap(OTHER_REVISION, *words, on=(model.at("/revision"),))


def _deployed(bundle: Bundle) -> Iterator[TrustGap]:
    wanted = reviewed(bundle)
    for found in records_of(bundle, DeploymentRecord):
        stated = found.record.revision
        if stated and wanted and not same_revision(stated, wanted):
            words = (
                Subject(found.record.environment),
                " runs ",
                Subject(stated),
                ", the review is of ",
                Subject(wanted),
            )
            yield gap(OTHER_DEPLOYMENT, *words, on=(found.at("/revision"),))


def _ids(model: Cited[TrustModel], known: Known) -> Iterator[TrustGap]:
    """Ids that nothing describes, or that several things have."""
    record = model.record
    for name in ("actors", "entry_points", "identity_transitions", "assets", "boundaries"):
        counted = Counter(entry.id for entry in getattr(record, name) or ())
        for entry_id, number in counted.items():
            if number > 1:
                words = (f"{number} {name.replace('_', ' ')} have the id ", Subject(entry_id))
                yield gap(REPEATED, *words, on=(model.at(f"/{name}"),))
    for place, entry in enumerate(record.entry_points or ()):
        at = (model.at(f"/entry_points/{place}"),)
        yield from _dangling("actor", entry.actors, known.actors, at)
        yield from _dangling("boundary", entry.boundaries, known.boundaries, at)
        yield from _dangling("asset", entry.assets, known.assets, at)
    for place, position in enumerate(record.attacker_positions or ()):
        yield from _dangling("actor", (position,), known.actors, (model.at(f"/attacker_positions/{place}"),))
    places = {**known.boundaries, **{entry.id: 0 for entry in record.entry_points or ()}}
    for place, transition in enumerate(record.identity_transitions or ()):
        if transition.at is not None:
            at = (model.at(f"/identity_transitions/{place}"),)
            yield from _dangling("entry point or boundary", (transition.at,), places, at)


def _dangling(kind: str, named: Sequence[str], known: dict[str, int], at: tuple[Citation, ...]) -> Iterator[TrustGap]:
    for name in dict.fromkeys(named):
        if name not in known:
            yield gap(DANGLING, f"no {kind} has the id ", Subject(name), "; describe it or correct the id", on=at)


def _too_many(model: Cited[TrustModel]) -> TrustGap:
    says = f"more than {MAX_PATHS} paths; name at each entry point only the actors and assets that belong to it"
    return gap(TOO_MANY, says, on=(model.at("/entry_points"),))


def _controls(bundle: Bundle, paths: Sequence[TrustPath], *, partial: bool) -> Iterator[TrustGap]:
    """Controls of the inventory that no traceable path leads over; they decide where nothing else could be read."""
    traced = [path for path in paths if not path.gaps]
    named = _named(bundle)
    for inventory in records_of(bundle, SecurityInventory):
        for place, control in enumerate(inventory.record.controls):
            if not any(_leads_over(path, control, named) for path in traced):
                says = ("no path over the control ", Subject(control.id), " can be traced; name an entry point with")
                rest = " one of its routes and boundaries, and the code that registers the route"
                found = gap(UNTRACED, *says, rest, on=(inventory.at(f"/controls/{place}"),))
                yield replace(found, decides=False) if partial and traced else found


def _named(bundle: Bundle) -> dict[str, frozenset[str]]:
    """How the trust model calls each entry point that is no route: by what stands for its route, and by its id."""
    model = first_of(bundle, TrustModel)
    entries = (model.record.entry_points or ()) if model else ()
    return {
        entry.id: frozenset(operation_key(name) for name in (function_of(entry), entry.id) if name)
        for entry in entries
        if not entry.route or function_of(entry)
    }


def _leads_over(path: TrustPath, control: Control, named: Mapping[str, frozenset[str]]) -> bool:
    keys = {operation_key(route) for route in control.routes}
    at_route = "*" in control.routes or (bool(path.route) and operation_key(path.route) in keys)
    at_route |= bool(keys & named.get(path.entry_point, frozenset()))
    return at_route and (not control.boundaries or bool(set(control.boundaries) & set(path.boundaries)))


def _unused(model: Cited[TrustModel], paths: Sequence[TrustPath]) -> Iterator[TrustGap]:
    reached = {path.asset for path in paths}
    for place, asset in enumerate(model.record.assets or ()):
        if asset.id not in reached:
            says = ("no entry point leads to the asset ", Subject(asset.id))
            yield gap(UNREACHED_ASSET, *says, on=(model.at(f"/assets/{place}"),))
    crossed = {boundary for path in paths for boundary in path.boundaries}
    for place, boundary in enumerate(model.record.boundaries or ()):
        if boundary.id not in crossed:
            says = ("no entry point crosses the boundary ", Subject(boundary.id))
            yield gap(UNCROSSED_BOUNDARY, *says, on=(model.at(f"/boundaries/{place}"),))


def _unmapped(model: Cited[TrustModel], registered: Registered) -> Iterator[TrustGap]:
    named = {operation_key(entry.route) for entry in model.record.entry_points or () if entry.route}
    for key, routes in registered.items():
        if key not in named:
            route = routes[0]
            words = ("the code registers ", Subject(f"{route.method} {route.path}"), ", and no entry point has it")
            yield gap(UNMAPPED_ROUTE, *words, on=route.spot.citations)
