"""What the W1 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen.

Every sentence is labelled, and the material ones cite.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from evreview.core.quoted_text import Text, UserText, counted, joined, listed, text
from evreview.core.vocabulary import EvidenceType, ProofStatus, Tristate, Verdict, VersionPath
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import Policy, RolloutRecord
from evreview.kinds.registry import spec_of
from evreview.report.escape import SafeMarkdown, cell, cell_code, cell_words, citations, heading
from evreview.report.statement import Statement, cite, inferred, limited, next_action, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.gates import binding, unanswered
from evreview.workflows.engine.halt import first_reason
from evreview.workflows.engine.next_actions import first_action, numbered
from evreview.workflows.engine.registers import (
    TableRow,
    by_line,
    checksums,
    cited_ids,
    closing,
    empty,
    evidence_rows,
    gate_rows,
    printed,
    short_revision,
    step_rows,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w1.checks import Executed
from evreview.workflows.w1.client_outcomes import named
from evreview.workflows.w1.clients.impact import formless
from evreview.workflows.w1.facts import W1Facts, contract_item, read_contracts
from evreview.workflows.w1.gates import is_deprecated_removal
from evreview.workflows.w1.matrix import (
    Glance,
    cards_lead,
    compatible_rows,
    context_rows,
    difference_cards,
    folded,
    legend,
    matrix_rows,
    noise_line,
    row_words,
    unread_rows,
    unused,
    where_it_breaks,
)
from evreview.workflows.w1.policy.version_path import PathChoice
from evreview.workflows.w1.reconcile.unjoined import tests_of
from evreview.workflows.w1.rollout_picture import rollout_picture
from evreview.workflows.w1.tables import (
    client_rows,
    executed_rows,
    finding_cards,
    finding_rows,
    monitoring_rows,
    preconditions,
    proposed_rows,
    rating_rules,
    removal_rows,
    silent_findings,
    source_folder,
    source_rows,
    trace_rows,
    watches,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class W1View:
    """The ready parts of `api-contract-review.md`, in the order of the template."""

    title: SafeMarkdown
    verdict: tuple[SafeMarkdown, ...]
    glance: tuple[TableRow, ...]
    boundary: tuple[TableRow, ...]
    surface: tuple[SafeMarkdown, ...]
    legend: tuple[SafeMarkdown, ...]
    matrix: tuple[TableRow, ...]
    compatible: tuple[TableRow, ...]
    folded: tuple[TableRow, ...]
    noise: tuple[SafeMarkdown, ...]
    context: tuple[TableRow, ...]
    unread: tuple[TableRow, ...]
    findings: tuple[TableRow, ...]
    rules: tuple[SafeMarkdown, ...]
    recommendation: tuple[SafeMarkdown, ...]
    verification: tuple[SafeMarkdown, ...]
    executed: tuple[TableRow, ...]
    proposed: tuple[TableRow, ...]
    limitations: tuple[SafeMarkdown, ...]
    decision: tuple[SafeMarkdown, ...]
    steps: tuple[TableRow, ...]
    gates: tuple[TableRow, ...]
    answering: tuple[SafeMarkdown, ...]
    removals: tuple[TableRow, ...]
    picture: SafeMarkdown
    monitoring: tuple[TableRow, ...]
    rollback: tuple[SafeMarkdown, ...]
    clients: tuple[TableRow, ...]
    consumers: tuple[SafeMarkdown, ...]
    trace: tuple[TableRow, ...]
    lead: tuple[SafeMarkdown, ...]
    cards: tuple[SafeMarkdown, ...]
    sources: tuple[TableRow, ...]
    folder: tuple[SafeMarkdown, ...]
    evidence: tuple[TableRow, ...]
    checksums: SafeMarkdown


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W1Facts, decision: Decision) -> W1View:
    """The view of a run, complete also when the run stopped: later registers then say that nothing was recorded."""
    read, words = read_contracts(bundle), row_words(facts)
    view = W1View(
        title=heading(bundle.title),
        verdict=printed(by_line(bundle, verdict(bundle, facts, decision))),
        glance=_glance(where_it_breaks(bundle, facts, words)),
        boundary=boundary_rows(bundle, facts),
        surface=printed((*surface(bundle), *facts.gaps)),
        legend=printed(legend(facts, read)),
        matrix=matrix_rows(bundle, facts, words),
        compatible=compatible_rows(bundle, facts, words),
        folded=folded(facts, words),
        noise=printed(noise_line(bundle, facts)),
        context=context_rows(bundle, facts),
        unread=unread_rows(facts),
        findings=finding_rows(bundle, facts, words, read),
        rules=printed((*preconditions(facts, read), *rating_rules(bundle, facts), *silent_findings(facts, read))),
        recommendation=printed(recommendation(bundle, facts, decision)),
        verification=printed(by_line(bundle, verification(bundle, facts))),
        executed=executed_rows(bundle, facts, read),
        proposed=proposed_rows(bundle, facts, read),
        limitations=printed(limitations(bundle, facts)),
        decision=printed(decision_record(bundle, facts, decision)),
        steps=step_rows(steps),
        gates=gate_rows(facts.gates),
        answering=printed(binding(facts.gates, read)),
        removals=removal_rows(bundle, facts),
        picture=rollout_picture(bundle, facts),
        monitoring=monitoring_rows(bundle, facts, read),
        rollback=printed(rollback(bundle, facts)),
        clients=client_rows(bundle, facts, read),
        consumers=printed((*consumers(bundle, facts), *unused(bundle, facts, words))),
        trace=trace_rows(bundle, facts, words, decision),
        lead=printed(cards_lead(facts, read)),
        cards=(*difference_cards(bundle, facts, words), *finding_cards(bundle, facts)),
        sources=source_rows(bundle, facts),
        folder=printed(source_folder(facts)),
        evidence=(),
        checksums=checksums(bundle),
    )
    return replace(view, evidence=evidence_rows(bundle, cited_ids(view)))


def _glance(found: Glance | None) -> tuple[TableRow, ...]:
    """Header, delimiter and rows of the table at a glance; () without one."""
    if found is None:
        return ()
    return (found.columns, (SafeMarkdown("---"),) * len(found.columns), *found.rows)


# The sentences, section by section.


def verdict(bundle: Bundle, facts: W1Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, why it stops, what breaks, the path, who has to act, the unknown."""
    on = read_contracts(bundle)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    yield from first_reason(decision)
    yield from _breaks(facts, on)
    if facts.path is not None and not decision.state.is_halted:
        window = ("; ", UserText(facts.path.support_window)) if facts.path.support_window else ()
        yield recommended(path_line(facts.path), *window, ".", on=facts.path.citations or on)
    yield first_action(decision.next_actions, "Decision record")
    yield limited("Consumers that no inventory lists are unknown.", on=_inventories(bundle) or on)


