"""The owner's word on one discrepancy: what a person filled in becomes an entry of `decisions.yaml`, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import MISSING
from evreview.evidence.records.review import Disposition
from evreview.reference.model import Discrepancy, Disposal
from evreview.report import escape
from evreview.workflows.widgets.desk import now
from evreview.workflows.widgets.faces import Clean, Face, Markup, tag, text
from evreview.workflows.widgets.gate_form import Told, recorded

if TYPE_CHECKING:
    import ipywidgets

    from evreview.workflows.w2.widgets.disposition_panel import DispositionPanel

PUBLISH: Final = {
    "contract": "publish what the contract says, the discrepancy noted",
    "withhold": "leave the claims out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What a person filled in."""

    role: str
    decision: str
    publish: str
    reviewed: tuple[str, ...]
    note: str = ""


def disposition(word: Word, judged: Discrepancy, at: datetime) -> Disposition:
    """The word as an entry that names the forms it judged.

    Raises:
        ValidationError: a field is not what the record allows.
    """
    return Disposition.model_validate(
        {
            "subject": str(judged.id),
            "role": word.role,
            "decision": word.decision,
            "at": at,
            "publish": word.publish,
            "of": judged.digest or None,
            "reviewed": word.reviewed,
            "note": word.note,
        }
    )


@dataclass(kw_only=True)
class DispositionForm(Face):
    """The place for the owner's word on one discrepancy; only an open one has fields.

    Attributes:
        judged: the discrepancy.
        append: writes a valid entry to `decisions.yaml`.
        as_of: the day of the review, "" when none is set; a word given later does not count for it.
        clock: gives the time of the word.
        clean: redacts every text before it is shown.
    """

    judged: Discrepancy
    append: Callable[[Disposition], object]
    as_of: str = ""
    clock: Callable[[], datetime] = now
    clean: Clean = str
    headless: bool | None = None
    _panel: DispositionPanel | None = field(default=None, repr=False)

    @property
    def items(self) -> tuple[str, ...]:
        """What there is to be reviewed; a word that lists none does not count."""
        seen = ("observed form",) if self.judged.observed is not MISSING else ()
        shown = ("witness",) if self.judged.witness is not MISSING else ()
        return ("contract form", "implementation form", *seen, *shown, "compatibility impact")

    def record(self, word: Word) -> Told:
        """Append a person's word: whether it was appended, and the lines to show."""
        if not word.reviewed:
            return False, ("reviewed: a disposition that lists nothing reviewed does not count",)
        at = self.clock()
        return recorded(lambda: disposition(word, self.judged, at), self.append, self.clean, self.as_of)

    def to_text(self) -> str:
        each = self.judged
        words = f": {each.disposition}" if each.disposition else ""
        return self.clean(f"Disposition by {each.owner_role}: {each.disposal}{words}")

    def to_markdown(self) -> str:
        return str(escape.prose(self.to_text()))

    def to_html(self) -> Markup:
        return tag("p", text(self.to_text()))

    def to_widget(self) -> ipywidgets.Widget | None:
        if self.judged.disposal is not Disposal.OPEN:
            return None
        from evreview.workflows.w2.widgets.disposition_panel import DispositionPanel

        self._panel = DispositionPanel(self)
        return self._panel.root

    @property
    def panel(self) -> DispositionPanel:
        """The controls of the face shown last; ValueError when nothing is left to answer."""
        if self._panel is None and self.to_widget() is None:
            raise ValueError(f"{self.judged.id} is disposed of")
        assert self._panel is not None
        return self._panel
