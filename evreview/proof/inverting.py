"""Rows below a schema that may turn a change round, or swallow it: there a rule that knows its keyword can't tell.

What widens a branch of `oneOf` may narrow the whole; what narrows a branch of `anyOf` may be admitted by another
branch; `if` turns round; `contains` is counted; the names of members are texts, whatever else is said of them. What
stands below `not` only is turned round with its polarity, and its rules know that.
"""

from __future__ import annotations

import re
from typing import Final

from evreview.ledger import facts
from evreview.ledger.delta import Delta
from evreview.proof.position import direction
from evreview.vocab import Polarity

WHY: Final = "The row stands below a schema that may turn the change round, and comparing the whole decided nothing."
_TURNING: Final = frozenset({"oneOf", "anyOf", "if", "contains", "propertyNames"})
_SET: Final = frozenset({"required", "discriminator"})
_COUNTS: Final = frozenset({"minProperties", "maxProperties"})
_COMPOSED: Final = frozenset({"allOf", "anyOf", "oneOf"})
_HIDDEN: Final = {"readOnly": Polarity.READ, "writeOnly": Polarity.WRITTEN}
_BRANCH: Final = re.compile(r"/anyOf/\d+\Z")
_NAMED: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "schemas", "definitions"})


def turned(delta: Delta, keywords: frozenset[str] = _TURNING) -> bool:
    """True when a row is written below such a schema."""
    places = (place for place in (delta.released_place, delta.candidate_place) if place is not None)
    # A branch of `anyOf` that came or went widens or narrows the schema that it stands in.
    own = _BRANCH if delta.facet == "anyOf" else None
    # Inclusion does not compare unevaluated items, and one kind of composition in the place of another is several rows.
    keywords = keywords | {"unevaluatedItems"} if delta.facet in _COMPOSED else keywords
    # How many members there are is also said by the member that such a schema depends on.
    keywords = keywords | {"dependentSchemas"} if delta.facet in _COUNTS else keywords
    return any(_turned(own.sub("", place.pointer) if own else place.pointer, keywords) for place in places)


def turned_by_rule(delta: Delta) -> bool:
    """The same for a row that only its rule speaks about, where the rule speaks about values."""
    if delta.facts.get(facts.OUTSIDE_DIRECTION) is True:
        return False
    speaks = delta.facet in _SET or _HIDDEN.get(delta.facet) is direction(delta)
    # Whether a member is hidden has no polarity of its own that `not` would turn.
    return speaks and turned(delta, _TURNING | {"not"} if delta.facet in _HIDDEN else _TURNING)


def _turned(pointer: str, keywords: frozenset[str]) -> bool:
    named = False
    for step in pointer.split("/"):
        if not named and step in keywords:
            return True
        named = not named and step in _NAMED
    return False
