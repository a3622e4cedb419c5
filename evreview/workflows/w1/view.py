"""What the W1 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen.

Every sentence is labelled, and the material ones cite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from evreview.comparison.comparison import JudgedRow
from evreview.contract.model import Place
from evreview.core.quoted_text import Text, UserText, counted, listed, text
from evreview.core.vocabulary import ABSENT, DeltaId, Form, ProofStatus, Realism, Tristate, Verdict, VersionPath
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import RolloutRecord
from evreview.report.escape import SafeMarkdown, cell, cell_code, cell_words, citations, fragments, heading, shorten
from evreview.report.statement import Statement, cite, inferred, limited, next_action, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.gates import binding
from evreview.workflows.engine.registers import (
    TableRow,
    boundary_rows,
    cited_ids,
    closing,
    empty,
    evidence_rows,
    gate_rows,
    printed,
    step_rows,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w1.checks import Executed
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.facts import W1Facts, read_contracts, row_citations
from evreview.workflows.w1.findings import short
from evreview.workflows.w1.gates import is_deprecated_removal
from evreview.workflows.w1.policy.version_path import PathChoice
from evreview.workflows.w1.tables import (
    client_rows,
    executed_rows,
    finding_rows,
    monitoring_rows,
    proposed_rows,
    removal_rows,
    source_rows,
    trace_rows,
)
from evreview.workflows.w1.usage_evidence import FORMULA


@dataclass(frozen=True, slots=True, kw_only=True)
class W1View:
    """The ready parts of `api-contract-review.md`, in the order of the template."""

    title: SafeMarkdown
    verdict: tuple[SafeMarkdown, ...]
    boundary: tuple[TableRow, ...]
    gaps: tuple[SafeMarkdown, ...]
    matrix: tuple[TableRow, ...]
    context: tuple[TableRow, ...]
    noise: tuple[TableRow, ...]
    unread: tuple[TableRow, ...]
    sources: tuple[TableRow, ...]
    findings: tuple[TableRow, ...]
    recommendation: tuple[SafeMarkdown, ...]
    verification: tuple[SafeMarkdown, ...]
    executed: tuple[TableRow, ...]
    proposed: tuple[TableRow, ...]
    limitations: tuple[SafeMarkdown, ...]
    decision: tuple[SafeMarkdown, ...]
    steps: tuple[TableRow, ...]
    gates: tuple[TableRow, ...]
    removals: tuple[TableRow, ...]
    monitoring: tuple[TableRow, ...]
    rollback: tuple[SafeMarkdown, ...]
    clients: tuple[TableRow, ...]
    consumers: tuple[SafeMarkdown, ...]
    trace: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W1Facts, decision: Decision) -> W1View:
    """The view of a run, complete also when the run stopped: later registers then say that nothing was recorded."""
    read = read_items(bundle)
    view = W1View(
        title=heading(bundle.title),
        verdict=printed(verdict(bundle, steps, facts, decision)),
        boundary=boundary_rows(facts.boundary),
        gaps=printed(facts.gaps),
        matrix=matrix_rows(bundle, facts),
        context=context_rows(bundle, facts),
        noise=noise_rows(facts),
        unread=unread_rows(facts),
        sources=source_rows(facts),
        findings=finding_rows(facts, read),
        recommendation=printed(recommendation(bundle, facts, decision)),
        verification=printed(verification(bundle, facts)),
        executed=executed_rows(facts, read),
        proposed=proposed_rows(facts, read),
        limitations=printed(limitations(bundle, facts)),
        decision=printed(decision_record(bundle, facts, decision)),
        steps=step_rows(steps),
        gates=gate_rows(facts.gates),
        removals=removal_rows(facts),
        monitoring=monitoring_rows(facts, read),
        rollback=printed(rollback(bundle, facts)),
        clients=client_rows(facts, read),
        consumers=printed(consumers(bundle, facts)),
        trace=trace_rows(bundle, facts, decision),
        evidence=(),
    )
    return replace(view, evidence=evidence_rows(bundle, cited_ids(view)))


# The sentences, section by section.


def read_items(bundle: Bundle) -> tuple[Citation, ...]:
    """What an empty register cites: the contracts that were read."""
    return read_contracts(bundle)


def verdict(bundle: Bundle, steps: Sequence[StepResult], facts: W1Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, the count of differences, the path, the blockers, the unknown."""
    on = read_items(bundle)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    if facts.comparison is not None:
        counts = {verdict: sum(row.judgement.verdict is verdict for row in facts.rows) for verdict in Verdict}
        words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
        what = words if facts.classified else "not classified"
        yield observed(f"{counted(len(facts.rows), 'wire-level difference')}: {what}", *_unruled(facts), ".", on=on)
    if facts.path is not None:
        yield recommended(path_line(facts.path), on=facts.path.citations or on)
    if decision.reasons:
        last = steps[-1]
        count = len(decision.reasons)
        points = "1 open point keeps" if count == 1 else f"{count} open points keep"
        yield observed(f"{points} step {last.number} from advancing.", on=on)
    yield limited("Consumers that no inventory lists are unknown.", on=on)


