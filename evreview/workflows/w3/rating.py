"""Each candidate that was not refuted becomes a finding: severity by the rubric, confidence, recorded disposition."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed, plain
from evreview.core.vocabulary import ClosedVocabulary, Confidence, EvidenceId, Unrated
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.claim_types import ClaimKind, permits
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import Disposition as Recorded
from evreview.evidence.records.review import FindingState
from evreview.evidence.records.security import (
    Acceptance,
    Authorization,
    RubricRule,
    RubricWhen,
    SeverityRubric,
    TrustModel,
)
from evreview.workflows.w3.model import Candidate, Disposition, Reach, SecurityFinding, Standing, State
from evreview.workflows.w3.supplied_remediation import Plans
from evreview.workflows.w3.validation import MISSING_NEGATIVE_TEST as UNTESTED
from evreview.workflows.w3.validation import LocalResult, verified

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
    """True for a supported, unresolved finding without a word of the rubric: nobody can say whether it holds."""
    unresolved = finding.candidate.state is State.SUPPORTED and finding.disposition in UNRESOLVED
    return unresolved and isinstance(finding.severity, Unrated)


def _recommendation(candidate: Candidate, plans: Plans) -> Text:
    """What is proposed: to verify a hypothesis first; else the supplied change, or ours where it is refused."""
    if candidate.state is State.HYPOTHESIS:
        return ("verify it before any claim: ", *candidate.safe_verification) if candidate.safe_verification else (
            "design a bounded local validation plan and have it approved",
        )  # fmt: skip
    return plans.change_for(candidate)


_MILD: Final = ("medium", "moderate", "low", "minor", "info", "informational")
"""Words that a hypothesis may have even where they are a rubric's gravest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """What the rubric makes of one candidate.

    Attributes:
        severity: a word of the rubric, or why there is none.
        why: the rule, quoted, or what is said instead.
        holds: an unresolved finding holds the deployment.
        blocks: the rule itself says that it blocks.
        asset: the classification of the protected asset, "" while it is unknown.
        rank: 0 for the gravest word; unrated ones come last.
        citations: of the rule.
    """

    severity: str | Unrated
    why: Text
    holds: bool = False
    blocks: bool = False
    asset: str = ""
    rank: int = 1_000
    citations: tuple[Citation, ...] = ()


def severity(candidate: Candidate, rubric: Cited[SeverityRubric] | None, bundle: Bundle, *, verified: bool) -> Rated:
    """The gravest rule of the rubric that applies, quoted; "not rated" and the plain impact without one.

    Of a hypothesis the gravest that holds no deployment: what is only suspected is verified first, whatever it says.

    Args:
        candidate: what is rated.
        rubric: as supplied, None for none.
        bundle: with the trust model that names asset and attacker.
        verified: a retained negative test verifies the control.
    """
    asset = _classification(candidate, bundle) or ""
    if rubric is None:
        return Rated(
            severity=Unrated.NO_RUBRIC,
            why=("no rubric is supplied, so the impact is described plainly",),
            asset=asset,
        )
    words = rubric.record.severities
    matching = [
        (words.index(rule.severity), place, rule)
        for place, rule in enumerate(rubric.record.rules)
        if rule.severity in words and _applies(rule.when, candidate, bundle, verified=verified)
    ]
    if not matching:
        why = ("no rule of the rubric applies, so the impact is described plainly",)
        return Rated(severity=Unrated.NO_RULE, why=why, asset=asset, citations=(rubric.citation,))
    shown = candidate.state is State.SUPPORTED
    matching = matching if shown else [one for one in matching if one[2].severity not in _grave(rubric.record)]
    if not matching:
        return Rated(severity=Unrated.UNVERIFIED, why=("the rules that apply are for what is supported",),
                     asset=asset, citations=(rubric.citation,))  # fmt: skip
    rank, place, rule = min(matching, key=lambda found: found[:2])
    return Rated(
        severity=rule.severity,
        why=_quoted(rule),
        holds=shown and (rule.blocks_deployment or rule.severity in rubric.record.holding),
        blocks=shown and rule.blocks_deployment,
        asset=asset,
        rank=rank,
        citations=(rubric.at(f"/rules/{place}"),),
    )


def _grave(rubric: SeverityRubric) -> frozenset[str]:
    """The severities that no hypothesis has: those that hold a deployment, and the gravest word of a scale."""
    first = [word for word in rubric.severities[:1] if word.casefold() not in _MILD]
    return frozenset((*rubric.holding, *first))


def _quoted(rule: RubricRule) -> Text:
    return (UserText(rule.text),)


def _applies(when: RubricWhen, candidate: Candidate, bundle: Bundle, *, verified: bool) -> bool:
    """True when everything that the rule asks for holds; an unknown asset or attacker meets no condition on it."""
    return all(_conditions(when, candidate, bundle, verified=verified))


def _conditions(when: RubricWhen, candidate: Candidate, bundle: Bundle, *, verified: bool) -> Iterator[bool]:
    yield not when.kinds or candidate.kind in when.kinds
    yield not when.areas or candidate.area in when.areas
    yield not when.classifications or _classification(candidate, bundle) in when.classifications
    yield not when.attackers or not _attacker(candidate, bundle).isdisjoint(when.attackers)
    state = "supported" if candidate.state is State.SUPPORTED else "hypothesis"
    yield not when.states or state in when.states
    yield when.verified is None or when.verified is verified


def _classification(candidate: Candidate, bundle: Bundle) -> str | None:
    model = first_of(bundle, TrustModel)
    assets = (model.record.assets or ()) if model else ()
    return next((each.classification for each in assets if each.id == candidate.asset), None)


def _attacker(candidate: Candidate, bundle: Bundle) -> frozenset[str]:
    """The attacker's id and position."""
    if not candidate.attacker:
        return frozenset()
    model = first_of(bundle, TrustModel)
    actors = (model.record.actors or ()) if model else ()
    positions = [each.position for each in actors if each.id == candidate.attacker and each.position]
    return frozenset((candidate.attacker, *positions))


