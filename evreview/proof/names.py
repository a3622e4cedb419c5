"""The name of the member that a row is about, as its places or its address tell it."""

from __future__ import annotations

import re
from typing import Final

from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Change
from evreview.ledger.delta import Delta

_ESCAPED: Final = re.compile(r"\\(.)")
OWED: Final = "required"


def property_name(step: str) -> str:
    """The name behind a step, as `property_step` wrote it."""
    return "" if step == '""' else _ESCAPED.sub(r"\1", step)


def addressed_name(delta: Delta) -> str:
    """The name that the last step of a row's address shows."""
    return property_name(delta.address.rpartition(" > ")[2])


def field_name(delta: Delta) -> str | None:
    """The name of the member that a row about a field concerns, None when no place tells it."""
    if delta.facet == OWED:
        # What is owed need not be declared, and then the places are the object's.
        return addressed_name(delta)
    places = (delta.released_place, delta.candidate_place)
    for place in places[::-1] if delta.change is Change.ADDED else places:
        path = (steps_of(place.pointer) or ()) if place is not None else ()
        if len(path) > 1 and path[-2] == "properties":
            return path[-1]
    return None
