"""Protocol Buffers contracts: `.proto` texts, compiled, and descriptor sets. proto2, proto3 and editions."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, UnsupportedConstruct
from evreview.contract.source import MAX_FILES, Files, digest_of
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.limits import MAX_BYTES
from evreview.core.vocabulary import Aspect, ContractKind, Json, Role
from evreview.kinds.protobuf import ENDING, opens_as_bytes, opens_as_set, set_in, without_comments
from evreview.kinds.protobuf.elements import Services, Types, TypeUse
from evreview.kinds.protobuf.options import (
    EXTENSIONS,
    Declared,
    Languages,
    Options,
    Scope,
    declared,
    features_of,
    reached,
    scoped,
    syntax_of,
)

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        FieldDescriptorProto,
        FileDescriptorProto,
        FileDescriptorSet,
    )
    from google.protobuf.descriptor_pool import DescriptorPool


# A FileDescriptorSet as a pool of its own: nothing of one contract is seen by another, or by this program.


STORED: Final = "(descriptors)"
"""Under this name the documents of a protobuf contract hold its descriptor set, as base64 text."""
STAND_IN: Final = "\ue000"
"""How a JSON name ends in a pool that is another field's name, or its JSON name: the runtime knows no such message."""


@frozen
class Descriptors:
    """The files of a set, each after those that it imports, and the pool that knows them all.

    Attributes:
        stands_in: whether JSON names of the pool end with `STAND_IN`.
    """

    files: tuple[FileDescriptorProto, ...]
    pool: DescriptorPool
    stands_in: bool = False


def stored(data: bytes) -> str:
    """A set as text."""
    return base64.b64encode(data).decode()


def descriptors_of(contract: Contract) -> Descriptors:
    """The descriptors of a protobuf contract, loaded once more.

    Raises:
        BadInput: see `load_descriptors`.
    """
    return load_descriptors(base64.b64decode(str(contract.documents[STORED])), contract.path)


def load_descriptors(data: bytes, file: str) -> Descriptors:
    """The descriptors of a serialised set.

    Raises:
        BadInput: `proto-set-broken`, `proto-import-missing`.
    """
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import DecodeError

    try:
        found = FileDescriptorSet.FromString(data)
    except DecodeError as error:
        advice = "write the set again: protoc --include_imports --descriptor_set_out=FILE"
        problem = Problem(code="proto-set-broken", found=f"no FileDescriptorSet: {error}", file=file, advice=advice)
        raise BadInput([problem]) from None
    files = _in_order(found, file)
    pool, stands_in = DescriptorPool(), False
    for each in files:
        loaded = _without_clashes(each)
        stands_in |= loaded is not each
        try:
            pool.AddSerializedFile(loaded.SerializeToString())
        except (TypeError, ValueError) as error:
            raise BadInput([Problem(code="proto-set-broken", found=f"{each.name}: {error}", file=file)]) from None
    return Descriptors(files, pool, stands_in)


def _without_clashes(file: FileDescriptorProto) -> FileDescriptorProto:
    """The file, or a copy in which JSON names that the runtime refuses beside other names have stand-ins.

    protoc compiles them: a JSON name may be the name of another field, and in proto2 its JSON name, too.
    """
    if not any(_clashing(message) for message in _messages(file.message_type)):
        return file
    made = type(file)()
    made.CopyFrom(file)
    for message in _messages(made.message_type):
        for at, clashing in enumerate(_clashing(message), 1):
            clashing.json_name += STAND_IN * at
    return made


def _messages(top: Iterable[DescriptorProto]) -> Iterator[DescriptorProto]:
    for message in top:
        yield message
        yield from _messages(message.nested_type)


def _clashing(message: DescriptorProto) -> list[FieldDescriptorProto]:
    """The fields whose JSON name is the name of another field, or the JSON name of one before."""
    names = {each.name for each in message.field}
    taken: set[str] = set()
    found: list[FieldDescriptorProto] = []
    for each in message.field:
        if each.json_name in taken or (each.json_name != each.name and each.json_name in names):
            found.append(each)
        else:
            taken.add(each.json_name)
    return found


def _in_order(found: FileDescriptorSet, file: str) -> tuple[FileDescriptorProto, ...]:
    """The files, each after those that it imports."""
    by_name = {each.name: each for each in found.file}
    absent = sorted({name for each in found.file for name in each.dependency} - by_name.keys())
    if absent:
        advice = "write the set with --include_imports"
        raise BadInput(
            Problem(code="proto-import-missing", found=f"the set lacks {name}", file=file, advice=advice)
            for name in absent
        )
    ordered: dict[str, FileDescriptorProto] = {}
    waiting: list[tuple[str, Iterable[str]]] = []
    for first in by_name:
        waiting.append((first, iter(by_name[first].dependency)))
        entered = {first}
        while waiting:
            name, rest = waiting[-1]
            following = next((each for each in rest if each not in ordered and each not in entered), None)
            if following is None:
                ordered.setdefault(name, by_name[name])
                waiting.pop()
            else:
                entered.add(following)
                waiting.append((following, iter(by_name[following].dependency)))
    return tuple(ordered.values())


