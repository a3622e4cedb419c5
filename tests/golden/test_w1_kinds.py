"""One review of each kind of contract, from bundle to artifact, beside what is kept of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Review, review
from tests.conftest import PROJECT
from tests.golden.kept import expected, written
from tests.golden.runs import section, tables

HERE: Final = Path(__file__).resolve().parent
KEPT: Final = (
    *("api-contract-review.md", "registers/findings.csv", "registers/gates.csv", "registers/steps.csv", "review.json"),
)


@dataclass(frozen=True, slots=True)
class Retained:
    """A row's witness judged once more: the rule of the row, both contracts, and words of the answer."""

    rule: str
    sides: tuple[str, str]
    says: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """What a review of one kind has to show: its differences by address, and a witness that can be retained."""

    places: frozenset[str]
    retained: Retained | None = None


_EVENT: Final = ("fee > amount", "method", "paymentId", "reference", "settledAt")
CASES: Final[Mapping[str, Case]] = {
    "asyncapi": Case(
        frozenset(
            {
                "receive shop.orders.commands > message order.place > channel",
                "receive shop.orders.commands > message order.place > headers > traceparent",
                "send shop.orders.{}.events > channel > binding kafka",
                "send shop.orders.{}.events > message order.archived",
                "send shop.orders.{}.events > message order.placed > status",
                "send shop.orders.{}.events > message order.shipped > parcel > tracking",
            }
        ),
    ),
    "avro": Case(
        frozenset(
            {
                "type ParcelMoved > field carrierReference",
                "type ParcelMoved > field channel",
                "type ParcelMoved > field grams",
                "type Scan > field lane",
                "type State > value LOST",
            }
        ),
        Retained(
            "avro-symbol-added",
            ("parcels-4/ParcelMoved.avsc", "parcels-5/ParcelMoved.avsc"),
            ("LOST", "fastavro"),
        ),
    ),
    "graphql": Case(
        frozenset(
            {
                "query orders > argument after",
                "query orders > argument first",
                "type Channel",
                "type Found > member Voucher",
                "type Order > field deliveryEstimate",
                "type Order > field legacyReference",
                "type OrderDraft > field channel",
                "type OrderStatus > value ON_HOLD",
                "type Voucher",
            }
        ),
        Retained("graphql-field-removed", ("shop-7", "shop-8")),
    ),
    "jsonschema": Case(
        frozenset(f"event > message {way} > {field}" for way in ("read", "written") for field in _EVENT),
        Retained(
            "response-enum-value-added",
            ("payments-1/payment-settled.schema.json", "payments-2/payment-settled.schema.json"),
            ("wallet",),
        ),
    ),
    "protobuf": Case(
        frozenset(
            {
                "depot.v1.Parcels/Find",
                "type depot.v1.Booking > field depot_code = 5",
                "type depot.v1.Parcel > field notes = 5",
                "type depot.v1.State > value LOST = 4",
            }
        ),
        Retained("proto-field-removed", ("depot-3", "depot-4")),
    ),
    "python": Case(
        frozenset(
            {
                "parcels.Client > argument timeout",
                "parcels.Client.cancel",
                "parcels.Client.label",
                "parcels.Client.track",
                "parcels.Quote > argument currency",
                "parcels.Quote.currency",
                "parcels.Service.EXPRESS",
                "parcels.UnknownZone",
                "parcels.cheapest",
                "parcels.quote > argument insured",
            }
        ),
        Retained("python-argument-became-keyword-only", ("parcels-2", "parcels-3")),
    ),
}
RETAINED: Final = {kind: case.retained for kind, case in CASES.items() if case.retained is not None}


def bundle_of(kind: str) -> Path:
    return PROJECT / "examples" / f"w1-{kind}"


@cache
def finished(kind: str) -> Review:
    return review(open_bundle(bundle_of(kind)))


def matrix(kind: str) -> Mapping[str, Mapping[str, str]]:
    """The rows of the compatibility matrix, by address."""
    done = finished(kind)
    assert done.ledger is not None
    places = {row.delta.id: row.delta.address for row in done.ledger.rows}
    found = [row for table in tables(section(done.artifact, "Compatibility matrix")) for row in table]
    return {places[row["Difference"][1:15]]: row for row in found if "Difference" in row}  # type: ignore[index]


@pytest.mark.req("SV-004")
@pytest.mark.parametrize("kind", CASES)
def test_outputs_are_the_expected_ones(kind: str, request: pytest.FixtureRequest) -> None:
    found = written(finished(kind), KEPT)
    folder = HERE / f"expected_{kind}"
    assert found == expected(folder, found, rewrite=request.config.getoption("--update-golden"))


@pytest.mark.req("SV-004")
@pytest.mark.parametrize("kind", CASES)
def test_differences_enter_the_ledger(kind: str) -> None:
    found = matrix(kind)
    if kind == "protobuf":  # it has more rows; these are the breaking ones
        found = {at: row for at, row in found.items() if "Inference: breaking" in row["Producer direction"]}
    assert set(found) == CASES[kind].places


@pytest.mark.parametrize("kind", ["graphql", "protobuf", "python"])
def test_every_changed_branch_is_mapped_to_an_element(kind: str) -> None:
    assert "No implementation evidence is mapped" not in finished(kind).artifact


@pytest.mark.parametrize("kind", RETAINED)
def test_a_replayed_witness_is_retained_and_reviewed_as_executed(kind: str, tmp_path: Path) -> None:
    """What both contracts say of a witness, judged once more, is an executed check of the review."""
    asked = RETAINED[kind]
    ledger = finished(kind).ledger
    assert asked is not None and ledger is not None
    bundle = Path(shutil.copytree(bundle_of(kind), tmp_path / "review"))
    row = next(row for row in ledger.rows if row.judgement.rule == asked.rule)
    sides = [str(bundle / "contracts" / name) for name in asked.sides]
    done = CliRunner().invoke(app, ["replay", *sides, row.delta.id, "--retain", str(bundle)])
    assert done.exit_code == 0, done.output
    assert [word for word in asked.says if word not in done.output] == []
    again = review(open_bundle(bundle)).artifact
    assert f"replay-{row.delta.id}" in section(again, "Executed")


def test_a_direction_that_a_message_has_not_is_not_applicable() -> None:
    row = matrix("protobuf")["type depot.v1.Booking > field weight_grams = 3"]
    assert "old requests accepted: " in row["Producer direction"]
    assert "old form kept" not in row["Producer direction"]


def test_proposed_checks_of_events_speak_of_messages() -> None:
    proposed = tables(section(finished("asyncapi").artifact, "Proposed"))[0]
    assert proposed and not any("response" in row["What it would verify"] for row in proposed)
