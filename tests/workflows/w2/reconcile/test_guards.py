"""Who may call: what the code shows beside what the contract demands."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import Guard, Spot, UnsupportedCode
from evreview.core.vocabulary import Concern, Json
from evreview.workflows.w2.discrepancy_kinds.kind import OK, paths
from tests.workflows.w2.facts import CODE, LINES, contract_of, evidence_of, reconciled, route, sends

BEARER: Json = {"token": {"type": "http", "scheme": "bearer"}}
KEY: Json = {"token": {"type": "apiKey", "in": "header", "name": "Authorization"}}
DEMANDS = paths(responses=dict(OK), security=[{"token": []}])
OPENS = Spot(CODE, 9, 9, "app.py")


@pytest.mark.req("W2S-008")
@pytest.mark.parametrize(("public", "kinds"), [(OPENS, ["unguarded"]), (None, [])])
def test_a_line_that_lets_everyone_in_counts_though_other_parts_are_unread(
    public: Spot | None, kinds: list[str]
) -> None:
    code = route(public=public, unread=(UnsupportedCode(LINES, "a part"),), responses=(sends(200, media_type=""),))
    found = reconciled(evidence_of(contract_of(DEMANDS, BEARER), code))
    assert [each.kind for each in found.discrepancies] == kinds
    assert [each.citations[-1].locator for each in found.discrepancies] == [":L9"] * len(kinds)
    assert bool(kinds) is not any(each.concern is Concern.AUTHENTICATION for each in found.undecided)


@pytest.mark.parametrize(
    ("schemes", "kept", "kinds"),
    [
        (BEARER, "http token", ["scheme-differs"]),
        (KEY, "http token", []),
        (BEARER, "http bearer", []),
        (KEY, "http bearer", []),
    ],
)
def test_schemes_are_compared_as_they_reach_the_wire(schemes: Json, kept: str, kinds: list[str]) -> None:
    guard = Guard(name="check", kind="authentication", spot=LINES, scheme=kept)
    code = route(guards=(guard,), responses=(sends(200, media_type=""),))
    found = reconciled(evidence_of(contract_of(DEMANDS, schemes), code))
    assert [each.kind for each in found.discrepancies] == kinds


@pytest.mark.parametrize("security", [[{"token": []}], []])
@pytest.mark.parametrize(
    ("unless", "kinds", "decided"), [(OPENS, [], False), (None, ["guard-undocumented"], True)]
)  # fmt: skip
def test_a_guard_with_a_hole_decides_nothing(
    security: list[Json], unless: Spot | None, kinds: list[str], decided: bool
) -> None:
    unlesses = () if unless is None else (unless,)
    guard = Guard(name="check", kind="authentication", spot=LINES, scheme="http bearer", unless=unlesses)
    code = route(guards=(guard,), responses=(sends(200, media_type=""),))
    stated = paths(responses=dict(OK), security=security)
    found = reconciled(evidence_of(contract_of(stated, BEARER), code))
    assert [each.kind for each in found.discrepancies] == ([] if security else kinds)
    doubts = [each for each in found.undecided if each.concern is Concern.AUTHENTICATION]
    assert [[on.locator for on in each.citations][-1] for each in doubts] == ([] if decided else [":L9"])
