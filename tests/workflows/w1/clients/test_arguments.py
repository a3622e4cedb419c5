"""Clients of functions: which arguments they give decides whom a change of one hurts."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Answer
from evreview.evidence.records.compatibility import KnownClient
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.workflows.w1.element_lookup import touched


def answer(before: str, after: str, fields: list[str] | None) -> Answer:
    texts = (f"def take({it}):\n    return 1\n" for it in (before, after))
    found = compare(*(read_contract("lib.py", lambda _, text=text: text.encode()) for text in texts))
    client = KnownClient.model_validate({"id": "c", "name": "c", "uses": [{"operation": "take", "fields": fields}]})
    (row,) = (each for each in found.rows if " > argument " in each.delta.address)
    return touched(client, row.delta)


@pytest.mark.parametrize(
    ("before", "after", "fields", "expected"),
    [
        ("a, b=1", "a", ["a"], Answer.NO),
        ("a, b=1", "a", ["a", "b"], Answer.YES),
        ("a, b=1", "a", None, Answer.UNKNOWN),
        ("a, b", "a, c", ["a"], Answer.NO),
        ("a, b", "a, c", ["b"], Answer.YES),
        ("a, b=1", "a, b=2", ["a"], Answer.YES),
        ("a", "a, b", ["a"], Answer.YES),
        ("a", "a, b", [], Answer.YES),
        ("a", "a, *, b", ["a"], Answer.YES),
        ("a", "b, /, a", ["a"], Answer.YES),
        ("a, c=1", "a, b, c=1", ["a", "c"], Answer.YES),
        ("a, *rest", "a, b, *rest", ["a"], Answer.YES),
        ("a, b", "a", ["a"], Answer.YES),
        ("a, b=1", "a, b", ["a"], Answer.YES),
        ("a", "a, b=1", ["a"], Answer.NO),
        ("a", "a, *b", ["a"], Answer.NO),
        ("a", "a, **b", ["a"], Answer.NO),
        ("a, *, b=1", "a", ["a"], Answer.NO),
    ],
)
def test_an_argument_concerns_who_gives_it(before: str, after: str, fields: list[str] | None, expected: Answer) -> None:
    assert answer(before, after, fields) is expected
