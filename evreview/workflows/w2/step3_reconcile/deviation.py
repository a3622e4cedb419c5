"""What a comparison finds before ids and dispositions: a deviation, or a comparison that nothing could decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evreview.codefacts.model import Route, Spot
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.evidence.item import Citation
from evreview.reference.claims import claim
from evreview.reference.evidence import ReferenceEvidence
from evreview.reference.model import ClaimKey, Operation
from evreview.reference.places import Places
from evreview.workflows.w2.step3_reconcile.executed_tests import NOTHING, Executed
from evreview.workflows.w2.step3_reconcile.value_sets import Values

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One point on which sources disagree; the attributes are those of `model.Discrepancy`.

    Attributes:
        withholds: the claims that it keeps back; empty means the claim of its own place.
        by_code: for what a test saw, whether the code does it too, as far as is known.
    """

    kind: str
    operation: str
    concern: Concern
    place: Steps
    contract: Form
    implementation: Form
    citations: tuple[Citation, ...]
    observed: Form = MISSING
    witness: Form = MISSING
    withholds: frozenset[ClaimKey] = frozenset()
    by_code: bool = True

    @property
    def held(self) -> frozenset[ClaimKey]:
        """The claims that it keeps back."""
        return self.withholds or frozenset({claim(self.operation, self.concern, *self.place)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """A comparison that was made and that nothing decided: both sides stand, and nobody knows whether they agree."""

    operation: str
    concern: Concern
    place: str
    reason: str
    citations: tuple[Citation, ...]


Found = Iterator[Deviation | Undecided]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """An operation and the route that answers it.

    Attributes:
        whole: True when every supplied source and every part of the route was read: only then is silence a fact.
        executed: what executed tests saw of the operation.
    """

    evidence: ReferenceEvidence
    operation: Operation
    route: Route
    values: Values
    places: Places
    whole: bool
    executed: Executed = NOTHING

    def children(self, kind: ElementKind) -> tuple[Element, ...]:
        """The operation's parts of one kind."""
        return tuple(child for child in self.operation.element.children if child.kind is kind)

    def child(self, kind: ElementKind) -> Element | None:
        """The operation's first part of one kind."""
        return next(iter(self.children(kind)), None)

    def cited(self, place: Place | None, *spots: Spot) -> tuple[Citation, ...]:
        """The place in the contract, then the lines of the code."""
        return tuple(dict.fromkeys((self.places.at(place or self.operation.element.place), *on_code(*spots))))

    def undecided(self, concern: Concern, place: Steps, reason: str, *on: Spot) -> Undecided:
        """A comparison of this operation that nothing decided."""
        return Undecided(
            operation=self.operation.id,
            concern=concern,
            place=" ".join(map(str, place)),
            reason=reason,
            citations=self.cited(None, *on),
        )


@dataclass(frozen=True, slots=True)
class At:
    """Where in a matched operation something is compared.

    Attributes:
        held: the claim that a deviation here keeps back, None for the claim of the place itself.
    """

    matched: Matched
    concern: Concern
    place: Steps
    spots: tuple[Spot, ...] = ()
    held: ClaimKey | None = None

    def below(self, step: str) -> At:
        """A part of it."""
        held = None if self.held is None else ClaimKey(f"{self.held} {step}")
        return At(self.matched, self.concern, (*self.place, step), self.spots, held)

    @property
    def withholds(self) -> frozenset[ClaimKey]:
        """The claims that a deviation here keeps back; empty for the claim of its own place."""
        return frozenset() if self.held is None else frozenset({self.held})


def on_code(*spots: Spot) -> tuple[Citation, ...]:
    """The lines that show a fact, and the entries that declare it."""
    return tuple(dict.fromkeys(each for spot in spots for each in spot.citations))
