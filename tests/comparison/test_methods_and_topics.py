"""What can be called or subscribed to: each that comes, goes or moves is one row of that aspect, whatever the kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, Change
from evreview.kinds.compare import compare
from tests.pipeline import written

PAYLOAD = {"type": "object", "properties": {"id": {"type": "string"}}}
METHOD, TOPIC = Aspect.METHODS, Aspect.CHANNELS


def topics(**operations: str) -> tuple[str, str]:
    """An AsyncAPI 3.0 document in which each operation receives on the channel that is named."""
    document = {
        "asyncapi": "3.0.0",
        "info": {"title": "Orders", "version": "1"},
        "channels": {
            channel: {"address": channel, "messages": {"m": {"name": f"{channel}Told", "payload": PAYLOAD}}}
            for channel in operations.values()
        },
        "operations": {
            name: {"action": "receive", "channel": {"$ref": f"#/channels/{channel}"}}
            for name, channel in operations.items()
        },
    }
    return "events.json", json.dumps(document)


def messages(*names: str) -> tuple[str, str]:
    """An AsyncAPI 2.6 document with one topic and these messages."""
    listed = [{"name": name, "payload": {"type": "object", "title": name}} for name in names]
    channels = {"orders": {"publish": {"message": {"oneOf": listed}}}}
    info = {"title": "Orders", "version": "1"}
    return "events.json", json.dumps({"asyncapi": "2.6.0", "info": info, "channels": channels})


def procedures(*names: str) -> tuple[str, str]:
    calls = " ".join(f"rpc {name}(M) returns (M);" for name in names)
    return "s.proto", f'syntax = "proto3"; package p; message M {{ string a = 1; }} service S {{ {calls} }}'


def roots(*names: str) -> tuple[str, str]:
    return "s.graphql", "type Query { " + " ".join(f"{name}: Int" for name in names) + " }"


CASES: dict[str, tuple[Any, Any, set[tuple[Aspect, Change, str]]]] = {
    "a topic comes": (topics(a="orders"), topics(a="orders", b="bills"), {(TOPIC, Change.ADDED, "receive bills")}),
    "a topic goes": (topics(a="orders", b="bills"), topics(a="orders"), {(TOPIC, Change.REMOVED, "receive bills")}),
    "an operation moves to another topic": (
        topics(a="orders"),
        topics(a="archive"),
        {(TOPIC, Change.REMOVED, "receive orders"), (TOPIC, Change.ADDED, "receive archive")},
    ),
    "a message comes": (
        messages("placed", "paid"),
        messages("placed", "paid", "sent"),
        {(METHOD, Change.ADDED, "receive orders > message sent")},
    ),
    "a message goes": (
        messages("placed", "paid", "sent"),
        messages("placed", "paid"),
        {(METHOD, Change.REMOVED, "receive orders > message sent")},
    ),
    "a procedure comes": (procedures("A"), procedures("A", "B"), {(METHOD, Change.ADDED, "p.S/B")}),
    "a procedure goes": (procedures("A", "B"), procedures("A"), {(METHOD, Change.REMOVED, "p.S/B")}),
    "a root field comes": (roots("a"), roots("a", "b"), {(METHOD, Change.ADDED, "query b")}),
    "a root field goes": (roots("a", "b"), roots("a"), {(METHOD, Change.REMOVED, "query b")}),
}


@pytest.mark.req("W1L-002")
@pytest.mark.parametrize("name", CASES)
def test_each_is_one_row_of_its_aspect(name: str) -> None:
    released, candidate, expected = CASES[name]
    found = compare(*(written(file, text.encode()) for file, text in (released, candidate)))
    rows = [(row.delta.aspect, row.delta.change, row.delta.address) for row in found.rows]
    assert sorted(rows) == sorted(expected)
