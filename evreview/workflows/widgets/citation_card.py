"""One row in full: a title, facts by name, lists, and the text of the evidence that it cites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evreview.evidence.citation import resolve
from evreview.evidence.item import Bundle, Citation
from evreview.report import escape
from evreview.workflows.widgets.renderables import Clean, Markup, Renderable, joined, shortened, tag, text


@dataclass(frozen=True, kw_only=True)
class Card(Renderable):
    """What a row opens.

    Attributes:
        title: printed above.
        facts: name and value; those without a value are left out.
        lists: heading and lines; those without a line are left out.
        quotes: the cited text.
        clean: redacts every text before it is shown.
        headless: see `Renderable`.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    quotes: tuple[Quote, ...] = ()
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        facts = [f"{name}: {value}" for name, value in self._facts()]
        lists = [f"{name}: {line}" for name, lines in self._lists() for line in lines]
        return "\n".join([self.clean(self.title), *facts, *lists, *quotes_lines(self.quotes)])

    def to_markdown(self) -> str:
        facts = "\n".join(f"- {escape.prose(name)}: {escape.prose(value)}" for name, value in self._facts())
        lists = [
            f"{escape.prose(name)}:\n\n" + "\n".join(f"- {escape.prose(line)}" for line in lines)
            for name, lines in self._lists()
        ]
        parts = [f"**{escape.prose(self.clean(self.title))}**", facts, *lists, quotes_markdown(self.quotes)]
        return "\n\n".join(part for part in parts if part)

    def to_html(self) -> Markup:
        title = self.clean(self.title)
        facts = joined(joined([tag("dt", text(name)), tag("dd", text(value))]) for name, value in self._facts())
        lists = [
            joined([tag("h4", text(name)), tag("ul", *(tag("li", text(line)) for line in lines), class_="evr-list")])
            for name, lines in self._lists()
        ]
        quoted = [tag("h4", text("Evidence")), quotes_html(self.quotes)] if self.quotes else []
        parts = [tag("h3", text(title)), tag("dl", facts), *lists, *quoted]
        return tag("section", *parts, class_="evr-card", aria_label=title)

    def _facts(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, self.clean(value)) for name, value in self.facts if value)

    def _lists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return tuple((name, tuple(map(self.clean, lines))) for name, lines in self.lists if lines)


# Citations with the text that they stand for, as the evidence says it.


LONGEST: Final = 1200
"""Characters of one quotation that a face shows."""
WHOLE: Final = "the whole item"
NOT_FOUND: Final = "nothing is found there"


@dataclass(frozen=True, slots=True)
class Quote:
    """A citation, what it is of, and the quoted text."""

    citation: str
    source: str
    text: str


def quotes(bundle: Bundle, citations: Iterable[Citation], clean: Clean) -> tuple[Quote, ...]:
    """Each citation once, in order, with its text, redacted and shortened."""
    return tuple(_quote(bundle, each, clean) for each in dict.fromkeys(citations))


def _quote(bundle: Bundle, citation: Citation, clean: Clean) -> Quote:
    item = bundle.items.get(citation.id)
    shown, source = clean(citation.readable), clean((item.file or str(item.type)) if item else "")
    if not citation.locator:
        return Quote(shown, source, WHOLE)
    found = resolve(bundle, citation)
    return Quote(shown, source, NOT_FOUND if found is None else shortened(clean(found), LONGEST))


def quotes_html(found: Iterable[Quote]) -> Markup:
    """The quotations, each under its citation."""
    return joined(
        tag(
            "figure",
            tag(
                "figcaption",
                tag("span", text(quote.citation), class_="evr-code"),
                text(f" {quote.source}".rstrip(), 200),
                class_="evr-muted",
            ),
            tag("pre", text(quote.text), class_="evr-form evr-code", tabindex="0", aria_label=quote.citation),
            class_="evr-quote",
        )
        for quote in found
    )


def quotes_lines(found: Iterable[Quote]) -> tuple[str, ...]:
    """The quotations as lines of text."""
    return tuple(f"{quote.citation} ({quote.source}): {quote.text}" for quote in found)


def quotes_markdown(found: Iterable[Quote]) -> str:
    """The quotations as list items and fenced blocks."""
    return "\n\n".join(
        f"- {escape.code(quote.citation)} {escape.prose(quote.source)}\n\n{escape.fence(quote.text)}" for quote in found
    )
