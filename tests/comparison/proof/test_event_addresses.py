"""Event contracts: addresses that a template still holds, operations nobody could read, payloads in other languages."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from evreview.core.vocabulary import Json, Tristate, Verdict
from evreview.kinds.asyncapi.prover import EventAdmission, EventMessage
from evreview.kinds.asyncapi.rules_operations import PLACED
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests import pipeline

STRICT: dict[str, Any] = {**PLACED, "payload": {**PLACED["payload"], "required": ["id", "at"]}}  # type: ignore[dict-item]
AVRO: Json = {
    "schemaFormat": "application/vnd.apache.avro;version=1.9.0",
    "schema": {"type": "record", "name": "A", "fields": [{"name": "a", "type": "int"}]},
}


def application(
    address: str, action: str = "receive", message: Any = PLACED, lost: str = "", **parameters: Any
) -> Json:
    channel: Json = {"address": address, "messages": {"placed": message}, "parameters": parameters}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Orders", "version": "1"},
        "channels": {"c": channel},
        "operations": {"o": {"action": action, "channel": {"$ref": f"#/channels/{lost or 'c'}"}}},
    }


def _operations(released: Json, candidate: Json) -> dict[str, Verdict]:
    rows = pipeline.compared(released, candidate).rows
    return {row.delta.operation: row.judgement.verdict for row in rows if row.delta.element == "operation"}


CASES = [
    ("x/y", "x/{a}", {"a": {}}, Tristate.YES),
    ("x/y", "x/{a}", {"a": {"enum": ["y", "z"]}}, Tristate.YES),
    ("x/y", "x/{a}", {"a": {"enum": ["z"]}}, Tristate.NO),
    ("x/y", "{b}/{a}", {"a": {}, "b": {}}, Tristate.YES),
    ("x/y", "w/{a}", {"a": {}}, Tristate.NO),
]


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize(("address", "template", "parameters", "heard"), CASES)
def test_senders_to_an_address_of_a_template_are_heard(
    address: str, template: str, parameters: dict[str, Any], heard: Tristate
) -> None:
    """The second validator says whether a message of an old sender is taken."""
    candidate = application(template, **parameters)
    judge = EventAdmission("candidate", pipeline.contract(candidate), CrossCheckValidator())
    event = EventMessage(action="receive", address=address, payload={"id": "1"}, content_type="application/json")
    assert judge.accepts(event).accepted is heard
    verdict = _operations(application(address), candidate)[f"receive {address}"]
    assert verdict is (Verdict.COMPATIBLE if heard is Tristate.YES else Verdict.BREAKING)


def test_what_the_template_asks_of_its_messages_is_compared() -> None:
    rows = pipeline.compared(application("x/y"), application("x/{a}", message=STRICT, a={})).rows
    assert [row.delta.facet for row in rows if row.judgement.verdict is Verdict.BREAKING] == ["required"]


def test_an_address_that_many_listen_to_is_not_one_of_a_template() -> None:
    """What is sent to other addresses by now does not come to those who listen to the old one."""
    candidate = application("x/{a}", "send", a={})
    assert _operations(application("x/y", "send"), candidate)["send x/y"] is Verdict.BREAKING


def test_several_addresses_of_one_template() -> None:
    def both(*addresses: str) -> Any:
        made: Any = application(addresses[0])
        for at, address in enumerate(addresses):
            channel = {"address": address, "messages": {"placed": PLACED}}
            made["channels"][f"c{at}"] = {**channel, **({"parameters": {"a": {}}} if "{" in address else {})}
            made["operations"][f"o{at}"] = {"action": "receive", "channel": {"$ref": f"#/channels/c{at}"}}
        del made["channels"]["c"], made["operations"]["o"]
        return made

    found = _operations(both("x/y", "x/z", "v"), both("x/{a}", "v"))
    assert found["receive x/y"] is found["receive x/z"] is Verdict.COMPATIBLE


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize("action", ["receive", "send"])
def test_an_operation_that_nobody_could_read_has_not_gone(action: str) -> None:
    comparison = pipeline.compared(application("x/y", action), application("x/y", action, lost="nowhere"))
    rows = [row for row in comparison.rows if row.delta.operation == f"{action} x/y"]
    assert rows and {row.judgement.verdict for row in rows} == {Verdict.UNKNOWN}
    assert all(row.proof.witness == {} for row in rows)
    assert comparison.unread


def test_one_that_is_unread_on_both_sides_hides_no_other() -> None:
    def lost(*operations: str) -> Any:
        made: Any = application("x/y")
        made["operations"] = {name: {"action": "receive", "channel": {"$ref": "#/channels/no"}} for name in operations}
        return made

    released = lost("gone")
    released["operations"]["o"] = {"action": "receive", "channel": {"$ref": "#/channels/c"}}
    assert _operations(released, lost("gone"))["receive x/y"] is Verdict.BREAKING


@pytest.mark.parametrize("back", [False, True])
def test_a_payload_in_another_language_is_one_row(back: bool) -> None:
    sides = [application("x/y"), application("x/y", message={**PLACED, "payload": AVRO})]
    comparison = pipeline.compared(*(sides[::-1] if back else sides))
    (row,) = comparison.rows
    assert (row.delta.facet, row.judgement.verdict) == ("schemaFormat", Verdict.UNKNOWN)
    assert sum(noise.reason == NoiseReason.SAID_BY_FORMAT for noise in comparison.noise) == 2
