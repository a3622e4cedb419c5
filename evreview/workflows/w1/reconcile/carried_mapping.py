"""What of a reviewed mapping still holds for another diff of the same code, entry by entry.

An entry holds where the lines that it covers changed in the very same way. Where they changed otherwise, its reviewer
has to look again; where they did not change, there is nothing to map.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evreview.core.vocabulary import ClosedVocabulary, Json
from evreview.evidence.element_mentions import is_suffix
from evreview.evidence.records.test_runs import DiffMapping
from evreview.workflows.w1.reconcile.implementation_diff import (
    NO_ELEMENT,
    Draft,
    FileDiff,
    Target,
    drafts,
    names,
    symbols,
)


class Fate(ClosedVocabulary):
    """What becomes of an entry: it holds, is to be reviewed again, is left out, or nobody made it yet."""

    HOLDS = "holds"
    REOPENED = "to be reviewed again"
    GONE = "no longer"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Carried:
    """One entry for the other diff: its name, what became of it, and the entry; None where it is left out."""

    name: str
    fate: Fate
    entry: dict[str, Json] | None


def carried(
    stated: Sequence[DiffMapping],
    diffs: tuple[Sequence[FileDiff], Sequence[FileDiff]],
    before: Collection[str],
    targets: Sequence[Target],
) -> tuple[Carried, ...]:
    """Every entry with its fate, then a draft for each changed symbol that none of them names.

    Args:
        stated: the entries of the mapping as it stands.
        diffs: the one that it was reviewed for, and the other one.
        before: addresses of the differences that the first one's ledger had.
        targets: the differences of the other one's ledger.
    """
    there = {target.address for target in targets}
    drafted = drafts(diffs[1], targets)
    kept = [_carried(entry, diffs, entry.element in before and entry.element not in there, drafted) for entry in stated]
    left = [entry for entry, one in zip(stated, kept, strict=True) if one.entry is not None]
    new = missing_entries(left, diffs[1], targets)
    return (*kept, *(Carried(_name(draft.entry), Fate.NEW, draft.entry) for draft in new))


def missing_entries(
    stated: Sequence[DiffMapping], files: Sequence[FileDiff], targets: Sequence[Target]
) -> tuple[Draft, ...]:
    """A draft for each changed symbol of a diff that no entry names, reviewed or not, and for each further difference.

    A difference of a symbol that has entries is drafted where no entry of the mapping names it, unless one of the
    symbol's says that there is none.
    """
    return tuple(draft for draft in drafts(files, targets) if _is_missing(draft, stated))


def _is_missing(draft: Draft, stated: Sequence[DiffMapping]) -> bool:
    own = [entry for entry in stated if _names(entry, draft)]
    if not own or draft.element == NO_ELEMENT:
        return not own
    says_none = any(entry.element.strip().lower() == NO_ELEMENT for entry in own)
    return not says_none and not any(_holds(entry.element, draft.element) for entry in stated)


def _holds(element: str, address: str) -> bool:
    """True when an entry's element is the address, its end, or what encloses it."""
    return is_suffix(element, address) or address.startswith(f"{element} > ")


def _carried(
    entry: DiffMapping, diffs: tuple[Sequence[FileDiff], Sequence[FileDiff]], lost: bool, drafted: Sequence[Draft]
) -> Carried:
    old, new = (tuple(_covered(entry, files)) for files in diffs)
    stated: dict[str, Json] = entry.model_dump(mode="json", exclude_unset=True)
    if not new or (entry.symbol is None and old != new):
        # Lines are numbered by the diff that they were read in: in another one they name something else.
        return Carried(_name(stated), Fate.GONE, None)
    if old == new and not lost:
        return Carried(_name(stated), Fate.HOLDS, stated)
    again = next((draft for draft in drafted if lost and _names(entry, draft)), None)
    renamed: dict[str, Json] = {"element": again.element, "why": again.why} if again else {}
    return Carried(_name(stated), Fate.REOPENED, {**stated, **renamed, "reviewed": False})


def _covered(entry: DiffMapping, files: Sequence[FileDiff]) -> Iterator[str]:
    """The changed lines that an entry is about: of its symbol, else of its whole file, which counts the lines."""
    for file in files:
        for hunk in file.hunks if file.path == entry.path else ():
            of = symbols(hunk)
            for line in hunk.lines:
                if entry.symbol is None:
                    yield f"{line.mark}{line.new}{line.text}"
                elif line.mark != " " and line.text.strip() and names(of[line.at], entry.symbol):
                    yield f"{line.mark}{line.text}"


def _names(entry: DiffMapping, draft: Draft) -> bool:
    """True when an entry is about the symbol of a draft, or about lines that the draft's begin with."""
    if entry.path != draft.path:
        return False
    if entry.symbol is not None:
        return bool(draft.symbol) and names(draft.symbol, entry.symbol)
    lines = entry.lines or ""
    if lines.startswith("-") != draft.lines.startswith("-"):
        return False
    first, _, last = lines.removeprefix("-").partition("-")
    at = draft.lines.removeprefix("-").partition("-")[0]
    return first.isdigit() and int(first) <= int(at) <= int(last if last.isdigit() else first)


def _name(entry: dict[str, Json]) -> str:
    return f"{entry['path']} {entry.get('symbol') or entry.get('lines')}"
