"""A rerun after a decision: the journal of the output folder says where it resumed, and the ledger is not stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evreview.app.workbench import Workbench
from evreview.evidence.bundle_folder import append_decision
from tests.golden.answers import SHIP_ITEMS


def runs(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "journal.json").read_text())["runs"]
    return found


@pytest.mark.req("W1E-015")
def test_an_approval_resumes_at_step_9_and_a_new_inventory_at_step_5(demo_copy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    Workbench(demo_copy, headless=True).export(out)
    approval = {
        "kind": "approval", "gate": "ship-breaking-change", "role": "Finance integrations owner",
        "stands_for": "client-owner", "client": "ledger-export", "decision": "approved",
        "at": "2026-11-19T09:00:00+00:00", "reviewed": SHIP_ITEMS,
    }  # fmt: skip
    append_decision(demo_copy, approval)
    Workbench(demo_copy, headless=True).export(out)
    review = demo_copy / "review.yaml"
    review.write_text(
        review.read_text().replace("What the two known clients declare", "What both known clients declare")
    )
    Workbench(demo_copy, headless=True).export(out)
    assert [run["resumed_at"] for run in runs(out)] == [1, 9, 5]


def test_a_run_on_unchanged_evidence_changes_no_byte(demo_copy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    Workbench(demo_copy, headless=True).export(out)
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    Workbench(demo_copy, headless=True).export(out)
    assert {file: file.read_bytes() for file in out.rglob("*") if file.is_file()} == before


def test_a_journal_of_another_review_is_not_continued(demo_copy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    Workbench(demo_copy, headless=True).export(out)
    review = demo_copy / "review.yaml"
    review.write_text(review.read_text().replace("title: Orders API 1.4 to 1.5", "title: Orders API 1.5 to 1.6"))
    Workbench(demo_copy, headless=True).export(out)
    assert [run["resumed_at"] for run in runs(out)] == [1]
