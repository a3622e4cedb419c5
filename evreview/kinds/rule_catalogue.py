"""Every rule, by kind of contract and in the order in which they are asked: the first that applies speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.comparison.rules.rule import Rule
from evreview.core.errors import bad_input
from evreview.core.vocabulary import ContractKind, RuleId
from evreview.kinds.registry import spec_of

BY_KIND: Final[Mapping[ContractKind, tuple[Rule, ...]]] = {kind: spec_of(kind).rules() for kind in ContractKind}
"""The rules that may speak about a contract of each kind."""

CATALOGUE: Final[tuple[Rule, ...]] = tuple({rule.id: rule for rules in BY_KIND.values() for rule in rules}.values())

BY_ID: Final = {rule.id: rule for rule in CATALOGUE}


def rule(rule_id: str) -> Rule:
    """The rule with this id.

    Raises:
        BadInput: `rule-unknown`.
    """
    found = BY_ID.get(RuleId(rule_id))
    if found is None:
        raise bad_input("rule-unknown", f"no rule is called {rule_id}", advice="`evreview rules` lists them all")
    return found
