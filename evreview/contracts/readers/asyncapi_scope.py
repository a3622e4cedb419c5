"""What every part of the AsyncAPI reader shares: the generation of the format, and parts that have to be written anew.

Value sets are places in documents. What holds only after merging (headers from a trait, the type that a parameter of an
address has by definition) is written into a copy of the document, at the place that it belongs to.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from evreview.contract.json_reader import Node, Reading
from evreview.contract.model import Element, Place, SchemaDialect
from evreview.contract.references import RefKind, Resolver, classify_ref
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Json, Polarity, Role

VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
"""A variable in an address or URL."""
_PLAIN: Final[Mapping[str, str]] = {
    "kafka-secure": "kafka",
    "secure-mqtt": "mqtt",
    "mqtts": "mqtt",
    "amqps": "amqp",
    "https": "http",
    "stomps": "stomp",
    "wss": "ws",
    "ibmmq-secure": "ibmmq",
}
"""Protocols over a secured connection: their bindings go by the plain name."""
MAX_DEPTH: Final = 260
"""Levels of objects that are merged or translated: more than a document that is read may have."""
MAX_EDITS: Final = 20_000


class Position(NamedTuple):
    """Which direction the elements below belong to: what the application receives is read, what it sends is written."""

    role: Role
    polarity: Polarity | None

    @property
    def answering(self) -> Position:
        """The position of a reply."""
        return Position(self.role, self.polarity.flipped if self.polarity is not None else None)


class Named(NamedTuple):
    """Something that may be referred to: its object, where that is written, and the name that it goes by."""

    node: Node
    place: Place
    name: str


RECEIVED: Final = Position(Role.MESSAGE, Polarity.READ)
SENT: Final = Position(Role.MESSAGE, Polarity.WRITTEN)
UNDIRECTED: Final = Position(Role.MESSAGE, None)
DOCUMENT: Final = Position(Role.DOCUMENT, None)


class Scope(Reading):
    """One reading of one AsyncAPI document."""

    def __init__(self, resolver: Resolver, root: Node, entry: str, *, third: bool) -> None:
        super().__init__(SchemaDialect.DRAFT_7, resolver, root, entry)
        self.third = third
        self.shared: dict[tuple[object, ...], Element] = {}
        self.server_keys: Mapping[str, str] = {}
        self.edits: dict[Place, Json] = {}

    @property
    def protocols(self) -> frozenset[str]:
        """The protocols of all servers, the secured ones by their plain names."""
        return frozenset(protocol_of(key) for key in self.server_keys.values())

    def named(self, item: Json, place: Place, what: str, name: str = "") -> Named | None:
        """The object that `item` is or refers to, under the last name of its reference; None, recorded, without one."""
        found = self.resolve(item, place, what)
        return Named(*found, name or reference_name(item)) if found is not None else None

    def edited(self, place: Place, node: Json) -> Json:
        """Records that `node` is to stand at `place`; the node."""
        if len(self.edits) < MAX_EDITS:
            self.edits[place] = node
        else:
            self.skip(place, "more merged parts than are read", "split the document")
        return node


def protocol_of(server: str) -> str:
    """The protocol of a server by its key, a secured one by its plain name."""
    written = server.partition("://")[0]
    return _PLAIN.get(written, written)


def reference_name(item: Json) -> str:
    """The last step of a reference, "" for what is none."""
    ref = item.get("$ref") if isinstance(item, dict) else None
    steps = steps_of(ref.partition("#")[2]) if isinstance(ref, str) else None
    return steps[-1] if steps else ""


def rebased(node: Json, source: str, target: str, depth: int = 0) -> Json:
    """A node of the file `source` as it has to be written in the file `target`: its references lead where they led."""
    if source == target or depth > MAX_DEPTH:
        return node
    if isinstance(node, list):
        return [rebased(item, source, target, depth + 1) for item in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Json] = {key: rebased(item, source, target, depth + 1) for key, item in node.items()}
    ref = node.get("$ref")
    if isinstance(ref, str):
        kind, file, fragment = classify_ref(source, ref)
        if kind in (RefKind.LOCAL, RefKind.FILE):
            made["$ref"] = f"{posixpath.relpath(file, posixpath.dirname(target) or '.')}#{fragment}"
    return made


def with_edits(documents: Mapping[str, Json], edits: Mapping[Place, Json]) -> Mapping[str, Json]:
    """The documents with every edit at its place; nothing of the originals is changed."""
    made = dict(documents)
    for place in sorted(edits):
        steps = steps_of(place.pointer)
        if steps is not None and place.file in made:
            made[place.file] = _put(made[place.file], steps, edits[place])
    return made


def _put(value: Json, steps: tuple[str, ...], node: Json) -> Json:
    if not steps:
        return node
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        # A list where an object belongs is unread, and nothing is written into it.
        at = int(step) if step.isdecimal() else -1
        return [_put(item, rest, node) if here == at else item for here, item in enumerate(value)]
    members: dict[str, Json] = dict(value) if isinstance(value, dict) else {}
    members[step] = _put(members.get(step), rest, node)
    return members
