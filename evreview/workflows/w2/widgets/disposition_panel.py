"""The controls of a `DispositionForm`: each field with a label, nothing preset, one button that records.

The one import of ipywidgets is why this stands apart: a headless run has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as w

from evreview.workflows.w2.widgets.discrepancies import PUBLISH, FilledDisposition
from evreview.workflows.widgets.gate_form import told
from evreview.workflows.widgets.renderables import column, html_widget, text

if TYPE_CHECKING:
    from evreview.workflows.w2.widgets.discrepancies import DispositionForm


class DispositionPanel:
    """One shown instance of a form.

    Attributes:
        root: the widget to show.
        role, publish, reviewed, decision, note, record, told: the controls, in Tab order.
    """

    def __init__(self, form: DispositionForm) -> None:
        self.form = form
        wide = w.Layout(width="auto", max_width="640px")
        owner = form.judged.owner_role
        self.role = w.Dropdown(
            options=[("choose", ""), (form.clean(owner), owner)], value="", description="Role", layout=wide
        )
        offered = [("choose", ""), *((says, word) for word, says in PUBLISH.items())]
        self.publish = w.Dropdown(options=offered, value="", description="Claims", layout=wide)
        self.reviewed = [
            w.Checkbox(value=False, description=f"Reviewed: {item}", indent=False, layout=wide) for item in form.items
        ]
        self.decision = w.Text(
            description="Decision", placeholder="e.g. contract corrected with 1.5, code follows", layout=wide
        )
        self.note = w.Textarea(description="Note", placeholder="printed escaped in the review", rows=2, layout=wide)
        self.record = w.Button(description="Record disposition", layout=w.Layout(width="160px", margin="6px 0"))
        self.told = html_widget(text(""))
        self.record.on_click(lambda _: self._record())
        controls = [self.role, self.publish, *self.reviewed, self.decision, self.note, self.record, self.told]
        self.root = column(controls)

    def given(self) -> FilledDisposition | None:
        """What is filled in; None while the role, the claims or the decision are missing."""
        decision = self.decision.value.strip()
        if not (self.role.value and self.publish.value and decision):
            return None
        listed = zip(self.form.items, self.reviewed, strict=True)
        return FilledDisposition(
            role=self.role.value,
            decision=decision,
            publish=self.publish.value,
            reviewed=tuple(item for item, box in listed if box.value),
            note=self.note.value.strip(),
        )

    def _record(self) -> None:
        word = self.given()
        if word is None:
            self.told.value = told("Nothing was recorded: choose role and claims, and write the decision.")
            return
        appended, lines = self.form.record(word)
        if not appended:
            self.told.value = told("Nothing was recorded.", lines)
            return
        self.record.disabled = True
        self.told.value = told("Appended to decisions.yaml; run the notebook again to take it in.", lines)
