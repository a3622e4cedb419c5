"""The engine: runs a workflow's nine steps in order, stops where the specification stops, resumes where it resumes.

Pure: a run reads the bundle and what it is given; the journal is written by `journal`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Handling, Note
from evreview.workflows.engine.step import Facts, Failure, NotReached, Outcome, Step, StepResult

if TYPE_CHECKING:
    import pandas as pd


Tables = Mapping[str, "pd.DataFrame"]


class Engine(Generic[Facts]):
    """One run of one workflow.

    Args:
        bundle: the evidence.
        steps: the workflow's steps, in order.
        failures: its failure modes by code.
        start: the facts before the first step.
        shown: makes of a step's tables those that its result shows.
    """

    def __init__(
        self,
        bundle: Bundle,
        steps: Sequence[Step[Facts]],
        failures: Mapping[str, Failure],
        start: Facts,
        shown: Callable[[Tables], Tables] = lambda tables: tables,
    ) -> None:
        self.bundle = bundle
        self._shown = shown
        self._steps = steps
        self._failures = failures
        self._start = start
        self._done: list[tuple[StepResult, Facts]] = []

    @property
    def results(self) -> tuple[StepResult, ...]:
        """The steps run so far."""
        return tuple(result for result, _ in self._done)

    @property
    def facts(self) -> Facts:
        """What is known after the last step run."""
        return self._done[-1][1] if self._done else self._start

    @property
    def ended(self) -> bool:
        """True when no further step may run."""
        if not self._done:
            return False
        last = self._done[-1][0]
        return last.state is not StepState.ADVANCE or last.number == len(self._steps)

    def advance(self) -> StepResult:
        """The result of the next step.

        Raises:
            ValueError: the run has ended.
        """
        if self.ended:
            raise ValueError("the run has ended")
        return self._next()

    def _next(self) -> StepResult:
        step = self._steps[len(self._done)]
        outcome = step.run(self.bundle, self.facts)
        result = self._record(step, outcome)
        self._done.append((result, outcome.facts))
        return result

    def finish(self) -> tuple[StepResult, ...]:
        """Every remaining step's result, up to the one that does not advance."""
        while not self.ended:
            self.advance()
        return self.results

    def survey(self) -> tuple[StepResult, ...]:
        """Every step judged on what the ones before it found although they may not have advanced.

        It says at once what a run tells one stop at a time, and is no run: nothing may be concluded from it. It ends
        before the first step that lacks what an earlier one should have made.
        """
        with suppress(NotReached):
            while len(self._done) < len(self._steps):
                self._next()
        return self.results

    def adopt(self, earlier: Engine[Facts], renewed: Callable[[Facts], Facts] = lambda facts: facts) -> int:
        """Take over the steps of an earlier run that read the same evidence, and say where this run resumes.

        A run that ended with a failure code resumes no later than that code's restart point, so a repaired
        comparison is always rebuilt and never patched.

        Args:
            earlier: the other run.
            renewed: earlier facts with what this run was given at its start.

        Returns:
            The number of the first step that runs again.
        """
        limit = len(self._steps) + 1
        if earlier._done:
            last = earlier._done[-1][0]
            limit = last.restart or last.number + (last.state is StepState.ADVANCE)
        for step, (result, facts) in zip(self._steps, earlier._done, strict=False):
            if step.number >= limit or result.digest != self._digest(step) or result.state is not StepState.ADVANCE:
                break
            self._done.append((result, renewed(facts)))
        return len(self._done) + 1

    def conclude(self, facts: Facts) -> None:
        """Take facts over that only the outputs told; the last of all steps, which packages them, runs once more."""
        result, _ = self._done.pop()
        step = self._steps[result.number - 1]
        outcome = step.run(self.bundle, facts) if step is self._steps[-1] else None
        self._done.append((self._record(step, outcome), outcome.facts) if outcome else (result, facts))

    def _digest(self, step: Step[Facts]) -> str:
        before = self._done[-1][0].digest if self._done else ""
        return chained(before, self.bundle, step.reads, step.authorized)

    def _record(self, step: Step[Facts], outcome: Outcome[Facts]) -> StepResult:
        failure = self._failures.get(outcome.code)
        return StepResult(
            number=step.number,
            title=step.title,
            state=outcome.state,
            code=outcome.code,
            reasons=outcome.reasons,
            next_actions=failure.recovery if failure else (),
            restart=failure.restart if failure else (0 if outcome.state is StepState.ADVANCE else step.number),
            tables=self._shown(outcome.tables),
            digest=self._digest(step),
            advance_when=step.advance_when,
        )


