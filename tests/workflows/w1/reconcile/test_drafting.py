"""Drafted entries of a mapping: one for each changed symbol, none of which counts before it is reviewed."""

from __future__ import annotations

import pytest

from evreview.workflows.w1.reconcile.implementation_diff import Target, drafts, parse_diff
from tests.workflows.w1.reconcile.sides import run
from tests.workflows.w1.reconcile.test_symbols import DIFF, LIMIT, entry

ADDRESSES = (LIMIT, "GET /v1/orders > response 200 > application/json > items[] > PAGE")
TARGETS = tuple(Target(each, frozenset({each.rpartition(" > ")[2]})) for each in ADDRESSES)


def test_each_changed_symbol_has_one_entry() -> None:
    made = drafts(parse_diff(DIFF, "a.diff"), TARGETS)
    assert [(each.symbol, each.element) for each in made] == [
        ("PAGE", ADDRESSES[1]),
        ("read", "none"),
        ("Box.put", "none"),
        ("Box.take", "none"),
    ]


@pytest.mark.parametrize(("reviewed", "unmapped"), [(True, 0), (False, 4)])
def test_a_draft_counts_once_it_is_reviewed(reviewed: bool, unmapped: int) -> None:
    made = drafts(parse_diff(DIFF, "a.diff"), ())
    found = run(*(entry(symbol=each.symbol, reviewed=reviewed) for each in made), diff=DIFF)
    assert len(found.unmapped) == unmapped
