"""Step 5: construct synthetic examples, each labelled proposed or observed and valid by two validators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Subject, marked, plain
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import ClientExamples
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.gates import GateState
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.examples.client_examples import ClientExampleJudge, JudgedExample
from evreview.workflows.w2.examples.examples import Examples
from evreview.workflows.w2.examples.observed import exchanges_of, observed_example
from evreview.workflows.w2.facts import Example, Omitted, Operation, Part, W2Facts, Why, contract_citation, traffic_gate

CANNOT: Final = frozenset({Why.UNSATISFIABLE, Why.NOT_FOUND, Why.DISAGREED, Why.GUARDED})
"""Reasons that say that synthetic data cannot represent the contract; with the others an example is left out."""


def make_examples(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """An example per request and documented response, or why there is none; stops when the contract can't be shown."""
    if facts.contract is None or facts.scope is None:
        raise ValueError("step 5 needs the scope of step 1")
    makes = Examples(facts.contract, base_url=facts.scope.record.base_url or "", guard=facts.guard)
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


def client_examples_frame(found: Iterable[JudgedExample]) -> pd.DataFrame:
    """One row per example that a client supplied. Columns: client, example, operation, held, why, evidence."""
    rows = [
        (each.client, each.example, each.operation, str(each.held), plain(each.why), str(each.citation))
        for each in found
    ]
    return pd.DataFrame(rows, columns=["client", "example", "operation", "held", "why", "evidence"])


def _refused(facts: W2Facts) -> Iterator[Statement]:
    for each in facts.omitted:
        if each.why in CANNOT:
            what = Subject(" ".join(part for part in (each.about.operation, each.about.status) if part))
            why = marked(each.reason)
            on = contract_citation(facts)
            yield limited(f"Synthetic data cannot represent the {each.about.part} of ", what, ": ", *why, ".", on=on)


def examples_frame(
    found: Iterable[Example | Omitted], names: Mapping[str, str], held: frozenset[str] = frozenset()
) -> pd.DataFrame:
    """Every example and every one left out. Columns: operation, part, status, media_type, example, label, omitted.

    Args:
        found: what was made or could not be.
        names: the operations of the scope by the contract's key.
        held: ids of examples that are left out because they would show what a discrepancy withholds.
    """
    columns = ["operation", "part", "status", "media_type", "example", "label", "omitted"]
    rows = [
        (
            names.get(each.about.operation, each.about.operation),
            str(each.about.part),
            each.about.status,
            each.about.media_type,
            str(each.id) if isinstance(each, Example) else "",
            str(each.label) if isinstance(each, Example) and each.id not in held else "",
            _why_omitted(each, held),
        )
        for each in found
    ]
    return pd.DataFrame(rows, columns=columns)


def names_of(facts: W2Facts) -> Mapping[str, str]:
    """The operations in scope as the contract writes them, by the contract's key."""
    return {each.element.key: each.id for each in facts.operations}


def _why_omitted(each: Example | Omitted, held: frozenset[str]) -> str:
    if isinstance(each, Omitted):
        return f"{each.why}: {each.reason}"
    return "withheld: it would show what a discrepancy withholds" if each.id in held else ""


def is_request(example: Example | Omitted) -> bool:
    """True for the example of a request."""
    return example.about.part is Part.REQUEST
