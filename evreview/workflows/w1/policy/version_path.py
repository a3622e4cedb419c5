"""The one supported path, from the plan or proposed from the rows, with migration, notice and retention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evreview.core.vocabulary import Change, VersionPath
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import Policy, RolloutRecord
from evreview.evidence.records.review import Plan, PlanStep
from evreview.workflows.w1.facts import ClassifiedRow, material
from evreview.workflows.w1.policy.planned_steps import step_text
from evreview.workflows.w1.policy.rollout_mechanisms import Mechanism, Refusal, available, check_plan

RETENTION: Final = (
    "The released contract artifact and the old handler stay until every affected owner has adopted the new path "
    "and the observation gates have passed."
)
_PERIOD: Final = re.compile(r"(?<![\d.,])(\d{1,5})[ -](day|week|month|year)s?\b")
_DAYS: Final = {"day": 1, "week": 7, "month": 31, "year": 366}
"""Days at most, so that no window is called too short that may not be."""
MOVES: Final = frozenset({VersionPath.EXPLICIT_VERSION, VersionPath.DEPRECATION_WINDOW})
"""The paths on which clients move while the released form stays."""
_KEEPS_SHAPE: Final = frozenset({VersionPath.IN_PLACE, VersionPath.ADDITIVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class PathChoice:
    """The path of a change.

    Attributes:
        path: one of the five.
        proposed_by: whether the team's plan named it or evreview derived it.
        why: the reason, from the rows and the mechanisms.
        mechanisms: the existing mechanisms that it uses.
        refusals: what the plan relies on and the record does not show (W1-F4 when not empty).
        objections: why the path does not fit the rows, although its mechanisms exist.
        traffic_steps: the plan's steps that the record supports, or the steps that the mechanisms give.
        step_names: the same in short, a typed step by its id.
        rollback: the rollback boundary, "" when none is shown with evidence.
        retention: what stays until when.
        support_window, notice: from the plan or the policy, "" where neither states one.
        exit_evidence: what must be shown before the released form goes.
        citations: the rollout record and the policy where used.
    """

    path: VersionPath
    proposed_by: Literal["plan", "evreview"]
    why: str
    mechanisms: tuple[Mechanism, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    objections: tuple[str, ...] = ()
    traffic_steps: tuple[str, ...] = ()
    step_names: tuple[str, ...] = ()
    rollback: str = ""
    retention: str = RETENTION
    support_window: str = ""
    notice: str = ""
    exit_evidence: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()

    @property
    def supported(self) -> bool:
        """True when nothing is refused and the path ships something."""
        return not self.refusals and not self.objections and self.path is not VersionPath.REJECTION


def choose_path(
    rows: Sequence[ClassifiedRow],
    policy: Cited[Policy] | None,
    rollout: Cited[RolloutRecord] | None,
    plan: Plan | None,
    removal_asked: bool = False,
) -> PathChoice:
    """The path for `rows`: the plan's, checked against the record, or without a plan one that the record supports.

    Without a plan: nothing differs, or nothing is material: in place (additive when all rows are additions). All
    material rows are removals and a removal is asked: deprecation window. Versions can be separated: explicit
    version. Otherwise: rejection.

    Args:
        rows: all rows of the comparison.
        policy: for windows and notice.
        rollout: for mechanisms.
        plan: the team's plan.
        removal_asked: True when the request asks for a removal.
    """
    if plan is None:
        path, why = _propose(rows, rollout, removal_asked)
        refusals: tuple[Refusal, ...] = ()
        objections: tuple[str, ...] = ()
    else:
        path, why = plan.path, "The plan names this path."
        refusals, objections = check_plan(plan, rollout), (*_objections(plan.path, rows), *_too_short(plan, policy))
    mechanisms = _used(path, rollout, plan)
    steps = _steps(path, mechanisms, plan, refusals)
    return PathChoice(
        path=path,
        proposed_by="evreview" if plan is None else "plan",
        why=why,
        mechanisms=mechanisms,
        refusals=refusals,
        objections=objections,
        traffic_steps=tuple(step if isinstance(step, str) else step_text(step) for step in steps),
        step_names=tuple(_subject(step) for step in steps),
        rollback=_rollback(rollout, refusals),
        retention=plan.retention if plan and plan.retention else RETENTION,
        support_window=_window(policy, plan),
        notice=_notice(policy),
        exit_evidence=_exit_evidence(path, policy),
        citations=tuple(found.citation for found in (rollout, policy) if found),
    )


def _propose(
    rows: Sequence[ClassifiedRow], rollout: Cited[RolloutRecord] | None, removal_asked: bool
) -> tuple[VersionPath, str]:
    kept = [row for row in rows if material(row)]
    if not rows:
        return VersionPath.IN_PLACE, "No wire-level difference was found."
    if not kept:
        if all(row.delta.change is Change.ADDED for row in rows):
            return VersionPath.ADDITIVE, "Every difference is a compatible addition."
        return VersionPath.IN_PLACE, "No difference is breaking or unknown."
    count = f"{len(kept)} of {len(rows)} differences are breaking or unknown"
    if removal_asked and all(row.delta.change is Change.REMOVED for row in kept):
        return VersionPath.DEPRECATION_WINDOW, f"{count}, all of them removals, and a removal is asked."
    if any(mechanism.kind == "route-version" for mechanism in available(rollout)):
        return VersionPath.EXPLICIT_VERSION, f"{count}, and the rollout record shows routing by version."
    return VersionPath.REJECTION, f"{count}, and nothing in the rollout record separates the released form from it."


def _objections(path: VersionPath, rows: Sequence[ClassifiedRow]) -> tuple[str, ...]:
    kept = [row for row in rows if material(row)]
    if path in _KEEPS_SHAPE and kept:
        return (f"{path.value} does not fit: {len(kept)} of {len(rows)} differences are breaking or unknown.",)
    return ()


def _too_short(plan: Plan, policy: Cited[Policy] | None) -> tuple[str, ...]:
    """Why the plan's support window breaks the policy's; a window in other words than a number of days says nothing."""
    asked, stated = policy.record.support_window_days if policy else None, stated_window(plan)
    if asked is None or stated is None or stated >= asked:
        return ()
    return (f"its support window of {stated} days is shorter than the policy's {asked} days",)


def stated_window(plan: Plan) -> int | None:
    """The days of the plan's support window, at most; None when it states no number of days."""
    found = [int(number) * _DAYS[unit] for number, unit in _PERIOD.findall(plan.support_window or "")]
    return max(found, default=None)


