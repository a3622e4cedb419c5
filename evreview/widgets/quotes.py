"""Citations with the text that they stand for, as the evidence says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evreview.evidence.citation import resolve
from evreview.evidence.item import Bundle, Citation
from evreview.report import escape
from evreview.widgets.markup import Markup, joined, shortened, tag, text
from evreview.workflows.widgets.faces import Clean

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
    source = clean((item.file or str(item.type)) if item else "")
    if not citation.locator:
        return Quote(str(citation), source, WHOLE)
    found = resolve(bundle, citation)
    return Quote(str(citation), source, NOT_FOUND if found is None else shortened(clean(found), LONGEST))


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
