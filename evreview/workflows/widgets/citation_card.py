"""One row in full: a title, facts by name, lists, and the text of the evidence that it cites."""

from __future__ import annotations

from dataclasses import dataclass

from evreview.report import escape
from evreview.widgets.markup import Markup, joined, tag, text
from evreview.widgets.quotes import Quote, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.faces import Clean, Face


@dataclass(frozen=True, kw_only=True)
class Card(Face):
    """What a row opens.

    Attributes:
        title: printed above.
        facts: name and value; those without a value are left out.
        lists: heading and lines; those without a line are left out.
        quotes: the cited text.
        clean: redacts every text before it is shown.
        headless: see `Face`.
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
            joined([tag("h5", text(name)), tag("ul", *(tag("li", text(line)) for line in lines), class_="evr-list")])
            for name, lines in self._lists()
        ]
        quoted = [tag("h5", text("Evidence")), quotes_html(self.quotes)] if self.quotes else []
        parts = [tag("h4", text(title)), tag("dl", facts), *lists, *quoted]
        return tag("section", *parts, class_="evr-card", aria_label=title)

    def _facts(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, self.clean(value)) for name, value in self.facts if value)

    def _lists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return tuple((name, tuple(map(self.clean, lines))) for name, lines in self.lists if lines)
