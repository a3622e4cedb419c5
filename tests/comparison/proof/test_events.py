"""Witnesses of event contracts: whole messages, composed by one validator and judged by another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from evreview.comparison.rules.example import pair
from evreview.comparison.rules.rule import Example, Rule
from evreview.core.vocabulary import ContractKind, Direction, Json, ProofStatus
from evreview.kinds.asyncapi.prover import EventMessage, from_json
from evreview.kinds.asyncapi.rules_operations import DOCUMENT, PLACED, contract
from evreview.kinds.replay import replay
from evreview.kinds.rule_catalogue import BY_KIND
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.pipeline import compared, shown, written

OWN = [rule for rule in BY_KIND[ContractKind.ASYNCAPI] if rule.id.startswith("asyncapi-")]
WITNESSED = {
    "asyncapi-receive-removed",
    "asyncapi-address-version-changed",
    "asyncapi-received-message-removed",
    "asyncapi-sent-message-added",
    "asyncapi-received-content-type-changed",
    "asyncapi-sent-content-type-changed",
}


def example(before: Any, after: Any) -> Example:
    return Example(DOCUMENT, before, after)


def placed(direction: Direction, **members: Any) -> Json:
    return contract(direction, {**PLACED, **members})


def headers(*required: str) -> Json:
    return {"type": "object", "properties": {"trace": {"type": "string"}}, "required": list(required)}


def keyed(kind: str) -> Json:
    return {"kafka": {"key": {"type": kind}}}


READ, WRITTEN = Direction.READ, Direction.WRITTEN
EDITS = {
    "payload read": example(placed(READ), placed(READ, payload={"type": "object", "required": ["id", "at"]})),
    "payload written": example(placed(WRITTEN), placed(WRITTEN, payload={"type": "array"})),
    "headers read": example(placed(READ, headers=headers()), placed(READ, headers=headers("trace"))),
    "headers written": example(placed(WRITTEN, headers=headers("trace")), placed(WRITTEN, headers=headers())),
    "key read": example(placed(READ, bindings=keyed("string")), placed(READ, bindings=keyed("integer"))),
    "key written": example(placed(WRITTEN, bindings=keyed("string")), placed(WRITTEN, bindings=keyed("integer"))),
    "address read": example(
        contract(READ, channel={"parameters": {"shop": {"enum": ["a", "b"]}}}),
        contract(READ, channel={"parameters": {"shop": {"enum": ["a"]}}}),
    ),
    **{rule.id: rule.example for rule in OWN if rule.id in WITNESSED},
}


@pytest.mark.parametrize("name", EDITS)
def test_breaking_rows_are_witnessed_and_confirmed_by_the_second_validator(name: str) -> None:
    rows = [row for row in shown(EDITS[name]).rows if row.judgement.verdict == "breaking"]
    sides = [written(*one) for one in pair(EDITS[name])]
    assert rows
    for row in rows:
        assert row.proof.status is ProofStatus.WITNESSED, row.proof.reason
        found = replay(sides[0], sides[1], row.proof.witness, CrossCheckValidator())
        assert found.confirmed and isinstance(found.message, EventMessage)
        assert row.proof.command.startswith("evreview replay")


@pytest.mark.parametrize("rule", OWN, ids=[rule.id for rule in OWN])
def test_every_breaking_example_has_a_witness_or_says_why_none(rule: Rule) -> None:
    for row in shown(rule.example).rows:
        if row.judgement.verdict == "breaking":
            assert (row.proof.status is ProofStatus.WITNESSED) is (rule.id in WITNESSED)
            assert row.proof.reason.partition(": ")[2] or row.proof.witness


def witness(name: str) -> dict[str, Any]:
    row = next(row for row in shown(EDITS[name]).rows if row.judgement.verdict == "breaking")
    assert isinstance(row.proof.witness, Mapping)
    made: dict[str, Any] = json.loads(json.dumps(row.proof.witness))
    return made


def test_a_witness_names_everything_that_travels() -> None:
    message = witness("key read")["message"]
    assert message["action"] == "receive" and message["address"] == "orders/a"
    assert message["message"] == {"released": "placed", "candidate": "placed"}
    assert message["content_type"] == "application/json"
    assert message["payload"] == {"id": ""} and message["bindings"] == {"kafka key": ""}


@pytest.mark.parametrize(
    "part",
    [{"address": "elsewhere"}, {"action": "send"}, {"payload": 7}, {"content_type": "text/plain"}, {"bindings": {}}],
    ids=str,
)
def test_a_message_that_was_changed_is_not_confirmed(part: dict[str, Any]) -> None:
    sides = [written(*one) for one in pair(EDITS["key read"])]
    retained = witness("key read")
    retained["message"] |= part
    assert not replay(sides[0], sides[1], retained, CrossCheckValidator()).confirmed


@pytest.mark.parametrize(
    "stated", [{}, {"payload": 1, "action": 1}, {"payload": 1, "message": []}, {"payload": 1, "address": "a" * 9999}]
)
def test_no_message_is_a_value_error(stated: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"not a text|are objects|has a payload"):
        from_json(stated)


def test_a_message_is_written_and_read_back() -> None:
    made = EventMessage(action="send", address="a", payload=None, headers={"x": 1}, reply=True, names={"released": "m"})
    assert from_json(made.to_json()) == made


@pytest.mark.parametrize(("before", "after", "status"), [
    (None, "x/y", ProofStatus.NOT_APPLICABLE),
    ("x/y", None, ProofStatus.WITNESSED),
])  # fmt: skip
def test_nothing_is_sent_to_an_address_that_is_left_open(before: Json, after: Json, status: ProofStatus) -> None:
    def document(address: Json) -> Json:
        channel: Json = {"address": address, "messages": {"m": {"payload": {"type": "string"}}}}
        operation: Json = {"action": "receive", "channel": {"$ref": "#/channels/c"}}
        head: dict[str, Json] = {"asyncapi": "3.0.0", "info": {"title": "t", "version": "1"}}
        return {**head, "channels": {"c": channel}, "operations": {"o": operation}}

    rows = compared(document(before), document(after)).rows
    assert [row.proof.status for row in rows if row.delta.change == "removed"] == [status]
