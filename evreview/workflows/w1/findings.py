"""The finding register of W1: which rows become findings, and how each sentence is supported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evreview.comparison.comparison import JudgedRow
from evreview.contract.model import Contract, Place
from evreview.core.quoted_text import Text, UserText, marked, text
from evreview.core.vocabulary import (
    Aspect,
    Basis,
    DeltaId,
    FindingId,
    ProofStatus,
    Tristate,
    Unrated,
    Verdict,
    VersionPath,
)
from evreview.evidence.cited_records import records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import ClientInventory
from evreview.report.difference_text import said, sketched, stated, written_place
from evreview.report.statement import Statement, executed, inferred, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Completeness, Finding, Validation, confidence
from evreview.workflows.engine.internal_errors import internal_error_fields
from evreview.workflows.w1.checks import CheckedDirection, Executed
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.facts import W1Facts, contract_citations, row_citations
from evreview.workflows.w1.policy.judgement import PolicyJudgement, exits, standing_blocks
from evreview.workflows.w1.reconcile.diff_mapping import Branch

NEVER_SILENT: Final = frozenset({Aspect.DEFAULTS, Aspect.NULLABILITY, Aspect.ERRORS})
"""Aspects whose change is always a finding, whatever the verdict. Spec, W1 guardrails."""


def build_findings(bundle: Bundle, facts: W1Facts) -> tuple[Finding, ...]:
    """One finding per material row, in ledger order, then one per behaviour that only the implementation shows."""
    found = tuple(_finding(_Case(bundle, facts, row)) for row in facts.rows if is_material(row, facts))
    only = facts.reconciliation.runtime_only if facts.reconciliation else ()
    named = bundle.request.contracts
    contracts = (Citation(named.released), Citation(named.candidate)) if named else ()
    return (*found, *(runtime_finding(branch, contracts, clients_of(bundle, branch.element)) for branch in only))


def clients_of(bundle: Bundle, element: str) -> tuple[str, ...]:
    """The known clients that use an element's operation, by id."""
    wanted = operation_key(element.split(" > ")[0])
    return tuple(
        client.id
        for inventory in records_of(bundle, ClientInventory)
        for client in inventory.record.clients
        if client.uses is None or any(operation_key(use.operation) == wanted for use in client.uses)
    )


def is_material(row: JudgedRow, facts: W1Facts) -> bool:
    """True when a row must not pass without a finding."""
    judgement = facts.judgements.get(row.delta.id)
    return (
        row.judgement.verdict is not Verdict.COMPATIBLE
        or row.delta.aspect in NEVER_SILENT
        or row.delta.in_error
        or (judgement is not None and _is_rated(judgement))
        or any(impact.breaking for impact in facts.impacts if impact.delta_id == row.delta.id)
    )


def _is_rated(judgement: PolicyJudgement) -> bool:
    """True for a compatible row that a rule rates or blocks for itself.

    That consumers may exist whom nobody lists is so of every row alike: by itself it makes a compatible one no finding.
    """
    of_all = judgement.evidence == "unknown-consumers" and not judgement.blocks
    return judgement.severity is not None and not of_all


@dataclass(frozen=True, slots=True)
class _Case:
    """One row with everything that is known about it."""

    bundle: Bundle
    facts: W1Facts
    row: JudgedRow

    @property
    def impacts(self) -> tuple[Impact, ...]:
        return tuple(impact for impact in self.facts.impacts if impact.delta_id == self.row.delta.id)

    @property
    def judgement(self) -> PolicyJudgement:
        return self.facts.judgements.get(self.row.delta.id) or PolicyJudgement(delta_id=self.row.delta.id)

    @property
    def contracts(self) -> tuple[Citation, ...]:
        return contract_citations(self.bundle, self.row)

    @property
    def path(self) -> VersionPath | None:
        """The chosen path, None when it is not supported: an unsupported one ends no block."""
        path = self.facts.path
        return path.path if path and path.supported else None

    @property
    def blocks(self) -> tuple[str, ...]:
        if self.facts.unknown_consumers is None:
            return ()
        ways = exits(self.row.delta.id, self.impacts, self.facts.unknown_consumers, self.path)
        return tuple(dict.fromkeys(block.what for block in standing_blocks(self.judgement, ways)))


def _finding(case: _Case) -> Finding:
    row, judgement = case.row, case.judgement
    level, why = confidence(_completeness(case), _validation(case))
    rubric = (judgement.citation,) if judgement.citation else ()
    return Finding(
        id=FindingId("F-" + row.delta.id.removeprefix("D-")),
        delta_id=row.delta.id,
        severity=judgement.severity_text,
        severity_why=judgement.quoted if judgement.severity else "no rule of the supplied policy rates it",
        confidence=level,
        confidence_why=why,
        title=_title(row, case.facts.released),
        citations=tuple(dict.fromkeys((*row_citations(case.bundle, case.facts, row), *rubric))),
        impact=tuple(_impact(case)),
        preconditions=_preconditions(case),
        recommendation=_recommendation(case),
        verification=_verification(case),
        disposition=_disposition(case),
        blocks=case.blocks,
        producer=_producer(row),
        consumer=_consumer(case),
        validation=_validation(case),
    )


