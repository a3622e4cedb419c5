"""Whether the steps of a plan keep to adoption, windows and gates: nobody is sent away early, nothing ends early."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final, Literal

import pandas as pd

from evreview.core.quoted_text import Subject
from evreview.core.vocabulary import Answer, Ask, Change, EvidenceType, StepState, VersionPath
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.element_mentions import is_suffix
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import DeprecationNotice, Policy, RolloutRecord, UsageMetrics
from evreview.evidence.records.review import Plan, PlanStep, WaitsFor
from evreview.report.statement import Statement, cite, observed
from evreview.workflows.engine.gates import party
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.facts import F4, ClassifiedRow, W1Facts, material, read_contracts
from evreview.workflows.w1.policy.judgement import judge
from evreview.workflows.w1.policy.removal import RemovalEvidence, RemovalJudgement, judge_removal
from evreview.workflows.w1.policy.rollout_mechanisms import (
    Mechanism,
    Refusal,
    available,
    check_plan,
    drill_faults,
    is_separated,
    mechanisms_frame,
)

_AHEAD: Final = frozenset({"open", "route", "retire"})
"""What moves traffic, which nobody does before the review."""


class FaultCode(StrEnum):
    """What a plan's steps lack or break."""

    NOT_SHOWN = "not-shown"
    UNKNOWN_STEP = "unknown-step"
    INCOMPLETE = "incomplete"
    WHO = "who"
    ADOPTION = "adoption"
    GATE = "gate"
    WINDOW = "window"
    OBSERVATION = "observation"
    ORDER = "order"
    TOO_EARLY = "too-early"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFault:
    """One fault: its kind, the step's id ("" for the plan), what the step does, and the clause that says why."""

    code: FaultCode
    step: str = ""
    what: str = ""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """What the steps are held against.

    Attributes:
        owners: the owner of every known client, by the client's id.
        adopted: the clients whose adoption is shown.
        manager, api_owner: the roles of the request.
        window_days: how long the released path stays after the new one opens: the longest of policy and plan.
        notice_days: of the policy's conditions for a removal.
        as_of: the review's date.
    """

    owners: Mapping[str, str]
    adopted: frozenset[str]
    manager: str
    api_owner: str
    window_days: int = 0
    notice_days: int = 0
    as_of: str = ""


def plan_faults(plan: Plan, facts: StepFacts) -> tuple[StepFault, ...]:
    """Everything that the plan's steps lack or break, in their order; none when they keep to all of it.

    A step in words is not interpreted: it is not shown. A step waits for what it names, and for what the earlier steps
    that it names wait for.
    """
    typed = [step for step in plan.traffic_steps if isinstance(step, PlanStep)]
    words = [step for step in plan.traffic_steps if isinstance(step, str)]
    text = "who does what, when and after what is not shown by the plan's traffic_steps: give each as a typed step"
    unshown = [StepFault(code=FaultCode.NOT_SHOWN, text=f"{text}, not as `{word}`") for word in words]
    if not plan.traffic_steps:
        unshown = [StepFault(code=FaultCode.NOT_SHOWN, text=text)]
    known = _Steps(typed)
    found = (_fault(step, known, facts) for step in typed)
    return (*unshown, *(fault for each in found for fault in each))


def step_text(step: PlanStep) -> str:
    """A step in one line: id, what and where, who, when and after what."""
    what = " ".join(part for part in (step.what, step.path) if part)
    about = f" for {step.client}" if step.client else ""
    when = f", on {step.when}" if step.when else ""
    after = ", ".join(_wait_text(wait) for wait in step.waits_for)
    return f"{step.id}: {what}{about} ({step.who}{when}{f'; after {after}' if after else ''})"


def _wait_text(wait: WaitsFor) -> str:
    if wait.gate:
        return f"gate {wait.gate}"
    if wait.adoption:
        return f"adoption by {wait.adoption}"
    days = f" and {wait.days} days" if wait.days else ""
    return f"{wait.step}{days}{' and its observation window' if wait.observed else ''}"


