"""Open gates, answered by a person in the notebook; and what is common to all forms.

An answer is validated, appended and shown; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from evreview.core.errors import EvreviewError
from evreview.evidence.records.review import Approval, Entry, day_of
from evreview.report import escape
from evreview.workflows.engine.gates import Gate, Seat, answer_first
from evreview.workflows.widgets.display_context import now
from evreview.workflows.widgets.renderables import Clean, Markup, Renderable, joined, tag, text
from evreview.workflows.widgets.table_markup import badge

if TYPE_CHECKING:
    import ipywidgets

    from evreview.workflows.widgets.gate_panel import GatePanel


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person filled in."""

    gate: str
    seat: Seat
    decision: str
    reviewed: tuple[str, ...]
    note: str = ""
    about: str = ""


def too_early(seat: Seat, first: Sequence[Seat]) -> str:
    """Why an approval would never count that is given before those of an earlier stage."""
    return f"{seat} answers after {' and '.join(map(str, first))}; an approval given before does not count."


def approval(answer: Answer, at: datetime) -> Approval:
    """The answer as an entry of `decisions.yaml`.

    Raises:
        ValidationError: a field is not what the record allows.
    """
    return Approval.model_validate(
        {
            "gate": answer.gate,
            "role": answer.seat.role,
            "stands_for": answer.seat.stands_for,
            "client": answer.seat.client or None,
            "decision": answer.decision,
            "at": at,
            "reviewed": answer.reviewed,
            "of": answer.about or None,
            "note": answer.note,
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """How a review is made again, and what it would come to.

    Attributes:
        preview: what the review says for a day, line by line; nothing is written.
        run: takes recorded answers in, for a day ("" for the one that stands); the gates of the new review.
        decision: the headline of the review that stands now.
    """

    preview: Callable[[str], tuple[str, ...]]
    run: Callable[[str], Sequence[Gate]]
    decision: Callable[[], str]


@dataclass(kw_only=True)
class GateForm(Renderable):
    """The gates of a run and the means to answer those that are open.

    Attributes:
        gates: every gate.
        append: writes a valid entry to `decisions.yaml`.
        as_of: the day of the review, "" when none is set; an answer given later does not count for it.
        clock: gives the time of the answer.
        clean: redacts every text before it is shown.
        again: reviews again after an answer; without it the reader runs the notebook again.
        told_first: what whoever answers has to know first, "" for nothing.
    """

    gates: Sequence[Gate]
    append: Callable[[Approval], object]
    as_of: str = ""
    clock: Callable[[], datetime] = now
    clean: Clean = str
    again: Again | None = None
    told_first: str = ""
    headless: bool | None = None
    _panel: GatePanel | None = field(default=None, repr=False)

    def answer(self, given: Answer) -> tuple[bool, tuple[str, ...]]:
        """Append a person's answer; an approval of what was not reviewed counts for nothing and is not taken.

        Returns:
            Whether it was appended, and the lines to show: what was appended, or why nothing was.
        """
        asked = next((gate for gate in self.gates if gate.spec.id == given.gate), None)
        if asked and given.decision == "approved" and (first := answer_first(asked, given.seat)):
            return False, (self.clean(too_early(given.seat, first)),)
        wanted = asked.spec.reviewed if asked else ()
        unseen = [each for each in wanted if each not in given.reviewed] if given.decision == "approved" else []
        if unseen:
            told = (f"Not ticked as reviewed: {self.clean(each)}." for each in unseen)
            return False, (*told, "Tick what was reviewed, or reject.")
        return recorded(lambda: approval(given, self.clock()), self.append, self.clean, self.as_of)

    @property
    def later_day(self) -> str:
        """Today, where that is later than the day of the review: an answer of today does not count for it."""
        today = day_of(self.clock())
        return today if self.as_of and today > self.as_of else ""

    def review_again(self, day: str) -> tuple[bool, tuple[str, ...]]:
        """Take the answers in, for that day or the one that stands: whether it was done, and the lines that say so."""
        if self.again is None:
            return False, ()
        try:
            self.gates = self.again.run(day)
        except EvreviewError as error:
            return False, tuple(map(self.clean, str(error).splitlines()))
        self.as_of = day or self.as_of
        return True, (f"Decision: {self.clean(self.again.decision())}.",)

    def to_text(self) -> str:
        lines = (f"{gate.spec.title} ({gate.spec.id}): {gate.state}{_because(gate)}" for gate in self.gates)
        return self.clean("\n".join(lines)) or _NONE

    def to_markdown(self) -> str:
        if not self.gates:
            return _NONE
        rows = [
            f"| {escape.cell(gate.spec.id)} | {escape.cell(gate.state)} | {escape.cell(self.clean(_needs(gate)))} "
            f"| {escape.cell(self.clean('; '.join(gate.missing)))} |"
            for gate in self.gates
        ]
        return "\n".join(["| Gate | State | Who answers | What is missing |", "|---|---|---|---|", *rows])

    def to_html(self) -> Markup:
        return joined(gate_html(gate, self.clean) for gate in self.gates) or tag("p", text(_NONE))

    def to_widget(self) -> ipywidgets.Widget:
        from evreview.workflows.widgets.gate_panel import GatePanel

        self._panel = GatePanel(self)
        return self._panel.root

    @property
    def panel(self) -> GatePanel:
        """The controls of the renderable shown last; made when none was shown yet."""
        if self._panel is None:
            self.to_widget()
        assert self._panel is not None
        return self._panel


_NONE = "No gate applies."


def gate_html(gate: Gate, clean: Clean = str) -> Markup:
    """One gate: its state, who answers, what an approval lists, what is missing."""
    facts = [("Who answers", _needs(gate)), ("To be reviewed", "; ".join(gate.spec.reviewed))]
    lines = joined(joined([tag("dt", text(name)), tag("dd", text(clean(value)))]) for name, value in facts if value)
    missing = joined(tag("li", text(clean(line))) for line in gate.missing)
    parts = [tag("h3", text(gate.spec.title), text(" "), badge(gate.state)), tag("dl", lines)]
    if gate.missing:
        parts += [tag("h4", text("Missing")), tag("ul", missing, class_="evr-list")]
    return tag("section", *parts, class_="evr-card", aria_label=f"Gate {gate.spec.id}")


def _needs(gate: Gate) -> str:
    return "; ".join(str(seat) for seat in gate.seats)


def _because(gate: Gate) -> str:
    return f" ({'; '.join(gate.missing)})" if gate.missing else ""


# What is common to every form: make the entry, append it, tell it.


RecordOutcome = tuple[bool, tuple[str, ...]]
"""Whether something was recorded, and the lines that say what, or why not."""


def recorded(make: Callable[[], Entry], append: Callable[[Any], object], clean: Clean, as_of: str) -> RecordOutcome:
    """Make the entry and append it: whether that was done, and the lines to show, redacted.

    A last line tells when the entry is of a later day than the review, `as_of`, and so does not count for it.
    """
    try:
        entry = make()
        append(entry)
    except ValidationError as error:
        return False, tuple(f"{_place(problem)}: {problem['msg']}" for problem in error.errors())
    except EvreviewError as error:
        return False, tuple(map(clean, str(error).splitlines()))
    shown = entry.model_dump(mode="json", exclude_defaults=True)
    lines = [f"{name}: {_plain(value)}" for name, value in shown.items()]
    day = day_of(entry.at)
    if as_of and day > as_of:
        lines.append(f"It counts once as_of in review.yaml, {as_of} now, is {day} or later.")
    return True, tuple(map(clean, lines))


def told(title: str, lines: Sequence[str] = ()) -> Markup:
    """The outcome, where a screen reader announces it."""
    items = tag("ul", joined(tag("li", text(line)) for line in lines), class_="evr-list")
    return tag("div", tag("b", text(title)), items, class_="evr", role="status", aria_live="polite")


def _place(problem: Any) -> str:
    return ".".join(str(part) for part in problem["loc"]) or "entry"


def _plain(value: object) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
