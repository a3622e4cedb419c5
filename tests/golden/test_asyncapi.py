"""The review of an event contract, from bundle to artifact, beside what is kept of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from evreview.evidence.intake import open_bundle
from evreview.workflow.review import Review, review
from tests.golden.kept import expected, written
from tests.golden.runs import section, tables

HERE = Path(__file__).resolve().parent / "expected_asyncapi"
BUNDLE = Path(__file__).resolve().parents[2] / "examples" / "w1-events"
KEPT = ("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json")


@cache
def finished() -> Review:
    return review(open_bundle(BUNDLE))


@pytest.mark.req("SV-004")
def test_outputs_are_the_expected_ones(request: pytest.FixtureRequest) -> None:
    found = written(finished(), KEPT)
    assert found == expected(HERE, found, rewrite=request.config.getoption("--update-golden"))


@pytest.mark.req("SV-004")
def test_messages_enter_the_ledger_like_operations() -> None:
    """Topics, payload fields, order and headers each have a row, and nothing of the other format has one."""
    matrix = tables(section(finished().artifact, "Compatibility matrix"))[0]
    places = [row["Difference"].split("` at `")[1].rstrip("`") for row in matrix]
    assert places == [
        "receive shop.orders.commands > message order.place > channel",
        "receive shop.orders.commands > message order.place > headers > traceparent",
        "send shop.orders.{}.events > channel > binding kafka",
        "send shop.orders.{}.events > message order.archived",
        "send shop.orders.{}.events > message order.placed > status",
        "send shop.orders.{}.events > message order.shipped > parcel > tracking",
    ]


def test_proposed_checks_speak_of_messages() -> None:
    proposed = tables(section(finished().artifact, "Proposed"))[0]
    assert proposed and not any("response" in row["What it would verify"] for row in proposed)
