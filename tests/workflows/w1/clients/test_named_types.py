"""Clients beside rows about named types: who uses an operation that reaches the type, and which of its fields."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import Tristate
from evreview.evidence.records.compatibility import KnownClient, Uses
from evreview.kinds.compare import compare
from evreview.workflows.w1.clients.impact import incompatible
from evreview.workflows.w1.element_lookup import find_element, named_part, touched
from tests.pipeline import written

RELEASED = """
type Query { order(id: ID!): Order  orders(where: Where): [Order!]!  stock: Stock }
type Mutation { place(input: Draft!): Order }
type Order { id: ID! total(in: String): Float! status: Status! note: String }
type Stock { free: Int note: String }
enum Status { NEW PAID }
input Where { status: Status }
input Draft { sku: String! note: String }
"""
CANDIDATE = (
    RELEASED.replace("note: String }\ntype Stock", "}\ntype Stock")
    .replace("Float!", "Float")
    .replace("NEW PAID", "NEW PAID SENT")
    .replace("sku: String! note: String", "sku: String! note: String!")
    .replace("free: Int note: String", "free: Int note: String more: Int")
)


def row(address: str) -> JudgedRow:
    found = compare(*(written("schema.graphql", text.encode()) for text in (RELEASED, CANDIDATE)))
    return next(row for row in found.rows if row.delta.address == address)


def client(*uses: tuple[str, tuple[str, ...] | None], **declared: object) -> KnownClient:
    listed = tuple(Uses(operation=operation, fields=fields) for operation, fields in uses)
    return KnownClient(id="app", name="App", uses=listed, **declared)  # type: ignore[arg-type]


NOTE, TOTAL, SENT, DRAFT = (
    "type Order > field note", "type Order > field total", "type Status > value SENT", "type Draft > field note",
)  # fmt: skip
TOUCHED = [
    (NOTE, ("query order", ("Order.note",)), Tristate.YES),
    (NOTE, ("query order", ("Order.id",)), Tristate.NO),
    (NOTE, ("query order", ("Stock.note",)), Tristate.NO),
    (NOTE, ("query order", ("Order",)), Tristate.YES),
    (NOTE, ("query order", None), Tristate.UNKNOWN),
    (NOTE, ("query stock", ("Order.note",)), Tristate.NO),
    (TOTAL, ("mutation place", ("Order.total",)), Tristate.YES),
    (SENT, ("query order", ("Order.status",)), Tristate.UNKNOWN),
    (SENT, ("query order", ("Order.status", "Status.NEW")), Tristate.NO),
    (SENT, ("query order", ("Status",)), Tristate.YES),
    (SENT, ("query stock", ("Stock.free",)), Tristate.NO),
    (DRAFT, ("mutation place", ("Draft.sku",)), Tristate.YES),
    (DRAFT, ("query order", ("Order.id",)), Tristate.NO),
]


@pytest.mark.parametrize(("address", "use", "answer"), TOUCHED)
def test_a_type_is_used_through_the_operations_that_reach_it(
    address: str, use: tuple[str, tuple[str, ...] | None], answer: Tristate
) -> None:
    assert touched(client(use), row(address).delta) is answer


INCOMPATIBLE = [
    (NOTE, ("query order", ("Order.note",)), {}, Tristate.YES),
    (NOTE, ("query order", ("Order.id",)), {}, Tristate.NO),
    (TOTAL, ("query order", ("Order.total",)), {"accepts_null": "none"}, Tristate.YES),
    (TOTAL, ("query order", ("Order.total",)), {"accepts_null": ("Order.total",)}, Tristate.NO),
    (SENT, ("query order", ("Status",)), {"unknown_enum_values": "rejected"}, Tristate.YES),
    (SENT, ("query order", ("Status",)), {"unknown_enum_values": "tolerated"}, Tristate.NO),
    ("type Stock > field more", ("query stock", ("Stock.free",)), {"unknown_fields": "rejected"}, Tristate.NO),
]


@pytest.mark.parametrize(("address", "use", "declared", "answer"), INCOMPATIBLE)
def test_a_parser_contract_speaks_about_fields_of_types(
    address: str, use: tuple[str, tuple[str, ...]], declared: dict[str, object], answer: Tristate
) -> None:
    assert incompatible(client(use, **declared), row(address))[0] is answer


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("query order > argument id", "L2"),
        ("query order", "L2"),
        ("mutation place > argument input", "L3"),
        ("type Order > field total > argument in", "L4"),
        ("type Status > value PAID", "L6"),
        ("type Order", "L4"),
    ],
)
def test_evidence_names_elements_as_the_ledger_does(text: str, place: str) -> None:
    found = find_element(written("schema.graphql", RELEASED.encode()), text)
    assert found is not None and found[0].place.pointer == place


def test_coordinates_of_fields() -> None:
    contract = written("schema.graphql", RELEASED.encode())
    assert named_part(contract, ("Order", "total")) is not None
    assert named_part(contract, ("Status", "PAID")) is not None
    assert named_part(contract, ("Order", "gone")) is None
    assert named_part(contract, ("total",)) is None
