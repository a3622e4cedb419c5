"""An artifact against its output contract: every check in order, and those of the decision and of retained runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from evreview.core.errors import BadInput, Problem
from evreview.core.frozen import frozen
from evreview.core.vocabulary import EvidenceId, StatementKind, StepState
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.read import read_results
from evreview.redaction.redactor import Redactor
from evreview.report.escape import slug
from evreview.report.markdown import LABELS, Cell, Document, Prose, Table, parse_document
from evreview.report.output_contract import (
    DecisionForm,
    DecisionRule,
    OutputContract,
    RunColumns,
    check_headings,
    check_preamble,
    check_tables,
    check_title,
    is_empty_row,
    required_tables,
    sections,
    violation,
)
from evreview.report.reference.validate_entries import check_entries
from evreview.report.template_environment import output_contracts
from evreview.report.validate_agreement import check_agreement, check_rows, matching
from evreview.report.validate_claims import (
    check_against,
    check_citations,
    check_evidence_cells,
    check_first_action,
    check_forbidden,
    check_links,
    check_requirements,
    check_statements,
    check_told,
    check_verdict,
)
from evreview.report.validate_glance import check_breakdowns, check_indexes
from evreview.report.validate_records import Row, check_records, is_short_of, rows_of, same

_REPR = re.compile(r"<[\w.]+ object at 0x|\bat 0x[0-9a-fA-F]{6,}|\bT_[0-9a-f]{5}\b")
_NUMBER = re.compile(r"\d+")


def contract_of(text: str) -> OutputContract | None:
    """The output contract that the text names, or whose headings it has most of; None when it has none of any."""
    contracts = output_contracts()
    named = next((contract for contract in contracts if contract.identity_line in text.split("\n")), None)
    if named is not None:
        return named
    lines = {line.lstrip("#").strip() for line in text.split("\n") if line.startswith("#")}
    best = max(contracts, key=lambda contract: len(contract.names & lines) / len(contract.names))
    return best if best.names & lines else None


def validate_artifact(
    text: str, *, bundle: Bundle | None = None, contract: OutputContract | None = None, redactor: Redactor | None = None
) -> tuple[Problem, ...]:
    """Every violation with its line, in line order; empty for an artifact that keeps its contract.

    Args:
        text: the Markdown.
        bundle: with it, every citation must resolve, its item must permit the claim, and rows print what it holds.
        contract: the output contract; found from the text when it is not given.
        redactor: what has been learnt to redact; the detectors alone when it is not given.
    """
    found = contract or contract_of(text)
    if found is None:
        return (violation("contract-undetected", "no heading of a known artifact was found", 1),)
    document = parse_document(text.replace("\r\n", "\n").replace("\r", "\n"))
    problems = [problem for check in CHECKS for problem in check(document, found)]
    problems += _text(text, document, redactor or Redactor())
    if bundle is not None:
        problems += check_against(document, found, bundle)
        problems += check_records(document, found, bundle)
        problems += check_runs(document, found, bundle)
    return tuple(sorted(dict.fromkeys(problems), key=_place))


def _text(text: str, document: Document, redactor: Redactor) -> Iterator[Problem]:
    if "\r" in text:
        line = text[: text.index("\r")].count("\n") + 1
        yield violation("carriage-return", "a line ends with a carriage return", line)
    for kind, content, line in document.intrusions:
        yield violation(f"{kind}-not-allowed", f"raw {kind}: {content!r}", line)
    anchors = {name for heading in document.headings for name in (heading.text, slug(heading.text))}
    for target, line, _ in document.links:
        if unquote(target) not in anchors:
            yield violation("link-dangling", f"no heading reads {target[:60]!r}", line)
    for number, line_text in enumerate(document.lines, 1):
        if _REPR.search(line_text):
            yield violation("object-repr", "the repr of an object stands in the text", number)
    for leak in redactor.leaks(text):
        for number in leak.lines or (1,):
            yield violation("leak", f"{leak.kind} ({leak.detector}) is not redacted", number)


def _place(problem: Problem) -> tuple[int, str, str]:
    number = _NUMBER.search(problem.place)
    return int(number[0]) if number else 0, problem.code, problem.found


# What the artifact says of its own decision agrees with its steps and gates; ids that it refers to are given out.


_LABEL: Final = re.compile(rf"(?:{'|'.join(LABELS)}):\s*")
_CITED: Final = re.compile(r"\s*[\[(]E\d[^\])]*[\])]\s*\Z")


@frozen
class DecisionStatement:
    """One statement of the decision: its words, its section, its line."""

    words: str
    under: str
    line: int


@frozen
class Ran:
    """One row of the Steps register."""

    number: str
    state: str
    code: str


def check_decision(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """The decision is the same wherever it stands, is worded in a known form, and agrees with steps and gates."""
    rule = contract.decision
    if rule is None:
        return
    said = tuple(_said(document, contract, rule))
    under = sections(document, contract)
    for name in rule.under:
        if not any(found.under == name for found in said):
            start = next((line for line, here in under.items() if here == name), len(document.lines))
            yield violation("decision-missing", f"{name!r} does not state the decision", start)
    for other in said[1:]:
        if other.words != said[0].words:
            yield violation("decision-differs", f"the decision of line {said[0].line} reads otherwise", other.line)
    for words in dict.fromkeys(found.words for found in said):
        line = next(found.line for found in said if found.words == words)
        yield from _agrees(words, line, document, contract, rule)


def _said(document: Document, contract: OutputContract, rule: DecisionRule) -> Iterator[DecisionStatement]:
    under = sections(document, contract)
    texts = [(prose.text, prose.line) for prose in document.prose]
    for table in document.tables:
        for index, row in enumerate(table.rows):
            texts += [(part, table.row_line(index)) for cell in row for part in cell.fragments]
    for text, line in sorted(texts, key=lambda found: found[1]):
        bare = _LABEL.sub("", text.strip(), count=1) if _LABEL.match(text.strip()) else ""
        if under[line] in rule.under and bare.startswith(rule.says):
            yield DecisionStatement(_CITED.sub("", bare.removeprefix(rule.says)).rstrip(" ."), under[line], line)


def _agrees(
    words: str, line: int, document: Document, contract: OutputContract, rule: DecisionRule
) -> Iterator[Problem]:
    form, match = next(
        ((form, match) for form in rule.forms if (match := re.fullmatch(form.says, words))), (None, None)
    )
    if form is None or match is None:
        yield violation("decision-unworded", f"{words[:60]!r} is no wording of a decision", line)
        return
    if form.ends is not StepState.ADVANCE and not form.final:
        yield from _with_reason(document, contract, rule, line)
    steps = tuple(_steps(document, rule))
    yield from _with_steps(form, match.groupdict(), steps, rule.last, line)
    if form.gates:
        yield from _with_gates(document, rule, line)
    if form.none is not None and matching(document, form.none):
        yield violation("decision-row-differs", f"a row under {form.none.column!r} says otherwise", line)
    if form.some is not None and steps and not matching(document, form.some):
        yield violation("decision-row-differs", f"no row under {form.some.column!r} says so", line)


def _with_reason(document: Document, contract: OutputContract, rule: DecisionRule, line: int) -> Iterator[Problem]:
    """The first screen of a run that a step ended says why, in the words of the record, and who must act."""
    under = sections(document, contract)
    first, record = ([part for part in document.prose if under[part.line] == name] for name in rule.under[:2])
    reasons = [part for part in first if re.match(rule.reason, _LABEL.sub("", part.text, count=1))]
    if not reasons:
        yield violation("reason-missing", f"{rule.under[0]!r} does not say why the run ended", line)
    known = {_bare(part, rule.reason) for part in record}
    for part in reasons:
        if _bare(part, rule.reason) not in known:
            yield violation("said-differently", f"no reason under {rule.under[1]!r} reads so", part.line)
    if not any(part.label == StatementKind.NEXT_ACTION for part in first):
        yield violation("next-action-missing", f"{rule.under[0]!r} does not say who must act", line)


def _bare(part: Prose, start: str) -> tuple[str, tuple[str, ...]]:
    """A statement without its citations, and without the start that only one place has."""
    kind, words = part.label, _LABEL.sub("", part.text.strip(), count=1)
    return kind + re.sub(rf"\A{start}", "", _CITED.sub("", words)).strip(" ."), part.spans


def _steps(document: Document, rule: DecisionRule) -> Iterator[Ran]:
    for row in _rows(document, rule.steps):
        state, _, code = row[2].full.strip().partition(" ")
        yield Ran(row[0].full.strip(), state, code.strip())


def _rows(document: Document, header: str) -> tuple[tuple[Cell, ...], ...]:
    width = header.count("|") - 1
    found: list[Table] = [table for table in document.tables if table.header == header]
    return tuple(row for table in found for row in table.rows if not is_empty_row(row) and len(row) == width)


def _with_steps(
    form: DecisionForm, named: dict[str, str | None], steps: tuple[Ran, ...], last: int, line: int
) -> Iterator[Problem]:
    if not steps and form.ends is not StepState.ADVANCE:
        return
    numbers = [step.number for step in steps]
    expected = [str(number) for number in range(1, len(steps) + 1)]
    held = [step.number for step in steps if step.state != StepState.ADVANCE]
    ends = steps[-1].state if steps else ""
    if form.ends is StepState.ADVANCE and held:
        yield violation("decision-step-open", f"step {held[0]} did not advance", line)
    elif ends != form.ends or numbers != expected or held[:-1]:
        yield violation("decision-step-differs", "the steps shown do not end as the decision says", line)
    elif (form.final and len(steps) != last) or named.get("step") not in (None, steps[-1].number):
        yield violation("decision-step-differs", "the decision names another step than the last one shown", line)
    code = named.get("code")
    if code is not None and not any(step.code == code for step in steps):
        yield violation("decision-code-unknown", f"no step shows {code}", line)


def _with_gates(document: Document, rule: DecisionRule, line: int) -> Iterator[Problem]:
    rows = _rows(document, rule.gates)
    if not rows:
        yield violation("decision-gate-open", "no gate is shown", line)
    for row in rows:
        if row[1].full.strip() not in rule.answered:
            yield violation("decision-gate-open", f"the gate {row[0].full!r} is {row[1].full}", line)


def check_references(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Ids in the columns that refer are ids that a register gives out."""
    pairs = tuple(required_tables(document, contract))
    patterns = [required.gives.reads for required in contract.tables if required.gives]
    folds = {rows.folded for count in contract.counts for rows in count.of.values() if rows.folded}
    if not patterns or any(table.header in folds for table in document.tables):
        # Of rows that stand folded, the registers beside the artifact hold the ids.
        return
    reads = re.compile(rf"(?<![\w-])(?:{'|'.join(patterns)})(?![\w-])")
    given: set[str] = set()
    for required, table in pairs:
        if required.gives:
            at = table.columns.index(required.gives.column)
            for row in table.rows:
                given |= set(re.findall(rf"\A\W*({required.gives.reads})", row[at].full) if len(row) > at else ())
    for required, table in pairs:
        for index, row in enumerate(table.rows):
            for column, cell in zip(table.columns, row, strict=False):
                if column in required.refers:
                    for dangling in sorted(_ids(cell, reads) - given):
                        yield violation("reference-dangling", f"no row is {dangling}", table.row_line(index))
    filled = {each[0] for each in given}
    for part in document.prose:
        spans = re.findall(rf"`({reads.pattern})`", document.lines[part.line - 1])
        for dangling in sorted({each for each in spans if each[0] in filled} - given):
            yield violation("reference-dangling", f"no row is {dangling}", part.line)