# Confidence of a security finding: evidence completeness x validation state, by the table below and by nothing else.
#
# It says how well the finding is supported, never how grave it is; severity comes from the rubric alone.


class Completeness(ClosedVocabulary):
    """COMPLETE: nothing about the way there and the controls on it is unknown. PATTERN: all of it is."""

    COMPLETE = "lines, reachability, asset and every place of a compensating control are shown"
    PARTIAL = "lines, reachability, the asset or a place of a compensating control are unknown"
    PATTERN = "a matched pattern alone"


class Validation(ClosedVocabulary):
    """RETAINED: a local result with revision, isolated environment, command and result says so."""

    RETAINED = "a retained local result"
    NONE = "no retained local result"


CONFIDENCE: Final[Mapping[tuple[Completeness, Validation], Confidence]] = {
    (Completeness.COMPLETE, Validation.RETAINED): Confidence.HIGH,
    (Completeness.COMPLETE, Validation.NONE): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.RETAINED): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.NONE): Confidence.LOW,
    (Completeness.PATTERN, Validation.RETAINED): Confidence.LOW,
    (Completeness.PATTERN, Validation.NONE): Confidence.LOW,
}


def completeness(candidate: Candidate) -> Completeness:
    """How much of what decides the candidate the evidence shows."""
    decided = [each for each in candidate.challenges if each.standing is not Standing.UNKNOWN]
    known = candidate.reach is not Reach.UNKNOWN
    whole = bool(decided) and len(decided) == len(candidate.challenges)
    if known and whole and candidate.asset and not candidate.missing:
        return Completeness.COMPLETE
    return Completeness.PARTIAL if known or decided else Completeness.PATTERN


