"""One object, several renderables: which are given when, and that evidence stays text in each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evreview.app.workbench import StepBar, StepMark
from evreview.core.vocabulary import StepState
from evreview.workflows.engine.gates import Gate, GateSpec, GateState, Seat
from evreview.workflows.widgets.gate_form import GateForm
from evreview.workflows.widgets.renderables import Document, Listing, Renderable, Stack
from evreview.workflows.widgets.row_table import LedgerView, TableRenderable
from evreview.workflows.widgets.table import forget
from evreview.workflows.widgets.table_markup import CAP, MOST, Column, Look
from evreview.workflows.widgets.two_sides import DetailView

VIEW = "application/vnd.jupyter.widget-view+json"
HOSTILE = (
    '<img src=x onerror="window.__pwned=1">',
    "</style></pre><script>window.__pwned=1</script>",
    '" onmouseover="window.__pwned=1',
    "a | b \\| c\n| d |\r\n\n# heading\n\n```",
    "![i](https://evil.example.test/x.png) [l](javascript:alert(1)) <https://evil.example.test>",
    "\u202eabc\u200b\x1b[31m",
)
OURS = {"div", "style", "span", "ul", "li", "table", "caption", "col", "thead", "tbody", "tr", "th", "td", "p", "b"}
OURS |= {"section", "h3", "h4", "h5", "dl", "dt", "dd", "pre", "del", "ins", "ol", "details", "summary", "code"}
RENDERED = {"h1", "h2", "h3", "code", "em", "strong", "br", "hr", "blockquote", "a", "h6"}
ATTRIBUTES = {
    "data-role",
    "class",
    "style",
    "scope",
    "aria-label",
    "aria-current",
    "tabindex",
    "start",
    "role",
    "colspan",
}


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    """No reader's choice survives a test."""
    forget()
    yield
    forget()


def gate_of(text: str) -> Gate:
    spec = GateSpec(id="ship-breaking-change", title=text, reviewed=(text,), stages=(("api-owner",),))
    seat = Seat(stands_for="api-owner", role=text, client=text)
    return Gate(spec=spec, state=GateState.OPEN, seats=(seat,), missing=(text,))


def renderables_of(text: str, *, headless: bool | None = True) -> dict[str, Renderable]:
    """Every kind of renderable, with the text in every position."""
    frame = pd.DataFrame({"delta_id": [f"k{text}"], text: [text], "b": [{text: text}]})
    detail = DetailView(
        key=text, title=text, verdict=text, released=text, candidate=text, fields=((text, text),),
        clients=((text, text, text),), places=(text, text), witness=text, message=text, commands=((text, text),),
    )  # fmt: skip
    return {
        "ledger": LedgerView(
            frame=frame, facets=(text,), title=text, detail=lambda _: detail, headless=headless,
            columns=(Column(text, text, Look.CODE), Column("b", text, Look.BADGE)),
        ),
        "table": TableRenderable(frame=frame, title=text, headless=headless),
        "listing": Listing(title=text, lines=(text,), headless=headless),
        "detail": detail,
        "steps": StepBar(steps=[StepMark(number=1, title=text, state=StepState.STOP, code=text)], headless=headless),
        "gates": GateForm(gates=[gate_of(text)], append=print, headless=headless),
        "stack": Stack(parts=[Listing(title=text), detail], headless=headless),
    }  # fmt: skip


