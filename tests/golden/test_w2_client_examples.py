"""Examples that a client supplied: each field is held against the contract; an unknown one has its example refused."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from evreview.core.vocabulary import Json
from evreview.report.validate import validate_artifact
from evreview.workflows.session import Review
from tests.golden.editing import Append
from tests.golden.runs import section
from tests.golden.w2_runs import finished, varied
from tests.golden.w2_variants import REVISION

ORDER: Mapping[str, Json] = {
    "id": "ord_0000000a", "sku": "lamp-7", "quantity": 1, "status": "placed", "createdAt": "2026-11-01T10:00:00Z",
}  # fmt: skip
GET = {"id": "one", "operation": "getOrder", "status": 200}
PAGE = {"id": "one", "operation": "GET /v1/orders", "status": 200}
SENT = {"id": "one", "operation": "createOrder", "part": "request"}


def supplied(example: Mapping[str, Json], version: str = "1.4.0") -> Review:
    """The bundled reference with one example of a client."""
    record = {"kind": "client-examples", "client": "till", "contract_version": version, "examples": [example]}
    item = {"id": "E12", "type": "client inventory", "integrity": REVISION, "content": json.dumps(record),
            "establishes": "What the till's owner wrote for its tests. Not that it was sent."}  # fmt: skip
    return varied((Append("review.yaml", "/evidence", item),))


def register(done: Review) -> list[dict[str, str]]:
    return done.registers["client-examples"].to_dict("records")


@pytest.mark.req("W2I-019")
@pytest.mark.parametrize(
    ("example", "held", "place"),
    [
        (GET | {"body": ORDER}, "accepted", ""),
        (PAGE | {"body": {"items": [ORDER], "nextCursor": None}}, "accepted", ""),
        (SENT | {"body": {"sku": "lamp-7", "quantity": 2}}, "accepted", ""),
        (GET | {"status": 404, "body": {"code": "order_not_found", "message": "none"}}, "accepted", ""),
        (GET | {"body": ORDER | {"colour": "red"}}, "rejected", "/colour: not described"),
        (PAGE | {"body": {"items": [ORDER, ORDER | {"a/b": 1}], "nextCursor": None}}, "rejected", "/items/1/a~1b: not"),
        (GET | {"status": 404, "body": {"code": "order_not_found", "message": "", "hint": ""}}, "rejected", "/hint"),
        (GET | {"body": ORDER | {"quantity": 0}}, "rejected", "/quantity: minimum"),
        (SENT | {"body": {"sku": "lamp-7"}}, "rejected", "required"),
        (GET | {"status": 418, "body": {}}, "rejected", "status 418"),
        (GET | {"media_type": "application/xml", "body": "x"}, "rejected", "application/xml"),
        (GET | {"operation": "findOrder", "body": ORDER}, "rejected", "no one operation"),
        (GET | {"part": "request", "body": ORDER}, "rejected", "describes no request"),
    ],
)
def test_every_field_is_held_against_the_contract(example: Mapping[str, Json], held: str, place: str) -> None:
    done = supplied(example)
    (row,) = register(done)
    assert (row["held"], row["evidence"], row["client"]) == (held, "E12#/examples/0", "till")
    assert place in row["why"]
    told = section(done.artifact, "Assumptions and limitations")
    assert ("is rejected" in told) == (held == "rejected")
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.req("W2I-019")
def test_an_example_for_another_version_counts_for_nothing() -> None:
    (row,) = register(supplied(GET | {"body": ORDER}, version="1.3.0"))
    assert row["held"] == "rejected" and "1.3.0" in row["why"]


def test_without_such_examples_there_is_no_register() -> None:
    assert "client-examples" not in finished("demo").registers


def test_nothing_of_an_example_is_printed() -> None:
    done = supplied(GET | {"body": ORDER | {"note": "purple-heron"}})
    assert register(done)[0]["held"] == "accepted"
    assert "purple-heron" not in done.artifact