def confidence(candidate: Candidate) -> tuple[Confidence, str]:
    """The confidence and its reason in words."""
    evidence = completeness(candidate)
    state = Validation.RETAINED if candidate.validated else Validation.NONE
    return CONFIDENCE[evidence, state], f"{evidence}; {state}"


Approved = Callable[[str, str], tuple[str, ...]]
"""What the gate before a deployment with an accepted finding still lacks, by finding and by the digest of what is
accepted; nothing when it is approved."""

STATES: Final = {
    FindingState.BLOCKING: Disposition.BLOCKING,
    FindingState.OPEN: Disposition.OPEN,
    FindingState.ACCEPTED: Disposition.ACCEPTED,
    FindingState.CLOSED: Disposition.CLOSED,
}
SHOWS: Final = (ClaimKind.EXECUTED_CHECK, ClaimKind.IMPLEMENTATION)
"""What an item has to be able to carry to show a compensating control."""
CLOSES: Final = SHOWS
"""What an item has to be able to carry to close a finding: a retained result, or code and configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingDisposition:
    """The disposition of one finding, why, and what it rests on."""

    disposition: Disposition
    why: Text
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """What dispositions are judged by.

    Attributes:
        bundle: with the recorded entries, the acceptance records, the authorization and the review's date.
        results: the retained results.
        approved: what the gate of accepted findings lacks.
        plans: the supplied remediations; their negative tests close a finding when they pass.
    """

    bundle: Bundle
    results: tuple[LocalResult, ...]
    approved: Approved
    plans: Plans


def dispose(candidate: Candidate, judge: Judge, rated: Rated) -> FindingDisposition:
    """The disposition that counts: the recorded one, else blocking where the rubric's rule says so, else open.

    Args:
        candidate: the finding's candidate.
        judge: what entries are judged by.
        rated: its severity, and whether the rubric's rule blocks the deployment.
    """
    entry = _last(candidate, judge.bundle)
    unrecorded = Disposition.BLOCKING if rated.blocks else Disposition.OPEN
    if entry is None:
        why = "the rule of the rubric blocks the deployment" if rated.blocks else "no disposition is recorded"
        return FindingDisposition(disposition=unrecorded, why=(why,))
    lacks = tuple(_lacks(entry, candidate, judge, rated))
    said: Text = (UserText(entry.state or entry.decision), " by ", UserText(entry.role))
    if lacks or entry.state is None:
        return FindingDisposition(
            disposition=unrecorded, why=("recorded as ", *said, ", which does not count: ", *_list(lacks))
        )
    return FindingDisposition(
        disposition=STATES[entry.state],
        why=("recorded as ", *said, *_terms(entry, candidate, judge.bundle)),
        citations=tuple(_cited(entry, candidate, judge.bundle)),
    )


def _last(candidate: Candidate, bundle: Bundle) -> Recorded | None:
    entries = [each for each in bundle.decisions.dispositions if each.subject == candidate.id]
    return entries[-1] if entries else None


def _list(lacks: tuple[Text, ...]) -> Text:
    parts: list[str | UserText] = []
    for each in lacks:
        parts += ["; ", *each] if parts else each
    return tuple(parts)


def _lacks(entry: Recorded, candidate: Candidate, judge: Judge, rated: Rated) -> Iterator[Text]:
    """Why an entry does not count."""
    if entry.state is None:
        yield ("it names none of the four states",)
        return
    if entry.at.astimezone(UTC).date().isoformat() > judge.bundle.request.as_of:
        yield ("it was recorded after the review's date",)
    if entry.state in (FindingState.ACCEPTED, FindingState.CLOSED):
        yield from _not_the_owner(entry, judge.bundle)
        if entry.of != candidate.slice:
            yield ("what was judged has changed since, or the entry does not name its digest",)
    if entry.state is FindingState.ACCEPTED:
        yield from _unaccepted(entry, candidate, judge, rated)
    if entry.state is FindingState.CLOSED:
        yield from _unclosed(entry, candidate, judge)


def _not_the_owner(entry: Recorded, bundle: Bundle) -> Iterator[Text]:
    """Why the entry is not the security owner's: whom the review names, else who authorized it."""
    known = first_of(bundle, Authorization)
    owner = bundle.request.roles.security_owner or (known.record.approving_role if known else None)
    if not owner:
        yield ("nobody is named as the security owner",)
    elif entry.role != owner:
        yield ("the security owner is ", UserText(owner))


