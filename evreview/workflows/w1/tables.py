"""The tables of the W1 artifact as rows of ready cells. An empty register keeps one row that says so."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from evreview.core.quoted_text import UserText, listed
from evreview.core.vocabulary import Tristate
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import NOTHING, SafeMarkdown, cell, cell_code, cell_words, citations, fragments, shorten
from evreview.report.statement import Statement, inferred, limited, observed
from evreview.workflows.engine.conclusions import Decision, Finding
from evreview.workflows.engine.registers import TableRow, empty
from evreview.workflows.w1.clients.register import ClientRow
from evreview.workflows.w1.facts import W1Facts, read_contracts
from evreview.workflows.w1.policy.monitoring import RolloutMonitor


def source_rows(facts: W1Facts) -> tuple[TableRow, ...]:
    """Per source, what it matches (step 3)."""
    found = facts.reconciliation.sources if facts.reconciliation else ()
    rows = (
        (
            cell_code(source.id),
            cell(f"{source.kind}, {source.basis}"),
            cell_code(source.operation) if source.operation else cell("not recorded"),
            cell(str(source.match)),
            cell_words(_reasons(source.released_reasons, source.candidate_reasons)),
            citations((source.citation,)),
        )
        for source in found
    )
    return tuple(rows) or empty(6, "no implementation or observation was reconciled")


def _reasons(released: Sequence[str], candidate: Sequence[str]) -> tuple[str | UserText, ...]:
    parts: list[str | UserText] = []
    for side, reasons in (("released", released), ("candidate", candidate)):
        for reason in reasons[:3]:
            parts += [f"not {side}: ", UserText(shorten(reason, 160)), "; "]
    return tuple(parts[:-1]) or ("agrees",)


def finding_rows(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The finding register."""
    return tuple(_finding(finding) for finding in facts.findings) or empty_findings(facts, read)


