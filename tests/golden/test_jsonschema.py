"""The review of an event in JSON Schema, from bundle to artifact, beside what is kept of it."""

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

HERE = Path(__file__).resolve().parent / "expected_jsonschema"
BUNDLE = Path(__file__).resolve().parents[2] / "examples" / "w1-jsonschema"
KEPT = ("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json")


@cache
def finished() -> Review:
    return review(open_bundle(BUNDLE))


@pytest.mark.req("SV-004")
def test_outputs_are_the_expected_ones(request: pytest.FixtureRequest) -> None:
    found = written(finished(), KEPT)
    assert found == expected(HERE, found, rewrite=request.config.getoption("--update-golden"))


@pytest.mark.req("SV-004")
def test_both_directions_of_an_edit_enter_the_ledger() -> None:
    matrix = tables(section(finished().artifact, "Compatibility matrix"))[0]
    places = [row["Difference"].split("` at `")[1].split("`")[0] for row in matrix]
    fields = ("fee > amount", "method", "paymentId", "reference", "settledAt")
    assert places == [f"event > message {way} > {field}" for way in ("read", "written") for field in fields]


def test_a_replayed_event_is_retained_and_reviewed_as_executed(tmp_path: Path) -> None:
    """What both schemas say of one event, by the second validator, is an executed check of the review."""
    bundle = Path(shutil.copytree(BUNDLE, tmp_path / "review"))
    row = next(row for row in finished().ledger.rows if row.judgement.rule == "response-enum-value-added")
    sides = [str(bundle / "contracts" / name / "payment-settled.schema.json") for name in ("payments-1", "payments-2")]
    done = CliRunner().invoke(app, ["replay", *sides, row.delta.id, "--retain", str(bundle)])
    assert done.exit_code == 0, done.output
    assert "wallet" in done.output
    again = review(open_bundle(bundle)).artifact
    assert f"replay-{row.delta.id}" in section(again, "Executed")
