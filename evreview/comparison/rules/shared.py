"""The rules of every kind whose values are described by JSON schemas, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules import schema_composition, schema_objects
from evreview.comparison.rules.rule import Rule
from evreview.comparison.rules.schema_values import DEFAULT_RULES, ENUM_RULES, RANGE_RULES, TYPE_RULES

SCHEMA_RULES: Final[tuple[Rule, ...]] = (
    *schema_objects.RULES,
    *TYPE_RULES,
    *ENUM_RULES,
    *RANGE_RULES,
    *schema_composition.RULES,
    *DEFAULT_RULES,
)
