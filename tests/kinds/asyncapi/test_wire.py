"""What protocols add to a message: destinations, keys, variables of addresses, content types, in both directions."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from evreview.app.commands.replay import replayed
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ProofStatus, Verdict
from tests.kinds.asyncapi.test_asyncapi import compared, contract

Node = dict[str, Any]
B, C, U = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.UNKNOWN
AVRO = "application/vnd.apache.avro;version=1.9.0"
PROTOBUF = "application/vnd.google.protobuf;version=3"
BOTH = {"a": {"host": "a.test", "protocol": "kafka"}, "b": {"host": "b.test", "protocol": "mqtt"}}
TEXT: Node = {"type": "string"}
SHORT: Node = {"type": "string", "maxLength": 3}


def third(
    *,
    protocol: str = "kafka",
    channel: Node | None = None,
    bound: Node | None = None,
    does: Node | None = None,
    servers: Node | None = None,
    **message: Any,
) -> Node:
    """A contract of the third generation; members of its channel, channel bindings, operation bindings, message."""
    told = {"name": "m", "contentType": "application/json", "payload": {"type": "object"}, **message}
    on = {"address": "o", "messages": {"m": told}, "bindings": bound or {}, **(channel or {})}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "T", "version": "1"},
        "servers": servers or {"s": {"host": "broker.test", "protocol": protocol}},
        "channels": {"o": on},
        "operations": {"x": {"action": "send", "channel": {"$ref": "#/channels/o"}, "bindings": does or {}}},
    }


def second(*, bound: Node | None = None, address: str = "o", parameters: Node | None = None, **message: Any) -> Node:
    told = {"name": "m", "contentType": "application/json", "payload": {"type": "object"}, **message}
    on = {"subscribe": {"message": told}, "bindings": bound or {}, "parameters": parameters or {}}
    return {
        "asyncapi": "2.6.0",
        "info": {"title": "T", "version": "1"},
        "servers": {"s": {"url": "broker.test", "protocol": "kafka"}},
        "channels": {address: on},
    }


def received(document: Node) -> Node:
    """The same contract, its messages received."""
    turned = copy.deepcopy(document)
    for operation in turned.get("operations", {}).values():
        operation["action"] = "receive"
    for channel in turned["channels"].values() if "operations" not in turned else ():
        channel["publish"] = channel.pop("subscribe")
    return turned


def topic(name: str, **more: Any) -> Node:
    return {"bound": {"kafka": {"topic": name, **more}}}


def key(schema: Any) -> Node:
    return {"bindings": {"kafka": {"key": schema}}}


def record(of: str) -> Node:
    return {"type": "record", "name": "K", "fields": [{"name": "a", "type": of}]}


def region(*values: str) -> Node:
    return {"channel": {"address": "o.{r}", "parameters": {"r": {"enum": list(values)}}}}


def proto(text: str) -> Node:
    return {"payload": {"schemaFormat": PROTOBUF, "schema": f'syntax = "proto3"; {text}'}}


UNTOLD = {"contentType": None}
EDITS: list[tuple[str, Node, Node, Verdict | None, Verdict | None]] = [
    # The last two: what is sent, what is received; None: no row.
    ("a topic is named", third(), third(**topic("real")), B, B),
    ("a topic is no longer named", third(**topic("real")), third(), B, B),
    ("another topic", third(**topic("real")), third(**topic("other")), B, B),
    ("a topic that is the address", third(), third(**topic("o")), None, None),
    ("an address behind a topic", third(**topic("t")), third(channel={"address": "p"}, **topic("t")), None, None),
    ("a topic of a secured broker", third(protocol="kafka-secure"), third(protocol="kafka-secure", **topic("t")), B, B),
    (
        "a topic beside another protocol",
        third(servers=BOTH, bound={"kafka": {"partitions": 1}}),
        third(servers=BOTH, **topic("t", partitions=1)),
        B,
        B,
    ),
    ("a topic, in both generations", second(**topic("t")), third(**topic("t")), None, None),
    ("a topic, newly in the third", second(), third(**topic("t")), B, B),
    (
        "a queue of JMS",
        third(protocol="jms"),
        third(protocol="jms", bound={"jms": {"destination": "Q"}}),
        B,
        B,
    ),
    (
        "a queue of SQS",
        third(protocol="sqs", bound={"sqs": {"queue": {"name": "a"}}}),
        third(protocol="sqs", bound={"sqs": {"queue": {"name": "b"}}}),
        B,
        B,
    ),
    ("a key goes", third(**key(TEXT)), third(), B, C),
    ("a key comes", third(), third(**key(TEXT)), C, B),
    ("a key is narrowed", third(**key(TEXT)), third(**key(SHORT)), C, B),
    ("a key is widened", third(**key(SHORT)), third(**key(TEXT)), B, C),
    ("a key of Avro is promoted", third(**key(record("int"))), third(**key(record("long"))), B, C),
    ("a key of Avro is narrowed", third(**key(record("long"))), third(**key(record("int"))), C, B),
    (
        "a key of Avro is told with its format",
        third(**key(record("int"))),
        third(**key({"schemaFormat": AVRO, "schema": record("int")})),
        None,
        None,
    ),
    ("a key of Avro, across generations", second(**key(record("int"))), third(**key(record("long"))), B, C),
    ("fewer addresses", third(**region("eu", "us")), third(**region("eu")), B, B),
    ("more addresses", third(**region("eu")), third(**region("eu", "us")), B, C),
    (
        "fewer addresses, across generations",
        second(address="o.{r}", parameters={"r": {"schema": {"type": "string", "enum": ["eu", "us"]}}}),
        third(**region("eu")),
        B,
        B,
    ),
    (
        "JSON is told",
        third(**UNTOLD),
        {**third(**UNTOLD), "defaultContentType": "application/json"},
        C,
        C,
    ),
    ("XML is told", third(**UNTOLD), third(contentType="application/xml"), U, U),
    (
        "JSON is told of a payload in Avro",
        third(**UNTOLD, payload={"schemaFormat": AVRO, "schema": record("int")}),
        third(payload={"schemaFormat": AVRO, "schema": record("int")}),
        U,
        U,
    ),
    (
        "a query is demanded over a WebSocket",
        third(protocol="wss"),
        third(protocol="wss", bound={"ws": {"query": {"type": "object", "required": ["t"]}}}),
        C,
        B,
    ),
    (
        "a query is demanded over HTTP",
        third(protocol="http", does={"http": {"method": "GET"}}),
        third(protocol="http", does={"http": {"method": "GET", "query": {"type": "object", "required": ["t"]}}}),
        C,
        B,
    ),
    (
        "a topic for answers is demanded over MQTT",
        third(protocol="secure-mqtt"),
        third(protocol="secure-mqtt", bindings={"mqtt": {"responseTopic": {"type": "string", "pattern": "^r/"}}}),
        C,
        B,
    ),
    (
        "an exchange of AMQP",
        third(protocol="amqp", bound={"amqp": {"is": "routingKey", "exchange": {"name": "a"}}}),
        third(protocol="amqp", bound={"amqp": {"is": "routingKey", "exchange": {"name": "b"}}}),
        B,
        B,
    ),
    (
        "where the id of the schema stands",
        third(bindings={"kafka": {"schemaIdLocation": "payload"}}),
        third(bindings={"kafka": {"schemaIdLocation": "header"}}),
        B,
        B,
    ),
    (
        "a namespace of Pulsar",
        third(protocol="pulsar", bound={"pulsar": {"namespace": "a", "persistence": "persistent"}}),
        third(protocol="pulsar", bound={"pulsar": {"namespace": "b", "persistence": "persistent"}}),
        B,
        B,
    ),
    (
        "how long a subscription of Pub/Sub keeps messages",
        third(protocol="googlepubsub", bound={"googlepubsub": {"messageRetentionDuration": "86400s"}}),
        third(protocol="googlepubsub", bound={"googlepubsub": {"messageRetentionDuration": "600s"}}),
        B,
        B,
    ),
    (
        "where answers go over AMQP",
        third(protocol="amqps", does={"amqp": {"replyTo": "a"}}),
        third(protocol="amqps", does={"amqp": {"replyTo": "b"}}),
        B,
        B,
    ),
    (
        "the only message of Protobuf is renamed",
        third(**proto("message M { string a = 1; In i = 2; } message In { int32 x = 1; }")),
        third(**proto("package q; message N { string a = 1; Of i = 2; } message Of { int32 x = 1; }")),
        C,
        C,
    ),
    (
        "the only message of Protobuf is renamed and changed",
        third(**proto("message M { string a = 1; }")),
        third(**proto("message N { int32 a = 1; }")),
        B,
        B,
    ),
    (
        "one of two messages of Protobuf is renamed",
        third(**proto("message M { string a = 1; } message P {}")),
        third(**proto("message N { string a = 1; } message P {}")),
        B,
        B,
    ),
]


def worst(released: Node, candidate: Node) -> Verdict | None:
    found = {row.judgement.verdict for row in compared(released, candidate).rows}
    return next((each for each in (B, U, C) if each in found), None)


@pytest.mark.parametrize(
    ("released", "candidate", "sent", "read"), [each[1:] for each in EDITS], ids=[e[0] for e in EDITS]
)
def test_what_reaches_the_wire_is_judged_by_direction(
    released: Node, candidate: Node, sent: Verdict | None, read: Verdict | None
) -> None:
    assert worst(released, candidate) is sent
    assert worst(received(released), received(candidate)) is read


WITNESSED = ["a key goes", "a key is widened", "a key of Avro is promoted", "fewer addresses", "more addresses"]


@pytest.mark.parametrize("name", WITNESSED)
def test_a_key_or_an_address_that_does_not_fit_is_shown_and_judged_again(name: str) -> None:
    _, released, candidate, *_ = next(each for each in EDITS if each[0] == name)
    (row,) = (row for row in compared(released, candidate).rows if row.judgement.verdict is B)
    assert row.proof.status is ProofStatus.WITNESSED and isinstance(row.proof.witness, dict)
    assert replayed(contract(released), contract(candidate), row.proof.witness, {}).confirmed
    carried: Any = row.proof.witness["message"]
    assert ("kafka key" in carried.get("bindings", {})) is name.startswith("a key")


def test_the_address_on_the_wire_is_the_one_of_the_binding() -> None:
    operation = contract(third(**topic("real"))).operations[0]
    assert operation.key == "send real"
    channel = next(each for each in operation.children if each.kind is ElementKind.CHANNEL)
    assert channel.facet("address as written") == "o" and channel.children == ()


def test_an_undescribed_key_is_part_of_no_witness() -> None:
    row = compared(third(payload={"type": "integer"}), third(payload={"type": "string"})).rows[0]
    assert isinstance(row.proof.witness, dict)
    message: Any = row.proof.witness["message"]
    assert "bindings" not in message


def shared(partitions: int) -> Node:
    """Two channels whose binding leads to one topic."""
    document = third(**topic("t", partitions=3))
    document["channels"]["p"] = {**copy.deepcopy(document["channels"]["o"]), "address": "p"}
    document["channels"]["p"]["bindings"]["kafka"]["partitions"] = partitions
    document["operations"]["y"] = {"action": "send", "channel": {"$ref": "#/channels/p"}}
    return document


def test_channels_that_lead_to_one_topic_are_one_element_with_all_that_they_say() -> None:
    (operation,) = contract(shared(4)).operations
    channels = [each.key for each in operation.children if each.kind is ElementKind.CHANNEL]
    assert (operation.key, channels) == ("send t", ["", "p"])
    (row,) = compared(shared(4), shared(6)).rows
    assert row.judgement.rule == "asyncapi-sent-partitions-changed" and "channel p" in row.delta.address
    assert compared(third(**topic("t", partitions=3)), shared(3)).rows == ()
