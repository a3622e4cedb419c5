"""The review of an Avro schema, from bundle to artifact, beside what is kept of it."""

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

HERE = Path(__file__).resolve().parent / "expected_avro"
BUNDLE = Path(__file__).resolve().parents[2] / "examples" / "w1-avro"
KEPT = ("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json")


@cache
def finished() -> Review:
    return review(open_bundle(BUNDLE))


@pytest.mark.req("SV-004")
def test_outputs_are_the_expected_ones(request: pytest.FixtureRequest) -> None:
    found = written(finished(), KEPT)
    assert found == expected(HERE, found, rewrite=request.config.getoption("--update-golden"))


@pytest.mark.req("SV-004")
def test_fields_and_symbols_enter_the_ledger() -> None:
    matrix = tables(section(finished().artifact, "Compatibility matrix"))[0]
    assert {row["Difference"].split("` at `")[1].split("`")[0] for row in matrix} == {
        "type ParcelMoved > field carrierReference",
        "type ParcelMoved > field channel",
        "type ParcelMoved > field grams",
        "type Scan > field lane",
        "type State > value LOST",
    }


def test_replayed_bytes_are_retained_and_reviewed_as_executed(tmp_path: Path) -> None:
    """What both schemas read of one record, through the codec once more, is an executed check of the review."""
    bundle = Path(shutil.copytree(BUNDLE, tmp_path / "review"))
    row = next(row for row in finished().ledger.rows if row.judgement.rule == "avro-symbol-added")
    sides = [str(bundle / "contracts" / name / "ParcelMoved.avsc") for name in ("parcels-4", "parcels-5")]
    done = CliRunner().invoke(app, ["replay", *sides, row.delta.id, "--retain", str(bundle)])
    assert done.exit_code == 0, done.output
    assert "LOST" in done.output and "fastavro" in done.output
    again = review(open_bundle(bundle)).artifact
    assert f"replay-{row.delta.id}" in section(again, "Executed")
