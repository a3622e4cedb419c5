"""The registers of the W3 artifact's first half as rows of ready cells: what is reviewed, and what was suspected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import Text, UserText, bare, listed
from evreview.core.vocabulary import Unrated
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import SafeMarkdown, cell, cell_code, cell_words, citations, fragments
from evreview.report.statement import Statement, executed, inferred, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import TableRow, empty
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.facts import W3Facts, deciding_items
from evreview.workflows.w3.model import (
    AbuseCase,
    ControlCell,
    Disposition,
    Lead,
    RemediationRow,
    SecurityFinding,
    Standing,
    State,
)
from evreview.workflows.w3.triage.lead_groups import is_unreached
from evreview.workflows.w3.validation import LocalResult
from evreview.workflows.w3.validation import executed as executed_of

Read = Iterable[Citation]
_STATES: Final = (State.SUPPORTED, State.HYPOTHESIS, State.REFUTED)
_FIRST: Final = (Standing.ABSENT, Standing.UNREAD, Standing.UNKNOWN, Standing.PRESENT)
"""What is looked at first in the matrix; the rest follows."""


def path_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Every way from an actor to an asset."""
    paths = facts.trust.paths if facts.trust else ()
    rows = (
        (
            _name(each.actor),
            _name(each.entry_point),
            _name(each.route),
            cell_words(joined(((UserText(name),) for name in each.boundaries), " > ") or ("none",)),
            _name(each.asset),
            cell("yes" if each.in_reach else "no"),
            cell_words(joined(each.gaps) or ("traceable",)),
            citations(each.citations),
        )
        for each in paths
    )
    return tuple(rows) or empty(8, _unreached(facts.trust is not None, 2), read)


def backing_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Every trust boundary and identity transition, and what supports it."""
    found = (*facts.trust.backings, *facts.trust.transitions) if facts.trust else ()
    rows = (
        (
            cell_words((UserText(each.id), ": ", *each.name)),
            cell(str(each.backing)),
            cell_words(each.why),
            citations(each.citations),
        )
        for each in found
    )
    return tuple(rows) or empty(4, _unreached(facts.trust is not None, 2), read)


def control_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The control x route matrix: an unguarded neighbour of guarded routes first, then what is absent or unknown."""
    cells = sorted(facts.inventory.cells if facts.inventory else (), key=lambda each: (not each.odd, _rank(each)))
    rows = (
        (
            _name(each.control),
            cell(str(each.area)),
            _name(each.route),
            cell(f"{each.standing}{', beside guarded routes' if each.odd else ''}"),
            cell_words(each.why),
            citations(each.citations or tuple(read)),
        )
        for each in cells
    )
    return tuple(rows) or empty(6, _unreached(facts.inventory is not None, 3), read)


def _rank(each: ControlCell) -> int:
    return _FIRST.index(each.standing) if each.standing in _FIRST else len(_FIRST)


def gap_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What the inventory lacks, and the exact artifact that is requested."""
    rows = (
        (
            _name(each.control),
            cell(each.lacks),
            cell_words(each.request),
            cell("no conclusion without it" if each.decides else "the control stays unverified"),
            citations(each.citations or tuple(read)),
        )
        for each in (facts.inventory.gaps if facts.inventory else ())
    )
    why = "nothing is missing" if facts.inventory is not None else "step 3 was not reached"
    return tuple(rows) or empty(5, why, read)


def case_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Abuse cases: each a hypothesis until control evidence supports or disproves it."""
    alike: dict[tuple[object, ...], list[AbuseCase]] = {}
    for each in facts.cases:
        same = (each.attacker, each.state, each.controlled_input, each.preconditions, each.bypass)
        alike.setdefault((*same, each.consequence), []).append(each)
    order = sorted(alike.values(), key=lambda cases: _STATES.index(cases[0].state))
    rows = (
        (
            cell_words(_over(cases)),
            _name(cases[0].attacker),
            cell_words(cases[0].controlled_input),
            cell_words(joined(cases[0].preconditions) or ("none besides the position",)),
            cell_words(cases[0].bypass),
            cell_words(cases[0].consequence),
            cell(str(cases[0].state)),
            citations(dict.fromkeys(on for each in cases for on in each.citations) or tuple(read)),
        )
        for cases in order
    )
    return tuple(rows) or empty(8, "step 4 was not reached or found none", read)


def _over(cases: list[AbuseCase]) -> Text:
    """Boundaries and routes of cases that are alike but for them; the register has a row for each."""
    routes = dict.fromkeys(each.route for each in cases if each.route)
    at = listed(dict.fromkeys(each.boundary for each in cases))
    return (*at, " over ", *listed(routes)) if routes else at