def _unaccepted(entry: Recorded, candidate: Candidate, judge: Judge, rated: Rated) -> Iterator[Text]:
    as_of = judge.bundle.request.as_of
    if entry.until is None:
        yield ("it names no day until which it holds",)
    elif entry.until < as_of:
        yield (f"it expired on {entry.until}",)
    accepted = acceptance_of(candidate.id, judge.bundle)
    if accepted is None:
        yield ("no acceptance record names the finding",)
    else:
        yield from _incomplete(accepted.record, entry, as_of)
        yield from _unshown(accepted, judge.bundle)
    for missing in judge.approved(candidate.id, accepted_digest(candidate, rated, judge.bundle)):
        yield ("the gate is not approved: ", UserText(missing))


def _incomplete(accepted: Acceptance, entry: Recorded, as_of: str) -> Iterator[Text]:
    if not accepted.compensating_controls:
        yield ("the acceptance record names no compensating control",)
    if not accepted.accountable_owner:
        yield ("the acceptance record names no accountable owner",)
    if accepted.expires is None:
        yield ("the acceptance record has no expiry",)
    elif accepted.expires < as_of:
        yield (f"the acceptance record expired on {accepted.expires}",)
    elif entry.until and entry.until > accepted.expires:
        yield (f"it holds longer than the acceptance record, which expires on {accepted.expires}",)
    if accepted.revalidate_on is None:
        yield ("the acceptance record has no revalidation date",)
    elif accepted.revalidate_on < as_of:
        yield (f"its revalidation was due on {accepted.revalidate_on}",)
    elif accepted.expires and accepted.revalidate_on > accepted.expires:
        yield (f"its revalidation on {accepted.revalidate_on} comes after its expiry",)
    if not accepted.evidence:
        yield ("the acceptance record names no item that shows the compensating controls",)


def _unshown(accepted: Cited[Acceptance], bundle: Bundle) -> Iterator[Text]:
    """Why the items that an acceptance record names do not show the compensating controls."""
    for name in accepted.record.evidence:
        item = bundle.items.get(name)
        if item is None:
            yield (UserText(name), " is no item of the evidence")
        elif name == accepted.citation.id or not any(permits(item, claim) for claim in SHOWS):
            yield (UserText(name), " can't show a compensating control; it is a ", UserText(str(item.type)))


def _found_absent(accepted: Acceptance, candidate: Candidate) -> Iterator[str | UserText]:
    """That the review looked for a compensating control in every item that is named for one, and found none there."""
    absent = {on.id for each in candidate.challenges if each.standing is Standing.ABSENT for on in each.citations}
    if accepted.evidence and absent.issuperset(accepted.evidence):
        yield from ("; this review found none of them in ", *listed(accepted.evidence))


def accepted_digest(candidate: Candidate, rated: Rated, bundle: Bundle) -> str:
    """What an approval of an accepted finding names: the sha256 over what was judged, its severity and the acceptance.

    A finding that gets graver, an asset that gets more sensitive and terms that are rewritten need a new answer.
    """
    accepted = acceptance_of(candidate.id, bundle)
    terms = accepted.record.model_dump_json() if accepted else ""
    told = (candidate.id, candidate.slice, str(candidate.state), rated.severity, plain(rated.why), rated.asset, terms)
    return f"sha256:{hashlib.sha256(chr(10).join(told).encode('utf-8', 'surrogatepass')).hexdigest()}"


