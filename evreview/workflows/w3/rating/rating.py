"""Step 7: each candidate that was not refuted becomes a finding with severity, confidence and disposition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Subject, Text, plain
from evreview.core.vocabulary import NOT_RATED, Confidence, StepState
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import Acceptance, SeverityRubric
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.gates import accept_lacks
from evreview.workflows.w3.model import Candidate, Disposition, SecurityFinding, State, names_of
from evreview.workflows.w3.rating.dispositions import Approved, Judge, accepted_digest, dispose
from evreview.workflows.w3.rating.severity import NO_RULE, UNVERIFIED, confidence, severity
from evreview.workflows.w3.supplied_remediation import Plans, plans_of
from evreview.workflows.w3.validation.validate import MISSING_NEGATIVE_TEST as UNTESTED
from evreview.workflows.w3.validation.validate import LocalResult, verified

_ORDER: Final = {each: place for place, each in enumerate(Disposition)}
_CONFIDENCE: Final = {each: place for place, each in enumerate(Confidence)}
UNRESOLVED: Final = (Disposition.BLOCKING, Disposition.OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What findings are rated by.

    Attributes:
        bundle: the evidence with decisions and date.
        rubric: as supplied, None for none.
        results: the retained results.
        plans: the supplied remediations.
        approved: what the gate of accepted findings lacks, by finding and digest of what is accepted.
    """

    bundle: Bundle
    rubric: Cited[SeverityRubric] | None
    results: tuple[LocalResult, ...]
    plans: Plans
    approved: Approved


def rate(candidates: Iterable[Candidate], grounds: Grounds) -> tuple[SecurityFinding, ...]:
    """The finding register: by disposition, then severity, then confidence, then id."""
    rated = [_rated(each, grounds) for each in candidates if each.state is not State.REFUTED]
    return tuple(finding for _, finding in sorted(rated, key=lambda pair: _place(*pair)))


def _place(rank: int, finding: SecurityFinding) -> tuple[int, int, int, str]:
    return _ORDER[finding.disposition], rank, _CONFIDENCE[finding.confidence], finding.candidate.id


def _rated(candidate: Candidate, grounds: Grounds) -> tuple[int, SecurityFinding]:
    shown = verified(candidate.control, grounds.results, grounds.bundle)
    each = [severity(one, grounds.rubric, grounds.bundle, verified=shown) for one in candidate.alike]
    rated = replace(min(each, key=lambda one: one.rank), holds=any(one.holds for one in each),
                    blocks=any(one.blocks for one in each))  # fmt: skip
    judge = Judge(bundle=grounds.bundle, results=grounds.results, approved=grounds.approved, plans=grounds.plans)
    disposed = dispose(candidate, judge, rated)
    sure, sure_why = confidence(candidate)
    unresolved = disposed.disposition in UNRESOLVED
    return rated.rank, SecurityFinding(
        candidate=candidate,
        severity=rated.severity,
        severity_why=rated.why,
        confidence=sure,
        confidence_why=sure_why,
        disposition=disposed.disposition,
        disposition_why=disposed.why,
        recommendation=_recommendation(candidate, grounds.plans),
        undecided=unresolved and _would_hold(candidate, grounds, verified=shown),
        accepting=accepted_digest(candidate, rated, grounds.bundle),
        blocks=unresolved and (rated.holds or disposed.disposition is Disposition.BLOCKING),
        citations=tuple(dict.fromkeys((*candidate.citations, *rated.citations, *disposed.citations))),
    )


def _would_hold(candidate: Candidate, grounds: Grounds, *, verified: bool) -> bool:
    """True for a hypothesis that would hold the deployment, or that the rubric would not rate, if it were supported.

    What is missing must not read better than what is shown. That a test is missing is shown, whatever its control does.
    """
    if candidate.state is not State.HYPOTHESIS or candidate.kind == UNTESTED:
        return False
    alike = [replace(one, state=State.SUPPORTED) for one in candidate.alike]
    shown = [severity(one, grounds.rubric, grounds.bundle, verified=verified) for one in alike]
    return any(one.holds or one.severity in (NOT_RATED, NO_RULE) for one in shown)