def _inventories(bundle: Bundle) -> tuple[Citation, ...]:
    return cite(*(item.id for item in bundle.of_type(EvidenceType.CLIENT_INVENTORY)))


def _breaks(facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """How many differences break, and whom a retained run shows to fail."""
    if facts.comparison is None:
        return
    if not facts.rows:
        yield observed("The contracts do not differ on the wire.", on=on)
        return
    if not facts.classified:
        yield observed(f"{counted(len(facts.rows), 'wire-level difference')}, not classified.", on=on)
        return
    counts = Counter(row.judgement.verdict for row in facts.rows)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    failed = dict.fromkeys(impact.client for impact in facts.impacts if impact.executed == "failed")
    runs = [each for impact in facts.impacts if impact.executed == "failed" for each in impact.executed_checks]
    ran = facts.checks.executed if facts.checks else ()
    apart = [each for each in ran if each.result == "failed" and not each.client]
    names = {"": tuple(failed), "check ": tuple(each.id for each in apart)}
    told = [part for what, each in names.items() if each for part in (" and ", what, *named(each))][1:]
    ended = text("; ", *told, " failed in a retained run") if told else ()
    silent = text("; ", *unruled_words(facts)) if facts.unruled else ()
    yield observed(f"{counted(len(facts.rows), 'wire-level difference')}: {words}", *ended, *silent, ".",
                   on=(*on, *runs[:1], *(each.citation for each in apart[:1])))  # fmt: skip


_NAMED: Final = 10
"""Differences that one sentence names."""


def unruled_words(facts: W1Facts) -> Text:
    """The breaking rows that the policy is silent about, by id; () where it speaks about each."""
    silent = [row.delta.id for row in facts.unruled]
    return text("the policy says nothing about ", *listed(silent, _NAMED)) if silent else ()


# What is compared, frozen in step 1.


def boundary_rows(bundle: Bundle, facts: W1Facts) -> tuple[TableRow, ...]:
    """Both sides of the comparison: contract, identity, size, implementation."""
    if not facts.boundary:
        return empty(4, "step 1 did not run")
    sides = [(contract_item(bundle, side), getattr(facts, side)) for side in ("released", "candidate")]
    on = citations(cite(*(item.id for item, _ in sides if item is not None)) or read_contracts(bundle))
    formats = [
        cell_words(
            text(f"{one.kind} ", UserText(one.version), *((", release ", UserText(one.release)) if one.release else ()))
        )
        if one
        else cell("not read")
        for _, one in sides
    ]
    sizes = [cell(counted(len(one.operations), spec_of(one.kind).operation_word)) if one else cell("not read")
             for _, one in sides]  # fmt: skip
    revision = bundle.request.implementation_revision
    diffs = cite(*(item.id for item in bundle.of_type(EvidenceType.IMPLEMENTATION_DIFF)))
    built = cell_code(short_revision(revision)) if revision else cell("unknown")
    return (
        (cell("Contract"), *formats, on),
        (cell("Identifier"), *(_identity(item) for item, _ in sides), on),
        (cell("Size"), *sizes, on),
        (cell("Implementation"), cell("the released service"), built, citations(diffs) if diffs else on),
    )


def _identity(item: EvidenceItem | None) -> SafeMarkdown:
    if item is None:
        return cell("not supplied")
    commit = re.search(r"commit ([0-9a-f]{40}|[0-9a-f]{64})", item.integrity)
    at = (", commit ", UserText(short_revision(commit[1]))) if commit else ()
    return cell_words(text(UserText(f"sha256:{item.sha256[:12]}"), *at))


def surface(bundle: Bundle) -> Iterator[Statement]:
    """What is reviewed, by which policy, for which day, and what is left out."""
    request, policy = bundle.request, first_of(bundle, Policy)
    on = (*read_contracts(bundle), *((policy.citation,) if policy else ()))
    by: Text = ("; no typed policy is supplied",)
    if policy:
        by = ("; policy version ", UserText(policy.record.policy_version), " for ", UserText(policy.record.surface))
    parts: Text = (UserText(request.surface or "unknown"), "; protocol ", UserText(request.protocol or "unknown"), *by)
    yield observed("Surface: ", *parts, ".", on=on)
    left_out = listed(request.exclusions) or ("nothing",)
    yield limited("Excluded: ", *left_out, f". Judged as of {request.as_of}.")


def recommendation(bundle: Bundle, facts: W1Facts, decision: Decision) -> Iterator[Statement]:
    """The path with its reasons and what has to be kept; before step 7 only that nothing can be recommended."""
    on = read_contracts(bundle)
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
    yield recommended(f"{path_line(path)}. {_sentence(path.why)}", on=cited)
    yield inferred(_need(facts), on=_client_evidence(facts) or on)
    keep = "The released contract artifact and the old handler stay until migration and observation gates pass."
    planned = bundle.request.plan.retention if bundle.request.plan else None
    yield recommended(
        f"Retention: {keep}", *((" The plan says: ", UserText(planned), ".") if planned else ()), on=cited
    )
    found = joined((UserText(each.name), f" ({each.kind})") for each in path.mechanisms)
    if found:
        yield observed("Existing mechanisms: ", *found, ".", on=tuple(each.citation for each in path.mechanisms))
    terms = {"Support window": path.support_window, "Notice": path.notice}
    stated = joined((f"{label}: ", UserText(value)) for label, value in terms.items() if value)
    if stated:
        yield recommended(*stated, ".", on=cited)
    for label in (label for label, value in terms.items() if not value):
        yield limited(f"{label}: not supplied.")
    yield from _migrations(bundle, facts, on)
    for objection in path.objections:
        yield inferred("The path does not fit: ", _sentence(objection), on=cited)
    if path.exit_evidence:
        yield recommended("Exit evidence: ", *joined((UserText(each),) for each in path.exit_evidence), on=cited)
    if facts.ownership_gaps:
        yield recommended(
            "Preserve the old behaviour while owners are found and privacy-safe usage is collected.", on=on
        )


def path_line(path: PathChoice) -> str:
    """The path in one sentence; one that does not fit the differences is not recommended."""
    return f"Do not take the planned path: {path.path}" if path.objections else f"Path: {path.path}"


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
    on = read_contracts(bundle)
    if facts.checks is None:
        yield limited("Step 6 was not reached; no classification is verified.", on=on)
        return
    ran, waiting = facts.checks.executed, len(facts.checks.unverified)
    failed = sum(check.result == "failed" for check in ran)
    yield observed(f"Checks with a retained result: {len(ran)}", f"; {failed} of them failed" * bool(failed), ".",
                   on=_cites(ran) or on)  # fmt: skip
    yield proposed(f"Checks proposed: {len(facts.checks.proposed)}.", on=on)
    shown = sum(row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED) for row in facts.rows)
    yield inferred(f"Classifications that stay unverified: {waiting} of {len(facts.rows)}; "
                   f"{shown} have a computed proof or witness.", on=on)  # fmt: skip


