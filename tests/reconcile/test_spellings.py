"""The names that people give operations: each leads to the row's own, and what leads nowhere has a nearest one."""

from __future__ import annotations

import json

import pytest

from evreview.contracts.model import Contract
from evreview.contracts.read import read_contract
from evreview.reconcile.sources import Sides
from evreview.reconcile.spellings import Spellings
from evreview.vocab import Json

_OK: Json = {"responses": {"200": {"description": "ok"}}}
REST: Json = {
    "openapi": "3.0.3",
    "info": {"title": "Doors", "version": "1"},
    "servers": [{"url": "https://doors.example.test/v1"}],
    "paths": {
        "/doors/{door}": {"get": {"operationId": "readDoor", **_OK}, "put": {"operationId": "paintDoor", **_OK}},
        "/doors/open": {"get": {"operationId": "listOpen", **_OK}},
    },
}
_OPENED: Json = {"name": "door.opened", "title": "Door opened"}
EVENTS: Json = {
    "asyncapi": "3.0.0",
    "info": {"title": "Doors", "version": "1"},
    "channels": {
        "opened": {"address": "doors/{door}/opened", "messages": {"Opened": _OPENED}},
        "shut": {"address": "doors.shut", "messages": {"Shut": {}}},
    },
    "operations": {
        "tellOpened": {"action": "send", "channel": {"$ref": "#/channels/opened"}},
        "hearShut": {"action": "receive", "channel": {"$ref": "#/channels/shut"}},
    },
}
_SHUT: Json = {"name": "Shut", "messageId": "s1"}
OLDER: Json = {
    "asyncapi": "2.6.0",
    "info": {"title": "Doors", "version": "1"},
    "channels": {"doors/shut": {"subscribe": {"operationId": "tellShut", "message": _SHUT}}},
}
CALLS = (
    'syntax = "proto3"; package doors.v1; message M {} '
    "service Doors { rpc Open(M) returns (M); rpc Shut(M) returns (M); }"
)
LIBRARY = "class Door:\n    def open(self, wide):\n        return 1\n\ndef shut(door):\n    return 1\n"


def spellings(text: str, name: str) -> Spellings:
    contract: Contract = read_contract(name, lambda _: text.encode())
    return Spellings(Sides(contract, contract))


@pytest.mark.parametrize(
    ("document", "name", "text", "key"),
    [
        (REST, "api.json", "readDoor", "GET /doors/{}"),
        (REST, "api.json", "get /doors/{anything}", "GET /doors/{}"),
        (REST, "api.json", "GET /doors/:id", "GET /doors/{}"),
        (REST, "api.json", "listOpen", "GET /doors/open"),
        (EVENTS, "events.json", "tellOpened", "send doors/{}/opened"),
        (EVENTS, "events.json", "send doors/{id}/opened", "send doors/{}/opened"),
        (EVENTS, "events.json", "doors/{door}/opened", "send doors/{}/opened"),
        (EVENTS, "events.json", "opened", "send doors/{}/opened"),
        (EVENTS, "events.json", "Opened", "send doors/{}/opened"),
        (EVENTS, "events.json", "door.opened", "send doors/{}/opened"),
        (EVENTS, "events.json", "Door opened", "send doors/{}/opened"),
        (EVENTS, "events.json", "message Shut", "receive doors.shut"),
        (EVENTS, "events.json", "doors.shut", "receive doors.shut"),
        (OLDER, "events.json", "tellShut", "send doors/shut"),
        (OLDER, "events.json", "s1", "send doors/shut"),
        (CALLS, "doors.proto", "Doors/Open", "doors.v1.Doors/Open"),
        (CALLS, "doors.proto", "/doors.v1.Doors/Shut", "doors.v1.Doors/Shut"),
        (CALLS, "doors.proto", "Open", "doors.v1.Doors/Open"),
        (LIBRARY, "doors.py", "shut", "shut"),
        (LIBRARY, "doors.py", "open", "Door.open"),
    ],
)
def test_each_documented_name_leads_to_its_operation(document: Json, name: str, text: str, key: str) -> None:
    written = document if isinstance(document, str) else json.dumps(document)
    assert spellings(written, name).keys(text) == (key,)


@pytest.mark.parametrize(
    ("document", "text", "nearest"),
    [
        (REST, "readDoors", "readDoor"),
        (REST, "GET /door/{id}", "GET /doors/{}"),
        (EVENTS, "tellOpend", "tellOpened"),
        (EVENTS, "doors.shot", "doors.shut"),
        (REST, "POST /invoices", ""),
    ],
)
def test_a_name_that_nothing_has_leads_nowhere(document: Json, text: str, nearest: str) -> None:
    found = spellings(json.dumps(document), "doors.json")
    assert found.keys(text) == () and found.nearest(text) == nearest
