"""The first screen of a review: the decision, what to do next and who does it, where it breaks, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from evreview.report import escape
from evreview.workflows.widgets.renderables import Markup, Renderable, from_markdown, joined, tag, text
from evreview.workflows.widgets.styles import TONES
from evreview.workflows.widgets.table_markup import badge
from evreview.workflows.widgets.timeline import Timeline

ANSWER: Final = "Answer the open gates"
MOST: Final = 5
"""Actions that the screen names; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class FirstScreen(Renderable):
    """What a reader sees before anything else.

    Attributes:
        title: of the review.
        state, headline: how it ends, and in one sentence.
        reason: why, where a step ended the run; the artifact's second line says the same. "" for another end.
        scope: what was judged, in one line.
        actions: what to do, in order, each with its owner.
        answer: where an open gate is answered, as the fragment of a link; "" where none is open.
        opening: the artifact's first lines and its table at a glance, as Markdown.
        timeline: what has a date, and what waits; shows nothing where there is too little.
    """

    title: str
    state: str
    headline: str
    scope: str
    actions: tuple[str, ...]
    opening: str
    reason: str = ""
    answer: str = ""
    timeline: Timeline = field(default_factory=lambda: Timeline(marks=()))
    headless: bool | None = None

    def to_text(self) -> str:
        return f"{self.title}\n\n{self.opening}\n{self.timeline.to_text()}".rstrip()

    def to_markdown(self) -> str:
        return f"# {escape.heading(self.title)}\n\n{self.opening}\n{self.timeline.to_markdown()}".rstrip()

    def to_html(self) -> Markup:
        reasons, glance = self._parts()
        head = tag("h2", badge(self.state), text(f" Decision: {self.headline}"))
        scope = tag("p", text(self.scope), class_="evr-muted")
        edge = f"evr-verdict evr-edge-{TONES.get(self.state, 'plain')}"
        why_so = tag("p", text(self.reason)) if self.reason else text("")
        decision = tag("section", head, why_so, scope, class_=edge, data_role="decision", aria_label="Decision")
        shown = tag("div", from_markdown(glance), class_="evr-page evr-card") if glance else text("")
        why = tag("div", from_markdown(reasons), class_="evr-page")
        columns = tag("div", self._next(), shown, class_="evr-two-columns")
        return joined([decision, columns, self.timeline.to_html(), why])

    def _next(self) -> Markup:
        steps = [tag("li", text(each)) for each in self.actions[:MOST]]
        more = len(self.actions) - MOST
        rest = tag("span", text(f" {more} more in the decision record"), class_="evr-aside") if more > 0 else text("")
        link = tag("a", text(ANSWER), href=f"#{self.answer}", class_="evr-go") if self.answer else text("")
        none = tag("p", text("Nothing is left to do.")) if not steps else text("")
        parts = [tag("h3", text("What to do next"), rest), tag("ol", *steps) if steps else none, link]
        return tag("section", *parts, class_="evr-card", data_role="next", aria_label="What to do next")

    def _parts(self) -> tuple[str, str]:
        """The lines and the table at a glance; decision and reason, the first lines, have a place of their own."""
        lines, mark, glance = self.opening.strip().partition("\n### ")
        told = 2 if self.reason else 1
        lines = "\n".join(lines.split("\n")[told:])
        return lines, f"{mark.strip()} {glance}" if mark else ""
