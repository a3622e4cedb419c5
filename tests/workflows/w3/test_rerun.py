"""Where a security review resumes: step 1 is asked anew each time, and kept while its answer is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.vocabulary import StepState
from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Run, begin
from tests.golden.editing import Append, Delete, Edit, Replace, Set, Variant, build
from tests.golden.w3_runs import DEMO
from tests.golden.w3_variants import INVENTORY, MODEL, OWNER, PLAN, REVISION, RUBRIC, approval, decided, supplied

ANSWER = approval("execute-locally", OWNER, "security-owner", ["ticket-access-tests"])
UNCOVERED = Append(
    "review.yaml",
    "/evidence",
    {"id": "E19", "type": "test record", "content": "ok", "integrity": REVISION, "establishes": "What it says."},
)
CHANGES: dict[str, tuple[tuple[Edit, ...], int]] = {
    "nothing": ((), 10),
    "an approval": ((ANSWER,), 6),
    "a rubric": ((Set(RUBRIC, "/policy_version", "2026-12"),), 3),
    "an inventory": ((Set(INVENTORY, "/controls/0/name", "signed token"),), 3),
    "a corrected plan": ((Set(PLAN, "/seconds", 20),), 3),
    "a further, covered item": (supplied("E19", "test record", "1 passed"), 3),
    "a handling": ((decided(kind="handling", subject="E2", role=OWNER, instructions="none needed"),), 3),
    "a source": ((Replace("service/tickets_service/ops.py", "\n\n", "\n\n# once more\n"),), 2),
    "a trust model": ((Set(MODEL, "/assets/0/name", "tickets of all customers"),), 2),
    "the day": ((Set("review.yaml", "/as_of", "2026-11-23"),), 1),
    "an item that nothing covers": ((UNCOVERED,), 1),
}


def runs(edits: tuple[Edit, ...], folder: Path, before: tuple[Edit, ...] = ()) -> tuple[Run, Run]:
    """A finished run, and the run after the edits."""
    first, later = (
        Variant(name=name, edits=made, step=0, state="", exit_status=0)
        for name, made in (("first", before), ("later", edits))
    )
    earlier = begin(open_bundle(build(first, DEMO, folder / "first")))
    earlier.finish()
    return earlier, begin(open_bundle(build(later, DEMO, folder / "later")), earlier=earlier)


@pytest.mark.req("W3E-007", "W3E-011", "W3E-015", "W3E-021", "W3E-027")
@pytest.mark.parametrize(("edits", "first"), CHANGES.values(), ids=CHANGES)
def test_a_rerun_resumes_where_what_it_reads_has_changed(edits: tuple[Edit, ...], first: int, tmp_path: Path) -> None:
    _, later = runs(edits, tmp_path)
    assert later.resumed_at == first
    fresh = begin(open_bundle(tmp_path / "later"))
    assert later.finish().artifact == fresh.finish().artifact
    assert [step.digest for step in later.steps] == [step.digest for step in fresh.steps]


@pytest.mark.req("W3E-011")
def test_a_stopped_inventory_resumes_at_step_3(tmp_path: Path) -> None:
    lacking = (Delete(INVENTORY, "/controls/0/negative_tests"),)
    earlier, later = runs((), tmp_path, before=lacking)
    assert earlier.steps[-1].code == "W3-F2"
    assert later.resumed_at == 3
    assert later.finish().steps[-1].number == 9


@pytest.mark.req("W3X-013", "W3E-001")
def test_an_authorization_that_no_longer_covers_stops_the_rerun(tmp_path: Path) -> None:
    _, later = runs((UNCOVERED,), tmp_path)
    done = later.finish()
    assert [(step.number, step.state, step.code) for step in done.steps] == [(1, StepState.STOP, "W3-F1")]


@pytest.mark.req("W3E-016")
@pytest.mark.parametrize("file", [RUBRIC, PLAN, MODEL])
def test_a_secret_that_came_with_a_rerun_stops_it(file: str, tmp_path: Path) -> None:
    edit = Replace(file, "kind: ", "# password: q7Rx2" + "Lv9tB\nkind: ")
    done = runs((edit,), tmp_path)[1].finish()
    assert done.steps[-1].code == "W3-F4"
    assert "q7Rx2" + "Lv9tB" not in done.artifact
