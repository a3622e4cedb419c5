"""Payloads that are described in a language of their own: each is a contract of that language inside the message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from evreview.contracts.model import Contract, Element, ElementKind
from evreview.contracts.read import read_contract
from evreview.contracts.readers.asyncapi_formats import Language, payload_facet
from evreview.contracts.source import Load
from evreview.proof.events.event import Event, from_json
from evreview.proof.messages.routes import children_of
from evreview.vocab import ContractKind, Form, Json, Missing

LANGUAGE: Final = "language"
"""Where a witness names the language of its payload."""


class Spoken(NamedTuple):
    """How a language is read: its kind of contract, and the file that a payload is read as."""

    kind: ContractKind
    file: str


SPOKEN: Final[Mapping[str, Spoken]] = {
    payload_facet(Language.AVRO): Spoken(ContractKind.AVRO, "payload.avsc"),
    payload_facet(Language.PROTOBUF): Spoken(ContractKind.PROTOBUF, "payload.proto"),
}
"""By the facet that holds the payload."""


def spoken(facet: str, payload: Form) -> Contract:
    """The contract that a payload is.

    Raises:
        BadInput: it can't be read.
    """
    kind, file = SPOKEN[facet]
    data = (payload if kind is ContractKind.PROTOBUF and isinstance(payload, str) else json.dumps(payload)).encode()
    return read_contract(file, _only(file, data), kind=kind)


def _only(file: str, data: bytes) -> Load:
    def load(name: str) -> bytes:
        if name != file:
            raise FileNotFoundError(name)
        return data

    return load


def payloads(sides: tuple[Contract, Contract], witness: Mapping[str, Json]) -> tuple[Contract, Contract]:
    """The payloads that a witness is about, from both contracts.

    Raises:
        ValueError: the contracts have no such messages.
    """
    message, language = witness.get("message"), witness.get(LANGUAGE)
    facet = next((name for name, each in SPOKEN.items() if each.kind == language), None)
    if facet is None or not isinstance(message, Mapping):
        raise ValueError("the witness names no language that payloads are read in")
    event = from_json(message)
    found = [_payload(side, name, event, facet) for side, name in zip(sides, ("released", "candidate"), strict=True)]
    return found[0], found[1]


def _payload(contract: Contract, side: str, event: Event, facet: str) -> Contract:
    for operation in contract.operations:
        if operation.name.partition(" ")[2] == event.address and operation.name.startswith(f"{event.action} "):
            for message in _messages(operation, reply=event.reply):
                payload = message.facet(facet)
                if message.key == event.names.get(side) and payload is not None and not isinstance(payload, Missing):
                    return spoken(facet, payload)
    raise ValueError(f"the {side} contract has no such message")


def _messages(operation: Element, *, reply: bool) -> list[Element]:
    holders = children_of(operation, ElementKind.REPLY) if reply else (operation,)
    return [each for holder in holders for each in children_of(holder, ElementKind.MESSAGE)]
