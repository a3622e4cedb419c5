"""A contract of any kind from its files: finds out the kind and hands over to the reader for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from posixpath import join, normpath
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, unrecognised
from evreview.contract.model import Contract
from evreview.contract.source import Files, Load
from evreview.core.document_text import merge_conflicts, without_gc
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ContractKind
from evreview.evidence.files import contract_source, is_there, memoised, missing_folders, read_inside, with_folders
from evreview.kinds.registry import KINDS, spec_of

if TYPE_CHECKING:
    from evreview.evidence.repository import Commits


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
    read: dict[str, bytes] = {}

    def noted(name: str) -> bytes:
        read[name] = load(name)
        return read[name]

    try:
        return _read(Files(entry, noted, names), kind)
    except BadInput as error:
        # What the reader says of the marks of a merge helps nobody.
        raise BadInput(tuple(merge_conflicts(read)) or error.problems) from error


def _read(files: Files, kind: ContractKind | None) -> Contract:
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
Read = tuple[Contract, Callable[[str], bytes]]


def read_named(
    path: Path, kind: ContractKind | None = None, *, seen: Seen | None = None, include: Sequence[Path] = ()
) -> Read:
    """The contract in a file, and the loader of the files beside it.

    Args:
        path: its file, a folder that holds it, a pipe, or `REF:path`, see `git_place`.
        kind: detected when left out.
        include: folders that hold what the contract imports and its own folder has not.
        seen: is told each file's name and bytes before they are read as a contract.

    Raises:
        BadInput: it can't be read; a file that it refers to is named beside it.
    """
    asked = git_place(path)
    if asked is not None:
        return _read_from_git(*asked, kind, seen, include)
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
) -> list[Read]:
    """What `read_named` reads of each path.

    Raises:
        BadInput: every problem of all of them.
    """
    on_disk = [folder for folder in include if folder.is_absolute() or not all(map(git_place, paths))]
    problems = list(missing_folders(on_disk))
    found: list[Read] = []
    for path in paths:
        try:
            found.append(read_named(path, kind, seen=seen, include=include))
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return found


# The same at a commit. What is not asked for costs nothing: no other comparison loads what asks git.


_GIT_PLACE: Final = re.compile(r"(?![./])(?P<ref>[^\s:?*\[\\]{2,}):(?P<path>.*)", re.S)


def git_place(path: Path) -> tuple[str, str] | None:
    """The commit's name and the path in the repository that `REF:path` says; None for the path of a file.

    What is there stays a file, whatever it is called. One letter before the colon is a drive.
    """
    found = _GIT_PLACE.fullmatch(path.as_posix()) if ":" in path.as_posix() else None
    return (found["ref"], found["path"]) if found and not is_there(path) else None


def _read_from_git(ref: str, path: str, kind: ContractKind | None, seen: Seen | None, include: Sequence[Path]) -> Read:
    """What `REF:path` names in the clone that the user stands in; `./path` is from where the user stands, as for git.

    Raises:
        BadInput: see `read_at`; there is no such clone.
    """
    from evreview.evidence.repository import Commits

    told = None if seen is None else (lambda name, data: seen(f"{ref}:{name}", data))
    try:
        commits = Commits.of(Path())
        here = commits.prefix() if path.startswith(("./", "../")) or include else ""
        named = join(here, path) if path.startswith(("./", "../")) else path
        beside = [folder if folder.is_absolute() else Path(here, folder) for folder in include]
        return read_at(commits, ref, named, kind, seen=told, include=beside)
    except BadInput as error:
        advice = "No file has this name either"
        lost = {"no-repository", "ref-unknown"}
        raise BadInput(
            replace(each, file=f"{ref}:{path}", advice=f"{each.advice}. {advice}") if each.code in lost else each
            for each in error.problems
        ) from None


def read_at(  # noqa: PLR0913  a commit, a path in it, and the options of every reading
    commits: Commits,
    ref: str,
    path: str,
    kind: ContractKind | None = None,
    *,
    seen: Seen | None = None,
    include: Sequence[Path] = (),
) -> Read:
    """The contract that a file or folder of a repository holds at a commit, and the loader of the files beside it.

    Places are below the contract's folder. Imports that it has not start at the folders of the repository that have
    them. A contract that refers out of it, or whose path starts with `/`, is read
    from the repository's root, and is then called `REF:/path`.

    Args:
        commits: those of a local clone.
        ref: names the commit.
        path: the file or folder, from the repository's root.
        kind: detected when left out.
        seen: is told each file's path in the repository and its bytes.
        include: folders of the commit, absolute ones of the disk, that hold what the contract imports.

    Raises:
        BadInput: it can't be read; every file is named `REF:path`.
    """
    beside = _GitFolders(commits, commits.commit(ref), include)
    try:
        return _read_from(beside, ref, path, kind, seen)
    except BadInput as error:
        codes = {each.code for each in error.problems}
        led = next((spec for spec in KINDS if spec.leads_nowhere in codes), None)
        more = beside.importing(led, normpath(path.lstrip("/") or ".")) if led else ()
        if not more:
            raise
    return _read_from(_GitFolders(commits, beside.commit, (*include, *more)), ref, path, kind, seen)


def _read_from(beside: _GitFolders, ref: str, path: str, kind: ContractKind | None, seen: Seen | None) -> Read:
    commits, commit = beside.commits, beside.commit
    name = normpath(path.lstrip("/") or ".")
    entry = commits.entry(commit, name)
    if entry is not None and entry.type == "tree":
        root = f"{entry.path}/" if entry.path else ""
        names = tuple(each.removeprefix(root) for each in commits.files(commit, root))
        return _read_below(root, "", ref, beside, kind, seen, names)
    root = name[: name.rfind("/") + 1]
    try:
        return _read_below("" if path.startswith("/") else root, name, ref, beside, kind, seen)
    except BadInput as error:
        if not root or path.startswith("/") or _OUTSIDE.isdisjoint(each.code for each in error.problems):
            raise
    return _read_below("", name, ref, beside, kind, seen)


_OUTSIDE: Final = frozenset({"ref-outside-bundle"})


def _read_below(  # noqa: PLR0913  what every reading of a commit needs
    root: str, name: str, ref: str, beside: _GitFolders, kind: ContractKind | None, seen: Seen | None,
    names: tuple[str, ...] = (),
) -> Read:  # fmt: skip
    """The contract in the file `name`, in the folder `root` for "", its files named from there.

    Raises:
        BadInput: it can't be read.
    """
    places: dict[str, str] = {}

    def placed(each: str) -> bytes:
        places[each], data = beside.read(root, each)
        return data

    load = memoised(placed)
    watched = load if seen is None else _watched(load, lambda each, data: seen(places[each], data))
    far = "/" if name.count("/") and not root else ""
    try:
        found = read_contract(name.removeprefix(root), watched, names, kind=kind)
    except BadInput as error:
        files = (each.file and places.get(each.file, normpath(root + each.file)) for each in error.problems)
        named = (f"{ref}:{file or name or root}" for file in files)
        raise BadInput(replace(each, file=file) for each, file in zip(error.problems, named, strict=True)) from None
    return replace(found, path=f"{ref}:{far}{name or root}"), load


@frozen
class _GitFolders:
    """The folders of a commit in which a contract's files may stand; absolute ones are of the disk."""

    commits: Commits
    commit: str
    include: Sequence[Path]

    def __post_init__(self) -> None:
        for folder in self.include:
            found = None if folder.is_absolute() else self.commits.entry(self.commit, folder.as_posix())
            if not folder.is_absolute() and (found is None or found.type != "tree"):
                told, advice = f"there is no such folder at commit {self.commit[:12]}", "Name a folder of the commit"
                raise bad_input("include-missing", told, file=folder.as_posix(), advice=advice)

    def read(self, root: str, name: str) -> tuple[str, bytes]:
        """A file below the contract's folder, or below one of the others: its path in the repository, and its bytes.

        Raises:
            BadInput: there is none.
        """
        own = normpath(root + name)
        try:
            return own, self.commits.read(self.commit, own)
        except BadInput as error:
            for folder in self.include:
                place = normpath((folder / name).as_posix())
                if folder.is_absolute() and is_there(folder / name):
                    return place, read_inside(folder, name)
                if not folder.is_absolute() and self.commits.entry(self.commit, place):
                    return place, self.commits.read(self.commit, place)
            # Like those of a reader, problems name files below the contract's folder.
            raise BadInput(replace(problem, file=name) for problem in error.problems) from None

    def importing(self, spec: KindSpec, name: str) -> tuple[Path, ...]:
        """The folders of the commit from which a contract imports what its own folder has not."""
        names = (each for each in self.commits.files(self.commit) if each.lower().endswith(spec.endings))
        texts = dict(self.commits.contents(self.commit, names))
        folder = "" if name == "." else f"{name}/" if name not in texts else name[: name.rfind("/") + 1]
        found = spec.folders(texts, ())
        return tuple(map(Path, found.include(folder))) if found else ()


