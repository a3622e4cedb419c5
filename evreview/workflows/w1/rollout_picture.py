"""The planned rollout as a Mermaid flowchart: steps in the plan's order, on the arrows what each waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.evidence.item import Bundle
from evreview.evidence.records.review import PlanStep, WaitsFor
from evreview.report.escape import SafeMarkdown, fence
from evreview.workflows.w1.facts import W1Facts

LEAST: Final = 2
"""Steps that are worth a picture."""
_ACTIVE: Final = re.compile(r"[^\w /.,:()+-]+")
"""Signs of Mermaid's own grammar and of HTML; a label holds none of them."""


def rollout_picture(bundle: Bundle, facts: W1Facts) -> SafeMarkdown:
    """The fenced picture, "" where the plan has too few typed steps or no supported path."""
    steps = drawn_steps(bundle, facts)
    if len(steps) < LEAST or facts.path is None:
        return SafeMarkdown("")
    return fence("\n".join(_lines(steps, rollback=bool(facts.path.rollback))), "mermaid")


def drawn_steps(bundle: Bundle, facts: W1Facts) -> list[PlanStep]:
    """The typed steps of the plan in its order; none where no supported path carries them."""
    plan = bundle.request.plan
    if plan is None or facts.path is None or facts.path.refusals:
        return []
    return [step for step in plan.traffic_steps if isinstance(step, PlanStep)]


def waits_of(step: PlanStep) -> tuple[str, ...]:
    """What the step waits for, in a word each; an earlier step by its name."""
    return tuple(dict.fromkeys(_wait(each) or str(each.step) for each in step.waits_for))


def _lines(steps: list[PlanStep], *, rollback: bool) -> Iterator[str]:
    way_back = "; dotted is the way back" if rollback else ""
    yield "flowchart LR"
    yield "  accTitle: Planned rollout"
    planned = f"{len(steps)} traffic steps as the request plans them; on the arrows what each waits for"
    yield f"  accDescr: {planned}{way_back}"
    names = {step.id: f"s{number}" for number, step in enumerate(steps)}
    labels = {"now": '["now: the released path"]', **{names[step.id]: f'["{_label(step)}"]' for step in steps}}

    def node(name: str) -> str:
        return name + labels.pop(name, "")  # an arrow that names it first says what it is

    for number, step in enumerate(steps):
        before = [each for each in step.waits_for if each.step in names]
        for each in before:
            yield f"  {node(names[each.step or ''])} -->{_on_arrow(each)} {node(names[step.id])}"
        others = [each for each in step.waits_for if each.step not in names]
        if others or not before:
            came = "now" if number == 0 or not before else names[steps[number - 1].id]
            yield f"  {node(came)} -->{_on_arrow(*others)} {node(names[step.id])}"
    if rollback:
        back = [names[step.id] for step in steps if step.what in ("open", "adopt", "route")]
        yield from ([f"  {' & '.join(back)} -.-> now"] if back else [])


def _label(step: PlanStep) -> str:
    target = f" on {step.path}" if step.path else ""
    return _safe(f"{step.what} {step.client or ''}{target}: {step.who}")


def _on_arrow(*waits: WaitsFor) -> str:
    told = ", ".join(filter(None, (_wait(each) for each in waits)))
    return f'|"{told}"|' if told else ""


def _wait(each: WaitsFor) -> str:
    if each.gate or each.adoption:
        return _safe(f"gate {each.gate}" if each.gate else f"adoption by {each.adoption}")
    told = [f"{each.days} days"] if each.days else []
    return " and ".join([*told, *(["observed"] if each.observed else [])])


def _safe(text: str) -> str:
    return " ".join(_ACTIVE.sub(" ", text).split())[:70]
