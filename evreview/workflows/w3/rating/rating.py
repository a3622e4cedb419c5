"""Each candidate that was not refuted becomes a finding with severity, confidence and disposition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Confidence, Unrated
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import SeverityRubric
from evreview.workflows.w3.model import Candidate, Disposition, SecurityFinding, State
from evreview.workflows.w3.rating.dispositions import Approved, Judge, accepted_digest, dispose
from evreview.workflows.w3.rating.severity import confidence, severity
from evreview.workflows.w3.supplied_remediation import Plans
from evreview.workflows.w3.validation.inventory_candidates import MISSING_NEGATIVE_TEST as UNTESTED
from evreview.workflows.w3.validation.local_results import LocalResult, verified

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
    return any(one.holds or one.severity in (Unrated.NO_RUBRIC, Unrated.NO_RULE) for one in shown)


def is_unrated(finding: SecurityFinding) -> bool:
    """True for a finding without a word of the rubric."""
    return isinstance(finding.severity, Unrated)


def _recommendation(candidate: Candidate, plans: Plans) -> Text:
    """What is proposed: to verify a hypothesis first; else the supplied change, or ours where it is refused."""
    if candidate.state is State.HYPOTHESIS:
        return ("verify it before any claim: ", *candidate.safe_verification) if candidate.safe_verification else (
            "design a bounded local validation plan and have it approved",
        )  # fmt: skip
    return plans.change_for(candidate)
