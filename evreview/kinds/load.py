"""A contract of any kind from its files: finds out the kind and hands over to the reader for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Final, Protocol, cast

from evreview.contract.model import Contract
from evreview.contract.source import Files, Load, described
from evreview.core.document_text import without_gc
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import ContractKind
from evreview.evidence.files import contract_source, missing_folders, with_folders


class _Module(Protocol):
    """What the module of a reader holds."""

    def recognises(self, files: Files) -> bool:
        """True when the files say that they are a contract of this kind."""

    def read(self, files: Files) -> Contract:
        """The contract, or `BadInput` with every problem that keeps it from being read at all."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How one kind of contract is recognised and read.

    Attributes:
        kind: the kind.
        opening: what such a contract starts with, for advice.
        module: the module that reads it; it is loaded when it is first asked, and takes no library along before it
            reads.
        first: the bytes with which an ordinary file of this kind starts; no other reader is asked about it before.
    """

    kind: ContractKind
    opening: str
    module: str
    first: re.Pattern[bytes] | None = None

    @property
    def part(self) -> _Module:
        """The reader's module, loaded."""
        return cast("_Module", import_module(self.module))


READERS: Final = (
    Reader(
        ContractKind.PROTOBUF,
        "a `.proto` text opens with `syntax`, `edition`, `package` or `message`",
        "evreview.kinds.protobuf.reader",
    ),
    Reader(
        ContractKind.GRAPHQL,
        "a GraphQL schema defines types, as `type Query { … }`, or is an answer with `__schema`",
        "evreview.kinds.graphql.reader",
    ),
    Reader(
        ContractKind.PYTHON,
        "a Python library is a folder, a `.py` file, a wheel or a source archive",
        "evreview.kinds.python.reader",
    ),
    Reader(
        ContractKind.OPENAPI,
        "an OpenAPI document starts with `openapi` or `swagger`",
        "evreview.kinds.openapi.reader",
        re.compile(rb'\s*\{\s*"(?:openapi|swagger)"\s*:\s*"[23]\.[0-9]'),
    ),
    Reader(ContractKind.ASYNCAPI, "an AsyncAPI document starts with `asyncapi`", "evreview.kinds.asyncapi.reader"),
    Reader(
        ContractKind.AVRO,
        "an Avro schema is a record, an enum, a fixed, or a list of types",
        "evreview.kinds.avro.reader",
    ),
    Reader(
        ContractKind.JSON_SCHEMA,
        "a JSON Schema has `$schema`, `type`, `properties` or `$defs`",
        "evreview.kinds.jsonschema.reader",
    ),
)
"""Asked in this order: texts of their own syntax first, then what is JSON or YAML."""

KINDS: Final = tuple(reader.kind for reader in READERS)
"""The kinds that can be read."""


def read_contract(entry: str, load: Load, names: tuple[str, ...] = (), *, kind: ContractKind | None = None) -> Contract:
    """The contract that starts in the file `entry`, or that a folder holds.

    Args:
        entry: POSIX path relative to the root folder; "" for the whole folder.
        load: gives the bytes of a file by such a path; raises `BadInput` for one that is missing or outside.
        names: the files that belong to it, where they are listed.
        kind: the kind, when it is known; otherwise the files say it.

    Raises:
        BadInput: every problem that keeps the contract from being read at all.
    """
    files = Files(entry, load, names)
    with without_gc():
        for reader in _asked(files, kind):
            if reader.part.recognises(files):
                if kind is None and files.is_folder:
                    _require_alone(reader, files)
                return reader.part.read(files)
    raise _unknown(files, kind)


def _asked(files: Files, kind: ContractKind | None) -> Iterator[Reader]:
    """The readers that may be asked, first the one that the first bytes speak for."""
    able = [reader for reader in READERS if kind in (None, reader.kind)]
    likely = [reader for reader in able if not files.is_folder and reader.first and reader.first.match(files.data)]
    yield from likely
    yield from (reader for reader in able if reader not in likely)


def _require_alone(chosen: Reader, files: Files) -> None:
    """Nothing, when no other reader recognises the folder: what stands beside would not be compared, unsaid.

    Raises:
        BadInput: `contract-kind-ambiguous`.
    """
    others = [reader.kind for reader in READERS if reader is not chosen and _may_be(reader, files)]
    if others:
        kinds = ", ".join((chosen.kind, *others))
        found = f"the folder holds contracts of several kinds: {kinds}"
        raise bad_input("contract-kind-ambiguous", found, advice="say which one is meant with --kind")


