"""A ledger that shows itself without a bundle: all of it, some rows, one row; bad asks are told in a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evreview as ev
from evreview.app import explorer
from evreview.app.commands.diff import accepted
from evreview.core.errors import BadInput
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Verdict
from evreview.evidence.typed_reader import MARK
from evreview.report.difference_text import forms, headline, stated
from evreview.workflows.widgets.two_sides import written

ORDERS = Path(__file__).resolve().parents[2] / "examples" / "w1-orders"
SIDES = (ORDERS / "contracts" / "orders-1.4.yaml", ORDERS / "contracts" / "orders-1.5.yaml")


@pytest.fixture(scope="module")
def ledger() -> explorer.LedgerExplorer:
    return ev.diff(*SIDES)


def faces(shown: Any) -> tuple[str, str]:
    """What is shown, as Markdown and as HTML."""
    made = shown._repr_mimebundle_()
    return made["text/markdown"], made["text/html"]


def test_a_ledger_shows_its_verdict_and_every_row(ledger: explorer.LedgerExplorer) -> None:
    text, page = faces(ledger)
    assert text.startswith(f"**{headline(ledger.summary)[1]}**") and "10 rows: 5 breaking" in text
    for row in ledger.rows:
        assert str(row.delta.id)[2:] in text and str(row.delta.id) in page
    verdicts = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| D-")]
    assert verdicts == sorted(verdicts, key=("breaking", "unknown", "compatible").index) and len(verdicts) == 10


@pytest.mark.parametrize(
    ("asked", "count"),
    [({}, 10), ({"verdict": "breaking"}, 5), ({"verdict": Verdict.UNKNOWN}, 0),
     ({"operation": "GET /v1/orders/{orderId}"}, 9), ({"operation": "GET /v1/orders/{}"}, 9),
     ({"operation": "POST /v1/orders", "verdict": "compatible"}, 1)],
)  # fmt: skip
def test_where_gives_the_rows_that_fit_and_shows_them(
    ledger: explorer.LedgerExplorer, asked: dict[str, Any], count: int
) -> None:
    found = ledger.where(**asked)
    assert isinstance(found, tuple) and len(found) == count
    text, _ = faces(found)
    assert text.count("\n| D-") == count if count else text == "**No row.**"


def test_breaking_is_the_tuple_that_it_was(ledger: explorer.LedgerExplorer) -> None:
    assert ledger.breaking == tuple(row for row in ledger.rows if row.judgement.verdict is Verdict.BREAKING)
    assert "5 rows" in faces(ledger.breaking)[0]


def test_a_row_is_the_row_and_shows_its_card(ledger: explorer.LedgerExplorer) -> None:
    for row in ledger.rows:
        shown = ledger.row(row.delta.id)
        assert (shown, shown.delta, shown.proof.status) == (row, row.delta, row.proof.status)
        text, _ = faces(shown)
        assert str(row.judgement.rule) in text and "Released" in text


def test_table_and_card_say_the_forms_in_the_same_words(ledger: explorer.LedgerExplorer) -> None:
    view: Any = ledger.table(ledger.rows)
    shown = {row["delta_id"]: (row["released"], row["candidate"]) for row in view.frame.to_dict("records")}
    seen = 0
    for row in ledger.rows:
        document = stated(row, ledger.ledger.released)
        words = tuple(plain(form) for form in forms(document))
        assert shown[str(row.delta.id)] == words
        card: Any = ledger.card(row.delta.id)
        for side, form, said in (("released", card.released, words[0]), ("candidate", card.candidate, words[1])):
            assert form == (written(document[side]) if isinstance(document[side], list | dict) else said)
            seen += form != str(document[side])
    assert seen >= 4


def test_a_public_name_is_called_by_itself_and_a_route_as_its_contract_writes_it(
    ledger: explorer.LedgerExplorer,
) -> None:
    python = ev.diff(*(ORDERS.parent / "w1-python" / "contracts" / f"parcels-{version}" for version in (2, 3)))
    assert any(each.key != each.name for each in python.ledger.released.operations)
    assert python.names and all(key == name for key, name in python.names.items())
    assert ledger.names["GET /v1/orders/{}"] == "GET /v1/orders/{orderId}"


def test_a_card_offers_the_entry_that_accepts_its_row_once_filled_in(
    ledger: explorer.LedgerExplorer, tmp_path: Path
) -> None:
    place = tmp_path / "accept.yaml"
    for row in ledger.rows:
        offered: Any = ledger.card(row.delta.id)
        assert bool(offered.acceptance) is (row.judgement.verdict is not Verdict.COMPATIBLE)
        if not offered.acceptance:
            continue
        place.write_text(offered.acceptance, encoding="utf-8")
        with pytest.raises(BadInput):
            accepted((place,))
        filled = offered.acceptance
        for word in ("no client reads it", "orders team", "2999-01-31"):
            filled = re.sub(f"(?m)(?<=: ){MARK}$", word, filled, count=1)
        place.write_text(filled, encoding="utf-8")
        entries = accepted((place,))
        assert entries is not None and [one.id for one in entries] == [row.delta.id]
    review = ev.review(ev.open_bundle(ORDERS))
    assert isinstance(review.ledger, explorer.LedgerExplorer)
    assert not any(review.ledger.card(row.delta.id).acceptance for row in review.ledger.rows)  # type: ignore[attr-defined]


def test_a_square_counts_its_rows_and_filters_to_them(ledger: explorer.LedgerExplorer) -> None:
    view: Any = ledger.table(ledger.rows)
    heat, panel = view.heat, view.panel
    seen = 0
    for at, line in enumerate(heat.lines):
        for place, (aspect, word) in enumerate(zip(heat.heads, line.words, strict=True)):
            if not word:
                continue
            count, verdict = word.split()
            found = [row for row in ledger.where(operation=line.label) if row.delta.aspect == aspect]
            assert int(count) == sum(row.judgement.verdict == verdict for row in found)
            panel.receive({"do": "filter", "of": f"{at}:{place}"})
            shown = set(panel.page.keys)
            assert {row.delta.id for row in found if row.judgement.verdict == verdict} <= shown
            assert shown <= {row.delta.id for row in found}
            assert panel.widget.controls.count('aria-pressed="true"') == 1
            panel.receive({"do": "filter", "of": f"{at}:{place}"})
            assert len(panel.page.keys) == 5 and 'aria-pressed="true"' not in panel.widget.controls
            seen += 1
    assert seen >= 3
    for bad in ("", "9:9", "-1:0", "a:b", "0"):
        panel.receive({"do": "filter", "of": bad})
        assert len(panel.page.keys) == 5


@pytest.mark.parametrize(
    ("ask", "code"),
    [(lambda it: it.row("D-000000000000"), "row-unknown"), (lambda it: it.where(verdict="bad"), "verdict-unknown"),
     (lambda it: it.where(operation="GET /v1/order"), "operation-unknown"),
     (lambda it: it.where(client="storefront"), "client-unknown"),
     (lambda it: it.where(bogus=1), "filter-unknown"), (lambda it: it.where(operation=3), "filter-unknown"),
     (lambda it: it.where(client=["storefront"]), "filter-unknown"),
     (lambda it: it.breaking.where(verdict="bad"), "verdict-unknown"),
     (lambda it: it.where(verdict="compatible").row(it.breaking[0].delta.id), "row-unknown")],
)  # fmt: skip
def test_a_bad_ask_is_told_in_a_line_and_not_as_a_traceback(
    ledger: explorer.LedgerExplorer, ask: Callable[[Any], object], code: str
) -> None:
    with pytest.raises(ev.BadInput) as caught:
        ask(ledger)
    assert [problem.code for problem in caught.value.problems] == [code]
    assert all(problem.advice for problem in caught.value.problems)
    assert caught.value._render_traceback_() == [str(caught.value)]


def test_the_ledger_of_a_review_knows_its_clients() -> None:
    ledger = ev.review(ev.open_bundle(ORDERS)).ledger
    assert isinstance(ledger, explorer.LedgerExplorer)
    assert {row.delta.id for row in ledger.where(client="storefront")} == {"D-4c53e5de3c1e"}
    with pytest.raises(ev.BadInput):
        ledger.where(client="kiosk")
    text, page = faces(ledger)
    assert not re.search(r"\| *\|", text) and "<td></td>" not in page


def test_what_is_asked_of_some_rows_is_asked_of_them_alone(ledger: explorer.LedgerExplorer) -> None:
    some = ledger.where(operation="GET /v1/orders/{orderId}")
    assert some.breaking == tuple(row for row in some if row in ledger.breaking) and 0 < len(some.breaking) < len(some)
    assert some.where(verdict="breaking") == some.breaking and some.row(some[0].delta.id) == some[0]
    assert list(some.frame["delta_id"]) == [row.delta.id for row in some]


@pytest.mark.parametrize("sides", [(None, SIDES[1]), (SIDES[0], 3), ([SIDES[0]], SIDES[1])])
def test_what_is_no_path_is_told(sides: tuple[Any, Any]) -> None:
    with pytest.raises(ev.BadInput) as caught:
        ev.diff(*sides)
    assert [problem.code for problem in caught.value.problems] == ["path-expected"]


def test_two_contracts_alike_have_no_row_and_say_so() -> None:
    text, _ = faces(ev.diff(SIDES[0], SIDES[0]))
    assert "no difference on the wire" in text and "No row." in text


def test_very_many_rows_open_by_operation(ledger: explorer.LedgerExplorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "GROUPED", 9)
    text, _ = faces(ledger)
    assert "by operation" in text and "| GET /v1/orders/{orderId} | 5 | 0 | 4 |" in text.replace("\\", "")


def test_hostile_words_and_secrets_stay_text(tmp_path: Path) -> None:
    secret, evil = "ghp_" + "a1B2" * 9, "<img src=x onerror=alert(1)>|**x**"
    old, new = (json.loads(json.dumps({"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {}}))
                for _ in range(2))  # fmt: skip
    get = {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {
        "type": "string", "enum": [evil, secret]}}}}}}  # fmt: skip
    old["paths"]["/a"] = {"get": get}
    new["paths"]["/a"] = {"get": json.loads(json.dumps(get))}
    new["paths"]["/a"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]["enum"].append(evil * 2)
    for name, document in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps(document))
    found = ev.diff(tmp_path / "old.json", tmp_path / "new.json")
    for shown in (found, found.breaking, found.row(found.rows[0].delta.id)):
        text, page = faces(shown)
        prose = re.sub(r"^(`{3,}).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
        assert secret not in text + page and "<img" not in page and "<img" not in prose
