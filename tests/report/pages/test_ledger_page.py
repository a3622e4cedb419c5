"""The page of a ledger: every row once, the worst first, counts that add up, hostile text that stays text, any size."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import evreview as ev
from evreview.comparison.comparison import Comparison
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Slot
from evreview.core.assets import demo_bundle
from evreview.core.vocabulary import Verdict
from evreview.redaction.redactor import Redactor
from evreview.report.difference_card import card_of
from evreview.report.ledger_text import Printing
from evreview.report.pages import ledger_page as page_file
from evreview.report.pages.ledger_page import CARDS, GROUPED, LINES, ledger_page
from evreview.report.terminal_text import Screen
from tests.pipeline import compared, edited
from tests.report.pages.test_artifact_page import EVIL, check
from tests.report.test_ledger_text import HOSTILE, many, orders

ROW = re.compile(r'<tr data-id="(D-[0-9a-f]{12})" data-verdict="(\w+)">')
CARD = re.compile(r'<details class="card" data-id="(D-[0-9a-f]{12})">')


def page(comparison: Comparison, redactor: Redactor | None = None, **more: Any) -> str:
    printing = Printing(screen=Screen(), redactor=redactor or Redactor(), contracts=("old a.yaml", "new.yaml"), **more)
    return str(ledger_page(comparison, printing))


def empty() -> Comparison:
    document = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {}}
    return compared(document, document)


def test_every_row_has_its_line_and_its_card_once_the_worst_first() -> None:
    found = orders()
    html = page(found)
    check(html)
    rows = ROW.findall(html)
    verdicts = {row.delta.id: str(row.judgement.verdict) for row in found.rows}
    assert len(rows) == len(found.rows) and dict(rows) == verdicts
    assert sorted(CARD.findall(html)) == sorted(verdicts)
    order = {"breaking": 0, "unknown": 1, "compatible": 2}
    assert [order[verdict] for _, verdict in rows] == sorted(order[verdict] for _, verdict in rows)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) and set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)


def test_the_three_blocks_are_marked_once_and_in_order() -> None:
    html = page(orders())
    places = [html.index(f'data-role="{role}"') for role in ("decision", "next", "matrix")]
    assert places == sorted(places) and html.count('data-role="') == 3


def test_the_words_are_those_of_the_card() -> None:
    found = orders()
    html = re.sub(r"<[^>]+>", "", page(found))
    for row in found.rows:
        card = card_of(row.to_dict() | {"element": row.delta.element.value, "facts": row.delta.facts})
        for part in card.parts:
            assert str(part.label) in html


def test_noise_stands_folded_with_its_reason() -> None:
    folder = demo_bundle() / "contracts"
    found = ev.diff(folder / "orders-1.4.yaml", folder / "orders-1.5.yaml")
    html = page(found)
    quiet = {each.delta.id for each in found.noise}
    assert quiet and quiet <= set(re.findall(r'<tr data-id="(D-[0-9a-f]{12})"><th', html))
    assert all(html.count(f"<p>{each.reason}") == 1 for each in found.noise)


def test_no_difference_is_a_page_that_says_so() -> None:
    html = page(empty())
    check(html)
    assert ROW.findall(html) == [] and html.count('data-role="decision"') == 1 and 'data-role="matrix"' not in html


@pytest.mark.parametrize("text", [*HOSTILE, *EVIL])
def test_hostile_text_stays_text(text: str) -> None:
    found = orders()
    first = found.rows[0]
    delta: Delta = replace(first.delta, address=f"GET /{text} > response 200 > {text}", operations=(f"GET /{text}",))
    html = page(replace(found, rows=(replace(first, delta=delta), *found.rows[1:])))
    check(html)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", html)


def test_a_secret_is_told_nowhere() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    html = page(edited(Slot.REQUEST_FIELD, {"const": "x"}, {"const": secret}))
    assert secret not in html.replace("<wbr>", "") and ROW.findall(html)


def test_a_large_ledger_is_grouped_and_every_row_stays_a_line() -> None:
    found = many(GROUPED + 500)
    html = page(found)
    assert Counter(verdict for _, verdict in ROW.findall(html)) == Counter(
        str(row.judgement.verdict) for row in found.rows
    )
    assert len(CARD.findall(html)) == CARDS and html.count('<details class="group"') > 100
    breaking = [row.delta.id for row in found.rows if row.judgement.verdict is Verdict.BREAKING]
    assert set(breaking) <= set(CARD.findall(html)) or len(breaking) > CARDS


def test_twenty_thousand_rows_are_a_page_of_bounded_size_in_seconds() -> None:
    found = many(20_000)
    started = time.process_time()
    html = page(found)
    assert len(html) < 20_000_000 and time.process_time() - started < 60 and len(ROW.findall(html)) == 20_000


def test_what_is_left_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_file, "LINES", 10)
    html = page(many(25))
    assert len(ROW.findall(html)) == 10 and "15 rows more are left out" in html and LINES == 20_000
