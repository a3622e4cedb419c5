"""What one step of the proof says: contained, a value that is not, or undecided with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json, Sentence, Tristate


class UndecidedReason(Sentence):
    """Why two value sets could not be compared."""

    NONE = ""
    UNDECIDED = "the composition is beyond the rules of inclusion"
    BUDGET = "comparing the schemas takes too many steps"
    TOO_DEEP = "the schemas are nested too deeply to compare"
    IN_PLACE = "a schema refers to itself without a member in between"
    GAP = "a part of the schema could not be read"
    CONTRACT_GAP = "a part of the contract's schema could not be read"
    FORMAT = "nothing here knows which values a format admits"
    PATTERN = "an expression is beyond what automata decide here"
    MANY = "there are too many branches that may hold at once"
    LARGE = "the smallest value would be too large"
    REFUTED = "a value was found, but the validator does not agree that one side refuses it"
    UNASKED = "a value was found, and no validator asked about it"
    MALFORMED = "a keyword holds something that is no schema"
    NEITHER_WAY = "neither inclusion by rules nor the canonical form could decide"


@frozen
class SubsumptionResult:
    """An answer.

    Attributes:
        answer: yes, no or unknown.
        value: for no, a value of the left side that the right side should refuse.
        size: how many nodes the value has.
        reason: for unknown, why; else `NONE`.
        assumed: for yes, whether it holds for messages of declared members only.
    """

    answer: Tristate
    value: Json = None
    size: int = 1
    reason: UndecidedReason = UndecidedReason.NONE
    assumed: bool = False


YES: Final = SubsumptionResult(Tristate.YES)
ASSUMED: Final = SubsumptionResult(Tristate.YES, assumed=True)


def no(value: Json, size: int = 1) -> SubsumptionResult:
    """The answer that a value is on the left and not on the right."""
    return SubsumptionResult(Tristate.NO, value, size)


def unknown(reason: UndecidedReason) -> SubsumptionResult:
    """No answer."""
    return SubsumptionResult(Tristate.UNKNOWN, reason=reason)


def every(steps: Iterable[Callable[[], SubsumptionResult]]) -> SubsumptionResult:
    """Yes when all steps say yes; the first value that one finds; else why one of them said nothing."""
    assumed, doubt = False, UndecidedReason.NONE
    for step in steps:
        found = step()
        if found.answer is Tristate.NO:
            return found
        if found.answer is Tristate.UNKNOWN:
            doubt = doubt or found.reason
        assumed = assumed or found.assumed
    if doubt:
        return unknown(doubt)
    return ASSUMED if assumed else YES


def with_assumption(found: SubsumptionResult, assumed: bool) -> SubsumptionResult:
    """The same answer, resting on declared members too where `assumed`."""
    return replace(found, assumed=True) if assumed and found.answer is Tristate.YES else found
