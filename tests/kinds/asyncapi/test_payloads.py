"""Payloads in Avro and Protobuf: rows of their language below the message, judged in the message's direction."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.app.commands.replay import replayed
from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import ContractKind, ProofStatus, Verdict
from tests.kinds.asyncapi.test_asyncapi import compared, contract, second, third

Node = dict[str, Any]
AVRO = "application/vnd.apache.avro;version=1.9.0"
PROTOBUF = "application/vnd.google.protobuf;version=3"


def record(*fields: Node, **more: Any) -> Node:
    return {"type": "record", "name": "Order", "fields": list(fields), **more}


ID: Node = {"name": "id", "type": "string"}
SMALL: Node = {"name": "n", "type": "int"}
LARGE: Node = {"name": "n", "type": "long"}
OWED: Node = {"name": "k", "type": "string"}
POINT = 'syntax = "proto3"; message Point { int32 x = 1; }'
TURNED = 'syntax = "proto3"; message Point { sint32 x = 1; }'


def payload(language: str, schema: Any, action: str) -> Node:
    return third({"payload": {"schemaFormat": language, "schema": schema}}, action)


def edited(language: str, edit: tuple[Any, Any], action: str) -> tuple[Node, Node, Comparison]:
    released, candidate = (payload(language, side, action) for side in edit)
    return released, candidate, compared(released, candidate)


CASES = [
    (AVRO, (record(ID), record(ID, OWED)), "receive", "avro-field-added-without-default", Verdict.BREAKING),
    (AVRO, (record(ID), record(ID, OWED)), "send", "avro-field-added-without-default", Verdict.COMPATIBLE),
    (AVRO, (record(SMALL), record(LARGE)), "receive", "avro-type-promoted", Verdict.COMPATIBLE),
    (AVRO, (record(SMALL), record(LARGE)), "send", "avro-type-promoted", Verdict.BREAKING),
    (AVRO, (record(LARGE), record(SMALL)), "receive", "avro-type-narrowed", Verdict.BREAKING),
    (PROTOBUF, (POINT, TURNED), "receive", "proto-type-changed", Verdict.BREAKING),
    (PROTOBUF, (POINT, TURNED), "send", "proto-type-changed", Verdict.BREAKING),
]


@pytest.mark.parametrize(("language", "edit", "action", "rule", "verdict"), CASES)
def test_the_direction_of_the_message_decides(
    language: str, edit: tuple[Any, Any], action: str, rule: str, verdict: Verdict
) -> None:
    released, candidate, found = edited(language, edit, action)
    (row,) = found.rows
    assert (row.judgement.rule, row.judgement.verdict) == (rule, verdict)
    assert row.delta.address.startswith(f"{action} orders > message placed > ")
    assert found.ledger.row(row.delta.id) is row.delta
    if verdict is Verdict.COMPATIBLE:
        assert row.proof.status is ProofStatus.PROVED
        return
    assert isinstance(row.proof.witness, dict)
    message = row.proof.witness["message"]
    assert message["address"] == "orders" and message["action"] == action
    assert message["message"] == {"released": "placed", "candidate": "placed"}
    assert replayed(contract(released), contract(candidate), row.proof.witness, {}).confirmed


def test_rows_name_places_inside_the_payload() -> None:
    row = edited(AVRO, (record(SMALL), record(LARGE)), "send")[2].rows[0]
    assert row.delta.kind is ContractKind.AVRO
    assert row.delta.candidate_place is not None
    assert row.delta.candidate_place.pointer == "/channels/c/messages/m/payload/schema/fields/0"


def test_what_a_language_calls_the_same_is_no_row() -> None:
    _, _, found = edited(AVRO, (record(ID), record(ID, doc="an order")), "receive")
    assert found.rows == () and [noise.delta.address for noise in found.noise]


def test_generations_agree_about_payloads_of_a_language() -> None:
    old = second({"schemaFormat": AVRO, "payload": record(ID)})
    assert compared(old, payload(AVRO, record(ID), "receive")).rows == ()
    (row,) = compared(old, payload(AVRO, record(ID, OWED), "receive")).rows
    assert row.judgement.verdict is Verdict.BREAKING


@pytest.mark.parametrize("schema", [{"type": "record"}, "no.such.Type", 7, {"$ref": "https://example.test/o.avsc"}])
def test_a_payload_that_cannot_be_read_is_unknown_and_says_why(schema: Any) -> None:
    _, _, found = edited(AVRO, (record(ID), schema), "receive")
    (row,) = found.rows
    assert row.judgement.verdict is Verdict.UNKNOWN and "can't be read" in row.judgement.why


def test_a_language_that_changed_is_unknown() -> None:
    _, _, found = edited(AVRO, (record(ID), record(ID)), "receive")
    assert found.rows == ()
    other = compared(payload(AVRO, record(ID), "receive"), payload(PROTOBUF, POINT, "receive"))
    assert {row.judgement.verdict for row in other.rows} == {Verdict.UNKNOWN}


def test_a_witness_of_another_message_is_refused() -> None:
    released, candidate, found = edited(AVRO, (record(ID), record(ID, OWED)), "receive")
    witness: Any = dict(found.rows[0].proof.witness)  # type: ignore[arg-type]
    witness["message"] = {**witness["message"], "address": "elsewhere"}
    with pytest.raises(Exception, match="no such message"):
        replayed(contract(released), contract(candidate), witness, {})
