"""The interactive matrix: its controls, the reader's choices over a rerun, and how fast it is with 50,000 rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets
import numpy as np
import pandas as pd
import pytest

from evreview.workflows.w1.widgets import COLUMNS, FACETS
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
    return DetailView(key=key, title="here", verdict="breaking", why="because", released="a b", candidate="a c")


def matrix(rows: int) -> pd.DataFrame:
    pick = np.arange(rows)
    made: dict[str, Any] = {
        "delta_id": [f"D-{place:012x}" for place in pick],
        "verdict": np.array(["breaking", "compatible", "unknown"])[pick % 3],
        "operation": [f"GET /v1/orders/{place % 400}" for place in pick],
        "aspect": np.array(["enums", "fields", "defaults", "types", "formats"])[pick % 5],
        "change": "changed",
        "where": [f"response 200 > application/json > items[] > field{place}" for place in pick],
        "released": [f'{{"type":"string","maxLength":{place}}}' for place in pick],
        "candidate": [f'{{"type":"string","maxLength":{place + 1}}}' for place in pick],
        "clients": np.array(["none known", "storefront"])[pick % 2],
        "proof": "proved",
    }
    return pd.DataFrame(made)


def panel_of(rows: int = 60, **changes: Any) -> LedgerPanel:
    view = LedgerView(
        frame=matrix(rows), columns=COLUMNS, facets=FACETS, detail=detail_of, name="m", headless=False, **changes
    )
    return view.panel


def shown_keys(panel: LedgerPanel) -> list[str]:
    return [button.description for button in panel.rows if button.description]


def test_search_facets_and_pages_work_together() -> None:
    panel = panel_of()
    panel.search.value = "field1 response"
    assert panel.page.matched == 11
    panel.facets["verdict"].value = ("compatible", "unknown")
    assert panel.page.matched == 8
    panel.search.value = ""
    assert panel.page.matched == 40
    first = shown_keys(panel)
    panel.later.click()
    assert panel.page.number == 2 and panel.later.disabled and not set(first) & set(shown_keys(panel))
    panel.earlier.click()
    assert shown_keys(panel) == first and panel.earlier.disabled


def test_a_header_sorts_up_then_down_then_not() -> None:
    panel = panel_of(5)
    where = [button.tooltip for button in panel.headers].index("Sort by Where")
    panel.headers[where].click()
    up = shown_keys(panel)
    panel.headers[where].click()
    assert shown_keys(panel) == up[::-1] and 'aria-sort="descending"' in panel._body.value
    panel.headers[where].click()
    assert panel.query.sort == ""


def test_a_row_opens_its_own_delta_after_sorting_and_closes_again() -> None:
    panel = panel_of()
    panel.sort_by("where")
    panel.sort_by("where")
    key = panel.rows[3].description
    panel.rows[3].click()
    assert panel.opened == key and f"Delta {key}" in panel._detail.value
    panel.rows[3].click()
    assert panel.opened == "" and panel._detail.value == ""


def test_a_rerun_keeps_what_the_reader_chose() -> None:
    panel = panel_of()
    panel.search.value = "field"
    panel.facets["aspect"].value = ("enums",)
    panel.sort_by("operation")
    panel.open_row("D-000000000005")
    again = panel_of()
    assert (again.query, again.opened) == (panel.query, "D-000000000005")
    assert again.search.value == "field" and again.facets["aspect"].value == ("enums",)


def test_a_rerun_drops_what_is_no_longer_there() -> None:
    panel = panel_of(60)
    panel.facets["aspect"].value = ("formats",)
    panel.open_row("D-00000000003b")
    again = panel_of(3)
    assert again.query.facets.get("aspect") == () and again.opened == "" and again.page.matched == 3


def test_every_control_has_a_name_and_they_come_in_reading_order() -> None:
    panel = panel_of(3)

    def controls(widget: Any) -> Iterator[Any]:
        if isinstance(widget, ipywidgets.Box):
            for child in widget.children:
                yield from controls(child)
        elif not isinstance(widget, ipywidgets.HTML):
            yield widget

    found = list(controls(panel.root))
    assert all(widget.description for widget in found)
    order = [panel.search, *panel.facets.values(), *panel.headers, *panel.rows, panel.earlier, panel.later]
    assert found == order


def test_the_page_is_a_table_with_scoped_headers() -> None:
    value = panel_of(3)._body.value
    assert value.count('scope="col"') == len(COLUMNS) + 1 and value.count('scope="row"') == 3


def test_only_one_page_travels_to_the_browser() -> None:
    panel = panel_of(5000)
    assert len(panel.rows) == 25 and panel._body.value.count("<tr") == 26


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


def timed(action: Callable[[], object]) -> float:
    """Seconds of processor time, which neighbours on the machine do not stretch."""
    start = time.process_time()
    action()
    return time.process_time() - start


def test_50000_rows_are_shown_searched_sorted_and_opened_in_time(capsys: pytest.CaptureFixture[str]) -> None:
    frame = matrix(50_000)
    held: list[LedgerPanel] = []
    view = LedgerView(frame=frame, columns=COLUMNS, facets=FACETS, detail=detail_of, headless=False)
    first = timed(lambda: held.append(view.panel))
    panel = held[0]

    def search(words: str) -> None:
        panel.search.value = words

    later = {
        "first search": timed(lambda: search("field123")),
        "next search": timed(lambda: search("field1234 string")),
        "facet": timed(lambda: panel.ask(search="", facets={"verdict": ("breaking",)})),
        "first sort": timed(lambda: panel.sort_by("where")),
        "next sort": timed(lambda: panel.sort_by("where")),
        "open": timed(lambda: panel.open_row(panel.page.keys[7])),
    }
    with capsys.disabled():
        print(f"\n50,000 rows: first view {first:.3f} s", {name: round(used, 3) for name, used in later.items()})
    assert first < 2
    assert {name: used for name, used in later.items() if used >= 0.3} == {}