def lead_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Leads: patterns that matched, one row per place with the routes that reach it. None of them is proof."""
    alike: dict[tuple[object, ...], list[Lead]] = {}
    for each in facts.leads:
        if not is_unreached(each):
            alike.setdefault(
                (each.tool, each.rule, each.path, each.symbol, each.spot or each.id, each.says), []
            ).append(each)
    rows = (
        (
            cell_words((UserText(leads[0].id),)),
            cell_words((UserText(leads[0].tool), ": ", UserText(leads[0].rule))),
            cell_words(_place(leads[0])),
            cell_words(listed(dict.fromkeys(lead.route for lead in leads if lead.route)) or ("unknown",)),
            cell_words(leads[0].says),
            citations(dict.fromkeys(on for lead in leads for on in lead.citations) or tuple(read)),
        )
        for leads in alike.values()
    )
    return tuple(rows) or empty(6, "step 4 was not reached or found none", read)


def _place(lead: Lead) -> Text:
    return (UserText(" ".join(part for part in (lead.path, lead.symbol) if part) or "not named"),)


def unreached_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What scanners report in code that no entry point is shown to reach: one row per rule, rated by nobody."""
    alike: dict[tuple[str, str], list[Lead]] = {}
    for each in facts.leads:
        if is_unreached(each):
            alike.setdefault((each.tool, each.rule), []).append(each)
    rows = (
        (
            cell_words((UserText(tool), ": ", UserText(rule))),
            cell(str(len(leads))),
            cell_words(joined(dict.fromkeys(map(_place, leads)))),
            citations(dict.fromkeys(lead.citations[0] for lead in leads if lead.citations) or tuple(read)),
        )
        for (tool, rule), leads in alike.items()
    )
    return tuple(rows) or empty(4, "step 4 was not reached or found none", read)


def refuted_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Candidates that a compensating control refutes: removed from the findings, kept here."""
    rows = (
        (
            cell_words((UserText(each.id), ": ", *each.title)),
            cell_words(joined((*one.place, ": ", *one.why) for one in each.challenges if one.standing == "present")
                       or each.reach_why),
            citations(each.citations),
        )
        for each in facts.challenged
        if each.state is State.REFUTED
    )  # fmt: skip
    return tuple(rows) or empty(3, "no candidate was refuted", read)


def challenge_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """For each finding, every place where a compensating control could stand."""
    rows = (
        (
            _name(finding.candidate.id),
            cell_words(each.place),
            cell(str(each.standing)),
            cell_words(each.why),
            citations(each.citations or finding.candidate.citations),
        )
        for finding in facts.findings
        for each in finding.candidate.challenges
    )
    return tuple(rows) or empty(5, "no finding, or step 7 was not reached", read)


def joined(texts: Iterable[Text], between: str = "; ") -> Text:
    """Several texts as one."""
    parts: list[str | UserText] = []
    for each in texts:
        parts += [between, *each] if parts else each
    return tuple(parts)


def _name(value: str) -> SafeMarkdown:
    return cell_code(value) if value else cell("unknown")


def _unreached(reached: bool, step: int) -> str:
    return "none is stated" if reached else f"step {step} was not reached"


# The registers of the W3 artifact's second half: findings, remediation, checks, dispositions and traceability.


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
        cell_words((UserText(about.id), ": ", *_title(each), f"; {_state(about.state)}")),
        citations(on),
        fragments(_impact(each)),
        fragments((recommended(*each.recommendation, on=about.citations),)),
        fragments(_verification(each, facts)),
        cell_words((f"{each.disposition}: ", *each.disposition_why)),
    )


def _title(each: SecurityFinding) -> Text:
    """What is suspected; a title in nobody's words but the reviewer's is printed as theirs."""
    title = each.candidate.title
    theirs = all(isinstance(part, UserText) for part in title)
    told = ("the reviewer suspects: ", *title) if theirs else title
    routes = each.candidate.routes
    return (*told, "; on ", *listed(routes)) if len(routes) > 1 else told


def _severity(each: SecurityFinding) -> SafeMarkdown:
    if isinstance(each.severity, Unrated):
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
    return ("the position of ", UserText(each.candidate.attacker), ", ") if each.candidate.attacker else ()


def _verification(each: SecurityFinding, facts: W3Facts) -> Iterator[Statement]:
    ran = [one for one in executed_of(facts) if set(one.citations) & set(each.candidate.citations)]
    for one in ran:
        yield executed(UserText(one.id), f" {one.result}", on=one.citations)
    yield proposed(*each.candidate.safe_verification or ("a bounded local validation plan, once approved",),
                   on=each.candidate.citations)  # fmt: skip


def claim_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What every security claim identifies: asset, control evidence, preconditions, confidence, safe verification."""
    rows = (
        (
            cell_words((UserText(each.candidate.id),)),
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
    named: Text = (UserText(about.control), "; ") if about.control else ("no control is listed for it; ",)
    return (*named, f"reachability {about.reach}: ", *about.reach_why)


def _named(value: str) -> SafeMarkdown:
    return cell_code(value) if value else cell(NOT_NAMED)


def remediation_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The remediation order."""
    return tuple(map(_remediation, facts.remediation)) or empty(
        8, "no finding needs one, or step 8 was not reached", read
    )


def _remediation(each: RemediationRow) -> TableRow:
    refused: Text = ("refused: ", *each.refused, "; ") if each.refused else ()
    return (
        cell_words((UserText(each.finding),)),
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
        cell_words((UserText(each.id),)),
        cell_code(each.command),
        cell_code(each.revision),
        cell_words((UserText(each.environment),)),
        cell(each.result),
        citations(each.citations),
    )


def disposition_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """State and evidence of each finding, and the digest that a recorded disposition has to name."""
    rows = (
        (
            cell_words((UserText(each.candidate.id),)),
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
            fragments((inferred(UserText(each.candidate.id), f": {_state(each.candidate.state)}, {each.disposition}",
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
