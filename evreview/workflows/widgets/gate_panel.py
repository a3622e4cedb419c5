"""The controls of a `GateForm`: one form per open gate, each field with a label, one button that records."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import ipywidgets as w

from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.widgets.gate_form import Answer, gate_html, told
from evreview.workflows.widgets.key_guard import KeyGuard
from evreview.workflows.widgets.renderables import Clean, column, html_widget, stylesheet, tag, text

if TYPE_CHECKING:
    from evreview.workflows.widgets.gate_form import GateForm


class GateFields:
    """The fields of one open gate."""

    def __init__(self, gate: Gate, clean: Clean) -> None:
        self.gate = gate
        wide = w.Layout(width="auto", max_width="640px")
        places = sorted(range(len(gate.seats)), key=lambda place: gate.seats[place] not in gate.waiting)
        answered = {place for place in places if gate.seats[place] not in gate.waiting}
        self.seat = w.Dropdown(
            options=[(clean(str(gate.seats[at])) + ", has answered" * (at in answered), at) for at in places],
            value=None,
            description="Role",
            layout=wide,
        )
        self.decision = w.Dropdown(
            options=[("choose", ""), ("approve", "approved"), ("reject", "rejected")],
            description="Decision",
            layout=wide,
        )
        self.reviewed = [
            w.Checkbox(value=False, description=f"Reviewed: {item}", indent=False, layout=wide)
            for item in gate.spec.reviewed
        ]
        self.note = w.Textarea(description="Note", placeholder="printed escaped in the review", rows=2, layout=wide)
        self.record = w.Button(description="Record answer", layout=w.Layout(width="140px", margin="6px 0"))
        self.told = html_widget(text(""))

    @property
    def controls(self) -> list[w.Widget]:
        """In Tab order."""
        return [self.seat, self.decision, *self.reviewed, self.note, self.record, self.told]

    def given(self) -> Answer | None:
        """What is filled in; None while the role or the decision is not chosen."""
        if self.seat.value is None or not self.decision.value:
            return None
        listed = zip(self.gate.spec.reviewed, self.reviewed, strict=True)
        return Answer(
            gate=self.gate.spec.id,
            seat=self.gate.seats[self.seat.value],
            decision=self.decision.value,
            reviewed=tuple(item for item, box in listed if box.value),
            note=self.note.value.strip(),
            about=self.gate.about,
        )

    def tell(self, title: str, lines: tuple[str, ...] = ()) -> None:
        """Show the outcome where a screen reader announces it."""
        self.told.value = told(title, lines)


class GatePanel:
    """One shown instance of a form.

    Attributes:
        root: the widget to show.
        fields: the fields by gate.
        today: whether an answer is followed by a review as of today; offered where that is later than the review's day.
        told: what came of the last answer, above the gates that are drawn anew.
    """

    def __init__(self, form: GateForm) -> None:
        self.form = form
        self.told = html_widget(text(""))
        self.today = w.Checkbox(value=True, indent=False, layout=w.Layout(width="auto"))
        self.root = column([])
        self._draw()

    def _draw(self) -> None:
        form = self.form
        self.fields = {gate.spec.id: GateFields(gate, form.clean) for gate in form.gates if _answerable(gate)}
        parts: list[w.Widget] = [html_widget(stylesheet()), KeyGuard(), *self._dated(), self.told]
        for gate in form.gates:
            parts.append(html_widget(tag("div", gate_html(gate, form.clean), class_="evr")))
            if gate.spec.id in self.fields:
                fields = self.fields[gate.spec.id]
                fields.record.on_click(partial(self._record, gate.spec.id))
                parts += fields.controls
        if not form.gates:
            parts.append(html_widget(tag("div", form.to_html(), class_="evr")))
        self.root.children = tuple(parts)

    def _dated(self) -> list[w.Widget]:
        """What is said and asked first where today is later than the day of the review."""
        form, day = self.form, self.form.later_day
        if form.told_first and self.fields:
            return [html_widget(told(form.told_first))]
        if not day or form.again is None or not self.fields:
            return []
        head = f"This review is judged for {form.as_of}. An answer of today, {day}, counts once the review is of today."
        lines = ("As of today:", *form.again.preview(day))
        self.today.description = f"Record, and review again as of {day} (as_of in review.yaml changes)"
        return [html_widget(told(head, tuple(map(form.clean, lines)))), self.today]

    def _record(self, gate: str, _: w.Button) -> None:
        fields, day = self.fields[gate], self.form.later_day
        given = fields.given()
        if given is None:
            fields.tell("Nothing was recorded: choose a role and a decision.")
            return
        appended, lines = self.form.answer(given)
        if not appended:
            fields.tell("Nothing was recorded.", lines)
            return
        fields.record.disabled = True
        if self.form.again is None or (day and not self.today.value):
            fields.tell("Appended to decisions.yaml; run the notebook again to take it in.", lines)
            return
        done, says = self.form.review_again(day)
        if not done:
            fields.tell("Appended to decisions.yaml; the review could not be made again.", (*lines, *says))
            return
        self.told.value = told("Appended to decisions.yaml, and reviewed again.", (*says, *lines[:4]))
        fields.tell("Appended to decisions.yaml, and reviewed again.", says)
        self._draw()


def _answerable(gate: Gate) -> bool:
    return gate.state is GateState.OPEN and bool(gate.seats)
