"""What a step, its outcome, a failure and a workflow are. The nine steps of each workflow are values of these types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import pandas as pd

from evreview.core.vocabulary import StepState, WorkflowId
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.redaction.redactor import Redactor
from evreview.report.statement import Statement
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.gates import Gate

Facts = TypeVar("Facts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure mode with its recovery. Spec, Errors, failure modes and recovery.

    Attributes:
        code: qualified by the workflow, `W1-F2`.
        condition: when it is raised.
        recovery: what to do, in order.
        restart: the step at which the run restarts or resumes.
        supply: what the one who must act does first, as the first screen says it; "" for one that never ends a run.
        stops: False for W1-F3, which marks and goes on.
    """

    code: str
    condition: str
    recovery: tuple[str, ...]
    restart: int
    supply: str = ""
    stops: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[Facts]):
    """What one step found.

    Attributes:
        state: advance, remain or stop.
        facts: what is known after the step.
        reasons: why it did not advance, or what it wants said although it did.
        code: the failure code, "" when there is none.
        tables: what the step shows, by name.
    """

    state: StepState
    facts: Facts
    reasons: tuple[Statement, ...] = ()
    code: str = ""
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[Facts]):
    """One of nine.

    Attributes:
        number, title: its place and name.
        does, advance_when, otherwise: the specification's row, in short words.
        reads: which slices of the bundle it reads; a change in one makes this step and all later ones stale.
        run: the pure function behind it.
        authorized: the lines of an authorization and its answer, of a step that reads that slice.
    """

    number: int
    title: str
    does: str
    advance_when: str
    otherwise: str
    reads: tuple[str, ...]
    run: Callable[[Bundle, Facts], Outcome[Facts]]
    authorized: Callable[[Bundle], Iterable[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """One step of one run, as recorded.

    Attributes:
        number, title: which step.
        state: advance, remain or stop.
        code: the failure code, "" when there is none.
        reasons: why, labelled and cited.
        next_actions: what to do about it; the recovery when there is a code.
        restart: the step at which a repaired run resumes, 0 when it advanced.
        tables: what it shows, by name.
        digest: sha256 over everything that this step and the ones before it read.
        advance_when: the condition, for display.
    """

    number: int
    title: str
    state: StepState
    code: str
    reasons: tuple[Statement, ...]
    next_actions: tuple[str, ...]
    restart: int
    tables: Mapping[str, pd.DataFrame]
    digest: str
    advance_when: str


class NotReached(ValueError):
    """A step was asked to run on facts that an earlier step should have made."""


# What a workflow is to the runner: its steps and failures, and how its facts become an artifact.


Load = Callable[[EvidenceItem], tuple[str, Callable[[str], bytes], tuple[str, ...]]]
"""How a contract item is opened: its entry name, and a loader of files beside it."""


class Known(Protocol):
    """What the facts of every workflow have."""

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The approval gates of the run; empty until their step has run."""


WorkflowFacts = TypeVar("WorkflowFacts", bound=Known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow(Generic[WorkflowFacts]):
    """One workflow.

    Attributes:
        workflow: which.
        steps, failures: its nine steps, its failure modes by code.
        start: the facts before the first step.
        decide: the decision that the steps permit.
        render: the Markdown of the artifact, not yet redacted.
        registers: every register that the steps reached, by name.
    """

    workflow: WorkflowId
    steps: tuple[Step[WorkflowFacts], ...]
    failures: Mapping[str, Failure]
    start: Callable[[Load, Redactor], WorkflowFacts]
    decide: Callable[[Bundle, Sequence[StepResult], WorkflowFacts], Decision]
    render: Callable[[Bundle, Sequence[StepResult], WorkflowFacts, Decision], str]
    registers: Callable[[Sequence[StepResult], WorkflowFacts], Mapping[str, pd.DataFrame]]
