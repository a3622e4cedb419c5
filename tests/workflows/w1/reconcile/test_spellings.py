"""The names that people give operations: each leads to the row's own, and what leads nowhere has a nearest one."""

from __future__ import annotations

import json

import pytest

from evreview.contract.model import Contract
from evreview.core.vocabulary import Aspect, Json, Tristate
from evreview.kinds.load import read_contract
from evreview.workflows.w1.element_lookup import Spellings, called_as_rows, dotted, touched
from evreview.workflows.w1.facts import ContractPair
from tests.rows import inventory, row

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
    return Spellings(ContractPair(contract, contract))


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


ANSWERS: Json = {
    "openapi": "3.0.3",
    "info": {"title": "Doors", "version": "1"},
    "paths": {
        "/doors": {"get": {"responses": {name: {"description": name} for name in ("200", "404", "5XX", "default")}}},
        "/shut": {"get": {"responses": {"200": {"description": "ok"}}}},
    },
}


@pytest.mark.parametrize(
    ("key", "listed", "found"),
    [
        ("GET /doors", ["404"], {"404"}),
        ("GET /doors", ["409"], {"409", "default"}),
        ("GET /doors", ["503"], {"503", "5xx"}),
        ("GET /doors", ["4XX"], {"4xx", "default"}),
        ("GET /doors", ["200", "409"], {"200", "409", "default"}),
        ("GET /shut", ["409"], {"409"}),
        ("GET /gone", ["409"], {"409"}),
        ("GET /doors", [], set()),
    ],
)
def test_a_status_is_what_answers_it(key: str, listed: list[str], found: set[str]) -> None:
    assert spellings(json.dumps(ANSWERS), "api.json").answered(key, listed) == found


def test_a_status_that_gets_a_response_of_its_own_is_both() -> None:
    released = json.loads(json.dumps(ANSWERS))
    del released["paths"]["/doors"]["get"]["responses"]["404"]
    sides = [read_contract("api.json", lambda _, text=json.dumps(each).encode(): text) for each in (released, ANSWERS)]  # noqa: B008
    assert Spellings(ContractPair(*sides)).answered("GET /doors", ["404"]) == {"404", "default"}


@pytest.mark.parametrize(("status", "answer"), [("409", Tristate.YES), ("404", Tristate.NO), ("200", Tristate.NO)])
def test_a_client_that_handles_a_status_is_touched_by_what_answers_it(status: str, answer: Tristate) -> None:
    uses = [{"operation": "GET /doors", "fields": None, "statuses": [status]}]
    record = inventory({"uses": uses})
    (named,) = called_as_rows([record], spellings(json.dumps(ANSWERS), "api.json"))
    changed = row("GET /doors > response default", aspect=Aspect.STATUS_CODES).delta
    assert touched(named.record.clients[0], changed) is answer


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("state", "state"),
        (" items[].state ", "items[].state"),
        ("$.items[].state", "items[].state"),
        ("GET /orders/{id} state", "state"),
        ("get /orders/{id} items[].state", "items[].state"),
        ("response 200 > application/json > state", "state"),
        ("response 200 > application/json > items[] > state", "items[].state"),
        ("GET /orders/{id} > response 200 > application/json > state", "state"),
        ("query limit", "query limit"),
        ("GET /orders > query limit", "limit"),
        ("total amount", "total amount"),
    ],
)
def test_a_field_is_dotted_however_it_is_written(field: str, found: str) -> None:
    assert dotted(field) == found
