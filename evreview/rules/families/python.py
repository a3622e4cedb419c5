"""The rules about Python libraries, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules.rule import Rule
from evreview.rules.families import (
    python_calls,
    python_classes,
    python_installed,
    python_instances,
    python_names,
    python_types,
)

RULES: Final[tuple[Rule, ...]] = (
    *python_calls.RULES,
    *python_types.RULES,
    *python_classes.RULES,
    *python_instances.RULES,
    *python_names.RULES,
    *python_installed.RULES,
)