# Which parts of a bundle a step reads, as digests. A changed slice makes the steps that read it stale.


Authorized = Callable[[Bundle], Iterable[str]]
"""The lines of an authorization and of its answer."""


class EvidenceSlice(StrEnum):
    REQUEST = "request"
    TERMS = "terms"
    ACTIONS = "actions"
    CONTRACTS = "contracts"
    IMPLEMENTATION = "implementation"
    RESULTS = "results"
    POLICY = "policy"
    CLIENTS = "clients"
    ROLLOUT = "rollout"
    AUTHORIZATION = "authorization"
    ITEMS = "items"
    TRUST = "trust"
    NOTES = "notes"
    HANDLING = "handling"
    DECISIONS = "decisions"


TYPES: Final[Mapping[EvidenceSlice, frozenset[str]]] = {
    EvidenceSlice.CONTRACTS: frozenset({EvidenceType.CONTRACT}),
    EvidenceSlice.IMPLEMENTATION: frozenset(
        {EvidenceType.IMPLEMENTATION_DIFF, EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT}
    ),
    EvidenceSlice.RESULTS: frozenset(
        {EvidenceType.TEST_RECORD, EvidenceType.TEST_INVENTORY, EvidenceType.EXECUTION_AND_APPROVAL}
    ),
    EvidenceSlice.POLICY: frozenset({EvidenceType.POLICY}),
    EvidenceSlice.CLIENTS: frozenset({EvidenceType.CLIENT_INVENTORY}),
    EvidenceSlice.ROLLOUT: frozenset({EvidenceType.ROLLOUT_RECORD}),
    EvidenceSlice.TRUST: frozenset({EvidenceType.DATA_FLOW}),
}
_REQUEST: Final[Mapping[EvidenceSlice, tuple[set[str] | None, set[str] | None]]] = {
    EvidenceSlice.REQUEST: (None, None),
    EvidenceSlice.TERMS: (None, {"actions"}),
    EvidenceSlice.ACTIONS: ({"actions"}, None),
}
"""What of the request counts, and what does not; None is everything, and nothing."""
_APART: Final[Mapping[EvidenceSlice, type[Note] | type[Handling]]] = {
    EvidenceSlice.NOTES: Note,
    EvidenceSlice.HANDLING: Handling,
}
"""Decisions that are a slice of their own."""


def slice_digest(bundle: Bundle, part: EvidenceSlice, authorized: Authorized | None = None) -> str:
    """The sha256 of one slice: the request or a part, some decisions, an authorization's answer, items, all or some."""
    if part in _REQUEST:
        only, without = _REQUEST[part]
        return _sha(bundle.request.model_dump_json(include=only, exclude=without))
    if part in _APART or part is EvidenceSlice.DECISIONS:
        kind, others = _APART.get(part), tuple(_APART.values())
        entries = [
            entry.model_dump_json()
            for entry in bundle.decisions.decisions
            if (isinstance(entry, kind) if kind else not isinstance(entry, others))
        ]
        return _sha("\n".join(entries))
    if part is EvidenceSlice.AUTHORIZATION:
        if authorized is None:
            raise ValueError("a step that reads the authorization says what of it counts")
        return _sha("\n".join(authorized(bundle)))
    every = part is EvidenceSlice.ITEMS
    lines = [
        f"{item.type if every else ''}{item.id} {item.sha256} {item.integrity!r} {item.establishes!r}"
        for item in bundle.items.values()
        if every or str(item.type) in TYPES[part]
    ]
    return _sha("\n".join(lines))


def chained(before: str, bundle: Bundle, reads: tuple[str, ...], authorized: Authorized | None = None) -> str:
    """The digest of a step: what the steps before it read, and its own slices."""
    own = [f"{part}={slice_digest(bundle, EvidenceSlice(part), authorized)}" for part in reads]
    return _sha("\n".join([before, *own]))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
