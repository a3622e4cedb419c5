"""What traffic can be separated by, and how far back one can go: only what the rollout record shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import pandas as pd

from evreview.core.vocabulary import VersionPath
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import RolloutRecord
from evreview.evidence.records.review import Plan, PlannedMechanism, PlanStep
from evreview.policy.wording import Selection, is_separated, routes_named, spoken_selections

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


def separated_routes(rollout: Cited[RolloutRecord] | None) -> tuple[str, ...]:
    """The routes and versions that the record separates, in its order."""
    boundaries = rollout.record.separations if rollout else ()
    return tuple(dict.fromkeys(route for boundary in boundaries for route in boundary.separates))


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
    if any(_same(mechanism.name, planned.name) for mechanism in existing):
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
    if not _same(back.boundary, plan.rollback):
        text = f"The record's rollback boundary is {back.boundary}, not {plan.rollback}."
        refusals.append(Refusal(code="rollback-not-named", subject=plan.rollback, text=text))
    if back.evidence is None:
        text = f"No evidence item shows that the rollback to {back.boundary} was exercised."
        refusals.append(Refusal(code="rollback-not-evidenced", subject=plan.rollback, text=text))
    return refusals


def _same(left: str, right: str) -> bool:
    return " ".join(left.split()).casefold() == " ".join(right.split()).casefold()
