"""JSON holds every value as it is, what acts as an escape; formats for people lose it and the message with it."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.control_characters import visible
from evreview.redaction.redactor import Redactor
from evreview.report.ledger_formats import exact_json, render
from tests.pipeline import compared
from tests.report.test_ledger_witnesses import edited_body

PAIRS = [("a\r\nb", "a\nb"), ("a\u202eb", "ab"), ("a\x9bb", "a"), ("a\u200db", "ab"), ("a\U000e0041b", "ab")]
SECRET = "AKIA" + "QYLPMN5HFIQR7XYA"


def shown(released: str, candidate: str, fmt: str) -> str:
    contracts = [edited_body({"type": "string", "enum": [value, "x"]}) for value in (released, candidate)]
    found = render(compared(*contracts), fmt, redactor=Redactor())
    return found.decode() if isinstance(found, bytes) else str(found)


@pytest.mark.parametrize(("released", "candidate"), PAIRS)
def test_the_ledger_holds_values_and_messages_as_they_are_and_nothing_in_it_acts(released: str, candidate: str) -> None:
    text = shown(released, candidate, "json")
    assert visible(text) == text
    rows = json.loads(text)["rows"]
    assert rows and all((row["released"], row["candidate"]) == ([released, "x"], [candidate, "x"]) for row in rows)
    assert [row["proof"]["witness"]["value"] for row in rows if row["proof"]["witness"]] == [released]


@pytest.mark.parametrize("fmt", ["csv", "markdown", "sarif"])
@pytest.mark.parametrize(("released", "candidate"), PAIRS)
def test_in_formats_for_people_a_message_in_which_something_acts_is_not_shown(
    fmt: str, released: str, candidate: str
) -> None:
    text = shown(released, candidate, fmt)
    assert visible(text) == text.replace("\r\n", "\n") and "[redacted: control characters]" in text


@pytest.mark.parametrize(("released", "candidate"), PAIRS)
def test_columns_of_values_that_differ_in_what_acts_differ(released: str, candidate: str) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(released, candidate, "csv"))))
    assert rows and all(row["released"] != row["candidate"] for row in rows)


def test_what_cleaning_removes_stays_removed_with_signs_between_its_letters() -> None:
    for hidden in (SECRET, "\u200d".join(SECRET), f"\u202e{SECRET}\x1b[31m", f"{SECRET[:9]}\u00ad{SECRET[9:]}"):
        text = str(exact_json({"a": [hidden], hidden: 1}, Redactor()))
        assert Redactor().leaks(text) == () and json.loads(text) == {"a": [_cleaned(hidden)], _cleaned(hidden): 1}


def _cleaned(text: str) -> str:
    return str(Redactor().clean(text))


def test_half_a_character_has_no_escape_that_every_reader_takes() -> None:
    assert json.loads(str(exact_json({"a": "a\ud800\u202eb"}, Redactor()))) == {"a": "a\ufffd\ufffdb"}


@given(st.recursive(st.text(max_size=12) | st.integers(), lambda part: st.lists(part, max_size=3), max_leaves=6))
def test_any_structure_without_what_is_redacted_is_read_as_it_was(value: Any) -> None:
    text = str(exact_json({"a": value}, Redactor()))
    assert visible(text) == text
    if "[redacted" not in text:
        assert json.loads(text) == {"a": value}


@pytest.mark.parametrize(
    "about", [{}, {"released": "a\u202eb"}, {"released": 2**70}, {"released": "é\n"}, {"address": '"},{'}]
)
def test_a_large_ledger_is_the_same_with_one_row_a_line(about: dict[str, Any]) -> None:
    rows = [{"id": f"D-{at}", "released": None, **about} for at in range(2_500)]
    document = {"schema": "evreview.diff/1", "summary": {"rows": 2_500}, "rows": rows, "noise": [], "unread": []}
    few, many = (exact_json({**document, "rows": each}, Redactor()) for each in (rows[:9], rows))
    assert json.loads(few)["rows"] == rows[:9] and "\n    {\n" in few
    assert json.loads(many) == document
    assert len(many.splitlines()) == 2_500 + 8 and visible(many) == many
