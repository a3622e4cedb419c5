"""AsyncAPI 2.6 documents for properties: every feature that 3.0 writes in another way, in small and many forms."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Node = dict[str, Any]

SCHEMAS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer", "minimum": 0},
        {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        {"type": "object", "properties": {"at": {"$ref": "#/components/schemas/at"}, "n": {"type": "number"}}},
        {"oneOf": [{"type": "string"}, {"type": "boolean"}]},
    ]
)
HEADERS = st.sampled_from(
    [
        {"type": "object", "properties": {"trace": {"type": "string"}}},
        {"type": "object", "properties": {"trace": {"type": "string", "minLength": 3}}, "required": ["trace"]},
        {"type": "object", "properties": {"tenant": {"type": "integer"}}},
    ]
)
BINDINGS = st.sampled_from(
    [
        {"kafka": {"key": {"type": "string"}, "bindingVersion": "0.4.0"}},
        {"kafka": {"key": {"type": "record", "name": "Key", "fields": [{"name": "id", "type": "long"}]}}},
        {"mqtt": {"responseTopic": {"type": "string", "pattern": "^answers/"}}},
        {"amqp": {"contentEncoding": "gzip", "messageType": "order"}},
        {"mqtt": {"qos": 1, "retain": False}},
    ]
)
FORMATS = st.sampled_from(
    [
        None,
        "application/vnd.aai.asyncapi+json;version=2.6.0",
        "application/schema+json;version=draft-07",
        "application/vnd.oai.openapi;version=3.0.0",
        "application/vnd.apache.avro;version=1.9.0",
    ]
)
AVRO = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}]}


@st.composite
def messages(draw: st.DrawFn, name: str) -> Node:
    made: Node = {"name": name}
    written = draw(FORMATS)
    if written is not None:
        made["schemaFormat"] = written
    made["payload"] = AVRO if written is not None and "avro" in written else draw(SCHEMAS)
    if draw(st.booleans()):
        made["headers"] = draw(HEADERS)
    if draw(st.booleans()):
        made["contentType"] = draw(st.sampled_from(["application/json", "application/cloudevents+json; charset=utf-8"]))
    if draw(st.booleans()):
        made["correlationId"] = {"location": "$message.header#/trace"}
    if draw(st.booleans()):
        made["bindings"] = draw(BINDINGS)
    made["traits"] = draw(st.lists(st.sampled_from([{"$ref": "#/components/messageTraits/t"}]), max_size=1))
    return made


@st.composite
def operations(draw: st.DrawFn, names: list[str]) -> Node:
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    refs = [{"$ref": f"#/components/messages/{name}"} for name in chosen]
    inline = draw(st.lists(messages("inline"), max_size=1))
    listed = [*refs, *inline]
    made: Node = {"message": listed[0] if len(listed) == 1 and draw(st.booleans()) else {"oneOf": listed}}
    if draw(st.booleans()):
        made["bindings"] = {"kafka": {"groupId": {"type": "string"}, "clientId": {"type": "string"}}}
    if draw(st.booleans()):
        made["security"] = draw(
            st.sampled_from([[{"login": ["read"]}], [{"plain": []}], [{"login": []}, {"plain": []}]])
        )
    return made


@st.composite
def documents(draw: st.DrawFn) -> Node:
    """A 2.6 document."""
    names = ["placed", "paid", "sent"]
    channels: Node = {}
    for address in draw(
        st.lists(st.sampled_from(["orders", "shops/{shop}/orders", "a.{x}.{y}"]), min_size=1, unique=True)
    ):
        node: Node = {
            key: draw(operations(names)) for key in draw(st.sets(st.sampled_from(["publish", "subscribe"]), min_size=1))
        }
        if "{shop}" in address and draw(st.booleans()):
            node["parameters"] = {"shop": {"schema": {"type": "string", "enum": ["eu", "us"]}, "description": "where"}}
        if draw(st.booleans()):
            named = draw(st.sampled_from([{}, {"topic": address}, {"topic": f"t.{len(address)}"}]))
            node["bindings"] = {"kafka": {"partitions": draw(st.integers(1, 3)), "replicas": 2, **named}}
        if draw(st.booleans()):
            node["servers"] = ["one"]
        channels[address] = node
    document: Node = {
        "asyncapi": "2.6.0",
        "info": {"title": "Orders", "version": "1"},
        "servers": {
            "one": {"url": "{region}.example.test:9092", "protocol": "kafka", "security": [{"plain": []}],
                    "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}}},
            "two": {"url": "mqtt://example.test/base", "protocol": "mqtt", "protocolVersion": "5"},
        },
        "channels": channels,
        "tags": [{"name": "orders"}],
        "components": {
            "schemas": {"at": {"type": "string", "format": "date-time"}},
            "messages": {name: draw(messages(name)) for name in names},
            "messageTraits": {"t": {"headers": draw(HEADERS), "contentType": "application/json"}},
            "securitySchemes": {
                "plain": {"type": "userPassword"},
                "login": {"type": "oauth2", "flows": {"clientCredentials": {
                    "tokenUrl": "https://login.example.test", "scopes": {"read": "reads", "write": "writes"}}}},
            },
        },
    }  # fmt: skip
    if draw(st.booleans()):
        # One protocol alone: a topic is the address then.
        document["servers"]["two"]["protocol"] = "kafka"
    if draw(st.booleans()):
        document["defaultContentType"] = "application/json"
    return document
