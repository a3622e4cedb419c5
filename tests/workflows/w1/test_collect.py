"""Executed needs command, revision, fixture and result; everything else is proposed, and what waits is unverified."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, DeltaId, Direction, EvidenceId
from evreview.evidence.item import Citation
from evreview.workflows.w1.checks import Executed, checks_frame, collect
from tests.rows import OK, ORDER, check, retained, row

ROW = row(facts={"required": True})
PRODUCER = check(id="producer", client=None, direction="producer", result="passed", parses=None)
BOTH = (PRODUCER, check())
FOUR = ["command", "revision", "fixture", "result"]


@pytest.mark.req("C-016", "C-017", "C-018", "C-019", "C-020", "C-021", "C-022")
@pytest.mark.parametrize("lacking", FOUR)
@pytest.mark.parametrize("demoted", [0, 1])
def test_without_one_of_four_a_check_is_unexecuted(lacking: str, demoted: int) -> None:
    """Metamorphic: all four retained, then one taken away."""
    whole = collect([retained(*BOTH)], [ROW])
    assert len(whole.executed) == 2 and whole.unverified == ()
    changed = [dict(one) for one in BOTH]
    del changed[demoted][lacking]
    found = collect([retained(*changed)], [ROW])
    assert len(found.executed) == 1
    (unexecuted,) = (one for one in found.proposed if one.status == "unexecuted")
    assert (unexecuted.id, unexecuted.missing) == (changed[demoted]["id"], (lacking,))
    assert found.unverified == (ROW.delta.id,)
    statuses = checks_frame(found)["status"]
    assert set(statuses) <= {"executed", "unexecuted", "proposed"} and list(statuses).count("executed") == 1


@pytest.mark.req("C-018", "EV-019")
@pytest.mark.parametrize("revision", ["main", "latest", "HEAD", "origin/develop", "refs/heads/main"])
def test_a_name_that_moves_is_no_revision(revision: str) -> None:
    found = collect([retained(PRODUCER | {"revision": revision}, check(revision="2.3.1"))], [ROW])
    (unexecuted,) = (one for one in found.proposed if one.status == "unexecuted")
    assert (unexecuted.id, unexecuted.missing) == ("producer", ("revision",))


@pytest.mark.req("C-017", "C-018", "C-019", "C-020")
@pytest.mark.parametrize("empty", FOUR)
def test_executed_cannot_exist_without(empty: str) -> None:
    given: dict[str, Any] = {"command": "c", "revision": "r", "fixture": "f", "result": "passed"}
    at = Citation(EvidenceId("E7"))
    Executed(id="x", what="w", citation=at, **given)
    with pytest.raises(ValueError, match=empty):
        Executed(id="x", what="w", citation=at, **given | {empty: " "})


@pytest.mark.req("C-016")
def test_executed_rows_name_all_four() -> None:
    frame = checks_frame(collect([retained(*BOTH)], [ROW]))
    ran = frame[frame["status"] == "executed"]
    assert (ran[FOUR] != "").all(axis=None) and list(ran["evidence"]) == ["E7#/checks/0", "E7#/checks/1"]


@pytest.mark.req("C-016", "C-021")
@pytest.mark.parametrize(("result", "executed"), [("passed", 1), ("failed", 1), ("error", 1), ("skipped", 0)])
def test_results(result: str, executed: int) -> None:
    assert len(collect([retained(check(result=result))], [ROW]).executed) == executed


@pytest.mark.req("C-022")
def test_an_error_verifies_nothing() -> None:
    found = collect([retained(PRODUCER, check(result="error"))], [ROW])
    assert found.unverified == (ROW.delta.id,)


@pytest.mark.req("C-021", "C-022")
@pytest.mark.parametrize(
    ("changed", "directions"),
    [
        pytest.param(ROW, ["producer", "consumer"], id="response"),
        pytest.param(row(direction=Direction.READ), ["producer"], id="request"),
        pytest.param(row(verdict="unknown"), ["producer", "consumer"], id="unknown"),
        pytest.param(row(verdict="compatible"), [], id="compatible-needs-none"),
        pytest.param(row(ORDER, direction=None, emits="unknown"), ["producer", "consumer"], id="operation"),
    ],
)
def test_proposed_per_open_direction(changed: Any, directions: list[str]) -> None:
    found = collect([], [changed])
    assert [one.direction for one in found.proposed] == directions
    assert found.unverified == (changed.delta.id,)
    for one in found.proposed:
        assert one.status == "proposed" and one.what and one.missing == tuple(FOUR)
        assert changed.delta.address in one.what


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        pytest.param({}, True, id="operation-and-field"),
        pytest.param({"aspect": "nullability"}, True, id="with-aspect"),
        pytest.param({"aspect": "nullability", "field": None}, True, id="operation-and-aspect"),
        pytest.param({"aspect": "enums"}, False, id="other-aspect"),
        pytest.param({"operation": "GET /v1/other"}, False, id="other-operation"),
        pytest.param({"operation": None}, False, id="no-operation"),
        pytest.param({"field": "status"}, False, id="other-field"),
        pytest.param({"field": None}, False, id="operation-alone"),
        pytest.param({"deltas": ["D-000000000001"], "operation": None}, True, id="by-id"),
        pytest.param({"deltas": ["D-7"]}, False, id="by-other-id"),
    ],
)
def test_matching(given: dict[str, Any], matches: bool) -> None:
    found = collect([retained(check(**given))], [ROW])
    assert bool(found.executed_for(ROW.delta.id)) is matches


def test_rows_keep_their_order() -> None:
    rows = [row(f"{OK} > {name}", id=DeltaId(f"D-{name}"), aspect=Aspect.TYPES) for name in ("b", "a")]
    found = collect([], rows)
    assert found.unverified == ("D-b", "D-a")
    assert len(found.proposed_for(DeltaId("D-a"))) == 2
