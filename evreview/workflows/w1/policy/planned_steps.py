"""The steps of a rollout plan, held against the record of what exists and against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from evreview.evidence.records.review import Plan, PlanStep, WaitsFor
from evreview.workflows.w1.route_words import is_separated

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
    when = f", on {step.when}" if step.when else ""
    after = ", ".join(_wait_text(wait) for wait in step.waits_for)
    return f"{step.id}: {step_does(step)} ({step.who}{when}{f'; after {after}' if after else ''})"


def step_does(step: PlanStep) -> str:
    """What the step does, and where or for whom."""
    what = " ".join(part for part in (step.what, step.path) if part)
    return f"{what} for {step.client}" if step.client else what


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