def _ids(cell: Cell, reads: re.Pattern[str]) -> set[str]:
    """Ids in our own words, and code spans that are an id; other code holds words of the subject."""
    return set(reads.findall(cell.text)) | {span for span in cell.spans if reads.fullmatch(span)}


# Rows of an execution report against the retained runs that they cite: case, result, environment, revision.


EXECUTED = "executed"
_RUN = re.compile(r"run \d+")
Runs = Mapping[EvidenceId, Cited[TestRun]]


def check_runs(document: Document, contract: OutputContract, bundle: Bundle) -> Iterator[Problem]:
    """What an executed row prints is what the cited run holds; a row without such a run is not executed."""
    runs = {cited.record.output: cited for cited in records_of(bundle, TestRun)}
    for required, table in required_tables(document, contract):
        columns = required.run
        for row in rows_of(table) if columns else ():
            assert columns is not None
            of_record = required.record and not any(citation.id in runs for citation in row.citations)
            if not of_record and (not columns.status or row.cells[columns.status].full.strip() == EXECUTED):
                yield from _executed(columns, row, runs, bundle, document)


def _executed(columns: RunColumns, row: Row, runs: Runs, bundle: Bundle, document: Document) -> Iterator[Problem]:
    cited = next((citation for citation in row.citations if citation.id in runs), None)
    if cited is None:
        yield violation("executed-record-missing", "no citation of the row leads to a retained run", row.line)
        return
    run = runs[cited.id].record
    told = (
        (columns.environment, run.environment),
        (columns.command or columns.environment, run.command),
        (columns.revision or columns.environment, run.revision),
    )
    if not all(value and _holds(row.cells[column].full, value, document) for column, value in told):
        yield violation("executed-record-differs", "the cited run does not hold the environment printed", row.line)
    item = bundle.items[cited.id]
    results = _cases(item.content, run.format)
    if cited.locator not in results:
        yield violation("executed-record-missing", "no case of the cited output stands there", row.line)
    elif row.cells[columns.result].full.strip().split(":")[0] != results[cited.locator]:
        yield violation("executed-result-differs", f"the cited case {results[cited.locator]}", row.line)


