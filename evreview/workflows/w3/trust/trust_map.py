"""The trust model validated against code, configuration and deployment; nothing counts for more than it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from evreview.codefacts.model import Route
from evreview.core.quoted_text import Part, Text, UserText, bare, listed, text
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.claim_types import ClaimKind, permits
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import (
    BackedBy,
    Boundary,
    Control,
    DeploymentRecord,
    EntryPoint,
    Excerpt,
    IdentityTransition,
    SecurityInventory,
    TrustModel,
)
from evreview.report.statement import Statement, limited
from evreview.workflows.w3.access_control.entry_points import function_of
from evreview.workflows.w3.excerpts import Shown, cited, own_revision, reviewed, revision_of, shown
from evreview.workflows.w3.model import Backing, BoundaryBacking, DeploymentTie, TrustGap, TrustMap, TrustPath

# What a trust model has to state. One field is one value; without it step 2 remains and names it.


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelField:
    """One thing that the model states.

    Attributes:
        id: kebab-case.
        words: how it is asked for.
        why: what can't be judged without it.
        stated: whether a model states it.
    """

    id: str
    words: str
    why: str
    stated: Callable[[TrustModel], bool]


FIELDS: Final = (
    ModelField(
        id="actors",
        words="the actors",
        why="nobody can be followed to an asset",
        stated=lambda model: bool(model.actors),
    ),
    ModelField(
        id="entry-points",
        words="the entry points",
        why="a path starts nowhere",
        stated=lambda model: bool(model.entry_points),
    ),
    ModelField(
        id="identity-transitions",
        words="the identity transitions; an empty list says that identities do not change",
        why="whose rights hold behind a boundary is not known",
        stated=lambda model: model.identity_transitions is not None,
    ),
    ModelField(
        id="assets",
        words="the sensitive assets",
        why="nothing tells what is worth protecting",
        stated=lambda model: bool(model.assets),
    ),
    ModelField(
        id="classifications",
        words="the data classification of every asset",
        why="a rubric rates by classification",
        stated=lambda model: bool(model.assets) and all(asset.classification for asset in model.assets or ()),
    ),
    ModelField(
        id="boundaries",
        words="at least one trust boundary",
        why="abuse cases are taken from boundaries",
        stated=lambda model: bool(model.boundaries),
    ),
    ModelField(
        id="attacker-position",
        words="the allowed attacker position: ids of the actors whose position is assumed",
        why="reachability is a question about a position",
        stated=lambda model: bool(model.attacker_positions),
    ),
    ModelField(
        id="excluded-capabilities",
        words="the excluded capabilities; an empty list says that none is",
        why="abuse cases have no bound",
        stated=lambda model: model.excluded_capabilities is not None,
    ),
)
"""Spec, W3 required inputs, trust model; and the precondition that assets and a boundary are identified."""


def missing_fields(model: TrustModel | None) -> tuple[str, ...]:
    """Everything that a model does not state, in words; all of it when there is none."""
    return tuple(field.words for field in FIELDS if model is None or not field.stated(model))


# What is wrong with a trust model, or left out of it. One rule is one value; those that decide keep step 2.


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRule:
    """One kind of gap.

    Attributes:
        id: kebab-case.
        decides: it keeps step 2 from advancing.
        why: why it does, or why it does not.
        example, counter_example: of a model, in words.
    """

    id: str
    decides: bool
    why: str
    example: str
    counter_example: str


DANGLING: Final = GapRule(
    id="dangling-id",
    decides=True,
    why="a path through something that is not described can't be followed",
    example="an entry point names the boundary `edge`, and no boundary has this id",
    counter_example="every id that is named is described once",
)
REPEATED: Final = GapRule(
    id="repeated-id",
    decides=True,
    why="what the id means can't be told",
    example="two assets have the id `orders`",
    counter_example="an actor and an asset have the same id",
)
UNTRACED: Final = GapRule(
    id="untraced-control",
    decides=True,
    why="step 2 advances when the paths for the requested controls are traceable",
    example="a control stands at the boundary `edge`, and every path over it has a gap",
    counter_example="one path over it has none",
)
TOO_MANY: Final = GapRule(
    id="too-many-paths",
    decides=True,
    why="what is not listed is not reviewed",
    example="60 actors, 60 entry points and 60 assets, all tied to each other",
    counter_example="entry points that name only who comes in there",
)
OTHER_REVISION: Final = GapRule(
    id="other-revision",
    decides=True,
    why="paths of another revision are not those under review",
    example="the model is of a commit that is not the authorized one",
    counter_example="the model names the authorized commit",
)
UNREACHED_ASSET: Final = GapRule(
    id="unreached-asset",
    decides=False,
    why="it may be reached within the service only; whoever reads the map should know",
    example="an asset that no entry point names",
    counter_example="an asset behind at least one entry point",
)
UNCROSSED_BOUNDARY: Final = GapRule(
    id="uncrossed-boundary",
    decides=False,
    why="no path can be attacked over it as far as the model says",
    example="a boundary that no entry point names",
    counter_example="a boundary on at least one path",
)
UNMAPPED_ROUTE: Final = GapRule(
    id="unmapped-route",
    decides=False,
    why="the model leaves a way in out; the matrix of controls has it all the same",
    example="the code registers `GET /health`, and no entry point has this route",
    counter_example="every registered route is an entry point",
)
OTHER_DEPLOYMENT: Final = GapRule(
    id="other-deployment",
    decides=False,
    why="nothing that stands in that deployment is known to stand around the reviewed revision",
    example="a deployment record names another commit than the reviewed one",
    counter_example="every deployment record names the reviewed commit",
)
TRUST_GAP_RULES: Final = (
    DANGLING, REPEATED, UNTRACED, TOO_MANY, OTHER_REVISION, UNREACHED_ASSET, UNCROSSED_BOUNDARY, UNMAPPED_ROUTE,
    OTHER_DEPLOYMENT,
)  # fmt: skip


def gap(rule: GapRule, *says: Part, on: tuple[Citation, ...] = ()) -> TrustGap:
    """A gap of a rule."""
    return TrustGap(kind=rule.id, says=text(*says), citations=on, decides=rule.decides)


# Every way from an actor through an entry point and its boundaries to an asset, and why one can't be followed.


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
        yield ("no inspected code registers ", UserText(entry.route), "; supply the source that does, or declare it")
    if entry.function and not _routes(entry, registered):
        yield ("no one inspected file has the function ", UserText(entry.function), "; supply it, or name it in full")
    if not entry.route and not entry.function and not entry.describes:
        yield ("the entry point names no route or function and is not described",)
    if not entry.boundaries:
        yield ("the entry point crosses no boundary; name those between it and the assets",)
    for boundary in dict.fromkeys(entry.boundaries):
        if boundary not in known.boundaries:
            yield ("no boundary has the id ", UserText(boundary))


def _end_gaps(actor: str, asset: str, known: Known) -> Iterator[Text]:
    if not actor:
        yield ("the entry point names no actor",)
    elif actor not in known.actors:
        yield ("no actor has the id ", UserText(actor))
    if not asset:
        yield ("the entry point names no asset",)
    elif asset not in known.assets:
        yield ("no asset has the id ", UserText(asset))


def _ends(model: Cited[TrustModel], actor: str, asset: str, known: Known) -> tuple[Citation, ...]:
    found: list[Citation] = []
    if actor in known.actors:
        found.append(model.at(f"/actors/{known.actors[actor]}"))
    if asset in known.assets:
        found.append(model.at(f"/assets/{known.assets[asset]}"))
    return tuple(found)


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
        words = ("the model is of ", UserText(stated), ", the review is of ", UserText(wanted))
        yield gap(OTHER_REVISION, *words, on=(model.at("/revision"),))


def _deployed(bundle: Bundle) -> Iterator[TrustGap]:
    wanted = reviewed(bundle)
    for found in records_of(bundle, DeploymentRecord):
        stated = found.record.revision
        if stated and wanted and not same_revision(stated, wanted):
            words = (
                UserText(found.record.environment),
                " runs ",
                UserText(stated),
                ", the review is of ",
                UserText(wanted),
            )
            yield gap(OTHER_DEPLOYMENT, *words, on=(found.at("/revision"),))


def _ids(model: Cited[TrustModel], known: Known) -> Iterator[TrustGap]:
    """Ids that nothing describes, or that several things have."""
    record = model.record
    for name in ("actors", "entry_points", "identity_transitions", "assets", "boundaries"):
        counted = Counter(entry.id for entry in getattr(record, name) or ())
        for entry_id, number in counted.items():
            if number > 1:
                words = (f"{number} {name.replace('_', ' ')} have the id ", UserText(entry_id))
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
            yield gap(DANGLING, f"no {kind} has the id ", UserText(name), "; describe it or correct the id", on=at)


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
                says = ("no path over the control ", UserText(control.id), " can be traced; name an entry point with")
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
            says = ("no entry point leads to the asset ", UserText(asset.id))
            yield gap(UNREACHED_ASSET, *says, on=(model.at(f"/assets/{place}"),))
    crossed = {boundary for path in paths for boundary in path.boundaries}
    for place, boundary in enumerate(model.record.boundaries or ()):
        if boundary.id not in crossed:
            says = ("no entry point crosses the boundary ", UserText(boundary.id))
            yield gap(UNCROSSED_BOUNDARY, *says, on=(model.at(f"/boundaries/{place}"),))


def _unmapped(model: Cited[TrustModel], registered: Registered) -> Iterator[TrustGap]:
    named = {operation_key(entry.route) for entry in model.record.entry_points or () if entry.route}
    for key, routes in registered.items():
        if key not in named:
            route = routes[0]
            words = ("the code registers ", UserText(f"{route.method} {route.path}"), ", and no entry point has it")
            yield gap(UNMAPPED_ROUTE, *words, on=route.spot.citations)


def unbacked(found: TrustMap) -> Iterator[Statement]:
    """The boundaries and transitions that nothing validates: assumptions are said as such, the rest is unknown."""
    for each in (*found.backings, *found.transitions):
        if each.backing is not Backing.VALIDATED:
            yield limited(UserText(each.id), f" is {each.backing}: ", *bare(each.why), ".", on=each.citations)


CONFIGURATION: Final = frozenset({EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.SOURCE_EXCERPT})
DEPLOYMENT: Final = frozenset({EvidenceType.ROLLOUT_RECORD, EvidenceType.CONFIGURATION_EXCERPT})
INSPECTED: Final = CONFIGURATION | DEPLOYMENT
_CARRYING: Final = (ClaimKind.IMPLEMENTATION, ClaimKind.ROLLOUT)
Registered = Mapping[str, Sequence[Route]]
BackedText = tuple[Backing, Text, tuple[Citation, ...]]


def by_key(routes: Sequence[Route]) -> Registered:
    """Routes by method and path; names of path parameters do not matter."""
    found: dict[str, list[Route]] = {}
    for route in routes:
        found.setdefault(operation_key(f"{route.method} {route.path}"), []).append(route)
    return found


def boundary_backings(model: Cited[TrustModel], registered: Registered, bundle: Bundle) -> tuple[BoundaryBacking, ...]:
    """One backing per boundary, in the order stated."""
    rows: list[BoundaryBacking] = []
    for place, boundary in enumerate(model.record.boundaries or ()):
        own = (model.at(f"/boundaries/{place}"),)
        backing, why, on = _boundary(boundary, registered, bundle)
        name: Text = (UserText(boundary.name),)
        rows.append(BoundaryBacking(id=boundary.id, name=name, backing=backing, why=why, citations=cited(on, own)))
    return tuple(rows)


def transition_backings(model: Cited[TrustModel], bundle: Bundle) -> tuple[BoundaryBacking, ...]:
    """One backing per identity transition, in the order stated."""
    rows: list[BoundaryBacking] = []
    for place, transition in enumerate(model.record.identity_transitions or ()):
        own = (model.at(f"/identity_transitions/{place}"),)
        backing, why, on = _transition(transition, bundle)
        name: Text = (UserText(transition.before), " becomes ", UserText(transition.after))
        rows.append(BoundaryBacking(id=transition.id, name=name, backing=backing, why=why, citations=cited(on, own)))
    return tuple(rows)


def _boundary(boundary: Boundary, registered: Registered, bundle: Bundle) -> BackedText:
    match boundary.backed_by:
        case BackedBy.ROUTE:
            return _by_route(boundary.route, registered)
        case BackedBy.CONFIGURATION:
            return _by_excerpt(boundary.shown_by, bundle, BackedBy.CONFIGURATION)
        case BackedBy.DEPLOYMENT:
            return _by_excerpt(boundary.shown_by, bundle, BackedBy.DEPLOYMENT)
        case BackedBy.ASSUMPTION:
            return _assumed(boundary, bundle)
    if boundary.assumption:
        return _assumed(boundary, bundle)
    return Backing.UNKNOWN, ("nothing is named that would show it",), ()


def _by_route(route: str | None, registered: Registered) -> BackedText:
    if not route:
        return Backing.UNKNOWN, ("a route shall show it, and none is named",), ()
    found = registered.get(operation_key(route), ())
    if not found:
        why = ("no inspected code registers the route ", UserText(route), "; supply the source that does")
        return Backing.UNKNOWN, why, ()
    guards = [guard for one in found for guard in one.guards if not guard.unless]
    on = cited(*(one.spot.citations for one in found), *(guard.spot.citations for guard in guards))
    registered_as: Text = (f"the code registers it{found[0].spot.mark}: ", UserText(route))
    if not guards:
        return Backing.UNKNOWN, (*registered_as, "; no guard that holds for every caller was read, so no boundary"), on
    names = dict.fromkeys(guard.name for guard in guards)
    return Backing.VALIDATED, (*registered_as, ", guarded by ", *listed(names)), on


def _assumed(boundary: Boundary, bundle: Bundle) -> BackedText:
    """An assumption stays one; lines beside it say what it is about, and have to stand."""
    if not boundary.assumption:
        return Backing.UNKNOWN, ("an assumption shall carry it, and none is stated",), ()
    stated: Text = ("stated, not shown: ", UserText(boundary.assumption))
    if boundary.shown_by is None:
        return Backing.ASSUMPTION, stated, ()
    found = shown(bundle, boundary.shown_by, INSPECTED)
    return (
        (Backing.ASSUMPTION, stated, found.citations) if found.stands else (Backing.UNKNOWN, found.why, found.citations)
    )


def _by_excerpt(excerpt: Excerpt | None, bundle: Bundle, kind: BackedBy) -> BackedText:
    if excerpt is None:
        return Backing.UNKNOWN, (f"a {kind} shall show it, and no lines are named",), ()
    found = shown(bundle, excerpt, CONFIGURATION if kind is BackedBy.CONFIGURATION else DEPLOYMENT)
    if not found.stands:
        return Backing.UNKNOWN, found.why, found.citations
    item = bundle.items[excerpt.item]
    refused = _other_revision(item, bundle) if kind is BackedBy.CONFIGURATION else _other_deployment(item, bundle)
    refused = refused or _denied(item)
    if refused:
        return Backing.UNKNOWN, refused, found.citations
    return Backing.VALIDATED, (f"the {kind} says: ", UserText(excerpt.quote)), found.citations


def _transition(transition: IdentityTransition, bundle: Bundle) -> BackedText:
    if transition.shown_by is None:
        return Backing.ASSUMPTION, ("stated, not shown: no lines are named",), ()
    found: Shown = shown(bundle, transition.shown_by, INSPECTED)
    if not found.stands:
        return Backing.UNKNOWN, found.why, found.citations
    item = bundle.items[transition.shown_by.item]
    refused = _other_revision(item, bundle) or _denied(item)
    if refused:
        return Backing.UNKNOWN, refused, found.citations
    return Backing.VALIDATED, ("the lines show it: ", UserText(transition.shown_by.quote)), found.citations


def _denied(item: EvidenceItem) -> Text:
    """Why an item may not carry the claim, empty when it may."""
    answers = [permits(item, claim) for claim in _CARRYING]
    return () if any(answers) else (UserText(answers[0].reason),)


def _other_revision(item: EvidenceItem, bundle: Bundle) -> Text:
    """Why an item is not of the reviewed revision; empty when it is, or when no revision is named to compare with."""
    wanted = reviewed(bundle)
    own = revision_of(bundle, item.id)
    if not wanted or same_revision(own, wanted):
        return ()
    if not own:
        return ("the item names no revision, so it is not shown to be of the reviewed one",)
    return ("the item is of revision ", UserText(own), ", the review is of ", UserText(wanted))


def _other_deployment(item: EvidenceItem, bundle: Bundle) -> Text:
    """Why a deployment record does not speak about the reviewed revision; empty when it does."""
    record = item.record
    stated = (record.revision or "") if isinstance(record, DeploymentRecord) else own_revision(item)
    wanted = reviewed(bundle)
    if not stated:
        return ("the record names no revision, so it is not shown that the reviewed one runs there",)
    if not wanted:
        return ("no reviewed revision is known, so the record can't be compared with it",)
    if same_revision(stated, wanted):
        return ()
    return ("the record is of revision ", UserText(stated), ", the review is of ", UserText(wanted))


# Whether the evidence ties the reviewed revision to what runs. Without it nothing is said about deployed behaviour.


def deployment_tie(bundle: Bundle) -> DeploymentTie:
    """The answer of all deployment records together: one that names another revision unties."""
    records = records_of(bundle, DeploymentRecord)
    wanted = reviewed(bundle)
    differing = [one for one in records if one.record.revision and not same_revision(one.record.revision, wanted)]
    naming = [one for one in records if same_revision(one.record.revision, wanted)]
    tied = bool(naming) and not differing
    return DeploymentTie(
        tied=tied,
        needed=bundle.request.runtime_conclusion,
        why=_why(records, naming, differing, wanted),
        citations=cited(*((one.citation,) for one in differing or naming or records)),
        other=bool(wanted and differing),
    )


def _why(
    records: tuple[Cited[DeploymentRecord], ...],
    naming: list[Cited[DeploymentRecord]],
    differing: list[Cited[DeploymentRecord]],
    wanted: str,
) -> Text:
    if not records:
        return ("no deployment record was supplied; supply one that names the revision that runs",)
    if not wanted:
        return ("no reviewed revision is known, so no deployment record can be compared with it",)
    if differing:
        other = differing[0].record
        return (UserText(other.environment), " runs ", UserText(other.revision or ""), ", not the reviewed revision")
    if naming:
        return (UserText(naming[0].record.environment), " runs the reviewed revision, as its record states")
    return ("no deployment record names the revision that runs; supply one that does",)
