"""Step 2 of W2: build the operation evidence matrix, concern by concern: contract, implementation and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.core.errors import Problem
from evreview.core.quoted_text import UserText, listed, marked
from evreview.core.vocabulary import EvidenceId, EvidenceType, StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, cite, limited, observed
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import Cell, Discrepancy, ReferenceEvidence, W2Facts, contract_citation
from evreview.workflows.w2.matrix.assertions import TestSource
from evreview.workflows.w2.matrix.coverage import coverage
from evreview.workflows.w2.matrix.evidence_matrix import gaps, matrix, matrix_frame, unmapped_material
from evreview.workflows.w2.matrix.routes import Matching, match_routes, read_code, unread_code
from evreview.workflows.w2.reconcile.reconcile import discrepancies_frame, reconcile_routes


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The matrix with its gaps and the tests it lacks; stops while a material concern has no attributable evidence."""
    if facts.contract is None or facts.item is None:
        raise NotReached("step 2 needs the contract of step 1")
    code, problems = read_code(bundle, facts)
    tests = tuple(TestSource(item.id, item.content) for item in bundle.of_type(EvidenceType.TEST_INVENTORY))
    evidence = ReferenceEvidence(contract=facts.contract, item=facts.item.id, code=code, runs=facts.runs, tests=tests)
    entries = Entries(facts.contract, facts.item.id)
    matching = match_routes(facts.contract, facts.operations, code)
    digests = {item.id: item.sha256 for item in bundle.items.values()}
    covered = coverage(evidence, facts.operations, entries, digests)
    cells = matrix(evidence, facts.operations, entries, matching, covered)
    known = replace(
        facts,
        evidence=evidence,
        matching=matching,
        coverage=covered,
        matrix=cells,
        gaps=gaps(facts.operations, entries, matching),
    )
    unmapped = (*_unmapped(known, cells, matching), *_refused(problems))
    tables = {"Operation evidence matrix": matrix_frame(cells)}
    if matching.unanswered:
        known = replace(known, discrepancies=_unanswered(bundle, known, evidence))
        tables["Contract discrepancy register"] = discrepancies_frame(known.discrepancies)
    state = StepState.STOP if unmapped else StepState.ADVANCE
    return Outcome(state=state, facts=known, reasons=unmapped, tables=tables)


MOST_NAMED: Final = 12
"""Routes that one sentence names."""


def _unanswered(bundle: Bundle, facts: W2Facts, evidence: ReferenceEvidence) -> tuple[Discrepancy, ...]:
    """What contract and routes disagree in; step 3, which compares the rest, is not reached then."""
    owner = bundle.request.roles.api_owner or "API owner"
    said = bundle.decisions.dispositions
    found = reconcile_routes(evidence, facts.operations, said, owner_role=owner, as_of=bundle.request.as_of)
    return found.discrepancies


def _unmapped(facts: W2Facts, cells: Sequence[Cell], matching: Matching) -> Iterator[Statement]:
    on = contract_citation(facts)
    for cell in unmapped_material(cells):
        where = UserText(f"{cell.operation} {cell.concern} {cell.source}")
        yield limited("Unmapped material concern: ", where, ": ", *marked(cell.reason), ".", on=cell.citations or on)
    for operation, why in matching.unanswered.items():
        yield limited("No handler evidence for ", UserText(operation), f": {why}.", on=on)
    if matching.unanswered:
        yield from _routes(facts)
        yield from unread_code(facts)


def _routes(facts: W2Facts) -> Iterator[Statement]:
    """The routes that the supplied code has instead."""
    routes = facts.evidence.code.routes if facts.evidence else ()
    named = listed(dict.fromkeys(f"{route.method.upper()} {route.path}" for route in routes[:MOST_NAMED]))
    more = f" and {len(routes) - MOST_NAMED} more" if len(routes) > MOST_NAMED else ""
    if routes:
        on = tuple(dict.fromkeys(each for route in routes[:MOST_NAMED] for each in route.spot.citations))
        yield observed("The supplied code answers ", *named, f"{more}.", on=on)


def _refused(problems: Sequence[Problem]) -> Iterator[Statement]:
    for problem in problems:
        item = [word for word in (problem.file,) if word.startswith("E")]
        on = cite(*(EvidenceId(word) for word in item))
        yield observed(
            "A declared fact about code does not hold: ", UserText(f"{problem.place} {problem.found}"), on=on
        )
