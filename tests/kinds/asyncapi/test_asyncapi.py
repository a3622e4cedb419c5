"""AsyncAPI documents: directions, effective values, names that do not travel, and what cannot be read."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind, Direction, Json, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract, read_named

Node = dict[str, Any]
OPEN = {"type": "object", "properties": {"id": {"type": "string"}}}
OWED = {**OPEN, "required": ["id"]}


def contract(document: Json) -> Contract:
    return read_contract("E2", lambda _: json.dumps(document).encode())


def second(message: Node, action: str = "publish", **document: Any) -> Node:
    channels = {"orders": {action: {"message": {"name": "placed", "payload": OPEN, **message}}}}
    return {"asyncapi": "2.6.0", "info": {"title": "Orders", "version": "1"}, "channels": channels, **document}


def third(message: Node, action: str = "receive", **document: Any) -> Node:
    on = {"address": "orders", "messages": {"m": {"name": "placed", "payload": OPEN, **message}}}
    operations = {"o": {"action": action, "channel": {"$ref": "#/channels/c"}}}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Orders", "version": "1"},
        "channels": {"c": on},
        "operations": operations,
        **document,
    }


def below(element: Element, *kinds: ElementKind) -> Element:
    for kind in kinds:
        element = next(child for child in element.children if child.kind is kind)
    return element


def message(document: Node) -> Element:
    return below(contract(document).root, ElementKind.OPERATION, ElementKind.MESSAGE)


def compared(released: Json, candidate: Json) -> Comparison:
    return compare(contract(released), contract(candidate))


def verdicts(found: Comparison) -> dict[str, Verdict]:
    return {f"{row.delta.address} {row.delta.facet}".strip(): row.judgement.verdict for row in found.rows}


@pytest.mark.req("SV-004")
@pytest.mark.parametrize("text", ["asyncapi: 2.6.0\nchannels: {}\n", '{"asyncapi": "3.0.0"}', "asyncapi: '3.1.0'\n"])
def test_the_kind_is_read_from_the_content(text: str) -> None:
    assert read_contract("E2", lambda _: text.encode()).kind is ContractKind.ASYNCAPI


@pytest.mark.parametrize(
    ("document", "key", "direction"),
    [
        (second({}, "publish"), "receive orders", Direction.READ),
        (second({}, "subscribe"), "send orders", Direction.WRITTEN),
        (third({}, "receive"), "receive orders", Direction.READ),
        (third({}, "send"), "send orders", Direction.WRITTEN),
    ],
)
def test_directions_are_those_of_the_application(document: Node, key: str, direction: Direction) -> None:
    operation = contract(document).operations[0]
    assert (operation.key, operation.direction) == (key, direction)
    assert below(operation, ElementKind.MESSAGE).direction is direction


@pytest.mark.parametrize(("build", "expected"), [(second, "text/plain"), (third, "application/json")])
def test_a_trait_overrides_in_the_second_generation_only(build: Any, expected: str) -> None:
    found = message(build({"contentType": "application/json", "traits": [{"contentType": "text/plain"}]}))
    assert found.facet("contentType") == expected


@pytest.mark.parametrize(("build", "expected"), [(second, "integer"), (third, "string")])
def test_headers_of_traits_are_merged_member_by_member(build: Any, expected: str) -> None:
    def headers(kind: str, other: str) -> Node:
        return {"type": "object", "properties": {"a": {"type": kind}, other: {"type": "null"}}}

    found = message(build({"headers": headers("string", "b"), "traits": [{"headers": headers("integer", "c")}]}))
    value = below(found, ElementKind.HEADERS).value
    assert value is not None and isinstance(value.node, dict)
    properties: Any = value.node["properties"]
    assert {name: each["type"] for name, each in properties.items()} == {"a": expected, "b": "null", "c": "null"}


def test_the_default_content_type_holds_where_none_is_named() -> None:
    found = message(third({}, defaultContentType="Application/JSON; charset=UTF-8"))
    assert found.facet("contentType") == "application/json;charset=utf-8"
    assert (
        verdicts(compared(third({"contentType": "application/json"}), third({}, defaultContentType="application/json")))
        == {}
    )


def test_a_reply_runs_against_its_operation() -> None:
    document = third({})
    document["channels"]["r"] = {"address": None, "messages": {"done": {"payload": OPEN}}}
    reply = {"address": {"location": "$message.header#/to"}, "channel": {"$ref": "#/channels/r"}}
    document["operations"]["o"]["reply"] = reply
    found = below(contract(document).operations[0], ElementKind.REPLY)
    assert (found.facet("address"), found.facet("channel")) == ("$message.header#/to", None)
    assert below(found, ElementKind.MESSAGE).direction is Direction.WRITTEN


def test_a_channel_without_an_address_keeps_its_id() -> None:
    document = third({})
    del document["channels"]["c"]["address"]
    assert contract(document).operations[0].key == "receive (c)"


def test_names_of_channels_operations_components_and_messages_do_not_travel() -> None:
    old = third({})
    new = copy.deepcopy(old)
    new["channels"] = {"renamed": {**old["channels"]["c"], "messages": {"x": {"name": "OrderPlaced", "payload": OPEN}}}}
    new["operations"] = {"p": {"action": "receive", "channel": {"$ref": "#/channels/renamed"}}}
    found = compared(old, new)
    assert verdicts(found) == {}
    assert {noise.delta.facet for noise in found.noise} >= {"name", "operationId", "channel name"}


def test_one_edit_breaks_one_direction() -> None:
    edit = {"payload": OWED}
    place = "orders > message placed > id required"
    assert verdicts(compared(third({}), third(edit))) == {f"receive {place}": Verdict.BREAKING}
    assert verdicts(compared(third({}, "send"), third(edit, "send"))) == {f"send {place}": Verdict.COMPATIBLE}
    assert verdicts(compared(third(edit, "send"), third({}, "send"))) == {f"send {place}": Verdict.BREAKING}


def test_operations_of_one_direction_and_address_are_one() -> None:
    split = third({})
    split["channels"]["c"]["messages"]["n"] = {"name": "paid", "payload": OWED}
    joined = copy.deepcopy(split)
    channel = {"$ref": "#/channels/c"}
    split["operations"] = {
        each: {"action": "receive", "channel": channel, "messages": [{"$ref": f"#/channels/c/messages/{each}"}]}
        for each in ("m", "n")
    }
    assert verdicts(compared(joined, split)) == {}


OPENAPI = "application/vnd.oai.openapi;version=3.0.0"


def test_openapi_payloads_are_read_in_their_own_words() -> None:
    nullable = {"schemaFormat": OPENAPI, "payload": {"type": "string", "nullable": True}}
    listed = {"payload": {"type": ["string", "null"]}}
    assert verdicts(compared(second(nullable), second(listed))) == {}
    exclusive = {"schemaFormat": OPENAPI, "payload": {"type": "integer", "minimum": 1, "exclusiveMinimum": True}}
    assert verdicts(compared(second(exclusive), second({"payload": {"type": "integer", "exclusiveMinimum": 1}}))) == {}


def test_payloads_in_languages_that_are_not_read_are_unknown_and_said_so() -> None:
    def raml(kind: str) -> Node:
        return third({"payload": {"schemaFormat": "application/raml+yaml;version=1.0", "schema": {"type": kind}}})

    found = compared(raml("string"), raml("integer"))
    assert set(verdicts(found).values()) == {Verdict.UNKNOWN}
    assert len(found.unread) == 2


def test_read_only_members_travel_in_messages() -> None:
    marked = {"payload": {**OWED, "properties": {"id": {"type": "string", "readOnly": True}}}}
    found = compared(third(marked), third({"payload": {**OWED, "properties": {"id": {"type": "integer"}}}}))
    assert Verdict.BREAKING in verdicts(found).values()


DOCUMENTED = {
    "defra-comms-crn-mandatory": {"make crn mandatory": "request-field-became-required"},
    "defra-comms-topic": {"SFDP-342": "asyncapi-send-removed"},
    "defra-fdcomms-2.6_3.0": {"changed names of the data variables": "asyncapi-receive-removed"},
}


@pytest.mark.req("SV-004")
def test_documented_breaking_changes_are_breaking_rows(corpus: Path) -> None:
    seen = {}
    for folder in sorted((corpus / "asyncapi").iterdir()):
        marked = json.loads((folder / "meta.json").read_text())["documented_changes"]
        pair = [read_named(folder / f"{side}.yaml", None)[0] for side in ("released", "candidate")]
        rules = {str(row.judgement.rule) for row in compare(*pair).breaking}
        said = [each["what"] for each in marked if each["breaking"]]
        seen[folder.name] = said
        for what in said:
            rule = next(rule for start, rule in DOCUMENTED[folder.name].items() if what.startswith(start))
            assert rule in rules, (folder.name, what)
        assert not any(each["breaking"] is False for each in marked) or rules == set(), folder.name
    assert {name for name, said in seen.items() if said} == set(DOCUMENTED)


@pytest.mark.parametrize(
    ("document", "code", "place"),
    [
        ({"asyncapi": "1.2.0"}, "asyncapi-version", "#/asyncapi"),
        ({"asyncapi": 3, "channels": {}}, "asyncapi-version", "#/asyncapi"),
        ({"asyncapi": None}, "asyncapi-version", "#/asyncapi"),
        ({"asyncapi": "2.6.0"}, "asyncapi-channels", "#/channels"),
        ({"asyncapi": "3.0.0", "channels": []}, "asyncapi-channels", "#/channels"),
    ],
)
def test_what_cannot_be_read_at_all_is_named(document: Json, code: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        contract(document)
    assert [(each.code, each.place) for each in caught.value.problems] == [(code, place)]


WRONG: dict[str, Node] = {
    "channels": {"c": []},
    "servers": {"s": {"protocol": 1}},
    "operations": {"o": {"action": "emit", "channel": {"$ref": "#/channels/c"}}},
    "components": {"securitySchemes": []},
}


@pytest.mark.parametrize(
    ("build", "part"),
    [(build, part) for build in (second, third) for part in WRONG if build is third or part != "operations"],
)
def test_wrong_parts_are_unread_and_the_rest_is_read(build: Any, part: str) -> None:
    found = contract({**build({}), **{part: WRONG[part]}})
    assert found.unread or (part == "components" and found.operations)


LOOP = {"$ref": "#/components/messages/loop"}
HOSTILE: dict[str, Node] = {
    "a circle of references": {"message": LOOP, "components": {"messages": {"loop": LOOP}}},
    "a trait of itself": {"message": {"traits": [LOOP], "payload": OPEN}, "components": {"messages": {"loop": LOOP}}},
    "a message in itself": {
        "message": {"oneOf": [{"oneOf": [LOOP]}]},
        "components": {"messages": {"loop": {"oneOf": [LOOP]}}},
    },
    "a schema of itself": {
        "message": {"payload": {"$ref": "#/components/schemas/s"}, "schemaFormat": OPENAPI},
        "components": {"schemas": {"s": {"properties": {"s": {"$ref": "#/components/schemas/s"}}}}},
    },
    "a reference to the network": {"message": {"payload": {"$ref": "https://example.test/order.json"}}},
    "lists where objects belong": {"message": {"payload": [], "headers": [], "bindings": [], "traits": {}, "tags": 1}},
    "scalars everywhere": {"message": {"payload": 1, "headers": "x", "bindings": {"kafka": 1}, "correlationId": 2}},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_end_with_a_note(name: str) -> None:
    part = HOSTILE[name]
    channels = {"orders": {"publish": {"message": part["message"]}}}
    document = {**second({}), "channels": channels, "components": part.get("components", {})}
    found = compare(contract(document), contract(second({"payload": OWED})))
    assert found.unread or name in ("a schema of itself", "a message in itself")
    assert found.to_dict()


def test_a_deep_payload_ends() -> None:
    deep: Json = {"type": "string"}
    for _ in range(200):
        deep = {"type": "array", "items": deep}
    old, new = second({"schemaFormat": OPENAPI, "payload": deep}), second({"payload": {"type": "string"}})
    assert compared(old, new).rows


def test_a_folder_of_another_kind_is_not_claimed(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        read_contract("a.json", lambda _: b'{"asyncapis": "2.6.0"}', kind=ContractKind.ASYNCAPI)
