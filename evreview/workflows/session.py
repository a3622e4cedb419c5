"""From a bundle to a finished review. Notebook, command line and Python all come through here, so their bytes agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from evreview.comparison.comparison import Comparison
from evreview.core.errors import bad_input
from evreview.core.vocabulary import WorkflowId
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Approval
from evreview.kinds.code_names import module_names
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.redaction.sinks import RedactedFrames, remember, veil
from evreview.workflows.engine.conclusions import Decision, Finding
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.run import Engine
from evreview.workflows.engine.sealing import Sealed, as_incomplete, sealed
from evreview.workflows.engine.step import Flow, Load, StepResult
from evreview.workflows.w3.authorization import as_authorized

if TYPE_CHECKING:
    # The facts of one workflow are loaded with its flow, those of the others not at all.
    from evreview.workflows.w1.facts import W1Facts
    from evreview.workflows.w2.facts import Discrepancy, W2Facts
    from evreview.workflows.w3.facts import W3Facts
    from evreview.workflows.w3.model import SecurityFinding

# The flow of a workflow, loaded when it is asked for.


def flow_of(workflow: WorkflowId, file: str = "") -> Flow[Any]:
    """The flow of a workflow.

    Args:
        workflow: which.
        file: the bundle, as the user named it; for the problem.

    Raises:
        BadInput: this release can't run it.
    """
    if workflow is WorkflowId.W1:
        from evreview.workflows.w1.workflow import FLOW as W1

        return W1
    if workflow is WorkflowId.W2:
        from evreview.workflows.w2.workflow import FLOW as W2

        return W2
    if workflow is WorkflowId.W3:
        from evreview.workflows.w3.workflow import FLOW as W3

        return W3
    found = f"{workflow} reviews can't be run by this release"
    raise bad_input("workflow-not-built", found, file=file, advice="Use `workflow: w1`, `w2` or `w3`")


Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A finished review.

    Attributes:
        bundle: what was reviewed.
        steps: the steps that ran, in order.
        ledger: both contracts compared, None when step 2 was not reached.
        findings: the finding register's rows, of a reference its discrepancies.
        decision: how it ends.
        artifact: the Markdown artifact, redacted.
        registers: every register as a frame, by name, redacted: a notebook that shows one writes nothing else down.
        redactor: what was learnt to redact.
        facts: everything the steps know.

    What is shown by merely being named has passed the redactor: representations, `steps[n].tables` and `ledger.frame`.
    Texts below `facts`, `bundle`, `steps`, `ledger` and `findings` are words of the evidence as supplied, secrets and
    personal data included: clean what you take out there with `redactor` before you show it or pass it on.
    """

    bundle: Bundle
    steps: tuple[StepResult, ...]
    ledger: Comparison | None
    findings: tuple[Finding | SecurityFinding | Discrepancy, ...]
    decision: Decision
    artifact: Clean
    registers: Mapping[str, pd.DataFrame] = field(repr=False)
    redactor: Redactor = field(repr=False)
    facts: W1Facts | W2Facts | W3Facts = field(repr=False)

    def __repr__(self) -> str:
        """Nothing of the evidence: a notebook that shows it saves it."""
        return f"Review({self.bundle!r}, {self.decision.state}, {len(self.registers)} registers)"

    @property
    def clients(self) -> pd.DataFrame:
        """The client-impact register."""
        return self.registers.get("client-impact", pd.DataFrame())

    @property
    def exit_status(self) -> int:
        """What the command line returns."""
        return self.decision.exit_status


def dated(bundle: Bundle, day: str) -> Bundle:
    """The bundle as it would be judged for another day: what was recorded up to it counts, and nothing later."""
    later = bundle.later.decisions if bundle.later else ()
    every = bundle.decisions.model_copy(update={"decisions": (*bundle.decisions.decisions, *later)})
    request = bundle.request.model_copy(update={"as_of": day})
    return replace(bundle, request=request, decisions=every.until(day), later=every.after(day))


def with_answer(bundle: Bundle, answer: Approval, day: str) -> Bundle:
    """The bundle as it would be with one answer more, judged for a day; nothing is written."""
    whole = as_authorized(bundle)
    every = whole.decisions.model_copy(update={"decisions": (*whole.decisions.decisions, answer)})
    return dated(replace(whole, decisions=every), day)