def _holds(cell: str, value: str, document: Document) -> bool:
    """True when a cell prints the value of a run, or names a run that one statement above the table tells whole."""
    if not _RUN.fullmatch(cell.strip()):
        return value in cell or same(cell, value) or is_short_of(cell.strip(), value)
    return any(
        part.text.strip().startswith(f"{StatementKind.OBSERVATION}: {cell.strip().capitalize()}: ")
        and any(same(span, value) or is_short_of(span, value) for span in part.spans)
        for part in document.prose
    )


@lru_cache(maxsize=4)
def _cases(content: str, named: str | None) -> Mapping[str, str]:
    """How each case of an output ended, by locator."""
    try:
        found = read_results(content.encode(), named)  # type: ignore[arg-type]
    except BadInput:
        return {}
    return {case.locator: str(case.outcome) for case in found.cases}


# The checks of every artifact, in order.


Check = Callable[[Document, OutputContract], Iterator[Problem]]
CHECKS: tuple[Check, ...] = (
    check_title,
    check_preamble,
    check_headings,
    check_tables,
    check_statements,
    check_verdict,
    check_first_action,
    check_requirements,
    check_forbidden,
    check_citations,
    check_evidence_cells,
    check_decision,
    check_references,
    check_agreement,
    check_rows,
    check_breakdowns,
    check_indexes,
    check_entries,
    check_links,
    check_told,
)
