"""An answer older than what it is about has not seen it; one of the same day has."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from evreview.app.api import open_bundle
from evreview.workflows.session import review
from evreview.workflows.w2.facts import GATES as W2_GATES
from evreview.workflows.w2.facts import gate
from tests.golden import runs, w2_runs
from tests.golden.editing import Append, Edit, Replace, Variant
from tests.golden.gate_variants import GATES
from tests.golden.test_lapsed import SHIP, build
from tests.golden.w2_variants import EXPAND_ITEMS, OWNER, approval, build_w2

REMOVE: Final = "remove-deprecated"
FULL: Final = next(variant for variant in GATES if variant.name == "everything-approved")
OWNERS: Final = (Replace("decisions.yaml", "2026-11-18T10:00", "2026-10-01T10:00"),)
ROLLOUT: Final = "rollout/gateway.yaml"
USAGE: Final = "usage/legacy-reference.yaml"
DRILL: Final = "records/rollback-drill.md"

EARLY: Final[dict[str, tuple[tuple[Edit, ...], str, str]]] = {
    "an owner before drill and approval": (OWNERS, SHIP, "2026-11-16"),
    "an owner before the drill alone": (
        (
            Replace(ROLLOUT, "2026-11-16T15:00:00", "2026-10-01T09:00:00"),
            Replace(ROLLOUT, "2026-11-15", "2026-10-20"),
            Replace("decisions.yaml", "2026-11-18T10:00", "2026-11-12T10:00"),
        ),
        SHIP,
        "E12 of 2026-11-13",
    ),
    "before the rollout's approval by a minute": (
        (Replace(ROLLOUT, "2026-11-16T15:00:00", "2026-11-18T10:01:00"),),
        SHIP,
        "2026-11-18T10:01",
    ),
    "before the end of a baseline": ((Replace(ROLLOUT, "2026-11-15", "2026-11-19"),), SHIP, "E9 of 2026-11-19"),
    "before an adoption": (
        (Replace("review.yaml", "2026-11-17T09:00:00", "2026-11-18T12:00:00"),),
        SHIP,
        "E13 of 2026-11-18T12:00",
    ),
    "a removal before the counts end": (
        (Replace("decisions.yaml", "2026-11-19T17:00", "2026-11-05T17:00"),),
        REMOVE,
        "E10 of 2026-11-19",
    ),
    "a removal on the day after the notice": (
        (Replace("decisions.yaml", "2026-11-19T17:00", "2026-10-13T17:00"),),
        REMOVE,
        "2026-11-19",
    ),
}
"""Edits, the gate that they open again, and what is told of the item that is later."""
SEEN: Final[dict[str, tuple[Edit, ...]]] = {
    "as it is": (),
    "a drill on the answer's day": (Replace(DRILL, "on: 2026-11-13", "on: 2026-11-18"),),
    "a rollout approved a minute before": (Replace(ROLLOUT, "2026-11-16T15:00:00", "2026-11-18T09:59:00"),),
    "a rollout approved at once": (Replace(ROLLOUT, "2026-11-16T15:00:00", "2026-11-18T10:00:00"),),
    "a baseline that ends on the day": (Replace(ROLLOUT, "2026-11-15", "2026-11-18"),),
    "a window without days": (Replace(ROLLOUT, "2026-10-19 to 2026-11-15", "the last four weeks"),),
}


def gates(variant: Variant, folder: Path, *edits: Edit) -> dict[str, tuple[str, str]]:
    one = Variant(name="one", edits=(*variant.edits, *edits), step=0, state="", exit_status=0)
    made = review(open_bundle(build(one, runs.DEMO, folder)))
    return {gate.spec.id: (str(gate.state), "\n".join(gate.missing)) for gate in made.facts.gates}


@pytest.mark.parametrize("case", EARLY)
def test_an_answer_before_what_it_reviewed_does_not_count(case: str, tmp_path: Path) -> None:
    edits, opened, told = EARLY[case]
    found = gates(FULL, tmp_path / "bundle", *edits)
    assert {gate for gate, (state, _) in found.items() if state == "open"} == {opened}
    assert told in found[opened][1]


@pytest.mark.parametrize("case", SEEN)
def test_an_answer_of_the_same_day_or_later_counts(case: str, tmp_path: Path) -> None:
    found = gates(FULL, tmp_path / "bundle", *SEEN[case])
    assert {state for state, _ in found.values()} == {"approved"}


WIDE: Final = approval("publish-expanded-behaviour", OWNER, "api-owner", EXPAND_ITEMS)
STARTED: Final = "2026-11-22T15:10:19.446848+00:00"
"""When the demo's run started; the answer is of 17:00 of that day."""


@pytest.mark.parametrize(
    ("started", "seen"),
    [
        (STARTED, True),
        ("2026-11-22T17:00:00+00:00", True),
        ("2026-11-22T23:10:00", True),
        ("2026-11-22T18:30:00+02:00", True),
        ("", True),
        ("2026-11-22T23:10:00+00:00", False),
        ("2026-11-22T17:00:01Z", False),
        ("2026-11-22T16:30:00-01:00", False),
        ("2026-11-23T01:00:00", False),
    ],
)
def test_an_answer_before_the_run_does_not_count(started: str, seen: bool, tmp_path: Path) -> None:
    edits = (Replace("results/junit.xml", STARTED, started), WIDE)
    told = _missing(tmp_path / "bundle", *edits)
    assert ("without having seen" in told) is not seen


@pytest.mark.parametrize(("hour", "seen"), [("16", True), ("17", True), ("18", False)])
def test_an_answer_before_a_disposition_does_not_count(hour: str, seen: bool, tmp_path: Path) -> None:
    entry = {"kind": "disposition", "subject": "X-000000000001", "role": OWNER, "decision": "as printed"}
    later = Append("decisions.yaml", "/decisions", entry | {"at": f"2026-11-22T{hour}:00:00+00:00"})
    assert ("X-000000000001 of 2026-11-22" in _missing(tmp_path / "bundle", WIDE, later)) is not seen


def _missing(folder: Path, *edits: Edit) -> str:

    one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
    bundle = open_bundle(build_w2(one, w2_runs.DEMO, folder))
    spec = next(each for each in W2_GATES if each.id == "publish-expanded-behaviour")
    return "\n".join(gate(spec, bundle, needed=True).missing)
