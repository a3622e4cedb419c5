"""Step 3 of W1: reconcile implementation and observed behaviour with both contracts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from evreview.core.errors import BadInput
from evreview.core.quoted_text import UserText, listed
from evreview.core.vocabulary import DeltaId, EvidenceId, EvidenceType, Remedy, SourceMatch, StepState
from evreview.evidence.item import Bundle, Citation
from evreview.kinds.registry import spec_of
from evreview.redaction.redactor import Redactor
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.gates import MOST_NAMED
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w1.checks import collect, contradicting
from evreview.workflows.w1.facts import F2, ContractPair, Source, W1Facts, sources_frame
from evreview.workflows.w1.reconcile.diff_mapping import MappingFault
from evreview.workflows.w1.reconcile.sources import Reconciliation, implementation_diffs, reconcile
from evreview.workflows.w1.reconcile.unjoined import tests_of, unjoined_of


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """Per source what it matches; F2 on a contradiction, remains while something is unmapped or unsanitized."""
    if facts.released is None or facts.candidate is None or facts.comparison is None:
        raise NotReached("step 3 needs the ledger of step 2")
    try:
        found = reconcile(bundle, facts.rows, ContractPair(facts.released, facts.candidate))
    except BadInput as error:
        on = _contracts(bundle)
        unreadable = tuple(observed("A source can't be read: ", UserText(str(each)), on=on) for each in error.problems)
        return Outcome(state=StepState.REMAIN, facts=facts, reasons=unreadable)
    known = replace(facts, reconciliation=found, implementation=_implementation(found))
    strays = (each for each in unjoined_of(bundle, known) if each.kind in ("observation", "mapping"))
    known = replace(known, unjoined=tuple(strays))  # uses and checks are later steps' to tell
    tables = {"Sources": sources_frame(found.sources)}
    contradictions = (*(_contradiction(source) for source in found.contradictions), *_failed_producer(bundle, facts))
    missing = tuple(_missing(bundle, known, found))
    if contradictions:
        reasons = (*contradictions, *missing)
        return Outcome(state=StepState.STOP, code=F2.code, facts=known, reasons=reasons, tables=tables)
    if missing:
        return Outcome(state=StepState.REMAIN, facts=known, reasons=missing, tables=tables)
    if not facts.rows and not found.runtime_only:
        return Outcome(state=StepState.STOP, facts=known, reasons=(_no_effect(bundle, found),), tables=tables)
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)


PAYLOAD_TYPES = frozenset({EvidenceType.EXECUTION_AND_APPROVAL, EvidenceType.TEST_RECORD})


def _failed_producer(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """Retained producer checks of the candidate that failed where the contracts say they pass (W1 decision rule 2)."""
    executed = collect(tests_of(bundle, facts), facts.rows).executed
    for check in contradicting(executed, bundle.request.implementation_revision, facts.rows):
        what = (UserText(check.id), f" {check.result}: ", UserText(check.what))
        yield observed("The producer check ", *what, on=(check.citation,), remedy=Remedy.CORRECT_SOURCE)


def _implementation(found: Reconciliation) -> Mapping[DeltaId, tuple[Citation, ...]]:
    cited: dict[DeltaId, dict[Citation, None]] = {}
    for source in found.sources:
        for delta_id in source.delta_ids:
            cited.setdefault(delta_id, {})[source.citation] = None
    return {delta_id: tuple(citations) for delta_id, citations in cited.items()}


def _contradiction(source: Source) -> Statement:
    reasons = listed(source.candidate_reasons) or ("it matches the released contract only",)
    head = f"The {source.kind} "
    says = (UserText(source.id), " contradicts the candidate contract: ", *reasons)
    return observed(head, *says, on=(source.citation,), remedy=Remedy.CORRECT_SOURCE)


def _missing(bundle: Bundle, facts: W1Facts, found: Reconciliation) -> Iterable[Statement]:
    drafted = {fault.path for fault in found.faults if fault.code == "not-reviewed"}
    for fault in found.faults:
        yield _fault(fault)
    for hunk in found.unmapped:
        place = UserText(f"{hunk.path} {hunk.lines}")
        words = ("This changed branch is mapped to no contract element: ", place)
        yield observed(*words, on=(hunk.citation,), remedy=Remedy.REVIEW if hunk.path in drafted else Remedy.MAP)
    lacking = Remedy.NAME_DIFFERENCE if implementation_diffs(bundle) else Remedy.SUPPLY_DIFF
    lacking = Remedy.REVIEW if drafted else lacking
    for delta_id in found.uncovered:
        words = ("No implementation evidence is mapped to ", UserText(delta_id))
        yield observed(*words, ".", on=_contracts(bundle), remedy=lacking)
    for source in found.unplaced:
        if source.match is not SourceMatch.BOTH:
            what = (UserText(source.id), f" matches {source.match}, and nothing says which revision answered.")
            yield observed("The observation ", *what, on=(source.citation,), remedy=Remedy.SAY_WHO_ANSWERED)
    if facts.candidate is not None and spec_of(facts.candidate.kind).over_http:
        for branch in found.unshown(runtime=bundle.request.runtime_conclusion):
            place = UserText(f"{branch.path}:{branch.lines}")
            yield observed("What this changed branch does is neither stated nor recorded: ", place,
                           on=(branch.citation, branch.mapping_citation), remedy=Remedy.STATE_BEHAVIOUR)  # fmt: skip
    yield from _unsanitized(bundle, facts.redactor)
    if bundle.request.runtime_conclusion and not any(source.shows_candidate for source in found.sources):
        yield limited(
            "Runtime behaviour is part of the conclusion asked for; no executed response of the candidate is supplied.",
            on=_contracts(bundle),
            remedy=Remedy.RECORD_CANDIDATE,
        )
    if not found.sources and not facts.rows:
        yield limited("The contracts do not differ, and no implementation evidence shows that nothing else does.",
                      remedy=Remedy.SUPPLY_DIFF)  # fmt: skip


def _fault(fault: MappingFault) -> Statement:
    place = UserText(f"{fault.path} {fault.lines}")
    like = ("; the nearest name is ", UserText(fault.nearest)) if fault.nearest else ()
    remedy = Remedy.REVIEW if fault.code == "not-reviewed" else Remedy.CORRECT_ENTRY
    says = (place, " does not hold: ", UserText(fault.found), *like)
    return observed("The mapping of ", *says, on=(fault.citation,), remedy=remedy)


def _unsanitized(bundle: Bundle, redactor: Redactor) -> Iterable[Statement]:
    """A payload that holds a secret or personal data, with each line that does."""
    payloads = {item.id for kind in PAYLOAD_TYPES for item in bundle.of_type(kind)}
    kinds: dict[EvidenceId, dict[str, None]] = {}
    lines: dict[EvidenceId, set[int]] = {}
    for finding in redactor.findings:
        item = EvidenceId(finding.location.split("#")[0].split(":")[0])
        if item in payloads:
            kinds.setdefault(item, {})[finding.kind] = None
            lines.setdefault(item, set()).update(finding.lines)
    for item, found in sorted(kinds.items()):
        on = tuple(Citation(item, f":L{line}") for line in sorted(lines[item])[:MOST_NAMED]) or (Citation(item),)
        said = ", ".join(sorted(found))
        yield observed("Payload examples are not sanitized; found: ", said, ".", on=on, remedy=Remedy.SANITIZE)


def _no_effect(bundle: Bundle, found: Reconciliation) -> Statement:
    citations = (*_contracts(bundle), *(source.citation for source in found.sources))
    return observed("No observable contract effect: the contracts do not differ on the wire.", on=citations)


def _contracts(bundle: Bundle) -> tuple[Citation, ...]:
    named = bundle.request.contracts
    return (Citation(named.released), Citation(named.candidate)) if named else ()