class _Steps:
    """The typed steps with what each waits for, directly or through the steps before it."""

    def __init__(self, steps: Sequence[PlanStep]) -> None:
        self.listed = tuple(steps)
        self._delays: list[dict[str, int]] = []
        self._rest: list[tuple[WaitsFor, ...]] = []
        for place, step in enumerate(steps):
            self._add(step, self._places(place))

    def _places(self, before: int) -> Mapping[str, int]:
        return {step.id: place for place, step in enumerate(self.listed[:before])}

    def _add(self, step: PlanStep, earlier: Mapping[str, int]) -> None:
        delays: dict[str, int] = {}
        rest = list(step.waits_for)
        for wait in step.waits_for:
            if wait.step is None or wait.step not in earlier:
                continue
            before, days = earlier[wait.step], wait.days or 0
            delays[wait.step] = max(days, delays.get(wait.step, 0))
            for name, more in self._delays[before].items():
                delays[name] = max(days + more, delays.get(name, 0))
            rest += self._rest[before]
        self._delays.append(delays)
        self._rest.append(tuple(rest))

    def place(self, step: PlanStep) -> int:
        return next(place for place, each in enumerate(self.listed) if each is step)

    def earlier(self, step: PlanStep) -> Mapping[str, PlanStep]:
        """The steps listed before it, by id."""
        return {each.id: each for each in self.listed[: self.place(step)]}

    def after(self, step: PlanStep) -> Iterator[tuple[PlanStep, int]]:
        """The steps that it comes after, each with the days between."""
        earlier = self.earlier(step)
        return ((earlier[name], days) for name, days in self._delays[self.place(step)].items())

    def waits(self, step: PlanStep) -> tuple[WaitsFor, ...]:
        """Everything that it waits for."""
        return self._rest[self.place(step)]

    def adoptions(self, step: PlanStep) -> frozenset[str]:
        """The clients whose adoption it waits for."""
        named = {wait.adoption for wait in self.waits(step) if wait.adoption}
        return frozenset(named | {each.client for each, _ in self.after(step) if each.what == "adopt" and each.client})


def _fault(step: PlanStep, steps: _Steps, facts: StepFacts) -> Iterator[StepFault]:
    def fault(code: FaultCode, text: str) -> StepFault:
        return StepFault(code=code, step=step.id, what=step.what, text=f"the step {step.id} {text}")

    for code, text in (*_form(step, steps, facts), *_dates(step, steps, facts)):
        yield fault(code, text)
    rules = {"open": _open, "adopt": _adopt, "route": _route, "retire": _retire, "roll back": _roll_back}
    if step.what in rules:
        for code, text in rules[step.what](step, steps, facts):
            yield fault(code, text)


_Found = Iterable[tuple[FaultCode, str]]


