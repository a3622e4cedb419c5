"""Protocol Buffers and gRPC: compiler, reader, rules, and proofs by encoded bytes.

Takes `.proto` files or a descriptor set.
Gives a contract, rules for wire, JSON and source, and witnesses as bytes.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, KindWords, Prepared
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ContractKind, Direction, Json

if TYPE_CHECKING:
    from evreview.comparison.delta import Delta
    from evreview.comparison.elements import ElementDiff
    from evreview.comparison.kind_spec import ContractFolders, KindProver, WitnessReplay
    from evreview.comparison.ledger import Ledger
    from evreview.comparison.node_pair import SchemaReaders
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files

ENDING: Final = ".proto"
_COMMENT_OR_TEXT: Final = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_BLANKED: Final = re.compile(r"[^\n]")
_JSON_SET_OPENING: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*\"file\"\s*:\s*\[\s*\{\s*\"name\"\s*:\s*\"[^\"\n]+\"")
_OPENING: Final = re.compile(
    r"\s*(?:;\s*)*(?:(?:syntax|edition)\s*=\s*[\"']"
    r"|package\s+[\w.]+\s*;|import\s+(?:public\s+|weak\s+|option\s+)?[\"'][^\"'\n]+[\"']\s*;"
    r"|option\s+\(?[\w.]+\)?[\w.]*\s*=|message\s+\w+\s*\{|service\s+\w+\s*\{\s*(?:\}|rpc\b|option\b)"
    r"|enum\s+\w+\s*\{\s*(?:option\b|reserved\b|\w+\s*=)|extend\s+[\w.]+\s*\{\s*\w)"
)
_LOOKED_AT: Final = 20_000
_SET_TAG: Final = 0x0A
"""The first byte of a descriptor set, and of each file's name in it."""
_AS_TEXT: Final = b"C"
"""How base64 of such a byte begins."""
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/\s]+={0,2}\s*")
_CHECKS: Final = {
    Direction.READ: "Every message that was written with the released contract at {at} is read with the candidate, "
    "each value as it was written.",
    Direction.WRITTEN: "Every message that the candidate writes at {at} is read with the released one; whether every "
    "value arrives as it was written is recorded.",
}
_CALLS: Final = "The candidate answers every call of {at} that the released contract allows, as it promised."
_OWN: Final = frozenset({"call", "checked"})
"""Members of a message of which no distribution says anything: whether a call has an end, what options demand."""


class _Protobuf(KindSpec):
    """Protocol Buffers and gRPC."""

    kind = ContractKind.PROTOBUF
    title = "Protocol Buffers"
    opening = "a `.proto` text opens with `syntax`, `edition`, `package` or `message`"
    words = KindWords(operation="procedure")
    operation_word = "procedure"
    endings = (ENDING,)
    in_folders = True
    leads_nowhere = "proto-import-missing"
    name_facets = frozenset({"type"})

    def folders(self, texts: Mapping[str, bytes], asked: Collection[str]) -> ContractFolders:
        from evreview.kinds.protobuf.import_roots import ImportRoots

        return ImportRoots(texts, asked)

    def recognises(self, files: Files) -> bool:
        if files.is_folder:
            return bool(files.named(ENDING))
        is_set = set_in(files.data) is not None or opens_as_bytes(files.data) or opens_as_set(files.data)
        return is_set or _opens(files.data)

    def read(self, files: Files) -> Contract:
        from evreview.kinds.protobuf.reader import read

        return read(files)

    def as_payload(self, contract: Contract) -> Contract:
        from evreview.kinds.protobuf.alignment import carrying

        return carrying(contract)

    def prepared(self, released: Contract, candidate: Contract, sides: tuple[SchemaReaders, SchemaReaders]) -> Prepared:
        from evreview.kinds.protobuf.alignment import aligned_types

        found = aligned_types(released, candidate)
        return Prepared((released, candidate), (found.released, found.candidate))

    def settle(self, found: ElementDiff, released: Contract, candidate: Contract) -> None:
        from evreview.kinds.protobuf.alignment import told_by_services

        found.rows = told_by_services(found.rows)

    def rules(self) -> tuple[Rule, ...]:
        from evreview.kinds.protobuf import rules_constraints, rules_fields, rules_services, rules_types

        return (
            *rules_services.SERVICE_RULES,
            *rules_types.TYPE_RULES,
            *rules_types.ENUM_RULES,
            *rules_constraints.RULES,
            *rules_fields.FIELD_RULES,
            *rules_fields.FIELD_TYPE_RULES,
            *rules_services.OPTION_RULES,
        )

    def prover(self, ledger: Ledger, *, witnesses: bool) -> KindProver:
        from evreview.kinds.protobuf.prover import ProtobufProver

        return ProtobufProver(ledger, witnesses=witnesses)

    def replaying(self) -> WitnessReplay:
        from evreview.kinds.protobuf.prover import replay

        return replay

    def judge(self, witness: Mapping[str, Json]) -> str:
        message = witness.get("message")
        return "" if isinstance(message, Mapping) and not _OWN.isdisjoint(message) else "protobuf"

    def proposed_check(self, delta: Delta, direction: Direction | None) -> str:
        if delta.element is ElementKind.OPERATION:
            return _CALLS.format(at=delta.address)
        return _CHECKS[direction].format(at=delta.address) if direction is not None else ""


SPEC: Final = _Protobuf()


def opens_as_set(data: bytes) -> bool:
    """True for JSON that opens like a descriptor set: its only list, and the name of a first file."""
    return _JSON_SET_OPENING.match(data) is not None


def opens_as_bytes(data: bytes) -> bool:
    """True for bytes that begin like a set, whatever follows: the name of a first file."""
    if data[:1] != bytes([_SET_TAG]):
        return False
    at, _ = _varint(data, 1)
    start, named = _varint(data, at + 1)
    name = data[start : start + named]
    return data[at : at + 1] == b"\n" and name.isascii() and name.endswith(ENDING.encode())


def _opens(data: bytes) -> bool:
    if b"\x00" in data[:_LOOKED_AT]:
        return False
    text = data[:_LOOKED_AT].decode("utf-8", "replace").removeprefix("\ufeff")
    return _OPENING.match(without_comments(text)) is not None


def set_in(data: bytes) -> bytes | None:
    """The descriptor set that the bytes are, or that they hold as base64 text, as a bundle may; None for neither."""
    if _is_set(data):
        return data
    if not data.startswith(_AS_TEXT) or _BASE64.fullmatch(data) is None:
        return None
    try:
        decoded = base64.b64decode(data)
    except ValueError:
        return None
    return decoded if _is_set(decoded) else None


def _is_set(data: bytes) -> bool:
    """True when the bytes are nothing but members of field 1, each beginning with a printable name."""
    at, members = 0, 0
    while at < len(data):
        if data[at] != _SET_TAG:
            return False
        at, length = _varint(data, at + 1)
        body = data[at : at + length]
        start, named = _varint(body, 1)
        if len(body) < length or body[:1] != b"\n" or not body[start : start + named].isascii():
            return False
        at, members = at + length, members + 1
    return members > 0


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The position after a varint, and its value."""
    value = shift = 0
    while at < len(data) and shift < 35:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            break
    return at, value


def without_comments(text: str) -> str:
    """The text with blanks for comments, its lines and its quoted texts kept."""
    return _COMMENT_OR_TEXT.sub(lambda found: _BLANKED.sub(" ", found[0]) if found[0][0] == "/" else found[0], text)
