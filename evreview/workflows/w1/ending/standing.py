"""What stands against a shipment or a removal whatever is answered: each point with its kind, so that it is mended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Ask, VersionPath
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.compatibility import Policy, RolloutRecord
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.w1.facts import W1Facts, read_contracts
from evreview.workflows.w1.gates import material_break
from evreview.workflows.w1.policy.judgement import inapplicable
from evreview.workflows.w1.policy.rollout_mechanisms import approval_fault


class Against(StrEnum):
    """What a point is about."""

    SURFACE = "surface"
    POLICY = "policy"
    ROLLOUT = "rollout"
    OWNERSHIP = "ownership"
    PATH = "path"
    FINDING = "finding"


@dataclass(frozen=True, slots=True)
class Point:
    """One point: what it is about, and the reason as the step gives it."""

    kind: Against
    reason: Statement


def standing(bundle: Bundle, facts: W1Facts) -> Iterator[Point]:
    """Unconfirmed contracts, W1-F3, a path that does not fit or ships nothing, blocks of the policy."""
    asked = set(bundle.request.asks)
    if asked - {Ask.ASSESS} and not bundle.request.surface_complete:
        words = (
            "Nobody confirmed that both contracts are complete for the reviewed surface: no shipment and no removal;"
        )
        said = limited(f"{words} confirm it with surface_complete in review.yaml.", on=read_contracts(bundle))
        yield Point(Against.SURFACE, said)
    if asked - {Ask.ASSESS}:
        yield from _policy_gap(bundle, facts)
        yield from _unapproved_rollout(bundle, facts)
    if facts.ownership_gaps and (Ask.REMOVE in asked or (Ask.SHIP in asked and material_break(facts))):
        on = tuple(gap.citation for gap in facts.ownership_gaps if gap.citation)
        said = limited("Client ownership or usage is unknown (W1-F3): no breaking shipment and no removal.", on=on)
        yield Point(Against.OWNERSHIP, said)
    yield from _path(facts) if Ask.SHIP in asked else ()
    yield from _blocking(facts, _wanted(asked))


def _path(facts: W1Facts) -> Iterator[Point]:
    """Why the chosen path ships nothing."""
    path = facts.path
    if path is None:
        return
    for reason in path.objections:
        yield Point(Against.PATH, limited("The chosen path does not fit: ", reason, on=path.citations))
    if path.path is VersionPath.REJECTION:
        on = path.citations or tuple(each.citation for each in facts.ownership_gaps if each.citation)
        yield Point(Against.PATH, limited("The chosen path is rejection: nothing is shipped.", on=on))


def _policy_gap(bundle: Bundle, facts: W1Facts) -> Iterator[Point]:
    """Why the supplied policy decides nothing here: it is not shown to be for this surface."""
    policy = first_of(bundle, Policy)
    if policy is None:
        return
    sides = (facts.released, facts.candidate)
    operations = {operation.key for side in sides if side for operation in side.operations}
    why = inapplicable(policy.record, bundle.request, sorted(operations))
    if why:
        said = limited("The policy is not shown to apply: ", UserText(why), "; confirm it with policy in review.yaml.",
                       on=(policy.at("/surface"),))  # fmt: skip
        yield Point(Against.POLICY, said)


def _unapproved_rollout(bundle: Bundle, facts: W1Facts) -> Iterator[Point]:
    """Why nothing is shipped by the rollout record: its own approval is not shown."""
    found = first_of(bundle, RolloutRecord)
    if found is None or Ask.SHIP not in bundle.request.asks or not material_break(facts):
        return
    why = approval_fault(found.record, bundle.request.roles.release_manager or "", bundle.request.as_of)
    if why:
        said = limited("Nothing is shipped by the rollout record: ", UserText(why), ".", on=(found.citation,))
        yield Point(Against.ROLLOUT, said)


def _wanted(asked: set[Ask]) -> set[str]:
    """What the policy would have to block to stand against what is asked."""
    shipped = {"in-place release", "release"} if Ask.SHIP in asked else set()
    return shipped | ({"removal"} if Ask.REMOVE in asked else set())


def _blocking(facts: W1Facts, wanted: set[str]) -> Iterable[Point]:
    for finding in facts.findings:
        standing = [what for what in finding.blocks if what in wanted]
        if standing:
            says = ("Finding ", UserText(finding.id), f" blocks: {', '.join(standing)}.")
            yield Point(Against.FINDING, observed(*says, on=finding.citations))