class Seen(HTMLParser):
    """Collects every element and attribute."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def rendered(markdown: str) -> str:
    """The Markdown as a renderer that lets raw HTML through shows it."""
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("kind", sorted(renderables_of("x")))
def test_hostile_text_stays_text_in_every_position(kind: str, text: str) -> None:
    renderables = renderables_of(text)[kind]._repr_mimebundle_()
    page = Seen(renderables["text/html"])
    assert page.tags <= OURS and page.attributes <= ATTRIBUTES
    shown = Seen(rendered(renderables["text/markdown"]))
    assert shown.tags <= OURS | RENDERED - {"a", "h1", "h2"}
    assert not {name for name in shown.attributes if name.startswith("on")} | (shown.attributes & {"src", "href"})
    assert not set(renderables["text/html"] + renderables["text/markdown"]) & set("\x1b\u202e\u200b\r")


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.sampled_from("<>&\"'|\\`*_[]()!#-\n\r\t =ax1:/@"), min_size=1, max_size=30))
def test_a_table_keeps_its_shape_whatever_the_cells_say(text: str) -> None:
    frame = pd.DataFrame({"a": [text, "x"], "b": ["y", text]})
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(TableRenderable(frame=frame).to_markdown())
    assert sum(token.type == "tr_open" for token in tokens) == 3
    assert sum(token.type == "td_open" for token in tokens) == 6
    assert not [token for token in tokens if token.type == "html_block"]
    inner = [child.type for token in tokens for child in token.children or []]
    assert not {"html_inline", "link_open", "image"} & set(inner)
    assert Seen(TableRenderable(frame=frame).to_html()).tags <= OURS


def test_the_document_is_shown_without_raw_html_images_or_script_links() -> None:
    source = "# T\n\n" + "\n\n".join(HOSTILE)
    renderables = Document(source=source)._repr_mimebundle_()
    assert renderables["text/markdown"] == renderables["text/plain"] == source
    page = Seen(renderables["text/html"])
    assert not {"img", "script", "iframe"} & page.tags
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', renderables["text/html"]))
    assert not {name for name in page.attributes if name.startswith("on")}


@pytest.mark.parametrize("kind", sorted(renderables_of("x")))
def test_headless_no_renderable_makes_a_widget(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVREVIEW_HEADLESS", "1")
    renderable = renderables_of("x", headless=None)[kind]
    monkeypatch.setattr(type(renderable), "to_widget", lambda _: pytest.fail("a widget was made"))
    assert set(renderable._repr_mimebundle_()) == {"text/plain", "text/markdown", "text/html"}


def test_interactive_renderables_have_a_widget_view_too() -> None:
    renderables = renderables_of("x", headless=False)
    shown = {kind for kind, renderable in renderables.items() if VIEW in renderable._repr_mimebundle_()}
    assert shown == {"ledger", "table", "gates"}


def test_outside_a_kernel_no_widget_is_made() -> None:
    assert VIEW not in renderables_of("x", headless=None)["ledger"]._repr_mimebundle_()


def test_a_long_table_is_cut_and_says_so() -> None:
    frame = pd.DataFrame({"delta_id": [f"k{n}" for n in range(CAP + 7)], "a": "x"})
    markdown = LedgerView(frame=frame).to_markdown()
    assert f"{CAP} of {CAP + 7} rows" in markdown
    assert len(re.findall(r"^\| k", markdown, re.MULTILINE)) == CAP


def test_a_long_cell_is_cut_and_says_so() -> None:
    shown = TableRenderable(frame=pd.DataFrame({"a": ["y" * 5000]})).to_markdown()
    assert len(shown) < 600 and "4700 more characters, sha256" in shown


def test_columns_have_a_scope_and_the_table_a_caption() -> None:
    html = LedgerView(frame=pd.DataFrame({"delta_id": ["k"], "a": ["x"]}), title="Matrix").to_html()
    assert html.count(' scope="col"') == 2 and html.count(' scope="row"') == 1
    assert "<caption>Matrix</caption>" in html


def test_a_row_that_is_cut_opens_its_card_without_a_script() -> None:
    frame = pd.DataFrame({"a": ["short", "long " * 60], "b": ["x", "y"]})
    html = TableRenderable(frame=frame, title="t").to_html()
    assert html.count("<summary") == 1 == html.count('class="evr-below"')
    assert ("long " * 59).strip() in html.partition('class="evr-below"')[2]


def test_what_a_table_does_not_show_is_in_the_card() -> None:
    frame = pd.DataFrame([{f"c{at}": f"v{at}" for at in range(20)}])
    html = TableRenderable(frame=frame).to_html()
    assert html.count(' scope="col"') == MOST and "v19" in html


@pytest.mark.parametrize("frame", [pd.DataFrame(), pd.DataFrame({"delta_id": [], "a": []})])
def test_a_frame_with_no_row_says_so(frame: pd.DataFrame) -> None:
    table = TableRenderable(frame=frame, title="t", headless=False)
    assert "No row." in table.to_html() and "0 rows." in table.to_markdown() and table.to_widget() is not None
