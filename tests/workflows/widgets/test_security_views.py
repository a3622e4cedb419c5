"""The views of a security review: the picture, the controls with the odd ones, the board by disposition, the cases."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeVar
from xml.etree import ElementTree

import pytest

from evreview.app.workbench import VIEWS, Workbench
from evreview.core.assets import demo_bundle as bundled
from evreview.core.vocabulary import WorkflowId
from evreview.workflows.w3.artifact.overview import control_glance
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import Disposition
from evreview.workflows.w3.widgets import FindingBoard, TrustPicture
from evreview.workflows.widgets.renderables import DisplayContext, Listing, Stack, from_markdown
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import forget

EVIL = '<img src=x onerror="window.__pwned=1">'
T = TypeVar("T")
NAMES = tuple(VIEWS[WorkflowId.W3])


@pytest.fixture(scope="module")
def bench() -> Workbench:
    """The workbench over the bundled security review, as a kernel shows it."""
    return Workbench(bundled("w3"), headless=False)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Each test starts with views that nobody has used."""
    forget()


def facts_of(bench: Workbench) -> W3Facts:
    facts = bench.review.facts
    assert isinstance(facts, W3Facts)
    return facts


def part(bench: Workbench, name: str, kind: type[T]) -> T:
    view = bench.view(name)
    parts = view.parts if isinstance(view, Stack) else [view]
    (found,) = [each for each in parts if isinstance(each, kind)]
    return found


def test_the_picture_is_one_safe_element_with_every_actor(bench: Workbench) -> None:
    picture = part(bench, "trust", TrustPicture)
    (drawing,) = re.findall(r"<svg.*</svg>", picture.to_html(), re.S)
    root = ElementTree.fromstring(drawing)
    assert not [node for node in root.iter() if node.tag.endswith(("script", "image", "foreignObject", "a"))]
    model = facts_of(bench).model
    assert model is not None
    words = " ".join(root.itertext())
    assert all(str(actor.name).split()[0] in words for actor in model.record.actors or ())
    assert picture.to_markdown().startswith("```mermaid\n")


@pytest.mark.req("W3X-001", "W3X-002")
def test_the_map_says_what_the_artifact_says_and_the_table_holds_every_cell(bench: Workbench) -> None:
    table, facts = part(bench, "controls", LedgerView), facts_of(bench)
    assert facts.inventory is not None and table.heat is not None
    glance = control_glance(bench.review.bundle, facts, ())
    plain = [re.sub(r"\(#[^)]*\)|[\[\]*\\\\]", "", str(each)) for row in glance for each in row[:-1]]
    assert plain == [each for line in table.heat.lines for each in (line.label, *line.words)]
    assert any("finding" in each for each in plain) and any("refuted" in each for each in plain)
    cells = facts.inventory.cells
    assert list(table.frame["route"]) == [cell.route for cell in cells]
    assert list(table.frame["odd"]) == ["yes" if cell.odd else "" for cell in cells]
    assert any(cell.odd for cell in cells)


def test_every_finding_stands_in_the_column_of_its_disposition(bench: Workbench) -> None:
    board, facts = part(bench, "findings", FindingBoard), facts_of(bench)
    columns = re.findall(r"<h3>([^<]*) \((\d+)\)</h3>", board.to_html())
    assert [name for name, _ in columns] == [str(each) for each in Disposition]
    assert sum(int(count) for _, count in columns) == len(facts.findings) > 0
    assert all(each.candidate.id in board.to_text() for each in facts.findings)


@pytest.mark.parametrize(
    ("name", "words"), [("controls", ()), ("findings", ("Safe verification", "Reachability")), ("cases", ("Bypass",))]
)
def test_every_row_opens_its_evidence(bench: Workbench, name: str, words: tuple[str, ...]) -> None:
    table = part(bench, name, LedgerView)
    assert table.detail is not None and len(table.frame) > 0
    for key in table.frame[table.key]:
        card = table.detail(str(key)).to_text()
        assert all(word in card for word in words) and re.search(r"^E[1-9][0-9]*[:#]?.* \(", card, re.M)


def test_no_secret_of_the_evidence_is_shown(bench: Workbench) -> None:
    secret = "qV7mZx2Lk9RtB4w" + "Ns8Yc"
    for name in NAMES:
        view = bench.view(name)
        tables = [each for each in getattr(view, "parts", [view]) if isinstance(each, LedgerView) and each.detail]
        shown = [view.to_html(), view.to_text(), view.to_markdown()]
        for table in tables:
            assert table.detail is not None
            shown += [table.detail(str(key)).to_html() for key in table.frame[table.key]]
        assert not any(secret in text for text in shown)


@pytest.mark.parametrize("name", NAMES)
def test_markup_of_the_evidence_stays_text(bench: Workbench, name: str) -> None:
    display = DisplayContext(
        review=bench.review, name="x", append=lambda _: None, clean=lambda text: text.replace("ticket", EVIL),
        headless=False,
    )  # fmt: skip
    view = VIEWS[WorkflowId.W3][name](display)
    assert EVIL not in view.to_html() and EVIL not in from_markdown(view.to_markdown())
    assert "onerror" in view.to_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_review_that_stopped_early_says_what_is_not_there(name: str, bench: Workbench) -> None:
    facts = facts_of(bench)
    empty = replace(bench.review, facts=W3Facts(redactor=facts.redactor))
    display = DisplayContext(review=empty, name="x", append=lambda _: None, clean=str, headless=True)
    assert isinstance(VIEWS[WorkflowId.W3][name](display), Listing)


def test_a_square_of_route_and_area_shows_its_controls(bench: Workbench) -> None:
    view, facts = part(bench, "controls", LedgerView), facts_of(bench)
    assert view.heat is not None and facts.inventory is not None
    cells = {str(number): each for number, each in enumerate(facts.inventory.cells, 1)}
    pressed = 0
    for at, line in enumerate(view.heat.lines):
        for place, (area, word) in enumerate(zip(view.heat.heads, line.words, strict=True)):
            of = f"{at}:{place}"
            standings = {
                str(each.standing) for each in cells.values() if each.area == area and each.route in line.values
            }
            word = word.partition(";")[0]
            assert (word in standings) or (word, standings) == ("not listed", set()) or word == "n/a"
            assert (f'data-of="{of}"' in view.panel.widget.controls) == bool(standings)
            if standings:
                view.panel.receive({"do": "filter", "of": of})
                assert {str(cells[key].area) for key in view.panel.page.keys} == {area}
                assert {str(cells[key].standing) for key in view.panel.page.keys} == standings
                pressed += 1
    assert pressed >= 3
