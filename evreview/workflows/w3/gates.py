"""The three W3 gates in one run: who answers, what is recorded, and whom the artifact may reach."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text, counted, plain
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_lines
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import Approval, ExecutionPlan
from evreview.evidence.records.security import Authorization
from evreview.redaction.detector import RedactionFinding
from evreview.report.escape import cell, cell_words, citations
from evreview.report.statement import Statement, cite, observed
from evreview.workflows.engine.gates import (
    ACTIVE,
    Dated,
    Gate,
    GateSpec,
    GateState,
    Seat,
    Unmet,
    dates_of,
    disposed_at,
    judge_gate,
    lacking,
    named_seats,
    party,
    plan_digest,
    seen_by,
    started,
    unbound_files,
)
from evreview.workflows.engine.registers import TableRow, empty
from evreview.workflows.engine.retained_runs import read_runs
from evreview.workflows.engine.sealing import incomplete
from evreview.workflows.w3.facts import W3Facts, scope_items
from evreview.workflows.w3.inventory.listing import SENSITIVE

# The three W3 gates. Spec, approval gates.


DISCLOSE: Final = GateSpec(
    id="disclose-outside-team",
    title="Before disclosure outside the authorized team",
    reviewed=("redacted report", "severity rationale", "recipients", "channel", "timing"),
    stages=(("security-owner",),),
)
ACCEPT: Final = GateSpec(
    id="accept-reachable-vulnerability",
    title="Before deployment with a temporarily accepted reachable vulnerability",
    reviewed=("compensating controls", "accountable owner", "expiry", "revalidation date"),
    stages=(("security-owner", "release-manager"),),
)

GATES: Final = (ACTIVE, DISCLOSE, ACCEPT)


def active_gate(bundle: Bundle, plans: Iterable[Cited[ExecutionPlan]]) -> Gate:
    """The gate before anything is executed; an answer counts only for the plan and the content that it names."""
    known = tuple(plans)
    gate = _joined(ACTIVE, [(plan.record.id, _planned(bundle, plan)) for plan in known])
    digests = tuple(plan_digest(bundle, plan) for plan in known)
    if not known:
        return gate
    spec = replace(gate.spec, reviewed=(*digests, *gate.spec.reviewed), names=(*digests, *gate.spec.names))
    return replace(gate, spec=spec, about=digests[0] if len(digests) == 1 else "")


def approves(bundle: Bundle, plan: Cited[ExecutionPlan]) -> bool:
    """True when the gate is approved for this very content of a plan and of the files that it copies."""
    return _planned(bundle, plan).state is GateState.APPROVED


def _planned(bundle: Bundle, plan: Cited[ExecutionPlan]) -> Gate:
    gate = _judged(ACTIVE, bundle, plan.record.id, plan_digest(bundle, plan))
    return lacking(gate, map(Unmet, unbound_files(bundle, plan.record)))


def accept_gate(bundle: Bundle, findings: Mapping[str, str]) -> Gate:
    """The gate before a deployment with an accepted finding; an answer counts only for what it names.

    Args:
        bundle: with the recorded answers.
        findings: the digest of what is accepted, by finding.
    """
    gate = _joined(ACCEPT, [(name, _accepted(bundle, name, digest)) for name, digest in findings.items()])
    if not findings:
        return gate
    digests = tuple(findings.values())
    spec = replace(gate.spec, reviewed=(*digests, *gate.spec.reviewed))
    return replace(gate, spec=spec, about=digests[0] if len(digests) == 1 else "")


def accept_lacks(bundle: Bundle, finding: str, digest: str) -> tuple[str, ...]:
    """What the gate of accepted findings lacks for one of them, nothing when it is approved."""
    return _accepted(bundle, finding, digest).missing


def _accepted(bundle: Bundle, finding: str, digest: str) -> Gate:
    """One acceptance: nobody can have seen its owner, controls and expiry before they were recorded."""
    recorded = tuple(each for each in bundle.decisions.dispositions if each.subject == finding)
    return _judged(ACCEPT, bundle, finding, digest, dated=tuple(disposed_at(recorded[-1:])))


def disclosure_gate(bundle: Bundle, outside: Iterable[str], report: str) -> Gate:
    """The gate before disclosure outside the authorized team; not needed when nobody is there, unless somebody said no.

    An answer counts only for the recipients that it names and for the report whose digest it names.

    Args:
        bundle: with the recorded answers.
        outside: the recipients.
        report: the digest of what the report says.
    """
    names = tuple(outside)
    if not names and (refused := _judged(DISCLOSE, bundle)).state is GateState.REJECTED:
        return refused
    dated = tuple(_told(bundle)) if any(answer.gate == DISCLOSE.id for answer in bundle.answers) else ()
    gate = _joined(DISCLOSE, [(name, _judged(DISCLOSE, bundle, name, report, dated=dated)) for name in names])
    if not names:
        return gate
    spec = replace(gate.spec, reviewed=(report, *gate.spec.reviewed), names=(report, *gate.spec.names))
    return replace(gate, spec=spec, about=report)


def outside_recipients(bundle: Bundle, authorization: Authorization | None) -> tuple[str, ...]:
    """The recipients asked for that the authorization does not name, in the order asked for."""
    known = {name.casefold() for name in (authorization.recipients or ())} if authorization else set()
    return tuple(name for name in bundle.request.recipients if name.casefold() not in known)


def _told(bundle: Bundle) -> Iterator[Dated]:
    """What a report tells, with its dates: an approval of its disclosure cannot be older."""
    yield from dates_of(bundle.items.values())
    yield from disposed_at(bundle.decisions.dispositions)
    for run in read_runs(bundle)[0]:
        yield from started(f"the run in {run.record.record.output}", run.results.started)


def _judged(spec: GateSpec, bundle: Bundle, *about: str, dated: Collection[Dated] = ()) -> Gate:
    """The gate by the answers that name what it is about; no answer was given before the review was authorized."""
    known = first_of(bundle, Authorization)
    since = known.record.at if known else None
    every = [answer for answer in bundle.answers if answer.gate == spec.id]
    counted = [
        answer
        for answer in every
        if answer.decision == "rejected" or set(about) <= seen_by(answer)
        if since is None or answer.at >= since
    ]
    roles, day = bundle.request.roles, bundle.request.as_of
    gate = judge_gate(spec, named_seats(spec, roles), counted, day, party=party(roles), dated=dated)
    told = {f"{seat} has not answered": _uncounted(seat, every, about) for seat in gate.seats}
    faults = (*gate.faults, *filter(None, told.values()))
    return replace(gate, missing=tuple(told.get(lack) or lack for lack in gate.missing), faults=faults)


def _uncounted(seat: Seat, answers: Iterable[Approval], about: tuple[str, ...]) -> str:
    """Why the last answer of a seat does not count, "" when it gave none."""
    own = [answer for answer in answers if (answer.role, answer.stands_for) == (seat.role, seat.stands_for)]
    if not own:
        return ""
    unnamed = [name for name in about if name not in seen_by(own[-1])]
    if unnamed:
        return f"{seat} answered without naming {', '.join(unnamed)}"
    return f"{seat} answered before the review was authorized"


def _joined(spec: GateSpec, judged: list[tuple[str, Gate]]) -> Gate:
    """Several answers to one gate as one: rejected by any, open while any is open; each name is to be reviewed too."""
    if not judged:
        return Gate(spec=spec, state=GateState.NOT_NEEDED, seats=())
    names = tuple(name for name, _ in judged)
    states = {gate.state for _, gate in judged}
    order = (GateState.REJECTED, GateState.OPEN, GateState.APPROVED)
    first = judged[0][1]
    return replace(
        first,
        spec=replace(spec, reviewed=(*names, *spec.reviewed), names=names),
        state=next(state for state in order if state in states),
        approvals=tuple(dict.fromkeys(answer for _, gate in judged for answer in gate.approvals)),
        missing=tuple(f"{name}: {lack}" for name, gate in judged for lack in gate.missing),
        waiting=tuple(dict.fromkeys(seat for _, gate in judged for seat in gate.waiting)),
        unmet=tuple(replace(each, text=f"{name}: {each.text}") for name, gate in judged for each in gate.unmet),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """Whom the artifact may reach: those that the authorization names, and `outside` ones once the gate is approved.

    While redaction is incomplete, nobody outside: what was approved is a redacted artifact.
    """

    team: tuple[str, ...]
    outside: tuple[str, ...]
    approved: bool
    rejected: bool
    unredacted: bool = False

    @property
    def internal(self) -> bool:
        """True while redaction is incomplete or somebody outside waits, after a refusal, and before a team is named."""
        return self.unredacted or (not self.approved and (self.rejected or bool(self.outside) or not self.team))


def report_digest(bundle: Bundle, facts: W3Facts) -> str:
    """What an approval of the disclosure names: the sha256 over evidence, request, findings and handlings as told.

    Recipients, the date and answers to gates are left out: one more person asked for, or an answer, changes no report.
    """
    told = [
        bundle.request.model_dump_json(exclude={"recipients", "as_of"}),
        *(f"{item.id} {item.type} {item.sha256} {item.integrity}" for item in bundle.items.values()),
        *(f"{each.candidate.slice} {each.candidate.id} {each.candidate.state} {each.severity} {each.confidence} "
          f"{each.disposition} {plain(each.disposition_why)} {plain(each.recommendation)}" for each in facts.findings),
        *(f"{each.finding} {plain(each.control_change)} {plain(each.refused)}" for each in facts.remediation),
        *(f"{each.hit.location} {each.hit.kind} {plain(each.handling)}" for each in facts.sensitive),
    ]  # fmt: skip
    return f"sha256:{hashlib.sha256(chr(10).join(told).encode()).hexdigest()}"


def disclosure(bundle: Bundle, facts: W3Facts) -> Disclosure:
    """Whom the artifact may reach now, whatever step the run came to."""
    record = facts.authorization.record if facts.authorization else None
    outside = outside_recipients(bundle, record)
    gate = disclosure_gate(bundle, outside, report_digest(bundle, facts))
    return Disclosure(
        team=(record.recipients or ()) if record else (),
        outside=outside,
        approved=facts.opened and gate.state is GateState.APPROVED and not facts.redactor.withheld,
        rejected=gate.state is GateState.REJECTED,
        unredacted=bool(facts.redactor.withheld),
    )


# The artifact's own word on redaction: complete or not, and which kinds stand where in the evidence, never a value.


SHOWN: Final = 12
"""How many lines of one item a row names."""


def redaction(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """Whether all was taken out that the redactor found in what was read; what was withheld, by kind and place."""
    if facts.redactor.withheld:
        yield from incomplete(bundle, facts.redactor)
        return
    found = _found(bundle, facts)
    places = len({(item, line) for item, finding in found for line in finding.lines})
    items = cite(*dict.fromkeys(item for item, _ in found))
    read = "the evidence" if facts.opened else "what was read"
    says = (
        f"{counted(places, 'place')} of {read} {'holds' if places == 1 else 'hold'} such a value"
        if found
        else (f"{read} holds no such value that is known by its form")
    )
    yield observed(f"Redaction is complete: {says}, and this artifact none.", on=items or scope_items(bundle, facts))


def redacted_rows(bundle: Bundle, facts: W3Facts, read: tuple[Citation, ...]) -> tuple[TableRow, ...]:
    """What the redactor found in the evidence, by kind and place; the values are nowhere, not even as digests."""
    left = {(each.kind, each.detector) for each in facts.redactor.withheld}
    handlings = {each.hit: each.handling for each in facts.sensitive}
    rows = (
        (
            cell(str(found.kind)),
            cell(_lines(found)),
            cell("withheld" if (found.kind, found.detector) in left else "redacted"),
            cell_words(_handling(found, handlings)),
            citations(tuple(at_lines(item, line) for line in found.lines[:SHOWN]) or (Citation(item),)),
        )
        for item, found in _found(bundle, facts)
    )
    return tuple(rows) or empty(5, "none was found in what was read", read)


def _found(bundle: Bundle, facts: W3Facts) -> tuple[tuple[EvidenceId, RedactionFinding], ...]:
    return tuple(
        (EvidenceId(found.location), found) for found in facts.redactor.findings if found.location in bundle.items
    )


def _lines(found: RedactionFinding) -> str:
    more = len(found.lines) - SHOWN
    told = ", ".join(map(str, found.lines[:SHOWN])) or "unknown"
    return f"{told} and {more} more" if more > 0 else told


def _handling(found: RedactionFinding, handlings: dict[RedactionFinding, Text]) -> Text:
    if found.kind not in SENSITIVE:
        return ("not asked for this kind",)
    if found not in handlings:
        return ("step 3 was not reached",)
    return handlings[found] or ("no handling is recorded",)
