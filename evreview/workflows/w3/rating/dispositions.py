"""Dispositions: the last one that people recorded, if it counts. One that does not count says why, no more."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed, plain
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.claim_types import ClaimKind, permits
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import Disposition as Recorded
from evreview.evidence.records.review import FindingState
from evreview.evidence.records.security import Acceptance, Authorization
from evreview.workflows.w3.model import Candidate, Disposition, Standing
from evreview.workflows.w3.rating.severity import Rated
from evreview.workflows.w3.supplied_remediation import Plans
from evreview.workflows.w3.validation.local_results import LocalResult

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
