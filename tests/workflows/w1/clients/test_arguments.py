"""Clients of functions: which arguments they give decides whom a change of one hurts."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Tristate
from evreview.evidence.records.compatibility import KnownClient
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.workflows.w1.element_lookup import touched


def answer(before: str, after: str, fields: list[str] | None) -> Tristate:
    texts = (f"def take({it}):\n    return 1\n" for it in (before, after))
    found = compare(*(read_contract("lib.py", lambda _, text=text: text.encode()) for text in texts))
    client = KnownClient.model_validate({"id": "c", "name": "c", "uses": [{"operation": "take", "fields": fields}]})
    (row,) = (each for each in found.rows if " > argument " in each.delta.address)
    return touched(client, row.delta)


@pytest.mark.parametrize(
    ("before", "after", "fields", "expected"),
    [
        ("a, b=1", "a", ["a"], Tristate.NO),
        ("a, b=1", "a", ["a", "b"], Tristate.YES),
        ("a, b=1", "a", None, Tristate.UNKNOWN),
        ("a, b", "a, c", ["a"], Tristate.NO),
        ("a, b", "a, c", ["b"], Tristate.YES),
        ("a, b=1", "a, b=2", ["a"], Tristate.YES),
        ("a", "a, b", ["a"], Tristate.YES),
        ("a", "a, b", [], Tristate.YES),
        ("a", "a, *, b", ["a"], Tristate.YES),
        ("a", "b, /, a", ["a"], Tristate.YES),
        ("a, c=1", "a, b, c=1", ["a", "c"], Tristate.YES),
        ("a, *rest", "a, b, *rest", ["a"], Tristate.YES),
        ("a, b", "a", ["a"], Tristate.YES),
        ("a, b=1", "a, b", ["a"], Tristate.YES),
        ("a", "a, b=1", ["a"], Tristate.NO),
        ("a", "a, *b", ["a"], Tristate.NO),
        ("a", "a, **b", ["a"], Tristate.NO),
        ("a, *, b=1", "a", ["a"], Tristate.NO),
    ],
)
def test_an_argument_concerns_who_gives_it(
    before: str, after: str, fields: list[str] | None, expected: Tristate
) -> None:
    assert answer(before, after, fields) is expected