def empty_findings(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The finding register's one row when it has none; a run that stopped early says so."""
    why = "no difference is material" if facts.gates else "step 9 was not reached"
    blank = cell("n/a")
    return ((cell(f"{NOTHING}: {why}"), blank, blank, citations(read), blank, blank, blank, blank),)


def _finding(finding: Finding) -> TableRow:
    impact = (*finding.impact, limited("Preconditions: ", finding.preconditions, ".", on=finding.citations[:1]))
    severity = f"{finding.severity} ({shorten(finding.severity_why, 400)})"
    return (
        cell(severity),
        cell(f"{finding.confidence} ({finding.confidence_why})"),
        cell_words((UserText(finding.id), ": ", *finding.title)),
        citations(finding.citations),
        fragments(impact),
        fragments((finding.recommendation,)),
        fragments((finding.verification,)),
        cell(finding.disposition),
    )


def executed_rows(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """Checks with a retained result: command, revision, fixture and result, all four."""
    rows = (
        (
            cell_words((UserText(check.id), ": ", UserText(check.what))),
            cell_code(check.command),
            cell_code(check.revision),
            cell_words((UserText(check.fixture),)),
            cell(f"executed: {check.result}"),
            citations((check.citation,)),
        )
        for check in (facts.checks.executed if facts.checks else ())
    )
    return tuple(rows) or empty(6, _no_checks(facts), read)


def _no_checks(facts: W1Facts) -> str:
    return "no check with a retained result is among the evidence" if facts.checks else "step 6 was not reached"


def proposed_rows(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """Checks without a retained result, and what waits for them."""
    rows = (
        (
            cell_words((UserText(check.id),)),
            cell_words((UserText(check.what),)),
            cell(f"{check.status}: {', '.join(check.missing) or 'a retained result'}"),
            cell_words(listed(check.deltas) or ("no classification",)),
            citations((check.citation,) if check.citation else read),
        )
        for check in (facts.checks.proposed if facts.checks else ())
    )
    return tuple(rows) or empty(5, "no check is proposed" if facts.checks else "step 6 was not reached", read)


def removal_rows(facts: W1Facts) -> tuple[TableRow, ...]:
    """What is asked to be removed, and which conditions fail."""
    rows = (
        (
            cell_code(removal.address),
            cell("permitted by the conditions" if removal.permitted else "stays available"),
            cell_words((UserText("; ".join(missing.text for missing in removal.missing)),))
            if removal.missing
            else cell("nothing"),
            citations(removal.citations),
        )
        for removal in facts.removals
    )
    asked = facts.path is not None
    return tuple(rows) or empty(4, "no removal is asked" if asked else "step 7 was not reached")


def monitoring_rows(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """One monitoring control per material change."""
    known = {row.delta.id for row in facts.rows} | {finding.id for finding in facts.findings}
    return tuple(_control(control, known) for control in facts.controls) or empty(9, "no control was designed", read)


def _change(control: RolloutMonitor, known: Container[str]) -> SafeMarkdown:
    """The row or finding that is watched; before step 9 a change without a row has no finding to point to."""
    if control.delta_id in known:
        return cell_code(control.delta_id)
    return cell_words(("a change that only the implementation shows, at ", UserText(control.operation)))


def _control(control: RolloutMonitor, known: Container[str]) -> TableRow:
    def shown(*values: str) -> SafeMarkdown:
        text = "; ".join(value for value in values if value)
        return cell_words((UserText(text),)) if text else cell("not supplied")

    missing = f"blocked: missing {', '.join(control.missing)}" if control.missing else "covered and approved"
    return (
        _change(control, known),
        shown(control.signal, control.counters),
        shown(control.baseline),
        shown(control.threshold),
        shown(control.window, control.resolution, ", ".join(control.tags)),
        shown(*control.traffic_steps),
        shown(control.rollback),
        cell(missing),
        citations(control.citations),
    )


def client_rows(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The client-impact register, unlisted consumers last."""
    known = tuple(_client(row) for row in facts.clients)
    if facts.unknown_consumers is None:
        return known or empty(5, "step 5 was not reached; consumers are unknown", read)
    unknown = facts.unknown_consumers
    return (
        *known,
        (
            cell("unlisted consumers"),
            cell("unknown"),
            fragments((limited(unknown.statement),)),
            cell("unknown"),
            citations(unknown.citations or read),
        ),
    )


def _client(row: ClientRow) -> TableRow:
    return (
        cell_words((UserText(row.client),)),
        cell_words((UserText(row.parser.text),)),
        fragments(_client_impact(row)),
        cell_words((UserText(row.owner_and_status),)),
        citations(row.citations),
    )


def _client_impact(row: ClientRow) -> tuple[Statement, ...]:
    """What was executed and what is declared as observations, what follows as inference."""
    ran = [impact for impact in row.impacts if impact.executed != "none"]
    declared = [impact for impact in row.impacts if impact.contract_incompatible is Tristate.YES]
    statements = [
        observed(
            "Executed parser result: ", impact.executed, " on ", UserText(impact.delta_id), on=impact.executed_checks
        )
        for impact in ran
    ]
    statements += [
        observed("Declared parser contract does not admit ", UserText(impact.delta_id), ": ",
                 UserText(impact.contract_why), on=impact.citations)
        for impact in declared
    ]  # fmt: skip
    return (*statements, inferred(UserText(row.impact), on=row.citations))


def trace_rows(bundle: Bundle, facts: W1Facts, decision: Decision) -> tuple[TableRow, ...]:
    """Every material conclusion with its evidence."""
    on = read_contracts(bundle)
    conclusions = [
        inferred(UserText(finding.id), ": ", *finding.title, on=finding.citations) for finding in facts.findings
    ]
    for source in facts.reconciliation.sources if facts.reconciliation else ():
        what = (f"{source.kind} ", UserText(source.id), f" matches: {source.match}")
        conclusions.append(observed(*what, on=(source.citation,)))
    if facts.path is not None:
        fit = "does not fit" if facts.path.objections else "supported"
        conclusions.append(inferred(f"Path: {facts.path.path} ({fit})", on=facts.path.citations or on))
    conclusions.append(inferred(f"Decision: {decision.headline}", on=on))
    return tuple(
        (fragments((replace(conclusion, citations=()),)), citations(conclusion.citations)) for conclusion in conclusions
    )
