"""What traffic can be separated by, and how far back one can go: only what the rollout record shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import pandas as pd

from evreview.core.vocabulary import EvidenceId, VersionPath
from evreview.evidence.cited_records import Cited
from evreview.evidence.contradictions import other_state, undone
from evreview.evidence.item import Citation, EvidenceItem
from evreview.evidence.records.compatibility import RollbackDrill, RolloutRecord
from evreview.evidence.records.review import Plan, PlannedMechanism, PlanStep, day_of, same_words
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.workflows.w1.route_words import Selection, is_separated, routes_named, separated_routes, spoken_selections

MechanismKind = Literal["route-version", "percentage", "cohort", "client-identity", "feature-flag", "deployment"]
RefusalCode = Literal[
    "no-rollout-record",
    "no-such-mechanism",
    "no-such-route",
    "client-routing-needs-selector",
    "cohort-not-established",
    "no-rollback",
    "rollback-not-named",
    "rollback-not-evidenced",
]
CLIENT_KINDS: Final[frozenset[MechanismKind]] = frozenset({"cohort", "client-identity"})
_SHOWN_BY: Final[Mapping[Selection, frozenset[MechanismKind]]] = MappingProxyType(
    {
        "cohort": frozenset({"cohort"}),
        "percentage": frozenset({"percentage"}),
        "client-identity": CLIENT_KINDS,
        "feature-flag": frozenset({"feature-flag"}),
    }
)
"""Which selectors of the record allow a text to speak of a selection; a cohort may be chosen by a header or an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """One mechanism that the rollout record shows.

    Attributes:
        kind, name: what it separates by, and its name in the record.
        detail: the routes it separates, how membership is decided, or what a rollback returns to.
        citation: where the record shows it.
    """

    kind: MechanismKind
    name: str
    detail: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a part of a plan is refused (W1-F4): its kind, what of the plan it concerns, and the sentence."""

    code: RefusalCode
    subject: str
    text: str


def available(rollout: Cited[RolloutRecord] | None) -> tuple[Mechanism, ...]:
    """Every mechanism that the record shows, in its order: separations, selectors, then the deployment.

    A boundary that names fewer than two routes separates nothing and is no mechanism. The deployment is one when the
    record says what a rollback returns to.
    """
    if rollout is None:
        return ()
    record = rollout.record
    routes = [
        Mechanism(
            kind="route-version",
            name=boundary.name,
            detail=f"separates {', '.join(boundary.separates)}",
            citation=rollout.at(f"/separations/{place}"),
        )
        for place, boundary in enumerate(record.separations)
        if len(set(boundary.separates)) > 1
    ]
    selectors = [
        Mechanism(
            kind=selector.kind,
            name=selector.name,
            detail=f"selected by {selector.selected_by}",
            citation=rollout.at(f"/selectors/{place}"),
        )
        for place, selector in enumerate(record.selectors)
    ]
    back = record.rollback
    deployment = [] if back is None else [_deployment(rollout, back.boundary, back.atomic)]
    return (*routes, *selectors, *deployment)


def has(kind: MechanismKind, rollout: Cited[RolloutRecord] | None) -> bool:
    """True when the record shows a mechanism of this kind."""
    return any(mechanism.kind == kind for mechanism in available(rollout))


def unsupported_words(text: str, rollout: Cited[RolloutRecord] | None) -> tuple[MechanismKind, ...]:
    """The kinds of selection that `text` speaks of and that the record does not show (`canary`, `one in ten`)."""
    shown = {mechanism.kind for mechanism in available(rollout)}
    return tuple(kind for kind in spoken_selections(text) if not shown & _SHOWN_BY[kind])


def unsupported_routes(text: str, rollout: Cited[RolloutRecord] | None) -> tuple[str, ...]:
    """The routes and versions that `text` names and that the record does not separate."""
    separated = separated_routes(rollout)
    return tuple(route for route in routes_named(text) if not is_separated(route, separated))


def check_plan(plan: Plan, rollout: Cited[RolloutRecord] | None) -> tuple[Refusal, ...]:
    """Every part of the plan that relies on something that the record does not show; empty when all of it exists.

    Traffic steps, migration instructions and the rollback are read for what they select by and which routes they name.
    """
    if rollout is None and (plan.mechanisms or plan.rollback or plan.path is VersionPath.EXPLICIT_VERSION):
        text = "No rollout record was supplied: no mechanism and no rollback boundary is shown to exist."
        return (Refusal(code="no-rollout-record", subject=plan.path.value, text=text),)
    mechanisms = [refusal for planned in plan.mechanisms for refusal in _check_mechanism(planned, rollout)]
    typed = [step for step in plan.traffic_steps if isinstance(step, PlanStep)]
    texts = [("traffic step", step) for step in plan.traffic_steps if isinstance(step, str)]
    texts += [("traffic step", step.note) for step in typed if step.note]
    texts += [(f"migration of {step.client}", step.instruction) for step in plan.migrations]
    texts += [("rollback", plan.rollback)] if plan.rollback else []
    spoken = [refusal for what, text in texts for refusal in _check_text(what, text, rollout)]
    routes = [refusal for step in typed for refusal in _check_step(step, rollout)]
    return (*_check_path(plan, rollout), *mechanisms, *spoken, *routes, *_check_rollback(plan, rollout))


def mechanisms_frame(rollout: Cited[RolloutRecord] | None) -> pd.DataFrame:
    """One row per mechanism that the record shows. Columns, all text: kind, name, detail, evidence."""
    cells = [(item.kind, item.name, item.detail, str(item.citation)) for item in available(rollout)]
    return pd.DataFrame(cells, columns=["kind", "name", "detail", "evidence"], dtype="string")


def _deployment(rollout: Cited[RolloutRecord], boundary: str, atomic: bool) -> Mechanism:
    how = "in one step" if atomic else "not in one step"
    detail = f"rolls back to {boundary}, {how}"
    return Mechanism(kind="deployment", name=boundary, detail=detail, citation=rollout.at("/rollback"))


def _check_path(plan: Plan, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    if plan.path is not VersionPath.EXPLICIT_VERSION or has("route-version", rollout):
        return []
    text = "The plan needs two versions side by side, and the record shows no boundary that separates versions."
    return [Refusal(code="no-such-mechanism", subject=plan.path.value, text=text)]


def _check_mechanism(planned: PlannedMechanism, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    subject = f"{planned.kind} {planned.name}"
    existing = [mechanism for mechanism in available(rollout) if mechanism.kind == planned.kind]
    if any(same_words(mechanism.name, planned.name) for mechanism in existing):
        return []
    if planned.kind in CLIENT_KINDS and not existing and has("route-version", rollout):
        text = f"The record shows routing by version only; nothing selects traffic by {planned.kind}."
        return [Refusal(code="client-routing-needs-selector", subject=subject, text=text)]
    names = ", ".join(mechanism.name for mechanism in existing) or "none"
    text = f"The record shows no {planned.kind} called {planned.name}; of this kind it shows: {names}."
    return [Refusal(code="no-such-mechanism", subject=subject, text=text)]


def _check_text(what: str, text: str, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    selections = [
        Refusal(
            code="cohort-not-established" if kind in CLIENT_KINDS else "no-such-mechanism",
            subject=text,
            text=f"The {what} speaks of {kind} selection, which the record does not show.",
        )
        for kind in unsupported_words(text, rollout)
    ]
    routes = [
        Refusal(
            code="no-such-route",
            subject=text,
            text=f"The {what} names {route}, which the record does not separate.",
        )
        for route in unsupported_routes(text, rollout)
    ]
    return [*selections, *routes]


def _check_step(step: PlanStep, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    """Why the path of a typed step is none; where the record separates nothing, the path of the plan is refused."""
    separated = separated_routes(rollout)
    if step.path is None or not separated or is_separated(step.path, separated):
        return []
    text = f"The traffic step {step.id} names {step.path}, which the record does not separate."
    return [Refusal(code="no-such-route", subject=step.id, text=text)]


def _check_rollback(plan: Plan, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    back = rollout.record.rollback if rollout else None
    if plan.rollback is None:
        return []
    if back is None:
        text = "The plan relies on a rollback, and the record shows none."
        return [Refusal(code="no-rollback", subject=plan.rollback, text=text)]
    refusals = []
    if not same_words(back.boundary, plan.rollback):
        text = f"The record's rollback boundary is {back.boundary}, not {plan.rollback}."
        refusals.append(Refusal(code="rollback-not-named", subject=plan.rollback, text=text))
    if back.evidence is None:
        text = f"No evidence item shows that the rollback to {back.boundary} was exercised."
        refusals.append(Refusal(code="rollback-not-evidenced", subject=plan.rollback, text=text))
    return refusals


# Whether the evidence of a rollback shows that this rollback was exercised, and succeeded when it last was.


class DrillFault(NamedTuple):
    """Why no success of a rollback is shown, as a clause, and the item that says so."""

    clause: str
    item: EvidenceId


def drill_faults(record: RolloutRecord, items: Mapping[EvidenceId, EvidenceItem], as_of: str) -> tuple[DrillFault, ...]:
    """Why the evidence shows no success of the rollback; none when it does, or when none is named.

    Args:
        record: the rollout record.
        items: the evidence items by id; of all drills that went back to the boundary, those of the last day count.
        as_of: the review's date; a later drill does not count.
    """
    back = record.rollback
    if back is None or back.evidence is None:
        return ()
    item = items.get(back.evidence)
    shown = item.record if item else None
    if isinstance(shown, RollbackDrill):
        fault = _of_drill(shown, back.boundary, back.evidence, as_of)
    elif isinstance(shown, TestRecord):
        fault = _of_checks(shown, back.boundary, back.evidence)
    else:
        fault = f"{back.evidence} is neither a rollback drill nor a test record, so no success is shown"
    if fault:
        return (DrillFault(fault, back.evidence),)
    drills = [(id_, drill) for id_, drill in _drills(items) if same_words(drill.boundary, back.boundary)]
    days = [drill.on for _, drill in drills if drill.on <= as_of]
    last = [(id_, drill) for id_, drill in drills if days and drill.on == max(days)]
    # Of one day nobody can tell which came last, so every drill of it has to have succeeded.
    return tuple(DrillFault(f"{said}, on {drill.on}", id_) for id_, drill in last if (said := _failure(drill, id_)))


def _drills(items: Mapping[EvidenceId, EvidenceItem]) -> Iterator[tuple[EvidenceId, RollbackDrill]]:
    for id_, item in items.items():
        if isinstance(item.record, RollbackDrill):
            yield id_, item.record


def _of_drill(drill: RollbackDrill, boundary: str, item: EvidenceId, as_of: str) -> str:
    if not same_words(drill.boundary, boundary):
        return f"the drill of {item} went back to {drill.boundary}"
    if drill.on > as_of:
        return f"the drill of {item} is of {drill.on}, after the review's date"
    return _failure(drill, item)


def _failure(drill: RollbackDrill, item: EvidenceId) -> str:
    """How a drill says that it did not succeed, "" when it succeeded."""
    if drill.result != "succeeded":
        return f"the drill of {item} {drill.result}"
    said = undone(drill.text or "")
    return f"the drill of {item} is called succeeded, and its own text says `{said}`" if said else ""


def _of_checks(record: TestRecord, boundary: str, item: EvidenceId) -> str:
    own = [check for check in record.checks if _is_of(check, boundary)]
    failed = [check for check in record.checks if not check.lacking and check.result != "passed"]
    if failed:
        return f"the check {failed[0].id} of {item} {failed[0].result}"
    if not any(not check.lacking for check in own):
        return f"{item} holds no executed check of the rollback to {boundary}"
    return ""


def _is_of(check: CheckResult, boundary: str) -> bool:
    """True for a check of this boundary: by its field, else by the boundary's own name in what it checks."""
    if check.boundary is not None:
        return same_words(check.boundary, boundary)
    return " ".join(boundary.split()).casefold() in " ".join(check.what.split()).casefold()


def approval_fault(record: RolloutRecord, manager: str, as_of: str) -> str:
    """Why the rollout record is not shown to be approved, "" when it is."""
    given = record.approval
    if given is None:
        return "its approval is not shown"
    if given.state != "approved":
        return f"its approval is {given.state}"
    if given.role != manager:
        return f"{given.role} approved it, who is not the release manager"
    if day_of(given.at) > as_of:
        return "it was approved after the review's date"
    found = other_state(record.approval_state)
    return f"it is called approved, and its own state is `{found}`" if found else ""
