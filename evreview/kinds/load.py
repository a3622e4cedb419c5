"""A contract of any kind from its files: finds out the kind and hands over to the reader for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from posixpath import normpath

from evreview.comparison.kind_spec import KindSpec, unrecognised
from evreview.contract.model import Contract
from evreview.contract.source import Files, Load
from evreview.core.document_text import without_gc
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import ContractKind
from evreview.evidence.files import contract_source, memoised, missing_folders, with_folders
from evreview.evidence.repository import Commits
from evreview.kinds.registry import KINDS, spec_of


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
        if kind is not None:
            return spec_of(kind).read_as_named(files)
        for spec in _asked(files):
            if spec.recognises(files):
                if files.is_folder:
                    _require_alone(spec, files)
                return spec.read(files)
    raise unrecognised(files, KINDS)


def _asked(files: Files) -> Iterator[KindSpec]:
    """The kinds that may be asked, first the one that the first bytes speak for."""
    likely = [spec for spec in KINDS if not files.is_folder and spec.starts_like and spec.starts_like.match(files.data)]
    yield from likely
    yield from (spec for spec in KINDS if spec not in likely)


def _require_alone(chosen: KindSpec, files: Files) -> None:
    """Nothing, when no other kind recognises the folder: what stands beside would not be compared, unsaid.

    Raises:
        BadInput: `contract-kind-ambiguous`.
    """
    others = [spec.kind for spec in KINDS if spec is not chosen and _may_be(spec, files)]
    if others:
        kinds = ", ".join((chosen.kind, *others))
        found = f"the folder holds contracts of several kinds: {kinds}"
        raise bad_input("contract-kind-ambiguous", found, advice="say which one is meant with --kind")


def _may_be(spec: KindSpec, files: Files) -> bool:
    """True when the kind recognises the folder; what it can't read is none of its contracts."""
    try:
        return spec.recognises(files)
    except BadInput:
        return False


# A contract read from a path, every message and place naming the file as the user named it.


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


def read_at(
    commits: Commits, ref: str, path: str, kind: ContractKind | None = None, *, seen: Seen | None = None
) -> tuple[Contract, Callable[[str], bytes]]:
    """The contract that a file or folder of a repository holds at a commit, and the loader of the files beside it.

    Args:
        commits: those of a local clone.
        ref: names the commit.
        path: the file or folder, from the repository's root; references may lead anywhere inside the repository.
        kind: detected when left out.
        seen: is told each file's path in the repository and its bytes.

    Raises:
        BadInput: it can't be read; every file is named `REF:path`.
    """
    commit = commits.commit(ref)
    entry = commits.entry(commit, path)
    is_folder = entry is not None and entry.type == "tree"
    root = f"{entry.path}/" if is_folder and entry and entry.path else ""
    names = tuple(name.removeprefix(root) for name in commits.files(commit, root)) if is_folder else ()
    load = memoised(lambda name: commits.read(commit, root + name))
    watched = load if seen is None else _watched(load, lambda name, data: seen(root + name, data))
    try:
        contract = read_contract("" if is_folder else normpath(path), watched, names, kind=kind)
    except BadInput as error:
        named = (replace(each, file=f"{ref}:{root}{each.file or path}") for each in error.problems)
        raise BadInput(named) from None
    return replace(contract, path=f"{ref}:{normpath(path)}{'/' * is_folder}"), load


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
