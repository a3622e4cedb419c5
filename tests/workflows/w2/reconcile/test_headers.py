"""Required headers that only some answers of a status carry."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import CodeResponse, UnsupportedCode
from evreview.core.vocabulary import Concern
from evreview.workflows.w2.discrepancy_kinds.kind import TEXT, paths
from tests.workflows.w2.facts import LINES, contract_of, evidence_of, reconciled, route, sends

WITH = sends(200, media_type="", headers=("X-Total",))
PARTLY = sends(200, media_type="", headers=("x-total",), sometimes=("x-total",))
BARE = sends(200, media_type="", how="declared", headers=())


@pytest.mark.parametrize(
    ("answers", "required", "kinds", "open_ones"),
    [
        ((WITH,), True, [], []),
        ((PARTLY,), True, ["header-sometimes-unset"], []),
        ((PARTLY,), False, [], []),
        ((WITH, sends(200, media_type="")), True, [], ["200 X-Total"]),
        ((WITH, sends(200, media_type="")), False, [], []),
        ((sends(200, media_type=""),), True, ["header-unset"], []),
        ((WITH, BARE), True, [], []),
    ],
)
def test_required_headers_of_some_answers(
    answers: tuple[CodeResponse, ...], required: bool, kinds: list[str], open_ones: list[str]
) -> None:
    headers = {"X-Total": {"schema": TEXT, "required": required}}
    contract = contract_of(paths(responses={"200": {"description": "done", "headers": headers}}))
    found = reconciled(evidence_of(contract, route(responses=answers)))
    assert [each.kind for each in found.discrepancies] == kinds
    assert [each.place for each in found.undecided] == open_ones


def test_code_that_was_not_read_whole_leaves_it_open() -> None:
    headers = {"X-Total": {"schema": TEXT, "required": True}}
    contract = contract_of(paths(responses={"200": {"description": "done", "headers": headers}}))
    code = route(responses=(PARTLY,), unread=(UnsupportedCode(LINES, "a part"),))
    found = reconciled(evidence_of(contract, code))
    assert not found.discrepancies and "200 X-Total" in [each.place for each in found.undecided]


@pytest.mark.parametrize(
    ("name", "how", "promised", "kinds", "open_ones"),
    [
        ("X-Reason", "raised", False, ["header-undocumented"], []),
        ("WWW-Authenticate", "raised", False, [], ["401 WWW-Authenticate"]),
        ("WWW-Authenticate", "returned", True, [], []),
        ("WWW-Authenticate", "framework", False, [], []),
    ],
)
def test_headers_of_refusals(name: str, how: str, promised: bool, kinds: list[str], open_ones: list[str]) -> None:
    stated = {"headers": {name: {"schema": TEXT}}} if promised else {}
    refusal = sends(401, media_type="", how=how, headers=(name,))
    answers = {"200": {"description": "done"}, "401": {"description": "refused", **stated}}
    code = route(responses=(sends(200, media_type=""), refusal))
    found = reconciled(evidence_of(contract_of(paths(responses=answers)), code))
    assert [each.kind for each in found.discrepancies] == kinds
    assert [each.place for each in found.undecided if each.concern is Concern.HEADERS] == open_ones
