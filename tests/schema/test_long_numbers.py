"""Schemas with numbers of many digits: a change of any digit is a row, or the keyword is told as not understood."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.vocabulary import Change, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.comparison.pairs import document, post


def _contract(keyword: str, number: str) -> Contract:
    text = json.dumps(document({"/x": post({"type": "number", keyword: "NUMBER"})}), indent=3)
    return read_contract("a.json", lambda _: text.replace('"NUMBER"', number).encode())


def _compared(keyword: str, released: str, candidate: str) -> Comparison:
    return compare(_contract(keyword, released), _contract(keyword, candidate))


@pytest.mark.parametrize(
    ("keyword", "released", "candidate", "verdict"),
    [
        ("multipleOf", 10**30 + 57, 10**30 + 59, Verdict.BREAKING),
        ("maximum", 2**64 + 1, 2**64, Verdict.BREAKING),
        ("maximum", 2**64, 2**64 + 1, Verdict.COMPATIBLE),
        ("minimum", -(2**63) - 2, -(2**63) - 1, Verdict.BREAKING),
    ],
)
def test_the_last_digit_of_a_whole_number_counts(keyword: str, released: int, candidate: int, verdict: Verdict) -> None:
    (row,) = _compared(keyword, str(released), str(candidate)).rows
    assert (row.delta.released, row.delta.candidate, row.judgement.verdict) == (released, candidate, verdict)
    if verdict is Verdict.BREAKING:
        assert row.proof.found is not None
        value = row.proof.found.value
        assert Draft202012Validator({keyword: released}).is_valid(value)
        assert not Draft202012Validator({keyword: candidate}).is_valid(value)


def test_one_number_in_two_spellings_is_no_difference() -> None:
    assert _compared("maximum", str(10**30), "1e30").rows == ()


@pytest.mark.parametrize("keyword", ["maximum", "exclusiveMinimum", "multipleOf", "const"])
def test_a_fraction_beyond_a_double_is_told_with_its_place(keyword: str) -> None:
    found = _compared(keyword, "0.1000000000000000055511", "0.1000000000000000055512")
    assert all(str(item.place).endswith(f"/schema/{keyword}") for item in found.unread)
    assert [item.found.split()[1] for item in found.unread] == ["0.1000000000000000055511", "0.1000000000000000055512"]
    removed = [row for row in found.rows if row.delta.change is not Change.ADDED]
    assert [row.judgement.verdict for row in removed] == [Verdict.UNKNOWN] * len(removed)
    assert removed or not found.rows


def test_listed_fractions_beyond_a_double_prove_nothing() -> None:
    found = _compared("enum", "[0.1000000000000000055511, 1]", "[0.1000000000000000055512, 1]")
    assert len(found.unread) == 2
    assert [row.proof.found for row in found.rows] == [None] * len(found.rows)