class Run:
    """A review in progress.

    Args:
        bundle: the evidence; of a security review the rest is read here, once its authorization passes.
        earlier: a run over an earlier state of the same bundle; its unchanged steps are kept.
        load: how a contract item is opened; by default from the bundle's folder.
    """

    def __init__(self, bundle: Bundle, *, earlier: Run | None = None, load: Load | None = None) -> None:
        self.flow: Flow[Any] = flow_of(bundle.workflow, bundle.root)
        self.bundle = bundle = as_authorized(bundle)
        files = (file for item in bundle.items.values() for file in (item.file, *item.parts))
        told = ((str(item.id), item.content) for item in bundle.items.values())
        self.redactor = Redactor.over(told).sparing(module_names(files))
        redactor = self.redactor
        remember(lambda: redactor)
        veil()
        # What is shown on the way must not change what the outputs say of their redaction.
        self._own = self.redactor.apart()
        self._load = load or (lambda item: bundle.source(item.id))
        start = self.flow.start(self._load, self._own)
        self._engine: Engine[Any] = Engine(
            bundle, self.flow.steps, self.flow.failures, start, lambda tables: RedactedFrames(tables, redactor)
        )
        same = earlier is not None and earlier.flow is self.flow
        self.resumed_at = self._engine.adopt(earlier._engine, self._renewed) if earlier and same else 1

    @property
    def steps(self) -> tuple[StepResult, ...]:
        """The steps run so far."""
        return self._engine.results

    @property
    def ended(self) -> bool:
        """True when no further step may run."""
        return self._engine.ended

    def advance(self) -> StepResult:
        """The result of the next step; ValueError when the run has ended."""
        return self._engine.advance()

    def survey(self) -> tuple[tuple[StepResult, ...], tuple[Gate, ...]]:
        """Every step as far as it can be judged although an earlier one does not advance, and the gates then known."""
        return self._engine.survey(), self._engine.facts.gates

    @property
    def facts(self) -> Any:
        """What the steps that were run or surveyed know, of the workflow's own class."""
        return self._engine.facts

    def finish(self, progress: Progress | None = None) -> Review:
        """The review, after every step that may still run."""
        while not self.ended:
            done = len(self.steps)
            if progress:
                progress(done, len(self.flow.steps), self.flow.steps[done].title)
            self.advance()
        decision, told = self._told()
        if told.withheld:
            self.redactor = self._own = self.redactor.apart(told.withheld)
            self._engine.conclude(self._renewed(self._engine.facts))
            decision, told = self._told()
        facts = self._engine.facts
        return Review(
            bundle=self.bundle,
            steps=self.steps,
            ledger=self._ledger(facts),
            findings=facts.discrepancies if self.bundle.workflow is WorkflowId.W2 else facts.findings,
            decision=decision,
            artifact=told.artifact,
            registers=told.registers,
            redactor=self.redactor,
            facts=facts,
        )

    def _ledger(self, facts: Any) -> Comparison | None:
        redactor = self.redactor
        known = facts.comparison if self.bundle.workflow is WorkflowId.W1 else None
        return known.redacting(lambda: redactor) if known else None

    def _told(self) -> tuple[Decision, Sealed]:
        """The decision, and the artifact and registers that state it."""
        facts = self._engine.facts
        decision = self.flow.decide(self.bundle, self.steps, facts)
        if self._own.withheld:
            decision = as_incomplete(decision, self.bundle, self._own)
        draft = self.flow.render(self.bundle, self.steps, facts, decision)
        return decision, sealed(draft, self.flow.registers(self.steps, facts), self._own)

    def _renewed(self, facts: Any) -> Any:
        """Facts with what this run was given at its start; those of an earlier run redact by what was known then."""
        given = {"load": self._load, "redactor": self._own}
        return replace(facts, **{name: value for name, value in given.items() if hasattr(facts, name)})


def begin(bundle: Bundle, *, earlier: Run | None = None) -> Run:
    """A run that has not taken its first step."""
    return Run(bundle, earlier=earlier)


def review(bundle: Bundle, progress: Progress | None = None) -> Review:
    """The finished review of a bundle."""
    return begin(bundle).finish(progress)
