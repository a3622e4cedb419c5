"""The contracts that a commit holds: told by what their files say, each with its kind and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import ContractFolders, KindSpec
from evreview.contract.source import Files
from evreview.core.document_text import without_gc
from evreview.core.errors import BadInput
from evreview.core.frozen import frozen
from evreview.core.path_patterns import PathPatterns
from evreview.core.vocabulary import ContractKind
from evreview.kinds.registry import KINDS, spec_of

if TYPE_CHECKING:
    from evreview.evidence.repository import Commits


@frozen
class FoundContract:
    """A contract of a commit: its path, that of a folder ending with `/`; its kind; and why it is taken for one."""

    path: str
    kind: ContractKind
    why: str
    named_by: int | None = None
    """Which entry of `NamedContracts` names it; None for one that says itself what it is."""


@frozen
class NamedContracts:
    """The contracts of one kind where their paths are known.

    Attributes:
        patterns: each file that one means is a contract, each folder that one with `/` at its end means too.
        source: where it is written.
    """

    kind: ContractKind
    patterns: PathPatterns
    source: str


@frozen(kw_only=True)
class Search:
    """What is looked for: all kinds everywhere, but for what is said here.

    Attributes:
        kinds: the kinds that are looked for; all when empty.
        ignored: the paths that are not looked at.
        named: a kind that stands here is looked for there alone.
    """

    kinds: frozenset[ContractKind] = frozenset()
    ignored: PathPatterns | None = None
    named: tuple[NamedContracts, ...] = ()

    def asks(self, kind: ContractKind) -> bool:
        """True for a kind whose contracts are to say themselves what they are."""
        return (not self.kinds or kind in self.kinds) and all(each.kind is not kind for each in self.named)


EVERYTHING: Final = Search()


def find_contracts(
    commits: Commits, commit: str, below: Iterable[str] = (), search: Search = EVERYTHING
) -> tuple[FoundContract, ...]:
    """The contracts of a commit by path: those whose paths are known, and those that say themselves what they are.

    Python libraries are found by their paths alone: every folder of code would be one.

    Args:
        commits: those of a local clone.
        commit: which.
        below: files or folders, from the repository's root, outside of which none is looked for; none for everywhere.
        search: what is looked for.
    """
    asked = tuple(below)
    ignored = search.ignored
    everything = commits.files(commit)
    files = [name for name in everything if ignored is None or not ignored.match(name)]
    names = [name for name in files if is_below(name, asked)]
    found: dict[tuple[str, ContractKind], FoundContract] = {}
    with without_gc():
        homes = _Homes(commits, commit, everything, frozenset(files))
        for each in (*_named(homes, names, search), *_found(homes, names, search)):
            found.setdefault((each.path, each.kind), each)
    return tuple(found[key] for key in sorted(found))


class _Homes:
    """The contracts that files of a commit belong to, where they are contracts together."""

    def __init__(self, commits: Commits, commit: str, names: Sequence[str], asked: frozenset[str]) -> None:
        self.commits, self.commit = commits, commit
        self._names, self._asked = names, asked
        self._known: dict[ContractKind, ContractFolders | None] = {}

    def home(self, spec: KindSpec, name: str) -> str:
        """The contract that a file belongs to: its own path, or that of a folder, which ends with `/`."""
        if spec.in_folders and spec.kind not in self._known:
            names = (name for name in self._names if name.lower().endswith(spec.endings))
            self._known[spec.kind] = spec.folders(dict(self.commits.contents(self.commit, names)), self._asked)
        folders = self._known.get(spec.kind)
        return folders.home(name) if folders else name


def _named(homes: _Homes, names: Sequence[str], search: Search) -> Iterator[FoundContract]:
    """The contracts whose paths are known."""
    for at, each in enumerate(search.named):
        why = f"{each.source} names it"
        files = PathPatterns(tuple(line for line in each.patterns.lines if not is_folder(line)), each.patterns.folder)
        for name, _ in homes.commits.contents(homes.commit, filter(files.match, names)):
            yield FoundContract(homes.home(spec_of(each.kind), name), each.kind, why, at)
        folders = PathPatterns(tuple(filter(is_folder, each.patterns.lines)), each.patterns.folder)
        for folder in folders.folders(names):
            yield FoundContract(folder, each.kind, why, at)


def is_folder(line: str) -> bool:
    """True for a pattern that means folders as contracts, and not the files in them."""
    return line.rstrip().endswith("/") and not line.startswith("!")


def _found(homes: _Homes, names: Iterable[str], search: Search) -> Iterator[FoundContract]:
    """The contracts that say themselves what they are."""
    specs = [spec for spec in KINDS if search.asks(spec.kind)]
    endings = tuple({ending for spec in specs for ending in spec.endings})
    asked = (name for name in names if name.lower().endswith(endings))
    for name, data in homes.commits.contents(homes.commit, asked):
        spec = _kind_of(name, data, specs)
        if spec is not None:
            home = homes.home(spec, name)
            why = f"{name} reads as {spec.title}" if home.endswith("/") else f"it reads as {spec.title}"
            yield FoundContract(home, spec.kind, why)


def is_below(name: str, folders: Iterable[str]) -> bool:
    """True for a path that is one of these, or stands below one; for no folders always."""
    asked = [folder.strip("/") for folder in folders]
    return not asked or any(folder in ("", ".") or name == folder or name.startswith(f"{folder}/") for folder in asked)


def _kind_of(name: str, data: bytes, specs: Iterable[KindSpec]) -> KindSpec | None:
    """The kind of a file by its ending and what it says; one that says so and can't be parsed is of that kind too."""
    files = Files(name, lambda _: data)
    for spec in specs:
        if name.lower().endswith(spec.endings or ("\0",)) and (spec.says is None or spec.says.search(data)):
            try:
                if spec.recognises(files):
                    return spec
            except BadInput:
                return spec
    return None
