"""Every witness of a kind with types of its own says on replay what its row claims, from both contracts read anew."""

from __future__ import annotations

import pytest

from evreview.comparison.rules.example import pair
from evreview.comparison.rules.rule import Rule, Whole
from evreview.core.vocabulary import ProofStatus, Tristate
from evreview.kinds.compare import compare
from evreview.kinds.registry import spec_of
from evreview.kinds.rule_catalogue import BY_KIND
from tests.pipeline import written

RULES = [
    rule
    for kind, rules in BY_KIND.items()
    if spec_of(kind).replaying()
    for rule in rules
    if isinstance(rule.example.slot, Whole)
]


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_witnesses_of_the_rules_examples_are_confirmed(rule: Rule) -> None:
    released, candidate = (written(*side) for side in pair(rule.example))
    judge = spec_of(released.kind).replaying()
    assert judge is not None
    for row in compare(released, candidate).rows:
        witness = row.proof.witness
        if row.proof.status is not ProofStatus.WITNESSED:
            continue
        assert isinstance(witness, dict)
        told = dict(zip(("released", "candidate"), judge(released, candidate, witness), strict=True))
        assert told[witness["accepted_by"]].accepted is Tristate.YES, row.delta.address
        assert told[witness["refused_by"]].accepted is Tristate.NO, row.delta.address
        with pytest.raises(ValueError):
            judge(released, candidate, {"accepted_by": "released", "refused_by": "candidate"})
