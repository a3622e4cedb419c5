"""Where the messages of a channel travel by its protocol: some bindings name a destination in place of the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from evreview.contract.json_reader import Node
from evreview.contract.model import Place
from evreview.contracts.readers.asyncapi_scope import Scope, protocol_of, reference_name
from evreview.core.vocabulary import Json

REPLACING: Final[Mapping[str, str]] = {
    "kafka": "topic",
    "jms": "destination",
    "anypointmq": "destination",
    "sns": "name",
    "sqs": "queue.name",
    "ibmmq": "topic.string",
}
"""The member of a channel's binding that names the destination, by protocol: each binding specification says that it
counts where it differs from the address."""


class OnWire(NamedTuple):
    """Where messages travel.

    Attributes:
        address: the one that the protocols know.
        written: the one that the channel gives.
        bound: the only protocol, where its binding names that address, else "".
        several: True for a channel of several protocols, where each has its own destination.
    """

    address: str
    written: str
    bound: str = ""
    several: bool = False


def on_the_wire(address: str, node: Node, place: Place, scope: Scope) -> OnWire:
    """Where the messages of a channel with this address travel; one of several protocols keeps its own address."""
    named = _named(node, place, scope)
    protocols = _protocols(node, scope) or set(named)
    if len(protocols) > 1:
        return OnWire(address, address, several=True)
    bound = next((protocol for protocol in protocols if named.get(protocol)), "")
    return OnWire(named[bound] if bound else address, address, bound)


def _protocols(node: Node, scope: Scope) -> set[str]:
    """The protocols of the servers that a channel is on; of all servers, where it names none."""
    listed, keys = node.get("servers"), scope.server_keys
    names = list(keys)
    if isinstance(listed, list) and listed:
        names = [reference_name(item) if scope.third else str(item) for item in listed]
    return {protocol_of(keys[name]) for name in names if name in keys}


def _named(node: Node, place: Place, scope: Scope) -> dict[str, str]:
    """What each binding of the channel names, "" for one that names nothing."""
    item = node.get("bindings")
    found = scope.resolve(item, place.child("bindings"), "bindings") if item is not None else None
    made: dict[str, str] = {}
    for protocol, binding in found[0].items() if found is not None else ():
        held = scope.resolve(binding, found[1].child(protocol), f"binding {protocol}") if found is not None else None
        if held is not None and not protocol.startswith("x-"):
            told = _at(held[0], REPLACING.get(protocol, ""))
            made[protocol] = told if isinstance(told, str) else ""
    return made


def _at(node: Json, path: str) -> Json:
    for step in path.split(".") if path else ("",):
        node = node.get(step) if isinstance(node, dict) else None
    return node
