"""Answers whose status can't be told: a framework's denial is about the documented refusals."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from evreview.workflows.w2.discrepancy_kinds.kind import paths
from tests.workflows.w2.facts import contract_of, evidence_of, reconciled, route, sends

OK: Json = {"description": "done"}


@pytest.mark.parametrize(
    ("how", "statuses", "open_ones"),
    [
        ("framework", ("200", "401"), [("errors", "401")]),
        ("framework", ("200", "401", "403"), [("errors", "401"), ("errors", "403")]),
        ("framework", ("200",), [("errors", "")]),
        ("raised", ("200", "401"), [("errors", "")]),
        ("returned", ("200", "401"), [("success responses", "")]),
    ],
)
def test_where_an_untold_status_is_filed(how: str, statuses: tuple[str, ...], open_ones: list[tuple[str, str]]) -> None:
    contract = contract_of(paths(responses=dict.fromkeys(statuses, OK)))
    code = route(responses=(sends(200, media_type=""), sends(None, how=how)))
    found = reconciled(evidence_of(contract, code))
    assert [(str(each.concern), each.place) for each in found.undecided] == open_ones
