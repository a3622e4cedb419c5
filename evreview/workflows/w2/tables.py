"""The registers of the W2 artifact as rows of ready cells. An empty register keeps one row that says so."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evreview.core.quoted_text import Part, Text, UserText, counted, joined, listed, marked, plain
from evreview.core.vocabulary import ABSENT, Concern, Form
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import (
    SafeMarkdown,
    cell,
    cell_plain,
    cell_words,
    citations,
    fragments,
    own_id,
    shorten,
)
from evreview.report.forms_in_words import schema, shortened
from evreview.report.statement import Statement, inferred, observed, proposed
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.next_actions import NextAction, capital
from evreview.workflows.engine.registers import TableRow, common_scope, empty, near, short_revision
from evreview.workflows.w2.facts import (
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
from evreview.workflows.w2.view_blocks import CHECKED, cites, form_words, numbered_runs

_NAMED: Final = 5
"""Names that one cell lists; how many more there are it counts."""
_REPORTED: Final = {"failed": 0, "error": 0, "unexecuted": 1, "proposed": 2, "recorded": 3}
"""What nothing verifies stands before what passed."""


def report_rows(bundle: Bundle, facts: W2Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The example execution report: failed first, then what is not executed, then what passed."""
    runs, scope = numbered_runs(facts.report), _scope(facts)
    rows = sorted(facts.report, key=_urgency)
    return tuple(_reported(bundle, row, runs, scope) for row in rows) or empty(5, "step 6 was not reached", read)


def _urgency(row: Reported) -> int:
    return _REPORTED.get(row.result if row.status == "executed" else row.status, 4)


def _scope(facts: W2Facts) -> str:
    """What the names of all tests that ran begin with, which the statement about their run says."""
    ran = [row for row in facts.report if row.environment and row.result in CHECKED]
    return common_scope(str(row.check[0]) for row in ran)


def _reported(bundle: Bundle, row: Reported, runs: Mapping[Citation, int], scope: str) -> TableRow:
    ran = row.environment and row.status in ("executed", "recorded")
    where = f"run {runs[row.citations[-1]]}" if ran else "none"
    named = row.check[:1] if row.status == "proposed" else row.check
    if scope and str(named[0]).startswith(scope):
        named = (str(named[0]).removeprefix(scope), *named[1:])
    # The statement about the run cites its record.
    on = row.citations[:-1] or row.citations if ran else near(bundle, row.citations)
    return cell_words(named), cell(row.status), cell(where), cell_words(marked(row.result)), citations(on)


def run_statements(facts: W2Facts) -> Iterator[Statement]:
    """Each run once: what was run, where, on which revision, and how it ended."""
    first = {row.citations[-1]: row for row in reversed(facts.report) if row.environment}
    for record, number in numbered_runs(facts.report).items():
        row = first[record]
        status = "unknown" if row.exit_status is None else row.exit_status
        scope = _scope(facts).removesuffix("::")
        tests: Text = ("; tests of ", UserText(scope)) if scope else ()
        told: Text = (UserText(row.command or "no command recorded"), "; ", UserText(row.environment), "; revision ",
                      UserText(short_revision(row.revision or "unknown")), f"; exit status {status}")  # fmt: skip
        yield observed(f"Run {number}: ", *told, *tests, ".", on=(record,))


def proposed_statements(facts: W2Facts) -> Iterator[Statement]:
    """What each proposed contract test would assert."""
    for test in facts.proposed_tests:
        yield proposed(UserText(test.name), ": ", *marked("; ".join(test.asserts)), ".", on=test.citations)


# Discrepancies: by what a caller meets first.


