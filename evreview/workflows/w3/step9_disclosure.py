"""Step 9: package, redact and obtain disclosure approval. Without it nothing leaves the authorized team."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evreview.core.quoted_text import Subject, plain
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ExecutionPlan
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.engine.registers import gates_frame
from evreview.workflows.engine.sealing import incomplete
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.gates import accept_gate, active_gate, disclosure_gate, outsiders


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
    outside = outsiders(bundle, record)
    gate = disclosure_gate(bundle, outside, report_digest(bundle, facts))
    return Disclosure(
        team=(record.recipients or ()) if record else (),
        outside=outside,
        approved=facts.opened and gate.state is GateState.APPROVED and not facts.guard.withheld,
        rejected=gate.state is GateState.REJECTED,
        unredacted=bool(facts.guard.withheld),
    )


def obtain_disclosure(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The three gates; remains while recipients outside the authorized team wait, or redaction is incomplete."""
    plans = records_of(bundle, ExecutionPlan)
    known = {each.candidate.id: each.accepting for each in facts.findings}
    accepted = {
        entry.subject: known.get(entry.subject, "")
        for entry in bundle.decisions.dispositions
        if entry.state == "accepted"
    }
    to_whom = disclosure(bundle, facts)
    gates = (
        active_gate(bundle, plans),
        disclosure_gate(bundle, to_whom.outside, report_digest(bundle, facts)),
        accept_gate(bundle, accepted),
    )
    waiting = (*_waiting(gates[1]), *incomplete(bundle, facts.guard))
    return Outcome(
        state=StepState.REMAIN if waiting else StepState.ADVANCE,
        facts=replace(facts, gates=gates),
        reasons=waiting,
        tables={"Gates": gates_frame(gates)},
    )


def _waiting(gate: Gate) -> Iterator[Statement]:
    """What keeps the gate open. It rests on what is not in decisions.yaml, so no item can be cited for it."""
    if gate.state in (GateState.OPEN, GateState.REJECTED):
        for missing in gate.missing:
            yield limited(f"{gate.spec.title}: ", Subject(missing.rstrip(".")), ".")
