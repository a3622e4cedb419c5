"""What a row says: every rule's example of every kind has a title of its own, and forms without marks of JSON."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.comparison.rules.rule import Rule, Slot
from evreview.core.quoted_text import UserText, plain
from evreview.core.vocabulary import Aspect
from evreview.kinds.rule_catalogue import CATALOGUE
from evreview.report.difference_card import card_of
from evreview.report.difference_text import TITLE, RowContext, listed_under, numbers, said, sketched, stated
from evreview.report.forms_in_words import FRAGMENT, in_words, of_element, of_facet, shortened
from tests.all_cases import all_cases
from tests.pipeline import edited, shown

LONG = "http bearer or oauth2 with a scope that has a rather long name of its own"
PAIRS = [
    ("a bearer token", "a bearer token or a key"),
    (LONG, f"{LONG} (stories:delete)"),
    (f"{LONG} and reads", f"{LONG} and writes"),
    ("x" * 90, "x" * 89 + "y"),
    (LONG, "none"),
]
RAW = re.compile(r"""\{\s*["']|["']\s*:|\[\s*["'{]|\bTrue\b|\bFalse\b|\bNone:|<[A-Z]\w+\.""")
"""What JSON and Python's representations show, and words do not."""
every_example = all_cases([rule for rule in CATALOGUE if not rule.replaced_by], name=lambda rule: rule.id)


def rows_of(comparison: Comparison) -> list[dict[str, Any]]:
    return [stated(row) for row in comparison.rows]


def texts(rows: list[dict[str, Any]]) -> list[Any]:
    known = numbers(rows)
    return [said(row, RowContext(number=known.get(row["id"], ""))) for row in rows]


@every_example
def test_a_row_has_a_title_of_its_own_and_forms_in_words(rule: Rule) -> None:
    rows = rows_of(shown(rule.example))
    found = texts(rows)
    titles = [(*listed_under(row), plain(text.place), plain(text.title)) for row, text in zip(rows, found, strict=True)]
    assert rows and len(set(titles)) == len(titles)
    for text in found:
        assert 0 < len(plain(text.title)) <= TITLE and "{}" not in plain(text.change)
        for form in (text.released, text.candidate):
            # Python's own source is shown as it is written.
            assert 0 < len(plain(form)) <= FRAGMENT
            assert rows[0]["kind"] == "python" or not RAW.search(plain(form)), plain(form)


@every_example
def test_a_card_names_both_sides_the_reason_and_how_it_is_shown(rule: Rule) -> None:
    for row in rows_of(shown(rule.example)):
        card = card_of(row)
        labels = [part.label for part in card.parts]
        assert {"where", "released", "candidate", "why", "shown by"} <= set(labels) and card.rule == rule.id


@every_example
def test_a_sketch_says_what_the_row_says(rule: Rule) -> None:
    comparison = shown(rule.example)
    released = comparison.ledger.released
    for row in comparison.rows:
        whole, sketch = said(stated(row, released)), said(sketched(row.delta, released))
        assert (whole.title, whole.line, whole.place) == (sketch.title, sketch.line, sketch.place)


def test_every_aspect_is_among_the_examples() -> None:
    told = {row.delta.aspect for rule in CATALOGUE if not rule.replaced_by for row in shown(rule.example).rows}
    assert set(Aspect) - told == {Aspect.PAGINATION, Aspect.IDENTIFIERS, Aspect.NUMBERS}


WORDS = {
    "a schema": (in_words({"type": "integer", "minimum": 1, "maximum": 100}), "integer, 1 to 100"),
    "types": (of_facet(["null", "string"], "type"), "null or string"),
    "null": (of_facet(True, "nullable", ["string"]), "string or null"),
    "few values": (of_facet(["a", "b"], "enum"), "a or b"),
    "many values": (of_facet(["a", "b", "c", "d", "e"], "enum"), "5 values"),
    "a text that reads like a number": (of_facet(["1", 1], "enum"), '"1" or 1'),
    "required": (of_facet(False, "required"), "optional"),
    "a field": (of_element({"type": "string", "format": "date-time"}, "property", False), "date-time, optional"),
    "absent": (of_element("(absent)", "property"), "absent"),
    "nothing known": (in_words({"x-any": {"deep": {"deeper": {"deepest": 1}}}}), "x-any deep 1 members"),
    "a cut form": (in_words("{… [cut: 5000 characters, sha256:0011223344556677]"), "a long form (5000 characters)"),
}


@pytest.mark.parametrize("name", WORDS)
def test_forms_in_words(name: str) -> None:
    words, expected = WORDS[name]
    assert plain(words) == expected


def test_an_extended_enumeration_tells_the_difference() -> None:
    five = ["a", "b", "c", "d", "e"]
    (row,) = rows_of(edited_enum(five, [*five, "partially_shipped"]))
    text = said(row)
    assert (plain(text.released), plain(text.candidate)) == ("5 values", "the 5 and partially_shipped")
    assert UserText("partially_shipped") in text.candidate


def edited_enum(released: list[str], candidate: list[str]) -> Comparison:
    return edited(Slot.RESPONSE_FIELD, {"enum": released}, {"enum": candidate})


def test_rows_of_one_place_and_title_are_numbered() -> None:
    (row,) = rows_of(edited_enum(["a"], ["a", "b"]))
    rows = [row | {"id": f"D-{number:012x}"} for number in range(3)]
    assert len({plain(said(each).title) for each in rows}) == 1
    assert len({plain(text.title) for text in texts(rows)}) == 3


@pytest.mark.parametrize("limit", [1, 2, 5, 79, 80])
def test_a_cut_keeps_its_limit(limit: int) -> None:
    words = ("an ", UserText("x" * 60), " or ", UserText("y" * 60))
    assert len(plain(shortened(words, limit))) == limit


@pytest.mark.parametrize("room", [40, 60, 100])
@pytest.mark.parametrize("pair", PAIRS)
def test_two_forms_that_begin_alike_show_where_they_differ(pair: tuple[str, str], room: int) -> None:
    (row,) = texts(rows_of(shown(next(rule.example for rule in CATALOGUE if not rule.replaced_by))))[:1]
    line = plain(replace(row, change=("form",), details=tuple((UserText(form),) for form in pair)).within(room))
    released, candidate = line.removeprefix("form: ").split(" -> ")
    assert len(line) <= room
    # A single word without end has no place where it could be parted.
    assert released != candidate or " " not in pair[0]