def _may_be(reader: Reader, files: Files) -> bool:
    """True when the reader recognises the folder; what it can't read is none of its contracts."""
    try:
        return reader.part.recognises(files)
    except BadInput:
        return False


def _unknown(files: Files, kind: ContractKind | None) -> BadInput:
    advice = "; ".join(reader.opening for reader in READERS if kind in (None, reader.kind))
    if files.entry and not isinstance(files.root, dict):
        found = f"the document is {described(files.root)}, not an object"
        return bad_input("contract-not-object", found, file=files.entry, advice="check that this is the contract")
    found = f"not recognised as a contract{f' of the kind {kind}' if kind else ''}"
    if files.is_folder and kind in (None, ContractKind.OPENAPI, ContractKind.ASYNCAPI):
        advice = f"OpenAPI and AsyncAPI contracts are named by their file; {advice}"
    return bad_input("contract-kind-unknown", found, file=files.entry, advice=advice)


def require_one_kind(released: Contract, candidate: Contract) -> None:
    """Nothing when both contracts are of one kind.

    Raises:
        BadInput: `contract-kinds-differ`.
    """
    if released.kind is not candidate.kind:
        found = f"the released contract is {released.kind}, the candidate is {candidate.kind}"
        advice = "name two contracts of one kind"
        raise bad_input("contract-kinds-differ", found, file=candidate.path, advice=advice)


# A contract read from a path: every message and place names the file as the user named it.


Seen = Callable[[str, bytes], None]


def read_named(
    path: Path, kind: ContractKind | None = None, *, seen: Seen | None = None, include: Sequence[Path] = ()
) -> tuple[Contract, Callable[[str], bytes]]:
    """The contract in a file, and the loader of the files beside it.

    Args:
        path: its file, a folder that holds it, or a pipe.
        kind: detected when left out.
        include: folders that hold what the contract imports and its own folder has not.
        seen: is told each file's name and bytes before they are read as a contract.

    Raises:
        BadInput: it can't be read; a file that it refers to is named beside it.
    """
    folder = path.parent
    try:
        entry, load, names = contract_source(path)
        folder = path.parent if entry else path
        load = with_folders(load, include)
        load = load if seen is None else _watched(load, seen)
        return replace(read_contract(entry, load, names, kind=kind), path=_as_named(path, entry)), load
    except BadInput as error:
        raise BadInput([_named(problem, path, folder) for problem in error.problems]) from None


def read_all(
    paths: Sequence[Path], kind: ContractKind | None = None, *, seen: Seen | None = None, include: Sequence[Path] = ()
) -> list[tuple[Contract, Callable[[str], bytes]]]:
    """What `read_named` reads of each path.

    Raises:
        BadInput: every problem of all of them.
    """
    problems = list(missing_folders(include))
    found: list[tuple[Contract, Callable[[str], bytes]]] = []
    for path in paths:
        try:
            found.append(read_named(path, kind, seen=seen, include=include))
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return found


def options(kind: ContractKind | None, include: Sequence[Path]) -> list[str]:
    """The options of the command line that say how a contract is read."""
    folders = [word for folder in include for word in ("--include", folder.as_posix())]
    return [*(["--kind", kind.value] if kind else []), *folders]


def _as_named(path: Path, entry: str) -> str:
    """The path as the user named it; of a folder with `/` at its end, which tells that files stand inside."""
    return path.as_posix() if entry or path == Path(path.anchor) else f"{path.as_posix()}/"


def folder_of(path: str) -> PurePosixPath:
    """The folder that the places of a named contract are below: itself where a folder was named."""
    return PurePosixPath(path) if path.endswith("/") else PurePosixPath(path).parent


def _watched(load: Callable[[str], bytes], seen: Seen) -> Callable[[str], bytes]:
    told: set[str] = set()

    def watched(name: str) -> bytes:
        data = load(name)
        if name not in told:
            told.add(name)
            seen(name, data)
        return data

    return watched


def _named(problem: Problem, path: Path, folder: Path) -> Problem:
    """The problem with its file below the folder that the user named."""
    if not problem.file:
        return replace(problem, file=_as_named(path, "" if folder == path else path.name))
    as_named = problem.file in (str(path), path.as_posix()) or Path(problem.file).is_absolute()
    return problem if as_named else replace(problem, file=(folder / problem.file).as_posix())
