"""The three W2 gates in one run: who has to answer, what an answer is about, and what is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ExecutionPlan
from evreview.workflow.w2.gates import TRAFFIC
from evreview.workflows.engine.gates import (
    MUTATE,
    Dated,
    Gate,
    GateSpec,
    GateState,
    dates_of,
    digest_of,
    disposed_at,
    judge_gate,
    named_seats,
    party,
    plan_digest,
    started,
    unbound_files,
)
from evreview.workflows.engine.retained_runs import read_runs


def gate(spec: GateSpec, bundle: Bundle, *, needed: bool) -> Gate:
    """The gate as recorded; not needed where nothing asks for it and nobody has said no."""
    roles = bundle.request.roles
    judged = judge_gate(
        spec,
        named_seats(spec, roles),
        bundle.answers,
        bundle.request.as_of,
        about(spec, bundle),
        party(roles),
        tuple(_dated(spec, bundle)),
    )
    lacks = tuple(_lacking(spec, bundle))
    if lacks:
        state = GateState.OPEN if judged.state is GateState.APPROVED else judged.state
        judged = replace(judged, state=state, missing=(*judged.missing, *lacks))
    if needed or judged.state is GateState.REJECTED:
        return judged
    return Gate(spec=spec, state=GateState.NOT_NEEDED, seats=())


def traffic_gate(bundle: Bundle) -> Gate:
    """The gate before an example from logs or observed traffic is published."""
    return gate(TRAFFIC, bundle, needed=True)


def about(spec: GateSpec, bundle: Bundle) -> str:
    """The digest of what a gate lists as reviewed.

    Of a mutating example it is that of the plan, which names the digest of each file that it copies; of the others it
    is over the evidence without plans, what is asked, and the recorded dispositions.
    """
    plan = first_of(bundle, ExecutionPlan)
    if spec is MUTATE:
        return plan_digest(bundle, plan) if plan else ""
    items = (item for item in bundle.items.values() if not isinstance(item.record, ExecutionPlan))
    asked = bundle.request.model_dump_json(include={"surface", "implementation_revision", "exclusions", "assumptions"})
    disposed = (entry.model_dump_json() for entry in bundle.decisions.dispositions)
    return digest_of(items, asked, *disposed)


def _dated(spec: GateSpec, bundle: Bundle) -> Iterator[Dated]:
    """The dates of what an answer to a gate is about; a plan has none."""
    if spec is MUTATE or not any(answer.gate == spec.id for answer in bundle.answers):
        return
    yield from dates_of(bundle.items.values())
    yield from disposed_at(bundle.decisions.dispositions)
    for run in read_runs(bundle)[0]:
        yield from started(f"the run in {run.record.record.output}", run.results.started)


def _lacking(spec: GateSpec, bundle: Bundle) -> tuple[str, ...]:
    plan = first_of(bundle, ExecutionPlan)
    return unbound_files(bundle, plan.record) if spec is MUTATE and plan else ()
