"""The contracts that a commit holds: told by what their files say, each with its kind and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from evreview.comparison.kind_spec import KindSpec
from evreview.contract.source import Files
from evreview.core.document_text import without_gc
from evreview.core.errors import BadInput
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ContractKind
from evreview.kinds.registry import KINDS

if TYPE_CHECKING:
    from evreview.evidence.repository import Commits


@frozen
class FoundContract:
    """A contract of a commit: its path, that of a folder ending with `/`; its kind; and why it is taken for one."""

    path: str
    kind: ContractKind
    why: str


def find_contracts(commits: Commits, commit: str, below: Iterable[str] = ()) -> tuple[FoundContract, ...]:
    """The contracts of a commit by path, as far as they say themselves what they are.

    Python libraries are not looked for: every folder of code would be one.

    Args:
        commits: those of a local clone.
        commit: which.
        below: files or folders, from the repository's root, outside of which none is looked for; none for everywhere.
    """
    asked = tuple(below)
    names = [name for name in commits.files(commit) if name.lower().endswith(_ENDINGS) and is_below(name, asked)]
    found: dict[tuple[str, ContractKind], FoundContract] = {}
    with without_gc():
        for name, data in commits.contents(commit, names):
            spec = _kind_of(name, data)
            if spec is not None:
                home = spec.home(name, data)
                why = f"{name} reads as {spec.title}" if home.endswith("/") else f"it reads as {spec.title}"
                found.setdefault((home, spec.kind), FoundContract(home, spec.kind, why))
    return tuple(found[key] for key in sorted(found))


_ENDINGS = tuple(sorted({ending for spec in KINDS for ending in spec.endings}))


def is_below(name: str, folders: Iterable[str]) -> bool:
    """True for a path that is one of these, or stands below one; for no folders always."""
    asked = [folder.strip("/") for folder in folders]
    return not asked or any(folder in ("", ".") or name == folder or name.startswith(f"{folder}/") for folder in asked)


def _kind_of(name: str, data: bytes) -> KindSpec | None:
    """The kind of a file by its ending and what it says; one that says so and can't be parsed is of that kind too."""
    files = Files(name, lambda _: data)
    for spec in KINDS:
        if name.lower().endswith(spec.endings or ("\0",)) and (spec.says is None or spec.says.search(data)):
            try:
                if spec.recognises(files):
                    return spec
            except BadInput:
                return spec
    return None
