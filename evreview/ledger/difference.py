"""What a comparison of one pair finds, before it has an operation, an address and an id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evreview.contract.model import ElementKind, Place
from evreview.core.vocabulary import MISSING, Aspect, Change, Form, Json, Missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference inside a pair of schema nodes or elements.

    Attributes:
        steps: the way from the pair to what differs, as addresses show it; mostly empty or one field.
        name: the field, parameter or header concerned, for markers; "" for the node itself.
        reason: why it never reaches the wire; "" for a real difference.
        The rest: see `Delta`.
    """

    aspect: Aspect
    facet: str
    released: Form = MISSING
    candidate: Form = MISSING
    released_place: Place | None = None
    candidate_place: Place | None = None
    element: ElementKind = ElementKind.SCHEMA
    steps: tuple[str, ...] = ()
    name: str = ""
    change: Change | None = None
    reason: str = ""
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def direction(self) -> Change:
        """The change as stated, or as the forms show it."""
        if self.change is not None:
            return self.change
        if isinstance(self.released, Missing):
            return Change.ADDED
        return Change.REMOVED if isinstance(self.candidate, Missing) else Change.CHANGED