def _unclosed(entry: Recorded, candidate: Candidate, judge: Judge) -> Iterator[Text]:
    """Why the named items do not close the finding.

    The code of the reviewed revision still shows what was found, else there were no finding: only a retained result
    speaks against it. Code and configuration may stand beside that, but not those that the finding rests on.
    """
    if not entry.evidence:
        yield ("it names no evidence",)
    elif not any(name in (each.item, each.run) for name in entry.evidence for each in judge.results):
        yield ("none of the items retains a result, and the reviewed code still shows what was found",)
    known = {on.id for on in candidate.citations}
    known |= {on.id for each in candidate.challenges for on in each.citations}
    for name in entry.evidence:
        item = judge.bundle.items.get(name)
        if item is None:
            yield (UserText(name), " is no item of the evidence")
        elif not any(permits(item, claim) for claim in CLOSES):
            yield (UserText(name), " can't close a finding; it is a ", UserText(str(item.type)))
        elif permits(item, ClaimKind.EXECUTED_CHECK):
            yield from _unproved(name, candidate, judge)
        elif name in known:
            yield (UserText(name), " is what the finding itself was judged by")


def _unproved(name: EvidenceId, candidate: Candidate, judge: Judge) -> Iterator[Text]:
    """Why the results that an item retains do not show that the finding is gone."""
    own = [each for each in judge.results if name in (each.item, each.run)]
    about = [each for each in own if _is_about(each, candidate, judge.plans)]
    if not about:
        yield (UserText(name), " retains no result that names the finding, and not the remediation's negative tests")
    elif any(each.lacks for each in about):
        yield (UserText(name), " retains a result without revision, isolated environment, command or result")
    elif any(each.result != "passed" for each in about):
        yield (UserText(name), " retains a result that is not passed")


def _is_about(each: LocalResult, candidate: Candidate, plans: Plans) -> bool:
    """True for a result that names the finding, or is one of the negative tests that its remediation asks for.

    One of the tests has to say that it asks the finding's route: a name alone shows nothing.
    """
    asked_of = {operation_key(name) for name in each.operations}
    on_route = {operation_key(route) for route in candidate.routes} <= asked_of and bool(asked_of)
    if plans.names(candidate).intersection(each.about):
        return on_route or not each.operations or not candidate.route
    supplied = plans.of(candidate)
    asked = supplied.record.negative_tests if supplied and not supplied.refused else ()
    named = each.id.rsplit("::", 1)[-1] in {test.name for test in asked}
    return named and (on_route or not candidate.route)


def acceptance_of(finding: str, bundle: Bundle) -> Cited[Acceptance] | None:
    """The last acceptance record of a finding, None without one."""
    found = [each for each in records_of(bundle, Acceptance) if each.record.finding == finding]
    return found[-1] if found else None


def _terms(entry: Recorded, candidate: Candidate, bundle: Bundle) -> Iterator[str | UserText]:
    if entry.state is FindingState.ACCEPTED:
        accepted = acceptance_of(candidate.id, bundle)
        yield f", until {entry.until}"
        if accepted is not None:
            yield from ("; accountable: ", UserText(accepted.record.accountable_owner or ""))
            yield f"; revalidation on {accepted.record.revalidate_on}; compensating controls: "
            yield UserText("; ".join(accepted.record.compensating_controls))
            yield from _found_absent(accepted.record, candidate)


def _cited(entry: Recorded, candidate: Candidate, bundle: Bundle) -> Iterator[Citation]:
    if entry.state is FindingState.CLOSED:
        yield from (Citation(name) for name in entry.evidence)
    accepted = acceptance_of(candidate.id, bundle) if entry.state is FindingState.ACCEPTED else None
    if accepted is not None:
        yield accepted.citation
        yield from (Citation(name) for name in accepted.record.evidence)
