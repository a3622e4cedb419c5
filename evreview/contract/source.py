"""All files of a contract, read and parsed once: the entry, and what its references lead to inside the root folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evreview.contract.model import Place, UnsupportedConstruct
from evreview.contract.references import RefKind, Resolver, Written, classify_ref, may_hold_refs, scan, sure_local_refs
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Absent, Form, Json

Load = Callable[[str], bytes]

MAX_FILES: Final = 2_000
"""Files that one contract may be split over."""
_NO_FILE: Final = frozenset({"file-missing", "file-not-regular"})
"""What keeps a reference from leading anywhere, and nothing else from being read."""

_ADVICE: Final = {
    RefKind.REMOTE: "nothing is fetched: put a copy beside the contract and refer to that",
    RefKind.OUTSIDE: "only files inside the contract's folder are read: move the file there",
}


@dataclass(frozen=True)
class Files:
    """The files of one contract as they were supplied, nothing of them read yet.

    Attributes:
        entry: the file that the user named, "" for a folder.
        load: bytes of a file by its POSIX path relative to the root folder; raises `BadInput` for one that is missing
            or outside.
        names: the files that belong to the contract, sorted: of a folder all, of a file those that its user listed
            beside it.
    """

    entry: str
    load: Load
    names: tuple[str, ...] = ()

    @property
    def is_folder(self) -> bool:
        """True when a folder was named and no file."""
        return not self.entry

    @cached_property
    def data(self) -> bytes:
        """The bytes of the entry, none for a folder.

        Raises:
            BadInput: it can't be read.
        """
        return self.load(self.entry) if self.entry else b""

    @cached_property
    def source(self) -> Source:
        """The entry as JSON or YAML, with the files that it refers to.

        Raises:
            BadInput: see `load_source`.
        """
        root = self.root
        return load_source(self.entry, lambda name: self.data if name == self.entry else self.load(name), root)

    @cached_property
    def root(self) -> Json:
        """The value of the entry, parsed as JSON or YAML; where its references lead, nobody asks yet.

        Raises:
            BadInput: it can't be read or parsed.
        """
        try:
            return parse_text(self.data, self.entry)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise _missing(self.entry) from None

    def named(self, *endings: str) -> tuple[str, ...]:
        """The files of the contract whose names end so."""
        return tuple(name for name in self.names if name.lower().endswith(endings))


@frozen
class Source:
    """The parsed files of one contract.

    Attributes:
        entry: the file that the user named.
        root: its value.
        documents: every file, the entry first.
        sha256: of the entry's bytes; of the sorted digests when there are several files.
        unread: references that lead nowhere.
    """

    entry: str
    root: Json
    documents: Mapping[str, Json]
    sha256: str
    unread: tuple[UnsupportedConstruct, ...]


def load_source(entry: str, load: Load, root: Form = ABSENT, *, elsewhere: bool = False) -> Source:
    """The contract's files, as far as references reach.

    Args:
        entry: the file that the user named.
        load: gives the bytes of a file.
        root: the value of the entry, when it was parsed before.
        elsewhere: True where a format has parts that live on servers as a rule (schemas in a registry): references to
            the network are then unread, and everything else is read without them.

    Raises:
        BadInput: a file that can't be read or parsed, a reference out of the folder (`ref-outside-bundle`) or to the
            network (`ref-remote`).
    """
    gathering = _Gathering(load, {} if isinstance(root, Absent) else {entry: root})
    gathering.add(entry)
    root = gathering.documents[entry]
    unread = gathering.close(elsewhere=elsewhere)
    return Source(entry, root, gathering.documents, gathering.digest(), unread)


class _Gathering:
    def __init__(self, load: Load, parsed: Mapping[str, Json]) -> None:
        self._load = load
        self._parsed = parsed
        self._digests: list[str] = []
        self._suspects: list[Written] = []
        self._missing: set[str] = set()
        self.documents: dict[str, Json] = {}

    def add(self, entry: str) -> None:
        """Reads a file and every file that it refers to."""
        waiting = [entry]
        while waiting:
            file = waiting.pop()
            if file not in self.documents and file not in self._missing:
                waiting.extend(sorted(self._read(file, optional=file != entry), reverse=True))

    def _read(self, file: str, *, optional: bool) -> set[str]:
        """Reads one file; the files that it refers to."""
        if len(self.documents) >= MAX_FILES:
            raise bad_input("contract-too-many-files", f"split over more than {MAX_FILES} files", file=file)
        data = self._bytes(file, optional=optional)
        if data is None:
            self._missing.add(file)
            return set()
        self._digests.append(hashlib.sha256(data).hexdigest())
        self.documents[file] = self._parsed[file] if file in self._parsed else parse_text(data, file)
        return self._references(file, data)

    def _bytes(self, file: str, *, optional: bool) -> bytes | None:
        try:
            return self._load(file)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            if optional:
                return None
            raise _missing(file) from None
        except BadInput as error:
            if optional and all(problem.code in _NO_FILE for problem in error.problems):
                return None
            raise

    def _references(self, file: str, data: bytes) -> set[str]:
        """The files that a file refers to; what needs a closer look is kept for the end."""
        document = self.documents[file]
        if not may_hold_refs(data):
            return set()
        refs = sure_local_refs(data)
        if refs is not None:
            resolver = Resolver({file: document})
            if all(resolver.resolves(file, ref) for ref in refs):
                return set()
        written = scan(document, file)
        self._suspects.extend(written)
        named = (classify_ref(file, each.ref) for each in written)
        return {target for kind, target, _ in named if kind is RefKind.FILE}

    def close(self, *, elsewhere: bool = False) -> tuple[UnsupportedConstruct, ...]:
        """The references that lead nowhere, and those to the network where that is ordinary (`elsewhere`).

        Raises:
            BadInput: one problem for each reference that must not be followed.
        """
        resolver = Resolver(self.documents)
        problems: list[Problem] = []
        unread: list[UnsupportedConstruct] = []
        for each in self._suspects:
            if resolver.target(Place(each.file, ""), each.ref) is not None:
                continue
            kind, _, _ = classify_ref(each.file, each.ref)
            if kind is RefKind.REMOTE and elsewhere:
                unread.append(
                    UnsupportedConstruct(each.place, f"the reference {each.ref} leads to the network", _ADVICE[kind])
                )
            elif kind in _ADVICE:
                problems.append(_refusal(kind, each))
            else:
                found = f"the reference {each.ref} leads nowhere"
                unread.append(
                    UnsupportedConstruct(each.place, found, "correct the reference, or supply the missing part")
                )
        if problems:
            raise BadInput(problems)
        return tuple(unread)

    def digest(self) -> str:
        """Of the only file, or of the sorted digests of all."""
        return _joined(self._digests)


def _missing(file: str) -> BadInput:
    return bad_input("file-missing", "there is no such file", file=file, advice="name a contract file")


def digest_of(parts: Iterable[bytes]) -> str:
    """The digest of a contract that is no JSON or YAML: of its only file, or of the sorted digests of all."""
    return _joined([hashlib.sha256(part).hexdigest() for part in parts])


def _joined(digests: Sequence[str]) -> str:
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def _refusal(kind: RefKind, each: Written) -> Problem:
    remote = kind is RefKind.REMOTE
    return Problem(
        code="ref-remote" if remote else "ref-outside-bundle",
        found=f"the reference {each.ref} leads {'to the network' if remote else 'out of the folder'}",
        file=each.file,
        place=f"#{each.place.pointer}",
        advice=_ADVICE[kind],
    )


def described(value: Json) -> str:
    """What a value that is no object is called in messages."""
    return "a list" if isinstance(value, list) else "empty" if value is None else "a single value"
