"""Whom the artifact may reach, and what it says of its own redaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.core.quoted_text import Text, counted, plain
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Bundle, Citation
from evreview.redaction.detector import RedactionFinding
from evreview.report.escape import cell, cell_words, citations
from evreview.report.statement import Statement, cite, observed
from evreview.workflows.engine.gates import GateState
from evreview.workflows.engine.registers import TableRow, empty
from evreview.workflows.engine.sealing import incomplete
from evreview.workflows.w3.facts import W3Facts, scope_items
from evreview.workflows.w3.gates import disclosure_gate, outside_recipients
from evreview.workflows.w3.inventory.sensitive_values import SENSITIVE


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
