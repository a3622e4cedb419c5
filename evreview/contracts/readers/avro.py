"""Avro schemas and protocols as a contract: one file, or a folder of files that name each other's types."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Contract, Place, Unread
from evreview.contract.source import Files
from evreview.contracts.avro.model import NAMED, PRIMITIVES, REFERENCE, Schema, Type
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import ContractKind, Json
from evreview.kinds.avro.alignment import fields, paired
from evreview.kinds.avro.parser import Parsed, schema
from evreview.kinds.avro.reader import Called, alone, document, keys

ENDINGS: Final = (".avsc", ".avpr")
_ONLY_AVRO: Final = frozenset(PRIMITIVES) - {"null", "boolean", "string"}
_JSON_SCHEMA: Final = frozenset({"$schema", "$id", "$ref", "$defs", "definitions", "properties", "additionalItems"})
"""Keywords that no Avro schema has at its top."""
_MAX_FILES: Final = 2_000
_TOO_DEEP: Final = "the types are nested too deeply"


def recognises(files: Files) -> bool:
    """True when what is written is an Avro schema or protocol, or the folder holds such files.

    Raises:
        BadInput: it is no JSON and no YAML.
    """
    if files.is_folder:
        return bool(files.named(*ENDINGS))
    return files.entry.lower().endswith(ENDINGS) or _is_avro(files.root)


def _is_avro(node: Json) -> bool:
    """True for what no other kind of contract would write."""
    if isinstance(node, str):
        return node in PRIMITIVES
    if isinstance(node, list):
        return bool(node) and all(isinstance(each, (str, dict)) and (_is_avro(each) or _is_name(each)) for each in node)
    if not isinstance(node, dict):
        return False
    if not _JSON_SCHEMA.isdisjoint(node):
        return False
    if "protocol" in node:
        return "messages" in node or "types" in node
    sort = node.get("type")
    if sort in NAMED:
        return "name" in node
    if isinstance(sort, str) and sort in _ONLY_AVRO:
        return True
    if sort == "map":
        return "values" in node
    inner = node.get("items") if sort == "array" else None
    return isinstance(inner, str) or _is_union(inner) or _is_avro(inner)


def _is_union(inner: Json) -> bool:
    """True for a list in which a type is named, or that holds one of Avro's: JSON Schema lists schemas there."""
    return isinstance(inner, list) and any(isinstance(each, str) or _is_avro(each) for each in inner)


def _is_name(node: Json) -> bool:
    return isinstance(node, str) and "." in node


def read(files: Files) -> Contract:
    """The contract that an Avro schema, a protocol or a folder of them describes.

    Raises:
        BadInput: every `avro-…` problem that keeps it from being a schema.
    """
    documents = _documents(files)
    try:
        found, unread = _schema(documents, files.entry)
        # The place of a folder's document is no file: its root is what the files say together.
        root = document(found, alone(found), Place(files.entry, ""))
    except RecursionError:
        raise bad_input("avro-too-deep", _TOO_DEEP, file=files.entry, advice="split the schema") from None
    digests = [hashlib.sha256(files.load(file)).hexdigest() for file in documents]
    only = next(iter(found.roots.values()), None)
    title = only.name if only is not None and len(found.roots) == 1 else found.protocol
    return Contract(
        kind=ContractKind.AVRO,
        version="protocol" if found.protocol else "schema",
        title=title,
        release="",
        path=files.entry,
        sha256=digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest(),
        root=root,
        documents=documents,
        unread=unread,
    )


