"""Every path that the peer's standard calls breaking is a row of ours, is refused, or is adjudicated here.

The standard is read as facts: paths with `*`, and what an addition, removal or edit there is called. Each is carried
out on a document that has everything; a table says why a few of them are no difference of the contract.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

Node = dict[str, Any]

PEOPLE = "read by people and generators: no message changes"
VERSION = "the document's own release, or the version of its format: what that changes has rows of its own"
NAMED = "a name that generators use; no protocol carries it"
WHERE = "where the application is identified for people and catalogues: no message changes"
SAME = "the admitted values stay the same: the default was one of them, and still is"

ADJUDICATED: Final[dict[str, str]] = {
    "/asyncapi": VERSION,
    "/info": PEOPLE,
    "/info/version": VERSION,
    "/info/termsOfService": PEOPLE,
    "/info/license": PEOPLE,
    "/info/license/name": PEOPLE,
    "/info/license/url": PEOPLE,
    "/info/contact": PEOPLE,
    "/info/contact/name": PEOPLE,
    "/info/contact/url": PEOPLE,
    "/info/contact/email": PEOPLE,
    "/id": WHERE,
    "/channels/*/subscribe/operationId": NAMED,
    "/channels/*/publish/operationId": NAMED,
    "/channels/*/subscribe/traits/operationId": NAMED,
    "/channels/*/publish/traits/operationId": NAMED,
    "/channels/*/messages/*/name": NAMED,
}
"""By path, of either generation."""

MESSAGE: Node = {
    "payload": {"type": "object", "properties": {"id": {"type": "string"}}},
    "name": "placed",
    "headers": {"type": "object", "properties": {"h": {"type": "string"}}},
    "correlationId": {"location": "$message.header#/h"},
}
TRAIT: Node = {"correlationId": {"location": "$message.header#/h"}, "contentType": "application/json"}
AVRO: Final = "application/vnd.apache.avro;version=1.9.0"
INFO: Node = {
    "title": "Orders",
    "version": "1",
    "termsOfService": "https://example.test/terms",
    "license": {"name": "none", "url": "https://example.test/licence"},
    "contact": {"name": "team", "url": "https://example.test/team", "email": "team@example.test"},
}
VARIABLES: Node = {"region": {"default": "eu", "enum": ["eu", "us"]}, "port": {"default": "1", "enum": ["1", "2"]}}
SCHEMES: Node = {"plain": {"type": "userPassword"}, "cert": {"type": "X509"}}


def _second() -> Node:
    avro: Node = {"type": "record", "name": "Order", "fields": []}
    own = {
        "payload": avro,
        "schemaFormat": AVRO,
        "name": "placed",
        "contentType": "application/json",
        "correlationId": {"location": "$message.header#/h"},
    }
    taken = {"payload": avro, "name": "paid", "traits": [{**TRAIT, "schemaFormat": AVRO}]}
    bound: Node = {"bindings": {"kafka": {"clientId": {"type": "string"}}}, "operationId": "trait"}

    def channel(message: Node) -> Node:
        def operation(name: str) -> Node:
            return {"message": copy.deepcopy(message), "operationId": name, "traits": [bound]}

        return {"subscribe": operation("announce"), "publish": operation("listen")}

    parameter: Node = {"schema": {"type": "string", "enum": ["a"]}, "location": "$message.header#/h"}
    server: Node = {"url": "{region}.example.test:{port}", "protocol": "kafka", "protocolVersion": "3"}
    return {
        "asyncapi": "2.6.0",
        "id": "urn:orders",
        "info": INFO,
        "defaultContentType": "text/plain",
        "servers": {"one": {**server, "variables": VARIABLES, "security": [{"plain": []}]}},
        "channels": {
            "orders/{shop}": {**channel(own), "parameters": {"shop": parameter}},
            "paid": channel(taken),
            "bare": channel({"payload": {"type": "string"}}),
        },
        "components": {"securitySchemes": SCHEMES},
    }


def _third() -> Node:
    trait = {**TRAIT, "headers": {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}}
    message = {key: value for key, value in MESSAGE.items() if key != "correlationId"}
    message |= {"contentType": "application/cloudevents+json", "traits": [trait]}
    plain = {key: value for key, value in MESSAGE.items() if key != "correlationId"} | {
        "name": "plain",
        "traits": [TRAIT],
    }
    channel: Node = {
        "address": "orders/{shop}",
        "messages": {"placed": {**message, "correlationId": {"location": "$message.header#/x"}}, "plain": plain},
        "servers": [{"$ref": "#/servers/one"}, {"$ref": "#/servers/two"}],
        "parameters": {"shop": {"enum": ["a"], "location": "$message.header#/h"}},
    }
    server: Node = {
        "host": "{region}.example.test:{port}",
        "pathname": "/base",
        "protocol": "kafka",
        "protocolVersion": "3",
    }
    operation: Node = {
        "action": "receive",
        "channel": {"$ref": "#/channels/orders"},
        "messages": [{"$ref": "#/channels/orders/messages/placed"}, {"$ref": "#/channels/orders/messages/plain"}],
        "security": [{"type": "plain"}],
        "traits": [{"bindings": {"kafka": {"clientId": {"type": "string"}}}}],
        "reply": {"address": {"location": "$message.header#/to"}, "channel": {"$ref": "#/channels/replies"}},
    }
    bare = {key: value for key, value in operation.items() if key not in ("security", "reply")}
    return {
        "asyncapi": "3.0.0",
        "id": "urn:orders",
        "info": INFO,
        "defaultContentType": "text/plain",
        "servers": {
            "one": {**server, "variables": VARIABLES, "security": [{"type": "userPassword"}]},
            "two": {"host": "two.example.test", "protocol": "mqtt"},
            "three": {"host": "three.example.test", "protocol": "mqtt"},
        },
        "channels": {
            "orders": channel,
            "replies": {"address": None, "messages": {"done": {"name": "done", "payload": {"type": "string"}}}},
            "paid": {"address": "paid", "messages": {"paid": {"name": "paid", "payload": {"type": "string"}}}},
        },
        "operations": {
            "first": operation,
            "second": {
                **bare,
                "action": "send",
                "messages": operation["messages"][:1],
                "traits": [{"security": [{"type": "plain"}]}],
            },
            "third": {"action": "receive", "channel": {"$ref": "#/channels/paid"}},
        },
    }


BASES: Final = {"v2": _second(), "v3": _third()}
STANDARD: Final = Path("anchors") / "asyncapi_standard.json"
EDITED: Final[dict[str, Any]] = {
    "/asyncapi": {"v2": "2.5.0", "v3": "3.1.0"},
    "protocol": "amqp",
    "action": "send",
    "channel": {"$ref": "#/channels/paid"},
    "location": "$message.payload#/id",
    "schemaFormat": "application/vnd.google.protobuf;version=3",
    "contentType": "application/xml",
    "defaultContentType": "application/xml",
    "payload": {"type": "integer"},
    "headers": {"type": "object", "required": ["z"]},
    "default": "us",
    "security": [{"type": "X509"}],
    "address": "elsewhere",
    "correlationId": {"location": "$message.payload#/id"},
    "reply/address": {"location": "$message.payload#/id"},
}


def steps(document: Any, path: str) -> list[tuple[Any, ...]]:
    """The ways that a path with `*` takes through a document; a list of traits stands without its `*` at times."""
    found: list[tuple[Any, Any, tuple[Any, ...]]] = [(document, None, ())]
    for part in path.strip("/").split("/"):
        after = []
        for node, _, way in found:
            if isinstance(node, list) and part != "*":
                after += [(item[part], item, (*way, at, part)) for at, item in enumerate(node) if part in item]
            elif part == "*":
                items = node.items() if isinstance(node, dict) else enumerate(node)
                after += [(item, node, (*way, key)) for key, item in items]
            elif isinstance(node, dict) and part in node:
                after.append((node[part], node, (*way, part)))
        found = after
    return [way for _, _, way in found]


def changed(document: Node, way: tuple[Any, ...], act: str, path: str, generation: str) -> Node:
    made = copy.deepcopy(document)
    owner: Any = made
    for step in way[:-1]:
        owner = owner[step]
    if act == "remove":
        del owner[way[-1]]
    else:
        owner[way[-1]] = _other(owner[way[-1]], way, path, generation)
    return made


def _other(value: Any, way: tuple[Any, ...], path: str, generation: str) -> Any:
    """Another value for a place: by its path, by its name, or something like it."""
    if path in EDITED:
        return EDITED[path][generation]
    for name in (path.rpartition("/")[0].rpartition("/")[2] + "/" + str(way[-1]), way[-1]):
        if name in EDITED and type(EDITED[name]) is type(value):
            return EDITED[name]
    if isinstance(value, str) or value is None:
        return f"{value}x"
    return dict(list(value.items())[1:]) if isinstance(value, dict) else value[1:]


@cache
def told(released: str, candidate: str) -> str:
    """What is said of a pair: `row`, `compatible`, `nothing`, or `refused`."""

    def read(text: str) -> Contract:
        return read_contract("events.json", lambda _: text.encode())

    try:
        found = compare(read(released), read(candidate), witnesses=False)
    except BadInput:
        return "refused"
    if any(row.judgement.verdict is not Verdict.COMPATIBLE for row in found.rows):
        return "row"
    return "compatible" if found.rows else "unread" if found.unread else "nothing"


def cases(standard: Node) -> Iterator[tuple[str, str, str]]:
    for generation, table in standard.items():
        for path, acts in table.items():
            yield from ((generation, path, act) for act in ("add", "remove", "edit") if acts.get(act) == "breaking")


def outcomes(generation: str, path: str, act: str) -> set[str]:
    base = BASES[generation]
    found = set()
    for way in steps(base, path):
        one = changed(base, way, "remove" if act == "add" else act, path, generation)
        pair = (one, base) if act == "add" else (base, one)
        found.add(told(*(json.dumps(side) for side in pair)))
    return found


WIDER: Final = "a variable that lists no values admits every one: each released address is still there"
LESS: Final = "what suffices to connect still suffices"
MORE: Final = "a channel that lists no servers is on every one: it is still on each released one"
STILL: Final = "headers are open objects, and the header was optional: each message still fits the other side"
FIRST: Final = "a message that the application newly receives refuses nobody"
COMPATIBLE: Final[dict[str, str]] = {
    "/servers/*/variables": WIDER,
    "/servers/*/variables/*": WIDER,
    "/servers/*/variables/*/enum": WIDER,
    "/servers/*/variables/*/default": SAME,
    "/servers/*/security": LESS,
    "/servers/*/security/*": LESS,
    "/channels/*/servers": MORE,
    "/channels/*/messages/*/headers": STILL,
    "/operations/*/traits/*/security": LESS,
    "/operations/*/traits/*/security/*": LESS,
    "/operations/*/traits/*": LESS,
    "/operations/*/security": LESS,
    "/operations/*/security/*": LESS,
    "/channels/*/publish/message": FIRST,
}
"""Rows that say the change is compatible, with the reason, by path."""


def test_the_standards_breaking_paths_are_rows_or_adjudicated(corpus: Path) -> None:
    standard = json.loads((corpus.parent / STANDARD).read_text())
    listed = list(cases(standard))
    assert len(listed) > 200
    wrong, stale = [], set(ADJUDICATED)
    for generation, path, act in listed:
        found = outcomes(generation, path, act)
        stale.discard(path)
        if not found:
            wrong.append((generation, path, act, "the document has no such place"))
        elif path in ADJUDICATED:
            if not found <= {"nothing", "refused"}:
                wrong.append((generation, path, act, sorted(found)))
        elif not found & {"row", "refused"} and not (path in COMPATIBLE and found == {"compatible"}):
            wrong.append((generation, path, act, sorted(found)))
    assert wrong == []
    assert stale == set(), "no path of the standard: take it out of the table"


@pytest.mark.parametrize("generation", BASES)
def test_the_documents_are_read_whole(generation: str) -> None:
    text = json.dumps(BASES[generation])
    assert [each.found for each in read_contract("events.json", lambda _: text.encode()).unread] == []