def _title(row: JudgedRow, released: Contract | None) -> Text:
    where = UserText(written_place(row.delta.address))
    return text(UserText(row.delta.id), " ", *said(sketched(row.delta, released)).title, " at ", where)


def _completeness(case: _Case) -> Completeness:
    mapped = case.row.delta.id in case.facts.implementation
    return Completeness.COMPLETE if mapped else Completeness.PARTIAL


def _validation(case: _Case) -> Validation:
    if supporting(case.facts, case.row):
        return Validation.EXECUTED
    decided = (ProofStatus.PROVED, ProofStatus.WITNESSED)
    return Validation.PROVED if case.row.proof.status in decided else Validation.NONE


def supporting(facts: W1Facts, row: JudgedRow) -> tuple[Executed, ...]:
    """The executed checks that verify what the row says, in either direction, each once."""
    if facts.checks is None:
        return ()
    directions: tuple[CheckedDirection, ...] = ("producer", "consumer")
    return tuple(dict.fromkeys(c for direction in directions for c in facts.checks.verifies(row.delta.id, direction)))


def _impact(case: _Case) -> Iterable[Statement]:
    row = case.row
    spoken = said(stated(row, case.facts.released))
    yield observed("The contracts differ: ", *spoken.line, on=case.contracts)
    for impact in case.impacts:
        if impact.executed == "failed":
            head = "A retained parser execution of client "
            yield observed(head, UserText(impact.client), " failed.", on=impact.executed_checks)
        elif impact.executed == "passed":
            head = "A retained parser execution of client "
            yield observed(head, UserText(impact.client), " passed.", on=impact.executed_checks)
        if impact.contract_incompatible is Tristate.YES:
            head = "The declared parser contract of client "
            why = (" does not admit the candidate form: ", UserText(impact.contract_why))
            yield observed(head, UserText(impact.client), *why, on=impact.citations)
    yield inferred(*marked(row.judgement.why), on=case.contracts)
    policy = case.judgement
    if policy.classification and policy.citation:
        yield inferred(f"The policy calls the change {policy.classification}.", on=(policy.citation,))


def _preconditions(case: _Case) -> str:
    delta = case.row.delta
    where = ", ".join(delta.operations) or delta.operation or "the API"
    if delta.direction is None:
        return f"A client relies on the released form of {where}"
    if str(delta.direction) == "read":
        return f"A client still sends the released form to {where}"
    return f"A client reads the candidate form from {where} with a parser built for the released one"


def _recommendation(case: _Case) -> Statement:
    ways = case.judgement.closes_by
    path = case.facts.path
    on = tuple(dict.fromkeys((*case.contracts, *(path.citations if path else ()))))
    if case.row.judgement.verdict is Verdict.COMPATIBLE and not case.blocks:
        return recommended("Announce the change; no compatibility path is needed by contract.", on=on)
    if path is None:
        return recommended("Keep the released form until a supported path is chosen.", on=on)
    if path.path is VersionPath.REJECTION:
        return recommended("Do not ship the change; no supported mechanism separates old from new.", on=on)
    exits_named = f" It closes by: {', '.join(ways)}." if ways else ""
    if path.objections:
        return recommended(f"Keep the released form, and choose another path than {path.path}.{exits_named}", on=on)
    return recommended(f"Keep the released form and use the path: {path.path}.{exits_named}", on=on)


def _verification(case: _Case) -> Statement:
    checks = case.facts.checks
    done = supporting(case.facts, case.row)
    if done:
        first = done[0]
        parts = ("Check ", UserText(first.id), f" {first.result}; command ", UserText(first.command))
        return executed(*parts, on=tuple(check.citation for check in done))
    planned = checks.proposed_for(case.row.delta.id) if checks else ()
    what: Text = (UserText(planned[0].what),) if planned else ("Run a contract test of both forms",)
    return proposed(*what, ". Not executed; the classification stays unverified.", on=case.contracts)


def _disposition(case: _Case) -> str:
    recorded = [
        entry
        for entry in case.bundle.decisions.dispositions
        if entry.subject in (case.row.delta.id, "F-" + case.row.delta.id.removeprefix("D-"))
    ]
    if recorded:
        return f"{recorded[-1].decision} ({recorded[-1].role})"
    if case.blocks:
        return "blocks " + ", ".join(case.blocks)
    return case.judgement.disposition or "open"


