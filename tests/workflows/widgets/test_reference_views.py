"""The views of a reference: the grid opens its evidence, discrepancies take the owner's word, examples show a state."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest

from evreview.app.workbench import VIEWS, Workbench
from evreview.core.assets import demo_bundle as bundled
from evreview.core.vocabulary import Concern
from evreview.evidence.citation import resolve
from evreview.evidence.records.review import Disposition
from evreview.report import escape
from evreview.workflows.w2.facts import Disposal, Source, W2Facts
from evreview.workflows.w2.reconcile.publication import holds_example
from evreview.workflows.w2.widgets.discrepancies import DiscrepancyCard, DispositionForm, FilledDisposition
from evreview.workflows.w2.widgets.matrix import SIGNS, MatrixView
from evreview.workflows.w2.widgets.matrix_panel import GridPanel
from evreview.workflows.widgets.renderables import DisplayContext, Listing, from_markdown
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import forget

EVIL = '<img src=x onerror="window.__pwned=1">'
AT = datetime(2026, 1, 2, 9, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def bench() -> Workbench:
    """The workbench over the bundled reference, as a kernel shows it."""
    return Workbench(bundled("w2"), headless=False)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Each test starts with views that nobody has used."""
    forget()


def facts_of(bench: Workbench) -> W2Facts:
    facts = bench.review.facts
    assert isinstance(facts, W2Facts)
    return facts


def grid_of(bench: Workbench) -> MatrixView:
    view = bench.view("matrix")
    assert isinstance(view, MatrixView)
    return view


def ledger_of(bench: Workbench, name: str) -> LedgerView:
    view = bench.view(name)
    assert isinstance(view, LedgerView) and view.detail is not None
    return view


def squares(panel: GridPanel) -> dict[str, tuple[str, str]]:
    """What a reader sees and is told of each square of the page, by its key."""
    drawn = re.findall(r'data-of="([^"]*)"[^>]* aria-label="([^"]*)"[^>]*>([^<]*)</button>', panel.widget.table)
    return {unescape(key): (unescape(word), unescape(told)) for key, told, word in drawn}


def press(panel: GridPanel, key: str) -> None:
    panel.receive({"do": "open", "of": key})


def test_the_grid_shows_every_cell_with_its_sign(bench: Workbench) -> None:
    grid, facts = grid_of(bench), facts_of(bench)
    by_place = {(cell.operation, cell.concern, cell.source): cell for cell in facts.matrix}
    shown = squares(grid.panel)
    assert set(shown) == {f"{cell.operation} {cell.concern}" for cell in facts.matrix}
    seen = 0
    for found in grid.matrix_cells:
        word, told = shown[found.key]
        for source, sign in zip(Source, word.split(), strict=False):
            cell = by_place[found.operation, found.concern, source]
            assert sign[1:] == SIGNS[cell.standing] and f"{source} {cell.standing}" in told
            seen += 1
        place = (found.operation, found.concern)
        assert ("≠" in word) == any((each.operation, each.concern) == place for each in facts.open_discrepancies)
    assert seen == len(facts.matrix)


def test_a_matrix_cell_opens_what_each_source_says_with_the_cited_lines(bench: Workbench) -> None:
    grid, facts = grid_of(bench), facts_of(bench)
    panel, checked = grid.panel, 0
    for found in grid.matrix_cells:
        press(panel, found.key)
        assert panel.opened == found.key and panel.widget.table.count('aria-pressed="true"') == 1
        for cell in facts.matrix:
            if (cell.operation, cell.concern) != (found.operation, found.concern):
                continue
            assert f"{str(cell.source).capitalize()} " in panel.detail.value
            for citation in cell.citations:
                quoted = resolve(bench.review.bundle, citation) or ""
                assert escape.html(bench._clean(quoted)[:300]) in panel.detail.value or not citation.locator
                checked += 1
        press(panel, found.key)
        assert (panel.opened, panel.detail.value) == ("", "")
    assert checked > 50


def test_one_square_is_a_tab_stop(bench: Workbench) -> None:
    panel = grid_of(bench).panel
    key = list(squares(panel))[-1]
    for opened in ("", key):
        press(panel, opened)
        stops = re.findall(r'data-of="([^"]*)"[^>]*tabindex="0"', panel.widget.table)
        assert [unescape(each) for each in stops] == [opened or next(iter(squares(panel)))]


