"""What evreview says about a cell, held against the oracle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.edit_space.cells import Cell
from tests.edit_space.compositions import Composition
from tests.edit_space.messages.edit import Edit
from tests.edit_space.oracle import Answer, Opinion, judge, spellings
from tests.edit_space.translation import Access
from tests.pipeline import compared


class Outcome(StrEnum):
    """How a verdict and the oracle's answer fit."""

    AGREE = "agree"
    OPEN = "unknown"
    UNDECIDED = "oracle undecided"
    WRONG = "wrong"


@dataclass(frozen=True)
class Result:
    """One cell, judged twice."""

    keyword: str
    place: str
    name: str
    outcome: Outcome
    verdict: Verdict
    opinion: Opinion
    rules: tuple[str, ...]
    why: str = ""

    @property
    def line(self) -> str:
        """The result for a report."""
        oracle = f"{self.opinion.answer.value} {self.opinion.choice or self.opinion.value!r}"
        rules = f"{self.verdict.value} ({', '.join(self.rules)})"
        return f"{self.name}: {rules}; the oracle: {oracle}" + (f"; {self.why}" if self.why else "")


def said(comparison: Comparison) -> Verdict:
    """The verdict of all rows together."""
    verdicts = {row.judgement.verdict for row in comparison.rows}
    worst = (Verdict.BREAKING, Verdict.UNKNOWN)
    return next((verdict for verdict in worst if verdict in verdicts), Verdict.COMPATIBLE)


def fits(verdict: Verdict, answer: Answer) -> Outcome:
    """How one verdict fits one answer."""
    if answer is Answer.DEPENDS:
        return Outcome.UNDECIDED
    if verdict is Verdict.UNKNOWN:
        return Outcome.OPEN
    return Outcome.AGREE if (verdict is Verdict.BREAKING) is (answer is Answer.BREAKS) else Outcome.WRONG


def result(cell: Cell | Composition) -> Result:
    """One cell through evreview and through the oracle."""
    comparison = compare(*cell.contracts())
    sent, expected = cell.sides()
    opinion = judge(sent, expected, cell.samples(), text=cell.text)
    judged = _held((cell.about, cell.where, cell.name), comparison, opinion)
    refuted = [value for value in witnesses(comparison) if not _holds(cell, value)]
    if not refuted:
        return judged
    return replace(judged, outcome=Outcome.WRONG, why=f"the witness {refuted[0]!r} is refuted")


def edit_result(edit: Edit) -> Result:
    """One edit of something that is no value."""
    return _held((edit.table, "", f"{edit.table} {edit.name}"), compared(edit.released, edit.candidate), edit.opinion)


def _held(names: tuple[str, str, str], comparison: Comparison, opinion: Opinion) -> Result:
    verdict = said(comparison)
    rules = tuple(sorted({str(row.judgement.rule) for row in comparison.rows}))
    return Result(*names, fits(verdict, opinion.answer), verdict, opinion, rules)


def witnesses(comparison: Comparison) -> Iterable[Any]:
    """The values that evreview shows for its rows."""
    for row in comparison.rows:
        shown = row.proof.witness
        if row.proof.status is ProofStatus.WITNESSED and isinstance(shown, dict) and "value" in shown:
            yield shown["value"]


def _holds(cell: Cell | Composition, value: Any) -> bool:
    """True when, in some reading, the side that sends admits the value and the other one refuses it."""
    sent, expected = cell.sides()
    if any(sent.admits(value, access) and not expected.admits(value, access) for access in Access):
        return True
    texts = spellings(value) if cell.text else ()
    return any(sent.admits_spelled(each) and not expected.admits_spelled(each) for each in texts)
