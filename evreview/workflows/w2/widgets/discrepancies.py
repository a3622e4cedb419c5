"""The discrepancies with a place for the owner's word, and the examples beside their execution state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

import pandas as pd

from evreview.core.quoted_text import UserText, plain
from evreview.core.vocabulary import ABSENT
from evreview.evidence.item import Citation
from evreview.evidence.records.review import Disposition
from evreview.report import escape
from evreview.workflows.w2.discrepancy_kinds import KIND
from evreview.workflows.w2.examples.examples import is_request
from evreview.workflows.w2.facts import Discrepancy, Disposal, Example, Omitted, W2Facts
from evreview.workflows.w2.reconcile.publication import holds_example
from evreview.workflows.w2.reconcile.reconcile import discrepancies_frame, form_text
from evreview.workflows.w2.view_messages import request_text, response_text
from evreview.workflows.widgets.citation_card import Quote, quotes, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.display_context import now
from evreview.workflows.widgets.gate_form import RecordOutcome, recorded
from evreview.workflows.widgets.renderables import (
    Clean,
    DisplayContext,
    Listing,
    Markup,
    Renderable,
    joined,
    shortened,
    tag,
    text,
)
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table_markup import Column, Look
from evreview.workflows.widgets.two_sides import marked, side, written

if TYPE_CHECKING:
    import ipywidgets

    from evreview.workflows.w2.widgets.disposition_panel import DispositionPanel


DISCREPANCY_COLUMNS: Final = (
    Column("disposal", "Disposition", Look.BADGE),
    Column("operation", "Operation", Look.CODE),
    Column("concern", "Concern"),
    Column("place", "Where", Look.CODE),
    Column("contract", "Contract", Look.CODE),
    Column("implementation", "Implementation", Look.CODE),
    Column("observed", "Observed", Look.CODE),
)
DISCREPANCY_FACETS: Final = ("disposal", "operation", "concern", "kind")


def discrepancies(display: DisplayContext) -> Renderable:
    """The discrepancies of a W2 review; an opened one that nobody has disposed of takes the owner's word."""
    facts = display.review.facts
    if not isinstance(facts, W2Facts) or not facts.reconciled:
        return Listing(title="Nothing was reconciled: step 3 was not reached.", headless=display.headless)
    frame = discrepancies_frame(facts.discrepancies)
    return LedgerView(
        frame=frame,
        key="id",
        columns=DISCREPANCY_COLUMNS,
        facets=DISCREPANCY_FACETS,
        detail=partial(_card, display, {str(each.id): each for each in facts.discrepancies}),
        clean=display.clean,
        name=f"discrepancies of {display.name}",
        title="Contract discrepancies",
        headless=display.headless,
    )


