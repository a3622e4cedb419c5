"""What code does not show is no fact where calls outside the sources or hooks may answer; the rest still is."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import UnsupportedCode
from evreview.core.vocabulary import Concern, Json
from evreview.workflows.w2.discrepancy_kinds.kind import Seen, parameter, paths
from evreview.workflows.w2.matrix.evidence_matrix import is_whole
from tests.workflows.w2.facts import LINES, contract_of, evidence_of, reconciled, route, sends

OK: Json = {"description": "done"}
OUTSIDE = (UnsupportedCode(LINES, "a call of `store.find`, which no supplied file holds"),)
HOOK = (UnsupportedCode(LINES, "a hook that changes the status of answers"),)
ok = sends(200, media_type="")


def found(statuses: tuple[str, ...], made: dict[str, Any], **more: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """The kinds that are found, and the concern and place of what stays undecided."""
    contract = contract_of(paths(responses=dict.fromkeys(statuses, OK), **more))
    result = reconciled(evidence_of(contract, route(**{"responses": (ok,)} | made)))
    return [one.kind for one in result.discrepancies], [(str(one.concern), one.place) for one in result.undecided]


@pytest.mark.parametrize(
    ("statuses", "made", "kinds", "undecided"),
    [
        (("200", "404"), {}, ["error-unsent"], []),
        (("200", "404"), {"elsewhere": OUTSIDE}, [], [("errors", "404")]),
        (("200", "202"), {"elsewhere": OUTSIDE}, ["success-unsent"], []),
        (("200",), {"elsewhere": OUTSIDE}, [], []),
        (("200",), {"elsewhere": OUTSIDE, "responses": (ok, sends(409))}, ["error-undocumented"], []),
        (("200", "404"), {"rewritten": HOOK}, [], [("success responses", ""), ("errors", "")]),
        (("202",), {"rewritten": HOOK}, [], [("success responses", ""), ("errors", "")]),
        # What a framework answers by itself need not be documented.
        (("200",), {"responses": (ok, sends(415, how="framework"))}, [], []),
        (("200",), {"responses": (ok, sends(415, how="raised"))}, ["error-undocumented"], []),
    ],
)
def test_silence_about_a_status(
    statuses: tuple[str, ...], made: dict[str, Any], kinds: list[str], undecided: list[tuple[str, str]]
) -> None:
    assert found(statuses, made) == (kinds, undecided)


def test_other_comparisons_stay_decided() -> None:
    kinds, _ = found(("200",), {"elsewhere": OUTSIDE}, parameters=[parameter("limit", {"type": "integer"})])
    assert kinds == ["parameter-unread"]
    assert is_whole(route(elsewhere=OUTSIDE))


def test_the_call_is_named_with_its_lines() -> None:
    contract = contract_of(paths(responses={"200": OK, "404": OK}))
    (one,) = reconciled(evidence_of(contract, route(responses=(ok,), elsewhere=OUTSIDE))).undecided
    assert "store.find" in one.reason and one.concern is Concern.ERRORS
    assert [str(each) for each in one.citations][1:] == ["E2:L3-L7"]


@pytest.mark.parametrize(
    ("status", "made", "differs"),
    [
        (409, {}, True),
        (409, {"elsewhere": OUTSIDE}, False),
        (409, {"rewritten": HOOK}, False),
        # Frameworks answer other media types by themselves.
        (415, {}, False),
    ],
)
def test_what_a_test_saw_is_held_against_known_silence_only(status: int, made: dict[str, Any], differs: bool) -> None:
    contract = contract_of(paths(responses={"200": OK, str(status): OK}))
    seen = (Seen(status=status, media_type=""),)
    rows = reconciled(evidence_of(contract, route(responses=(ok,), **made), seen=seen)).discrepancies
    assert ("observed-not-in-code" in {one.kind for one in rows}) is differs
