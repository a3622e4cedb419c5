"""Step 5 of W2: construct synthetic examples, each labelled proposed or observed and valid by two validators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import UserText, marked
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import ClientExamples
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.gates import GateState
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.examples.client_examples import ClientExampleJudge, JudgedExample
from evreview.workflows.w2.examples.examples import Examples
from evreview.workflows.w2.examples.observed import exchanges_of, observed_example
from evreview.workflows.w2.facts import Example, Omitted, Operation, W2Facts, Why, contract_citation, traffic_gate
from evreview.workflows.w2.registers import examples_frame, names_of


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """An example per request and documented response, or why there is none; stops when the contract can't be shown."""
    if facts.contract is None or facts.scope is None:
        raise NotReached("step 5 needs the scope of step 1")
    makes = Examples(facts.contract, base_url=facts.scope.record.base_url or "", redactor=facts.redactor)
    found = [made for operation in facts.operations for made in _of(makes, operation)]
    found += _seen(bundle, facts, makes)
    known = replace(
        facts,
        examples=tuple(each for each in found if isinstance(each, Example)),
        omitted=tuple(each for each in found if isinstance(each, Omitted)),
        client_examples=tuple(_supplied(bundle, facts)),
    )
    refused = tuple(_refused(known))
    tables = {"Examples": examples_frame(found, names_of(facts))}
    state = StepState.STOP if refused else StepState.ADVANCE
    return Outcome(state=state, facts=known, reasons=refused, tables=tables)


CANNOT: Final = frozenset({Why.UNSATISFIABLE, Why.NOT_FOUND, Why.DISAGREED, Why.GUARDED})
"""Reasons that say that synthetic data cannot represent the contract; with the others an example is left out."""


def _of(makes: Examples, operation: Operation) -> Iterator[Example | Omitted]:
    yield makes.request(operation.element)
    yield from makes.responses(operation.element)


def _seen(bundle: Bundle, facts: W2Facts, makes: Examples) -> Iterator[Example | Omitted]:
    """The shape of the first recorded response per operation and status from traffic, once its gate is answered."""
    approved = traffic_gate(bundle).state is GateState.APPROVED
    done: set[tuple[str, int | None]] = set()
    for run in facts.runs:
        for operation, exchange in exchanges_of(facts, run) if run.record.record.from_traffic else ():
            if (operation.id, exchange.status) not in done:
                done.add((operation.id, exchange.status))
                yield observed_example(makes, operation.element, exchange, approved=approved)


def _supplied(bundle: Bundle, facts: W2Facts) -> Iterator[JudgedExample]:
    """The examples that clients supplied, each held against the contract; none of them is printed."""
    if facts.contract is None or facts.item is None:
        return
    judge = ClientExampleJudge(facts.contract, Places(facts.contract, facts.item.id), facts.operations)
    for supplied in records_of(bundle, ClientExamples):
        yield from judge.judged(supplied)


def _refused(facts: W2Facts) -> Iterator[Statement]:
    for each in facts.omitted:
        if each.why in CANNOT:
            what = UserText(" ".join(part for part in (each.about.operation, each.about.status) if part))
            why = marked(each.reason)
            on = contract_citation(facts)
            yield limited(f"Synthetic data cannot represent the {each.about.part} of ", what, ": ", *why, ".", on=on)
