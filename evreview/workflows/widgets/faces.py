"""One object, several faces: Markdown, escaped HTML and text always, a widget only where somebody can use it.

A face is no widget. Headless, none is made, so nothing of one is saved and every run gives the same bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evreview.report import escape
from evreview.widgets.markup import Markup, from_markdown, html_widget, joined, stylesheet, tag, text
from evreview.workflows.widgets.desk import is_headless

if TYPE_CHECKING:
    import ipywidgets


Clean = Callable[[str], str]
"""What redacts a text before it is shown."""


class Face(ABC):
    """What a notebook shows. Subclasses say how; `headless` None means: find out when shown."""

    headless: bool | None = None

    def __init_subclass__(cls) -> None:
        """Keeps dataclasses from making a representation of their own: it would hold evidence as supplied."""
        super().__init_subclass__()
        setattr(cls, "__repr__", Face.__repr__)  # noqa: B010  mypy takes no method for another

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    @abstractmethod
    def to_text(self) -> str:
        """The face as plain text."""

    @abstractmethod
    def to_markdown(self) -> str:
        """The face as GitHub-flavoured Markdown, evidence escaped."""

    @abstractmethod
    def to_html(self) -> Markup:
        """The face as HTML, evidence escaped, without scripts and without anything to load."""

    def to_widget(self) -> ipywidgets.Widget | None:
        """The interactive face, None when this face has none. Never called headless."""
        return None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """The faces by MIME type, for any Jupyter front end."""
        headless = is_headless(self.headless)
        faces: dict[str, Any] = {
            "text/plain": self.to_text(),
            "text/markdown": self.to_markdown(),
            # What a headless run keeps is sanitised when it is shown, which drops the style: so it has none.
            "text/html": tag("div", self.to_html(), class_="evr") if headless else dressed(self.to_html()),
        }
        widget = None if headless else self.to_widget()
        if widget is not None:
            view = widget._repr_mimebundle_()
            faces.update({kind: data for kind, data in view.items() if kind.startswith("application/")})
        return faces


def dressed(content: Markup) -> Markup:
    """The markup in this package's frame and look."""
    return tag("div", stylesheet(), content, class_="evr")


@dataclass(frozen=True, kw_only=True)
class Document(Face):
    """A finished Markdown document; `text/markdown` is exactly its bytes."""

    source: str
    headless: bool | None = None

    def to_text(self) -> str:
        return self.source

    def to_markdown(self) -> str:
        return self.source

    def to_html(self) -> Markup:
        return tag("div", from_markdown(self.source), class_="evr-page")


@dataclass(frozen=True, kw_only=True)
class Listing(Face):
    """A short heading and lines of text below it."""

    title: str
    lines: tuple[str, ...] = ()
    headless: bool | None = None

    def to_text(self) -> str:
        return "\n".join([self.title, *(f"- {line}" for line in self.lines)])

    def to_markdown(self) -> str:
        items = "\n".join(f"- {escape.prose(line)}" for line in self.lines)
        return f"**{escape.prose(self.title)}**" + (f"\n\n{items}" if items else "")

    def to_html(self) -> Markup:
        items = joined(tag("li", text(line)) for line in self.lines)
        return joined([tag("div", text(self.title), class_="evr-title"), tag("ul", items, class_="evr-list")])


@dataclass(frozen=True, kw_only=True)
class Stack(Face):
    """Several faces, one below the other; interactive ones stay interactive."""

    parts: Sequence[Face]
    headless: bool | None = None

    def to_text(self) -> str:
        return "\n\n".join(part.to_text() for part in self.parts)

    def to_markdown(self) -> str:
        return "\n\n".join(part.to_markdown() for part in self.parts)

    def to_html(self) -> Markup:
        return joined(tag("div", part.to_html()) for part in self.parts)

    def to_widget(self) -> ipywidgets.Widget | None:
        import ipywidgets

        made = [part.to_widget() for part in self.parts]
        if not any(made):
            return None
        shown = [widget or html_widget(dressed(part.to_html())) for widget, part in zip(made, self.parts, strict=True)]
        return ipywidgets.VBox(shown)
