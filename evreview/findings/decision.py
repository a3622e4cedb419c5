"""The rollout decision: what is permitted, what blocks it, and what happens next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evreview.core.vocabulary import ExitStatus, VersionPath
from evreview.report.statement import Statement


class DecisionState(StrEnum):
    """How a review ends."""

    PERMITTED = "permitted"
    ASSESSED = "assessed"
    BLOCKED = "blocked"
    INCOMPLETE = "incomplete"
    STOPPED = "stopped"
    NO_EFFECT = "no observable contract effect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The end of a review.

    Attributes:
        state: how it ends.
        headline: one sentence, ours, e.g. `stopped at step 3, W1-F2`.
        path: the chosen path, None when step 7 was not reached.
        reasons: what blocks or stops it, labelled and cited.
        next_actions: what to do, labelled.
        codes: the failure codes raised, in order.
        internal: nothing of the review may leave the authorized team (W3).
        unredacted: a value could not be taken out of an output, so that its lines are withheld.
    """

    state: DecisionState
    headline: str
    path: VersionPath | None
    reasons: tuple[Statement, ...]
    next_actions: tuple[Statement, ...]
    codes: tuple[str, ...] = ()
    internal: bool = False
    unredacted: bool = False

    @property
    def exit_status(self) -> int:
        """0 when it permits, 3 when the run stopped, 4 when it is incomplete or blocked; 7 when redaction is."""
        if self.unredacted:
            return ExitStatus.REDACTION_INCOMPLETE
        if self.state in (DecisionState.STOPPED, DecisionState.NO_EFFECT):
            return ExitStatus.STOPPED
        if self.state in (DecisionState.BLOCKED, DecisionState.INCOMPLETE):
            return ExitStatus.BLOCKED
        return ExitStatus.DONE
