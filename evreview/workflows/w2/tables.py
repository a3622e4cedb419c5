"""The registers of the W2 artifact as rows of ready cells. An empty register keeps one row that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evreview.core.quoted_text import Text, UserText, counted, listed, marked
from evreview.core.vocabulary import ABSENT, StepState
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import cell, cell_code, cell_words, citations, fragments, shorten
from evreview.report.statement import inferred
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.gates import GateState
from evreview.workflows.engine.registers import TableRow, empty
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.facts import (
    FAILURES,
    Cell,
    Discrepancy,
    Disposal,
    Gap,
    Reported,
    Source,
    W2Facts,
    read_items,
)
from evreview.workflows.w2.matrix.evidence_matrix import RULE
from evreview.workflows.w2.reconcile.publication import holds_of, is_held
from evreview.workflows.w2.reconcile.reconcile import form_text

LONGEST = 300
"""Characters of a form that a cell shows; the register's file holds it whole."""


def report_rows(facts: W2Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The example execution report: executed, unexecuted and proposed checks."""
    return tuple(map(_reported, facts.report)) or empty(5, "step 6 was not reached", read)


def _reported(row: Reported) -> TableRow:
    if row.status == "executed":
        where: Text = (
            UserText(row.environment),
            "; command ",
            UserText(row.command),
            "; revision ",
            UserText(row.revision),
            f"; exit status {'unknown' if row.exit_status is None else row.exit_status}",
        )
        result: Text = (row.result,)
    else:
        seen = row.status == "recorded" and bool(row.environment)
        where, result = (UserText(row.environment) if seen else "none",), (row.result,)
    return (cell_words(row.check), cell(row.status), cell_words(where), cell_words(result), citations(row.citations))


def discrepancy_rows(facts: W2Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The contract discrepancy register, both forms exactly."""
    return tuple(map(_discrepancy, facts.discrepancies)) or empty(7, _none_found(facts), read)


def _none_found(facts: W2Facts) -> str:
    if not facts.reconciled:
        return "step 3 was not reached"
    unread = sum(each.source is Source.IMPLEMENTATION and each.standing == "unread" for each in facts.matrix)
    if not facts.points and not unread:
        return "contract, implementation and tests agree"
    told = [f"{counted(len(facts.points), 'comparison')} not decided"] if facts.points else []
    told += [f"{counted(unread, 'concern')} with code that is not read in full"] if unread else []
    return f"no disagreement was found; {', '.join(told)}: see the limitations and the matrix"


def _discrepancy(each: Discrepancy) -> TableRow:
    where = UserText(" ".join(part for part in (each.operation, str(each.concern), each.place) if part))
    seen: Text = () if each.observed is ABSENT else ("; observed ", UserText(_form(each.observed)))
    shown: Text = (
        () if each.witness is ABSENT else ("; one accepts and the other refuses ", UserText(_form(each.witness)))
    )
    state = "open: publication blocker" if each.disposal is Disposal.OPEN else f"{each.disposal}: "
    words: Text = (state,) if each.disposal is Disposal.OPEN else (state, UserText(each.disposition))
    return (
        cell_words((UserText(each.id), ": ", UserText(each.kind), " at ", where, "; forms ", UserText(each.digest))),
        cell_code(_form(each.contract)),
        cell_words((UserText(_form(each.implementation)), *seen, *shown)),
        cell(each.impact),
        cell_words((UserText(each.owner_role),)),
        cell_words(words),
        citations(each.citations),
    )


def _form(form: object) -> str:
    return shorten(form_text(form), LONGEST)  # type: ignore[arg-type]


def review_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """The eight checks of step 7, each with its disposition."""
    rows = (
        (cell(each.check), cell_words(each.found), cell(each.disposition), citations(each.citations))
        for each in facts.reviews
    )
    return tuple(rows) or empty(4, "step 7 was not reached")


def criteria_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """The completion criteria and the sections that meet them."""
    rows = ((cell(each.criterion), cell(each.section), cell("yes" if each.met else "no")) for each in facts.criteria)
    return tuple(rows) or ((cell("None recorded: step 9 was not reached"), cell("n/a"), cell("n/a")),)


def follow_up_rows(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts) -> tuple[TableRow, ...]:
    """What is left to do, by whom, on what it depends, and what closes it."""
    return tuple(_follow_ups(bundle, steps, facts)) or (
        (cell("None recorded: nothing is left to do"), *(cell("n/a"),) * 4),
    )


def _follow_ups(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts) -> Iterator[TableRow]:
    owner = bundle.request.roles.api_owner or "API owner"
    yield from _stopped(steps, owner)
    for each in facts.discrepancies:
        if is_held(each):
            status = "open" if each.disposal is Disposal.OPEN else "withheld"
            closes: Text = ("a disposition over the forms shown is recorded, or the sources agree",)
            yield _row(
                ("Dispose of ", UserText(each.id)), each.owner_role, ("the register's evidence",), closes, status
            )
    if facts.points:
        compare: Text = (f"Compare by hand what nothing decided: {counted(len(facts.points), 'comparison')}",)
        closes = ("a declared fact or a retained test decides each",)
        reviewer = bundle.request.roles.reviewer or "reviewer"
        yield _row(compare, reviewer, ("the limitations name each",), closes, "open")
    for gap in missing_from_contract(facts):
        needs: Text = ("an approved change of the contract",)
        yield _row(("Clarify in the contract: ", *gap.says), owner, needs, ("the contract states it",), "open")
    for test in facts.proposed_tests:
        closes = ("its result is retained and passes: ", *marked("; ".join(test.asserts)))
        action: Text = ("Write and run the contract test ", UserText(test.name))
        yield _row(action, owner, ("an isolated environment",), closes, "proposed")
    for row in facts.report:
        if row.status == "unexecuted":
            needs = (row.result,)
            yield _row(("Execute: ", *row.check), "sandbox owner", needs, ("a retained result",), "unexecuted")
    for gate in facts.gates:
        if gate.state in (GateState.OPEN, GateState.REJECTED):
            closes = ("the approval is recorded: ", UserText("; ".join(gate.missing)))
            needs = (", ".join(gate.spec.reviewed),)
            action = (f"Answer the gate: {gate.spec.title}",)
            yield _row(action, ", ".join(map(str, gate.seats)), needs, closes, str(gate.state))


def _stopped(steps: Sequence[StepResult], owner: str) -> Iterator[TableRow]:
    last = steps[-1]
    if last.state is not StepState.STOP:
        return
    recovery = "; ".join(FAILURES[last.code].recovery) if last.code else f"supply what step {last.number} lacks"
    needs = (f"step {last.number}: {last.title}",)
    action = (f"{last.code or 'Unblock'}: {recovery}",)
    yield _row(action, owner, needs, (last.advance_when,), f"resume at step {last.restart}")


def _row(action: Text, owner: str, needs: Text, closes: Text, status: str) -> TableRow:
    return (cell_words(action), cell_words((UserText(owner),)), cell_words(needs), cell_words(closes), cell(status))


def trace_rows(bundle: Bundle, facts: W2Facts, decision: Decision) -> tuple[TableRow, ...]:
    """Every group of claims with its evidence and what is made of it, the decision last."""
    rows = [_traced(facts, cells) for cells in _groups(facts)]
    read = read_items(bundle, facts)
    said = inferred(f"Decision: {decision.headline}")
    return (*rows, (fragments((said,)), citations(read), cell(str(decision.state))))


def _groups(facts: W2Facts) -> Iterator[tuple[Cell, ...]]:
    grouped: dict[tuple[str, str], list[Cell]] = {}
    for each in facts.matrix:
        grouped.setdefault((each.operation, str(each.concern)), []).append(each)
    return (tuple(cells) for cells in grouped.values())


def _traced(facts: W2Facts, cells: tuple[Cell, ...]) -> TableRow:
    first = cells[0]
    held = [
        each
        for each in facts.discrepancies
        if is_held(each) and each.operation == first.operation and _is_about(each, first)
    ]
    on = tuple(dict.fromkeys(citation for each in cells for citation in each.citations))
    what: Text = (UserText(first.operation), f": {first.concern}")
    if held:
        state = cell_words(("partly withheld: ", *listed(each.id for each in held)))
    elif any(each.standing == "stated" and each.source is Source.CONTRACT for each in cells):
        state = cell(_published(facts, cells) if facts.entries else "not drafted")
    else:
        state = cell("not published: the contract states none")
    return cell_words(what), citations(on or _own(facts)), state


def _published(facts: W2Facts, cells: tuple[Cell, ...]) -> str:
    """That the contract is published, and whether the code is known to agree."""
    first = cells[0]
    open_points = sum(each.operation == first.operation and each.concern is first.concern for each in facts.points)
    if not open_points and any(each.source is Source.IMPLEMENTATION and each.standing == "unread" for each in cells):
        return "published from the contract; whether the code agrees is not known"
    if not open_points:
        return "published from the contract"
    return (
        f"published from the contract; whether the code agrees is not decided in {counted(open_points, 'comparison')}"
    )


def _is_about(each: Discrepancy, cell: Cell) -> bool:
    """True when a discrepancy is filed under a concern, or holds one of its claims back."""
    about = f"{cell.operation} {cell.concern}"
    held = (key == about or key.startswith(f"{about} ") for key in each.withholds)
    own = each.concern is cell.concern and holds_of(each, cell.operation)
    return own or cell.operation in each.withholds or any(held)


def _own(facts: W2Facts) -> tuple[Citation, ...]:
    return (Citation(facts.item.id),) if facts.item else ()


def matrix_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """The operation evidence matrix: concern by source."""
    return tuple(_matrix_row(cells, facts) for cells in _groups(facts)) or empty(
        6, "step 2 was not reached", _own(facts)
    )


def _matrix_row(cells: tuple[Cell, ...], facts: W2Facts) -> TableRow:
    by_source = {each.source: each for each in cells}
    on = tuple(dict.fromkeys(citation for each in cells for citation in each.citations))
    shown = (by_source.get(source) for source in Source)
    return (
        cell_code(cells[0].operation),
        cell(str(cells[0].concern)),
        *(cell_words(_cell(each, facts)) if each else cell("unmapped") for each in shown),
        citations(on or _own(facts)),
    )


def _cell(each: Cell, facts: W2Facts) -> Text:
    """The standing with its reason. What a cell says is in the reference, or withheld from it."""
    return (str(each.standing), ": ", UserText(each.reason)) if each.reason else (str(each.standing),)


def missing_from_contract(facts: W2Facts) -> tuple[Gap, ...]:
    """The gaps without those that are no lack: what neither contract nor implementation defines."""
    return tuple(gap for gap in facts.gaps if not RULE[gap.kind].absence)


def gap_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """What the evidence lacks, and what the reference therefore omits."""
    rows = (
        (
            cell_words((UserText(gap.id), ": ", UserText(gap.kind))),
            cell_code(gap.operation or "*"),
            cell(str(gap.concern)),
            cell_words(gap.says),
            citations(gap.citations),
        )
        for gap in missing_from_contract(facts)
    )
    return tuple(rows) or empty(5, "no gap was found" if facts.matrix else "step 2 was not reached")
