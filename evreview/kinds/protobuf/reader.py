"""Protocol Buffers contracts: `.proto` texts, compiled, and descriptor sets. proto2, proto3 and editions."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from evreview.contract.model import Contract, Element, ElementKind, Facet, Place
from evreview.contract.source import Files, digest_of
from evreview.contracts.descriptors import STORED, Descriptors, load_descriptors, stored
from evreview.contracts.readers.protobuf_features import features_of, syntax_of
from evreview.contracts.readers.protobuf_files import ENDING, OWN, gather, without_comments
from evreview.contracts.readers.protobuf_json_set import opens_as_set, set_of_json
from evreview.contracts.readers.protobuf_languages import Languages
from evreview.contracts.readers.protobuf_scope import EXTENSIONS, Declared, Scope, declared, reached, scoped
from evreview.contracts.readers.protobuf_services import Services
from evreview.core.vocabulary import Aspect, ContractKind, Role
from evreview.kinds.protobuf.elements import Types, Use
from evreview.kinds.protobuf.options import Options

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

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


def recognises(files: Files) -> bool:
    """True for a folder that holds `.proto` files, a text that opens like one, and a descriptor set."""
    if files.is_folder:
        return bool(files.named(ENDING))
    is_set = _set_in(files.data) is not None or _opens_as_bytes(files.data) or opens_as_set(files.data)
    return is_set or _opens(files.data)


def _opens_as_bytes(data: bytes) -> bool:
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


def _set_in(data: bytes) -> bytes | None:
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


def read(files: Files) -> Contract:
    """The contract of `.proto` texts or of a descriptor set.

    Raises:
        BadInput: every problem that keeps it from being compiled or loaded.
    """
    made = _set_in(files.data) if files.entry else None
    made = files.data if made is None and _opens_as_bytes(files.data) else made
    if made is not None:
        return _contract(_Read(made, {}, frozenset(), files.entry), digest_of([files.data]))
    if files.entry and opens_as_set(files.data):
        made, unread = set_of_json(files.data, files.entry)
        return replace(_contract(_Read(made, {}, frozenset(), files.entry), digest_of([files.data])), unread=unread)
    from evreview.kinds.protobuf.compiler import compile_protos

    texts = gather(files)
    data = compile_protos(texts.files, texts.targets, texts.named)
    whole = digest_of(texts.written)
    return _contract(_Read(data, texts.named, frozenset(texts.targets), files.entry), whole)


@dataclass(frozen=True, slots=True)
class _Read:
    """A serialised set: how its texts are called, which make up the contract (none named: all), and the entry."""

    data: bytes
    named: Mapping[str, str]
    targets: frozenset[str]
    entry: str

    def is_own(self, file: FileDescriptorProto) -> bool:
        """True for a file that the contract itself consists of."""
        return file.name in self.targets if self.targets else not file.name.startswith(OWN)


def _contract(made: _Read, sha256: str) -> Contract:
    found = load_descriptors(made.data, made.entry)
    scopes = [
        scoped(file, made.named.get(file.name, file.name) if made.targets else made.entry, by_lines=bool(made.targets))
        for file in found.files
    ]
    own = [scope for scope in scopes if made.is_own(scope.file)]
    packages = list(dict.fromkeys(scope.file.package for scope in own if scope.file.package))
    root = Element(
        kind=ElementKind.DOCUMENT,
        key="document",
        name="document",
        aspect=Aspect.CONTENT_MODEL,
        place=Place(own[0].shown if own else made.entry, ""),
        role=Role.DOCUMENT,
        children=tuple(_children(found, scopes, own)),
    )
    return Contract(
        kind=ContractKind.PROTOBUF,
        version=", ".join(sorted({syntax_of(scope.file) for scope in own})),
        title=", ".join(packages),
        release="",
        path=made.entry,
        sha256=sha256,
        root=root,
        documents={STORED: stored(made.data)},
    )


def _children(found: Descriptors, scopes: list[Scope], own: list[Scope]) -> Iterator[Element]:
    """Operations, services, files, types and extensions; of imported files what the contract's own parts refer to."""
    types = {one.name: one for scope in scopes for one in declared(scope)}
    options = Options(found.pool)
    services = Services(own, types, options)
    yield from services.operations()
    yield from services.services()
    yield from (_module(scope, options) for scope in own)
    made = Types(types, services.uses(), options, Languages(types, options))
    names = {scope.file.name for scope in own}
    held = _held(types, names, made.uses)
    yield from (made.element(one) for one in held if _shown(one))
    for scope in own:
        yield from _extensions(scope, types, made)


def _shown(one: Declared) -> bool:
    return one.is_enum or not one.proto.options.map_entry


def _held(types: Mapping[str, Declared], own: set[str], uses: Mapping[str, Use]) -> Iterable[Declared]:
    """The types of the contract's own files, and those of other files that they or operations reach."""
    known = {name for name, one in types.items() if one.scope.file.name in own}
    more = reached(known, types) | set(uses)
    return [
        one
        for name, one in types.items()
        if name in known or (name in more and not one.scope.file.name.startswith(OWN))
    ]


def _module(scope: Scope, options: Options) -> Element:
    file = scope.file
    return Element(
        kind=ElementKind.MODULE,
        key=file.name,
        name=file.name,
        aspect=Aspect.NAMES,
        place=scope.place(()),
        role=Role.DOCUMENT,
        facets=(
            Facet("package", Aspect.NAMES, file.package, pointer=scope.line((2,))),
            Facet("syntax", Aspect.CONTENT_MODEL, syntax_of(file), pointer=scope.line((12,))),
            Facet("deprecated", Aspect.DEPRECATION, file.options.deprecated),
            *options.facets(file.options),
        ),
    )


def _extensions(scope: Scope, types: Mapping[str, Declared], made: Types) -> Iterator[Element]:
    features = features_of(scope.file)
    for at, field in enumerate(scope.file.extension):
        yield made.extension(field, scope, ((EXTENSIONS, at), ""), features)
    for one in types.values():
        if one.scope is scope and not one.is_enum:
            for at, field in enumerate(one.proto.extension):
                yield made.extension(field, scope, ((*one.path, 6, at), one.name), one.features)