def _form(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    earlier = steps.earlier(step)
    if step.id in earlier:
        yield FaultCode.UNKNOWN_STEP, "has the id of an earlier step"
    for wait in step.waits_for:
        if wait.step is not None and wait.step not in earlier:
            yield FaultCode.UNKNOWN_STEP, f"waits for {wait.step}, which is no earlier step"
    if step.path is None and step.what != "notify":
        yield FaultCode.INCOMPLETE, "names no path"
    if step.client is None and step.what == "adopt":
        yield FaultCode.INCOMPLETE, "names no client"
    named = [step.client, *(wait.adoption for wait in step.waits_for)]
    for client in dict.fromkeys(name for name in named if name and name not in facts.owners):
        yield FaultCode.INCOMPLETE, f"names the client {client}, which no inventory lists"


def _dates(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    if step.when is None:
        return
    if step.what in _AHEAD and step.when < facts.as_of:
        yield FaultCode.TOO_EARLY, f"is planned for {step.when}, before the review's date {facts.as_of}"
    for before, days in steps.after(step):
        # What moves traffic lies ahead: without a day of its own it happens on the review's date at the earliest.
        begins = before.when or (facts.as_of if before.what in _AHEAD else "")
        if begins and _between(begins, step.when) < days:
            yield FaultCode.TOO_EARLY, f"is planned for {step.when}, less than {days} days after {before.id}"


def _open(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    yield from _managed(step, facts)
    yield from _gated(step, steps, "ship-breaking-change")


def _adopt(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    owner = facts.owners.get(step.client or "")
    if owner is not None and owner != step.who:
        yield FaultCode.WHO, f"is of {step.who}, and {owner} owns the client {step.client}"
    yield from _opened(step, steps)


def _route(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    yield from _managed(step, facts)
    yield from _gated(step, steps, "ship-breaking-change")
    yield from _opened(step, steps)
    moved = [step.client] if step.client else list(facts.owners)
    for client in moved:
        if client not in facts.adopted | steps.adoptions(step):
            yield FaultCode.ADOPTION, f"sends {client} to {step.path or 'a path'} without waiting for its adoption"


def _retire(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    if step.who not in (facts.manager, facts.api_owner):
        yield FaultCode.WHO, f"is of {step.who}, who is neither the API owner nor the release manager"
    yield from _gated(step, steps, "remove-deprecated")
    opened = [each for each in steps.listed if each.what == "open"]
    if any(_same(step.path, each.path) for each in opened):
        yield FaultCode.ORDER, f"ends {step.path}, which the plan itself opens"
    for client in facts.owners:
        if client not in facts.adopted | steps.adoptions(step):
            yield FaultCode.ADOPTION, f"ends {step.path or 'a path'} without waiting for the adoption by {client}"
    yield from _windows(step, steps, facts, opened)
    watched = {wait.step for wait in steps.waits(step) if wait.observed}
    for each in steps.listed:
        if each.what in ("adopt", "route") and each.id not in watched and not _same(each.path, step.path):
            yield FaultCode.OBSERVATION, f"does not wait for the observation window of {each.id}"


def _windows(step: PlanStep, steps: _Steps, facts: StepFacts, opened: Sequence[PlanStep]) -> _Found:
    """The support window counts from the opening, the notice from the step that gives it."""
    delays = {each.id: days for each, days in steps.after(step)}
    if facts.window_days and not any(_days(each, step, delays) >= facts.window_days for each in opened):
        yield FaultCode.WINDOW, f"does not wait for the support window of {facts.window_days} days after the opening"
    for each, _ in steps.after(step):
        if each.what == "notify" and _days(each, step, delays) < facts.notice_days:
            yield FaultCode.WINDOW, f"does not wait for {facts.notice_days} days of notice after {each.id}"


def _roll_back(step: PlanStep, steps: _Steps, facts: StepFacts) -> _Found:
    yield from _managed(step, facts)
    for each in steps.earlier(step).values():
        if each.what == "retire" and _same(each.path, step.path):
            yield FaultCode.ORDER, f"goes back to {step.path}, which {each.id} has ended"


def _managed(step: PlanStep, facts: StepFacts) -> _Found:
    if step.who != facts.manager:
        yield FaultCode.WHO, f"is of {step.who}, and the release manager approves traffic changes"


def _gated(step: PlanStep, steps: _Steps, gate: str) -> _Found:
    if gate not in {wait.gate for wait in steps.waits(step)}:
        yield FaultCode.GATE, f"does not wait for the gate {gate}"


def _opened(step: PlanStep, steps: _Steps) -> _Found:
    opening = [each for each in steps.listed if each.what == "open" and _same(each.path, step.path)]
    after = {each.id for each, _ in steps.after(step)}
    if opening and not any(each.id in after for each in opening):
        yield FaultCode.ORDER, f"does not wait for {opening[0].id}, which opens {step.path}"


def _days(before: PlanStep, step: PlanStep, delays: Mapping[str, int]) -> int:
    """The days between, as the step waits or as both are dated."""
    dated = _between(before.when, step.when) if before.when and step.when else 0
    return max(dated, delays.get(before.id, 0))


def _between(before: str, after: str) -> int:
    return (date.fromisoformat(after) - date.fromisoformat(before)).days


def _same(left: str | None, right: str | None) -> bool:
    return left is not None and right is not None and is_separated(left, (right,)) and is_separated(right, (left,))


# Which of the five supported paths a change takes (W1 step 7), with the mechanisms that exist.


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


# Step 7: choose a supported path, and judge what is asked to be removed.


def choose(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The path and its conditions; F4 when the plan relies on a mechanism that the rollout record does not show."""
    policy, rollout = first_of(bundle, Policy), first_of(bundle, RolloutRecord)
    tables = {"Mechanisms": mechanisms_frame(rollout)}
    refused = tuple(_refusals(bundle))
    if refused:
        return Outcome(state=StepState.STOP, code=F4.code, facts=facts, reasons=refused, tables=tables)
    if facts.unknown_consumers is None:
        raise ValueError("step 7 needs the consumers of step 5")
    removal_asked = Ask.REMOVE in bundle.request.asks
    path = choose_path(facts.rows, policy, rollout, bundle.request.plan, removal_asked=removal_asked)
    if rollout is not None and drill_faults(rollout.record, bundle.items, bundle.request.as_of):
        path = replace(path, rollback="")
    judgements = {row.delta.id: judge(row, facts.impacts, facts.unknown_consumers, policy) for row in facts.rows}
    known = replace(facts, path=path, judgements=judgements, removals=tuple(_removals(bundle, facts)))
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables | {"Path": _path_frame(known)})


def _refusals(bundle: Bundle) -> Iterable[Statement]:
    plan, rollout = bundle.request.plan, first_of(bundle, RolloutRecord)
    if plan is None:
        return
    items = bundle.of_type(EvidenceType.ROLLOUT_RECORD)
    on = (rollout.citation,) if rollout else cite(*(item.id for item in items)) or read_contracts(bundle)
    for refusal in check_plan(plan, rollout):
        yield observed(refusal.text, on=on)
    back = rollout.record.rollback if rollout else None
    if rollout is None or back is None or plan.rollback is None:
        return
    for fault in drill_faults(rollout.record, bundle.items, bundle.request.as_of):
        shown = cite(rollout.at("/rollback"), *dict.fromkeys((back.evidence, fault.item)))
        yield observed("That the rollback to ", Subject(back.boundary), " works is not shown: ",
                       Subject(fault.clause), ".", on=shown)  # fmt: skip


def _removals(bundle: Bundle, facts: W1Facts) -> Iterable[RemovalJudgement]:
    adopted = {state.client for state in facts.migrations if state.adopted}
    for removal in bundle.request.removals:
        removed = {row.delta.id for row in facts.rows if is_suffix(removal.address, row.delta.address)}
        waiting = {
            impact.client
            for impact in facts.impacts
            if impact.delta_id in removed and impact.touched is not Answer.NO and impact.client not in adopted
        }
        evidence = RemovalEvidence(
            policy=first_of(bundle, Policy),
            metrics=records_of(bundle, UsageMetrics),
            waiting_clients=tuple(sorted(waiting)),
            owners_unknown=bool(facts.ownership_gaps),
            notices={cited.citation.id: cited.record for cited in records_of(bundle, DeprecationNotice)},
            surface=bundle.request.surface or "",
            release=facts.released.release if facts.released else "",
            provider=party(bundle.request.roles),
            owners=frozenset(state.owner_role for state in facts.migrations),
        )
        yield judge_removal(removal, bundle.request.as_of, facts.rows, evidence)


def _path_frame(facts: W1Facts) -> pd.DataFrame:
    path = facts.path
    if path is None:
        return pd.DataFrame(columns=["what", "value"])
    rows = [
        ("path", str(path.path)),
        ("proposed by", path.proposed_by),
        ("why", path.why),
        ("mechanisms", ", ".join(mechanism.name for mechanism in path.mechanisms)),
        ("rollback", path.rollback),
        ("retention", path.retention),
        ("support window", path.support_window),
        ("notice", path.notice),
    ]
    return pd.DataFrame([(what, value or "not supplied") for what, value in rows], columns=["what", "value"])
