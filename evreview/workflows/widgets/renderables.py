"""One object, several renderables: Markdown, escaped HTML and text always, a widget only where somebody can use it.

A renderable is no widget. Headless, none is made, so nothing of one is saved and every run gives the same bytes.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NewType

from markdown_it import MarkdownIt

from evreview.evidence.records.review import Entry
from evreview.report import escape
from evreview.workflows.widgets.display_context import is_headless
from evreview.workflows.widgets.styles import STYLES

if TYPE_CHECKING:
    import ipywidgets

    from evreview.workflows.session import Review


Clean = Callable[[str], str]
"""What redacts a text before it is shown."""


class Renderable(ABC):
    """What a notebook shows. Subclasses say how; `headless` None means: find out when shown."""

    headless: bool | None = None

    def __init_subclass__(cls) -> None:
        """Keeps dataclasses from making a representation of their own: it would hold evidence as supplied."""
        super().__init_subclass__()
        setattr(cls, "__repr__", Renderable.__repr__)  # noqa: B010  mypy takes no method for another

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    @abstractmethod
    def to_text(self) -> str:
        """The renderable as plain text."""

    @abstractmethod
    def to_markdown(self) -> str:
        """The renderable as GitHub-flavoured Markdown, evidence escaped."""

    @abstractmethod
    def to_html(self) -> Markup:
        """The renderable as HTML, evidence escaped, without scripts and without anything to load."""

    def to_widget(self) -> ipywidgets.Widget | None:
        """The interactive renderable, None when this renderable has none. Never called headless."""
        return None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """The renderables by MIME type, for any Jupyter front end."""
        headless = is_headless(self.headless)
        renderables: dict[str, Any] = {
            "text/plain": self.to_text(),
            "text/markdown": self.to_markdown(),
            "text/html": dressed(self.to_html()),
        }
        widget = None if headless else self.to_widget()
        if widget is not None:
            view = widget._repr_mimebundle_()
            renderables.update({kind: data for kind, data in view.items() if kind.startswith("application/")})
        return renderables


def dressed(content: Markup) -> Markup:
    """The markup in this package's frame and look."""
    return tag("div", stylesheet(), content, class_="evr")


@dataclass(frozen=True, kw_only=True)
class Document(Renderable):
    """Finished Markdown, whole or a part; `text/markdown` is exactly its bytes.

    Attributes:
        source: the Markdown.
        role: what the part is for, as `data-role` in HTML: `decision`, `matrix`, or "".
        folded: the words under which the HTML is folded; "" shows it.
    """

    source: str
    role: str = ""
    folded: str = ""
    headless: bool | None = None

    def to_text(self) -> str:
        return self.source

    def to_markdown(self) -> str:
        return self.source

    def to_html(self) -> Markup:
        page = tag("div", from_markdown(self.source), class_="evr-page", data_role=self.role)
        return fold(self.folded, page) if self.folded else page


@dataclass(frozen=True, kw_only=True)
class Listing(Renderable):
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
class Collapsible(Renderable):
    """A renderable behind its title: closed in HTML, below the title elsewhere; of a group one is open at a time."""

    title: str
    part: Renderable
    group: str = ""
    headless: bool | None = None

    def to_text(self) -> str:
        return f"{self.title}\n\n{self.part.to_text()}"

    def to_markdown(self) -> str:
        return f"**{escape.prose(self.title)}**\n\n{self.part.to_markdown()}"

    def to_html(self) -> Markup:
        return fold(self.title, self.part.to_html(), group=self.group)


@dataclass(frozen=True, kw_only=True)
class Stack(Renderable):
    """Several renderables, one below the other; interactive ones stay interactive."""

    parts: Sequence[Renderable]
    headless: bool | None = None

    def to_text(self) -> str:
        return "\n\n".join(part.to_text() for part in self.parts)

    def to_markdown(self) -> str:
        return "\n\n".join(part.to_markdown() for part in self.parts)

    def to_html(self) -> Markup:
        return joined(tag("div", part.to_html()) for part in self.parts)

    def to_widget(self) -> ipywidgets.Widget | None:
        made = [part.to_widget() for part in self.parts]
        if not any(made):
            return None
        shown = [widget or html_widget(dressed(part.to_html())) for widget, part in zip(made, self.parts, strict=True)]
        return column(shown)


