"""The engine: nine steps in order, three ends, and what a later run keeps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, StepState, WorkflowId
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.review import Decisions, Note, ReviewRequest
from evreview.workflows.engine.journal import entry, extended, resume_point
from evreview.workflows.engine.run import Engine
from evreview.workflows.engine.step import Failure, Outcome, Step

FAILURES: Mapping[str, Failure] = {
    "W1-F2": Failure(code="W1-F2", condition="c", recovery=("mend it",), restart=2),
    "W1-F3": Failure(code="W1-F3", condition="c", recovery=("ask",), restart=5, stops=False),
}
READS = ("request", "contracts", "implementation", "results", "policy", "clients", "rollout", "notes", "decisions")


def bundle(texts: Mapping[str, str] | None = None, notes: int = 0) -> Bundle:
    types = {
        "contracts": EvidenceType.CONTRACT,
        "implementation": EvidenceType.IMPLEMENTATION_DIFF,
        "results": EvidenceType.TEST_RECORD,
        "policy": EvidenceType.POLICY,
        "clients": EvidenceType.CLIENT_INVENTORY,
        "rollout": EvidenceType.ROLLOUT_RECORD,
    }
    items = {}
    for number, (name, kind) in enumerate(types.items(), start=1):
        item_id = EvidenceId(f"E{number}")
        content = (texts or {}).get(name, "")
        items[item_id] = EvidenceItem(
            id=item_id, type=kind, content=content, integrity="declared", establishes="x", file="",
            sha256=content, integrity_state=Integrity.DECLARED, revision="",
        )  # fmt: skip
    at = datetime(2026, 11, 1, tzinfo=UTC)
    noted = tuple(Note(subject="s", role="r", at=at, text=str(index)) for index in range(notes))
    request = ReviewRequest(workflow="w1", title="t", as_of="2026-11-01")
    return Bundle(
        workflow=WorkflowId.W1, title="t", request=request, items=items, decisions=Decisions(decisions=noted),
        warnings=(), root="", digest="",
    )  # fmt: skip


def steps(ends: Mapping[int, tuple[StepState, str]] | None = None) -> tuple[Step[tuple[int, ...]], ...]:
    """Nine steps that note that they ran; `ends` says which of them do not simply advance."""

    def step(number: int) -> Step[tuple[int, ...]]:
        state, code = (ends or {}).get(number, (StepState.ADVANCE, ""))

        def run(_: Bundle, facts: tuple[int, ...]) -> Outcome[tuple[int, ...]]:
            return Outcome(state=state, code=code, facts=(*facts, number))

        return Step(number=number, title=f"step {number}", does="", advance_when="", otherwise="",
                    reads=(READS[number - 1],), run=run)  # fmt: skip

    return tuple(step(number) for number in range(1, 10))


def engine(
    ends: Mapping[int, tuple[StepState, str]] | None = None, over: Bundle | None = None
) -> Engine[tuple[int, ...]]:
    return Engine(over or bundle(), steps(ends), FAILURES, ())


@pytest.mark.req("ST-001")
def test_nine_steps_run_in_order() -> None:
    run = engine()
    assert [result.number for result in run.finish()] == list(range(1, 10))
    assert run.facts == tuple(range(1, 10))
    with pytest.raises(ValueError, match="ended"):
        run.advance()


@pytest.mark.req("ST-001", "ST-002")
@given(at=st.integers(1, 9), state=st.sampled_from([StepState.REMAIN, StepState.STOP]))
def test_nothing_runs_after_a_step_that_does_not_advance(at: int, state: StepState) -> None:
    run = engine({at: (state, "")})
    assert [result.number for result in run.finish()] == list(range(1, at + 1))
    assert run.results[-1].state is state
    assert run.facts == tuple(range(1, at + 1))
    assert run.results[-1].restart == at


@pytest.mark.req("ST-002", "ST-003")
def test_a_code_brings_its_recovery_and_its_restart_point() -> None:
    last = engine({3: (StepState.STOP, "W1-F2")}).finish()[-1]
    assert (last.code, last.restart, last.next_actions) == ("W1-F2", 2, ("mend it",))


def test_a_mark_goes_on() -> None:
    run = engine({5: (StepState.ADVANCE, "W1-F3")})
    assert len(run.finish()) == 9
    assert run.results[4].code == "W1-F3"


@pytest.mark.parametrize(
    ("changed", "first"), [("contracts", 2), ("implementation", 3), ("clients", 6), ("rollout", 7)]
)
def test_a_later_run_keeps_only_what_read_the_same(changed: str, first: int) -> None:
    earlier = engine()
    earlier.finish()
    later = engine(over=bundle({changed: "other"}))
    assert later.adopt(earlier) == first
    assert [result.number for result in later.finish()] == list(range(1, 10))
    kept = [old is new for old, new in zip(earlier.results, later.results, strict=True)]
    assert kept == [number < first for number in range(1, 10)]


@pytest.mark.req("W1E-010")
def test_a_stop_resumes_no_later_than_its_restart_point() -> None:
    earlier = engine({3: (StepState.STOP, "W1-F2")})
    earlier.finish()
    assert engine().adopt(earlier) == 2


def test_an_open_gate_resumes_where_the_decision_is_read() -> None:
    earlier = engine({8: (StepState.REMAIN, "")})
    earlier.finish()
    later = engine(over=bundle(notes=1))
    assert later.adopt(earlier) == 8


def journal_entry(run: Engine[tuple[int, ...]]) -> dict[str, object]:
    return entry("digest", run.results, "decided", 1)


@pytest.mark.req("W1E-010")
def test_the_journal_finds_the_same_resume_point_as_the_engine() -> None:
    cases = [
        ({3: (StepState.STOP, "W1-F2")}, bundle(), 2),
        ({}, bundle({"clients": "other"}), 6),
        ({8: (StepState.REMAIN, "")}, bundle(notes=1), 8),
    ]
    for ends, over, first in cases:
        earlier = engine(ends)
        earlier.finish()
        later = engine(over=over)
        later.finish()
        assert resume_point(journal_entry(earlier), later.results) == first
    assert resume_point(None, ()) == 1


def test_the_journal_grows_only_when_something_changed() -> None:
    run = engine()
    run.finish()
    first = journal_entry(run)
    once = extended([], first)
    assert extended(once["runs"], first) == once
    other = dict(first, bundle="other")
    assert len(extended(once["runs"], other)["runs"]) == 2
