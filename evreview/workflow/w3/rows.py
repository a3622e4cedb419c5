"""The registers of the W3 artifact's second half: findings, remediation, checks, dispositions and traceability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evreview.core.quoted_text import Subject, Text, bare, listed
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import Md, cell, cell_code, cell_words, citations, fragments
from evreview.report.statement import Statement, executed, inferred, observed, proposed, recommended
from evreview.workflow.w3.citing import deciding_items
from evreview.workflow.w3.validating import executed as executed_of
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import TableRow, empty
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import Disposition, RemediationRow, SecurityFinding, State
from evreview.workflows.w3.step6_validation import LocalResult
from evreview.workflows.w3.tables import joined

Read = Iterable[Citation]
NOT_NAMED = "unknown: the evidence names none"


def finding_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The finding register: severity and confidence each with its own reason."""
    why = "no candidate stands" if facts.rated else "step 7 was not reached"
    return tuple(_finding(each, facts) for each in facts.findings) or _no_finding(why, read)


def _no_finding(why: str, read: Read) -> tuple[TableRow, ...]:
    """The row that says so; the column of evidence is the fourth here."""
    first, *rest, on = empty(8, why, read)[0]
    return ((first, *rest[:2], on, *rest[2:]),)


def _finding(each: SecurityFinding, facts: W3Facts) -> TableRow:
    about, on = each.candidate, each.citations
    return (
        _severity(each),
        cell(f"{each.confidence} ({each.confidence_why})"),
        cell_words((Subject(about.id), ": ", *_title(each), f"; {_state(about.state)}")),
        citations(on),
        fragments(_impact(each)),
        fragments((recommended(*each.recommendation, on=about.citations),)),
        fragments(_verification(each, facts)),
        cell_words((f"{each.disposition}: ", *each.disposition_why)),
    )


def _title(each: SecurityFinding) -> Text:
    """What is suspected; a title in nobody's words but the reviewer's is printed as theirs."""
    title = each.candidate.title
    theirs = all(isinstance(part, Subject) for part in title)
    told = ("the reviewer suspects: ", *title) if theirs else title
    routes = each.candidate.routes
    return (*told, "; on ", *listed(routes)) if len(routes) > 1 else told


def _severity(each: SecurityFinding) -> Md:
    if each.severity.startswith("not rated"):
        return cell(each.severity)
    return cell_words((f"{each.severity} (", *each.severity_why, ")"))


def _state(state: State) -> str:
    if state is State.SUPPORTED:
        return "supported by reachability and control evidence"
    return "unconfirmed hypothesis"


def _impact(each: SecurityFinding) -> Iterator[Statement]:
    about, on = each.candidate, each.candidate.citations
    yield observed(*about.impact_observed, on=on)
    needs = joined(about.preconditions) or ("nothing beyond the position",)
    yield inferred(*bare(about.impact_inferred), "; attacker preconditions: ", *_position(each), *needs, on=on)


def _position(each: SecurityFinding) -> Text:
    return ("the position of ", Subject(each.candidate.attacker), ", ") if each.candidate.attacker else ()


def _verification(each: SecurityFinding, facts: W3Facts) -> Iterator[Statement]:
    ran = [one for one in executed_of(facts) if set(one.citations) & set(each.candidate.citations)]
    for one in ran:
        yield executed(Subject(one.id), f" {one.result}", on=one.citations)
    yield proposed(*each.candidate.safe_verification or ("a bounded local validation plan, once approved",),
                   on=each.candidate.citations)  # fmt: skip


def claim_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What every security claim identifies: asset, control evidence, preconditions, confidence, safe verification."""
    rows = (
        (
            cell_words((Subject(each.candidate.id),)),
            _named(each.candidate.asset),
            cell_words(_control(each)),
            cell_words((*_position(each), *(joined(each.candidate.preconditions) or ("nothing besides",)))),
            cell(str(each.confidence)),
            cell_words(each.candidate.safe_verification or ("a bounded local validation plan, once approved",)),
            citations(each.citations),
        )
        for each in facts.findings
    )
    return tuple(rows) or empty(7, "no finding, or step 7 was not reached", read)


def _control(each: SecurityFinding) -> Text:
    about = each.candidate
    named: Text = (Subject(about.control), "; ") if about.control else ("no control is listed for it; ",)
    return (*named, f"reachability {about.reach}: ", *about.reach_why)


def _named(value: str) -> Md:
    return cell_code(value) if value else cell(NOT_NAMED)


def remediation_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The remediation order."""
    return tuple(map(_remediation, facts.remediation)) or empty(
        8, "no finding needs one, or step 8 was not reached", read
    )


def _remediation(each: RemediationRow) -> TableRow:
    refused: Text = ("refused: ", *each.refused, "; ") if each.refused else ()
    return (
        cell_words((Subject(each.finding),)),
        cell_words((*refused, *each.control_change)),
        cell_words(each.owner_role),
        cell_words(("positive: ", *each.positive_tests, "; negative: ", *each.negative_tests)),
        cell_words(each.deployment),
        cell_words(each.exit_evidence),
        cell_words(each.rollback),
        citations(each.citations),
    )


def proposed_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Checks without a retained result."""
    rows = (
        (
            cell_words(each.check),
            cell_words(each.verifies),
            cell_words(each.missing),
            cell_words(each.leaves),
            citations(each.citations),
        )
        for each in facts.proposed
    )
    return tuple(rows) or empty(5, "none is open, or step 6 was not reached", read)


def executed_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Checks with a retained result, as their record holds it."""
    return tuple(map(_executed, executed_of(facts))) or empty(6, "no retained result, or step 6 was not reached", read)


def _executed(each: LocalResult) -> TableRow:
    return (
        cell_words((Subject(each.id),)),
        cell_code(each.command),
        cell_code(each.revision),
        cell_words((Subject(each.environment),)),
        cell(each.result),
        citations(each.citations),
    )


def disposition_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """State and evidence of each finding, and the digest that a recorded disposition has to name."""
    rows = (
        (
            cell_words((Subject(each.candidate.id),)),
            cell(str(each.disposition)),
            cell_words(each.disposition_why),
            cell("yes" if each.blocks else "no"),
            cell_code(each.candidate.slice),
            citations(each.citations),
        )
        for each in facts.findings
    )
    return tuple(rows) or empty(6, "no finding, or step 7 was not reached", read)


def trace_rows(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> tuple[TableRow, ...]:
    """Every finding and the decision with what they rest on."""
    rows = [
        (
            fragments((inferred(Subject(each.candidate.id), f": {_state(each.candidate.state)}, {each.disposition}",
                                on=each.citations),)),
            citations(each.citations),
        )
        for each in facts.findings
    ]  # fmt: skip
    read = deciding_items(bundle, steps, facts)
    return (*rows, (fragments((inferred(f"Decision: {decision.headline}", on=read),)), citations(read)))


def unresolved(facts: W3Facts) -> tuple[SecurityFinding, ...]:
    """The findings that are neither accepted nor closed."""
    return tuple(each for each in facts.findings if each.disposition in (Disposition.BLOCKING, Disposition.OPEN))