def _cites(checks: Iterable[Executed]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(check.citation for check in checks))


def limitations(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """What this review can't say, then what it assumes because the supplier does."""
    on = read_contracts(bundle)
    yield limited("Consumers that no inventory lists are unknown; nothing is assumed about them.", on=on)
    for warning in bundle.warnings:
        yield limited(UserText(warning.found))
    if not any(
        source.kind == "observation" for source in (facts.reconciliation.sources if facts.reconciliation else ())
    ):
        yield limited("No executed response observation was reconciled; runtime behaviour is unknown.", on=on)
    yield from _untold(facts)
    if facts.checks is not None and facts.checks.elsewhere:
        older = facts.checks.elsewhere
        words = f"{counted(len(older), 'check')} ran at another revision than the candidate's and show nothing of it: "
        yield limited(words, *listed(dict.fromkeys(check.id for check in older)), ".", on=_cites(older))
    for source in facts.reconciliation.drifts if facts.reconciliation else ():
        what = (UserText(source.id), " does not agree with the released contract: ", *listed(source.released_reasons))
        yield limited("What the released side answered in ", *what, on=(source.citation,))
    yield limited("Whether the candidate is deployed anywhere is unknown.", on=on)
    staying = {state.why: [each for each in facts.migrations if each.why == state.why]
               for state in facts.migrations if not state.adopted}  # fmt: skip
    for why, states in staying.items():
        names = listed(state.client for state in states)
        cited = dict.fromkeys(each for state in states for each in state.citations)
        yield limited("Not counted as migrated: ", *names, f"; {why.rstrip('.')}.", on=cited)
    for gap in facts.ownership_gaps:
        yield limited(gap.text, on=(gap.citation,) if gap.citation else on)
    yield from joins_nothing(facts)
    yield from form_unstated(bundle, facts)
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


def joins_nothing(facts: W1Facts) -> Iterator[Statement]:
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


def form_unstated(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """Failed checks of clients that count as no run of the client, and why."""
    for check, at in formless(facts.rows, tests_of(bundle, facts)):
        yield limited(
            "The failed check ",
            UserText(check.id),
            " is no run of the client ",
            UserText(str(check.client)),
            ": it states by no parses whether the client was given the released or the candidate form.",
            on=(at,),
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
    on = read_contracts(bundle)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    answers = set(unanswered(facts.gates))
    yield from (reason for reason in decision.reasons if reason not in answers)
    if not decision.state.is_halted:
        for entry in bundle.decisions.dispositions:
            stance = f" ({entry.stance})" if entry.stance else ""
            yield observed("Disposition of ", UserText(entry.subject), " by ", UserText(entry.role), f"{stance}: ",
                           UserText(entry.decision), f", at {entry.at.isoformat()}.", on=on)  # fmt: skip
    yield from numbered(decision.next_actions)
    if not decision.next_actions:
        yield next_action("None.", on=on)


def rollback(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """The rollback boundary, the rate formula, and what stays blocked."""
    on = read_contracts(bundle)
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
    yield from _signals(facts, on)
    if path.traffic_steps:
        steps = joined((UserText(step),) for step in path.traffic_steps)
        yield recommended("Traffic steps, as the request plans them: ", *steps, ".", on=path.citations or on)
    blocked = [control.delta_id for control in facts.controls if control.missing]
    if blocked:
        yield recommended("Keep traffic blocked to: ", *listed(blocked), ".", on=on)


def _signals(facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """Each signal and its baseline once; the rows name it."""
    told: set[str] = set()
    for watch in watches(facts):
        if not watch.name or watch.name in told:
            continue
        told.add(watch.name)
        control, cited = watch.control, watch.control.citations or on
        kept = ("; keeps ", UserText(", ".join(control.tags))) if control.tags else ()
        normal = ("; baseline ", UserText(control.baseline)) if control.baseline else ()
        parts: Text = (UserText(control.signal), "; ", UserText(control.counters), *kept, *normal)
        yield observed("Signal ", UserText(watch.name), ": ", *parts, ".", on=cited)


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
    on = read_contracts(bundle)
    yield limited("Unlisted consumers are unknown: the register names known clients only.", on=on)
    rejected = facts.path is not None and facts.path.path is VersionPath.REJECTION
    if facts.migrations and not rejected:
        count = sum(state.adopted for state in facts.migrations)
        cited = tuple(citation for state in facts.migrations for citation in state.citations)
        yield observed(
            f"{count} of {len(facts.migrations)} known clients have adopted the selected path.", on=cited or on
        )