# The `.proto` texts under the names by which they import one another.


_MOST_PROBLEMS: Final = 50
OWN: Final = "google/protobuf/"
"""Imports below this folder come with the compiler."""

_IMPORT: Final = re.compile(
    r"\bimport\s*(?:\b(?:public|weak|option)\s*)?(?:\"([^\"\n]*)\"|'([^'\n]*)')\s*;"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
)
"""An import and its name, or a quoted text, whose words are no import."""
_NO_PATH: Final = re.compile(r"[\x00-\x1f\x7f\\]|^[-@/]|//|(?:^|/)\.\.?(?:/|$)|^$")
"""What no import's name holds that names a file below a folder; protoc refuses the most of it as well."""

_WRITTEN: Final = re.compile(rb"(\bimport\s+(?:public\s+|weak\s+|option\s+)?[\"'])([\x20-\x7e]+?)(?=[\"']\s*;)")


@dataclass(slots=True)
class Texts:
    """Texts by import name.

    Attributes:
        files: every text, by the name under which it is imported or compiled.
        named: the file of each, as the contract's user knows it.
        targets: the texts that make up the contract; others are only imported.
        written: the bytes of every file, as they stand there.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    written: list[bytes] = field(default_factory=list)


@frozen
class Import:
    """An import as it stands in a text: the name, and where."""

    name: str
    line: int
    column: int

    def refused(self, file: str) -> Problem:
        found = f'Import "{self.name}" was not found'
        advice = "put the imported file below the folder at the path that imports it;"
        advice += " `diff` and `replay` take its folder as --include; in a bundle list it among the contract's parts"
        if _NO_PATH.search(self.name):
            found = f'Import "{self.name}" is no path below the folder'
            advice = "import the file by its path below the folder, with `/`, without `.` or `..`"
        place = f"line {self.line}, column {self.column}"
        return Problem(code="proto-import-missing", found=found, file=file, place=place, advice=advice)


def gather(files: Files) -> Texts:
    """Every text of the contract and what it imports from there.

    Raises:
        BadInput: a file can't be read, `proto-import-missing`, `contract-too-many-files`, `text-too-large`.
    """
    own = list(dict.fromkeys((*([files.entry] if files.entry else ()), *files.named(ENDING))))
    texts = {name: files.load(name) for name in own}
    led = _Led(texts)
    found = Texts(written=list(texts.values()))
    for name, data in texts.items():
        imported = led.called(name)
        found.files[imported] = led.rewritten(name, data)
        found.named[imported] = name
    found.targets = tuple(found.files)
    _follow(files, found)
    return found


def _follow(files: Files, found: Texts) -> None:
    """Adds what is imported and stands beside the listed texts."""
    waiting = [(each, name) for name in found.files for each in imports_of(found.files[name])]
    size = sum(map(len, found.files.values()))
    refused: list[Problem] = []
    while waiting:
        imported, importer = waiting.pop(0)
        name = imported.name
        if name in found.files or (name.startswith(OWN) and not _NO_PATH.search(name)):
            continue
        beside = None if _NO_PATH.search(name) else _beside(files, name)
        if beside is None:
            refused.append(imported.refused(found.named[importer]))
            continue
        found.named[name], data = beside
        size += len(data)
        if len(found.files) >= MAX_FILES or size > MAX_BYTES:
            raise bad_input("contract-too-many-files", f"split over more than {MAX_FILES} files", file=name)
        found.files[name] = data
        found.written.append(data)
        waiting.extend((each, name) for each in imports_of(data))
    if refused:
        raise BadInput(refused[:_MOST_PROBLEMS])


def _beside(files: Files, name: str) -> tuple[str, bytes] | None:
    """An imported text and its file: below the contract's folder, or that folder lies below where imports start."""
    rest = name
    while rest:
        try:
            return rest, files.load(rest)
        except (BadInput, OSError, ValueError):
            rest = rest.partition("/")[2]
    return None


def imports_of(data: bytes) -> Iterator[Import]:
    """The imports of a text, in order."""
    text = without_comments(data.decode("utf-8", "replace"))
    line, read = 1, 0
    for found in _IMPORT.finditer(text):
        line, read = line + text.count("\n", read, found.start()), found.start()
        name = found[1] if found[1] is not None else found[2]
        if name is not None:
            yield Import(name, line, read - text.rfind("\n", 0, read))


