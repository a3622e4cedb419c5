"""The review of a protobuf contract, from bundle to artifact, beside what is kept of it."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.cli import app
from evreview.evidence.intake import open_bundle
from evreview.workflow.review import Review, review
from tests.golden.kept import expected, written
from tests.golden.runs import section, tables

HERE = Path(__file__).resolve().parent / "expected_protobuf"
BUNDLE = Path(__file__).resolve().parents[2] / "examples" / "w1-protobuf"
KEPT = ("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json")


@cache
def finished() -> Review:
    return review(open_bundle(BUNDLE))


@pytest.mark.req("SV-004")
def test_outputs_are_the_expected_ones(request: pytest.FixtureRequest) -> None:
    found = written(finished(), KEPT)
    assert found == expected(HERE, found, rewrite=request.config.getoption("--update-golden"))


def test_every_difference_is_a_row_with_both_directions() -> None:
    rows = tables(section(finished().artifact, "Compatibility matrix"))[0]
    at = {row["Difference"].split("` at `")[1].split("`")[0]: row for row in rows}
    assert {name for name, row in at.items() if "Inference: breaking" in row["Producer direction"]} == {
        "depot.v1.Parcels/Find", "type depot.v1.Booking > field depot_code = 5",
        "type depot.v1.Parcel > field notes = 5", "type depot.v1.State > value LOST = 4",
    }  # fmt: skip
    assert "emits old-compatible: n/a" in at["type depot.v1.Booking > field weight_grams = 3"]["Producer direction"]


def test_the_change_of_each_hunk_is_mapped() -> None:
    assert "No implementation evidence is mapped" not in finished().artifact


def test_a_replayed_message_is_retained_and_reviewed_as_executed(tmp_path: Path) -> None:
    """What both contracts read, as the runtime read it once more, is an executed check of the review."""
    bundle = Path(shutil.copytree(BUNDLE, tmp_path / "review"))
    row = next(row for row in finished().ledger.rows if row.judgement.rule == "proto-field-removed")
    sides = [str(bundle / "contracts" / name) for name in ("depot-3", "depot-4")]
    done = CliRunner().invoke(app, ["replay", *sides, row.delta.id, "--retain", str(bundle)])
    assert done.exit_code == 0, done.output
    again = review(open_bundle(bundle)).artifact
    assert f"replay-{row.delta.id}" in section(again, "Executed")
