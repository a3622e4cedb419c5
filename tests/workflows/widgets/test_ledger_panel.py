"""The interactive matrix: its controls, the reader's choices over a rerun and with 50,000 rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evreview.workflows.widgets.difference_rows import COLUMNS, FACETS
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.row_table_panel import LedgerPanel
from evreview.workflows.widgets.table import forget
from evreview.workflows.widgets.two_sides import DetailView, marked


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    """No reader's choice survives a test."""
    forget()
    yield
    forget()


def detail_of(key: str) -> DetailView:
    return DetailView(key=key, title="here", verdict="breaking", released="a b", candidate="a c")


def matrix(rows: int) -> pd.DataFrame:
    pick = np.arange(rows)
    operations = [f"GET /v1/orders/{place % 400}" for place in pick]
    made: dict[str, Any] = {
        "delta_id": [f"D-{place:012x}" for place in pick],
        "verdict": np.array(["breaking", "compatible", "unknown"])[pick % 3],
        "what": [f"field{place} is longer; {operation}" for place, operation in zip(pick, operations, strict=True)],
        "released": [f"at most {place}" for place in pick],
        "candidate": [f"at most {place + 1}" for place in pick],
        "clients": np.array(["known: none expected", "storefront may fail"])[pick % 2],
        "shown_by": "proved",
        "operation": [(operation, "POST /v1/orders") for operation in operations],
    }
    return pd.DataFrame(made)


def panel_of(rows: int = 60, **changes: Any) -> LedgerPanel:
    view = LedgerView(
        frame=matrix(rows), columns=COLUMNS, facets=FACETS, detail=detail_of, name="m", headless=False,
        **{"page_size": 25, **changes},
    )  # fmt: skip
    return view.panel


def shown_keys(panel: LedgerPanel) -> list[str]:
    return re.findall(r'data-do="open" data-of="([^"]+)"', panel.widget.table)


def choose(panel: LedgerPanel, facet: str, value: str) -> None:
    """What the browser sends when a reader chooses a value; "" chooses all."""
    values = [found for found, _ in panel.view.table.values(facet)]
    panel.receive({"do": "facet", "of": facet, "value": str(values.index(value)) if value else "all"})


def test_search_facets_and_pages_work_together() -> None:
    panel = panel_of()
    panel.receive({"do": "search", "of": "field1 longer"})
    assert panel.page.matched == 11
    choose(panel, "verdict", "compatible")
    assert panel.page.matched == 5
    panel.receive({"do": "search", "of": ""})
    choose(panel, "verdict", "")
    choose(panel, "operation", "POST /v1/orders")
    assert panel.page.matched == 60
    first = shown_keys(panel)
    panel.receive({"do": "page", "of": "later"})
    assert panel.page.number == 2 and len(first) == 25 and not set(first) & set(shown_keys(panel))
    panel.receive({"do": "page", "of": "earlier"})
    assert shown_keys(panel) == first and "25 of 60 rows, page 1 of 3." in panel.widget.line


def test_a_header_sorts_up_then_down_then_not() -> None:
    panel = panel_of(5)
    panel.receive({"do": "sort", "of": "what"})
    up = shown_keys(panel)
    assert 'aria-sort="ascending"' in panel.widget.table
    panel.receive({"do": "sort", "of": "what"})
    assert shown_keys(panel) == up[::-1] and 'aria-sort="descending"' in panel.widget.table
    panel.receive({"do": "sort", "of": "what"})
    assert panel.query.sort == ""


def test_a_row_opens_its_own_card_below_it_and_closes_again() -> None:
    panel = panel_of()
    panel.sort_by("what")
    panel.sort_by("what")
    key = shown_keys(panel)[3]
    panel.receive({"do": "open", "of": key})
    after = panel.widget.table.partition(f'data-of="{key}"')[2]
    assert panel.opened == panel.widget.opened == key and panel.widget.table.count('aria-expanded="true"') == 1
    assert after.index('id="evr-card"') < after.index(f"Delta {key}") < after.index("data-of=")
    panel.receive({"do": "close"})
    assert panel.opened == "" and "evr-below" not in panel.widget.table


def test_compatible_rows_are_counted_and_shown_when_asked_for() -> None:
    panel = panel_of(folded=("verdict", "compatible"))
    assert panel.page.matched == 40 and "Show compatible (20)" in panel.widget.controls
    assert "40 rows" not in panel.widget.line and "of 60 rows" in panel.widget.line
    choose(panel, "verdict", "compatible")
    assert panel.page.matched == 20
    choose(panel, "verdict", "")
    assert panel.page.matched == 60 and "Hide compatible (20)" in panel.widget.controls
    panel.receive({"do": "fold"})
    assert panel.page.matched == 40


