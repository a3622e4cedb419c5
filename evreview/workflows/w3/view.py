"""The sentences of the W3 artifact, plan to approval, each labelled; and the view that its template prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, bare, counted, listed
from evreview.core.vocabulary import EvidenceId, StatementKind
from evreview.evidence.citation import on_line
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.item_reader import PLAIN_TEXT
from evreview.report.escape import SafeMarkdown, cell, citations, fence, heading
from evreview.report.statement import Statement, assumed, inferred, limited, observed, recommended
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.next_actions import numbered
from evreview.workflows.engine.registers import (
    TableRow,
    checksums,
    cited_ids,
    closing,
    evidence_rows,
    gate_rows,
    near,
    printed,
    step_rows,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.artifact import annex_tables
from evreview.workflows.w3.artifact.finding_tables import (
    claim_rows,
    disposition_rows,
    executed_rows,
    finding_cards,
    finding_rows,
    judged_digests,
    proposed_rows,
    rating_words,
    remediation_rows,
    rule_of_finding,
    run_statements,
    test_names,
    trace_rows,
    unresolved,
)
from evreview.workflows.w3.artifact.overview import (
    authorization_rows,
    control_glance,
    further_rows,
    marking,
    threats,
    verdict,
)
from evreview.workflows.w3.decision import hold
from evreview.workflows.w3.facts import W3Facts, check_items, deciding_items, scope_items, sealed_items
from evreview.workflows.w3.gates import disclosure, redacted_rows, redaction, report_digest
from evreview.workflows.w3.model import Disposition, SecurityFinding
from evreview.workflows.w3.trust.trust_map import unbacked
from evreview.workflows.w3.trust.trust_picture import mermaid
from evreview.workflows.w3.validation import executed


def plan(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts) -> Iterator[Statement]:
    """How the findings are verified: statically and from retained results first, nothing new without the gate."""
    if not facts.opened:
        yield limited("Nothing is verified, and nothing is executed, before the review is authorized.")
        return
    on = scope_items(bundle, facts)
    yield recommended("Verify statically and with the supplied local tests first; execute nothing new without the "
                      "security owner's gate.", on=on)  # fmt: skip
    if 6 in {step.number for step in steps}:
        counts = f"{counted(len(executed(facts)), 'retained check')} executed, {len(facts.proposed)} proposed."
        yield observed(counts, on=check_items(facts) or on)
    yield limited("This review executed nothing: what is executed below was retained before it.")


def remedies(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """Why findings have no row in the remediation order."""
    have = {row.finding for row in facts.remediation}
    for closed in (True, False):
        left = [each for each in facts.findings if (each.disposition is Disposition.CLOSED) is closed]
        left = [each for each in left if facts.remedied and each.candidate.id not in have]
        if left:
            why = (
                "it is closed"
                if closed
                else "none is supplied, and a hypothesis is verified before anything is changed"
            )
            on = near(bundle, (each.candidate.citations[0] for each in left))
            yield limited("No remediation of ", *listed(each.candidate.id for each in left), f": {why}.", on=on)
    if any(not row.refused for row in facts.remediation):
        yield limited(
            "A remediation is refused by what its author states and by a closed table of words; one that passes is not "
            "shown to weaken no other control."
        )


def residual(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """What risk stays, finding by finding, and what holds the deployment."""
    on = scope_items(bundle, facts)
    if not facts.rated:
        why = "no finding was rated" if on else "none of these items was read"
        yield inferred(f"Residual risk is unknown: {why}.", on=on or sealed_items(bundle, facts))
        return
    yield limited("Outside the authorized revision, paths and period the residual risk is unknown.")
    alike: dict[Text, list[SecurityFinding]] = {}
    for each in unresolved(facts):
        alike.setdefault(bare(each.candidate.impact_inferred), []).append(each)
    for impact, found in alike.items():
        verb = " is unresolved: " if len(found) == 1 else " are unresolved: "
        rules = [rule for each in found if (rule := rule_of_finding(facts, each))]
        on = near(bundle, (on for each in found for on in each.candidate.citations[:1]), rules)
        yield inferred(*listed(each.candidate.id for each in found), verb, *impact, ".", on=on)
    for each in facts.findings:
        if each.disposition is Disposition.ACCEPTED:
            yield inferred(UserText(each.candidate.id), " stays as accepted risk ", *each.disposition_why, ".",
                           on=near(bundle, each.citations))  # fmt: skip
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
    yield from facts.left_out
    yield from facts.uncovered
    yield from facts.notes
    for exclusion in bundle.request.exclusions:
        yield limited("Excluded from this review: ", UserText(exclusion), ".")
    yield from closing(bundle, facts.redactor, "; no digest of a value is kept")


_SHORT: Final = len("sha256:") + 12


def approval(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> Iterator[Statement]:
    """The decision, who may receive this, what blocks it, and the next actions."""
    on = deciding_items(bundle, steps, facts)
    to_whom = disclosure(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    yield marking(to_whom)
    if to_whom.team and facts.authorization:
        at = (on_line(bundle, facts.authorization.at("/recipients")),)
        yield observed("Recipients of the authorized team: ", *listed(to_whom.team), ".", on=at)
    if facts.rated:
        yield observed("This report has a digest, which stands whole under Traceability and which an approval of its "
                       "disclosure names: ", UserText(report_digest(bundle, facts)[:_SHORT]), ".", on=on)  # fmt: skip
    if to_whom.outside:
        state = "approved" if to_whom.approved else "not approved"
        yield limited(f"Recipients outside the authorized team, disclosure {state}: ", *listed(to_whom.outside), ".")
    elif to_whom.team:
        yield limited(
            "Nobody outside that team is named, so no disclosure is approved and none is needed: it stays there."
        )
    yield from decision.reasons
    yield from numbered(decision.next_actions)


# What the W3 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen.


@dataclass(frozen=True, slots=True, kw_only=True)
class W3View:
    """The ready parts of `security-review.md`, in the order of the template."""

    title: SafeMarkdown
    verdict: tuple[SafeMarkdown, ...]
    glance: tuple[TableRow, ...]
    threats: tuple[SafeMarkdown, ...]
    boundary: tuple[TableRow, ...]
    findings: tuple[TableRow, ...]
    rules: tuple[SafeMarkdown, ...]
    cards: tuple[SafeMarkdown, ...]
    claims: tuple[TableRow, ...]
    challenges: tuple[TableRow, ...]
    refuted: tuple[TableRow, ...]
    leads: tuple[TableRow, ...]
    unreached: tuple[TableRow, ...]
    remedies: tuple[SafeMarkdown, ...]
    remediation: tuple[TableRow, ...]
    tests: tuple[SafeMarkdown, ...]
    plan: tuple[SafeMarkdown, ...]
    proposed: tuple[TableRow, ...]
    runs: tuple[SafeMarkdown, ...]
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
    further: tuple[TableRow, ...]
    deployment: tuple[SafeMarkdown, ...]
    picture: tuple[SafeMarkdown, ...]
    paths: tuple[TableRow, ...]
    backings: tuple[TableRow, ...]
    controls: tuple[TableRow, ...]
    gaps: tuple[TableRow, ...]
    cases: tuple[TableRow, ...]
    hypotheses: tuple[TableRow, ...]
    tries: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]
    checksums: SafeMarkdown


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> W3View:
    """The view of a run, complete also when the run stopped: a stopped run tells nothing of later steps."""
    read = scope_items(bundle, facts) if facts.opened else ()
    told = printed if facts.opened or facts.authorization else _of_nothing_read
    view = W3View(
        title=heading(bundle.title),
        verdict=told(verdict(bundle, steps, facts, decision)),
        glance=control_glance(bundle, facts, read),
        threats=told(threats(bundle, facts)),
        boundary=authorization_rows(bundle, facts),
        findings=finding_rows(bundle, facts, read),
        rules=told(rating_words(bundle, facts)),
        cards=finding_cards(bundle, facts),
        claims=claim_rows(bundle, facts, read),
        challenges=annex_tables.challenge_rows(bundle, facts, read),
        refuted=annex_tables.refuted_rows(bundle, facts, read),
        leads=annex_tables.lead_rows(bundle, facts, read),
        unreached=annex_tables.unreached_rows(bundle, facts, read),
        remedies=told(remedies(bundle, facts)),
        remediation=remediation_rows(bundle, facts, read),
        tests=told(test_names(bundle, facts)),
        plan=told(plan(bundle, steps, facts)),
        proposed=proposed_rows(bundle, facts, read),
        runs=told(run_statements(facts)),
        executed=executed_rows(facts, read),
        residual=told(residual(bundle, facts)),
        dispositions=disposition_rows(bundle, facts, read),
        limitations=told(_by_line(bundle, limitations(bundle, facts))),
        redaction=told(redaction(bundle, facts)),
        redacted=redacted_rows(bundle, facts, read),
        approval=told(_by_line(bundle, approval(bundle, steps, facts, decision))),
        gates=gate_rows(facts.gates),
        steps=step_rows(steps),
        trace=trace_rows(bundle, steps, facts, decision),
        further=further_rows(bundle, facts),
        deployment=told(_deployment(facts)),
        picture=_picture(facts),
        paths=annex_tables.path_rows(bundle, facts, read),
        backings=annex_tables.backing_rows(bundle, facts, read),
        controls=annex_tables.control_rows(bundle, facts, read),
        gaps=annex_tables.gap_rows(bundle, facts, read),
        cases=annex_tables.case_rows(bundle, facts, read),
        hypotheses=annex_tables.hypothesis_rows(bundle, facts, read),
        tries=annex_tables.try_rows(facts),
        evidence=(),
        checksums=_checksums(bundle, facts),
    )
    every = evidence_rows(bundle, cited_ids(view)) if facts.opened else unread_rows(bundle, facts, cited_ids(view))
    return replace(view, evidence=every)


def _of_nothing_read(statements: Iterable[Statement]) -> tuple[SafeMarkdown, ...]:
    """Statements of a review that read no item: what rests on that alone is a limitation, and cites nothing."""
    rests = (StatementKind.OBSERVATION, StatementKind.INFERENCE)
    return printed(replace(each, kind=StatementKind.LIMITATION) if each.kind in rests and not each.citations else each
                   for each in statements)  # fmt: skip


def _by_line(bundle: Bundle, told: Iterator[Statement]) -> Iterator[Statement]:
    """The statements with citations by line."""
    for each in told:
        yield replace(each, citations=tuple(dict.fromkeys(on_line(bundle, on) for on in each.citations)))


def _checksums(bundle: Bundle, facts: W3Facts) -> SafeMarkdown:
    """The digests of the items, then those that a disposition or an approval of the disclosure names."""
    also = (*judged_digests(facts), ("report", report_digest(bundle, facts))) if facts.rated else ()
    return checksums(bundle, () if facts.opened else _sealed(bundle, facts), also)


def _deployment(facts: W3Facts) -> Iterator[Statement]:
    tie = facts.trust.deployment if facts.trust else None
    if tie is not None and tie.tied:
        yield observed("Deployment: ", *bare(tie.why), ".", on=tie.citations)


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
    return (unread, unread, cell("not read; sealed"), citations((Citation(item),)))
