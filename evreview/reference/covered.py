"""What test runs show, as values: runs, what was observed, what could not be mapped, and each response's state."""

from __future__ import annotations

from dataclasses import dataclass, field

from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Concern, EvidenceId, Word
from evreview.evidence.item import Citation
from evreview.workflows.w2.contract_rows import is_error


class Says(Word):
    """What one assertion or exchange says about the contract."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    OPEN = "open"


class State(Word):
    """Where a documented response stands."""

    COVERED = "covered"
    CONTRADICTED = "contradicted"
    UNCOVERED = "uncovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStanding:
    """Whether a run counts as executed: `lacks` names what its wrapper does not say."""

    run: Citation
    output: EvidenceId
    lacks: tuple[str, ...]

    @property
    def executed(self) -> bool:
        """True when everything that makes a run repeatable is recorded."""
        return not self.lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One assertion or exchange, mapped to an operation.

    Attributes:
        status: None when it tells none.
        media_type, field: "" when it tells none.
        concerns: what of the operation it is about.
        executed: False when its run does not count as executed.
        why: for a contradiction, what contradicts; for an open one, why nothing follows.
    """

    operation: str
    case: str
    says: Says
    citation: Citation
    concerns: tuple[Concern, ...]
    executed: bool
    status: int | None = None
    media_type: str = ""
    field: str = ""
    why: Text = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmappedTest:
    """A case, assertion or declared fact that nothing could be made of, with the reason."""

    case: str
    reason: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseCoverage:
    """One documented response and media type ("" for a response without a body)."""

    operation: str
    status: str
    media_type: str
    state: State
    fields: tuple[str, ...]
    citations: tuple[Citation, ...]
    reason: str = ""

    @property
    def concern(self) -> Concern:
        """Success responses or errors."""
        return Concern.ERRORS if is_error(self.status) else Concern.SUCCESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the runs show."""

    runs: tuple[RunStanding, ...]
    observed: tuple[Observed, ...]
    unmapped: tuple[UnmappedTest, ...]
    responses: tuple[ResponseCoverage, ...]
    _by_operation: dict[str, list[Observed]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, operation: str) -> list[Observed]:
        """What was observed of one operation."""
        if not self._by_operation:
            for each in self.observed:
                self._by_operation.setdefault(each.operation, []).append(each)
        return self._by_operation.get(operation, [])

    @property
    def uncovered(self) -> tuple[ResponseCoverage, ...]:
        """The documented responses that no executed, passed test shows; what a test contradicts is not shown."""
        return tuple(each for each in self.responses if each.state is not State.COVERED)

    @property
    def contradicted(self) -> tuple[ResponseCoverage, ...]:
        """The documented responses that a test contradicts."""
        return tuple(each for each in self.responses if each.state is State.CONTRADICTED)