def file_of(named: str) -> str:
    """The file that a path names, without the commit where it names one."""
    found = _GIT_PLACE.fullmatch(named)
    return found["path"].lstrip("/") if found else named


def options(kind: ContractKind | None, include: Sequence[Path]) -> list[str]:
    """The options of the command line that say how a contract is read."""
    folders = [word for folder in include for word in ("--include", folder.as_posix())]
    return [*(["--kind", kind.value] if kind else []), *folders]


def _as_named(path: Path, entry: str) -> str:
    """The path as the user named it; of a folder with `/` at its end, which tells that files stand inside.

    One that reads like `REF:path` is named from its folder, so that nobody takes it for that.
    """
    named = path.as_posix() if entry or path == Path(path.anchor) else f"{path.as_posix()}/"
    return f"./{named}" if _GIT_PLACE.fullmatch(named) else named


def folder_of(path: str) -> PurePosixPath:
    """The folder that the places of a named contract are below: itself where a folder was named."""
    found = _GIT_PLACE.fullmatch(path)
    if found and (found["path"].startswith("/") or "/" not in found["path"]):
        return PurePosixPath(f"{found['ref']}:/")
    return PurePosixPath(path) if path.endswith("/") else PurePosixPath(path).parent


def entry_of(path: str) -> str:
    """The file of a named contract as its places name it."""
    found = _GIT_PLACE.fullmatch(path)
    return found["path"][1:] if found and found["path"].startswith("/") else PurePosixPath(file_of(path)).name


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