def test_the_grid_pages_and_searches_and_remembers(bench: Workbench) -> None:
    grid = grid_of(bench)
    grid.page_size = 1
    first, second, *_ = grid.operations
    panel = grid.panel
    assert (panel.shown, panel.page) == ((first,), 1) and panel.widget.pager.count(" disabled=") == 1
    panel.receive({"do": "page", "of": "later"})
    assert panel.shown == (second,)
    press(panel, next(iter(squares(panel))))
    assert panel.opened.startswith(second)
    panel.receive({"do": "search", "of": first})
    assert panel.shown[0] == first
    panel.receive({"do": "open", "of": "no such square"})
    assert panel.opened.startswith(second)
    panel.receive({"do": "search", "of": "no such operation"})
    assert panel.shown == () and not panel.widget.pager
    assert grid_of(bench).panel.search == "no such operation"


def test_headless_tables_have_what_the_matrix_cells_open(bench: Workbench) -> None:
    grid, facts = grid_of(bench), facts_of(bench)
    for renderable in (grid.to_markdown(), grid.to_html()):
        for cell in facts.matrix:
            said = escape.cell(cell.reason) if renderable.startswith("**") else escape.html(cell.reason)
            assert str(said) in renderable
    frame = grid._table().frame
    assert len(frame) == len({(cell.operation, cell.concern) for cell in facts.matrix})


def test_a_discrepancy_opens_both_forms_impact_and_withheld_claims(bench: Workbench) -> None:
    view, facts = ledger_of(bench, "discrepancies"), facts_of(bench)
    assert list(view.frame["id"]) == [str(each.id) for each in facts.discrepancies] and facts.discrepancies
    for each in facts.discrepancies:
        assert view.detail is not None
        page = view.detail(str(each.id)).to_html()
        for word in (each.impact, each.owner_role, each.digest, *each.withholds, *map(str, each.citations)):
            assert escape.html(word) in page
        assert "Contract</h4>" in page and "Implementation</h4>" in page
    with pytest.raises(KeyError):
        view.detail("X-000000000000")  # type: ignore[misc]


def test_the_owners_word_is_appended_and_taken_in_by_a_rerun(tmp_path: Path) -> None:
    copy = tmp_path / "bundle"
    shutil.copytree(bundled("w2"), copy)
    bench = Workbench(copy, headless=False)
    view = ledger_of(bench, "discrepancies")
    judged = facts_of(bench).open_discrepancies[0]
    view.panel.open_row(str(judged.id))
    (shown,) = view.panel.forms.children
    assert shown is not None
    card = view.detail(str(judged.id)) if view.detail else None
    assert isinstance(card, DiscrepancyCard)
    day = bench.review.bundle.request.as_of
    card.form.clock = lambda: datetime.fromisoformat(f"{day}T08:00:00+00:00") if day else AT
    panel = card.form.panel
    panel.role.value, panel.publish.value, panel.decision.value = judged.owner_role, "contract", "the code follows"
    panel.reviewed[0].value = True
    panel.record.click()
    assert panel.record.disabled, panel.told.value
    again = Workbench(copy, headless=True)
    (entry,) = [each for each in again._run.bundle.decisions.dispositions if each.subject == judged.id]
    assert (entry.publish, entry.of, entry.role) == ("contract", judged.digest, judged.owner_role)
    assert 1 < again._run.resumed_at <= 3
    after = {each.id: each for each in facts_of(again).discrepancies}[judged.id]
    assert (after.disposal, after.disposition) == (Disposal.PUBLISH_CONTRACT, "the code follows")
    opened = ledger_of(again, "discrepancies").detail
    assert opened is not None and opened(str(judged.id)).to_widget() is None


def form_of(bench: Workbench, kept: list[Disposition], as_of: str = "") -> DispositionForm:
    judged = facts_of(bench).open_discrepancies[0]
    return DispositionForm(judged=judged, append=kept.append, as_of=as_of, clock=lambda: AT, headless=False)


def test_nothing_is_preset_and_an_incomplete_word_records_nothing(bench: Workbench) -> None:
    kept: list[Disposition] = []
    panel = form_of(bench, kept).panel
    assert not panel.role.value and not panel.publish.value and not any(box.value for box in panel.reviewed)
    panel.record.click()
    assert "Nothing was recorded" in panel.told.value
    panel.role.value, panel.publish.value, panel.decision.value = panel.form.judged.owner_role, "withhold", "wait <b>"
    panel.record.click()
    assert kept == [] and "reviewed" in panel.told.value and not panel.record.disabled
    panel.reviewed[0].value = True
    panel.record.click()
    assert [entry.publish for entry in kept] == ["withhold"] and "wait &lt;b&gt;" in panel.told.value


