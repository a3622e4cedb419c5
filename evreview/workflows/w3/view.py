"""The sentences of the W3 artifact: verdict, plan, residual risk, limitations, approval. Each is labelled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evreview.core.quoted_text import Text, UserText, bare, counted, listed
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.item_reader import PLAIN_TEXT
from evreview.report.escape import SafeMarkdown, cell, citations, fence, heading
from evreview.report.statement import Statement, assumed, inferred, limited, observed, recommended
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import (
    TableRow,
    boundary_rows,
    checksums,
    cited_ids,
    closing,
    empty,
    evidence_rows,
    gate_rows,
    printed,
    step_rows,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3 import tables
from evreview.workflows.w3 import tables as w3_tables
from evreview.workflows.w3.decision import hold
from evreview.workflows.w3.facts import W3Facts, check_items, deciding_items, finding_items, scope_items, sealed_items
from evreview.workflows.w3.gates import Disclosure, disclosure, redacted_rows, redaction, report_digest
from evreview.workflows.w3.model import Disposition, State
from evreview.workflows.w3.tables import unresolved
from evreview.workflows.w3.trust.trust_map import unbacked
from evreview.workflows.w3.trust.trust_picture import mermaid
from evreview.workflows.w3.validation import executed


def verdict(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, what was authorized, the findings, what was executed, who may read this."""
    on = scope_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=deciding_items(bundle, steps, facts))
    if not facts.opened:
        yield observed("No current written authorization covers this review; nothing else was read.", on=on)
        yield limited("Not read: the items beside the authorization.", on=sealed_items(bundle, facts))
    else:
        revision = ("Authorized for the immutable revision ", UserText(facts.revision))
        yield observed(*revision, "; nothing is said about another one.", on=on)
    if facts.rated:
        yield _counted(facts, finding_items(facts) or on)
    elif decision.reasons:
        yield observed(
            f"{counted(len(decision.reasons), 'open point')} at step {steps[-1].number}.",
            on=deciding_items(bundle, steps, facts),
        )
    if len(steps) > 5:
        ran = len(executed(facts))
        yield observed(
            f"{counted(ran, 'retained check')} executed, {len(facts.proposed)} proposed.", on=check_items(facts) or on
        )
    yield marking(disclosure(bundle, facts))


def _counted(facts: W3Facts, on: tuple[Citation, ...]) -> Statement:
    shown = sum(each.candidate.state is State.SUPPORTED for each in facts.findings)
    guessed = len(facts.findings) - shown
    unsure = "1 hypothesis" if guessed == 1 else f"{guessed} hypotheses"
    held = f"{counted(len(facts.holding), 'unresolved finding')} holding the deployment"
    return observed(f"{counted(shown, 'supported finding')}, {unsure}; {held}.", on=on)


def marking(to_whom: Disclosure) -> Statement:
    """Who may have this artifact."""
    if to_whom.internal:
        return limited("Internal: for the authorized team only; no disclosure outside it is approved.")
    return limited("For the recipients named under Approval and disclosure only.")


