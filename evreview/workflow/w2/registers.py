"""The registers of a W2 review as frames: what analysts group and filter, and what is written as JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from evreview.reference.covered import UnmappedTest
from evreview.reference.gaps import gaps_frame
from evreview.reference.model import ProposedTest
from evreview.workflow.w2.withholding import holds_example
from evreview.workflows.engine.registers import boundary_frame, gates_frame, steps_frame
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.evidence_matrix import matrix_frame
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step1_scope import operations_frame
from evreview.workflows.w2.step3_reconcile.discrepancy_register import discrepancies_frame, undecided_frame
from evreview.workflows.w2.step5_examples.construct import client_examples_frame, examples_frame, names_of
from evreview.workflows.w2.step6_verification import report_frame
from evreview.workflows.w2.step7_safety import reviews_frame
from evreview.workflows.w2.step9_delivery import criteria_frame


def registers(steps: Sequence[StepResult], facts: W2Facts) -> Mapping[str, pd.DataFrame]:
    """Every register that the steps reached, by name."""
    found: dict[str, pd.DataFrame] = {"steps": steps_frame(steps)}
    if facts.boundary:
        found["scope"] = boundary_frame(facts.boundary)
    if facts.operations:
        found["operations"] = operations_frame(facts.operations)
    if facts.matrix:
        found["evidence-matrix"] = matrix_frame(facts.matrix)
        found["gaps"] = gaps_frame(facts.gaps)
    if facts.coverage and facts.coverage.unmapped:
        found["unmapped-tests"] = unmapped_frame(facts.coverage.unmapped)
    if facts.reconciled or facts.discrepancies:
        found["discrepancies"] = discrepancies_frame(facts.discrepancies)
        found["undecided"] = undecided_frame(facts.points)
    if facts.examples or facts.omitted:
        held = frozenset(each.id for each in facts.examples if holds_example(facts, each))
        found["examples"] = examples_frame((*facts.examples, *facts.omitted), names_of(facts), held)
    if facts.client_examples:
        found["client-examples"] = client_examples_frame(facts.client_examples)
    if facts.report:
        found["execution"] = report_frame(facts.report)
        found["proposed-tests"] = tests_frame(facts.proposed_tests)
    if facts.reviews:
        found["reviews"] = reviews_frame(facts.reviews)
    if facts.gates:
        found["gates"] = gates_frame(facts.gates)
    if facts.criteria:
        found["criteria"] = criteria_frame(facts.criteria)
    return found


def unmapped_frame(tests: Iterable[UnmappedTest]) -> pd.DataFrame:
    """What tests say of no operation in scope. Columns: test, reason, evidence."""
    rows = [(each.case, each.reason, str(each.citation)) for each in tests]
    return pd.DataFrame(rows, columns=["test", "reason", "evidence"])


def tests_frame(tests: Iterable[ProposedTest]) -> pd.DataFrame:
    """Contract tests that the evidence lacks. Key: `test`. Columns: test, operation, name, asserts, why, evidence."""
    rows = [
        (each.id, each.operation, each.name, "\n".join(each.asserts), each.why, ", ".join(map(str, each.citations)))
        for each in tests
    ]
    return pd.DataFrame(rows, columns=["test", "operation", "name", "asserts", "why", "evidence"])
