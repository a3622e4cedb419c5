"""Parts of messages in a language of their own: each is a contract of that language inside the message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from evreview.comparison.kind_spec import Specs
from evreview.contract.model import Contract, Element, ElementKind
from evreview.contract.source import Files, Load
from evreview.core.document_text import without_gc
from evreview.core.vocabulary import ABSENT, Absent, ContractKind, Form, Json
from evreview.kinds.asyncapi.messages import EventMessage, from_json
from evreview.kinds.asyncapi.reader_servers import AVRO_KEY, PayloadLanguage, payload_facet
from evreview.messages.routing import children_of

LANGUAGE: Final = "language"
"""Where a witness names the language of its payload."""


class PartLanguage(NamedTuple):
    """How a part of a message is read: its kind of contract, the file that it is read as, and its place in bindings.

    Attributes:
        kind: of the contract that the part is.
        file: its name.
        binding: where a message carries it below `bindings`, "" for the payload.
        is_text: True where a text is the contract itself, and no JSON text.
    """

    kind: ContractKind
    file: str
    binding: str = ""
    is_text: bool = False

    def carried(self, value: Json) -> dict[str, Json]:
        """The part as a member of a message."""
        return {"bindings": {self.binding: value}} if self.binding else {"payload": value}

    def of(self, message: Mapping[str, Json]) -> Json | Absent:
        """The part of a message, ABSENT where it has none."""
        bindings = message.get("bindings", {})
        holder = bindings if self.binding else message
        return holder.get(self.binding or "payload", ABSENT) if isinstance(holder, Mapping) else ABSENT


SPOKEN: Final[Mapping[str, PartLanguage]] = {
    payload_facet(PayloadLanguage.AVRO): PartLanguage(ContractKind.AVRO, "payload.avsc"),
    payload_facet(PayloadLanguage.PROTOBUF): PartLanguage(ContractKind.PROTOBUF, "payload.proto", is_text=True),
    AVRO_KEY: PartLanguage(ContractKind.AVRO, "key.avsc", "kafka key"),
}
"""By the facet that holds the description."""


def spoken(facet: str, payload: Form, specs: Specs) -> Contract:
    """The contract that a payload is.

    Raises:
        BadInput: it can't be read.
    """
    told = SPOKEN[facet]
    data = (payload if told.is_text and isinstance(payload, str) else json.dumps(payload)).encode()
    spec = specs(told.kind)
    with without_gc():
        return spec.as_payload(spec.read_as_named(Files(told.file, _only(told.file, data), ())))


def _only(file: str, data: bytes) -> Load:
    def load(name: str) -> bytes:
        if name != file:
            raise FileNotFoundError(name)
        return data

    return load


def payloads(sides: tuple[Contract, Contract], witness: Mapping[str, Json], specs: Specs) -> tuple[Contract, Contract]:
    """What describes the part that a witness is about, from both contracts.

    Raises:
        ValueError: the contracts have no such messages.
    """
    message, facet = witness.get("message"), _facet(witness)
    if not facet or not isinstance(message, Mapping):
        raise ValueError("the witness names no language that payloads are read in")
    event = from_json({"payload": None, **message})
    found = [
        spoken(facet, _described(side, name, event, facet), specs)
        for side, name in zip(sides, ("released", "candidate"), strict=True)
    ]
    return found[0], found[1]


def part(witness: Mapping[str, Json]) -> Json:
    """What a witness carries in a language of its own."""
    message, facet = witness.get("message"), _facet(witness)
    found = SPOKEN[facet].of(message) if facet and isinstance(message, Mapping) else ABSENT
    return None if isinstance(found, Absent) else found


def _facet(witness: Mapping[str, Json]) -> str:
    """The facet that describes what a witness carries, "" for no such witness."""
    message, language = witness.get("message"), witness.get(LANGUAGE)
    if not isinstance(message, Mapping):
        return ""
    fits = (name for name, each in SPOKEN.items() if each.kind == language and each.of(message) is not ABSENT)
    return next(fits, "")


def _described(contract: Contract, side: str, event: EventMessage, facet: str) -> Form:
    """What one contract says of the part."""
    for operation in contract.operations:
        if operation.name.partition(" ")[2] == event.address and operation.name.startswith(f"{event.action} "):
            for message in _messages(operation, reply=event.reply):
                found = next((said for each in holders(message) if (said := each.facet(facet)) is not None), None)
                if message.key == event.names.get(side) and found is not None and not isinstance(found, Absent):
                    return found
    raise ValueError(f"the {side} contract has no such message")


def holders(message: Element) -> tuple[Element, ...]:
    """The elements of a message that may hold a description in a language of its own."""
    return (message, *children_of(message, ElementKind.BINDING))


def _messages(operation: Element, *, reply: bool) -> list[Element]:
    holding = children_of(operation, ElementKind.REPLY) if reply else (operation,)
    return [each for holder in holding for each in children_of(holder, ElementKind.MESSAGE)]
