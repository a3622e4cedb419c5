"""What containment says of one row, and how the answers of its uses go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from evreview.comparison.proof.child_edges import refers
from evreview.comparison.proof.claim import Claim
from evreview.comparison.proof.outcome import Finding
from evreview.comparison.proof.position import Way
from evreview.comparison.proof.value_sets import Schemas
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import ElementKind, Place
from evreview.core.vocabulary import Answer, Polarity
from evreview.ledger.delta import Delta
from evreview.schema.subsumption.relation import compare_sets

_TURNING_STEPS: Final = frozenset({"not", "if", "then", "else", "[contains]", "{names}"})


@dataclass(frozen=True, slots=True)
class Said:
    """A finding, whether it holds for messages of declared members only, and what stands against more."""

    finding: Finding
    assumed: bool = False
    doubt: str = ""


UNDECIDED: Final = Said(Finding.OPEN)


def by_claim(delta: Delta, claim: Claim) -> Finding:
    """What the small claim of a row decides, asked in the row's direction; open where it has a reason not to."""
    if claim.reason:
        return Finding.OPEN
    found = compare_sets(claim.released, claim.candidate)
    if claim.exact and found.equal is Answer.YES:
        return Finding.EQUAL
    safe = found.released_in_candidate if delta.polarity is Polarity.READ else found.candidate_in_released
    return Finding.SAFE if safe is Answer.YES else Finding.OPEN


def refuted(delta: Delta, claim: Claim) -> bool:
    """True when the small claim of a row is refuted in its direction."""
    if claim.reason:
        return False
    found = compare_sets(claim.released, claim.candidate)
    answer = found.released_in_candidate if delta.polarity is Polarity.READ else found.candidate_in_released
    return answer is Answer.NO


def topmost(way: Way, anchors: set[int]) -> SchemaPair:
    """The topmost schema of a use that may turn the row round or admit what it refuses; else the row's own."""
    return next((pair for pair, link in way.legs if id(pair) in anchors or may_turn(link.step)), way.pair)


def may_turn(step: str) -> bool:
    """True for a step below which a narrower schema may make the whole wider."""
    return step.startswith(("anyOf(", "oneOf(", "if has ")) or step in _TURNING_STEPS


def is_branch(place: Place, facet: str) -> bool:
    """True when a place is a branch of a choice itself, not the choice as a whole."""
    return facet in ("anyOf", "oneOf") and place.pointer.rpartition("/")[0].endswith("/" + facet)


def declares(delta: Delta) -> bool:
    """True for a row about a member that is declared, or no longer."""
    return delta.element is ElementKind.PROPERTY and delta.facet == ""


def apart(schemas: Schemas) -> bool:
    """True when nothing that the schemas refer to holds in their own place: then components may count as the same."""
    return not any(refers(schema) for schema in schemas)


def weakest(said: list[Said]) -> Said:
    """The one that says least: an open one, else a safe one."""
    for weak in (Finding.OPEN, Finding.SAFE):
        for one in said:
            if one.finding is weak:
                return Said(weak, any(other.assumed for other in said), one.doubt)
    return Said(Finding.EQUAL, any(other.assumed for other in said)) if said else UNDECIDED


def first_open(steps: Iterable[Callable[[], Said]]) -> Said:
    """The first one that is open, else the weakest of all."""
    said = []
    for step in steps:
        one = step()
        if one.finding is Finding.OPEN:
            return one
        said.append(one)
    return weakest(said)
