"""What bundles made from a repository share: contracts and files as a commit holds them, and items with their digests.

A commit is read and never checked out; links, submodules and files that a merge left unfinished are refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from posixpath import normpath
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import learn
from evreview.core.document_text import merge_conflicts
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import ContractKind, EvidenceType, Json, WorkflowId

if TYPE_CHECKING:
    from evreview.contract.model import Contract
    from evreview.evidence.repository import Commits

MARK: Final = "FILL-IN"
HELD: Final = "repository/"
"""Where a bundle of one revision keeps the repository's files, under their paths there."""
RELEASED: Final = "contracts/released/"
CANDIDATE: Final = "contracts/candidate/"
"""Where a comparison keeps its contracts, under their paths in the repository."""
ORIGIN: Final = "origin.yaml"
MAX_SOURCES: Final = 500
"""Files of code that a bundle takes; each is an item that somebody reads."""
_PLAIN_PATH: Final = re.compile(r"[^\s:,;()]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the evidence of a new review comes from; paths are from the repository's root.

    Attributes:
        repository: a folder of a local clone.
        released, candidate: the two commits of a comparison, by any name; a review of one revision has no first.
        contract, code, tests: the contract's file or folder, and the folders or files of code and tests.
        kind: of the contract, detected when left out.
    """

    repository: Path
    candidate: str
    released: str = ""
    contract: str = ""
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    kind: ContractKind | None = None


def origin_text(origin: Origin, released: str, candidate: str) -> str:
    """What a contract review was read from, so that `evreview update` can find it again; both are full commits."""
    from evreview.core.yaml_text import as_yaml

    stated: dict[str, Json] = {
        "contract": origin.contract,
        **({"contract_kind": str(origin.kind)} if origin.kind else {}),
        "code": list(origin.code),
        "released": released,
        "released_ref": origin.released,
        "candidate": candidate,
        "candidate_ref": origin.candidate,
    }
    return (
        f"# What `evreview new` read this review from. It is no evidence; `evreview update` uses it.\n{as_yaml(stated)}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFrom:
    """The origin as it was named, and both full commits."""

    origin: Origin
    released: str
    candidate: str


def read_origin(folder: Path) -> MadeFrom:
    """What a contract review was read from.

    Raises:
        BadInput: it does not say, or not in the form that `evreview new` writes.
    """
    from evreview.evidence.bundle_folder import REVIEW, folder_of, read_yaml
    from evreview.evidence.files import require_folder
    from evreview.evidence.records.review import ReviewOrigin
    from evreview.evidence.typed_reader import read_model

    root = folder_of(folder)
    require_folder(root, REVIEW)
    if not (root / ORIGIN).is_file():
        found, advice = "the review does not say what it was made from", "Make it with evreview new w1 --repo"
        raise bad_input("origin-missing", found, file=ORIGIN, advice=advice)
    _, raw = read_yaml(root, ORIGIN)
    stated, problems = read_model(ReviewOrigin, raw, file=ORIGIN)
    if stated is None or problems:
        raise BadInput(problems)
    origin = Origin(
        repository=Path(),
        released=stated.released_ref,
        candidate=stated.candidate_ref,
        contract=stated.contract,
        code=stated.code,
        kind=stated.contract_kind,
    )
    return MadeFrom(origin=origin, released=stated.released, candidate=stated.candidate)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromOptions:
    """The options of `evreview new` that a workflow needs and takes beside `--repo`."""

    needs: tuple[str, ...]
    allows: tuple[str, ...]


OPTIONS: Final[Mapping[WorkflowId, FromOptions]] = {
    WorkflowId.W1: FromOptions(needs=("--from", "--to", "--contract"), allows=("--code", "--kind")),
    WorkflowId.W2: FromOptions(needs=("--at", "--contract", "--code"), allows=("--tests",)),
    WorkflowId.W3: FromOptions(needs=("--at", "--code"), allows=("--tests",)),
}


def require_options(workflow: WorkflowId, given: Mapping[str, bool]) -> None:
    """Nothing when a review of a workflow can be made of a repository from the options given.

    Raises:
        BadInput: an option is missing, or is none of the workflow's; each is told.
    """
    known = OPTIONS[workflow]
    every = ", ".join((*known.needs, *known.allows))
    problems = [
        Problem(code="option-missing", found=f"{name} is not given", advice=f"{workflow.lower()} takes {every}")
        for name in known.needs
        if not given.get(name)
    ]
    problems += [
        Problem(code="not-allowed", found=f"{name} is no option here", advice=f"{workflow.lower()} takes {every}")
        for name, said in given.items()
        if said and name not in (*known.needs, *known.allows)
    ]
    if problems:
        raise BadInput(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One contract as a commit holds it: `files` are the bytes of all its files by path, the entry first."""

    ref: str
    commit: str
    contract: Contract
    files: Mapping[str, bytes]


def side_of(commits: Commits, ref: str, path: str, kind: ContractKind | None) -> Side:
    """The contract at a path of a commit, with everything that it refers to.

    Raises:
        BadInput: it can't be read; every file is named `REF:path`.
    """
    from evreview.kinds.load import file_of, read_at

    seen: dict[str, bytes] = {}

    def note(name: str, data: bytes) -> None:
        seen[name] = data
        learn(f"{ref}:{name}", data)

    try:
        contract, _ = read_at(commits, ref, path, kind, seen=note)
    except BadInput as error:
        raise BadInput(tuple(conflicts(ref, seen)) or error.problems) from error
    refuse_conflicts(ref, seen)
    entry = file_of(contract.path)
    first = entry if entry in seen else _entry_of(seen)
    files = {first: seen[first], **{name: seen[name] for name in sorted(seen) if name != first}}
    return Side(ref=ref, commit=commits.commit(ref), contract=contract, files=files)


def _entry_of(files: Mapping[str, bytes]) -> str:
    """The file of a folder that stands for the contract: a package's own module, else the first by name."""
    packages = [name for name in files if name.rpartition("/")[2] in ("__init__.py", "__init__.pyi")]
    return min(packages, key=lambda name: (name.count("/"), name)) if packages else min(files)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Files of a commit by path, and how many others stand in the folders named: other languages, links, submodules."""

    files: Mapping[str, bytes]
    left_out: int

    def without(self, names: Collection[str]) -> Held:
        """The files but those of these names."""
        return Held(
            files={name: data for name, data in self.files.items() if name not in names}, left_out=self.left_out
        )


def held_at(commits: Commits, ref: str, paths: Sequence[str]) -> Held:
    """The Python files below folders of a commit, and every file that is named itself.

    Raises:
        BadInput: with every path that is none, a link, a submodule or a folder without any, and every file that is no
            text or holds a merge conflict; or there are too many files.
    """
    from evreview.evidence.files import text_of

    commit, names, problems = commits.commit(ref), dict[str, None](), list[Problem]()
    left_out = 0
    for path in paths:
        try:
            entries = commits.below(commit, path)
        except BadInput as error:
            problems += (_at(ref, problem) for problem in error.problems)
            continue
        chosen = [each.path for each in entries if each.is_file and _is_taken(each.path, path)]
        if not chosen:
            found, advice = "there is no Python file below this folder", "Name the files themselves"
            problems.append(Problem(code="file-missing", found=found, file=f"{ref}:{path}", advice=advice))
        left_out += len(entries) - len(chosen)
        names |= dict.fromkeys(chosen)
    if len(names) > MAX_SOURCES:
        advice = "Name the folders or files that the review is about"
        found = f"{len(names):,} files, more than {MAX_SOURCES}"
        problems.append(Problem(code="folder-too-large", found=found, file=f"{ref}:{', '.join(paths)}", advice=advice))
    files: dict[str, bytes] = {}
    for name in () if problems else sorted(names):
        try:
            files[name] = commits.read(commit, name)
            text_of(files[name], name)
        except BadInput as error:
            problems += (_at(ref, problem) for problem in error.problems)
    problems += conflicts(ref, files)
    if problems:
        raise BadInput(problems)
    for name, data in files.items():
        learn(f"{ref}:{name}", data)
    return Held(files=files, left_out=left_out)


def code_and_tests(commits: Commits, origin: Origin) -> tuple[Held, Held]:
    """The code, and the tests, which are no code then.

    Raises:
        BadInput: with everything that is wrong with either.
    """
    problems: list[Problem] = []
    with collecting(problems):
        tests = held_at(commits, origin.candidate, origin.tests)
    with collecting(problems):
        code = held_at(commits, origin.candidate, origin.code)
    if problems:
        raise BadInput(problems)
    return code.without(tests.files), tests


@contextmanager
def collecting(problems: list[Problem]) -> Iterator[None]:
    """Adds what is wrong inside to the problems, each once, so that the next may be looked at too."""
    try:
        yield
    except BadInput as error:
        problems += (problem for problem in error.problems if problem not in problems)


def require_paths(commits: Commits, refs: Sequence[str], paths: Sequence[str]) -> None:
    """Nothing when each path is a file or folder at one of the commits at least.

    Raises:
        BadInput: with every path that is none, a link or a submodule.
    """
    problems: list[Problem] = []
    for path in paths:
        wrong: list[list[Problem]] = [[] for _ in refs]
        for ref, own in zip(refs, wrong, strict=True):
            with collecting(own):
                commits.below(commits.commit(ref), path)
        problems += (_at(refs[-1], problem) for problem in (wrong[-1] if refs and all(wrong) else ()))
    if problems:
        raise BadInput(problems)


def _is_taken(name: str, asked: str) -> bool:
    return name.endswith(".py") or name == normpath(asked)


def _at(ref: str, problem: Problem) -> Problem:
    return replace(problem, file=f"{ref}:{problem.file}")


def conflicts(ref: str, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """The files in which a merge was left unfinished, each with the first line that shows it; of a commit, if named."""
    yield from (replace(each, file=f"{ref}:{each.file}" if ref else each.file) for each in merge_conflicts(files))


def refuse_conflicts(ref: str, files: Mapping[str, bytes]) -> None:
    """Nothing when no merge was left unfinished.

    Raises:
        BadInput: with every file in which one was.
    """
    found = tuple(conflicts(ref, files))
    if found:
        raise BadInput(found)


@dataclass(slots=True)
class Draft:
    """A bundle that comes into being: its files, and the entries of its evidence list."""

    files: dict[str, str | bytes] = field(default_factory=dict)
    evidence: list[dict[str, Json]] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)

    def add(
        self, kind: EvidenceType, file: str, data: str | bytes, establishes: str, at: str = "", **more: Json
    ) -> str:
        """The id of a new item with its digest."""
        identity = f"E{len(self.evidence) + 1}"
        raw = data.encode() if isinstance(data, str) else data
        self.files[file] = data
        parts = {name: hashlib.sha256(self._bytes(name)).hexdigest() for name in _names(more.get("parts"))}
        self.digests[identity] = _digest(file, raw, parts)
        self.evidence.append({
            "id": identity, "type": str(kind), "file": file, **more,
            "integrity": f"sha256:{self.digests[identity]}{at}", "establishes": establishes,
        })  # fmt: skip
        return identity

    def add_contract(self, side: Side, place: str, establishes: str) -> str:
        """The id of the item that holds a contract with all its files, below a folder of the bundle."""
        entry, *others = [f"{place}{name}" for name in side.files]
        self.files |= {f"{place}{name}": data for name, data in side.files.items()}
        more: dict[str, Json] = {"parts": list(others)} if others else {}
        at = bound(side.commit, next(iter(side.files)))
        return self.add(EvidenceType.CONTRACT, entry, self.files[entry], establishes, at, **more)

    def _bytes(self, name: str) -> bytes:
        data = self.files[name]
        return data.encode() if isinstance(data, str) else data


def bound(commit: str, path: str) -> str:
    """The end of an integrity text that ties a file to its path at a commit."""
    return f", at commit {commit}{f':{path}' if _PLAIN_PATH.fullmatch(path) else ''}"


def _names(parts: Json) -> Iterator[str]:
    yield from (str(each) for each in parts) if isinstance(parts, list) else ()


def _digest(file: str, data: bytes, parts: Mapping[str, str]) -> str:
    from evreview.evidence.item import listing

    return hashlib.sha256(listing(file, data, parts)).hexdigest()
