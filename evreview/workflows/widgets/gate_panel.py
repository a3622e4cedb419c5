"""The controls of a `GateForm`: one form per open gate, each field with a label, one button that records."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import ipywidgets as w

from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.widgets.gate_form import Answer, gate_html, told
from evreview.workflows.widgets.renderables import Clean, html_widget, joined, stylesheet, tag, text

if TYPE_CHECKING:
    from evreview.workflows.widgets.gate_form import GateForm


class GateFields:
    """The fields of one open gate."""

    def __init__(self, gate: Gate, clean: Clean) -> None:
        self.gate = gate
        wide = w.Layout(width="100%", max_width="640px")
        self.seat = w.Dropdown(
            options=[(clean(str(seat)), place) for place, seat in enumerate(gate.seats)],
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
    """

    def __init__(self, form: GateForm) -> None:
        self.form = form
        self.fields = {gate.spec.id: GateFields(gate, form.clean) for gate in form.gates if _answerable(gate)}
        parts: list[w.Widget] = [html_widget(joined([stylesheet()]))]
        for gate in form.gates:
            parts.append(html_widget(tag("div", gate_html(gate, form.clean), class_="evr")))
            if gate.spec.id in self.fields:
                fields = self.fields[gate.spec.id]
                fields.record.on_click(partial(self._record, gate.spec.id))
                parts += fields.controls
        if not form.gates:
            parts.append(html_widget(tag("div", form.to_html(), class_="evr")))
        self.root = w.VBox(parts, layout=w.Layout(width="100%"))

    def _record(self, gate: str, _: w.Button) -> None:
        fields = self.fields[gate]
        given = fields.given()
        if given is None:
            fields.tell("Nothing was recorded: choose a role and a decision.")
            return
        appended, lines = self.form.answer(given)
        if not appended:
            fields.tell("Nothing was recorded.", lines)
            return
        fields.record.disabled = True
        fields.tell("Appended to decisions.yaml; run the notebook again to take it in.", lines)


def _answerable(gate: Gate) -> bool:
    return gate.state is GateState.OPEN and bool(gate.seats)