def discrepancy_rows(bundle: Bundle, facts: W2Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The contract discrepancy register: what the contract promises before what only the code does."""
    return tuple(_discrepancy(bundle, each) for each in met_first(facts)) or empty(7, _none_found(facts), read)


def met_first(facts: W2Facts) -> tuple[Discrepancy, ...]:
    """The discrepancies in the order in which callers meet them; open ones first."""
    order = {concern: at for at, concern in enumerate(Concern)}
    return tuple(
        sorted(
            facts.discrepancies,
            key=lambda each: (each.disposal is not Disposal.OPEN, each.contract is ABSENT, order[each.concern]),
        )
    )


def _none_found(facts: W2Facts) -> str:
    if not facts.reconciled:
        return "step 3 was not reached"
    unread = sum(each.source is Source.IMPLEMENTATION and each.standing == "unread" for each in facts.matrix)
    if not facts.points and not unread:
        return "contract, implementation and tests agree"
    told = [f"{counted(len(facts.points), 'comparison')} not decided"] if facts.points else []
    told += [f"{counted(unread, 'concern')} with code that is not read in full"] if unread else []
    return f"no disagreement was found; {', '.join(told)}: see the limitations and the matrix"


def _discrepancy(bundle: Bundle, each: Discrepancy) -> TableRow:
    inside = " ".join(part for part in (str(each.concern), each.place) if part)
    where = f"{inside} of {each.operation}" if each.operation else inside
    state = "open: publication blocker" if each.disposal is Disposal.OPEN else f"{each.disposal}: "
    words: Text = (state,) if each.disposal is Disposal.OPEN else (state, UserText(each.disposition))
    return (
        SafeMarkdown(f"{own_id(str(each.id))}: {cell(where)}"),
        cell_words(_in_words(each, each.contract)),
        cell_words(_in_words(each, each.implementation)),
        cell(each.impact),
        cell_plain((UserText(each.owner_role),)),
        cell_words(words),
        cites(bundle, each.citations),
    )


_SCHEMA: Final = frozenset({"type", "properties", "enum", "const", "allOf", "anyOf", "oneOf", "items", "$ref"})
_VALUES: Final = frozenset({Concern.PARAMETERS, Concern.VALIDATION, Concern.REQUEST_BODY, Concern.SUCCESS,
                            Concern.ERRORS, Concern.HEADERS})  # fmt: skip
SHORT: Final = 80
"""Characters of a form in a cell; the card has it whole."""


def _in_words(each: Discrepancy, form: Form) -> Text:
    """A form in words, the exact one stands in the card."""
    if form is ABSENT:
        return ("absent",)
    if isinstance(form, Mapping) and each.concern in _VALUES and _SCHEMA & set(form):
        return shortened(schema(form), SHORT)
    if isinstance(form, Mapping):
        pairs = [(f"{name} ", UserText(form_words(value))) if name.isidentifier() else
                 (UserText(name), " ", UserText(form_words(value))) for name, value in form.items()]  # fmt: skip
        return shortened(joined(pairs, ", "), SHORT)
    return shortened((UserText(form_words(form)),), SHORT)


def exact_forms(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    """Both forms of each discrepancy exactly, those with the same forms together."""
    alike: dict[Text, list[Discrepancy]] = defaultdict(list)
    for each in met_first(facts):
        alike[_exact(each)].append(each)
    for words, found in alike.items():
        on = tuple(dict.fromkeys(citation for each in found for citation in each.citations))
        yield observed(", ".join(str(each.id) for each in found), ": ", *words, ".", on=near(bundle, on))


def _exact(each: Discrepancy) -> Text:
    seen: Text = () if each.observed is ABSENT else ("; observed ", UserText(_form(each.observed)))
    shown: Text = () if each.witness is ABSENT else ("; one alone accepts ", UserText(_form(each.witness)))
    sides = ((f"{name} ", UserText(_form(form))) if form is not ABSENT else (f"{name} absent",)
             for name, form in (("contract", each.contract), ("implementation", each.implementation)))  # fmt: skip
    return (UserText(each.kind), ", ", *joined(sides), *seen, *shown, "; forms ", UserText(each.digest))


def _form(form: Form) -> str:
    return shorten(form_text(form), LONGEST)


LONGEST: Final = 2000
"""Characters of a form in its card; the register's file holds it whole."""


def review_rows(bundle: Bundle, facts: W2Facts) -> tuple[TableRow, ...]:
    """The eight checks of step 7, each with its disposition."""
    rows = (
        (cell(each.check), cell_words(each.found), _in_clauses(each.disposition), cites(bundle, each.citations))
        for each in facts.reviews
    )
    return tuple(rows) or empty(4, "step 7 was not reached")


def _in_clauses(words: str) -> SafeMarkdown:
    """Each clause on a line of its own, so that a long one takes no width from other columns."""
    return SafeMarkdown("<br>".join(cell(part) for part in re.split(r"(?<=;) ", words)))


def criteria_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """The completion criteria and the sections that meet them."""
    rows = ((cell(each.criterion), cell(each.section), cell("yes" if each.met else "no")) for each in facts.criteria)
    return tuple(rows) or ((cell("None recorded: step 9 was not reached"), cell("n/a"), cell("n/a")),)


def follow_up_rows(actions: Iterable[NextAction]) -> tuple[TableRow, ...]:
    """What is left to do, by whom, on what it depends, and what closes it."""
    return tuple(map(_follow_up, actions)) or ((cell("None recorded: nothing is left to do"), *(cell("n/a"),) * 4),)


def _follow_up(one: NextAction) -> TableRow:
    action, owner, needs, closes = capital(one.what), one.who, one.needs or ("n/a",), one.closes or ("n/a",)
    clauses = _in_clauses(plain(action)) if len(action) == 1 else cell_words(action)
    return (clauses, cell_plain(owner), cell_words(needs), cell_words(closes), cell(one.status))


def trace_rows(bundle: Bundle, facts: W2Facts, decision: Decision) -> tuple[TableRow, ...]:
    """Every group of claims with its evidence and what is made of it, the decision last."""
    alike: dict[tuple[str, SafeMarkdown, SafeMarkdown], list[str]] = defaultdict(list)
    for cells in _groups(facts):
        evidence, state = _traced(bundle, facts, cells)
        alike[cells[0].operation, evidence, state].append(str(cells[0].concern))
    rows = [(cell(f"{name}: {', '.join(concerns)}"), *told) for (name, *told), concerns in alike.items()]
    read = read_items(bundle, facts)
    said = inferred(f"Decision: {decision.headline}")
    return (*rows, (fragments((said,)), citations(read), cell(str(decision.state))))


def _groups(facts: W2Facts) -> Iterator[tuple[Cell, ...]]:
    grouped: dict[tuple[str, str], list[Cell]] = {}
    for each in facts.matrix:
        grouped.setdefault((each.operation, str(each.concern)), []).append(each)
    return (tuple(cells) for cells in grouped.values())


def _traced(bundle: Bundle, facts: W2Facts, cells: tuple[Cell, ...]) -> tuple[SafeMarkdown, SafeMarkdown]:
    """The evidence of one group, and what is made of it."""
    first = cells[0]
    held = [
        each
        for each in facts.discrepancies
        if is_held(each) and each.operation == first.operation and _is_about(each, first)
    ]
    on = tuple(dict.fromkeys(citation for each in cells for citation in each.citations))
    if held:
        state: Text = (f"partly withheld: {', '.join(str(each.id) for each in held)}",)
    elif any(each.standing == "stated" and each.source is Source.CONTRACT for each in cells):
        state = (_published(facts, cells) if facts.entries else "not drafted",)
    else:
        state = ("not published: the contract states none",)
    return cites(bundle, on or _own(facts)), cell_words((*state, _stated(cells)))


def _published(facts: W2Facts, cells: tuple[Cell, ...]) -> str:
    """That the contract is published, and whether the code is known to agree."""
    first = cells[0]
    points = sum(each.operation == first.operation and each.concern is first.concern for each in facts.points)
    return f"published; the code's agreement not decided in {counted(points, 'comparison')}" if points else "published"


_SAID: Final = {Source.CONTRACT: "contract", Source.IMPLEMENTATION: "code", Source.TEST: "test"}


def _stated(cells: tuple[Cell, ...]) -> str:
    """How each source stands to a concern: `; contract stated, code stated, test unmapped`."""
    by_source = {each.source: str(each.standing) for each in cells}
    stands = (f"{word} {by_source.get(source, 'unmapped')}" for source, word in _SAID.items())
    return f"; {', '.join(stands)}"


def _is_about(each: Discrepancy, cell: Cell) -> bool:
    """True when a discrepancy is filed under a concern, or holds one of its claims back."""
    about = f"{cell.operation} {cell.concern}"
    held = (key == about or key.startswith(f"{about} ") for key in each.withholds)
    own = each.concern is cell.concern and holds_of(each, cell.operation)
    return own or cell.operation in each.withholds or any(held)


def _own(facts: W2Facts) -> tuple[Citation, ...]:
    return (Citation(facts.item.id),) if facts.item else ()


def matrix_reasons(facts: W2Facts) -> Iterator[Statement]:
    """Why something is not applicable, not read or not mapped: each reason once, with what it holds for."""
    found: dict[tuple[str, str], dict[tuple[str, str], list[Citation]]] = defaultdict(dict)
    for each in facts.matrix:
        if each.reason:
            at = found[str(each.standing), each.reason]
            at.setdefault((each.operation, str(each.concern)), []).extend(each.citations)
    alike: dict[tuple[str, tuple[str, ...], tuple[Citation, ...]], list[Text]] = defaultdict(list)
    for (standing, reason), places in found.items():
        concerns: dict[str, list[str]] = defaultdict(list)
        for operation, concern in places:
            concerns[concern].append(operation)
        on = tuple(dict.fromkeys(citation for cited in places.values() for citation in cited))
        shared = tuple(next(iter(concerns.values()))) if len(concerns) == 1 else ()
        told: Text = tuple(concerns) if shared else joined(_of(facts, concerns))
        alike[standing, shared, on].append((*told, ": ", UserText(reason)))
    for (standing, operations, on), reasons in alike.items():
        where: Text = (" in ", *_in_all(facts, operations)) if operations else ()
        yield observed(standing, *where, ", ", *joined(reasons), on=on or _own(facts))


def _of(facts: W2Facts, concerns: Mapping[str, Sequence[str]]) -> Iterator[Text]:
    return ((f"{concern} of ", *_in_all(facts, operations)) for concern, operations in concerns.items())


def _in_all(facts: W2Facts, operations: Sequence[str]) -> Text:
    every = len(facts.operations)
    return (f"all {every} operations",) if 1 < len(operations) == every else listed(operations)


def missing_from_contract(facts: W2Facts) -> tuple[Gap, ...]:
    """The gaps without those that are no lack: what neither contract nor implementation defines."""
    return tuple(gap for gap in facts.gaps if not RULE[gap.kind].absence)


def subject(gap: Gap) -> Text:
    """What a gap is about, without what the contract lacks of it."""
    found: list[Part] = []
    for part in gap.says:
        if isinstance(part, str) and ": " in part:
            return (*found, part.partition(": ")[0])
        found.append(part)
    return tuple(found)


def gap_rows(bundle: Bundle, facts: W2Facts) -> tuple[TableRow, ...]:
    """What the evidence lacks, and what the reference therefore omits; what is lacking alike is one row."""
    alike: dict[tuple[str, str, Text], list[Gap]] = defaultdict(list)
    for gap in missing_from_contract(facts):
        omitted = subject(gap) if gap.kind.startswith("undefined-") else gap.says
        alike[gap.kind, str(gap.concern), omitted].append(gap)
    rows = (
        (
            SafeMarkdown(f"{'<br>'.join(cell(gap.id) for gap in gaps)}: {cell(kind)}"),
            _where(facts, gaps),
            cell(concern),
            cell_words(omitted),
            cites(bundle, (each for gap in gaps for each in gap.citations)),
        )
        for (kind, concern, omitted), found in alike.items()
        for gaps in (found[at : at + _TOGETHER] for at in range(0, len(found), _TOGETHER))
    )
    return tuple(rows) or empty(5, "no gap was found" if facts.matrix else "step 2 was not reached")


def _where(facts: W2Facts, gaps: Sequence[Gap]) -> SafeMarkdown:
    names = [*dict.fromkeys(gap.operation for gap in gaps)]
    every = len(facts.operations)
    if 1 < len(names) == every and all(names):
        return cell(f"all {every} operations")
    return SafeMarkdown("<br>".join(cell(name or "every one") for name in names))


_TOGETHER: Final = 4
"""Gaps that one row names: its Evidence cell cites as many places."""