@pytest.mark.parametrize(
    "said",
    [{}, {"do": "open", "of": "D-nothing"}, {"do": "facet", "of": "nothing", "value": "0"}, {"do": "page", "of": "x"},
     {"do": "facet", "of": "verdict", "value": "99"}, {"do": "sort", "of": "delta"}, {"do": "facet", "of": "verdict"}],
)  # fmt: skip
def test_what_the_browser_may_not_send_changes_nothing(said: dict[str, str]) -> None:
    panel = panel_of()
    before = panel.widget.table
    panel.receive(said)
    assert panel.widget.table == before and panel.opened == ""


def test_a_rerun_keeps_what_the_reader_chose() -> None:
    panel = panel_of()
    panel.receive({"do": "search", "of": "field"})
    choose(panel, "verdict", "unknown")
    panel.sort_by("what")
    panel.open_row("D-000000000005")
    again = panel_of()
    assert (again.query, again.opened) == (panel.query, "D-000000000005")
    assert 'value="field"' in again.widget.controls and 'selected="selected"' in again.widget.controls


def test_a_rerun_drops_what_is_no_longer_there() -> None:
    panel = panel_of(60)
    choose(panel, "operation", "GET /v1/orders/59")
    panel.open_row("D-00000000003b")
    again = panel_of(3)
    assert again.query.facets.get("operation") == () and again.opened == "" and again.page.matched == 3


def test_every_control_has_a_name() -> None:
    panel = panel_of()
    assert panel.widget.controls.count("<label><span>") == 1 + len(FACETS)
    assert panel.widget.table.count('aria-label="Open D-') == 25 == len(shown_keys(panel))


def test_the_page_is_a_table_with_scoped_headers_and_a_caption() -> None:
    value = panel_of(3, caption="Each row is one difference.").widget.table
    assert value.count('scope="col"') == len(COLUMNS) + 1 and value.count('scope="row"') == 3
    assert "<caption>Each row is one difference.</caption>" in value


def test_only_one_page_travels_to_the_browser() -> None:
    panel = panel_of(5000, page_size=50)
    assert len(shown_keys(panel)) == 50 and panel.widget.table.count("<tr") == 51


@pytest.mark.parametrize("rows", [0, 20_000])
def test_none_and_twenty_thousand_rows_have_a_face(rows: int) -> None:
    panel = panel_of(rows)
    assert ("No row." in panel.widget.table) == (rows == 0) and f"{rows:,} rows" in panel.widget.line


@pytest.mark.parametrize(
    ("left", "right", "gone", "come"),
    [
        ("a b", "a c", "b", "c"),
        ("same", "same", "", ""),
        ('{\n "x": 1\n}', '{\n "x": 2\n}', "1", "2"),
        ("", "n", "", "n"),
    ],
)
def test_the_difference_is_marked_and_nothing_else(left: str, right: str, gone: str, come: str) -> None:
    before, after = marked(left, right)
    assert "".join(piece for piece, _ in before) == left and "".join(piece for piece, _ in after) == right
    assert "".join(piece for piece, differs in before if differs) == gone
    assert "".join(piece for piece, differs in after if differs) == come


def test_50000_rows_are_searched_sorted_and_opened_and_a_page_of_them_is_sent() -> None:
    panel = panel_of(50_000)
    assert (panel.page.matched, len(shown_keys(panel))) == (50_000, 25)
    panel.receive({"do": "search", "of": "field123"})
    assert (panel.page.matched, len(shown_keys(panel))) == (111, 25)
    panel.receive({"do": "search", "of": "field1234 longer"})
    assert panel.page.matched == 11
    panel.ask(search="", facets={"verdict": ("breaking",)})
    assert panel.page.matched == 16_667
    panel.sort_by("what")
    first = shown_keys(panel)[0]
    panel.sort_by("what")
    assert {first, shown_keys(panel)[0]} == {"D-000000000000", "D-00000000270f"}
    panel.open_row(panel.page.keys[7])
    assert detail_of(panel.page.keys[7]).title in panel.widget.table


def test_an_opened_row_is_copied_as_the_words_that_its_card_says() -> None:
    panel = panel_of()
    assert 'data-do="copy"' not in panel.widget.table
    key = panel.page.keys[0]
    panel.receive({"do": "open", "of": key})
    copied = re.findall(r'data-do="copy" data-of="([^"]*)"', panel.widget.table)
    card = detail_of(key)
    assert [unescape(each) for each in copied] == [card.to_markdown(), *(command for _, command in card.commands)]
