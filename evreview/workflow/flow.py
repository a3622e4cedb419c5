"""What a workflow is to the runner: its steps and failures, and how its facts become an artifact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import pandas as pd

from evreview.core.vocabulary import WorkflowId
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.findings.decision import Decision
from evreview.redaction.redactor import Guard
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.step import Failure, Step, StepResult

Load = Callable[[EvidenceItem], tuple[str, Callable[[str], bytes], tuple[str, ...]]]
"""How a contract item is opened: its entry name, and a loader of files beside it."""


class Known(Protocol):
    """What the facts of every workflow have."""

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The approval gates of the run; empty until their step has run."""


Facts = TypeVar("Facts", bound=Known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow(Generic[Facts]):
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
    steps: tuple[Step[Facts], ...]
    failures: Mapping[str, Failure]
    start: Callable[[Load, Guard], Facts]
    decide: Callable[[Bundle, Sequence[StepResult], Facts], Decision]
    render: Callable[[Bundle, Sequence[StepResult], Facts, Decision], str]
    registers: Callable[[Sequence[StepResult], Facts], Mapping[str, pd.DataFrame]]