@dataclass(frozen=True, kw_only=True)
class DiscrepancyCard(Renderable):
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
        if self.found.observed is not ABSENT:
            sides.append(side("Observed", ((forms["Observed"], False),)))
        facts = joined(joined([tag("dt", text(label)), tag("dd", text(value))]) for label, value in self._facts())
        title = tag("h3", tag("span", text(str(self.found.id)), class_="evr-code"), text(f" {self._where()}"))
        look = "evr-sides" if len(sides) == 2 else "evr-sides evr-three"
        shown = [title, tag("div", *sides, class_=look), tag("dl", facts), tag("h4", text("Evidence"))]
        parts = [*shown, quotes_html(self.quotes), tag("h4", text("Disposition")), self.form.to_html()]
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
            (name, self.clean(written(form))) for name, form in sides if name != "Observed" or form is not ABSENT
        )

    def _facts(self) -> tuple[tuple[str, str], ...]:
        found = self.found
        witness = (
            "" if found.witness is ABSENT else f"one side accepts and the other refuses {form_text(found.witness)}"
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


def _card(display: DisplayContext, found: dict[str, Discrepancy], key: str) -> DiscrepancyCard:
    """KeyError for a key that no discrepancy has."""
    each = found[key]
    return DiscrepancyCard(
        found=each,
        quotes=quotes(display.review.bundle, each.citations, display.clean),
        form=DispositionForm(
            judged=each,
            append=display.append,
            as_of=str(display.review.bundle.request.as_of or ""),
            clean=display.clean,
            headless=display.headless,
        ),
        clean=display.clean,
        headless=display.headless,
    )


# The owner's word on one discrepancy: what a person filled in becomes an entry of `decisions.yaml`, or a refusal.


PUBLISH: Final = {
    "contract": "publish what the contract says, the discrepancy noted",
    "withhold": "leave the claims out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledDisposition:
    """What a person filled in."""

    role: str
    decision: str
    publish: str
    reviewed: tuple[str, ...]
    note: str = ""


def disposition(word: FilledDisposition, judged: Discrepancy, at: datetime) -> Disposition:
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
class DispositionForm(Renderable):
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
        seen = ("observed form",) if self.judged.observed is not ABSENT else ()
        shown = ("witness",) if self.judged.witness is not ABSENT else ()
        return ("contract form", "implementation form", *seen, *shown, "compatibility impact")

    def record(self, word: FilledDisposition) -> RecordOutcome:
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
        """The controls of the renderable shown last; ValueError when nothing is left to answer."""
        if self._panel is None and self.to_widget() is None:
            raise ValueError(f"{self.judged.id} is disposed of")
        assert self._panel is not None
        return self._panel


# The examples beside their execution state; a row opens the whole message and the retained results.


EXAMPLE_COLUMNS: Final = (
    Column("label", "Label", Look.BADGE),
    Column("operation", "Operation", Look.CODE),
    Column("part", "Part"),
    Column("status", "Status", Look.CODE),
    Column("media_type", "Media type", Look.CODE),
    Column("execution", "Execution", Look.BADGE),
    Column("result", "Result, or what it waits for"),
)
EXAMPLE_FACETS: Final = ("operation", "part", "label", "execution")
LEFT_OUT: Final = "left out"
HELD: Final = "withheld: it would show what a discrepancy withholds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One example, or the place of one that is left out, with its execution state.

    Attributes:
        left_out: it is not shown; `result` says why.
        message: the whole message as sent, "" when left out.
        execution: executed, unexecuted, or what retained tests say of a response: covered, contradicted, uncovered.
        result: how it ended, what is missing, or why it is left out.
        environment: where, with which command and at which revision, for an executed one.
        citations: what the state rests on.
    """

    key: str
    operation: str
    part: str
    status: str
    media_type: str
    label: str
    message: str
    execution: str
    result: str
    environment: str = ""
    citations: tuple[Citation, ...] = ()
    left_out: bool = False


def examples(display: DisplayContext) -> Renderable:
    """The examples of a W2 review, each with its execution state."""
    facts = display.review.facts
    if not isinstance(facts, W2Facts) or not (facts.examples or facts.omitted):
        return Listing(title="There are no examples: step 5 was not reached.", headless=display.headless)
    found = {each.key: each for each in shown(facts)}
    rows = [(each.key, *(getattr(each, column.name) for column in EXAMPLE_COLUMNS)) for each in found.values()]
    return LedgerView(
        frame=pd.DataFrame(rows, columns=["example", *(column.name for column in EXAMPLE_COLUMNS)]),
        key="example",
        columns=EXAMPLE_COLUMNS,
        facets=EXAMPLE_FACETS,
        detail=partial(_detail, display, found),
        clean=display.clean,
        name=f"examples of {display.name}",
        title="Examples and their execution",
        headless=display.headless,
    )


def shown(facts: W2Facts) -> Iterator[Shown]:
    """Every example and every one left out, in the order of the scope; one that would show what is withheld is too."""
    for example in facts.examples:
        yield _example(facts, example)
    for number, omitted in enumerate(facts.omitted, start=1):
        about = omitted.about
        yield Shown(
            key=f"{LEFT_OUT} {number}", operation=_operation(facts, omitted), part=str(about.part), status=about.status,
            media_type=about.media_type, label=LEFT_OUT, message="", execution="", result=omitted.reason,
            left_out=True,
        )  # fmt: skip


def _example(facts: W2Facts, example: Example) -> Shown:
    about, operation = example.about, _operation(facts, example)
    if holds_example(facts, example):
        return Shown(
            key=str(example.id), operation=operation, part=str(about.part), status=about.status,
            media_type=about.media_type, label=LEFT_OUT, message="", execution="", result=HELD,
            left_out=True,
        )  # fmt: skip
    state, result, environment, citations = (
        _sent(facts, example) if is_request(example) else _covered(facts, example, operation)
    )
    return Shown(
        key=str(example.id),
        operation=operation,
        part=str(about.part),
        status=about.status,
        media_type=about.media_type,
        label=str(example.label),
        message=request_text(example) if is_request(example) else response_text(example),
        execution=state,
        result=result,
        environment=environment,
        citations=citations,
    )


_State = tuple[str, str, str, tuple[Citation, ...]]


def _sent(facts: W2Facts, example: Example) -> _State:
    """What the execution report says of a request."""
    for row in facts.report:
        if UserText(str(example.id)) in row.check:
            where = "; ".join(
                f"{name} {value}"
                for name, value in (("in", row.environment), ("command", row.command), ("revision", row.revision))
                if value
            )
            return row.status, row.result, where, row.citations
    return "unexecuted", "step 6 was not reached", "", ()


def _covered(facts: W2Facts, example: Example, operation: str) -> _State:
    """What retained tests say of the response that an example shows; a response is not sent by itself."""
    for each in facts.coverage.responses if facts.coverage else ():
        same = (each.operation, each.status) == (operation, example.about.status)
        if same and each.media_type in ("", example.about.media_type):
            told = each.reason or f"by the retained tests this response is {each.state}"
            return str(each.state), told, "", each.citations
    return "uncovered", "no retained test is about this response", "", ()


def _operation(facts: W2Facts, example: Example | Omitted) -> str:
    """The operation as the scope names it."""
    key = example.about.operation
    return next((each.id for each in facts.operations if each.element.key == key), key)


@dataclass(frozen=True, kw_only=True)
class ExampleDetail(Renderable):
    """One example: the message on one side, its execution on the other."""

    shown: Shown
    quotes: tuple[Quote, ...]
    remarks: tuple[str, ...] = ()
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        facts = [f"{label}: {value}" for label, value in self._facts()]
        return "\n".join([self._title(), self._message(), *facts, *self.remarks, *quotes_lines(self.quotes)])

    def to_markdown(self) -> str:
        facts = "\n".join(f"- {escape.prose(label)}: {escape.prose(value)}" for label, value in self._facts())
        remarks = "\n".join(f"- {escape.prose(line)}" for line in self.remarks)
        parts = [f"**{escape.prose(self._title())}**", escape.fence(self._message(), "http"), facts, remarks]
        return "\n\n".join(part for part in (*parts, quotes_markdown(self.quotes)) if part)

    def to_html(self) -> Markup:
        message = tag("pre", text(self._message()), class_="evr-form evr-code", tabindex="0", aria_label="Message")
        facts = joined(joined([tag("dt", text(label)), tag("dd", text(value))]) for label, value in self._facts())
        remarks = joined(tag("li", text(line)) for line in self.remarks)
        left = tag("div", tag("h4", text("Message")), message, tag("ul", remarks, class_="evr-list"))
        right = tag("div", tag("h4", text("Execution")), tag("dl", facts), quotes_html(self.quotes))
        sides = tag("div", left, right, class_="evr-sides")
        return tag("section", tag("h3", text(self._title())), sides, class_="evr-card", aria_label=self._title())

    def _title(self) -> str:
        each = self.shown
        words = (each.key, each.label, each.part, each.operation, each.status, each.media_type)
        return self.clean(" ".join(dict.fromkeys(word for word in words if word)))

    def _message(self) -> str:
        return self.clean(self.shown.message) or "(left out)"

    def _facts(self) -> tuple[tuple[str, str], ...]:
        each = self.shown
        facts = (("State", each.execution or LEFT_OUT), ("Result", each.result), ("Environment", each.environment))
        return tuple((label, self.clean(value)) for label, value in facts if value)


def _detail(display: DisplayContext, found: dict[str, Shown], key: str) -> ExampleDetail:
    """KeyError for a key that no example has."""
    each, facts = found[key], display.review.facts
    known = facts.examples if isinstance(facts, W2Facts) else ()
    shows = not each.left_out
    remarks = [plain(remark) for example in known if shows and str(example.id) == key for remark in example.remarks]
    return ExampleDetail(
        shown=each,
        quotes=quotes(display.review.bundle, each.citations, display.clean),
        remarks=tuple(map(display.clean, remarks)),
        clean=display.clean,
        headless=display.headless,
    )