def _producer(row: JudgedRow) -> str:
    judged = row.judgement
    return f"accepts old requests: {judged.accepts_old_requests}; emits old-compatible: {judged.emits_old_compatible}"


def _consumer(case: _Case) -> str:
    broken = [impact.client for impact in case.impacts if impact.breaking]
    unknown = case.facts.unknown_consumers
    unlisted = "unlisted consumers: unknown" if unknown and unknown.open_for(case.row.delta.id) else ""
    known = f"breaking for {', '.join(broken)}" if broken else "no known client is shown to break"
    return "; ".join(part for part in (known, unlisted) if part)


# Behaviour that changed in the implementation alone: no contract declares it, so no ledger row can show it.
#
# A changed default counts as wire behaviour although the schemas are equal. Spec, W1 ledger entry, producer direction.


def runtime_id(branch: Branch) -> DeltaId:
    """The id of the finding about a branch, which stands where a delta's id would: there is no delta."""
    text = f"runtime-only {branch.element} {branch.facet} {branch.quote}"
    return DeltaId(f"F-{hashlib.sha256(text.encode()).hexdigest()[:12]}")


def runtime_finding(branch: Branch, contracts: tuple[Citation, ...], clients: tuple[str, ...]) -> Finding:
    """The finding about one implementation branch; its behaviour is implementation-derived, never observed.

    Args:
        branch: the changed branch.
        contracts: both contracts, which are silent about it.
        clients: the known clients that use the operation.
    """
    on = (branch.citation, branch.mapping_citation)
    level, why = confidence(Completeness.COMPLETE, Validation.NONE)
    basis = f" ({Basis.IMPLEMENTATION})"
    what = (UserText(branch.facet), " at ", UserText(branch.element))
    return Finding(
        id=FindingId(runtime_id(branch)),
        delta_id=None,
        severity=Unrated.NO_RUBRIC.value,
        severity_why="no rule of the supplied policy rates it",
        confidence=level,
        confidence_why=why,
        title=text("Neither contract declares the runtime ", *what, basis),
        short_title=text("undeclared runtime ", UserText(branch.facet), basis),
        citations=(*contracts, *on),
        impact=(
            observed("Neither contract declares ", *what, ".", on=contracts),
            observed(
                "The implementation changes ", *what, f" ({Basis.IMPLEMENTATION}): ", UserText(branch.quote), on=on
            ),
            inferred("A caller that relies on the former behaviour gets another one.", on=on),
        ),
        preconditions=f"A caller leaves the {branch.facet} to the service",
        recommendation=recommended("Declare and announce it, or restore the former behaviour.", on=on),
        verification=proposed(
            "Call it without the value on both revisions. Not executed; unverified.",
            on=on,
        ),
        disposition="open",
        validation=Validation.NONE,
        producer=f"accepts old requests: {Tristate.YES}; emits old-compatible: {Tristate.UNKNOWN}",
        consumer=f"unknown for {', '.join(clients) or 'known clients'}; unlisted consumers: unknown",
    )


# Guardrail: public API responses do not expose internal errors. Looks at the candidate's error bodies.


def exposure_findings(bundle: Bundle, candidate: Contract) -> tuple[Finding, ...]:
    """One finding per internal field that the candidate's error responses declare."""
    named = bundle.request.contracts
    if named is None:
        return ()
    item = bundle.items[named.candidate]
    return tuple(
        _exposure(name, place, Citation(item.id, f"#{place.pointer}"))
        for name, place in internal_error_fields(candidate)
    )


def _exposure(name: str, place: Place, citation: Citation) -> Finding:
    level, why = confidence(Completeness.PARTIAL, Validation.NONE)
    digest = hashlib.sha256(f"internal-error {place.pointer}".encode()).hexdigest()[:12]
    on = (citation,)
    return Finding(
        id=FindingId(f"F-{digest}"),
        delta_id=None,
        severity=Unrated.NO_RUBRIC.value,
        severity_why="no rule of the supplied policy rates it",
        confidence=level,
        confidence_why=why,
        title=text("Public error response declares the internal field ", UserText(name)),
        citations=on,
        impact=(
            observed("An error body of the candidate contract declares ", UserText(name), ".", on=on),
            inferred("A caller that provokes the error could learn internals of the service.", on=on),
        ),
        preconditions="The implementation fills the field in an error response",
        recommendation=recommended("Remove the field from the public error body.", on=on),
        verification=proposed("Provoke the error in an isolated fixture and assert that the field is absent.", on=on),
        disposition="blocks release",
        blocks=("release",),
        validation=Validation.NONE,
        producer="not a difference",
        consumer="not a difference",
    )
