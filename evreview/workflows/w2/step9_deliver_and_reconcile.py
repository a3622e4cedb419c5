"""Step 9 of W2: deliver and reconcile: every completion criterion maps to a section, or nothing is handed off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import UserText, marked
from evreview.core.vocabulary import Concern, StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.facts import Criterion, W2Facts, contract_citation
from evreview.workflows.w2.reconcile.publication import waits
from evreview.workflows.w2.registers import criteria_frame


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The completion criteria; the handoff stops when one is not met, and waits while a discrepancy is open
    or it is undecided who may call or what is refused."""
    criteria = tuple(
        Criterion(criterion=criterion, section=section, met=met(facts)) for criterion, section, met in CRITERIA
    )
    known = replace(facts, criteria=criteria)
    tables = {"Completion criteria": criteria_frame(criteria)}
    on = contract_citation(facts)
    unmet = tuple(limited(f"Not delivered: {each.criterion}.", on=on) for each in criteria if not each.met)
    if unmet:
        return Outcome(state=StepState.STOP, facts=known, reasons=unmet, tables=tables)
    waiting = (*waits(facts.open_discrepancies), *_undecided(facts))
    state = StepState.REMAIN if waiting else StepState.ADVANCE
    return Outcome(state=state, facts=known, reasons=waiting, tables=tables)


CRITERIA: Final[tuple[tuple[str, str, Callable[[W2Facts], bool]], ...]] = (
    ("a reference entry for every included operation", "Operation", lambda facts: _all_entries(facts)),
    ("authentication from contract evidence", "Authentication", lambda facts: bool(facts.entries)),
    ("a valid request example, or the reason for none", "Request example", lambda facts: _all_examples(facts)),
    ("success responses as documented", "Success response", lambda facts: bool(facts.entries)),
    ("error responses as documented", "Error response", lambda facts: bool(facts.entries)),
    (
        "behaviour, limits and side effects, absent ones stated",
        "Behavior, limits, and side effects",
        lambda facts: bool(facts.entries),
    ),
    ("an execution report", "Example execution report", lambda facts: bool(facts.report)),
    ("a discrepancy register", "Contract discrepancy register", lambda facts: facts.reconciled),
    ("every review check with a disposition", "Approval state", lambda facts: len(facts.reviews) == 8),
    ("every gate answered or not applicable", "Approval state", lambda facts: len(facts.gates) == 3),
    ("an evidence matrix over every operation", "Traceability", lambda facts: bool(facts.matrix)),
    ("assumptions and limitations", "Assumptions and limitations", lambda facts: True),
)
"""What a delivered reference holds: criterion, section, and whether the facts meet it."""
UNDECIDED_BLOCKS: Final = frozenset({Concern.AUTHENTICATION, Concern.ERRORS})
"""Concerns about which a reference is not published while a comparison of theirs is undecided."""


def _undecided(facts: W2Facts) -> Iterator[Statement]:
    """What keeps a publication back although nobody disagrees: nobody knows who may call, or what is refused."""
    for each in facts.points:
        if each.concern in UNDECIDED_BLOCKS:
            where = UserText(f"{each.operation} {each.concern} {each.place}".strip())
            on = each.citations or contract_citation(facts)
            yield limited("Not decided, which blocks publication: ", where, ": ", *marked(each.reason), ".", on=on)


def _all_entries(facts: W2Facts) -> bool:
    return {entry.operation.id for entry in facts.entries} == {operation.id for operation in facts.operations}


def _all_examples(facts: W2Facts) -> bool:
    shown = {each.about.operation for each in facts.examples} | {each.about.operation for each in facts.omitted}
    return all(operation.element.key in shown for operation in facts.operations)
