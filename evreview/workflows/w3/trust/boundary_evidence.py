"""What a trust boundary or an identity transition is validated against; nothing counts for more than it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evreview.codefacts.model import Route
from evreview.core.quoted_text import Text, UserText, listed
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.claim_types import ClaimKind, permits
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import (
    BackedBy,
    Boundary,
    DeploymentRecord,
    Excerpt,
    IdentityTransition,
    TrustModel,
)
from evreview.workflows.w3.excerpts import Shown, cited, own_revision, reviewed, revision_of, shown
from evreview.workflows.w3.model import Backing, BoundaryBacking, DeploymentTie

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
            return _assumed(boundary.assumption)
    if boundary.assumption:
        return _assumed(boundary.assumption)
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


def _assumed(assumption: str | None) -> BackedText:
    if not assumption:
        return Backing.UNKNOWN, ("an assumption shall carry it, and none is stated",), ()
    return Backing.ASSUMPTION, ("stated, not shown: ", UserText(assumption)), ()


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
