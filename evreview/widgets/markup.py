"""HTML that can only be built from escaped parts. The one file that makes an HTML widget.

`Markup` is made here and nowhere else: by `text`, which escapes, and by `tag` and `joined`, which take `Markup` only.
Evidence therefore can't become an element, whatever it says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NewType

from markdown_it import MarkdownIt

from evreview.report import escape
from evreview.workflows.widgets.styles import STYLES

if TYPE_CHECKING:
    import ipywidgets

Markup = NewType("Markup", str)

_EMPTY: Final = frozenset({"col", "br"})
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


def tag(name: str, *children: Markup, **attributes: str) -> Markup:
    """One element. `class_` writes `class`, `aria_label` writes `aria-label`; an empty attribute is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape.html(value)}"' for key, value in attributes.items() if value
    )
    if name in _EMPTY:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{''.join(children)}</{name}>")


def joined(parts: Iterable[Markup], between: str = "") -> Markup:
    """The parts one after the other; `between` is escaped."""
    return Markup(escape.html(between).join(parts))


def stylesheet() -> Markup:
    """The one style element; its rules reach only elements of this package's classes."""
    return Markup(f"<style>{STYLES}</style>")


def from_markdown(source: str) -> Markup:
    """The Markdown rendered with raw HTML shown as text; no image is loaded and no script link is made."""
    return Markup(_renderer().render(source))


def drawn(picture: str) -> Markup:
    """A picture that `security.trust.picture.svg` drew: every text in it is escaped there, and nothing is loaded."""
    return Markup(picture)


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")


def html_widget(content: Markup) -> ipywidgets.HTML:
    """A widget that shows the markup."""
    import ipywidgets

    return ipywidgets.HTML(value=content, layout=ipywidgets.Layout(margin="0", width="100%"))