_NAMED: Final = 10
"""Differences that one sentence names."""


def _unruled(facts: W1Facts) -> Text:
    """The breaking rows that the policy is silent about, by id."""
    silent = [row.delta.id for row in facts.unruled]
    more = f" and {len(silent) - _NAMED} more" if len(silent) > _NAMED else ""
    return text("; the policy says nothing about ", *listed(silent[:_NAMED]), more) if silent else ()


def recommendation(bundle: Bundle, facts: W1Facts, decision: Decision) -> Iterator[Statement]:
    """The path with its reasons and what has to be kept; before step 7 only that nothing can be recommended."""
    on = read_items(bundle)
    if decision.state is DecisionState.NO_EFFECT:
        yield inferred("No observable contract effect: the change is an internal refactor.", on=on)
        yield recommended(
            "Keep the released contract as it is; there is nothing here for this workflow to decide.", on=on
        )
        return
    path = facts.path
    if path is None:
        yield recommended("Preserve the released contract and the old handler; no path was chosen.", on=on)
        return
    cited = path.citations or on
    yield recommended(f"{path_line(path)} {_sentence(path.why)}", on=cited)
    yield inferred(_need(facts), on=_client_evidence(facts) or on)
    keep = "The released contract artifact and the old handler stay until migration and observation gates pass."
    planned = bundle.request.plan.retention if bundle.request.plan else None
    yield recommended(
        f"Retention: {keep}", *((" The plan says: ", UserText(planned), ".") if planned else ()), on=cited
    )
    for mechanism in path.mechanisms:
        yield observed(
            "Existing mechanism: ", UserText(mechanism.name), f" ({mechanism.kind}).", on=(mechanism.citation,)
        )
    for label, value in (("Support window", path.support_window), ("Notice", path.notice)):
        yield recommended(f"{label}: ", UserText(value), ".", on=cited) if value else limited(f"{label}: not supplied.")
    yield from _migrations(bundle, facts, on)
    for objection in path.objections:
        yield inferred("The path does not fit: ", _sentence(objection), on=cited)
    for exit_evidence in path.exit_evidence:
        yield recommended("Exit evidence: ", UserText(exit_evidence), on=cited)
    if facts.ownership_gaps:
        yield recommended(
            "Preserve the old behaviour while owners are found and privacy-safe usage is collected.", on=on
        )


def path_line(path: PathChoice) -> str:
    """The path in one sentence; one that does not fit the differences is not recommended."""
    return f"Do not take the planned path: {path.path}." if path.objections else f"Path: {path.path}."


