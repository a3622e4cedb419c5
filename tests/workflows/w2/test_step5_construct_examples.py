"""Step 5 of W2: construct synthetic examples."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step5_construct_examples
from tests.workflows.steps import before


def test_every_example_is_labelled_and_accepted_by_two_validators() -> None:
    outcome = step5_construct_examples.run(*before("w2", 5))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.examples and {str(each.label) for each in outcome.facts.examples} == {"proposed"}
    assert all(len(each.accepted_by) == 2 for each in outcome.facts.examples)


def test_operations_out_of_scope_have_none() -> None:
    bundle, facts = before("w2", 5)
    first = facts.operations[:1]
    outcome = step5_construct_examples.run(bundle, replace(facts, operations=first))
    assert {each.about.operation for each in outcome.facts.examples} == {first[0].element.key}
