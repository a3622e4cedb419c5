"""Each decorator rule knows its example, and not its counter-example as the same."""

from __future__ import annotations

import pytest

from evreview.codefacts.decorators import DECORATORS, DecoratorRule, known
from evreview.codefacts.names import External


@pytest.mark.parametrize("rule", DECORATORS, ids=lambda rule: rule.id)
def test_each_rule_knows_its_example(rule: DecoratorRule) -> None:
    assert known(External(rule.example)) is rule
    assert known(External(rule.counter)) is not rule


def test_ids_are_given_once() -> None:
    assert len({rule.id for rule in DECORATORS}) == len(DECORATORS)


def test_what_is_not_known_has_no_rule() -> None:
    assert known(External("elsewhere.login_required")) is None
