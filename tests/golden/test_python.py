"""The review of a Python library, from bundle to artifact, beside what is kept of it."""

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

HERE = Path(__file__).resolve().parent / "expected_python"
BUNDLE = Path(__file__).resolve().parents[2] / "examples" / "w1-python"
KEPT = ("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json")


@cache
def finished() -> Review:
    return review(open_bundle(BUNDLE))


@pytest.mark.req("SV-004")
def test_outputs_are_the_expected_ones(request: pytest.FixtureRequest) -> None:
    found = written(finished(), KEPT)
    assert found == expected(HERE, found, rewrite=request.config.getoption("--update-golden"))


def test_every_changed_branch_is_mapped_to_an_element() -> None:
    text = finished().artifact
    assert "No implementation evidence is mapped" not in text
    matrix = tables(section(text, "Compatibility matrix"))[0]
    assert {row["Difference"].split("` at `")[1].split("`")[0] for row in matrix} == {
        "parcels.Client > argument timeout", "parcels.Client.cancel", "parcels.Client.label", "parcels.Client.track",
        "parcels.Quote > argument currency", "parcels.Quote.currency", "parcels.Service.EXPRESS",
        "parcels.UnknownZone", "parcels.cheapest", "parcels.quote > argument insured",
    }  # fmt: skip


def test_a_replayed_call_is_retained_and_reviewed_as_executed(tmp_path: Path) -> None:
    """What both libraries make of a call, bound once more, is an executed check of the review."""
    bundle = Path(shutil.copytree(BUNDLE, tmp_path / "review"))
    row = next(row for row in finished().ledger.rows if row.judgement.rule == "python-argument-became-keyword-only")
    sides = [str(bundle / "contracts" / name) for name in ("parcels-2", "parcels-3")]
    done = CliRunner().invoke(app, ["replay", *sides, row.delta.id, "--retain", str(bundle)])
    assert done.exit_code == 0, done.output
    again = review(open_bundle(bundle)).artifact
    assert f"replay-{row.delta.id}" in section(again, "Executed")
