"""The discrepancies: a table whose rows open both forms side by side, with a place for the owner's word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import MISSING
from evreview.reference.model import Discrepancy
from evreview.report import escape
from evreview.widgets.reference.disposition import DispositionForm
from evreview.workflows.w2.discrepancy_kinds import KIND
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step3_reconcile.discrepancy_register import discrepancies_frame, form_text
from evreview.workflows.widgets.citation_card import Quote, quotes, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.faces import Clean, Face, Listing, Markup, Scene, joined, shortened, tag, text
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import Column
from evreview.workflows.widgets.two_sides import marked, side, written

if TYPE_CHECKING:
    import ipywidgets

COLUMNS: Final = (
    Column("disposal", "Disposition", 13, "badge"),
    Column("operation", "Operation", 16, "code"),
    Column("concern", "Concern", 11),
    Column("kind", "Kind", 15, "code"),
    Column("place", "Where", 14, "code"),
    Column("contract", "Contract", 15, "code"),
    Column("implementation", "Implementation", 15, "code"),
    Column("observed", "Observed", 12, "code"),
    Column("witness", "Witness", 9, "code"),
    Column("impact", "Impact", 16),
    Column("owner_role", "Owner", 11),
    Column("withholds", "Withheld claims", 16, "code"),
    Column("evidence", "Evidence", 12, "code"),
)
FACETS: Final = ("disposal", "operation", "concern", "kind")


def discrepancies(scene: Scene) -> Face:
    """The discrepancies of a W2 review; an opened one that nobody has disposed of takes the owner's word."""
    facts = scene.review.facts
    if not isinstance(facts, W2Facts) or not facts.reconciled:
        return Listing(title="Nothing was reconciled: step 3 was not reached.", headless=scene.headless)
    frame = discrepancies_frame(facts.discrepancies)
    return LedgerView(
        frame=frame,
        key="id",
        columns=COLUMNS,
        facets=FACETS,
        detail=partial(_card, scene, {str(each.id): each for each in facts.discrepancies}),
        clean=scene.clean,
        name=f"discrepancies of {scene.name}",
        title="Contract discrepancies",
        headless=scene.headless,
    )


@dataclass(frozen=True, kw_only=True)
class DiscrepancyCard(Face):
    """One discrepancy in full.

    Attributes:
        found: the discrepancy.
        quotes: the cited text of both sides.
        form: the place for the owner's word.
    """

    found: Discrepancy
    quotes: tuple[Quote, ...]
    form: DispositionForm
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        facts = [f"{label}: {value}" for label, value in self._facts()]
        forms = [f"{name}: {value}" for name, value in self._forms()]
        return "\n".join([self._title(), *facts, *forms, *quotes_lines(self.quotes), self.form.to_text()])

    def to_markdown(self) -> str:
        facts = "\n".join(f"- {escape.prose(label)}: {escape.prose(value)}" for label, value in self._facts())
        forms = "\n".join(f"| {name} | {escape.cell_code(shortened(value))} |" for name, value in self._forms())
        parts = [f"**{escape.prose(self._title())}**", facts, f"| Side | Form |\n|---|---|\n{forms}"]
        return "\n\n".join([*parts, quotes_markdown(self.quotes), self.form.to_markdown()])

    def to_html(self) -> Markup:
        forms = dict(self._forms())
        left, right = marked(forms["Contract"], forms["Implementation"])
        sides = [side("Contract", left, "del"), side("Implementation", right)]
        if self.found.observed is not MISSING:
            sides.append(side("Observed", ((forms["Observed"], False),)))
        facts = joined(joined([tag("dt", text(label)), tag("dd", text(value))]) for label, value in self._facts())
        title = tag("h4", tag("span", text(str(self.found.id)), class_="evr-code"), text(f" {self._where()}"))
        look = "evr-sides" if len(sides) == 2 else "evr-sides evr-three"
        shown = [title, tag("div", *sides, class_=look), tag("dl", facts), tag("h5", text("Evidence"))]
        parts = [*shown, quotes_html(self.quotes), tag("h5", text("Disposition")), self.form.to_html()]
        return tag("section", *parts, class_="evr-card", aria_label=f"Discrepancy {self.found.id}")

    def to_widget(self) -> ipywidgets.Widget | None:
        """The form's controls, shown below the card."""
        return self.form.to_widget()

    def _title(self) -> str:
        return f"{self.found.id} {self._where()}"

    def _where(self) -> str:
        found = self.found
        return self.clean(" ".join(part for part in (found.operation, str(found.concern), found.place) if part))

    def _forms(self) -> tuple[tuple[str, str], ...]:
        found = self.found
        sides = (("Contract", found.contract), ("Implementation", found.implementation), ("Observed", found.observed))
        return tuple(
            (name, self.clean(written(form))) for name, form in sides if name != "Observed" or form is not MISSING
        )

    def _facts(self) -> tuple[tuple[str, str], ...]:
        found = self.found
        witness = (
            "" if found.witness is MISSING else f"one side accepts and the other refuses {form_text(found.witness)}"
        )
        facts = (
            ("Kind", found.kind),
            ("Compatibility impact", found.impact),
            ("Who is hurt", str(KIND[found.kind].breaks) if found.kind in KIND else ""),
            ("Witness", witness),
            ("Owner", found.owner_role),
            ("Withheld claims", "; ".join(sorted(found.withholds))),
            ("Digest of the forms", found.digest),
        )
        return tuple((label, self.clean(value)) for label, value in facts if value)


def _card(scene: Scene, found: dict[str, Discrepancy], key: str) -> DiscrepancyCard:
    """KeyError for a key that no discrepancy has."""
    each = found[key]
    return DiscrepancyCard(
        found=each,
        quotes=quotes(scene.review.bundle, each.citations, scene.clean),
        form=DispositionForm(
            judged=each,
            append=scene.append,
            as_of=str(scene.review.bundle.request.as_of or ""),
            clean=scene.clean,
            headless=scene.headless,
        ),
        clean=scene.clean,
        headless=scene.headless,
    )