def _need(facts: W1Facts) -> str:
    """Why a path is needed at all: what breaks by contract, what clients declare, what was executed."""
    declared = {impact.client for impact in facts.impacts if impact.contract_incompatible is Tristate.YES}
    failed = {impact.client for impact in facts.impacts if impact.executed == "failed"}
    return (
        f"By contract {counted(len(facts.breaking), 'difference')} can break an old client; "
        f"the declaration of {counted(len(declared), 'known client')} does not admit the candidate, "
        f"and the parser of {counted(len(failed), 'known client')} failed when it was executed."
    )


def _client_evidence(facts: W1Facts) -> tuple[Citation, ...]:
    telling = (impact for impact in facts.impacts if impact.breaking)
    return tuple(dict.fromkeys(citation for impact in telling for citation in impact.citations))


def _migrations(bundle: Bundle, facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """The plan's instructions; each cites the client's own entry, because the plan is the request's and no evidence."""
    entries = {state.client: state.citations for state in facts.migrations}
    for step in bundle.request.plan.migrations if bundle.request.plan else ():
        what = (UserText(step.client), ", as the request plans it: ", UserText(step.instruction))
        yield recommended("Migration of client ", *what, on=next((entries[c] for c in entries if c == step.client), on))


def _sentence(value: str) -> str:
    return value if value.endswith(".") else f"{value}."


def verification(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """What is verified in which direction, and what stays unverified."""
    on = read_items(bundle)
    if facts.checks is None:
        yield limited("Step 6 was not reached; no classification is verified.", on=on)
        return
    ran, waiting = facts.checks.executed, len(facts.checks.unverified)
    yield observed(f"Checks with a retained result: {len(ran)}.", on=_cites(ran) or on)
    yield inferred(f"Classifications that stay unverified: {waiting} of {len(facts.rows)}.", on=on)
    producer = sum(check.direction == "producer" for check in facts.checks.proposed)
    consumer = sum(check.direction == "consumer" for check in facts.checks.proposed)
    yield proposed(
        f"Checks proposed for the producer direction: {producer}; for the consumer direction: {consumer}.", on=on
    )


def _cites(checks: Iterable[Executed]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(check.citation for check in checks))


def limitations(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """What this review can't say, then what it assumes because the supplier does."""
    on = read_items(bundle)
    yield limited("Consumers that no inventory lists are unknown; nothing is assumed about them.", on=on)
    for warning in bundle.warnings:
        yield limited(UserText(warning.found))
    if not any(
        source.kind == "observation" for source in (facts.reconciliation.sources if facts.reconciliation else ())
    ):
        yield limited("No executed response observation was reconciled; runtime behaviour is unknown.", on=on)
    yield from _untold(facts)
    for source in facts.reconciliation.drifts if facts.reconciliation else ():
        what = (UserText(source.id), " does not agree with the released contract: ", *listed(source.released_reasons))
        yield limited("What the released side answered in ", *what, on=(source.citation,))
    yield limited("Whether the candidate is deployed anywhere is unknown.", on=on)
    for state in facts.migrations:
        if not state.adopted:
            yield limited(
                "Client ", UserText(state.client), " is not counted as migrated: ", state.why, on=state.citations
            )
    for gap in facts.ownership_gaps:
        yield limited(gap.text, on=(gap.citation,) if gap.citation else on)
    yield from _unjoined(facts)
    for exclusion in bundle.request.exclusions:
        yield limited("Excluded from this review: ", UserText(exclusion), ".")
    yield from _version_gap(facts, on)
    yield from closing(bundle, facts.redactor)


def _untold(facts: W1Facts) -> Iterator[Statement]:
    """Branches of which the mapping says only what they implement, in a contract whose elements no facet tells."""
    found = facts.reconciliation.untold if facts.reconciliation else ()
    if found:
        words = f"What is done by {counted(len(found), 'change')} of the implementation is neither stated nor recorded"
        on = tuple(dict.fromkeys(branch.mapping_citation for branch in found))
        yield limited(f"{words}; that it agrees with the candidate contract rests on the mapping.", on=on)


_WHY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no-such-operation": ", an operation of neither contract",
        "no-such-field": ", a field that neither contract has there",
        "no-such-difference": ", no difference of this comparison",
        "no-difference": ", and no difference is about just that",
    }
)


def _unjoined(facts: W1Facts) -> Iterator[Statement]:
    """Checks and observations whose names lead to no difference; uses, and mappings at step 3, have lines of their own.

    A check that names nothing is about the service as a whole.
    """
    for each in facts.unjoined:
        if each.kind not in ("check", "observation") or not each.named:
            continue
        like = ("; the nearest name is ", UserText(each.nearest)) if each.nearest else ()
        head = f"No difference is joined to the {each.kind} "
        yield limited(
            head,
            UserText(each.id),
            ": it names ",
            UserText(each.named),
            _WHY[each.why],
            *like,
            ".",
            on=(each.citation,),
        )


def _version_gap(facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """The candidate that breaks under the very paths of the released contract, although another version is planned."""
    planned = facts.path is not None and facts.path.path is VersionPath.EXPLICIT_VERSION
    if planned and any(row.delta.operation for row in facts.breaking):
        yield limited(
            "The candidate contract declares the breaking forms under the released paths; where the new version is "
            "served is stated by the plan alone.",
            on=on,
        )
    kept = [row for row in facts.rows if is_deprecated_removal(row)]
    if planned and kept:
        names = listed(row.delta.address for row in kept)
        yield limited("Absent from the new version, and still available on the released path: ", *names, on=on)


def decision_record(bundle: Bundle, facts: W1Facts, decision: Decision) -> Iterator[Statement]:
    """The decision, what blocks it, what people recorded, and the next actions."""
    on = read_items(bundle)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    yield from decision.reasons
    if decision.state not in (DecisionState.STOPPED, DecisionState.INCOMPLETE, DecisionState.NO_EFFECT):
        for entry in bundle.decisions.dispositions:
            stance = f" ({entry.stance})" if entry.stance else ""
            yield observed("Disposition of ", UserText(entry.subject), " by ", UserText(entry.role), f"{stance}: ",
                           UserText(entry.decision), f", at {entry.at.isoformat()}.", on=on)  # fmt: skip
    yield from binding(facts.gates, on)
    yield from decision.next_actions
    if not decision.next_actions:
        yield next_action("None.", on=on)


def rollback(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """The rollback boundary, the rate formula, and what stays blocked."""
    on = read_items(bundle)
    path = facts.path
    if path is None:
        yield limited("Step 7 was not reached; no rollout is designed and no traffic moves.", on=on)
        return
    if path.path is VersionPath.REJECTION:
        yield recommended(
            "No rollout: the change is rejected and the released contract stays.", on=path.citations or on
        )
    if path.rollback:
        shown = _rollback_evidence(bundle) or path.citations or on
        yield observed("Rollback boundary: ", UserText(path.rollback), ".", on=shown)
    else:
        yield limited("No rollback boundary is supplied.", on=on)
    yield from _own_approval(bundle)
    if facts.controls:
        yield observed(FORMULA, on=facts.controls[0].citations or on)
    blocked = [control.delta_id for control in facts.controls if control.missing]
    if blocked:
        yield recommended("Keep traffic blocked to: ", *listed(blocked), ".", on=on)


def _own_approval(bundle: Bundle) -> Iterator[Statement]:
    """What the rollout record says of its own approval; it opens no gate, those are answered in decisions.yaml."""
    found = first_of(bundle, RolloutRecord)
    if found is None:
        return
    if "approval_state" in found.record.model_fields_set:
        words = ("The rollout record states its own approval as: ", UserText(found.record.approval_state), ".")
        yield observed(*words, on=(found.at("/approval_state"),))
    else:
        yield limited("The rollout record does not state whether it is approved.", on=(found.citation,))


def _rollback_evidence(bundle: Bundle) -> tuple[Citation, ...]:
    record = first_of(bundle, RolloutRecord)
    if record is None or record.record.rollback is None:
        return ()
    return cite(record.at("/rollback"), record.record.rollback.evidence)


def consumers(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """The unknown-consumer limitation, and how many clients have migrated."""
    on = read_items(bundle)
    yield limited("Unlisted consumers are unknown: the register names known clients only.", on=on)
    rejected = facts.path is not None and facts.path.path is VersionPath.REJECTION
    if facts.migrations and not rejected:
        count = sum(state.adopted for state in facts.migrations)
        cited = tuple(citation for state in facts.migrations for citation in state.citations)
        yield observed(
            f"{count} of {len(facts.migrations)} known clients have adopted the selected path.", on=cited or on
        )


# The compatibility matrix and the rows around it: unchanged context, noise, and what was not understood.


Cells = tuple[SafeMarkdown, ...]


def matrix_rows(bundle: Bundle, facts: W1Facts) -> tuple[Cells, ...]:
    """One row per delta, in the comparison's order, with both directions."""
    by_delta: dict[DeltaId, list[Impact]] = {}
    for impact in facts.impacts:
        by_delta.setdefault(impact.delta_id, []).append(impact)
    rows = tuple(_matrix_row(bundle, facts, row, by_delta.get(row.delta.id, [])) for row in facts.rows)
    why = "the contracts do not differ on the wire" if facts.comparison else "step 2 was not reached"
    return rows or empty(6, why, read_contracts(bundle))


def _matrix_row(bundle: Bundle, facts: W1Facts, row: JudgedRow, impacts: list[Impact]) -> Cells:
    delta = row.delta
    others = [name for name in delta.operations if name != delta.operation]
    what: Text = (UserText(delta.id), " ", UserText(f"{delta.aspect} {delta.change}"), " at ", UserText(delta.address))
    what = (*what, "; also reaches ", *listed(others)) if others else what
    return (
        cell_words(what),
        _form(delta.released),
        _form(delta.candidate),
        fragments(_producer(facts, row)),
        fragments(_consumer(facts, row, impacts)),
        citations(row_citations(bundle, facts, row)),
    )


def _form(form: Form) -> SafeMarkdown:
    return cell("(absent)") if form is ABSENT else cell_code(short(form, 160))


def _producer(facts: W1Facts, row: JudgedRow) -> tuple[Statement, ...]:
    """Both answers and how they are supported; the row's Evidence cell cites the contracts for them."""
    if not facts.classified:
        return (limited("Not classified: step 4 was not reached."),)
    judged = row.judgement
    accepts, emits = judged.accepts_old_requests, judged.emits_old_compatible
    answers = f"accepts old requests: {accepts}; emits old-compatible: {emits}"
    planes = "".join(f"; {plane}: {verdict}" for plane, verdict in judged.planes)
    stated = inferred(f"{judged.verdict}; {answers}{planes}; rule ", UserText(str(judged.rule or "none")))
    decided = facts.by_policy.get(row.delta.id)
    if decided is not None:
        return (stated, observed("The policy says that clients take any status of the class.", on=(decided,)))
    return (stated, _standing(facts, row))


def _standing(facts: W1Facts, row: JudgedRow) -> Statement:
    """How the classification is supported: an executed check, a computed proof, or neither."""
    checks = facts.checks.verifies(row.delta.id, "producer") if facts.checks else ()
    if checks:
        return observed("Verified by a retained result.", on=tuple(check.citation for check in checks))
    replayed = facts.checks.replayed(row.delta.id) if facts.checks else ()
    if replayed:
        says = "What both contracts say of a message was replayed; what the service does stays unverified."
        return limited(says, on=tuple(check.citation for check in replayed))
    told = "" if row.proof.realism in (None, Realism.DECLARED) else f" Witness realism: {row.proof.realism}."
    if row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED):
        return limited(f"{row.proof.status} by {row.proof.method}; unverified until a check is retained.{told}")
    return limited(f"Unverified: no retained result and no computed proof.{told}")


def _consumer(facts: W1Facts, row: JudgedRow, impacts: list[Impact]) -> tuple[Statement, ...]:
    """The three consumer facts as labelled fragments; unlisted consumers are unknown."""
    if facts.unknown_consumers is None:
        return (limited("Not classified: step 5 was not reached; consumers are unknown."),)
    ran = [impact for impact in impacts if impact.executed != "none"]
    results: Text = _joined([(UserText(impact.client), f" {impact.executed}") for impact in ran]) or ("none retained",)
    unknown = facts.unknown_consumers
    stays_open = unknown.open_for(row.delta.id)
    return (
        observed("Contract-level incompatibility: ", *_incompatible(impacts), on=_declared(impacts)),
        observed("Executed parser result: ", *results, on=tuple(c for impact in ran for c in impact.executed_checks)),
        inferred("Runtime impact: ", *_inferences(impacts)),
        limited(f"Unlisted consumers: {'unknown' if stays_open else 'closed by usage evidence'}."),
    )


def _joined(parts: Iterable[Text]) -> Text:
    """Texts with semicolons between them."""
    found: list[str | UserText] = []
    for part in parts:
        found += ["; ", *part] if found else part
    return tuple(found)


def _incompatible(impacts: list[Impact]) -> Text:
    sure = [impact.client for impact in impacts if impact.contract_incompatible is Tristate.YES]
    unsure = [impact.client for impact in impacts if impact.contract_incompatible is Tristate.UNKNOWN]
    named = listed(sure) or ("no known client",)
    return (*named, "; unknown for ", *listed(unsure)) if unsure else named


def _declared(impacts: list[Impact]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for impact in impacts for citation in impact.citations))


def _inferences(impacts: list[Impact]) -> Text:
    """Each inference once, with the clients that it is about."""
    clients: dict[str, list[str]] = {}
    for impact in impacts:
        clients.setdefault(impact.inferred, []).append(impact.client)
    return _joined([(*listed(names), ": ", why) for why, names in clients.items() if why]) or ("none inferred",)


def context_rows(bundle: Bundle, facts: W1Facts) -> tuple[Cells, ...]:
    """Unchanged elements that a row needs in order to be read, each once."""
    if facts.comparison is None:
        return ()
    seen: dict[str, Cells] = {}
    for context in facts.comparison.contexts:
        key = f"{context.address} {context.why}"
        if key not in seen:
            seen[key] = (
                cell_code(context.address),
                _form(context.form),
                cell(context.why),
                citations(_place(bundle, context.place)),
            )
    return tuple(seen.values())


def _place(bundle: Bundle, place: Place) -> tuple[Citation, ...]:
    named = bundle.request.contracts
    return (Citation(named.released),) if named else ()


def noise_rows(facts: W1Facts) -> tuple[Cells, ...]:
    """Differences that never reach the wire, counted by reason, with one example each."""
    if facts.comparison is None:
        return ()
    counted = Counter(noise.reason for noise in facts.comparison.noise)
    example = {noise.reason: noise.delta.address for noise in reversed(facts.comparison.noise)}
    return tuple(
        (cell_words((UserText(shorten(reason, 200)),)), cell(str(count)), cell_code(example[reason] or "the document"))
        for reason, count in sorted(counted.items())
    )


def unread_rows(facts: W1Facts) -> tuple[Cells, ...]:
    """What a reader could not understand."""
    if facts.comparison is None:
        return ()
    return tuple(
        (
            cell_code(str(unread.place)),
            cell_words((UserText(unread.found),)),
            cell_words((UserText(unread.advice or "none"),)),
        )
        for unread in facts.comparison.unread
    )
