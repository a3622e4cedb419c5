"""Step 9 of W1: package and approve. Findings, gates, and whether what is asked may happen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Ask, StepState
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.compatibility import Policy, RolloutRecord
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.conclusions import findings_frame
from evreview.workflows.engine.gates import unanswered
from evreview.workflows.engine.registers import gates_frame
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.facts import W1Facts, read_contracts
from evreview.workflows.w1.findings import build_findings, exposure_findings
from evreview.workflows.w1.gates import material_break, removal_gate, ship_gate
from evreview.workflows.w1.policy.judgement import inapplicable
from evreview.workflows.w1.policy.rollout_mechanisms import approval_fault


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The registers and the gates; remains while an approval that is asked for is not recorded."""
    exposed = exposure_findings(bundle, facts.candidate) if facts.candidate else ()
    known = replace(facts, findings=(*build_findings(bundle, facts), *exposed))
    known = replace(known, gates=(ship_gate(bundle, known), removal_gate(bundle, known)))
    blocked = (*unanswered(known.gates), *_standing(bundle, known))
    return Outcome(
        state=StepState.REMAIN if blocked else StepState.ADVANCE,
        facts=known,
        reasons=blocked,
        tables={"Findings": findings_frame(known.findings), "Gates": gates_frame(known.gates)},
    )


def _standing(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """What stands against it: unconfirmed contracts, W1-F3, a path that does not fit, blocks of the policy."""
    asked = set(bundle.request.asks)
    if asked - {Ask.ASSESS} and not bundle.request.surface_complete:
        words = (
            "Nobody confirmed that both contracts are complete for the reviewed surface: no shipment and no removal;"
        )
        yield limited(f"{words} confirm it with surface_complete in review.yaml.", on=read_contracts(bundle))
    if asked - {Ask.ASSESS}:
        yield from _policy_gap(bundle, facts)
        yield from _unapproved_rollout(bundle, facts)
    if facts.ownership_gaps and (Ask.REMOVE in asked or (Ask.SHIP in asked and material_break(facts))):
        on = tuple(gap.citation for gap in facts.ownership_gaps if gap.citation)
        yield limited("Client ownership or usage is unknown (W1-F3): no breaking shipment and no removal.", on=on)
    path = facts.path
    for reason in path.objections if path and Ask.SHIP in asked else ():
        yield limited("The chosen path does not fit: ", reason, on=path.citations if path else ())
    yield from _blocking(facts, _wanted(asked))


def _policy_gap(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """Why the supplied policy decides nothing here: it is not shown to be for this surface."""
    policy = first_of(bundle, Policy)
    if policy is None:
        return
    sides = (facts.released, facts.candidate)
    operations = {operation.key for side in sides if side for operation in side.operations}
    why = inapplicable(policy.record, bundle.request, sorted(operations))
    if why:
        yield limited("The policy is not shown to apply: ", UserText(why), "; confirm it with policy in review.yaml.",
                      on=(policy.at("/surface"),))  # fmt: skip


def _unapproved_rollout(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """Why nothing is shipped by the rollout record: its own approval is not shown."""
    found = first_of(bundle, RolloutRecord)
    if found is None or Ask.SHIP not in bundle.request.asks or not material_break(facts):
        return
    why = approval_fault(found.record, bundle.request.roles.release_manager or "", bundle.request.as_of)
    if why:
        yield limited("Nothing is shipped by the rollout record: ", UserText(why), ".", on=(found.citation,))


def _wanted(asked: set[Ask]) -> set[str]:
    """What the policy would have to block to stand against what is asked."""
    shipped = {"in-place release", "release"} if Ask.SHIP in asked else set()
    return shipped | ({"removal"} if Ask.REMOVE in asked else set())


def _blocking(facts: W1Facts, wanted: set[str]) -> Iterable[Statement]:
    for finding in facts.findings:
        standing = [what for what in finding.blocks if what in wanted]
        if standing:
            head = "Finding "
            yield observed(head, UserText(finding.id), f" blocks: {', '.join(standing)}.", on=finding.citations)
