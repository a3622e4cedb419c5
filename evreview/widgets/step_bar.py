"""Where a run stands among its nine steps, in words first and colour second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evreview.core.vocabulary import StepState
from evreview.report import escape
from evreview.workflows.widgets.faces import Face, Markup, joined, tag, text
from evreview.workflows.widgets.styles import TONES

WORDS: Final = {StepState.ADVANCE: "done", StepState.REMAIN: "remains", StepState.STOP: "stopped"}
NOT_REACHED: Final = "not reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMark:
    """One step of the bar; `state` is None for a step that was not reached."""

    number: int
    title: str
    state: StepState | None = None
    code: str = ""

    @property
    def word(self) -> str:
        """The state in words, with the failure code."""
        known = WORDS[self.state] if self.state else NOT_REACHED
        return f"{known}, {self.code}" if self.code else known


@dataclass(frozen=True, kw_only=True)
class StepBar(Face):
    """All steps in order; `current` is the one being looked at, 0 for none."""

    steps: Sequence[StepMark]
    current: int = 0
    headless: bool | None = None

    def to_text(self) -> str:
        return "\n".join(f"{step.number} {step.title}: {step.word}" for step in self.steps)

    def to_markdown(self) -> str:
        head = "| Step | Title | State |\n|---|---|---|\n"
        return head + "\n".join(
            f"| {step.number} | {escape.cell(step.title)} | {escape.cell(step.word)} |" for step in self.steps
        )

    def to_html(self) -> Markup:
        return tag("ul", joined(self._item(step) for step in self.steps), class_="evr-steps", aria_label="Steps")

    def _item(self, step: StepMark) -> Markup:
        tone = TONES.get(str(step.state), "plain") if step.state else "plain"
        here = step.number == self.current
        return tag(
            "li",
            tag("b", text(f"{step.number} {step.word}")),
            tag("span", text(": "), class_="evr-hidden"),
            text(step.title),
            class_=f"evr-{tone}" + (" evr-now" if here else ""),
            aria_current="step" if here else "",
        )
