"""What a comparison finds before ids and dispositions: a deviation, or that nothing could decide. Alike ones join."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import Route, Spot
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.vocabulary import ABSENT, ClosedVocabulary, Concern, Form, Json
from evreview.evidence.item import Citation
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.facts import ClaimKey, Operation, ReferenceEvidence, claim
from evreview.workflows.w2.reconcile.executed_tests import NOTHING, Executed
from evreview.workflows.w2.value_sets import PositionFinder

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
    observed: Form = ABSENT
    witness: Form = ABSENT
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


Deviations = Iterator[Deviation | Undecided]


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
    values: PositionFinder
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


# One deviation recognised several ways is one row.


Key = tuple[object, ...]
_SAME_AS: Final = {
    "observed-status-undocumented": (
        "success-undocumented", "error-undocumented", "framework-validation-undocumented", "success-status-differs",
    ),
    "observed-media-type-undocumented": ("response-media-type-differs", "response-body-undocumented"),
    "observed-header-undocumented": ("header-undocumented",),
    "observed-header-missing": ("header-unset",),
    "observed-field-undocumented": ("response-field-undocumented",),
    "observed-value-outside": ("response-outside", "error-code-undocumented"),
    "observed-body-outside": (
        "response-outside", "response-field-undocumented", "response-field-missing", "response-field-unowed",
        "error-code-undocumented",
    ),
}  # fmt: skip
"""Kinds of which a test's sighting is another view."""
_LIMITS: Final = {
    **dict.fromkeys(("rate-limit-undocumented", "rate-limit-lower", "rate-limit-higher"), (429,)),
    **dict.fromkeys(("limit-undocumented", "limit-lower", "limit-higher"), (413, 414, 431)),
}
"""Kinds whose row stands for these statuses too."""
DIFFERING: Final = "sources-all-differ"


def joined(found: Iterable[Deviation]) -> list[Deviation]:
    """Deviations of one operation, concern, kind and place as one, in the order of the first."""
    rows: dict[Key, Deviation] = {}
    for each in found:
        key = (each.operation, each.concern, each.kind, each.place)
        rows[key] = _both(rows[key], each) if key in rows else each
    return list(rows.values())


def with_observed_facts(rows: Sequence[Deviation], seen: Sequence[Deviation]) -> list[Deviation]:
    """The rows with what tests saw of the same; sightings of nothing that stands there are rows of their own.

    Args:
        rows: what contract and code deviate in.
        seen: what contract and tests deviate in.
    """
    made, alone = list(rows), []
    for sighting in seen:
        at = [index for index, row in enumerate(made) if _is_same(row, sighting)]
        if not at:
            alone.append(sighting)
        elif not sighting.by_code:
            alone.append(replace(sighting, kind=DIFFERING, implementation=made[at[0]].implementation))
        for index in at if at and sighting.by_code else ():
            citations = tuple(dict.fromkeys((*made[index].citations, *sighting.citations)))
            both = _either(made[index].observed, sighting.observed)
            made[index] = replace(made[index], observed=both, citations=citations)
    return [*made, *joined(alone)]


def _is_same(row: Deviation, sighting: Deviation) -> bool:
    if row.kind in _LIMITS:
        return sighting.kind == "observed-status-undocumented" and sighting.place[0] in _LIMITS[row.kind]
    if row.kind not in _SAME_AS.get(sighting.kind, ()) or row.operation != sighting.operation:
        return False
    mine, theirs = tuple(map(_plain, row.place)), tuple(map(_plain, sighting.place))
    return mine[: len(theirs)] == theirs or (row.kind == "success-status-differs" and _status(row) == theirs[0])


def _plain(step: str | int) -> str:
    return str(step).lower()


def _status(row: Deviation) -> str:
    form = row.implementation
    return str(form.get("status")) if isinstance(form, dict) else ""


def _both(one: Deviation, other: Deviation) -> Deviation:
    return replace(
        one,
        contract=_either(one.contract, other.contract),
        implementation=_either(one.implementation, other.implementation),
        observed=_either(one.observed, other.observed),
        witness=other.witness if one.witness is ABSENT else one.witness,
        citations=tuple(dict.fromkeys((*one.citations, *other.citations))),
        withholds=one.withholds | other.withholds,
    )


class FormKey(ClosedVocabulary):
    """The key of a form that holds several ones."""

    SEVERAL = "any of"


def _either(one: Form, other: Form) -> Form:
    """Both forms: one of them where they are alike or one is missing, else a list of both."""
    if other is ABSENT or one == other:
        return one
    if one is ABSENT:
        return other
    several: list[Json] = (
        list(one[FormKey.SEVERAL]) if isinstance(one, dict) and set(one) == {FormKey.SEVERAL} else [one]
    )
    return {FormKey.SEVERAL.value: several if other in several else [*several, other]}
