"""Markdown, annotations and SARIF print what the model says of a row, as terminal and HTML do; cells stay narrow."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import evreview as ev
from evreview.comparison.comparison import Comparison
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Verdict
from evreview.redaction.redactor import Redactor
from evreview.report.branch_comment import branch_comment
from evreview.report.difference_text import RowText, contexts, headline, said, stated, written_names
from evreview.report.ledger_formats import render, worded_json
from evreview.report.ledger_markdown import LINE
from evreview.report.ledger_text import Printing, View, ledger_text
from evreview.report.markdown import plain_text
from evreview.report.pages.ledger_page import ledger_page
from evreview.report.terminal_text import Screen
from tests.report.fake_comparison import Fake, quiet, row, witnessed

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
KINDS = ("orders", "asyncapi", "avro", "graphql", "jsonschema", "protobuf", "python")
CELL = 120


@cache
def found(kind: str) -> Comparison:
    return ev.diff(*sorted((EXAMPLES / f"w1-{kind}" / "contracts").iterdir()))


@cache
def texts(kind: str) -> dict[str, RowText]:
    ledger = found(kind).ledger
    rows = [stated(row, ledger.released) for row in found(kind).rows]
    told = contexts(rows, written_names(ledger))
    return {row["id"]: said(row, told[row["id"]]) for row in rows}


@cache
def printed(kind: str, form: str) -> str:
    redactor = found(kind).learn()
    screen = Screen(columns=400)
    if form == "text":
        printing = Printing(screen=screen, redactor=redactor, contracts=("a", "b"))
        return str(ledger_text(found(kind), View(everything=True), printing))
    if form == "html":
        page = str(ledger_page(found(kind), Printing(screen=screen, redactor=redactor, contracts=("a", "b"))))
        return unescape(re.sub(r"<wbr>|</?code>|</?b>", "", page))
    if form == "comment":
        ledger = json.loads(worded_json(found(kind), redactor))
        contract = {"path": "a", "kind": kind, "state": "changed", "note": "", "fails": False, "problems": []}
        told = {"base": "b", "head": "h", "unchanged": 0, "configuration": {"file": None, "changed_by_head": False}}
        return str(branch_comment({**told, "contracts": [{**contract, "ledger": ledger}]}, most=1_000))
    return str(render(found(kind), form, redactor=redactor))


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_says_the_whole_in_the_same_words(kind: str) -> None:
    _, words = headline(found(kind).summary)
    assert {form for form in ("text", "html", "markdown", "github") if words not in printed(kind, form)} == set()
    assert words in str(found(kind).head()._repr_mimebundle_()["text/markdown"])  # type: ignore[attr-defined]


def tables(markdown: str) -> list[list[list[str]]]:
    """The cells of each table as a reader sees them, line ends of a cell as such."""
    made: list[list[list[str]]] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            made.append([])
        elif token.type == "tr_open":
            made[-1].append([])
        elif token.type in ("td_open", "th_open"):
            made[-1][-1].append(plain_text(tokens[at + 1].children or []))
    return made


def row_of(kind: str, form: str, name: str) -> str:
    """What a format prints for a row on its line."""
    if form in ("markdown", "comment"):
        return next(" ".join(cells) for cells in tables(printed(kind, form))[0] if cells[-1] == name)
    if form == "sarif":
        results = json.loads(printed(kind, form))["runs"][0]["results"]
        return next(str(each["message"]["text"]) for each in results if name in each["partialFingerprints"].values())
    mark = {"github": name, "text": f"  {name}", "html": f'<tr data-id="{name}"'}[form]
    return next(line for line in printed(kind, form).splitlines() if mark in line).replace("%25", "%")


@pytest.mark.parametrize("form", ["markdown", "comment", "github", "sarif", "text", "html"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_row_says_the_same_in_every_format_for_people(kind: str, form: str) -> None:
    for name, text in texts(kind).items():
        shown = re.sub(r"\s+", " ", row_of(kind, form, name))
        # HTML has the title and the forms in columns of their own; each other has the begin of the line at least.
        line = plain(text.title if form == "html" else text.within(LINE)).partition("…")[0]
        assert re.sub(r"\s+", " ", line).strip() in shown
        assert text.shown_by in shown


@pytest.mark.parametrize("form", ["markdown", "comment", "github", "sarif"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_format_for_people_prints_the_columns_of_scripts(kind: str, form: str) -> None:
    for each in found(kind).rows:
        shown = row_of(kind, form, each.delta.id)
        raw = f"{each.delta.aspect.value} {each.delta.change.value}"
        assert raw not in shown or raw in plain(texts(kind)[each.delta.id].line)
        assert "{}" not in shown and "(absent)" not in shown


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_listed_worst_first_and_whole_below(kind: str) -> None:
    text = printed(kind, "markdown")
    first = [cells[-1] for cells in tables(text)[0][1:]]
    verdicts = {row.delta.id: row.judgement.verdict for row in found(kind).rows}
    assert sorted(first) == sorted(verdicts)
    order = [Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE]
    assert [order.index(verdicts[name]) for name in first] == sorted(order.index(each) for each in verdicts.values())
    cards = re.findall(r"^### (D-[0-9a-f]{12})$", text, re.MULTILINE)
    witnessed_ones = {row.delta.id for row in found(kind).rows if row.proof.witness}
    grave = {name for name, verdict in verdicts.items() if verdict is not Verdict.COMPATIBLE}
    assert set(cards) == grave | witnessed_ones and len(cards) == len(set(cards))
    assert all(each.proof.command in text for each in found(kind).rows)
    assert all(each.delta.id in text for each in found(kind).noise)


LONG = "a" * 300
WORDS = "one two " * 60
PROVED = {"status": "proved", "reason": ""}
HUGE = (
    row(1, "breaking", operations=[LONG, WORDS], operation=LONG, address=f"{LONG} > response 200 > {LONG}"),
    row(2, "unknown", facet="default", released=LONG, candidate=WORDS, planes={"binary": "breaking"}),
    row(3, "breaking", facet="pattern", released=WORDS, candidate=LONG, proof=witnessed(LONG, LONG)),
    row(4, "breaking", facet=f"x-{LONG}", acceptance={
        "state": "accepted", "owner": LONG, "expires": "2099-01-31", "reason": WORDS, "source": "a", "line": 1,
    }),
)  # fmt: skip


@pytest.mark.parametrize("body", ["examples", "long names"])
def test_no_cell_is_longer_than_a_reader_compares(body: str) -> None:
    noise = [quiet(5, address=LONG, released=LONG, candidate=WORDS, reason=WORDS)]
    bodies = {
        "examples": [printed(kind, "markdown") for kind in KINDS],
        "long names": [str(render(Fake(HUGE, noise=noise), "markdown", redactor=Redactor()))],
    }
    for text in bodies[body]:
        cells: list[Any] = [cell for rows in tables(text) for each in rows for cell in each]
        assert max(len(cell) for cell in cells) <= CELL
        assert all(len(rows[0]) <= 5 for rows in tables(text))


def test_what_a_cell_cuts_stands_whole_in_the_card() -> None:
    about = {"facet": "pattern", "address": "GET /v1/orders > response 200 > x", "proof": PROVED}
    cut = row(1, "compatible", released=WORDS, candidate=LONG, **about)
    short = row(2, "compatible", released="a", candidate="b", **about)
    body = str(render(Fake((cut, short), noise=[]), "markdown", redactor=Redactor()))
    cards = body.partition("## Rows in full")[2]
    assert LONG in cards and cut["id"] in cards and short["id"] not in cards


def test_a_compatible_row_keeps_its_planes_and_who_accepted_it() -> None:
    about = {"facet": "pattern", "address": "GET /v1/orders > response 200 > x", "proof": PROVED}
    about |= {"released": "a", "candidate": "b", "planes": {"binary": "compatible", "source": "breaking"}}
    accepted = {
        "state": "accepted",
        "owner": "me",
        "expires": "2099-01-31",
        "reason": "agreed",
        "source": "a",
        "line": 1,
    }
    rows = (row(1, "compatible", **about, acceptance=accepted), row(2, "compatible", **about, acceptance=None))
    body = str(render(Fake(rows, noise=[]), "markdown", redactor=Redactor()))
    for cells in tables(body)[0][1:]:
        assert "binary: compatible" in cells[0] and "source: breaking" in cells[0]
    card = body.partition("## Rows in full")[2]
    assert "D-000000000001" in card and "agreed" in card and "D-000000000002" not in card
