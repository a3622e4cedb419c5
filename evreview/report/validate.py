"""What the artifact says about itself: one decision that agrees with its steps and gates, ids that a row gave out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.artifacts.validate_headings import sections, violation
from evreview.artifacts.validate_tables import is_empty_row, required_tables
from evreview.core.errors import Problem
from evreview.core.vocabulary import StepState
from evreview.report.markdown import LABELS, Cell, Document, Table
from evreview.report.output_contract import DecisionForm, DecisionRule, OutputContract
from evreview.report.validate_agreement import matching

_LABEL: Final = re.compile(rf"(?:{'|'.join(LABELS)}):\s*")
_CITED: Final = re.compile(r"\s*[\[(]E\d[^\])]*[\])]\s*\Z")


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of the decision: its words, its section, its line."""

    words: str
    under: str
    line: int


@dataclass(frozen=True, slots=True)
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
        yield from _agrees(words, line, document, rule)


def _said(document: Document, contract: OutputContract, rule: DecisionRule) -> Iterator[Said]:
    under = sections(document, contract)
    texts = [(prose.text, prose.line) for prose in document.prose]
    for table in document.tables:
        for index, row in enumerate(table.rows):
            texts += [(part, table.row_line(index)) for cell in row for part in cell.fragments]
    for text, line in sorted(texts, key=lambda found: found[1]):
        bare = _LABEL.sub("", text.strip(), count=1) if _LABEL.match(text.strip()) else ""
        if under[line] in rule.under and bare.startswith(rule.says):
            yield Said(_CITED.sub("", bare.removeprefix(rule.says)).rstrip(" ."), under[line], line)


def _agrees(words: str, line: int, document: Document, rule: DecisionRule) -> Iterator[Problem]:
    form, match = next(
        ((form, match) for form in rule.forms if (match := re.fullmatch(form.says, words))), (None, None)
    )
    if form is None or match is None:
        yield violation("decision-unworded", f"{words[:60]!r} is no wording of a decision", line)
        return
    steps = tuple(_steps(document, rule))
    yield from _with_steps(form, match.groupdict(), steps, rule.last, line)
    if form.gates:
        yield from _with_gates(document, rule, line)
    if form.none is not None and matching(document, form.none):
        yield violation("decision-row-differs", f"a row under {form.none.column!r} says otherwise", line)
    if form.some is not None and steps and not matching(document, form.some):
        yield violation("decision-row-differs", f"no row under {form.some.column!r} says so", line)


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
    if not patterns:
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