class _Led:
    """Where imports lead among the texts of a folder, whose own root may lie above or below theirs."""

    def __init__(self, texts: dict[str, bytes]) -> None:
        self._by_last: dict[str, list[str]] = {}
        for name in texts:
            self._by_last.setdefault(name.rpartition("/")[2], []).append(name)
        self._targets = {
            name: {each.name: self._target(each.name, name) for each in imports_of(texts[name])} for name in texts
        }
        led = [(each, held) for targets in self._targets.values() for each, held in targets.items()]
        roots = {held.removesuffix(each) for each, held in led if held is not None and held.endswith(each)}
        self._root = min(roots, key=lambda root: (len(root), root), default="")

    def _target(self, imported: str, importer: str) -> str | None:
        """The text that an import means: the one of that name, else the nearest whose name ends so."""
        if _NO_PATH.search(imported):
            return None
        held = self._by_last.get(imported.rpartition("/")[2], [])
        if imported in held:
            return imported
        near = [name for name in held if name.endswith(f"/{imported}")]
        # The contract may be named from a folder below the one that its imports start at.
        near = near or [name for name in held if imported.endswith(f"/{name}")]
        return min(near, key=lambda name: (-_shared(name, importer), len(name), name), default=None)

    def called(self, name: str) -> str:
        """The name under which a text is compiled."""
        return _ended(name.removeprefix(self._root))

    def rewritten(self, name: str, data: bytes) -> bytes:
        """The text with each import under the name that its target is compiled as; no line moves."""
        led = self._targets[name].items()
        moved = {each: self.called(held) for each, held in led if held is not None and self.called(held) != each}
        if not moved:
            return data
        return _WRITTEN.sub(lambda found: found[1] + moved.get(found[2].decode(), found[2].decode()).encode(), data)


def _shared(left: str, right: str) -> int:
    """How many leading folders two names share."""
    pairs = zip(left.split("/")[:-1], right.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _ended(name: str) -> str:
    return name if name.endswith(ENDING) else f"{name}{ENDING}"


# A FileDescriptorSet as JSON, as buf and protobuf's printers write it: made into the bytes that it stands for.


_SET: Final = "google.protobuf.FileDescriptorSet"


def set_of_json(data: bytes, file: str) -> tuple[bytes, tuple[UnsupportedConstruct, ...]]:
    """The serialised set, and the options that its own files do not declare.

    Raises:
        BadInput: `proto-set-broken`, and what `load_descriptors` raises.
    """
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    text = data.decode("utf-8-sig", "replace")
    plain = _parsed(text, FileDescriptorSet(), file, None).SerializeToString()
    pool = load_descriptors(plain, file).pool
    missing = sorted({name for name in _bracketed(json.loads(text)) if not _knows(pool, name)})
    unread = tuple(
        UnsupportedConstruct(Place(file, ""), f"option ({name})", "write the set with the file that declares it")
        for name in missing
    )
    try:
        # Custom options are known to the set's own language only, where it holds that.
        from google.protobuf.message_factory import GetMessageClass

        own = GetMessageClass(pool.FindMessageTypeByName(_SET))()
    except KeyError:
        return plain, unread
    return _parsed(text, own, file, pool).SerializeToString(), unread


def _parsed(text: str, into: Any, file: str, pool: DescriptorPool | None) -> Any:
    from google.protobuf.json_format import Parse, ParseError

    try:
        return Parse(text, into, ignore_unknown_fields=True, descriptor_pool=pool)
    except (ParseError, ValueError, TypeError, KeyError, RecursionError) as error:
        advice = "write the set again, for example buf build -o set.json"
        found = f"no FileDescriptorSet: {' '.join(str(error).split())[:200]}"
        raise bad_input("proto-set-broken", found, file=file, advice=advice) from None


def _bracketed(form: Json) -> Iterator[str]:
    """The names of extensions anywhere in the JSON."""
    waiting = [form]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from (key[1:-1] for key in one if key.startswith("[") and key.endswith("]"))
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _knows(pool: DescriptorPool, name: str) -> bool:
    try:
        pool.FindExtensionByName(name)
    except KeyError:
        return False
    return True


def read(files: Files) -> Contract:
    """The contract of `.proto` texts or of a descriptor set.

    Raises:
        BadInput: every problem that keeps it from being compiled or loaded.
    """
    made = set_in(files.data) if files.entry else None
    made = files.data if made is None and opens_as_bytes(files.data) else made
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


@frozen
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


def _held(types: Mapping[str, Declared], own: set[str], uses: Mapping[str, TypeUse]) -> Iterable[Declared]:
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
    for at, extension in enumerate(scope.file.extension):
        yield made.extension(extension, scope, ((EXTENSIONS, at), ""), features)
    for one in types.values():
        if one.scope is scope and not one.is_enum:
            for at, extension in enumerate(one.proto.extension):
                yield made.extension(extension, scope, ((*one.path, 6, at), one.name), one.features)