def threats(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """The assumed attacker, what is excluded, and what was left out for it."""
    model = facts.model
    if model is None:
        return
    record = model.record
    if record.attacker_positions:
        yield observed("An attacker is assumed in the position of: ", *listed(record.attacker_positions), ".",
                       on=(model.at("/attacker_positions"),))  # fmt: skip
    if record.excluded_capabilities:
        yield observed("Excluded capabilities: ", *listed(record.excluded_capabilities), ".",
                       on=(model.at("/excluded_capabilities"),))  # fmt: skip
    if record.assets:
        parts: list[str | UserText] = []
        for each in record.assets:
            kind: Text = (" (", UserText(each.classification), ")") if each.classification else (" (not classified)",)
            parts += [*([", "] if parts else []), UserText(each.id), *kind]
        yield observed("Protected assets: ", *parts, ".", on=(model.at("/assets"),))
    yield from facts.left_out
    yield from facts.uncovered
    tie = facts.trust.deployment if facts.trust else None
    if tie is not None and tie.tied:
        yield observed("Deployment: ", *bare(tie.why), ".", on=tie.citations)


def plan(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """How the findings are verified: statically and from retained results first, nothing new without the gate."""
    if not facts.opened:
        yield limited("Nothing is verified, and nothing is executed, before the review is authorized.")
        return
    on = scope_items(bundle, facts)
    yield recommended("Verify statically and with the supplied local tests first; execute nothing new without the "
                      "security owner's gate.", on=on)  # fmt: skip
    yield limited("This review executed nothing: what is executed below was retained before it.")


def remedies(facts: W3Facts) -> Iterator[Statement]:
    """Why findings have no row in the remediation order."""
    have = {row.finding for row in facts.remediation}
    for each in facts.findings if facts.remedied else ():
        if each.candidate.id not in have:
            closed = each.disposition is Disposition.CLOSED
            why = "it is closed" if closed else "a hypothesis is verified before anything is changed"
            yield limited("No remediation of ", UserText(each.candidate.id), f": {why}.", on=each.candidate.citations)
    if any(not row.refused for row in facts.remediation):
        yield limited(
            "A remediation is refused by what its author states and by a closed table of words; one that passes is not "
            "shown to weaken no other control."
        )


def residual(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """What risk stays, finding by finding, and what holds the deployment."""
    on = scope_items(bundle, facts)
    if not facts.rated:
        yield inferred("Residual risk is unknown: no finding was rated.", on=on)
        return
    yield limited("Outside the authorized revision, paths and period the residual risk is unknown.")
    for each in unresolved(facts):
        says = (UserText(each.candidate.id), " is unresolved: ", *bare(each.candidate.impact_inferred))
        yield inferred(*says, ".", on=each.citations)
    for each in facts.findings:
        if each.disposition is Disposition.ACCEPTED:
            yield inferred(UserText(each.candidate.id), " stays as accepted risk ", *each.disposition_why, ".",
                           on=each.citations)  # fmt: skip
    if not unresolved(facts):
        yield inferred("No rated finding is unresolved; what was not reviewed stays unknown.", on=on)
    if facts.holding:
        yield hold(bundle, facts)


def limitations(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """What this review can't say, then what it assumes because the supplier does."""
    yield limited("Valid only for the one authorized revision, paths and period.")
    tie = facts.trust.deployment if facts.trust else None
    if tie is None or not tie.tied:
        why = (": ", *bare(tie.why)) if tie and facts.opened else ()
        yield limited("What is deployed is unknown", *why, ".", on=tie.citations if tie else ())
    if not facts.opened:
        yield limited("Every item beside the authorization stayed unread, so nothing is known of the system.",
                      on=sealed_items(bundle, facts))  # fmt: skip
        yield assumed("None was taken over: the review stopped before its input was read.")
        return
    yield limited("A matched pattern is a lead; without reachability and control evidence it stays a hypothesis.")
    read = {str(source.item) for source in facts.sources} | {on.id for lead in facts.leads for on in lead.citations}
    for warning in bundle.warnings:
        if warning.item not in read or warning.code != PLAIN_TEXT:
            yield limited(UserText(warning.found))
    if facts.trust is not None:
        yield from unbacked(facts.trust)
        for gap in facts.trust.gaps:
            if not gap.decides:
                yield limited(*bare(gap.says), ".", on=gap.citations)
    for unread in facts.code.unread if facts.code else ():
        where: Text = (" in ", UserText(unread.spot.path)) if unread.spot.path else ()
        yield limited("Code that can't be read", *where, ": ", UserText(unread.found), ".", on=unread.spot.citations)
    yield from facts.notes
    for exclusion in bundle.request.exclusions:
        yield limited("Excluded from this review: ", UserText(exclusion), ".")
    yield from closing(bundle, facts.redactor, "; no digest of a value is kept")


def approval(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> Iterator[Statement]:
    """The decision, who may receive this, what blocks it, and the next actions."""
    on = deciding_items(bundle, steps, facts)
    to_whom = disclosure(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    yield marking(to_whom)
    if to_whom.team and facts.authorization:
        at = (facts.authorization.at("/recipients"),)
        yield observed("Recipients of the authorized team: ", *listed(to_whom.team), ".", on=at)
    if facts.rated:
        yield observed("This report has the digest ", UserText(report_digest(bundle, facts)),
                       "; an approval of its disclosure names it.", on=on)  # fmt: skip
    if to_whom.outside:
        state = "approved" if to_whom.approved else "not approved"
        yield limited(f"Recipients outside the authorized team, disclosure {state}: ", *listed(to_whom.outside), ".")
    elif to_whom.team:
        yield limited(
            "Nobody outside that team is named, so no disclosure is approved and none is needed: it stays there."
        )
    yield from decision.reasons
    yield from decision.next_actions


# What the W3 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen.


@dataclass(frozen=True, slots=True, kw_only=True)
class W3View:
    """The ready parts of `security-review.md`, in the order of the template."""

    title: SafeMarkdown
    verdict: tuple[SafeMarkdown, ...]
    boundary: tuple[TableRow, ...]
    threats: tuple[SafeMarkdown, ...]
    picture: tuple[SafeMarkdown, ...]
    paths: tuple[TableRow, ...]
    backings: tuple[TableRow, ...]
    controls: tuple[TableRow, ...]
    gaps: tuple[TableRow, ...]
    cases: tuple[TableRow, ...]
    findings: tuple[TableRow, ...]
    claims: tuple[TableRow, ...]
    challenges: tuple[TableRow, ...]
    refuted: tuple[TableRow, ...]
    leads: tuple[TableRow, ...]
    unreached: tuple[TableRow, ...]
    remedies: tuple[SafeMarkdown, ...]
    remediation: tuple[TableRow, ...]
    plan: tuple[SafeMarkdown, ...]
    proposed: tuple[TableRow, ...]
    executed: tuple[TableRow, ...]
    residual: tuple[SafeMarkdown, ...]
    dispositions: tuple[TableRow, ...]
    limitations: tuple[SafeMarkdown, ...]
    redaction: tuple[SafeMarkdown, ...]
    redacted: tuple[TableRow, ...]
    approval: tuple[SafeMarkdown, ...]
    gates: tuple[TableRow, ...]
    steps: tuple[TableRow, ...]
    trace: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]
    checksums: SafeMarkdown


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> W3View:
    """The view of a run, complete also when the run stopped: a stopped run tells nothing of later steps."""
    read = scope_items(bundle, facts) if facts.opened else ()
    view = W3View(
        title=heading(bundle.title),
        verdict=printed(verdict(bundle, steps, facts, decision)),
        boundary=boundary_rows(facts.boundary) if facts.boundary else empty(3, "no authorization record is supplied"),
        threats=printed(threats(bundle, facts)),
        picture=_picture(facts),
        paths=tables.path_rows(facts, read),
        backings=tables.backing_rows(facts, read),
        controls=tables.control_rows(facts, read),
        gaps=tables.gap_rows(facts, read),
        cases=tables.case_rows(facts, read),
        findings=w3_tables.finding_rows(facts, read),
        claims=w3_tables.claim_rows(facts, read),
        challenges=tables.challenge_rows(facts, read),
        refuted=tables.refuted_rows(facts, read),
        leads=tables.lead_rows(facts, read),
        unreached=tables.unreached_rows(facts, read),
        remedies=printed(remedies(facts)),
        remediation=w3_tables.remediation_rows(facts, read),
        plan=printed(plan(bundle, facts)),
        proposed=w3_tables.proposed_rows(facts, read),
        executed=w3_tables.executed_rows(facts, read),
        residual=printed(residual(bundle, facts)),
        dispositions=w3_tables.disposition_rows(facts, read),
        limitations=printed(limitations(bundle, facts)),
        redaction=printed(redaction(bundle, facts)),
        redacted=redacted_rows(bundle, facts, read),
        approval=printed(approval(bundle, steps, facts, decision)),
        gates=gate_rows(facts.gates),
        steps=step_rows(steps),
        trace=w3_tables.trace_rows(bundle, steps, facts, decision),
        evidence=(),
        checksums=checksums(bundle, () if facts.opened else _sealed(bundle, facts)),
    )
    every = evidence_rows(bundle, cited_ids(view)) if facts.opened else unread_rows(bundle, facts, cited_ids(view))
    return replace(view, evidence=every)


def _picture(facts: W3Facts) -> tuple[SafeMarkdown, ...]:
    if facts.model is None or facts.trust is None:
        return ()
    return (fence(mermaid(facts.model.record, facts.trust, facts.redactor.clean), "mermaid"),)


def unread_rows(bundle: Bundle, facts: W3Facts, used: frozenset[str]) -> tuple[TableRow, ...]:
    """The evidence while it is sealed: of the authorization as ever, of every other item its id alone."""
    sealed = _sealed(bundle, facts)
    shown = {str(row[-1]): row for row in evidence_rows(bundle, used)}
    return tuple(_unread(item) if item in sealed else shown[str(citations((Citation(item),)))] for item in bundle.items)


def _sealed(bundle: Bundle, facts: W3Facts) -> tuple[EvidenceId, ...]:
    """Every item but the authorization: what nobody reads before it has passed."""
    own = facts.authorization.citation.id if facts.authorization else None
    return tuple(item for item in bundle.items if item != own)


def _unread(item: EvidenceId) -> TableRow:
    unread = cell("not read")
    return (unread, unread, unread, cell("sealed"), citations((Citation(item),)))