@pytest.mark.parametrize(("as_of", "late"), [("2026-01-01", True), ("2026-01-02", False), ("", False)])
def test_a_word_after_the_day_of_the_review_says_that_it_does_not_count_yet(
    bench: Workbench, as_of: str, late: bool
) -> None:
    form = form_of(bench, [], as_of)
    done, lines = form.record(
        FilledDisposition(role="r", decision="d", publish="contract", reviewed=("contract form",))
    )
    assert done and any("as_of" in line for line in lines) == late


def test_each_example_stands_beside_its_execution_state(bench: Workbench) -> None:
    view, facts = ledger_of(bench, "examples"), facts_of(bench)
    rows = view.frame.set_index("example")
    assert set(rows.index) >= {str(each.id) for each in facts.examples}
    for example in facts.examples:
        told = [row for row in facts.report if str(example.id) in "".join(map(str, row.check))]
        text = view.detail(str(example.id)).to_text() if view.detail else ""
        if holds_example(facts, example):
            assert not told and rows.at[str(example.id), "label"] == "left out"
            assert example.body not in text or not example.body
            continue
        if told:
            assert (rows.at[str(example.id), "execution"], rows.at[str(example.id), "result"]) == (
                told[0].status,
                told[0].result,
            )
        else:
            assert rows.at[str(example.id), "execution"] in ("covered", "contradicted", "uncovered")
        assert example.body in text and (example.url or str(example.message.status)) in text


def test_each_workflow_offers_its_own_views(bench: Workbench, demo_bundle: Path) -> None:
    with pytest.raises(ValueError, match="matrix, discrepancies, examples"):
        bench.view("ledger")
    with pytest.raises(ValueError, match="matrix"):
        Workbench(demo_bundle, headless=True).view("discrepancies")


@pytest.mark.parametrize(("name", "step"), [("matrix", 2), ("discrepancies", 3), ("examples", 5)])
def test_a_view_whose_step_was_not_reached_says_so(bench: Workbench, name: str, step: int) -> None:
    nothing = replace(facts_of(bench), matrix=(), reconciled=False, examples=(), omitted=())
    display = DisplayContext(review=replace(bench.review, facts=nothing), name="", append=lambda _: None, clean=str)
    renderable = VIEWS[bench.review.bundle.workflow][name](display)
    assert isinstance(renderable, Listing) and f"step {step} was not reached" in renderable.to_text()


def test_hostile_words_stay_words(bench: Workbench) -> None:
    grid = grid_of(bench)
    matrix_cell = replace(grid.matrix_cells[0], operation=EVIL)
    evil = MatrixView(matrix_cells=[matrix_cell], detail=grid.detail, clean=str, headless=False)
    found = facts_of(bench).discrepancies[0]
    bad = replace(found, operation=EVIL, place=EVIL, contract={EVIL: EVIL}, implementation=EVIL, impact=EVIL)
    form = DispositionForm(judged=replace(bad, owner_role=EVIL, disposition=EVIL), append=print, headless=False)
    card = DiscrepancyCard(found=bad, quotes=(), form=form, headless=False)
    for page in (
        evil.to_html(),
        evil.panel.widget.table,
        card.to_html(),
        form.to_html(),
        from_markdown(card.to_markdown()),
    ):
        assert "<img" not in page and "&lt;img" in page


@pytest.mark.parametrize("name", ["matrix", "discrepancies", "examples"])
def test_every_text_passes_the_guard(bench: Workbench, name: str) -> None:
    display = DisplayContext(
        review=bench.review, name="", append=lambda _: None, clean=lambda value: value.replace("orders", "(gone)"),
        headless=False,
    )  # fmt: skip
    renderable = VIEWS[bench.review.bundle.workflow][name](display)
    for shown in (renderable.to_html(), renderable.to_text(), renderable.to_markdown()):
        assert "/v1/(gone)" in shown and "GET /v1/orders" not in shown


def test_the_concerns_of_the_grid_are_those_of_the_vocabulary(bench: Workbench) -> None:
    assert grid_of(bench).concerns == tuple(Concern)