def schema_of(contract: Contract) -> Schema:
    """The schema that an Avro contract was read from."""
    return _schema(contract.documents, contract.root.place.file)[0]


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two contracts whose elements are called alike where one continues the other, and their schemas."""

    released: Contract
    candidate: Contract


def aligned(released: Contract, candidate: Contract) -> Aligned:
    """Both contracts with one key for each type, field and root that the candidate continues under another name."""
    old, new = schema_of(released), schema_of(candidate)
    types = paired(old, new)
    members = {
        (name, key): source
        for name, other in types.items()
        for key, source in fields(old.names[other], new.names[name]).items()
    }
    old, new, roots = _rooted(old, new, types)
    here = {(name, ""): other for name, other in types.items()} | members
    there = {(other, ""): name for name, other in types.items()}
    there |= {(types[name], source): key for (name, key), source in members.items()}
    both = [(name, other) for name, other in types.items() if old.names[other].inherits and new.names[name].inherits]
    own = keys(old)
    before = Called(
        {name: own[name] for name in types.values()}, others=there, inherited=frozenset(other for _, other in both)
    )
    named = {name: own[other] for name, other in types.items()}
    after = Called(named, members, roots, here, frozenset(name for name, _ in both))
    return Aligned(
        replace(released, root=document(old, before, released.root.place)),
        replace(candidate, root=document(new, after, candidate.root.place)),
    )


def _rooted(old: Schema, new: Schema, types: Mapping[str, str]) -> tuple[Schema, Schema, dict[str, str]]:
    """Both schemas with every type as a root that is one on either side, and the released keys of the candidate's."""
    if len(old.roots) == len(new.roots) == 1:
        return old, new, {next(iter(new.roots)): next(iter(old.roots))}
    before = {root.name: key for key, root in old.roots.items() if root.sort == REFERENCE}
    roots = {key: before[types[root.name]] for key, root in new.roots.items() if types.get(root.name) in before}
    return old, new, roots


def _documents(files: Files) -> dict[str, Json]:
    """The parsed files: of a folder all, of an entry it, what is listed beside it, and what its names lead to.

    Raises:
        BadInput: every file that can't be read.
    """
    names = files.named(*ENDINGS) if files.is_folder else (files.entry, *files.named(*ENDINGS))
    if len(names) > _MAX_FILES:
        raise bad_input("contract-too-many-files", f"split over more than {_MAX_FILES} files", file=files.entry)
    found: dict[str, Json] = {}
    problems: list[Problem] = []
    for name in dict.fromkeys(names):
        try:
            found[name] = files.root if name == files.entry else parse_text(files.load(name), name)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return found if files.is_folder else _beside(files, found)


def _beside(files: Files, found: dict[str, Json]) -> dict[str, Json]:
    """The documents, with the files beside the entry that define the names it leaves open, as `<name>.avsc`."""
    while len(found) < _MAX_FILES:
        parsed, _ = _parsed(found)
        folder = files.entry.rpartition("/")[0]
        wanted = [f"{folder}/{each}".lstrip("/") for name in sorted(parsed.absent()) for each in _spelled(name)]
        more = {name: node for name in wanted if name not in found for node in _optional(files, name)}
        if not more:
            break
        found |= more
    return found


def _spelled(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{each}.avsc" for each in (name, name.rpartition(".")[2])))


def _optional(files: Files, name: str) -> Iterator[Json]:
    try:
        yield parse_text(files.load(name), name)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return
    except BadInput as error:
        if any(problem.code not in ("file-missing", "file-not-regular") for problem in error.problems):
            raise


def _parsed(documents: Mapping[str, Json]) -> tuple[Parsed, dict[str, Type]]:
    parsed = Parsed()
    tops = {file: top for file, node in documents.items() if (top := parsed.document(node, file)) is not None}
    return parsed, tops


def _schema(documents: Mapping[str, Json], entry: str) -> tuple[Schema, tuple[Unread, ...]]:
    """The schema of all documents; of an entry with files beside it, what the entry says.

    Raises:
        BadInput: everything that keeps it from being a schema.
    """
    parsed, tops = _parsed(documents)
    for name, place in parsed.absent().items():
        advice = "name the folder with the file that defines it, or put that file beside this one"
        parsed.wrong("avro-name-unknown", f"no type is called {name}", place, advice)
    if parsed.problems:
        raise BadInput(parsed.problems)
    return schema(parsed, {entry: tops[entry]} if entry in tops else {} if entry else tops), tuple(parsed.unread)
