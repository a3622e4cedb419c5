"""Rows below a schema that may turn a change round, or swallow it: there a rule that knows its keyword can't tell.

What widens a branch of `oneOf` may narrow the whole; what narrows a branch of `anyOf` may be admitted by another
branch; `not` and `if` turn round; `contains` is counted; the names of members are texts, whatever else is said of them.
"""

from __future__ import annotations

from typing import Final

from evreview.contracts.model import Place
from evreview.ledger.delta import Delta

WHY: Final = "The row stands below a schema that may turn the change round, and comparing the whole decided nothing."
_TURNING: Final = frozenset(
    {"oneOf", "anyOf", "not", "if", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"}
)
_SET: Final = frozenset({"required", "readOnly", "writeOnly", "discriminator"})
_NAMED: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "schemas", "definitions"})


def turned(delta: Delta) -> bool:
    """True when a row is written below such a schema."""
    return any(_turned(place) for place in (delta.released_place, delta.candidate_place) if place is not None)


def turned_by_rule(delta: Delta) -> bool:
    """The same for a row that only its rule speaks about, where the rule speaks about values."""
    return delta.facet in _SET and turned(delta)


def _turned(place: Place) -> bool:
    named = False
    for step in place.pointer.split("/"):
        if not named and step in _TURNING:
            return True
        named = not named and step in _NAMED
    return False
