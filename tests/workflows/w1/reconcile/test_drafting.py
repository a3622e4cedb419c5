"""Drafted entries of a mapping: one for each changed symbol, none of which counts before it is reviewed."""

from __future__ import annotations

import pytest

from evreview.evidence.records.test_runs import DiffMapping
from evreview.workflows.w1.reconcile.carried_mapping import missing_entries
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


SHAPE = """\
--- a/app.py
+++ b/app.py
@@ -1,4 +1,4 @@
 class Shape:
     id: str
-    state: int
-    note: str
+    state: str
+    weight: str
"""
FIELDS = tuple(Target(f"GET /a > {name}", frozenset({name})) for name in ("note", "weight", "id", "size"))


@pytest.mark.parametrize(
    ("stated", "drafted"),
    [
        ((), ["note", "weight"]),
        (({"element": "note"},), ["weight"]),
        (({"element": "GET /a > note"}, {"element": "weight"}), []),
        (({"element": "none"},), []),
        (({"element": "GET /a"},), []),
    ],
)
def test_each_difference_of_a_symbol_has_a_draft_of_its_own(
    stated: tuple[dict[str, str], ...], drafted: list[str]
) -> None:
    entries = [DiffMapping.model_validate({"path": "app.py", "symbol": "Shape", **each}) for each in stated]
    made = missing_entries(entries, parse_diff(SHAPE, "a.diff"), FIELDS)
    assert [each.element.rpartition(" ")[2] for each in made] == drafted
