"""The rules about Python libraries, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules.rule import Rule
from evreview.kinds.python import rules, rules_classes, rules_packaging, rules_signatures
from evreview.rules.families import python_classes, python_types

RULES: Final[tuple[Rule, ...]] = (
    *rules_signatures.CALL_RULES,
    *python_types.RULES,
    *python_classes.RULES,
    *rules_classes.INSTANCE_RULES,
    *rules.NAME_RULES,
    *rules_packaging.RULES,
)