# What a view of a finished review is made from.


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayContext:
    """A finished review and the means to show it.

    Attributes:
        review: what is shown.
        name: under which a reader's choices in its views are kept.
        append: writes an entry to the bundle's `decisions.yaml`.
        clean: redacts every text before it is shown.
        headless: see `Renderable`.
    """

    review: Review
    name: str
    append: Callable[[Entry], object]
    clean: Clean
    headless: bool | None = None


# HTML that can only be built from escaped parts. The one file that makes an HTML widget.
#
# `Markup` is made here and nowhere else: by `text`, which escapes, and by `tag` and `joined`, which take `Markup`
# only. Evidence therefore can't become an element, whatever it says.


Markup = NewType("Markup", str)

_EMPTY: Final = frozenset({"col", "br", "input"})
LIMIT: Final = 4000
"""Characters of one text that a face shows; what is left out is counted and identified by its digest."""


def text(value: str, limit: int = LIMIT) -> Markup:
    """The text, escaped, and shortened with a remark when it is longer than the limit."""
    return Markup(escape.html(shortened(value, limit)))


def shortened(value: str, limit: int = LIMIT) -> str:
    """The text up to the limit, then how much is left out and the digest of the whole."""
    if len(value) <= limit:
        return value
    digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{value[:limit]} … ({len(value) - limit} more characters, sha256 {digest})"


def tag(name: str, /, *children: Markup, **attributes: str) -> Markup:
    """One element. `class_` writes `class`, `aria_label` writes `aria-label`; an empty attribute is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape.html(value)}"' for key, value in attributes.items() if value
    )
    if name in _EMPTY:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{''.join(children)}</{name}>")


def fold(title: str, content: Markup, *, group: str = "") -> Markup:
    """The content behind a summary that opens it, and closes the others of its group; works without scripts."""
    return tag("details", tag("summary", text(title)), content, class_="evr-fold", name=group)


def scroller(content: Markup, name: str, more: str = "") -> Markup:
    """The content in a region of that name, which a keyboard reaches and which scrolls where it does not fit."""
    label = shortened(name, 200) or "Table"
    return tag("div", content, class_=f"evr-scroll {more}".rstrip(), role="region", tabindex="0", aria_label=label)


def joined(parts: Iterable[Markup], between: str = "") -> Markup:
    """The parts one after the other; `between` is escaped."""
    return Markup(escape.html(between).join(parts))


def stylesheet() -> Markup:
    """The one style element; its rules reach only elements of this package's classes."""
    return Markup(f"<style>{STYLES}</style>")


def from_markdown(source: str) -> Markup:
    """The Markdown rendered with raw HTML shown as text; no image is loaded and no script link is made.

    A table stands in a region of its own, named by the heading above it, which scrolls where it does not fit.
    """
    tokens = _renderer().parse(source)
    heading, tables = "", 0
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            heading, tables = tokens[at + 1].content, 0
        elif token.type == "table_open":
            tables += 1
            token.meta["label"] = f"{heading or 'Table'}, table {tables}" if tables > 1 else heading or "Table"
    return Markup(_renderer().renderer.render(tokens, _renderer().options, {}))


def drawn(picture: str) -> Markup:
    """A picture that `step2_trust_drawing` drew: every text in it is escaped there, and nothing is loaded."""
    return Markup(picture)


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
    made.add_render_rule("table_open", _table_open)
    made.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return made


def _table_open(_: Any, tokens: Sequence[Any], at: int, *__: Any) -> str:
    label = escape.html(tokens[at].meta.get("label", "Table"))
    return f'<div class="evr-scroll" role="region" tabindex="0" aria-label="{label}"><table>\n'


def column(parts: Sequence[ipywidgets.Widget]) -> ipywidgets.VBox:
    """The parts below each other; a box of ipywidgets alone would be a scroller without a name or a tab stop."""
    import ipywidgets

    return ipywidgets.VBox(parts, layout=ipywidgets.Layout(width="100%", margin="0", overflow="visible"))


def html_widget(content: Markup) -> ipywidgets.HTML:
    """A widget that shows the markup."""
    import ipywidgets

    return ipywidgets.HTML(value=content, layout=ipywidgets.Layout(margin="0", width="100%"))