def is_unrated(finding: SecurityFinding) -> bool:
    """True for a finding without a word of the rubric."""
    return finding.severity in (NOT_RATED, NO_RULE, UNVERIFIED)


def _recommendation(candidate: Candidate, plans: Plans) -> Text:
    """What is proposed: to verify a hypothesis first; else the supplied change, or ours where it is refused."""
    if candidate.state is State.HYPOTHESIS:
        return ("verify it before any claim: ", *candidate.safe_verification) if candidate.safe_verification else (
            "design a bounded local validation plan and have it approved",
        )  # fmt: skip
    return plans.change_for(candidate)


COLUMNS: Final = (
    *("finding", "severity", "confidence", "disposition", "blocks", "state", "kind", "area", "title", "asset"),
    *("control", "route", "attacker", "preconditions", "reach", "observed", "inferred", "recommendation"),
    *("verification", "severity_why", "confidence_why", "disposition_why", "slice", "evidence"),
)


def findings_frame(findings: Sequence[SecurityFinding]) -> pd.DataFrame:
    """The finding register. Key: `finding`. Columns: `COLUMNS`; `slice` is the digest that a disposition names."""
    rows = [
        (
            *(each.candidate.id, each.severity, str(each.confidence), str(each.disposition), each.blocks),
            *(str(each.candidate.state), each.candidate.kind, str(each.candidate.area), plain(each.candidate.title)),
            *(each.candidate.asset, each.candidate.control, ", ".join(each.candidate.routes), each.candidate.attacker),
            "; ".join(map(plain, each.candidate.preconditions)),
            f"{each.candidate.reach}: {plain(each.candidate.reach_why)}",
            *(plain(each.candidate.impact_observed), plain(each.candidate.impact_inferred)),
            *(plain(each.recommendation), plain(each.candidate.safe_verification)),
            *(plain(each.severity_why), each.confidence_why, plain(each.disposition_why)),
            *(each.candidate.slice, ", ".join(map(str, each.citations))),
        )
        for each in findings
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


# Step 7: rate each finding and assign its disposition. Without a rubric the impact is described plainly.


def rate_findings(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The finding register: severity by the rubric, confidence by the table, dispositions as recorded."""
    rubric = first_of(bundle, SeverityRubric)
    grounds = Grounds(
        bundle=bundle,
        rubric=rubric,
        results=facts.results,
        plans=remediations(bundle, facts),
        approved=lambda finding, digest: accept_lacks(bundle, finding, digest),
    )
    findings = rate(facts.challenged, grounds)
    stray = tuple(_stray(bundle, {each.candidate.id for each in findings}))
    known = replace(facts, rubric=rubric, rated=True, findings=findings, notes=(*facts.notes, *stray))
    return Outcome(state=StepState.ADVANCE, facts=known, tables={"Findings": findings_frame(findings)})


def _stray(bundle: Bundle, known: set[str]) -> Iterator[Statement]:
    """Recorded words on findings that there are not, or not any more."""
    for entry in bundle.decisions.dispositions:
        if entry.subject.startswith("S-") and entry.subject not in known:
            yield limited("A recorded disposition names no finding: ", Subject(entry.subject), ".")
    for each in records_of(bundle, Acceptance):
        if each.record.finding not in known:
            yield limited("An acceptance record names no finding: ", Subject(each.record.finding), ".",
                          on=(each.citation,))  # fmt: skip


def remediations(bundle: Bundle, facts: W3Facts) -> Plans:
    """The supplied remediations, joined by the ids under which evidence may name a finding."""
    leads = facts.by_lead

    def names(candidate: Candidate) -> frozenset[str]:
        return names_of(candidate, leads)

    return plans_of(bundle, names)
