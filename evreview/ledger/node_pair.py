"""Two resolved schema positions, and what is found between them while they are compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from evreview.comparison.wire_forms import Forms
from evreview.core.vocabulary import Aspect, Form
from evreview.ledger.difference import Difference
from evreview.schema.view import SchemaView, Sub
from evreview.schema.views import Views


class Step(NamedTuple):
    """A pair of members one step below a pair; `required`: of a released property, None for any other member."""

    step: str
    flips: bool
    released: Sub
    candidate: Sub
    required: bool | None = None


@dataclass(slots=True)
class Found:
    """What one pair shows: its differences (noise among them), the pairs below it, and released members that went."""

    differences: list[Difference] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    lost: list[tuple[str, Sub]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Side:
    """One contract's readers of schemas."""

    views: Views
    forms: Forms

    def view(self, sub: Sub) -> SchemaView:
        return self.views.view(self.views.resolve(sub))


@dataclass(slots=True)
class NodePair:
    """Two resolved schema positions with their views, and what is found between them."""

    old: Side
    new: Side
    released: Sub
    candidate: Sub
    before: SchemaView
    after: SchemaView
    found: Found = field(default_factory=Found)

    def add(self, aspect: Aspect, facet: str, released: Form, candidate: Form, **more: object) -> None:
        """Records a difference of this pair."""
        fields = {"released_place": self.released.place, "candidate_place": self.candidate.place, **more}
        self.found.differences.append(
            Difference(aspect=aspect, facet=facet, released=released, candidate=candidate, **fields)  # type: ignore[arg-type]
        )

    def go(self, step: str, released: Sub, candidate: Sub, *, flips: bool = False) -> None:
        """Asks for a pair below this one."""
        self.found.steps.append(Step(step, flips, released, candidate))

    def go_property(self, step: str, released: Sub, candidate: Sub, *, required: bool) -> None:
        """Asks for the pair of a property that both sides have."""
        self.found.steps.append(Step(step, False, released, candidate, required))
