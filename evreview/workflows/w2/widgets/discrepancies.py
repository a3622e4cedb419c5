"""The examples beside their execution state; a row opens the whole message and the retained results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Subject, plain
from evreview.evidence.item import Citation
from evreview.reference.examples.model import Example, Omitted
from evreview.report import escape
from evreview.workflow.w2.exampled import request_text, response_text
from evreview.workflow.w2.withholding import holds_example
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step5_examples.construct import is_request
from evreview.workflows.widgets.citation_card import Quote, quotes, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.faces import Clean, Face, Listing, Markup, Scene, joined, tag, text
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import Column

EXAMPLE_COLUMNS: Final = (
    Column("label", "Label", 9, "badge"),
    Column("operation", "Operation", 18, "code"),
    Column("part", "Part", 9),
    Column("status", "Status", 7, "code"),
    Column("media_type", "Media type", 13, "code"),
    Column("execution", "Execution", 12, "badge"),
    Column("result", "Result, or what it waits for", 32),
)
EXAMPLE_FACETS: Final = ("operation", "part", "label", "execution")
LEFT_OUT: Final = "left out"
HELD: Final = "withheld: it would show what a discrepancy withholds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One example, or the place of one that is left out, with its execution state.

    Attributes:
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


def examples(scene: Scene) -> Face:
    """The examples of a W2 review, each with its execution state."""
    facts = scene.review.facts
    if not isinstance(facts, W2Facts) or not (facts.examples or facts.omitted):
        return Listing(title="There are no examples: step 5 was not reached.", headless=scene.headless)
    found = {each.key: each for each in shown(facts)}
    rows = [(each.key, *(getattr(each, column.name) for column in EXAMPLE_COLUMNS)) for each in found.values()]
    return LedgerView(
        frame=pd.DataFrame(rows, columns=["example", *(column.name for column in EXAMPLE_COLUMNS)]),
        key="example",
        columns=EXAMPLE_COLUMNS,
        facets=EXAMPLE_FACETS,
        detail=partial(_detail, scene, found),
        clean=scene.clean,
        name=f"examples of {scene.name}",
        title="Examples and their execution",
        headless=scene.headless,
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
        )  # fmt: skip


def _example(facts: W2Facts, example: Example) -> Shown:
    about, operation = example.about, _operation(facts, example)
    if holds_example(facts, example):
        return Shown(
            key=str(example.id), operation=operation, part=str(about.part), status=about.status,
            media_type=about.media_type, label=LEFT_OUT, message="", execution="", result=HELD,
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
        if Subject(str(example.id)) in row.check:
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
class ExampleDetail(Face):
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
        left = tag("div", tag("h5", text("Message")), message, tag("ul", remarks, class_="evr-list"))
        right = tag("div", tag("h5", text("Execution")), tag("dl", facts), quotes_html(self.quotes))
        sides = tag("div", left, right, class_="evr-sides")
        return tag("section", tag("h4", text(self._title())), sides, class_="evr-card", aria_label=self._title())

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


def _detail(scene: Scene, found: dict[str, Shown], key: str) -> ExampleDetail:
    """KeyError for a key that no example has."""
    each, facts = found[key], scene.review.facts
    known = facts.examples if isinstance(facts, W2Facts) else ()
    shows = each.label != LEFT_OUT
    remarks = [plain(remark) for example in known if shows and str(example.id) == key for remark in example.remarks]
    return ExampleDetail(
        shown=each,
        quotes=quotes(scene.review.bundle, each.citations, scene.clean),
        remarks=tuple(map(scene.clean, remarks)),
        clean=scene.clean,
        headless=scene.headless,
    )
