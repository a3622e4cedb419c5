"""The review of a GraphQL schema, from bundle to artifact, beside what is kept of it."""

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

HERE = Path(__file__).resolve().parent / "expected_graphql"
BUNDLE = Path(__file__).resolve().parents[2] / "examples" / "w1-graphql"
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
    rows = tables(section(text, "Compatibility matrix"))[0]
    assert {row["Difference"].split("` at `")[1].split("`")[0] for row in rows} == {
        "query orders > argument after", "query orders > argument first", "type Channel", "type Found > member Voucher",
        "type Order > field deliveryEstimate", "type Order > field legacyReference", "type OrderDraft > field channel",
        "type OrderStatus > value ON_HOLD", "type Voucher",
    }  # fmt: skip


def test_a_replayed_document_is_retained_and_reviewed_as_executed(tmp_path: Path) -> None:
    """What both schemas say of a document, as graphql-core judged it once more, is an executed check of the review."""
    bundle = Path(shutil.copytree(BUNDLE, tmp_path / "review"))
    row = next(row for row in finished().ledger.rows if row.judgement.rule == "graphql-field-removed")
    sides = [str(bundle / "contracts" / name) for name in ("shop-7", "shop-8")]
    done = CliRunner().invoke(app, ["replay", *sides, row.delta.id, "--retain", str(bundle)])
    assert done.exit_code == 0, done.output
    again = review(open_bundle(bundle)).artifact
    assert f"replay-{row.delta.id}" in section(again, "Executed")