def _used(path: VersionPath, rollout: Cited[RolloutRecord] | None, plan: Plan | None) -> tuple[Mechanism, ...]:
    """What the plan names and exists; without planned mechanisms what the path itself needs."""
    existing = available(rollout)
    if plan and plan.mechanisms:
        named = {(planned.kind, planned.name.casefold()) for planned in plan.mechanisms}
        return tuple(mechanism for mechanism in existing if (mechanism.kind, mechanism.name.casefold()) in named)
    if path is VersionPath.EXPLICIT_VERSION:
        return tuple(mechanism for mechanism in existing if mechanism.kind == "route-version")
    if path is VersionPath.REJECTION:
        return ()
    return tuple(mechanism for mechanism in existing if mechanism.kind == "deployment")


def _steps(
    path: VersionPath, mechanisms: tuple[Mechanism, ...], plan: Plan | None, refusals: tuple[Refusal, ...]
) -> tuple[PlanStep | str, ...]:
    if plan and plan.traffic_steps:
        refused = {refusal.subject for refusal in refusals}
        return tuple(step for step in plan.traffic_steps if _subject(step) not in refused)
    if path is VersionPath.REJECTION or not mechanisms:
        return ()
    if path is VersionPath.EXPLICIT_VERSION:
        first = mechanisms[0]
        return (
            f"Open the new version beside the released one at {first.name} ({first.detail}).",
            "Each affected client moves when its own owner changes the path that it requests.",
        )
    return tuple(f"Switch by {mechanism.kind} {mechanism.name}." for mechanism in mechanisms)


def _subject(step: PlanStep | str) -> str:
    return step if isinstance(step, str) else step.id


def _rollback(rollout: Cited[RolloutRecord] | None, refusals: tuple[Refusal, ...]) -> str:
    back = rollout.record.rollback if rollout else None
    if back is None or back.evidence is None or any(refusal.code.startswith("rollback") for refusal in refusals):
        return ""
    return f"{back.boundary} ({'atomic' if back.atomic else 'not atomic'})"


def _window(policy: Cited[Policy] | None, plan: Plan | None) -> str:
    if plan and plan.support_window:
        return plan.support_window
    days = policy.record.support_window_days if policy else None
    return "" if days is None else f"{days} days"


def _notice(policy: Cited[Policy] | None) -> str:
    conditions = policy.record.removal if policy else None
    return "" if conditions is None else f"{conditions.notice_days} days"


def _exit_evidence(path: VersionPath, policy: Cited[Policy] | None) -> tuple[str, ...]:
    if path not in MOVES:
        return ()
    needed = ["Adoption evidence from the owner of every affected client.", "Observation gates passed at each step."]
    conditions = policy.record.removal if policy else None
    if conditions:
        needed.append(f"{conditions.notice_days} days of notice elapsed.")
    if conditions and conditions.zero_use_evidence:
        needed.append("Privacy-safe evidence that nobody uses the released form.")
    return tuple(needed)
